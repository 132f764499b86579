"""Dealing hidden counters anew: from what a side may know alone, so that nothing of where they are shows through."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any


@dataclass(frozen=True, slots=True, order=True)
class Slot:
    """A place in a stack of which a side knows that some counter lies there: one of rank `least` or more, as it would
    lie above the known ones otherwise."""

    at: str
    least: int


def dealt(slots: Iterable[Slot], ranks: Mapping[str, int], rng: Random) -> dict[str, str]:
    """Counter -> place, one for each slot, by `ranks` (counter -> rank); every way to deal them is as likely as any
    other. Raises IndexError when there is none."""
    pool = sorted(ranks)
    out: dict[str, str] = {}
    for slot in sorted(slots, key=lambda one: (-one.least, one.at)):  # who fits the narrowest fits all the others
        unit = rng.choice([u for u in pool if ranks[u] >= slot.least])
        pool.remove(unit)
        out[unit] = slot.at
    return out


def without_marks(pos: Any, fields: Iterable[str], units: Iterable[str]) -> None:
    """Takes what lies on counters off them: out of the lists and maps of a position that name them."""
    gone = set(units)
    for field in fields:
        held = getattr(pos, field)
        if isinstance(held, dict):
            setattr(pos, field, {k: v for k, v in held.items() if k not in gone and v not in gone})
        else:
            setattr(pos, field, [u for u in held if u not in gone])
