"""Re-deals what a side may not know: which of the enemy's units stand in which of his closed boxes."""

from __future__ import annotations

from random import Random

from rules.core.seats import Side
from rules.mechanics.dealing import without_marks
from rules.titles.guerra_a_muerte.arrivals import LEGION_HOME
from rules.titles.guerra_a_muerte.board import enemy
from rules.titles.guerra_a_muerte.position import Position


def scramble(pos: Position, side: Side, rng: Random, keep: set[str]) -> None:
    """Deal the contents of the other side's closed boxes anew (5.1.3); a unit of troops stays in each of them. A box of
    which something was told just now was opened. While the Legion waits all know that nobody of El Plata is in the box
    of Banda Oriental (10.6)."""

    def fits(unit: str, area: str) -> bool:
        return area != LEGION_HOME or pos.legion != "off_map" or pos.unit(unit).nation != "plata"

    foe = enemy(side)
    closed = [a for a in pos.armies[foe].values() if a is not None and pos.hidden(foe, a)]
    areas = [a for a in closed if not any(pos.boxed(u) and u in keep for u in pos.units_at(a, foe))]
    if not areas:
        return
    areas.sort(key=lambda a: a != LEGION_HOME)  # while there is still somebody who fits
    moving = {f for force in pos.forces for f in force["units"]}
    inside = {a: [u for u in pos.units_at(a, foe) if pos.boxed(u) and u not in keep and u not in moving
                  and u not in pos.operated] for a in areas}
    pool = sorted(u for units in inside.values() for u in units)
    troops = [u for u in pool if pos.unit(u).troops]
    rng.shuffle(troops)
    for area in areas:
        fixed = [u for u in pos.units_at(area, foe) if pos.boxed(u) and u not in inside[area] and pos.unit(u).troops]
        if not fixed and inside[area]:
            unit = next(u for u in reversed(troops) if fits(u, area))
            troops.remove(unit)
            pool.remove(unit)
            if pos.at[unit] != area:
                pos.put(unit, area)
    for unit in pool:
        goal = rng.choice([a for a in areas if fits(unit, a)])
        if pos.at[unit] != goal:
            pos.put(unit, goal)
    pos.touched.clear()


def guess(pos: Position, side: Side, rng: Random, keep: set[str]) -> None:
    """The same for a board that is only a guess (never told to a game): that counters in closed boxes have operated is
    taken for nothing, as it would tell which they are."""
    foe = enemy(side)
    inside = [u for a in pos.armies[foe].values() if a is not None and pos.hidden(foe, a)
              for u in pos.units_at(a, foe) if pos.boxed(u) and u not in keep]
    without_marks(pos, ("operated", "weathered", "reduced"), inside)
    for force in [f for f in pos.forces if f["side"] == foe]:
        units = force["units"]
        for n, unit in enumerate(units):
            if unit in inside:
                alike = sorted(u for u in inside if pos.unit(u).troops == pos.unit(unit).troops and u not in units[:n])
                _change_places(pos, units, unit, rng.choice(alike))
    scramble(pos, side, rng, keep)


def _change_places(pos: Position, units: list[str], one: str, other: str) -> None:
    """Two counters change places, on the map and in a force that operates."""
    at_one, at_other = pos.at[one], pos.at[other]
    if at_one != at_other:
        pos.put(one, at_other)
        pos.put(other, at_one)
    swap = {one: other, other: one}
    units[:] = [swap.get(u, u) for u in units]
