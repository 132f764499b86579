"""11 Movement of land units."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rules.core.errors import Refusal, unknown
from rules.core.sealed import sealed
from rules.maps.paths import Reach, reach
from rules.titles.triple_alliance.position import Position
from rules.titles.triple_alliance.units import PARAGUAY, enemy

ENOUGH = 999  # more points than any way across the map costs


@sealed
class Plan:
    """What a move along a path costs: in all, by unit and up to each hex of the path."""

    cost: int
    pays: dict[str, int]
    so_far: list[int]


def origin(pos: Position, units: Sequence[str], clause: str) -> str:
    """11.5 The one hex where all units of a move stand; those that stay behind are not asked."""
    places = {pos.at[u] for u in units}
    if len(places) != 1:
        raise Refusal("refusal.not_together", clause, n=len(places))
    return places.pop()


def season(pos: Position, side: str) -> tuple[bool, bool]:
    """11.15, 11.18 What the price of hexsides hangs on for that side now: winter, and the free railway."""
    return pos.winter, side == PARAGUAY and not pos.rail_entered


def budget(pos: Position, units: Sequence[str]) -> int:
    """11.7 A stack moves at the pace of its slowest unit."""
    return min(pos.left(u) for u in units)


def most_for_one(pos: Position, units: Sequence[str]) -> int:
    """11.3 What a way of a single hex may cost a stack: of its units those that have spent nothing go whatever it
    costs, for all their points (the free railway of 11.18 takes none); the others have to pay."""
    return min((pos.left(u) for u in units if pos.spent.get(u)), default=ENOUGH)


def march_reach(pos: Position, units: Sequence[str], side: str) -> Reach:
    """11.1-11.19 Where a land stack can go, and what it costs: 11.4 never into an enemy hex."""
    start = origin(pos, units, "11.6")
    foe, points = pos.occupied_by(enemy(side)), budget(pos, units)
    found = reach(pos.game.march_prices(*season(pos, side)), start, points, foe)
    if (most := most_for_one(pos, units)) > points:
        costs = pos.game.march_costs(*season(pos, side))
        for near in pos.game.map.neighbours[start]:
            if near in pos.game.part and near not in found.cost and near not in foe and costs[start, near] <= most:
                found.cost[near], found.via[near] = points, start
    del found.cost[start]
    return found


def march_plan(pos: Position, units: Sequence[str], path: Sequence[str], side: str) -> Plan:
    """11.1 The cost of a whole path on foot, from hex to hex of the map and never off it (11.20). Raises Refusal with
    the clause that forbids it."""
    start = origin(pos, units, "11.6")
    if path[0] != start or len(path) < 2:
        raise Refusal("refusal.path_start", "11.1", at=start)
    costs, foe, so_far = pos.game.march_costs(*season(pos, side)), pos.occupied_by(enemy(side)), [0]
    for a, b in pairwise(path):
        if (a, b) not in costs:
            raise Refusal("refusal.not_adjacent", "11.1", at=b)
        if (off := pos.game.off_part(b)) is not None:
            raise off
        if b in foe:
            raise Refusal("refusal.enemy_hex", "11.4", at=b)
        so_far.append(so_far[-1] + costs[a, b])
    cost = so_far[-1]
    if cost > (most_for_one(pos, units) if len(path) == 2 else budget(pos, units)):
        raise too_far(pos, units, path[-1], cost)
    return Plan(cost, {u: min(cost, pos.left(u)) for u in units}, so_far)


def too_far(pos: Position, units: Sequence[str], to: str, cost: int) -> Refusal:
    """11.7 The slowest of them has too few points."""
    slowest = min(units, key=lambda u: (pos.left(u), u))
    return Refusal("refusal.too_far", "11.7", at=to, unit=slowest, n=cost, left=pos.left(slowest))


def beyond(pos: Position, units: Sequence[str], to: str, side: str) -> Refusal:
    """11.4, 11.7 Why a land stack doesn't get to a hex out of its reach."""
    if to not in pos.game.map.neighbours:
        return unknown(to)
    if (off := pos.game.off_part(to)) is not None:
        return off
    foe = pos.occupied_by(enemy(side))
    if to in foe:
        return Refusal("refusal.enemy_hex", "11.4", at=to)
    found = reach(pos.game.march_prices(*season(pos, side)), origin(pos, units, "11.6"), ENOUGH, foe)
    return too_far(pos, units, to, found.cost[to]) if to in found.cost else Refusal("refusal.no_way", "11.4", at=to)


def rides_free(pos: Position, hex_: str, side: str) -> bool:
    """11.18 Paraguayan units at the railway still move without points while it is free."""
    return side == PARAGUAY and not pos.rail_entered and hex_ in pos.game.rail
