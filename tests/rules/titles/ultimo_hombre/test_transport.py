"""3 Transport along rivers and coast."""

import pytest

from rules.titles.ultimo_hombre import TITLE
from rules.titles.ultimo_hombre.control import set_control
from tests.rules.building import begin
from tests.rules.titles.ultimo_hombre.builders import (
    A,
    P,
    Play,
    at,
    end,
    forms,
    last,
    march,
    play,
    position,
    reach,
    refused,
    ship,
    units,
)


@pytest.mark.clause("3")
def test_own_main_river_and_coastal_spaces_carry_any_number_any_distance() -> None:
    game = play({"phase": "allied_transport", "clear": True, "units": at("buenos_aires", units("ar_inf_", 6))})
    assert set(reach(game, A, "ship", units("ar_inf_", 6))["cost"]) == {
        "rosario", "santa_fe", "la_paz", "goya", "corrientes", "concepcion_del_uruguay", "concordia", "yatay",
        "santo_tome"}  # the upper Paraná lies behind Itapirú, the upper Uruguay behind Salto
    ship(game, A, units("ar_inf_", 6), "buenos_aires", "rosario", "santa_fe", "la_paz", "goya", "corrientes")
    assert game.pos.stack("corrientes") == units("ar_inf_", 6)
    assert last(game, "shipped")["count"] == 6


@pytest.mark.clause("3")
def test_enemy_spaces_and_dry_ones_end_the_way() -> None:
    game = play({"phase": "allied_transport", "clear": True,
                 "units": {"ar_inf_01": "corrientes", "ar_inf_02": "san_cosme", "br_inf_01": "rio_grande"}})
    assert "san_cosme" not in forms(game, A)["ship"]["stacks"]  # no river there
    assert "itapiru" not in reach(game, A, "ship", "ar_inf_01")["cost"]
    assert refused(game, A, "ship", units=["ar_inf_01"], path=["corrientes", "itapiru"]) == ("not_own_space", "3")
    assert refused(game, A, "ship", units=["ar_inf_01"], path=["corrientes", "san_cosme"]) == ("no_river_here", "3")
    assert "buenos_aires" not in reach(game, A, "ship", "br_inf_01")["cost"]  # Uruguay's coast is Paraguayan
    assert refused(game, A, "ship", units=["ar_inf_02"], path=["san_cosme", "ytati"]) == ("no_river_here", "3")


@pytest.mark.clause("3")
def test_the_way_itself_must_be_open_not_only_its_end() -> None:
    """Goya can be reached on the river, but not by way of Paraguay's Itapirú."""
    game = play({"phase": "allied_transport", "clear": True, "units": {"ar_inf_01": "corrientes"}})
    assert refused(game, A, "ship", units=["ar_inf_01"], path=["corrientes", "itapiru", "corrientes", "goya"]) == (
        "not_own_river", "3")


@pytest.mark.clause("3", "4")
def test_who_was_shipped_neither_ships_again_nor_moves() -> None:
    game = play({"phase": "allied_transport", "clear": True, "units": {"ar_inf_01": "rosario", "ar_inf_02": "rosario"}})
    ship(game, A, "ar_inf_01", "rosario", "santa_fe")
    assert refused(game, A, "ship", units=["ar_inf_01"], path=["santa_fe", "rosario"]) == ("was_shipped", "3")
    end(game, A)
    assert set(forms(game, A)["move"]["stacks"]) == {"rosario"}
    assert refused(game, A, "move", units=["ar_inf_01"], path=["santa_fe", "rosario"]) == ("was_shipped", "3")
    march(game, A, "ar_inf_02", "rosario", "santa_fe")


@pytest.mark.clause("3", "5")
def test_six_at_the_end_of_the_way() -> None:
    game = play({"phase": "allied_transport", "clear": True,
                 "units": {**at("santa_fe", units("ar_inf_", 5)), **at("rosario", "ar_gn_1", "ar_gn_2")}})
    assert refused(game, A, "ship", units=["ar_gn_1", "ar_gn_2"], path=["rosario", "santa_fe"]) == ("too_many", "5")
    ship(game, A, "ar_gn_1", "rosario", "santa_fe")
    ship(game, A, "ar_gn_2", "rosario", "santa_fe", "la_paz")  # in passing a full space is none


@pytest.mark.clause("3", "14")
def test_neutral_spaces_carry_nobody() -> None:
    game = play({"phase": "paraguayan_transport", "clear": True, "argentina": "out",
                 "units": {"py_inf_01": "itapiru", "br_inf_01": "rio_grande"},
                 "control": {"corrientes": "neutral"}})
    assert "goya" not in reach(game, P, "ship", "py_inf_01")["cost"]
    assert "humaita" in reach(game, P, "ship", "py_inf_01")["cost"]


@pytest.mark.clause("3", "15")
def test_blancos_do_not_sail_out_of_uruguay() -> None:
    pos = position(phase="paraguayan_transport", clear=True, control={"rosario": P},
                   units={"ub_inf_1": "montevideo", "py_inf_01": "montevideo"})
    set_control(pos, "buenos_aires", P)  # which would have ended the war (16)
    game = begin(Play, TITLE, pos)
    assert set(reach(game, P, "ship", "ub_inf_1")["cost"]) == {"maldonado", "colonia", "paysandu", "salto"}
    assert "rosario" in reach(game, P, "ship", "py_inf_01")["cost"]
    assert refused(game, P, "ship", units=["ub_inf_1"], path=["montevideo", "buenos_aires", "colonia"]) == (
        "stays_in_uruguay",
        "15",
    )
    ship(game, P, "ub_inf_1", "montevideo", "colonia")
