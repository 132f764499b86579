"""8.1-8.4 What a combat promises before it is declared, for its panel (docs/protocol.md section 5): strengths, each
face of the die that decides it, what changes that die, and the chances of the checks on the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rules.mechanics.lookup import lookup
from rules.titles.austerlitz import charge, received, storm
from rules.titles.austerlitz.clash import Clash, attack_parts, defence_parts, modifiers, points
from rules.titles.austerlitz.course import proposed, rough_steps
from rules.titles.austerlitz.fire import broken, may_fire, result, shot, strategic, top
from rules.titles.austerlitz.formations import SQUARE
from rules.titles.austerlitz.morale import Part, shown
from rules.titles.austerlitz.morale import modifiers as morale_parts
from rules.titles.austerlitz.paths import Ride
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.units import GOOD, SHAKEN, UNSTEADY, enemy
from rules.titles.austerlitz.volley import may_return

Panel = dict[str, Any]
FACES = range(10)


def of_fire(pos: Position, firer: str, target: str) -> Panel:
    """8.1.8 A fire: what each face takes, and how likely it is that morale falls."""
    made, strength = shot(pos, firer, target), pos.strength(target)
    faces, falls, breaks = [], 0, 0
    for die in FACES:
        outcome = result(pos, made, die)
        lost = strength if pos.routed(target) and outcome != "NE" else int(outcome) if outcome.isdigit() else 0
        faces.append(_face(die, die, 0, min(lost, strength), lost >= strength))
        extra = int(outcome[1:] or 0) if outcome.startswith("M") else int(outcome) - 1 if outcome.isdigit() else None
        if extra is not None and lost < strength:
            with _bled(pos, target, lost):
                levels, level = _levels(pos, target, extra), pos.morale.get(target, GOOD)
            falls += sum(n + level > pos.morale.get(target, GOOD) for n in levels)
            breaks += sum(n + level >= UNSTEADY for n in levels)
    notes = [_note("fire_value", "8.1.8", letter=made.letter, column=made.column)]
    if not pos.unit(target).guns and not pos.routed(target):
        notes += [_note("falls", "9.1", n=falls), _note("breaks", "9.2.3", n=breaks)]
    if may_return(pos, target, firer):
        notes.append(_note("return_fire", "8.1.2"))
    return {**_panel(pos, pos.at[target], [firer], [target], made.parts, faces, notes), "total": None,
            "table": lookup("fire_results", made.column)}


def of_attack(pos: Position, kind: str, units: Sequence[str], hex_: str) -> Panel:
    """8.2.1, 8.3.1 A bayonet attack, decided by the defender's check, or an assault, by the melee."""
    clause = storm.CLAUSES[kind]
    target, firm = top(pos, hex_), _firm(pos, hex_)
    assert target is not None
    if not firm:
        return _won(pos, units, hex_, clause)
    defensive = storm.covered(pos, units[0], target)
    notes = [_note("nerve", clause, n=_holds(pos, units[0], attack_parts(pos, units[0], target, 0)))]
    if helpers := storm.supporters(pos, units, target):
        notes.append(_note("supports", clause, count=len(helpers)))
    check = defence_parts(pos, firm[0], units, kind == storm.ASSAULT, defensive)
    if kind == storm.BAYONET:
        return {**_panel(pos, hex_, units, firm, check, _checked(pos, firm[0], check), notes),
                "table": lookup("defender_result", rows=_check_rows(pos, firm[0], check))}
    notes.append(_note("stands", clause, n=_holds(pos, firm[0], check)))
    return _melee(pos, hex_, Clash(list(units), firm, defensive=defensive), notes)


def of_charge(pos: Position, units: Sequence[str], hex_: str) -> Panel:
    """8.4.2 A charge: the melee at the end of its ride, what may meet it on the way, and how the target may take it."""
    target = top(pos, hex_)
    assert target is not None
    found = proposed(pos, units[0], target)
    assert found is not None
    ride, asked = found
    gap = min(pos.game.board.distance(a, b) for a in pos.footprint(units[0]) for b in pos.footprint(target))
    notes = [_note("charge_way", "8.4.2", at=ride[-1][0])] if asked else []
    notes += _on_the_way(pos, units, ride, pos.at[target])
    if checks := rough_steps(pos, units[0], [pos.at[units[0]], *(spot[0] for spot in ride)]):
        notes.append(_note("rough_ground", "5.1.1", count=checks, n=min(pos.unit(units[0]).morale + 1, len(FACES))))
    if riders := _leaders_of(pos, units[0]):
        notes.append(_note("riding_along", "8.5.5", count=len(riders)))
    with _accompanied(pos, riders, ride[-1][0]), _standing(pos, units, ride[-1]):
        firm = [u for h in charge.met(pos, units[0], target) for u in _firm(pos, h)]
        if not firm:
            return _won(pos, units, hex_, "8.4.2", notes)
        notes += _taken(pos, units, hex_, gap)
        square = any(pos.form[u] == SQUARE for u in firm)
        bonus = max(charge.bonus(pos, u, gap, square) for u in units)
        return _melee(pos, hex_, Clash(list(units), firm, charge=True, bonus=bonus), notes)


# -- parts -----------------------------------------------------------------------------------------------


def _firm(pos: Position, hex_: str) -> list[str]:
    """Who may defend a hex: neither guns nor routed units, which are destroyed (9.2.4)."""
    return [u for u in pos.stack(hex_) if not pos.unit(u).guns and not pos.routed(u)]


@contextmanager
def _standing(pos: Position, units: Sequence[str], spot: tuple[str, str | None, int]) -> Iterator[None]:
    """The position as if these units stood elsewhere; nobody else is touched, nothing is told."""
    was = {u: (pos.at[u], pos.tail.get(u), pos.facing[u]) for u in units}
    try:
        for unit in units:
            _stand(pos, unit, *spot)
        yield
    finally:
        for unit in units:
            _stand(pos, unit, *was[unit])


def _leaders_of(pos: Position, unit: str) -> list[str]:
    """8.5.5 The leaders who may ride along with a charge."""
    side = pos.unit(unit).side
    return [x for h in pos.footprint(unit) for x in pos.here.get(h, ()) if pos.game.side[x] == side]


@contextmanager
def _accompanied(pos: Position, riders: Sequence[str], there: str) -> Iterator[None]:
    """The position as if these leaders were somewhere else."""
    was = pos.here
    try:
        pos.here = {h: left for h, here in was.items() if (left := [x for x in here if x not in riders])}
        if riders:
            pos.here[there] = [*pos.here.get(there, ()), *riders]
        yield
    finally:
        pos.here = was


@contextmanager
def _bled(pos: Position, unit: str, points: int) -> Iterator[None]:
    """8.5.1, 11.1 The position as if a unit had lost points, and had come to its breakpoint by it."""
    lost, level = pos.lost.get(unit), pos.morale.get(unit)
    try:
        pos.lost[unit] = (lost or 0) + points
        if broken(pos, unit) and (level or GOOD) == GOOD:
            pos.morale[unit] = SHAKEN
        yield
    finally:
        for table, was in ((pos.lost, lost), (pos.morale, level)):
            if was is None:
                table.pop(unit, None)
            else:
                table[unit] = was


def _stand(pos: Position, unit: str, at: str, tail: str | None, facing: int) -> None:
    pos.at[unit], pos.facing[unit] = at, facing
    if tail is not None:
        pos.tail[unit] = tail
    else:
        pos.tail.pop(unit, None)


def _on_the_way(pos: Position, units: Sequence[str], ride: Ride, target: str) -> list[Panel]:
    """6.2, 8.4.2 no. 3 Whose zones the ride comes through: cavalry may countercharge, the target in whose zone it
    begins, too; others fire."""
    zones, fire = pos.zones(enemy(pos.unit(units[0]).side)), set[str]()
    horse = {u for h in pos.footprint(units[0]) for u in zones.get(h, ()) if pos.at[u] == target and charge.may_counter(
        pos, target, units)}
    for spot in ride:
        near = [u for u in zones.get(spot[0], ()) if not strategic(pos, u)]
        fire.update(u for u in near if may_fire(pos, u))
        with _standing(pos, units, spot):
            horse.update(u for u in near if charge.may_counter(pos, pos.at[u], units))
    found = [_note("countercharge", "6.2.3", count=len(horse))] if horse else []
    return [*found, _note("under_fire", "6.2.1", count=len(fire))] if fire else found


def _taken(pos: Position, units: Sequence[str], hex_: str, gap: int) -> list[Panel]:
    """8.4.2 no. 4 How likely the target forms square, and stands if it does not."""
    first = _firm(pos, hex_)[0] if _firm(pos, hex_) else None
    if first is None:
        return []
    notes = []
    if received.may_form(pos, first, hex_):
        notes.append(_note("square", "8.4.2", n=_holds(pos, first, received.square_parts(pos, first, gap))))
    cover = pos.unit(first).foot and received.cover(pos, units, hex_)
    return [*notes, _note("stands", "8.4.2", n=_holds(pos, first, defence_parts(pos, first, units, False, cover)))]


def _levels(pos: Position, unit: str, extra: int) -> list[int]:
    """9.1 Levels of morale that each face of a check costs."""
    more = sum(p[2] for p in morale_parts(pos, unit)) + extra - pos.unit(unit).morale
    return [next((n for low, high, n in pos.game.tables["morale"]["levels"] if die + more >= low and (
        high is None or die + more <= high)), 0) for die in FACES]


def _holds(pos: Position, unit: str, parts: Sequence[Part]) -> int:
    """8.2 Faces of ten with which a unit passes a check."""
    return sum(die + sum(p[2] for p in parts) <= pos.unit(unit).morale for die in FACES)


def _checked(pos: Position, unit: str, parts: Sequence[Part]) -> list[Panel]:
    """8.2.1 no. 4 The faces of a defender's check."""
    faces = []
    for die in FACES:
        over, row = _row_of(pos, unit, parts, die)
        faces.append(_face(die, max(over, 0), 0, 0 if row is None else min(int(row[2]), pos.strength(unit)),
                           row is not None, back=True))
    return faces


def _row_of(pos: Position, unit: str, parts: Sequence[Part], die: int) -> tuple[int, list[Any] | None]:
    """8.2.1 no. 4 By how much a defender's check fails, and the row of the table that it then reads."""
    over = die + sum(p[2] for p in parts) - pos.unit(unit).morale
    return over, next((r for r in pos.game.tables["pre_melee"]["defender"]["results"]
                       if over >= r[0] and (r[1] is None or over <= r[1])), None)


def _check_rows(pos: Position, unit: str, parts: Sequence[Part]) -> dict[int, int]:
    """8.2.1 no. 4 The row of each face with which a defender's check fails."""
    rows = {die: _row_of(pos, unit, parts, die)[1] for die in FACES}
    return {die: row[0] for die, row in rows.items() if row is not None}


def _melee(pos: Position, hex_: str, clash: Clash, notes: list[Panel]) -> Panel:
    """8.5 The faces of a first round."""
    parts = modifiers(pos, clash)
    mine, theirs = points(pos, clash.attackers, clash.charge), points(pos, clash.defenders, False)
    faces = []
    for die in FACES:
        row = min(max(die + sum(p[2] for p in parts), 0), 9)
        loser, lost, _fall = pos.game.tables["melee"]["results"][row]
        mine_, theirs_ = (0 if loser == other else lost for other in ("defender", "attacker"))
        faces.append(_face(die, row, mine_, min(theirs_, theirs), loser == "defender", back=theirs_ < theirs))
    return {**_panel(pos, hex_, clash.attackers, clash.defenders, parts, faces, notes), "attack": mine,
            "defense": theirs, "ratio": f"{mine}:{theirs}", "table": lookup("melee")}


def _won(pos: Position, units: Sequence[str], hex_: str, clause: str, notes: Sequence[Panel] = ()) -> Panel:
    """9.2.4, 8.2.1 Nobody stands there who could defend himself."""
    stack = pos.stack(hex_)
    key = "crushed" if any(pos.routed(u) for u in stack) else "guns_taken"
    return _panel(pos, hex_, units, stack, (), [], [*notes, _note(key, "9.2.4" if key == "crushed" else clause)])


def _face(roll: int, row: int, attacker: int, defender: int, clears: bool, back: bool = False) -> Panel:
    face = {"roll": roll, "row": row, "attacker": attacker, "defender": defender, "clears": clears}
    return {**face, "back": True} if clears and back else face


def _note(key: str, clause: str, **args: Any) -> Panel:
    return {"key": f"note.{key}", "args": args, "clause": clause}


def _panel(pos: Position, hex_: str, mine: Sequence[str], theirs: Sequence[str], parts: Sequence[Part],
           faces: list[Panel], notes: Sequence[Panel]) -> Panel:
    attack, defense = (sum(pos.strength(u) for u in units) for units in (mine, theirs))
    return {"target": hex_, "attack": attack, "defense": defense, "ratio": None,
            "sides": {"attack": _forces(pos, mine), "defense": _forces(pos, theirs)}, "modifiers": shown(parts),
            "total": sum(p[2] for p in parts), "faces": faces, "assumed": False, "notes": list(notes),
            "clears": {"n": sum(f["clears"] for f in faces), "of": len(faces)},
            "mean": {who: f"{sum(f[who] for f in faces) / 10:.1f}" for who in ("attacker", "defender")}}


def _forces(pos: Position, units: Sequence[str]) -> list[Panel]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for unit in units:
        found.setdefault(pos.at[unit], []).append({"id": unit, "value": pos.strength(unit)})
    return [{"at": hex_, "units": here} for hex_, here in found.items()]
