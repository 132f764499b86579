"""What a side may not know in limited intelligence: the enemy counters under the top of their stacks."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from rules.core.errors import BadPosition
from rules.mechanics.dealing import Slot, dealt, without_marks
from rules.titles.chaco import invariants
from rules.titles.chaco.position import Position
from rules.titles.chaco.units import enemy

MARKS = ("reduced", "out", "assigned", "building", "aboard", "carried", "spent", "settled", "fought", "assailed",
         "fled", "barraged")
TRIES = 20  # before every type keeps to its own places


def hidden(pos: Position, side: str, keep: set[str]) -> dict[str, list[str]]:
    """Enemy counters that `side` knows to be on the map, but not which is where, by type: those on which no marker
    lies, and that have not fought in this phase."""
    out: dict[str, list[str]] = {}
    marked = {*pos.reduced, *pos.out, *pos.assigned, *pos.building, *pos.aboard, *pos.carried, *pos.spent, *pos.settled,
              *pos.fought, *pos.assailed, *pos.fled, *pos.barraged, *pos.attrition.get("todo", [])}
    for hex_, stack in pos.held(enemy(side)).items():
        if hex_ not in pos.game.map.hexes:
            continue
        for unit in stack[1:]:
            if pos.unit(unit).type != "leader" and unit not in keep | marked:
                out.setdefault(pos.unit(unit).type, []).append(unit)
    return out


def scramble(pos: Position, side: str, rng: Random, keep: set[str]) -> None:
    """Deal hidden counters of the other side anew, each type among its places, so that every view of `side` stays what
    it was. With full intelligence nothing is hidden."""
    if pos.options["intelligence"] == "full":
        return
    for _, units in sorted(hidden(pos, side, keep).items()):
        slots = [Slot(pos.at[u], _least(pos, pos.at[u], keep, units)) for u in units]
        for unit, hex_ in dealt(slots, {u: pos.unit(u).place for u in units}, rng).items():
            if pos.at[unit] != hex_:
                pos.put(unit, hex_)
    pos.touched.clear()


def _least(pos: Position, hex_: str, keep: set[str], dealt_anew: Sequence[str]) -> int:
    """From which rank on a counter stays below the top of a stack, and below those told of that nothing dealt anew lies
    on: they were seen on top, once those above them had gone."""
    stack = pos.stack(hex_)
    seen = next(i for i, u in enumerate(stack) if u in dealt_anew)
    return 1 + max(pos.unit(u).place for i, u in enumerate(stack[:seen]) if i == 0 or u in keep)


def guess(pos: Position, side: str, rng: Random, keep: set[str]) -> None:
    """The same for a board that is only a guess (never told to a game): types are dealt too, and what lies on hidden
    counters is taken off them, as that would tell which they are."""
    if pos.options["intelligence"] == "full":
        return
    under = [u for hex_, stack in pos.held(enemy(side)).items() for u in stack[1:]
             if pos.unit(u).type != "leader" and u not in keep]
    without_marks(pos, MARKS, under)
    if pos.march is not None and {*pos.march.units} & {*under}:
        pos.march = None
    slots = [Slot(pos.at[u], 1 + pos.unit(pos.stack(pos.at[u])[0]).place) for u in under]
    ranks, was = {u: pos.unit(u).place for u in under}, {u: pos.at[u] for u in under}
    for _ in range(TRIES):
        try:
            _put(pos, dealt(slots, ranks, rng))
            invariants.check(pos)
        except BadPosition:
            _put(pos, was)
        else:
            return
    scramble(pos, side, rng, keep)


def _put(pos: Position, to: dict[str, str]) -> None:
    for unit, hex_ in to.items():
        if pos.at[unit] != hex_:
            pos.put(unit, hex_)
    pos.forget()
    pos.touched.clear()
