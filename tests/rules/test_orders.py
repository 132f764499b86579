"""Standing orders in whole games: what they answer is legal, and every kind comes to answer."""

import json
from collections import Counter
from pathlib import Path
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

NAVAL_BATTLE = Path(__file__).parents[2] / "scenarios" / "guerra_a_muerte" / "lab" / "7.5-naval-battle.json"


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


@pytest.mark.clause("7.5")
@pytest.mark.parametrize("choice", ["evade", "stand"])
def test_a_fleet_that_is_attacked_evades_by_order(choice: str) -> None:
    """The battle at sea of the examples: what the order says is what its player would have been asked."""
    title = load("guerra_a_muerte")
    known = data(title.id)
    body = json.loads(NAVAL_BATTLE.read_text())
    referee = Referee.at(title, title.written(known, body), chance(title, 1))
    order = next(order for order in title.orders if order.name == "evade_at_sea")
    for answer in body["answers"][:2]:
        referee.answer("royalist", {name: value for name, value in answer.items() if name != "seat"})
    request, view = referee.pending["patriot"], referee.views.contents["patriot"]
    said = order.answer(referee.game, view, request, {"how_at_sea": choice})
    assert said == request.check({"form": "evade_at_sea", "option": choice})
    assert order.answer(referee.game, view, request, {"how_at_sea": order.settings["how_at_sea"][0]}) is not None


@pytest.mark.parametrize("title_id", IDS)
def test_an_order_leaves_other_questions_alone(title_id: str) -> None:
    title = load(title_id)
    referee = Referee.start(title, data(title_id), first(title_id), {}, chance(title, 0))
    seat = referee.asked[0]
    for order in title.orders:
        assert referee.pending[seat].prompt not in order.prompts
        assert order.answer(referee.game, referee.views.contents[seat], referee.pending[seat], {}) is None
