"""Plays to win by what the title's own player proposes; where that has no idea, or one refused, at random."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from random import Random

from rules.bots.random_bot import pick
from rules.core.errors import Refusal
from rules.core.forms import Answer
from rules.core.referee import Referee
from rules.core.seats import Seat


class HeuristicBot:
    """Asks `rules.bots.<title>.ideas(game, fragments, side, request)` for answers, the best first.

    That is all a title's player gets: what the game is played with, what its side sees, and its own request. A title
    without a player is played at random.
    """

    def answer(self, referee: Referee, seat: Seat, rng: Random) -> Answer:
        return next(ideas(referee, seat), None) or pick(referee.pending[seat], rng)


def ideas(referee: Referee, seat: Seat) -> Iterator[Answer]:
    """The legal ones of what the title's player proposes, the best first. KeyError when the seat is not asked."""
    request = referee.pending[seat]
    for idea in _ideas(referee, seat):
        with contextlib.suppress(Refusal):
            yield request.check(idea)


def _ideas(referee: Referee, seat: Seat) -> Iterable[Answer]:
    player = f"rules.bots.{referee.title.id}"
    if find_spec(player) is None:
        return ()
    side = referee.seating.side(seat)
    found: Iterable[Answer] = import_module(player).ideas(
        referee.game, referee.views.contents[side], side, referee.pending[seat])
    return found
