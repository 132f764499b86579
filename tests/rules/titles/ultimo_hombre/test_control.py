"""11 Control of spaces, 12.3 points."""

import pytest

from tests.rules.titles.ultimo_hombre.builders import A, P, last, march, play, rows, told, view


@pytest.mark.clause("11", "12.3")
def test_points_and_cards_of_a_space_come_at_once() -> None:
    game = play({"phase": "paraguayan_movement", "clear": True, "units": {"py_cav_01": "fuerte_olimpo"},
                 "fortresses": {}, "decks": {P: ["P02", "P04", "P16"]}}, [1])
    march(game, P, "py_cav_01", "fuerte_olimpo", "puerto_esperanza", "coimbra", "corumba")
    assert rows(game, "points") == {A: 0, P: 1 + 2}
    assert game.pos.hands[P] == ["P04"]
    assert [s["data"]["value"] for s in told(game, "points_scored")] == [1, 2]
    assert view(game, A)["hand:paraguayan"]["count"] == 1
    assert "cards" not in view(game, A)["hand:paraguayan"]
    assert [card["id"] for card in view(game, P)["hand:paraguayan"]["cards"]] == ["P04"]
    assert "card" not in last(game, "card_drawn", A)
    assert last(game, "card_drawn", A)["title"] == "card.hidden"
    assert last(game, "card_drawn", P)["title"] == "card.P04.title"


@pytest.mark.clause("11")
def test_they_come_only_the_first_time_and_are_never_lost() -> None:
    body = {"phase": "allied_movement", "clear": True, "control": {"corumba": P}, "earned": ["corumba"],
            "vp": {A: 0, P: 2}, "units": {"br_inf_01": "cuiaba"}}
    game = play(body)
    march(game, A, "br_inf_01", "cuiaba", "corumba")
    assert game.pos.controller("corumba") == A
    assert game.pos.vp == {A: 0, P: 2}
    assert game.pos.hands[A] == []  # his own space is no prize
    again = play({**body, "phase": "paraguayan_movement", "control": {}, "units": {"py_cav_01": "coimbra"}})
    march(again, P, "py_cav_01", "coimbra", "corumba")
    assert again.pos.controller("corumba") == P
    assert again.pos.vp == {A: 0, P: 2}


@pytest.mark.clause("11")
def test_control_stays_when_the_units_go_on() -> None:
    game = play({"phase": "paraguayan_movement", "clear": True, "units": {"py_cav_01": "bella_vista"}})
    march(game, P, "py_cav_01", "bella_vista", "nioaque", "dourados")
    assert game.pos.controller("nioaque") == P
    assert view(game, A)["space:nioaque"] == {"control": P, "count": 0, "units": []}


@pytest.mark.clause("11", "12.1")
def test_a_card_drawn_in_movement_waits_for_the_recovery_phase() -> None:
    game = play({"phase": "allied_movement", "clear": True, "units": {"br_inf_01": "uruguaiana"},
                 "decks": {A: ["A04", "A17", "A24"]}}, [0])
    march(game, A, "br_inf_01", "uruguaiana", "salto")
    assert game.pos.hands[A] == ["A04"]
    assert game.pos.in_use[A] == "A00"
    assert {form.name for form in game.pending[A].forms} >= {"end_movement"}
