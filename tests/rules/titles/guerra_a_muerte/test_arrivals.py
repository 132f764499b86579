"""4.8, 4.10 Reinforcements of both sides."""

from typing import Any

import pytest

from tests.rules.titles.guerra_a_muerte.builders import (
    P,
    Play,
    R,
    answer,
    done,
    forms,
    last,
    operating,
    play,
    prompt,
    refused,
    told,
)  # fmt: skip

NOTHING = dict.fromkeys(("royalist", "plata", "gran_colombia", "chile", "mexico", "peru"), 0)


def arriving(turn: int, units: dict[str, str], *dice: int, **body: Any) -> Play:
    """Phase 3 of a turn with reinforcements; Spain sends nothing."""
    return play({"phase": "reorganisation", "turn": turn, "units": units, "purses": NOTHING, **body}, [1, *dice])


SIX = ["morillo", "spa_le", "spa_vi", "spa_ex", "spa_br", "spa_vy", "spa_ab", "spa_lc", "spa_du", "spa_hf", "spa_art-6",
       "spa_art-7"]


@pytest.mark.clause("4.8")
@pytest.mark.parametrize(("die", "fate"), [(2, "turned_back"), (3, "lands"), (4, "lands"), (5, "lost")])
def test_the_convoy_for_montevideo(die: int, fate: str) -> None:
    """The example of 4.9.1: Morillo's expedition for Montevideo meets a frigate of El Plata."""
    game = arriving(6, {"mil_royalist_inf-1": "montevideo", "plata_frigate-1": "atlantic_1"}, die)
    assert {u for g in forms(game, R)["arrivals"]["groups"] for u in g["units"]} == set(SIX)
    answer(game, R, "arrivals", placed=dict.fromkeys(SIX, "montevideo"))
    assert last(game, "convoy_rolled")["fate"] == f"convoy.{fate}"
    assert {game.pos.at[u] for u in SIX if u != "morillo"} == {
        "turned_back": {"turn:7"}, "lands": {"montevideo"}, "lost": {"recruits:spanish"}}[fate]
    assert game.pos.at["morillo"] == {"turned_back": "turn:7", "lands": "montevideo", "lost": "out"}[fate]


@pytest.mark.clause("4.8")
def test_without_patriot_ships_they_land_and_who_is_not_landed_waits() -> None:
    game = arriving(6, {"mil_royalist_inf-1": "montevideo"})
    answer(game, R, "arrivals", placed={"spa_le": "montevideo"})
    assert game.pos.at["spa_le"] == "montevideo"
    assert game.pos.at["morillo"] == "turn:7"


@pytest.mark.clause("4.8", "7.5")
def test_with_ships_of_both_sides_a_fight_comes_first() -> None:
    game = arriving(6, {"mil_royalist_inf-1": "montevideo", "plata_frigate-1": "atlantic_1",
                        "roy_line-1": "atlantic_1"}, 1, 9, 9, 9)
    answer(game, R, "arrivals", placed={"spa_le": "montevideo"})
    assert not told(game, "convoy_rolled")  # it must be fought, and the crown lost no step and won
    assert game.pos.at["spa_le"] == "montevideo"


@pytest.mark.clause("4.8")
def test_a_port_under_siege_or_lost_takes_nobody() -> None:
    game = arriving(6, {"mil_royalist_inf-1": "montevideo", "pla_1": "banda_oriental", "ame_rl-1": "callao"},
                    sieges={"montevideo": {"units": ["pla_1"]}})
    where = {w for g in forms(game, R)["arrivals"]["groups"] for w in g["where"]}
    assert where == {"callao"}


@pytest.mark.clause("4.10")
def test_frigates_of_the_second_turn() -> None:
    game = arriving(2, {"chi_1": "valparaiso", "gra_cn": "cartagena"})
    assert [step["data"]["units"] for step in told(game, "frigate_pooled")] == [["plata_frigate-1"]]
    answer(game, P, "reinforcements", placed={"chile_frigate-1": "valparaiso", "gc_frigate-1": "cartagena"})
    assert game.pos.at["chile_frigate-1"] == "valparaiso"
    assert game.pos.at["plata_frigate-1"] == "recruits:plata"


@pytest.mark.clause("4.10")
def test_mexicans_come_with_morelos_or_where_they_are_alone() -> None:
    game = arriving(3, {"morelos": "durango", "ame_mx": "durango", "mil_mexico_inf-1": "tejas", "hidalgo": "out"})
    answer(game, R, "no_arrivals", option="none")
    groups = {u: g["where"] for g in forms(game, P)["reinforcements"]["groups"] for u in g["units"]}
    assert groups["mex_tp"] == ["durango", "tejas"]


@pytest.mark.clause("4.10")
def test_the_lost_cause() -> None:
    """Three infantry and two cavalry become three militia infantry and two militia cavalry, where no royalists are."""
    game = arriving(3, {"morelos": "out", "hidalgo": "out", "ame_mx": "durango"})
    answer(game, R, "no_arrivals", option="none")
    units = {u for g in forms(game, P)["reinforcements"]["groups"] for u in g["units"] if u.startswith("mil_mexico")}
    assert len([u for u in units if "_inf" in u]) == 3
    assert len([u for u in units if "_cav" in u]) == 2
    where = next(g["where"] for g in forms(game, P)["reinforcements"]["groups"] if units & set(g["units"]))
    assert "durango" not in where
    assert game.pos.at["mex_tp"] == "out"


@pytest.mark.clause("4.10")
def test_mina_lands_at_the_start_of_the_operations_of_turn_8() -> None:
    game = operating(P, {"pla_1": "salta", "morelos": "out"}, turn=8)
    assert prompt(game, P) == "mina"
    assert refused(game, P, "mina", placed={"mex_m": "guadalajara"}) == ("not_there", "4.10")
    answer(game, P, "mina", placed={"mex_m": "tejas"})
    assert game.pos.at["mex_m"] == "tejas"


@pytest.mark.clause("4.10", "4.6")
def test_new_granadas_units_come_in_santa_fe_only() -> None:
    game = play({"phase": "reorganisation", "turn": 14, "units": {"gra_cr": "quito", "gra_cn": "santa_fe"},
                 "purses": {**NOTHING, "gran_colombia": 4}}, [1])
    where = {u: set(g["where"]) for g in forms(game, P)["build"]["groups"] for u in g["units"]}
    assert where["gra_ng-2"] == {"santa_fe", "bogota", "cartagena"}
    assert where["gra_gc-1"] == where["gra_ng-2"]
    done(game, P)
