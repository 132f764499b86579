"""7, 9, 10 What a planned march would bring where the enemy stands: the first round of the battle."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import orjson

from rules.mechanics.lookup import lookup
from rules.titles.ultimo_hombre import fire
from rules.titles.ultimo_hombre.battle import new_battle
from rules.titles.ultimo_hombre.board import SLOTS, enemy
from rules.titles.ultimo_hombre.position import Position
from rules.titles.ultimo_hombre.retreat import garrison


def prospects(pos: Position, side: str, units: Sequence[str], path: Sequence[str]) -> list[dict[str, Any]]:
    """7 If the march ends where the enemy stands: who fights, who fires first (10), and how many hits each side makes
    on average when all its units fire once, in the shape of docs/protocol.md section 5; the map lies open."""
    goal = path[-1]
    troops = [u for u in units if u in pos.game.units]
    if not troops or not pos.units_of(enemy(side), goal):
        return []
    later = _joined(pos, side, troops, path[-2], goal)
    for leader in units:
        if leader in pos.leaders:
            later.place_leader(leader, goal)
    attackers, defenders = later.attacks[goal]["units"], garrison(later, enemy(side), goal)
    order = fire.order(later, side, goal, attackers, later.attacks[goal])
    mine, theirs = (_line(later, line) for line in (attackers, defenders))
    fort = pos.fort_at(goal)
    notes = [{"key": "note.first_round", "args": {"order": f"order.{order}"}, "clause": "10"}]
    if fort is not None and pos.game.fortresses[fort]["side"] == enemy(side):
        notes.append({"key": "note.fortress", "args": {"hits": 1 if fort in pos.worn else 2}, "clause": "9"})
    return [{
        "target": goal, "from": goal, "attack": sum(u["value"] for u in mine),
        "defense": sum(u["value"] for u in theirs), "ratio": None,
        "sides": {"attack": [{"at": path[-2], "units": mine}],
                  "defense": [{"at": goal, "units": theirs, "unknown": 0}]},
        "modifiers": [], "total": 0, "faces": [], "clears": {"n": 0, "of": 0},
        "mean": {"defender": _hits(mine), "attacker": _hits(theirs)}, "assumed": False, "notes": notes,
        "table": lookup("fire", rows=sorted({u["value"] for u in [*mine, *theirs]}))}]


def _joined(pos: Position, side: str, troops: Sequence[str], origin: str, goal: str) -> Position:
    """The position with these units in the battle to come: for a look, not to be played on."""
    later = Position.load(pos.game, orjson.loads(orjson.dumps(pos.state())))
    attack = later.attacks.setdefault(goal, {"at": goal, "units": [], "from": {}, "blue": []})
    attack["units"] = sorted([*attack["units"], *troops])
    for unit in troops:
        attack["from"][unit] = origin
        if pos.game.links[origin][goal] == "blue":
            attack["blue"].append(unit)
        later.put(unit, goal)
    later.battle = new_battle(later, side, goal, attack["units"])
    return later


def _line(later: Position, units: Sequence[str]) -> list[dict[str, Any]]:
    """7 The strongest fill the line; each with what it hits with in the first round, cards counted."""
    line = sorted(units, key=lambda u: (-fire.strength(later, u), u))[:SLOTS]
    return [{"id": u, "value": fire.strength(later, u)} for u in line]


def _hits(line: Sequence[dict[str, Any]]) -> str:
    """How many hits a line makes on average, one decimal."""
    tenths = int(Fraction(10 * sum(u["value"] for u in line), fire.FACES) + Fraction(1, 2))
    return f"{tenths // 10}.{tenths % 10}"
