"""Plays at random, so that many games go everywhere the rules lead and every one of them ends."""

from __future__ import annotations

from itertools import chain
from random import Random

from rules.core.errors import Refusal
from rules.core.forms import Answer
from rules.core.referee import Referee
from rules.core.request import Request
from rules.core.seats import Seat

TRIES = 60


class DeadEnd(AssertionError):
    """A request to which no legal answer was found."""


class RandomBot:
    """Any form by weight, any answer of it."""

    def answer(self, referee: Referee, seat: Seat, rng: Random) -> Answer:
        return pick(referee.pending[seat], rng)


def pick(request: Request, rng: Random) -> Answer:
    """A legal answer at random, in canonical shape. Raises DeadEnd."""
    weights = [form.weight for form in request.forms]
    drawn = (rng.choices(request.forms, weights)[0] for _ in range(TRIES))
    for form in chain(drawn, request.forms):  # at the last each form once, the closing ones too
        answer = form.sample(rng)
        if answer is None:
            continue
        try:
            return request.check(answer)
        except Refusal:
            continue
    raise DeadEnd(f"{request.prompt}: no legal answer among {TRIES} samples of {[f.name for f in request.forms]}")
