"""Command, movement, reaction and scenarios (3-7, A2-A6, A15): what a fourth reading of the rulebook beside the rules
found."""

from typing import Any

import pytest

from rules.titles.austerlitz import duty, layers, nomarker, reaction, riding
from rules.titles.austerlitz.activation import _refresh, begin_act
from rules.titles.austerlitz.command import addable
from rules.titles.austerlitz.deployment import check
from rules.titles.austerlitz.movement import node_of, reach_of, walker
from rules.titles.austerlitz.notes import note_combat
from rules.titles.austerlitz.opening import turn_begins
from rules.titles.austerlitz.paths import charge_path
from tests.rules.titles.austerlitz.builders import (
    CENTRE,
    A,
    F,
    Play,
    answer,
    choose,
    field,
    forms,
    last,
    march,
    options,
    play,
    position,
    preview,
    prompt,
    refused,
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


@pytest.mark.clause("4.5.2")
def test_who_is_in_range_of_his_corps_leader_is_seen_when_the_marker_is_drawn() -> None:
    """Soult's modifier is not for Vandamme, to whom he rides with St. Hilaire's activation."""
    game = play([9, 2, 0], "langeron", clear=True, turn=9, phase="initiative", pool=["LIM-F-IV"], units={
        "F-1-10-Leg": f"{CENTRE}@N/column", "F-1-24-Leg": "B2820@N/column", "A-2-Arkh": "B4012@W/line"}, leaders={
        "F-St-Hilaire": CENTRE, "F-Vandamme": "B2820", "F-Soult": CENTRE, "A-Markov": "B4012"})
    choose(game, F, "LIM-F-IV")
    choose(game, F, "F-1-IV")
    choose(game, F, "full")
    choose(game, F, "normal")
    march(game, F, "F-Soult", *[f"B28{n:02d}" for n in range(9, 19)])
    answer(game, F, "end_move", option="end_move")
    choose(game, F, "F-2-IV")
    need = forms(game, F)["activation"]["options"][0]["label"]["args"]["n"]
    assert need == game.pos.rated("F-Vandamme").activation


@pytest.mark.clause("A4.3", "A4.3.2", "A15.1")
def test_independent_divisions_have_no_marker_of_their_own() -> None:
    there = dict.fromkeys(("F-Murat", "F-Milhaud", "F-Treilhard", "F-Nansouty"), CENTRE)
    pos = position("bagration", turn=2, leaders={**there, **dict.fromkeys((
        "A-Bagration", "A-J-Liechtenstein", "A-Wittgenstein", "A-Hohenlohe"), "B4012")})
    able = {*addable(pos, F, None), *addable(pos, A, None)}
    assert able.isdisjoint({"LIM-F-T-CR", "LIM-F-M-CR", "LIM-A-W-B"})
    assert {"LIM-F-1H-CR", "LIM-A-1-CR"} <= able


@pytest.mark.clause("4.2.1", "A15.5")
def test_who_changes_markers_at_will_puts_divisions_in_the_place_of_their_corps() -> None:
    game = play([], "goldbach", turn=9, pool=["LIM-F-III"], phase="command_change", units={
        "F-1-48-Ln": "C1237@N/column", "F-15-Dgn": "C1238@N/column"}, leaders={
        "F-Davout": "C1237", "F-Friant": "C1237", "F-Bourcier": "C1238"})
    while prompt(game, F) != "markers_freely":
        choose(game, F, options(game, F)[-1])
    answer(game, F, "markers_freely", lots={"add": ["LIM-F-2-III"], "remove": ["LIM-F-III"]})
    assert [m for m in game.pos.pool if m.startswith("LIM-F")] == ["LIM-F-2-III"]


# -- 5.2, 5.4 --------------------------------------------------------------------------------------------


@pytest.mark.clause("5.2.1", "A4.4.5")
def test_a_brigade_on_the_march_that_is_attacked_loses_its_own_marker_not_its_divisions() -> None:
    pos = position("langeron", clear=True, turn=9, units={
        "F-1-108-Ln": f"{CENTRE}@N/column", "F-1-48-Ln": "B1428@N/column", ARKH: "B2806@S/column"}, leaders={
        "F-Bde-III": CENTRE, "F-Friant": "B1428", "A-Markov": "B2806"}, detached={"F-Bde-III": ["F-1-108-Ln"]},
        strategic=["F-Bde-III", "F-2-III"], active="A-2-B", phase="move")
    assert pos.act is not None
    note_combat(pos, ARKH, "F-1-108-Ln")
    assert pos.act["surprised"] == ["F-Bde-III"]
    assert duty.marchers_near(pos, A, ("B2806",)) == ["F-Bde-III"]


@pytest.mark.clause("5.2")
@pytest.mark.parametrize(("enemy", "marches"), [("B2807", False), ("B2806", True)])
def test_a_division_marches_on_only_from_three_hexes_off(enemy: str, marches: bool) -> None:
    """A routed battalion has come to two hexes from it, which was no move of an activation of its own."""
    game = play([9, 2], "langeron", clear=True, turn=9, phase="initiative", pool=["LIM-F-3-V"], units={
        LN: f"{CENTRE}@N/column", ARKH: f"{enemy}@S/column"}, leaders={"F-Suchet": CENTRE, "A-Markov": enemy},
        strategic=["F-3-V"])
    choose(game, F, "LIM-F-3-V")
    assert prompt(game, F) == ("movement" if marches else "activation")
    assert (game.pos.strategic == ["F-3-V"]) is marches
    assert game.pos.tired == ([] if marches else ["F-3-V"])


@pytest.mark.clause("A15.2", "5.4")
def test_no_french_leader_but_legrand_and_the_garrisons_rides_south_while_it_is_bound() -> None:
    pos = position("whole_battle", leaders={"F-Soult": "C2304", "F-Legrand": "C2304", "F-Margaron": "C2304"})
    pos.special["garrison"] = True
    shut = duty.closed_to(pos, "F-Soult")
    assert "C2306" in shut
    assert "C2305" not in shut
    assert not duty.closed_to(pos, "F-Legrand")
    assert not duty.closed_to(pos, "F-Margaron")
    pos.special["garrison"] = False
    assert not duty.closed_to(pos, "F-Soult")


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


@pytest.mark.clause("14.1.3", "A4.6", "A15.4")
def test_guns_of_the_reserve_march_to_their_objective_and_bind_no_division_to_it() -> None:
    game = play([0], "bagration", turn=13, phase="activations", pool=["LIM-A-Reinforcements"])
    choose(game, A, options(game, A)[0])
    act = game.pos.act
    assert act is not None
    assert act["units"] == ["A-art-a-CR", "A-art-b-CR"]
    assert duty._objectives(game.pos, "A-art-a-CR") == ("B4612",)
    game.pos.strategic.append("A-1-CR")
    assert duty._objectives(game.pos, "A-Nssau-Cu") == ()
    game.pos.strategic.remove("A-1-CR")


@pytest.mark.clause("A15.2")
def test_the_fourth_column_is_freed_as_one() -> None:
    """The corps of both nations are one unit to the rules that name the column."""
    pos = position("whole_battle", turn=9)
    for place in ("tellnitz", "sokolnitz"):
        for hex_ in pos.game.board.places[place]:
            pos.held[hex_] = A
    running = turn_begins(pos)
    next(running)
    asked = running.send((9,))
    assert getattr(asked, "prompt", "") == "prompt.release"
    with pytest.raises(StopIteration):
        running.send({"form": "corps", "option": "A-R4C"})
    assert pos.special["released"] == ["A-R4C", "A-A4C"]


@pytest.mark.clause("7.1", "A15.2")
def test_who_begins_on_the_march_stacks_as_on_the_march() -> None:
    pos = position("goldbach")
    two = ["A-1-8-Jgr", "A-2-8-Jgr"]
    points = sum(pos.strength(u) for u in two)
    assert 8 < points <= 10
    with pytest.raises(Exception, match="too_many_points"):
        check(pos, dict.fromkeys(two, "D1806"))


# -- what players are told -------------------------------------------------------------------------------


@pytest.mark.clause("A15.2", "5.1")
def test_a_reach_bars_what_leads_away_from_an_objective() -> None:
    game = play([], "goldbach", active="A-1-1C", phase="move", units={ING: "D1824@NW/column"}, leaders={
        "A-Lewis": "D1824"})
    reach = reach_of(game.pos, [ING])
    away = [name for name in reach["cost"] if name in reach["blocked"]]
    assert any(reach["blocked"][name]["key"] == "refusal.away_from_objective" for name in away)


@pytest.mark.clause("5.4")
def test_the_preview_of_a_leaders_ride_says_what_it_costs() -> None:
    game = play([], clear=True, units={LN: f"{CENTRE}@N/column", **AWAY}, leaders={"F-Suchet": CENTRE}, active="F-3-V",
                phase="move")
    seen = preview(game, F, form="move", units=["F-Suchet"], path=[CENTRE, "B2808", "B2807"])
    assert (seen["effect"]["cost"], seen["effect"]["left"]) == (2, {"F-Suchet": 10})
    assert riding.left(game.pos, "F-Suchet") == 24


@pytest.mark.clause("7.1")
def test_a_stack_that_is_too_strong_for_its_ground_is_told_its_points() -> None:
    mates = [LN, "F-2-34-Ln"]
    game = play([], clear=True, units={**dict.fromkeys(mates, f"{CENTRE}@N/column"), **AWAY}, lost=dict.fromkeys(
        mates, 3), leaders={"F-Suchet": CENTRE}, active="F-3-V", phase="move")
    path = [f"{CENTRE}@N/column", f"{CENTRE}@NNE/line"]
    problem = preview(game, F, form="move", units=mates, path=path)["problems"][0]
    assert (problem["key"], problem["args"]) == ("refusal.too_many_points", {"n": 10, "limit": 8})


# -- groups ----------------------------------------------------------------------------------------------


@pytest.mark.clause("5.1.1", "7.1")
def test_a_stack_of_which_one_loses_its_order_loses_it_together() -> None:
    """Two lines go over a stream: one fails, and does not leave the other."""
    board = position().game.board
    here, there = next((a, b) for a, b in sorted(board.map.edges("stream")) if a[0] == b[0] == "B" and board.side_to(
        a, b) == 1 and {board.terrain[a], board.terrain[b]} == {"clear"} and board.level[a] == board.level[b]
        and b not in board.roads(a))
    mates = ["F-1-34-Ln", "F-2-34-Ln"]
    game = play([9, 0], "langeron", clear=True, units={**dict.fromkeys(mates, f"{here}@NNE/line"), **AWAY},
                leaders={"F-Suchet": here}, lost={"F-1-34-Ln": 4, "F-2-34-Ln": 4}, active="F-3-V", phase="move")
    answer(game, F, "move", units=mates, path=[f"{here}@NNE/line", f"{there}@NNE/line"])
    assert [(game.pos.at[u], game.pos.form[u]) for u in mates] == [(there, "disorder")] * 2


@pytest.mark.clause("8.4.4", "A2.3")
def test_a_stack_does_nothing_that_one_of_it_may_not() -> None:
    """Hussars in disorder with blown ones, or with cossacks, do not form."""
    pos = position("bagration", clear=True, units={HUS: f"{CENTRE}@N/disorder", "F-9-Hus": f"{CENTRE}@N/disorder"},
                   leaders={"F-Treilhard": CENTRE}, active="F-T-CR", phase="move")
    node = node_of(pos, HUS)
    assert any(m.kind == "change" for m in walker(pos, [HUS, "F-9-Hus"]).moves(node, 0))
    pos.blown["F-9-Hus"] = 2
    assert not any(m.kind == "change" for m in walker(pos, [HUS, "F-9-Hus"]).moves(node, 0))


# -- 4.7 -------------------------------------------------------------------------------------------------


@pytest.mark.clause("4.7", "4.5.2")
def test_a_division_that_gives_way_in_a_corps_activation_does_not_fire() -> None:
    """Foot beside an enemy cannot get away: it stays, and has no fire when the corps fights."""
    game = field({LN: f"{CENTRE}@N/column", ARKH: "B2808@S/column"}, mode="retreat", phase="shoot")
    assert game.pos.act is None or prompt(game, F) != "fire"


@pytest.mark.clause("4.7", "A4.5.2")
def test_who_acted_with_a_detachment_is_not_fresh_again_with_his_division() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@N/column", "F-2-34-Ln": "B2810@N/column", **AWAY}, leaders={
        "F-Suchet": CENTRE, "F-Rapp": CENTRE}, detached={"F-Rapp": ["F-2-34-Ln"]}, pool=[])
    pos.used.update({LN: 1, "F-2-34-Ln": 1})
    _refresh(pos, "F-3-V")
    assert list(pos.used) == ["F-2-34-Ln"]


# -- limits of scenarios ---------------------------------------------------------------------------------


@pytest.mark.clause("A15.2", "A15.5", "8.4.2")
def test_nobody_charges_or_steps_over_a_row_that_is_closed_to_him() -> None:
    """Szekler hussars of the Vanguard, bound by the row C22, have a French battalion three hexes off beyond it."""
    horse = "A-Szek-Hus"
    units = {horse: "C3123@N/column", "F-1-3-Ln": "C3120@N/column"}
    pos = position("goldbach", clear=True, units=units, leaders={"A-Stutterheim": "C3123"}, active="A-2-AG",
                   phase="melee", fog=None)
    board = pos.game.board
    assert [board.terrain[h] for h in ("C3123", "C3122", "C3121", "C3120")] == ["clear"] * 4
    assert charge_path(pos, horse, "F-1-3-Ln") is None
    assert not duty.may_enter(pos, horse, "C3121")
    pos.special["released"] = ["A-AG"]
    assert charge_path(pos, horse, "F-1-3-Ln") is not None


@pytest.mark.clause("4.7")
def test_a_reach_of_a_charge_bars_what_ends_without_an_attack() -> None:
    game = play([], "bagration", clear=True, units={HUS: f"{CENTRE}@N/column", ARKH: "B2806@S/column"},
                leaders={"F-Treilhard": CENTRE, "A-Markov": "B2806"}, active="F-T-CR", phase="move", mode="charge")
    reach = reach_of(game.pos, [HUS])
    away = f"{CENTRE}@S/column"
    assert reach["blocked"][away]["key"] == "refusal.must_close"
    assert preview(game, F, form="move", units=[HUS], path=_way(reach, away))["problems"][0]["key"] == (
        "refusal.must_close")
    free = [s for s in reach["cost"] if s not in reach["blocked"]]
    assert free
    assert preview(game, F, form="move", units=[HUS], path=_way(reach, free[0]))["ok"]


def _way(reach: dict[str, Any], goal: str) -> list[str]:
    path = [goal]
    while path[-1] in reach["via"]:
        path.append(reach["via"][path[-1]])
    return path[::-1]


@pytest.mark.clause("A4.5.1", "4.3")
def test_the_range_that_is_shown_for_napoleons_grand_battery_is_that_of_its_guns() -> None:
    pos = position("langeron", clear=True, units={"F-art-a-V": "B2810@N/limbered", **AWAY}, leaders={
        "F-Napoleon": CENTRE, "A-Markov": "B4012"}, detached={"F-Napoleon": ["F-art-a-V"]})
    begin_act(pos, F, "F-Napoleon", "F-Napoleon", "full", ["F-art-a-V"])
    shown = layers._command(pos)[0]["spaces"]
    assert max(pos.game.board.distance(CENTRE, h) for h in shown) == 4
    pos.act = None


@pytest.mark.clause("4.3.3", "4.6.1")
def test_why_who_cannot_move_stays_is_said_as_it_is_refused() -> None:
    far, moved = "F-2-34-Ln", "F-1-88-Ln"
    game = play([], clear=True, units={
        LN: f"{CENTRE}@N/column", far: "B1412@N/column", moved: "B2811@N/column", **AWAY}, leaders={
        "F-Suchet": CENTRE}, active="F-3-V", phase="move")
    march(game, F, moved, "B2811@N/column", "B2810@N/column")
    march(game, F, LN, f"{CENTRE}@N/column", "B2808@N/column")
    still = forms(game, F)["move"]["still"]
    assert {at: (said["key"], said["clause"]) for at, said in still.items()} == {
        "B1412": ("refusal.out_of_command", "4.3.3"), "B2810": ("refusal.has_moved", "4.6.1")}
    assert refused(game, F, "move", units=[far], path=["B1412@N/column", "B1411@N/column"]) == (
        "out_of_command", "4.3.3")


@pytest.mark.clause("A15.5")
def test_the_garrison_is_told_why_it_waits() -> None:
    game = play([], "goldbach", active="F-M-IV", phase="move", units={"F-8-Hus": "C2414@S/column"}, leaders={
        "F-Margaron": "C2415"})
    assert forms(game, F)["move"]["still"]["C2414"]["key"] == "refusal.garrison_waits"
