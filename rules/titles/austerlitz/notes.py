"""4.8, 8.4.5, 13.1.2 What combat leaves behind on the command sheet and on units."""

from __future__ import annotations

from collections.abc import Sequence

from rules.titles.austerlitz.position import Position


def stir(pos: Position, unit: str) -> None:
    """8.4.5 Blown cavalry that moves, charges or defends itself does not recover this turn."""
    if not pos.unit(unit).mounted:
        return
    stirred: list[str] = pos.special.setdefault("stirred", [])
    if unit not in stirred:
        stirred.append(unit)
    if unit in pos.resting:
        pos.resting.remove(unit)
        pos.mark(unit)


def tire(pos: Position, command: str) -> None:
    """13.1.1 A command whose marker is drawn tires, unless it only moves strategically."""
    if command not in pos.tired and command not in pos.strategic:
        pos.tired.append(command)


def note_melee(pos: Position, attacker: str, defenders: Sequence[str]) -> None:
    """8.4.5, 13.1.2 All units of a stack defend themselves in a melee."""
    for unit in defenders:
        note_combat(pos, attacker, unit)


def note_combat(pos: Position, attacker: str, target: str, close: bool = True) -> None:
    """13.1.2 Both commands have fought, unless by guns at medium or long range; 8.4.5 the target's rest is over;
    5.2.1 a command that is attacked loses its strategic marker when combat ends; A15 it has been attacked."""
    for unit in (attacker, target):
        command = pos.division_of(unit)
        if close and command is not None and command not in pos.fought:
            pos.fought.append(command)
    if close:
        stir(pos, target)
    division = pos.division_of(target)
    if division in pos.strategic and pos.act is not None and division not in pos.act["surprised"]:
        pos.act["surprised"].append(division)
    seen = pos.special.setdefault("attacked", {"any": [], "close": []})
    for key in ("any", "close") if close else ("any",):
        if target not in seen[key]:
            seen[key].append(target)
