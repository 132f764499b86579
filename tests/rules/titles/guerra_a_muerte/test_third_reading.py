"""What a third reading of the rulebook beside the rules found."""

from collections.abc import Mapping
from typing import Any

import pytest

from rules.titles.guerra_a_muerte import TITLE
from rules.titles.guerra_a_muerte.battle import forces_in
from rules.titles.guerra_a_muerte.events import agitators
from rules.titles.guerra_a_muerte.leaders import refuges
from rules.titles.guerra_a_muerte.siege import siege_sum
from tests.rules import building
from tests.rules.titles.guerra_a_muerte.builders import (
    P,
    Play,
    R,
    activate,
    answer,
    choose,
    done,
    forms,
    only,
    operating,
    options,
    play,
    position,
    preview,
    prompt,
    refused,
    told,
)  # fmt: skip

NOTHING = dict.fromkeys(("royalist", "plata", "gran_colombia", "chile", "mexico", "peru"), 0)


def loaded(side: str, units: Mapping[str, str], aboard: Mapping[str, str], *dice: int, **body: Any) -> Play:
    """A side's operations with land counters already aboard ships."""
    pos = position(units={"hidalgo": "out", **units}, phase=f"{side}_operations", purses=NOTHING, **body)
    pos.aboard = dict(aboard)
    for unit, ship in aboard.items():
        pos.put(unit, pos.at[ship])
    pos.touched.clear()
    return building.begin(Play, TITLE, pos, dice)


# -- 8 Leaders ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("8.2", "5.3")
def test_boves_is_in_more_danger_in_combat_alone() -> None:
    """Fever takes his last men: a 3 saves him, as no fight did it."""
    game = operating(R, {"boves": "los_llanos", "mil_royalist_inf-1": "los_llanos", "ame_rl-1": "cuzco"}, [1, 3])
    done(game, R)
    assert told(game, "leader_saved")
    assert game.pos.at["boves"] == "cuzco"


@pytest.mark.clause("8.1", "5.3")
def test_fever_in_a_port_leaves_leaders_aboard_and_the_admiral_with_their_ships() -> None:
    units = dict.fromkeys(["mil_gran_colombia_inf-1", "gc_frigate-1", "cochrane"], "cumana_city")
    game = loaded(P, units, {"bolivar": "gc_frigate-1", "gra_ar": "gc_frigate-1"}, 1, slot=1, turn=10)
    done(game, P)
    assert game.pos.at["mil_gran_colombia_inf-1"] == "recruits:gran_colombia"
    assert not told(game, "leader_saved")
    assert not told(game, "leader_lost")


@pytest.mark.clause("8.1", "10.1")
def test_a_leader_among_guerrillas_is_found_by_hunting_them_alone() -> None:
    bands = ["mil_mexico_inf-1", "mil_mexico_inf-2"]
    units = {**dict.fromkeys([*bands, "morelos"], "durango"), "ame_mx": "durango", "mex_tp": "tejas"}
    game = operating(R, units, [3, 6, 1, 2], guerrillas=bands)
    activate(game, R, "ame_mx")
    assert "attack" not in forms(game, R)
    answer(game, R, "hunt", lots={"guerrillas": bands})
    assert only(game, "leader_lost")["leader"] == "morelos"


@pytest.mark.clause("8.1", "10.1")
def test_a_leader_whose_army_is_lost_stays_with_the_guerrillas_beside_it() -> None:
    """Not all units stacked with him are gone."""
    units = {**dict.fromkeys(["ame_mx", "ame_ne", "ame_pb", "mil_mexico_inf-1", "mil_mexico_inf-2", "morelos"],
                             "durango")}
    game = operating(R, units, [3, 6, 1, 1, 1, 1, 6], guerrillas=["mil_mexico_inf-2"])
    activate(game, R, "ame_mx", "ame_ne", "ame_pb")
    answer(game, R, "attack", target="durango", units=["ame_mx", "ame_ne", "ame_pb"])
    choose(game, P, "stand")
    assert game.pos.at["mil_mexico_inf-1"] == "recruits:mexico"
    assert game.pos.at["morelos"] == "durango"
    assert forces_in(game.pos, P, "durango") == {}


@pytest.mark.clause("8.1", "10.1")
def test_a_garrison_in_the_city_saves_no_leader_whose_guerrillas_outside_are_hunted_down() -> None:
    """Nor is a leader in the city, who was not with them, checked."""
    units = {**dict.fromkeys(["mil_mexico_inf-1", "morelos", "ame_mx"], "guadalajara"),
             **dict.fromkeys(["mil_mexico_inf-2", "hidalgo"], "guadalajara_city")}
    game = operating(R, units, [3, 3, 6, 2], guerrillas=["mil_mexico_inf-1"])
    activate(game, R, "ame_mx")
    answer(game, R, "hunt", lots={"guerrillas": ["mil_mexico_inf-1"]})
    assert only(game, "leader_lost")["leader"] == "morelos"
    done(game, R)


@pytest.mark.clause("8.1", "8.3")
def test_an_admiral_joins_the_nearest_ships() -> None:
    pos = position(units={"chile_frigate-1": "valparaiso", "gc_frigate-1": "cartagena", "plata_frigate-1": "pacific_7"})
    assert refuges(pos, "cochrane", "pacific_8") == ["pacific_7"]
    assert refuges(pos, "cochrane", "pacific_9") == ["valparaiso"]


@pytest.mark.clause("8.1", "7.5.1")
def test_a_leader_saved_at_sea_joins_the_nearest_stack_ashore() -> None:
    pos = position(units={"pla_1": "salta", "pla_2": "chile_sur", "pla_3": "rio_de_la_plata"})
    assert refuges(pos, "san_martin", "pacific_10") == ["chile_sur"]
    assert refuges(pos, "san_martin", "atlantic_1") == ["rio_de_la_plata"]


@pytest.mark.clause("8.1", "8.3", "7.7")
def test_a_leader_aboard_a_frigate_that_is_seized_is_checked() -> None:
    units = {**dict.fromkeys(["cochrane", "chile_frigate-1", "roy_frigate-1"], "pacific_8"), "ame_cu-1": "cuzco"}
    fleet = loaded(P, units, {"pezuela": "roy_frigate-1", "ame_rl-1": "roy_frigate-1"}, 3, 6, 2, 4, turn=10)
    activate(fleet, P, "cochrane", "chile_frigate-1", sea=True)
    answer(fleet, P, "attack_fleet", target="pacific_8", units=["chile_frigate-1"])
    choose(fleet, R, "evade")
    choose(fleet, P, "sink:roy_frigate-1")
    assert fleet.pos.at["ame_rl-1"] == "recruits:american"
    assert only(fleet, "leader_saved")["leader"] == "pezuela"
    assert fleet.pos.at["pezuela"] == "cuzco"


@pytest.mark.clause("8.3", "7.7")
def test_other_frigates_take_in_who_was_aboard_the_one_that_is_sunk() -> None:
    units = dict.fromkeys(["cochrane", "chile_frigate-1", "roy_frigate-1", "roy_frigate-2"], "pacific_8")
    fleet = loaded(P, units, {"ame_pm": "roy_frigate-1"}, 3, 6, 2, 9, 9, 9, 9, turn=10)
    activate(fleet, P, "cochrane", "chile_frigate-1", sea=True)
    answer(fleet, P, "attack_fleet", target="pacific_8", units=["chile_frigate-1"])
    choose(fleet, R, "evade")
    choose(fleet, P, "sink:roy_frigate-1")
    assert fleet.pos.aboard == {"ame_pm": "roy_frigate-2"}


@pytest.mark.clause("8.1", "7.4")
def test_leaders_of_a_stranded_fleet_are_checked() -> None:
    game = play({"phase": "end", "units": {"plata_frigate-1": "pacific_2", "cochrane": "pacific_2",
                                           "chile_frigate-1": "valparaiso"}}, [4])
    assert only(game, "leader_saved")["leader"] == "cochrane"
    assert game.pos.at["cochrane"] == "valparaiso"


# -- 3-4 The year, points, recruits ------------------------------------------------------------------------------


def reorganising(units: Mapping[str, str], *dice: int, turn: int = 14, purses: Mapping[str, float] | None = None,
                 **body: Any) -> Play:
    """Phase 3 of a turn; Spain sends nothing."""
    return play({"phase": "reorganisation", "turn": turn, "units": {"hidalgo": "out", **units},
                 "purses": {**NOTHING, **(purses or {})}, **body}, [1, *dice])


@pytest.mark.clause("3.1", "5.1")
def test_who_operated_last_year_is_regrouped_in_phase_3() -> None:
    game = play({"phase": "royalist_operations", "only": False, "turn": 12, "coup": 10, "units": {
        "hidalgo": "out", "ame_rl-1": "lima", "ame_cu-1": "cuzco"}, "purses": NOTHING}, [3, 1])
    activate(game, R, "ame_rl-1")
    done(game, R)
    done(game, R)
    answer(game, P, "no_uprising", option="none")
    done(game, P)
    assert prompt(game, R) == "build"
    answer(game, R, "regroup", placed={"ame_rl-1": "callao"})
    assert game.pos.at["ame_rl-1"] == "callao"


@pytest.mark.clause("4.8")
def test_a_ship_that_comes_alone_fights_and_no_convoy_is_rolled_for() -> None:
    """One hit on each side: a drawn fight, after which she is at sea."""
    game = reorganising({"mil_royalist_inf-1": "montevideo", "plata_frigate-1": "atlantic_1"}, 9, 7, 9, 3, turn=5)
    answer(game, R, "arrivals", placed={"roy_line-1": "montevideo"})
    assert only(game, "sea_battle_ended") == {"at": "atlantic_1", "attacker": 1, "defender": 1}
    assert not told(game, "convoy_rolled")
    assert not told(game, "arrived")
    assert game.pos.at["roy_line-1"] == "atlantic_1"


@pytest.mark.clause("4.10")
def test_the_lost_cause_is_told_where_mexicans_were_to_come_alone() -> None:
    game = reorganising({"morelos": "out", "pla_1": "salta"}, turn=2)
    assert not told(game, "lost_cause")


@pytest.mark.clause("4.9", "4.9.1")
def test_any_unit_of_the_side_calls_up_the_masses_of_a_land() -> None:
    """Men of El Plata in Cuzco call up Peruvians."""
    game = reorganising({"pla_1": "cuzco"})
    assert [o["id"] for o in forms(game, P)["levy"]["options"]] == ["cuzco"]
    answer(game, P, "levy", option="cuzco")
    assert {game.pos.unit(u).nation for u in only(game, "masses")["units"]} == {"peru"}


@pytest.mark.clause("4.10", "10.3")
def test_new_granadas_units_are_not_raised_in_haiti() -> None:
    game = reorganising({"bolivar": "haiti", "gra_cn": "santa_fe"}, purses={"gran_colombia": 4})
    where = {u: set(g["where"]) for g in forms(game, P)["build"]["groups"] for u in g["units"]}
    assert where["gra_ar"] == {"haiti", "santa_fe", "bogota", "cartagena"}
    assert where["gra_ng-1"] == {"santa_fe", "bogota", "cartagena"}
    assert refused(game, P, "build", placed={"gra_ng-1": "haiti"}) == ("not_its_land", "4.10")


@pytest.mark.clause("4.10")
@pytest.mark.parametrize("at", ["mexico_city", "united_states"])
def test_mexicans_come_beside_morelos_wherever_he_is(at: str) -> None:
    game = reorganising({"morelos": at, "ame_mx": "central_mexico"}, turn=3)
    answer(game, R, "no_arrivals", option="none")
    groups = {u: g["where"] for g in forms(game, P)["reinforcements"]["groups"] for u in g["units"]}
    assert groups["mex_tp"] == [at]


@pytest.mark.clause("10.6")
def test_a_leader_of_el_plata_in_banda_oriental_calls_the_legion_too() -> None:
    game = reorganising({"pla_1": "salta"}, turn=2)
    answer(game, P, "reinforcements", placed={"belgrano": "banda_oriental"})
    assert game.pos.legion == "free"


# -- 6-7 Sieges and fleets ---------------------------------------------------------------------------------------


@pytest.mark.clause("6.2", "8.1")
@pytest.mark.parametrize(("die", "falls"), [(4, False), (5, True)])
def test_a_leader_alone_in_a_city_is_besieged_like_anybody(die: int, falls: bool) -> None:
    """His escort counts as a step: where it is lost the place falls, and he is without men."""
    game = operating(P, {"gra_cr": "costa_firme", "boves": "caracas", "ame_rl-1": "cuzco"},
                     [3, die, *([6] if falls else [])], slot=1)
    activate(game, P, "gra_cr")
    panel = preview(game, P, "assault", target="caracas", units=["gra_cr"])["effect"]
    assert (panel["attack"], panel["defense"], panel["clears"]["n"]) == (6, 2, 2)  # his tactics are 2
    answer(game, P, "assault", target="caracas", units=["gra_cr"])
    assert bool(told(game, "place_fell")) is falls
    assert game.pos.at["boves"] == ("cuzco" if falls else "caracas")


@pytest.mark.clause("6.2", "8.3")
def test_ships_and_an_admiral_are_no_garrison() -> None:
    """The last men leave by sea: nobody is besieged any more, and the port falls with Cochrane in it."""
    units = {**dict.fromkeys(["chile_frigate-1", "chile_frigate-2", "chi_1", "cochrane"], "callao"), "ame_rl-1": "lima"}
    game = operating(P, units, [3, 3], turn=10, sieges={"callao": {"units": ["ame_rl-1"]}})
    activate(game, P, "chile_frigate-1", sea=True)
    answer(game, P, "embark", lots={"callao": ["chi_1"]})
    assert game.pos.sieges == {}


@pytest.mark.clause("6.3")
def test_a_leader_present_at_a_siege_counts_though_another_force_attacks() -> None:
    pos = position(units={**dict.fromkeys(["gra_cr", "gra_ar", "bolivar"], "costa_firme"), "ame_nu": "puerto_cabello"},
                   sieges={"puerto_cabello": {"units": ["gra_ar", "bolivar"]}})
    assert siege_sum(pos, ["gra_cr"], "puerto_cabello", friction=False).die == 3


@pytest.mark.clause("7.7", "7.6", "3.2")
def test_any_patriot_ship_carries_any_patriots() -> None:
    """A Chilean frigate takes Gran Colombians to Peru; those of two groups do not embark together."""
    units = dict.fromkeys(["chile_frigate-1", "gra_h", "sucre", "chi_cz"], "guayaquil_city")
    game = operating(P, units, [3, 3], turn=14)
    activate(game, P, "chile_frigate-1", sea=True)
    assert refused(game, P, "embark", lots={"guayaquil_city": ["chi_cz", "gra_h"]}) == ("other_group", "3.2")
    answer(game, P, "embark", lots={"guayaquil_city": ["gra_h", "sucre"]})
    answer(game, P, "sail", units=["chile_frigate-1"], path=["guayaquil_city", "pacific_7", "pacific_8"])
    choose(game, P, "lima")
    assert game.pos.at["sucre"] == "lima"
    assert (game.pos.force["slot"], game.pos.force["op"]) == (1, 6 + 3 - 2)


@pytest.mark.clause("7.8")
def test_ships_in_a_port_of_the_coast_hinder_a_raid() -> None:
    units = {"chile_frigate-1": "pacific_8", "ame_rl-1": "lima", "roy_frigate-1": "callao"}
    game = operating(P, units, [3, 4])
    activate(game, P, "chile_frigate-1", sea=True)
    choose(game, P, "lima")
    assert only(game, "raid_failed")["total"] == 3


@pytest.mark.clause("7.9")
def test_a_captured_ship_is_of_the_nation_of_the_troops_not_of_their_leader() -> None:
    units = {**dict.fromkeys(["chi_4", "chi_5", "chi_art-1", "belgrano"], "lima"), "ame_pm": "callao",
             "roy_frigate-1": "callao"}
    game = operating(P, units, [3, 6, 6], turn=14, sieges={"callao": {"units": ["chi_4"], "works": True}})
    activate(game, P, "chi_4", "chi_5", "chi_art-1", "belgrano")
    answer(game, P, "assault", target="callao", units=["chi_4", "chi_5", "chi_art-1"])
    assert only(game, "ship_taken_in_port")["fate"] == "capture.captured"
    assert game.pos.ships_at("callao", P) == ["chile_frigate-1"]


# -- 10 Special rules --------------------------------------------------------------------------------------------


@pytest.mark.clause("10.7", "1.2")
def test_a_royalist_leader_in_mexico_counts_as_a_unit() -> None:
    game = operating(R, {"hidalgo": "durango", "morillo": "tierra_caliente", "ame_mx": "tierra_caliente"}, [1])
    assert refused(game, R, "activate", lots={"tierra_caliente": ["ame_mx", "morillo"]}) == ("mexico_limit", "10.7")


@pytest.mark.clause("10.2.1", "10.2.2")
def test_leaders_subvert_in_the_operations_of_the_turn_of_the_coup_too() -> None:
    """San Martín marches to Lima in that turn and wins over the Concordia there, once."""
    units = {"san_martin": "arequipa", "pla_1": "arequipa", "ame_vdc": "lima", "ame_rl-1": "lima"}
    game = operating(P, units, [3, 2], turn=11, coup=11)
    assert "agitate" not in forms(game, P)
    activate(game, P, "pla_1", "san_martin")
    answer(game, P, "march", units=["pla_1", "san_martin"], path=["arequipa", "lima"])
    answer(game, P, "agitate", option="san_martin")
    choose(game, P, "ame_vdc")
    new = only(game, "subverted")["by"]
    assert game.pos.at[new] == "lima"
    assert prompt(game, P) == "operate"
    assert "agitate" not in forms(game, P)
    assert agitators(position(units=units | {"san_martin": "lima"}, turn=12, coup=11)) == []


@pytest.mark.clause("10.2.1", "5.1.3")
def test_whoever_looks_into_a_box_without_americans_has_had_his_try() -> None:
    game = operating(P, {"san_martin": "lima", "pla_1": "lima", "spa_ct": "lima"}, turn=11, coup=11,
                     armies={R: {"1": "lima"}})
    answer(game, P, "agitate", option="san_martin")
    assert prompt(game, P) == "operations"
    assert "agitate" not in forms(game, P)


@pytest.mark.clause("10.2.2", "1.3.1")
def test_militia_of_the_crown_are_americans_too() -> None:
    units = {"san_martin": "lima", "pla_1": "lima", "mil_royalist_inf-1": "lima", "spa_ct": "lima"}
    game = play({"phase": "events", "turn": 11, "units": units}, [6, 2])
    assert options(game, P) == ["mil_royalist_inf-1"]
    choose(game, P, "mil_royalist_inf-1")
    new = game.pos.unit(only(game, "subverted")["by"])
    assert (new.militia, new.type, new.nation) == (True, "infantry", "peru")
