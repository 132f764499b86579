"""The primer of a title, one page: how one wins, the turn in a few lines, how to read counter and map, what beginners
get wrong. Its words are "primer" in `scenarios/TITLE/rulebook.json`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from markupsafe import Markup

from app.games.titles import said
from app.rulebook.book import linked, rulebook_of

FACE, BEYOND = 44.0, 8.0  # width of a face, and how far from it its numbers stand


@dataclass(frozen=True)
class Part:
    """A part of a face at `x`, `y` (0 to 44); `pin` is where the number that points at it stands, off the face."""

    x: float
    y: float
    words: Markup

    @property
    def pin(self) -> tuple[float, float]:
        edges = {(-BEYOND, self.y): self.x, (FACE + BEYOND, self.y): FACE - self.x,
                 (self.x, -BEYOND): self.y, (self.x, FACE + BEYOND): FACE - self.y}  # fmt: skip
        return min(edges, key=lambda spot: edges[spot])


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

    def parts(one: Mapping[str, Any]) -> Iterator[tuple[float, float, Markup]]:
        for part in one["parts"]:
            yield *part["at"], linked(said(part, lang), files["clauses"], page)

    counters = tuple(
        Reading(
            one["unit"],
            said(one["name"], lang),
            tuple(
                Part(part["at"][0], part["at"][1], linked(said(part, lang), files["clauses"], page))
                for part in one["parts"]
            ),
        )
        for one in body["counters"]
    )
    return Primer(lines("win"), lines("turn"), lines("mistakes"), counters)
