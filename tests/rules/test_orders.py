"""Standing orders in whole games: what they answer is legal, and every kind comes to answer."""

from collections import Counter
from random import Random

import pytest

from rules import bots
from rules.bots.playout import chance
from rules.core.forms import Answer
from rules.core.orders import Order, Settings
from rules.core.referee import Referee
from rules.core.title import Title
from rules.titles import IDS, load
from tests.rules.harness import data, first


def wish(order: Order, rng: Random) -> Settings:
    return {name: rng.choice(values) for name, values in order.settings.items()}


def ordered(title: Title, referee: Referee, seat: str, rng: Random) -> tuple[Answer, Order] | None:
    for order in title.orders:
        said = order.answer(referee.game, referee.views.contents[seat], referee.pending[seat], wish(order, rng))
        if said is not None:
            return said, order
    return None


def play(title: Title, seed: int, seen: Counter[str]) -> None:
    """A game in which standing orders answer whatever they can, and bots that seek battle the rest."""
    rng, bot = Random(seed), bots.make("heuristic")
    referee = Referee.start(title, data(title.id), first(title.id), {}, chance(title, seed))
    while referee.pending:
        seat = rng.choice(referee.asked)
        found = ordered(title, referee, seat, rng)
        if found is not None:
            seen[found[1].name] += 1
            assert referee.pending[seat].check(found[0]) == found[0]
        referee.answer(seat, found[0] if found else bot.answer(referee, seat, rng))


@pytest.mark.parametrize("title_id", ["triple_alliance", "ultimo_hombre", "guerra_a_muerte"])
def test_orders_give_legal_answers_through_whole_games(title_id: str) -> None:
    title, seen = load(title_id), Counter[str]()
    play(title, 1, seen)
    rare = {"reroll", "defender_supply", "evade_at_sea"}  # while one card shows; a supply unit, a fleet is attacked
    assert set(seen) >= {order.name for order in title.orders} - rare


@pytest.mark.parametrize("title_id", IDS)
def test_an_order_leaves_other_questions_alone(title_id: str) -> None:
    title = load(title_id)
    referee = Referee.start(title, data(title_id), first(title_id), {}, chance(title, 0))
    seat = referee.asked[0]
    for order in title.orders:
        assert referee.pending[seat].prompt not in order.prompts
        assert order.answer(referee.game, referee.views.contents[seat], referee.pending[seat], {}) is None
