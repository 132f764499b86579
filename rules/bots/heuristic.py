"""Plays to win by what the title's own player proposes; where that has no idea, or one refused, at random."""

from __future__ import annotations

from importlib import import_module
from random import Random

from rules.bots.random_bot import pick
from rules.core.errors import Refusal
from rules.core.forms import Answer
from rules.core.referee import Referee
from rules.core.seats import Seat


class HeuristicBot:
    """Asks `rules.bots.<title>.ideas(data, fragments, seat, request, rng)` for answers, the best first.

    That is all a title's player gets: its data, the fragments its seat sees, and its own request.
    """

    def answer(self, referee: Referee, seat: Seat, rng: Random) -> Answer:
        request = referee.pending[seat]
        player = import_module(f"rules.bots.{referee.title.id}")
        for idea in player.ideas(referee.data, referee.views.contents[seat], seat, request, rng):
            try:
                return request.check(idea)
            except Refusal:
                continue
        return pick(request, rng)
