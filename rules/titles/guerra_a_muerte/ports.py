"""7.9 Ships in a port that is taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rules.core.forms import Answer, Option, label
from rules.core.procedure import Procedure
from rules.core.request import Needs
from rules.titles.guerra_a_muerte.asking import d6, pick
from rules.titles.guerra_a_muerte.board import HAITI, PATRIOT, ROYALIST, SIDES, SPAIN, US, enemy
from rules.titles.guerra_a_muerte.control import holder_of, own_ports
from rules.titles.guerra_a_muerte.leaders import check_leaders
from rules.titles.guerra_a_muerte.position import Position, payer


def ships_in_taken_port(pos: Position, port: str, side: str, captors: Sequence[str]) -> Procedure[None]:
    """7.9, 8.3 A die for each enemy ship in a fortified port: on 1 it escapes, on 6 it is captured, else destroyed;
    Cochrane adds one to the die of patriot captors."""
    if not pos.game.fortified(port) or not pos.game.places[port].port:
        for unit in [*pos.ships_at(port, enemy(side)), *admirals_at(pos, port, enemy(side))]:
            pos.put(unit, str(pos.game.sea_of(port)))  # an open port: they put to sea
        return
    table = pos.game.tables["sea"]["capture"]
    near = side == PATRIOT and pos.at["cochrane"] in (port, pos.game.sea_of(port))
    for ship in pos.ships_at(port, enemy(side)):
        die = yield from d6("port_capture", "7.9")
        total = die + (1 if near else 0)
        fate = "escapes" if total <= table["escapes"] else "captured" if total >= table["captured"] else "destroyed"
        pos.tell("ship_taken_in_port", "7.9", side, at=port, unit=ship, roll=die, total=total,
                 fate=f"capture.{fate}")
        if fate == "escapes":
            yield from slip_away(pos, ship, port)
        else:
            if fate == "captured":
                prize(pos, ship, port, side, captors)
            yield from sink(pos, ship)
    for admiral in admirals_at(pos, port, enemy(side)):  # 8.1: none of his ships is left there
        yield from check_leaders(pos, [admiral], port)


def admirals_at(pos: Position, port: str, side: str) -> list[str]:
    """8.3 The naval leader of a side in a port."""
    return [u for u in pos.units_at(port, side) if pos.unit(u).naval and pos.unit(u).leader]


def needs_of_entry(pos: Position, place: str, foe: str) -> Needs:
    """7.9 Whether enemy ships in the ports of an area that is entered may have to slip away."""
    area = pos.game.area(place)
    return Needs(0, sum(len(pos.ships_at(port, foe)) for port in pos.game.within(area)) if area is not None else 0)


def needs_of_change(pos: Position, foe: str) -> Needs:
    """7.9, 10.1 Enemy ships that may have to slip away when what stands in an area is changed: those in ports where no
    land unit of theirs stands."""
    afoot = pos.game.afoot
    return Needs(0, sum(len(pos.ships_at(port, foe)) for port in pos.game.ports if not any(
        afoot.get(u) == foe and u not in pos.aboard for u in pos.here.get(port, ()))))


def entering(pos: Position, place: str, foe: str) -> Callable[[Answer], Needs]:
    """What going there needs of the other player."""
    return lambda _: needs_of_entry(pos, place, foe)


def fallen_ports(pos: Position) -> Procedure[None]:
    """6.7, 7.9 Ships, and Cochrane, in ports that fell with their area."""
    side_of, afoot = pos.game.side_of, pos.game.afoot
    for port in pos.game.ports:
        for side in SIDES if port in pos.here else ():
            if any(side_of[u] == side and u not in afoot for u in pos.here.get(port, ())) \
                    and holder_of(pos, port) == enemy(side):
                yield from ships_in_taken_port(pos, port, enemy(side), pos.units_in(
                    str(pos.game.places[port].area), enemy(side)))


def havens_of(pos: Position, ship: str) -> list[str]:
    """7.9 The boxes to which a ship may escape besides ports: Spain for the crown, the haven of Mexicans and Gran
    Colombians."""
    u = pos.unit(ship)
    return {ROYALIST: [SPAIN], "mexico": [US], "gran_colombia": [HAITI]}.get(u.nation, [])


def slip_away(pos: Position, ship: str, port: str) -> Procedure[None]:
    """7.9 It goes to an own port within five sea areas or to its haven (Puerto Rico is a port); with nowhere to go it
    is lost."""
    side, reach = pos.unit(ship).side, pos.game.tables["sea"]["capture"]["range"]
    far = pos.game.far(port, sea=True)
    goals = sorted(p for p in own_ports(pos, side)
                   if p != port and far.get(p, reach + 1) <= reach and not pos.besieged(p))
    goals += [box for box in havens_of(pos, ship) if box not in goals]
    if side == ROYALIST and "san_juan" not in goals and "san_juan" in own_ports(pos, side) \
            and not pos.besieged("san_juan"):
        goals.append("san_juan")
    if not goals:
        yield from sink(pos, ship)
        return
    goal = goals[0]
    if len(goals) > 1:
        goal = yield from pick(side, "slip_away", "7.9", [
            Option(g, "7.9", label("option.place", at=g), at=g) for g in sorted(goals)], unit=ship)
    pos.put(ship, goal)
    for admiral in admirals_at(pos, port, side):  # he gets away with the first of his ships
        pos.put(admiral, goal)
    pos.tell("ship_escaped", "7.9", side, unit=ship, at=goal)


def prize(pos: Position, ship: str, port: str, side: str, captors: Sequence[str]) -> None:
    """7.9 A like ship of the nation of the troops that took the port takes its place, if one is left in the pool; of
    several nations, of the one with most of them there that has such a ship."""
    troops = [payer(pos, u) for u in pos.troops(captors)]
    nations = sorted(set(troops), key=lambda n: (-troops.count(n), n)) or [side]
    new = next((u for nation in nations for u in pos.stack(f"recruits:{nation}")
                if pos.unit(u).type == pos.unit(ship).type), None)
    if new is not None:
        pos.put(new, port)
        if ship in pos.reduced:
            pos.reduced.append(new)
        pos.tell("ship_captured", "7.9", side, unit=new, at=port)


def sink(pos: Position, ship: str, *, combat: bool = True) -> Procedure[None]:
    """7.5, 8.1 A ship is lost with whom it carries; a leader aboard is without men."""
    at = pos.at[ship]
    leaders = [u for u, by in pos.aboard.items() if by == ship and pos.unit(u).leader]
    for leader in leaders:
        del pos.aboard[leader]
    pos.bury(ship)
    for leader in leaders:
        yield from check_leaders(pos, [leader], at, combat=combat)
