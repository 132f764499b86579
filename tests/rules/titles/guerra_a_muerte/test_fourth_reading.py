"""What a fourth reading of the rulebook beside the rules found."""

from collections.abc import Mapping
from typing import Any

import pytest

from rules.titles.guerra_a_muerte import TITLE
from rules.titles.guerra_a_muerte.barred import no_exile, not_built_there
from rules.titles.guerra_a_muerte.battle import forces_in
from rules.titles.guerra_a_muerte.events import substitute
from rules.titles.guerra_a_muerte.leaders import refuges
from rules.titles.guerra_a_muerte.recruiting import docks, promotable
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
    march,
    new_game,
    only,
    operating,
    play,
    position,
    preview,
    prompt,
    refused,
    request,
    told,
    view,
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


@pytest.mark.clause("8.1", "6.1")
@pytest.mark.parametrize("refuge", ["tejas", "united_states"])
def test_a_leader_attacked_alone_is_checked_once(refuge: str) -> None:
    units = {"ame_mx": "durango", "morelos": "durango", "mex_tp": "tejas"}
    game = operating(R, units, [3, 5, 6])
    activate(game, R, "ame_mx")
    answer(game, R, "attack", target="durango", units=["ame_mx"])
    choose(game, P, "stand")
    choose(game, P, refuge)
    assert only(game, "leader_saved")["leader"] == "morelos"
    assert game.pos.at["morelos"] == refuge


@pytest.mark.clause("8.1", "10.1")
def test_a_leader_whose_hunters_are_ambushed_is_checked_once() -> None:
    units = {"ame_cp": "durango", "pezuela": "durango", "mil_mexico_inf-1": "durango", "ame_mx": "tejas"}
    game = operating(R, units, [3, 1, 5], guerrillas=["mil_mexico_inf-1"])
    activate(game, R, "ame_cp", "pezuela")
    answer(game, R, "hunt", lots={"guerrillas": ["mil_mexico_inf-1"]})
    assert only(game, "leader_saved")["leader"] == "pezuela"
    assert game.pos.at["pezuela"] == "tejas"


@pytest.mark.clause("8.1", "8.3", "7.10")
@pytest.mark.parametrize(("die", "lost"), [(2, True), (3, False)])
def test_an_admiral_whose_fleet_is_sunk_before_a_port_is_checked(die: int, lost: bool) -> None:
    units = {**dict.fromkeys(["chile_frigate-1", "cochrane"], "pacific_8"), "roy_frigate-1": "callao",
             "ame_rl-1": "callao", "chile_frigate-2": "valparaiso", "chi_1": "valparaiso"}
    game = operating(P, units, [3, 6, 9, 9, 1, 9, 1, 9, die], turn=11)
    activate(game, P, "chile_frigate-1", "cochrane", sea=True)
    answer(game, P, "attack_fleet", target="callao", units=["chile_frigate-1"])
    assert game.pos.at["chile_frigate-1"] == "recruits:chile"
    assert game.pos.at["cochrane"] == ("out" if lost else "valparaiso")


@pytest.mark.clause("8.1", "8.3", "7.5.1")
def test_an_admiral_is_checked_when_his_prize_goes_down_behind_his_fleet() -> None:
    units = {**dict.fromkeys(["chile_frigate-1", "cochrane", "roy_frigate-1", "roy_frigate-2"], "pacific_8"),
             "plata_frigate-1": "valparaiso", "chi_1": "valparaiso"}
    game = operating(P, units, [3, 1, 9, 9, 1, 1, 2], turn=11)
    activate(game, P, "chile_frigate-1", "cochrane", sea=True)
    answer(game, P, "attack_fleet", target="pacific_8", units=["chile_frigate-1"])
    choose(game, R, "stand")
    choose(game, P, "capture:roy_frigate-1")
    assert game.pos.ships_at("pacific_8", P) == []
    assert only(game, "leader_lost")["leader"] == "cochrane"


@pytest.mark.clause("8.1", "7.6", "7.10")
def test_who_drowns_before_a_port_drowns_at_sea() -> None:
    """The leader aboard a fleet that attacks a port is checked where the fleet was, not in the port."""
    units = {"chile_frigate-1": "pacific_8", "roy_frigate-1": "callao", "ame_rl-1": "callao", "pla_1": "salta"}
    game = loaded(P, units, {"san_martin": "chile_frigate-1"}, 3, 9, 9, 1, 9, 1, 9, 6, turn=11)
    activate(game, P, "chile_frigate-1", sea=True)
    answer(game, P, "attack_fleet", target="callao", units=["chile_frigate-1"])
    assert only(game, "leader_saved") == {"leader": "san_martin", "at": "pacific_8", "roll": 6}
    assert game.pos.at["san_martin"] == "salta"


@pytest.mark.clause("8.3", "7.5.1")
def test_a_frigate_that_is_seized_is_lost_to_her_side() -> None:
    """Two steps against one: the crown did not win that fight."""
    units = dict.fromkeys(["chile_frigate-1", "cochrane", "roy_frigate-1", "roy_frigate-2"], "pacific_8")
    game = operating(R, units, [3, 1, 1, 9, 9, 9], turn=11)
    activate(game, R, "roy_frigate-1", "roy_frigate-2", sea=True)
    answer(game, R, "attack_fleet", target="pacific_8", units=["roy_frigate-1", "roy_frigate-2"])
    choose(game, P, "stand")
    choose(game, P, "sink:roy_frigate-1")
    assert only(game, "sea_battle_ended") == {"at": "pacific_8", "attacker": 2, "defender": 1}
    assert told(game, "sea_battle_ended")[0]["side"] == P


# -- 7.6 Amphibious operations -----------------------------------------------------------------------------------


@pytest.mark.clause("7.6", "10.3")
@pytest.mark.parametrize("first", [False, True])
def test_a_leader_who_goes_into_exile_takes_ship_in_a_later_phase(first: bool) -> None:
    """He did not begin the phase in the haven, whether somebody was activated before he went or not."""
    units = {"bolivar": "santa_fe", "gra_cn": "santa_fe", "gra_cr": "haiti", "gc_frigate-1": "haiti"}
    game = operating(P, units, [3, 6] if first else [6], slot=1)
    if first:
        activate(game, P, "gra_cn")
    answer(game, P, "haven", placed={"bolivar": "haiti"})
    if first:
        answer(game, P, "end_force", option="end")
    activate(game, P, "gc_frigate-1", sea=True)
    assert prompt(game, P) == "operate"
    (lot,) = forms(game, P)["embark"]["lots"]
    assert lot["units"] == ["gra_cr"]


# -- 10 Special units --------------------------------------------------------------------------------------------


@pytest.mark.clause("10.6", "6.2")
def test_the_legion_stands_by_itself_before_a_city_too() -> None:
    pos = position(units={"por_spl-1": "banda_oriental", "ame_dba": "banda_oriental", "pla_1": "montevideo"},
                   legion="free", sieges={"montevideo": {"units": ["por_spl-1", "ame_dba"]}})
    assert forces_in(pos, R, "banda_oriental") == {"legion": ["por_spl-1"], "montevideo": ["ame_dba"]}


@pytest.mark.clause("10.2.2", "4.10")
@pytest.mark.parametrize(("at", "new_granada"), [("santa_fe", True), ("costa_firme", False)])
def test_new_granadas_units_take_nobodys_place_outside_their_land(at: str, new_granada: bool) -> None:
    units = {"bolivar": at, "ame_co": at, **dict.fromkeys(
        [u for u in position().game.units if u.startswith("gra_") and not u.startswith("gra_ng")
         and u not in ("gra_bp", "gra_rf")], "out")}
    pos = position(units=units, turn=12)
    found = substitute(pos, "bolivar", "ame_cn")
    assert found is not None
    assert pos.unit(found).new_granada is new_granada


# -- 4 Points, reinforcements, recruits ---------------------------------------------------------------------------


def reorganising(units: dict[str, str], *dice: int, **body: Any) -> Play:
    """Phase 3 of a turn; Spain sends nothing."""
    return play({"phase": "reorganisation", "units": units, "purses": NOTHING, **body}, [1, *dice])


@pytest.mark.clause("4.6")
def test_mexican_ships_are_built_where_mexicans_are() -> None:
    """Yucatán is none of the areas where Mexico's units are built."""
    pos = position(units={"mil_mexico_inf-1": "yucatan", "mil_mexico_inf-2": "tierra_caliente"})
    assert docks(pos, "mexico") == ("acapulco", "veracruz")
    said = not_built_there(pos, "mex_frigate-2", "campeche")
    assert said is not None
    assert (said.key, said.clause) == ("refusal.not_its_land", "4.6")


@pytest.mark.clause("8.3", "10.3")
def test_the_ship_that_comes_with_cochrane_may_wait_in_a_haven() -> None:
    """It comes in like one that is built; why others do not is no question of points."""
    game = reorganising({"chi_4": "valparaiso", "bolivar": "haiti"}, turn=10)
    answer(game, R, "no_arrivals", option="none")
    answer(game, P, "reinforcements", placed={"cochrane": "valparaiso"})
    assert refused(game, P, "free_ship", placed={"plata_frigate-1": "buenos_aires"}) == ("no_place_to_build", "4.6")
    assert refused(game, P, "free_ship", placed={"chile_line-1": "haiti"}) == ("haven_closed", "10.3")
    answer(game, P, "free_ship", placed={"gc_frigate-1": "haiti"})
    assert game.pos.at["gc_frigate-1"] == "haiti"
    assert game.pos.recruited == {"haiti": {"frigate": 1}}


@pytest.mark.clause("4.8")
def test_who_has_no_place_to_come_to_is_refused_in_words() -> None:
    game = reorganising({"ame_rl-1": "callao", "boves": "turn:3", "pezuela": "turn:3"}, turn=3)
    assert refused(game, R, "arrivals", placed={"boves": "caracas"}) == ("not_to_place", "4.8")


@pytest.mark.clause("10.3", "7.6")
def test_why_a_leader_does_not_go_into_exile() -> None:
    pos = position(units={"gc_frigate-1": "caribbean_8", "paez": "haiti", "sucre": "turn:11"})
    pos.aboard = {"bolivar": "gc_frigate-1"}
    pos.put("bolivar", "caribbean_8")
    nations = ("gran_colombia", "peru")
    said = {leader: no_exile(pos, leader, nations) for leader in ("bolivar", "paez", "sucre", "morelos")}
    assert {leader: (why.key, why.clause) for leader, why in said.items() if why is not None} == {
        "bolivar": ("refusal.is_aboard", "7.6"), "paez": ("refusal.no_exile", "10.3"),
        "sucre": ("refusal.off_map", "3.3"), "morelos": ("refusal.no_exile", "10.3")}


# -- 7.5, 8.3 What is said of Cochrane's dice ---------------------------------------------------------------------


@pytest.mark.clause("8.3", "7.5")
def test_with_cochrane_a_fleet_is_told_that_it_evades_on_four() -> None:
    game = operating(R, dict.fromkeys(["cochrane", "chile_frigate-1", "roy_line-1"], "pacific_8"), [3])
    activate(game, R, "roy_line-1", sea=True)
    answer(game, R, "attack_fleet", target="pacific_8", units=["roy_line-1"])
    assert request(game, P)["prompt"]["args"]["n"] == 4


# -- 6.7, 7.9 Ports that change hands ------------------------------------------------------------------------------


@pytest.mark.clause("7.9", "10.1")
def test_a_port_falls_when_guerrillas_take_its_area() -> None:
    """Guerrillas hold Tierra Caliente against militia: the frigate in Veracruz, where nobody stands, is taken."""
    units = {**dict.fromkeys(["mil_mexico_inf-1", "mil_royalist_inf-1"], "tierra_caliente"),
             "roy_frigate-1": "veracruz"}
    game = reorganising(units, 3)
    lots = {"to_guerrilla": ["mil_mexico_inf-1"]}
    assert preview(game, P, "modes", lots=lots)["needs"] == {"least": 0, "most": 1}
    answer(game, P, "modes", lots=lots)
    assert only(game, "ship_taken_in_port")["fate"] == "capture.destroyed"
    assert game.pos.at["roy_frigate-1"] == "recruits:royalist"


@pytest.mark.clause("7.9", "5.1")
def test_a_port_falls_when_its_garrison_goes_out_among_guerrillas() -> None:
    units = {"mil_mexico_inf-1": "tierra_caliente", "mil_royalist_inf-1": "veracruz", "roy_frigate-1": "veracruz",
             "mil_royalist_inf-2": "tierra_caliente"}
    game = operating(R, units, [3], guerrillas=["mil_mexico_inf-1"])
    answer(game, R, "regroup", placed={"mil_royalist_inf-1": "tierra_caliente"})
    assert game.pos.at["roy_frigate-1"] == "recruits:royalist"


@pytest.mark.clause("7.9", "10.3")
def test_a_port_falls_when_the_leader_who_held_it_goes_into_exile() -> None:
    units = {"bolivar": "cumana_city", "gc_frigate-1": "cumana_city", "ame_cn": "cumana"}
    game = operating(P, units, slot=1)
    answer(game, P, "haven", placed={"bolivar": "haiti"})
    assert game.pos.at["gc_frigate-1"] == "caribbean_6"


@pytest.mark.clause("7.9", "6.6")
def test_the_other_port_of_an_area_falls_with_the_fortress_that_gave_up() -> None:
    game = play({"phase": "end", "units": {"gra_cr": "costa_firme", "ame_co": "puerto_cabello",
                                           "roy_frigate-1": "caracas"},
                 "sieges": {"puerto_cabello": {"units": ["gra_cr"], "blockade": True}}}, [1])
    assert told(game, "surrender")
    assert game.pos.at["roy_frigate-1"] == "caribbean_5"
    assert prompt(game, R) == "return_to_port"


# -- What is said of what is not allowed ---------------------------------------------------------------------------


@pytest.mark.clause("4.2.1", "4.6", "9.5")
def test_nobody_builds_rebels_or_counters_of_the_enemy() -> None:
    game = reorganising({"pla_1": "salta", "ame_rl-1": "callao"}, purses={**NOTHING, "plata": 4, "royalist": 4})
    assert refused(game, P, "build", placed={"reb_cav-2": "salta"}) == ("not_yours", "4.2.1")
    assert refused(game, P, "build", placed={"mil_royalist_inf-1": "salta"}) == ("not_yours", "4.6")


@pytest.mark.clause("4.10")
def test_patriot_reinforcements_go_by_their_own_clause() -> None:
    game = reorganising({"chi_1": "valparaiso", "gra_cn": "cartagena"}, turn=2)
    assert refused(game, P, "reinforcements", placed={"mil_peru_inf-1": "charcas"}) == ("not_due", "4.10")
    answer(game, P, "no_reinforcements", option="none")
    assert {step["clause"] for step in told(game, "waits")} == {"4.10"}


@pytest.mark.clause("12.3.2", "12.2.2")
@pytest.mark.parametrize(("scenario", "clause"), [("end_of_empire", "12.3.2"), ("empire_strikes_back", "12.2.2")])
def test_a_set_up_of_steps_goes_by_its_scenarios_clause(scenario: str, clause: str) -> None:
    game = new_game(scenario=scenario)
    assert {group["clause"] for group in forms(game, R)["set_up"]["groups"]} == {clause}


@pytest.mark.clause("8.3", "5.2")
def test_an_admiral_does_not_get_into_a_port_under_siege() -> None:
    pos = position(units={"chile_frigate-1": "valparaiso", "chi_1": "valparaiso", "ame_rl-1": "chile_norte",
                          "plata_frigate-1": "buenos_aires", "pla_1": "buenos_aires"},
                   sieges={"valparaiso": {"units": ["ame_rl-1"]}})
    assert refuges(pos, "cochrane", "pacific_9") == ["buenos_aires"]


@pytest.mark.clause("7.10", "8.3")
def test_the_panel_of_a_naval_attack_counts_the_fort_and_names_cochrane() -> None:
    units = {**dict.fromkeys(["chile_frigate-1", "cochrane"], "pacific_8"), "roy_frigate-1": "callao",
             "ame_rl-1": "callao"}
    game = operating(P, units, [3], turn=11)
    activate(game, P, "chile_frigate-1", "cochrane", sea=True)
    panel = preview(game, P, "attack_fleet", target="callao", units=["chile_frigate-1"])["effect"]
    assert (panel["attack"], panel["defense"]) == (6, 20)
    assert [note["key"] for note in panel["notes"]] == ["note.fort", "note.admiral"]


@pytest.mark.clause("4.7", "7.6")
def test_who_is_aboard_is_not_filled_up_by_militia_ashore() -> None:
    pos = position(units=dict.fromkeys(["pla_1", "plata_frigate-1", "mil_plata_inf-1"], "buenos_aires"),
                   reduced=["pla_1"])
    assert promotable(pos, P) == {"pla_1": ["mil_plata_inf-1"]}
    pos.aboard = {"pla_1": "plata_frigate-1"}
    assert promotable(pos, P) == {}


@pytest.mark.clause("8.1")
def test_a_leader_saved_on_an_island_joins_the_nearest_stack_over_the_sea() -> None:
    pos = position(units={"gra_cn": "santa_fe", "gra_cr": "cumana", "gra_ar": "guayaquil", "ame_am": "cuba",
                          "ame_co": "yucatan", "ame_rl-1": "lima"})
    assert refuges(pos, "bolivar", "margarita") == ["cumana", "haiti"]
    assert refuges(pos, "morillo", "puerto_rico") == ["cuba"]


@pytest.mark.clause("3.4", "5.1.3")
@pytest.mark.parametrize(("armies", "said"), [({}, "none"), ({R: {"1": "durango"}}, None)])
def test_a_standing_order_takes_no_closed_box_for_nobody(armies: dict[str, Any], said: str | None) -> None:
    """One battalion against two: it lets them go, but of what it can't see its player decides."""
    units = dict.fromkeys(["ame_mx", "ame_pb", "mex_tp"], "durango")
    game = operating(R, units, [3], armies=armies)
    activate(game, R, "ame_mx", "ame_pb")
    march(game, R, "durango", "guadalajara")
    order = next(order for order in TITLE.orders if order.name == "intercept")
    found = order.answer(game.game, view(game, P), game.pending[P], {"how": "stronger", "when_twice": 2})
    assert (found or {}).get("option") == said
    choose(game, P, "none")


@pytest.mark.clause("5.3", "5.1.3")
@pytest.mark.parametrize(("at", "seen"), [("los_llanos", True), ("quito", False)])
def test_the_end_of_operations_shows_who_in_a_closed_box_has_to_roll(at: str, seen: bool) -> None:
    game = operating(R, {"ame_co": at}, [1] if seen else [], armies={R: {"1": at}})
    made = done(game, R)
    (ended,) = [entry for entry in made if any(step["event"] == "operations_ended" for step in entry.told[P])]
    assert ended.reveals is seen


@pytest.mark.clause("10.2.1", "5.1.3")
def test_the_boxes_of_both_are_open_where_leaders_may_subvert() -> None:
    """That the patriots are asked would tell that a leader stands in their closed box, and nobody had seen him."""
    units = {"san_martin": "lima", "pla_1": "lima", "ame_vdc": "lima"}
    game = play({"phase": "events", "turn": 11, "units": units, "armies": {P: {"1": "lima"}, R: {"1": "lima"}}}, [6])
    assert prompt(game, P) == "subversion"
    assert only(game, "shown") == {"areas": ["lima"], "shown": sorted(units)}
    for side in (P, R):
        assert {u["id"] for u in view(game, side)["space:lima"]["units"]} >= set(units)
    answer(game, P, "end_subversion", option="end")
    assert game.pos.seen == []
