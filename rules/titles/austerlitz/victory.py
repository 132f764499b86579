"""A15 Who has won, at any moment or at the end."""

from __future__ import annotations

from typing import Any

from rules.mechanics.ending import finish
from rules.titles.austerlitz.breakpoints import corps_broken, division_broken
from rules.titles.austerlitz.position import DEAD, Position
from rules.titles.austerlitz.units import SIDES, UNSTEADY, enemy


def ruined(pos: Position, side: str) -> int:
    """A15.1 Battalions, regiments and batteries of a side that are destroyed, routed or unsteady."""
    return sum(1 for u, loc in pos.at.items() if pos.unit(u).side == side and pos.unit(u).battalion is None
               and (loc == DEAD[side] or pos.morale.get(u, 0) >= UNSTEADY))


def hexes_of(pos: Position, place: str) -> tuple[str, ...]:
    """The hexes of a place, or a hex by itself."""
    return pos.game.board.places.get(place, (place,))


def goals(pos: Position) -> list[str]:
    """The places that victory or release of the scenario hangs on."""
    found: list[str] = []
    for ways in pos.plan["victory"].values():
        for way in ways if isinstance(ways, list) else ():
            found += [*way.get("control", ()), *way.get("of", ())]
    return list(dict.fromkeys(found))


def holds(pos: Position, side: str, place: str) -> bool:
    """A15.2 Whether a side holds all hexes of a place."""
    return all(pos.held.get(h) == side for h in hexes_of(pos, place))


def fulfilled(pos: Position, side: str, way: dict[str, Any]) -> bool:
    """Whether one way to victory is open now, every part of it."""
    foe = enemy(side)
    if "broken" in way and ruined(pos, foe) < way["broken"]:
        return False
    if "corps" in way:
        corps = [c.id for c in pos.game.commands.values() if c.side == foe and c.kind == "corps" and c.leader]
        gone = [c for c in [*corps, *way.get("counts", ())] if corps_broken(pos, c)]
        if len(gone) < way["corps"]:
            return False
    if "breakpoints" in way and not all(corps_broken(pos, c) if pos.game.commands[c].divisions else division_broken(
            pos, c) for c in way["breakpoints"]):
        return False
    if "control" in way and not all(holds(pos, side, p) for p in way["control"]):
        return False
    if "control_any" in way:
        need = way["with_help"] if "with_help" in way and pos.special.get("help_asked") else way["control_any"]
        return sum(holds(pos, side, p) for p in way["of"]) >= int(need)
    return True


def judge(pos: Position, at_end: bool = False) -> None:
    """A15 Look at every way to victory; at the end of the last turn at those of the end too, and at who wins
    otherwise."""
    if pos.result is not None:
        return
    plan = pos.plan["victory"]
    order = [s for s in (pos.active, *SIDES) if s is not None]
    for side in dict.fromkeys(order):
        for i, way in enumerate(plan[side]):
            if way.get("at_end") and not at_end:
                continue
            if fulfilled(pos, side, way):
                finish(pos, side, f"{pos.scenario}.{side}.{i + 1}", pos.plan["clause"])
                return
    if at_end:
        winner = plan["otherwise"]
        finish(pos, winner, f"{pos.scenario}.otherwise", pos.plan["clause"])
