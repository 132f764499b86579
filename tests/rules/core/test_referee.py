"""The referee: answers from the record or from a seat."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from rules.core.chance import Chance
from rules.core.errors import BadPosition, DiceNotSealed, Malformed, NotAsked, OutOfStep
from rules.core.record import Entry
from rules.core.referee import Checkpoint, Referee, standing
from rules.core.view import Views
from tests.rules.core.toy import GAME, KEY, LEFT, RIGHT, SCRIPT, TITLE, Position, played, say, start

OWN = ("answer", False)  # given by a seat


def resume(point: Checkpoint, log: list[Entry], made: int) -> Referee:
    return Referee.resume(TITLE, GAME, point, TITLE.schema, copy.deepcopy(log), Chance(KEY, made), spare=0)


def same(one: Referee, other: Referee) -> None:
    """All there is to a game in memory is equal."""
    assert one.pos.state() == other.pos.state()
    assert (one.asked, one.seq, one.answered) == (other.asked, other.seq, other.answered)
    assert one.newest == other.newest
    for eye in (LEFT, RIGHT, "public", "all"):
        assert one.request_for(eye) == other.request_for(eye)
        assert one.views.whole(eye, one.seq) == other.views.whole(eye, other.seq)


def test_a_game_runs_from_request_to_request_with_dice_and_forced_answers_between() -> None:
    game, log, _ = played()
    assert [e.seq for e in log] == list(range(1, len(log) + 1))
    assert [(e.kind, e.seat, e.forced) for e in log if e.kind != "answer" or e.forced] == [
        ("start", None, False), ("roll", None, False), ("draw", None, False), ("answer", LEFT, True),
        ("answer", LEFT, True), ("answer", LEFT, True), ("roll", None, False), ("draw", None, False)]
    assert [e.roll_no for e in log if e.kind in ("roll", "draw")] == [0, 1, 2, 3]
    assert {e.rules_version for e in log} == {"7"}
    assert game.pos.result is not None
    assert game.asked == ()


@pytest.mark.parametrize("n", range(len(SCRIPT) + 1))
def test_a_stored_game_comes_back_as_it_was_after_any_answer(n: int) -> None:
    game, log, points = played(n)
    point, length, made = points[n]
    assert length == len(log)
    same(resume(point, log, made), game)
    for earlier, _, _ in points[:n]:  # and from any older checkpoint
        same(resume(earlier, log, made), game)


@pytest.mark.parametrize("n", range(len(SCRIPT) + 1))
def test_play_goes_on_alike_after_a_reload(n: int) -> None:
    whole, _, _ = played()
    game, log, points = played(n)
    again = resume(points[n][0], log, points[n][2])
    for line in SCRIPT[n:]:
        say(again, *line)
    same(again, whole)
    assert game.chance.made <= again.chance.made == whole.chance.made


@pytest.mark.parametrize("n", range(1, len(SCRIPT) + 1))
def test_a_record_cut_before_what_followed_by_itself_is_out_of_step(n: int) -> None:
    """A record is written whole: one that ends before a roll or forced answer of its rules does not fit."""
    game, log, points = played(n)
    own = max(i for i, e in enumerate(log) if e.kind == "answer" and not e.forced)
    if any(e.kind != "answer" or e.forced for e in log[own + 1 :]):
        with pytest.raises(OutOfStep):
            resume(points[0][0], log[: own + 1], points[n - 1][2])
    else:
        assert resume(points[0][0], log[: own + 1], points[n - 1][2]).pos.state() == game.pos.state()


@pytest.mark.parametrize("n", range(len(SCRIPT) + 1))
def test_a_game_in_memory_follows_what_was_answered_elsewhere(n: int) -> None:
    """From any answer on, to the end at once and answer by answer; then it is the same game."""
    whole, log, _ = played()
    for step in (len(log), 1):
        game, known, _ = played(n)
        later = [e for e in copy.deepcopy(log) if e.seq > game.seq]
        while later:
            ends = [i for i, e in enumerate(later, 1) if i == len(later) or (later[i].kind, later[i].forced) == OWN]
            now, later = later[: ends[min(step, len(ends)) - 1]], later[ends[min(step, len(ends)) - 1] :]
            made = game.follow(now)
            assert [e.told for e in made] == [e.told for e in log if e.seq in {m.seq for m in made}]
            assert made[-1].seq == game.seq == now[-1].seq
        same(game, whole)
        assert game.chance.made == len([e for e in known if e.roll_no is not None])  # nothing was thrown


@pytest.mark.parametrize("fault", [0, 1, 2])
def test_what_does_not_fit_is_not_followed(fault: int) -> None:
    _, log, _ = played()
    game, known, _ = played(2)
    later = [e for e in copy.deepcopy(log) if e.seq > game.seq]
    if fault == 0:
        later[0].answer = {"form": "add", "option": "three"}
    elif fault == 1:
        later[0].seat = RIGHT if later[0].seat == LEFT else LEFT
    else:
        later.append(copy.deepcopy(known[1]))
    with pytest.raises(OutOfStep):
        game.follow(later)


def test_a_retracted_line_is_forgotten_but_its_dice_are_not_thrown_again() -> None:
    game, log, points = played(3)
    line = standing(log, 4)  # back to before "stop"
    assert [e.seq for e in line] == [1, 2, 3]
    again = Referee.resume(TITLE, GAME, points[0][0], TITLE.schema, line, Chance(KEY, points[3][2]), seq=log[-1].seq)
    made = say(again, LEFT, "stop", "stop")
    assert made[0].seq == log[-1].seq + 1
    assert [e.roll_no for e in made if e.kind in ("roll", "draw")] == [2, 3]
    assert game.chance.made == 2


def test_entries_that_are_no_play_are_passed_over() -> None:
    game, log, points = played(4)
    log.insert(3, Entry(3, "take_back", LEFT))
    log.append(Entry(99, "draw_offer", RIGHT))
    again = resume(points[0][0], log, points[4][2])
    assert again.pos.state() == game.pos.state()


def illegal(log: list[Entry]) -> None:
    log[1].answer = {"form": "add", "option": "three"}


def other_form(log: list[Entry]) -> None:
    log[1].answer = {"form": "bid", "option": "low"}


def nonsense(log: list[Entry]) -> None:
    log[1].answer = None


def wrong_seat(log: list[Entry]) -> None:
    log[1].seat = RIGHT


def no_seat(log: list[Entry]) -> None:
    log[1].seat = None


def big_die(log: list[Entry]) -> None:
    next(e for e in log if e.kind == "roll").answer = 10


def small_die(log: list[Entry]) -> None:
    next(e for e in log if e.kind == "roll").answer = -1


def no_die(log: list[Entry]) -> None:
    next(e for e in log if e.kind == "roll").answer = "six"


def die_for_card(log: list[Entry]) -> None:
    next(e for e in log if e.kind == "roll").kind = "draw"


def lost_answer(log: list[Entry]) -> None:
    del log[3]


def lost_die(log: list[Entry]) -> None:
    del log[next(i for i, e in enumerate(log) if e.kind == "roll")]


def unforced(log: list[Entry]) -> None:
    next(e for e in log if e.forced).forced = False


def one_too_many(log: list[Entry]) -> None:
    log.append(Entry(log[-1].seq + 1, "answer", RIGHT, "1", {"form": "add", "option": "one"}))


def answer_for_die(log: list[Entry]) -> None:
    i = next(i for i, e in enumerate(log) if e.kind == "roll")
    log[i] = Entry(log[i].seq, "answer", LEFT, "1", {"form": "add", "option": "one"})


@pytest.mark.parametrize("alter", [illegal, other_form, nonsense, wrong_seat, no_seat, big_die, small_die, no_die,
                                   die_for_card, lost_answer, lost_die, unforced, one_too_many, answer_for_die])
def test_an_altered_record_is_out_of_step(alter: Callable[[list[Entry]], None]) -> None:
    _, log, points = played()
    log = copy.deepcopy(log)
    alter(log)
    with pytest.raises(OutOfStep):
        resume(points[0][0], log, points[-1][2])


def test_a_refusal_changes_nothing() -> None:
    game, _, _ = played(1)
    before, seq, asked = TITLE.encode(game.pos), game.seq, game.request_for(LEFT)
    bad: Any
    for bad in ({"form": "add", "option": "three"}, {"form": "never"}, [], None, {"form": "add"}):
        with pytest.raises(Malformed):
            game.answer(LEFT, bad)
    with pytest.raises(NotAsked):
        game.answer(RIGHT, {"form": "add", "option": "one"})
    with pytest.raises(NotAsked):
        game.answer("nobody", {"form": "add", "option": "one"})
    assert (TITLE.encode(game.pos), game.seq, game.request_for(LEFT)) == (before, seq, asked)
    assert game.drain() == []


def test_both_are_asked_at_once_and_answer_in_either_order() -> None:
    states = []
    for order in ((LEFT, RIGHT), (RIGHT, LEFT)):
        game, _, _ = played(3)
        assert game.asked == (LEFT, RIGHT)
        picks = {LEFT: "high", RIGHT: "low"}
        [first] = say(game, order[0], "bid", picks[order[0]])
        assert list(game.asked) == [order[1]]
        assert first.told == {}  # nobody learns anything yet
        for eye in (order[1], "public"):
            asked = game.request_for(eye)
            assert asked is not None
            assert asked["has_answered"] == [order[0]]
            assert asked["together"] is True
            assert asked["seat"] == order[1]
        assert game.request_for(order[0])["mine"] is False  # type: ignore[index]
        with pytest.raises(NotAsked):
            say(game, order[0], "bid", "low")
        second = say(game, order[1], "bid", picks[order[1]])
        assert second[0].told["public"][0]["data"]["bids"] == picks
        states.append(game.pos.state())
    assert states[0] == states[1]


def test_an_answer_may_be_withdrawn_until_the_last_is_in() -> None:
    game, log, points = played(3)
    gone = say(game, LEFT, "bid", "low")
    game.withdraw(LEFT)
    assert game.asked == (LEFT, RIGHT)
    with pytest.raises(NotAsked):
        game.withdraw(LEFT)
    with pytest.raises(NotAsked):
        game.withdraw(RIGHT)
    new = [*say(game, RIGHT, "bid", "low"), *say(game, LEFT, "bid", "high")]
    assert new[0].seq == gone[0].seq + 1
    assert game.pos.score[LEFT] >= 10
    with pytest.raises(NotAsked):
        game.withdraw(LEFT)
    again = resume(points[3][0], [*log, *new], game.chance.made)  # the store marks the withdrawn one
    assert again.pos.state() == game.pos.state()


def test_a_half_answered_question_comes_back_half_answered() -> None:
    game, log, points = played(3)
    log += say(game, RIGHT, "bid", "high")
    same(resume(points[3][0], log, points[3][2]), game)


def test_one_legal_answer_is_given_without_asking_on_open_grounds_only() -> None:
    known, hidden = start([["forced", LEFT, True], ["over"]]), start([["forced", LEFT, False], ["over"]])
    assert known.pos.result is not None
    assert [e.forced for e in known.drain() if e.kind == "answer"] == [True]
    assert hidden.asked == (LEFT,)
    say(hidden, LEFT, "only", "only")
    assert hidden.pos.result is not None


def test_of_both_one_may_be_forced() -> None:
    game = start([["half_forced"], ["over"]])
    assert game.asked == (RIGHT,)
    assert game.request_for(LEFT)["mine"] is False  # type: ignore[index]
    with pytest.raises(NotAsked):
        say(game, LEFT, "only", "only")
    say(game, RIGHT, "bid", "low")
    assert game.pos.result is not None


def test_a_hand_over_is_marked_and_reveals_are_marked() -> None:
    _, log, _ = played(3)
    assert [(e.kind, e.commits, e.reveals) for e in log] == [
        ("start", False, False), ("answer", False, False), ("answer", False, False), ("answer", True, False),
        ("roll", False, True), ("draw", False, False)]


def test_checkpoints_lie_between_segments_one_kept_for_each_phase() -> None:
    game = start()
    assert [p.phase for p in game.drain_phases()] == ["set_up"]
    say(game, LEFT, "add", "one")
    assert game.newest.seq == 2
    assert [p.phase for p in game.drain_phases()] == ["turn_left"]
    assert game.drain_phases() == []


def test_between_two_phases_a_checkpoint_is_made_when_so_many_entries_were() -> None:
    agenda = [*(["turn", LEFT] for _ in range(4)), ["over"]]
    every, seldom = start(agenda), start(agenda, spare=3)
    log, places = [], []
    for _ in range(8):
        say(every, LEFT, "add", "one")
        log += say(seldom, LEFT, "add", "one")
        assert every.newest.seq == every.seq
        places.append(seldom.newest.seq)
    assert places == [2, 2, 2, 5, 5, 5, 8, 8]
    again = Referee.resume(TITLE, GAME, seldom.newest, TITLE.schema, log, Chance(KEY), spare=3)
    same(again, seldom)
    assert again.pos.state() == every.pos.state()


def test_no_die_falls_before_the_key_is_sealed() -> None:
    game = start(key=None)
    say(game, LEFT, "add", "one")
    with pytest.raises(DiceNotSealed):
        say(game, LEFT, "stop", "stop")


def test_a_game_starts_at_any_position() -> None:
    pos = Position(GAME, {"score": {LEFT: 4, RIGHT: 2}, "hands": {LEFT: [], RIGHT: [9]}, "stage": "x",
                    "agenda": [["turn", RIGHT], ["over"]], "result": None})
    game = Referee.at(TITLE, pos, Chance(KEY))
    assert game.asked == (RIGHT,)
    assert [e.kind for e in game.drain()] == ["start"]
    assert game.views.contents == Views(TITLE.view, pos, (LEFT, RIGHT)).contents
    same(Referee.resume(TITLE, GAME, game.newest, 2, [], Chance(KEY)), game)


def test_an_older_position_is_brought_up_and_a_newer_one_refused() -> None:
    old = {"score": {LEFT: 0, RIGHT: 1}, "hands": [[1], [2]], "stage": "x", "agenda": [["turn", LEFT]], "result": None}
    new = {**old, "hands": {LEFT: [1], RIGHT: [2]}}
    body = TITLE.encode(Position(GAME, new))
    assert TITLE.decode(GAME, body, 2).state() == new

    class Old:
        def state(self) -> object:
            return old

    assert TITLE.decode(GAME, TITLE.encode(Old()), 1).state() == new
    with pytest.raises(BadPosition, match="newer"):
        TITLE.decode(GAME, body, 3)
    with pytest.raises(BadPosition, match="no upgrade"):
        TITLE.decode(GAME, body, 0)
