"""What a fourth reading found: combat phases that are under way when a written position begins."""

from typing import Any

import pytest

from tests.rules.titles.triple_alliance.builders import A, P, attack, choose, odds, play, refused

TWO: dict[str, Any] = {"turn": 3, "phase": "allied_combat_2", "clear": True, "units": {
    "BR-INF-1F": "1436", "BR-INF-2F": "1436", "PY-INF-1": "1437", "PY-INF-2": "1336"}}


@pytest.mark.clause("13.2")
def test_a_combat_phase_under_way_goes_on_and_no_unit_attacks_twice_in_it() -> None:
    game = play({**TWO, "fought": ["BR-INF-2F"]})
    assert (game.pos.stage, game.pos.agenda[0]) == ("allied_combat_2", ["combat", A, 2])
    assert refused(game, A, "attack", target="1437", units=["BR-INF-2F"]) == ("has_attacked", "13.2")
    choose(game, A, "no_attack")
    assert game.pos.stage == "allied_combat_3"
    assert not game.pos.fought


@pytest.mark.clause("13.2")
def test_no_enemy_is_attacked_twice_in_a_combat_phase_under_way() -> None:
    game = play({**TWO, "attacked": ["PY-INF-1"]}, [9])
    assert refused(game, A, "attack", target="1437", units=["BR-INF-1F"]) == ("attacked_already", "13.2")
    attack(game, A, "1336", "BR-INF-1F")
    assert game.pos.fought == ["BR-INF-1F"]


@pytest.mark.clause("13.2", "13.27")
def test_arms_captured_before_count_in_a_phase_under_way() -> None:
    units = {"PY-INF-1": "1436", "PY-INF-2": "1436", "BR-INF-1F": "1437"}
    body = {**TWO, "phase": "paraguay_combat_3", "units": units, "captures": [[["PY-INF-1"], 9]]}
    plain, under_way = play(body), play({**body, "fought": ["PY-INF-2"]})
    assert under_way.pos.stage == "paraguay_combat_3"
    for game in (plain, under_way):
        assert odds(game, P, "1437", "PY-INF-1")["attack"] == 2 * game.pos.unit("PY-INF-1").attack
