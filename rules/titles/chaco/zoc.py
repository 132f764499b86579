"""7 Zones of control."""

from __future__ import annotations

from rules.titles.chaco.position import Position
from rules.titles.chaco.units import enemy


def zones(pos: Position, side: str) -> frozenset[str]:
    """7.1, 7.2 The hexes in the zone of control of a side: all around its infantry and cavalry, but not into mountains,
    over rivers or international borders."""
    def find() -> frozenset[str]:
        around, exerting = pos.game.zone_of, pos.game.exerting
        near = frozenset().union(*(around[h] for h, units in pos.army(side).items() if not exerting.isdisjoint(units)))
        return near - pos.game.mountains.difference(pos.trails)  # 14.5 a trail makes clear

    return pos.standing(find, side, "zones")


def live_zones(pos: Position, side: str) -> frozenset[str]:
    """7.7, 7.8 The hexes where the enemy's zone of control tells on supply and retreat of a side: its own combat units
    negate it where they stand. 6.3 In a truce it does not touch supply: see `supply_zones`."""
    return pos.known(lambda: zones(pos, enemy(side)).difference(pos.army(side)), "live", side)


def supply_zones(pos: Position, side: str) -> frozenset[str]:
    """6.3, 7.7 The enemy zones that block supply of a side."""
    return frozenset() if pos.truce else live_zones(pos, side)
