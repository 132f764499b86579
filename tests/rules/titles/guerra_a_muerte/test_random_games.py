"""Whole games at random, in every scenario, keep what must hold: invariants, views as told and fresh, nothing leaked,
save, load and re-run the same."""

import os
from random import Random

import pytest

from rules import bots
from rules.bots import checks
from rules.bots.playout import Played, chance, play
from rules.bots.random_bot import pick
from rules.core.referee import Referee
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


def test_every_position_that_is_restored_asks_the_same() -> None:
    """Between two segments a position is all there is: through JSON it comes to the very same requests."""
    rng, referee = Random(4), Referee.start(TITLE, data(), "end_of_empire", {}, chance(TITLE, 4), spare=1)
    restored = 0
    while referee.pending and restored < 150:
        seat = rng.choice(referee.asked)
        referee.answer(seat, pick(referee.pending[seat], rng))
        newest = referee.newest
        if newest.seq == referee.seq and referee.pending and not referee.answered:
            again = Referee.at(TITLE, TITLE.decode(referee.game, newest.state, TITLE.schema), chance(TITLE, 4))
            asked = [{seat: request.offer(0) for seat, request in game.pending.items()} for game in (again, referee)]
            assert asked[0] == asked[1]
            restored += 1
    assert restored == 150


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
