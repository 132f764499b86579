"""The crossing, 1866, a scenario of ours on a part of the map without cards: what is closed, its goal and its end."""

from typing import Any

import pytest

from rules.core.errors import BadPosition
from rules.titles.ultimo_hombre import TITLE
from tests.rules import building
from tests.rules.titles.ultimo_hombre.builders import Play, data, refused

A, P = "allied", "paraguayan"


def crossing(**position: Any) -> Play:
    """A game in a position of the scenario."""
    pos = TITLE.written(data(), {"scenario": "crossing", "position": position})
    return building.begin(Play, TITLE, pos)


@pytest.mark.clause("1")
def test_the_set_up_keeps_the_printed_posts_and_the_part() -> None:
    pos = crossing().pos
    assert (pos.argentina, pos.turn, pos.stage) == ("war", 1, "allied_transport")
    assert len(pos.units_of(P, "itapiru")) == len(pos.units_of(A, "corrientes")) == 6
    assert set(pos.forts) == {"fort_humaita", "fort_curupayti"}
    assert {s for side in (A, P) for s in pos.spaces_of(side)} <= pos.game.part


@pytest.mark.clause("4", "3", "8")
def test_nobody_leaves_the_part_of_the_map() -> None:
    game = crossing(phase="allied_movement", units={"ar_cav_03": "candelaria"})
    assert refused(game, A, "move", units=["ar_cav_03"], path=["candelaria", "santo_tome"]) == ("off_the_part", "4")
    form: Any = game.pending[A].form("move")
    assert form.why(["ar_cav_03"], {}, "santo_tome").key == "refusal.off_the_part"
    assert {*form.reach(["ar_cav_03"], {})["cost"]} <= game.pos.game.part
    ships = crossing(phase="allied_transport")
    assert refused(ships, A, "ship", units=["ar_gn_1"], path=["santa_fe", "rosario"]) == ("off_the_part", "4")
    with pytest.raises(BadPosition, match="off_the_part"):
        crossing(units={"ar_cav_03": "rosario"})


@pytest.mark.clause("12.1", "11")
def test_no_cards_are_drawn_or_used() -> None:
    game = crossing(phase="allied_restore")
    assert game.pending[A].prompt == "prompt.reinforce"
    assert game.pos.hands == {A: [], P: []}
    assert game.pos.game.deck(A) == sorted(game.pos.decks[A])


@pytest.mark.clause("12.2")
def test_reinforcements_come_to_the_strategic_spaces_of_the_part() -> None:
    game = crossing(phase="allied_restore")
    places = {h for group in game.pending[A].form("reinforce").groups for h in group.where}  # type: ignore[attr-defined]
    assert places == {"santa_fe"}


@pytest.mark.clause("12.3", "16")
@pytest.mark.parametrize(("vp", "winner"), [((6, 0), A), ((5, 0), P), ((9, 3), A), ((9, 4), P), ((0, 0), P)])
def test_a_lead_of_six_after_the_third_turn(vp: tuple[int, int], winner: str) -> None:
    game = crossing(phase="paraguayan_restore", turn=3, vp={A: vp[0], P: vp[1]})
    while game.pos.result is None:
        building.answer(game, P, "end_restore", option="end")
    ended = game.pos.result
    assert (ended["winner"], ended["key"]) == (winner, "result.scenario_points")
    assert ended["args"] == {"allied": vp[0], "paraguayan": vp[1], "lead": 6}


@pytest.mark.clause("1")
def test_before_the_third_turn_it_goes_on() -> None:
    game = crossing(phase="paraguayan_restore", turn=2, vp={A: 9})
    while game.pos.turn == 2:
        building.answer(game, P, "end_restore", option="end")
    assert (game.pos.result, game.pos.turn, game.pos.stage) == (None, 3, "allied_transport")
