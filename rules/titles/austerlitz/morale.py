"""9.0 Morale checks and levels, losses of a stack (8.5.1), and the chain of retreats that they set off, as a queue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rules.core.procedure import Procedure, roll
from rules.titles.austerlitz import retreat
from rules.titles.austerlitz.fire import broken, strategic, top
from rules.titles.austerlitz.formations import LINE, SQUARE
from rules.titles.austerlitz.losses import bleed, disorder
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.stacking import level_out
from rules.titles.austerlitz.units import GOOD, ROUT, UNSTEADY

Part = tuple[str, str, int]
LEVELS = ("good", "shaken", "unsteady", "rout")


@dataclass
class Trouble:
    """One combat's effects on morale. `causes` are the hexes of those who brought it about (10.1.2); `fates` the units
    that have to retreat or rout, in order; `checked` those who have answered to this event (9.2.3); `stood` how those
    stood who rout: formation, facing, and whether they could be Good again (8.5.4)."""

    causes: tuple[str, ...]
    fates: list[tuple[str, int]] = field(default_factory=list)
    checked: set[str] = field(default_factory=set)
    stood: dict[str, tuple[str, int, bool]] = field(default_factory=dict)


def fatigue_row(pos: Position, unit: str) -> dict[str, int]:
    """13.3 The row of the fatigue table for a unit's command; guns never tire (13.0)."""
    level = 0 if pos.unit(unit).guns else pos.fatigue.get(pos.division_of(unit) or "", 0)
    row: dict[str, int] = next(r for r in pos.game.tables["fatigue"] if r["low"] <= level <= r["high"])
    return row


def modifiers(pos: Position, unit: str) -> list[Part]:
    """9.1, 9.2, 9.2.1, 9.2.2 What changes the die of a morale check: Good morale nothing, Shaken one, worse two."""
    table, form = pos.game.tables["morale"]["modifiers"], pos.form.get(unit)
    level = pos.morale.get(unit, GOOD)
    parts = [(form, "9.1") for form in (SQUARE, LINE) if form == pos.form.get(unit)]
    if broken(pos, unit):
        parts.append(("breakpoint", "11.1.1"))
    if any(h in pos.here for h in pos.footprint(unit)):
        parts.append(("leader", "9.1"))
    if level != GOOD:
        parts.append((LEVELS[level], "9.2"))
    if form is not None and strategic(pos, unit):
        parts.append(("strategic", "5.2.1"))
    found = [(f"morale.{key}", clause, int(table[key])) for key, clause in parts]
    tired = fatigue_row(pos, unit)["morale"]
    return [*found, ("morale.fatigue", "13.3", tired)] if tired else found


def check(pos: Position, unit: str, extra: int, trouble: Trouble, clause: str = "9.1") -> Procedure[None]:
    """9.1 A morale check; what fails loses levels."""
    trouble.checked.add(unit)
    parts = modifiers(pos, unit) + ([("morale.combat", "8.5.2", extra)] if extra else [])
    die = yield from roll(f"morale of {unit}", clause, 0, 9)
    over = die + sum(p[2] for p in parts) - pos.unit(unit).morale
    levels = next((n for low, high, n in pos.game.tables["morale"]["levels"]
                   if over >= low and (high is None or over <= high)), 0)
    pos.tell("morale_checked", clause, pos.unit(unit).side, unit=unit, at=pos.at[unit], roll=die,
             morale=pos.unit(unit).morale, levels=levels, modifiers=shown(parts))
    if levels:
        yield from lower(pos, unit, levels, trouble)


def shown(parts: Sequence[Part]) -> list[dict[str, object]]:
    """Modifiers for the eyes."""
    return [{"label": {"key": key, "args": {}}, "clause": clause, "value": value} for key, clause, value in parts]


def lower(pos: Position, unit: str, levels: int, trouble: Trouble) -> Procedure[None]:
    """9.1.1 A unit loses levels; 9.3 guns lose points instead. Who comes to Unsteady or Rout must go."""
    if pos.unit(unit).guns:
        yield from bleed(pos, unit, levels)
        return
    before = pos.morale.get(unit, GOOD)
    after = min(ROUT, before + levels)
    if after == before:
        return
    pos.morale[unit] = after
    pos.touched.add(f"table:losses_{pos.unit(unit).side}")
    if after == ROUT:
        trouble.stood[unit] = pos.form[unit], pos.facing.get(unit, 0), unit not in pos.capped
        _rout(pos, unit)
    pos.mark(unit)
    if after >= UNSTEADY:
        trouble.fates = [f for f in trouble.fates if f[0] != unit] + [(unit, after)]


def _rout(pos: Position, unit: str) -> None:
    """9.2.4, 12.2 Disordered, and never Good again. A2.4 Companies stay skirmishers."""
    if unit not in pos.capped:
        pos.capped.append(unit)
    if pos.unit(unit).battalion is None:
        disorder(pos, unit, force=True)


def disorder_check(pos: Position, unit: str, clause: str) -> Procedure[bool]:
    """5.1.1 An unmodified die above morale disorders: whether the unit keeps its order. Guns never lose it."""
    die = yield from roll(f"order of {unit}", clause, 0, 9)
    kept = die <= pos.unit(unit).morale
    pos.tell("order_checked", clause, pos.unit(unit).side, unit=unit, at=pos.at[unit], roll=die,
             morale=pos.unit(unit).morale, kept=kept)
    if not kept:
        disorder(pos, unit)
    return kept


def losses(pos: Position, hex_: str, points: int, extra: int | None, trouble: Trouble,
           first: str | None = None) -> Procedure[None]:
    """8.5.1 Points lost by a stack: by the unit on top (or by `first`, who was fired at among others as he moved), then
    by the next; who is left on top checks morale at +n-1 (and what the table adds), or not, where the table states
    levels (`extra` None). Under a destroyed unit all check, when all points are lost."""
    stack, unit, left = list(pos.stack(hex_)), first or top(pos, hex_), points
    last, taken = unit, 0
    while unit is not None and left > 0:
        taken, last = min(left, pos.strength(unit)), unit
        yield from bleed(pos, unit, taken, dice=left == points)
        left -= taken
        unit = None if pos.on_map(unit) else top(pos, hex_)
    rest = [u for u in stack if pos.on_map(u)]
    for other in rest if len(rest) < len(stack) else [u for u in rest if u == last]:
        if other == last and extra is not None:
            yield from check(pos, other, taken - 1 + extra, trouble, "8.5.1")
        elif len(rest) < len(stack):
            yield from check(pos, other, 0, trouble, "8.5.1")


def settle(pos: Position, trouble: Trouble) -> Procedure[None]:
    """9.2.3, 9.2.4, 10.0 Carry out what morale has brought, one unit after another: it retreats, those stacked with it
    and the top unit of each adjacent stack check, and may follow."""
    while trouble.fates and pos.result is None:
        unit, level = trouble.fates.pop(0)
        if not pos.on_map(unit):
            continue
        going = [unit, *_with(pos, unit, level, trouble)]
        trouble.fates = [f for f in trouble.fates if f[0] not in going]
        others = [*mates(pos, going, level), *neighbours(pos, unit)]
        for each in going:
            pos.tell("routed" if level == ROUT else "unsteady", "9.2.4" if level == ROUT else "9.2.3",
                     pos.unit(each).side, unit=each, at=pos.at[each])
        passed = yield from retreat.withdraw(pos, going, min(retreat.length(pos, u, level) for u in going),
                                             trouble.causes, routed=level == ROUT)
        yield from shake(pos, others, trouble, "9.2.4" if level == ROUT else "9.2.3")
        yield from shake(pos, passed, trouble, "10.1.2")
    for hex_ in dict.fromkeys(pos.at[u] for u in sorted(trouble.checked) if pos.on_map(u)):
        level_out(pos, hex_)  # 9.1.1


def shake(pos: Position, units: Sequence[str], trouble: Trouble, clause: str) -> Procedure[None]:
    """9.2.3 These check morale, who have not answered to this event yet."""
    for other in units:
        if pos.on_map(other) and other not in trouble.checked and not pos.routed(other):
            yield from check(pos, other, 0, trouble, clause)


def mates(pos: Position, going: Sequence[str], level: int) -> list[str]:
    """8.5.2, 9.2.3, 9.2.4 Who stays behind in a stack and must check: all others, if the top unit goes or any routs."""
    stack = list(dict.fromkeys(u for h in pos.footprint(going[0]) for u in pos.stack(h)))
    if level < ROUT and top(pos, pos.at[going[0]]) not in going:
        return []
    return [u for u in stack if u not in going]


def _with(pos: Position, unit: str, level: int, trouble: Trouble) -> list[str]:
    """9.2.4, 10.1.1 Units of one stack that go at one time stay together; as far as the slowest of them (ruling)."""
    return [u for u, other in trouble.fates if level == other and pos.on_map(u) and pos.footprint(u) == pos.footprint(
        unit)]


def stand_fast(pos: Position, trouble: Trouble) -> list[str]:
    """8.5.4 Those who would go stay, unsteady: who would have routed stands as he stood. Returns them."""
    units = [unit for unit, _level in trouble.fates]
    for unit, level in trouble.fates:
        if level == ROUT:
            form, facing, fresh = trouble.stood[unit]
            pos.morale[unit] = UNSTEADY
            pos.stand(unit, form, facing)
            if fresh:
                pos.capped.remove(unit)
            pos.touched.add(f"table:losses_{pos.unit(unit).side}")
        pos.mark(unit)
    trouble.fates = []
    return units


def neighbours(pos: Position, unit: str) -> list[str]:
    """9.2.3 The top unit of each adjacent friendly stack."""
    side, found = pos.unit(unit).side, []
    for here in pos.footprint(unit):
        for hex_ in pos.game.board.touching(here):
            if pos.holder(hex_) == side and hex_ not in pos.footprint(unit):
                other = top(pos, hex_)
                if other is not None and other != unit and other not in found:
                    found.append(other)
    return found
