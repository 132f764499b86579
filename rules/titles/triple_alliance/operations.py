"""11.6, 12.5 Operations: a stack under way, split as it likes, until a counter of another stack moves."""

from __future__ import annotations

from collections.abc import Sequence

from rules.titles.triple_alliance.position import Operation, Position


def join_operation(pos: Position, ships: Sequence[str], marchers: Sequence[str], cargo: Sequence[str]) -> Operation:
    """11.6, 12.5 The operation a move belongs to: the open one, or a new one that closes it. Ships join any, and
    so do units that board one in that very answer, or that its units collect on their way (3.5)."""
    open_ = pos.operation
    if open_ is None or (marchers and not belongs(open_, marchers)):
        close_operation(pos)
        start = pos.at[(marchers or ships)[0]]
        begun = [u for u in pos.stack(start) if not pos.unit(u).river and u not in pos.settled] if marchers else []
        open_ = pos.operation = Operation(begun)
    open_.units += [u for u in [*ships, *marchers, *cargo] if u not in open_.units]
    return open_


def belongs(operation: Operation, marchers: Sequence[str]) -> bool:
    """3.5, 11.6 Whether a march goes on with an operation: some of its units are in it, and collect the others."""
    return not set(operation.units).isdisjoint(marchers)


def close_operation(pos: Position) -> None:
    """11.6 The land units of the open operation that moved have finished; ships may sail on later (12.5)."""
    if pos.operation is None:
        return
    for unit in pos.operation.units:
        if not pos.unit(unit).river and (unit in pos.spent) and unit not in pos.settled:
            pos.settled.append(unit)
            pos.aboard.pop(unit, None)
            pos.touch(pos.at[unit])
    pos.operation = None
