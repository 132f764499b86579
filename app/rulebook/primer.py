"""The primer of a title, one page: how one wins, the turn in a few lines, how to read counter and map, what beginners
get wrong. Its words are "primer" in `scenarios/TITLE/rulebook.json`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import dist
from typing import Any

from markupsafe import Markup

from app.games.titles import said
from app.rulebook.book import linked, rulebook_of

FACE, BEYOND = 44.0, 8.0  # width of a face, and how far from it its numbers stand
APART = 9.0  # from one number to the next
BESIDE = [(float(x), y) for y in (-BEYOND, FACE + BEYOND) for x in range(0, 45, 2)] + [
    (x, float(y)) for x in (-BEYOND, FACE + BEYOND) for y in range(0, 45, 2)]  # fmt: skip


@dataclass(frozen=True)
class Part:
    """A part of a face at `x`, `y` (0 to 44); `pin` is where the number that points at it stands, off the face."""

    x: float
    y: float
    words: Markup
    pin: tuple[float, float]


def pinned(spots: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Where the number of each spot of a face stands: beside the nearest edge that has room for it."""
    pins: list[tuple[float, float]] = []
    for x, y in spots:
        free = [pin for pin in BESIDE if all(dist(pin, other) >= APART for other in pins)]
        edges = ((-BEYOND, y), (FACE + BEYOND, y), (x, -BEYOND), (x, FACE + BEYOND))
        near = [pin for pin in edges if all(dist(pin, other) >= APART for other in pins)]
        pins.append(min([*near, *free], key=lambda pin: dist(pin, (x, y))))
    return pins


@dataclass(frozen=True)
class Reading:
    """A counter to read: its unit and name, and what the parts of its face say."""

    unit: str
    name: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Primer:
    """`win`, `turn`, `mistakes`: sentences with links to their clauses; `counters`: those that are explained."""

    win: tuple[Markup, ...]
    turn: tuple[Markup, ...]
    mistakes: tuple[Markup, ...]
    counters: tuple[Reading, ...]


@cache
def primer(title_id: str, lang: str) -> Primer:
    """Raises NotFound for a title there is not."""
    files = rulebook_of(title_id)
    body: Mapping[str, Any] = files["rulebook"]["primer"]

    page = f"/titles/{title_id}/rules"

    def lines(name: str) -> tuple[Markup, ...]:
        return tuple(linked(said(one, lang), files["clauses"], page) for one in body[name])

    def parts(one: Mapping[str, Any]) -> Iterator[Part]:
        for part, pin in zip(one["parts"], pinned([part["at"] for part in one["parts"]]), strict=True):
            x, y = part["at"]
            yield Part(x, y, linked(said(part, lang), files["clauses"], page), pin)

    counters = tuple(Reading(one["unit"], said(one["name"], lang), tuple(parts(one))) for one in body["counters"])
    return Primer(lines("win"), lines("turn"), lines("mistakes"), counters)
