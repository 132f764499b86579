"""1.1.1, 10.1 Who holds an area, wholly or in part, and who holds a city or port."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import NamedTuple

from rules.titles.guerra_a_muerte.board import HAITI, HALF, PATRIOT, REBELS, ROYALIST, SIDES, SPAIN, US, enemy
from rules.titles.guerra_a_muerte.position import Position

WHOLE, SHARED, NONE = HALF, 1, 0
BOTH = frozenset(SIDES)
ALONE = {here: {side: WHOLE if side == here else NONE for side in SIDES} for here in (*SIDES, REBELS)}
BOXES = {ROYALIST: (SPAIN,), PATRIOT: (US, HAITI)}  # 7.3, 7.4 the boxes that a side's ships may enter


class Looks(NamedTuple):
    """What everybody sees of an area: the sides with land counters there, and how much of it each holds, in halves."""

    here: Set[str]
    held: Mapping[str, int]


def regulars(pos: Position, area: str, side: str) -> bool:
    """10.1 Whether regular troops of a side stand in an area."""
    return any(pos.unit(u).regular for u in pos.units_in(area, side))


def fighting_irregulars(pos: Position, area: str, side: str) -> bool:
    """10.1 Whether guerrillas of a side are in an area."""
    return any(u in pos.guerrillas for u in pos.stack(area) if pos.unit(u).side == side)


def holds(pos: Position, area: str) -> Mapping[str, int]:
    """1.1.1, 10.1 How much of an area each side holds, in halves. One counter, even a leader, is enough; both sides
    share; guerrillas hold against all but regulars (ruling 27). Nobody holds an empty area (ruling 28)."""
    return shares(pos, area, pos.sides_in(area))


def shares(pos: Position, area: str, here: Set[str]) -> Mapping[str, int]:
    """The same, of an area where these sides are."""
    if len(here) == 1:
        return ALONE[next(iter(here))]
    out = {side: SHARED if side in here else NONE for side in SIDES}
    if here >= BOTH and pos.guerrillas:
        bands = {side: fighting_irregulars(pos, area, side) for side in SIDES}
        for side in SIDES:
            if bands[side] and not bands[enemy(side)] and not regulars(pos, area, enemy(side)):
                out[side], out[enemy(side)] = SHARED if REBELS in here else WHOLE, NONE
    return out


def looks_held(pos: Position, area: str) -> Mapping[str, int]:
    """1.1.1, 5.1.3 Who holds an area by what everybody can see: closed boxes are taken for regulars."""
    return looks_by_area(pos)[area].held


def looks_by_area(pos: Position) -> Mapping[str, Looks]:
    """The same of all areas of the map, in their order, as it changes: to be looked at, not kept."""
    return pos.as_held(lambda area: looks_of(pos, area))


def looks_of(pos: Position, area: str) -> Looks:
    """The same of one area, looked at afresh."""
    here = pos.sides_in(area)
    if here >= BOTH and any(pos.hidden(side, area) for side in SIDES):
        return Looks(here, dict.fromkeys(SIDES, SHARED))
    return Looks(here, shares(pos, area, here))


def rebellious(pos: Position, area: str) -> bool:
    """4.2.1, 9.5 Whether rebels of El Plata stand in an area."""
    return REBELS in pos.sides_in(area)


def held(pos: Position, area: str, side: str) -> bool:
    """1.1.1 Whether a side holds an area, wholly or in part, as far as both can see."""
    return looks_held(pos, area)[side] > NONE


def holder_of(pos: Position, place: str) -> str | None:
    """6.7 Whose a city or port is: of whoever stands in it; an empty one falls to who holds its area alone."""
    area = pos.game.places[place].area
    assert area is not None
    standing = {pos.game.afoot.get(u) for u in pos.here.get(place, ()) if u not in pos.aboard}
    for side in SIDES:
        if side in standing:
            return side
    looks = looks_held(pos, area)
    return next((side for side in SIDES if looks[side] == WHOLE), None)


def own_ports(pos: Position, side: str) -> list[str]:
    """4.8, 7.4 The ports a side holds, those under siege too."""
    return [port for port in pos.game.ports if holder_of(pos, port) == side]


def may_enter(pos: Position, side: str, there: str) -> bool:
    """7.3, 7.4, 7.10, 5.2 The open sea is free, ports are for their owner unless they are besieged, Spain for
    royalists, the havens for patriots."""
    if there in pos.game.seas:
        return True
    return there in BOXES[side] if there in pos.game.box_links else (
        holder_of(pos, there) == side and not pos.besieged(there))


def nation_in(pos: Position, area: str, nation: str) -> bool:
    """4.2, 4.6 Whether units of a patriot nation stand in an area; leaders count (ruling 40)."""
    return any(pos.unit(u).nation == nation for u in pos.units_in(area, PATRIOT))


def nations_present(pos: Position, area: str, nations: Iterable[str]) -> list[str]:
    return [n for n in nations if nation_in(pos, area, n)]


def enterable(pos: Position, place: str, side: str) -> bool:
    """5.2, 6.7 Whether land units of a side may go into a city: no enemy in it, not even a ship, and no siege around
    it."""
    side_of = pos.game.side_of
    return place not in pos.sieges and all(side_of[u] == side for u in pos.here.get(place, ()))


def may_operate(pos: Position, side: str) -> bool:
    """3.3, 7.1 Whether a side has anybody whom it could activate in its operations, the Legion apart."""
    return any(
        u.side == side and pos.on_map(unit) and u.nation != "portuguese" and not u.naval
        and (u.ship or (unit not in pos.guerrillas and unit not in pos.aboard and pos.at[unit] != HAITI))
        for unit, u in pos.game.units.items())


def crown_areas(pos: Position) -> int:
    """4.5.1 Areas of the crown less those of the patriots, in halves."""
    return sum(h[ROYALIST] - h[PATRIOT] for h in (holds(pos, a) for a in pos.game.land))
