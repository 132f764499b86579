"""8.5.1 Points lost by a unit, and 6.4.1 disorder that it is put in."""

from __future__ import annotations

from rules.core.procedure import Procedure
from rules.titles.austerlitz.breakpoints import note_breakpoints
from rules.titles.austerlitz.fire import broken
from rules.titles.austerlitz.formations import DISORDER, SKIRMISH, SPREAD, column_of
from rules.titles.austerlitz.leaders import casualties, spent_brigades, unaccompanied
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.stacking import limit
from rules.titles.austerlitz.units import GOOD, SHAKEN


def disorder(pos: Position, unit: str, force: bool = False) -> bool:
    """6.4.1 A unit is disordered, if it can be: not guns, not skirmishers unless they rout."""
    form = pos.form.get(unit)
    if pos.unit(unit).guns or form in (None, DISORDER) or (form in (SKIRMISH, SPREAD) and not force):
        return False
    if form in (SKIRMISH, SPREAD):
        pos.stand(unit, SKIRMISH, 0)
    facing = pos.facing.get(unit, 0)
    pos.stand(unit, DISORDER, facing if facing % 2 == 0 else facing - 1)
    return True


def rough(pos: Position, unit: str, here: str, there: str) -> None:
    """6.4.1, 7.1 Who advances or retreats into ground that disorders his formation, or where it can't stand, is
    disordered."""
    u, form = pos.unit(unit), pos.form[unit]
    if u.guns or form in (DISORDER, SKIRMISH, SPREAD):
        return
    price = pos.game.board.price(column_of(u, form), here, there, False)
    if limit(pos, there, u.arm, form) is None or price is None or price.disorder:
        disorder(pos, unit)


def draw_together(pos: Position) -> Procedure[None]:
    """6.3.3 Skirmishers that have fewer than six points left hold one hex, when an activation ends (ruling)."""
    for unit in [u for u in pos.tail if pos.form[u] == SPREAD and pos.strength(u) < 6]:
        hexes = pos.footprint(unit)
        pos.stand(unit, SKIRMISH, 0)
        yield from unaccompanied(pos, hexes)


def bleed(pos: Position, unit: str, points: int, dice: bool = True) -> Procedure[None]:
    """8.5.1 One unit loses points; 8.5.5 leaders with it may be hit, unless they have rolled for this result (`dice`);
    11.1 it may come to its breakpoint."""
    hexes = pos.footprint(unit)
    taken = min(points, pos.strength(unit))
    if taken <= 0:
        return
    pos.lost[unit] = pos.lost.get(unit, 0) + taken
    pos.mark(unit)
    side = pos.unit(unit).side
    pos.touched.update((f"table:losses_{side}", f"table:breakpoints_{side}"))
    if dice:
        yield from casualties(pos, hexes)
    if pos.strength(unit) == 0:
        battalion = pos.unit(unit).battalion
        pos.remove([unit])
        if battalion is not None:
            pos.lost[battalion] = pos.lost.get(battalion, 0) + 1  # A2.4
            if pos.strength(battalion) == 0:
                pos.remove([battalion])
        pos.tell("destroyed", "8.5.1", side, unit=unit, at=hexes[0])
        yield from unaccompanied(pos, hexes)
        spent_brigades(pos)
    else:
        pos.tell("lost_points", "8.5.1", side, unit=unit, at=hexes[0], count=taken)
        if broken(pos, unit):
            if unit not in pos.capped:
                pos.capped.append(unit)
                pos.mark(unit)
            if pos.morale.get(unit, GOOD) == GOOD:
                pos.morale[unit] = SHAKEN
                pos.mark(unit)
    note_breakpoints(pos, unit)
