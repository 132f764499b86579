"""7 Fleets: sailing, fights at sea, amphibious operations, raids, ports."""

from typing import Any

import pytest

from rules.titles.guerra_a_muerte import invariants
from rules.titles.guerra_a_muerte.fleets import shelters
from tests.rules.titles.guerra_a_muerte.builders import (
    P,
    Play,
    R,
    activate,
    answer,
    choose,
    done,
    forms,
    last,
    lots,
    march,
    only,
    operating,
    options,
    play,
    position,
    prompt,
    refused,
    told,
)  # fmt: skip


def fleet(units: dict[str, str], dice: list[int], *ships: str, side: str = R, slot: int = 0, **body: Any) -> Play:
    """An activated fleet."""
    game = operating(side, units, dice, slot=slot, **body)
    activate(game, side, *ships, sea=True)
    return game


def sail(game: Play, side: str, *path: str) -> None:
    answer(game, side, "sail", units=[u for u in game.pos.force["units"] if game.pos.unit(u).ship], path=list(path))


@pytest.mark.clause("7.1")
def test_a_point_is_four_sea_areas() -> None:
    game = fleet({"roy_frigate-1": "caribbean_1"}, [3], "roy_frigate-1")
    sail(game, R, "caribbean_1", "caribbean_2", "caribbean_3", "caribbean_4", "caribbean_5")
    assert game.pos.force["op"] == 5
    sail(game, R, "caribbean_5", "caribbean_6")
    assert (game.pos.force["op"], game.pos.force["way"]) == (4, 3)
    sail(game, R, "caribbean_6", "caribbean_7")
    assert game.pos.force["op"] == 4


@pytest.mark.clause("7.2")
def test_the_ways_round_the_continent_cost_two() -> None:
    game = fleet({"roy_frigate-1": "atlantic_3"}, [3], "roy_frigate-1")
    sail(game, R, "atlantic_3", "pacific_10")
    assert game.pos.force["op"] == 4
    game = fleet({"roy_frigate-1": "caribbean_6"}, [3], "roy_frigate-1")
    sail(game, R, "caribbean_6", "atlantic_1")
    assert game.pos.force["op"] == 4


@pytest.mark.clause("7.3")
@pytest.mark.parametrize(("sea", "cost"), [
    ("atlantic_1", 4), ("atlantic_3", 4), ("caribbean_6", 3), ("caribbean_10", 3)])
def test_spain(sea: str, cost: int) -> None:
    game = fleet({"roy_frigate-1": "spain"}, [3], "roy_frigate-1")
    sail(game, R, "spain", sea)
    assert game.pos.force["op"] == 6 - cost


@pytest.mark.clause("7.3", "7.4", "7.10")
def test_ports_and_boxes_are_for_their_owners() -> None:
    game = fleet({"roy_frigate-1": "caribbean_8", "gra_cr": "caracas"}, [3], "roy_frigate-1")
    assert refused(game, R, "sail", units=["roy_frigate-1"], path=["caribbean_8", "haiti"]) == ("box_closed", "7.4")
    assert refused(game, R, "sail", units=["roy_frigate-1"], path=[
        "caribbean_8", "caribbean_4", "caribbean_5", "caracas"]) == ("port_of_enemy", "7.4")
    game = fleet({"gc_frigate-1": "caribbean_8"}, [3], "gc_frigate-1", side=P, slot=1)
    assert refused(game, P, "sail", units=["gc_frigate-1"], path=["caribbean_8", "spain"]) == ("box_closed", "7.3")
    sail(game, P, "caribbean_8", "haiti")
    assert game.pos.at["gc_frigate-1"] == "haiti"


@pytest.mark.clause("7.5", "7.5.1")
def test_the_naval_battle_of_the_rules() -> None:
    """The example of 7.5: a ship of the line and a frigate against two Mexican frigates. The ship sinks one with 2 and
    2; the frigates hit the Spanish one once with 1, 5, 5, 6; she hits the other with 2 and 5."""
    ships = {"roy_line-1": "caribbean_1", "roy_frigate-1": "caribbean_1", "mex_frigate-1": "caribbean_1",
             "mex_frigate-2": "caribbean_1"}
    game = fleet(ships, [3, 2, 5, 2, 2, 1, 5, 5, 6], "roy_line-1", "roy_frigate-1")
    answer(game, R, "attack_fleet", target="caribbean_1", units=["roy_frigate-1", "roy_line-1"])
    choose(game, P, "stand")
    answer(game, R, "broadsides", lots={"roy_line-1": ["mex_frigate-1"], "roy_frigate-1": ["mex_frigate-2"]})
    answer(game, P, "broadsides", lots={"mex_frigate-1": ["roy_frigate-1"], "mex_frigate-2": ["roy_frigate-1"]})
    assert game.pos.at["mex_frigate-1"] == "recruits:mexico"
    assert game.pos.reduced == ["roy_frigate-1", "mex_frigate-2"] or set(game.pos.reduced) == {
        "roy_frigate-1", "mex_frigate-2"}
    assert game.pos.force["op"] == 4
    assert only(game, "sea_battle_ended") == {"at": "caribbean_1", "attacker": 1, "defender": 3}
    assert told(game, "sea_battle_ended")[0]["side"] == R


@pytest.mark.clause("7.5")
@pytest.mark.parametrize(("die", "away"), [(3, True), (4, False)])
def test_fleets_evade_on_three(die: int, away: bool) -> None:
    game = fleet({"roy_frigate-1": "caribbean_1", "mex_frigate-1": "caribbean_1"},
                 [3, die, *([] if away else [9, 9, 9, 9])], "roy_frigate-1")
    answer(game, R, "attack_fleet", target="caribbean_1", units=["roy_frigate-1"])
    choose(game, P, "evade")
    assert bool(told(game, "evaded")) is away


@pytest.mark.clause("7.10")
def test_a_fort_fires_for_its_ships_and_takes_no_harm() -> None:
    game = fleet({"roy_frigate-1": "callao", "ame_rl-1": "callao", "chile_frigate-1": "pacific_8"},
                 [3, 9, 9, 9, 9, 7, 8], "chile_frigate-1", side=P)
    answer(game, P, "attack_fleet", target="callao", units=["chile_frigate-1"])
    assert only(game, "fort_fires") == {"unit": "callao", "target": "chile_frigate-1", "rolls": [7, 8], "hits": 1}
    assert game.pos.steps("chile_frigate-1") == 1


@pytest.mark.clause("7.6", "7.7", "5.3")
def test_an_expedition_from_haiti() -> None:
    """The example of 10.3: a battalion and a squadron raised in Haiti land in Venezuela and march on."""
    units = {"bolivar": "haiti", "gc_frigate-1": "haiti", "gra_ar": "haiti", "gra_h": "haiti"}
    game = fleet(units, [3, 1, 6, 5], "gc_frigate-1", side=P, slot=1)
    answer(game, P, "embark", lots={"haiti": ["bolivar", "gra_ar", "gra_h"]})
    assert game.pos.force["cargo"]["op"] == 4 + 3 - 1
    sail(game, P, "haiti", "caribbean_4", "caribbean_5", "caribbean_6")
    assert {game.pos.at[u] for u in ("bolivar", "gra_ar", "gra_h")} == {"caribbean_6"}
    choose(game, P, "cumana")
    assert game.pos.force["op"] == 5
    assert game.pos.aboard == {}
    march(game, P, "cumana", "cumana_city")
    done(game, P)
    assert last(game, "attrition")["at"] == "cumana_city"
    assert game.pos.at["gra_ar"] == game.pos.at["gra_h"] == "recruits:gran_colombia"
    assert told(game, "leader_saved")
    assert game.pos.at["bolivar"] == "haiti"


@pytest.mark.clause("7.7")
def test_lift() -> None:
    units = dict.fromkeys(["chile_line-1", "chile_frigate-1", "chi_4", "chi_5", "pla_1", "pla_4", "san_martin",
                           "belgrano"], "valparaiso")
    game = fleet(units, [3, 3], "chile_line-1", "chile_frigate-1", side=P, turn=10)
    troops = ["chi_4", "chi_5", "pla_1", "pla_4"]
    assert refused(game, P, "embark", lots={"valparaiso": troops}) == ("no_room", "7.7")
    answer(game, P, "embark", lots={"valparaiso": ["chi_4", "chi_5", "pla_1", "san_martin", "belgrano"]})
    assert sorted(game.pos.aboard.values()).count("chile_line-1") == 3
    assert len(game.pos.aboard) == 5


@pytest.mark.clause("7.5.1", "7.10", "8.1")
def test_a_leader_whose_ship_is_sunk_is_nowhere_until_he_comes_ashore() -> None:
    units = {**dict.fromkeys(["plata_frigate-1", "pla_1", "belgrano"], "valparaiso"), "pla_2": "salta",
             "pla_3": "salta_city", "roy_frigate-1": "callao", "ame_rl-1": "callao"}
    game = fleet(units, [3, 3, 9, 9, 1, 1, 9, 9, 4], "plata_frigate-1", side=P)
    answer(game, P, "embark", lots={"valparaiso": ["belgrano", "pla_1"]})
    sail(game, P, "valparaiso", "pacific_10", "pacific_9", "pacific_8")
    answer(game, P, "attack_fleet", target="callao", units=["plata_frigate-1"])
    assert prompt(game, P) == "escape"
    assert game.pos.at["belgrano"] == "out"
    invariants.check(game.pos)
    choose(game, P, "salta")
    assert game.pos.at["belgrano"] == "salta"


@pytest.mark.clause("7.6")
def test_troops_and_ships_must_have_begun_there() -> None:
    game = fleet({"roy_frigate-1": "pacific_7", "ame_rl-1": "callao"}, [3], "roy_frigate-1")
    sail(game, R, "pacific_7", "pacific_8")
    assert "embark" not in forms(game, R)
    game = fleet({"roy_frigate-1": "pacific_8", "ame_rl-1": "callao", "ame_cu-1": "lima"}, [3], "roy_frigate-1")
    assert {k: v["units"] for k, v in lots(game, R, "embark").items()} == {"callao": ["ame_rl-1"]}


@pytest.mark.clause("7.8", "8.3")
@pytest.mark.parametrize(("die", "enemies", "taken"), [
    (4, False, True), (3, False, False), (4, True, False), (5, True, True)])
def test_raids(die: int, enemies: bool, taken: bool) -> None:
    units = {"chile_frigate-1": "pacific_8", "ame_rl-1": "lima", **({"roy_frigate-1": "pacific_8"} if enemies else {})}
    game = fleet(units, [3, die], "chile_frigate-1", side=P)
    choose(game, P, "lima")
    assert game.pos.raided == ({"lima": 1} if taken else {})
    assert "raid" not in forms(game, P)


@pytest.mark.clause("7.9", "6.3")
@pytest.mark.parametrize(("die", "fate"), [(2, "destroyed"), (5, "destroyed"), (6, "captured")])
def test_ships_in_a_fortress_that_falls(die: int, fate: str) -> None:
    units = {"gra_cr": "costa_firme", "gra_gl": "costa_firme", "bolivar": "costa_firme",
             "mil_royalist_inf-1": "puerto_cabello", "roy_frigate-1": "puerto_cabello"}
    game = operating(P, units, [5, 6, die], slot=1, turn=7)
    activate(game, P, "gra_cr", "gra_gl", "bolivar")
    answer(game, P, "assault", target="puerto_cabello", units=["gra_cr", "gra_gl"])
    assert only(game, "ship_taken_in_port")["fate"] == f"capture.{fate}"
    assert game.pos.at["roy_frigate-1"] == "recruits:royalist"
    assert game.pos.ships_at("puerto_cabello", P) == (["gc_frigate-1"] if fate == "captured" else [])


@pytest.mark.clause("7.9")
def test_a_ship_that_escapes_goes_to_a_port_or_to_spain() -> None:
    units = {"gra_cr": "costa_firme", "gra_gl": "costa_firme", "bolivar": "costa_firme", "ame_lh-1": "la_habana",
             "mil_royalist_inf-1": "puerto_cabello", "roy_frigate-1": "puerto_cabello", "spa_nv": "maracaibo_city"}
    game = operating(P, units, [5, 6, 1], slot=1, turn=7)
    activate(game, P, "gra_cr", "gra_gl", "bolivar")
    answer(game, P, "assault", target="puerto_cabello", units=["gra_cr", "gra_gl"])
    assert prompt(game, R) == "slip_away"
    assert set(options(game, R)) == {"maracaibo_city", "la_habana", "spain"}
    choose(game, R, "spain")
    assert game.pos.at["roy_frigate-1"] == "spain"


@pytest.mark.clause("7.4")
def test_return_to_port_or_loss() -> None:
    game = play({"phase": "end", "units": {"roy_frigate-1": "pacific_8", "ame_rl-1": "callao",
                                           "plata_frigate-1": "pacific_2", "gc_frigate-1": "caribbean_8"}})
    assert only(game, "stranded")["unit"] == "plata_frigate-1"
    answer(game, R, "return_to_port", placed={"roy_frigate-1": "callao"})
    answer(game, P, "return_to_port", placed={"gc_frigate-1": "haiti"})
    assert (game.pos.at["roy_frigate-1"], game.pos.at["gc_frigate-1"]) == ("callao", "haiti")
    pos = position(units={"ame_rl-1": "callao"})
    assert "spain" in shelters(pos, R, "caribbean_9")
    assert shelters(pos, R, "pacific_4") == ["callao", "pacific_5", "pacific_6", "pacific_7", "pacific_8"]
    assert shelters(pos, R, "pacific_3") == []


@pytest.mark.clause("7.5", "7.10")
def test_ships_in_a_port_do_not_evade() -> None:
    """In an open port no guns fire for them either."""
    game = fleet({"roy_frigate-1": "maracaibo_city", "spa_nv": "maracaibo_city", "gc_frigate-1": "caribbean_4"},
                 [3, 9, 9, 9, 9], "gc_frigate-1", side=P, slot=1)
    assert not game.pos.game.fortified("maracaibo_city")
    answer(game, P, "attack_fleet", target="maracaibo_city", units=["gc_frigate-1"])
    assert told(game, "sea_battle_ended")
    assert not told(game, "fort_fires")


@pytest.mark.clause("5.2", "7.1", "7.4")
def test_a_port_under_siege_is_closed_to_its_ships() -> None:
    units = {"roy_frigate-1": "pacific_8", "ame_rl-1": "callao", "pla_1": "lima"}
    siege = {"callao": {"units": ["pla_1"]}}
    game = fleet(units, [3], "roy_frigate-1", sieges=siege)
    assert refused(game, R, "sail", units=["roy_frigate-1"], path=["pacific_8", "callao"]) == ("port_besieged", "7.4")
    assert "callao" not in shelters(game.pos, R, "pacific_8")
    assert "pacific_7" in shelters(game.pos, R, "pacific_8")  # it is still a port of his


@pytest.mark.clause("7.6", "5.2", "6.2")
def test_a_garrison_may_be_taken_off_by_sea() -> None:
    units = {"roy_frigate-1": "pacific_8", "ame_rl-1": "callao", "pla_1": "lima"}
    game = fleet(units, [3, 3], "roy_frigate-1", sieges={"callao": {"units": ["pla_1"]}})
    answer(game, R, "embark", lots={"callao": ["ame_rl-1"]})
    assert game.pos.aboard == {"ame_rl-1": "roy_frigate-1"}
    assert game.pos.sieges == {}


@pytest.mark.clause("7.6", "7.7")
def test_who_sleeps_aboard_in_a_port_sails_on_with_who_comes_aboard_there() -> None:
    units = dict.fromkeys(["gc_frigate-1", "gra_h", "gra_ar"], "cartagena")
    game = operating(P, units, [3, 3], slot=1)
    game.pos.aboard = {"gra_h": "gc_frigate-1"}
    activate(game, P, "gc_frigate-1", sea=True)
    assert lots(game, P, "embark")["cartagena"]["units"] == ["gra_ar", "gra_h"]
    answer(game, P, "embark", lots={"cartagena": ["gra_ar", "gra_h"]})
    assert game.pos.aboard == {"gra_ar": "gc_frigate-1", "gra_h": "gc_frigate-1"}


@pytest.mark.clause("7.6", "7.9")
def test_a_fleet_sails_out_of_the_port_that_its_troops_have_left() -> None:
    """Whoever stays behind in it is the enemy's."""
    units = {"roy_frigate-1": "callao", "roy_frigate-2": "callao", "ame_rl-1": "callao", "pla_1": "lima"}
    game = fleet(units, [3, 3, 4], "roy_frigate-1")
    answer(game, R, "embark", lots={"callao": ["ame_rl-1"]})
    sail(game, R, "callao", "pacific_8")
    done(game, R)
    assert only(game, "ship_taken_in_port")["unit"] == "roy_frigate-2"
    assert game.pos.at["roy_frigate-1"] == "pacific_8"


@pytest.mark.clause("7.9", "8.1", "8.3")
@pytest.mark.parametrize("die", [1, 4])
def test_an_admiral_in_a_port_that_falls(die: int) -> None:
    """Cochrane gets away with a ship that does, else he is without men."""
    units = {"ame_rl-1": "lima", "ame_cu-1": "lima", "ame_vdc": "lima", "pezuela": "lima", "mil_peru_inf-1": "callao",
             "chile_frigate-1": "callao", "cochrane": "callao", "chi_4": "guayaquil_city"}
    game = operating(R, units, [6, 6, die, *([2] if die == 4 else [])], turn=11)
    activate(game, R, "ame_rl-1", "ame_cu-1", "ame_vdc", "pezuela")
    answer(game, R, "assault", target="callao", units=["ame_cu-1", "ame_rl-1", "ame_vdc"])
    assert told(game, "place_fell")
    assert game.pos.at["cochrane"] == ("guayaquil_city" if die == 1 else "out")


@pytest.mark.clause("7.9", "5.3")
def test_ships_are_taken_when_attrition_leaves_their_port_empty() -> None:
    units = {"mil_royalist_inf-1": "caracas", "roy_frigate-1": "puerto_cabello", "gra_cr": "costa_firme"}
    game = operating(R, units, [1, 3])
    done(game, R)
    assert game.pos.at["mil_royalist_inf-1"] == "recruits:royalist"
    assert only(game, "ship_taken_in_port")["fate"] == "capture.destroyed"
