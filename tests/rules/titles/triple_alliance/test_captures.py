"""13.27 Captured arms and supplies."""

import pytest

from rules.titles.triple_alliance import TITLE
from tests.rules.building import begin
from tests.rules.titles.triple_alliance.builders import (
    A,
    P,
    Play,
    at,
    attack,
    ends,
    forms,
    last,
    lots,
    odds,
    position,
    refused,
    told,
)
from tests.rules.titles.triple_alliance.ground import AROUND, GAME, TARGET, WATCH, battle, fought, kind, settle, take

PY = kind(P, "infantry", 26)
GUARDS = kind(A, "cavalry", 3, guard=True, nation="brazil")
FOUR = [*GUARDS, *kind(A, "cavalry", nation="brazil")]
NEXT = "1438"  # beside TARGET
FOE = kind(A, "infantry", 6, nation="brazil")


def sack(die: int | None, *, victims: list[str] = FOUR, phase: int = 1, more: tuple[int, ...] = (),
         advance: int = 6) -> Play:
    """Paraguay takes TARGET with twenty units of one hex, six of which advance; `die` is the one for the arms."""
    dice = [9, *([] if die is None else [die]), *more]
    game = battle(P, {AROUND[0]: PY[:20], TARGET: victims, NEXT: FOE}, phase=phase, dice=dice)
    attack(game, P, TARGET, *PY[:20])
    while "advance" not in forms(game, P):
        seat = game.asked[0]
        [form] = forms(game, seat).values()
        take(game, seat, form["form"], *form["lots"][0]["units"][: form["lots"][0]["min"]])
    able = [u for u in PY[:20] if game.pos.at[u] == AROUND[0]]
    take(game, P, "advance", *able[:advance])
    return game


def strength(*units: str) -> int:
    return sum(GAME.units[u].attack for u in units)


@pytest.mark.clause("13.27")
def test_four_units_wiped_out_and_an_advance_arm_the_force_for_the_next_phase() -> None:
    game = sack(5, more=(4,))
    assert last(game, "arms_captured") == {"at": TARGET, "roll": 5}
    inside = game.pos.stack(TARGET)
    ends(game, P)
    assert game.pos.stage == "paraguay_combat_2"
    panel = odds(game, P, NEXT, *inside)
    assert panel["attack"] == strength(*inside) + 5
    assert {"key": "note.captured_arms", "args": {"n": 5}, "clause": "13.27"} in panel["notes"]
    attack(game, P, NEXT, *inside)
    assert fought(game)["attack"] == strength(*inside) + 5


@pytest.mark.clause("13.27", "13.24")
def test_a_spent_supply_unit_is_one_of_the_four() -> None:
    """The hex counts as it was when the attack was announced."""
    supply = kind(A, "supply", nation="brazil")
    for victims, arms in (([*FOUR[:3], *supply], 1), ([*FOUR[:2], *supply], 0)):
        game = battle(P, {AROUND[0]: PY[:20], TARGET: victims, NEXT: FOE}, dice=[9, *[5] * arms])
        attack(game, P, TARGET, *PY[:20])
        take(game, A, "defender_supply", *supply)
        while "advance" not in forms(game, P):
            seat = game.asked[0]
            [form] = forms(game, seat).values()
            take(game, seat, form["form"], *form["lots"][0]["units"][: form["lots"][0]["min"]])
        take(game, P, "advance", lots(game, P, "advance")["advance"]["units"][0])
        assert len(told(game, "arms_captured")) == arms


@pytest.mark.clause("13.27")
def test_the_arms_are_of_those_who_advanced_not_of_those_who_stayed() -> None:
    game = sack(7, advance=1)
    [inside] = game.pos.stack(TARGET)
    assert game.pos.booty == [[[inside], 7]]
    ends(game, P)
    stayed = [u for u in PY[:20] if u in game.pos.at and game.pos.at[u] == AROUND[0]][:2]
    assert odds(game, P, NEXT, inside)["attack"] == 2 * strength(inside)
    near = [u for u in stayed if AROUND[0] in GAME.map.neighbours[NEXT]]
    if near:
        assert odds(game, P, NEXT, *near)["attack"] == strength(*near)
    assert all(u not in force for force, _ in game.pos.captures for u in stayed)


@pytest.mark.clause("13.27")
def test_no_more_is_added_than_the_attackers_have_and_the_rest_is_left_to_others_of_the_force() -> None:
    game = sack(9, more=(4,))
    inside = game.pos.stack(TARGET)
    ends(game, P)
    one = min(inside, key=lambda u: GAME.units[u].attack)
    own = strength(one)
    assert odds(game, P, NEXT, one)["attack"] == 2 * own
    attack(game, P, NEXT, one)
    assert game.pos.captures[0][1] == 9 - own  # what an attack uses is used up
    settle(game)


@pytest.mark.clause("13.27")
def test_the_arms_are_of_that_force_alone_and_of_the_next_phase_alone() -> None:
    game = sack(5)
    ends(game, P)
    inside = game.pos.stack(TARGET)
    assert odds(game, P, NEXT, *inside)["attack"] == strength(*inside) + 5
    ends(game, P)
    assert game.pos.stage == "paraguay_combat_3"
    assert odds(game, P, NEXT, *inside)["attack"] == strength(*inside)
    where = {AROUND[0]: PY[:2], AROUND[1]: PY[2:4], TARGET: FOE}
    game = battle(P, where, phase=2, captures=[[PY[:2], 4]])
    assert odds(game, P, TARGET, *PY[2:4])["attack"] == strength(*PY[2:4])
    assert odds(game, P, TARGET, *PY[:4])["attack"] == strength(*PY[:4]) + 4


@pytest.mark.clause("13.27")
def test_each_capture_is_noted_by_itself() -> None:
    game = battle(P, {AROUND[0]: PY[:4], AROUND[1]: PY[4:5], TARGET: FOE}, phase=2,
                  captures=[[PY[:4], 3], [PY[4:5], 9]])
    own = strength(PY[4])
    assert odds(game, P, TARGET, *PY[:5])["attack"] == strength(*PY[:5]) + 3 + own
    assert odds(game, P, TARGET, PY[4])["attack"] == 2 * own


@pytest.mark.clause("13.27", "13.26")
def test_captured_arms_come_on_top_of_the_artillery_cap() -> None:
    guns = ["PY-ART-1", "PY-ART-2"]
    game = battle(P, {AROUND[0]: [*PY[:1], *guns], TARGET: FOE}, phase=2, captures=[[[*PY[:1], *guns], 2]])
    assert odds(game, P, TARGET, *PY[:1], *guns)["attack"] == 2 * strength(PY[0]) + 2
    assert refused(game, P, "attack", target=TARGET, units=guns) == ("artillery_alone", "13.26")  # for all its rifles


@pytest.mark.clause("13.27")
@pytest.mark.parametrize("case", ["three units", "no advance", "third phase", "some left"])
def test_no_arms(case: str) -> None:
    match case:
        case "three units":
            game = sack(None, victims=FOUR[:3])
        case "no advance":
            game = sack(None, advance=0)
        case "third phase":
            game = sack(None, phase=3)
        case _:
            game = battle(P, {AROUND[0]: PY[:6], TARGET: [*FOUR, *FOE]}, dice=[0])
            attack(game, P, TARGET, *PY[:6])
            settle(game)
            assert game.pos.holder(TARGET) == A
    assert not told(game, "arms_captured")
    assert game.pos.booty == []


@pytest.mark.clause("13.27")
def test_the_allies_capture_nothing() -> None:
    many = kind(A, "infantry", 20, nation="brazil")
    game = battle(A, {AROUND[0]: many, TARGET: kind(P, "cavalry", 4)}, phase=1, dice=[9])
    attack(game, A, TARGET, *many)
    while "advance" not in forms(game, A):
        seat = game.asked[0]
        [form] = forms(game, seat).values()
        take(game, seat, form["form"], *form["lots"][0]["units"][: form["lots"][0]["min"]])
    able = [u for u in many if game.pos.at[u] == AROUND[0]]
    take(game, A, "advance", *able)
    assert not told(game, "arms_captured")


@pytest.mark.clause("13.27")
def test_ships_and_any_nation_count_among_the_four() -> None:
    mixed = [*kind(A, "warship", nation="argentina"), *kind(A, "transport", 2, nation="brazil"),
             *kind(A, "cavalry", nation="uruguay")]
    game = battle(P, {"1336": PY[:20], "1335": mixed}, phase=1, dice=[9, 0])
    attack(game, P, "1335", *PY[:20])
    take(game, P, "advance", PY[0])
    assert last(game, "arms_captured")["roll"] == 0


@pytest.mark.clause("13.27")
def test_arms_are_not_carried_into_another_turn() -> None:
    where = {**WATCH, **at(AROUND[0], PY[:2]), **at(TARGET, FOE)}
    pos = position(turn=3, phase=f"{P}_combat_1", clear=True, units=where)
    pos.booty.append([PY[:2], 4])  # no file can say so
    game = begin(Play, TITLE, pos, [])
    assert odds(game, P, TARGET, *PY[:2])["attack"] == strength(*PY[:2])
