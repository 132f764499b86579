"""11 Movement of land units."""

from collections.abc import Mapping
from itertools import pairwise

import pytest

from tests.rules.titles.triple_alliance.builders import (
    A,
    P,
    Play,
    at,
    attack,
    choose,
    ends,
    forms,
    last,
    move,
    play,
    preview,
    reach,
    refused,
    resumed,
    told,
    units,
    view,
)
from tests.rules.titles.triple_alliance.ground import (
    ACROSS_ROUGH,
    AROUND,
    GAME,
    MAP,
    TARGET,
    WATCH,
    kind,
    side,
    sides,
    trail,
)

[FOOT] = kind(A, "infantry", nation="brazil")
[HORSE] = kind(A, "cavalry", nation="brazil")
RAIL = ("1826", "1925", "2025", "2026", "2027")


def allied(where: Mapping[str, list[str]], turn: int = 3) -> Play:
    """The Allied movement phase with nothing on the map but these units."""
    return play({"turn": turn, "phase": "allied_movement", "clear": True,
                 "units": {u: h for h, us in where.items() for u in us}})


def price(a: str, b: str, turn: int = 3, who: str = A, **body: object) -> int:
    """What one step costs a unit with all its points."""
    [unit] = kind(who, "cavalry", nation="brazil" if who == A else None)
    game = play({"turn": turn, "phase": f"{who}_movement", "clear": True, "units": {unit: a}, **body})
    cost: int = preview(game, who, "move", units=[unit], path=[a, b])["effect"]["cost"]
    return cost


@pytest.mark.clause("11.1", "11.20")
def test_a_path_goes_from_hex_to_touching_hex_on_the_map() -> None:
    game = allied({"1437": [FOOT]})
    assert refused(game, A, "move", units=[FOOT], path=["1437", "1439"]) == ("not_adjacent", "11.1")
    assert refused(game, A, "move", units=[FOOT], path=["1436", "1435"]) == ("path_start", "11.1")
    assert refused(game, A, "move", units=[FOOT], path=["1437"]) == ("path_start", "11.1")
    assert refused(game, A, "move", units=[FOOT], path=["1437", "1437"]) == ("not_adjacent", "11.1")
    assert refused(game, A, "move", units=[FOOT], path=["1437", "track:II"]) == ("not_adjacent", "11.1")
    assert refused(game, A, "move", units=[], path=["1437", "1436"]) == ("nobody_moves", "11.1")
    move(game, A, FOOT, "1437", "1438", "1439")
    assert last(game, "marched")["path"] == ["1437", "1438", "1439"]


@pytest.mark.clause("11.20")
def test_no_unit_goes_or_acts_off_the_map() -> None:
    edge = "1042"
    game = allied({"1042": [FOOT]})
    outside = "0942"
    assert outside not in MAP.hexes
    assert set(reach(game, A, FOOT)["cost"]) <= set(MAP.hexes)
    assert refused(game, A, "move", units=[FOOT], path=[edge, outside]) == ("not_adjacent", "11.1")
    off = units("AR-INF-2", 1)[0]
    assert refused(game, A, "move", units=[off], path=["turn:2", edge]) == ("not_on_map", "11.1")


@pytest.mark.clause("11.1", "11.2")
def test_only_own_units_move_and_only_in_the_own_phase() -> None:
    foe = kind(P, "infantry")[0]
    game = allied({"1437": [FOOT], "1436": [foe]})
    assert refused(game, A, "move", units=[foe], path=["1436", "1435"]) == ("not_yours", "11.1")
    assert game.request_for(P)["mine"] is False  # type: ignore[index]
    ends(game, A)
    assert "move" not in forms(game, A)


@pytest.mark.clause("11.2")
def test_points_are_not_kept_from_turn_to_turn_and_need_not_all_be_spent() -> None:
    game = allied({"1437": [FOOT], "1439": kind(P, "infantry")})
    move(game, A, FOOT, "1437", "1438")
    assert view(game, A)["space:1438"]["units"][0]["left"] == GAME.units[FOOT].movement - 1
    assert reach(game, A, FOOT)["left"] == GAME.units[FOOT].movement - 1
    ends(game, A)
    assert "left" not in view(game, A)["space:1438"]["units"][0]


@pytest.mark.clause("11.2")
def test_points_cannot_be_lent() -> None:
    siege, horse = kind(A, "siege_artillery")[0], HORSE
    game = allied({"1437": [siege, horse]})
    slow = GAME.units[siege].movement
    assert refused(game, A, "move", units=[siege, horse], path=trail("1437", slow + 1)) == ("too_far", "11.7")


@pytest.mark.clause("11.3", "5.3")
def test_a_unit_may_always_go_one_hex_for_all_its_points() -> None:
    siege = kind(A, "siege_artillery")[0]
    for a, b in (side(terrain, minor=True) for terrain in ("forest", "rough", "marsh")):
        game = play({"turn": 2, "phase": "allied_movement", "clear": True, "units": {siege: a}})
        assert price(a, b, 2) == 4 > game.pos.factor(siege) == 3
        assert reach(game, A, siege)["cost"][b] == 3
        move(game, A, siege, a, b)
        assert game.pos.left(siege) == 0
        assert "move" not in forms(game, A)


@pytest.mark.clause("11.3")
def test_the_guarantee_is_one_hex_of_a_unit_that_has_spent_nothing() -> None:
    siege = kind(A, "siege_artillery")[0]
    a, b = side("rough", minor=True, start="clear")
    before = next(n for n in MAP.neighbours[a] if n != b and not MAP.edge("minor_river", n, a))
    game = play({"turn": 2, "phase": "allied_movement", "clear": True, "units": {siege: before}})
    assert refused(game, A, "move", units=[siege], path=[before, a, b]) == ("too_far", "11.7")
    move(game, A, siege, before, a)
    assert refused(game, A, "move", units=[siege], path=[a, b]) == ("too_far", "11.7")
    assert b not in reach(game, A, siege)["cost"]


@pytest.mark.clause("11.3", "11.4")
def test_the_guarantee_opens_no_forbidden_hex() -> None:
    siege, foe = kind(A, "siege_artillery")[0], kind(P, "infantry")[0]
    a, b = side("rough", minor=True)
    game = play({"turn": 2, "phase": "allied_movement", "clear": True, "units": {siege: a, foe: b}})
    assert refused(game, A, "move", units=[siege], path=[a, b]) == ("enemy_hex", "11.4")
    assert b not in reach(game, A, siege)["cost"]


@pytest.mark.clause("11.3")
def test_a_fortress_never_moves() -> None:
    game = play({"turn": 3, "phase": "paraguay_movement", "clear": True,
                 "units": {"PY-FOR-H": "1432", "PY-INF-1": "1432"}})
    assert "PY-FOR-H" not in [u["id"] for u in forms(game, P)["move"]["stacks"]["1432"]]
    for group in (["PY-FOR-H"], ["PY-FOR-H", "PY-INF-1"]):
        assert refused(game, P, "move", units=group, path=["1432", "1332"]) == ("never_moves", "11.3")


@pytest.mark.clause("11.4")
def test_no_path_enters_an_enemy_hex_not_even_in_passing() -> None:
    foe = kind(P, "supply")[0]
    game = allied({"1437": [HORSE], "1438": [foe]})
    assert refused(game, A, "move", units=[HORSE], path=["1437", "1438", "1439"]) == ("enemy_hex", "11.4")
    found = reach(game, A, HORSE)
    assert found["blocked"]["1438"]["clause"] == "11.4"
    assert "1438" not in found["cost"]
    assert found["cost"]["1439"] > 2  # round about


@pytest.mark.clause("11.5")
def test_units_of_a_hex_move_together_in_parts_or_alone() -> None:
    three = kind(A, "infantry", 3, nation="brazil")
    game = allied({"1437": three})
    move(game, A, three[:2], "1437", "1438")
    move(game, A, three[2], "1437", "1336")
    assert [game.pos.at[u] for u in three] == ["1438", "1438", "1336"]


@pytest.mark.clause("11.5", "11.6")
def test_units_of_two_hexes_are_no_stack() -> None:
    two = kind(A, "infantry", 2, nation="brazil")
    game = allied({"1437": two[:1], "1438": two[1:]})
    assert refused(game, A, "move", units=two, path=["1437", "1336"]) == ("not_together", "11.6")


@pytest.mark.clause("11.7")
def test_the_slowest_sets_the_pace_and_may_be_left_behind() -> None:
    [gun], [horse] = kind(A, "siege_artillery"), [HORSE]
    slow, fast = GAME.units[gun].movement, GAME.units[horse].movement
    path = trail("1437", fast)
    game = allied({"1437": [gun, horse]})
    assert reach(game, A, [gun, horse])["left"] == slow
    move(game, A, [gun, horse], *path[: slow + 1])
    assert refused(game, A, "move", units=[gun, horse], path=path[slow: slow + 2]) == ("spent", "11.2")
    move(game, A, horse, *path[slow:])
    assert game.pos.at[gun] == path[slow]
    assert game.pos.at[horse] == path[-1]
    assert game.pos.left(horse) == 0


@pytest.mark.clause("11.7", "5.3")
@pytest.mark.parametrize("unit", ["BR-INF-1F", "BR-CAV-1", "BR-SGE-Sg1", "BR-ART-1", "BR-SUP-Sup-1"])
def test_turn_one_halves_points_rounded_up(unit: str) -> None:
    game = allied({"1437": [unit]}, turn=1)
    assert reach(game, A, unit)["left"] == (GAME.units[unit].movement + 1) // 2
    assert reach(allied({"1437": [unit]}, turn=2), A, unit)["left"] == GAME.units[unit].movement


@pytest.mark.clause("11.8", "11.9", "11.10", "11.11", "11.12", "11.13", "11.14")
@pytest.mark.parametrize(("terrain", "cost"), [("clear", 1), ("forest", 2), ("rough", 2), ("marsh", 2), ("river", 2)])
def test_natural_terrain_has_its_price(terrain: str, cost: int) -> None:
    for turn in (3, 2):
        assert price(*side(terrain), turn=turn) == cost


@pytest.mark.clause("11.15", "11.19")
@pytest.mark.parametrize(("terrain", "cost"), [("clear", 1), ("forest", 2), ("rough", 2), ("marsh", 2)])
def test_a_minor_river_adds_one_in_odd_turns_and_two_in_even_ones(terrain: str, cost: int) -> None:
    over = side(terrain, minor=True)
    assert [price(*over, turn=turn) for turn in (3, 5, 9, 2, 4, 8)] == [cost + 1] * 3 + [cost + 2] * 3


@pytest.mark.clause("11.19")
def test_example_of_costs_that_add_up() -> None:
    """Over a minor river into the rough in an early-year turn: 2 + 1 = 3."""
    assert price(*ACROSS_ROUGH, turn=3) == 3
    assert price(*ACROSS_ROUGH, turn=4) == 4
    game = play({"turn": 3, "phase": "allied_movement", "clear": True, "units": {FOOT: ACROSS_ROUGH[0]}})
    move(game, A, FOOT, *ACROSS_ROUGH)
    assert last(game, "marched", A)["cost"] == 3
    assert "cost" not in last(game, "marched", P)


@pytest.mark.clause("11.16")
def test_a_town_changes_nothing() -> None:
    towns = [(a, b) for a, b in sides() if MAP.hexes[b].name]
    assert len(towns) > 20
    for a, b in towns[::8]:
        assert price(a, b) == GAME.tables["terrain"][MAP.hexes[b].terrain]["mp"]


@pytest.mark.clause("11.17")
def test_a_road_costs_one_whatever_the_ground_and_the_waters() -> None:
    for terrain in ("forest", "rough", "marsh", "river"):
        found = [*sides(terrain, road=True), *sides(terrain, road=True, minor=True)]
        assert found, terrain
        assert {price(*s, turn=turn) for s in found[:2] for turn in (2, 3)} == {1}
    over = list(sides(road=True, minor=True))
    assert over
    assert {price(*s, turn=2) for s in over[:4]} == {1}


@pytest.mark.clause("11.17")
def test_a_road_hex_entered_beside_the_road_costs_its_ground() -> None:
    roads = {h for pair in MAP.edges("road") for h in pair}
    beside = [(a, b) for a, b in sides() if a in roads and b in roads and MAP.hexes[b].terrain != "clear"]
    assert beside
    assert {price(*s) for s in beside[:3]} == {2}


@pytest.mark.clause("11.18")
def test_the_railway_is_five_hexes_and_free_for_paraguay() -> None:
    assert GAME.rail == set(RAIL)
    horse = kind(P, "cavalry")[0]
    game = play({"turn": 3, "phase": "paraguay_movement", "clear": True, "units": {horse: "1826"}})
    made = preview(game, P, "move", units=[horse], path=list(RAIL))
    assert (made["ok"], made["effect"]["cost"]) == (True, 0)
    move(game, P, horse, *RAIL)
    assert game.pos.left(horse) == GAME.units[horse].movement
    move(game, P, horse, *RAIL[::-1])
    assert game.pos.at[horse] == "1826"


@pytest.mark.clause("11.18")
def test_free_rail_comes_before_between_and_after_paid_steps() -> None:
    foot = kind(P, "infantry")[0]
    n = GAME.units[foot].movement
    away = next(h for h in MAP.neighbours["2027"] if h not in RAIL and GAME.march_costs(False, True)["2027", h] == 1
                and GAME.march_costs(False, True)[h, "2027"] == 1)
    shuttle = [away, "2027"] * (n // 2)
    game = play({"turn": 3, "phase": "paraguay_movement", "clear": True, "units": {foot: "2026"}})
    path = ["2026", "2027", *shuttle]
    made = preview(game, P, "move", units=[foot], path=[*path, *RAIL[-2::-1]])
    assert made["ok"]
    assert made["effect"]["cost"] == 2 * (n // 2)
    move(game, P, foot, *path)
    assert game.pos.left(foot) == n - 2 * (n // 2)
    assert {"2025", "1826"} <= set(reach(game, P, foot)["cost"])
    move(game, P, foot, *RAIL[::-1])  # with nothing left to pay with
    assert game.pos.at[foot] == "1826"


@pytest.mark.clause("11.18", "11.6")
def test_a_unit_that_rode_free_has_moved() -> None:
    two = kind(P, "infantry", 2)
    game = play({"turn": 3, "phase": "paraguay_movement", "clear": True, "units": {two[0]: "1826", two[1]: "1428"}})
    move(game, P, two[0], "1826", "1925")
    move(game, P, two[1], "1428", "1427")
    assert refused(game, P, "move", units=[two[0]], path=["1925", "2025"]) == ("settled", "11.6")


@pytest.mark.clause("11.18")
def test_the_railway_is_a_road_for_the_allies_and_the_first_of_them_ends_the_free_ride() -> None:
    game = allied({"2024": [HORSE]})
    assert price("2026", "2025") == price("2025", "2026") == 1
    into = next(h for h in RAIL if h in MAP.neighbours["2024"])
    out = next(n for n in MAP.neighbours[into] if n not in RAIL and n != "2024")
    move(game, A, HORSE, "2024", into, out)  # only in passing
    assert told(game, "rail_entered")[0]["data"]["at"] == into
    assert game.pos.rail_entered
    assert price("1826", "1925", who=P, rail_entered=True) == price("2025", "2026", who=P, rail_entered=True) == 1
    assert price("1826", "1925", who=P) == 0


@pytest.mark.clause("11.18")
def test_a_ship_in_asuncion_and_an_advance_end_the_free_ride_too() -> None:
    ship = kind(A, "warship", nation="brazil")[0]
    game = allied({"1827": [ship]})
    assert not game.pos.rail_entered
    move(game, A, ship, "1827", "1826")
    assert game.pos.rail_entered
    foe = kind(P, "supply")[0]
    attackers = kind(A, "infantry", 4, nation="brazil")
    body = {"turn": 3, "phase": "allied_combat_1", "clear": True}
    game = play({**body, "units": {**WATCH, **at("2024", attackers), foe: "2025"}}, dice=[9])
    assert not game.pos.rail_entered
    attack(game, A, "2025", *attackers)
    game.log += game.answer(P, {"form": "defender_supply", "lots": {}})
    game.log += game.answer(A, {"form": "advance", "lots": {"advance": attackers[:1]}})
    assert game.pos.rail_entered


@pytest.mark.clause("11.21")
def test_borders_hinder_nobody() -> None:
    for a, b in sides("clear"):
        if MAP.edge("border", a, b):
            assert price(a, b) == 1
            return
    raise AssertionError("no border over open ground")


@pytest.mark.clause("3.6")
def test_every_hex_of_the_path_changes_hands_and_the_start_stays_held() -> None:
    horse = kind(P, "cavalry")[0]
    path = ["1437", "1438", "1439", "1440"]
    game = play({"turn": 3, "phase": "paraguay_movement", "clear": True, "units": {horse: "1437"}})
    move(game, P, horse, *path)
    assert [game.pos.controller(h) for h in path] == [P] * 4
    for hex_ in path[:-1]:
        assert view(game, A)[f"space:{hex_}"] == {"control": P, "count": 0}


@pytest.mark.clause("4.2", "3.6")
def test_the_fifth_city_wins_in_the_middle_of_a_path() -> None:
    horse = kind(P, "cavalry")[0]
    cities = GAME.tables["victory"]["automatic"]
    held = {h: P for h in cities if h != "1541"}
    a, b = next((a, b) for a in MAP.neighbours["1541"] for b in MAP.neighbours["1541"] if a != b)
    game = play({"turn": 3, "phase": "paraguay_movement", "clear": True, "units": {horse: a}, "control": held})
    assert game.pos.result is None
    move(game, P, horse, a, "1541", b)
    assert game.pos.result == {"winner": P, "key": "result.automatic", "args": {}, "clause": "4.2"}
    assert game.asked == ()
    assert view(game, "public")["result"]["winner"] == P


@pytest.mark.clause("4.2", "13.30")
def test_the_fifth_city_wins_by_an_advance_before_any_captured_arms() -> None:
    cities = GAME.tables["victory"]["automatic"]
    held = {h: P for h in cities if h != "1541"}
    defenders, attackers = kind(A, "cavalry", 4, guard=True), kind(P, "infantry", 26)
    start = MAP.neighbours["1541"][0]
    game = play({"turn": 3, "phase": "paraguay_combat_1", "clear": True, "control": held,
                 "units": {**at("1541", defenders), **at(start, attackers)}}, dice=[9])
    attack(game, P, "1541", *attackers)
    game.log += game.answer(P, {"form": "advance", "lots": {"advance": attackers[:1]}})
    assert game.pos.result["winner"] == P  # type: ignore[index]
    assert not told(game, "arms_captured")
    assert game.asked == ()


@pytest.mark.clause("6.2")
def test_stacking_counts_where_the_answer_ends_only() -> None:
    crowd = units("PY-INF-", 26)
    one = kind(P, "cavalry")[0]
    game = play({"turn": 3, "phase": "paraguay_movement", "clear": True,
                 "units": {**at(TARGET, crowd), one: AROUND[0]}})
    assert refused(game, P, "move", units=[one], path=[AROUND[0], TARGET]) == ("too_many", "6.2")
    assert reach(game, P, one)["blocked"][TARGET]["clause"] == "6.2"
    move(game, P, one, AROUND[0], TARGET, "1438")
    assert game.pos.at[one] == "1438"
    move(game, P, crowd[0], TARGET, "1336")
    assert game.pos.at[crowd[0]] == "1336"


@pytest.mark.clause("11.1")
def test_reach_and_path_agree_hex_for_hex() -> None:
    foe = kind(P, "infantry")[0]
    game = allied({"1437": [HORSE], "1439": [foe]}, turn=2)
    found = reach(game, A, HORSE)
    assert len(found["cost"]) > 30
    for goal, cost in found["cost"].items():
        path = [goal]
        while path[-1] in found["via"]:
            path.append(found["via"][path[-1]])
        made = preview(game, A, "move", units=[HORSE], path=path[::-1])
        assert made["ok"], (goal, made)
        assert made["effect"]["cost"] == cost
        steps = [step["cost"] for step in made["effect"]["steps"]]
        assert steps == sorted(steps)
        assert all(b in MAP.neighbours[a] for a, b in pairwise(path))
    beyond = {n for h in found["cost"] for n in MAP.neighbours[h]} - set(found["cost"]) - {"1437", "1439"}
    for goal in sorted(beyond)[:8]:
        near = [h for h in MAP.neighbours[goal] if h in found["cost"]]
        for last_ in near:
            path = [last_]
            while path[-1] in found["via"]:
                path.append(found["via"][path[-1]])
            assert refused(game, A, "move", units=[HORSE], path=[*path[::-1], goal]) == ("too_far", "11.7")


@pytest.mark.clause("5.1")
def test_a_movement_is_there_again_after_a_reload() -> None:
    game = allied({"1437": [HORSE, FOOT], "1439": kind(P, "infantry")})
    move(game, A, [HORSE, FOOT], "1437", "1438")
    again = resumed(game)
    assert again.request_for(A) == game.request_for(A)
    choose(game, A, "end")
    assert resumed(game).request_for(A) == game.request_for(A)
