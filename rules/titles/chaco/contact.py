"""12.2 Who could attack at all, by what everybody can see."""

from __future__ import annotations

from rules.titles.chaco.position import Position
from rules.titles.chaco.strength import around
from rules.titles.chaco.units import enemy


def led(pos: Position, side: str, unit: str) -> bool:
    """12.2 A unit attacks stacked with or beside a leader of its side."""
    at = pos.at[unit]
    chiefs = pos.chiefs(side)
    return at in chiefs or not chiefs.isdisjoint(around(pos, at))


def can_attack(pos: Position, unit: str, target: str) -> bool:
    """12.13 No attack through a river in the rains."""
    return pos.attack(unit) > 0 and not (pos.rain and pos.game.river(pos.at[unit], target))


def in_contact(pos: Position, side: str) -> bool:
    """12.1, 12.2 Whether a side could attack anything in a combat phase that begins now. 6.3 Nothing in a truce."""
    if pos.truce:
        return False
    own, foes = pos.army(side), [h for h in pos.army(enemy(side)) if h not in pos.game.off_map]
    return any(can_attack(pos, u, h) and led(pos, side, u) for h in foes for near in around(pos, h)
               for u in own.get(near, ()))
