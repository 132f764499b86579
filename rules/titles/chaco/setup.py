"""3.1, 17 The set-up of a scenario: fixed groups, draws from the named pools, free choices, works and trucks."""

from __future__ import annotations

from typing import Any

from rules.core.agenda import DONE, Next
from rules.core.forms import Allocate, Choose, Group, Lot, Option, label
from rules.core.procedure import Procedure, allocate, ask, choose, draw
from rules.core.request import Request
from rules.titles.chaco import ahead, stacking
from rules.titles.chaco.position import FREE, PILE, TRUCKS, WAITING, Position
from rules.titles.chaco.turn import game_turn, segments
from rules.titles.chaco.units import BOLIVIA, PARAGUAY, SIDES, Game, enemy


def begin(game: Game, options: dict[str, Any]) -> Position:
    """3.1, 17.1 Everything in its box: unused units in the reinforcements, trucks and leaders that are not needed
    available, fixed groups in their hexes. 17.1 Engineers begin on their combat side."""
    scenario = game.scenario
    pos = Position(game, options, vp=dict(scenario["points"]), replacements=dict.fromkeys(SIDES, 0),
                   callups=dict.fromkeys(SIDES, 0), commander=dict(scenario["commander"]),
                   radius=dict(scenario["radius"]), lines=dict.fromkeys(SIDES),
                   air={side: int(game.n["air"][side]) for side in SIDES})
    boxes = {"leader": WAITING, "truck": TRUCKS}
    for unit, u in sorted(game.units.items(), key=lambda item: item[1].place):
        if u.type not in ("supply", "ghq"):
            pos.put(unit, boxes.get(u.type, PILE)[u.side])
    for group in scenario["groups"]:
        for unit in group["units"]:
            pos.put(unit, group["hexes"][0] if len(group["hexes"]) == 1 else FREE)
            if group.get("reduced") and pos.unit(unit).combat:
                pos.flip(unit, True)
        if "works" in group:
            pos.works[group["hexes"][0]] = group["works"]
    own(pos)
    pos.touched.clear()
    pos.agenda = [["draw_pool", BOLIVIA], ["draw_pool", PARAGUAY], ["set_up", BOLIVIA], ["set_up_works", BOLIVIA],
                  ["set_up_trucks", BOLIVIA], ["set_up", PARAGUAY], ["set_up_works", PARAGUAY],
                  ["set_up_trucks", PARAGUAY], *game_turn(1)]
    return pos


def own(pos: Position) -> None:
    """3.2 Hexes where combat units stand are controlled by their side."""
    for side in SIDES:
        for hex_ in pos.army(side):
            pos.control.pop(hex_, None)
            if pos.game.home[hex_] != side:
                pos.control[hex_] = side


@segments.segment
def draw_pool(pos: Position, side: str) -> Procedure[Next]:
    """17.3-17.5 Units drawn at random from the named ones, group by group, until all are out; those of a reduced group
    show that side."""
    pool = list(pos.game.scenario["pools"].get(side, []))
    if not pool:
        return DONE
    placed: list[list[str]] = []
    for number, group in enumerate(pos.game.scenario["groups"]):
        if group["side"] != side:
            continue
        for _ in range(group.get("draw", 0)):
            unit = pool.pop((yield from draw("set_up", pos.game.scenario["clause"], len(pool), tuple(pool))))
            pos.put(unit, group["hexes"][0] if len(group["hexes"]) == 1 else FREE)
            if group.get("reduced"):
                pos.flip(unit, True)
            placed.append([unit, str(number)])
    own(pos)
    pos.drawn[side] = placed
    pos.tell("pool_drawn", pos.game.scenario["clause"], side, units=sorted(u for u, _ in placed), count=len(placed))
    return DONE


def free_groups(pos: Position, side: str) -> list[tuple[dict[str, Any], list[str]]]:
    """17.2, 17.3, 17.4, 17.5 The groups with a choice of hexes, each with the units now in it."""
    out = []
    for number, group in enumerate(pos.game.scenario["groups"]):
        if group["side"] == side and len(group["hexes"]) > 1:
            units = [*group["units"], *(u for u, n in pos.drawn.get(side, []) if n == str(number))]
            out.append((group, sorted(units, key=lambda u: pos.unit(u).place)))
    return out


def suggested(pos: Position, side: str) -> dict[str, str]:
    """A lawful set-up: each group around its first hex as stacking allows."""
    out: dict[str, str] = {}
    for group, units in free_groups(pos, side):
        room = {h: stacking.room(pos, h) for h in group["hexes"]}
        best = sorted(group["hexes"], key=lambda h: (h not in pos.game.settlements, -room[h], h))
        for unit in units:
            goal = next((h for h in best if not pos.unit(unit).counted or room[h] > 0), best[0])
            room[goal] -= pos.unit(unit).counted
            out[unit] = goal
    return out


@segments.segment
def set_up(pos: Position, side: str) -> Procedure[Next]:
    """17.1 The side places the groups that have a choice of hexes, within stacking (11.2). Bolivia first, as
    printed."""
    pos.stage, pos.active = "set_up", side
    pos.touched.add("turn")
    pos.tell("set_up_began", "17.1", side)
    groups = free_groups(pos, side)
    if not groups:
        return DONE

    form = stacking.within_limits(pos, "set_up", "17.1", tuple(
        Group(group["id"], pos.game.scenario["clause"], tuple(units), tuple(sorted(group["hexes"])), must=True)
        for group, units in groups), suggested(pos, side))
    answer = yield from ask(Request(side, f"prompt.set_up_{side}", "17.1", (form,)))
    for unit, hex_ in answer["placed"].items():
        pos.put(unit, hex_)
    own(pos)
    pos.tell("set_up_done", "17.1", side, hexes=sorted(set(answer["placed"].values())), count=len(answer["placed"]))
    return DONE


@segments.segment
def set_up_works(pos: Position, side: str) -> Procedure[Next]:
    """17.3-17.5 Entrenchments placed by the owner in hexes his units occupy."""
    most = int(pos.game.scenario["entrenchments"][side])
    hexes = tuple(h for h in pos.held(side) if h not in pos.works and pos.terrain(h) != "swamp")
    if not most or not hexes:
        return DONE
    clause, placed = pos.game.scenario["clause"], list[str]()
    while len(placed) < most:
        options = [Option(h, "14.3", label("option.entrench", at=h), at=h) for h in hexes if h not in placed]
        options.append(Option("no_works", "14.3", label("option.no_works")))
        said = yield from choose(Request(side, "prompt.set_up_works", clause, (
            Choose("set_up_works", clause, tuple(options)),), {"n": most - len(placed)}))
        if said == "no_works":
            break
        placed.append(said)
    for hex_ in placed:
        pos.works[hex_] = "entrenchment"
        pos.build(hex_)
    pos.tell("works_placed", "14.3", side, hexes=sorted(placed), count=len(placed))
    return DONE


@segments.segment
def set_up_trucks(pos: Position, side: str) -> Procedure[Next]:
    """17.1 Trucks may begin assigned to the supply network, as their owner likes (8.11)."""
    trucks: dict[str, list[str]] = {}
    for truck in pos.of_type(side, "truck"):
        trucks.setdefault(pos.at[truck], []).append(truck)
    if not trucks:
        return DONE
    taken = yield from allocate(Request(side, "prompt.set_up_trucks", "17.1", (
        Allocate("trucks", "17.1", "assign", tuple(Lot(h, tuple(us), 0, len(us), at=h)
                                                 for h, us in sorted(trucks.items()))),),
        needs=lambda _: ahead.after_turn(enemy(side))))
    pos.assigned += sorted(t for us in taken.values() for t in us)
    for hex_ in taken:
        pos.touch(hex_)
    pos.tell("trucks_assigned", "17.1", side, count=sum(len(us) for us in taken.values()),
             **pos.openly(hexes=sorted(taken)), private={side: {"hexes": sorted(taken)}})
    return DONE
