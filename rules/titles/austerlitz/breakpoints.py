"""11.0 Breakpoints of units, divisions and corps."""

from __future__ import annotations

from rules.titles.austerlitz.fire import broken
from rules.titles.austerlitz.position import Position


def unit_broken(pos: Position, unit: str) -> bool:
    """11.1 A unit at its breakpoint; destroyed ones count, elites and guns too only when gone (ruling on 11.2)."""
    u = pos.unit(unit)
    if u.guns:
        return False
    return pos.lost.get(unit, 0) >= u.strength or broken(pos, unit)


def count(pos: Position, division: str) -> int:
    """11.2 Combat units of a division at their breakpoint."""
    return sum(unit_broken(pos, u) for u in pos.game.members[division] if pos.unit(u).battalion is None)


def division_broken(pos: Position, division: str) -> bool:
    """11.2 Whether a division has come to its breakpoint; some never do."""
    level = pos.game.commands[division].breakpoint
    return level is not None and count(pos, division) >= level


def corps_broken(pos: Position, corps: str) -> bool:
    """11.3 Whether all divisions of a corps are at their breakpoints; a command that is a division counts as its own
    corps where a scenario says so."""
    command = pos.game.commands[corps]
    return all(division_broken(pos, d) for d in (command.divisions or (corps,)))


def note_breakpoints(pos: Position, unit: str) -> None:
    """11.2 Tell when a division comes to its breakpoint; its marker leaves the pool in the removal segment."""
    division = pos.unit(unit).command
    if division is None or not division_broken(pos, division):
        return
    marker = pos.game.marker_of[division]
    if marker not in pos.barred:
        pos.barred.append(marker)
        pos.touched.add(f"table:breakpoints_{pos.game.commands[division].side}")
        pos.tell("division_broken", "11.2", pos.game.commands[division].side, command=f"command.{division}")
