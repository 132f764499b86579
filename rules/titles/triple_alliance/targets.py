"""13.1-13.6, 13.31 Who can attack whom in a combat phase, and why not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.core.errors import Refusal, unknown
from rules.titles.triple_alliance import river
from rules.titles.triple_alliance.position import Position
from rules.titles.triple_alliance.units import enemy

Targets = dict[str, dict[str, list[str]]]  # by enemy hex: by hex beside it, units


def beside(pos: Position, side: str) -> dict[str, list[str]]:
    """13.1, 13.4 The enemy hexes next to own units, each with all of these."""
    foe, out = pos.occupied_by(enemy(side)), dict[str, list[str]]()
    for hex_ in pos.hexes_of(side):
        for near in pos.game.map.neighbours[hex_]:
            if near in foe:
                out.setdefault(near, []).extend(pos.stack(hex_))
    return {target: out[target] for target in sorted(out)}


def attackable(pos: Position, near: Mapping[str, Sequence[str]]) -> Targets:
    """13.2, 12.2, 12.6, 13.31 Which of them can be attacked, and by whom from where."""
    out: Targets = {}
    for target, units in near.items():
        if attacked(pos, target):
            continue
        for unit in units:
            if idle(pos, target, unit) is None:
                out.setdefault(target, {}).setdefault(pos.at[unit], []).append(unit)
    return out


def attacked(pos: Position, target: str) -> Refusal | None:
    """13.2 No enemy unit is attacked twice in a phase."""
    if set(pos.assailed).isdisjoint(pos.stack(target)):
        return None
    return Refusal("refusal.attacked_already", "13.2", at=target)


def idle(pos: Position, target: str, unit: str) -> Refusal | None:
    """Why an own unit beside the target can't attack it: 13.2 once a phase, 13.31 factor 0, 12.2 ships along the river
    only, 12.6 a raft with a tow."""
    u, at = pos.unit(unit), pos.at[unit]
    if unit in pos.fought:
        return Refusal("refusal.has_attacked", "13.2", at=target, unit=unit)
    if u.attack == 0:
        return Refusal("refusal.no_attack_factor", "13.31", at=target, unit=unit)
    if u.river and not pos.game.navigable(at, target):
        return Refusal("refusal.no_river", "12.2", at=target)
    if u.chata and not river.free_tows(pos, at):
        return Refusal("refusal.raft_without_tow", "12.6", at=at)
    return None


def why_not(pos: Position, side: str, target: str, unit: str | None) -> Refusal:
    """Why this unit, or nobody at all, can attack there. What is said hangs on what everybody sees: hexes that are
    held, and own units."""
    if target not in pos.game.map.neighbours:
        return unknown(target)
    if unit is None:
        return nobody(pos, side, target)
    if unit not in pos.game.units:
        return unknown(unit)
    if pos.unit(unit).side != side:
        return Refusal("refusal.not_yours", "13.1", at=target)
    if target not in pos.game.map.neighbours.get(pos.at[unit], ()):
        return Refusal("refusal.not_beside", "13.1", at=target, unit=unit)
    return idle(pos, target, unit) or nobody(pos, side, target)


def nobody(pos: Position, side: str, target: str) -> Refusal:
    """13.1, 13.2 Why a hex can't be attacked; where all that stand by are idle, why the first of them is."""
    if target not in pos.occupied_by(enemy(side)):
        return Refusal("refusal.no_enemy", "13.1", at=target)
    by = [u for h in pos.game.map.neighbours[target] if pos.holder(h) == side for u in pos.stack(h)]
    if not by:
        return Refusal("refusal.nobody_beside", "13.1", at=target)
    reasons = [attacked(pos, target), *(idle(pos, target, unit) for unit in by)]
    return next((why for why in reasons if why), Refusal("refusal.no_target", "13.6", at=target))
