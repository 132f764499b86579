"""Events: told once, to each audience its own version with the fragments that changed for it."""

from typing import Any

from rules.core.events import Teller, tell
from rules.core.record import Entry
from rules.core.seats import eyes
from tests.rules.core.toy import LEFT, RIGHT, played, start

EYES = (LEFT, RIGHT, "public", "all")


def steps(log: list[Entry], event: str, eye: str) -> list[dict[str, Any]]:
    return [s for e in log for s in e.told.get(eye, []) if s["event"] == event]


def test_there_is_an_eye_for_each_seat_for_everybody_and_for_who_may_see_all() -> None:
    assert eyes((LEFT, RIGHT)) == EYES


def test_private_data_goes_to_its_seat_and_to_who_sees_all() -> None:
    _, log, _ = played()
    for event, seat, field in (("added", LEFT, "n"), ("drawn", RIGHT, "card")):
        other = RIGHT if seat == LEFT else LEFT
        assert [field in steps(log, event, eye)[0]["data"] for eye in (seat, "all", other, "public")] == [
            True, True, False, False]


def test_each_eye_is_told_the_fragments_that_changed_for_it() -> None:
    _, log, _ = played()
    first = {eye: steps(log, "drawn", eye)[0]["fragments"] for eye in EYES}
    assert first[LEFT] == first["public"] == {"hand:right": {"count": 1}}
    assert first[RIGHT] == first["all"]
    assert set(first[RIGHT]["hand:right"]) == {"cards"}
    assert steps(log, "added", LEFT)[0]["fragments"] == {"score": {LEFT: 1, RIGHT: 0}}
    assert steps(log, "stopped", LEFT)[0]["fragments"] == {}


def test_every_eye_is_told_every_event_in_order_with_clause_and_side() -> None:
    _, log, _ = played()
    told = {eye: [(s["event"], s["clause"], s["side"]) for e in log for s in e.told.get(eye, [])] for eye in EYES}
    assert len({tuple(t) for t in told.values()}) == 1
    assert told["public"][:4] == [("added", "1", LEFT), ("added", "1", LEFT), ("stopped", "1", LEFT),
                                  ("thrown", "2", LEFT)]


def test_an_event_belongs_to_the_entry_that_set_it_off() -> None:
    _, log, _ = played(3)
    assert [[s["event"] for s in e.told.get("public", [])] for e in log] == [
        [], ["added"], ["added"], ["stopped"], ["thrown"], ["drawn"]]


def test_a_reveal_is_marked_on_its_entry_and_nowhere_else() -> None:
    _, log, _ = played(3)
    assert [e.seq for e in log if e.reveals] == [next(e.seq for e in log if e.kind == "roll")]


def test_what_changes_after_the_last_event_goes_with_it() -> None:
    game = start()
    pos = game.pos
    tell(pos, "first", "1", LEFT, who=LEFT)
    tell(pos, "second", "1", LEFT)
    pos.add(LEFT, 5)
    told, reveals = pos.teller.drain(pos)
    assert [s["fragments"] for s in told["public"]] == [{}, {"score": {LEFT: 5, RIGHT: 0}}]
    assert reveals is False
    assert pos.touched == set()
    assert pos.teller.drain(pos) == ({}, False)


def test_told_data_is_a_copy_of_its_own_for_each_eye() -> None:
    game = start()
    tell(game.pos, "first", "1", LEFT, private={LEFT: {"secret": 1}}, open=2, reveals=True)
    told, reveals = game.pos.teller.drain(game.pos)
    assert reveals
    assert told[LEFT][0]["data"] == told["all"][0]["data"] == {"open": 2, "secret": 1}
    assert told[RIGHT][0]["data"] == told["public"][0]["data"] == {"open": 2}


def test_a_position_nobody_looks_at_tells_nothing() -> None:
    pos = played(0)[0].pos
    pos.teller = Teller()
    pos.add(LEFT, 1)
    tell(pos, "unseen", "1", LEFT, reveals=True)
    assert pos.touched == set()
    assert pos.teller.drain(pos) == ({}, True)
