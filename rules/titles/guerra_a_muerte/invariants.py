"""What is true of every position of this title, whatever was played."""

from __future__ import annotations

from functools import lru_cache

from rules.core.errors import BadPosition
from rules.mechanics.written import Impossible
from rules.titles.guerra_a_muerte.board import SIDES, Game, enemy
from rules.titles.guerra_a_muerte.control import looks_by_area, looks_of
from rules.titles.guerra_a_muerte.position import OUT, Position


def check(pos: Position) -> None:
    """Raises BadPosition that says what is wrong, with the clause."""
    game = pos.game
    if pos.at.keys() != game.units.keys():
        raise BadPosition("units lost or made up")
    aboard = pos.aboard
    for unit, loc in pos.at.items():
        _lies(game, unit, loc, unit in aboard)
    for unit in pos.reduced:
        if game.units[unit].steps < 2 or pos.reduced.count(unit) > 1:
            raise Impossible("not_reduced", unit=unit)
        if not pos.on_map(unit) and pos.stage != "set_up":
            raise Impossible("reduced_off_map", unit=unit)
    for unit in pos.guerrillas:
        if not game.units[unit].militia or pos.at[unit] not in game.worth:
            raise Impossible("no_guerrilla", "10.1", unit=unit, at=pos.at[unit])
    for unit, ship in pos.aboard.items():
        if pos.at[unit] != pos.at[ship] or not game.units[ship].ship:
            raise Impossible("not_aboard", "7.7", unit=unit, ship=ship)
    _places(pos)
    _boxes(pos)
    if stale := [area for area, looks in looks_by_area(pos).items() if looks != looks_of(pos, area)]:
        raise BadPosition(f"who holds {', '.join(stale)} was not looked at again")
    if any(n < 0 for n in pos.purses.values()):
        raise Impossible("overdrawn", "4.2")


@lru_cache(maxsize=32_768)
def _lies(game: Game, unit: str, loc: str, aboard: bool) -> None:
    """What must be true of where a counter is. Of one that is where it was it has been looked after."""
    u = game.units[unit]
    if loc not in game.spaces and loc != OUT and loc.partition(":")[0] not in ("recruits", "turn"):
        raise Impossible("no_place", unit=unit, at=loc)
    if u.ship and loc in game.worth:
        raise Impossible("ship_on_land", "7.1", unit=unit, at=loc)
    if not u.ship and not u.naval and loc in game.seas and not aboard:
        raise Impossible("at_sea", "7.6", unit=unit, at=loc)


def _places(pos: Position) -> None:
    """6.2, 6.4, 6.7 Cities hold one side; sieges have besiegers in the field and somebody besieged."""
    units, places = pos.game.units, pos.game.places
    for place, stack in pos.here.items():
        if place in places and len({units[u].side for u in stack if not units[u].ship and u not in pos.aboard}) > 1:
            raise Impossible("both_sides", "6.7", at=place)
    for city, siege in pos.sieges.items():
        area = pos.game.area(city)
        if not pos.troops(siege["units"]) or any(pos.at[u] != area for u in siege["units"]):
            raise Impossible("besiegers_elsewhere", "6.2", at=city)
        if any(pos.unit(u).side != siege["side"] for u in siege["units"]):
            raise Impossible("besiegers_of_two_sides", "6.2", at=city)
        if any(pos.unit(u).side != enemy(siege["side"]) for u in pos.stack(city) if not pos.unit(u).ship):
            raise Impossible("besieger_inside", "6.2", at=city)


def _boxes(pos: Position) -> None:
    """5.1.1 A marker for each area at most, on troops of its side."""
    for side in SIDES:
        areas = [a for a in pos.armies[side].values() if a is not None]
        if len(set(areas)) < len(areas):
            raise Impossible("two_armies", "5.1.1", side=side)
        for area in areas:
            if not any(pos.boxed(u) for u in pos.troops(pos.units_at(area, side))):
                raise Impossible("empty_army", "5.1.1", side=side, at=area)
