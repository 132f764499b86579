"""7.1-7.4, 7.6-7.8 Fleets: sailing, amphibious operations, raids, the return to port."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from rules.core.agenda import AGAIN, DONE, Next
from rules.core.errors import Refusal
from rules.core.forms import Allocate, Answer, Choose, Declare, Form, Group, Lot, Move, Option, Place, label
from rules.core.procedure import Procedure, together
from rules.core.request import Request, needs_open
from rules.titles.guerra_a_muerte.arrivals import alarm
from rules.titles.guerra_a_muerte.asking import d6
from rules.titles.guerra_a_muerte.barred import check_company, no_attack, no_berth, no_company
from rules.titles.guerra_a_muerte.board import HAITI, HAVENS, PATRIOT, SIDES, US, enemy
from rules.titles.guerra_a_muerte.control import BOXES, NONE, holder_of, looks_held, may_enter, own_ports
from rules.titles.guerra_a_muerte.leaders import check_leaders, refuges
from rules.titles.guerra_a_muerte.march import FAR, muster, others, pick_up, pick_up_form
from rules.titles.guerra_a_muerte.operations import (
    check_force,
    cost,
    new_force,
    roll_points,
    slot_of,
    spend,
)  # fmt: skip
from rules.titles.guerra_a_muerte.ports import admirals_at, sink
from rules.titles.guerra_a_muerte.position import OUT, Position
from rules.titles.guerra_a_muerte.seafight import admiral, fleet_panel, guns, sea_battle, stow
from rules.titles.guerra_a_muerte.turn import segments

# -- sailing -----------------------------------------------------------------------------------------------------


def leg(pos: Position, a: str, b: str) -> tuple[str, int]:
    """7.1, 7.2, 7.3 What a stretch costs: so many sea areas, or points outright between a box and the sea."""
    for box, other in ((a, b), (b, a)):
        if box in pos.game.box_links:
            return "points", pos.game.box_links[box][other]
    if a in pos.game.places or b in pos.game.places:
        return "areas", 0
    return "areas", pos.game.long.get(frozenset((a, b)), 1)


def sail_cost(pos: Position, path: Sequence[str]) -> tuple[int, int]:
    """7.1-7.3 Points a voyage costs and sea areas left of the last one: a point takes a fleet four areas, the long ways
    round the continent count eight. Raises Refusal where there is no way."""
    per, way, points = pos.game.tables["sail_areas"], pos.force["way"], 0
    for a, b in itertools.pairwise(path):
        if b not in pos.game.sea_near.get(a, ()):
            raise no_passage(pos, a, b)
        if not may_enter(pos, pos.force["side"], b):
            raise no_berth(pos, pos.force["side"], b)
        kind, n = leg(pos, a, b)
        if kind == "points":
            points, way = points + n, 0
            continue
        while way < n:
            points, way = points + 1, way + per
        way -= n
    return points, way


def sail_form(pos: Position, units: Sequence[str]) -> Move | None:
    """7.1 The fleet, or part of it, along a path of sea areas, ports and boxes."""
    at, op = pos.force["at"], pos.force["op"]
    stack = [{"id": u, "left": op} for u in units]
    form = Move("sail", "7.1", {at: stack}, reach=lambda us, _aboard: sail_reach(pos, us), still=others(pos),
                legal=lambda answer: check_sail(pos, answer), show=lambda answer: show_sail(pos, answer),
                why=lambda us, _aboard, to: sail_why(pos, us, to))
    return form if sail_reach(pos, units)["cost"] else None


def sail_why(pos: Position, units: Sequence[str], to: str | None) -> Refusal | None:
    """3.3, 7.1-7.4 Why a fleet does not sail now, or not to a place."""
    if (why := no_company(pos, units, "7.1")) is not None or to is None:
        return why
    far = voyages(pos, FAR)[0]
    if to in far:
        n, left = far[to][0], pos.force["op"]
        return Refusal("refusal.too_far", "7.1", at=to, n=n, left=left) if n > left else \
            Refusal("refusal.back_and_forth", "7.1", at=to)
    return no_berth(pos, pos.force["side"], to)


def no_passage(pos: Position, here: str, there: str) -> Refusal:
    """7.1 Why no stretch leads a fleet from a place into the next."""
    if there not in pos.game.sea_near:
        return no_berth(pos, pos.force["side"], there)
    return Refusal("refusal.no_way", "7.1", start=here, place=there)


def voyages(pos: Position, op: int) -> tuple[dict[str, tuple[int, int]], dict[str, str]]:
    """7.1-7.3 The places that some points bring the fleet to: what each costs and the sea areas left of the last one,
    as a number below 0; and the one before it."""
    start, per = pos.force["at"], pos.game.tables["sail_areas"]
    best: dict[str, tuple[int, int]] = {start: (0, -pos.force["way"])}
    via: dict[str, str] = {}
    edge = [start]
    while edge:
        following = []
        for here in edge:
            for there in pos.game.sea_near.get(here, ()):
                if not may_enter(pos, pos.force["side"], there):
                    continue
                kind, n = leg(pos, here, there)
                points, way = best[here][0], -best[here][1]
                if kind == "points":
                    points, way = points + n, 0
                else:
                    while way < n:
                        points, way = points + 1, way + per
                    way -= n
                if points <= op and (there not in best or (points, -way) < best[there]):
                    best[there], via[there] = (points, -way), here
                    following.append(there)
        edge = sorted(set(following))
    return best, via


def sail_reach(pos: Position, units: Sequence[str]) -> dict[str, Any]:
    """7.1, 7.4 Where the fleet can sail with the points it has, and the ports on its way that are shut to it."""
    check_company(pos, units, "7.1")
    start, op, side = pos.force["at"], pos.force["op"], pos.force["side"]
    best, via = voyages(pos, op)
    shut = {p: no_berth(pos, side, p).reason() for sea in best for p in pos.game.harbours.get(sea, ())
            if p != start and not may_enter(pos, side, p)}
    trail = {start, *pos.force["trail"]}
    return {"from": start, "cost": {k: v[0] for k, v in best.items() if v[0] or k not in trail}, "via": via, "left": op,
            "blocked": dict(sorted(shut.items()))}


def check_sail(pos: Position, answer: Answer) -> None:
    """7.1 Whether a voyage may be made. Raises Refusal."""
    units, path, force = answer["units"], answer["path"], pos.force
    check_company(pos, units, "7.1")
    if not any(pos.unit(u).ship for u in units):
        raise Refusal("refusal.no_ship", "7.1")
    if path[0] != force["at"] or len(path) < 2:
        raise Refusal("refusal.path_start", "7.1", at=force["at"])
    points, _ = sail_cost(pos, path)
    if not points and path[-1] in force["trail"]:
        raise Refusal("refusal.back_and_forth", "7.1", at=path[-1])
    if points > force["op"]:
        raise Refusal("refusal.too_far", "7.1", at=path[-1], n=points, left=force["op"])
    if force["cargo"] and (missing := {pos.aboard[u] for u in force["cargo"]["units"] if u in pos.aboard} - set(units)):
        raise Refusal("refusal.cargo_left", "7.6", unit=min(missing))


def show_sail(pos: Position, answer: Answer) -> dict[str, Any]:
    """What a voyage costs, step by step."""
    units, path, op = answer["units"] or pos.force["units"], answer["path"], pos.force["op"]
    check_company(pos, units, "7.1")
    steps = [{"at": loc, "cost": sail_cost(pos, path[:n + 1])[0]} for n, loc in enumerate(path)]
    left = op - steps[-1]["cost"]
    return {"cost": steps[-1]["cost"], "left": dict.fromkeys(answer["units"], left), "steps": steps,
            "attacks": sea_prospects(pos, units, path[-1]) if left >= cost(pos, "sea_battle") else []}


def sea_prospects(pos: Position, units: Sequence[str], goal: str) -> list[dict[str, Any]]:
    """7.5, 7.10 The enemy fleets that ships could attack from where a voyage ends."""
    ships = sorted(u for u in units if pos.unit(u).ship)
    return [{**fleet_panel(pos, ships, foes, target), "from": goal}
            for target, foes in sorted(sea_targets(pos, goal, pos.force["side"]).items()) if ships]


def sail(pos: Position, answer: Answer) -> None:
    """7.1, 5.2 The fleet sails with whom it carries; ships that stay are left behind."""
    units, path, force = answer["units"], answer["path"], pos.force
    points, way = sail_cost(pos, path)
    spend(pos, points)
    force["trail"] += path
    pos.touched.add(f"space:{force['at']}")
    force["way"], force["units"], force["at"] = way, sorted(units), path[-1]
    for unit in units:
        pos.put(unit, path[-1])
    pos.tell("sailed", "7.1", force["side"], path=path, at=path[-1], units=list(units))


# -- what a fleet can do -----------------------------------------------------------------------------------------


def fleet_forms(pos: Position, units: Sequence[str]) -> list[Form]:
    """7.1 The deeds a fleet has points for."""
    if not any(pos.unit(u).ship for u in units):
        return []
    force = pos.force
    offered: list[Form | None] = [sail_form(pos, units), pick_up_form(pos), embark_form(pos, units)]
    if force["op"] >= cost(pos, "sea_battle"):
        offered.append(sea_attack_form(pos, units))
    if force["cargo"] and force["cargo"]["op"] >= cost(pos, "land"):
        offered.append(land_form(pos))
    if force["op"] >= cost(pos, "raid"):
        offered.append(raid_form(pos))
    return [form for form in offered if form is not None]


def deed(pos: Position, answer: Answer) -> Procedure[Next]:
    """7.1 Carry out what a fleet was told to do; whoever lands operates at once, and the fleet goes on after."""
    if answer["form"] not in ("sail", "pick_up"):
        pos.force["way"] = 0
    match answer["form"]:
        case "sail":
            sail(pos, answer)
        case "pick_up":
            pick_up(pos, answer["lots"]["join"])
        case "embark":
            yield from embark(pos, answer)
        case "land":
            land(pos, answer["option"])
            return [["operate"], ["operate"]]
        case "raid":
            yield from raid(pos, answer["option"])
        case _:
            yield from attack_fleet(pos, answer["target"])
    return AGAIN


def sea_targets(pos: Position, at: str, side: str) -> dict[str, list[str]]:
    """7.5, 7.10 Enemy fleets in reach: in the same sea area, or in a port on it."""
    sea = pos.game.sea_of(at)
    if sea is None:
        return {}
    places = (sea, *pos.game.harbours[sea]) if at == sea else ()
    return {loc: ships for loc in places if (ships := pos.ships_at(loc, enemy(side)))}


def sea_attack_form(pos: Position, units: Sequence[str]) -> Declare | None:
    """7.5 The enemy fleets this one can attack; it attacks whole."""
    ships = sorted(u for u in units if pos.unit(u).ship)
    targets = sea_targets(pos, pos.force["at"], pos.force["side"])
    if not targets:
        return None

    def legal(answer: Answer) -> None:
        if answer["units"] != ships:
            raise Refusal("refusal.whole_force", "7.5", at=answer["target"], n=len(answer["units"]), of=len(ships))

    at, side = pos.force["at"], pos.force["side"]
    return Declare("attack_fleet", "7.5", {t: {at: ships} for t in sorted(targets)}, legal=legal,
                   show=lambda answer: fleet_panel(pos, ships, targets[answer["target"]], answer["target"]),
                   near={t: pos.ships_at(at, side) for t in sorted(targets)},
                   why=lambda target, unit: no_attack(pos, target, unit, "refusal.no_fleet", "7.5"))


def attack_fleet(pos: Position, target: str) -> Procedure[None]:
    """7.5, 7.10 An attack at sea, or into a port whose fort answers if it is fortified."""
    spend(pos, cost(pos, "sea_battle"))
    side = pos.force["side"]
    ships = [u for u in muster(pos) if pos.unit(u).ship]
    yield from sea_battle(pos, side, ships, pos.ships_at(target, enemy(side)), target, "7.5",
                          guns(pos, target, enemy(side)))
    cargo = pos.force["cargo"]
    if cargo:
        cargo["units"] = [u for u in cargo["units"] if u in pos.aboard]
        if not cargo["units"]:
            pos.force["cargo"] = None


# -- amphibious operations ---------------------------------------------------------------------------------------


def quays(pos: Position, at: str) -> list[str]:
    """7.6 Where a fleet takes troops aboard: the ports on its sea area, the port or box it lies in."""
    if at in pos.game.seas:
        boxes = [box for box in (US, HAITI) if at in pos.game.box_links[box]]
        return [*pos.game.harbours[at], *boxes]
    return [at]


def began_by(pos: Position, ships: Sequence[str], quay: str) -> bool:
    """7.6 Whether the ships began the phase in a quay or in the sea on which it opens."""
    began = pos.flags.get("began", {})
    sea = pos.game.sea_of(quay)
    seas = {quay, sea} if sea is not None else {quay, *pos.game.box_links.get(quay, ())}
    return all(began.get(s) in seas or (began.get(s) in pos.game.places and pos.game.sea_of(began[s]) in seas - {None})
               for s in ships)


def embark_form(pos: Position, units: Sequence[str]) -> Allocate | None:
    """7.6, 7.7 Land units of any nation that began the phase in a port on the fleet's sea, besieged or not, or are
    aboard it since an earlier phase; one embarkation, of one group, for a fleet's activation (ruling)."""
    force = pos.force
    if force["cargo"]:
        return None
    ships = [u for u in units if pos.unit(u).ship]
    lots: dict[str, list[str]] = {}
    for quay in quays(pos, force["at"]):
        if not began_by(pos, ships, quay):
            continue
        able = [u for u in pos.units_at(quay, force["side"]) if not pos.unit(u).ship and not pos.unit(u).naval
                and u not in pos.operated and u not in pos.aboard and pos.unit(u).nation != "portuguese"
                and pos.flags.get("began", {}).get(u) == quay]
        if able:
            lots[quay] = able
    sleepers = [u for u, ship in sorted(pos.aboard.items()) if ship in ships and u not in pos.operated]
    if sleepers:
        lots[force["at"]] = [*lots.get(force["at"], []), *sleepers]
    if not lots:
        return None

    def legal(answer: Answer) -> None:
        if len(answer["lots"]) != 1:
            raise Refusal("refusal.one_place", "7.6", places=sorted(answer["lots"]))
        chosen = next(iter(answer["lots"].values()))
        check_force(pos, chosen)
        slot = slot_of(pos, chosen[0])
        if other := next((u for u in chosen if slot_of(pos, u) != slot), None):
            raise Refusal("refusal.other_group", "3.2", unit=other, group=f"group_of.{PATRIOT}_{slot}")
        if stow(pos, [u for u in chosen if u not in pos.aboard], ships) is None:
            raise Refusal("refusal.no_room", "7.7", n=sum(pos.steps(u) for u in chosen))

    return Allocate("embark", "7.6", "embark", tuple(
        Lot(q, tuple(us), 0, len(us), at=q) for q, us in sorted(lots.items())), legal=legal, one=True)


def embark(pos: Position, answer: Answer) -> Procedure[None]:
    """7.6 The land force is activated with its own die and pays a point to go aboard."""
    quay, units = next(iter(answer["lots"].items()))
    force, side = pos.force, pos.force["side"]
    op = yield from roll_points(pos, side, units, quay)
    pos.operated += units
    fresh = [u for u in units if u not in pos.aboard]
    cargo = new_force(side, slot_of(pos, units[0]), force["at"], units, op, sea=False)
    if fresh:
        spend(pos, cost(pos, "embark"), cargo)
        found = stow(pos, fresh, [u for u in force["units"] if pos.unit(u).ship])
        assert found is not None
        pos.aboard |= found
        pos.aboard = dict(sorted(pos.aboard.items()))
        for unit in fresh:
            pos.put(unit, force["at"])
            pos.touch(force["at"])
    force["cargo"] = cargo
    pos.touched |= {"table:force", f"space:{force['at']}"}
    pos.tidy()
    pos.tell("embarked", "7.6", side, at=quay, units=list(units), count=len(units))


def landings(pos: Position) -> list[str]:
    """7.6 Where a fleet can put its troops ashore: the coasts of its sea area, and own ports on it that are not
    besieged; out of a port into its area."""
    at, side = pos.force["at"], pos.force["side"]
    if at in pos.game.places:
        return [str(pos.game.area(at)), *([at] if not pos.besieged(at) else [])]
    if at not in pos.game.seas:
        nation = next((n for n, haven in HAVENS.items() if haven == at), None)  # 10.3: its own nation alone
        cargo = pos.force["cargo"]["units"] if pos.force["cargo"] else []
        return [at] if nation is not None and all(pos.unit(u).nation == nation for u in cargo) else []
    own = [p for p in pos.game.harbours[at] if holder_of(pos, p) == side and not pos.besieged(p)]
    return sorted([*pos.game.coasts[at], *own])


def land_form(pos: Position) -> Choose | None:
    """7.6 Where to land."""
    goals = sorted(landings(pos))
    return Choose("land", "7.6", tuple(
        Option(g, "7.6", label("option.land", at=g), at=g) for g in goals)) if goals else None


def land(pos: Position, goal: str) -> None:
    """7.6 For a point of its own the land force is ashore and operates on with what it has left."""
    fleet = pos.force
    cargo = fleet["cargo"]
    fleet["cargo"] = None
    cargo["units"] = [u for u in cargo["units"] if u in pos.aboard]
    cargo["at"] = goal
    pos.forces.append(cargo)
    spend(pos, cost(pos, "land"))
    for unit in cargo["units"]:
        del pos.aboard[unit]
        pos.put(unit, goal)
        pos.touch(goal)
    cargo["harsh"] = pos.game.area(goal) in pos.game.lists["hostile"]
    alarm(pos)
    pos.touched |= {"table:force", f"space:{fleet['at']}"}
    pos.tell("landed", "7.6", cargo["side"], at=goal, units=list(cargo["units"]), count=len(cargo["units"]))


# -- raids -------------------------------------------------------------------------------------------------------


def raid_form(pos: Position) -> Choose | None:
    """7.8 Enemy-held coasts beside the fleet, each once a phase (ruling 37)."""
    at, side = pos.force["at"], pos.force["side"]
    if at not in pos.game.seas:
        return None
    able = [a for a in pos.game.coasts[at] if looks_held(pos, a)[enemy(side)] > NONE and a not in pos.raids]
    return Choose("raid", "7.8", tuple(Option(a, "7.8", label("option.raid", at=a)) for a in sorted(able))
                  ) if able else None


def raid(pos: Position, area: str) -> Procedure[None]:
    """7.8, 8.3 A die: on 4 or more the area gives a point less next time; enemy ships in the area's ports or before its
    coast take one from it, Cochrane adds one."""
    spend(pos, cost(pos, "raid"))
    side, at = pos.force["side"], pos.force["at"]
    die = yield from d6("raid", "7.8")
    fleet = [u for u in pos.force["units"] if pos.unit(u).ship]
    watched = any(pos.ships_at(loc, enemy(side)) for loc in (at, *pos.game.within(area)))
    total = die - watched + admiral(pos, fleet)
    burnt = total >= pos.game.tables["sea"]["raid"]
    pos.raids.append(area)
    if burnt:
        pos.raided[area] = pos.raided.get(area, 0) + 1
        pos.touched.add("layer:marks")
    pos.tell("raided" if burnt else "raid_failed", "7.8", side, at=area, roll=die, total=total)


# -- the end of the turn -----------------------------------------------------------------------------------------


def shelters(pos: Position, side: str, at: str) -> list[str]:
    """7.4, 5.2 Where a fleet may go for nothing if an own port or box is within four sea areas of it: into one of
    those, unless it is besieged, or to another sea area within four of the fleet and of one of its ports."""
    reach = pos.game.tables["sea"]["return"]

    def near(start: str, goals: Iterable[str]) -> list[str]:
        far = pos.game.far(start, sea=True)
        return [g for g in goals if far.get(g, reach + 1) <= reach]

    homes = [*own_ports(pos, side), *BOXES[side]]
    if not near(at, homes):
        return []
    seas = [s for s in near(at, pos.game.seas) if s != at and near(s, homes)]
    return sorted([*(h for h in near(at, homes) if not pos.besieged(h)), *seas])


def no_shelter(pos: Position, side: str, ship: str, loc: str | None) -> Refusal | None:
    """7.4 Why a ship can't go there for nothing: the place is shut to it, or too far away."""
    if loc is None or pos.at.get(ship) not in pos.game.seas:
        return None
    if not may_enter(pos, side, loc) if loc in pos.game.sea_near else True:
        return no_berth(pos, side, loc)
    n = pos.game.far(pos.at[ship], sea=True).get(loc, 0)
    return Refusal("refusal.too_far_to_shelter", "7.4", place=loc, n=n, limit=pos.game.tables["sea"]["return"])


@segments.segment
def return_to_port(pos: Position) -> Procedure[Next]:
    """3.1, 7.4 Ships at sea may go into a port or box within four areas for nothing, or to another sea area near one;
    who has none within reach is lost."""
    asked: dict[str, Request] = {}
    for side in SIDES:
        groups: dict[tuple[str, ...], list[str]] = {}
        for ship in sorted(u for u in pos.game.units if pos.unit(u).ship and pos.unit(u).side == side
                           and pos.at[u] in pos.game.seas):
            where = shelters(pos, side, pos.at[ship])
            if where:
                groups.setdefault(tuple(where), []).append(ship)
            else:
                yield from strand(pos, ship)
        if groups:
            asked[side] = Request(side, "prompt.return_to_port", "7.4", (
                Place("return_to_port", "7.4", tuple(
                    Group(f"fleet_{n}", "7.4", tuple(ships), where, name="fleet")
                    for n, (where, ships) in enumerate(sorted(groups.items()))), 99, "7.4",
                    why=lambda ship, loc, side=side: no_shelter(pos, side, ship, loc)),
                Choose("stay_at_sea", "7.4", (Option("stay", "7.4", label("option.stay_at_sea")),))), needs=needs_open)
    answers = yield from together(asked)
    for side, answer in answers.items():
        placed: dict[str, str] = answer.get("placed", {})
        for ship, port in placed.items():
            pos.put(ship, port)
        follow_flag(pos, side)
        if placed:
            pos.tell("returned", "7.4", side, placed=[[s, p] for s, p in sorted(placed.items())], count=len(placed))
    return DONE


def strand(pos: Position, ship: str) -> Procedure[None]:
    """7.4, 8.1 A ship with no port in reach is lost, and all aboard; leaders, and an admiral without ships, are
    checked."""
    side, at = pos.unit(ship).side, pos.at[ship]
    pos.tell("stranded", "7.4", side, unit=ship, at=at)
    yield from sink(pos, ship, combat=False)
    if not pos.ships_at(at, side):
        yield from check_leaders(pos, admirals_at(pos, at, side), at, combat=False)


def follow_flag(pos: Position, side: str) -> None:
    """8.3 Cochrane stays with a fleet: where his ships went he goes too, else to the nearest of them; without any he
    goes ashore in a port, and is lost without one (ruling)."""
    for unit in sorted(u for u in pos.game.units if pos.unit(u).naval and pos.unit(u).leader):
        at = pos.at[unit]
        if at not in pos.game.seas or pos.unit(unit).side != side or pos.ships_at(at, side):
            continue
        goals = refuges(pos, unit, at)
        pos.put(unit, goals[0] if goals else OUT)
        if not goals:
            pos.tell("leader_without_refuge", "8.1", side, leader=unit)


