"""The heuristic player of The Chaco War: legal, repeatable, honest about what it sees, and better than chance."""

from random import Random

import pytest

from rules import bots
from rules.bots.playout import chance, play
from rules.core.referee import Referee
from rules.titles.chaco import TITLE
from tests.rules.harness import data

KNOWN = data(TITLE.id)


@pytest.mark.parametrize("seed", [0, 1])
def test_it_beats_random_play_on_boqueron_from_either_side(seed: int) -> None:
    """Without the political rules, by which random play ruins itself."""
    mine, other = ("paraguay", "bolivia") if seed % 2 == 0 else ("bolivia", "paraguay")
    players = {mine: bots.make("heuristic"), other: bots.make("random")}
    done = play(TITLE, KNOWN, "boqueron", seed, players, options={"politics": "off"})
    assert done.result is not None
    assert done.result["winner"] == mine


def test_it_proposes_the_same_to_the_same_view_and_what_it_proposes_is_legal() -> None:
    referee = Referee.start(TITLE, KNOWN, "villa_montes", {"intelligence": "limited"}, chance(TITLE, 3))
    bot = bots.make("heuristic")
    for _ in range(120):
        if not referee.asked:
            break
        seat = referee.asked[0]
        answer = bot.answer(referee, seat, Random(1))
        assert bot.answer(referee, seat, Random(1)) == answer
        referee.answer(seat, answer)
