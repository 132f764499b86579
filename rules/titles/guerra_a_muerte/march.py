"""5.2 Marching, 3.4 interception."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from rules.core.errors import Refusal
from rules.core.forms import Allocate, Answer, Lot, Move, Option, label
from rules.core.procedure import Procedure
from rules.mechanics.lookup import Lookup, lookup
from rules.titles.guerra_a_muerte.arrivals import LEGION_HOME, alarm
from rules.titles.guerra_a_muerte.asking import DIE, d6, pick, yes_no
from rules.titles.guerra_a_muerte.attrition import exposed, weather
from rules.titles.guerra_a_muerte.barred import check_company, closed_cities, no_company, no_step
from rules.titles.guerra_a_muerte.battle import close, fight, forces_in, show
from rules.titles.guerra_a_muerte.board import BRAZIL, CAVALRY, enemy
from rules.titles.guerra_a_muerte.control import enterable
from rules.titles.guerra_a_muerte.leaders import operations as operations_factor
from rules.titles.guerra_a_muerte.operations import count_in_mexico, in_slot, mexican, spend
from rules.titles.guerra_a_muerte.ports import entering
from rules.titles.guerra_a_muerte.position import OUT, Position
from rules.titles.guerra_a_muerte.prospects import prospects

FAR = 99  # more points than any march costs


def muster(pos: Position) -> list[str]:
    """The counters of the active force that are still with it; who is elsewhere or gone has left it."""
    force = pos.force
    force["units"] = [u for u in force["units"] if pos.at[u] == force["at"]]
    units: list[str] = force["units"]
    return units


def portuguese(pos: Position, units: Sequence[str]) -> bool:
    """10.6 Whether a force is the Legion, which operates with nobody else."""
    return bool(units) and pos.unit(units[0]).nation == "portuguese"


def steps_from(pos: Position, units: Sequence[str], here: str) -> dict[str, int]:
    """5.2, 5.1, 6.7, 10.6, 10.3 Where units may go from a place, and for how many points: an area is 1, the way into
    a city or out of it nothing. The Legion keeps to Banda Oriental, its field and Brazil."""
    side = pos.unit(units[0]).side
    area = pos.game.area(here)
    if portuguese(pos, units):
        return {LEGION_HOME: 1} if here == BRAZIL else {BRAZIL: 1}
    if here in pos.game.places:
        return {str(area): 0}
    out = {b: 1 for b in pos.game.near.get(here, ()) if b != BRAZIL}
    if area is not None:
        out |= {p: 0 for p in pos.game.within(area) if enterable(pos, p, side)}
    return out


def march_form(pos: Position, units: Sequence[str]) -> Move | None:
    """5.2 The force, or part of it, along a path; who does not go is left behind."""
    at, op = pos.force["at"], pos.force["op"]
    if not goals(pos, spread(pos, units, min(op, 1))[0]):  # there is nothing further away without something near
        return None
    stack = [{"id": u, "left": op} for u in units]
    return Move("march", "5.2", {at: stack}, reach=lambda us, _aboard: reach(pos, us), still=others(pos),
                legal=lambda answer: check_march(pos, answer), show=lambda answer: show_march(pos, answer),
                why=lambda us, _aboard, to: why_not(pos, us, to))


def others(pos: Position) -> dict[str, str]:
    """3.3 Where own counters stand that do not act with the force, with the first of them."""
    side, force, side_of, here = pos.force["side"], set(pos.force["units"]), pos.game.side_of, pos.here
    first = {loc: next((u for u in here[loc] if side_of[u] == side and u not in force), None)
             for loc in sorted(pos.game.spaces & here.keys()) if loc != pos.force["at"]}
    return {loc: unit for loc, unit in first.items() if unit is not None}


def why_not(pos: Position, units: Sequence[str], to: str | None) -> Refusal | None:
    """3.3, 5.1, 5.2 Why counters do not march now, or can't go there."""
    if (why := no_company(pos, units, "5.2")) is not None or to is None:
        return why
    start, op = pos.force["at"], pos.force["op"]
    far = spread(pos, units, FAR)[0]
    if to in far:
        return Refusal("refusal.too_far", "5.2", at=to, n=far[to], left=op) if far[to] > op else \
            Refusal("refusal.back_and_forth", "5.1", at=to)
    area = pos.game.area(to)
    return no_step(pos, units, area if area in far and to in pos.game.places else start, to)


def spread(pos: Position, units: Sequence[str], op: int) -> tuple[dict[str, int], dict[str, str]]:
    """5.2 The places that some points bring the force to: what each costs, and the one before it."""
    start = pos.force["at"]
    found, via, edge = {start: 0}, dict[str, str](), [start]
    while edge:
        following = []
        for here in edge:
            for there, price in steps_from(pos, units, here).items():
                spent = found[here] + price
                if spent <= op and spent < found.get(there, op + 1):
                    found[there], via[there] = spent, here
                    following.append(there)
        edge = sorted(following)
    return found, via


def goals(pos: Position, found: Mapping[str, int]) -> dict[str, int]:
    """5.1, 5.2 Of the places that the force comes to, with their price, those where it may end: not where it is, nor
    back where it has been since it last spent a point."""
    been = {pos.force["at"], *(p for p in pos.force["trail"] if not found.get(p, 1))}
    return {place: price for place, price in found.items() if place not in been}


def reach(pos: Position, units: Sequence[str]) -> dict[str, Any]:
    """5.2, 6.7 Where the force can go with the points it has, and the cities on its way that are shut to it."""
    check_company(pos, units, "5.2")
    start, op = pos.force["at"], pos.force["op"]
    found, via = spread(pos, units, op)
    side = pos.unit(units[0]).side
    shut = {} if portuguese(pos, units) else {
        p: no_step(pos, units, str(pos.game.area(p)), p).reason() for p in closed_cities(pos, side, found)
        if p != start}
    return {"from": start, "cost": goals(pos, found), "via": via, "left": op, "blocked": shut}


def march_cost(pos: Position, units: Sequence[str], path: Sequence[str]) -> int:
    """5.2 Points of a path. Raises Refusal where there is no way."""
    total = 0
    for a, b in itertools.pairwise(path):
        ways = steps_from(pos, units, a)
        if b not in ways:
            raise no_step(pos, units, a, b)
        total += ways[b]
    return total


def check_march(pos: Position, answer: Answer) -> None:
    """5.2, 10.6 Whether a march may be made. Raises Refusal."""
    units, path, force = answer["units"], answer["path"], pos.force
    check_company(pos, units, "5.2")
    if path[0] != force["at"] or len(path) < 2:
        raise Refusal("refusal.path_start", "5.2", at=force["at"])
    price = march_cost(pos, units, path)
    if not price and path[-1] in force["trail"]:
        raise Refusal("refusal.back_and_forth", "5.1", at=path[-1])
    if price > force["op"]:
        raise Refusal("refusal.too_far", "5.2", at=path[-1], n=price, left=force["op"])


def show_march(pos: Position, answer: Answer) -> dict[str, Any]:
    """What a march costs, step by step."""
    units, path = answer["units"] or pos.force["units"], answer["path"]
    check_company(pos, units, "5.2")
    steps = [{"at": loc, "cost": march_cost(pos, units, path[:n + 1])} for n, loc in enumerate(path)]
    price = steps[-1]["cost"]
    return {"cost": price, "left": dict.fromkeys(answer["units"], pos.force["op"] - price), "steps": steps,
            "attacks": prospects(pos, units, path[-1], price)}


def march(pos: Position, answer: Answer) -> Procedure[None]:
    """5.2, 3.4 Walk a path step by step: at each exit from an area the enemy there may intercept; a fight ends
    the path, but the step that was paid for may be finished."""
    units = list(answer["units"])
    foe = enemy(pos.force["side"])
    yield from leave_behind(pos, [u for u in pos.force["units"] if u not in units])
    for a, b in itertools.pairwise(answer["path"]):
        price = steps_from(pos, units, a).get(b)
        if price is None or price > pos.force["op"]:
            return
        spend(pos, price)
        fought = False
        if pos.game.area(a) != pos.game.area(b) and pos.game.area(a) is not None:
            fought = yield from interception(pos, units, str(pos.game.area(a)), b)
            units = muster(pos)
            if not units or pos.force["at"] != a:
                return
            if fought and not (yield from yes_no(
                    pos.force["side"], "go_on", "3.4", at=b, needs=entering(pos, b, foe))):
                return
        step(pos, units, a, b)
        if fought or not units or not muster(pos):
            return


def leave_behind(pos: Position, units: Sequence[str]) -> Procedure[None]:
    """5.2, 5.3 Units left behind operate no more this phase; those who came through hostile country roll now."""
    if not units:
        return
    force = pos.force
    force["units"] = [u for u in force["units"] if u not in units]
    pos.touched.add(f"space:{force['at']}")
    pos.tell("left_behind", "5.2", force["side"], at=force["at"],
             private={force["side"]: {"units": sorted(units)}})
    if force["harsh"]:
        troops = exposed(pos, list(units))
        if troops:
            yield from weather(pos, force["side"], troops)


def step(pos: Position, units: Sequence[str], a: str, b: str) -> None:
    """5.2, 5.1.1, 5.3, 10.6 One step, with the army marker if the whole of its box goes."""
    side = pos.force["side"]
    box = pos.army_at(side, a)
    stay = [u for u in pos.troops(pos.units_at(a, side)) if u not in units and pos.boxed(u)] if box else []
    closed = box is not None and pos.hidden(side, a) and not stay
    for unit in units:
        pos.put(unit, OUT if b == BRAZIL else b)
    pos.force["at"] = b
    pos.force["trail"].append(b)
    if box is not None and not stay:
        pos.move_army(side, box, b if b in pos.game.worth and pos.army_at(side, b) is None else None)
    if pos.game.area(a) != pos.game.area(b) and (
            pos.game.area(b) in pos.game.lists["hostile"] or pos.game.passes(a, b)):
        pos.force["harsh"] = True
    if b == BRAZIL and all(pos.at[u] == OUT for u in pos.game.units if pos.unit(u).nation == "portuguese"):
        pos.legion = "gone"
        pos.touched |= {"table:war", "space:brazil"}
    alarm(pos)
    pos.tidy()
    pos.touched.add("table:force")
    pos.tell("legion_withdrawn" if b == BRAZIL else "marched", "10.6" if b == BRAZIL else "5.2", side, path=[a, b],
             at=b, units=[] if closed else list(units), private={side: {"units": list(units)}} if closed else {})


# -- interception ------------------------------------------------------------------------------------------------


def interception(pos: Position, units: Sequence[str], area: str, to: str) -> Procedure[bool]:
    """3.4 A force leaves an area with enemy forces in its field: one of them may try to intercept, once an exit. Not
    out of cities, nor guerrillas or rebels; leaders alone slip by (ruling). 5.1.3 Boxes are opened for the die, whose
    modifiers tell what is in them. True if there was a fight."""
    side = pos.force["side"]
    foe = enemy(side)
    able = {name: group for name, group in forces_in(pos, foe, area).items() if pos.troops(group)}
    if not able or not pos.troops(units):
        return False
    options = [Option("none", "3.4", label("option.no_interception"))]
    for name in able:
        kind = name if name in ("field", "legion") else "siege"
        options.append(Option(name, "3.4", label(f"option.intercept_{kind}", at=name if kind == "siege" else area),
                              at=area, table=interception_table(pos, able[name], units, area)))
    pos.tell("sets_out", "3.4", side, at=area, to=to)
    name = yield from pick(foe, "intercept", "3.4", options, at=area, to=to)
    if name == "none":
        return False
    group = able[name]
    pos.leave_siege(group)
    opened = show(pos, area)
    if opened:
        pos.tell("boxes_opened", "5.1.3", None, at=area, units=sorted(u for u in pos.stack(area) if pos.boxed(u)),
                 reveals=True)
    bonus = interception_modifier(pos, group, units)
    die = yield from d6("interception", "3.4")
    caught: bool = die + bonus >= pos.game.tables["interception"]["success"]
    pos.tell("intercepted" if caught else "interception_failed", "3.4", foe, at=area, roll=die, total=die + bonus,
             reveals=True)
    if caught:
        yield from fight(pos, group, list(units), area, may_evade=False, friction=False, clause="3.4")
    close(pos, opened)
    return caught


def interception_table(pos: Position, group: Sequence[str], units: Sequence[str], area: str) -> Lookup:
    """3.4, 5.1.3 The faces that catch a force; of one that comes out of a closed box nobody knows which they are."""
    if any(pos.boxed(u) and pos.hidden(pos.force["side"], area) for u in units):
        return lookup("interception", rows=["success"])
    bonus, success = interception_modifier(pos, group, units), pos.game.tables["interception"]["success"]
    return lookup("interception", rows={die: "success" for die in DIE if die + bonus >= success})


def interception_modifier(pos: Position, group: Sequence[str], units: Sequence[str]) -> int:
    """3.4.1 Cavalry as half or more of the units helps whoever has it, and so do leaders' operations factors."""
    def mounted(force: Sequence[str]) -> bool:
        troops = pos.troops(force)
        return 2 * sum(pos.unit(u).type == CAVALRY for u in troops) >= len(troops) > 0

    return (mounted(group) - mounted(units) + operations_factor(pos, group) - operations_factor(pos, units))


# -- picking up --------------------------------------------------------------------------------------------------


def pick_up_form(pos: Position) -> Allocate | None:
    """5.2 Units in the force's place that have not operated this phase may join it, of the group that operates."""
    force = pos.force
    legion = portuguese(pos, force["units"])
    able = [u for u in pos.units_at(force["at"], force["side"])
            if u not in pos.operated and u not in pos.guerrillas and u not in pos.aboard
            and in_slot(pos, u, force["side"], force["slot"]) and (pos.unit(u).ship or pos.unit(u).naval) == (
                force["kind"] == "sea") and (pos.unit(u).nation == "portuguese") == legion]
    if not able:
        return None

    def legal(answer: Answer) -> None:
        units = answer["lots"].get("join", [])
        if not units:
            raise Refusal("refusal.nothing_taken", "5.2")
        inside = sum(mexican(pos, u) for u in units)
        if pos.mexico is not None and inside > pos.mexico:
            raise Refusal("refusal.mexico_limit", "10.7", n=inside, limit=pos.mexico)

    lot = Lot("join", tuple(able), 0, len(able), at=force["at"])
    return Allocate("pick_up", "5.2", "join", (lot,), legal=legal, one=True)


def pick_up(pos: Position, units: Sequence[str]) -> None:
    """5.2, 10.7 They march on with the force, at its points."""
    force = pos.force
    count_in_mexico(pos, units)
    force["units"] = sorted({*force["units"], *units})
    pos.operated += units
    pos.touched |= {"table:force", f"space:{force['at']}"}
    pos.tell("picked_up", "5.2", force["side"], at=force["at"], private={force["side"]: {"units": list(units)}})
