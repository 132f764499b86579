"""The primer of a title, one page: how one wins, the turn in a few lines, how to read counter and map, what beginners
get wrong. Its words are "primer" in `scenarios/TITLE/rulebook.json`."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from markupsafe import Markup

from app.rulebook.book import linked, rulebook_of, said


@dataclass(frozen=True)
class Reading:
    """A counter to read: its unit and name, and what the parts of its face say, each with its place there (0 to 44)."""

    unit: str
    name: str
    parts: tuple[tuple[float, float, Markup], ...]


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

    counters = tuple(
        Reading(
            one["unit"],
            said(one["name"], lang),
            tuple((*part["at"], linked(said(part, lang), files["clauses"], page)) for part in one["parts"]),
        )
        for one in body["counters"]
    )
    return Primer(lines("win"), lines("turn"), lines("mistakes"), counters)
