"""A15 Free set-ups of the six scenarios, through the engine: by the suggestion, by hand, and with faulty hands."""

from collections.abc import Mapping

import pytest

from rules.titles.austerlitz import TITLE
from rules.titles.austerlitz.deployment import counters, fixed_ground, ground, rows
from rules.titles.austerlitz.stacking import fault
from rules.titles.austerlitz.units import SIDES
from tests.rules import building
from tests.rules.titles.austerlitz.builders import (
    A,
    F,
    Play,
    answer,
    data,
    forms,
    game,
    lots,
    march,
    prompt,
    refused,
    request,
)

FREE = {"whole_battle": "A15.2", "langeron": "A15.3", "bagration": "A15.4", "goldbach": "A15.5", "pratzen": "A15.6"}
CLAUSES = tuple(pytest.param(s, c, marks=pytest.mark.clause(c)) for s, c in FREE.items())

# By hand: what stands elsewhere than the suggestion would have it, of each question (lines with a place, then leaders).
HAND: dict[str, dict[str, str]] = {
    "whole_battle": {"F-Tir-Po-1": "C2910", "F-1-26-Leg": "A3252", "F-8-Hus": "C2414", "F-1-24-Leg": "A4632",
                     "F-5-Dgn-IV": "A3636", "F-Soult": "A2951", "F-Napoleon": "A3119", "A-Brdr-Grz": "C4627",
                     "A-1-7-Jgr": "D2624", "A-1-Phan-Gr": "B2052", "A-Langeron": "B1950", "A-Bagration": "B4013"},
    "langeron": {"F-1-10-Leg": "A3545", "F-art-a-I": "A3918", "F-Bernadotte": "A3819", "F-Murat": "A3712",
                 "A-G-N-Ing": "D2026", "A-1-8-Jgr": "D1806", "A-Dokhturov": "D1924", "A-Kollowrath": "B3148"},
    "bagration": {"F-art-a-V": "B1512", "F-art-c-V": "B1511", "F-Suchet": "B1707", "F-Walther": "B1516",
                  "A-1-5-Jgr": "B4216", "A-1-6-Jgr": "B4007", "A-Hohenlohe": "B4528", "A-Markov": "B4012"},
    "goldbach": {"F-Tir-Po": "C2910", "F-8-Hus": "C2414", "F-Margaron": "C2314", "A-Brdr-Grz": "C4627",
                 "A-1-8-Jgr": "D1806", "A-3-8-Jgr": "D2512", "A-Langeron": "D1606"},
    "pratzen": {"F-1-10-Leg": "A3444", "F-1-24-Leg": "A4333", "F-5-Dgn-IV": "A3545", "F-Soult": "A3341",
                "A-2-Novg": "D3104", "A-1-Salzburg": "D2610", "A-1-Preo": "B4448", "A-Alexander": "B4247"},
}

# Faulty hands: one counter elsewhere than suggested, and the clause that refuses it. Whoever is not in the first
# question is in the second.
OUT_OF_REACH = [("whole_battle", "F-Tir-Po-1", "C2313", "A15.2"), ("langeron", "A-G-N-Ing", "B2648", "A15.3"),
                ("bagration", "A-1-5-Jgr", "B4007", "A15.4"), ("goldbach", "F-8-Hus", "C2816", "A15.5"),
                ("pratzen", "A-1-Preo", "D2507", "A15.6"), ("bagration", "F-Suchet", "B4011", "A15.4")]
FAULTS = [
    ("whole_battle", "F-1-26-Leg", "A2951", "too_many_points", "7.1"),
    ("whole_battle", "F-art-c-3", "A3352", "no_such_formation_there", "5.1"),        # guns in a wood
    ("whole_battle", "F-1-24-Leg", "A4430", "two_hexes_alone", "6.5.5"),
    ("whole_battle", "F-art-a-I", "A3820", "too_many_batteries", "7.1"),
    ("langeron", "F-1-17-Leg", "B1514", "divisions_apart", "7.1"),
    ("langeron", "F-1-Gren-P", "A3219", "arms_apart", "7.1"),
    ("langeron", "F-1-Gren-P", "A3320", "no_room_for_two", "6.5"),
    ("langeron", "A-Merv-Uhl", "C4631", "formations_apart", "7.1"),                  # lancers with cossacks
    ("langeron", "A-6-Kaunitz", "B3347", "no_room_for_two", "6.5"),
    ("bagration", "A-1-5-Jgr", "B4115", "too_many_points", "7.1"),
    ("bagration", "A-1-5-Jgr", "B4214", "divisions_apart", "7.1"),
    ("goldbach", "F-8-Hus", "C2314", "too_many_points", "7.1"),
    ("goldbach", "A-Brdr-Grz", "C4527", "arms_apart", "7.1"),
    ("goldbach", "A-OReilly-CL", "C4528", "two_hexes_alone", "6.5.5"),
    ("pratzen", "F-1-10-Leg", "A3340", "too_many_points", "7.1"),
    ("pratzen", "F-1-10-Leg", "A3539", "arms_apart", "7.1"),
    ("pratzen", "A-2-Novg", "B3352", "divisions_apart", "7.1"),
    ("pratzen", "A-1-Salzburg", "D2507", "two_hexes_alone", "6.5.5"),
]


def begun(scenario: str) -> Play:
    """A whole game from its first question."""
    return building.begin(Play, TITLE, TITLE.first(data(), scenario, {}), [])


def placing(play: Play) -> str:
    """The seat that is asked for a set-up, or ""."""
    return next((seat for seat in (F, A) if prompt(play, seat) == "set_up"), "")


def place(play: Play, hand: Mapping[str, str] | None = None) -> dict[str, str]:
    """Answer one question of a set-up by the suggestion, but for what the hand puts elsewhere."""
    seat = placing(play)
    suggested: dict[str, str] = forms(play, seat)["set_up"]["suggested"]
    placed = {**suggested, **{u: h for u, h in (hand or {}).items() if u in suggested}}
    answer(play, seat, "set_up", placed=placed)
    return placed


def placed_by(scenario: str, hand: Mapping[str, str] | None = None) -> tuple[Play, dict[str, str]]:
    """A game after both set-ups, its dice ready for the first initiative; and where everybody was put."""
    play = begun(scenario)
    placed: dict[str, str] = {}
    while placing(play) or "deploy" in (prompt(play, F), prompt(play, A)):
        if placing(play):
            placed |= place(play, hand)
            continue
        play.dice[:] = [1, 0]
        answer(play, F if prompt(play, F) == "deploy" else A, "done", option="done")
    play.dice.clear()
    return play, placed


def faults(play: Play) -> list[str]:
    """What is wrong with where everybody stands: off the map, out of his radius, or against the limits of stacking."""
    pos = play.pos
    wrong = [c for c, loc in (*pos.at.items(), *pos.leaders.items()) if loc.startswith("free:")]
    for side in SIDES:
        for row in rows(pos, side):
            reach = ground(pos, row) if "of" in row else fixed_ground(pos, side, row)
            wrong += [u for u in counters(pos, row) if not (loc := pos.at.get(u, pos.leaders.get(u, ""))).startswith(
                "split") and loc not in reach]
    stacks = [(h, s) for h, s in pos.stacks.items() if ":" not in h and not all(pos.unit(u).companies or pos.unit(
        u).battalion for u in s)]
    return [*wrong, *(h for h, stack in stacks if fault(pos, h, stack) is not None)]


@pytest.mark.parametrize(("scenario", "clause"), CLAUSES)
def test_the_suggestion_is_a_lawful_set_up(scenario: str, clause: str) -> None:
    play, placed = placed_by(scenario)
    assert set(placed) == {u for s in SIDES for r in rows(play.pos, s) for u in counters(play.pos, r)
                           if not play.pos.at.get(u, "").startswith("split")}
    assert faults(play) == []
    assert play.pos.plan["clause"] == clause


@pytest.mark.parametrize(("scenario", "clause"), CLAUSES)
def test_a_set_up_by_hand_stands_as_it_was_put(scenario: str, clause: str) -> None:
    play, placed = placed_by(scenario, HAND[scenario])
    pos = play.pos
    assert {u: pos.at.get(u, pos.leaders.get(u)) for u in HAND[scenario]} == HAND[scenario]
    assert faults(play) == []
    assert {step["clause"] for step in building.told(play, "set_up")} == {clause}
    assert set(placed) >= set(HAND[scenario])


@pytest.mark.clause("A4.4.4")
@pytest.mark.parametrize("scenario", ["whole_battle", "langeron"])
def test_the_staff_is_put_with_napoleon(scenario: str) -> None:
    leaders = placed_by(scenario, {"F-Napoleon": "A3119"})[0].pos.leaders
    assert {leaders[i] for i in ("F-Napoleon", "F-Rapp", "F-Mouton", "F-Songis")} == {"A3119"}


@pytest.mark.parametrize(("scenario", "unit", "hex_", "clause"), OUT_OF_REACH)
def test_a_hand_beyond_its_radius_is_refused(scenario: str, unit: str, hex_: str, clause: str) -> None:
    play = _asked_for(scenario, unit)
    suggested = forms(play, placing(play))["set_up"]["suggested"]
    assert refused(play, placing(play), "set_up", placed={**suggested, unit: hex_}) == ("not_there", clause)


@pytest.mark.parametrize(("scenario", "unit", "hex_", "key", "clause"), FAULTS)
def test_a_faulty_hand_is_refused_with_its_clause(scenario: str, unit: str, hex_: str, key: str, clause: str) -> None:
    play = _asked_for(scenario, unit)
    suggested = forms(play, placing(play))["set_up"]["suggested"]
    assert refused(play, placing(play), "set_up", placed={**suggested, unit: hex_}) == (key, clause)


@pytest.mark.parametrize(("scenario", "clause"), CLAUSES)
def test_nobody_may_be_left_off_and_nothing_else_be_placed(scenario: str, clause: str) -> None:
    play = begun(scenario)
    seat = placing(play)
    suggested = dict(forms(play, seat)["set_up"]["suggested"])
    gone, where = suggested.popitem()
    assert refused(play, seat, "set_up", placed=suggested) == ("all_must_be_placed", clause)
    foe = "A-Constantine" if seat == F else "F-Soult"
    assert refused(play, seat, "set_up", placed={**suggested, gone: where, foe: where})[1] == clause
    place(play)


def _asked_for(scenario: str, unit: str) -> Play:
    """A game at the question in which a counter is placed."""
    play = begun(scenario)
    while placing(play) == "" or unit not in forms(play, placing(play))["set_up"]["suggested"]:
        if placing(play):
            place(play)
        else:
            answer(play, F if prompt(play, F) == "deploy" else A, "done", option="done")
    return play


@pytest.mark.clause("A15.2", "7.2")
def test_stacks_are_listed_as_they_lie() -> None:
    """7.2 The order of a stack is what is stored: who comes back to the question sees it listed alike."""
    play, several = begun("whole_battle"), 0
    while placing(play) or (side := next((s for s in (F, A) if prompt(play, s) == "deploy"), "")):
        if placing(play):
            place(play)
            continue
        for hex_, listed in forms(play, side)["move"]["stacks"].items():
            names = [unit["id"] for unit in listed]
            assert names == [u for u in play.pos.stacks[hex_] if u in names]
            several += len(names) > 1
        assert building.resumed(play).request_for(side) == request(play, side)
        play.dice[:] = [1, 0]
        answer(play, side, "done", option="done")
    play.dice.clear()
    assert several


@pytest.mark.clause("A15.5", "6.3", "7.1")
def test_formations_and_facings_by_hand() -> None:
    play = _asked_for("goldbach", "F-8-Hus")
    place(play, {"F-8-Hus": "C2414"})
    place(play)
    march(play, F, "F-8-Hus", "C2414@N/column" if play.pos.form["F-8-Hus"] != "column" else _here(play, "F-8-Hus"),
          "C2414@E/line")
    assert (play.pos.form["F-8-Hus"], play.pos.facing["F-8-Hus"]) == ("line", 3)
    assert refused(play, F, "move", units=["F-8-Hus"], path=[_here(play, "F-8-Hus"), "C2415@E/line"])[1] == "6.3"
    assert refused(play, F, "move", units=["F-8-Hus"], path=[_here(play, "F-8-Hus"), "C2414@E/square"])[1] == "6.3"


def _here(play: Play, unit: str) -> str:
    at: str = play.pending[F].forms[0].reach([unit], {})["from"]  # type: ignore[attr-defined]
    return at


@pytest.mark.clause("A15.6", "7.1", "6.5")
def test_a_stack_stands_in_one_formation_and_a_pair_of_hexes_wants_room() -> None:
    play = _asked_for("pratzen", "F-1-10-Leg")
    place(play, {"F-1-36-Ln": "A3446", "F-art-a-1": "A3446"})
    place(play)
    march(play, F, "F-1-36-Ln", _here(play, "F-1-36-Ln"), "A3446@E/line")   # guns keep a formation of their own
    assert play.pos.form["F-1-36-Ln"] == "line"
    march(play, F, "F-art-a-1", _here(play, "F-art-a-1"), "A3446@E/unlimbered")
    assert play.pos.form["F-art-a-1"] == "unlimbered"
    full = _here(play, "F-1-57-Ln")
    beside = next(s for s in _stances(play, "F-1-57-Ln") if _barred(play, "F-1-57-Ln", full, s))
    assert refused(play, F, "move", units=["F-1-57-Ln"], path=[full, beside])[1] == "6.5"


def _stances(play: Play, unit: str) -> list[str]:
    return sorted(play.pending[F].forms[0].reach([unit], {})["cost"])  # type: ignore[attr-defined]


def _barred(play: Play, unit: str, here: str, stance: str) -> bool:
    return stance != here and not building.preview(play, F, "move", units=[unit], path=[here, stance])["ok"]


@pytest.mark.clause("A15.1")
def test_the_northern_flank_stands_as_printed_and_has_free_markers() -> None:
    play = begun("northern_flank")
    plan = play.pos.plan
    assert all("at" in row for side in SIDES for row in plan["setup"][side])
    assert {c: play.pos.at.get(c, play.pos.leaders.get(c)) for s in SIDES for r in plan["setup"][s] for c in r[
        "units"]} == {c: r["at"] for s in SIDES for r in plan["setup"][s] for c in r["units"]}
    assert set(lots(play, F)) == {"remove"}      # Milhaud and Treilhard act with the Independent marker (A4.3)
    assert refused(play, F, lots={"remove": ["LIM-A-2-B"]})[1] == "4.2"
    answer(play, F, lots={"remove": ["LIM-F-3-V"]})
    assert [m for m in play.pos.pool if m.startswith("LIM-F")] == ["LIM-F-Independent"]
    assert prompt(play, A) == "markers_freely"


@pytest.mark.clause("A15.3", "4.8")
def test_starting_markers_of_the_whole_day_by_hand() -> None:
    play, _placed = placed_by("langeron")
    assert set(forms(play, F)) == {"corps", "divisions"}
    able = lots(play, F, "corps")["add"]["units"]
    assert refused(play, F, "corps", lots={"add": able[:1]})[1] == "A15.3"
    clash = lots(play, F, "divisions")["add"]["units"][:4]
    assert refused(play, F, "divisions", lots={"add": clash})[1] == "A15.3"
    answer(play, F, "corps", lots={"add": ["LIM-F-IV", "LIM-F-V"]})
    assert "LIM-F-IV" not in play.pos.pool                # at once, in secret
    play.dice[:] = [1, 0]
    answer(play, A, "divisions", lots={"add": lots(play, A, "divisions")["add"]["units"][:4]})
    assert {"LIM-F-IV", "LIM-F-V"} <= set(play.pos.pool)
    assert len([m for m in play.pos.pool if m.startswith("LIM-A")]) == 5
    play.dice.clear()


def test_every_scenario_but_the_first_is_covered() -> None:
    assert {*FREE, "northern_flank"} == set(data().scenarios)
    assert {c for s in FREE for side in SIDES for r in game(s).plan["setup"][side] if "at" not in r for c in r["units"]}
