"""12.7, 12.8 Retreat and rout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from rules.core.forms import Choose, Option, label
from rules.core.procedure import Procedure, choose
from rules.core.request import Request, needs_open
from rules.maps.paths import Prices, Reach, reach
from rules.titles.chaco import stacking
from rules.titles.chaco.attrition import lose_step
from rules.titles.chaco.control import take
from rules.titles.chaco.dice import die
from rules.titles.chaco.displacement import overrun
from rules.titles.chaco.position import Position
from rules.titles.chaco.search import FAR, homing
from rules.titles.chaco.strength import around
from rules.titles.chaco.supply import sources
from rules.titles.chaco.units import enemy
from rules.titles.chaco.zoc import live_zones, zones


def check(pos: Position, side: str, units: Sequence[str], threats: Sequence[str], armour: int) -> Procedure[None]:
    """12.7 A die for each unit, with the best rating of a leader in its hex: retreat or rout, each carried out before
    the next die. 12.8 Then those who do not fight."""
    went: dict[str, list[tuple[str, str]]] = {}
    for unit in units:
        start = pos.at[unit]
        rolled = yield from die("retreat", "12.7")
        rating = max((pos.unit(x).command for x in pos.leaders_at(start)), default=0)
        low, high = pos.game.tables["retreat"]["rows"]
        row = max(low, min(high, rolled + rating + armour))
        how = pos.game.tables["retreat"]["cells"][row - low]
        pos.tell("retreat_rolled", "12.7", side, at=start, roll=rolled, row=row, how=f"how.{how}", unit=unit)
        goal = yield from (fall_back if how == "retreat" else flee)(pos, side, unit, threats)
        if goal is not None and unit in pos.at and pos.at[unit] == goal:
            went.setdefault(start, []).append((how, goal))
            pos.fled[unit] = goal
    for start, goals in sorted(went.items()):
        if not pos.fighters(start, side):
            yield from train(pos, side, start, goals)


def retreat_hexes(pos: Position, side: str, unit: str, threats: Sequence[str]) -> list[str]:
    """12.8 Where a unit can retreat to: one hex, over no river, not into live enemy zones (7.5), enemies that fight
    (10.3) or a full hex; out of touch with the attackers where it can be."""
    at, zone, foes = pos.at[unit], live_zones(pos, side), pos.army(enemy(side))
    ways = pos.ways(pos.unit(unit).kind, side)
    able = [h for h in around(pos, at) if h not in zone and not pos.game.river(at, h) and h not in foes
            and h not in threats and ways.price(at, h) is not None
            and (not pos.unit(unit).counted or stacking.room(pos, h) > 0)]
    clear = [h for h in able if not any(t in around(pos, h) for t in threats)]
    return sorted(clear or able)


def fall_back(pos: Position, side: str, unit: str, threats: Sequence[str]) -> Procedure[str | None]:
    """12.8 A retreat of one hex, chosen by the owner; who cannot retreat loses a step where he stands."""
    start, goals = pos.at[unit], retreat_hexes(pos, side, unit, threats)
    if not goals:
        lose_step(pos, unit)
        pos.tell("no_retreat", "12.8", side, reveals=True, at=start, unit=unit)
        return None
    goal = yield from _pick(pos, side, unit, goals)
    yield from _enter(pos, side, unit, goal)
    pos.tell("retreated", "12.8", side, reveals=True, at=goal, path=[start, goal], units=[unit], **{"from": start})
    return goal


def _pick(pos: Position, side: str, unit: str, goals: Sequence[str]) -> Procedure[str]:
    options = tuple(Option(h, "12.8", label("option.go_to", at=h), at=h) for h in goals)
    return (yield from choose(Request(side, "prompt.retreat", "12.8", (Choose("retreat", "12.8", options),),
                                      {"unit": unit, "at": pos.at[unit]}, open_grounds=True, needs=needs_open)))


def _follows(pos: Position, side: str, unit: str, goals: Sequence[str]) -> Procedure[str]:
    """12.8 Where one goes that does not fight; which one it is only its owner is told (limited intelligence)."""
    options = tuple(Option(h, "12.8", label("option.unit_to", unit=unit, at=h), at=h) for h in goals)
    return (yield from choose(Request(side, "prompt.train", "12.8", (Choose("retreat", "12.8", options),),
                                      {"at": pos.at[unit]}, open_grounds=True, needs=needs_open)))


def _enter(pos: Position, side: str, unit: str, hex_: str) -> Procedure[None]:
    """12.8 A unit in flight comes into a hex: 3.2 it controls it now; 10.3 enemies that do not fight are run over."""
    yield from overrun(pos, side, hex_)
    pos.put(unit, hex_)
    yield from take(pos, side, hex_, "flight")


# -- rout (12.8) ---------------------------------------------------------------------------------------------


def homeward(pos: Position, side: str, kind: str, start: str, barred: frozenset[str]) -> Mapping[str, int]:
    """12.8 How far each hex is from the nearest friendly source, in sixths of a point: round what is barred and without
    crossing a river if that leads home from `start`, else over rivers and through what holds up the rout; never off the
    map or along clear hexsides (10.6). Who is routed from a source runs to another one (a ruling)."""
    goals = [h for h in sources(pos, side) or pos.game.sources[side] if h != start]
    ways, boxes, cost = pos.ways(kind, side), pos.game.off_map, dict[str, int]()
    for closed, rivers in ((barred | boxes, False), (boxes, False), (boxes, True)):
        cost = homing(ways, goals, closed, rivers)
        if start in cost:
            break
    return cost


def flight(pos: Position, unit: str, barred: frozenset[str], stops: Set[str]) -> Reach:
    """12.8 Where a rout can run with all its points: over no river, into no box off the map, on from no hex that stops
    it; 10.6 along no clear hexsides."""
    start, ways = pos.at[unit], pos.ways(pos.unit(unit).kind, pos.unit(unit).side)

    def step(here: str, there: str) -> int | None:
        held = here in stops and here != start
        return None if held or pos.game.river(here, there) else ways.step(here, there)

    return reach(Prices(pos.game.links, step), start, pos.factor(unit), barred | pos.game.off_map)


def flee(pos: Position, side: str, unit: str, threats: Sequence[str]) -> Procedure[str | None]:
    """12.8 A rout: all points of movement towards a friendly source, through no enemy zone, negated or not, and over no
    river; it ends at a leader, headquarters or works after the first hex. Full hexes (11.2) are run through (a ruling).
    Who is held up loses a step (7.5)."""
    start, kind = pos.at[unit], pos.unit(unit).kind
    full = {h for h in pos.held(side) if pos.unit(unit).counted and stacking.room(pos, h) <= 0}
    barred = frozenset({*pos.army(enemy(side)), *zones(pos, enemy(side)), *threats}) - {start}
    heads = (pos.at[u] for u in pos.of_type(side, "leader", "ghq"))
    stops = {*pos.works, *heads} - full
    reached = flight(pos, unit, barred, stops)
    away = homeward(pos, side, kind, start, barred)
    here = away.get(start, FAR)
    nearer = {h: away.get(h, FAR) for h in reached.cost if h != start and h not in full and away.get(h, FAR) < here}
    if not nearer:
        lose_step(pos, unit)
        pos.tell("no_rout", "12.8", side, reveals=True, at=start, unit=unit)
        return None
    best = min(nearer.values())
    goals = sorted(h for h, d in nearer.items() if d == best or h in stops)
    goal = yield from _pick(pos, side, unit, goals)
    path = reached.path(goal)
    for hex_ in path[1:]:
        yield from _enter(pos, side, unit, hex_)
    pos.tell("routed", "12.8", side, reveals=True, at=goal, path=path, units=[unit], **{"from": start})
    if goal not in stops and _held_up(pos, away, unit, pos.factor(unit) - reached.cost[goal], barred):
        lose_step(pos, unit)
        pos.tell("rout_held_up", "7.5", side, reveals=True, at=goal, unit=unit)
    return goal


def _held_up(pos: Position, away: Mapping[str, int], unit: str, left: int, barred: frozenset[str]) -> bool:
    """7.5 Whether a rout could have gone on but for enemy zones or a river. `away`: how far each hex is from home."""
    at, ways = pos.at[unit], pos.ways(pos.unit(unit).kind, pos.unit(unit).side)
    return any(
        (price := ways.step(at, there)) is not None
        and price <= left
        and away.get(there, FAR) < away.get(at, FAR)
        and (there in barred or pos.game.river(at, there))
        for there in pos.game.links[at]
    )


# -- those who do not fight (12.8) ---------------------------------------------------------------------------


def train(pos: Position, side: str, start: str, goals: Sequence[tuple[str, str]]) -> Procedure[None]:
    """12.8 Leaders go with any unit that fell back, for no points; the headquarters, trucks and supply with one that
    retreated (trucks only where they can drive), else they are lost; assigned trucks always are (8.11)."""
    everywhere = sorted({goal for _, goal in goals})
    orderly = sorted({goal for how, goal in goals if how == "retreat"})
    for unit in list(pos.stack(start)):
        kind = pos.unit(unit).type
        able = everywhere if kind == "leader" else orderly
        if kind == "truck":
            ways = pos.ways("mech", side)
            able = [] if unit in pos.assigned else [h for h in orderly if ways.price(start, h) is not None]
        if able:
            goal = yield from (_pick(pos, side, unit, able) if kind == "leader" else _follows(pos, side, unit, able))
            pos.put(unit, goal)
            pos.aboard.pop(unit, None)
            pos.tell("train_moved", "12.8", side, reveals=True, at=goal, **{"from": start},
                     private={side: {"units": [unit]}})
        elif kind != "ghq":
            pos.send_off(unit)
            pos.tell("train_lost", "12.8", side, reveals=True, at=start, unit=unit)
        else:
            pos.send_off(unit)
            pos.tell("ghq_overrun", "7.5", side, reveals=True, at=start, unit=unit)
