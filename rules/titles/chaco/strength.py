"""12.4, 12.12-12.14 Strengths, odds, modifiers, and the odds panel (docs/protocol.md section 5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.mechanics.lookup import lookup
from rules.titles.chaco.position import Position
from rules.titles.chaco.units import enemy


@dataclass(frozen=True, slots=True)
class Modifier:
    """One modifier of a die, with the clause that gives it."""

    id: str
    clause: str
    value: int

    def as_json(self) -> dict[str, Any]:
        return {"label": {"key": f"modifier.{self.id}", "args": {}}, "clause": self.clause, "value": self.value}


@dataclass(slots=True)
class Battle:
    """One combat. `targets` are the defending hexes; `units` attack, `defenders` defend (12.10 without those that had
    fallen back there); `served` and `kept` are the hexes whose attackers and defenders have combat supply; `foreseen`:
    it is not announced yet."""

    side: str
    targets: list[str]
    units: list[str]
    defenders: list[str]
    served: set[str] = field(default_factory=set)
    kept: set[str] = field(default_factory=set)
    planes: dict[str, int] = field(default_factory=dict)
    guess: int = 0
    foreseen: bool = False

    @property
    def foe(self) -> str:
        return enemy(self.side)


def around(pos: Position, hex_: str) -> tuple[str, ...]:
    """The hexes that touch one, off-map boxes left out (10.12)."""
    return pos.game.around[hex_]


def halved(n: int) -> int:
    """12.12, 12.13 Half, rounded up."""
    return -(-n // 2)


def over_river(pos: Position, unit: str, targets: Sequence[str]) -> bool:
    """12.13 Whether a unit attacks through a river hexside."""
    return any(pos.game.river(pos.at[unit], t) for t in targets)


def attack_strength(pos: Position, battle: Battle) -> int:
    """12.4, 12.12, 12.13 Attack factors: each group of units (supplied or not, over a river or not) summed, then halved
    for want of supply, then for the river, rounded up each time (a ruling)."""
    groups: dict[tuple[bool, bool], int] = {}
    for unit in battle.units:
        key = pos.at[unit] in battle.served, over_river(pos, unit, battle.targets)
        groups[key] = groups.get(key, 0) + pos.attack(unit)
    total = 0
    for (supplied, river), factors in groups.items():
        factors = factors if supplied else halved(factors)
        total += halved(factors) if river else factors
    return total


def defends(pos: Position, units: Sequence[str]) -> list[str]:
    """2.10 The units of one hex whose defence counts: artillery in brackets only when alone."""
    others = [u for u in units if pos.unit(u).type != "artillery"]
    return others or list(units)


def defense_strength(pos: Position, battle: Battle) -> int:
    """12.4, 12.12, 12.13 Defence factors hex by hex: halved without supply, then doubled by an entrenchment (14.3) or
    tripled by a fortification (14.4)."""
    total = 0
    for hex_ in battle.targets:
        here = [u for u in battle.defenders if pos.at[u] == hex_]
        factors = sum(pos.defense(u) for u in defends(pos, here))
        factors = factors if hex_ in battle.kept else halved(factors)
        total += factors * int(pos.game.n["works"].get(pos.works.get(hex_, ""), 1))
    return total + battle.guess


@dataclass(frozen=True, slots=True)
class Odds:
    """12.4 A ratio and its column; `safe` where it is worse than 1:2, which cannot harm the defender."""

    ratio: str
    column: str
    safe: bool


def odds(attack: int, defense: int) -> Odds:
    """12.4 Any remainder is rounded in favour of the defender; above 8:1 counts as 8:1, below 1:2 as 1:2 without
    harm."""
    if attack >= defense > 0:
        times = attack // defense
        return Odds(f"{times}:1", f"{min(times, 8)}:1", False)
    if defense <= 0:
        return Odds("8:1", "8:1", False)
    times = -(-defense // attack) if attack else 9
    return Odds(f"1:{times}", "1:2", times > 2)


def result(pos: Position, ratio: Odds, roll: int) -> tuple[str, str]:
    """12.5 The results for attacker and defender on a modified die."""
    table = pos.game.tables["combat_results"]
    low, high = table["rows"]
    attacker, defender = table["cells"][ratio.column][max(low, min(high, roll)) - low].split("/")
    return attacker, "-" if ratio.safe else defender


def percent(code: str) -> int:
    """12.5 The share of its factors that a result costs a side; E is said otherwise."""
    share = code.rstrip("R")
    return int(share) if share.isdigit() else 0


def toll(share: int, whole: int) -> int:
    """12.6 Factors to be lost: the percentage of the base, rounded up."""
    return -(-share * whole // 100)


def attacking_factors(pos: Position, units: Sequence[str]) -> int:
    """12.6 The unmodified factors of attackers."""
    return sum(pos.attack(u) for u in units)


def defending_factors(pos: Position, units: Sequence[str]) -> int:
    """12.6 The unmodified factors of defenders, as far as they counted in each hex (a ruling)."""
    by_hex = {h: [u for u in units if pos.at[u] == h] for h in {pos.at[u] for u in units}}
    return sum(pos.defense(u) for us in by_hex.values() for u in defends(pos, us))


# -- modifiers -----------------------------------------------------------------------------------------------


def terrain_modifier(pos: Position, hex_: str) -> int:
    """12.13 What attacking into a hex takes off: scrub, hill and swamp 1, mountain 2. By option the third terrain is
    the clear, as the translation has it."""
    terrain = pos.terrain(hex_)
    value = int(pos.game.tables["terrain"][terrain]["attack"])
    if pos.options["third_terrain"] == "clear" and terrain in ("swamp", "clear"):
        return -1 if terrain == "clear" else 0
    return value


def from_clear(pos: Position, battle: Battle) -> bool:
    """12.13 At least half of the attacking factors come from clear hexes or through clear hexsides."""
    clear = total = 0
    for unit in battle.units:
        here = pos.at[unit]
        total += pos.attack(unit)
        if pos.terrain(here) == "clear" or any(pos.game.map.edge("clear_hexside", here, t) for t in battle.targets
                                               if t in pos.game.map.neighbours[here]):
            clear += pos.attack(unit)
    return total > 0 and 2 * clear >= total


def leaders_of(pos: Position, side: str, units: Iterable[str]) -> list[str]:
    """12.2, 12.3 The leaders in an attack: those stacked with attacking units, and those beside units that have
    none."""
    found: set[str] = set()
    for hex_ in sorted({pos.at[u] for u in units}):
        here = pos.leaders_at(hex_)
        near = here or [x for h in around(pos, hex_) for x in pos.leaders_at(h) if pos.unit(x).side == side]
        found |= set(near)
    return sorted(found)


def leading(pos: Position, side: str, leaders: Sequence[str]) -> str | None:
    """12.14 Whose rating modifies the die: the commander's if he is there, else that of the highest political rating
    (among equals the better one: a ruling)."""
    if pos.commander[side] in leaders:
        return pos.commander[side]
    return max(leaders, key=lambda x: (pos.unit(x).political, pos.unit(x).command, x), default=None)


def modifiers(pos: Position, battle: Battle) -> list[Modifier]:
    """12.13, 12.14, 13.3, 10.13 Every modifier of the combat die; they add up."""
    n, out = pos.game.n, []
    if from_clear(pos, battle):
        out.append(Modifier("from_clear", "12.13", int(n["attack_from_clear"])))
    hardest = min(battle.targets, key=lambda t: (terrain_modifier(pos, t), t))  # 12.3
    value = terrain_modifier(pos, hardest)
    if value:
        out.append(Modifier(f"into_{pos.terrain(hardest)}", "12.13", value))
    leader = leading(pos, battle.side, leaders_of(pos, battle.side, battle.units))
    if leader is not None and pos.unit(leader).command:
        out.append(Modifier("leader", "12.14", pos.unit(leader).command))
    if battle.planes.get("attacker"):
        out.append(Modifier("aircraft_attack", "13.3", 1))
    if battle.planes.get("defender"):
        out.append(Modifier("aircraft_defense", "13.3", -1))
    horse = sum(pos.unit(u).type == "cavalry" for u in battle.units)
    if pos.options["cavalry"] == "mounted" and 2 * horse >= len(battle.units):
        out.append(Modifier("mounted_attack", "10.13", int(n["mounted"]["attack"])))
    return out


# -- the panel -----------------------------------------------------------------------------------------------


def _sides(pos: Position, battle: Battle) -> dict[str, Any]:
    out: dict[str, list[dict[str, Any]]] = {"attack": [], "defense": []}
    for who, units, value in (("attack", battle.units, pos.attack), ("defense", battle.defenders, pos.defense)):
        for hex_ in sorted({pos.at[u] for u in units}):
            out[who].append({"at": hex_, "units": [{"id": u, "value": value(u)} for u in units if pos.at[u] == hex_]})
    return out


def _notes(pos: Position, battle: Battle, ratio: Odds) -> list[dict[str, Any]]:
    """12.4, 12.12 What is to be said of a combat beside its figures."""
    said = [("defender_safe", "12.4", ratio.safe),
            ("supply_in_reach", "12.12", battle.foreseen and bool(battle.served or battle.kept)),
            ("attack_unsupplied", "12.12", any(pos.at[u] not in battle.served for u in battle.units)),
            ("defense_unsupplied", "12.12", any(h not in battle.kept for h in battle.targets))]
    return [{"key": f"note.{name}", "args": {}, "clause": clause} for name, clause, holds in said if holds]


def panel(pos: Position, battle: Battle, more: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The odds panel of a combat as it stands."""
    attack, defense = attack_strength(pos, battle), defense_strength(pos, battle)
    ratio = odds(attack, defense)
    mods = modifiers(pos, battle)
    total = sum(m.value for m in mods)
    low, high = pos.game.tables["combat_results"]["rows"]
    whole = attacking_factors(pos, battle.units), defending_factors(pos, battle.defenders) + battle.guess
    faces = []
    for face in range(1, 7):
        codes = result(pos, ratio, face + total)
        lost, killed = (n if code == "E" else toll(percent(code), n) for code, n in zip(codes, whole, strict=True))
        faces.append({"roll": face, "row": max(low, min(high, face + total)), "result": "/".join(codes),
                      "attacker": lost, "defender": killed, "clears": codes[1] == "E"})
    return {"target": battle.targets[0], "targets": list(battle.targets), "attack": attack, "defense": defense,
            "ratio": ratio.ratio, "column": ratio.column, "sides": _sides(pos, battle),
            "modifiers": [m.as_json() for m in mods], "total": total, "assumed": battle.guess > 0,
            "notes": _notes(pos, battle, ratio),
            "faces": faces, "clears": {"n": sum(f["clears"] for f in faces), "of": 6},
            "mean": {who: f"{sum(int(f[who]) for f in faces) / 6:.1f}" for who in ("attacker", "defender")},
            "table": lookup("combat", ratio.column), **(more or {})}
