"""8.4.2 no. 2 The way of a charge: always over the front, turning one side or vertex for each hex entered."""

from __future__ import annotations

from rules.titles.austerlitz.duty import in_area
from rules.titles.austerlitz.formations import tail_of
from rules.titles.austerlitz.position import Position

Ride = list[tuple[str, str | None, int]]   # hex, second hex, facing of each step


def charge_path(pos: Position, unit: str, target: str, one: bool = False) -> Ride | None:
    """The shortest way until the target is in front, over ground that can be charged over and free of units; of two the
    first clockwise. None if there is none, or the last step is barred (8.4.1). With `one`, of a single step (8.4.2
    no. 3)."""
    board, form = pos.game.board, pos.form[unit]
    two = pos.tail.get(unit) is not None
    goals = set(pos.footprint(target))
    most = 1 if one else int(pos.game.tables["charge"]["most"]) - 1
    start = pos.at[unit], pos.tail.get(unit), pos.facing.get(unit, 0)
    edge: list[tuple[tuple[str, str | None, int], Ride]] = [(start, [])]
    known = {(start[0], start[2])}
    for _ in range(most):
        following: list[tuple[tuple[str, str | None, int], Ride]] = []
        for (here, tail, facing), way in edge:
            front = pos.game.ground.arcs(here, tail, form, facing).front
            for there in _steps(pos, here, tail, front):
                for turn in (0, 2, 10):
                    new = (facing + turn) % 12
                    behind = tail_of(board, there, form, new) if two else None
                    if (there, new) in known or (two and not _fits(pos, unit, behind)):
                        continue
                    known.add((there, new))
                    stance = there, behind, new
                    arcs = pos.game.ground.arcs(*stance[:2], form, new)
                    if _strikes(pos, stance[:2], arcs.front, goals):
                        return [*way, stance]
                    following.append((stance, [*way, stance]))
        edge = following
    return None


def _steps(pos: Position, here: str, tail: str | None, front: tuple[str, ...]) -> list[str]:
    """The hexes that the (first) hex of a unit may go to next."""
    board, found = pos.game.board, []
    for there in board.around[here]:
        if there is None or there == tail or there not in front or not in_area(pos, there):
            continue
        if pos.holder(there) is None and board.chargeable(here, there) and board.price(
                "cavalry_disorder", here, there, False) is not None:
            found.append(there)
    return found


def _fits(pos: Position, unit: str, hex_: str | None) -> bool:
    return hex_ is not None and in_area(pos, hex_) and (hex_ in pos.footprint(unit) or (
        pos.holder(hex_) is None and pos.game.board.chart[pos.game.board.terrain[hex_]]["charge"]))


def _strikes(pos: Position, hexes: tuple[str, str | None], front: tuple[str, ...], goals: set[str]) -> bool:
    """8.4.1 Whether the target is in front and can be charged from there."""
    board = pos.game.board
    return any(goal in front and board.chargeable(h, goal) and not board.melee_barred(h, goal)
               for h in hexes if h is not None for goal in goals if goal in board.touching(h))
