"""What an answer needs of the other seat, as its own seat is told before it gives it, against what games then ask."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from rules import bots, titles
from rules.bots.playout import play
from rules.core.forms import Answer
from rules.core.referee import Referee
from rules.core.seats import Seat
from tests.rules.harness import data, first, options, seats


@dataclass
class Waiting:
    """An answer whose seat has not been asked again yet, and what the other seat has decided since."""

    said: str
    least: int
    most: int | None
    asked: object
    active: str | None
    decisions: int = 0
    in_the_turn: int = 0


@dataclass
class Observer:
    """Counts, of every answer of both seats, the decisions it needed of the other. `seen`: how often which came up."""

    waiting: dict[Seat, Waiting] = field(default_factory=dict)
    seen: Counter[tuple[int, int | None]] = field(default_factory=Counter)

    def before(self, referee: Referee, seat: Seat, answer: Answer) -> None:
        for by, waiting in list(self.waiting.items()):
            if by in referee.asked and waiting.asked is not referee.pending:
                self.check(waiting)
                del self.waiting[by]
            elif by != seat and waiting.asked is not referee.pending:  # else both were asked at once
                waiting.decisions += 1
                waiting.in_the_turn += referee.pos.active == waiting.active
        request = referee.pending[seat]
        needs = request.preview(answer)["needs"]
        self.waiting[seat] = Waiting(f"{request.prompt} {answer!r:.300}", needs["least"], needs["most"],
                                     referee.pending, referee.pos.active)

    def check(self, waiting: Waiting) -> None:
        assert waiting.least <= waiting.decisions, waiting
        assert waiting.most is None or waiting.in_the_turn <= waiting.most, waiting
        self.seen[waiting.least, waiting.most] += 1


@dataclass
class Watched:
    """A bot whose answers are observed."""

    bot: bots.Bot
    observer: Observer

    def answer(self, referee: Referee, seat: Seat, rng: Random) -> Answer:
        answer = self.bot.answer(referee, seat, rng)
        self.observer.before(referee, seat, answer)
        return answer


def observed(title_id: str, bot: str, seeds: range, chosen: Mapping[str, Any] | None = None) -> Observer:
    title, all_seen = titles.load(title_id), Observer()
    for seed in seeds:
        observer = Observer()
        players = {seat: Watched(bots.make(bot), observer) for seat in seats(title)}
        play(title, data(title_id), first(title_id), seed, players, options=chosen)
        all_seen.seen += observer.seen
    return all_seen


KNOWN: dict[str, set[tuple[int, int | None]]] = {
    "austerlitz": {(0, None)},
    "chaco": {(0, 0), (0, None), (1, None)},
    "guerra_a_muerte": {(0, 0), (0, 1), (0, None), (1, None)},
    "triple_alliance": {(0, 0), (0, 1), (0, 2), (1, None)},
    "ultimo_hombre": {(0, 0), (1, 1), (1, None)},
}
RULED = {"chaco": {"politics": "off"}}  # by which random play ruins itself in two turns


@pytest.mark.parametrize("title_id", sorted(KNOWN))
def test_no_answer_needs_fewer_or_more_decisions_than_was_said(title_id: str) -> None:
    seen = observed(title_id, "random", range(1, 2), RULED.get(title_id)).seen
    assert KNOWN[title_id] <= set(seen)


@pytest.mark.long
@pytest.mark.parametrize("title_id", sorted(KNOWN))
@pytest.mark.parametrize("bot", ["random", "heuristic"])
@pytest.mark.parametrize("last", [False, True])
def test_in_many_games_no_answer_needs_fewer_or_more_decisions(title_id: str, bot: str, last: bool) -> None:
    """With the first and with the last value of every option."""
    chosen = {name: values[-1 if last else 0] for name, values in options(titles.load(title_id)).items()}
    observed(title_id, bot, range(101, 111), chosen)
