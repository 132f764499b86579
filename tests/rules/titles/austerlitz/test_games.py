"""Whole games by bots, with all checks of the house."""

import pytest

from rules.titles.austerlitz import TITLE
from tests.rules.harness import checked, played


@pytest.mark.parametrize("seed", range(3))
def test_random_games_of_the_northern_flank(seed: int) -> None:
    done = checked(TITLE, "northern_flank", seed, 9).done
    assert done["loads"] > 10
    assert done["scrambles"] > 20


def test_bots_play_the_northern_flank_to_its_end() -> None:
    game = played(TITLE, "northern_flank", 1, "heuristic")
    assert game.result is not None
