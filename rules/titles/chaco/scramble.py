"""What a side may not know in limited intelligence: the enemy counters under the top of their stacks."""

from __future__ import annotations

from random import Random

from rules.titles.chaco.position import Position
from rules.titles.chaco.units import enemy


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
    """Swap hidden counters of the other side that are of one type, so that every view of `side` stays what it was. With
    full intelligence nothing is hidden."""
    if pos.options["intelligence"] == "full":
        return
    for _, units in sorted(hidden(pos, side, keep).items()):
        for _ in range(2 * len(units)):
            a, b = rng.choice(units), rng.choice(units)
            at_a, at_b = pos.at[a], pos.at[b]
            if at_a == at_b or not _stays_below(pos, a, at_b, keep) or not _stays_below(pos, b, at_a, keep):
                continue
            pos.put(a, at_b)
            pos.put(b, at_a)
    pos.touched.clear()


def _stays_below(pos: Position, unit: str, hex_: str, keep: set[str]) -> bool:
    """Whether a counter would not come to the top of another stack, nor above one of it that has been told of: that one
    was seen on top, once those above it had gone."""
    top, *under = pos.stack(hex_)
    told = [top, *(u for u in under if u in keep)]
    return all(pos.unit(u).place < pos.unit(unit).place for u in told)
