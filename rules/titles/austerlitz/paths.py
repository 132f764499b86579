"""8.4.2 no. 2 The way of a charge: always over the front, turning one side or vertex for each hex entered."""

from __future__ import annotations

from collections.abc import Iterator

from rules.titles.austerlitz.duty import in_area, shunned
from rules.titles.austerlitz.formations import column_of, tail_of
from rules.titles.austerlitz.position import Position

Spot = tuple[str, str | None, int]  # hex, second hex, facing
Ride = list[Spot]  # each step of a charge
Courses = dict[tuple[str, ...], list[Ride]]


def charge_path(pos: Position, unit: str, target: str, one: bool = False) -> Ride | None:
    """The shortest way until the target is in front, over ground that can be charged over and free of units; of two the
    first clockwise. None if there is none, or the last step is barred (8.4.1). With `one`, of a single step (8.4.2
    no. 3)."""
    start = pos.at[unit], pos.tail.get(unit), pos.facing.get(unit, 0)
    edge: list[tuple[Spot, Ride]] = [(start, [])]
    known = {(start[0], start[2])}
    for _ in range(1 if one else most_steps(pos)):
        following: list[tuple[Spot, Ride]] = []
        for here, way in edge:
            for spot in _onward(pos, unit, here):
                if (spot[0], spot[2]) in known:
                    continue
                known.add((spot[0], spot[2]))
                if strikes(pos, unit, spot, target):
                    return [*way, spot]
                following.append((spot, [*way, spot]))
        edge = following
    return None


def charge_ways(pos: Position, unit: str, target: str, most: int) -> Courses:
    """All ways of so many steps at most, the shortest first: the hexes, the first where the unit stands -> its rides,
    one for each facing that it may have at the end. A way ends in the first hex from which the target can be struck
    (ruling); on it the unit turns as late as it can."""
    start = pos.at[unit], pos.tail.get(unit), pos.facing.get(unit, 0)
    edge: dict[tuple[str, ...], dict[Spot, Ride]] = {start[:1]: {start: []}}
    found: Courses = {}
    for _ in range(most):
        following: dict[tuple[str, ...], dict[Spot, Ride]] = {}
        for hexes, spots in edge.items():
            for here, ride in spots.items():
                for spot in _onward(pos, unit, here):
                    if spot[0] not in hexes:
                        following.setdefault((*hexes, spot[0]), {}).setdefault(spot, [*ride, spot])
        ends = {
            hexes: [ride for spot, ride in spots.items() if strikes(pos, unit, spot, target)]
            for hexes, spots in following.items()
        }
        found.update((hexes, rides) for hexes, rides in ends.items() if rides)
        edge = {hexes: spots for hexes, spots in following.items() if not ends[hexes]}
    return found


def most_steps(pos: Position) -> int:
    """A8.1.1 The hexes that a charge enters at most: it stops beside its target."""
    return int(pos.game.tables["charge"]["most"]) - 1


def ruffled(pos: Position, unit: str, start: str, there: str) -> bool:
    """5.1.1, 8.4.2 no. 6 Whether the ground asks for a check of order of a unit that charges over a side (ruling)."""
    price = pos.game.board.price(column_of(pos.unit(unit), pos.form[unit]), start, there, False)
    return price is not None and price.check


def barred(pos: Position, unit: str, spot: Spot) -> bool:
    """Whether somebody stands in the next hexes of a charge."""
    return any(h is not None and h not in pos.footprint(unit) and pos.holder(h) is not None for h in spot[:2])


def _onward(pos: Position, unit: str, spot: Spot) -> Iterator[Spot]:
    """How a unit may stand when it has charged on by a hex."""
    here, tail, facing = spot
    form, two = pos.form[unit], pos.tail.get(unit) is not None
    front = pos.game.ground.arcs(here, tail, form, facing).front
    for there in _steps(pos, unit, here, tail, front):
        for turn in (0, 2, 10):
            new = (facing + turn) % 12
            behind = tail_of(pos.game.board, there, form, new) if two else None
            if not two or _fits(pos, unit, behind):
                yield there, behind, new


def _steps(pos: Position, unit: str, here: str, tail: str | None, front: tuple[str, ...]) -> list[str]:
    """The hexes that the (first) hex of a unit may go to next; A15.2 none that its limits close."""
    board, closed, found = pos.game.board, shunned(pos, unit), []
    for there in board.around[here]:
        if there is None or there == tail or there not in front or not in_area(pos, there) or there in closed:
            continue
        if pos.holder(there) is None and board.chargeable(here, there) and board.price(
                "cavalry_disorder", here, there, False) is not None:
            found.append(there)
    return found


def _fits(pos: Position, unit: str, hex_: str | None) -> bool:
    return hex_ is not None and in_area(pos, hex_) and (hex_ in pos.footprint(unit) or (
        pos.holder(hex_) is None and hex_ not in shunned(pos, unit) and pos.game.board.chart[
            pos.game.board.terrain[hex_]]["charge"]))


def strikes(pos: Position, unit: str, spot: Spot, target: str) -> bool:
    """8.4.1 Whether the target is in front and can be charged from there."""
    return any(within_reach(pos, unit, spot, goal) for goal in pos.footprint(target))


def within_reach(pos: Position, unit: str, spot: Spot, goal: str) -> bool:
    """8.4.1 Whether a hex is in front of a unit that stands so, over ground that can be charged over."""
    board, front = pos.game.board, pos.game.ground.arcs(spot[0], spot[1], pos.form[unit], spot[2]).front
    return goal in front and any(
        board.chargeable(h, goal) and not board.melee_barred(h, goal)
        for h in spot[:2]
        if h is not None and goal in board.touching(h)
    )
