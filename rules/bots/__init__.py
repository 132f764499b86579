"""Players made of code. A bot sees what its seat sees: its request, its fragments of the view, and the title's data."""

from __future__ import annotations

from random import Random
from typing import Protocol

from rules.core.forms import Answer
from rules.core.referee import Referee
from rules.core.seats import Seat

NAMES = ("random", "heuristic")


class Bot(Protocol):
    """Answers for a seat."""

    def answer(self, referee: Referee, seat: Seat, rng: Random) -> Answer:
        """A legal answer to the request `seat` has open, in canonical shape. The same view and the same state of
        `rng` give the same answer. KeyError when the seat is not asked, DeadEnd when nothing legal was found."""


def make(name: str) -> Bot:
    """The bot of that name. KeyError for one there is not."""
    from rules.bots.heuristic import HeuristicBot
    from rules.bots.random_bot import RandomBot
    kinds: dict[str, type[RandomBot] | type[HeuristicBot]] = {"random": RandomBot, "heuristic": HeuristicBot}
    return kinds[name]()


def considered(referee: Referee, seat: Seat, most: int) -> list[Answer]:
    """Up to so many different legal answers that the title's player thinks of, the best first; none of a title without
    one. KeyError when the seat is not asked."""
    from rules.bots.heuristic import ideas
    found: list[Answer] = []
    for answer in ideas(referee, seat):
        if answer not in found:
            found.append(answer)
        if len(found) == most:
            break
    return found
