"""8.2 Bayonet and 8.3 assault, step by step."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.errors import Refusal
from rules.core.forms import Allocate, Option, label
from rules.core.procedure import Procedure, allocate, choose
from rules.core.request import Request, needs_open
from rules.titles.austerlitz import runaway
from rules.titles.austerlitz.clash import Clash, all_steady, fight, guns_left, nerve
from rules.titles.austerlitz.duty import arrived, in_area, may_enter, shunned
from rules.titles.austerlitz.fire import broken, strategic, top
from rules.titles.austerlitz.formations import DISORDER, SKIRMISH, SPREAD, SQUARE, column_of
from rules.titles.austerlitz.leaders import ridden_down, unaccompanied
from rules.titles.austerlitz.losses import bleed, rough
from rules.titles.austerlitz.lots import lot
from rules.titles.austerlitz.morale import settle
from rules.titles.austerlitz.notes import note_melee
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.stacking import fault, holding
from rules.titles.austerlitz.units import UNSTEADY, enemy
from rules.titles.austerlitz.volley import may_return, note_return, single

BAYONET, ASSAULT = "bayonet", "assault"
CLAUSES = {BAYONET: "8.2.1", ASSAULT: "8.3.1", "charge": "8.4.2"}


def unable(pos: Position, unit: str) -> Refusal | None:
    """6.3.4, 6.4.1, 9.2.3, 11.1.1 Why a unit of foot may not begin a melee; None if it may."""
    clause = ("6.4.1" if pos.form[unit] == DISORDER else "9.2.3" if pos.morale.get(unit, 0) >= UNSTEADY
              else "11.1.1" if broken(pos, unit) else "5.2.1" if strategic(pos, unit)
              else "6.3.4" if pos.form[unit] == SQUARE else None)
    return Refusal("refusal.no_melee", clause, at=pos.at[unit], unit=unit) if clause is not None else None


def foot_of(pos: Position, hex_: str) -> list[str]:
    """The battalions of a hex, top first."""
    return [u for u in pos.stack(hex_) if pos.unit(u).foot]


def choices(pos: Position, kind: str) -> dict[str, dict[str, list[str]]]:
    """8.2, 8.2.1, 8.3, 8.3.1 no. 1 Target hex -> hexes from which active stacks may attack it, each with its units."""
    act = pos.act
    assert act is not None
    found: dict[str, dict[str, list[str]]] = {}
    for hex_ in dict.fromkeys(pos.at[u] for u in act["units"] if pos.on_map(u)):
        units = [u for u in foot_of(pos, hex_) if u in act["units"]]
        if not units or units[0] in act["melee"] or units[0] in act["supported"] or any(
                unable(pos, u) is not None for u in units):
            continue
        for target in _in_front(pos, units[0]):
            if target in act["assailed"] or not _shot_at(pos, units, target):
                continue
            spot = contact(pos, units[0], target)
            if spot is not None and (kind == ASSAULT) == pos.game.board.defensive(*spot):
                found.setdefault(spot[1], {})[hex_] = units
    return found


def _in_front(pos: Position, unit: str) -> list[str]:
    """The top units of enemy stacks in the front of a unit."""
    side = enemy(pos.unit(unit).side)
    return list(dict.fromkeys(t for h in pos.arcs(unit).front if pos.holder(h) == side
                              for t in [top(pos, h)] if t is not None))


def _shot_at(pos: Position, units: Sequence[str], target: str) -> bool:
    """8.0 Who has fired in this activation may only attack those it fired at."""
    act = pos.act
    assert act is not None
    marks = [act["fired_at"][u] for u in units if u in act["fired_at"]]
    return all(target in mark for mark in marks)


def contact(pos: Position, unit: str, target: str) -> tuple[str, str] | None:
    """The hexes between which a melee would be fought, if terrain allows one."""
    board, front = pos.game.board, pos.arcs(unit).front
    pairs = [(a, b) for a in pos.footprint(unit) for b in pos.footprint(target)
             if b in front and b in board.touching(a) and not board.melee_barred(a, b)]
    return pairs[0] if pairs else None


def covered(pos: Position, unit: str, target: str) -> bool:
    """8.2 Whether the melee would be fought over the side of defensive terrain."""
    spot = contact(pos, unit, target)
    return spot is not None and pos.game.board.defensive(*spot)


def supporters(pos: Position, attackers: Sequence[str], target: str) -> list[str]:
    """8.2, 8.2.1 no. 2 Top units of active stacks beside the target, who might attack it themselves, with it in their
    front (ruling), that neither attack nor support elsewhere."""
    act = pos.act
    assert act is not None
    found = []
    for hex_ in dict.fromkeys(pos.at[u] for u in act["units"] if pos.on_map(u)):
        units = [u for u in foot_of(pos, hex_) if u in act["units"]]
        if not units or units[0] in attackers or units[0] in act["melee"] or units[0] in act["supported"]:
            continue
        if contact(pos, units[0], target) is not None and unable(pos, units[0]) is None:
            found.append(units[0])
    return found


def attack(pos: Position, kind: str, units: Sequence[str], hex_: str) -> Procedure[None]:
    """8.2.1, 8.3.1 One attack from its declaration to its end."""
    act, clause = pos.act, CLAUSES[kind]
    assert act is not None
    defenders, target = list(pos.stack(hex_)), top(pos, hex_)
    side = pos.unit(defenders[0]).side
    act["melee"] += list(units)
    act["assailed"] += defenders  # the stack, whoever is left of it
    pos.tell("attack_declared", clause, pos.unit(units[0]).side, kind=kind, units=list(units), at=hex_, target=hex_,
             **{"from": pos.at[units[0]]})
    note_melee(pos, units[0], defenders)
    yield from crushed(pos, hex_)
    target = top(pos, hex_)
    if target is not None and pos.holder(hex_) == side:
        supports = yield from _support(pos, units, target, clause)
        if not (yield from nerve(pos, units, target, supports, clause)):
            return
        units = yield from _answered(pos, units, hex_, clause)
        if not units:
            return
        yield from _defended(pos, kind, units, hex_, clause)
    if kind == ASSAULT and pos.holder(hex_) is None:
        yield from advance(pos, units, hex_)


def crushed(pos: Position, hex_: str) -> Procedure[None]:
    """8.2.1 no. 1, 9.2.4 Routed units that are attacked are destroyed."""
    for unit in list(pos.stack(hex_)):
        if pos.on_map(unit) and pos.routed(unit):
            yield from bleed(pos, unit, pos.strength(unit))


def _support(pos: Position, units: Sequence[str], target: str, clause: str) -> Procedure[int]:
    """8.2.1, 8.3.1 no. 2 Which stacks support the attack."""
    able, act = supporters(pos, units, target), pos.act
    assert act is not None
    if not able:
        return 0
    chosen = lot("support", tuple(able), 0, len(able), at=pos.at[target])
    taken = yield from allocate(Request(pos.seat_of(units[0]), "prompt.support", clause, (
        Allocate("support", clause, "choose", (chosen,)),), {"at": pos.at[target]}, needs=needs_open))
    act["supported"] += [u for t in taken.get("support", []) for u in foot_of(pos, pos.at[t]) if u in act["units"]]
    return len(taken.get("support", []))


def _pressing(pos: Position, units: Sequence[str]) -> list[str]:
    """8.2.1 no. 3 Those of the attackers who are neither destroyed nor unsteady nor routed."""
    return [u for u in units if pos.on_map(u) and pos.morale.get(u, 0) < UNSTEADY]


def _answered(pos: Position, units: Sequence[str], hex_: str, clause: str) -> Procedure[list[str]]:
    """8.2.1, 8.3.1 no. 3 The defenders return fire, or as skirmishers step back: who goes on with the attack. 6.2.1
    skirmishers that leave let the attacker advance."""
    target = top(pos, hex_)
    for unit in [u for u in pos.stack(hex_) if u == target or pos.unit(u).guns]:
        first = _pressing(pos, units)[0]
        said = yield from _reply(pos, unit, first, clause)
        if said == "fire":
            note_return(pos, unit, first)
            trouble = yield from single(pos, unit, first, "returned_fire", "8.1.2")
            yield from settle(pos, trouble)
        elif said == "rout":
            yield from runaway.let_rout(pos, [unit])
        elif said.startswith("to:"):
            pos.stand(unit, SKIRMISH, 0)
            pos.put(unit, said[3:])
            pos.tell("stepped_back", "6.2.1", pos.unit(unit).side, unit=unit, at=said[3:], **{"from": hex_})
            yield from ridden_down(pos, pos.footprint(unit))
            if pos.holder(hex_) is None:
                yield from advance(pos, units, hex_, clause)
                return []
        if not _pressing(pos, units):
            return []
    return _pressing(pos, units)


def _reply(pos: Position, unit: str, attacker: str, clause: str) -> Procedure[str]:
    """8.2.1, 8.3.1 no. 3 What a defending unit does before the clash."""
    options = [Option("hold", "8.1", label("option.hold_fire"))]
    if not pos.unit(unit).guns:
        options.append(runaway.option())
    if may_return(pos, unit, attacker):
        options.insert(0, Option("fire", "8.1.2", label("option.return_fire", unit=unit), at=pos.at[unit]))
    if pos.form[unit] in (SKIRMISH, SPREAD) and not pos.routed(unit):
        options += [Option(f"to:{h}", "6.2.1", label("option.step_back"), at=h)
                    for h in skirmish_exits(pos, unit, melee=True)]
    if len(options) == 1:
        return "hold"
    return (yield from choose(Request(pos.seat_of(unit), "prompt.answer_attack", clause, (
        runaway.Steadfast("answer_attack", clause, tuple(options)),), {"at": pos.at[unit], "unit": unit},
        needs=needs_open)))


def skirmish_exits(pos: Position, unit: str, melee: bool = False) -> list[str]:
    """6.2.2 Where skirmishers may step: adjacent, beside no enemy, within the limits of stacking; 6.2.1 before a melee
    where no enemy has them in front."""
    fronts = pos.fronts(enemy(pos.unit(unit).side))
    side, board = pos.unit(unit).side, pos.game.board
    found = []
    for here in pos.footprint(unit):
        for there in board.touching(here):
            if there in found or there in pos.footprint(unit) or pos.holder(there) == enemy(side):
                continue
            if not may_enter(pos, unit, there):
                continue
            if board.price("skirmisher", here, there, False) is None or (
                    there in fronts if melee else pos.near_enemy(there, side, 1)):
                continue
            if pos.holder(there) is None and fault(pos, there, [unit]) is None:  # ruling on 6.2.6
                found.append(there)
    return sorted(found)


def _defended(pos: Position, kind: str, units: Sequence[str], hex_: str, clause: str) -> Procedure[None]:
    """8.2.1, 8.3.1 no. 4, 5 The defenders' checks, and in an assault the melee."""
    target = top(pos, hex_)
    if target is None:
        return
    side = pos.unit(target).side
    defenders = [u for u in pos.stack(hex_) if not pos.unit(u).guns]
    defensive = covered(pos, units[0], target)
    stay = yield from all_steady(pos, defenders, hex_, units, kind == ASSAULT, defensive, clause)
    if kind == ASSAULT:
        yield from crushed(pos, hex_)
    if not stay:
        if not defenders:  # guns alone are lost
            for unit in list(pos.stack(hex_)):
                yield from bleed(pos, unit, pos.strength(unit))
        yield from guns_left(pos, [hex_], side, [pos.at[u] for u in units if pos.on_map(u)])
    elif kind == ASSAULT:
        yield from fight(pos, Clash(list(units), stay, defensive=defensive))


def advance(pos: Position, units: Sequence[str], hex_: str, clause: str = "8.3.1") -> Procedure[None]:
    """8.3.1 no. 7, 8.2.1 no. 3 The attackers go into the hex that was left, the upper first, as many as it holds (7.1,
    ruling)."""
    going = holding(pos, [u for u in units if pos.on_map(u) and pos.morale.get(u, 0) < UNSTEADY], hex_)
    if not going or pos.holder(hex_) is not None or hex_ in shunned(pos, going[0]):
        return  # A15.2 nobody goes where his limits end
    start = next((h for h in pos.footprint(going[0]) if hex_ in pos.game.board.touching(h)), None)
    if start is None:
        return
    side, left = pos.game.board.side_to(start, hex_), pos.footprint(going[0])
    for unit in going:
        step_into(pos, unit, start, hex_, side)
    arrived(pos, going[0])
    pos.tell("advanced", clause, pos.unit(going[0]).side, units=going, at=hex_, path=[start, hex_], **{"from": start})
    yield from ridden_down(pos, pos.footprint(going[0]))
    yield from unaccompanied(pos, left)


def _fits(pos: Position, unit: str, here: str, there: str) -> bool:
    """6.5, 5.1 Whether a hex of a counter on two may come into another: free, and ground that it may enter."""
    return pos.holder(there) is None and in_area(pos, there) and pos.game.board.price(
        column_of(pos.unit(unit), DISORDER), here, there, False) is not None


def step_into(pos: Position, unit: str, start: str, hex_: str, side: int) -> None:
    """6.5 A unit steps over a side of one of its hexes. A counter on two keeps its shape where both hexes are free,
    else it follows into the hex left, disordered."""
    at, tail, around = pos.at[unit], pos.tail.get(unit), pos.game.board.around
    if tail is None:
        pos.put(unit, hex_)
        rough(pos, unit, start, hex_)
        return
    spots = around[at][side], around[tail][side]
    own = pos.footprint(unit)
    pairs = [(h, s) for h, s in zip(own, spots, strict=True) if s is not None]
    if len(pairs) == 2 and all(s in own or (s == hex_ and pos.holder(s) is None) or _fits(pos, unit, h, s)
                               for h, s in pairs):
        pos.put(unit, pairs[0][1], pairs[1][1])
        for here, there in pairs:
            if there not in own:
                rough(pos, unit, here, there)
        return
    pos.put(unit, hex_, start)
    if pos.form[unit] != SQUARE:
        pos.form[unit], pos.facing[unit] = DISORDER, 2 * side
    pos.mark(unit)
