"""The attack that a planned move would allow: seen before are the odds that the attack then has."""

from typing import Any

import pytest

from tests.rules.titles.chaco.builders import B, P, Play, bare, move, play, preview, until

STACK = {"PY-CAV-AC": "2725", "PY-LDR-Estig": "2725", "PY-INF-ITOR": "2726", "BO-INF-21": "2728"}


def moving(units: dict[str, str], phase: str = f"{P}_movement", **options: Any) -> Play:
    return play(bare(phase=phase, units=units, air={P: 0, B: 0}), options=options)


def ahead(game: Play, seat: str, units: list[str], *path: str) -> list[dict[str, Any]]:
    """The attacks shown with a move."""
    found: list[dict[str, Any]] = preview(game, seat, "move", units=units, path=list(path))["effect"]["attacks"]
    return found


@pytest.mark.clause("12.1", "12.2", "12.4")
def test_a_move_shows_the_odds_that_it_brings_and_they_are_those_of_the_combat_phase() -> None:
    game = moving(STACK)
    pair = ["PY-CAV-AC", "PY-LDR-Estig"]
    (shown,) = ahead(game, P, pair, "2725", "2726", "2727")
    assert (shown["target"], shown["from"]) == ("2728", "2727")
    assert game.pos.at["PY-CAV-AC"] == "2725", "nothing has moved"
    move(game, P, pair, "2725", "2726", "2727")
    until(game, "combat")
    now = preview(game, P, "attack", target="2728", units=["PY-CAV-AC"])["effect"]
    assert {k: v for k, v in shown.items() if k != "from"} == now


@pytest.mark.clause("12.2", "12.14")
def test_a_leader_shows_the_attack_that_others_can_make_under_him_and_a_unit_without_one_none() -> None:
    units = {**STACK, "PY-INF-ITOR": "2727"}
    game = moving(units)
    assert ahead(game, P, ["PY-CAV-AC"], "2725", "2726", "2627") == [], "no leader with it or beside it"
    (shown,) = ahead(game, P, ["PY-LDR-Estig"], "2725", "2726")
    assert [u["id"] for f in shown["sides"]["attack"] for u in f["units"]] == ["PY-INF-ITOR"]
    assert shown["from"] == "2726"


@pytest.mark.clause("6.3")
def test_in_a_truce_nothing_is_shown() -> None:
    units = {**STACK, "PY-INF-ITOR": "2727"}
    body = bare(phase=f"{P}_movement", units=units, air={P: 0, B: 0})
    assert ahead(play(body), P, ["PY-LDR-Estig"], "2725", "2726")
    assert ahead(play({**body, "truce": True}), P, ["PY-LDR-Estig"], "2725", "2726") == []


@pytest.mark.clause("2.1")
def test_in_limited_intelligence_what_lies_below_is_guessed() -> None:
    units = {**STACK, "BO-INF-20": "2728"}
    (shown,) = ahead(moving(units, intelligence="limited"), P, ["PY-CAV-AC", "PY-LDR-Estig"], "2725", "2726", "2727")
    assert shown["assumed"]
    assert [u["id"] for f in shown["sides"]["defense"] for u in f["units"]] == [
        moving(units).pos.stack("2728")[0]], "the top one alone"
