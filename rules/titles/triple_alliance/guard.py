"""7.14 Special attrition of National Guard units that move."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.procedure import Procedure, roll
from rules.titles.triple_alliance.operations import close_operation
from rules.titles.triple_alliance.position import Operation, Position


def note_guards(pos: Position, operation: Operation, units: Sequence[str]) -> None:
    """Remember which Guards moved; one counts as in company only if it always was. Those that came in this turn
    have their turn of grace."""
    company = any(not pos.unit(u).guard for u in units)
    for unit in units:
        if pos.unit(unit).guard and unit not in pos.entered:
            operation.guards[unit] = operation.guards.get(unit, True) and company


def guard_losses(pos: Position, side: str) -> Procedure[None]:
    """7.14 A die for each Guard that moved: lost on 0-3, on 0-2 if it moved with regulars or ships.
    With the dice its operation is over."""
    assert pos.operation is not None
    limits = pos.game.tables["national_guard"]
    rolls: list[list[object]] = []
    lost: list[str] = []
    for unit, company in sorted(pos.operation.guards.items()):
        drawn = yield from roll("national_guard", "7.14", 0, 9)
        gone = drawn in limits["accompanied" if company else "alone"]
        rolls.append([unit, drawn, gone])
        lost += [unit] if gone else []
    at = pos.at[rolls[0][0]] if rolls and isinstance(rolls[0][0], str) else None
    pos.operation.guards.clear()
    close_operation(pos)
    pos.remove(lost)
    pos.tell("guard_attrition", "7.14", side, at=at, rolls=[[r, gone] for _, r, gone in rolls], count=len(lost),
             lost=sorted(lost), reveals=True, private={side: {"units": [u for u, _, _ in rolls]}})
