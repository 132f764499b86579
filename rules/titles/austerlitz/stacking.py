"""7.0 Stacking: limits by terrain and formation, who may stand together, and the order of a stack."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.errors import Refusal
from rules.titles.austerlitz.formations import SKIRMISH, SPREAD
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.units import ARTILLERY, GOOD


def fault(pos: Position, hex_: str, units: Sequence[str], strategic: bool = False) -> Refusal | None:
    """7.1 What is wrong with these units together in a hex; None if nothing."""
    others = [u for u in units if pos.unit(u).arm != ARTILLERY]
    guns = len(units) - len(others)
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


def _apart(pos: Position, hex_: str, others: Sequence[str]) -> Refusal | None:
    """7.1 One arm, one formation, one division (or one detachment, A4.5.2 D); 6.5.5 no counter on two hexes, 6.3.3 no
    skirmishers, 9.2.4 no routed unit."""
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
    if len({pos.division_of(u) for u in others}) > 1:
        return Refusal("refusal.divisions_apart", "7.1", at=hex_)
    return None


def _crowded(pos: Position, hex_: str, others: Sequence[str], arm: str, form: str, strategic: bool) -> Refusal | None:
    """7.1 The points that may stand in a hex; a counter on two hexes may exceed the limit of one (6.5)."""
    most = limit(pos, hex_, arm, form, strategic)
    if most is None:
        return Refusal("refusal.no_such_formation_there", "7.1", at=hex_, form=f"form.{form}")
    n = sum(pos.strength(u) for u in others)
    if n > most and not any(pos.tail.get(u) or pos.unit(u).hexes == 2 for u in others):
        return Refusal("refusal.too_many_points", "7.1", at=hex_, n=n, limit=most)
    return None


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
