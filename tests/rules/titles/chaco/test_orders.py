"""Standing orders: what a side may leave with the server."""

from typing import Any

from rules.titles.chaco import TITLE
from tests.rules.titles.chaco.builders import B, P, Play, answer, bare, choose, play, prompt, view

UNITS = {"PY-CAV-AC": "2727", "PY-LDR-Estig": "2727", "BO-INF-21": "2728", "BO-INF-14": "2728", "BO-LDR-Toro": "2724",
         "BO-INF-4": "2724"}


def told_to(game: Play, seat: str, name: str, **settings: Any) -> dict[str, Any] | None:
    """What an order answers to the open request."""
    order = next(o for o in TITLE.orders if o.name == name)
    return order.answer(game.game, view(game, seat), game.pending[seat], settings)


def test_reaction_is_passed_unless_an_enemy_is_near() -> None:
    game = play(bare(phase=f"{B}_reaction", units=UNITS))
    assert prompt(game, B) == "reaction"
    assert told_to(game, B, "reaction", enemy_within=0) == {"form": "end_reaction", "option": "end_reaction"}
    assert told_to(game, B, "reaction", enemy_within=2) == {"form": "end_reaction", "option": "end_reaction"}
    assert told_to(game, B, "reaction", enemy_within=5) is None


def test_no_attack_in_the_enemys_turn_but_the_own_turn_is_the_players() -> None:
    game = play(bare(phase=f"{P}_combat_1", units={**UNITS, "BO-LDR-Toro": "2728"}))
    assert told_to(game, P, "reaction_combat") is None
    choose(game, P, "no_attack")
    assert prompt(game, B) == "combat"
    assert told_to(game, B, "reaction_combat") == {"form": "no_attack", "option": "no_attack"}


def test_truces_are_accepted_or_refused_as_far_as_one_can_pay() -> None:
    game = play({"phase": "weather", "points": {P: 15, B: 20}}, [1, 2])
    assert told_to(game, B, "truce", word="refuse") == {"form": "truce", "option": "refuse_truce"}
    assert told_to(game, B, "truce", word="accept") == {"form": "truce", "option": "accept_truce"}


def test_supply_aircraft_and_losses_of_a_defence() -> None:
    body = bare(phase=f"{P}_combat_1", units=UNITS, air={P: 0, B: 1}, supply={P: {"2727": 1}, B: {"2728": 1}})
    game = play(body, [6])
    answer(game, P, "attack", target="2728", units=["PY-CAV-AC"])
    answer(game, P, "attacker_supply", lots={"2727": ["PY-CSP-1"]})
    assert told_to(game, B, "defender_supply", spend="no") == {"form": "defender_supply", "lots": {}}
    said = told_to(game, B, "defender_supply", spend="yes")
    assert said == {"form": "defender_supply", "lots": {"2728": ["BO-CSP-1"]}}
    game.log += game.answer(B, {"form": "defender_supply", "lots": {}})
    assert told_to(game, B, "defender_aircraft", send="yes") == {"form": "aircraft", "option": "aircraft"}
    choose(game, B, "no_aircraft")
    assert prompt(game, B) == "defender_losses"
    weak = told_to(game, B, "losses", first="weakest")
    assert weak is not None
    assert "BO-INF-14" in weak["lots"]["flip"]
    game.chance.rolls.clear()


def test_nobody_advances_by_order() -> None:
    units = {**UNITS, "BO-INF-21": "dead", "BO-INF-14": "dead", "BO-ENG-E1": "2728", "PY-INF-2MAY": "2727"}
    game = play(bare(phase=f"{P}_combat_1", units=units, air={P: 0, B: 0}, supply={P: {"2727": 1}}), [6])
    answer(game, P, "attack", target="2728", units=["PY-CAV-AC", "PY-INF-2MAY"])
    answer(game, P, "attacker_supply", lots={"2727": ["PY-CSP-1"]})
    assert prompt(game, P) == "advance"
    assert told_to(game, P, "advance") == {"form": "no_advance", "option": "no_advance"}
