"""8.1 Fire: targets, value, column, result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from rules.maps.hexes import towards
from rules.titles.austerlitz.formations import (
    ALL_WAYS,
    ARCS,
    FLANK,
    LINE,
    REAR,
    SKIRMISH,
    SPREAD,
    SQUARE,
    UNLIMBERED,
)
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.units import FRENCH, LETTERS, enemy

GRAPE, MEDIUM, LONG = "grape", "medium", "long"


class Shot(NamedTuple):
    """One fire as it will be resolved: the value and the column it gives, each with what changed it."""

    firer: str
    target: str
    letter: str
    column: int
    distance: int
    band: str | None
    parts: tuple[tuple[str, str, int], ...]   # key, clause, value: letters first, then columns


def top(pos: Position, hex_: str) -> str | None:
    """7.2, 7.3 The unit of a stack that is fired at and fights first: guns only where nobody else stands."""
    stack = pos.stack(hex_)
    for unit in stack:
        if not pos.unit(unit).guns:
            return unit
    return stack[0] if stack else None


def may_fire(pos: Position, unit: str) -> bool:
    """8.1, 6.3.7, 9.2.4, 5.2.1 Whether a unit can fire at all: foot that is not routed, guns unlimbered, nobody under
    strategic movement."""
    u = pos.unit(unit)
    if strategic(pos, unit):
        return False
    return pos.form[unit] == UNLIMBERED if u.guns else u.foot and not pos.routed(unit)


def strategic(pos: Position, unit: str) -> bool:
    """5.2.1 Whether a unit's division is under strategic movement."""
    return pos.division_of(unit) in pos.strategic


def heads_stack(pos: Position, unit: str) -> bool:
    """7.2 Of foot only the top unit of a stack fires; guns fire besides, two batteries from a hex at most."""
    return pos.unit(unit).guns or top(pos, pos.at[unit]) == unit


def distance(pos: Position, a: str, b: str) -> int:
    """8.1.6 Hexes between two units, the nearer ones of those on two hexes."""
    return min(pos.game.board.distance(x, y) for x in pos.footprint(a) for y in pos.footprint(b))


def _range_row(pos: Position, unit: str) -> list[int | None]:
    u = pos.unit(unit)
    row: list[int | None] = pos.game.tables["artillery_range"][u.nation][u.gun]
    return row


def range_steps(pos: Position, unit: str, hexes: int) -> int | None:
    """8.1.6 Letters up for a gun at a range; None out of it."""
    row = _range_row(pos, unit)
    return row[hexes - 1] if 1 <= hexes <= len(row) else None


def band(pos: Position, unit: str, hexes: int) -> str | None:
    """8.1.6 Grape, medium or long range of a gun."""
    steps = range_steps(pos, unit, hexes)
    return None if steps is None else GRAPE if steps > 0 else LONG if steps < 0 else MEDIUM


def reaches(pos: Position, firer: str, target: str) -> tuple[str, str] | None:
    """8.1.5-8.1.7 The hexes from and to which a unit can fire at another; None if it can't. 8.1.8 no. 3 Of a target on
    two hexes the nearer in sight, of two as near the one with the better cover."""
    return line_to(pos, firer, pos.footprint(target))


def line_to(pos: Position, firer: str, goals: Sequence[str]) -> tuple[str, str] | None:
    """8.1.5-8.1.7 The same to one of some hexes."""
    board, best, u = pos.game.board, 99, pos.unit(firer)
    lines = sorted((board.distance(a, b), a, b) for a in pos.footprint(firer) for b in goals)
    hexes = lines[0][0]
    if (u.foot and hexes != 1) or (u.guns and range_steps(pos, firer, hexes) is None):
        return None
    able: list[tuple[str, str]] = []
    for n, a, b in lines:
        if n > best or (u.foot and n > 1):
            break
        if _fronts(pos, firer, a, b) and pos.game.sight.clear(a, b, pos.holder, pos.special.get("fog")):
            best = n
            able.append((a, b))
    return max(able, key=lambda line: _cover(pos, *line), default=None) if len(able) != 1 else able[0]


def field_of_fire(pos: Position, unit: str) -> dict[str, list[str]]:
    """8.1.5-8.1.7 The hexes into which guns can fire as they stand, by range (8.1.6)."""
    if not pos.unit(unit).guns or not may_fire(pos, unit):
        return {}
    found: dict[str, list[str]] = {}
    for hex_ in pos.game.board.within(pos.at[unit], len(_range_row(pos, unit))):
        line = line_to(pos, unit, (hex_,)) if hex_ not in pos.footprint(unit) else None
        if line is not None:
            found.setdefault(band(pos, unit, pos.game.board.distance(*line)) or LONG, []).append(hex_)
    return found


def _cover(pos: Position, a: str, b: str) -> int:
    """8.1.8 no. 3 The terrain's part for a line; where it runs along a side, what is best for the defender."""
    return max(pos.game.board.cover(h, b) for h in pos.game.sight.line(a, b).last)


def _fronts(pos: Position, firer: str, a: str, b: str) -> bool:
    """8.1.5 Whether the line to the target leaves over a front side."""
    form = pos.form[firer]
    if form in ALL_WAYS:
        return True
    board = pos.game.board
    if board.distance(a, b) == 1:
        return b in pos.arcs(firer).front
    cells, first = board.map.cells, pos.facing.get(firer, 0) // 2
    sides = {(first + s) % 6 for s in ARCS[form].front}
    return any(side in sides for side in towards(cells[a], cells[b], board.map.lower))


def targets(pos: Position, firer: str) -> list[str]:
    """8.1.1 The units that a unit may fire at: of adjacent ones, those in its zone and those in range only the first
    that there are."""
    if not may_fire(pos, firer) or not heads_stack(pos, firer):
        return []
    found: dict[int, list[str]] = {}
    front, zone = set(pos.arcs(firer).front), set(pos.zone(firer))
    for target in _seen(pos, firer):
        hexes = set(pos.footprint(target))
        rank = 1 if hexes & front else 2 if hexes & zone else 3
        found.setdefault(rank, []).append(target)
    return found[min(found)] if found else []


def _seen(pos: Position, firer: str) -> Iterator[str]:
    side = enemy(pos.unit(firer).side)
    near = [h for h in pos.arcs(firer).front if pos.holder(h) == side]
    hexes = near if pos.unit(firer).foot else pos.hexes_of(side)
    done: set[str] = set()
    for hex_ in hexes:
        target = top(pos, hex_)
        if target is not None and target not in done and reaches(pos, firer, target) is not None:
            done.add(target)
            yield target


# -- value and column ------------------------------------------------------------------------------------


def defence_class(pos: Position, target: str) -> str:
    """8.1.8 no. 1 The line of the fire table for a target."""
    u, form = pos.unit(target), pos.form[target]
    if u.guns:
        key = "artillery"
    elif form == SQUARE:
        key = "square"
    elif form in (SKIRMISH, SPREAD):
        key = "skirmish"
    elif u.mounted:
        key = f"cavalry_{form}"
    else:
        key = f"{'french' if u.side == FRENCH else 'allied'}_{form}"
    found: str = pos.game.tables["fire"]["class"][key]
    return found


def _letter(pos: Position, firer: str, hexes: int) -> tuple[int, list[tuple[str, str, int]]]:
    """8.1.8 no. 2 Steps up from the printed letter."""
    u, table = pos.unit(firer), pos.game.tables["fire"]["letters"]
    parts = []
    if pos.form[firer] == LINE:
        parts.append(("fire.line", "8.1.8", table["line"]))
    if pos.form[firer] == SQUARE:
        parts.append(("fire.square", "8.1.8", table["square"]))
    if broken(pos, firer):
        parts.append(("fire.breakpoint", "8.1.8", table["breakpoint"]))
    if u.guns and (steps := range_steps(pos, firer, hexes)):
        parts.append((f"fire.{band(pos, firer, hexes)}", "8.1.6", steps))
    return sum(p[2] for p in parts), parts


def broken(pos: Position, unit: str) -> bool:
    """11.1 A unit of foot or horse that has lost more than half its strength; elites (A2.2) and guns never."""
    u = pos.unit(unit)
    return not u.elite and not u.guns and pos.lost.get(unit, 0) * 2 > u.strength


def aspect(pos: Position, target: str, from_: str) -> str:
    """6.1 Front, flank or rear of a unit as seen from an adjacent hex."""
    arcs = pos.arcs(target)
    return REAR if from_ in arcs.rear else FLANK if from_ in arcs.flank else "front"


def massed(pos: Position, target: str) -> bool:
    """7.3.1 More than one battalion or regiment in the hex."""
    return sum(not pos.unit(u).guns for u in pos.stack(pos.at[target])) > 1


def shot(pos: Position, firer: str, target: str) -> Shot:
    """8.1.8 A fire reckoned up: the printed letter, the class of the target, and the shifts, each kept within the
    table."""
    line = reaches(pos, firer, target)
    if line is None:
        raise ValueError(f"{firer} does not reach {target}")
    a, b = line
    hexes = distance(pos, firer, target)
    table = pos.game.tables["fire"]
    up, parts = _letter(pos, firer, hexes)
    printed = pos.unit(firer).fire
    assert printed is not None
    letter = LETTERS[min(max(LETTERS.index(printed) - up, 0), 5)]
    column = int(table["column"][defence_class(pos, target)][letter])
    shifts = _shifts(pos, firer, target, a, b)
    column = min(max(column + sum(s[2] for s in shifts), 1), 8)
    return Shot(firer, target, letter, column, hexes, band(pos, firer, hexes) if pos.unit(firer).guns else None,
                (*parts, *shifts))


def _shifts(pos: Position, firer: str, target: str, a: str, b: str) -> list[tuple[str, str, int]]:
    """8.1.8 no. 3 Columns: facing of the target, massed targets of guns, terrain; where the line runs along a side,
    what is best for the defender."""
    table = pos.game.tables["fire"]["shift"]
    lasts = pos.game.sight.line(a, b).last
    shifts = []
    view = min((aspect(pos, target, h) for h in lasts), key=("front", FLANK, REAR).index)
    if view != "front":
        shifts.append((f"fire.{view}", "8.1.8", table[view]))
    if pos.unit(firer).guns and massed(pos, target):
        shifts.append(("fire.massed", "7.3.1", table["massed"]))
    cover = _cover(pos, a, b)
    if cover:
        shifts.append(("fire.terrain", "8.1.8", cover))
    return shifts


def result(pos: Position, made: Shot, die: int) -> str:
    """8.1.8 no. 4 The cell of the fire table."""
    return str(pos.game.tables["fire"]["results"][die][made.column - 1])


def as_json(made: Shot, die: int | None = None, outcome: str | None = None) -> dict[str, Any]:
    """A fire for the eyes."""
    body: dict[str, Any] = {"firer": made.firer, "target": made.target, "letter": made.letter, "column": made.column,
                            "range": made.distance,
                            "modifiers": [{"label": {"key": k, "args": {}}, "clause": c, "value": v}
                                          for k, c, v in made.parts]}
    return body if die is None else {**body, "roll": die, "result": outcome}
