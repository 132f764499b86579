"""7, 9, 10 Fire: who shoots first, at whom, and what a hit does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.core.forms import Allocate, Choose, Lot, Option, label
from rules.core.procedure import Procedure, choose, roll, together
from rules.core.request import Request, needs_open
from rules.mechanics.lookup import lookup
from rules.titles.ultimo_hombre import retreat
from rules.titles.ultimo_hombre.board import enemy
from rules.titles.ultimo_hombre.position import Position

ATTACKER, DEFENDER, BOTH = "attacker_first", "defender_first", "simultaneous"
FACES = 6  # of the die
TOP_FACTOR = 5  # 12.1: no card raises a factor beyond


def order(pos: Position, side: str, space: str, attackers: Sequence[str], attack: dict[str, Any]) -> str:
    """10 On a main river the defender fires first, and that goes before all; over a blue line both at once (if all
    attackers came so, a ruling); else the attacker first. Cards may change it on main rivers."""
    if pos.space(space).main_river:
        for _, effect in pos.effects("main_river_fire"):
            origins = {pos.space(attack["from"][u]).region for u in attackers}
            if effect["side"] == side and space in effect.get("spaces", [space]) \
                    and ("from_region" not in effect or origins == {effect["from_region"]}):
                return str(effect["as_attacker"])
        return DEFENDER
    return BOTH if set(attackers) <= set(attack["blue"]) else ATTACKER


def battle_round(pos: Position, side: str, space: str) -> Procedure[bool]:
    """7, 8 One round of fire; True when a side has retreated. A side may retreat when the other has just fired and
    both have fired at least once."""
    assert pos.battle is not None
    foe = enemy(side)
    if pos.battle["order"] == BOTH:
        yield from fire_at_once(pos, side, foe)
        pos.battle["fired"] = [side, foe]
        return both_stand(pos) and (yield from retreat.may_both(pos, side, space))
    for who in ((foe, side) if pos.battle["order"] == DEFENDER else (side, foe)):
        if not both_stand(pos):
            return False
        if {side, foe} <= set(pos.battle["fired"]) and (yield from retreat.may_retreat(pos, who, side, space)):
            return True
        yield from volley(pos, who)
        if who not in pos.battle["fired"]:
            pos.battle["fired"].append(who)
    return False


def both_stand(pos: Position) -> bool:
    assert pos.battle is not None
    return all(pos.battle["lines"].values())


def volley(pos: Position, side: str) -> Procedure[None]:
    """7 The units of one side shoot in slot order; each hit counts before the next shot."""
    assert pos.battle is not None
    for slot, unit in list(pos.battle["lines"][side].items()):
        if not both_stand(pos) or pos.battle["lines"][side].get(slot) != unit:
            continue
        target = yield from aim(pos, side, slot, unit)
        if (yield from shoot(pos, side, unit, target)):
            yield from hit(pos, side, unit, target)


def fire_at_once(pos: Position, side: str, foe: str) -> Procedure[None]:
    """10 Over a river both name all targets, all roll, then the hits are applied in slot order."""
    assert pos.battle is not None
    hits: list[tuple[str, str]] = []
    asked = {who: request for who in (side, foe) if (request := targets_request(pos, who)) is not None}
    answers = yield from together(asked)
    named: dict[str, str] = {}
    for who, answer in answers.items():
        if answer["form"] == "targets":
            named |= {unit: taken[0] for unit, taken in answer["lots"].items()}
        else:
            named[asked[who].args["unit"]] = answer["option"]
    for who, slot, unit in [(w, s, u) for w in (side, foe) for s, u in pos.battle["lines"][w].items()]:
        target = named.get(unit) or opposite(pos, who, slot)[0]
        if (yield from shoot(pos, who, unit, target)):
            hits.append((who, target))
    for who, target in hits:
        if target in pos.battle["lines"][enemy(who)].values():
            yield from hit(pos, who, None, target)


def opposite(pos: Position, side: str, slot: str) -> tuple[str, ...]:
    """7 Whom a slot can shoot at: straight across; where nobody stands there, any enemy."""
    assert pos.battle is not None
    line: dict[str, str] = pos.battle["lines"][enemy(side)]
    return (line[slot],) if slot in line else tuple(line.values())


def aim(pos: Position, side: str, slot: str, unit: str) -> Procedure[str]:
    """7 The target is named before the roll."""
    among = opposite(pos, side, slot)
    assert pos.battle is not None
    if slot in pos.battle["lines"][enemy(side)]:
        return among[0]
    target = yield from choose(target_request(pos, side, unit, among))
    return target


def target_request(pos: Position, side: str, unit: str, among: Sequence[str]) -> Request:
    """7 One unit chooses among several enemies."""
    return Request(side, "prompt.target", "7", (
        Choose("target", "7", tuple(Option(u, "7", label("option.target", unit=u)) for u in among)),),
        {"unit": unit}, open_grounds=True, needs=needs_open, table=lookup("fire", rows=[strength(pos, unit)]))


def targets_request(pos: Position, side: str) -> Request | None:
    """7, 10 All units of a side that have a choice name their targets in one answer; None where there is no choice."""
    assert pos.battle is not None
    free = {unit: among for slot, unit in pos.battle["lines"][side].items()
            if len(among := opposite(pos, side, slot)) > 1}
    if not free:
        return None
    if len(free) == 1:
        return target_request(pos, side, *next(iter(free.items())))
    return Request(side, "prompt.targets", "7", (
        Allocate("targets", "7", "aim", tuple(Lot(unit, among, 1, 1, label=label("lot.shooter", unit=unit))
                                              for unit, among in free.items())),), {"n": len(free)}, needs=needs_open,
        table=lookup("fire", rows=sorted({strength(pos, unit) for unit in free})))


def strength(pos: Position, unit: str) -> int:
    """7 The factor to hit with, and what the cards that show add to it in this round, before it in the first."""
    assert pos.battle is not None
    now = pos.battle["round"] or 1
    space, u = pos.battle["at"], pos.unit(unit)
    role = "attacker" if pos.battle["attacker"] == u.side else "defender"
    factor = pos.factor(unit)
    for _, effect in pos.effects("battle_mod"):
        when = effect["when"]
        if effect["side"] == u.side and effect.get("unit_type", u.type) == u.type \
                and now in effect["rounds"] \
                and ("leader" not in when or pos.leaders.get(when["leader"]) == space) \
                and pos.space(space).region in when.get("regions", [pos.space(space).region]) \
                and when.get("country", pos.space(space).country) == pos.space(space).country \
                and (not when.get("fortress") or pos.battle["fort"] is not None) \
                and when.get("role", role) == role:
            factor = min(TOP_FACTOR, factor + effect["factor"])
    return factor


def shoot(pos: Position, side: str, unit: str, target: str) -> Procedure[bool]:
    """7 A die at or below the factor hits; a card may let a miss be rolled again (A10)."""
    assert pos.battle is not None
    factor = strength(pos, unit)
    drawn = yield from roll("shot", "7", 1, FACES)
    struck = drawn <= factor
    pos.tell("shot", "7", side, at=pos.battle["at"], unit=unit, target=target, roll=drawn, factor=factor, hit=struck)
    again = max((e["per_battle"] for _, e in pos.effects("reroll_miss") if e["side"] == side), default=0)
    if struck or pos.battle["rerolls"] >= again:
        return struck
    wish = yield from choose(Request(side, "prompt.reroll", "12.1", (
        Choose("reroll", "12.1", (Option("keep", "12.1", label("option.keep")),
                                  Option("again", "12.1", label("option.again")))),), {"unit": unit, "target": target},
        needs=needs_open, table=lookup("fire", rows=[factor])))
    if wish == "keep":
        return False
    pos.battle["rerolls"] += 1
    drawn = yield from roll("shot", "12.1", 1, FACES)
    struck = drawn <= factor
    pos.tell("shot", "12.1", side, at=pos.battle["at"], unit=unit, target=target, roll=drawn, factor=factor, hit=struck)
    return struck


def hit(pos: Position, side: str, shooter: str | None, target: str) -> Procedure[None]:
    """7, 9 A hit turns a unit or removes it; in slot 1 of a defender a fortress takes the first two."""
    assert pos.battle is not None
    foe, space = enemy(side), pos.battle["at"]
    line: dict[str, str] = pos.battle["lines"][foe]
    fort = pos.fort_at(space)
    slot = next(s for s, u in line.items() if u == target)
    if fort is not None and slot == "1" and pos.game.fortresses[fort]["side"] == foe == enemy(pos.battle["attacker"]):
        if fort not in pos.worn:
            pos.worn.append(fort)
            pos.touched |= {"battle", f"space:{space}"}
            pos.tell("fort_hit", "9", side, at=space, fort=fort)
        else:
            pos.raze(fort)
            pos.touched.add("battle")
            pos.tell("fort_destroyed", "9", side, at=space, fort=fort)
        return
    factor = strength(pos, target)
    gone = pos.step_loss(target)
    if gone:
        del line[slot]
    pos.touched.add("battle")
    pos.tell("unit_lost" if gone else "unit_reduced", "7", foe, at=space, unit=target)
    if gone and shooter is not None and any(e["side"] == foe for _, e in pos.effects("last_shot")):
        # P20: whoever falls shoots once more at the one that hit it; nothing answers that shot.
        drawn = yield from roll("last_shot", "12.1", 1, FACES)
        pos.tell("shot", "12.1", foe, at=space, unit=target, target=shooter, roll=drawn, factor=factor,
                 hit=drawn <= factor)
        if drawn <= factor and shooter in pos.battle["lines"][side].values():
            yield from hit(pos, foe, None, shooter)
