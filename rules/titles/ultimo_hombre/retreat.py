"""8 Retreat, and 5 what happens to units beyond six."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.core.errors import Refusal
from rules.core.forms import Allocate, Choose, Lot, Option, label
from rules.core.procedure import Procedure, allocate, choose, together
from rules.core.request import Request, needs_open
from rules.titles.ultimo_hombre.board import LIMIT, enemy
from rules.titles.ultimo_hombre.position import Position
from rules.titles.ultimo_hombre.transport import may_stand, strange_ground


def may_retreat(pos: Position, who: str, attacker: str, space: str) -> Procedure[bool]:
    """8 The side whose enemy has just fired stays or retreats; True when it has gone."""
    request = retreat_request(pos, who, attacker, space)
    if request is None:
        return False
    wish = yield from choose(request)
    return (yield from go(pos, who, attacker, space, wish))


def may_both(pos: Position, attacker: str, space: str) -> Procedure[bool]:
    """8, 10 Both have just fired, so both say at once what they would do; the attacker's word comes first, and the
    defender stays when the attacker goes (ruling)."""
    order = (attacker, enemy(attacker))
    asked = {who: request for who in order if (request := retreat_request(pos, who, attacker, space)) is not None}
    answers = yield from together(asked)
    for who, answer in answers.items():
        if (yield from go(pos, who, attacker, space, answer["option"])):
            return True
    return False


def retreat_request(pos: Position, who: str, attacker: str, space: str) -> Request | None:
    """8 Stay or retreat. A defender with nowhere to go is not asked: the board lies open."""
    ways = [] if who == attacker else havens(pos, who, space)
    if who != attacker and not ways:
        return None
    options = [Option("stay", "8", label("option.stay"))]
    if who == attacker:
        options.append(Option("retreat", "8", label("option.retreat")))
    options += [Option(s, "8", label("option.retreat_to", at=s), at=s) for s in ways]
    form = Choose("retreat", "8", tuple(options), why=lambda given: no_haven(pos, who, space, given))
    return Request(who, "prompt.retreat", "8", (form,), {"at": space}, needs=needs_open)


def go(pos: Position, who: str, attacker: str, space: str, wish: str) -> Procedure[bool]:
    """8 What a side wished: True when it has gone."""
    if wish == "stay":
        return False
    if who == attacker:
        yield from back(pos, who, space)
    else:
        yield from away(pos, who, space, wish)
    return True


def havens(pos: Position, side: str, space: str) -> list[str]:
    """8 Adjacent spaces the side controls, one where a battle is to come among them, but none with enemies alone."""
    units = garrison(pos, side, space)
    return [s for s in pos.game.near[space] if pos.controller(s) == side and all(may_stand(pos, u, s) for u in units)
            and (pos.units_of(side, s) or not pos.units_of(enemy(side), s))]


def no_haven(pos: Position, who: str, space: str, given: Any) -> Refusal | None:
    """8, 15 Why no retreat goes to a space; None for what is no space at all."""
    if given not in list(pos.game.spaces):
        return None
    units = [] if given not in pos.game.near[space] else garrison(pos, who, space)
    return strange_ground(pos, units, given) or Refusal("refusal.no_haven", "8", at=given)


def garrison(pos: Position, side: str, space: str) -> list[str]:
    """7, 8 The units of a space that defend it: all but those that have fled there."""
    return [u for u in pos.units_of(side, space) if u not in pos.fled.get(space, [])]


def back(pos: Position, side: str, space: str) -> Procedure[None]:
    """8 Attackers go back where they came from; their leaders go with a group their player picks."""
    attack = pos.attacks[space]
    units = [u for u in attack["units"] if pos.at[u] == space]
    origins = sorted({attack["from"][u] for u in units})
    for unit in units:
        pos.put(unit, attack["from"][unit])
    pos.tell("retreated", "8", side, at=space, units=units, count=len(units), to=origins)
    for leader in pos.leaders_at(side, space):
        goal = yield from choose(Request(side, "prompt.leader_goes", "8", (
            Choose("leader_goes", "8", tuple(Option(s, "8", label("option.at", at=s), at=s) for s in origins)),),
            {"leader": leader}, open_grounds=True, needs=needs_open))
        pos.place_leader(leader, goal)
        pos.tell("leader_moved", "8", side, leader=leader, at=goal)
    for origin in origins:
        yield from spread(pos, side, origin, space, units)


def away(pos: Position, side: str, space: str, goal: str) -> Procedure[None]:
    """8 All surviving defenders go to one adjacent space; into a battle to come they take no part in it."""
    units = garrison(pos, side, space)
    leaders = [x for x in pos.leaders_at(side, space) if x not in pos.fled.get(space, [])]
    for unit in units:
        pos.put(unit, goal)
    for leader in leaders:
        pos.place_leader(leader, goal)
    if goal in pos.attacks:
        pos.fled.setdefault(goal, []).extend([*units, *leaders])
    pos.tell("retreated", "8", side, at=space, units=units, count=len(units), to=[goal])
    if goal in pos.attacks:
        pos.tell("fled_into_battle", "8", side, at=goal)
    for leader in leaders:
        pos.tell("leader_moved", "8", side, leader=leader, at=goal)
    yield from spread(pos, side, goal, space, units)
    yield from follow(pos, side, goal, leaders, units)


def spread(pos: Position, side: str, space: str, lost: str, fleeing: Sequence[str]) -> Procedure[None]:
    """5 Of the units that came retreating those beyond six go on to the nearest own space with room, never one that
    is fought over; with nowhere to go they are lost (rulings)."""
    excess = len(pos.units_of(side, space)) - LIMIT
    if excess <= 0:
        return
    units = tuple(u for u in pos.units_of(side, space) if u in fleeing)
    taken = yield from allocate(Request(side, "prompt.excess", "5", (
        Allocate("excess", "5", "send", (Lot("excess", units, excess, excess, at=space),)),),
        {"n": excess, "at": space}, needs=needs_open))
    for unit in taken["excess"]:
        goals = pos.game.nearest(space, [s for s in pos.game.spaces
                                         if room(pos, side, unit, s) and s not in (space, lost)])
        if unit in pos.fled.get(space, []):
            pos.fled[space].remove(unit)
        if not goals:
            pos.bury(unit)
            pos.tell("nowhere_to_go", "5", side, at=space, unit=unit)
            continue
        goal = yield from choose(Request(side, "prompt.excess_to", "5", (
            Choose("excess_to", "5", tuple(Option(s, "5", label("option.at", at=s), at=s) for s in goals)),),
            {"unit": unit}, open_grounds=True, needs=needs_open))
        pos.put(unit, goal)
        pos.tell("moved_on", "5", side, unit=unit, at=goal, **{"from": space})


def follow(pos: Position, side: str, space: str, leaders: Sequence[str], fleeing: Sequence[str]) -> Procedure[None]:
    """5, 8 (ruling) A leader who fled into a battle to come stays with units he fled with; if all of them went on he
    goes on with one, and if none is left he joins the units that hold the space."""
    if space not in pos.fled or any(pos.at[u] == space for u in fleeing):
        return  # elsewhere six own units stand with him
    goals = sorted({pos.at[u] for u in fleeing if pos.at[u] in pos.game.spaces})
    for leader in leaders:
        pos.fled[space].remove(leader)
        if not goals:
            continue
        goal = yield from choose(Request(side, "prompt.leader_goes", "8", (
            Choose("leader_goes", "8", tuple(Option(s, "8", label("option.at", at=s), at=s) for s in goals)),),
            {"leader": leader}, open_grounds=True, needs=needs_open))
        pos.place_leader(leader, goal)
        pos.tell("leader_moved", "8", side, leader=leader, at=goal)


def room(pos: Position, side: str, unit: str, space: str) -> bool:
    """5 Whether a space of the own side can take one more unit."""
    return (pos.controller(space) == side and space not in pos.attacks and not pos.units_of(enemy(side), space)
            and len(pos.units_of(side, space)) < LIMIT and may_stand(pos, unit, space))


def near_room(pos: Position, side: str, unit: str, spaces: Sequence[str], start: str) -> list[str]:
    """12.1 The nearest own spaces with room, for a unit of a card whose spaces are full."""
    return pos.game.nearest(start, [s for s in pos.game.spaces if s not in spaces and room(pos, side, unit, s)])
