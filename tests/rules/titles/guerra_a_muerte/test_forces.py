"""5 Forces, armies, movement and attrition."""

from typing import Any

import pytest

from rules.core.forms import Arrange
from tests.rules.titles.guerra_a_muerte.builders import (
    P,
    Play,
    R,
    activate,
    answer,
    done,
    forms,
    last,
    lose,
    lots,
    march,
    only,
    operating,
    play,
    prompt,
    refused,
    told,
    view,
)  # fmt: skip


@pytest.mark.clause("5.1")
def test_the_example_of_forces() -> None:
    """Two battalions, four regiments and a battery in Los Llanos: a force of one battalion and two regiments, the rest
    another, or single units."""
    units = ["gra_vc", "gra_ar", "gra_ll-1", "gra_ll-2", "gra_ll-3", "gra_h", "gra_art-1"]
    game = operating(P, dict.fromkeys(units, "los_llanos"), [1, 1], slot=1)
    activate(game, P, "gra_vc", "gra_ll-1", "gra_ll-2")
    done(game, P)
    assert lots(game, P, "activate")["los_llanos"]["units"] == ["gra_ar", "gra_art-1", "gra_h", "gra_ll-3"]
    activate(game, P, "gra_ar", "gra_art-1", "gra_h", "gra_ll-3")
    assert len(game.pos.force["units"]) == 4


@pytest.mark.clause("5.1", "6.7")
def test_regrouping_before_the_first_activation_alone() -> None:
    game = operating(R, {"ame_rl-1": "lima", "ame_cu-1": "lima"}, [1])
    answer(game, R, "regroup", placed={"ame_rl-1": "callao"})
    assert game.pos.at["ame_rl-1"] == "callao"
    activate(game, R, "ame_cu-1")
    done(game, R)
    assert "regroup" not in forms(game, R)
    assert "armies" not in forms(game, R)


@pytest.mark.clause("5.1.1", "5.1.3")
def test_the_army_of_barlovento() -> None:
    """The example of 5.1.1: a marker in Cumaná for a leader, six battalions, four regiments and two batteries."""
    units = ["boves", "ame_co", "ame_nu", "ame_br", "ame_sg", "ame_dr2", "ame_ca", "ame_ll-1", "ame_ll-2", "ame_ap",
             "ame_df", "ame_art-4", "ame_art-1"]
    game = operating(R, dict.fromkeys(units, "cumana"), turn=8)
    answer(game, R, "armies", boxes={**game.pos.armies[R], "1": "cumana"})
    assert len(view(game, R)["space:cumana"]["units"]) == 13
    seen = view(game, P)["space:cumana"]
    assert (seen["side"], seen["box"], seen["count"]) == (R, 1, 1)
    assert "units" not in seen
    assert len(view(game, "all")["space:cumana"]["units"]) == 13


@pytest.mark.clause("5.1.3")
def test_without_the_option_everything_is_open() -> None:
    game = play({"phase": "royalist_operations", "units": {"hidalgo": "out", "ame_co": "cumana"},
                 "armies": {R: {"1": "cumana"}}}, options={"limited_intelligence": False})
    assert [u["id"] for u in view(game, P)["space:cumana"]["units"]] == ["ame_co"]


@pytest.mark.clause("5.1.3")
def test_boxes_of_both_sides_in_one_area_are_each_sides_own() -> None:
    game = operating(R, {"ame_co": "cumana", "gra_ar": "cumana"}, armies={R: {"1": "cumana"}, P: {"2": "cumana"}})
    assert [u["id"] for u in view(game, R)["space:cumana"]["units"]] == ["ame_co"]
    assert [u["id"] for u in view(game, P)["space:cumana"]["units"]] == ["gra_ar"]
    assert "units" not in view(game, "public")["space:cumana"]
    assert len(view(game, "all")["space:cumana"]["units"]) == 2


@pytest.mark.clause("5.1.1", "5.1.3")
def test_the_marker_goes_with_the_whole_army_and_a_detachment_is_seen() -> None:
    game = operating(R, {"ame_rl-1": "lima", "ame_cu-1": "lima"}, [1], armies={R: {"1": "lima"}})
    activate(game, R, "ame_rl-1", "ame_cu-1")
    march(game, R, "lima", "cuzco")
    assert game.pos.armies[R]["1"] == "cuzco"
    assert told(game, "marched", P)[-1]["data"]["units"] == []
    assert told(game, "marched", R)[-1]["data"]["units"] == ["ame_cu-1", "ame_rl-1"]
    march(game, R, "cuzco", "charcas", units=["ame_rl-1"])
    assert game.pos.armies[R]["1"] == "cuzco"
    assert told(game, "marched", P)[-1]["data"]["units"] == ["ame_rl-1"]


@pytest.mark.clause("5.1.1")
def test_markers_stand_on_troops_only() -> None:
    game = operating(R, {"ame_rl-1": "callao", "ame_cu-1": "cuzco"})
    form = game.pending[R].form("armies")
    assert isinstance(form, Arrange)
    assert form.where == ("cuzco",)
    assert refused(game, R, "armies", boxes={**form.boxes, "1": "lima"}) == ("not_to_box", "5.1.1")


@pytest.mark.clause("5.1.3", "5.2")
@pytest.mark.parametrize("closed", [True, False])
def test_beside_a_closed_box_a_force_without_points_ends_when_its_player_says_so(closed: bool) -> None:
    """Whether somebody could still join it out of the box the enemy must not learn from who is asked."""
    armies = {"royalist": {"1": "durango"}} if closed else {}
    game = operating(R, {"ame_rl-1": "durango", "ame_cu-1": "durango", "ame_vdc": "cuzco"}, [1], armies=armies)
    activate(game, R, "ame_rl-1", "ame_cu-1")
    march(game, R, "durango", *["san_luis_potosi", "durango"] * 2, units=["ame_rl-1"])
    assert prompt(game, R) == ("operate" if closed else "operations")
    if closed:
        assert set(forms(game, R)) == {"end_force"}


@pytest.mark.clause("5.1.1", "6.2")
def test_besiegers_stand_in_no_box() -> None:
    """Where nobody but besiegers is in the field a marker would stand for nobody."""
    game = operating(P, {"pla_1": "lima", "pla_2": "lima", "ame_rl-1": "callao", "pla_3": "salta"},
                     sieges={"callao": {"units": ["pla_1", "pla_2"]}})
    form = game.pending[P].form("armies")
    assert isinstance(form, Arrange)
    assert form.where == ("salta",)
    assert refused(game, P, "armies", boxes={**form.boxes, "1": "lima"}) == ("not_to_box", "5.1.1")


@pytest.mark.clause("5.2")
def test_a_move_costs_a_point_and_the_enemy_stops_nobody() -> None:
    """The example of 5.1: two battalions and a leader from Lima to Cuzco for a point."""
    game = operating(R, {"ame_rl-1": "lima", "ame_cu-1": "lima", "pezuela": "lima", "mil_peru_inf-1": "cuzco"}, [1],
                     guerrillas=["mil_peru_inf-1"])
    activate(game, R, "ame_rl-1", "ame_cu-1", "pezuela")
    march(game, R, "lima", "cuzco")
    assert (game.pos.force["op"], game.pos.force["spent"]) == (6, 1)
    march(game, R, "cuzco", "charcas")
    assert refused(game, R, "march", units=["ame_rl-1"], path=["charcas", "lima"]) == ("no_way", "5.2")


@pytest.mark.clause("5.2")
def test_units_are_left_behind_and_picked_up() -> None:
    game = operating(R, {"ame_rl-1": "lima", "ame_cu-1": "lima", "ame_vdc": "cuzco", "ame_fp": "cuzco"}, [1, 1])
    activate(game, R, "ame_fp")
    done(game, R)
    activate(game, R, "ame_rl-1", "ame_cu-1")
    march(game, R, "lima", "cuzco", units=["ame_cu-1"])
    assert last(game, "left_behind")["at"] == "lima"
    assert lots(game, R, "pick_up")["join"]["units"] == ["ame_vdc"]  # the other has operated
    answer(game, R, "pick_up", lots={"join": ["ame_vdc"]})
    march(game, R, "cuzco", "charcas")
    assert game.pos.at["ame_vdc"] == "charcas"
    done(game, R)
    assert "activate" not in forms(game, R) if game.asked else True


@pytest.mark.clause("5.2", "6.2")
def test_nobody_enters_a_besieged_city() -> None:
    game = operating(R, {"ame_rl-1": "lima", "mil_royalist_inf-1": "callao", "pla_1": "lima"}, [1],
                     sieges={"callao": {"units": ["pla_1"]}})
    activate(game, R, "ame_rl-1")
    assert refused(game, R, "march", units=["ame_rl-1"], path=["lima", "callao"]) == ("city_besieged", "5.2")
    march(game, R, "lima", "lima_city")
    assert game.pos.force["op"] == 4
    assert refused(game, R, "march", units=["ame_rl-1"], path=["lima_city", "lima"]) == ("back_and_forth", "5.1")


# -- attrition ---------------------------------------------------------------------------------------------------


def walk(units: dict[str, str], path: list[str], dice: list[int], side: str = R, slot: int = 0, **body: Any) -> Play:
    """A force that marches a path and stops."""
    game = operating(side, units, dice, slot=slot, **body)
    activate(game, side, *units)
    march(game, side, *path)
    done(game, side)
    return game


@pytest.mark.clause("5.3")
@pytest.mark.parametrize(("die", "steps"), [(1, 1), (4, 1), (5, 2), (6, 2)])
def test_attrition_by_the_die(die: int, steps: int) -> None:
    game = walk({"ame_rl-1": "tejas", "ame_cu-1": "tejas"}, ["tejas", "san_luis_potosi", "tierra_caliente"], [3, die])
    assert prompt(game, R) == "losses"
    assert last(game, "attrition") == {"at": "tierra_caliente", "roll": die, "steps": steps, "saved": 0}
    lose(game, R, *["ame_rl-1", "ame_rl-1/2"][:steps])
    assert game.pos.steps("ame_cu-1") == 2


@pytest.mark.clause("5.3")
def test_the_chaco_is_worse_for_those_who_end_there() -> None:
    game = walk({"ame_rl-1": "charcas", "ame_cu-1": "charcas"}, ["charcas", "chaco"], [3, 6])
    assert last(game, "attrition")["steps"] == 3
    lose(game, R, "ame_rl-1", "ame_rl-1/2", "ame_cu-1")
    game = walk({"ame_rl-1": "charcas", "ame_cu-1": "charcas"}, ["charcas", "chaco", "salta"], [3, 6])
    assert last(game, "attrition")["steps"] == 2
    lose(game, R, "ame_rl-1", "ame_rl-1/2")


@pytest.mark.clause("5.3")
def test_the_andes_cost_steps_too() -> None:
    army = dict.fromkeys(["pla_1", "pla_2", "san_martin"], "cordoba")
    game = walk(army, ["cordoba", "chile_norte"], [3, 1], P)
    assert last(game, "attrition")["at"] == "chile_norte"
    lose(game, P, "pla_1")


@pytest.mark.clause("5.3")
def test_passing_through_is_enough_and_peaceful_roads_are_free() -> None:
    game = walk({"ame_rl-1": "cordoba"}, ["cordoba", "pampas", "rio_de_la_plata"], [3, 1])
    assert last(game, "attrition")["at"] == "rio_de_la_plata"
    lose(game, R, "ame_rl-1")
    game = walk({"ame_rl-1": "lima"}, ["lima", "cuzco", "charcas"], [3])
    assert not told(game, "attrition")


@pytest.mark.clause("5.3", "5.1", "6.4")
def test_who_stands_in_hostile_country_rolls_at_the_end_in_cities_too() -> None:
    game = operating(R, {"ame_co": "costa_firme", "ame_nu": "puerto_cabello", "ame_rl-1": "lima"}, [2, 5])
    done(game, R)
    assert [step["data"]["at"] for step in told(game, "attrition")] == ["costa_firme"]
    lose(game, R, "ame_co")
    assert [step["data"]["at"] for step in told(game, "attrition")] == ["costa_firme", "puerto_cabello"]
    assert game.pos.at["ame_nu"] == "recruits:american"


@pytest.mark.clause("5.3", "4.2.1", "10.6")
def test_rebels_legion_and_lone_leaders_are_exempt() -> None:
    game = operating(R, {"reb_inf-1": "paraguay", "boves": "los_llanos"})
    done(game, R)
    assert not told(game, "attrition")


@pytest.mark.clause("4.1", "5.3")
def test_points_save_steps() -> None:
    game = operating(R, {"ame_co": "costa_firme", "ame_nu": "costa_firme"}, [6], purses={R: 2})
    done(game, R)
    assert prompt(game, R) == "provisions"
    assert refused(game, R, "provisions", lots={}) == ("nothing_taken", "4.1")
    answer(game, R, "provisions", lots={"costa_firme/": ["ame_co"]})
    assert game.pos.purses[R] == 2
    assert only(game, "attrition") == {"at": "costa_firme", "roll": 6, "steps": 2, "saved": 1}
    lose(game, R, "ame_nu")


@pytest.mark.clause("5.3", "5.2")
def test_who_is_left_behind_in_hostile_country_is_a_stack_of_its_own() -> None:
    game = operating(R, {"ame_rl-1": "san_luis_potosi", "ame_cu-1": "san_luis_potosi"}, [3, 1, 2])
    activate(game, R, "ame_rl-1", "ame_cu-1")
    march(game, R, "san_luis_potosi", "tierra_caliente")
    march(game, R, "tierra_caliente", "central_mexico", units=["ame_cu-1"])
    lose(game, R, "ame_rl-1")
    done(game, R)
    lose(game, R, "ame_cu-1")
    assert [step["data"]["at"] for step in told(game, "attrition")] == ["tierra_caliente", "central_mexico"]
