"""15 Uruguay changes sides."""

import pytest

from tests.rules.titles.ultimo_hombre.builders import (
    HIT,
    MISS,
    A,
    P,
    attack,
    choose,
    last,
    march,
    play,
    rows,
    told,
    units,
    use,
    view,
)

DECK = {A: ["A04", "A17", "A18", "A19", "A20", "A21", "A22", "A23", "A24"]}
COUNTRY = ["colonia", "durazno", "maldonado", "melo", "montevideo", "paysandu", "salto"]


@pytest.mark.clause("15", "11")
def test_montevideos_fall_by_movement_brings_the_whole_country_over() -> None:
    game = play({"phase": "allied_movement", "clear": True, "decks": DECK,
                 "units": {"br_inf_01": "maldonado", "ub_cav_1": "salto", "py_cav_01": "melo"},
                 "control": {"colonia": A}, "earned": ["maldonado", "colonia"]}, [0] * 5)
    march(game, A, "br_inf_01", "maldonado", "montevideo")
    # Montevideo's own card, then those of Durazno, Melo, Paysandú and Salto, which were not conquered yet
    assert last(game, "uruguay_changed_sides") == {"count": 4}
    assert len(game.pos.hands[A]) == 5
    assert {s for s in COUNTRY if game.pos.controller(s) == P} == {"salto", "melo"}
    assert set(COUNTRY) <= set(game.pos.earned)
    assert {"fort_montevideo", "fort_paysandu"}.isdisjoint(game.pos.forts)
    assert rows(game, "war")["uruguay"] == "uruguay.flipped"


@pytest.mark.clause("15")
def test_montevideos_fall_in_battle() -> None:
    game = play({"phase": "allied_movement", "clear": True, "decks": DECK, "fortresses": {},
                 "earned": ["maldonado"],
                 "units": {"br_inf_01": "maldonado", "ub_inf_5": "montevideo", "ub_inf_1": "durazno"}},
                [MISS, HIT, *[0] * 6, 0])
    attack(game, A, "montevideo", {"maldonado": "br_inf_01"})
    assert game.pos.uruguay == "flipped"
    assert game.pos.controller("durazno") == P
    assert len(game.pos.hands[A]) == 1 + 5 + 1  # Montevideo, the five others but Maldonado, and the recovery phase's


@pytest.mark.clause("15", "12.1")
def test_montevideos_fall_by_a_card() -> None:
    game = use("A03", [0] * 7, decks={A: ["A17", "A04", *DECK[A][2:]]})
    choose(game, A, "montevideo")
    assert game.pos.uruguay == "flipped"
    assert game.pos.units_of(A, "montevideo") == ["uc_escolta", "uc_florida"]
    assert game.pos.hands[A] == []
    assert len(game.pos.late[A]) == 7  # they wait for the next turn
    assert len(view(game, A)["hand:allied"]["late"]) == 7
    assert view(game, P)["hand:allied"]["count"] == 7


@pytest.mark.clause("15")
def test_afterwards_uruguay_is_worth_nothing_and_never_changes_back() -> None:
    game = play({"phase": "paraguayan_movement", "clear": True, "uruguay": "flipped", "earned": COUNTRY,
                 "control": dict.fromkeys(COUNTRY[:-1], A), "units": {"ub_cav_1": "salto"}})
    march(game, P, "ub_cav_1", "salto", "paysandu", "colonia", "montevideo")
    assert {s for s in COUNTRY if game.pos.controller(s) == P} == {"salto", "paysandu", "colonia", "montevideo"}
    assert game.pos.uruguay == "flipped"
    assert game.pos.hands[P] == []
    assert game.pos.vp[P] == 0
    back = play({"phase": "allied_movement", "clear": True, "uruguay": "flipped", "earned": COUNTRY,
                 "units": {"br_inf_01": "maldonado"}})
    march(back, A, "br_inf_01", "maldonado", "montevideo")
    assert not told(back, "uruguay_changed_sides")
    assert back.pos.hands[A] == []


@pytest.mark.clause("15", "7")
def test_spaces_where_blancos_are_under_attack_stay_theirs_until_the_battle() -> None:
    game = play({"phase": "allied_movement", "clear": True, "decks": DECK, "fortresses": {}, "earned": ["maldonado"],
                 "units": {"br_inf_01": "maldonado", "br_inf_02": "livramento", "ub_inf_1": "salto",
                           "br_inf_03": "bage"}, "leaders": {"caxias": "salto"}}, [0] * 6)
    march(game, A, "br_inf_02", "livramento", "salto")
    march(game, A, "br_inf_01", "maldonado", "montevideo")
    assert game.pos.controller("salto") == P
    assert len(game.pos.hands[A]) == 6
    assert units("ub_inf_1")[0] in game.pos.units_of(P, "salto")
