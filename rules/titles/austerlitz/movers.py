"""4.3.3, 4.6.1 Who can still move in an activation, and why others can't."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.core.errors import Refusal
from rules.titles.austerlitz import duty
from rules.titles.austerlitz.allowance import left
from rules.titles.austerlitz.position import Position


def movers(pos: Position) -> list[str]:
    """The units that can still move in this activation."""
    act = pos.act
    assert act is not None
    return [u for u in act["units"] if left(pos, u) > 0 and not duty.held(pos, u)]


def checked_group(pos: Position, units: Sequence[str]) -> None:
    """5.0 Units that move as a stack: together, of one arm, formation and facing. Raises Refusal."""
    act = pos.act
    assert act is not None
    if not units:
        raise Refusal("refusal.nobody_moves", "5.0")
    for unit in units:
        if unit not in act["units"]:
            raise _idle(pos, unit)
        if duty.held(pos, unit):
            raise Refusal("refusal.garrison_waits", pos.plan["clause"], at=pos.at[unit], unit=unit)
        if left(pos, unit) <= 0:
            raise Refusal("refusal.has_moved", "4.6.1", at=pos.at[unit], unit=unit)
    first = units[0]
    for unit in units[1:]:
        if (pos.at[unit], pos.form[unit], pos.facing.get(unit)) != (pos.at[first], pos.form[first], pos.facing.get(
                first)) or pos.unit(unit).arm != pos.unit(first).arm or pos.unit(unit).hexes == 2 or left(
                pos, unit) != left(pos, first):
            raise Refusal("refusal.not_a_stack", "5.0", at=pos.at[first], unit=unit)


def _idle(pos: Position, unit: str) -> Refusal:
    """4.3.3, 4.6.1 Why a unit takes no part in an activation."""
    act = pos.act
    own = act is not None and pos.on_map(unit) and unit not in pos.used and pos.division_of(unit) == act["command"]
    key, clause = ("out_of_command", "4.3.3") if own else ("not_active", "4.6.1")
    return Refusal(f"refusal.{key}", clause, at=pos.at.get(unit), unit=unit)


def stays(pos: Position, unit: str) -> Refusal | None:
    """Why a unit can't move now; None if it can."""
    try:
        checked_group(pos, [unit])
    except Refusal as why:
        return why
    return None


def still(pos: Position, stacks: Mapping[str, Any]) -> dict[str, str]:
    """The hexes of the division, with its guns, where nobody can move, and the first unit there."""
    act = pos.act
    assert act is not None
    own = [*act["units"], *(u for u in pos.game.members.get(act["command"], ()) if u not in act["units"])]
    found: dict[str, str] = {}
    for unit in own:
        if pos.on_map(unit) and pos.at[unit] not in stacks and pos.division_of(unit) in (act["command"], None):
            found.setdefault(pos.at[unit], unit)
    return found
