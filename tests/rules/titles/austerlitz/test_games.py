"""A whole game by bots, with all checks of the house."""

from rules import bots
from rules.bots.checks import Checker
from rules.bots.playout import play
from rules.titles.austerlitz import TITLE
from tests.rules.harness import data, seats


def test_a_random_game_of_the_northern_flank_to_its_end() -> None:
    checker = Checker(TITLE, 1, 20)
    players = {seat: bots.make("random") for seat in seats(TITLE, "northern_flank")}
    game = play(TITLE, data(TITLE.id), "northern_flank", 1, players, watcher=checker)
    assert game.result is not None
    assert checker.done["loads"] >= 3
    assert checker.done["scrambles"] >= 6
