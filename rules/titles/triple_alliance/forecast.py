"""7.2 What the next attrition check may cost each own stack, as things stand now."""

from __future__ import annotations

from typing import Any

from rules.mechanics.forecast import outlook
from rules.mechanics.lookup import lookup
from rules.titles.triple_alliance.attrition import modifiers, subject
from rules.titles.triple_alliance.modifiers import Modifier
from rules.titles.triple_alliance.position import Position
from rules.titles.triple_alliance.supply import lines
from rules.titles.triple_alliance.tables import attrition_column, attrition_loss, clamp


def forecast(pos: Position, side: str) -> dict[str, dict[str, Any]]:
    """7.1-7.10 For each hex of the side that will be checked, in hex order: the modifiers, what each face of the die
    would cost, and the same with a supply unit spent where there is one (7.4). The check of this turn while its dice
    are still to come, else that of the next; none after the last turn (5.4)."""
    turn = check_turn(pos)
    if turn > pos.game.scenario["last_turn"]:
        return {}
    line = lines(pos, side)
    return {hex_: stack_outlook(pos, hex_, side, line, turn) for hex_ in pos.hexes_of(side) if subject(pos, hex_)}


def check_turn(pos: Position) -> int:
    """5.2 The turn of the next check: this one while attrition is still on the agenda."""
    waits = any(step[0] == "attrition_supply" for step in pos.agenda)
    return pos.turn if waits and pos.stage == "events" else pos.turn + 1


def stack_outlook(pos: Position, hex_: str, side: str, line: set[str], turn: int) -> dict[str, Any]:
    """One stack, in the shape of docs/protocol.md section 4."""
    stack = pos.stack(hex_)
    mods = modifiers(pos, hex_, side, line, spends=False, turn=turn)
    out = {"key": "forecast.attrition", "clause": "7.2", "count": len(stack), "of": "units",
           **_chances(pos, hex_, mods)}
    if any(pos.unit(u).supply for u in stack):
        eased = modifiers(pos, hex_, side, line, spends=True, turn=turn)
        out["eased"] = {"key": "forecast.with_supply", "clause": "7.4", **_chances(pos, hex_, eased, spent=1)}
    return out


def _chances(pos: Position, hex_: str, mods: list[Modifier], spent: int = 0) -> dict[str, Any]:
    """7.2, 7.3 The ten faces: the row of the table and the units lost, never a fortress (7.8), nor what is `spent`: it
    counts in the column and is gone before the losses (7.4)."""
    stack, total = pos.stack(hex_), sum(m.value or 0 for m in mods)
    able = sum(not pos.unit(u).fortress for u in stack) - spent
    faces = [
        {"roll": die, "row": clamp(die + total), "loss": min(able, attrition_loss(pos.game, len(stack), die + total))}
        for die in range(10)
    ]
    table = lookup("attrition", attrition_column(pos.game, len(stack)))
    return outlook([{"modifiers": [m.as_json() for m in mods], "total": total, "faces": faces, "table": table}])
