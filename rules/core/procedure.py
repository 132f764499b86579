"""Procedures: generators that yield what they ask. These few functions hold the only bare yields."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, TypeVar

from rules.core.forms import Answer
from rules.core.request import Request
from rules.core.sealed import sealed
from rules.core.seats import Seat

T = TypeVar("T")


@sealed
class Roll:
    """Chance is asked: `dice` of them at once, each with the faces from `low` to `high`. `of` names what a draw may
    bring, by its place; no record and no eye is told it."""

    why: str
    clause: str
    low: int
    high: int
    dice: int = 1
    kind: str = "roll"
    of: Sequence[str] = ()

    def stored(self, faces: Sequence[int]) -> dict[str, Any]:
        """What fell, as the record keeps it."""
        return {"low": self.low, "high": self.high, "faces": list(faces)}

    def faces(self, stored: Any) -> tuple[int, ...]:
        """What fell, from the record. A single number is a die of the first records: they counted from 0. Raises
        ValueError when it is no such roll."""
        if type(stored) is int and self.dice == 1:
            stored = self.stored([self.low + stored])
        faces = stored.get("faces") if isinstance(stored, dict) else None
        if not isinstance(faces, list) or stored != self.stored(faces) or len(faces) != self.dice \
                or not all(type(face) is int and self.low <= face <= self.high for face in faces):
            raise ValueError(f"{stored!r} is not {self.dice} from {self.low} to {self.high}")
        return tuple(faces)


@sealed
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


def roll(why: str, clause: str, low: int, high: int, dice: int = 1) -> Procedure[int]:
    """A die with faces from `low` to `high`, or the sum of several."""
    faces: tuple[int, ...] = yield Roll(why, clause, low, high, dice)
    return sum(faces)


def rolls(why: str, clause: str, low: int, high: int, dice: int) -> Procedure[tuple[int, ...]]:
    """Several dice at once, each for itself."""
    faces: tuple[int, ...] = yield Roll(why, clause, low, high, dice)
    return faces


def draw(why: str, clause: str, size: int, of: Sequence[str] = ()) -> Procedure[int]:
    """A place in 0..size-1 of a deck or cup, `of` the names of what lies there; the draw exists nowhere before it is
    made."""
    faces: tuple[int, ...] = yield Roll(why, clause, 0, size - 1, kind="draw", of=of)
    return faces[0]


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
