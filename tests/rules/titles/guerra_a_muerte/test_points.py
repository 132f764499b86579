"""4 Points, costs, recruiting, promotion and levies."""

from typing import Any

import pytest

from rules.titles.guerra_a_muerte.income import area_yield, share, spain_modifier, takers
from tests.rules.titles.guerra_a_muerte.builders import (
    P,
    Play,
    R,
    answer,
    choose,
    done,
    forms,
    last,
    lots,
    only,
    play,
    position,
    prompt,
    refused,
    told,
)  # fmt: skip

EMPTY = dict.fromkeys(("royalist", "plata", "gran_colombia", "chile", "mexico", "peru"), 0)


def reorganising(units: dict[str, str], dice: list[int] | None = None, purses: dict[str, float] | None = None,
                 **body: Any) -> Play:
    """Phase 3 of a turn without reinforcements (turn 14), Spain sending nothing by a 1 unless told."""
    return play({"phase": "reorganisation", "turn": 14, "units": units, "purses": {**EMPTY, **(purses or {})}, **body},
                dice or [1])


def build(game: Play, side: str) -> None:
    """Until a side is asked to build."""
    while prompt(game, side) != "build":
        done(game, P)


@pytest.mark.clause("4.2", "4.3")
def test_shared_areas_give_half_rounded_down() -> None:
    """The example of 4.0: an area of 5 gives 2 to each."""
    pos = position(units={"ame_mx": "central_mexico", "mex_tp": "central_mexico"})
    assert pos.game.worth["central_mexico"] == 5
    assert (share(pos, "central_mexico", R), share(pos, "central_mexico", P)) == (2, 2)
    pos = position(units={"ame_mx": "central_mexico"})
    assert (share(pos, "central_mexico", R), share(pos, "central_mexico", P)) == (5, 0)


@pytest.mark.clause("4.2.1")
def test_rebels_lose_the_points_for_all() -> None:
    """The example of 4.2.1: Banda Oriental with rebels and men of El Plata yields nothing."""
    pos = position(units={"reb_inf-1": "banda_oriental", "pla_1": "banda_oriental"})
    assert (share(pos, "banda_oriental", R), share(pos, "banda_oriental", P)) == (0, 0)
    pos = position(units={"pla_1": "banda_oriental"})
    assert share(pos, "banda_oriental", P) == 2


@pytest.mark.clause("4.2", "4.2.1", "4.2.2", "4.2.3", "4.2.4")
def test_each_nation_draws_on_its_own_areas() -> None:
    def fed(area: str, *units: str) -> list[str]:
        return takers(position(units=dict.fromkeys(units, area)), area)

    assert fed("salta", "pla_1") == ["plata"]
    assert fed("salta", "mex_tp") == []
    assert fed("panama", "gra_cr") == ["gran_colombia"]
    assert fed("guatemala", "mex_tp") == ["mexico"]
    assert fed("chile_norte", "chi_1", "pla_1") == ["chile"]
    assert fed("charcas", "pla_1", "per_lp") == ["plata", "peru"]
    assert fed("lima", "pla_1", "per_lp", "gra_cr", "chi_1") == ["plata", "gran_colombia", "peru"]
    assert fed("lima", "sucre") == ["gran_colombia"]


@pytest.mark.clause("4.2")
def test_the_patriot_names_the_purse_of_an_area_of_several_nations() -> None:
    game = reorganising({"pla_1": "lima", "per_lp": "lima"})
    assert prompt(game, P) == "purse"
    choose(game, P, "peru")
    assert game.pos.purses["peru"] == 2 * 3
    assert game.pos.purses["plata"] == 0


@pytest.mark.clause("4.2", "5.1.3")
@pytest.mark.parametrize(("inside", "named", "fed"), [
    (("per_lp",), "peru", "peru"), (("per_lp", "pla_1"), "plata", "plata"), (("per_lp",), "plata", "peru"),
    (("chi_1",), "plata", None)])  # fmt: skip
def test_no_question_tells_whose_units_a_closed_box_holds(inside: tuple[str, ...], named: str, fed: str | None) -> None:
    game = reorganising(dict.fromkeys(inside, "lima"), armies={P: {"1": "lima"}})
    assert prompt(game, P) == "purse"
    assert [o["id"] for o in forms(game, P)["purse"]["options"]] == ["plata", "gran_colombia", "peru"]
    choose(game, P, named)
    assert {n: rp for n, rp in game.pos.purses.items() if rp and n != R} == ({} if fed is None else {fed: 6})


@pytest.mark.clause("4.3", "4.5")
def test_income_of_the_crown_with_spain() -> None:
    game = reorganising({"ame_rl-1": "lima", "ame_cu-1": "cuzco"}, [6])
    assert only(game, "income")["royalist"] == 5
    assert only(game, "spanish_money") == {"roll": 6, "total": 4, "points": 1}
    assert game.pos.purses[R] == 12


@pytest.mark.clause("4.5.1")
@pytest.mark.parametrize(("turn", "mod"), [(1, -1), (5, -1), (6, 1), (7, 1), (8, 0), (9, -2), (14, -2), (15, 0)])
def test_spain_by_years(turn: int, mod: int) -> None:
    assert spain_modifier(position(turn=turn)) == mod


@pytest.mark.clause("4.5.1", "10.2.1")
def test_spain_after_the_coup() -> None:
    units = {"pla_1": "salta", "chi_1": "chile_sur", "ame_rl-1": "lima"}
    assert spain_modifier(position(turn=15, coup=12, units=units)) == -1
    assert spain_modifier(position(turn=15, units=units)) == 0
    game = reorganising({**units, "ame_mx": "durango", "ame_pb": "tejas"}, [6], turn=15, coup=12)
    assert only(game, "spanish_money")["points"] == 1  # 3 halved


@pytest.mark.clause("4.4", "4.6")
def test_costs() -> None:
    game = position().game
    assert {u: game.cost(u) / 2 for u in (
        "mil_mexico_inf-1", "mil_mexico_cav-1", "gra_gl", "gra_cr", "gra_h", "gra_ll-1", "gra_art-1", "gc_frigate-1",
        "roy_line-1")} == {"mil_mexico_inf-1": 0.5, "mil_mexico_cav-1": 0.5, "gra_gl": 1, "gra_cr": 2, "gra_h": 1,
                           "gra_ll-1": 2, "gra_art-1": 2, "gc_frigate-1": 5, "roy_line-1": 10}
    assert game.step_cost("gra_cr") == 2


@pytest.mark.clause("4.6")
def test_units_are_built_where_their_nation_stands() -> None:
    game = reorganising({"pla_1": "salta", "mex_tp": "guatemala", "gra_cr": "quito"}, purses={
        "plata": 4, "mexico": 4, "gran_colombia": 4})
    build(game, P)
    where = {u: set(g["where"]) for g in forms(game, P)["build"]["groups"] for u in g["units"]}
    assert where["pla_4"] == {"salta", "salta_city"}
    assert where["gra_h"] == {"quito", "quito_city"}
    assert "gra_ng-2" not in where  # New Granada's only in Santa Fe
    assert not any(u.startswith("mil_mexico") for u in where)  # Guatemala feeds Mexico but raises no Mexicans
    answer(game, P, "build", placed={"pla_4": "salta_city", "gra_h": "quito"})
    assert (game.pos.at["pla_4"], game.pos.purses["plata"] // 2) == ("salta_city", 4 + game.pos.game.worth["salta"] - 1)


@pytest.mark.clause("4.6")
def test_no_building_in_a_besieged_city() -> None:
    game = reorganising({"ame_rl-1": "callao", "pla_1": "lima"}, purses={R: 9},
                        sieges={"callao": {"units": ["pla_1"]}})
    build(game, R)
    for group in forms(game, R)["build"]["groups"]:
        assert "callao" not in group["where"]


@pytest.mark.clause("4.2", "4.6")
def test_chile_may_use_the_plata_but_not_the_other_way() -> None:
    game = reorganising({"chi_4": "chile_norte", "pla_1": "charcas"}, purses={"plata": 0.5, "chile": 0})
    build(game, P)
    assert refused(game, P, "build", placed=dict.fromkeys(
        ["chi_1", "chi_2", "chi_3", "chi_5", "chi_art-1"], "chile_norte")) == ("too_dear", "4.4")
    answer(game, P, "build", placed={"chi_5": "chile_norte", "chi_art-1": "chile_norte", "chi_1": "chile_norte"})
    assert game.pos.purses["chile"] == 0
    assert game.pos.purses["plata"] == 1 + 4 + 8 - 10
    assert refused(game, P, "build", placed={"pla_4": "charcas", "pla_c-1": "charcas"})[1] == "4.4"


@pytest.mark.clause("4.1", "4.6")
def test_lost_steps_are_refilled_at_the_price_of_a_step() -> None:
    game = reorganising({"ame_rl-1": "lima"}, purses={R: 1}, reduced=["ame_rl-1"])
    build(game, R)
    answer(game, R, "refill", lots={"lima": ["ame_rl-1"]})
    assert game.pos.steps("ame_rl-1") == 2
    assert game.pos.purses[R] // 2 == 1 + 3 - 1


@pytest.mark.clause("4.7")
def test_promotion_comes_first_and_the_higher_die_first() -> None:
    game = reorganising({"ame_rl-1": "lima", "mil_royalist_inf-1": "lima", "pla_1": "salta",
                         "mil_plata_inf-1": "salta"}, [1, 2, 2, 3, 5], reduced=["ame_rl-1", "pla_1"])
    assert only(game, "promotion_rolled") == {"patriot": 3, "royalist": 5}
    assert prompt(game, R) == "promote"
    answer(game, R, "promote", lots={"ame_rl-1": ["mil_royalist_inf-1"]})
    assert game.pos.at["mil_royalist_inf-1"] == "recruits:royalist"
    assert game.pos.steps("ame_rl-1") == 2
    answer(game, P, "no_promotion", option="none")
    assert prompt(game, P) == "build"


@pytest.mark.clause("4.7", "5.1.1")
def test_a_marker_whose_last_militia_is_promoted_comes_off_the_map() -> None:
    game = reorganising({"ame_rl-1": "lima_city", "mil_royalist_inf-1": "lima"}, [1], reduced=["ame_rl-1"],
                        armies={R: {"1": "lima"}})
    answer(game, R, "promote", lots={"ame_rl-1": ["mil_royalist_inf-1"]})
    assert game.pos.armies[R]["1"] is None


@pytest.mark.clause("4.7")
def test_only_the_same_arm_area_and_nation_promote() -> None:
    game = reorganising({"pla_1": "lima", "mil_plata_cav-1": "lima", "mil_chile_inf-1": "lima",
                         "mil_plata_inf-1": "salta", "spa_ct": "cuba", "mil_royalist_inf-1": "cuba"}, [1],
                         reduced=["pla_1", "spa_ct"])
    assert prompt(game, R) == "promote"
    assert lots(game, R, "promote")["spa_ct"]["units"] == ["mil_royalist_inf-1"]
    done_ = {"form": "no_promotion", "option": "none"}
    answer(game, R, **done_)
    assert prompt(game, P) == "purse" or prompt(game, P) == "build"


@pytest.mark.clause("4.9", "4.9.1")
def test_a_levy_of_masses() -> None:
    """The example of 4.9.1: México Central gives the patriots three militia and no more uprisings."""
    game = reorganising({"mex_tp": "central_mexico"}, masses={P: []})
    build(game, P)
    assert options_of(game, P, "levy") == ["central_mexico"]
    answer(game, P, "levy", option="central_mexico")
    assert only(game, "masses")["count"] == 3
    assert game.pos.masses[P] == ["central_mexico"]
    assert area_yield(game.pos, "central_mexico") == 2  # half of 5
    assert "levy" not in forms(game, P)


def options_of(game: Play, side: str, form: str) -> list[str]:
    return [option["id"] for option in forms(game, side)[form]["options"]]


@pytest.mark.clause("4.9")
def test_a_levy_wants_a_unit_there_and_only_once_an_area() -> None:
    game = reorganising({"mex_tp": "central_mexico", "mex_ec": "guadalajara", "mex_sl": "durango"},
                        masses={P: ["guadalajara"]})
    build(game, P)
    assert options_of(game, P, "levy") == ["central_mexico"]


@pytest.mark.clause("4.9.1", "7.8")
def test_halved_and_raided_areas_give_less_once() -> None:
    game = reorganising({"ame_mx": "central_mexico", "ame_rl-1": "lima"}, halved=["central_mexico"], raided={"lima": 1})
    assert only(game, "income")["royalist"] == 2 + 2
    assert (game.pos.halved, game.pos.raided) == ([], {})


@pytest.mark.clause("4.2", "4.4")
def test_what_is_not_spent_is_kept() -> None:
    game = reorganising({"pla_1": "salta"}, purses={"plata": 3.5})
    salta = game.pos.game.worth["salta"]
    assert game.pos.purses["plata"] / 2 == 3.5 + salta
    assert last(game, "income")["patriot"] == salta
    assert not told(game, "built")
