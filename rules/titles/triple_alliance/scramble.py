"""Re-deals what a side may not know and keeps what it may: the test that nothing hidden leaks (6.4, 3.5)."""

from __future__ import annotations

from random import Random

from rules.core.seats import Side
from rules.titles.triple_alliance.position import Position
from rules.titles.triple_alliance.units import enemy


def hidden(pos: Position, side: Side, keep: set[str]) -> list[str]:
    """The units of the other side that `side` knows to be on the map, but not where."""
    out = []
    for hex_ in pos.hexes_of(enemy(side)):
        stack = pos.stack(hex_)
        shown = 0 if pos.box_at(hex_, enemy(side)) is not None else 1
        out += [u for u in stack[shown:] if not pos.unit(u).fortress and u not in keep]
    return out


def scramble(pos: Position, side: Side, rng: Random, keep: set[str]) -> None:
    """Swap hidden units of the other side in place, so that every view of `side` stays what it was."""
    units = hidden(pos, side, keep)
    for _ in range(3 * len(units)):
        a, b = rng.choice(units), rng.choice(units)
        if a != b and pos.unit(a).river == pos.unit(b).river and _may_swap(pos, side, a, b):
            _swap(pos, a, b)
    pos.touched.clear()


def _may_swap(pos: Position, side: Side, a: str, b: str) -> bool:
    for one, other in ((a, b), (b, a)):
        hex_ = pos.at[one]
        if pos.box_at(hex_, enemy(side)) is None and pos.unit(other).place < pos.unit(pos.stack(hex_)[0]).place:
            return False  # it would come to the top
    return pos.at[a] != pos.at[b]


def _swap(pos: Position, a: str, b: str) -> None:
    at_a, at_b = pos.at[a], pos.at[b]
    boxed = {side: dict(by_hex) for side, by_hex in pos.boxed.items()}
    pos.put(a, at_b)
    pos.put(b, at_a)
    for side, by_hex in boxed.items():
        for loc, box in by_hex.items():
            if pos.box_at(loc, side) is None:  # the box of a hex that was empty for a moment
                pos.set_box(side, box, loc)
