"""6.1-6.5 Formations: front, flank and rear of a counter on the map, and its Reaction Zone."""

from __future__ import annotations

from typing import NamedTuple

from rules.maps.hexes import ALL_ROUND, FACINGS, TO_SIDE, TO_VERTEX, Arcs
from rules.titles.austerlitz.board import Board
from rules.titles.austerlitz.units import Unit

LINE, COLUMN, DISORDER, SQUARE, SKIRMISH = "line", "column", "disorder", "square", "skirmish"
LIMBERED, UNLIMBERED = "limbered", "unlimbered"
SPREAD = "spread"  # 6.3.3 skirmishers on two hexes: the facing is to the second
ROUTED = "routed"  # 9.2.4 for the arcs alone: the counter itself is disordered
ARCS: dict[str, Arcs] = {
    LINE: TO_VERTEX,
    UNLIMBERED: TO_VERTEX,
    COLUMN: TO_SIDE,
    LIMBERED: TO_SIDE,
    DISORDER: Arcs((0, 1, 5), (), (2, 3, 4)),
    SQUARE: ALL_ROUND,
    SKIRMISH: ALL_ROUND,
    SPREAD: ALL_ROUND,
    ROUTED: Arcs(()),
}
TO_VERTICES = frozenset({LINE, UNLIMBERED})
ALL_WAYS = frozenset({SQUARE, SKIRMISH, SPREAD})
FRONT, FLANK, REAR = "front", "flank", "rear"
FACINGS_OF = {name: n for n, name in enumerate(FACINGS)}


class Around(NamedTuple):
    """The hexes round a counter, by arc."""

    front: tuple[str, ...]
    flank: tuple[str, ...]
    rear: tuple[str, ...]


class Ground:
    """Arcs and zones of counters that stand somewhere, worked out once for each stance."""

    SIZE = 40_000

    def __init__(self, board: Board) -> None:
        self.board = board
        self._arcs: dict[tuple[str, str | None, str, int], Around] = {}
        self._zones: dict[tuple[str, str | None, str, int, int], tuple[str, ...]] = {}

    def arcs(self, at: str, tail: str | None, form: str, facing: int) -> Around:
        """6.3, 6.5.1 Front, flank and rear hexes. `facing` counts twelfths clockwise from the north."""
        key = at, tail, form, facing
        found = self._arcs.get(key)
        if found is None:
            if len(self._arcs) > self.SIZE:
                self._arcs.clear()
            footprint = [at] if tail is None else [at, tail]
            found = self._arcs[key] = Around(*self.board.map.arcs(footprint, FACINGS[facing], ARCS[form]))
        return found

    def zone(self, at: str, tail: str | None, form: str, facing: int, depth: int) -> tuple[str, ...]:
        """6.2 The Reaction Zone: the front hexes, and at depth two those behind them (three behind the front hex of a
        column)."""
        if not depth:
            return ()
        front = self.arcs(at, tail, form, facing).front
        if depth == 1:
            return front
        key = at, tail, form, facing, depth
        found = self._zones.get(key)
        if found is None:
            if len(self._zones) > self.SIZE:
                self._zones.clear()
            found = self._zones[key] = (*front, *self._second(at, tail, form, facing, front))
        return found

    def _second(self, at: str, tail: str | None, form: str, facing: int, front: tuple[str, ...]) -> list[str]:
        board, k = self.board, facing // 2
        sides = (5, 0, 1) if form in (COLUMN, LIMBERED) else ARCS[form].front
        own = [at] if tail is None else [at, tail]
        far: list[str] = []
        for hex_ in front:
            for side in sides:
                there = board.around[hex_][(k + side) % 6]
                if there is None or there in far or there in front or any(board.distance(o, there) < 2 for o in own):
                    continue
                far.append(there)
        return far


def depth(unit: Unit, form: str, routed: bool) -> int:
    """6.2 How deep the Reaction Zone is: foot fires one hex (8.1.6), cavalry and guns react at two (notes)."""
    if routed:
        return 0
    if unit.foot:
        return 1
    if unit.mounted:
        return 2
    return 2 if form == UNLIMBERED or unit.horse else 0


def tail_of(board: Board, at: str, form: str, facing: int) -> str | None:
    """6.5.1 The second hex of a counter on two: the right one of a line, the one behind of a column or of disorder, the
    one faced by skirmishers (6.3.3)."""
    k = facing // 2
    if form == SPREAD:
        return board.around[at][k]
    return board.around[at][(k + 2) % 6 if form == LINE else (k + 3) % 6]


def marching(unit: Unit) -> str:
    """The formation of a unit on the march: column, limbered; Cossacks are always disordered (A2.3)."""
    return LIMBERED if unit.guns else DISORDER if unit.cossack else COLUMN


def column_of(unit: Unit, form: str) -> str:
    """The column of the terrain chart (5.0) for a unit in a formation. Cossacks pay as disordered (A2.3)."""
    if unit.guns:
        return "artillery_horse" if unit.horse else "artillery_foot"
    if form in (SKIRMISH, SPREAD):
        return "skirmisher"
    return f"{unit.arm}_{DISORDER if unit.cossack else form if form != SQUARE else COLUMN}"
