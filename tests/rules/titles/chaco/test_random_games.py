"""Whole games at random with every check of the house, each scenario with options of all kinds."""

from random import Random

import pytest

from rules import bots
from rules.bots.checks import Checker
from rules.bots.playout import play
from rules.titles.chaco import TITLE
from tests.rules.harness import data

SCENARIOS = sorted(data(TITLE.id).scenarios)


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("intelligence", ["full", "limited"])
def test_a_game_at_random_with_all_checks(scenario: str, intelligence: str) -> None:
    known = data(TITLE.id)
    rng = Random(f"{scenario} {intelligence}")
    options = {name: rng.choice(values) for name, values in known.scenarios[scenario].options.items()}
    options |= {"intelligence": intelligence}
    players = {seat: bots.make("random") for seat in known.scenarios[scenario].seating().seats}
    checker = Checker(TITLE, 1, 12)
    done = play(TITLE, known, scenario, 1, players, options=options, watcher=checker)
    assert done.result is not None
    assert checker.done["scrambles"]
