"""6.1, 6.2, 6.3 Strengths, odds and the odds panel (docs/protocol.md section 5)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.mechanics.lookup import lookup
from rules.titles.guerra_a_muerte.board import ARTILLERY, CAVALRY, INFANTRY
from rules.titles.guerra_a_muerte.guerrillas import halved
from rules.titles.guerra_a_muerte.position import Position

STANDS, BREAKS, FLANK, CHARGE, RESERVE, CONFUSION = (
    "infantry_stands", "artillery_breaks_square", "flank", "cavalry_charge", "reserve", "confusion")  # fmt: skip
FACES = 6
Mod = dict[str, Any]


@dataclass
class Sum:
    """A fight worked out: totals, column (None: below the table), what is added to the die, and why; `drawn`: the
    tactics of both sides (docs/protocol.md section 5)."""

    attack: int
    defense: int
    column: int | None
    die: int
    mods: list[Mod] = field(default_factory=list)
    notes: list[Mod] = field(default_factory=list)
    drawn: list[dict[str, Any]] = field(default_factory=list)


def has(pos: Position, units: Sequence[str], arm: str) -> bool:
    return any(pos.unit(u).type == arm for u in units)


def working(pos: Position, own: Collection[str], other: Collection[str], units: Sequence[str],
            foes: Sequence[str]) -> set[str]:
    """6.1 The tactics of a side that take effect: guns break a square, a square stands off a charge, and none does
    anything without its arm."""
    def square(mine: Collection[str], theirs: Collection[str], men: Sequence[str], enemies: Sequence[str]) -> bool:
        return STANDS in mine and has(pos, men, INFANTRY) and not (BREAKS in theirs and has(pos, enemies, ARTILLERY))

    out = set(own) & {FLANK, RESERVE}
    if square(own, other, units, foes):
        out.add(STANDS)
    if BREAKS in own and has(pos, units, ARTILLERY):
        out.add(BREAKS)
    if CHARGE in own and has(pos, units, CAVALRY) and not square(other, own, foes, units):
        out.add(CHARGE)
    return out


def strength(pos: Position, units: Sequence[str], tactics: Collection[str], half: bool) -> int:
    """6.1, 10.1 The factors of a force with its tactics: infantry that stands once and a half, a charge and guns
    twice; fractions drop; then half of it, rounded up, among the enemy's guerrillas. Troops are never worth nothing."""
    doubled = {INFANTRY: 3 if STANDS in tactics else 2, CAVALRY: 4 if CHARGE in tactics else 2,
               ARTILLERY: 4 if BREAKS in tactics else 2}
    total = sum(pos.factor(u) * doubled[pos.unit(u).type] for u in units) // 2
    return max(1, (total + 1) // 2 if half else total)


def column_of(attack: int, defense: int, columns: Sequence[str]) -> int:
    """6.1 The odds rounded in the defender's favour to a column of the table; -1 below the first."""
    found = -1
    for n, name in enumerate(columns):
        a, d = map(int, name.split(":"))
        if attack * d >= defense * a:
            found = n
    return found


def mod(name: str, clause: str, value: int) -> Mod:
    return {"label": {"key": f"mod.{name}", "args": {}}, "clause": clause, "value": value}


def in_words(key: str, tactics: Collection[str]) -> Mod:
    """6.1 A line on tactics, for who sees no cards."""
    return {"key": key, "args": {"tactics": [f"tactic.{t}" for t in sorted(tactics)]}, "clause": "6.1", "drawn": True}


def cards(pos: Position, side: str, tactics: Collection[str], works: Collection[str], total: int) -> dict[str, Any]:
    """6.1 What a side drew, each with the face that drew it and whether it takes effect; and its initiative."""
    faces = {row["id"]: int(face) for face, row in pos.game.tables["tactics"].items()}
    return {"side": side, "says": {"key": "note.initiative", "args": {"n": total}}, "cards": [
        {"label": {"key": f"tactic.{t}", "args": {}}, "face": faces[t], "works": t in works} for t in sorted(tactics)]}


def battle_sum(pos: Position, attackers: Sequence[str], defenders: Sequence[str], area: str, sides: tuple[str, str],
               tactics: tuple[Collection[str], Collection[str]] = ((), ()), friction: bool = False,
               initiative: tuple[int, int] = (0, 0)) -> Sum:
    """6.1, 3.3, 10.1 Odds, column and die of a field battle between two forces with the tactics they drew."""
    table = pos.game.tables["battle"]
    ours = working(pos, tactics[0], tactics[1], attackers, defenders)
    theirs = working(pos, tactics[1], tactics[0], defenders, attackers)
    half = [halved(pos, side, area) for side in sides]
    attack, defense = strength(pos, attackers, ours, half[0]), strength(pos, defenders, theirs, half[1])
    shift = (FLANK in ours) - (FLANK in theirs)
    base = column_of(attack, defense, table["columns"])
    column = min(base + shift, len(table["columns"]) - 1)
    out = Sum(attack, defense, column if column >= 0 else None, 0)
    for who, tactic, sign in ((ours, RESERVE, 1), (theirs, RESERVE, -1)):
        if tactic in who:
            out.mods.append(mod("reserve", "6.1", sign))
    if friction:
        out.mods.append(mod("friction", "3.3", pos.game.tables["friction"]["die"]))
    for name, drawn in zip(("attacker", "defender"), tactics, strict=True):
        if drawn:
            out.notes.append(in_words(f"note.tactics_{name}", drawn))
    if idle := ((set(tactics[0]) - ours) | (set(tactics[1]) - theirs)) - {CONFUSION}:
        out.notes.append(in_words("note.idle", idle))
    if any(tactics):
        out.drawn = [cards(pos, sides[n], tactics[n], (ours, theirs)[n], initiative[n]) for n in (0, 1)]
    if shift:
        out.notes.append({"key": "note.shift", "args": {"n": shift}, "clause": "6.1"})
    for n in (0, 1):
        if half[n]:
            out.notes.append({"key": f"note.halved_{('attacker', 'defender')[n]}", "args": {}, "clause": "10.1"})
    out.die = sum(m["value"] for m in out.mods)
    return out


def losses(result: str, attacking: int, defending: int) -> tuple[int, int]:
    """6.1 Steps both sides lose by a result of the battle table: all, half or a quarter of them, rounded up."""
    quarter, half = (attacking + 3) // 4, (attacking + 1) // 2
    if result.startswith("A"):
        return {"AZ": attacking, "A2": half, "A1": quarter}[result], 0
    if result in ("EX", "BB"):
        return (1, 1) if result == "EX" else (half, (defending + 1) // 2)
    return 0, {"D1": (defending + 3) // 4, "D2": (defending + 1) // 2, "DZ": defending}[result]


def siege_losses(result: str, _besieging: int, besieged: int) -> tuple[int, int]:
    """6.3 Steps both sides lose by a result of the siege table; all of the besieged when the place falls."""
    return {"A2": (2, 0), "A1": (1, 0), "NE": (0, 0), "D1": (0, 1), "D2": (0, 2), "C": (0, besieged)}[result]


def cell(rows: Sequence[Sequence[str]], column: int, roll: int) -> str:
    """The result in a column for a modified roll; beyond the ends the end row is used."""
    return rows[min(max(roll, 0), len(rows) - 1)][column]


def steps_of(pos: Position, units: Sequence[str]) -> int:
    return sum(pos.steps(u) for u in units)


def besieged_steps(pos: Position, troops: Sequence[str]) -> int:
    """6.3, 8.1 Steps of a garrison; the escort of a leader who is alone in the place counts as one (ruling)."""
    return steps_of(pos, troops) or 1


def panel(pos: Position, found: Sum, kind: str, attackers: Sequence[str], defenders: Sequence[str], target: str,
          closed: bool = False, rolled: int | None = None) -> dict[str, Any]:
    """The odds panel of a battle or siege; `closed`: the enemy stands in an army box and is not known (5.1.3)."""
    table = pos.game.tables[kind]
    out: dict[str, Any] = {
        "target": target, "attack": found.attack, "defense": None if closed else found.defense,
        "ratio": None if closed or found.column is None else table["columns"][found.column],
        "sides": {"attack": _by_place(pos, attackers),
                  "defense": [{"at": target, "units": [], "unknown": 1}] if closed else _by_place(pos, defenders)},
        "modifiers": found.mods, "total": found.die, "faces": [], "clears": {"n": 0, "of": FACES},
        "mean": {"attacker": "0", "defender": "0"}, "assumed": closed, "notes": list(found.notes)}
    if found.drawn:
        out["drawn"] = found.drawn
    if rolled is not None:
        out["rolled"] = rolled
    if closed:
        return out
    if found.column is None:
        out["notes"].append({"key": "note.hopeless", "args": {}, "clause": "6.1"})
        return out
    out["table"] = lookup(kind, table["columns"][found.column])
    mine, theirs = steps_of(pos, attackers), besieged_steps(pos, defenders)
    reckon = losses if kind == "battle" else siege_losses
    for face in range(1, FACES + 1):
        result = cell(table["rows"], found.column, face + found.die)
        lost, killed = reckon(result, mine, theirs)
        out["faces"].append({"roll": face, "row": min(max(face + found.die, 0), len(table["rows"]) - 1),
                             "attacker": min(lost, mine), "defender": min(killed, theirs),
                             "clears": killed >= theirs, "result": result})
    out["clears"]["n"] = sum(f["clears"] for f in out["faces"])
    for who in ("attacker", "defender"):
        out["mean"][who] = f"{sum(f[who] for f in out['faces']) / FACES:.1f}"
    return out


def _by_place(pos: Position, units: Sequence[str]) -> list[dict[str, Any]]:
    by: dict[str, list[dict[str, Any]]] = {}
    for unit in units:
        by.setdefault(pos.at[unit], []).append({"id": unit, "value": pos.factor(unit)})
    return [{"at": place, "units": us} for place, us in sorted(by.items())]
