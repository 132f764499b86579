"""12.2 What a planned move would let one attack in the combat phase that follows: the odds, as they are seen then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson

from rules.titles.chaco import strength
from rules.titles.chaco.combat import as_seen, attackable
from rules.titles.chaco.position import Position
from rules.titles.chaco.units import enemy


def prospects(pos: Position, side: str, units: Sequence[str], goal: str) -> list[dict[str, Any]]:
    """12.1, 12.2, 12.14 If the move ends at its goal and nobody else moves: each enemy hex that units of the move could
    attack, or that others could under a leader of it, by all who can then; the odds panel of each, in hex order. 6.3
    None in a truce."""
    if pos.truce or goal in pos.game.off_map:
        return []
    later, out = _moved(pos, side, units, goal), []
    for target, sources in attackable(later, side).items():
        able = [u for us in sources.values() for u in us]
        leaders = strength.leaders_of(later, side, able)
        if set(units) & {*able, *leaders}:
            out.append({**strength.panel(later, as_seen(later, side, [target], able)), "from": goal})
    return out


def _moved(pos: Position, side: str, units: Sequence[str], goal: str) -> Position:
    """The position with these units there already and nothing fought yet: for a look, not to be played on. 10.3 Who
    does not fight has been run over."""
    later = Position.load(pos.game, orjson.loads(orjson.dumps(pos.state())))
    for unit in [u for u in later.stack(goal) if later.unit(u).side == enemy(side)]:
        later.send_off(unit)
    for unit in units:
        later.put(unit, goal)
    later.fought, later.assailed, later.fled, later.joint = [], [], {}, []
    return later
