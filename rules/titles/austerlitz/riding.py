"""5.4 Leaders move: twelve points, with their division's activation, or with any of theirs for the higher ones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Any

from rules.core.errors import Refusal
from rules.maps.paths import Prices, Reach, reach
from rules.titles.austerlitz import duty
from rules.titles.austerlitz.leaders import NAPOLEON
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.units import enemy

POINTS = 12


def riders(pos: Position) -> list[str]:
    """5.4, A4.4 The leaders who may move in this activation: the active one, his corps leader and an overall commander,
    each of these once a turn; staff with Napoleon (A4.4.4). With a unit out of command only the last: no division is
    active."""
    act = pos.act
    assert act is not None
    game, command = pos.game, act["command"]
    corps = game.corps_of(command) if command in game.commands and act["mode"] != "out" else None
    above = game.commands[corps].leader if corps is not None else None
    able = [act["leader"], above] + [i for i, x in game.leaders.items() if x.side == act["side"] and x.rank in (
        "overall", "staff") and i != act["leader"]]
    return [i for i in able if i is not None and ":" not in pos.leaders.get(i, ":") and left(pos, i) > 0]


def left(pos: Position, leader: str) -> int:
    """What a leader has left, in half points. The active leader moves with his division, also when it is active again;
    the others once a turn, and so do overall commanders and staff when they lead a special command (A4.5)."""
    act = pos.act
    assert act is not None
    if leader in pos.used and (leader != act["leader"] or (_once(pos, leader) and not act["spent"].get(leader))):
        return 0
    return 2 * POINTS - int(act["spent"].get(leader, 0))


def _once(pos: Position, leader: str) -> bool:
    return pos.game.leaders[leader].rank in ("overall", "staff")


def _rides(pos: Position) -> Prices:
    """5.4 What a leader pays from hex to hex, the same all game."""
    board, area = pos.game.board, pos.game.area
    plain, road = (board.prices("leader", by_road) for by_road in (False, True))

    def price(here: str, there: str) -> int | None:
        side = board.side_to(here, there)
        costs = [p.cost for p in (plain[here][side], road[here][side]) if p is not None and there in area]
        return min(costs, default=None)

    return Prices(board.map.neighbours, price)


def _reach(pos: Position, leader: str) -> Reach:
    """Where a leader can ride: over no enemy combat unit."""
    side = pos.game.leaders[leader].side
    closed = set(pos.hexes_of(enemy(side))) | {h for x, h in pos.leaders.items() if pos.game.side[x] != side}
    closed |= duty.closed_to(pos, leader)
    if pos.game.rides is None:
        pos.game.rides = _rides(pos)
    return reach(pos.game.rides, pos.leaders[leader], left(pos, leader), closed)


def reach_of(pos: Position, leader: str) -> dict[str, Any]:
    """The hexes a leader can ride to, in the shape of docs/protocol.md section 4."""
    if leader not in riders(pos):
        raise Refusal("refusal.leader_stays", "5.4", at=pos.leaders.get(leader), unit=leader)
    found = _reach(pos, leader)
    cost = {h: n // 2 if n % 2 == 0 else n / 2 for h, n in found.cost.items()}
    start = pos.leaders[leader]
    return {"from": start, "cost": cost, "via": found.via, "left": left(pos, leader) // 2,
            "blocked": {start: {"key": "refusal.nobody_moves", "clause": "5.0", "args": {}}}}


def check(pos: Position, units: Sequence[str], path: Sequence[str]) -> int:
    """5.4 What a ride costs, in half points. Raises Refusal."""
    if len(units) != 1:
        raise Refusal("refusal.leaders_alone", "5.4")
    leader = units[0]
    if leader not in riders(pos):
        raise Refusal("refusal.leader_stays", "5.4", at=pos.leaders.get(leader), unit=leader)
    hexes = [p.partition("@")[0] for p in path]
    if hexes[0] != pos.leaders[leader] or len(hexes) < 2:
        raise Refusal("refusal.not_from_there", "5.0", at=hexes[0])
    board, total, foe = pos.game.board, 0, enemy(pos.game.leaders[leader].side)
    shut = duty.closed_to(pos, leader)
    for a, b in pairwise(hexes):
        if (
            a not in board.around
            or b not in board.around[a]
            or pos.holder(b) == foe
            or any(pos.game.side[x] == foe for x in pos.here.get(b, ()))
            or not duty.in_area(pos, b)
        ):
            raise Refusal("refusal.no_such_move", "5.4", at=b)
        if b in shut:
            raise Refusal("refusal.not_south_yet", pos.plan["clause"], at=b, unit=leader)
        costs = [p.cost for p in (board.price("leader", a, b, r) for r in (False, True)) if p is not None]
        if not costs:
            raise Refusal("refusal.no_such_move", "5.4", at=b)
        total += min(costs)
    if total > left(pos, leader):
        raise Refusal("refusal.too_far", "5.4", at=hexes[-1], n=total // 2, limit=left(pos, leader) // 2)
    return total


def ride(pos: Position, leader: str, path: Sequence[str]) -> None:
    """5.4 A checked ride."""
    act = pos.act
    assert act is not None
    act["spent"][leader] = act["spent"].get(leader, 0) + check(pos, [leader], path)
    if leader != act["leader"] or _once(pos, leader):
        pos.used[leader] = 1
    hexes = [p.partition("@")[0] for p in path]
    company = [x for x in pos.here[hexes[0]] if pos.game.leaders[x].rank == "staff"] if leader == NAPOLEON else []
    for rider in (leader, *company):
        pos.put_leader(rider, hexes[-1])  # A4.4.4 the staff is with Napoleon until it is sent away
    pos.tell("leader_rode", "5.4", act["side"], leader=leader, path=hexes, at=hexes[-1], **{"from": hexes[0]})


def wander(pos: Position, leader: str, rng: Random) -> list[str] | None:
    """A random ride, for random play."""
    found = _reach(pos, leader)
    goals = sorted(h for h in found.cost if h != pos.leaders[leader])
    return found.path(rng.choice(goals)) if goals else None
