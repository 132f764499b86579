"""What a fourth reading of the rulebook beside the rules found."""

from collections.abc import Mapping
from typing import Any

import pytest

from rules.titles.guerra_a_muerte import TITLE
from rules.titles.guerra_a_muerte.battle import forces_in
from rules.titles.guerra_a_muerte.events import substitute
from tests.rules import building
from tests.rules.titles.guerra_a_muerte.builders import (
    P,
    Play,
    R,
    activate,
    answer,
    choose,
    forms,
    only,
    operating,
    position,
    prompt,
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
