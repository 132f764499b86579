"""7, 9, 10 Battles on the battle board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.core.agenda import AGAIN, DONE, Next
from rules.core.forms import Choose, Line, Option, label
from rules.core.procedure import Procedure, ask, choose
from rules.core.request import NOBODY, OPEN, SOME, Needs, Request
from rules.titles.ultimo_hombre import fire
from rules.titles.ultimo_hombre.board import SIDES, SLOTS, enemy
from rules.titles.ultimo_hombre.control import PRIZES, take
from rules.titles.ultimo_hombre.leaders import capture, leave_alone
from rules.titles.ultimo_hombre.position import Position
from rules.titles.ultimo_hombre.retreat import garrison
from rules.titles.ultimo_hombre.turn import enter_stage, segments


@segments.segment
def begin_combat(pos: Position, side: str) -> Procedure[Next]:
    """7 The combat phase begins."""
    yield from ()
    enter_stage(pos, "combat", side)
    pos.tell("combat_began", "2", side, count=len(pos.attacks))
    return DONE


@segments.segment
def combat(pos: Position, side: str) -> Procedure[Next]:
    """7 Battles one at a time, in the order the attacker chooses."""
    pending = battles(pos)
    if not pending:
        pos.attacks, pos.fled = {}, {}
        recover(pos, side)
        pos.tell("combat_ended", "2", side)
        return DONE
    space = yield from choose(Request(side, "prompt.next_battle", "7", (
        Choose("next_battle", "7", tuple(Option(s, "7", label("option.battle", at=s), at=s) for s in pending)),),
        open_grounds=True, needs=lambda answer: battle_needs(pos, side, answer["option"])))
    yield from fight(pos, side, space)
    pos.attacks.pop(space, None)
    pos.fled.pop(space, None)
    pos.battle = None
    pos.touched |= {"battle", f"space:{space}"}
    if pos.result is None:
        for who in SIDES:
            leave_alone(pos, who)
    return AGAIN


def battles(pos: Position) -> list[str]:
    """7 The spaces still to be fought over."""
    return sorted(space for space, attack in pos.attacks.items() if _standing(pos, attack))


def _standing(pos: Position, attack: dict[str, Any]) -> bool:
    """7 Whether attackers are still there: Argentina may have left the war meanwhile (14)."""
    return any(pos.at[u] == attack["at"] for u in attack["units"])


def combat_needs(pos: Position, side: str) -> Needs:
    """7 What the defender has to decide when the combat phase begins: of several battles the attacker picks one."""
    pending = battles(pos)
    return battle_needs(pos, side, pending[0]) if len(pending) == 1 else NOBODY


def battle_needs(pos: Position, side: str, space: str) -> Needs:
    """7 What the defender has to decide when a battle begins: his line, and more only where the attacker has none to
    order and the dice fall at once."""
    attackers, defenders = _sides(pos, side, space)
    if not defenders:
        return OPEN
    lines_up = int(len(defenders) > 1)
    return Needs(lines_up, lines_up if len(attackers) > 1 else None)


def _sides(pos: Position, side: str, space: str) -> tuple[list[str], list[str]]:
    """7, 8 Attackers and defenders of a space; who has fled there takes no part."""
    attackers = [u for u in pos.attacks[space]["units"] if pos.at[u] == space]
    return attackers, garrison(pos, enemy(side), space)


def recover(pos: Position, side: str) -> None:
    """12.1 (A21) Bombarded fortresses recover after the next combat phase of the side that bombarded them."""
    for fort, phases in list(pos.besieged.items()):
        if pos.game.fortresses[fort]["side"] == side:
            continue
        if phases <= 1:
            del pos.besieged[fort]
            make_good(pos, fort, "12.1")
        else:
            pos.besieged[fort] = phases - 1


def make_good(pos: Position, fort: str, clause: str) -> None:
    """9, 12.1 A fortress marker is turned to its full side."""
    pos.worn.remove(fort)
    pos.touched.add(f"space:{pos.forts[fort]}")
    pos.tell("fort_restored", clause, pos.game.fortresses[fort]["side"], at=pos.forts[fort], fort=fort)


def new_battle(pos: Position, side: str, space: str, attackers: list[str]) -> dict[str, Any]:
    """7 A battle before the lines are drawn up; 9 with the fortress that stands in its space."""
    return {"at": space, "attacker": side, "round": 0, "order": "", "lines": {side: {}, enemy(side): {}},
            "fort": pos.fort_at(space), "fired": [], "rerolls": 0, "start": attackers}


def fight(pos: Position, side: str, space: str) -> Procedure[None]:
    """7 One battle: both line up, fire in rounds, until one side is gone or has retreated."""
    attack, foe = pos.attacks[space], enemy(side)
    attackers, defenders = _sides(pos, side, space)
    pos.battle = new_battle(pos, side, space, attackers)
    pos.battle["order"] = fire.order(pos, side, space, attackers, attack)
    pos.touched.add("battle")
    pos.tell("battle_began", "7", side, at=space, attackers=attackers, defenders=defenders,
             order=f"order.{pos.battle['order']}")
    if not defenders:  # 8: only such as have fled here, and they take no part
        yield from conclude(pos, side, space)
        return
    for who, units in ((foe, defenders), (side, attackers)):
        yield from line_up(pos, who, units)
    while pos.battle["lines"][side] and pos.battle["lines"][foe]:
        pos.battle["round"] += 1
        pos.touched.add("battle")
        pos.tell("round_began", "7", None, at=space, round=pos.battle["round"])
        gone = yield from fire.battle_round(pos, side, space)
        if gone:
            break
    yield from conclude(pos, side, space)


def line_up(pos: Position, side: str, units: Sequence[str]) -> Procedure[None]:
    """7 The defender first, then the attacker puts his units into slots 1 and up, in any order, without a gap."""
    slots = tuple(f"slot:{n}" for n in range(1, min(len(units), SLOTS) + 1))

    assert pos.battle is not None
    suggested = dict(zip(sorted(units, key=lambda u: (-pos.factor(u), u)), slots, strict=False))
    answer = yield from ask(Request(side, "prompt.line_up", "7", (
        Line("line_up", "7", tuple(units), slots, suggested,
             chances={u: (fire.strength(pos, u), fire.FACES) for u in units}),),
        {"at": pos.battle["at"]}, open_grounds=True,
        needs=lambda _: _line_needs(pos, side, len(slots))))
    pos.battle["lines"][side] = {loc.removeprefix("slot:"): u for u, loc in sorted(answer["placed"].items(),
                                                                                   key=lambda p: p[1])}
    pos.touched.add("battle")
    pos.tell("lined_up", "7", side, at=pos.battle["at"], line=list(pos.battle["lines"][side].values()))


def _line_needs(pos: Position, side: str, length: int) -> Needs:
    """7, 10 After the defender's line comes the attacker's, if there is a choice; then the dice, but over a river first
    the targets of the longer line."""
    assert pos.battle is not None
    if side != pos.battle["attacker"]:
        return Needs(int(len(pos.battle["start"]) > 1), None)
    others = len(pos.battle["lines"][enemy(side)])
    if pos.battle["order"] != fire.BOTH or 1 in (length, others) or length == others:
        return OPEN
    return NOBODY if length > others else SOME


def conclude(pos: Position, side: str, space: str) -> Procedure[None]:
    """7, 8, 9, 11, 14 The battle is over: leaders without units are captured, a fortress recovers or falls, and the
    space goes to the winner."""
    foe = enemy(side)
    attackers = list(pos.units_of(side, space))
    fled = [u for u in pos.fled.get(space, []) if pos.at.get(u) == space]
    holding = garrison(pos, foe, space)
    won = bool(attackers) and not holding
    if attackers or pos.units_of(foe, space):
        pos.tell("battle_ended", "7", side if won else foe, at=space)
    else:
        pos.tell("field_empty", "7", None, at=space)
    if won and space in PRIZES:  # 16 (ruling): Buenos Aires wins the war even if Mitre is taken in it
        yield from take(pos, space, side)
    if won:
        for unit in fled:  # 8: who had fled into a lost battle is lost with it
            pos.bury(unit)
        if fled:
            pos.tell("fugitives_lost", "8", foe, at=space, units=fled, count=len(fled))
    for who, fought in ((foe, holding), (side, attackers)):
        for leader in pos.leaders_at(who, space):
            with_him = pos.units_of(who, space) if leader in pos.fled.get(space, []) else fought
            if not with_him and pos.result is None:
                capture(pos, leader)
    if pos.result is not None:
        return
    fort = pos.fort_at(space)
    taken = bool(pos.units_of(side, space)) and not pos.units_of(foe, space)
    if fort is not None and fort in pos.worn and fort not in pos.besieged and not taken:
        make_good(pos, fort, "9")
    if taken:
        yield from take(pos, space, side)
