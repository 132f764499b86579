"""Counters on places: where each one is, and the stack at each place, kept in step."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Mapping
from typing import Any

Order = Callable[[str], Any]
Stacks = dict[str, list[str]]


def stacked(at: Mapping[str, str], units: Iterable[str]) -> Stacks:
    """The stacks of the units named, each in the order in which they are named; no place without a unit."""
    here: Stacks = {}
    for unit in units:
        here.setdefault(at[unit], []).append(unit)
    return here


def shift(at: dict[str, str], here: Stacks, unit: str, loc: str, order: Order | None = None) -> str | None:
    """Takes a counter from its stack, if it was in one, and into another, by `order` (its id without one). The place it
    left; a stack that is empty then is gone."""
    old = at.get(unit)
    if old is not None:
        here[old].remove(unit)
        if not here[old]:
            del here[old]
    at[unit] = loc
    insort(here.setdefault(loc, []), unit, key=order)
    return old
