"""2.1, 5.1, A5.2 The four joined sheets: what lies in a hex and on its sides, and what a step over each side costs."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import cached_property
from typing import Any, NamedTuple

from rules.maps.hexmap import HexMap

ROADS = ("primary_road", "secondary_road")
HEX_TERRAIN = frozenset(
    {"clear", "woods", "swamp", "village", "castle", "pheasantry", "pond", "orchard", "frozen_pond"}
)
SIDE_TERRAIN = ("stream", "deep_stream", "wall", "river", "hedge", "ditch")
BY_ROAD_ONLY = frozenset({"village", "swamp", "woods", "orchard", "pheasantry"})          # 5.2.1
SIDES_BY_ROAD_ONLY = ("stream", "deep_stream", "river", "hedge", "wall", "ditch")         # 5.2.1
STACKING = {"woods": 1, "swamp": 1, "pheasantry": 1, "village": 2, "castle": 2}           # columns of the table of 7.1

STEPS_KEPT = 500


class Price(NamedTuple):
    """What one step costs, in half points. `slope`: a minor slope, free the first time (half points each later time);
    `disorder` it disorders, `check` it asks for a disorder check (5.1.1)."""

    cost: int
    slope: int = 0
    disorder: bool = False
    check: bool = False


class Board:
    """The map with everything the rules ask of it. `around[hex][side]` is the hex over a side, None off the map."""

    def __init__(self, data: Mapping[str, Any], tables: Mapping[str, Any]) -> None:
        self.map = HexMap(data)
        self.chart: Mapping[str, Any] = tables["terrain"]
        self.around: dict[str, tuple[str | None, ...]] = {
            h: tuple(self.map.step(h, side) for side in range(6)) for h in self.map.hexes}
        self.level = {h: spot.level for h, spot in self.map.hexes.items()}
        self.terrain = {h: spot.terrain for h, spot in self.map.hexes.items()}
        self.stacking = {h: STACKING.get(t, 0) for h, t in self.terrain.items()}
        self.blocking = {h for h, t in self.terrain.items() if self.chart[t]["blocks"]}
        self.places: dict[str, tuple[str, ...]] = {k: tuple(p["hexes"]) for k, p in data["places"].items()}
        self.entries: dict[str, str] = dict(data["entries"])
        self.regions = {name: self._region(runs) for name, runs in data["regions"].items()}
        cells = self.map.cells
        self.axial = {h: (c, r - (c - (c & 1)) // 2) for h, (c, r) in cells.items()}
        self._prices: dict[tuple[str, bool], dict[str, tuple[Price | None, ...]]] = {}
        self._steps: dict[tuple[str, int], frozenset[str]] = {}
        self._links = self._road_links()
        self.walls = self.map.edges("wall")
        self.steep = frozenset((a, b) for a in self.level for b in self.touching(a)
                               if not (self.slope(a, b) or "minor").startswith("minor"))

    def _region(self, runs: Mapping[str, list[list[int]]]) -> frozenset[str]:
        ids = self.map.ids
        return frozenset(ids[column, int(row)] for row, spans in runs.items()
                         for first, last in spans for column in range(first, last + 1))

    def distance(self, a: str, b: str) -> int:
        """4.3 Hexes between two, the second counted."""
        (ax, az), (bx, bz) = self.axial[a], self.axial[b]
        x, z = bx - ax, bz - az
        return max(abs(x), abs(z), abs(x + z))

    def within(self, hex_: str, radius: int) -> tuple[str, ...]:
        return self.map.within(hex_, radius)

    def traced(self, start: str, radius: int, closed: Set[str] = frozenset()) -> frozenset[str]:
        """The hexes at most so many steps from one, over hexes that are not closed."""
        around = self.map.neighbours
        found, edge = {start}, {start}
        for _ in range(radius):
            edge = {n for here in edge for n in around[here]} - found - closed
            found |= edge
        return frozenset(found)

    def steps_from(self, start: str, radius: int) -> frozenset[str]:
        """The same where nothing is closed, kept for the last that were asked for."""
        found = self._steps.get((start, radius))
        if found is None:
            if len(self._steps) > STEPS_KEPT:
                self._steps.clear()
            found = self._steps[start, radius] = self.traced(start, radius)
        return found

    def side_to(self, a: str, b: str) -> int:
        """The side of `a` over which its neighbour `b` lies."""
        return self.around[a].index(b)

    def touching(self, hex_: str) -> tuple[str, ...]:
        return self.map.neighbours[hex_]

    def edge(self, kind: str, a: str, b: str) -> bool:
        return kind in self.map._edges and self.map.edge(kind, a, b)

    # -- roads -------------------------------------------------------------------------------------------

    def _road_links(self) -> dict[str, dict[str, str]]:
        """5.3 Hex -> the hexes that road movement leads to, with the class of the road; villages that touch are joined
        by a secondary road, drawn or not."""
        links: dict[str, dict[str, str]] = {}
        for kind in reversed(ROADS):
            for a, b in sorted(self.map.edges(kind)):
                links.setdefault(a, {})[b] = kind
        for h, terrain in self.terrain.items():
            if terrain == "village":
                for other in self.touching(h):
                    if self.terrain[other] == "village":
                        links.setdefault(h, {}).setdefault(other, "secondary_road")
        return links

    def roads(self, hex_: str) -> dict[str, str]:
        return self._links.get(hex_, {})

    # -- hexsides ----------------------------------------------------------------------------------------

    def slope(self, a: str, b: str) -> str | None:
        """The row of the chart for the slope between two hexes, going from the first to the second. A bluff without a
        difference of level counts as climbed from both sides."""
        rise = self.level[b] - self.level[a]
        if abs(rise) >= 3 or self.edge("sharp_slope", a, b):
            return "sharp_slope_down" if rise < 0 else "sharp_slope_up"
        if not rise:
            return None
        kind = "steep_slope" if abs(rise) == 2 else "minor_slope"
        return f"{kind}_{'up' if rise > 0 else 'down'}"

    @cached_property
    def _sides(self) -> dict[tuple[str, str], tuple[str, ...]]:
        return {}

    def rows(self, a: str, b: str) -> tuple[str, ...]:
        """The rows of the terrain chart that a step or a fire from one hex into its neighbour meets: the hex, then
        what lies on the side."""
        known = self._sides.get((a, b))
        if known is None:
            sides = [f"{kind}_hexside" for kind in SIDE_TERRAIN if self.edge(kind, a, b)]
            slope = self.slope(a, b)
            known = self._sides[a, b] = (self.terrain[b], *sides, *((slope,) if slope else ()))
        return known

    # -- prices ------------------------------------------------------------------------------------------

    def prices(self, column: str, road: bool) -> dict[str, tuple[Price | None, ...]]:
        """Hex -> the price of a step over each of its sides for a column of the chart; by road, if `road`."""
        return self._prices.setdefault((column, road), _Rows(self, column, road))

    def price(self, column: str, a: str, b: str, road: bool) -> Price | None:
        """5.1, 5.3 The price of one step. By road only the road counts, bridges included; None where it is barred."""
        if road:
            kind = self.roads(a).get(b)
            if kind is None:
                return None
            token = self.chart[kind]["move"][column]
            return None if token == "OT" else Price(_halves(token))
        return _sum([self.chart[row]["move"][column] for row in self.rows(a, b)])

    def melee_barred(self, a: str, b: str) -> bool:
        """8.2 No melee over sharp slopes, ponds and deep streams without a bridge."""
        if self.edge("bridge", a, b):
            return False
        return any(self.chart[row]["melee"] is None for row in self.rows(a, b))

    def melee(self, a: str, b: str) -> int:
        """8.5 The terrain's part in a melee fought from one hex into another; over a bridge the bridge's own."""
        rows = [r for r in self.rows(a, b) if not (self.edge("bridge", a, b) and r.endswith("stream_hexside"))]
        bridge = ["bridge_hexside"] if self.edge("bridge", a, b) else []
        return sum(self.chart[row]["melee"] or 0 for row in (*rows, *bridge))

    def chargeable(self, a: str, b: str) -> bool:
        """8.4.1 Whether a charge may go from one hex into its neighbour (or at who stands there)."""
        rows = self.rows(a, b)
        return all(self.chart[row]["charge"] for row in rows) and not self.edge("bridge", a, b)

    def defensive(self, a: str, b: str) -> bool:
        """8.2 Defensive terrain of a hex attacked from its neighbour."""
        return any(self.chart[row]["defensive"] for row in self.rows(a, b))

    def cover(self, a: str, b: str) -> int:
        """8.1.8 Columns to the right for fire into `b` over its side from `a`."""
        return int(sum(self.chart[row]["fire"] for row in self.rows(a, b)))

    def by_road_only(self, a: str, b: str) -> bool:
        """5.2.1 Where strategic movement must go by road."""
        return self.terrain[b] in BY_ROAD_ONLY or any(self.edge(kind, a, b) for kind in SIDES_BY_ROAD_ONLY)


class _Rows(dict[str, tuple[Price | None, ...]]):
    """Prices of a column, worked out when a hex is first asked for."""

    def __init__(self, board: Board, column: str, road: bool) -> None:
        super().__init__()
        self._board, self._column, self._road = board, column, road

    def __missing__(self, hex_: str) -> tuple[Price | None, ...]:
        row = self[hex_] = tuple(None if there is None else self._board.price(self._column, hex_, there, self._road)
                                 for there in self._board.around[hex_])
        return row


def _halves(token: str) -> int:
    return 1 if token == "1/2" else 2 * int(token)


def _sum(tokens: list[str]) -> Price | None:
    """The tokens of the terrain chart, the hex first: a price, P for barred, D and d, the daggers of minor slopes."""
    cost, slope, disorder, check = 0, 0, False, False
    for token in tokens:
        if token == "P":
            return None
        disorder |= "D" in token
        check |= "d" in token
        if token in "†‡":
            slope = 2 if token == "†" else 4
            continue
        cost += _halves(token.strip("+dD"))
    return Price(cost, slope, disorder, check and not disorder)
