"""13 What a planned move would let one attack from its goal: the odds of each such attack, as they are seen before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson

from rules.core.errors import Refusal
from rules.titles.triple_alliance import assess
from rules.titles.triple_alliance.combat import check_attack
from rules.titles.triple_alliance.position import Position
from rules.titles.triple_alliance.targets import attackable, beside


def prospects(pos: Position, side: str, units: Sequence[str], goal: str) -> list[dict[str, Any]]:
    """13.1, 13.7 If the move ends at its goal: in the first combat phase (13.15), each enemy hex beside it that units
    of the move could attack, by all who can then; the odds panel of each, in hex order."""
    if not pos.borders_enemy(goal, side):
        return []
    later = _moved(pos, units, goal)
    out = []
    for target, sources in attackable(later, beside(later, side)).items():
        able = [u for us in sources.values() for u in us]
        if target not in pos.game.map.neighbours[goal] or not set(able) & set(units):
            continue
        try:
            check_attack(later, target, able)
        except Refusal:
            continue  # a raft without a tow, or guns alone
        out.append({**assess.as_seen(later, side, 1, target, able), "from": goal})
    return out


def _moved(pos: Position, units: Sequence[str], goal: str) -> Position:
    """The position with these units there already: for a look, not to be played on."""
    later = Position.load(pos.game, orjson.loads(orjson.dumps(pos.state())))
    for unit in units:
        later.put(unit, goal)
    later.fought, later.assailed = [], []
    return later

