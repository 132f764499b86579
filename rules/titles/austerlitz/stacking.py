"""7.0 Stacking: limits by terrain and formation, who may stand together, and the order of a stack."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.errors import Refusal
from rules.titles.austerlitz.formations import DISORDER, SKIRMISH, SPREAD
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.units import ARTILLERY, GOOD


def crowded(pos: Position, hex_: str, units: Sequence[str], form: str) -> bool:
    """5.1.4, 7.1 Whether units that pass the others in a hex have too many points with them for the formation they pass
    in, whatever the others are (ruling); a counter on two hexes has half of its points in each. 6.3.3 Skirmishers are
    passed without penalty, and guns have no points to count."""
    others = [u for u in pos.stack(hex_) if u not in units and not pos.unit(u).guns
              and pos.form[u] not in (SKIRMISH, SPREAD)]
    if not others:
        return False
    most = limit(pos, hex_, pos.unit(units[0]).arm, form)
    return most is None or sum(-(-pos.strength(u) // len(pos.footprint(u))) for u in (*units, *others)) > most


def fault(pos: Position, hex_: str, units: Sequence[str], strategic: bool = False) -> Refusal | None:
    """7.1 What is wrong with these units together in a hex; None if nothing."""
    others = [u for u in units if pos.unit(u).arm != ARTILLERY]
    guns = len(units) - len(others) + _beyond(pos, hex_, others)
    if guns > (1 if others else pos.game.tables["stacking"]["artillery"]["alone"]):
        return Refusal("refusal.too_many_batteries", "7.1", at=hex_, n=guns)
    if not others:
        return None
    first = pos.unit(others[0])
    form = pos.form[others[0]]
    if len(others) > 1:
        wrong = _apart(pos, hex_, others)
        if wrong is not None:
            return wrong
    return _crowded(pos, hex_, others, first.arm, form, strategic)


def _beyond(pos: Position, hex_: str, others: Sequence[str]) -> int:
    """6.3.3, 6.5.5 Batteries in the second hex of a counter on two: one may stand with it, not one in each hex."""
    hexes = {h for u in others if u in pos.tail and hex_ in pos.footprint(u) for h in pos.footprint(u) if h != hex_}
    return sum(pos.unit(u).guns for h in hexes for u in pos.stacks.get(h, ()))


def _apart(pos: Position, hex_: str, others: Sequence[str]) -> Refusal | None:
    """7.1 One arm, one formation, one division; 6.5.5 no counter on two hexes, 6.3.3 no skirmishers."""
    if len({pos.unit(u).arm for u in others}) > 1:
        return Refusal("refusal.arms_apart", "7.1", at=hex_)
    if all(pos.unit(u).battalion for u in others) and len({pos.unit(u).battalion for u in others}) == 1:
        return None  # A2.4: the companies of a battalion gather in a hex to form it again
    if any(pos.unit(u).hexes == 2 for u in others):
        return Refusal("refusal.two_hexes_alone", "6.5.5", at=hex_)
    if any(pos.form[u] in (SKIRMISH, SPREAD) for u in others):
        return Refusal("refusal.skirmishers_alone", "6.3.3", at=hex_)
    if len({pos.form[u] for u in others}) > 1:
        return Refusal("refusal.formations_apart", "7.1", at=hex_)
    if len({_division(pos, u) for u in others}) > 1:
        return Refusal("refusal.divisions_apart", "7.1", at=hex_)
    return None


def _division(pos: Position, unit: str) -> str | None:
    """7.1 The division a unit stacks with: its own, also under a brigade leader; A4.5.2 D only units of a detachment
    stack across divisions."""
    leader = pos.division_of(unit)
    staff = leader in pos.game.leaders and pos.game.leaders[leader].rank == "staff"
    return leader if staff else pos.unit(unit).command


def _crowded(pos: Position, hex_: str, others: Sequence[str], arm: str, form: str, strategic: bool) -> Refusal | None:
    """7.1 The points that may stand in a hex; a counter on two hexes may exceed the limit of one (6.5)."""
    most = limit(pos, hex_, arm, form, strategic)
    if most is None:
        return Refusal("refusal.no_such_formation_there", "7.1", at=hex_, form=f"form.{form}")
    n = sum(pos.strength(u) for u in others)
    if n > most and not any(pos.tail.get(u) or pos.unit(u).hexes == 2 for u in others):
        return Refusal("refusal.too_many_points", "7.1", at=hex_, n=n, limit=most)
    return None


def too_many(pos: Position, hex_: str, units: Sequence[str]) -> bool:
    """7.1 Whether units that go back together have more points than a hex holds in their formation, though clear ground
    would hold them; a counter on two hexes may (6.5)."""
    others = [u for u in units if pos.on_map(u) and not pos.unit(u).guns]
    if not others or any(pos.unit(u).hexes == 2 or pos.tail.get(u) for u in others):
        return False
    arm, form = pos.unit(others[0]).arm, pos.form[others[0]]
    row = pos.game.tables["stacking"][arm][SKIRMISH if form == SPREAD else form]
    most = limit(pos, hex_, arm, form)
    return most is not None and most < sum(pos.strength(u) for u in others) <= row[0]


def holding(pos: Position, units: Sequence[str], hex_: str) -> list[str]:
    """7.1 Those of a stack for whom an empty hex has room, in their formation or, where that can't be, in disorder; a
    counter on two hexes has (6.5)."""
    found, total = [], 0
    for unit in units:
        arm = pos.unit(unit).arm
        most = limit(pos, hex_, arm, pos.form[unit]) or limit(pos, hex_, arm, DISORDER)
        total += pos.strength(unit)
        if pos.unit(unit).hexes == 2 or pos.tail.get(unit) or (most is not None and total <= most):
            found.append(unit)
        else:
            total -= pos.strength(unit)
    return found


def limit(pos: Position, hex_: str, arm: str, form: str, strategic: bool = False) -> int | None:
    """7.1 The most points of an arm in a formation in a hex; None where the formation can't be."""
    table = pos.game.tables["stacking"]
    row = table[arm][SKIRMISH if form == SPREAD else form]
    most: int | None = row[pos.game.board.stacking[hex_]]
    if strategic and most is not None:
        return min(most, int(table["strategic"][arm]))
    return most


def level_out(pos: Position, hex_: str) -> None:
    """9.1.1 All infantry or cavalry of a stack have the worst morale in it."""
    others = [u for u in pos.stack(hex_) if pos.unit(u).arm != ARTILLERY and not pos.routed(u)]
    if len(others) < 2:
        return
    worst = max(pos.morale.get(u, GOOD) for u in others)
    for unit in others:
        if pos.morale.get(unit, GOOD) != worst:
            pos.morale[unit] = worst
            pos.touched.add(f"table:losses_{pos.unit(unit).side}")
            pos.mark(unit)
