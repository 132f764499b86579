"""9 New units: call-ups, reinforcements, trucks, replacements, and the headquarters that comes back (8.5)."""

from __future__ import annotations

from rules.core.agenda import AGAIN, DONE, Next
from rules.core.forms import Allocate, Choose, Group, Lot, Option, label
from rules.core.procedure import Procedure, allocate, ask, choose, draw
from rules.core.request import Request
from rules.titles.chaco import stacking, supply
from rules.titles.chaco.dice import die
from rules.titles.chaco.position import DEAD, DUE, LIFTED, PILE, TRUCKS, Position
from rules.titles.chaco.search import FAR, spread
from rules.titles.chaco.turn import enter_stage, segments
from rules.titles.chaco.units import enemy
from rules.titles.chaco.zoc import supply_zones, zones


@segments.segment
def begin_new_units(pos: Position, side: str) -> Procedure[Next]:
    """4.2, 9.4 The phase of new units begins."""
    yield from ()
    enter_stage(pos, f"{side}_new_units", side)
    pos.tell("new_units_began", "9.4", side)
    return DONE


@segments.segment
def reinforcements(pos: Position, side: str) -> Procedure[Next]:
    """9.4 The reinforcements of the schedule are drawn, after any call-up: that is declared before they are known."""
    yield from draw_units(pos, side, scheduled(pos, side), "9.4")
    return DONE


def scheduled(pos: Position, side: str) -> int:
    """9.4 How many units the schedule gives this turn."""
    now = pos.game.label_of(pos.turn)
    rows = pos.game.n["reinforcements"][side]
    return int(next(row["n"] for row in rows if row["until"] is None or now <= row["until"]))


def draw_units(pos: Position, side: str, n: int, clause: str) -> Procedure[None]:
    """9.4 Units drawn at random from the reinforcements; an empty pile takes up the dead, at full strength. With both
    empty nothing comes, and nothing is saved."""
    drawn = []
    for _ in range(n):
        if not pos.stack(PILE[side]):
            for unit in list(pos.stack(DEAD[side])):
                pos.put(unit, PILE[side])
        pile = pos.stack(PILE[side])
        if not pile:
            break
        number = yield from draw("reinforcement", clause, len(pile), tuple(pile))
        unit = pile[number]
        pos.put(unit, DUE[side])
        drawn.append(unit)
    if drawn:
        pos.tell("units_drawn", clause, side, units=sorted(drawn), count=len(drawn))


@segments.segment
def call_up(pos: Position, side: str) -> Procedure[Next]:
    """9.5 As the phase begins reserves may be called up for five points each time: a die of units more. Paraguay may
    twice in a game, Bolivia as often as it likes; who has fewer points cannot pay."""
    rules = pos.game.n["call_up"]
    most = rules["most"][side]
    spent_up = most is not None and pos.callups[side] >= most
    if spent_up or pos.vp[side] < rules["cost"] or not (pos.stack(PILE[side]) or pos.stack(DEAD[side])):
        return DONE
    said = yield from choose(Request(side, "prompt.call_up", "9.5", (Choose("call_up", "9.5", (
        Option("no_call_up", "9.5", label("option.no_call_up")),
        Option("call_up", "9.5", label("option.call_up", n=rules["cost"])))),)))
    if said == "no_call_up":
        return DONE
    pos.callups[side] += 1
    pos.points(side, -rules["cost"])
    rolled = yield from die("call_up", "9.5")
    pos.touched.add("table:state")
    pos.tell("called_up", "9.5", side, roll=rolled)
    yield from draw_units(pos, side, rolled, "9.5")
    return AGAIN


@segments.segment
def new_units(pos: Position, side: str) -> Procedure[Next]:
    """9.4, 9.6 Units drawn and trucks earned come in at controlled sources, within stacking; 8.5 a headquarters that
    was lifted in an earlier turn comes back. What finds no room returns to its pile (a ruling)."""
    where = entry_hexes(pos, side)
    space = sum(max(0, stacking.room(pos, h)) for h in where)
    due = list(pos.stack(DUE[side]))
    counted = [u for u in due if pos.unit(u).counted]
    back = [u for u in due if not where or u in counted[space:]]
    for unit in back:
        pos.put(unit, TRUCKS[side] if pos.unit(unit).type == "truck" else PILE[side])
    if back:
        pos.tell("no_room", "9.4", side, units=back, count=len(back))
    groups = _groups(pos, side, where)
    if not groups:
        return DONE

    answer = yield from ask(Request(side, "prompt.new_units", "9.4", (
        stacking.within_limits(pos, "new_units", "9.4", groups),)))
    for unit, hex_ in answer["placed"].items():
        pos.put(unit, hex_)
        if pos.unit(unit).type == "ghq":
            pos.back.pop(side, None)
            pos.tell("ghq_back", "8.5", side, at=hex_)
    units = [u for u in answer["placed"] if pos.unit(u).type != "ghq"]
    if units:
        pos.tell("units_placed", "9.4", side, hexes=sorted({pos.at[u] for u in units}), count=len(units),
                 private={side: {"units": sorted(units)}})
    return DONE


def entry_hexes(pos: Position, side: str) -> tuple[str, ...]:
    """9.4 The controlled source hexes that can take new units."""
    return tuple(h for h in pos.game.sources[side] if pos.controller(h) == side
                 and pos.holder(h) in (None, side))


def _groups(pos: Position, side: str, where: tuple[str, ...]) -> tuple[Group, ...]:
    due = tuple(pos.stack(DUE[side]))
    groups = [Group("new_units", "9.4", due, where, must=True)] if due else []
    ghq = pos.game.ghq[side]
    if pos.at[ghq] == LIFTED[side] and pos.turn >= pos.back.get(side, 0):
        hexes = ghq_hexes(pos, side)
        if hexes:
            groups.append(Group("ghq", "8.5", (ghq,), hexes, must=True))
    return tuple(groups)


def ghq_hexes(pos: Position, side: str) -> tuple[str, ...]:
    """8.5 Where a headquarters may come back: any hex outside enemy zones, negated ones too, that a line can reach."""
    closed, zoned, found = supply.barred(pos, side), supply_zones(pos, side), set[str]()
    for source in supply.sources(pos, side):
        if source not in found:
            found |= spread(pos.ways("line", side), source, FAR, closed, zoned).cost.keys()
    return tuple(sorted(h for h in found - zones(pos, enemy(side)) if pos.holder(h) in (None, side)))


@segments.segment
def replacements(pos: Position, side: str) -> Procedure[Next]:
    """9.2, 9.3 A point turns a reduced infantry or cavalry unit in general supply back to full strength; as often as
    one likes in a game. 9.1 Of the points that are not used then no more than nine are kept."""
    able = tuple(u for us in pos.army(side).values() for u in us
                 if u in pos.reduced and pos.unit(u).exerts and u not in pos.out)
    most, units = min(len(able), pos.replacements[side]), list[str]()
    if most:
        taken = yield from allocate(Request(side, "prompt.replacements", "9.2", (
            Allocate("replacements", "9.2", "spend", (Lot("replacements", able, 0, most,
                                                          label=label("lot.replacements")),)),), {"n": most}))
        units = taken.get("replacements", [])
    for unit in units:
        pos.flip(unit, False)
    pos.replacements[side] = min(int(pos.game.n["replacements_kept"]), pos.replacements[side] - len(units))
    pos.touched.add("table:state")
    if units:
        hexes = sorted({pos.at[u] for u in units})
        pos.tell("replaced", "9.3", side, count=len(units), **pos.openly(hexes=hexes),
                 private={side: {"units": sorted(units), "hexes": hexes}})
    return DONE
