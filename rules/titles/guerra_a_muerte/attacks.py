"""6.1 The field battles that the active force can offer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.core.forms import Answer, Declare, Form
from rules.titles.guerra_a_muerte import odds, siege
from rules.titles.guerra_a_muerte.barred import no_attack
from rules.titles.guerra_a_muerte.battle import besiegers, forces_in
from rules.titles.guerra_a_muerte.board import REBELS, enemy
from rules.titles.guerra_a_muerte.operations import friction
from rules.titles.guerra_a_muerte.position import Position


def attack_forms(pos: Position, units: Sequence[str], area: str) -> list[Form]:
    """6.1, 9.5, 10.6 The enemy forces the active one can attack: what stands in the field, the Legion, besiegers of a
    place of its own, rebels. It attacks whole."""
    side = pos.force["side"]
    foes = forces_in(pos, enemy(side), area)
    out: list[Form] = []
    if "field" in foes:
        out.append(attack_form(pos, "attack", area, {area: foes["field"]}, units))
    if "legion" in foes:
        out.append(attack_form(pos, "attack_legion", area, {area: foes["legion"]}, units))
    works = besiegers(pos, enemy(side), area)
    if works:
        out.append(attack_form(pos, "relieve", area, works, units))
    rebels = pos.units_at(area, REBELS)
    if rebels:
        out.append(attack_form(pos, "attack_rebels", area, {area: rebels}, units))
    return out


def attack_form(pos: Position, name: str, area: str, targets: dict[str, list[str]], units: Sequence[str]) -> Declare:
    """6.1 An attack with its odds; what is in a closed box is not reckoned (5.1.3)."""
    mine = pos.troops(units)

    def show(answer: Answer) -> dict[str, Any]:
        defenders = targets[answer["target"]]
        closed = name == "attack" and pos.hidden(pos.unit(defenders[0]).side, area)
        theirs = pos.troops(defenders)
        if not theirs:
            return {}
        found = odds.battle_sum(pos, mine, theirs, area, (pos.force["side"], pos.unit(theirs[0]).side),
                                friction=friction(pos))
        return odds.panel(pos, found, "battle", mine, theirs, answer["target"], closed)

    side = pos.force["side"]
    return Declare(name, "6.1", {t: {area: sorted(mine)} for t in sorted(targets)}, legal=siege.whole(pos, units),
                   show=show, near={t: pos.troops(pos.units_at(area, side)) for t in sorted(targets)},
                   why=lambda target, unit: no_attack(pos, target, unit, "refusal.no_enemy_force", "6.1"))


def target_of(pos: Position, name: str, area: str, target: str) -> list[str]:
    """6.1 The force an attack was declared on."""
    foes = forces_in(pos, enemy(pos.force["side"]), area)
    return {"attack": foes.get("field", []), "attack_legion": foes.get("legion", []),
            "relieve": foes.get(target, []), "attack_rebels": pos.units_at(area, REBELS)}[name]
