"""Whole games at random, in every scenario, keep what must hold: invariants, views as told and fresh, nothing leaked,
save, load and re-run the same."""

import os

import pytest

from rules import bots
from rules.bots import checks
from rules.bots.playout import Played, play
from rules.titles.guerra_a_muerte import TITLE
from tests.rules.harness import seats
from tests.rules.titles.guerra_a_muerte.builders import SCENARIOS, data

GAMES = int(os.environ.get("MARISCAL_LONG_GAMES", "12"))  # in each scenario


def game(scenario: str, seed: int, every: int | None = None, wanted: str | None = None) -> Played:
    checker = None if every is None else checks.Checker(TITLE, seed, every)
    able = {seat: bots.make("heuristic" if seat == wanted else "random") for seat in seats(TITLE, scenario)}
    return play(TITLE, data(), scenario, seed, able, watcher=checker)


@pytest.mark.parametrize("scenario", ["first_battles"])
def test_a_random_game_passes_all_checks(scenario: str) -> None:
    assert game(scenario, 3, every=60).result is not None


@pytest.mark.long
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_random_games_pass_all_checks(scenario: str) -> None:
    for seed in range(101, 101 + GAMES):
        assert game(scenario, seed, every=20).result is not None


@pytest.mark.long
@pytest.mark.parametrize("seat", ["royalist", "patriot"])
def test_the_heuristic_player_beats_random_play(seat: str) -> None:
    """In 90 of 100 games of 12.1, 50 with each side; a draw is no win."""
    wins = sum((game("first_battles", seed, wanted=seat).result or {}).get("winner") == seat
               for seed in range(201, 251))
    assert wins >= 45
