"""4, 5, 6 Movement, and leaders."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from rules.core.agenda import AGAIN, DONE, Next
from rules.core.errors import Refusal, unknown
from rules.core.forms import Answer, Choose, Form, Group, Move, Option, Place, label
from rules.core.procedure import Procedure, ask, roll
from rules.core.request import NOBODY, Needs, Request
from rules.titles.ultimo_hombre import leaders
from rules.titles.ultimo_hombre.battle import combat_needs
from rules.titles.ultimo_hombre.board import SIDES, enemy
from rules.titles.ultimo_hombre.capitals import fall_needs
from rules.titles.ultimo_hombre.control import take
from rules.titles.ultimo_hombre.position import BOX, OUT, Able, Position
from rules.titles.ultimo_hombre.prospects import prospects
from rules.titles.ultimo_hombre.transport import company, kept, one_place, overfull, setting_out, strange_ground
from rules.titles.ultimo_hombre.turn import enter_stage, segments

ALLOWANCE = {"infantry": 2, "cavalry": 3}
LEADER_PACE = 6  # 17.1


@segments.segment
def begin_movement(pos: Position, side: str) -> Procedure[Next]:
    """4 A movement phase begins."""
    yield from ()
    enter_stage(pos, "movement", side)
    pos.tell("movement_began", "2", side)
    return DONE


@segments.segment
def movement(pos: Position, side: str) -> Procedure[Next]:
    """4 One move, one placing of leaders, or the end of the phase."""
    forms: list[Form] = [f for f in (leader_form(pos, side), move_form(pos, side)) if f is not None]
    forms.append(Choose("end_movement", "2", (Option("end", "2", label("option.end_movement"), ends=True),)))
    answer = yield from ask(Request(side, "prompt.movement", "4", tuple(forms),
                                    needs=lambda answer: movement_needs(pos, side, answer)))
    match answer["form"]:
        case "leaders":
            place_leaders(pos, side, answer["placed"])
        case "move":
            yield from carry_out(pos, side, answer)
        case _:
            end_movement(pos, side)
            return DONE
    return AGAIN


def movement_needs(pos: Position, side: str, answer: Answer) -> Needs:
    """7, 13 What the other side has to decide: where its government goes when troops walk into its capital, and its
    line when the phase ends with one battle to come."""
    match answer["form"]:
        case "move" if any(u in pos.game.units for u in answer["units"]):
            return fall_needs(pos, side, [s for s in answer["path"][1:] if not pos.units_of(enemy(side), s)])
        case "end_movement":
            return combat_needs(pos, side)
        case _:
            return NOBODY


def end_movement(pos: Position, side: str) -> None:
    """6 Leaders stay where they are from now on; one without units goes back to his box (ruling)."""
    for who in SIDES:
        leaders.leave_alone(pos, who)
    pos.tell("movement_ended", "2", side)


# -- leaders -----------------------------------------------------------------------------------------------

def leader_form(pos: Position, side: str) -> Place | None:
    """6 Leaders go freely to any space where own units stand or enemies can be attacked, or back to their boxes;
    17.1 under the option they come out to own units, but not by themselves into a battle to come, and walk like units
    from then on."""
    own, foes = pos.armies[side].keys(), pos.armies[enemy(side)].keys()
    where = tuple(sorted(own - foes if pos.options["leaders"] else own | foes))
    home = tuple(sorted((*where, BOX)))
    groups = []
    for leader, at in sorted(pos.leaders.items()):
        if pos.game.leaders[leader]["side"] != side or at == OUT or holds_battle(pos, side, leader):
            continue
        if pos.options["leaders"] and at != BOX:
            continue
        spots = where if at == BOX else _without(home, at)
        groups.append(Group(leader, "6", (leader,), spots))

    def led(answer: Answer) -> None:
        placed: dict[str, str] = answer["placed"]
        for space in pos.attacks:
            if all(placed.get(x, space) != space for x in pos.leaders_at(side, space)):
                raise Refusal("refusal.battle_needs_leader", "6", at=space)

    groups = [group for group in groups if group.where]
    return Place("leaders", "6", tuple(groups), len(pos.leaders), "6", legal=led,
                 why=lambda leader, loc: not_led(pos, side, leader, loc)) if groups else None


def _without(places: tuple[str, ...], at: str) -> tuple[str, ...]:
    if at not in places:
        return places
    n = places.index(at)
    return places[:n] + places[n + 1:]


def not_led(pos: Position, side: str, leader: str, loc: str | None) -> Refusal | None:
    """6, 17.1 Why a leader isn't put there, or not at all."""
    if leader not in pos.leaders:
        return unknown(leader)
    if loc is not None:
        return not_led_there(pos, side, leader, loc)
    if pos.game.leaders[leader]["side"] != side:
        return Refusal("refusal.not_yours", "6")
    if pos.leaders[leader] == OUT:
        return Refusal("refusal.leader_gone", "6", unit=leader)
    if holds_battle(pos, side, leader):
        return Refusal("refusal.battle_needs_leader", "6", at=pos.leaders[leader])
    return Refusal("refusal.leader_walks", "17.1", unit=leader)


def not_led_there(pos: Position, side: str, leader: str, loc: str) -> Refusal:
    """6, 17.1 Why a leader isn't put in that place."""
    if loc != BOX and loc not in pos.game.spaces:
        return unknown(loc)
    if loc == pos.leaders[leader]:
        return Refusal("refusal.leader_is_there", "6", unit=leader)
    if pos.options["leaders"] and pos.units_of(enemy(side), loc):
        return Refusal("refusal.leader_alone", "17.1", at=loc)
    return Refusal("refusal.nobody_to_lead", "6", at=loc)


def holds_battle(pos: Position, side: str, leader: str) -> bool:
    """6 Whether a leader is the only one with attackers, so that he must stay."""
    at = pos.leaders[leader]
    return at in pos.attacks and len(pos.leaders_at(side, at)) == 1


def place_leaders(pos: Position, side: str, placed: Mapping[str, str]) -> None:
    """6 Put leaders on the board or back."""
    for leader, loc in placed.items():
        pos.place_leader(leader, loc)
    went = [
        {"key": "note.leader_home", "args": {"leader": x}}
        if s == BOX
        else {"key": "note.leader_at", "args": {"leader": x, "at": s}}
        for x, s in sorted(placed.items())
    ]
    pos.tell("leaders_placed", "6", side, placed=went, count=len(placed))


# -- units -------------------------------------------------------------------------------------------------

def allowance(pos: Position, unit: str) -> int:
    """4, 17.3 Two spaces for infantry, three for cavalry; cards may give more (12.1), under the option El Chaco one."""
    if unit in pos.leaders:
        return LEADER_PACE
    u = pos.unit(unit)
    n, mods = ALLOWANCE[u.type], pos.effects("move_mod")
    if not mods and not pos.options.get("chaco"):
        return n
    region = began_in(pos, unit)
    for _, effect in mods:
        if effect["side"] == u.side and effect["unit_type"] == u.type \
                and region in effect.get("start_regions", [region]):
            n = max(n, effect["move"])
    if pos.options.get("chaco") and region == "el_chaco":
        return 1
    return n


def began_in(pos: Position, unit: str) -> str | None:
    """The region where a unit was when its movement phase began."""
    return pos.starts[unit] if unit in pos.starts else pos.space(pos.at[unit]).region


def pace_clause(pos: Position, unit: str) -> str:
    """The clause that says how far a unit or leader goes."""
    if unit in pos.leaders:
        return "17.1"
    return "17.3" if pos.options.get("chaco") and began_in(pos, unit) == "el_chaco" else "4"


def left(pos: Position, unit: str) -> int:
    """Spaces a unit can still go this phase."""
    return allowance(pos, unit) - pos.steps.get(unit, 0)


def halted(pos: Position, unit: str, space: str) -> Refusal | None:
    """Why a unit or leader can't move now: 3 what was shipped, 7 what stands in a battle to come, 12.1 Argentina before
    its war and those a card holds, 4 who has no space left to go."""
    if unit in pos.shipped:
        return Refusal("refusal.was_shipped", "3", at=space, unit=unit)
    if space in pos.attacks:
        return Refusal("refusal.in_battle", "7", at=space, unit=unit)
    if unit not in pos.leaders and (why := kept(pos, unit, "movement")) is not None:
        return why
    return None if left(pos, unit) > 0 else Refusal("refusal.spent", pace_clause(pos, unit), at=space, unit=unit)


def why_not(pos: Position, side: str, units: Sequence[str], to: str | None) -> Refusal | None:
    """Why units can't move now, or can't go there."""
    try:
        start = setting_out(pos, side, units, "4", halted)
    except Refusal as refusal:
        return refusal
    if to is None:
        return shut_in(pos, side, units, start)
    if to not in pos.game.spaces:
        return unknown(to)
    if (problem := entry_problem(pos, side, units, to)) is not None:
        return problem
    far = distance(pos, side, units, start, to)
    return Refusal("refusal.no_way", "4", at=to) if far is None else too_far(pos, units, to, far)


def shut_in(pos: Position, side: str, units: Sequence[str], start: str) -> Refusal | None:
    """4, 6, 15 Why units can't enter any space next to theirs."""
    problems = [entry_problem(pos, side, units, near) for near in pos.game.near[start]]
    return next((p for p in problems if p), None) if all(problems) else None


def distance(pos: Position, side: str, units: Sequence[str], start: str, to: str) -> int | None:
    """4 The fewest spaces by which units could get somewhere if they had enough; None if there is no way."""
    far, edge = {start: 0}, [start]
    while edge and to not in far:
        here = edge.pop(0)
        if here != start and pos.units_of(enemy(side), here):
            continue
        for there in pos.game.near[here]:
            if there not in far and entry_problem(pos, side, units, there) is None:
                far[there] = far[here] + 1
                edge.append(there)
    return far.get(to)


def too_far(pos: Position, units: Sequence[str], to: str, n: int) -> Refusal:
    """4, 17.1, 17.3 The slowest of them can't go as many spaces."""
    slowest = min(units, key=lambda u: (left(pos, u), u))
    return Refusal("refusal.too_far", pace_clause(pos, slowest), at=to, unit=slowest, n=n, left=left(pos, slowest))


def free_to_go(pos: Position, side: str, space: str, able: Sequence[str]) -> list[str]:
    """4, 17.1 Those of the `able` units and leaders of a space that can enter any space next to it, if need be with a
    leader who walks along (he with a unit). Units of one nation can go the same ways, and so can all leaders."""
    ways: dict[str, bool] = {}
    out = []
    for unit in able:
        led = unit in pos.game.units
        kind = pos.unit(unit).nation if led else "leader"
        if kind not in ways:
            along = [u for u in able if (u in pos.leaders) is led] if pos.options["leaders"] else []
            parties = [[unit], *([unit, other] for other in along)]
            ways[kind] = any(entry_problem(pos, side, party, near) is None for near in pos.game.near[space]
                             for party in parties)
        if ways[kind]:
            out.append(unit)
    return out


def abilities(pos: Position, side: str, space: str) -> Able:
    """4 What can still move from a space, and why the last of its company can't where nothing can: kept in
    `pos.able`."""
    there = company(pos, side, space)
    unhalted = [u for u in there if halted(pos, u, space) is None]
    able = [{"id": u, "left": left(pos, u)} for u in free_to_go(pos, side, space, unhalted)]
    last = there[-1] if there and not able else None
    why = None if last is None else halted(pos, last, space) or shut_in(pos, side, [last], space)
    pos.able[space] = able, last, why.reason() if why else {}
    return pos.able[space]


def move_form(pos: Position, side: str) -> Move | None:
    """4, 17.1 What can still move, leaders too under the option."""
    places = {*pos.armies[side]} | ({s for s in pos.leaders.values() if s in pos.game.spaces}
                                       if pos.options["leaders"] else set())
    for space in places - pos.able.keys():
        abilities(pos, side, space)
    stacks, still, reasons = dict[str, list[dict[str, Any]]](), dict[str, str](), dict[str, dict[str, Any]]()
    for space in sorted(places):
        able, last, reason = pos.able[space]
        if able:
            stacks[space] = able
        elif last is not None:
            still[space] = last
            reasons[space] = reason
    if not stacks:
        return None
    return Move("move", "4", stacks, reach=lambda units, aboard: reach(pos, side, units, aboard),
                legal=lambda answer: check(pos, side, answer), still=still, moved=pos.steps, reasons=reasons,
                why=lambda units, _aboard, to: why_not(pos, side, units, to),
                show=lambda answer: show(pos, side, answer))


def show(pos: Position, side: str, answer: Answer) -> dict[str, Any]:
    """4, 7 What a march costs, and the battle it would bring. Raises Refusal for one that may not be made."""
    check(pos, side, answer)
    path = answer["path"]
    return {"cost": len(path) - 1, "steps": [{"at": at, "cost": n} for n, at in enumerate(path)],
            "left": {u: left(pos, u) - (len(path) - 1) for u in answer["units"]},
            "attacks": prospects(pos, side, answer["units"], path)}


def battles_left(pos: Position, side: str) -> int:
    """12.1 How many more battles a card lets a side start (P13)."""
    limits = [effect["max"] for _, effect in pos.effects("limit_battles") if effect["side"] == side]
    return min(limits, default=99) - len(pos.attacks)


def entry_problem(pos: Position, side: str, units: Sequence[str], b: str) -> Refusal | None:
    """4, 6, 15 Why units may not enter a space, or None."""
    if (foreign := strange_ground(pos, units, b)) is not None:
        return foreign
    if not pos.units_of(enemy(side), b):
        return None
    if not any(u in pos.game.units for u in units):
        return Refusal("refusal.leader_alone", "17.1", at=b)
    with_them = any(u in pos.leaders for u in units)
    if not with_them and not pos.leaders_at(side, b):
        return Refusal("refusal.no_leader", "6", at=b)
    if b not in pos.attacks and battles_left(pos, side) < 1:
        return Refusal("refusal.no_more_battles", "12.1", at=b)
    return None


def reach(pos: Position, side: str, units: Sequence[str], aboard: Mapping[str, str]) -> dict[str, Any]:
    """4 Where units can go together; the way ends where the enemy stands."""
    if aboard:
        raise Refusal("refusal.no_ships", "4")
    start = one_place(pos, units)
    pace = min(left(pos, u) for u in units)
    cost, via, edge = {start: 0}, {}, [start]
    blocked: dict[str, dict[str, Any]] = {}
    for n in range(1, pace + 1):
        following = []
        for here in edge:
            if here != start and pos.units_of(enemy(side), here):
                continue
            for there in pos.game.near[here]:
                if there in cost:
                    continue
                problem = entry_problem(pos, side, units, there)
                if problem is not None:
                    blocked[there] = problem.reason()
                    continue
                cost[there], via[there] = n, here
                following.append(there)
        edge = sorted(following)
    del cost[start]
    for there in cost:
        blocked.pop(there, None)
        if (full := overfull(pos, side, units, there)) is not None:
            blocked[there] = full.reason()
    return {"from": start, "cost": cost, "via": via, "left": pace, "blocked": blocked}


def check(pos: Position, side: str, answer: Answer) -> None:
    """4, 5, 6 Whether a move may be made. Raises Refusal."""
    units, path = answer["units"], answer["path"]
    start = setting_out(pos, side, units, "4", halted)
    if path[0] != start or len(path) < 2:
        raise Refusal("refusal.path_start", "4", at=start)
    if len(path) - 1 > min(left(pos, u) for u in units):
        raise too_far(pos, units, path[-1], len(path) - 1)
    for i, (a, b) in enumerate(itertools.pairwise(path)):
        if b not in pos.game.links.get(a, {}):
            raise Refusal("refusal.not_adjacent", "4", at=b)
        problem = entry_problem(pos, side, units, b)
        if problem is not None:
            raise problem
        if pos.units_of(enemy(side), b) and i < len(path) - 2:
            raise Refusal("refusal.enemy_stops", "4", at=b)
    if (full := overfull(pos, side, units, path[-1])) is not None:
        raise full


def carry_out(pos: Position, side: str, answer: Answer) -> Procedure[None]:
    """4 Walk the path: each empty enemy space on it changes hands at once (11); enemy units mean battle (7)."""
    units, path = answer["units"], answer["path"]
    troops = [u for u in units if u in pos.game.units]
    for unit in units:
        if unit in pos.game.units:
            pos.starts.setdefault(unit, pos.space(path[0]).region)
        pos.steps[unit] = pos.steps.get(unit, 0) + len(path) - 1
    if not troops:
        yield from ride(pos, side, units, path)
        return
    tell_march(pos, side, units, path)
    for a, b in itertools.pairwise(path):
        for unit in units:
            if unit in pos.leaders:
                pos.place_leader(unit, b)
            else:
                pos.put(unit, b)
        pos.touch(a)
        if pos.units_of(enemy(side), b):
            join_attack(pos, side, b, a, troops)
            return
        leaders.escape(pos, side, b)
        yield from take(pos, b, side)
        if pos.result is not None:
            return


def tell_march(pos: Position, side: str, units: Sequence[str], path: Sequence[str]) -> None:
    """4 Who has gone which way."""
    pos.tell(
        "marched", "4", side, path=list(path), at=path[-1], count=len(units), units=list(units), **{"from": path[0]}
    )


def ride(pos: Position, side: str, riders: Sequence[str], path: Sequence[str]) -> Procedure[None]:
    """17.1 Leaders without units go on from one empty enemy space to the next, told as far as they come."""
    start, last = 0, len(path) - 1
    for n in range(1, last + 1):
        risky = pos.controller(path[n]) == enemy(side)
        if n < last and not risky:
            continue
        for leader in riders:
            pos.place_leader(leader, path[n])
        tell_march(pos, side, riders, path[start : n + 1])
        if risky:
            yield from alone(pos, side, riders, path[n])
        riders, start = [x for x in riders if pos.leaders[x] != OUT], n
        if pos.result is not None or not riders:
            return


def alone(pos: Position, side: str, riders: Sequence[str], space: str) -> Procedure[None]:
    """17.1 Leaders without units in an empty enemy space: on a six each is captured."""
    for leader in riders:
        if pos.result is not None:
            return
        drawn = yield from roll("leader_alone", "17.1", 1, 6)
        pos.tell("leader_risked", "17.1", side, leader=leader, at=space, roll=drawn)
        if drawn == 6:
            leaders.capture(pos, leader)
            leaders.leave_alone(pos, side)  # 14: Argentina may have gone with him, and who was with its units is alone


def join_attack(pos: Position, side: str, space: str, origin: str, troops: Sequence[str]) -> None:
    """6, 7, 10 Units enter an enemy space: attackers in the battle to come, over a blue line or not."""
    attack = pos.attacks.setdefault(space, {"at": space, "units": [], "from": {}, "blue": []})
    attack["units"] = sorted([*attack["units"], *troops])
    for unit in troops:
        attack["from"][unit] = origin
        if pos.game.links[origin][space] == "blue":
            attack["blue"].append(unit)
    pos.touched.add(f"space:{space}")
    pos.forget()
    pos.tell("attack_joined", "7", side, at=space, count=len(troops), units=list(troops), **{"from": origin})
