"""7.5, 7.12, 7.13 Supply lines."""

from __future__ import annotations

from rules.maps.paths import connected
from rules.titles.triple_alliance.position import Position
from rules.titles.triple_alliance.units import ALLIED, enemy


def sources(pos: Position, side: str) -> list[str]:
    """The supply hexes a side can trace to now: 7.12 an Allied one is shut while an enemy stands in it,
    7.13 a Paraguayan one is lost for good once Allied."""
    hexes: list[str] = pos.game.tables["sources"][side]
    if side == ALLIED:
        return [h for h in hexes if pos.holder(h) != enemy(side)]
    return [h for h in hexes if h not in pos.taken and pos.holder(h) != enemy(side)]


def lines(pos: Position, side: str) -> set[str]:
    """7.5 The hexes of road, railway and navigable river joined to a supply hex, no enemy unit between."""
    return connected(pos.game.links, sources(pos, side), pos.occupied_by(enemy(side)))


def supplied(pos: Position, hex_: str, line: set[str]) -> bool:
    """7.5 A stack has a supply line when it stands on one or next to one."""
    return hex_ in line or not line.isdisjoint(pos.game.map.neighbours[hex_])


def joined(pos: Position, side: str, a: str, b: str) -> bool:
    """10.7 Whether a supply line leads from hex to hex."""
    return b in connected(pos.game.links, [a], pos.occupied_by(enemy(side)), b)
