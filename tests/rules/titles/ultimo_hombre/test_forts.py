"""9 Fortresses."""

import pytest

from tests.rules.titles.ultimo_hombre.builders import (
    HIT,
    MISS,
    A,
    P,
    Play,
    at,
    attack,
    both_line_up,
    choose,
    line_up,
    march,
    play,
    told,
    view,
)

DECK = {"decks": {A: ["A04", "A17"], P: ["P10", "P16"]}}


def storm(attackers: list[str], defenders: list[str], dice: list[int], **body: object) -> Play:
    """Humaitá, a main-river space with a fortress, from Tuyutí: its garrison fires first."""
    game = play({"phase": "allied_movement", "clear": True, **DECK,
                 "units": {**at("tuyuti", attackers), **at("humaita", defenders)}, **body}, dice)
    attack(game, A, "humaita", {"tuyuti": attackers})
    return game


@pytest.mark.clause("9")
def test_the_first_two_hits_on_slot_one_are_the_fortresss() -> None:
    game = storm(["br_inf_01", "br_inf_02"], ["py_inf_03"], [MISS, HIT, HIT])
    line_up(game, A, "br_inf_01", "br_inf_02")
    # two attackers aim at slot 1, one across and one with a free shot: both count (ruling)
    assert told(game, "fort_hit")[0]["data"] == {"at": "humaita", "fort": "fort_humaita"}
    assert "fort_humaita" not in game.pos.forts
    assert told(game, "fort_destroyed")
    assert game.pos.reduced == []


@pytest.mark.clause("9")
def test_the_third_hit_is_the_units() -> None:
    game = storm(["br_inf_01", "br_inf_02", "br_inf_03"], ["py_inf_03"], [MISS, HIT, HIT, HIT])
    line_up(game, A, "br_inf_01", "br_inf_02", "br_inf_03")
    assert game.pos.reduced == ["py_inf_03"]
    assert view(game, P)["battle"]["fort"] is None


@pytest.mark.clause("9")
def test_hits_on_other_slots_pass_the_fortress_by() -> None:
    game = storm(["br_inf_01", "br_inf_02"], ["py_inf_03", "py_inf_04"], [MISS, MISS, MISS, HIT])
    both_line_up(game)
    assert game.pos.worn == []
    assert game.pos.reduced == ["py_inf_04"]


@pytest.mark.clause("9")
def test_the_battle_board_shows_a_damaged_fortress() -> None:
    game = storm(["br_inf_01", "br_inf_02"], ["py_ninos", "py_inf_03"], [MISS, MISS, HIT, MISS])
    line_up(game, P, "py_ninos", "py_inf_03")
    line_up(game, A, "br_inf_01", "br_inf_02")
    assert view(game, A)["battle"]["fort"] == {"id": "fort_humaita", "reduced": True}
    assert game.pos.at["py_ninos"] == "humaita"  # the boys were sheltered


@pytest.mark.clause("9")
def test_a_fortress_hit_once_is_made_good_when_its_garrison_holds() -> None:
    game = storm(["br_engenheiros"], ["py_inf_03"], [MISS, HIT])
    assert game.pos.worn == ["fort_humaita"]
    game.dice.extend([HIT, 0])
    choose(game, P, "stay")
    assert game.pos.forts["fort_humaita"] == "humaita"
    assert game.pos.worn == []


@pytest.mark.clause("9")
def test_it_is_made_good_when_the_attackers_retreat() -> None:
    game = storm(["br_inf_01"], ["py_inf_03"], [MISS, HIT, MISS])
    choose(game, P, "stay")
    game.dice.extend([0])
    choose(game, A, "retreat")
    assert game.pos.worn == []
    assert [m["badges"] for m in view(game, A)["space:humaita"]["markers"]] == [[]]


@pytest.mark.clause("9", "11")
def test_it_falls_with_its_space() -> None:
    game = storm(["br_inf_01"], ["py_inf_03"], [MISS, MISS], control={"curupayti": P})
    game.dice.extend([0, 0])
    choose(game, P, "pilar")
    assert "fort_humaita" not in game.pos.forts
    assert game.pos.controller("humaita") == A


@pytest.mark.clause("9", "4")
def test_a_fortress_alone_stops_nobody() -> None:
    game = play({"phase": "allied_movement", "clear": True, **DECK,
                 "units": {"br_inf_01": "tuyuti", "br_cav_01": "curupayti"}}, [0])
    march(game, A, "br_inf_01", "tuyuti", "humaita", "pilar")
    assert "fort_humaita" not in game.pos.forts
    assert game.pos.controller("humaita") == A


@pytest.mark.clause("9")
def test_a_fortress_shelters_its_own_side_only_as_defender() -> None:
    """Coimbra is Brazilian: Paraguayan hits on slot 1 are its own, Brazilian ones strike the attackers."""
    game = play({"phase": "paraguayan_movement", "clear": True, **DECK,
                 "units": {"py_inf_01": "puerto_esperanza", "br_inf_01": "coimbra"}}, [HIT, HIT])
    attack(game, P, "coimbra", {"puerto_esperanza": "py_inf_01"})
    assert game.pos.reduced == ["py_inf_01"]
    assert game.pos.worn == ["fort_coimbra"]
