"""2, 12 Set-up of the campaign and of the three short scenarios."""

import pytest

from rules.titles.guerra_a_muerte.position import Position
from rules.titles.guerra_a_muerte.setup import served
from tests.rules.titles.guerra_a_muerte.builders import (
    P,
    Play,
    R,
    answer,
    choose,
    data,
    forms,
    new_game,
    prompt,
    refused,
)


def set_up(scenario: str, dice: tuple[int, ...] = ()) -> Play:
    """A game with both sides as suggested."""
    game = new_game(dice, scenario)
    assert prompt(game, R) == "set_up"
    choose(game, R, "suggested")
    choose(game, P, "suggested")
    return game


def steps(pos: Position, side: str, *areas: str, kind: str = "", nation: str = "") -> int:
    """Steps of a side's troops in areas and their cities."""
    return sum(pos.steps(u) for a in areas for u in pos.units_in(a, side)
               if kind in ("", pos.unit(u).type) and nation in ("", pos.unit(u).nation) and not pos.unit(u).militia)


@pytest.mark.clause("2.1")
def test_the_royalist_set_up_has_what_the_rules_name() -> None:
    pos = set_up("campaign").pos
    for place in ("veracruz", "puerto_cabello", "montevideo", "callao", "san_juan", "santo_domingo_city"):
        (unit,) = [u for u in pos.units_at(place, R) if not pos.unit(u).ship]
        assert pos.unit(unit).militia
        assert pos.unit(unit).type == "infantry"
    for area in ("guatemala", "salta"):
        assert any(pos.unit(u).militia and pos.unit(u).type == "cavalry" for u in pos.units_at(area, R))
    assert [pos.steps(u) for u in ("ame_vz", "ame_df")] == [1, 1]
    assert {u: pos.at[u] for u in ("ame_cp", "ame_gm", "ame_pm", "ame_cl", "ame_df")} == {
        "ame_cp": "yucatan", "ame_gm": "guatemala", "ame_pm": "panama", "ame_cl": "chiloe", "ame_df": "chiloe"}
    assert pos.at["roy_frigate-1"] == "montevideo"
    assert pos.purses[R] == 8


@pytest.mark.clause("2.1")
def test_the_frigate_may_stand_in_one_of_three_ports() -> None:
    game = new_game()
    groups = {g["id"]: g for g in forms(game, R)["set_up"]["groups"]}
    assert groups["set_up_frigate"]["where"] == ["callao", "la_habana", "montevideo"]
    body = game.pos.game.scenario["setup"][0]["suggested"]
    answer(game, R, "set_up", placed={**body, "roy_frigate-1": "callao", "ame_crna": "durango"})
    assert game.pos.at["roy_frigate-1"] == "callao"
    assert game.pos.at["ame_crna"] == "durango"


@pytest.mark.clause("2.1")
def test_codes_bind() -> None:
    game = new_game()
    body = game.pos.game.scenario["setup"][0]["suggested"]
    assert refused(game, R, "set_up", placed={**body, "ame_crna": "lima"}) == ("not_there", "2.1")
    assert refused(game, R, "set_up", placed={u: p for u, p in body.items() if u != "ame_crna"}) == (
        "all_must_be_placed", "2.1")


@pytest.mark.clause("2.2")
def test_the_patriot_set_up_has_what_the_rules_name() -> None:
    pos = set_up("campaign").pos
    assert (pos.at["hidalgo"], pos.at["morelos"]) == ("guadalajara", "tierra_caliente")
    assert pos.steps("gra_cn") == 1
    assert pos.at["gra_cn"] == "santa_fe"
    bands = [u for u in pos.guerrillas if pos.unit(u).nation == "peru"]
    assert bands
    assert {pos.at[u] for u in bands} <= {"mojos", "chiquitos", "charcas"}
    (garrison,) = pos.units_at("cartagena", P)
    assert pos.unit(garrison).militia
    assert pos.masses[P] == ["central_mexico", "guadalajara"]
    assert {p: n // 2 for p, n in pos.purses.items()} == {
        R: 4, "plata": 2, "gran_colombia": 2, "chile": 0, "mexico": 4, "peru": 0}


@pytest.mark.clause("2.3")
def test_rebels_legion_track_and_pools() -> None:
    pos = set_up("campaign").pos
    assert [pos.unit(u).type for u in pos.units_at("paraguay", "rebels")] == ["cavalry", "infantry"]
    assert [pos.at[f"por_spl-{n}"] for n in (1, 2, 3)] == ["brazil"] * 3
    assert pos.at["morillo"] == "turn:6"
    assert pos.at["spa_le"] == "turn:6"
    assert pos.at["mil_royalist_inf-8"] == "recruits:royalist"
    assert pos.at["ame_pt-1"] == "turn:7"


@pytest.mark.clause("12.1", "12.1.1", "12.1.2", "12.1.3")
def test_the_first_battles_begin_with_operations_and_the_campaigns_set_up() -> None:
    game = set_up("first_battles")
    assert game.pos.stage == "patriot_operations"
    assert game.pos.turn == 1
    assert prompt(game, P) == "operations"
    scenarios = data().files["scenarios"]
    assert scenarios["first_battles"]["setup"] == scenarios["campaign"]["setup"]
    assert scenarios["first_battles"]["turns"] == 5


@pytest.mark.clause("12.2", "12.2.1", "12.2.2")
def test_the_empire_strikes_back_with_its_steps() -> None:
    game = set_up("empire_strikes_back")
    pos = game.pos
    assert (pos.turn, pos.stage, prompt(game, P)) == (6, "uprisings", "uprisings")
    lists = pos.game.lists["arrivals"]
    assert [steps(pos, R, *lists[where], kind=kind, nation=nation) for where, kind, nation in (
        ("caribbean", "infantry", "american"), ("caribbean", "cavalry", "american"),
        ("caribbean", "infantry", "spanish"),
        ("new_spain", "infantry", "american"), ("new_spain", "cavalry", "american"), ("new_spain", "artillery", ""),
        ("new_spain", "infantry", "spanish"), ("new_spain", "cavalry", "spanish"),
        ("venezuela", "infantry", "american"), ("venezuela", "cavalry", "american"),
        ("venezuela", "infantry", "spanish"),
        ("venezuela", "artillery", ""), ("peru", "infantry", "american"), ("peru", "cavalry", "american"),
        ("peru", "artillery", ""))] == [8, 1, 2, 11, 4, 2, 7, 2, 5, 4, 1, 1, 14, 3, 2]
    assert steps(pos, R, "chile_norte", "chile_sur", "chiloe", kind="infantry") == 2
    assert steps(pos, R, "chile_norte", "chile_sur", "chiloe", kind="cavalry") == 1
    assert pos.ships_at("veracruz", R) == ["roy_frigate-1"]
    assert pos.ships_at("callao", R) == ["roy_frigate-2"]
    assert pos.repression == ["chile_norte"]
    assert pos.purses[R] == 28


@pytest.mark.clause("12.2.3")
def test_the_patriots_of_1815() -> None:
    pos = set_up("empire_strikes_back").pos
    assert steps(pos, P, "santa_fe", kind="infantry") == 4
    assert steps(pos, P, "santa_fe", kind="cavalry") == 2
    assert steps(pos, P, "salta", "cordoba", "rio_de_la_plata", kind="infantry", nation="plata") == 7
    assert steps(pos, P, "salta", "cordoba", "rio_de_la_plata", kind="cavalry", nation="plata") == 4
    assert (pos.at["bolivar"], pos.at["gc_frigate-1"], pos.at["mex_frigate-1"]) == ("haiti", "haiti", "united_states")
    assert pos.at["plata_frigate-1"] == "buenos_aires"
    assert sum(pos.unit(u).nation == "mexico" for u in pos.guerrillas) == 4
    assert pos.masses[P] == ["central_mexico", "tierra_caliente"]
    assert [pos.purses[n] // 2 for n in ("gran_colombia", "mexico", "plata")] == [10, 4, 7]
    assert pos.at["gra_ng-2"] == "recruits:gran_colombia"  # was to come on turn 5
    assert pos.at["spa_tv-3"] == "recruits:spanish"
    assert pos.at["paez"] == "turn:7"


@pytest.mark.clause("12.2.2")
def test_other_units_may_fill_the_steps_but_not_more_or_fewer() -> None:
    game = new_game((), "empire_strikes_back")
    body = dict(game.pos.game.scenario["setup"][0]["suggested"])
    assert refused(game, R, "set_up", placed={**body, "ame_cb-2": "durango"}) == ("not_wanted", "12.2.2")
    swapped = {**body, "ame_cl": "chiloe", "ame_gr": "lima"}
    assert refused(game, R, "set_up", placed=swapped) == ("not_wanted", "12.2.2")
    fewer = {u: p for u, p in body.items() if u != "ame_cl"}
    assert refused(game, R, "set_up", placed=fewer) == ("steps_differ", "12.2.2")
    del swapped["ame_rl-1"]
    answer(game, R, "set_up", placed={**swapped, "ame_fp": "lima"})
    assert steps(game.pos, R, *game.pos.game.lists["arrivals"]["peru"], kind="infantry", nation="american") == 14


@pytest.mark.clause("12.3", "12.3.1", "12.3.2")
def test_the_end_of_the_empire_begins_after_the_coup() -> None:
    game = set_up("end_of_empire")
    pos = game.pos
    assert (pos.turn, pos.coup) == (11, 11)
    assert prompt(game, P) == "uprisings"  # no leader stands beside Americans
    assert steps(pos, R, "cuba", "santo_domingo", "puerto_rico", kind="infantry") == 12
    new_spain = pos.game.lists["arrivals"]["new_spain"]
    assert [steps(pos, R, *new_spain, kind=kind, nation=nation) for kind, nation in (
        ("infantry", "spanish"), ("infantry", "american"), ("cavalry", ""), ("artillery", ""))] == [12, 10, 7, 3]
    assert steps(pos, R, "maracaibo", "costa_firme", kind="infantry", nation="spanish") == 6
    assert steps(pos, R, "maracaibo", "costa_firme", kind="infantry", nation="american") == 8
    assert [steps(pos, R, area, kind="infantry") for area in ("pasto", "quito", "panama", "arequipa", "cuzco")] == [
        1, 2, 2, 4, 2]
    assert steps(pos, R, "lima", kind="infantry") == 8  # 6, and 2 in Guayaquil or Lima
    assert pos.at["spa_bcn"] == "cartagena"
    assert pos.army_at(R, "lima") == "1"
    assert [u for u in pos.guerrillas if pos.at[u] == "chiloe"]
    assert pos.purses[R] == 16
    assert not [u for u, loc in pos.at.items() if loc.startswith("turn:") and pos.unit(u).nation == "spanish"]


@pytest.mark.clause("12.3", "10.2.1")
def test_leaders_subvert_in_the_turn_of_the_coup_once_the_armies_stand() -> None:
    game = new_game((3,), "end_of_empire")
    choose(game, R, "suggested")
    answer(game, P, "set_up", placed={**game.pos.game.scenario["setup"][1]["suggested"], "bolivar": "costa_firme"})
    assert prompt(game, P) == "subversion"
    choose(game, P, "ame_co")
    assert game.pos.at["ame_co"] == "recruits:american"
    assert any(pos_unit.startswith("gra_") and game.pos.at[pos_unit] == "costa_firme" and game.pos.steps(pos_unit) == 2
               for pos_unit in game.pos.at)
    assert prompt(game, P) == "uprisings"


@pytest.mark.clause("12.3.3")
def test_the_patriots_of_1820() -> None:
    pos = set_up("end_of_empire").pos
    assert steps(pos, P, "santa_fe", kind="infantry") == 7
    assert steps(pos, P, "costa_firme", "cumana", "guayana", "los_llanos", "margarita", kind="infantry") == 8
    assert steps(pos, P, "costa_firme", "cumana", "guayana", "los_llanos", "margarita", kind="cavalry") == 8
    chile = ("salta", "cordoba", "chile_norte", "chile_sur")
    assert [steps(pos, P, *chile, kind=kind, nation=nation) for kind, nation in (
        ("infantry", "plata"), ("infantry", "chile"), ("cavalry", "plata"), ("cavalry", "chile"))] == [7, 6, 5, 3]
    assert {pos.at[u] for u in ("cochrane", "chile_line-1", "chile_frigate-1", "plata_frigate-1")} == {"valparaiso"}
    assert pos.at["san_martin"] == "chile_norte"
    assert len(pos.units_in("paraguay", "rebels")) == 2
    assert len(pos.units_in("banda_oriental", "rebels")) == 1
    assert pos.repression == ["chile_norte"]
    assert pos.at["morelos"] == "out"
    assert pos.at["sucre"] == "turn:11"


@pytest.mark.clause("12.3.3")
def test_units_reduced_to_fit_are_those_of_the_suggested_set_up() -> None:
    game = new_game((), "end_of_empire")
    for body, wanted in zip(game.pos.game.scenario["setup"], ({"spa_hf"}, {"chi_5", "chi_cz", "pla_2"}), strict=True):
        free = {u: p for u, p in body["suggested"].items() if not any(u in g["units"] for g in body["groups"])}
        reduced, missing, wrong = served(game.pos, body["demands"], free)
        assert (set(reduced), missing, wrong) == (wanted, {}, [])
