"""10.4-10.9 What it costs to go from hex to hex, on foot or mechanised, and along the line of communications (8.6)."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Set
from typing import TYPE_CHECKING, NamedTuple

from rules.maps.hexmap import HexMap
from rules.maps.paths import Frontier, Prices, Reach

if TYPE_CHECKING:
    from rules.titles.chaco.units import Game

NOWHERE: frozenset[str] = frozenset()


class Cut(NamedTuple):
    """10.6 A way along clear hexsides: where it comes out, how many sides it follows, and the hexes it touches."""

    to: str
    sides: int
    touches: frozenset[str]


def _corners(map_: HexMap, side: tuple[str, str]) -> set[frozenset[str]]:
    """The two corners of a hexside, each as the three hexes that meet there."""
    a, b = side
    return {frozenset((a, b, c)) for c in map_.neighbours[a] if c in map_.neighbours[b]}


def cuts_of(map_: HexMap) -> dict[str, tuple[Cut, ...]]:
    """10.6 From a hex onto one of its own clear sides, along sides that share a corner, out beside the last one."""
    sides = sorted({(min(p), max(p)) for p in map_.edges("clear_hexside")})
    corners = {side: _corners(map_, side) for side in sides}
    joined = {one: [other for other in sides if other != one and corners[one] & corners[other]] for one in sides}
    found: dict[str, dict[str, Cut]] = {}
    for first in sides:
        chain, seen = [(first, 1, frozenset(first))], {first}
        while chain:
            side, n, touched = chain.pop(0)
            for start in first:
                for end in side:
                    known = found.setdefault(start, {})
                    if end != start and n > 1 and (end not in known or known[end].sides > n):
                        known[end] = Cut(end, n, touched)
            for other in joined[side]:
                if other not in seen:
                    seen.add(other)
                    chain.append((other, n + 1, touched | frozenset(other)))
    return {start: tuple(ends[e] for e in sorted(ends)) for start, ends in sorted(found.items())}


class Like(Prices):
    """Prices that are those of another map but around the `changed` hexes, where they are `own`."""

    def __init__(self, plain: Prices, own: Prices, changed: Set[str]) -> None:
        dict.__init__(self, plain)  # those known by now
        for here in changed & plain.keys():
            del self[here]
        self._plain, self._own, self._changed = plain, own, changed

    def __missing__(self, here: str) -> tuple[tuple[str, int], ...]:
        row = self[here] = (self._own if here in self._changed else self._plain)[here]
        return row


class Ways:
    """The price of every step for one kind of movement. `rows` holds the prices from each hex to those it touches."""

    def __init__(self, game: Game, kind: str, rain: bool, trails: Set[str], ferries: Set[str], shut: Set[str]) -> None:
        self.game, self.kind, self.trails, self.ferries, self.shut = game, kind, trails, ferries, shut
        self.season = int(rain)
        self.table = game.tables["terrain"]
        self.column = {"guns": "foot"}.get(kind, kind)
        self.along: int = self.table["clear_hexside"][self.column][self.season]
        self._cuts: dict[str, tuple[tuple[str, int, frozenset[str]], ...]] = {}
        self.rows = Prices(game.links, self.step)
        self.back = Prices(game.links, lambda here, there: self.step(there, here))
        if special := trails | ferries | shut:
            changed, plain = set(special).union(*(game.links[h] for h in special)), game.ways(kind, rain, (), (), ())
            self.rows, self.back = Like(plain.rows, self.rows, changed), Like(plain.back, self.back, changed)

    def entry(self, hex_: str) -> int | None:
        """10.4, 10.8 The price of a hex off the road; 10.9 none for guns in a swamp; 14.5 a trail makes it clear."""
        terrain = "clear" if hex_ in self.trails else self.game.map.hexes[hex_].terrain
        if terrain not in self.table or (terrain == "swamp" and self.kind == "guns"):
            return None
        price: int | None = self.table[terrain][self.column][self.season]
        return price

    def step(self, a: str, b: str) -> int | None:
        """10.5, 10.7 One step: by rail or road whatever the terrain, else the terrain; a river on top."""
        if a in self.game.off_map or b in self.game.off_map:
            return self._off_map(b)
        map_ = self.game.map
        price: int | None
        if map_.edge("rail", a, b):
            price = self.table["rail"][self.column][self.season]
        elif map_.edge("road", a, b) and not (self.kind == "line" and self._swamp(b)):
            price = self.table["road"][self.column][self.season]
        else:
            price = self.entry(b)
        if price is None or not map_.edge("river", a, b):
            return price
        extra = self._river(a, b)
        return None if extra is None else price + extra

    def _swamp(self, hex_: str) -> bool:
        """8.6 A road does not open a swamp to the line of communications."""
        return self.game.map.hexes[hex_].terrain == "swamp" and hex_ not in self.trails

    def _river(self, a: str, b: str) -> int | None:
        """10.5 What a river adds: less with the ferry or an engineer beside it, whom the rains require."""
        table = self.table["river"]
        helped = {a, b} == self.game.ferry or bool({a, b} & self.ferries)
        row = f"ferry_{self.column}" if helped and self.kind != "line" else self.column
        extra: int | None = table[row][self.season]
        return extra

    def _off_map(self, to: str) -> int | None:
        """10.12 A point for each box of that kind; back on the map the terrain. Nobody enters boxes of the other side,
        or comes back where it stands; no line leads off the map."""
        if self.kind == "line" or to in self.shut:
            return None
        if to not in self.game.off_map:
            return self.entry(to)
        return None if "one_turn" in self.game.map.hexes[to].features else int(self.game.n["off_map"])

    def price(self, a: str, b: str, zones: Collection[str] = ()) -> int | None:
        """The price of one step of a path: between hexes that touch, or along clear hexsides free of `zones` (10.6)."""
        prices = [p for there, p in self.rows[a] if there == b] if a in self.game.links else []
        prices += [p for there, p in self.cut_prices(a, zones) if there == b]
        return min(prices, default=None)

    def cut_prices(self, here: str, zones: Collection[str]) -> list[tuple[str, int]]:
        """10.6 The ways along clear hexsides from a hex; none beside a hex of `zones`."""
        return [(to, price) for to, price, touches in self.cuts_from(here) if touches.isdisjoint(zones)]

    def cuts_from(self, here: str) -> tuple[tuple[str, int, frozenset[str]], ...]:
        """10.6 Where the ways along clear hexsides from a hex come out, at what price, and the hexes they touch."""
        found = self._cuts.get(here)
        if found is None:
            found = self._cuts[here] = tuple((cut.to, price + cut.sides * self.along, cut.touches)
                                             for cut in self.game.cuts.get(here, ())
                                             if (price := self.entry(cut.to)) is not None)
        return found


def spread(ways: Ways, start: str, budget: int, closed: Container[str], zones: Collection[str] = NOWHERE,
           stop: Container[str] = NOWHERE, first: Container[str] | None = None,
           doors: Mapping[str, int] | None = None) -> Reach:
    """Where one can get from `start` for at most `budget`. Never into a `closed` hex, never on from a `stop` hex; clear
    hexsides beside a hex of `zones` are barred. `first`: hexes barred as the very first step (7.3); `doors`: places
    that only the first step leads to, with their price (10.12)."""
    cost, via, edge = {start: 0}, dict[str, str](), Frontier([start])
    for there, price in (doors or {}).items():
        if price <= budget and there not in closed:
            cost[there], via[there] = price, start
            edge[price].append(there)
    cuts, rows, known, over = ways.game.cuts, ways.rows, cost.get, budget + 1
    for spent, spaces in edge.cheapest_first():
        while spaces:
            here = spaces.pop()
            if spent > cost[here] or (here in stop and here != start):
                continue
            steps = (*rows[here], *ways.cut_prices(here, zones)) if here in cuts else rows[here]
            if here == start and first is not None:
                steps = tuple(step for step in steps if step[0] not in first)
            for there, price in steps:
                total = spent + price
                if total < known(there, over) and there not in closed:
                    cost[there], via[there] = total, here
                    if price:
                        edge[total].append(there)
                    else:
                        edge.again(total, there)
    return Reach(cost, via)


def homing(ways: Ways, goals: Iterable[str], closed: Collection[str], wanted: Iterable[str] = (),
           zones: Collection[str] | None = NOWHERE, rivers: bool = True) -> Reach:
    """How far each hex is from the nearest goal, going there, and the next hex on the way; clear hexsides beside a hex
    of `zones` are barred (None: all), and without `rivers` all crossings. Ends early when all the `wanted` hexes are
    known."""
    cost = dict.fromkeys(goals, 0)
    via: dict[str, str] = {}
    edge = Frontier(cost)
    missing, early = set(wanted), bool(wanted)
    cuts, rows, known = {} if zones is None else ways.game.cuts, ways.back, cost.get
    for spent, spaces in edge.cheapest_first():
        while spaces:
            here = spaces.pop()
            if spent > cost[here]:
                continue
            if early:
                missing.discard(here)
                if not missing:
                    return Reach(cost, via)
            steps = rows[here]
            if here in cuts:
                entry = ways.entry(here)
                if entry is not None:
                    steps = (*steps, *((c.to, entry + c.sides * ways.along) for c in cuts[here]
                                       if c.touches.isdisjoint(zones or NOWHERE)))
            for there, price in steps:
                total = spent + price
                if total < known(there, total + 1) and there not in closed:
                    if not rivers and ways.game.river(here, there):
                        continue
                    cost[there], via[there] = total, here
                    if price:
                        edge[total].append(there)
                    else:
                        edge.again(total, there)
    return Reach(cost, via)
