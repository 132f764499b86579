"""7 Zones of control."""

from __future__ import annotations

from rules.titles.chaco.position import Position
from rules.titles.chaco.units import enemy


def reaches(pos: Position, a: str, b: str) -> bool:
    """7.2 Whether a zone of control in `a` extends into `b`: not into mountains, over rivers or international
    borders."""
    map_ = pos.game.map
    return (pos.terrain(b) != "mountain" and not pos.game.river(a, b) and not map_.edge("border", a, b)
            and not {a, b} & pos.game.off_map)


def zones(pos: Position, side: str) -> frozenset[str]:
    """7.1 The hexes in the zone of control of a side: all around its infantry and cavalry."""
    def find() -> frozenset[str]:
        return frozenset(near for hex_, units in pos.army(side).items() if any(pos.unit(u).exerts for u in units)
                         for near in pos.game.map.neighbours[hex_] if reaches(pos, hex_, near))
    return pos.known(find, "zones", side)


def live_zones(pos: Position, side: str) -> frozenset[str]:
    """7.7, 7.8 The hexes where the enemy's zone of control tells on supply and retreat of a side: its own combat units
    negate it where they stand. 6.3 In a truce it does not touch supply: see `supply_zones`."""
    return pos.known(lambda: zones(pos, enemy(side)) - pos.army(side).keys(), "live", side)


def supply_zones(pos: Position, side: str) -> frozenset[str]:
    """6.3, 7.7 The enemy zones that block supply of a side."""
    return frozenset() if pos.truce else live_zones(pos, side)
