"""How many decisions of the other side an answer needs, said before it is given."""

import pytest

from tests.rules.titles.ultimo_hombre.builders import (
    MISS,
    A,
    P,
    Play,
    at,
    choose,
    end,
    forms,
    lead,
    line_up,
    march,
    needs,
    play,
    units,
)

DECK = {"decks": {A: ["A04", "A17"]}}
NOBODY, SOME, OPEN = (0, 0), (1, None), (0, None)


def ready(target: str, origin: str, ours: list[str], theirs: list[str], dice: list[int] | None = None) -> Play:
    """The Allies have marched into a space; their movement phase is still to be ended."""
    game = play({"phase": "allied_movement", "clear": True, "fortresses": {}, **DECK,
                 "units": {**at(origin, ours), **at(target, theirs)}}, dice or [])
    lead(game, A, caxias=target)
    march(game, A, ours, origin, target)
    return game


@pytest.mark.clause("7")
def test_the_end_of_movement_asks_for_the_line_of_the_one_battle_to_come() -> None:
    game = ready("tuyuti", "itapiru", units("br_inf_", 2), units("py_inf_", 2))
    assert needs(game, A, "end_movement", option="end") == (1, 1)
    end(game, A)
    assert needs(game, P, "line_up", placed=forms(game, P)["line_up"]["suggested"]) == SOME
    line_up(game, P)
    assert needs(game, A, "line_up", placed=forms(game, A)["line_up"]["suggested"]) == OPEN


@pytest.mark.clause("7")
def test_units_alone_have_no_line_to_order() -> None:
    assert needs(ready("tuyuti", "itapiru", ["br_inf_01"], ["py_inf_01"]), A, "end_movement", option="end") == OPEN
    game = ready("tuyuti", "itapiru", units("br_inf_", 2), ["py_inf_01"])
    assert needs(game, A, "end_movement", option="end") == NOBODY  # the attacker lines up first of all


@pytest.mark.clause("7")
def test_of_several_battles_the_attacker_picks_one_with_what_it_needs() -> None:
    game = play({"phase": "allied_movement", "clear": True, "fortresses": {}, **DECK, "units": {
        **at("itapiru", units("br_inf_", 2)), "br_inf_03": "villa_franca", **at("tuyuti", units("py_inf_", 2)),
        "py_inf_03": "san_fernando"}})
    lead(game, A, caxias="tuyuti", osorio="san_fernando")
    march(game, A, units("br_inf_", 2), "itapiru", "tuyuti")
    march(game, A, "br_inf_03", "villa_franca", "san_fernando")
    assert needs(game, A, "end_movement", option="end") == NOBODY
    end(game, A)
    assert needs(game, A, "next_battle", option="tuyuti") == (1, 1)
    assert needs(game, A, "next_battle", option="san_fernando") == OPEN


@pytest.mark.clause("10")
def test_over_a_river_the_longer_line_names_its_targets_next() -> None:
    game = ready("san_fernando", "villa_franca", units("br_inf_", 2), units("py_inf_", 3))
    end(game, A)
    line_up(game, P)
    assert needs(game, A, "line_up", placed=forms(game, A)["line_up"]["suggested"]) == SOME
    longer = ready("san_fernando", "villa_franca", units("br_inf_", 3), units("py_inf_", 2))
    end(longer, A)
    line_up(longer, P)
    assert needs(longer, A, "line_up", placed=forms(longer, A)["line_up"]["suggested"]) == NOBODY


@pytest.mark.clause("13")
def test_who_walks_into_the_capital_waits_for_the_next_one() -> None:
    game = play({"phase": "allied_movement", "clear": True, "fortresses": {}, "capital": "humaita", **DECK,
                 "units": {"br_inf_01": "curupayti", "py_inf_01": "pilar"}})
    assert needs(game, A, "move", units=["br_inf_01"], path=["curupayti", "humaita"]) == (1, 1)
    assert needs(game, A, "move", units=["br_inf_01"], path=["curupayti", "tuyuti"]) == NOBODY


@pytest.mark.clause("12.1")
@pytest.mark.parametrize(("stack", "said"), [(1, NOBODY), (2, (1, 2)), (3, (2, 2))])
def test_a_card_that_costs_the_other_steps_waits_for_his_choice(stack: int, said: tuple[int, int]) -> None:
    game = play({"phase": "allied_restore", "clear": True, "hands": {A: ["A12"]}, "decks": {A: ["A17", "A04"]},
                 "units": at("uruguaiana", units("py_inf_", stack))}, [0])
    assert needs(game, A, "choose_card", option="A12") == said
    assert needs(game, A, "choose_card", option="A17") == NOBODY


@pytest.mark.clause("12.1")
def test_sickness_in_several_spaces_is_one_decision() -> None:
    game = play({"phase": "paraguayan_restore", "clear": True, "hands": {P: ["P09"]}, "decks": {P: ["P10", "P16"]},
                 "units": {**at("bage", units("br_inf_", 6)), **at("goya", units("ar_inf_", 5))}}, [0])
    assert needs(game, P, "choose_card", option="P09") == (1, 1)


@pytest.mark.clause("2")
def test_the_end_of_a_turn_is_the_others_turn() -> None:
    game = play({"phase": "allied_restore", "clear": True, "units": {"br_inf_01": "bage"}, **DECK}, [0])
    choose(game, A, "A04")
    assert needs(game, A, "end_restore", option="end") == SOME


@pytest.mark.clause("8")
def test_in_battle_the_dice_decide() -> None:
    game = ready("tuyuti", "itapiru", ["br_inf_01"], ["py_inf_01"], [MISS, MISS])
    end(game, A)
    assert needs(game, A, "retreat", option="stay") == OPEN
