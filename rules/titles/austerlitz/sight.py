"""8.1.7, A5.1.2 Line of sight."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from rules.maps.hexes import doubled
from rules.maps.sight import trace
from rules.titles.austerlitz.board import Board

Occupied = Callable[[str], object]


class Line(NamedTuple):
    """What of a line does not change: whether terrain cuts it, the hexes where a unit would, all hexes on it (in two
    versions where it runs along hexsides), and the hexes from which it enters the target's."""

    open: bool
    stops: tuple[str, ...]
    ways: tuple[tuple[str, ...], ...]
    last: tuple[str, ...]


class Sight:
    """Lines between hexes, each worked out once."""

    SIZE = 120_000

    def __init__(self, board: Board) -> None:
        self.board = board
        self._where = {h: doubled(cell, board.map.lower) for h, cell in board.map.cells.items()}
        self._at = {at: h for h, at in self._where.items()}
        self._lines: dict[tuple[str, str], Line] = {}

    def forget(self) -> None:
        """Lines are drawn anew, as by a battery that has come to where none stood."""
        self._lines.clear()

    def line(self, a: str, b: str) -> Line:
        """The line from the centre of one hex to that of another."""
        found = self._lines.get((a, b))
        if found is None:
            if len(self._lines) > self.SIZE:
                self._lines.clear()
            found = self._lines[a, b] = self._draw(a, b)
        return found

    def clear(self, a: str, b: str, occupied: Occupied, fog: int | None = None) -> bool:
        """Whether who stands in `a` sees `b`: adjacent hexes always. `occupied` says whether combat units stand in a
        hex; `fog` is the highest level in fog (A5.1.2: a line enters at most two such hexes)."""
        line = self.line(a, b)
        if len(line.ways[0]) == 2:
            return True
        if not line.open or any(occupied(hex_) for hex_ in line.stops):
            return False
        level = self.board.level
        return fog is None or all(sum(level[h] <= fog for h in way[1:]) <= 2 for way in line.ways)

    def clear_to_any(self, a: str, hexes: Iterable[str], occupied: Occupied, fog: int | None = None) -> bool:
        """Whether who stands in `a` sees any of several hexes."""
        lines = self._lines
        for b in hexes:
            line = lines.get((a, b))
            if (line is None or line.open or len(line.ways[0]) == 2) and self.clear(a, b, occupied, fog):
                return True
        return False

    def _draw(self, a: str, b: str) -> Line:
        """The line between two hexes, in two versions where it runs along hexsides."""
        (ax, az), (bx, bz) = self._where[a], self._where[b]
        hex_at, first, second = self._at, [a], [a]
        for pair in trace(bx - ax, bz - az):
            x, z = pair[0]
            one = hex_at.get((ax + x, az + z))
            if len(pair) == 1:
                other = one
            else:
                x, z = pair[1]
                other = hex_at.get((ax + x, az + z)) or one
                one = one or other
            first.append(one or a)
            second.append(other or a)
        first.append(b)
        second.append(b)
        ways = (tuple(first),) if first == second else (tuple(first), tuple(second))
        stops: set[str] = set()
        open_ = True
        for way in ways:
            open_ = open_ and self._open(way, stops)
        return Line(open_, tuple(sorted(stops)), ways, tuple(sorted({way[-2] for way in ways})))

    def _open(self, way: tuple[str, ...], stops: set[str]) -> bool:
        """8.1.7 Whether terrain lets the line pass; `stops` gets the hexes where a unit would cut it. An obstacle
        cuts it on the level of both ends; between ends of different levels when it lies higher than the lower end, or
        on its level and nearer to it. Ground higher than both ends cuts it in any case."""
        board, n = self.board, len(way) - 1
        level = board.level
        here, there = level[way[0]], level[way[-1]]
        low, high = (here, there) if here < there else (there, here)
        before = way[0]
        for i, hex_ in enumerate(way[1:], 1):
            side = before, hex_
            before = hex_
            if side in board.walls and 1 < i < n and max(level[side[0]], level[hex_]) >= low:
                return (
                    False  # a wall lets sight reach the hexes beside it, not beyond, but for ends that both look over
                )
            if here != there and side in board.steep and (i if here < there else n + 1 - i) * 2 - 1 <= n:
                return False  # a steep side cuts the line unless it is nearer to the higher end
            if i == n:
                return True
            up = level[hex_]
            if up > high:
                return False
            if up > low or (up == low and (here == there or (i if here < there else n - i) * 2 < n)):
                if hex_ in board.blocking:
                    return False
                stops.add(hex_)
        return True
