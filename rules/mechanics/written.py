"""Reading positions that people wrote by hand (docs/positions.md). All raise BadPosition."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from rules.core.errors import BadPosition
from rules.core.forms import strings, table


def check_fields(body: Mapping[str, Any], fields: Collection[str]) -> None:
    """Nothing but these fields."""
    unknown = set(body) - set(fields)
    if unknown:
        raise BadPosition(f"unknown fields: {', '.join(sorted(unknown))}; there are {', '.join(sorted(fields))}")


def cleared(body: Mapping[str, Any], sides: Sequence[str]) -> Sequence[str]:
    """The sides whose units are taken off first: `clear` is true for all of them, or names some."""
    named = body.get("clear", [])
    chosen = sides if named is True else strings(named, "clear")
    for side in chosen:
        if side not in sides:
            raise BadPosition(f"clear names {side!r}; the sides are {' and '.join(sides)}")
    return chosen


def placed(body: Mapping[str, Any], units: Collection[str]) -> Iterator[tuple[str, str]]:
    """Each unit of `units` with its place."""
    for unit, place in table(body.get("units", {}), "units").items():
        if unit not in units:
            raise BadPosition(f"there is no unit {unit}")
        yield unit, place


def one_of(body: Mapping[str, Any], name: str, allowed: Sequence[str], default: str) -> str:
    """The value of a field that has a few."""
    value = body.get(name, default)
    if value not in allowed:
        raise BadPosition(f"{name} is one of {', '.join(allowed)}")
    return str(value)
