"""13 The capitals of Paraguay."""

import pytest

from tests.rules.titles.ultimo_hombre.builders import (
    A,
    P,
    choose,
    data,
    last,
    march,
    options,
    play,
    prompt,
    rows,
    told,
    view,
)

BODY = {"phase": "allied_movement", "clear": True, "fortresses": {}, "decks": {A: ["A04", "A17", "A24", "A22"]}}


@pytest.mark.clause("13")
def test_when_asuncion_falls_the_paraguayan_player_moves_his_government() -> None:
    game = play({**BODY, "units": {"br_inf_01": "villeta", "py_inf_01": "luque", "br_inf_02": "pilar"},
                 "control": {"concepcion": A}}, [0])
    march(game, A, "br_inf_01", "villeta", "asuncion")
    assert last(game, "capital_fell") == {"at": "asuncion", "value": 0}
    assert game.pos.vp[A] == 4  # Asunción's own points; the first capital has no marker
    assert prompt(game, P) == "place_capital"
    assert "luque" in options(game, P)
    assert {"asuncion", "villeta", "pilar", "concepcion", "corrientes", "salto"}.isdisjoint(options(game, P))
    choose(game, P, "piribebuy")
    assert game.pos.capital == "piribebuy"
    assert rows(game, "war")["capital"] == "II"
    assert [m["id"] for m in view(game, A)["space:piribebuy"]["markers"]] == ["capital"]


@pytest.mark.clause("13", "12.3")
@pytest.mark.parametrize(("used", "vp", "numeral"), [(1, 2, "III"), (2, 3, "IV"), (3, 4, "V")])
def test_each_later_capital_scores_its_marker_and_brings_the_next(used: int, vp: int, numeral: str) -> None:
    game = play({**BODY, "units": {"br_inf_01": "luque"}, "capital": "caraguatay", "capitals_used": used,
                 "earned": ["caraguatay"]})
    march(game, A, "br_inf_01", "luque", "caraguatay")
    assert game.pos.vp[A] == vp
    choose(game, P, "cerro_cora")
    assert last(game, "capital_placed") == {"at": "cerro_cora", "capital": numeral}
    assert game.asked == (A,)  # whose movement goes on


@pytest.mark.clause("13", "16")
def test_the_fall_of_capital_v_wins_the_war() -> None:
    game = play({**BODY, "units": {"br_inf_01": "luque"}, "capital": "caraguatay", "capitals_used": 4})
    march(game, A, "br_inf_01", "luque", "caraguatay")
    assert game.pos.result == {"winner": A, "key": "result.capital", "args": {"at": "caraguatay"}, "clause": "13"}
    assert game.asked == ()


@pytest.mark.clause("13")
def test_without_a_space_left_the_allies_win() -> None:
    home = [s for s, d in data().files["map"]["spaces"].items() if d["country"] == "paraguay" and s != "asuncion"]
    game = play({**BODY, "control": dict.fromkeys(home, A), "units": {"br_inf_01": "villeta"}})
    march(game, A, "br_inf_01", "villeta", "asuncion")
    assert game.pos.result is not None
    assert game.pos.result["key"] == "result.no_capital"


@pytest.mark.clause("13")
def test_a_march_may_take_one_capital_after_another() -> None:
    game = play({**BODY, "units": {"br_cav_01": "villeta", "br_inf_01": "villeta"}}, [0, 0])
    march(game, A, "br_cav_01", "villeta", "asuncion", "luque", "cerro_leon")
    choose(game, P, "cerro_leon")
    choose(game, P, "paraguari")
    assert [step["data"]["at"] for step in told(game, "capital_fell")] == ["asuncion", "cerro_leon"]
    assert game.pos.vp[A] == 4 + 2 + 1
    assert game.pos.at["br_cav_01"] == "cerro_leon"


@pytest.mark.clause("13")
def test_retaking_a_lost_capital_brings_nothing_back() -> None:
    game = play({**BODY, "phase": "paraguayan_movement", "capital": "piribebuy", "capitals_used": 1,
                 "control": {"asuncion": A, "luque": P}, "earned": ["asuncion"], "lost_strategic": ["asuncion"],
                 "units": {"py_inf_01": "luque"}})
    march(game, P, "py_inf_01", "luque", "asuncion")
    assert game.pos.capital == "piribebuy"
    assert "asuncion" not in game.pos.strategic("paraguay")
