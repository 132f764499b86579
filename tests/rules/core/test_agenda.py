"""Segments and the agenda."""

import pytest

from rules.core.agenda import AGAIN, DONE, Segments, Step, close
from tests.rules.core.toy import LEFT, RIGHT, say, start


def test_done_drops_again_keeps_and_a_list_goes_in_front() -> None:
    agenda: list[Step] = [["a", 1], ["b"]]
    close(agenda, AGAIN)
    assert agenda == [["a", 1], ["b"]]
    close(agenda, [["c"], ["d", 2]])
    assert agenda == [["c"], ["d", 2], ["b"]]
    close(agenda, DONE)
    assert agenda == [["d", 2], ["b"]]
    close(agenda, [])
    assert agenda == [["b"]]


def test_two_segments_cannot_have_one_name() -> None:
    segments = Segments()

    def move() -> None:
        return None

    segments.segment(move)
    with pytest.raises(ValueError, match="move"):
        segments.segment(move)


def test_activations_nest() -> None:
    game = start([["branch"], ["turn", RIGHT], ["over"]])
    assert [e.kind for e in game.drain()] == ["start", "answer", "roll", "draw"]
    assert game.asked == (RIGHT,)
    assert game.pos.agenda == [["turn", RIGHT], ["over"]]


def test_a_result_empties_the_agenda() -> None:
    game = start([["over"], ["throw"], ["turn", LEFT]])
    assert game.pos.agenda == []
    assert game.asked == ()
    assert game.request_for(LEFT) is None
    assert game.chance.made == 0


def test_again_asks_the_same_seat_once_more() -> None:
    game = start([["turn", LEFT], ["over"]])
    for _ in range(3):
        say(game, LEFT, "add", "one")
    assert game.pos.score[LEFT] == 3
    assert game.pos.agenda == [["turn", LEFT], ["over"]]
