"""Whole games played beforehand, so that no time of the player's is measured."""

from dataclasses import dataclass
from random import Random
from typing import Any

import rules.bots
from bench import titled
from rules.bots.playout import LONGEST, chance
from rules.core.chance import Chance
from rules.core.record import Entry
from rules.core.referee import Referee


@dataclass(frozen=True, slots=True)
class Line:
    """One answer: who gives it, to the request of which entry."""

    seat: str
    seq: int
    answer: dict[str, Any]


def script(dice: Chance, seed: int, longest: int) -> list[Line]:
    """The answers of a game between two random bots under these dice, at most so many."""
    rng, lines = Random(seed), list[Line]()
    referee = Referee.start(titled.title(), titled.data(), titled.scenario().id, {}, dice, seats=titled.seats())
    player = rules.bots.make("random")
    while referee.pending and len(lines) < longest:
        seat = rng.choice(referee.asked)
        answer = player.answer(referee, seat, rng)
        lines.append(Line(seat, referee.seq, answer))
        referee.answer(seat, answer)
    return lines


@dataclass(frozen=True, slots=True)
class Whole:
    """A game as the store has it: its entries, the number of answers that were not forced."""

    entries: list[Entry]
    answers: int


def record(seed: int) -> Whole:
    """A whole game between random bots."""
    lines = script(chance(titled.title(), seed), seed, LONGEST)
    dice = chance(titled.title(), seed)
    referee = Referee.start(titled.title(), titled.data(), titled.scenario().id, {}, dice, seats=titled.seats())
    entries = referee.drain()
    for line in lines:
        entries += referee.answer(line.seat, line.answer)
    return Whole(entries, len(lines))
