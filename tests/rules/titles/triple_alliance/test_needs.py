"""How many decisions of the other side an answer needs, said before it is given."""

import pytest

from tests.rules.titles.triple_alliance.builders import A, P, Play, at, choose, forms, needs, new_game, play, units
from tests.rules.titles.triple_alliance.ground import AROUND, TARGET, WATCH

NOBODY, SOME, OPEN = (0, 0), (1, None), (0, None)
ARMY = units("AR-INF-", 3)


def facing(defenders: list[str], *more: str) -> Play:
    """Three Argentine battalions, and more with them, beside some Paraguayan units."""
    return play({"turn": 3, "phase": "allied_combat_1", "clear": True,
                 "units": {**at(AROUND[0], ARMY, more), **at(TARGET, defenders)}})


@pytest.mark.clause("13.24", "13.29")
@pytest.mark.parametrize(("n", "said"), [(1, (0, 1)), (2, (0, 2)), (5, (0, 2))])
def test_an_attack_may_ask_for_supply_and_losses(n: int, said: tuple[int, int]) -> None:
    game = facing(units("PY-INF-", n))
    assert needs(game, A, "attack", target=TARGET, units=ARMY) == said


@pytest.mark.clause("13.24")
def test_the_attackers_own_supply_comes_first() -> None:
    """Where he could have some among the units that do not attack; what is known of the defender makes no odds."""
    game = facing(units("PY-INF-", 2), units("BR-SUP-")[0])
    assert needs(game, A, "attack", target=TARGET, units=ARMY) == NOBODY
    assert needs(game, A, "attack", target=TARGET, units=[*ARMY[:1]]) == NOBODY


@pytest.mark.clause("5.2", "13.1")
@pytest.mark.parametrize(("phase", "allied", "paraguayan"), [(1, NOBODY, NOBODY), (2, NOBODY, NOBODY), (3, OPEN, SOME)])
def test_the_end_of_the_last_combat_phase_hands_over(
        phase: int, allied: tuple[int, int | None], paraguayan: tuple[int, int | None]) -> None:
    for side, said in ((A, allied), (P, paraguayan)):
        game = play({"turn": 3, "phase": f"{side}_combat_{phase}", "clear": True, "units": WATCH})
        assert needs(game, side, "no_attack", option="no_attack") == said


@pytest.mark.clause("5.2")
def test_the_end_of_movement_hands_over_where_nobody_can_attack() -> None:
    body = {"turn": 3, "phase": "paraguay_movement", "clear": True}
    assert needs(play({**body, "units": WATCH}), P, "end", option="end") == NOBODY
    apart = play({**body, "units": {"PY-INF-1": TARGET, ARMY[0]: "3041"}})
    assert needs(apart, P, "end", option="end") == SOME


@pytest.mark.clause("3.3", "3.4")
def test_after_the_allied_set_up_come_the_paraguayan_one_and_its_turn() -> None:
    game = new_game()
    choose(game, A, "no_invasion")
    assert needs(game, A, "set_up", placed=forms(game, A)["set_up"]["suggested"]) == (2, None)
