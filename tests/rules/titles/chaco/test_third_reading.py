"""What a third reading of the rulebook, sentence by sentence, found to be otherwise."""

import pytest

from rules.titles.chaco import engineers, retreat, supply
from rules.titles.chaco.march import party, ways_of
from tests.rules.titles.chaco.builders import (
    B,
    P,
    answer,
    bare,
    choose,
    move,
    pass_on,
    play,
    position,
    prompt,
    reach,
    refused,
    told,
    until,
)
from tests.rules.titles.chaco.test_combat import SCRUB, battle, strike
from tests.rules.titles.chaco.test_politics import ARMY, politics

NOBODY: frozenset[str] = frozenset()


# -- supply (8) ----------------------------------------------------------------------------------------------


@pytest.mark.clause("10.6", "8.7")
def test_only_a_zone_bars_a_clear_hexside_to_supply() -> None:
    """Beside an enemy settlement, and between hexes of enemies that exert no zone, the cut is open."""
    held = {"control": {"2141": B}}
    assert "2242" in supply.covered(position(**bare(units={"BO-ENG-E1": "2142"}, **held)), P, "2042", False, 5)
    assert "2242" not in supply.covered(position(**bare(units={"BO-INF-21": "2142"}, **held)), P, "2042", False, 5)


@pytest.mark.clause("8.13", "10.12")
def test_no_path_leads_the_isolated_through_the_boxes_off_the_map() -> None:
    ring = {"PY-INF-5": "2901", "PY-INF-7": "3002", "PY-INF-8": "3101"}
    units = {"BO-GHQ": "3701", "BO-INF-21": "3001", "BO-INF-14": "3400", "BO-INF-16": "3704", **ring}
    assert supply.cut_off(position(**bare(units=units)), B) == {"3001"}, "who is off the map is never cut off"


@pytest.mark.clause("12.12", "8.7")
def test_a_point_in_a_box_off_the_map_serves_nobody_on_it() -> None:
    pos = position(**bare(units={"PY-LDR-Estig": "2854"}, supply={P: {"2854": 1}}, radius={P: 8}))
    assert supply.serves(pos, P, "2854") == {"2854"}


@pytest.mark.clause("8.11")
def test_a_truck_once_assigned_may_stay_so_where_its_leader_is_out_of_supply() -> None:
    units = {"PY-GHQ": "2753", "PY-LDR-Franco": "2728", "PY-TRK-1": "2728", "PY-LDR-Ferna": "2526", "PY-TRK-2": "2526"}
    game = play(bare(phase=f"{P}_supply", units=units, assigned=["PY-TRK-1"]), [3])
    choose(game, P, "2753")
    until(game, "trucks")
    assert refused(game, P, "trucks", lots={"2526": ["PY-TRK-2"]}) == ("no_radius", "8.11")
    answer(game, P, "trucks", lots={"2728": ["PY-TRK-1"]})
    assert game.pos.assigned == ["PY-TRK-1"]


@pytest.mark.clause("9.1", "9.3")
def test_nine_replacements_are_kept_of_those_that_are_not_used() -> None:
    """Eight were kept and four come in: twelve can be used, and what is left over is cut down to nine then."""
    units = {"BO-GHQ": "2807", "BO-LDR-Pena": "2807", "BO-INF-21": "2807", "BO-INF-14": "2807"}
    game = play(bare(phase=f"{B}_supply", units=units, commander={B: "BO-LDR-Pena"}, replacements={B: 8},
                     reduced=["BO-INF-21", "BO-INF-14"]), [6, 0, 0])
    choose(game, B, "2807")
    until(game, "replacements")
    assert game.pos.replacements[B] == 12
    answer(game, B, "replacements", lots={"replacements": ["BO-INF-14", "BO-INF-21"]})
    assert game.pos.replacements[B] == 9
    assert not game.pos.reduced


# -- movement (10) -------------------------------------------------------------------------------------------


@pytest.mark.clause("10.5")
def test_an_engineer_that_goes_along_ferries_its_stack_over_the_river_it_comes_to() -> None:
    units = {"BO-ENG-E1": "2412", "BO-INF-21": "2412"}
    game = play(bare(phase=f"{B}_movement", units=units))
    assert "2612" not in reach(game, B, "BO-INF-21")["cost"], "twice the terrain, and two for the river"
    assert reach(game, B, sorted(units))["cost"]["2612"] == 5
    move(game, B, sorted(units), "2412", "2512", "2612")
    assert game.pos.spent["BO-INF-21"] == 30
    wet = position(**bare(units={"BO-ENG-E1": "2412", "BO-LDR-Toro": "2412"}, rain=True))
    assert wet.ways("foot", B).price("2512", "2612") is None
    assert ways_of(wet, party(wet, B, ["BO-ENG-E1", "BO-LDR-Toro"], {}, False), "foot").price("2512", "2612") == 30


@pytest.mark.clause("10.11")
def test_a_truck_whose_movement_is_over_has_put_down_its_load_for_another() -> None:
    units = {"PY-TRK-1": "2741", "PY-TRK-2": "2743", "PY-INF-ITOR": "2741"}
    game = play(bare(phase=f"{P}_movement", units=units))
    move(game, P, "PY-TRK-1", "2741", "2742", "2743", aboard={"PY-INF-ITOR": "PY-TRK-1"})
    on = {"units": ["PY-INF-ITOR", "PY-TRK-2"], "path": ["2743", "2744"], "aboard": {"PY-INF-ITOR": "PY-TRK-2"}}
    assert refused(game, P, "move", **on) == ("moved_itself", "10.11"), "it is still on the first truck"
    move(game, P, "PY-TRK-2", "2743", "2744")
    assert game.pos.aboard == {}
    move(game, P, "PY-TRK-2", "2744", "2743")
    answer(game, P, "move", **on)
    assert game.pos.at["PY-INF-ITOR"] == "2744"


@pytest.mark.clause("10.10", "10.11")
def test_in_reaction_no_other_truck_takes_up_who_has_left_a_stack() -> None:
    """He began with another leader, and who has left a moving stack has finished."""
    units = {"PY-TRK-1": "2741", "PY-LDR-Estig": "2741", "PY-INF-ITOR": "2741", "PY-TRK-2": "2743",
             "PY-LDR-Franco": "2743"}
    game = play(bare(phase=f"{P}_reaction", units=units))
    move(game, P, "PY-TRK-1", "2741", "2742", "2743", aboard={"PY-INF-ITOR": "PY-TRK-1", "PY-LDR-Estig": "PY-TRK-1"})
    move(game, P, ["PY-LDR-Franco", "PY-TRK-2"], "2743", "2742")
    move(game, P, ["PY-LDR-Franco", "PY-TRK-2"], "2742", "2743")
    assert refused(game, P, "move", units=["PY-INF-ITOR", "PY-LDR-Franco", "PY-TRK-2"], path=["2743", "2744"],
                   aboard={"PY-INF-ITOR": "PY-TRK-2"}) == ("no_pick_up", "10.10")
    fresh = play(bare(phase=f"{P}_reaction", units=units))
    move(fresh, P, "PY-TRK-1", "2741", "2742", "2743", aboard={"PY-INF-ITOR": "PY-TRK-1", "PY-LDR-Estig": "PY-TRK-1"})
    move(fresh, P, "PY-TRK-1", "2743", "2744", aboard={"PY-LDR-Estig": "PY-TRK-1"})
    other = {"PY-INF-ITOR": "PY-TRK-2", "PY-LDR-Franco": "PY-TRK-2"}
    assert refused(fresh, P, "move", units=sorted(["PY-TRK-2", *other]), path=["2743", "2744"], aboard=other) == (
        "no_pick_up", "10.10")


@pytest.mark.clause("10.1", "16.2")
def test_who_leaves_the_map_ends_the_movement_of_the_stack_under_way() -> None:
    game = play(bare(phase=f"{B}_movement", units={"BO-INF-21": "2753", "BO-INF-14": "2740"}, points={B: 3}))
    move(game, B, "BO-INF-14", "2740", "2739")
    answer(game, B, "leave_map", lots={"2753": ["BO-INF-21"]})
    assert refused(game, B, "move", units=["BO-INF-14"], path=["2739", "2738"]) == ("settled", "10.1")


# -- combat (12, 13) -----------------------------------------------------------------------------------------


@pytest.mark.clause("10.6", "12.8")
def test_no_rout_runs_along_clear_hexsides() -> None:
    pos = position(**bare(units={"BO-INF-21": "2042"}))
    barred = frozenset({"2141", "2142"})
    assert "2242" not in retreat.flight(pos, "BO-INF-21", barred, NOBODY).cost
    assert "2043" in retreat.flight(pos, "BO-INF-21", barred, NOBODY).cost


@pytest.mark.clause("12.8")
def test_a_rout_goes_round_a_river_where_crossing_it_would_be_cheaper() -> None:
    units = {"PY-INF-ITOR": "2708", "PY-ENG-E1": "2708", "PY-ENG-E2": "2611"}
    found = retreat.flight(position(**bare(units=units)), "PY-INF-ITOR", NOBODY, NOBODY)
    assert found.path("2611") == ["2708", "2609", "2610", "2611"]


@pytest.mark.clause("12.8", "10.12")
def test_the_way_home_of_a_rout_does_not_lead_through_the_boxes_off_the_map() -> None:
    """From a source on the edge to the next: ten points over land, six through the boxes."""
    assert retreat.homeward(position(**bare(units={})), B, "foot", "4401", NOBODY)["4401"] == 60


@pytest.mark.clause("12.8", "10.3")
def test_a_retreat_runs_over_enemies_that_do_not_fight() -> None:
    """They have no zone and do not bar the way: a truck behind the line held a whole stack up for a step each."""
    game = battle({**SCRUB, "BO-INF-4": "1537", "PY-TRK-1": "2729"}, [4, 5], supply={P: {"2727": 1}})
    strike(game, P, "2728", "PY-CAV-AC")
    answer(game, P, "attacker_supply", lots={"2727": ["PY-CSP-1"]})
    answer(game, B, "defender_losses", lots={"flip": ["BO-INF-21"]})
    choose(game, B, "2729")
    assert game.pos.stack("2729") == ["BO-INF-21"]
    assert game.pos.at["PY-TRK-1"] == "trucks:paraguay"


@pytest.mark.clause("14.2", "12.11")
def test_an_engineer_that_advances_builds_nothing() -> None:
    units = {**SCRUB, "PY-INF-YAC": "2727", "PY-ENG-E1": "2727", "BO-INF-21": "dead", "BO-ENG-E1": "2728"}
    game = play(bare(phase=f"{P}_movement", units=units, supply={P: {"2727": 1}}, air={P: 0, B: 0}), [6])
    choose(game, P, "PY-ENG-E1:entrenchment")
    until(game, "combat")
    strike(game, P, "2728", "PY-CAV-AC", "PY-INF-YAC")
    answer(game, P, "attacker_supply", lots={"2727": ["PY-CSP-1"]})
    answer(game, P, "advance", placed={"PY-ENG-E1": "2728", "PY-CAV-AC": "2728"})
    assert game.pos.building == {}
    until(game, "politics")
    assert not told(game, "work_done")
    assert game.pos.works == {"2837": "entrenchment"}


@pytest.mark.clause("12.9", "13.2")
def test_supply_left_alone_by_a_barrage_is_lost() -> None:
    units = {"PY-ART-A1": "2726", "PY-ART-A2": "2726", "PY-LDR-Estig": "2726", "BO-ENG-E1": "2727"}
    game = battle(units, [6], options={"barrage": "on"}, supply={P: {"2726": 2}, B: {"2727": 2}})
    answer(game, P, "barrage", target="2727", units=["PY-ART-A1", "PY-ART-A2"])
    while prompt(game, B) == "barrage_losses":
        pass_on(game)
    assert game.pos.at["BO-ENG-E1"] == "dead:bolivia"
    assert not game.pos.stack("2727")


# -- engineers (14) ------------------------------------------------------------------------------------------


@pytest.mark.clause("14.6")
def test_every_engineer_may_try_for_a_well_while_a_marker_is_left() -> None:
    units = {"PY-ENG-E1": "2726", "PY-ENG-E2": "2728", "PY-ENG-E3": "2730"}
    game = play(bare(phase=f"{P}_movement", units=units), [4, 3, 2])
    for unit in units:
        choose(game, P, f"{unit}:well")
    until(game, "politics")
    assert game.pos.wells == ["2728", "2730"]
    assert "well" not in engineers.projects(game.pos, "PY-ENG-E1"), "both markers lie on the map"


@pytest.mark.clause("14.5")
@pytest.mark.parametrize(("said", "left"), [("keep_trails", ["1236"]), ("1236", [])])
def test_no_trail_has_to_be_kept_up(said: str, left: list[str]) -> None:
    game = play(bare(phase=f"{P}_construction", units={"PY-ENG-E1": "1236"}, trails=["1236"]))
    assert prompt(game, P) == "upkeep"
    choose(game, P, said)
    assert game.pos.trails == left


@pytest.mark.clause("14.5", "10.12")
def test_no_engineer_off_the_map_keeps_up_a_trail() -> None:
    pos = position(**bare(units={"BO-ENG-E1": "2600"}, trails=["2601"]))
    assert not engineers._kept_by(pos, B, "2601")
    assert engineers._kept_by(position(**bare(units={"BO-ENG-E1": "2602"}, trails=["2601"])), B, "2601")


# -- leaders (15) --------------------------------------------------------------------------------------------


@pytest.mark.clause("15.6")
def test_the_replaced_are_available_again_as_soon_as_the_box_is_empty() -> None:
    """With the last one available gone to the map, all replaced are: the next who is replaced is not among them."""
    away = ["BO-LDR-Kundt", "BO-LDR-Toro", "BO-LDR-Penar", "BO-LDR-Banzer", "BO-LDR-A", "BO-LDR-B"]
    game = politics([2, 0], units={**ARMY, **dict.fromkeys(away, "replaced"), "BO-LDR-C": "waiting"})
    choose(game, B, "BO-LDR-Marz")
    choose(game, B, "0")
    choose(game, B, "2807")
    assert game.pos.at["BO-LDR-C"] == "2807"
    assert sorted(game.pos.stack("waiting:bolivia")) == sorted([*away, "BO-LDR-Marz"])
    assert not game.pos.stack("replaced:bolivia")
