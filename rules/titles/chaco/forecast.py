"""8.12, 8.13 What the next attrition check may cost each own stack, as things stand now."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

import orjson

from rules.mechanics.forecast import Check, outlook
from rules.mechanics.lookup import lookup
from rules.titles.chaco import supply, supply_phase
from rules.titles.chaco.attrition import modifiers, subject
from rules.titles.chaco.dice import FACES
from rules.titles.chaco.position import Position
from rules.titles.chaco.units import BOLIVIA

DECEMBER = 12


def forecast(pos: Position, side: str) -> dict[str, dict[str, Any]]:
    """8.3, 8.12 For each hex with units that will roll, in hex order: the die of every unit, and the same with an air
    drop (8.13) where there is one. The check of this turn while it is to come, else that of the next, none after the
    last turn (16.3). What its owner has still to choose is taken at its best and said in the notes: the shortest line
    (8.6), the depots that supply most (8.8); trucks stay assigned (8.11)."""
    ahead = {step[0] for step in pos.agenda if step[1:] == [side]}
    fresh = ["weather"] in pos.agenda or "attrition" not in ahead
    turn = _turn(pos, ahead)
    if turn > pos.game.scenario["turns"]:
        return {}
    waits = fresh or "supply_net" in ahead
    then, notes = (_copy(pos) if waits else pos), _season(pos, turn) if fresh else []
    if fresh:
        then.rain, then.truce = pos.game.month_of(turn)[1] in pos.game.n["rain"]["months"], False
    if waits:
        notes += _supplied(then, side, {"supply_line", "supply_depots", "supply_trucks"} if fresh else ahead)
    rolling = subject(then, side)
    if not waits and "air_drop" not in ahead:
        rolling = list(pos.attrition.get("todo", rolling))
    drops = side == BOLIVIA and bool(int(pos.game.n["air"][side]) if fresh else pos.air[side] and not pos.dropped)
    done = None if fresh or "air_drop" in ahead else pos.attrition.get("drop")
    return _by_hex(then, side, rolling, notes, done, drops=drops and (fresh or "air_drop" in ahead))


def _turn(pos: Position, ahead: set[str]) -> int:
    """4.2 The turn of the next check of a side."""
    begins = [step[1] for step in pos.agenda if step[0] == "begin_turn"]
    if "attrition" in ahead:
        return int(begins[0]) if begins else pos.turn
    return pos.turn + 1


# -- how things will stand -----------------------------------------------------------------------------------


def _copy(pos: Position) -> Position:
    """For a look, not to be played on."""
    return Position.load(pos.game, orjson.loads(orjson.dumps(pos.state())))


def _season(pos: Position, turn: int) -> list[dict[str, Any]]:
    """5.0, 6.4 What dice may still change: the season, in December taken as dry, and a truce, taken as ended."""
    out = []
    if pos.game.month_of(turn)[1] == DECEMBER:
        wet = len(pos.game.n["rain"]["december"])
        out.append({"key": "forecast.december", "args": {"n": wet, "of": FACES}, "clause": "5.0"})
    if pos.truce:
        out.append({"key": "forecast.truce", "args": {}, "clause": "6.4"})
    return out


def _supplied(then: Position, side: str, ahead: Set[str]) -> list[dict[str, Any]]:
    """8.6-8.11 Who is out of general supply then, by the steps of the supply phase that are to come; the notes say what
    is assumed. 8.11 A truck that stands with no leader, headquarters or source is assigned no longer."""
    if "supply_line" in ahead:
        lines = supply.shortest_lines(then, side)
        then.lines[side] = min(lines.values(), key=lambda line: (line["length"], line["source"]), default=None)
    line = then.lines.get(side)
    trucks = [t for t in then.assigned if then.unit(t).side == side]
    if "supply_trucks" in ahead:
        stay = {t for there in supply_phase.free_trucks(then, side).values() for t in there}
        trucks = [t for t in trucks if t in stay]
    if "supply_depots" in ahead:
        then.depots[side] = best_depots(then, side, trucks)
    net = supply.net(then, side, line, then.depots.get(side, []), trucks)
    then.out = sorted({u for u in then.out if then.unit(u).side != side} | net.out)
    then.forget()
    if line is None:
        return [{"key": "forecast.no_line", "args": {}, "clause": "8.5"}]
    args = {"at": line["source"], "n": line["length"], "radius": supply.radius_of(then, side, line["length"])}
    notes = [{"key": "forecast.line", "args": args, "clause": "8.6"}]
    depots = then.depots.get(side, [])
    return notes + ([{"key": "forecast.depots", "args": {"hexes": depots}, "clause": "8.8"}] if depots else [])


def best_depots(then: Position, side: str, trucks: list[str]) -> list[str]:
    """8.8 Up to four settlements of the line: of more, those are left out one by one that are missed least. Where the
    line begins and where the headquarters stands a depot adds nothing."""
    line = then.lines.get(side)
    if line is None:
        return []
    here = [h for h in supply_phase.depot_hexes(then, side) if h not in (line["path"][0], line["path"][-1])]
    while len(here) > int(then.game.n["depots"]):
        spared = min(here, key=lambda h: (len(supply.net(
            then, side, line, [d for d in here if d != h], trucks).out), h))
        here.remove(spared)
    return here


# -- what the dice do ----------------------------------------------------------------------------------------


def _by_hex(then: Position, side: str, rolling: list[str], notes: list[dict[str, Any]], done: str | None, *,
            drops: bool) -> dict[str, dict[str, Any]]:
    isolated = supply.cut_off(then, side)
    stacks: dict[str, list[str]] = {}
    for unit in rolling:
        stacks.setdefault(then.at[unit], []).append(unit)
    out = {}
    for hex_, units in sorted(stacks.items()):
        plain = [check(then, side, u, hex_ in isolated, u == done) for u in units]
        out[hex_] = {"key": "forecast.attrition", "clause": "8.12", "count": len(units), "of": "steps",
                     **outlook(plain), **({"notes": notes} if notes else {})}
        if drops:
            eased = [check(then, side, u, hex_ in isolated, True) for u in units]
            best = max(range(len(units)), key=lambda i: _cost(plain[i]) - _cost(eased[i]))
            helped = [eased[i] if i == best else one for i, one in enumerate(plain)]
            out[hex_]["eased"] = {"key": "forecast.with_air_drop", "clause": "8.13", **outlook(helped)}
    return out


def _cost(check_: Check) -> int:
    return sum(face["loss"] for face in check_["faces"])


def check(then: Position, side: str, unit: str, isolated: bool, dropped: bool) -> Check:
    """8.12 The six faces of a unit's die: 0 or 1 costs a step, less is a surrender and costs all it has."""
    found = modifiers(then, side, unit, isolated, dropped)
    total = sum(m.value for m in found)
    steps = then.unit(unit).steps - (unit in then.reduced)
    faces, rows = [], {}
    for die in range(1, FACES + 1):
        row = die + total
        effect = "surrender" if row < 0 else "step" if row <= then.game.n["attrition"]["step"] else "none"
        rows[die] = f"attrition_{effect}"
        faces.append({"roll": die, "row": row, "effect": f"effect.{effect}",
                      "loss": {"surrender": steps, "step": 1, "none": 0}[effect]})
    return {"unit": unit, "modifiers": [m.as_json() for m in found], "total": total, "faces": faces,
            "table": lookup("attrition", rows=rows)}
