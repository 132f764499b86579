"""5.3, 4.1 What the next attrition may cost each own stack, as things stand now."""

from __future__ import annotations

from typing import Any

from rules.core.errors import Refusal
from rules.mechanics.forecast import outlook
from rules.mechanics.lookup import lookup
from rules.titles.guerra_a_muerte.attrition import WORST, exposed, hostile
from rules.titles.guerra_a_muerte.board import HALF
from rules.titles.guerra_a_muerte.position import Position, payer
from rules.titles.guerra_a_muerte.recruiting import check_purses

FACES = 6


def forecast(pos: Position, side: str) -> dict[str, dict[str, Any]]:
    """5.3 For each place with own stacks that will roll, in order of places: the die of each of them, and the same with
    as many points spent on it as there are and help (4.1). At the end of the side's operations roll those in hostile
    country, a force that has marched through it (or over the Andes) when it is done; who has rolled in this phase does
    not again. None when the side has no more operations to come (11.1)."""
    to_come = any(step[0] in ("end_operations", "attrition", "suffer") and step[1] == side for step in pos.agenda)
    last = pos.game.scenario["first_turn"] + pos.game.scenario["turns"] - 1
    if not to_come and pos.turn >= last:
        return {}
    stacks: dict[str, list[list[str]]] = {}
    for loc, units in _stacks(pos, side, set(pos.weathered) if to_come else set()):
        stacks.setdefault(loc, []).append(units)
    return {loc: _outlook(pos, loc, found) for loc, found in sorted(stacks.items())}


def _stacks(pos: Position, side: str, rolled: set[str]) -> list[tuple[str, list[str]]]:
    """5.3 (ruling 26) A force that rolls when it is done; then those who stand in hostile country, in the field, in a
    siege and in a city each by themselves."""
    out = []
    marching: set[str] = set()
    for force in pos.forces:
        if force["side"] == side and force["harsh"]:
            units = [u for u in exposed(pos, force["units"]) if pos.on_map(u)]
            marching |= set(units)
            out.append((force["at"], units))
    for loc in pos.game.spaces:
        if not hostile(pos, loc):
            continue
        here = [u for u in exposed(pos, pos.units_at(loc, side)) if u not in rolled | marching]
        out += [(loc, [u for u in here if (pos.besieging(u) or "") == city]) for city in ("", *sorted(pos.sieges))]
    return [(loc, units) for loc, units in out if units]


def _outlook(pos: Position, loc: str, stacks: list[list[str]]) -> dict[str, Any]:
    """The dice of one place, in the shape of docs/protocol.md section 4."""
    out = {"key": "forecast.attrition", "clause": "5.3", "count": sum(len(units) for units in stacks), "of": "steps",
           **outlook([_check(pos, loc, units, 0) for units in stacks])}
    fed = [_fed(pos, units) for units in stacks]
    if any(fed):
        out["eased"] = {"key": "forecast.with_points", "clause": "4.1",
                        **outlook([_check(pos, loc, units, n) for units, n in zip(stacks, fed, strict=True)])}
    return out


def _check(pos: Position, loc: str, units: list[str], fed: int) -> dict[str, Any]:
    """5.3 The faces of a stack's die: steps by the table, one more on the die in the Chaco, less what is saved; never
    more than it has."""
    table, more = pos.game.tables["attrition"], pos.game.area(loc) == "chaco"
    total = int(table["chaco"]) if more else 0
    steps = sum(pos.steps(u) for u in units)
    faces, rows = [], {}
    for die in range(1, FACES + 1):
        rows[die], taken = next((top, n) for top, n in table["rows"] if die + total <= top)
        faces.append({"roll": die, "row": die + total, "loss": min(steps, taken - min(taken, fed))})
    mods = [{"label": {"key": "mod.chaco", "args": {}}, "clause": "5.3", "value": total}] if more else []
    return {"modifiers": mods, "total": total, "faces": faces, "table": lookup("attrition", rows=rows)}


def _fed(pos: Position, units: list[str]) -> int:
    """4.1 How many steps of a stack points can save: one for each unit paid for, three at most."""
    need: dict[str, int] = {}
    n = 0
    for unit in units:
        more = {**need, payer(pos, unit): need.get(payer(pos, unit), 0) + HALF}
        try:
            check_purses(pos, more)
        except Refusal:
            continue
        need, n = more, n + 1
    return min(n, WORST)
