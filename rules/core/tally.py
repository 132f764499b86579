"""What of a record counts when a game is over: the points, what a counter is worth, and what a roll was worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.core.seats import Side

Fragments = Mapping[str, Any]  # as all eyes together see them
Step = Mapping[str, Any]


@dataclass(frozen=True)
class Throw:
    """A roll that decided a fight: of which side, what it brought that side, and what was to be expected over all
    faces, both in the title's measure of losses (what the enemy lost less what one lost)."""

    side: Side
    got: float
    expected: float

    @property
    def luck(self) -> float:
        return self.got - self.expected


def _no_score(_: Fragments) -> Mapping[Side, float]:
    return {}


def _one(_game: Any, _unit: Mapping[str, Any]) -> float:
    return 1


def by_faces(_game: Any, step: Step) -> Throw | None:
    """Of a step whose odds say what each face would do: `odds.faces` with the losses of attacker and defender; the
    roller is the attacker."""
    data = step["data"]
    faces = (data.get("odds") or {}).get("faces") or ()
    if not step["side"] or not faces or "attacker" not in faces[0]:
        return None
    worth = {face["roll"]: face["defender"] - face["attacker"] for face in faces}
    if data.get("roll") not in worth:
        return None
    return Throw(step["side"], worth[data["roll"]], sum(worth.values()) / len(worth))


def by_rows(name: str) -> Callable[[Fragments], Mapping[Side, float]]:
    """Points as the rows of a table say them, each labelled with its seat; halves are written as a sign."""

    def score(fragments: Fragments) -> Mapping[Side, float]:
        rows = (fragments.get(name) or {}).get("rows", ())
        keys = ((row["label"]["key"].partition("seat."), row["value"]) for row in rows)
        return {side: _number(value) for (before, seat, side), value in keys if seat and not before}

    return score


def _number(value: float | str) -> float:
    if not isinstance(value, str):
        return value
    whole, half, _ = value.partition("½")
    return float(whole or 0) + (0.5 if half else 0)


@dataclass(frozen=True)
class Tally:
    """`score(fragments)`: the points of each side that has some, as they stand; `worth(game, unit)`: what a unit on the
    map, as its space shows it, counts in the title's own measure of strength; `throw(game, step)`: what a told roll was
    worth, None for one that decided no fight."""

    score: Callable[[Fragments], Mapping[Side, float]] = _no_score
    worth: Callable[[Any, Mapping[str, Any]], float] = _one
    throw: Callable[[Any, Step], Throw | None] = by_faces
