"""4, 5 Movement and stacking."""

import pytest

from tests.rules.titles.ultimo_hombre.builders import (
    A,
    P,
    at,
    end,
    forms,
    last,
    lead,
    march,
    play,
    reach,
    refused,
    told,
    units,
)


@pytest.mark.clause("4")
def test_infantry_goes_two_spaces_and_cavalry_three() -> None:
    game = play({"phase": "allied_movement", "clear": True, "units": at("porto_alegre", "br_inf_01", "br_cav_01")})
    assert reach(game, A, "move", "br_inf_01")["cost"] == {
        "rio_pardo": 1, "rio_grande": 1, "sao_gabriel": 2, "cruz_alta": 2, "maldonado": 2, "jaguarao": 2, "bage": 2}
    assert reach(game, A, "move", "br_cav_01")["cost"]["sao_borja"] == 3
    assert refused(game, A, "move", units=["br_inf_01"],
                   path=["porto_alegre", "rio_pardo", "sao_gabriel", "alegrete"]) == ("too_far", "4")
    march(game, A, "br_cav_01", "porto_alegre", "rio_pardo", "cruz_alta")
    march(game, A, "br_cav_01", "cruz_alta", "sao_borja")  # in two marches as well as in one
    assert refused(game, A, "move", units=["br_cav_01"], path=["sao_borja", "itaqui"]) == ("spent", "4")


@pytest.mark.clause("4")
def test_a_stack_goes_at_the_pace_of_its_slowest() -> None:
    game = play({"phase": "allied_movement", "clear": True, "units": at("porto_alegre", "br_inf_01", "br_cav_01")})
    assert "sao_borja" not in reach(game, A, "move", ["br_inf_01", "br_cav_01"])["cost"]


@pytest.mark.clause("4")
def test_ways_are_lines_of_the_board() -> None:
    game = play({"phase": "allied_movement", "clear": True,
                 "units": {"br_inf_01": "porto_alegre", "br_inf_02": "bage"}})
    assert refused(game, A, "move", units=["br_inf_01"], path=["porto_alegre", "bage"]) == ("not_adjacent", "4")
    assert refused(game, A, "move", units=["br_inf_01"], path=["porto_alegre"]) == ("path_start", "4")
    assert refused(game, A, "move", units=[], path=["porto_alegre", "rio_pardo"]) == ("nobody_moves", "4")
    assert refused(game, A, "move", units=["br_inf_01", "br_inf_02"], path=["bage", "jaguarao"]) == (
        "not_together", "4")


@pytest.mark.clause("4", "11")
def test_empty_enemy_spaces_change_hands_when_entered_or_crossed() -> None:
    game = play({"phase": "paraguayan_movement", "clear": True, "units": {"py_cav_01": "concepcion"}})
    march(game, P, "py_cav_01", "concepcion", "bella_vista", "nioaque", "miranda")
    assert {s: game.pos.controller(s) for s in ("bella_vista", "nioaque", "miranda", "coxim")} == {
        "bella_vista": P, "nioaque": P, "miranda": P, "coxim": A}
    assert [step["data"]["at"] for step in told(game, "space_taken")] == ["nioaque", "miranda"]


@pytest.mark.clause("4", "7")
def test_enemy_units_end_the_way_and_mean_battle() -> None:
    game = play({"phase": "paraguayan_movement", "clear": True, "leaders": {"diaz": "concepcion"},
                 "units": {**at("concepcion", "py_cav_01", "py_cav_02"), "br_inf_01": "nioaque"}})
    lead(game, P, diaz="nioaque")
    assert refused(game, P, "move", units=["py_cav_01"], path=["concepcion", "bella_vista", "nioaque", "miranda"]) == (
        "enemy_stops", "4")
    march(game, P, "py_cav_01", "concepcion", "bella_vista", "nioaque")
    assert game.pos.controller("nioaque") == A  # not before the battle is won
    assert last(game, "attack_joined") == {"at": "nioaque", "from": "bella_vista", "count": 1, "units": ["py_cav_01"]}
    assert refused(game, P, "move", units=["py_cav_01"], path=["nioaque", "bella_vista"]) == ("in_battle", "7")


@pytest.mark.clause("5")
def test_six_units_of_any_nations_of_a_side_and_any_leaders() -> None:
    six = [*units("ar_inf_", 2), *units("br_inf_", 2), "uc_florida", "uc_escolta"]
    game = play({"phase": "allied_movement", "clear": True, "leaders": {"mitre": "san_roque", "caxias": "san_roque"},
                 "units": {**at("san_roque", six), "ar_cav_01": "goya"}})
    assert refused(game, A, "move", units=["ar_cav_01"], path=["goya", "san_roque"]) == ("too_many", "5")
    lead(game, A, flores="san_roque")
    march(game, A, "ar_cav_01", "goya", "san_roque", "corrientes")  # in passing a full space is none


@pytest.mark.clause("5", "6")
def test_attackers_count_for_the_limit_of_six() -> None:
    game = play({"phase": "allied_movement", "clear": True, "units": {
        **at("itapiru", units("br_inf_", 4)), **at("curupayti", units("ar_inf_", 3)), "py_inf_01": "tuyuti"}})
    lead(game, A, caxias="tuyuti")
    march(game, A, units("br_inf_", 4), "itapiru", "tuyuti")
    assert refused(game, A, "move", units=units("ar_inf_", 3), path=["curupayti", "tuyuti"]) == ("too_many", "5")
    march(game, A, units("ar_inf_", 2), "curupayti", "tuyuti")


@pytest.mark.clause("4", "14")
def test_neutral_spaces_are_walked_but_never_taken() -> None:
    game = play({"phase": "paraguayan_movement", "clear": True, "argentina": "out", "units": {"py_inf_01": "itapiru"},
                 "control": {"corrientes": "neutral", "san_roque": "neutral"}})
    march(game, P, "py_inf_01", "itapiru", "corrientes", "san_roque")
    assert game.pos.controller("corrientes") == game.pos.controller("san_roque") == "neutral"
    assert not told(game, "space_taken")
    assert game.pos.vp[P] == 0
    assert game.pos.hands[P] == []


@pytest.mark.clause("4", "15")
def test_blancos_march_within_uruguay_only_until_it_changes_sides() -> None:
    body = {"phase": "paraguayan_movement", "clear": True, "units": {"ub_cav_1": "salto", "py_cav_01": "salto"}}
    game = play(body)
    assert set(reach(game, P, "move", "ub_cav_1")["cost"]) == {
        "paysandu", "melo", "colonia", "durazno", "maldonado", "montevideo"}
    assert refused(game, P, "move", units=["ub_cav_1"], path=["salto", "livramento"]) == ("stays_in_uruguay", "15")
    assert reach(game, P, "move", "ub_cav_1")["blocked"]["livramento"]["clause"] == "15"
    march(game, P, "py_cav_01", "salto", "livramento")
    later = play({**body, "uruguay": "flipped", "control": {"montevideo": A}})
    march(later, P, "ub_cav_1", "salto", "livramento")


@pytest.mark.clause("4")
def test_a_phase_ends_when_its_player_says_so() -> None:
    game = play({"phase": "paraguayan_movement", "clear": True, "units": {"py_inf_01": "itapiru"},
                 "decks": {P: ["P02", "P04", "P16"]}}, [0])
    assert set(forms(game, P)) == {"leaders", "move", "end_movement"}
    end(game, P)
    assert game.pos.stage == "paraguayan_restore"
