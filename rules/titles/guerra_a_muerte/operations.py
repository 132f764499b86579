"""3.2, 3.3, 10.7 Operations: forces are activated one after the other, each until it is done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.core.agenda import DONE, Next
from rules.core.errors import Refusal
from rules.core.forms import Allocate, Answer, Form, Lot, Option, label
from rules.core.procedure import Procedure
from rules.core.request import NOBODY, OPEN, SOME, Needs, needs_nobody
from rules.mechanics.lookup import Lookup, lookup
from rules.titles.guerra_a_muerte.arrivals import land_mina
from rules.titles.guerra_a_muerte.asking import DIE, d6, done, pick, want
from rules.titles.guerra_a_muerte.attrition import hostile, standing
from rules.titles.guerra_a_muerte.board import HAITI, HALF, PATRIOT, ROYALIST, enemy
from rules.titles.guerra_a_muerte.control import may_operate
from rules.titles.guerra_a_muerte.events import agitate, agitate_form, agitators
from rules.titles.guerra_a_muerte.grouping import GROUPING, army_form, regroup, regroup_form
from rules.titles.guerra_a_muerte.leaders import exiles, haven_form, into_haven
from rules.titles.guerra_a_muerte.leaders import operations as operations_factor
from rules.titles.guerra_a_muerte.ports import fallen_ports, needs_of_change
from rules.titles.guerra_a_muerte.position import OUT, Position, best_payer
from rules.titles.guerra_a_muerte.turn import enter_stage, segments

MOST_POINTS = 4  # more points than these never change the row of the table


@segments.segment
def begin_operations(pos: Position, side: str) -> Procedure[Next]:
    """3.1, 4.10, 10.7 A side's operations begin. Mina lands; while Hidalgo lives a die says how many royalist units may
    be activated in Mexico this turn."""
    enter_stage(pos, f"{side}_operations", side)
    pos.touched |= {f"space:{pos.at[u]}" for u in pos.operated if pos.on_map(u)}
    pos.operated, pos.weathered, pos.raids, pos.mexico = [], [], [], None
    pos.flags = {name: kept for name, kept in pos.flags.items() if name == "agitated"}  # 10.2.1: once a turn
    pos.touched.add("table:war")
    pos.tell("operations_began", "3.1", side)
    if side == PATRIOT:
        yield from land_mina(pos)
    if side == ROYALIST and pos.at["hidalgo"] != OUT and not pos.at["hidalgo"].startswith("turn:"):
        pos.mexico = yield from d6("mexico", "10.7")
        pos.touched.add("table:war")
        pos.tell("mexico_limit", "10.7", ROYALIST, n=pos.mexico)
    return DONE


@segments.segment
def end_operations(pos: Position, side: str) -> Procedure[Next]:
    """3.1, 5.3 A side's operations end: who stands in hostile country suffers. 5.1.3 Of a closed box there it is seen
    now whether somebody in it has still to roll."""
    yield from ()
    pos.tell("operations_ended", "3.1", side, reveals=any(
        area is not None and hostile(pos, area) and pos.hidden(side, area) for area in pos.armies[side].values()))
    return [["attrition", side]]


# -- who can be activated ----------------------------------------------------------------------------------------


def slot_of(pos: Position, unit: str) -> int:
    """3.2 The group in which a counter operates; royalists have one."""
    return pos.game.nation_slot.get(pos.unit(unit).nation, 0)


def in_slot(pos: Position, unit: str, side: str, slot: int) -> bool:
    """3.2, 5.1.2 Whether a counter belongs to the group that operates now."""
    return pos.unit(unit).side == side and slot_of(pos, unit) == slot


def mexican(pos: Position, unit: str) -> bool:
    """10.7, 1.2 Whether a counter stands in Mexico, where the limit holds; leaders are units too."""
    return pos.game.area(pos.at[unit]) in pos.game.lists["mexico"]


def fresh(pos: Position, unit: str, side: str, slot: int) -> bool:
    """3.3, 10.7 Whether a counter belongs to the group, has not operated and may in Mexico."""
    return in_slot(pos, unit, side, slot) and unit not in pos.operated and not (pos.mexico == 0 and mexican(pos, unit))


def ready(pos: Position, side: str, slot: int) -> dict[str, list[str]]:
    """3.3 Land counters that can still be activated, by place: not operated, no guerrillas (ruling 36), not at sea; of
    the Legion once it may march (10.6)."""
    afoot, here, others = pos.game.afoot, pos.here, {*pos.guerrillas, *pos.aboard}

    def able(unit: str) -> bool:
        return (unit not in others and fresh(pos, unit, side, slot)
                and (pos.unit(unit).nation != "portuguese" or pos.legion == "free"))

    ashore = (loc for loc in sorted(pos.game.spaces & here.keys()) if loc not in pos.game.seas and loc != HAITI)
    return {loc: units for loc in ashore if (units := [u for u in here[loc] if afoot.get(u) == side and able(u)])}


def ready_ships(pos: Position, side: str, slot: int) -> dict[str, list[str]]:
    """7.1 Ships that can still be activated, with Cochrane, by place."""
    afoot, here = pos.game.afoot, pos.here
    found = {loc: [u for u in here[loc] if u not in afoot and fresh(pos, u, side, slot)]
             for loc in sorted(pos.game.spaces & here.keys())}
    return {loc: units for loc, units in found.items() if any(pos.unit(u).ship for u in units)}


def in_boxes(pos: Position, side: str, slot: int) -> bool:
    """5.1.3 Whether counters of the group lie in closed boxes. All others lie open, so everybody knows which ones do,
    but not in which box, nor whether they have operated."""
    return any(pos.boxed(unit) and in_slot(pos, unit, side, slot)
               for loc, stack in pos.here.items() if loc in pos.game.worth and pos.hidden(side, loc) for unit in stack)


def count_in_mexico(pos: Position, units: Sequence[str]) -> None:
    """10.7, 5.1.3 Counters that operate use up the limit; of those in a closed box the enemy learns no number."""
    if pos.mexico is None:
        return
    inside = [u for u in units if mexican(pos, u)]
    pos.mexico -= len(inside)
    unseen = sum(pos.boxed(u) and pos.hidden(pos.unit(u).side, pos.at[u]) for u in inside)
    pos.flags["mexico_unseen"] = pos.flags.get("mexico_unseen", 0) + unseen
    pos.touched.add("table:war")


def by_size(found: dict[str, list[str]]) -> list[tuple[str, list[str]]]:
    """The largest stack first, as its player looks for it."""
    return sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))


def check_force(pos: Position, units: Sequence[str]) -> None:
    """3.3, 10.6, 10.7 Who may operate together. Raises Refusal."""
    legion = [u for u in units if pos.unit(u).nation == "portuguese"]
    if legion and len(legion) < len(units):
        raise Refusal("refusal.legion_alone", "10.6", unit=legion[0])
    inside = sum(mexican(pos, u) for u in units)
    if pos.mexico is not None and inside > pos.mexico:
        raise Refusal("refusal.mexico_limit", "10.7", n=inside, limit=pos.mexico)


def activate_form(pos: Position, side: str, slot: int, sea: bool) -> Allocate | None:
    """3.3, 5.1 Any of the units of one place that have not operated make up a force."""
    found = ready_ships(pos, side, slot) if sea else ready(pos, side, slot)
    if not found:
        return None
    name, clause = ("activate_fleet", "7.1") if sea else ("activate", "3.3")

    def legal(answer: Answer) -> None:
        if len(answer["lots"]) != 1:
            raise Refusal("refusal.one_place", clause, places=sorted(answer["lots"]))
        units = next(iter(answer["lots"].values()))
        if sea and not any(pos.unit(u).ship for u in units):
            raise Refusal("refusal.no_ship", clause)
        check_force(pos, units)

    return Allocate(name, clause, "activate", tuple(Lot(loc, tuple(units), 0, len(units), at=loc)
                                                    for loc, units in by_size(found)), legal=legal, one=True,
                    due=True, looked_up=lambda units: activation_table(pos, units, 0) if units else None)


@segments.segment
def operations(pos: Position, side: str, slot: int) -> Procedure[Next]:
    """3.2, 3.3, 5.1 One activation, or the end of the group's operations; before the first one of a phase the forces
    are regrouped and put into boxes; leaders go into exile (10.3) and agitate (10.2.1) at any moment. As long as closed
    boxes may hold some who have not operated the player is asked, and says so himself when there are none (5.1.3)."""
    nations = pos.game.tables["slots"][slot] if side == PATRIOT else []
    offered: list[Form | None] = [activate_form(pos, side, slot, False), activate_form(pos, side, slot, True)]
    fresh = not pos.operated
    if fresh and any(offered):
        offered += [regroup_form(pos, side), army_form(pos, side)]
    if nations:
        offered += [haven_form(pos, nations), agitate_form(pos)]
    forms = [form for form in offered if form is not None]
    if not forms and not in_boxes(pos, side, slot):
        return DONE
    answer = yield from want(side, "operations", "3.3", [
        *forms, done("end_operations", "3.2", forecast=last_group(pos, side, slot))],
                             needs=lambda answer: needs_of(pos, side, slot, answer), group=f"group_of.{side}_{slot}")
    match answer["form"]:
        case "end_operations":
            pos.tell("group_done", "3.2", side)
            return DONE
        case "haven":
            into_haven(pos, answer["placed"])
            yield from fallen_ports(pos)
        case "agitate":
            return [agitate(pos, answer["option"]), ["operations", side, slot]]
        case "activate" | "activate_fleet":
            loc, units = next(iter(answer["lots"].items()))
            activate(pos, side, slot, loc, units, sea=answer["form"] == "activate_fleet")
            return [["gather"], ["operate"], ["operations", side, slot]]
        case _:
            regroup(pos, side, answer)
            yield from fallen_ports(pos)
    return [["operations", side, slot]]


def has_operations(pos: Position, side: str, slot: int) -> bool:
    """3.2, 3.3, 5.1.3, 10.2.1, 10.3 Whether a group is asked in its operations."""
    nations = pos.game.tables["slots"][slot] if side == PATRIOT else []
    return bool(ready(pos, side, slot) or ready_ships(pos, side, slot) or exiles(pos, nations)
                or (nations and agitators(pos)) or in_boxes(pos, side, slot))


def last_group(pos: Position, side: str, slot: int) -> bool:
    """3.2 Whether no group of a side is asked after this one in its operations; attrition comes next (5.3)."""
    groups = len(pos.game.tables["slots"]) if side == PATRIOT else 1
    return not any(has_operations(pos, side, later) for later in range(slot + 1, groups))


def needs_of(pos: Position, side: str, slot: int, answer: Answer) -> Needs:
    """3.2, 5.3 Whoever activates goes on. Behind the last group of the patriots the other side is asked, unless
    attrition comes first; behind the royalists comes the end of the year."""
    if answer["form"] in (*GROUPING, "haven"):
        return needs_of_change(pos, enemy(side))
    if answer["form"] != "end_operations":
        return OPEN if answer["form"] == "agitate" else NOBODY  # royalist leaders may be left without men
    if not last_group(pos, side, slot):
        return NOBODY
    return SOME if side == PATRIOT and not standing(pos, side) and may_operate(pos, ROYALIST) else OPEN


# -- activation ------------------------------------------------------------------------------------------------


def half_militia(pos: Position, units: Sequence[str]) -> bool:
    """3.3 A force of which half or more is militia, without a leader."""
    troops = [u for u in units if not pos.unit(u).leader]
    return bool(troops) and not pos.leaders_of(units) and 2 * sum(pos.unit(u).militia for u in troops) >= len(troops)


def points_for(pos: Position, units: Sequence[str], die: int, bought: int) -> int:
    """3.3 Operation points: two on the die for each resource point, three off it for militia, by the table; the
    leader's operations factor is added to the total (ruling 1)."""
    _, row = activation_row(pos, units, die, bought)
    return row + operations_factor(pos, units)


def activation_row(pos: Position, units: Sequence[str], die: int, bought: int) -> tuple[int, int]:
    """3.3 The row of the table for a die: up to which total it goes, and its points."""
    table = pos.game.tables["activation"]
    total = die + bought * table["per_point"] + (table["militia"] if half_militia(pos, units) else 0)
    return next((top, points) for top, points in table["rows"] if total <= top)


def activation_table(pos: Position, units: Sequence[str], bought: int) -> Lookup:
    """3.3 The rows of a force's die with so many points bought."""
    return lookup("activation", rows={die: activation_row(pos, units, die, bought)[0] for die in DIE})


def roll_points(pos: Position, side: str, units: Sequence[str], loc: str) -> Procedure[int]:
    """3.3, 4.4, 10.7 Points are bought before the die is thrown (ruling 31)."""
    nation = ROYALIST if side == ROYALIST else best_payer(pos, units)
    most = min(pos.spendable(nation) // HALF, MOST_POINTS)
    bought = 0
    if most:
        bought = int((yield from pick(side, "boost", "3.3", [
            Option(str(n), "3.3", label("option.boost", n=n), table=activation_table(pos, units, n))
            for n in range(most + 1)], needs=needs_nobody, at=loc)))
        pos.pay(nation, bought * HALF)
    die = yield from d6("activation", "3.3")
    count_in_mexico(pos, units)
    op = points_for(pos, units, die, bought)
    closed = any(pos.boxed(u) and pos.hidden(side, loc) for u in units)
    pos.touched.add("table:force")
    pos.tell("activated", "3.3", side, at=loc, roll=die, points=op, bought=bought,
             units=[] if closed else list(units), private={side: {"units": list(units)}} if closed else {})
    return op


def activate(pos: Position, side: str, slot: int, loc: str, units: Sequence[str], *, sea: bool) -> None:
    """3.3, 7.6 A force is formed. Where everyone stood when the phase began is noted before the first; a leader who has
    gone into exile since was elsewhere."""
    if "began" not in pos.flags:
        exiled = pos.flags.get("exiled", ())
        pos.flags["began"] = {u: pos.at[u] for u in pos.game.units if u not in exiled and (
            pos.at[u] in pos.game.map.boxes or pos.at[u] in pos.game.seas)}
    pos.operated += [u for u in units if u not in pos.operated]
    pos.forces.append(new_force(side, slot, loc, units, 0, sea=sea))
    pos.touched |= {"table:force", f"space:{loc}"}
    pos.tell("formed", "3.3", side, at=loc)


@segments.segment
def gather(pos: Position) -> Procedure[Next]:
    """3.3 The force that was formed gets its points."""
    force = pos.force
    force["op"] = yield from roll_points(pos, force["side"], force["units"], force["at"])
    pos.touched.add("table:force")
    return DONE


def new_force(side: str, slot: int, loc: str, units: Sequence[str], op: int, *, sea: bool) -> dict[str, Any]:
    """The force that is active: `op` points left, `spent` so far, `harsh` if it entered hostile country or crossed
    the Andes, `way` sea areas it may still sail for the last point, `cargo` who is aboard and active with it, `trail`
    where it has been since it last spent a point: ways that cost nothing lead nowhere twice."""
    return {"kind": "sea" if sea else "land", "side": side, "slot": slot, "at": loc, "units": sorted(units), "op": op,
            "spent": 0, "harsh": False, "blockade": None, "way": 0, "cargo": None, "trail": [loc]}


def spend(pos: Position, op: int, force: dict[str, Any] | None = None) -> None:
    """3.3 The active force spends operation points."""
    force = pos.force if force is None else force
    force["op"] -= op
    force["spent"] += op
    if op:
        force["trail"] = []
    pos.touched.add("table:force")


def friction(pos: Position) -> bool:
    """3.3 Whether the force has spent so much that its attack suffers."""
    return bool(pos.force["spent"] >= pos.game.tables["friction"]["spent"])


def cost(pos: Position, what: str) -> int:
    """3.3, 5.2, 6.2, 6.4, 6.6, 7.1, 7.5, 7.6 The operation points of a deed."""
    return int(pos.game.tables["op_cost"][what])


