"""10 Movement, 11 stacking."""

import pytest

from rules.titles.chaco import stacking
from rules.titles.chaco.march import shown
from tests.rules.titles.chaco.builders import (
    B,
    P,
    Play,
    answer,
    bare,
    choose,
    forms,
    last,
    lots,
    move,
    play,
    position,
    prompt,
    reach,
    refused,
    told,
    until,
)


def march(units: dict[str, str], **body: object) -> Play:
    """A Paraguayan movement phase on an empty map."""
    return play(bare(phase=f"{P}_movement", units=units, **body))


def price(unit: str, a: str, b: str, **body: object) -> object:
    """What one step costs a unit, as the map shows it; None when it can't be taken."""
    side = P if unit.startswith("PY") else B
    game = play(bare(phase=f"{side}_movement", units={unit: a}, **body))
    return reach(game, side, unit)["cost"].get(b)


@pytest.mark.clause("10.4", "10.8", "2.11", "2.21")
def test_terrain_costs_more_in_the_rains_and_more_on_wheels() -> None:
    assert price("PY-INF-ITOR", "2726", "2727") == 2
    assert price("PY-INF-ITOR", "2726", "2727", rain=True) == 3
    assert price("PY-TRK-1", "2726", "2727") == 3
    assert price("PY-TRK-1", "2726", "2727", rain=True) is None
    assert price("PY-INF-ITOR", "1436", "1437") == 1, "clear"
    assert price("BO-INF-21", "1505", "1406") == 2, "hill"


@pytest.mark.clause("10.7")
def test_a_road_costs_a_half_on_foot_and_a_third_on_wheels_only_along_it() -> None:
    assert price("PY-INF-ITOR", "2741", "2742") == 0.5
    assert price("PY-TRK-1", "2741", "2742") == 0.33
    assert price("PY-TRK-1", "2741", "2742", rain=True) == 1
    game = march({"PY-INF-ITOR": "2741"})
    assert reach(game, P, "PY-INF-ITOR")["cost"]["2744"] == 1.5
    assert shown(15) == "2½"


@pytest.mark.clause("10.9")
def test_no_mechanised_unit_in_swamp_or_mountain_and_no_guns_in_swamp_off_the_road() -> None:
    assert price("PY-TRK-1", "1335", "1236") is None
    assert price("PY-ART-A1", "1335", "1236") is None
    assert price("PY-INF-ITOR", "1335", "1236") == 3
    assert price("BO-ARM-T1", "1705", "1704") is None
    assert price("BO-INF-21", "1705", "1704") == 4


@pytest.mark.clause("10.5", "14.1")
def test_a_river_adds_two_or_four_less_beside_an_engineer_and_closes_in_the_rains() -> None:
    assert price("BO-INF-21", "2512", "2612") == 4
    assert price("BO-INF-21", "2512", "2612", rain=True) is None
    helped = bare(phase=f"{B}_movement", units={"BO-INF-21": "2512", "BO-ENG-E1": "2512"})
    assert reach(play(helped), B, "BO-INF-21")["cost"]["2612"] == 3
    assert reach(play({**helped, "rain": True}), B, "BO-INF-21")["cost"]["2612"] == 5
    ferry = reach(play(bare(phase=f"{B}_movement", rain=True, units={"BO-INF-21": "2807"})), B, "BO-INF-21")
    assert "2707" in ferry["cost"], "the ferry works in the rains without an engineer"


@pytest.mark.clause("10.6")
def test_units_move_along_clear_hexsides_away_from_enemy_zones() -> None:
    game = march({"PY-INF-ITOR": "2042"})
    assert price("PY-INF-ITOR", "2142", "2242") == 2
    assert "2241" in reach(game, P, "PY-INF-ITOR")["cost"]
    move(game, P, "PY-INF-ITOR", "2042", "2242")
    assert game.pos.at["PY-INF-ITOR"] == "2242"
    watched = march({"PY-INF-ITOR": "2042", "BO-INF-21": "2243"})
    assert refused(watched, P, "move", units=["PY-INF-ITOR"], path=["2042", "2241"])[1] in ("7.3", "10.4")


@pytest.mark.clause("10.1", "11.4")
def test_one_stack_after_another_and_a_stack_may_split() -> None:
    game = march({"PY-INF-ITOR": "2726", "PY-LDR-Estig": "2726", "PY-INF-5": "3030"})
    move(game, P, ["PY-INF-ITOR", "PY-LDR-Estig"], "2726", "2727")
    move(game, P, "PY-LDR-Estig", "2727", "2728")
    move(game, P, "PY-INF-ITOR", "2727", "2726")
    move(game, P, "PY-INF-5", "3030", "3031")
    assert refused(game, P, "move", units=["PY-LDR-Estig"], path=["2728", "2729"]) == ("settled", "10.1")


@pytest.mark.clause("11.4", "10.1")
def test_together_moves_only_who_began_together_at_the_pace_of_the_slowest() -> None:
    game = march({"PY-INF-ITOR": "2726", "PY-ART-A1": "2726", "PY-INF-5": "2727"})
    assert "2723" not in reach(game, P, ["PY-ART-A1", "PY-INF-ITOR"])["cost"]
    move(game, P, "PY-INF-ITOR", "2726", "2727")
    assert refused(game, P, "move", units=["PY-INF-5", "PY-INF-ITOR"], path=["2727", "2728"]) == ("other_stack", "11.4")
    assert refused(game, P, "move", units=["PY-ART-A1", "PY-INF-5"], path=["2726", "2725"]) == ("not_together", "11.4")
    assert refused(game, P, "move", units=["PY-ART-A1"], path=["2726", "2725", "2724", "2723"]) == ("too_far", "10.4")


@pytest.mark.clause("10.11", "2.19")
def test_a_truck_carries_a_unit_for_two_points_and_its_cargo_moves_no_more() -> None:
    game = march({"PY-TRK-1": "2741", "PY-INF-ITOR": "2741", "PY-LDR-Estig": "2741", "PY-ART-A1": "2741"})
    assert refused(game, P, "move", units=["PY-ART-A1", "PY-INF-ITOR", "PY-TRK-1"], path=["2741", "2742"],
                   aboard={"PY-INF-ITOR": "PY-TRK-1", "PY-ART-A1": "PY-TRK-1"}) == ("too_heavy", "10.11")
    load = {"PY-INF-ITOR": "PY-TRK-1", "PY-LDR-Estig": "PY-TRK-1"}
    assert reach(game, P, "PY-TRK-1", load)["left"] == 6
    move(game, P, "PY-TRK-1", "2741", "2742", "2743", aboard=load)
    assert game.pos.at["PY-INF-ITOR"] == "2743"
    assert game.pos.spent["PY-TRK-1"] == 12 + 4
    assert refused(game, P, "move", units=["PY-INF-ITOR"], path=["2743", "2744"]) == ("was_carried", "10.11")
    move(game, P, "PY-TRK-1", "2743", "2744")
    assert game.pos.at["PY-INF-ITOR"] == "2743", "left behind"


@pytest.mark.clause("10.11", "8.15")
def test_a_truck_carries_two_supply_points_and_no_armour() -> None:
    game = march({"PY-TRK-1": "2741"}, supply={P: {"2741": 3}})
    three = {f"PY-CSP-{n}": "PY-TRK-1" for n in (1, 2, 3)}
    assert refused(game, P, "move", units=[*three, "PY-TRK-1"], path=["2741", "2742"], aboard=three)[0] == "too_heavy"
    move(game, P, "PY-TRK-1", "2741", "2742", aboard={k: three[k] for k in list(three)[:2]})
    assert len(game.pos.stack("2742")) == 3
    armour = play(bare(phase=f"{B}_movement", units={"BO-TRK-1": "1741", "BO-ARM-T1": "1741"}))
    assert refused(armour, B, "move", units=["BO-ARM-T1", "BO-TRK-1"], path=["1741", "1740"],
                   aboard={"BO-ARM-T1": "BO-TRK-1"}) == ("no_cargo", "10.11")


@pytest.mark.clause("8.15", "2.20")
def test_supply_units_walk_with_four_points() -> None:
    game = march({}, supply={P: {"2728": 1}})
    assert reach(game, P, "PY-CSP-1")["left"] == 4
    assert "2726" in reach(game, P, "PY-CSP-1")["cost"]


@pytest.mark.clause("10.12")
def test_boxes_off_the_map_cost_a_point_or_a_whole_turn() -> None:
    game = march({"PY-INF-ITOR": "2753", "PY-INF-5": "2752", "PY-INF-7": "1953"})
    assert reach(game, P, "PY-INF-ITOR")["cost"]["2854"] == 1
    assert reach(game, P, "PY-INF-ITOR")["cost"]["3353"] == 5, "four boxes and a clear hex"
    assert "2354" in reach(game, P, "PY-INF-ITOR")["cost"]
    assert "2354" not in reach(game, P, "PY-INF-5")["cost"], "it did not begin beside the box"
    move(game, P, "PY-INF-7", "1953", "2354")
    assert game.pos.spent["PY-INF-7"] == 36, "the whole phase"
    later = march({"PY-INF-7": "2354"})
    assert reach(later, P, "PY-INF-7")["cost"]["2753"] <= 2


@pytest.mark.clause("10.12")
def test_no_combat_reaches_a_box_and_no_reaction_leaves_one_of_a_turn() -> None:
    units = {"PY-INF-ITOR": "2354", "PY-LDR-Estig": "2354"}
    assert [step["event"] for step in told(play(bare(phase=f"{P}_reaction", units=units)))][:2] == [
        "reaction_began", "reaction_ended"], "nobody is asked for that alone"
    game = play(bare(phase=f"{P}_reaction", units={**units, "PY-INF-5": "2726", "PY-LDR-Franco": "2726"}))
    assert list(forms(game, P)["move"]["stacks"]) == ["2726"]
    assert refused(game, P, "move", units=["PY-INF-ITOR", "PY-LDR-Estig"], path=["2354", "2753"]) == (
        "no_reaction_there", "10.12")


@pytest.mark.clause("10.3", "2.13", "16.2", "8.15")
def test_combat_units_run_over_enemies_that_do_not_fight() -> None:
    units = {"PY-INF-ITOR": "2726", "BO-LDR-Toro": "2727", "BO-TRK-1": "2727", "BO-GHQ": "2727", "BO-INF-21": "1537"}
    game = play(bare(phase=f"{P}_movement", units=units, supply={B: {"2727": 2}}, points={P: 10, B: 10}), [4, 1, 5])
    move(game, P, "PY-INF-ITOR", "2726", "2727")
    assert game.pos.at["BO-LDR-Toro"] == "1537"
    assert game.pos.at["BO-TRK-1"] == "trucks:bolivia"
    assert game.pos.at["BO-GHQ"] == "lifted:bolivia"
    assert game.pos.vp[P] == 10 + 4 * 3 + 1, "four times Toro's three, one point captured"
    assert [u for u in game.pos.stack("2727") if u.startswith("PY-CSP")] == ["PY-CSP-1"]


@pytest.mark.clause("10.3")
def test_units_that_do_not_fight_run_over_nobody() -> None:
    game = march({"PY-TRK-1": "1436", "BO-TRK-1": "1437"})
    assert "1437" not in reach(game, P, "PY-TRK-1")["cost"]


@pytest.mark.clause("16.2", "16.5")
@pytest.mark.parametrize(("rules", "dice", "points"), [("dice", [5], 10), ("fixed", [], 6)])
def test_a_settlement_taken_by_movement_counts_double(rules: str, dice: list[int], points: int) -> None:
    game = play(bare(phase=f"{P}_movement", units={"PY-INF-ITOR": "2837"}, points={P: 10}), dice,
                options={"settlement_points": rules})
    move(game, P, "PY-INF-ITOR", "2837", "2836")
    assert last(game, "settlement_taken")["points"] == points
    assert game.pos.vp[P] == 10 + points


@pytest.mark.clause("16.2")
def test_a_great_settlement_gives_two_dice() -> None:
    game = play(bare(phase=f"{B}_movement", units={"BO-INF-21": "2740"}, points={B: 0}), [3, 4])
    move(game, B, "BO-INF-21", "2740", "2741")
    assert last(game, "settlement_taken")["points"] == 14


@pytest.mark.clause("16.2")
def test_units_leave_by_the_enemys_edge_for_a_point_and_for_good() -> None:
    game = play(bare(phase=f"{B}_movement", units={"BO-INF-21": "2752"}, points={B: 3}), [])
    assert "leave_map" not in forms(game, B)
    move(game, B, "BO-INF-21", "2752", "2753")
    answer(game, B, "leave_map", lots={"2753": ["BO-INF-21"]})
    assert game.pos.at["BO-INF-21"] == "lost:bolivia"
    assert game.pos.vp[B] == 4


# -- reaction (10.10) ----------------------------------------------------------------------------------------


@pytest.mark.clause("10.10")
def test_units_react_with_a_leader_on_half_their_points() -> None:
    game = play(bare(phase=f"{B}_reaction", units={"BO-INF-21": "2726", "BO-LDR-Toro": "2726", "BO-INF-14": "2724"}))
    assert list(forms(game, B)["move"]["stacks"]) == ["2726"], "nobody reacts without a leader"
    assert refused(game, B, "move", units=["BO-INF-21"], path=["2726", "2727"]) == ("reacts_with_leader", "10.10")
    assert refused(game, B, "move", units=["BO-LDR-Toro"], path=["2726", "2727"]) == ("reacts_with_leader", "10.10")
    assert reach(game, B, ["BO-INF-21", "BO-LDR-Toro"])["left"] == 3, "half of five, rounded up"
    move(game, B, ["BO-INF-21", "BO-LDR-Toro"], "2726", "2727")
    assert refused(game, B, "move", units=["BO-INF-21", "BO-LDR-Toro"], path=["2727", "2728"]) == ("too_far", "10.4")


@pytest.mark.clause("10.10", "7.3")
def test_nobody_reacts_from_an_enemy_zone_and_the_phase_is_skipped_then() -> None:
    units = {"BO-INF-21": "2727", "BO-LDR-Toro": "2727", "PY-INF-ITOR": "2728"}
    game = play(bare(phase=f"{B}_reaction", units=units))
    assert [step["event"] for step in told(game) if step["event"].startswith("reaction")] == [
        "reaction_began", "reaction_ended"]


@pytest.mark.clause("10.10")
def test_in_reaction_who_is_dropped_has_finished_and_nobody_is_taken_up() -> None:
    units = {"BO-INF-21": "2726", "BO-INF-16": "2726", "BO-LDR-Toro": "2726", "BO-INF-14": "1436", "BO-CAV-5c": "1437",
             "BO-LDR-Pena": "1436"}
    game = play(bare(phase=f"{B}_reaction", units=units))
    move(game, B, ["BO-INF-14", "BO-LDR-Pena"], "1436", "1437")
    assert refused(game, B, "move", units=["BO-CAV-5c", "BO-INF-14", "BO-LDR-Pena"], path=["1437", "1436"])[0] in (
        "no_pick_up", "other_stack")
    move(game, B, ["BO-INF-16", "BO-INF-21", "BO-LDR-Toro"], "2726", "2727")
    assert "BO-INF-14" in game.pos.settled


@pytest.mark.clause("10.10", "4.2")
def test_the_other_side_reacts_in_the_middle_of_a_turn() -> None:
    game = play({"phase": f"{P}_movement"})
    choose(game, P, "end")
    assert prompt(game, B) == "reaction"
    choose(game, B, "end_reaction")
    assert not game.asked or game.asked[0] == P


# -- stacking (11) -------------------------------------------------------------------------------------------


@pytest.mark.clause("11.2", "11.3")
def test_limits_by_terrain_and_what_does_not_count() -> None:
    pos = position(**bare(units={"PY-INF-ITOR": "2728", "PY-ENG-E1": "2728", "PY-LDR-Estig": "2728", "PY-TRK-1": "2728",
                                 "PY-GHQ": "2728"}, works={"2729": "entrenchment"}, supply={P: {"2728": 3}}))
    assert stacking.limit(pos, "2728") == 4
    assert stacking.limit(pos, "2729") == 6
    assert stacking.limit(pos, "2241") == 6
    assert stacking.limit(pos, "2354") > 100
    assert stacking.room(pos, "2728") == 3


@pytest.mark.clause("11.1")
def test_what_is_too_many_goes_to_the_dead_pile_at_the_end_of_movement() -> None:
    five = {f"PY-INF-{n}": "2728" for n in ("5", "7", "8", "9")}
    game = play(bare(phase=f"{P}_movement", units={**five, "PY-INF-11": "2727"}, points={B: 10}))
    move(game, P, "PY-INF-11", "2727", "2728")
    choose(game, P, "end")
    assert prompt(game, P) == "excess"
    assert lots(game, P)["2728"]["min"] == 1
    answer(game, P, "excess", lots={"2728": ["PY-INF-9"]})
    assert game.pos.at["PY-INF-9"] == "dead:paraguay"
    assert game.pos.vp[B] == 11


@pytest.mark.clause("10.13")
def test_mounted_cavalry_has_eight_points() -> None:
    body = bare(phase=f"{P}_movement", units={"PY-CAV-TOLE": "2726"})
    assert reach(play(body, options={"cavalry": "mounted"}), P, "PY-CAV-TOLE")["left"] == 8
    assert reach(play(body), P, "PY-CAV-TOLE")["left"] == 6


@pytest.mark.clause("10.13", "8.12")
def test_mounted_cavalry_always_rolls_attrition_and_worse_out_of_supply() -> None:
    units = {"PY-GHQ": "2753", "PY-CAV-TOLE": "2753", "PY-CAV-VR": "2728"}
    game = play(bare(phase=f"{P}_supply", units=units), [6, 6, 3], options={"cavalry": "mounted"})
    choose(game, P, "2753")
    until(game, "supply_points")
    rolled = {step["data"]["at"]: {m["label"]["key"] for m in step["data"]["modifiers"]}
              for step in told(game, "attrition_rolled")}
    assert set(rolled) == {"2753", "2728"}
    assert "modifier.mounted" in rolled["2728"]
    assert "modifier.mounted" not in rolled["2753"]


def test_a_path_over_what_is_no_hex_is_refused() -> None:
    game = play(bare(phase=f"{P}_movement", units={"PY-INF-ITOR": "2727"}), [])
    for path in (["2727", "PY-GHQ"], ["2727", "2728", "9999"]):
        assert not game.pending[P].preview({"form": "move", "units": ["PY-INF-ITOR"], "path": path})["ok"]
