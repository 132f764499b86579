"""Whole games at random, in every option set, keep what must hold: invariants, views as told and fresh, nothing
leaked, save, load and re-run the same. Every end of the game comes up."""

import os
from random import Random
from typing import Any

import pytest

from rules import bots
from rules.bots import checks
from rules.bots.playout import Played, chance, play
from rules.bots.random_bot import pick
from rules.core.referee import Referee
from rules.titles.ultimo_hombre import TITLE
from rules.titles.ultimo_hombre.movement import abilities
from tests.rules.harness import options as options_of
from tests.rules.harness import seats
from tests.rules.titles.ultimo_hombre.builders import data

GAMES = int(os.environ.get("MARISCAL_LONG_GAMES", "12"))  # in each option set; 500 take five hours of one processor
SLICES = 4
SETS: list[dict[str, Any]] = [{}, *({name: True} for name in options_of(TITLE)), dict.fromkeys(options_of(TITLE), True)]


def game(seed: int, options: dict[str, Any], every: int | None = None, bot: str = "random") -> Played:
    checker = None if every is None else checks.Checker(TITLE, seed, every)
    players = {seat: bots.make(bot) for seat in seats(TITLE)}
    return play(TITLE, data(), "war", seed, players, options=options, watcher=checker)


@pytest.mark.parametrize("options", SETS, ids=lambda options: "-".join(options) or "none")
def test_a_random_game_passes_all_checks(options: dict[str, Any]) -> None:
    played = game(11, options, every=15)
    assert played.result is not None
    assert played.result["winner"] in seats(TITLE)


def test_what_can_move_from_a_space_is_kept_no_longer_than_it_is_so() -> None:
    rng, seen = Random(12), 0
    referee = Referee.start(TITLE, data(), "war", SETS[-1], chance(TITLE, 12))
    while seen < 2500:
        seat = rng.choice(referee.asked)
        request, pos = referee.pending[seat], referee.pos
        if request.prompt == "prompt.movement":
            for space, kept in dict(pos.able).items():
                assert abilities(pos, seat, space) == kept, f"{space}, entry {referee.seq}"
                seen += 1
        referee.answer(seat, pick(request, rng))


@pytest.mark.long
@pytest.mark.parametrize("options", SETS, ids=lambda options: "-".join(options) or "none")
@pytest.mark.parametrize("slice_", range(SLICES))
def test_random_games_pass_all_checks(slice_: int, options: dict[str, Any]) -> None:
    """All SLICES together are GAMES games in each option set."""
    for seed in range(101 + slice_, 101 + GAMES, SLICES):
        assert game(seed, options, every=12).result is not None


@pytest.mark.long
def test_every_end_of_the_game_comes_up() -> None:
    """Random play ends with the last card, a prize or López; the fifth capital takes players who want it."""
    ends = {game(seed, SETS[seed % len(SETS)]).result["key"] for seed in range(1, 101)}  # type: ignore[index]
    assert {"result.last_card", "result.prize", "result.lopez"} <= ends
    wanted = (game(seed, {}, bot="heuristic").result["key"] for seed in range(1, 41))  # type: ignore[index]
    assert any(key == "result.capital" for key in wanted)
