"""8 Supply, and the headquarters."""

import pytest

from rules.titles.chaco import supply
from rules.titles.chaco.supply_phase import commander_rating, side_net
from tests.rules.titles.chaco.builders import (
    B,
    P,
    answer,
    bare,
    choose,
    forms,
    last,
    lots,
    pass_on,
    play,
    position,
    prompt,
    refused,
    told,
    until,
    view,
)


@pytest.mark.clause("8.4")
def test_the_rail_head_needs_the_whole_railway_and_villa_montes_its_river() -> None:
    free = position(**bare(units={}))
    assert "3447" in supply.sources(free, P)
    assert "2807" in supply.sources(free, B)
    cut = position(**bare(units={"BO-INF-21": "3451", "PY-INF-ITOR": "2704"}))
    assert "3447" not in supply.sources(cut, P), "a zone on the railway"
    assert "2807" not in supply.sources(cut, B), "a Paraguayan on the river"


@pytest.mark.clause("8.4", "7.8")
def test_a_source_in_an_enemy_zone_works_again_when_a_friend_negates_it() -> None:
    alone = position(**bare(units={"BO-INF-21": "1952"}))
    assert "1953" not in supply.sources(alone, P)
    held = position(**bare(units={"BO-INF-21": "1952", "PY-ENG-E1": "1953"}))
    assert "1953" in supply.sources(held, P)


@pytest.mark.clause("8.6")
def test_the_shortest_line_of_the_first_scenario_is_thirty_seven_long() -> None:
    pos = position(phase=f"{B}_supply")
    lines = supply.shortest_lines(pos, B)
    assert lines["2807"]["length"] == 37
    assert lines["2807"]["path"][0] == "2807"
    assert lines["2807"]["path"][-1] == "1537"


@pytest.mark.clause("8.4", "8.6", "2.18")
def test_a_line_is_laid_by_its_owner_and_bad_ones_are_refused() -> None:
    game = play({"phase": f"{B}_supply"})
    form = forms(game, B)["own_line"]
    assert list(form["stacks"]) == ["1537"]
    path = list(reversed(supply.shortest_lines(game.pos, B)["2807"]["path"]))
    there_and_back = [*path[:3], *path[1:]]
    for bad, why in ((["1537", "1538"], ("no_source", "8.4")), (["1537", "2807"], ("no_line", "8.6")),
                     (there_and_back, ("no_line", "8.6"))):
        assert refused(game, B, "own_line", units=["BO-GHQ"], path=bad) == why
    answer(game, B, "own_line", units=["BO-GHQ"], path=path)
    assert last(game, "line_laid")["length"] == 37
    assert last(game, "line_laid")["radius"] == 6


@pytest.mark.clause("8.6")
def test_no_swamp_enemy_zone_or_enemy_settlement_lies_on_a_line() -> None:
    swamp = next(h for h in position(**bare(units={})).game.map.hexes if h == "1236")
    pos = position(**bare(units={"BO-INF-21": "2728", "PY-GHQ": "2726"}))
    assert supply.line_length(pos, P, ["1953", swamp, "2726"]) is None
    closed = supply.barred(pos, P)
    assert {"2728", "2727"} <= closed
    assert "1741" in closed, "Bolivian Saavedra"


@pytest.mark.clause("8.7", "8.2")
@pytest.mark.parametrize(("length", "radius", "column"), [(0, 8, "0-20"), (20, 8, "0-20"), (21, 6, "21-39"),
                                                          (39, 6, "21-39"), (40, 4, "40+")])
def test_the_line_gives_radius_and_column(length: int, radius: int, column: str) -> None:
    pos = position(**bare(units={}))
    assert supply.radius_of(pos, B, length) == radius
    assert supply.column(pos, B, length)["label"] == column
    assert supply.radius_of(pos, B, None) == 4


@pytest.mark.clause("8.7")
def test_the_radius_counts_the_hex_of_the_unit_and_stops_at_enemies() -> None:
    pos = position(**bare(units={"BO-INF-21": "2730"}))
    found = supply.covered(pos, P, "2726", False, 4)
    assert "2728" in found, "two scrub hexes cost four"
    assert "2725" in found
    assert not found & {"2730", "2729"}
    assert "2726" in found


@pytest.mark.clause("8.8")
def test_depots_stand_on_settlements_of_the_line_in_the_supply_phase_only() -> None:
    game = play({"phase": f"{B}_supply"})
    choose(game, B, "2807")
    while prompt(game, B) == "depots":
        choose(game, B, forms(game, B)["depots"]["options"][0]["id"])
    at = game.pos.depots[B]
    assert at
    line = game.pos.lines[B]
    assert line is not None
    assert set(at) <= game.pos.game.settlements & set(line["path"])
    assert len(at) <= 4
    game.chance.rolls[:] = [5] * 9
    until(game, "call_up")
    assert game.pos.depots[B] == []
    game.chance.rolls.clear()


@pytest.mark.clause("8.9", "8.10", "2.14")
def test_leaders_hand_supply_on_in_a_chain() -> None:
    units = {"PY-GHQ": "2753", "PY-LDR-Estig": "2751", "PY-LDR-Franco": "2747", "PY-INF-ITOR": "2744",
             "PY-INF-5": "2735", "PY-LDR-Garay": "2734"}
    pos = position(**bare(phase=f"{P}_movement", units=units))
    line = supply.shortest_lines(pos, P)["2753"]
    net = supply.net(pos, P, line, [], [])
    assert {"PY-LDR-Estig", "PY-LDR-Franco", "PY-INF-ITOR"} <= net.supplied
    assert {"PY-INF-5", "PY-LDR-Garay"} <= net.out
    assert net.projects["2747"] != ""


@pytest.mark.clause("8.11", "2.19")
def test_an_assigned_truck_stretches_the_radius_mechanised_and_stays() -> None:
    pos = position(**bare(units={}))
    foot = supply.covered(pos, P, "2741", False, 4)
    wheels = supply.covered(pos, P, "2741", True, 4)
    assert foot < wheels
    game = play(bare(phase=f"{P}_movement", assigned=["PY-TRK-1"], units={"PY-TRK-1": "2741", "PY-LDR-Estig": "2741"}))
    assert refused(game, P, "move", units=["PY-TRK-1"], path=["2741", "2742"]) == ("assigned", "8.11")


@pytest.mark.clause("8.11")
def test_trucks_are_asked_for_where_a_radius_may_start_and_refused_where_none_does() -> None:
    units = {"PY-GHQ": "2753", "PY-TRK-1": "2753", "PY-TRK-2": "2734", "PY-LDR-Garay": "2734", "PY-TRK-3": "2737"}
    game = play(bare(phase=f"{P}_supply", units=units))
    choose(game, P, "2753")
    until(game, "trucks")
    assert set(lots(game, P)) == {"2753", "2734"}
    assert refused(game, P, "trucks", lots={"2734": ["PY-TRK-2"]}) == ("no_radius", "8.11")
    game.chance.rolls[:] = [3, 3]
    answer(game, P, "trucks", lots={"2753": ["PY-TRK-1"]})
    assert game.pos.assigned == ["PY-TRK-1"]
    game.chance.rolls.clear()


@pytest.mark.clause("8.3", "8.12", "8.13")
@pytest.mark.parametrize(("die", "effect"), [(3, "none"), (2, "step"), (1, "step")])
def test_attrition_without_water(die: int, effect: str) -> None:
    units = {"PY-GHQ": "2753", "PY-INF-ITOR": "2728"}
    game = play(bare(phase=f"{P}_supply", units=units), [die, 3])
    choose(game, P, "2753")
    until(game, "supply_points")
    shown = last(game, "attrition_rolled")
    assert [m["label"]["key"] for m in shown["modifiers"]] == ["modifier.no_water"]
    assert shown["effect"] == f"effect.{effect}"
    assert ("PY-INF-ITOR" in game.pos.reduced) is (effect == "step")


@pytest.mark.clause("8.12", "8.13", "16.2", "7.7")
def test_the_isolated_surrender_below_zero_for_two_points() -> None:
    ring = {"BO-INF-14": "2727", "BO-INF-16": "2829", "BO-INF-20": "2629"}
    units = {"PY-GHQ": "2753", "PY-INF-ITOR": "2728", "PY-LDR-Garay": "2728", "PY-INF-5": "2753", **ring}
    game = play(bare(phase=f"{P}_supply", units=units, points={P: 20, B: 20}), [2, 4, 3])
    choose(game, P, "2753")
    until(game, "supply_points")
    assert {m["label"]["key"] for m in last(game, "attrition_rolled")["modifiers"]} == {
        "modifier.no_water", "modifier.isolated"}
    assert game.pos.at["PY-INF-ITOR"] == "dead:paraguay"
    assert game.pos.vp[B] == 20 + 2 + 4 * 2, "two for the surrender, four times Garay's rating for the leader"
    assert game.pos.at["PY-LDR-Garay"] == "2753"


@pytest.mark.clause("8.13")
def test_water_is_a_wet_settlement_a_spring_a_river_a_well_or_the_rain() -> None:
    from rules.titles.chaco.attrition import has_water
    pos = position(**bare(units={}, wells=["2728"]))
    assert has_water(pos, "2728")
    assert has_water(pos, "2440")
    assert has_water(pos, "2325")
    assert has_water(pos, "2708")
    assert not has_water(pos, "2727")
    assert has_water(position(**bare(units={}, rain=True)), "2727")


@pytest.mark.clause("8.13", "13.3")
def test_one_air_drop_a_turn_helps_one_bolivian_unit() -> None:
    units = {"BO-GHQ": "2807", "BO-INF-21": "2728", "BO-INF-14": "2730"}
    game = play(bare(phase=f"{B}_supply", units=units, radius={B: 4}), [2, 3, 3])
    choose(game, B, "2807")
    until(game, "air_drop")
    answer(game, B, "air_drop", lots={"air_drop": ["BO-INF-21"]})
    assert game.pos.air[B] == 2
    assert game.pos.dropped
    first = told(game, "attrition_rolled")[0]["data"]
    assert first["row"] == 2
    assert first["effect"] == "effect.none", "2, less 1 for water, plus 1"


@pytest.mark.clause("8.2", "8.5", "9.1", "9.6", "2.16")
def test_the_roll_of_the_example_five_gives_four_points_four_men_and_a_truck() -> None:
    units = {"BO-GHQ": "2807", "BO-LDR-Pena": "2807"}
    game = play(bare(phase=f"{B}_supply", units=units, commander={B: "BO-LDR-Pena"}, replacements={B: 7}), [6])
    assert commander_rating(game.pos, B) == -1
    choose(game, B, "2807")
    until(game, "supply_points")
    shown = last(game, "supply_rolled")
    assert [shown[k] for k in ("roll", "rating", "row", "points", "replacements", "trucks")] == [6, -1, 5, 4, 4, 1]
    assert game.pos.replacements[B] == 7 + 4, "no more than nine are kept of those that are not used (9.1)"
    assert game.pos.stack("due:bolivia") == ["BO-TRK-1"]


@pytest.mark.clause("8.2")
def test_the_commander_counts_only_with_the_headquarters() -> None:
    pos = position(**bare(units={"BO-GHQ": "2807", "BO-LDR-Pena": "2810"}, commander={B: "BO-LDR-Pena"}))
    assert commander_rating(pos, B) == 0


@pytest.mark.clause("8.14", "8.15", "2.20")
def test_new_points_go_where_there_is_general_supply_and_the_rest_is_lost() -> None:
    units = {"BO-GHQ": "2807", "BO-LDR-Toro": "2728"}
    game = play(bare(phase=f"{B}_supply", units=units), [4])
    choose(game, B, "2807")
    until(game, "supply_points")
    group = forms(game, B)["supply_points"]["groups"][0]
    assert "2807" in group["where"]
    assert "2728" not in group["where"], "Toro is out of supply"
    answer(game, B, "supply_points", placed={group["units"][0]: "2807"})
    assert last(game, "points_placed")["count"] == 1
    assert last(game, "points_placed")["lost"] == len(group["units"]) - 1


@pytest.mark.clause("8.5", "8.7")
def test_without_a_line_there_is_no_roll_and_the_headquarters_may_be_lifted() -> None:
    ring = {"BO-INF-14": "2727", "BO-INF-16": "2829", "BO-INF-20": "2629"}
    game = play(bare(phase=f"{P}_supply", units={"PY-GHQ": "2728", **ring}), [1, 1, 1])
    assert prompt(game, P) == "lift"
    choose(game, P, "lift")
    assert game.pos.at["PY-GHQ"] == "lifted:paraguay"
    assert game.pos.radius[P] == 4
    until(game, "movement")
    assert not told(game, "supply_rolled")


@pytest.mark.clause("8.5")
def test_a_lifted_headquarters_comes_back_in_the_next_turn_where_a_line_reaches() -> None:
    game = play(bare(phase=f"{P}_new_units", turn=2, units={"PY-GHQ": "lifted"}), [1, 1, 1])
    until(game, "new_units")
    group = next(g for g in forms(game, P)["new_units"]["groups"] if g["id"] == "ghq")
    assert group["must"]
    assert "2741" in group["where"]
    assert "1537" not in group["where"], "a Bolivian settlement"


@pytest.mark.clause("10.12", "8.10")
def test_who_is_off_the_map_is_in_supply() -> None:
    pos = position(**bare(phase=f"{P}_movement", units={"PY-INF-ITOR": "2354", "PY-GHQ": "2753"}))
    net = supply.net(pos, P, supply.shortest_lines(pos, P)["2753"], [], [])
    assert "PY-INF-ITOR" in net.supplied


@pytest.mark.clause("12.12", "8.11")
def test_a_point_serves_the_normal_radius_of_a_leader_in_supply_only() -> None:
    units = {"PY-LDR-Estig": "2728"}
    pos = position(**bare(units=units, radius={P: 4}))
    assert "2726" in supply.serves(pos, P, "2728")
    hungry = position(**bare(units=units, radius={P: 4}, out=["PY-LDR-Estig"]))
    assert supply.serves(hungry, P, "2728") == {"2728"}


@pytest.mark.clause("8.6")
def test_the_line_lies_on_the_map_as_a_layer() -> None:
    game = play({"phase": f"{B}_supply"}, [3] * 20)
    choose(game, B, "2807")
    layer = view(game, "public")["layer:supply_bolivia"]
    assert layer["parts"][0]["path"][0] == "2807"
    assert layer["shown"], "in the supply phase of its side it is shown"
    while game.pos.stage == f"{B}_supply":
        pass_on(game)
    assert not view(game, "public")["layer:supply_bolivia"]["shown"]
    game.chance.rolls.clear()
    assert side_net(game.pos, B).supplied
