"""Procedures: generators that yield what they ask. These few functions hold the only bare yields."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, TypeVar

from rules.core.forms import Answer
from rules.core.request import Request
from rules.core.seats import Seat

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Roll:
    """Chance is asked for one number in 0..sides-1."""

    why: str
    clause: str
    sides: int
    kind: str = "roll"


@dataclass(frozen=True, slots=True)
class Together:
    """Both seats are asked at once; neither answer is known before both are in."""

    requests: dict[Seat, Request]


Ask = Request | Roll | Together
Procedure = Generator[Ask, Any, T]


def ask(request: Request) -> Procedure[Answer]:
    """The checked answer of one seat."""
    answer: Answer = yield request
    return answer


def choose(request: Request) -> Procedure[str]:
    """The id of the option a seat chose; every form of the request is a choice."""
    answer: Answer = yield request
    return str(answer["option"])


def roll(why: str, clause: str, sides: int = 10) -> Procedure[int]:
    """A die read 0..sides-1."""
    number: int = yield Roll(why, clause, sides)
    return number


def draw(why: str, clause: str, size: int) -> Procedure[int]:
    """A place in 0..size-1 of a deck or cup; the draw exists nowhere before it is made."""
    number: int = yield Roll(why, clause, size, "draw")
    return number


def together(requests: dict[Seat, Request]) -> Procedure[dict[Seat, Answer]]:
    """Answers of all asked seats; entries come in any order, the procedure gets them in seat order."""
    if not requests:
        return {}
    answers: dict[Seat, Answer] = yield Together(requests)
    return {seat: answers[seat] for seat in requests}


def allocate(request: Request) -> Procedure[dict[str, list[str]]]:
    """The units taken from each lot of an allocation."""
    answer: Answer = yield request
    return {lot: list(units) for lot, units in answer["lots"].items()}
