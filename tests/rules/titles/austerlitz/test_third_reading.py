"""Command, movement, stacking, fire and scenarios (3-7, 8.1, A2, A15): what a third reading of the rulebook beside the
rules found."""

from typing import Any

import pytest

from rules.maps.hexes import FACINGS
from rules.titles.austerlitz import TITLE, movement, nomarker, reaction, riding
from rules.titles.austerlitz.activation import begin_act, members
from rules.titles.austerlitz.combat import shooters
from rules.titles.austerlitz.deployment import fixed_ground, rows
from rules.titles.austerlitz.duty import arrived, bound, end_of_activation
from rules.titles.austerlitz.fire import may_fire, reaches
from rules.titles.austerlitz.independent import candidates
from rules.titles.austerlitz.movement import node_of, reach_of, walker
from rules.titles.austerlitz.rally import rests
from rules.titles.austerlitz.stacking import fault
from rules.titles.austerlitz.walk import Walker
from tests.rules import building
from tests.rules.titles.austerlitz.builders import (
    CENTRE,
    A,
    F,
    Play,
    answer,
    choose,
    data,
    field,
    forms,
    game,
    last,
    lots,
    march,
    play,
    position,
    prompt,
    refused,
    told,
)

LN, LN2, LN3, HUS, LEG = "F-1-34-Ln", "F-2-34-Ln", "F-1-30-Ln", "F-10-Hus", "F-2-17-Leg"
ARKH, ARKH2 = "A-2-Arkh", "A-3-Arkh"
GUN, GUN_B = "F-art-a-V", "F-art-c-V"
AWAY = {ARKH: "B4012@W/line"}


# -- 3, 4 ------------------------------------------------------------------------------------------------


@pytest.mark.clause("4.7", "5.2")
@pytest.mark.parametrize(("leader", "die"), [("normal", 7), ("aggressive", 7), ("aggressive", 9)])
def test_a_full_activation_by_the_breakdown_table_may_march(leader: str, die: int) -> None:
    """FULL; CHARGE with nobody within four hexes, which is FULL; REACTIVATE, which begins with one."""
    game_ = play([7, 2, 9, die], phase="initiative", pool=["LIM-F-3-V"], clear=True, units={
        LN: f"{CENTRE}@N/column", **AWAY}, leaders={"F-Suchet": CENTRE})
    if leader == "aggressive":
        game_.pos.post["F-Suchet"] = "F-Friant"
    choose(game_, F, "LIM-F-3-V")
    choose(game_, F, "full")
    assert prompt(game_, F) == "way_of_moving"
    choose(game_, F, "strategic")
    assert game_.pos.strategic == ["F-3-V"]


@pytest.mark.clause("4.7", "5.2", "A4.6")
def test_a_unit_out_of_command_counts_for_its_division_and_a_free_gun_far_off_does_not() -> None:
    near = {LN: f"{CENTRE}@N/column", LN2: "B4014@NW/column", ARKH: "B4012@W/line"}
    game_ = play([7, 2, 0], phase="initiative", pool=["LIM-F-3-V"], clear=True, units=near, leaders={
        "F-Suchet": CENTRE})
    choose(game_, F, "LIM-F-3-V")
    choose(game_, F, "full")
    assert game_.pos.act is not None
    assert game_.pos.act["mode"] == "full"       # two hexes from an enemy: nobody of it marches (5.2)
    game_ = play([7, 2, 9, 0], phase="initiative", pool=["LIM-F-3-V"], clear=True, units={
        LN: f"{CENTRE}@N/column", "F-art-b-V": "B4014@NW/limbered", ARKH: "B4012@W/line"}, leaders={"F-Suchet": CENTRE})
    choose(game_, F, "LIM-F-3-V")
    choose(game_, F, "full")
    assert last(game_, "breakdown")["result"] == "breakdown.retreat"
    assert "F-Suchet" in game_.pos.finished
    assert not told(game_, "activation_began")


@pytest.mark.clause("4.7")
def test_a_retreat_of_the_breakdown_table_comes_nearer_to_nobody() -> None:
    """From an enemy in the north a battalion may go south, but for another enemy there: it goes to the side."""
    units = {LN: f"{CENTRE}@N/column", ARKH: "B2807@S/line", ARKH2: "B2816@N/line"}
    for unit in (ARKH, ARKH2):
        units[unit] = units[unit].replace("@S/", "@SSW/").replace("@N/", "@NNE/")
    game_ = play([7, 2, 9, 0], phase="initiative", pool=["LIM-F-3-V"], clear=True, units=units, leaders={
        "F-Suchet": CENTRE})
    choose(game_, F, "LIM-F-3-V")
    choose(game_, F, "full")
    board, there = game_.pos.game.board, game_.pos.at[LN]
    assert board.distance(there, "B2807") > 2
    assert board.distance(there, "B2816") >= 7


@pytest.mark.clause("4.3.3")
def test_who_was_out_of_command_stays_so_though_his_leader_comes_near() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@N/column", **AWAY}, leaders={"F-Suchet": "B2808"}, pool=[])
    assert nomarker.strays(pos, F) == []
    pos.finished.append("F-Suchet")              # his division was active without it
    assert nomarker.strays(pos, F) == [LN]


@pytest.mark.clause("3.0", "11.2.1")
def test_a_broken_division_acts_in_the_phase_without_markers_though_its_corps_has_one() -> None:
    pos = position("bagration", pool=["LIM-F-V"])
    assert "F-1-V" not in nomarker.divisions(pos, F)
    for unit in pos.game.members["F-1-V"][:8]:
        pos.lost[unit] = pos.unit(unit).strength
        pos.remove([unit])
    pos.put("F-1-51-Ln", CENTRE)
    pos.put_leader("F-Caffarelli", CENTRE)
    assert "F-1-V" in nomarker.divisions(pos, F)


@pytest.mark.clause("3.0", "4.8")
def test_a_division_that_is_still_to_come_leaves_no_marker_for_its_corps() -> None:
    game_ = play([], "langeron", leaders={"F-Davout": "C1237", "F-Friant": "C1237"}, pool=["LIM-F-III"],
                 units={"F-1-48-Ln": "C1237@N/column"}, phase="removal")
    assert list(lots(game_, F)["stay"]["units"]) == ["LIM-F-2-III"]


@pytest.mark.clause("13.2", "4.2")
@pytest.mark.parametrize("corps", [[], ["LIM-F-V"]])
def test_rest_hangs_on_the_pool_before_the_removal_which_is_no_secret_to_it(corps: list[str]) -> None:
    """What lies in the pool after it is guessed by the other side, and fatigue must not tell."""
    pos = position("bagration", clear=True, units={LN: f"{CENTRE}@N/column", **AWAY}, pool=["LIM-F-3-V"])
    assert not rests(pos, "F-3-V")
    pos.special["pooled"] = corps
    assert rests(pos, "F-3-V") is not bool(corps)


# -- 5 ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("5.1.4", "7.1")
@pytest.mark.parametrize(("lost", "mover", "other"), [(3, "column", "column"), (2, "disorder", "disorder")])
def test_passing_counts_points_alone(lost: int, mover: str, other: str) -> None:
    """A battalion of another division and formation is passed in order within the limit of ten, and else disorders with
    who passes."""
    start = {LN: f"{CENTRE}@N/column", LN3: "B2808@NE/column", **AWAY}
    game_ = play(clear=True, units=start, leaders={"F-Suchet": CENTRE}, active="F-3-V", phase="move",
                 lost={LN: lost})
    assert (game_.pos.strength(LN3), game_.pos.unit(LN3).command) == (5, "F-1-V")
    march(game_, F, LN, f"{CENTRE}@N/column", f"B2808@N/{mover}", f"B2807@N/{mover}")
    assert (game_.pos.form[LN], game_.pos.form[LN3]) == (mover, other)


@pytest.mark.clause("5.1.4", "7.1", "6.4.1")
def test_a_disordered_battalion_disorders_those_whom_it_crowds() -> None:
    game_ = field({LN: f"{CENTRE}@N/disorder", LN2: "B2808@NNE/line", **AWAY})
    march(game_, F, LN, f"{CENTRE}@N/disorder", "B2808@N/disorder", "B2807@N/disorder")
    assert game_.pos.form[LN2] == "disorder"


@pytest.mark.clause("5.1.2", "A5.1.1")
def test_what_the_fog_takes_was_not_moved() -> None:
    """A regiment rides out of the clear into the fog: it has spent two points of its twelve and may charge."""
    board = game("langeron").board
    edge = next((a, b) for a in sorted(game("langeron").area) for b in board.touching(a)
                if board.level[a] == 5 and board.level[b] == 4 and board.rows(a, b)[0] == "clear"
                and len(board.rows(a, b)) == 2 and not board.roads(a) and board.terrain[a] == "clear")
    facing = ("N", "NE", "SE", "S", "SW", "NW")[board.side_to(*edge)]
    game_ = play([], "langeron", clear=True, units={HUS: f"{edge[0]}@{facing}/column"}, active="F-T-CR", phase="move",
                 leaders={"F-Treilhard": edge[0]}, fog=4)
    march(game_, F, HUS, f"{edge[0]}@{facing}/column", f"{edge[1]}@{facing}/column")
    assert game_.pos.act is not None
    assert game_.pos.act["spent"][HUS] - game_.pos.act["lost"][HUS] == 2
    answer(game_, F, "end_move", option="end_move")
    assert told(game_, "movement_ended")[-1]["data"]["may_charge"] == [HUS]


def marching(stance: str, unit: str = LN) -> Play:
    return field({unit: stance, **AWAY}, mode="strategic", strategic=["F-3-V"])


@pytest.mark.clause("5.2.1")
@pytest.mark.parametrize("stance", ["NNE/line", "N/square"])
def test_who_stays_in_line_or_square_does_not_march(stance: str) -> None:
    game_ = marching(f"{CENTRE}@{stance}")
    answer(game_, F, "end_move", option="end_move")
    assert last(game_, "strategic_lost")["command"] == "command.F-3-V"


@pytest.mark.clause("5.2.1", "8.1.2")
def test_guns_under_strategic_movement_never_fire() -> None:
    pos = position("langeron", clear=True, units={"A-art-a-2C": f"{CENTRE}@E/unlimbered"}, strategic=["A-1-2C"])
    assert pos.unit("A-art-a-2C").command == "A-1-2C"
    assert not may_fire(pos, "A-art-a-2C")
    pos.strategic = []
    assert may_fire(pos, "A-art-a-2C")


@pytest.mark.clause("5.2.1")
def test_an_enemy_who_rides_by_within_three_hexes_ends_strategic_movement() -> None:
    pos = position(clear=True, units={HUS: "B2805@NE/column", ARKH: "B3307@NW/column"}, leaders={
        "F-Treilhard": "B2805", "A-Markov": "B3308"}, active="F-T-CR", phase="move", strategic=["A-2-B"])
    assert pos.act is not None
    for hex_, left in (("B2905", ["A-2-B"]), ("B3106", [])):
        pos.put(HUS, hex_)
        arrived(pos, HUS)
        pos.put(HUS, "B2805")
        end_of_activation(pos, pos.act)
        assert pos.strategic == left


@pytest.mark.clause("5.4")
def test_an_overall_commander_may_move_while_a_unit_out_of_command_acts() -> None:
    pos = position("langeron", clear=True, units={LN: f"{CENTRE}@N/column", **AWAY}, leaders={
        "F-Napoleon": "B2806", "F-Lannes": "B2806", "F-Suchet": "B4608"})
    begin_act(pos, F, "F-3-V", None, "out", [LN])
    assert riding.riders(pos) == ["F-Napoleon"]


# -- 6, 7 ------------------------------------------------------------------------------------------------


@pytest.mark.clause("6.3.1")
def test_turns_of_a_column_are_none_of_the_line_that_it_forms() -> None:
    game_ = field({LN: f"{CENTRE}@N/column", **AWAY})
    march(game_, F, LN, f"{CENTRE}@N/column", f"{CENTRE}@NE/column", f"{CENTRE}@E/line", f"{CENTRE}@SSE/line")
    assert not told(game_, "order_checked")
    assert game_.pos.form[LN] == "line"


@pytest.mark.clause("6.3.8")
def test_guns_that_unlimber_may_still_turn_by_one_vertex() -> None:
    gun = "F-art-c-V"
    game_ = field({gun: f"{CENTRE}@N/limbered", LN: "B2709@N/column", **AWAY})
    assert game_.pos.unit(gun).horse
    found = reach_of(game_.pos, [gun])["cost"]
    assert (found[f"{CENTRE}@NNE/unlimbered"], found[f"{CENTRE}@E/unlimbered"]) == (2, 3)
    march(game_, F, gun, f"{CENTRE}@N/limbered", f"{CENTRE}@NNE/unlimbered", f"{CENTRE}@E/unlimbered")
    assert refused(game_, F, "move", units=[gun], path=[f"{CENTRE}@E/unlimbered", f"{CENTRE}@SSE/unlimbered"])[
        0] == "no_such_move"
    assert shooters(game_.pos) == [LN, gun]


@pytest.mark.clause("6.3.3")
def test_skirmishers_that_have_lost_too_many_hold_one_hex() -> None:
    for lost, hexes in ((0, 2), (4, 1)):
        game_ = field({LEG: f"{CENTRE}@N/spread", **AWAY}, lost={LEG: lost})
        assert len(game_.pos.footprint(LEG)) == 2
        answer(game_, F, "end_move", option="end_move")
        assert len(game_.pos.footprint(LEG)) == hexes


@pytest.mark.clause("6.5.3")
def test_a_disordered_counter_on_two_hexes_pays_the_dearer_of_both() -> None:
    """Aslant both of its hexes go into new ones; straight on the second follows into the first."""
    pos = position("bagration", clear=True, units={"F-16-CaC": f"{CENTRE}@N/disorder", **AWAY}, active="F-M-CR",
                   leaders={"F-Milhaud": CENTRE}, phase="move")
    board, ways = pos.game.board, pos.game.ways(Walker(pos, ["F-16-CaC"], 24).ways.kind)
    found = 0
    for here in sorted(pos.game.area):
        tail, there = board.around[here][3], board.around[here][1]
        beside = board.around[tail][1] if tail is not None else None
        if tail is None or there is None or beside is None or (board.terrain[there], board.terrain[beside]) != (
                "clear", "woods"):
            continue
        prices = board.prices("cavalry_disorder", False)
        one, other, price = prices[here][1], prices[tail][1], ways._price(here, "disorder", 0, 1)
        if one is not None and other is not None and one.cost < other.cost:
            assert price is not None
            assert price.cost == other.cost
            assert ways._price(here, "disorder", 0, 0) == prices[here][0]
            found += 1
    assert found


@pytest.mark.clause("6.5.5", "6.3.3", "7.1")
@pytest.mark.parametrize(("unit", "stance"), [("F-16-CaC", "E/line"), (LEG, "S/spread")])
def test_one_battery_stands_with_a_counter_on_two_hexes_not_one_in_each(unit: str, stance: str) -> None:
    pos = position("bagration", clear=True, units={unit: f"{CENTRE}@{stance}", GUN: f"{CENTRE}@N/limbered", **AWAY})
    behind = pos.tail[unit]
    pos.form[GUN_B] = "limbered"
    wrong = fault(pos, behind, [unit, GUN_B])
    assert wrong is not None
    assert wrong.key == "refusal.too_many_batteries"
    assert fault(pos, CENTRE, [unit, GUN]) is None


@pytest.mark.clause("7.1", "A4.4.5", "A4.5.2")
def test_a_brigade_stacks_within_its_divisions_a_detachment_across() -> None:
    pos = position("langeron", clear=True, units={LN: f"{CENTRE}@N/column", LN2: f"{CENTRE}@N/column",
                                                  LN3: "B2807@N/column"}, lost={LN: 4, LN2: 4, LN3: 4},
                   detached={"F-Bde-V": [LN, LN3]}, leaders={"F-Bde-V": CENTRE})
    assert fault(pos, CENTRE, [LN, LN2]) is None              # one division, one of them under the brigade leader
    apart = fault(pos, CENTRE, [LN, LN3])
    assert apart is not None
    assert apart.key == "refusal.divisions_apart"
    pos.detached = {"F-Rapp": [LN, LN3]}
    assert fault(pos, CENTRE, [LN, LN3]) is None
    assert fault(pos, CENTRE, [LN, LN2]) is not None


# -- 8.1 -------------------------------------------------------------------------------------------------


@pytest.mark.clause("8.1.8", "6.5")
def test_of_two_hexes_as_near_the_target_has_the_better_cover() -> None:
    board, found = game("bagration").board, 0
    for here in sorted(game("bagration").area):
        for side in range(6):
            spots = board.around[here][side], board.around[here][(side + 1) % 6]
            if not {*spots} <= game("bagration").area or board.terrain[here] != "clear" or {
                    board.terrain[s or ""] for s in spots} != {"clear", "village"}:
                continue
            first, second = (s or "" for s in spots)
            k = board.side_to(first, second)
            pos = position("bagration", clear=True, units={
                "A-Leib-Cu": f"{second}@{('N', 'NE', 'SE', 'S', 'SW', 'NW')[k]}/disorder",
                LEG: f"{here}@N/skirmish"})
            assert set(pos.footprint("A-Leib-Cu")) == {first, second}
            line = reaches(pos, LEG, "A-Leib-Cu")
            assert line is not None
            assert board.terrain[line[1]] == "village"
            found += 1
            break
        if found == 4:
            return
    assert found


@pytest.mark.clause("8.5.1")
def test_all_under_a_destroyed_battalion_check_when_the_points_are_lost() -> None:
    """Two points: the first destroys the battalion on top, the next takes the other, then it and the third check."""
    third = "F-1-40-Ln"
    units = {ARKH: f"{CENTRE}@E/line", **dict.fromkeys((LN, LN2, third), "B2908@NW/column")}
    game_ = field(units, side=A, phase="shoot", lost={LN: 7, LN2: 4, third: 1})
    assert [game_.pos.strength(u) for u in (LN, LN2, third)] == [1, 4, 5]
    game_.dice[:] = [9, 0, 0]
    answer(game_, A, "fire", target="B2908", units=[ARKH])
    if prompt(game_, F):
        choose(game_, F, "hold")
    checked = [(s["data"]["unit"], s["clause"]) for s in told(game_, "morale_checked")]
    assert checked == [(LN2, "8.5.1"), (third, "8.5.1")]
    assert game_.pos.lost[LN2] == 5


@pytest.mark.clause("6.2.3", "6.5.2")
@pytest.mark.parametrize(("stance", "turned", "hexes"), [
    ("N/column", "NE", (CENTRE, "B2709")), ("NNE/line", "E", ("B2908", "B2909"))])
def test_cavalry_on_two_hexes_wheels_to_its_flank(stance: str, turned: str, hexes: tuple[str, str]) -> None:
    pos = position("bagration", clear=True, units={"F-16-CaC": f"{CENTRE}@{stance}", ARKH: "B2812@N/column"}, leaders={
        "A-Markov": "B2813"}, active="A-2-B", phase="move")
    swung = next(h for h in hexes if h not in pos.footprint("F-16-CaC"))
    pos.put(ARKH, next(h for h in pos.arcs("F-16-CaC").flank if h != swung))
    wheel = f"turn:F-16-CaC:{turned}"
    pos.put(LN, swung)
    assert wheel not in {o.id for o in reaction._flank_turns(pos, F, pos.footprint(ARKH), set())}  # into nobody
    pos.put(LN, "B4014")
    assert wheel in {o.id for o in reaction._flank_turns(pos, F, pos.footprint(ARKH), set())}
    for _ in reaction._turn(pos, "turn", "F-16-CaC", FACINGS.index(turned)):
        raise AssertionError("nothing is rolled for the first vertex")
    assert pos.footprint("F-16-CaC") == hexes


# -- A2, A15 ---------------------------------------------------------------------------------------------


PO = [f"F-Tir-Po-{n}" for n in (1, 2, 3)]


@pytest.mark.clause("A2.4")
def test_companies_without_their_divisions_marker_act_with_the_independent_one_or_at_half() -> None:
    pos = position("langeron", clear=True, units={PO[0]: f"{CENTRE}@N/skirmish", **AWAY}, leaders={
        "F-Legrand": "A3020"}, pool=["LIM-F-Independent", "LIM-F-IV"])
    assert candidates(pos, F) == ["companies:F-3-IV"]         # the corps' marker is not its division's
    pos.pool = ["LIM-F-3-IV"]
    assert candidates(pos, F) == []
    game_ = play([], "langeron", clear=True, phase="no_marker", pool=[], units={PO[0]: f"{CENTRE}@N/skirmish", **AWAY},
                 leaders={"F-Legrand": "A3020"})
    choose(game_, F, f"unit:{PO[0]}")
    assert game_.pos.act is not None
    assert game_.pos.act["mode"] == "limited"                 # not a third: no range of a leader binds it


@pytest.mark.clause("A2.4", "5.1.3")
def test_a_battalion_that_forms_again_in_an_enemys_front_began_there() -> None:
    game_ = play([], "langeron", clear=True, units={PO[0]: f"{CENTRE}@N/skirmish", ARKH: "B2808@S/column"},
                 leaders={"F-Legrand": CENTRE}, active="F-3-IV", phase="move", lost={"F-Tir-Po": 2})
    answer(game_, F, "companies", option="join:F-Tir-Po")
    choose(game_, A, "none")                     # 6.2.1 a change of formation in its zone
    assert game_.pos.act is not None
    assert game_.pos.act["began"]["F-Tir-Po"] == [ARKH]


def deploying(scenario: str, side: str, hand: dict[str, str] | None = None) -> Play:
    """A whole game of a scenario, set up by the suggestion until a side deploys."""
    game_ = building.begin(Play, TITLE, TITLE.first(data(), scenario, {}), [])
    while prompt(game_, side) != "deploy":
        seat = F if prompt(game_, F) else A
        if prompt(game_, seat) == "deploy":
            answer(game_, seat, "done", option="done")
            continue
        suggested = dict(forms(game_, seat)["set_up"]["suggested"])
        answer(game_, seat, "set_up", placed={**suggested, **{u: h for u, h in (hand or {}).items() if u in suggested}})
    return game_


def stances(game_: Play, seat: str, unit: str) -> set[tuple[str, str]]:
    """The formations and facings that a unit may begin in."""
    found: dict[str, Any] = game_.pending[seat].forms[0].reach([unit], {})["cost"]  # type: ignore[attr-defined]
    return {(s.split("/")[1], s.split("@")[1].split("/")[0]) for s in found}


@pytest.mark.clause("A15.2", "A2.4")
def test_companies_are_set_up_one_by_one_and_what_is_printed_stays() -> None:
    game_ = deploying("whole_battle", F, dict(zip(PO, ("C2910", "C3110", "C2910"), strict=True)))
    pos = game_.pos
    assert [pos.at[u] for u in PO] == ["C2910", "C3110", "C2910"]
    assert pos.at["F-Tir-Po"] == "split:french"
    assert {form for form, _way in stances(game_, F, "F-1-3-Ln")} == {"disorder"}   # it faces as it likes
    assert len(stances(game_, F, "F-1-3-Ln")) == 6
    assert [o["id"] for o in forms(game_, F)["companies"]["options"]] == ["split:F-Tir-Cors"]   # Po: printed
    answer(game_, F, "companies", option="split:F-Tir-Cors")
    assert prompt(game_, F) == "set_up"
    answer(game_, F, "set_up", placed=dict(forms(game_, F)["set_up"]["suggested"]))
    assert len([u for u in pos.unit("F-Tir-Cors").companies if pos.on_map(u)]) == pos.unit("F-Tir-Cors").strength
    assert [o["id"] for o in forms(game_, F)["companies"]["options"]] == ["join:F-Tir-Cors"]
    answer(game_, F, "done", option="done")
    allied = deploying("whole_battle", A)
    unit = next(u for u in allied.pos.game.members["A-1-2C"] if allied.pos.form[u] == "column")
    assert {form for form, _way in stances(allied, A, unit)} == {"column"}                 # column, on the march


@pytest.mark.clause("A15.4", "A15.5")
def test_formations_and_facings_that_are_printed_and_those_that_are_not() -> None:
    game_ = deploying("bagration", A)
    assert refused(game_, A, "move", units=["A-1-5-Jgr"], path=["B4215@W/line", "B4215@E/line"])[1] == "5.0"
    assert {"limbered", "unlimbered"} == {form for form, _way in stances(game_, A, "A-art-a-B")}
    other = deploying("goldbach", F)
    assert {form for form, _way in stances(other, F, "F-1-3-Ln")} >= {"disorder", "column"}
    assert [o["id"] for o in forms(other, F)["companies"]["options"]] == ["split:F-Tir-Po"]


@pytest.mark.clause("A15.4", "6.5")
def test_beside_a_regiment_is_beside_both_of_its_hexes() -> None:
    pos = position("bagration")
    row = next(r for r in rows(pos, A) if "A-art-b-B" in r["units"])
    assert {"B4109", "B4110"} <= set(fixed_ground(pos, A, row))


@pytest.mark.clause("A15.2")
def test_a_brigade_of_the_reserve_is_free_when_it_begins_an_activation_near_the_french() -> None:
    pos = position("whole_battle", clear=True, units={"A-Nssau-Cu": f"{CENTRE}@N/column", LN: "B2805@NE/column"},
                   leaders={"A-Hohenlohe": CENTRE})
    assert bound(pos, "A-Nssau-Cu") is not None
    begin_act(pos, A, "A-1-CR", "A-Hohenlohe", "full", ["A-Nssau-Cu"])
    assert bound(pos, "A-Nssau-Cu") is None


@pytest.mark.clause("A15.2", "A15.5")
def test_the_garrison_is_freed_by_who_comes_in_sight_though_he_go_on() -> None:
    game_ = play([], "goldbach", clear=True, units={"F-1-3-Ln": "C2134@NE/column", "A-Brdr-Grz": "C2434@SW/column"},
                 leaders={"A-Carneville": "C2434"}, active="A-1-AG", phase="move", fog=-1)
    pos = game_.pos
    assert pos.special["garrison"]
    march(game_, A, "A-Brdr-Grz", "C2434@SW/column", *_ahead(game_, "A-Brdr-Grz"))
    assert not pos.special["garrison"]


def _ahead(game_: Play, unit: str) -> list[str]:
    """The step straight on of a column."""
    pos = game_.pos
    made = walker(pos, [unit])
    return [movement.written(m.node) for m in made.moves(node_of(pos, unit), 0) if m.kind == "step"][:1]


@pytest.mark.clause("A15.3", "4.8")
def test_starting_markers_are_those_of_commands_on_the_map() -> None:
    game_ = deploying("langeron", A)
    answer(game_, A, "done", option="done")
    assert not {"LIM-F-III"} & set(lots(game_, F, "corps")["add"]["units"])
    assert not {"LIM-F-2-III", "LIM-F-4D-III"} & set(lots(game_, F, "divisions")["add"]["units"])
    assert "LIM-A-IG" not in lots(game_, A, "corps")["add"]["units"]
    assert members(game_.pos, "A-Inf-IG") == []
