"""10.0 Retreats: how far, where to, and what it costs not to get there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rules.core.procedure import Procedure
from rules.titles.austerlitz.duty import in_area
from rules.titles.austerlitz.formations import DISORDER, LIMBERED, SKIRMISH, SPREAD, SQUARE, UNLIMBERED, column_of
from rules.titles.austerlitz.leaders import aboard, company, ridden_down, unaccompanied
from rules.titles.austerlitz.losses import bleed, disorder, rough
from rules.titles.austerlitz.notes import stir
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.stacking import too_many
from rules.titles.austerlitz.units import ROUT, enemy


def length(pos: Position, unit: str, level: int) -> int:
    """10.0 Unsteady foot goes one hex, cavalry two; who routs half the allowance, rounding up."""
    u = pos.unit(unit)
    if level == ROUT:
        return (u.movement + 1) // 2
    return 2 if u.mounted else 1


# The steps over the six sides of a hex, in the coordinates of rules.titles.austerlitz.board (axial).
STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))


class Ground(NamedTuple):
    """What a retreat looks at: the hexes of enemies and of those who caused it, and where it has been."""

    enemies: tuple[str, ...]
    causes: tuple[str, ...]
    been: set[str]


def withdraw(
    pos: Position, units: Sequence[str], hexes: int, causes: Sequence[str], *, routed: bool
) -> Procedure[list[str]]:
    """10.1 Move a stack back hex by hex. Returns the top units of stacks it went through, who must check (10.1.2 no.
    4).

    10.1.1: it stays together, enters no hex twice, goes on until it stands alone, and loses a point for each hex that
    it can't go.
    """
    lead = units[0]
    side, start = pos.unit(lead).side, pos.at[lead]
    if any(h in pos.here for h in pos.footprint(lead)):
        pos.tell("must_go", "10.0", side, unit=lead, at=start)
    leaders = yield from company(pos, lead, "follow")
    behind = pos.footprint(lead)
    _ready(pos, units)
    ground = Ground(tuple(pos.hexes_of(enemy(side))), tuple(c for c in causes if c), {*pos.footprint(lead)})
    trip = Trip(leaders, hexes, [start], (1, start, pos.tail.get(lead), hexes))
    yield from _go(pos, units, ground, trip)
    if pos.on_map(lead) and pos.at[lead] == trip.way[-1] and len(trip.way) > trip.alone[0] and _unfit(pos, units):
        _return(pos, units, trip)
    way = trip.way
    _note_way(pos, units, way)
    if len(way) > 1 and pos.on_map(lead):
        pos.tell("retreated", "10.1", side, units=list(units), path=way, at=way[-1], **{"from": start})
    if trip.left > 0 and pos.on_map(lead) and pos.at[lead] == way[-1]:
        pos.tell("retreat_blocked", "10.1.1", side, units=list(units), at=pos.at[lead], count=trip.left)
        left = trip.left
        for unit in units:  # 8.5.1 the first, then the next
            taken = min(left, pos.strength(unit))
            yield from bleed(pos, unit, taken, dice=left == trip.left)
            left -= taken
    for unit in units:
        if routed and trip.last is not None and pos.on_map(unit):
            _face_away(pos, unit, trip.last)
    yield from unaccompanied(pos, behind)  # 8.5.5 who is left behind alone goes where his troops are
    return [u for u in dict.fromkeys(trip.passed) if pos.on_map(u)]


def _note_way(pos: Position, units: Sequence[str], way: list[str]) -> None:
    """8.4.2 The way of a retreat, for who pursues it: what was gone at one stretch is one way. 8.4.5 Cavalry that goes
    back does not rest."""
    for unit in units:
        if len(way) > 1:
            stir(pos, unit)
        if pos.act is not None:
            before = pos.act["ways"].get(unit, [])
            pos.act["ways"][unit] = [*before, *way[1:]] if before and before[-1] == way[0] else way


def _face_away(pos: Position, unit: str, side: int) -> None:
    """10.1 Who routs faces the way he went; a counter on two hexes along them, the one or the other in front
    (6.5.1)."""
    tail, at = pos.tail.get(unit), pos.at[unit]
    if tail is not None:
        along = pos.game.board.side_to(tail, at)
        if (side - along) % 6 in (2, 3, 4):
            pos.put(unit, tail, at, hold=False)
            along = (along + 3) % 6
        side = along
    pos.facing[unit] = 2 * side
    pos.mark(unit)


@dataclass
class Trip:
    """A retreat under way: who goes along, hexes still to go, the way, where the stack last stood by itself and had
    room (how many hexes of the way, its hexes, what was left then), the side last gone over, and whom it went
    through."""

    leaders: list[str]
    left: int
    way: list[str]
    alone: tuple[int, str, str | None, int]
    last: int | None = None
    passed: list[str] = field(default_factory=list)


def _go(pos: Position, units: Sequence[str], ground: Ground, trip: Trip) -> Procedure[None]:
    """10.1.1 Hex by hex, as long as there is a way and nothing ends it."""
    lead = units[0]
    while trip.left > 0 or _unfit(pos, units):
        step = _next(pos, lead, ground, trip.last, trip.left > 0)
        if step is None or (len(trip.way) > 1 and (yield from _watched(pos, units, ground, inside=True))):
            return
        there, trip.last = step
        _shift(pos, units, there, trip.last)
        for leader in trip.leaders:
            pos.put_leader(leader, there)
        ground.been.update(pos.footprint(lead))
        trip.way.append(there)
        trip.left -= 1
        if not _unfit(pos, units):
            trip.alone = (len(trip.way), there, pos.tail.get(lead), trip.left)
        trip.passed += _passed(pos, units)
        yield from ridden_down(pos, pos.footprint(lead))
        stopped = yield from _watched(pos, units, ground, inside=False)
        trip.leaders = [x for x in trip.leaders if aboard(pos, x)]
        if stopped:
            return


def _return(pos: Position, units: Sequence[str], trip: Trip) -> None:
    """10.1.1, 7.1 With no way on from among friends, or from where it has no room, the stack stays where it last stood
    by itself and within the limits (ruling)."""
    steps, spot, behind, trip.left = trip.alone
    trip.way = trip.way[:steps]
    for unit in units:
        pos.put(unit, spot, behind, hold=False)
    for leader in trip.leaders:
        pos.put_leader(leader, spot)


def _watched(pos: Position, units: Sequence[str], ground: Ground, *, inside: bool) -> Procedure[bool]:
    """10.1.1 Who did not cause the retreat may react to it, in an activation: whether that has ended it."""
    if pos.act is None:
        return False
    from rules.titles.austerlitz import reaction  # retreats and reactions bring about one another

    there = pos.at[units[0]]
    yield from reaction.passing(pos, units, ground.causes, inside)
    return not pos.on_map(units[0]) or pos.at[units[0]] != there


def _ready(pos: Position, units: Sequence[str]) -> None:
    """10.0 errata: a square breaks up to retreat; skirmishers on two hexes draw together."""
    for unit in units:
        if pos.form.get(unit) == SQUARE:
            disorder(pos, unit)
        if pos.form.get(unit) == SPREAD:
            pos.stand(unit, SKIRMISH, 0)


def _unfit(pos: Position, units: Sequence[str]) -> bool:
    """10.1.1, 7.1 Whether a retreat may not end where it is: among friends, or with more points than the ground
    holds."""
    return _shared(pos, units) or any(too_many(pos, hex_, units) for hex_ in pos.footprint(units[0]))


def _shared(pos: Position, units: Sequence[str]) -> bool:
    """10.1.1 Whether the stack stands with units that do not retreat with it."""
    return any(u not in units for h in pos.footprint(units[0]) for u in pos.stack(h))


def _next(pos: Position, unit: str, ground: Ground, last: int | None, owed: bool = True) -> tuple[str, int] | None:
    """10.1.2 The next hex and the side it lies over, by the priorities in order. 10.1.1 Who would best go over the edge
    of the map stops there, while hexes are `owed`; no. 4 friends are gone through only away from the enemy."""
    board, here = pos.game.board, pos.at[unit]
    tail = pos.tail.get(unit)
    found: list[tuple[tuple[object, ...], str | None, int]] = []
    for side in range(6):
        there = board.around[here][side]
        behind = None if tail is None else board.around[tail][side]
        spots = [there] if tail is None else [there, behind]
        if any(spot is None or not in_area(pos, spot) for spot in spots):
            if owed:
                found.append((_rank(pos, unit, here, None, side, ground, last), None, side))
            continue
        if any(not _open(pos, unit, spot, ground) for spot in spots):
            continue
        rank = _rank(pos, unit, here, there, side, ground, last)
        if rank[2] and ground.causes and rank[0] != -1:
            continue
        found.append((rank, there, side))
    best = min(found, key=lambda way: way[0], default=None)
    return None if best is None or best[1] is None else (best[1], best[2])


def _open(pos: Position, unit: str, hex_: str | None, ground: Ground) -> bool:
    """10.1.1 No forbidden terrain, no enemy, no hex twice (its own second hex apart)."""
    if hex_ is None or hex_ in ground.enemies or not in_area(pos, hex_):
        return False
    own = pos.footprint(unit)
    if len(own) == 2 and pos.second.get(hex_, unit) != unit:
        return False
    if hex_ in ground.been and hex_ not in own:
        return False
    if hex_ in own:
        return True
    board, form = pos.game.board, pos.form[unit]
    column = column_of(pos.unit(unit), LIMBERED if form == UNLIMBERED else form if form == SKIRMISH else DISORDER)
    return any(board.price(column, h, hex_, road) is not None
               for h in own if hex_ in board.touching(h) for road in (False, True))


def _rank(pos: Position, unit: str, here: str, there: str | None, side: int, ground: Ground,
          last: int | None) -> tuple[object, ...]:
    """10.1.2 in order: away from those who caused it, far from enemies, through empty hexes, towards the army's own
    side (A10.1), straight on, the cheapest way. `there` is None for ground over the edge of the map."""
    board, own = pos.game.board, pos.unit(unit)
    (q, r), (dq, dr) = board.axial[here], STEPS[side]
    spot = q + dq, r + dr
    nearer = 0  # how much closer to the causes
    if ground.causes:
        nearer = min(board.distance(here, c) for c in ground.causes) - min(
            _apart(spot, board.axial[c]) for c in ground.causes)
    close = min((_apart(spot, board.axial[e]) for e in ground.enemies), default=99)
    taken = there is not None and pos.holder(there) is not None and there not in pos.footprint(unit)
    home = dq if pos.game.tables["retreat"][own.side] == "west" else -dq
    column = column_of(own, DISORDER if not own.guns else LIMBERED)
    price = None if there is None else board.price(column, here, there, False)
    return ((nearer > 0) - (nearer < 0), -close, taken, home,
            0 if last is None or last == side else 1, 99 if price is None else price.cost, side)


def _apart(a: tuple[int, int], b: tuple[int, int]) -> int:
    """Hexes between two spots, on the map or off it."""
    x, z = b[0] - a[0], b[1] - a[1]
    return max(abs(x), abs(z), abs(x + z))


def _shift(pos: Position, units: Sequence[str], there: str, side: int) -> None:
    board, start = pos.game.board, pos.at[units[0]]
    tail = pos.tail.get(units[0])
    behind = None if tail is None else board.around[tail][side]
    for unit in units:
        pos.put(unit, there, behind, hold=False)  # ruling on A15.2: who retreats takes no hex
        rough(pos, unit, start, there)
        if tail is not None and behind not in (None, start):
            rough(pos, unit, tail, str(behind))  # 6.5.3


def _passed(pos: Position, units: Sequence[str]) -> list[str]:
    """6.4.1, 10.1.2 no. 4 Friends that a retreat goes through are disordered; the top one of each stack will check."""
    found = []
    for hex_ in pos.footprint(units[0]):
        others = [u for u in pos.stack(hex_) if u not in units]
        for other in others:
            disorder(pos, other)
        found += [u for u in others if not pos.unit(u).guns][:1] or others[:1]
    return found
