"""13.9-13.12, 13.24-13.26 Factors, odds and the odds panel (docs/protocol.md section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.mechanics.lookup import lookup
from rules.titles.triple_alliance.modifiers import Attack, Modifier, before_supply
from rules.titles.triple_alliance.position import Position, by_hex
from rules.titles.triple_alliance.river import tows
from rules.titles.triple_alliance.supply import lines, supplied
from rules.titles.triple_alliance.tables import Odds, combat_result, odds
from rules.titles.triple_alliance.units import ALLIED, enemy


def captured_bonus(pos: Position, units: Sequence[str]) -> int:
    """13.27 Factors from arms captured in the phase before, never more than the force has of its own."""
    bonus = 0
    for force, factors in pos.captures:
        own = sum(pos.unit(u).attack for u in units if u in force)
        bonus += min(factors, own)
    return bonus


def use_captures(pos: Position, units: Sequence[str]) -> None:
    """13.27 What an attack uses of the captured arms is used up."""
    if pos.captures:
        pos.touched.add("table:captures")
    for capture in pos.captures:
        capture[1] -= min(capture[1], sum(pos.unit(u).attack for u in units if u in capture[0]))


def artillery_counts(pos: Position, units: Sequence[str]) -> tuple[int, int]:
    """13.26 Factors of the other arms, and of the artillery as far as they count: no more than the others."""
    others = sum(pos.unit(u).attack for u in units if not pos.unit(u).artillery)
    guns = sum(pos.unit(u).attack for u in units if pos.unit(u).artillery)
    return others, min(guns, others)


def attack_factors(pos: Position, units: Sequence[str]) -> int:
    """13.9 The attack total: each unit whole (13.5), artillery capped (13.26), captured arms added (13.27)."""
    return sum(artillery_counts(pos, units)) + captured_bonus(pos, units)


def defense_factors(pos: Position, units: Sequence[str]) -> int:
    """13.3, 13.9 All units of the hex defend as one."""
    return sum(pos.unit(u).defense for u in units)


def line_modifiers(pos: Position, attack: Attack) -> list[Modifier]:
    """7.11, 13.25 Supply lines at this very moment: one attacking hex without is enough."""
    table, out = pos.game.tables["modifiers"]["combat"], []
    mine, theirs = lines(pos, attack.side), lines(pos, enemy(attack.side))
    if any(not supplied(pos, h, mine) for h in {pos.at[u] for u in attack.units}):
        out.append(Modifier("attacker_no_line", table["attacker_no_line"]["clause"], table["attacker_no_line"]["drm"]))
    if not supplied(pos, attack.target, theirs):
        out.append(Modifier("defender_no_line", table["defender_no_line"]["clause"], table["defender_no_line"]["drm"]))
    return out


def all_modifiers(pos: Position, attack: Attack, ratio: Odds, spent: dict[str, bool],
                  line: Sequence[Modifier]) -> list[Modifier]:
    """13.11 Every modifier of the die, to be added up. `spent`: who spends a supply unit (13.24)."""
    table, out = pos.game.tables["modifiers"]["combat"], before_supply(pos, attack)
    for who in ("attacker", "defender"):
        if spent.get(who):
            out.append(Modifier(f"{who}_supply", "13.24", table[f"{who}_supply"]["drm"]))
    out.extend(line)
    if ratio.above:
        out.append(Modifier("odds_above_6_1", "13.12", ratio.above * table["odds_above_6_1"]["drm"]))
    return out


def faces(pos: Position, column: str, total: int, defenders: int, attackers: int) -> list[dict[str, Any]]:
    """13.28 What each of the ten faces of the die (1.4) would do."""
    out = []
    for face in range(10):
        lost, killed = combat_result(pos.game, column, face + total)
        out.append({"roll": face, "row": max(0, min(14, face + total)), "attacker": min(lost, attackers),
                    "defender": min(killed, defenders), "clears": killed >= defenders})
    return out


def _by_hex(pos: Position, units: Sequence[str], factor: str) -> list[dict[str, Any]]:
    stacks = by_hex(pos, sorted(units, key=lambda u: pos.unit(u).place))
    return [
        {"at": h, "units": [{"id": u, "value": getattr(pos.unit(u), factor)} for u in us]} for h, us in stacks.items()
    ]


def _notes(pos: Position, attack: Attack) -> list[dict[str, Any]]:
    out = []
    _others, guns = artillery_counts(pos, attack.units)
    cut = sum(pos.unit(u).attack for u in attack.units if pos.unit(u).artillery) - guns
    if cut:
        out.append({"key": "note.artillery_cap", "args": {"n": cut}, "clause": "13.26"})
    bonus = captured_bonus(pos, attack.units)
    if bonus:
        out.append({"key": "note.captured_arms", "args": {"n": bonus}, "clause": "13.27"})
    if attack.hidden:
        out.append({"key": "note.as_last_seen", "args": {"n": attack.hidden}, "clause": "6.4"})
    return out


def panel(pos: Position, attack: Attack, spent: dict[str, bool], defense: int,
          line: Sequence[Modifier]) -> dict[str, Any]:
    """The odds panel of an attack whose defence total is known or assumed."""
    strength = attack_factors(pos, attack.units)
    ratio = odds(strength, defense) if strength else Odds(None, "0:1", 0)
    mods = all_modifiers(pos, attack, ratio, spent, line)
    total = sum(m.value or 0 for m in mods)
    count = len(attack.defenders) + attack.hidden
    out: dict[str, Any] = {
        "target": attack.target, "attack": strength, "defense": defense, "ratio": ratio.ratio,
        "column": ratio.column,
        "sides": {"attack": _by_hex(pos, attack.units, "attack"),
                  "defense": [{"at": attack.target, "unknown": attack.hidden,
                               "units": [{"id": u, "value": pos.unit(u).defense} for u in attack.defenders]}]},
        "modifiers": [m.as_json() for m in mods], "total": total, "assumed": attack.hidden > 0,
        "notes": _notes(pos, attack), "faces": [], "clears": {"n": 0, "of": 10},
        "mean": {"attacker": "0", "defender": "0"}}
    if ratio.column is None:
        out["notes"].append({"key": "note.attackers_lost", "args": {}, "clause": "13.12"})
        return out
    out["table"] = lookup("combat_results", ratio.column)
    out["faces"] = faces(pos, ratio.column, total, count, len(attack.units))
    out["clears"] = {"n": sum(f["clears"] for f in out["faces"]), "of": 10}
    for who in ("attacker", "defender"):
        tenths = sum(f[who] for f in out["faces"])
        out["mean"][who] = f"{tenths // 10}.{tenths % 10}"
    return out


def typical_defense(pos: Position, side: str) -> int:
    """The mean defence, in hundredths, of the units of a side that are on the map and not in sight: what anybody
    can work out from the units off the map."""
    seen = {pos.stack(h)[0] for h in pos.hexes_of(side) if pos.box_at(h, side) is None}
    unseen = [pos.unit(u).defense for u in pos.on_map(side) if u not in seen]
    return round(100 * sum(unseen) / len(unseen)) if unseen else 200


def as_seen(pos: Position, side: str, phase: int, target: str, units: Sequence[str]) -> dict[str, Any]:
    """6.4 The odds before an attack is announced: the top unit is seen, the rest is assumed to be typical."""
    foe, stack = enemy(side), pos.stack(target)
    seen = [] if pos.box_at(target, foe) is not None else stack[:1]
    attack = Attack(side, phase, target, units, seen, len(stack) - len(seen))
    guess = defense_factors(pos, seen) + round(attack.hidden * typical_defense(pos, foe) / 100)
    out = panel(pos, attack, {}, max(1, guess), line_modifiers(pos, attack))
    towing, lacking = tows(pos, units)
    ships = sum(pos.unit(u).river for u in units) if attack.side == ALLIED and pos.fortress(target) else 0
    if ships:  # 13.18: the odds are reckoned with those that are left
        out["notes"].append({"key": "note.guns_first", "args": {"n": ships}, "clause": "13.18"})
    if towing and not lacking:
        out["notes"].append({"key": "note.tows", "args": {"n": len(towing)}, "clause": "12.6"})
    return out
