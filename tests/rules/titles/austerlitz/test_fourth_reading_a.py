"""Command, movement, reaction and scenarios (3-7, A2-A6, A15): what a fourth reading of the rulebook beside the rules
found."""

import pytest

from rules.titles.austerlitz import nomarker, reaction
from rules.titles.austerlitz.movement import node_of, walker
from tests.rules.titles.austerlitz.builders import (
    CENTRE,
    A,
    F,
    Play,
    answer,
    choose,
    forms,
    last,
    march,
    options,
    play,
    position,
    prompt,
)

LN, HUS = "F-1-34-Ln", "F-10-Hus"
ARKH, COSS, CAC = "A-2-Arkh", "A-Dnsv-Coss", "F-16-CaC"
AWAY = {ARKH: "B4012@W/line"}
GUN, ING, JGR = "A-art-a-1C", "A-G-N-Ing", "A-1-7-Jgr"
PO, PARTS = "F-Tir-Po", [f"F-Tir-Po-{n}" for n in (1, 2, 3)]


# -- 4.5.2, A4.6 -----------------------------------------------------------------------------------------


def column(dice: list[int]) -> Play:
    """The marker of the 1st Column is drawn; a battery of it stands between the leaders of both brigades."""
    game = play(dice, "langeron", clear=True, turn=9, phase="initiative", pool=["LIM-A-1C"], units={
        GUN: f"{CENTRE}@N/limbered", ING: "B2811@N/column", JGR: "B2907@N/column", "F-1-88-Ln": "B1428@N/column"},
        leaders={"A-Lewis": "B2810", "A-Urusov": "B2808", "A-Dokhturov": "B2810"})
    choose(game, A, "LIM-A-1C")
    return game


def try_fully(game: Play, division: str) -> list[str]:
    """A division tries in a corps activation, and moves normally; the units that take part."""
    choose(game, A, division)
    choose(game, A, "full")
    choose(game, A, "normal")
    assert game.pos.act is not None
    return list(game.pos.act["units"])


@pytest.mark.clause("A4.6", "4.5.2")
def test_guns_of_a_corps_move_with_one_of_its_divisions() -> None:
    game = column([2, 9, 0, 0])
    assert GUN in try_fully(game, "A-1-1C")
    march(game, A, GUN, f"{CENTRE}@N/limbered", "B2808@N/limbered")
    answer(game, A, "end_move", option="end_move")
    assert GUN not in try_fully(game, "A-2-1C")


@pytest.mark.clause("A4.6", "4.5.2")
def test_guns_of_a_corps_act_with_the_division_that_their_player_likes() -> None:
    game = column([2, 9, 0, 0])
    assert GUN in try_fully(game, "A-1-1C")
    answer(game, A, "end_move", option="end_move")
    assert GUN in try_fully(game, "A-2-1C")
    march(game, A, GUN, f"{CENTRE}@N/limbered", "B2808@N/limbered")
    answer(game, A, "end_move", option="end_move")
    assert prompt(game, A) == "corps_combat"
    assert GUN not in game.pos.special["waiting"]["A-1-1C"]["units"]


@pytest.mark.clause("A4.6", "3.0")
def test_guns_that_have_not_acted_are_free_for_the_next_division_and_no_strays() -> None:
    game = play([2, 9, 0], "langeron", clear=True, turn=9, phase="initiative", pool=["LIM-A-1-1C"], units={
        GUN: f"{CENTRE}@N/limbered", ING: "B2811@N/column", JGR: "B2907@N/column", "F-1-88-Ln": "B1428@N/column"},
        leaders={"A-Lewis": "B2810", "A-Urusov": "B2808", "A-Dokhturov": "B2810", "F-Caffarelli": "B1428"})
    choose(game, A, "LIM-A-1-1C")
    choose(game, A, "full")
    choose(game, A, "normal")
    answer(game, A, "end_move", option="end_move")
    assert prompt(game, A) == "no_marker"
    assert GUN not in nomarker.strays(game.pos, A)
    choose(game, A, "division:A-2-1C")
    assert game.pos.act is not None
    assert GUN in game.pos.act["units"]


# -- 5.1.3, 6.2, 6.5 -------------------------------------------------------------------------------------


@pytest.mark.clause("5.1.3", "6.5.2")
def test_a_wheel_into_the_front_of_an_enemy_ends_a_move() -> None:
    """A regiment in column swings its second hex to the south-east, where a battalion faces it."""
    game = play([], "bagration", clear=True, units={CAC: f"{CENTRE}@N/column", ARKH: "B3010@NW/column"},
                leaders={"F-Milhaud": CENTRE}, active="F-M-CR", phase="move")
    assert "B2909" in game.pos.fronts(A)
    assert set(game.pos.footprint(CAC)).isdisjoint(game.pos.fronts(A))
    wheel = next(m for m in walker(game.pos, [CAC]).moves(node_of(game.pos, CAC), 0)
                 if m.kind == "turn" and m.node[2] == 10)
    assert wheel.halts
    march(game, F, CAC, f"{CENTRE}@N/column", f"{CENTRE}@NW/column")
    assert game.pos.footprint(CAC) == (CENTRE, "B2909")
    assert game.pos.act is not None
    assert CAC in game.pos.act["finished"]


@pytest.mark.clause("5.1.3", "6.5")
def test_a_counter_on_two_hexes_that_turns_about_comes_into_no_hex() -> None:
    """The second hex lies in the front of an enemy from the start."""
    game = play([], "bagration", clear=True, units={CAC: f"{CENTRE}@N/column", ARKH: "B2910@NW/column"},
                leaders={"F-Milhaud": CENTRE}, active="F-M-CR", phase="move")
    march(game, F, CAC, f"{CENTRE}@N/column", "B2810@S/column")
    choose(game, A, "none")
    assert game.pos.at[CAC] == "B2810"
    assert game.pos.act is not None
    assert CAC not in game.pos.act["finished"]


@pytest.mark.clause("6.2.5", "6.5.2")
@pytest.mark.parametrize(("fresh", "reacts"), [(("B2909",), True), ((CENTRE,), False), ((), False)])
def test_guns_answer_only_who_comes_into_their_zone(fresh: tuple[str, ...], reacts: bool) -> None:
    """Horse guns two hexes off: of a counter on two one hex comes into their zone, or none does."""
    pos = position("bagration", clear=True, units={CAC: f"{CENTRE}@NW/column", "A-art-a-B": "B3110@NNW/unlimbered"},
                   leaders={"F-Milhaud": CENTRE}, active="F-M-CR", phase="move")
    assert "A-art-a-B" in pos.zones(A)["B2909"]
    assert CENTRE not in pos.zones(A)
    found = {o.id for o in reaction._options(pos, A, CAC, fresh, False, set())}
    assert ("fire:A-art-a-B" in found) is reacts


# -- A2 --------------------------------------------------------------------------------------------------


@pytest.mark.clause("A2.3", "6.2.3")
@pytest.mark.parametrize(("unit", "charged"), [(HUS, False), (LN, True)])
def test_cossacks_charge_in_reaction_at_foot_and_guns_alone(unit: str, charged: bool) -> None:
    """Disordered horse and foot come two hexes before them: they may step back from both."""
    pos = position("bagration", clear=True, units={unit: f"{CENTRE}@N/disorder", COSS: "B2807@S/disorder"},
                   leaders={"F-Treilhard": CENTRE, "F-Suchet": CENTRE}, active="F-T-CR", phase="move")
    found = {o.id.split(":")[0] for o in reaction._options(pos, A, unit, (CENTRE,), False, set())}
    assert found == ({"back", "charge"} if charged else {"back"})


@pytest.mark.clause("A2.4", "6.2.1")
def test_foot_fires_at_tirailleurs_that_split_in_its_zone() -> None:
    game = play([], "langeron", clear=True, units={PO: f"{CENTRE}@N/column", ARKH: "B2808@S/column"},
                leaders={"F-Legrand": CENTRE}, active="F-3-IV", phase="move")
    answer(game, F, "companies", option=f"split:{PO}")
    assert prompt(game, A) == "reaction"
    assert f"fire:{ARKH}" in options(game, A)
    choose(game, A, "none")
    assert [u for u in PARTS if game.pos.on_map(u)] == PARTS


@pytest.mark.clause("A2.4", "4.6.1")
def test_who_moved_before_tirailleurs_split_has_finished_and_each_company_goes_by_itself() -> None:
    leg = "F-1-26-Leg"
    game = play([], "langeron", clear=True, units={PO: f"{CENTRE}@N/column", leg: "B2811@N/column"},
                leaders={"F-Legrand": CENTRE}, active="F-3-IV", phase="move")
    march(game, F, leg, "B2811@N/column", "B2810@N/column")
    answer(game, F, "companies", option=f"split:{PO}")
    stacks = forms(game, F)["move"]["stacks"]
    assert "B2810" not in stacks
    march(game, F, PARTS[0], f"{CENTRE}@N/skirmish", "B2808@N/skirmish")
    march(game, F, PARTS[1], f"{CENTRE}@N/skirmish", "B2709@N/skirmish")
    assert game.pos.at[PARTS[1]] == "B2709"


# -- A15 -------------------------------------------------------------------------------------------------


@pytest.mark.clause("14.1", "A15.6", "A4.4.4")
def test_napoleon_rides_onto_the_map_though_he_brings_no_troops() -> None:
    game = play([0], "pratzen", turn=6, phase="activations", pool=["LIM-F-Reinforcements"])
    assert "F-Napoleon" in options(game, F)
    choose(game, F, "F-Napoleon")
    assert {game.pos.leaders[x] for x in ("F-Napoleon", "F-Rapp", "F-Mouton", "F-Songis")} == {"A4530"}
    assert last(game, "arrived")["at"] == "A4530"
    assert "F-Napoleon" not in options(game, F)
    choose(game, F, "F-Inf-IG")
    there = [s["id"] for s in forms(game, F)["move"]["stacks"]["A4530"]]
    assert "F-Napoleon" in there                 # 5.4 he may ride on in an activation of his side
