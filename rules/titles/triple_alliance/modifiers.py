"""13.11-13.25 The modifiers of a combat die. All that apply add up (13.11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.core.sealed import sealed
from rules.titles.triple_alliance.position import Position
from rules.titles.triple_alliance.units import ALLIED


@sealed
class Modifier:
    """One modifier of a die, with the clause that gives it; `value` None when it hangs on what is hidden."""

    id: str
    clause: str
    value: int | None

    def as_json(self) -> dict[str, Any]:
        return {"label": {"key": f"modifier.{self.id}", "args": {}}, "clause": self.clause, "value": self.value}


@sealed
class Attack:
    """An attack as far as it is known. `defenders` are the units seen; `hidden` how many more there are."""

    side: str
    phase: int
    target: str
    units: Sequence[str]
    defenders: Sequence[str]
    hidden: int = 0


def nations(pos: Position, units: Sequence[str]) -> int:
    """13.19 How many nations a force is of."""
    return len({pos.unit(u).nation for u in units})


def fortress_drm(pos: Position, attack: Attack) -> int | None:
    """13.16 What a Paraguayan fortress in the hex takes off; None where there is none."""
    if attack.side != ALLIED or not any(pos.unit(u).fortress for u in attack.defenders):
        return None
    if attack.target == _ANGOSTURA and pos.options.get("angostura") == "minus_two":
        return -2
    drm: int = pos.game.tables["fortress_drm"][attack.target]
    return drm


_ANGOSTURA = "1827"


def before_supply(pos: Position, attack: Attack) -> list[Modifier]:
    """The modifiers of ground, phase, fortress, nations, Guard and rockets."""
    table, spot, out = pos.game.tables["modifiers"]["combat"], pos.game.map.hexes[attack.target], []

    def add(name: str, value: int | None = None) -> None:
        out.append(Modifier(name, table[name]["clause"], table[name]["drm"] if value is None else value))

    if attack.phase != 2:  # 13.15
        add("first_combat_phase" if attack.phase == 1 else "third_combat_phase")
    fort = fortress_drm(pos, attack)
    if spot.terrain in ("rough", "forest", "marsh"):  # 13.14; 13.13: clear ground helps nobody
        add(spot.terrain)
    elif spot.terrain == "river" and fort is None:  # 13.22: a fortress counts instead
        add("river")
    if all(pos.game.map.edge("minor_river", pos.at[u], attack.target) for u in attack.units):  # 13.21
        add("minor_river")
    if fort is not None:
        out.append(Modifier("fortress", "13.16", fort))
        # 13.17: each kind counts once
        if any(pos.unit(u).type == "siege_artillery" for u in attack.units):
            add("siege_artillery")
        if any(pos.unit(u).type == "engineer" for u in attack.units):
            add("engineers")
    if attack.side == ALLIED:
        joint = nations(pos, attack.units)
        if joint > 1:
            add("allied_attack_two_nations" if joint == 2 else "allied_attack_three_nations")
        if all(pos.unit(u).guard for u in attack.units):
            add("guard_attack")
    else:
        _paraguayan_attack(pos, attack, add, out)
    return out


def _paraguayan_attack(pos: Position, attack: Attack, add: Any, out: list[Modifier]) -> None:
    """13.19, 13.20, 13.23 What helps Paraguay when it attacks; who defends may be hidden until it is announced."""
    if attack.hidden:
        out.append(Modifier("allied_defense_nations", "13.19", None))
        if all(pos.unit(u).guard for u in attack.defenders):
            out.append(Modifier("guard_defense", "13.20", None))
    else:
        joint = nations(pos, attack.defenders)
        if joint > 1:
            add("allied_defense_two_nations" if joint == 2 else "allied_defense_three_nations")
        if all(pos.unit(u).guard for u in attack.defenders):
            add("guard_defense")
    if any(pos.unit(u).type == "rocket_artillery" for u in attack.units) \
            and pos.game.map.hexes[attack.target].terrain in ("clear", "river"):
        add("congreve")
