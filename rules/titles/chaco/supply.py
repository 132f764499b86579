"""8 General supply: sources, the line of communications, radii, and who is reached."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from rules.maps.paths import Reach, led, unjoined
from rules.titles.chaco.position import Position
from rules.titles.chaco.search import FAR, Lines, lines_from, lines_to, spread, within
from rules.titles.chaco.units import BOLIVIA, SIXTHS, Game, enemy
from rules.titles.chaco.ways import NOWHERE, Ways
from rules.titles.chaco.zoc import supply_zones


def barred(pos: Position, side: str) -> frozenset[str]:
    """8.6, 8.7 Hexes that neither line nor radius of a side enters: enemy combat units, their zones unless negated, and
    settlements the enemy controls; boxes off the map, which serve movement alone (10.12)."""
    def find() -> frozenset[str]:
        foreign = {h for h in pos.game.settlements if pos.controller(h) != side}
        return frozenset({*pos.army(enemy(side)), *supply_zones(pos, side), *foreign, *pos.game.off_map})
    return pos.known(find, "barred", side)


def sources(pos: Position, side: str) -> tuple[str, ...]:
    """8.4 The sources that work: controlled, free of live enemy zones, rail head and Villa Montes on their terms."""
    return pos.known(lambda: tuple(h for h in pos.game.sources[side] if _works(pos, side, h)), "sources", side)


def _works(pos: Position, side: str, hex_: str) -> bool:
    zones, foe = supply_zones(pos, side), pos.army(enemy(side))
    if pos.controller(hex_) != side or hex_ in zones or hex_ in foe:
        return False
    needed: Iterable[str] = ()
    if hex_ == pos.game.rail_head:  # 8.4 the last and every other hex of the railway
        needed = pos.game.rail
    elif side == BOLIVIA and hex_ == pos.game.villa_montes:  # 8.4 the river up to the edge of the map
        needed = pos.game.upper_bank
    return not any(h in foe or h in zones for h in needed)


# -- the line of communications ------------------------------------------------------------------------------


def line_reach(pos: Position, side: str) -> Reach | None:
    """8.6 From the headquarters along the cheapest lines to every hex; None when it is off the map."""
    ghq = pos.at[pos.game.ghq[side]]
    if not pos.on_board(pos.game.ghq[side]):
        return None

    def find() -> Reach:
        return spread(pos.ways("line", side), ghq, FAR, barred(pos, side), supply_zones(pos, side))
    return pos.known(find, "line", side) if ghq not in barred(pos, side) else None


def _back_price(pos: Position, side: str, path: Sequence[str]) -> int | None:
    """8.6 The length of a line from its source to the headquarters; None where it may not run."""
    if not barred(pos, side).isdisjoint(path) or any(h not in pos.game.links for h in path) or _swampy(pos, path):
        return None
    return _priced(pos.ways("line", side), tuple(path), _beside(pos.game, path) & supply_zones(pos, side))


@lru_cache(512)
def _priced(ways: Ways, path: tuple[str, ...], zones: frozenset[str]) -> int | None:
    """10.4 What the steps of a path cost; None where one can't be taken. `zones`: those beside its clear hexsides."""
    length = 0
    for a, b in pairwise(path):
        price = ways.price(a, b, zones)
        if price is None:
            return None
        length += price
    return length


def _swampy(pos: Position, path: Sequence[str]) -> bool:
    """8.6 A line holds no swamp hex, road or not, unless the railway crosses it."""
    return any(pos.terrain(h) == "swamp" and h not in pos.game.rail for h in path)


def line_length(pos: Position, side: str, path: Sequence[str]) -> int | None:
    """8.6 The length of a line of communications, source first; None for one that is no line."""
    if not path or path[0] not in sources(pos, side) or path[-1] != pos.at[pos.game.ghq[side]]:
        return None
    return _back_price(pos, side, path)


def shortest_lines(pos: Position, side: str) -> dict[str, dict[str, Any]]:
    """8.6 Source -> its shortest line to the headquarters: {"source", "path", "length"}."""
    out = {}
    found = pos.known(lambda: _from_sources(pos, side), "lines", side)
    for source, path in found.items():
        length = line_length(pos, side, path)
        if length is not None:
            out[source] = {"source": source, "path": list(path), "length": length}
    return out


def _from_sources(pos: Position, side: str) -> dict[str, list[str]]:
    return _cheapest(pos, side, lines_to)


def lines_drawn(pos: Position, side: str) -> dict[str, list[str]]:
    """8.6 Source -> the cheapest line there from the headquarters, as `line_reach` has it."""
    return _cheapest(pos, side, lines_from)


def _cheapest(pos: Position, side: str, find: Lines) -> dict[str, list[str]]:
    """8.6 Source -> the cheapest line. The one that would be cheapest with no enemy about still is, as long as none of
    it is barred: enemies only take ways away."""
    ghq, closed, zones = pos.at[pos.game.ghq[side]], barred(pos, side), supply_zones(pos, side)
    if not pos.on_board(pos.game.ghq[side]) or ghq in closed:
        return {}
    ways, goals = pos.ways("line", side), sources(pos, side)
    found = {
        h: path
        for h, path in _peaceful(ways, ghq, side, find).items()
        if h in goals and closed.isdisjoint(path) and _beside(pos.game, path).isdisjoint(zones)
    }
    if cut := [h for h in goals if h not in found]:
        found |= find(ways, ghq, cut, closed, zones)
    return {h: found[h] for h in goals if h in found}


@lru_cache(256)
def _peaceful(ways: Ways, ghq: str, side: str, find: Lines) -> dict[str, list[str]]:
    """The same to all sources of a side, with no enemy about."""
    return find(ways, ghq, ways.game.sources[side], ways.game.off_map, NOWHERE)


def _beside(game: Game, path: Sequence[str]) -> frozenset[str]:
    """10.6 The hexes beside which the clear hexsides of a path run."""
    return NOWHERE.union(*(cut.touches for h in path for cut in game.cuts.get(h, ())))


def column(pos: Position, side: str, length: int) -> dict[str, Any]:
    """8.2 The column of the supply table for a line of that length."""
    columns: list[dict[str, Any]] = pos.game.tables["supply"][side]
    return next(c for c in columns if c["max"] is None or length <= c["max"])


def radius_of(pos: Position, side: str, length: int | None) -> int:
    """8.7 The radius that a line of that length gives; without one it is 4."""
    if length is None:
        return int(pos.game.tables["supply"]["no_line_radius"])
    return int(column(pos, side, length)["radius"])


# -- who is reached ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Net:
    """8.10 General supply of a side: `supplied` counters, `out` of it, and the hexes that project a radius, each with
    the hex that supplied it ("" for those that need none)."""

    supplied: frozenset[str]
    out: frozenset[str]
    projects: dict[str, str]
    reached: dict[str, str]


def covered(pos: Position, side: str, hex_: str, mechanised: bool, radius: int) -> frozenset[str]:
    """8.7 The hexes within the radius around a hex; 8.11 with a truck also those within it mechanised, never mixed."""
    closed, zones = barred(pos, side), supply_zones(pos, side)
    found = _within(pos.ways("foot", side), hex_, radius * SIXTHS, closed, zones)
    return found | _within(pos.ways("mech", side), hex_, radius * SIXTHS, closed, zones) if mechanised else found


@lru_cache(512)
def _within(ways: Ways, hex_: str, budget: int, closed: frozenset[str], zones: frozenset[str]) -> frozenset[str]:
    """The same for one kind of movement, kept for as long as the same hexes are barred, whatever else moves."""
    return within(ways, hex_, budget, closed, zones)


def net(pos: Position, side: str, line: dict[str, Any] | None, depots: Sequence[str], trucks: Iterable[str]) -> Net:
    """8.9, 8.10 Who is in general supply: from sources, the headquarters with a line and depots, on through chains of
    leaders. `trucks` are those assigned (8.11). 10.12 Who is off the map always is. Not to be changed: the same for
    all who ask until something moves."""
    trucks, length = sorted(trucks), str(line and line["length"])
    return pos.known(lambda: _net(pos, side, line, depots, trucks), "net", side, length, *depots, "with", *trucks)


def _net(pos: Position, side: str, line: dict[str, Any] | None, depots: Sequence[str], trucks: Sequence[str]) -> Net:
    radius = radius_of(pos, side, None if line is None else line["length"])
    wheels = {pos.at[t] for t in trucks}
    start = [*sources(pos, side), *([line["path"][-1]] if line else []), *depots]
    chiefs = pos.chiefs(side) & pos.held(side).keys()
    projects: dict[str, str] = dict.fromkeys(start, "")
    reached: dict[str, str] = {}
    todo = list(projects)
    while todo:
        hex_ = todo.pop(0)
        new = covered(pos, side, hex_, hex_ in wheels, radius) - reached.keys()
        reached |= dict.fromkeys(new, hex_)
        for there in sorted(new & chiefs - projects.keys()):
            projects[there] = hex_
            todo.append(there)
    for hex_ in start:
        reached.setdefault(hex_, hex_)
    fed = reached.keys() | pos.game.off_map
    mine = frozenset(pos.on_map(side))
    supplied = frozenset(u for h, stack in pos.held(side).items() if h in fed for u in stack)
    out = (mine - supplied) & pos.game.hungry
    if line is None:
        out |= mine & {pos.game.ghq[side]}
    return Net(supplied, out, projects, reached)


def cut_off(pos: Position, side: str) -> set[str]:
    """8.13 The hexes of a side's units that no path of any length joins to the headquarters (to a working source when
    it is off the map): only enemy units, their live zones, land out of play and the boxes off the map, which serve
    movement alone, stop it. 10.12 Who is in such a box is never cut off."""
    def find() -> set[str]:
        closed = {*pos.army(enemy(side)), *supply_zones(pos, side), *pos.game.off_map}
        ghq = pos.game.ghq[side]
        goals = (pos.at[ghq],) if pos.on_board(ghq) else sources(pos, side)
        wanted = pos.army(side).keys() - pos.game.off_map
        joined = led(pos.game.homeward[side], pos.game.sources[side][0], [*goals, *wanted], closed)
        if joined.isdisjoint(goals):
            joined = set(goals)
        return unjoined(pos.game.links, joined, closed, wanted)

    return pos.known(find, "cut_off", side)


# -- combat supply -------------------------------------------------------------------------------------------


def serves(pos: Position, side: str, hex_: str) -> frozenset[str]:
    """12.12 The hexes whose units a combat supply point in `hex_` can serve: its own, and those within the normal
    radius of a leader in supply, the headquarters with a line or a source that it is stacked with; none runs out of a
    box off the map (8.7, a ruling)."""
    heads = [u for u in pos.stack(hex_) if pos.unit(u).type in ("leader", "ghq") and u not in pos.out]
    if hex_ in pos.game.off_map or (not heads and hex_ not in sources(pos, side)):
        return frozenset((hex_,))
    radius = pos.radius.get(side, int(pos.game.tables["supply"]["no_line_radius"]))
    return pos.known(lambda: covered(pos, side, hex_, False, radius) | {hex_}, "serves", side, hex_, str(radius))


def in_reach(pos: Position, side: str, hexes: Collection[str]) -> set[str]:
    """12.12 Those of some hexes whose units a side could give combat supply."""
    return {h for store in stores(pos, side) for h in serves(pos, side, store) if h in hexes}


def stores(pos: Position, side: str) -> dict[str, list[str]]:
    """Hex -> the supply units of a side there (8.15)."""
    out = {h: [u for u in stack if pos.unit(u).type == "supply"] for h, stack in pos.held(side).items()}
    return {h: us for h, us in out.items() if us}
