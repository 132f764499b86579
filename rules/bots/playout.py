"""Whole games played by bots, with a watcher at every answer."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from rules.bots import Bot
from rules.core.chance import Chance
from rules.core.record import Entry
from rules.core.referee import SPARE, Referee
from rules.core.title import Data, Title

LONGEST = 20_000  # answers; a game that has not ended by then never would


class Endless(AssertionError):
    """A game that does not end."""


@dataclass(frozen=True, slots=True)
class Played:
    """How a game went: answers given (taken-back and forced ones not counted), and its result."""

    answers: int
    result: dict[str, Any] | None
    referee: Referee


class Watcher(Protocol):
    """Looks on. May hand back another referee that is to go on in place of the first."""

    def begin(self, referee: Referee, made: list[Entry]) -> None: ...
    def after(self, referee: Referee, made: list[Entry]) -> Referee: ...


def chance(title: Title, seed: int) -> Chance:
    """The dice of a bot game: open to anyone who knows the seed."""
    return Chance(hashlib.sha256(f"{title.id}:{seed}".encode()).digest())


def play(title: Title, data: Data, scenario: str, seed: int, bots: Mapping[str, Bot], *,
         options: Mapping[str, Any] | None = None, watcher: Watcher | None = None) -> Played:
    """One game from its start to its end, the same for the same seed, between the bots of these seats. Raises whatever
    goes wrong in it."""
    rng = Random(seed)
    referee = Referee.start(title, data, scenario, options or {}, chance(title, seed),
                            spare=SPARE if watcher is None else 0, seats=bots)
    made = referee.drain()
    if watcher is not None:
        watcher.begin(referee, made)
    answers = 0
    while referee.pending:
        if answers >= LONGEST:
            raise Endless(f"no end after {answers} answers")
        seat = rng.choice(referee.asked)
        made = referee.answer(seat, bots[seat].answer(referee, seat, rng))
        answers += 1
        if watcher is not None:
            referee = watcher.after(referee, made)
    return Played(answers, referee.pos.result, referee)
