"""4, 5, 6 Movement, and leaders."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from rules.core.agenda import AGAIN, DONE, Next
from rules.core.errors import Refusal
from rules.core.forms import Answer, Choose, Form, Group, Move, Option, Place, label
from rules.core.procedure import Procedure, ask, roll
from rules.core.request import NOBODY, Needs, Request
from rules.titles.ultimo_hombre import leaders
from rules.titles.ultimo_hombre.battle import combat_needs
from rules.titles.ultimo_hombre.board import LIMIT, NEUTRAL, SIDES, enemy
from rules.titles.ultimo_hombre.capitals import fall_needs
from rules.titles.ultimo_hombre.control import take
from rules.titles.ultimo_hombre.position import BOX, OUT, Position
from rules.titles.ultimo_hombre.transport import may_act, may_stand, one_place
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
    17.1 under the option they walk like units once they are on the map."""
    own, foes = pos.armies[side].keys(), pos.armies[enemy(side)].keys()
    where = tuple(sorted(own if pos.options["leaders"] else own | foes))
    home = tuple(sorted((*where, BOX)))
    groups = []
    for leader, at in sorted(pos.leaders.items()):
        if pos.game.leaders[leader]["side"] != side or at == OUT or holds_battle(pos, side, leader):
            continue
        if pos.options["leaders"] and at != BOX:
            continue
        spots = where if at == BOX else tuple(s for s in home if s != at)
        groups.append(Group(leader, "6", (leader,), spots))

    def led(answer: Answer) -> None:
        placed: dict[str, str] = answer["placed"]
        for space in pos.attacks:
            if all(placed.get(x, space) != space for x in pos.leaders_at(side, space)):
                raise Refusal("refusal.battle_needs_leader", "6", at=space)

    groups = [group for group in groups if group.where]
    return Place("leaders", "6", tuple(groups), len(pos.leaders), "6", legal=led) if groups else None


def holds_battle(pos: Position, side: str, leader: str) -> bool:
    """6 Whether a leader is the only one with attackers, so that he must stay."""
    at = pos.leaders[leader]
    return at in pos.attacks and len(pos.leaders_at(side, at)) == 1


def place_leaders(pos: Position, side: str, placed: Mapping[str, str]) -> None:
    """6 Put leaders on the board or back."""
    for leader, loc in placed.items():
        pos.place_leader(leader, loc)
    pos.tell("leaders_placed", "6", side, placed=[[x, s] for x, s in sorted(placed.items())], count=len(placed))


# -- units -------------------------------------------------------------------------------------------------

def allowance(pos: Position, unit: str) -> int:
    """4, 17.3 Two spaces for infantry, three for cavalry; cards may give more (12.1), under the option El Chaco one."""
    if unit in pos.leaders:
        return LEADER_PACE
    u = pos.unit(unit)
    region = pos.starts[unit] if unit in pos.starts else pos.space(pos.at[unit]).region
    n = ALLOWANCE[u.type]
    for _, effect in pos.effects("move_mod"):
        if effect["side"] == u.side and effect["unit_type"] == u.type \
                and region in effect.get("start_regions", [region]):
            n = max(n, effect["move"])
    if pos.options["chaco"] and region == "el_chaco":
        return 1
    return n


def left(pos: Position, unit: str) -> int:
    """Spaces a unit can still go this phase."""
    return allowance(pos, unit) - pos.steps.get(unit, 0)


def can_move(pos: Position, unit: str, space: str) -> bool:
    """4 Not what was shipped, nor what stands in a battle to come, nor Argentina before its war."""
    if unit in pos.shipped or space in pos.attacks or left(pos, unit) <= 0:
        return False
    return unit in pos.leaders or may_act(pos, unit, "movement")


def movers(pos: Position, side: str, space: str) -> list[str]:
    """Units of a space that can still move, with leaders under option 1."""
    walking = pos.leaders_at(side, space) if pos.options["leaders"] else []
    return [u for u in [*pos.units_of(side, space), *walking] if can_move(pos, u, space)]


def free_to_go(pos: Position, side: str, space: str) -> list[str]:
    """4, 17.1 The movers of a space that can enter any space next to it, if need be with a leader who walks along (he
    with a unit). Units of one nation can go the same ways, and so can all leaders."""
    able = movers(pos, side, space)
    ways: dict[str, bool] = {}
    out = []
    for unit in able:
        led = unit in pos.game.units
        kind = pos.unit(unit).nation if led else "leader"
        if kind not in ways:
            along = [u for u in able if (u in pos.leaders) is led] if pos.options["leaders"] else []
            ways[kind] = any(entry_problem(pos, side, party, near) is None for near in pos.game.near[space]
                             for party in ([unit], *([unit, other] for other in along)))
        if ways[kind]:
            out.append(unit)
    return out


def move_form(pos: Position, side: str) -> Move | None:
    """4, 17.1 What can still move, leaders too under the option."""
    places = {*pos.armies[side]} | ({s for s in pos.leaders.values() if s in pos.game.spaces}
                                       if pos.options["leaders"] else set())
    for space in places - pos.able.keys():
        pos.able[space] = [{"id": u, "left": left(pos, u)} for u in free_to_go(pos, side, space)]
    stacks = {s: able for s in sorted(places) if (able := pos.able[s])}
    if not stacks:
        return None
    return Move("move", "4", stacks, reach=lambda units, aboard: reach(pos, side, units, aboard),
                legal=lambda answer: check(pos, side, answer), moved=pos.steps)


def battles_left(pos: Position, side: str) -> int:
    """12.1 How many more battles a card lets a side start (P13)."""
    limits = [effect["max"] for _, effect in pos.effects("limit_battles") if effect["side"] == side]
    return min(limits, default=99) - len(pos.attacks)


def entry_problem(pos: Position, side: str, units: Sequence[str], b: str) -> Refusal | None:
    """4, 6, 15 Why units may not enter a space, or None."""
    troops = [u for u in units if u in pos.game.units]
    for unit in troops:
        if not may_stand(pos, unit, b):
            if pos.unit(unit).nation == "uruguay_blanco":
                return Refusal("refusal.stays_in_uruguay", "15", at=b, unit=unit)
            return Refusal("refusal.not_into_argentina", "12.1", at=b, unit=unit)
    if not pos.units_of(enemy(side), b):
        return None
    if not troops:
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
                    blocked[there] = {k: v for k, v in problem.as_json().items() if k != "at"}
                    continue
                cost[there], via[there] = n, here
                following.append(there)
        edge = sorted(following)
    del cost[start]
    troops = sum(u in pos.game.units for u in units)
    for there in cost:
        blocked.pop(there, None)
        n = len(pos.units_of(side, there)) + troops
        if n > LIMIT:
            blocked[there] = {"key": "refusal.too_many", "clause": "5", "args": {"n": n, "limit": LIMIT}}
    return {"from": start, "cost": cost, "via": via, "left": pace, "blocked": blocked}


def check(pos: Position, side: str, answer: Answer) -> None:
    """4, 5, 6 Whether a move may be made. Raises Refusal."""
    units, path = answer["units"], answer["path"]
    if not units:
        raise Refusal("refusal.nobody_moves", "4")
    start = one_place(pos, units)
    able = movers(pos, side, start)
    for unit in units:
        if unit not in able:
            raise Refusal("refusal.cannot_move", "4", at=start, unit=unit)
    if path[0] != start or len(path) < 2:
        raise Refusal("refusal.path_start", "4", at=start)
    slowest = min(units, key=lambda u: (left(pos, u), u))
    if len(path) - 1 > left(pos, slowest):
        raise Refusal("refusal.too_far", "4", at=path[-1], unit=slowest, n=len(path) - 1, left=left(pos, slowest))
    for i, (a, b) in enumerate(itertools.pairwise(path)):
        if b not in pos.game.links.get(a, {}):
            raise Refusal("refusal.not_adjacent", "4", at=b)
        problem = entry_problem(pos, side, units, b)
        if problem is not None:
            raise problem
        if pos.units_of(enemy(side), b) and i < len(path) - 2:
            raise Refusal("refusal.enemy_stops", "4", at=b)
    n = len(pos.units_of(side, path[-1])) + sum(u in pos.game.units for u in units)
    if n > LIMIT:
        raise Refusal("refusal.too_many", "5", at=path[-1], n=n, limit=LIMIT)


def carry_out(pos: Position, side: str, answer: Answer) -> Procedure[None]:
    """4 Walk the path: each empty enemy space on it changes hands at once (11); enemy units mean battle (7)."""
    units, path = answer["units"], answer["path"]
    troops = [u for u in units if u in pos.game.units]
    for unit in units:
        if unit in pos.game.units:
            pos.starts.setdefault(unit, pos.space(path[0]).region)
        pos.steps[unit] = pos.steps.get(unit, 0) + len(path) - 1
    pos.tell("marched", "4", side, path=path, at=path[-1], count=len(units), units=units, **{"from": path[0]})
    for a, b in itertools.pairwise(path):
        units = [u for u in units if pos.leaders.get(u) != OUT]  # 17.1: one may be captured on the way
        for unit in units:
            if unit in pos.leaders:
                pos.place_leader(unit, b)
            else:
                pos.put(unit, b)
        pos.touch(a)
        if pos.units_of(enemy(side), b):
            join_attack(pos, side, b, a, troops)
            return
        if not troops:
            yield from alone(pos, side, units, b)
        elif pos.controller(b) != NEUTRAL:
            yield from take(pos, b, side)
        if pos.result is not None or not any(pos.at.get(u) == b or pos.leaders.get(u) == b for u in units):
            return


def alone(pos: Position, side: str, units: Sequence[str], space: str) -> Procedure[None]:
    """17.1 Leaders without units in an empty enemy space: on a six each is captured."""
    if pos.controller(space) != enemy(side):
        return
    for leader in units:
        if pos.result is not None:
            return
        drawn = yield from roll("leader_alone", "17.1", 1, 6)
        pos.tell("leader_risked", "17.1", side, leader=leader, at=space, roll=drawn)
        if drawn == 6:
            leaders.capture(pos, leader)


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
