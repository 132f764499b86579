"""5.0, 4.6.2 The points a unit has in an activation, and what it has left of them."""

from __future__ import annotations

from rules.titles.austerlitz.activation import LIMITED, OUT, RETREAT, STRATEGIC
from rules.titles.austerlitz.position import Position


def allowance(pos: Position, unit: str, mode: str) -> int:
    """5.1, 4.6.2, 4.7, 5.2, 8.4.4, A5.1.1 The points a unit has in an activation, in halves: blown cavalry half, up;
    limited half and out of command a third, down; in fog half, up, but not on top of a limited activation."""
    points = pos.unit(unit).movement
    if pos.blown.get(unit):
        points = (points + 1) // 2
    if mode == LIMITED:
        return 2 * (points // 2)
    if mode == OUT:
        return 2 * (points // 3)
    if mode == STRATEGIC:
        return 4 * points
    if mode == RETREAT:
        points = (points + 1) // 2
    if in_fog(pos, unit):
        points = (points + 1) // 2
    return 2 * points


def in_fog(pos: Position, unit: str) -> bool:
    """A5.1 Whether a unit stands in the fog."""
    fog: int | None = pos.special.get("fog")
    return fog is not None and pos.game.board.level[pos.act["from"].get(unit, pos.at[unit]) if pos.act else
                                                    pos.at[unit]] <= fog


def left(pos: Position, unit: str) -> int:
    """What a unit has left, in half points; nothing once another has moved after it (4.6.1)."""
    act = pos.act
    assert act is not None
    if unit in act["finished"] or pos.routed(unit) or not pos.on_map(unit):
        return 0
    return max(0, allowance(pos, unit, act["mode"]) - int(act["spent"].get(unit, 0)))


def points(halves: int) -> int | float:
    """Half points as points."""
    return halves // 2 if halves % 2 == 0 else halves / 2
