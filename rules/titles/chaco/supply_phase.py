"""8 The supply phase: line, depots, trucks, who is supplied; then attrition and the roll for supply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.core.agenda import DONE, Next
from rules.core.errors import Refusal
from rules.core.forms import Allocate, Answer, Choose, Group, Lot, Move, Option, Place, label
from rules.core.procedure import Procedure, allocate, ask, choose
from rules.core.request import Request
from rules.titles.chaco import supply
from rules.titles.chaco.dice import die
from rules.titles.chaco.position import DUE, TRUCKS, Position
from rules.titles.chaco.search import FAR
from rules.titles.chaco.turn import enter_stage, segments


@segments.segment
def begin_supply(pos: Position, side: str) -> Procedure[Next]:
    """4.2, 8.3 A player turn begins with its supply phase: general supply is checked once a turn."""
    yield from ()
    pos.depots[side] = []
    enter_stage(pos, f"{side}_supply", side)
    pos.tell("supply_began", "8.3", side)
    return DONE


# -- the line (8.6) ------------------------------------------------------------------------------------------


@segments.segment
def supply_line(pos: Position, side: str) -> Procedure[Next]:
    """8.6 The owner chooses his line: the shortest to any source, or any legal path. 8.5 Without one the headquarters
    is out of supply and may be lifted off the map."""
    lines = supply.shortest_lines(pos, side)
    if not lines:
        yield from _no_line(pos, side)
        return DONE
    order = sorted(lines, key=lambda h: (lines[h]["length"], h))
    options = tuple(Option(h, "8.6", label("option.line", at=h, n=lines[h]["length"],
                                           radius=supply.radius_of(pos, side, lines[h]["length"])), at=h)
                    for h in order)
    answer = yield from ask(Request(side, "prompt.line", "8.6", (Choose("line", "8.6", options),
                                                                 _own_line(pos, side))))
    if answer["form"] == "line":
        line = lines[answer["option"]]
    else:
        path = list(reversed(answer["path"]))
        line = {"source": path[0], "path": path, "length": supply.line_length(pos, side, path)}
    pos.lines[side] = line
    _show_line(pos, side)
    pos.tell("line_laid", "8.6", side, at=line["path"][-1], path=line["path"], length=line["length"],
             radius=pos.radius[side], **{"from": line["source"]})
    return DONE


def _own_line(pos: Position, side: str) -> Move:
    """8.6 A line drawn by hand, from the headquarters to a source."""
    ghq = pos.game.ghq[side]
    here = pos.at[ghq]

    def reach(units: Sequence[str], _aboard: Any) -> dict[str, Any]:
        if list(units) != [ghq]:
            raise Refusal("refusal.only_the_line", "8.6")
        found, ends = supply.line_reach(pos, side), supply.sources(pos, side)
        cost = {} if found is None else {h: c for h, c in found.cost.items() if h != here}
        return {
            "from": here,
            "cost": cost,
            "via": {} if found is None else found.via,
            "left": FAR,
            "blocked": dict.fromkeys(cost.keys() - set(ends), Refusal("refusal.no_source", "8.4").reason()),
        }

    def legal(answer: Answer) -> None:
        if answer["units"] != [ghq] or answer["path"][0] != here:
            raise Refusal("refusal.only_the_line", "8.6", at=here)
        path = list(reversed(answer["path"]))
        if path[0] not in supply.sources(pos, side):
            raise Refusal("refusal.no_source", "8.4", at=path[0])
        if len(set(path)) < len(path) or supply.line_length(pos, side, path) is None:
            raise Refusal("refusal.no_line", "8.6", at=path[0])

    def show(answer: Answer) -> dict[str, Any]:
        length = supply.line_length(pos, side, list(reversed(answer["path"])))
        return {} if length is None else {"cost": length, "radius": supply.radius_of(pos, side, length)}

    return Move(
        "own_line",
        "8.6",
        {here: [{"id": ghq, "left": FAR}]},
        reach=reach,
        legal=legal,
        show=show,
        says=label("hint.own_line"),
        goals=lambda: supply.lines_drawn(pos, side),
    )


def _no_line(pos: Position, side: str) -> Procedure[None]:
    """8.5, 8.7 No line: radius 4, and the headquarters may be lifted off the map until the next turn."""
    pos.lines[side] = None
    _show_line(pos, side)
    pos.tell("no_line", "8.5", side)
    ghq = pos.game.ghq[side]
    if not pos.on_board(ghq):
        return
    answer = yield from ask(Request(side, "prompt.lift", "8.5", (Choose("lift", "8.5", (
        Option("stay", "8.5", label("option.stay")), Option("lift", "8.5", label("option.lift")))),)))
    if answer["option"] == "lift":
        at = pos.at[ghq]
        pos.send_off(ghq)
        pos.tell("ghq_lifted", "8.5", side, at=at)


def _show_line(pos: Position, side: str) -> None:
    line = pos.lines[side]
    pos.radius[side] = supply.radius_of(pos, side, None if line is None else line["length"])
    pos.forget()
    pos.touched |= {"table:state", f"layer:supply_{side}"}


# -- depots and trucks (8.8, 8.11) ---------------------------------------------------------------------------


def depot_hexes(pos: Position, side: str) -> list[str]:
    """8.8 The settlements on the line that may hold a depot."""
    line = pos.lines.get(side)
    return [] if line is None else sorted(h for h in set(line["path"]) if h in pos.game.settlements)


@segments.segment
def supply_depots(pos: Position, side: str) -> Procedure[Next]:
    """8.8 Up to four depots on settlements of the line; where there are no more than four, each gets one (a ruling: a
    depot never harms)."""
    hexes, most = depot_hexes(pos, side), int(pos.game.n["depots"])
    chosen = hexes[:most]
    if len(hexes) > most:
        chosen = []
        while len(chosen) < most:
            options = [Option(h, "8.8", label("option.depot", at=h), at=h) for h in hexes if h not in chosen]
            options.append(Option("no_depot", "8.8", label("option.no_depot")))
            said = yield from choose(Request(side, "prompt.depots", "8.8", (Choose("depots", "8.8", tuple(options)),),
                                             {"n": most - len(chosen)}))
            if said == "no_depot":
                break
            chosen = sorted([*chosen, said])
    pos.depots[side] = chosen
    if chosen:
        pos.touched.add(f"layer:supply_{side}")
        pos.tell("depots_placed", "8.8", side, hexes=list(chosen))
    return DONE


def free_trucks(pos: Position, side: str) -> dict[str, list[str]]:
    """8.11 Hex -> trucks that may be assigned there, or stay so: with a leader, the headquarters or a source (a depot
    needs a leader too)."""
    out: dict[str, list[str]] = {}
    for truck in pos.of_type(side, "truck"):
        hex_ = pos.at[truck]
        kinds = {pos.unit(u).type for u in pos.stack(hex_)}
        if kinds & {"leader", "ghq"} or hex_ in _source_hexes(pos, side, truck):
            out.setdefault(hex_, []).append(truck)
    return out


def _source_hexes(pos: Position, side: str, truck: str) -> tuple[str, ...]:
    """8.11, 8.4 A truck is assigned to a source that works; it may stay so while that does not."""
    return pos.game.sources[side] if truck in pos.assigned else supply.sources(pos, side)


@segments.segment
def supply_trucks(pos: Position, side: str) -> Procedure[Next]:
    """8.11 Trucks are assigned to hexes that project a radius; those that stand with none of these are free again."""
    free = free_trucks(pos, side)
    before = [t for t in pos.assigned if pos.unit(t).side == side]
    mine: list[str] = []
    if free:
        lots = tuple(Lot(h, tuple(trucks), 0, len(trucks), at=h) for h, trucks in sorted(free.items()))
        taken = yield from allocate(Request(side, "prompt.trucks", "8.11", (
            Allocate("trucks", "8.11", "assign", lots, legal=lambda answer: _check_trucks(pos, side, answer)),)))
        mine = sorted(t for trucks in taken.values() for t in trucks)
    pos.assigned = sorted(set(pos.assigned) - set(before) | set(mine))
    for truck in {*before, *mine}:
        pos.touch(pos.at[truck])
    if mine or before:
        hexes = sorted({pos.at[t] for t in mine})
        pos.tell("trucks_assigned", "8.11", side, count=len(mine), **pos.openly(hexes=hexes),
                 private={side: {"hexes": hexes}})
    return DONE


def _check_trucks(pos: Position, side: str, answer: Answer) -> None:
    """8.11 Every hex to which a truck is assigned must project a radius in the end; who was assigned to it before may
    stay so without. Raises Refusal."""
    trucks = [t for taken in answer["lots"].values() for t in taken]
    projects = supply.net(pos, side, pos.lines.get(side), pos.depots[side], trucks).projects
    for truck in trucks:
        if pos.at[truck] not in projects and truck not in pos.assigned:
            raise Refusal("refusal.no_radius", "8.11", at=pos.at[truck], unit=truck)


# -- the net (8.9, 8.10) -------------------------------------------------------------------------------------


def side_net(pos: Position, side: str) -> supply.Net:
    """8.10 The net as line, depots and trucks lie."""
    return supply.net(pos, side, pos.lines.get(side), pos.depots.get(side, []),
                      [t for t in pos.assigned if pos.unit(t).side == side])


@segments.segment
def supply_net(pos: Position, side: str) -> Procedure[Next]:
    """8.3, 8.9, 8.10 Who is in general supply this turn, leaders (2.14) and headquarters (2.18) turned over that are
    not; the units out of it are checked for attrition."""
    yield from ()
    net = side_net(pos, side)
    before = {u for u in pos.out if pos.unit(u).side == side}
    pos.out = sorted((set(pos.out) - before) | net.out)
    for unit in before ^ net.out:
        pos.touch(pos.at[unit])
    pos.forget()
    pos.touched |= {f"layer:supply_{side}", f"layer:radius_{side}"}
    pos.chains[side] = net.projects
    pos.fed[side] = sorted(net.reached)
    cut = supply.cut_off(pos, side)
    theirs = {pos.at[u] for u in pos.out if pos.unit(u).side != side}
    pos.hungry = {h: why for h, why in pos.hungry.items() if h in theirs}
    pos.hungry |= {pos.at[u]: "layer.isolated" if pos.at[u] in cut else "layer.far" for u in sorted(net.out)}
    pos.tell("supply_checked", "8.10", side, supplied=len(net.supplied), unsupplied=len(net.out),
             private={side: {"units": sorted(net.out)}})
    return DONE


# -- the roll (8.2, 8.14) ------------------------------------------------------------------------------------


def commander_rating(pos: Position, side: str) -> int:
    """8.2 The commander's rating counts while he is with the headquarters (8.5, a ruling)."""
    chief, ghq = pos.commander[side], pos.game.ghq[side]
    return pos.unit(chief).command if pos.at.get(chief) == pos.at[ghq] and pos.on_board(chief) else 0


@segments.segment
def supply_roll(pos: Position, side: str) -> Procedure[Next]:
    """8.2 A die on the supply table: combat supply points, replacement points (9.1), perhaps a truck (9.6). Without a
    line there is no roll (8.5)."""
    line = pos.lines.get(side)
    pos.attrition = {}
    if line is None:
        pos.depots[side] = []
        return DONE
    column, rating = supply.column(pos, side, line["length"]), commander_rating(pos, side)
    rolled = yield from die("supply", "8.2")
    low, high = pos.game.tables["supply"]["rows"]
    row = max(low, min(high, rolled + rating))
    points, men, trucks = column["cells"][row]
    pos.replacements[side] += men
    new = list(pos.stack(TRUCKS[side]))[:trucks]  # 9.6 no more than there are
    for truck in new:
        pos.put(truck, DUE[side])
    pos.touched.add("table:state")
    pos.tell("supply_rolled", "8.2", side, roll=rolled, rating=rating, row=row, column=column["label"],
             points=points, replacements=men, trucks=len(new))
    yield from _place_points(pos, side, points)
    pos.depots[side] = []  # 8.8
    pos.touched.add(f"layer:supply_{side}")
    return DONE


def _place_points(pos: Position, side: str, points: int) -> Procedure[None]:
    """8.14 New points go to sources, the headquarters and leaders, each in general supply; what is not placed is
    lost."""
    net = side_net(pos, side)
    ghq = pos.at[pos.game.ghq[side]]
    where = {h for h in pos.game.sources[side] if h in net.reached and pos.holder(h) in (None, side)}
    where |= {h for h in (ghq, *(pos.at[u] for u in pos.of_type(side, "leader"))) if h in net.reached}
    units = pos.make_supply(side, points)
    if not where or not units:
        return
    form = Place("supply_points", "8.14", (Group("supply_points", "8.14", tuple(units), tuple(sorted(where))),),
                 999, "8.14", suggested=dict.fromkeys(units, ghq) if ghq in where else {})
    answer = yield from ask(Request(side, "prompt.supply_points", "8.14", (form, Choose("no_points", "8.14", (
        Option("no_points", "8.14", label("option.no_points", n=len(units))),)))))
    placed: dict[str, str] = answer.get("placed", {})
    for unit, hex_ in placed.items():
        pos.put(unit, hex_)
    pos.tell("points_placed", "8.14", side, hexes=sorted(set(placed.values())), count=len(placed),
             lost=len(units) - len(placed))


