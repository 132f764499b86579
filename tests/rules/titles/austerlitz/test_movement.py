"""5.1-5.4, 6.1, 6.3, 6.5 Movement: prices, turns, formations, contact, roads, strategic movement."""

from typing import Any

import pytest

from rules.maps.hexes import FACINGS
from rules.titles.austerlitz.allowance import allowance
from rules.titles.austerlitz.formations import tail_of
from rules.titles.austerlitz.movement import node_of, planned, reach_of, walker
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.stacking import fault, limit
from rules.titles.austerlitz.walk import Walker
from rules.titles.austerlitz.ways import ROAD, STEP, TURN
from tests.rules.titles.austerlitz.builders import (
    CENTRE,
    F,
    Play,
    answer,
    field,
    forms,
    game,
    last,
    march,
    play,
    position,
    preview,
    refused,
    told,
)

LN = "F-1-34-Ln"   # eight points, morale 5, allowance 6
HUS = "F-10-Hus"
AWAY = {"A-2-Arkh": "B4012@W/line"}


def cost(game_: Play, unit: str, step: str) -> Any:
    found = reach_of(game_.pos, [unit])
    return found["cost"].get(step)


def price(game_: Play, unit: str, *path: str) -> Any:
    """What one path costs, in points."""
    return preview(game_, F, "move", units=[unit], path=list(path))["effect"]["cost"]


@pytest.mark.clause("5.1", "6.3.2")
def test_a_column_pays_one_a_hex_and_one_a_turn() -> None:
    game_ = field({LN: f"{CENTRE}@N/column", **AWAY})
    assert cost(game_, LN, "B2808@N/column") == 1
    assert cost(game_, LN, "B2807@N/column") == 2
    assert cost(game_, LN, f"{CENTRE}@NE/column") == 1
    assert cost(game_, LN, f"{CENTRE}@S/column") == 2       # about-face
    assert cost(game_, LN, "B2810@N/column") == 2           # reverse at double price


@pytest.mark.clause("5.1", "6.3.1")
def test_a_line_pays_two_slides_at_double_and_steps_back_at_all_it_has() -> None:
    game_ = field({LN: f"{CENTRE}@NNE/line", **AWAY})
    assert cost(game_, LN, "B2808@NNE/line") == 2
    assert cost(game_, LN, "B2908@NNE/line") == 2
    assert price(game_, LN, f"{CENTRE}@NNE/line", "B2909@NNE/line") == 4   # slide over the right flank
    assert price(game_, LN, f"{CENTRE}@NNE/line", "B2708@NNE/line") == 4
    assert price(game_, LN, f"{CENTRE}@NNE/line", "B2810@NNE/line") == 6   # reverse
    assert price(game_, LN, f"{CENTRE}@NNE/line", f"{CENTRE}@SSW/line") == 3   # about-face: half the allowance
    assert price(game_, LN, f"{CENTRE}@NNE/line", f"{CENTRE}@E/line") == 2


@pytest.mark.clause("6.3.1")
def test_a_line_that_turns_twice_may_be_disordered() -> None:
    game_ = field({LN: f"{CENTRE}@NNE/line", **AWAY}, [9])
    march(game_, F, LN, f"{CENTRE}@NNE/line", f"{CENTRE}@E/line", f"{CENTRE}@SSE/line")
    assert last(game_, "order_checked")["kept"] is False
    assert game_.pos.form[LN] == "disorder"


@pytest.mark.clause("5.1.1")
def test_a_die_above_morale_disorders() -> None:
    for die, form in ((5, "line"), (6, "disorder")):
        game_ = field({LN: f"{CENTRE}@NNE/line", **AWAY}, [die])
        march(game_, F, LN, f"{CENTRE}@NNE/line", f"{CENTRE}@E/line", f"{CENTRE}@SSE/line")
        assert game_.pos.form[LN] == form


@pytest.mark.clause("6.3", "6.3.3", "6.3.4", "6.4", "6.4.1")
def test_changes_of_formation() -> None:
    game_ = field({"F-2-17-Leg": f"{CENTRE}@N/column", **AWAY})
    leg = "F-2-17-Leg"
    assert cost(game_, leg, f"{CENTRE}@NNE/line") == 1
    assert cost(game_, leg, f"{CENTRE}@N/square") == 1
    assert cost(game_, leg, f"{CENTRE}@N/skirmish") == 1
    assert cost(game_, leg, f"{CENTRE}@N/disorder") == 1
    assert cost(field({LN: f"{CENTRE}@N/column", **AWAY}), LN, f"{CENTRE}@N/skirmish") is None
    square = field({LN: f"{CENTRE}@N/square", **AWAY})
    assert cost(square, LN, f"{CENTRE}@N/column") == 2
    assert refused(square, F, "move", units=[LN], path=[f"{CENTRE}@N/square", "B2808@N/square"])[0] == "no_such_move"


@pytest.mark.clause("6.3.5", "6.3.6", "5.1.2")
def test_cavalry_may_charge_after_half_its_allowance() -> None:
    for steps, able in ((6, True), (7, False)):
        way = [f"B28{12 - n:02d}@N/column" for n in range(steps + 1)]
        game_ = play(clear=True, units={HUS: way[0], **AWAY}, leaders={"F-Treilhard": "B2709"}, active="F-T-CR",
                     phase="move")
        march(game_, F, HUS, *way)
        answer(game_, F, "end_move", option="end_move")
        assert (HUS in told(game_, "movement_ended")[-1]["data"]["may_charge"]) is able


@pytest.mark.clause("5.1.3")
def test_an_enemys_front_ends_the_move() -> None:
    foe = {"A-2-Arkh": "B2806@S/column"}
    game_ = field({LN: f"{CENTRE}@N/column", **foe})
    assert refused(game_, F, "move", units=[LN], path=[
        f"{CENTRE}@N/column", "B2808@N/column", "B2807@N/column", "B2807@NE/column"]) == ("halted", "5.1.3")
    march(game_, F, LN, f"{CENTRE}@N/column", "B2808@N/column", "B2807@N/column")
    assert game_.pos.at[LN] == "B2807"
    assert refused(game_, F, "move", units=[LN], path=["B2807@N/column", "B2807@NE/column"])[0] == "has_moved"


@pytest.mark.clause("4.6", "4.6.2")
def test_a_limited_activation_halves_and_keeps_away() -> None:
    foe = {"A-2-Arkh": "B2806@W/line"}
    game_ = field({LN: f"{CENTRE}@N/column", **foe}, mode="limited")
    assert allowance(game_.pos, LN, "limited") == 2 * 3
    assert cost(game_, LN, "B2808@N/column") == 1
    assert cost(game_, LN, "B2807@N/column") is None


@pytest.mark.clause("4.6.2", "8.4.4", "5.2")
def test_allowances() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@N/column", HUS: "B2805@N/disorder", **AWAY}, blown={HUS: 2})
    assert [allowance(pos, LN, m) / 2 for m in ("full", "limited", "out", "strategic", "retreat")] == [6, 3, 2, 12, 3]
    assert allowance(pos, HUS, "full") == 12


@pytest.mark.clause("A5.1", "A5.1.1")
def test_fog_halves_up_but_not_twice() -> None:
    game_ = field({LN: f"{CENTRE}@N/column", **AWAY}, fog=8)
    assert allowance(game_.pos, LN, "full") == 6
    assert allowance(game_.pos, LN, "limited") == 6
    assert game("whole_battle").tables["fog"] == {"7:20": 8, "7:40": 8, "8:00": 7, "8:20": 5, "8:40": 3}


@pytest.mark.clause("5.3")
def test_the_road_costs_half_and_turns_for_nothing() -> None:
    a = "B3414"
    game_ = field({LN: f"{a}@SE/column", **AWAY}, leaders={"F-Suchet": "B3413"})
    board = game_.pos.game.board
    there = next(h for h, kind in board.roads(a).items() if kind == "primary_road")
    facing = ("N", "NE", "SE", "S", "SW", "NW")[board.side_to(a, there)]
    assert cost(game_, LN, f"{there}@{facing}/column") == 0.5


@pytest.mark.clause("5.4")
def test_leaders_ride_twelve_points() -> None:
    game_ = field({LN: f"{CENTRE}@N/column", **AWAY})
    found = reach_of(game_.pos, ["F-Suchet"])
    assert max(found["cost"].values()) <= 12
    march(game_, F, "F-Suchet", "B2806", "B2807")
    assert game_.pos.leaders["F-Suchet"] == "B2807"


@pytest.mark.clause("5.1.4", "7.1", "7.2", "7.3")
def test_passing_through_a_crowd_disorders_all() -> None:
    other = "F-2-34-Ln"
    game_ = field({LN: f"{CENTRE}@N/column", other: "B2808@N/column", **AWAY})
    march(game_, F, LN, f"{CENTRE}@N/column", "B2808@N/disorder", "B2807@N/disorder")
    assert game_.pos.form[LN] == game_.pos.form[other] == "disorder"
    again = field({LN: f"{CENTRE}@N/column", other: "B2808@N/column", **AWAY})
    assert refused(again, F, "move", units=[LN], path=[f"{CENTRE}@N/column", "B2808@N/disorder"])[1] == "7.1"


@pytest.mark.clause("7.1", "7.3.1", "6.5.5")
def test_stacking() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@N/column", **AWAY})
    pos.form["F-2-34-Ln"] = pos.form["F-1-64-Ln"] = "column"
    assert limit(pos, CENTRE, "infantry", "column") == 10
    assert limit(pos, CENTRE, "infantry", "line") == 8
    assert fault(pos, CENTRE, [LN]) is None
    wrong = fault(pos, CENTRE, [LN, "F-2-34-Ln"])
    assert wrong is not None
    assert wrong.key == "refusal.too_many_points"
    pos.form[HUS] = "column"
    mixed = fault(pos, CENTRE, [LN, HUS])
    assert mixed is not None
    assert mixed.key == "refusal.arms_apart"


@pytest.mark.clause("7.2")
def test_a_unit_is_put_on_top_once_an_activation() -> None:
    other = "F-2-34-Ln"
    game_ = field({LN: f"{CENTRE}@N/column", other: f"{CENTRE}@N/column", **AWAY})
    for top, under in ((other, [LN]), (LN, [])):
        answer(game_, F, "top", option=top)
        assert game_.pos.stacks[CENTRE][0] == top
        assert [o["id"] for o in forms(game_, F).get("top", {"options": ()})["options"]] == under


@pytest.mark.clause("6.5", "6.5.1", "6.5.2", "6.5.3")
def test_a_counter_on_two_hexes_wheels_and_steps() -> None:
    pos = position("bagration", clear=True, units={"F-16-CaC": f"{CENTRE}@E/line", "A-2-Arkh": "B4012@W/line"},
                   leaders={"F-Milhaud": "B2806"}, active="F-M-CR", phase="move")
    assert pos.tail["F-16-CaC"] == "B2810"
    found = reach_of(pos, ["F-16-CaC"])["cost"]
    assert found["B2908@E/line"] == 2      # both hexes step north-east
    assert found["B2909@E/line"] == 2
    assert found["B2909@SSE/line"] == 1    # wheels right: the right hex stays
    assert found["B2809@NNE/line"] == 1    # wheels left: the left hex stays
    assert found["B2810@W/line"] == 3      # about-face: left and right change names


@pytest.mark.clause("5.2", "5.2.1")
def test_strategic_movement_doubles_and_shuns_enemies() -> None:
    game_ = field({LN: f"{CENTRE}@N/column", "A-2-Arkh": "B2801@SSE/line"}, mode="strategic", strategic=["F-3-V"])
    found = reach_of(game_.pos, [LN])["cost"]
    assert max(found.values()) <= 12
    assert "B2804@N/column" not in found
    assert not any("/line" in step for step in found)


@pytest.mark.clause("4.6.1")
def test_who_has_been_passed_over_moves_no_more() -> None:
    game_ = field({LN: f"{CENTRE}@N/column", "F-2-34-Ln": "B2709@N/column", **AWAY})
    march(game_, F, LN, f"{CENTRE}@N/column", "B2808@N/column")
    march(game_, F, LN, "B2808@N/column", "B2807@N/column")
    march(game_, F, "F-2-34-Ln", "B2709@N/column", "B2708@N/column")
    assert refused(game_, F, "move", units=[LN], path=["B2807@N/column", "B2806@N/column"]) == ("has_moved", "4.6.1")
    assert len(told(game_, "moved")) == 3


@pytest.mark.clause("A2.3")
def test_cossacks_are_always_disordered() -> None:
    found = position("bagration", clear=True, units={"A-Kisevl-Coss": f"{CENTRE}@N/disorder", LN: "B2010@E/line"},
                     leaders={"A-Wittgenstein": "B2806"}, active="A-W-B", phase="move")
    steps = reach_of(found, ["A-Kisevl-Coss"])["cost"]
    assert {s.split("/")[1] for s in steps} == {"disorder"}
    assert steps["B2808@N/disorder"] == 1


@pytest.mark.clause("6.3.7", "6.3.8")
def test_guns() -> None:
    gun = "F-art-a-V"
    game_ = field({gun: f"{CENTRE}@NNE/unlimbered", LN: "B2709@N/column", **AWAY})
    found = reach_of(game_.pos, [gun])["cost"]
    assert found[f"{CENTRE}@E/unlimbered"] == 2
    assert found[f"{CENTRE}@SSE/unlimbered"] == 8            # one vertex in an activation: it must limber up for more
    assert found[f"{CENTRE}@N/limbered"] == 3
    assert f"{CENTRE}@N/limbered" in found
    assert found["B2808@N/limbered"] == 5
    near = field({gun: f"{CENTRE}@N/limbered", LN: "B2709@N/column", "A-2-Arkh": "B2806@W/line"})
    assert "B2807@N/limbered" not in reach_of(near.pos, [gun])["cost"]


def test_a_side_never_moves_the_other() -> None:
    game_ = field({LN: f"{CENTRE}@N/column", **AWAY})
    assert refused(game_, F, "move", units=["A-2-Arkh"], path=["B4012@W/line", "B4011@W/line"]) == (
        "not_active",
        "4.6.1",
    )


CHASSEURS = "F-16-CaC"   # seven points on two hexes


def two(stance: str, mode: str = "full") -> Position:
    return position("bagration", clear=True, units={CHASSEURS: stance, "A-2-Arkh": "B4012@W/line"},
                    leaders={"F-Milhaud": stance.partition("@")[0]}, active="F-M-CR", phase="move", mode=mode)


@pytest.mark.clause("6.5.3")
def test_a_line_on_two_hexes_pays_the_dearer_of_both() -> None:
    """One of its hexes goes into woods or a village while the other stays in the open: it is disordered whole."""
    pos = two(f"{CENTRE}@E/line")
    board, ways = pos.game.board, pos.game.ways(Walker(pos, [CHASSEURS], 24).ways.kind)
    found = 0
    for here in sorted(pos.game.area):
        tail = tail_of(board, here, "line", 3)
        there, beside = board.around[here][1], board.around[tail][1] if tail is not None else None
        if tail is None or there is None or beside is None or board.terrain[here] != "clear":
            continue
        if board.terrain[there] == "clear" and board.terrain[beside] == "woods":
            first, other = board.price("cavalry_line", here, there, False), board.price(
                "cavalry_line", tail, beside, False)
            price = ways._price(here, "line", 3, 1)
            if first is None or other is None or price is None:
                continue
            assert (price.cost, price.disorder) == (max(first.cost, other.cost), True)
            found += 1
    assert found


@pytest.mark.clause("6.5.4", "5.3")
def test_the_tail_of_a_counter_on_two_hexes_follows_along_the_road() -> None:
    board = game("bagration").board
    here = next(h for h in sorted(game("bagration").area) if len(board.roads(h)) == 2 and board.terrain[h] == "clear"
                and all(board.terrain[n] == "clear" for n in board.roads(h))
                and len({board.side_to(h, n) % 3 for n in board.roads(h)}) == 2)   # a bend
    behind, ahead = sorted(board.roads(here))
    facing = 2 * board.side_to(behind, here)
    pos = two(f"{here}@{FACINGS[facing]}/column")
    pos.put(CHASSEURS, here, behind)
    ways = pos.game.ways(Walker(pos, [CHASSEURS], 24).ways.kind)
    road = [w for w in ways.of(here, "column", facing) if w.kind == "road" and w.there == ahead]
    assert len(road) == 1
    assert road[0].needs == (here,)                            # round the bend its tail is where its head was
    assert tail_of(board, ahead, "column", road[0].facing) == here
    assert road[0].cost == 1


@pytest.mark.clause("6.3.1", "6.3.2", "6.3.5", "6.3.6")
@pytest.mark.parametrize(("unit", "form", "about", "slides"), [
    (LN, "NNE/line", 3, True), (LN, "N/column", 2, False), (HUS, "NNE/line", 3, True), (HUS, "N/column", 3, False)])
def test_about_face_and_slides(unit: str, form: str, about: int, slides: bool) -> None:
    command, leader = ("F-3-V", "F-Suchet") if unit == LN else ("F-T-CR", "F-Treilhard")
    pos = position(clear=True, units={unit: f"{CENTRE}@{form}", **AWAY}, leaders={leader: "B2709"}, active=command,
                   phase="move")
    ways = Walker(pos, [unit], 24).ways.of(CENTRE, form.split("/")[1], pos.facing[unit])
    assert [w.cost for w in ways if w.kind == "about"] == [2 * about]
    assert bool([w for w in ways if w.kind == "slide"]) is slides
    assert {w.cost for w in ways if w.kind == "slide"} <= {2 * 2 * 2}     # double the two points of a line
    back = 2 * pos.unit(unit).movement if slides else 4
    assert {w.cost for w in ways if w.kind == "reverse"} == {back}


FOG = [("limited", None, 2), ("full", 8, 3), ("limited", 8, 2), ("out", 8, 1), ("strategic", 8, 5),
       ("strategic", None, 10), ("full", None, 5)]


@pytest.mark.clause("A5.1.1", "A5.1")
@pytest.mark.parametrize(("mode", "fog", "most"), FOG)
def test_hexes_of_a_battalion_of_five_in_the_fog(mode: str, fog: int | None, most: int) -> None:
    """The table of the ruling on fog and limited activations; 8:00 hides level 7 and below (the example of A5.1)."""
    found = game("langeron")
    board = found.board

    def northwards(start: str) -> list[str]:
        way = [start]
        while len(way) < 12 and (there := board.around[way[-1]][0]) is not None and board.rows(way[-1], there) == (
                "clear",) and not board.roads(there):
            way.append(there)
        return way

    way = next(w for h in sorted(found.area) if h[0] == "B" and len(w := northwards(h)) == 12)
    pos = position("langeron", clear=True, units={"A-2-Arkh": f"{way[0]}@N/column"}, leaders={"A-Markov": way[0]},
                   active="A-2-B", phase="move", mode=mode, fog=fog, strategic=["A-2-B"] if mode == "strategic" else [])
    assert pos.unit("A-2-Arkh").movement == 5
    cost = reach_of(pos, ["A-2-Arkh"])["cost"]
    assert [f"{h}@N/column" in cost for h in way] == [n <= most for n in range(12)]
    assert found.tables["fog"]["8:00"] == 7


@pytest.mark.clause("5.1", "5.3")
def test_a_way_counts_as_its_cheapest_actions_when_a_road_runs_beside_it() -> None:
    """To B4014 a step takes a minor slope and the road, at the same price, does not: only after the road is the third
    hex within three points."""
    pos = position(clear=True, units={"A-3-Arkh": "B3913@SE/disorder"}, leaders={"A-Markov": "B3812"}, active="A-2-B",
                   mode="retreat", phase="move")
    path = [f"{hex_}@SE/disorder" for hex_ in ("B3913", "B4014", "B4114", "B4215")]
    assert [step.spent for step in planned(pos, ["A-3-Arkh"], path)] == [2, 4, 6]
    assert reach_of(pos, ["A-3-Arkh"])["cost"][path[-1]] == 3


@pytest.mark.clause("A5.1.1", "5.3", "5.2")
def test_a_strategic_march_that_leaves_the_road_in_the_fog_has_half_of_all() -> None:
    """Five points doubled are twenty halves: a step off the road costs ten more, whatever was spent by road before."""
    board = game("langeron").board
    start = next(h for h in sorted(game("langeron").area) if h[0] == "B" and len(board.roads(h)) == 2)

    def spent(fog: int | None) -> dict[tuple[str, str], int]:
        pos = position("langeron", clear=True, units={"A-2-Arkh": f"{start}@N/column"}, leaders={"A-Markov": start},
                       active="A-2-B", phase="move", mode="strategic", fog=fog, strategic=["A-2-B"])
        made, node = walker(pos, ["A-2-Arkh"]), node_of(pos, "A-2-Arkh")
        turned = [(node, 0), *((m.node, m.spent) for m in made.moves(node, 0) if m.kind == TURN)]
        by_road = [m for n, cost in turned for m in made.moves(n, cost) if m.kind == ROAD]
        return {(m.node[0], n.node[0]): n.spent - m.spent for m in by_road for n in made.moves(m.node, m.spent)
                if n.kind == STEP and n.node[0] not in board.roads(m.node[0])}

    plain, misty = spent(None), spent(8)
    assert misty
    assert all(cost == plain[step] + 10 for step, cost in misty.items())
