"""5.1 What may be taken back without asking, for each kind of answer (a finished phase never)."""

import pytest

from rules.core.record import free_from
from tests.rules.titles.triple_alliance.builders import (
    A,
    P,
    Play,
    answer,
    at,
    choose,
    ends,
    forms,
    new_game,
    play,
)
from tests.rules.titles.triple_alliance.ground import WATCH, battle, kind, settle, take

FOOT, FOE = kind(A, "infantry", 3, nation="brazil"), kind(P, "infantry", 3)


def free(game: Play) -> dict[str, int | None]:
    """Where each seat may go back to."""
    return {seat: free_from(game.log, seat, game.asked) for seat in (A, P)}


def newest(game: Play) -> int:
    return game.log[-1].seq


@pytest.mark.clause("8.2", "3.2", "5.1")
@pytest.mark.parametrize("launched", [True, False])
def test_the_matto_grosso_decision_stands(launched: bool) -> None:
    game = new_game()
    if launched:
        lots = forms(game, A)["invasion"]["lots"]
        answer(game, A, "invasion", lots={lot["id"]: lot["units"][: lot["min"]] for lot in lots})
    else:
        choose(game, A, "no_invasion")
    assert game.asked == (A,)
    assert free(game) == {A: None, P: None}


@pytest.mark.clause("3.1", "5.1")
def test_a_confirmed_set_up_stands_once_the_other_is_asked() -> None:
    game = new_game()
    choose(game, A, "no_invasion")
    offered = forms(game, A)["set_up"]
    answer(game, A, "set_up", placed=offered["suggested"])
    assert free(game) == {A: None, P: None}


@pytest.mark.clause("8.2", "5.1")
@pytest.mark.parametrize("met", [True, False])
def test_the_answer_to_the_invasion_stands(met: bool) -> None:
    expedition = ["BR-INF-MG", "BR-INF-Go", "BR-SUP-Sup-1"]
    game = play({"turn": 5, "phase": "events", "clear": True, "mendoza": "lost", "matto_grosso": "launched",
                 "units": {**at("away:matto_grosso", expedition), **at("1827", FOE), "PY-SUP-Sup-1": "1827"}})
    assert game.asked == (P,)
    if met:
        answer(game, P, "meet_invasion", lots={"force": FOE[:2]})
    else:
        choose(game, P, "let_them_come")
    assert game.asked == (P,)  # the supply against attrition is his too
    assert free(game) == {A: None, P: None}


@pytest.mark.clause("8.3", "5.1")
def test_leaving_mendoza_alone_stands() -> None:
    game = play({"turn": 3, "phase": "events", "clear": True, "units": {**WATCH, "BR-SUP-Sup-1": "2440"}}, dice=[0])
    choose(game, A, "leave_mendoza")
    assert game.asked == (A,)
    assert free(game) == {A: None, P: None}


@pytest.mark.clause("7.4", "5.1")
def test_an_attrition_answer_is_withdrawn_until_both_are_in() -> None:
    game = play({"turn": 3, "phase": "events", "clear": True, "mendoza": "lost",
                 "units": {FOOT[0]: "1437", "BR-SUP-Sup-1": "1437", FOE[0]: "1827", "PY-SUP-Sup-1": "1827"}},
                dice=[9, 9])
    assert set(game.asked) == {A, P}
    answer(game, P, lots={"1827": ["PY-SUP-Sup-1"]})
    game.withdraw(P)
    assert set(game.asked) == {A, P}
    answer(game, A, lots={})
    answer(game, P, lots={})
    assert game.pos.at["PY-SUP-Sup-1"] == "1827"
    assert free(game)[A] is None


@pytest.mark.clause("9.2", "10.2", "5.1")
def test_arrivals_and_boxes_are_taken_back_with_the_moves() -> None:
    game = play({"turn": 2, "phase": "allied_movement", "clear": True, "units": {**WATCH, FOOT[0]: "1437"}})
    group = forms(game, A)["enter"]["groups"][0]
    answer(game, A, "enter", placed={group["units"][0]: group["where"][0]})
    first = newest(game)
    boxes = forms(game, A)["boxes"]["boxes"]
    answer(game, A, "boxes", boxes={**boxes, "1": "1437"})
    answer(game, A, "move", units=[FOOT[0]], path=["1437", "1438"])
    assert free(game) == {A: first, P: None}
    ends(game, A)
    assert free(game) == {A: None, P: None}


@pytest.mark.clause("13.29", "13.30", "5.1")
def test_of_an_attack_only_the_choices_since_the_last_die_are() -> None:
    many = kind(A, "infantry", 20, nation="brazil")
    game = battle(A, {"1436": many[:10], "1438": many[10:], "1437": FOE[:2], "1440": FOE[2:]}, dice=[0])
    answer(game, A, "attack", target="1437", units=many)
    assert free(game) == {A: None, P: None}
    mine: list[int] = []
    while "attack" not in forms(game, A) and "no_attack" not in forms(game, A):
        [form] = forms(game, A).values()
        take(game, A, form["form"], *form["lots"][0]["units"][: form["lots"][0]["min"]])
        mine.append(newest(game))
    assert mine
    assert free(game) == {A: mine[0], P: None}
    choose(game, A, "no_attack")
    assert free(game)[A] is None


@pytest.mark.clause("13.18", "5.1")
def test_the_ships_given_to_the_guns_are_final_when_the_die_follows() -> None:
    ships = kind(A, "warship", 3, nation="brazil")
    game = battle(A, {"1727": ships, "1827": ["PY-FOR-A"]}, dice=[4, 4])
    answer(game, A, "attack", target="1827", units=ships)
    take(game, A, "guns_losses", ships[0])
    assert free(game) == {A: None, P: None}
    settle(game)
