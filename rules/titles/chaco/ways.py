"""10.4-10.9 What it costs to go from hex to hex, on foot or mechanised, and along the line of communications (8.6)."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from rules.maps.hexmap import HexMap
from rules.maps.paths import Step

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


class Rows(dict[int, tuple[tuple[int, int], ...]]):
    """Number of a hex -> those one can go to from it, by number, each with its price: worked out when a hex is first
    asked for. Searches go by numbers: costs are then a list, which is looked up twice as fast as a table of names."""

    def __init__(self, game: Game, step: Step) -> None:
        super().__init__()
        self._game, self._step = game, step
        self.beside: dict[tuple[Any, ...], tuple[tuple[int, int], ...]] = {}  # of maps like this one

    def __missing__(self, here: int) -> tuple[tuple[int, int], ...]:
        number, name, step = self._game.number, self._game.names[here], self._step
        pairs = [(number[there], price) for there in self._game.links[name] if (price := step(name, there)) is not None]
        row = self[here] = tuple([self._game.prices.setdefault(pair, pair) for pair in pairs])
        return row


class Like(Rows):
    """Rows that are those of another map but from hexes on or beside `special` ones: trails, ferries, shut hexes. What
    a row is there hangs on which of them are how near, and is kept with the other map for all who have the same."""

    def __init__(self, plain: Rows, game: Game, step: Step, special: tuple[frozenset[str], ...]) -> None:
        super().__init__(game, step)
        self._plain, self._special = plain, special
        self._changed = {game.number[h] for one in special for h in one.union(*(game.links[h] for h in one))}
        self.update(plain)  # those known by now
        for here in self._changed & plain.keys():
            del self[here]

    def __missing__(self, here: int) -> tuple[tuple[int, int], ...]:
        if here not in self._changed:
            row = self[here] = self._plain[here]
            return row
        name = self._game.names[here]
        near = {name, *self._game.links[name]}
        key = here, *(frozenset(near & one) for one in self._special)
        found = self._plain.beside.get(key)
        if found is None:
            found = self._plain.beside[key] = super().__missing__(here)
        self[here] = found
        return found


class Shortcuts(NamedTuple):
    """10.6 The ways along clear hexsides from a hex: where each comes out, by number, with its price and the hexes it
    touches; the same without these; all hexes that any of them touches."""

    each: tuple[tuple[int, int, frozenset[str]], ...]
    prices: tuple[tuple[int, int], ...]
    beside: frozenset[str]


class Ways:
    """The price of every step for one kind of movement. `rows` holds the prices from each hex to those it touches."""

    def __init__(
        self, game: Game, kind: str, rain: bool, trails: frozenset[str], ferries: frozenset[str], shut: frozenset[str]
    ) -> None:
        self.game, self.kind, self.trails, self.ferries, self.shut = game, kind, trails, ferries, shut
        self.season = int(rain)
        self.table = game.tables["terrain"]
        self.column = {"guns": "foot"}.get(kind, kind)
        self.along: int = self.table["clear_hexside"][self.column][self.season]
        self._cuts: dict[tuple[int, bool], Shortcuts] = {}
        if trails or ferries or shut:
            plain, special = game.ways(kind, rain, (), (), ()), (trails, ferries, shut)
            if not trails:  # 10.6 nothing else tells on clear hexsides
                self._cuts = plain._cuts
            self.rows: Rows = Like(plain.rows, game, self.step, special)
            self.back: Rows = Like(plain.back, game, self._step_back, special)
        else:
            self.rows, self.back = Rows(game, self.step), Rows(game, self._step_back)

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

    def _step_back(self, here: str, there: str) -> int | None:
        return self.step(there, here)

    @cached_property
    def dry(self) -> Rows:
        """12.8 The steps back that cross no river."""
        return Rows(self.game, lambda here, there: None if self.game.river(here, there) else self.step(there, here))

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
        here, there = self.game.number.get(a), self.game.number.get(b)
        if here is None:
            return None
        steps = [*(self.rows[here] if a in self.game.links else ()), *self.shortcuts(here, zones)]
        return min([price for to, price in steps if to == there], default=None)

    def shortcuts(self, here: int, zones: Collection[str], back: bool = False) -> Collection[tuple[int, int]]:
        """10.6 The ways along clear hexsides from a hex (`back`: to it), each with its price; none beside a hex of
        `zones`."""
        if here not in self.game.cut_numbers:
            return ()
        found = self._cuts.get((here, back)) or self._shortcuts(here, back)
        if found.beside.isdisjoint(zones):
            return found.prices
        return [(to, price) for to, price, touches in found.each if touches.isdisjoint(zones)]

    def _shortcuts(self, here: int, back: bool) -> Shortcuts:
        """The same, whatever lies beside."""
        name, number = self.game.names[here], self.game.number
        cuts = self.game.cuts[name]
        each = tuple(
            (number[cut.to], price + cut.sides * self.along, cut.touches)
            for cut in cuts
            if (price := self.entry(name if back else cut.to)) is not None
        )
        found = self._cuts[here, back] = Shortcuts(
            each, tuple((to, price) for to, price, _ in each), frozenset().union(*(cut.touches for cut in cuts))
        )
        return found
