"""7.14 Special attrition of National Guard units that move."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.procedure import Procedure, roll
from rules.titles.triple_alliance.operations import close_operation
from rules.titles.triple_alliance.position import Operation, Position, by_hex


def note_guards(pos: Position, operation: Operation, units: Sequence[str]) -> None:
    """Remember which Guards moved; one counts as in company only if it always was. Those that came in this turn
    have their turn of grace."""
    guards = [u for u in units if pos.unit(u).guard]
    company = len(guards) < len(units)
    for unit in guards:
        if unit not in pos.entered:
            operation.guards[unit] = operation.guards.get(unit, True) and company


def guard_losses(pos: Position, side: str) -> Procedure[None]:
    """7.14 A die for each Guard that moved: lost on 0-3, on 0-2 if it moved with regulars or ships.
    With the dice its operation is over."""
    assert pos.operation is not None
    limits = pos.game.tables["national_guard"]
    rolls: dict[str, tuple[int, bool]] = {}
    for unit, company in sorted(pos.operation.guards.items()):
        drawn = yield from roll("national_guard", "7.14", 0, 9)
        rolls[unit] = drawn, drawn in limits["accompanied" if company else "alone"]
    places = by_hex(pos, list(rolls))
    pos.operation.guards.clear()
    close_operation(pos)
    pos.remove([unit for unit, (_, gone) in rolls.items() if gone])
    for at, units in places.items():
        lost = [unit for unit in units if rolls[unit][1]]
        pos.tell(
            "guard_attrition",
            "7.14",
            side,
            at=at,
            rolls=[list(rolls[unit]) for unit in units],
            count=len(lost),
            lost=lost,
            reveals=True,
            private={side: {"units": units}},
        )
