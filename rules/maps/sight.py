"""Lines of sight over a hex map: what the straight line from centre to centre crosses, and what of it hides its end.

What terrain and which units hide is the title's to say; levels, walls and steep slopes are the map's.
"""

from collections.abc import Callable, Collection
from functools import cache
from typing import NamedTuple

from rules.maps import hexes
from rules.maps.hexmap import HexMap

Offset = tuple[int, int]
"""Columns, and half hex heights to the south (`hexes.doubled`), from where the looker stands."""
Stages = tuple[tuple[Offset, ...], ...]

CREST, SCREEN, WALL, SLOPE = "crest", "screen", "wall", "slope"
_OVER = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))  # the offset of the hex over each hexside
_REACH = (1, 2, 2)  # with a column as 3, the sides of a hex are y = 1, x + y = 2, x - y = 2 and their mirror images


class Hidden(NamedTuple):
    """Why the end of a line is not seen: `crest` (ground higher than both ends), `screen` (what stands or grows there),
    `wall` or `slope` (a hexside); `at` is the hex that hides, of a hexside the one nearer to the looker."""

    why: str
    at: str


@cache
def trace(across: int, down: int) -> Stages:
    """What a line to that offset goes through, both ends left out, in order: one hex, or two where it runs along their
    common side. Exact; a hex that it only touches at a corner is not gone through."""
    if across < 0 or down < 0:
        east, south = -1 if across < 0 else 1, -1 if down < 0 else 1
        return tuple(tuple((east * c, south * h) for c, h in stage) for stage in trace(abs(across), abs(down)))
    if not across or not down or down == 3 * across:
        return _straight(across, down)
    slope = 3 * across - down  # of the third form: it may fall
    slopes, forward = (down, 3 * across + down, abs(slope)), (_OVER[3], _OVER[2], _OVER[1 if slope > 0 else 4])
    at, stages = (0, 0), list[tuple[Offset, ...]]()
    while True:
        third = 3 * at[0] - at[1]
        offsets = (at[1], 3 * at[0] + at[1], third if slope > 0 else -third)
        ahead = [(reach + offset, speed) for reach, offset, speed in zip(_REACH, offsets, slopes, strict=True)]
        at = _next(at, forward, ahead, (across, down))
        if at == (across, down):
            return tuple(stages)
        stages.append((at,))


def _next(at: Offset, forward: tuple[Offset, ...], ahead: list[tuple[int, int]], end: Offset) -> Offset:
    """The hex after one: over the side that the line meets first; at a corner the one it passes nearer the middle of.
    `ahead`: how far on the line meets each of the three forward sides, as fractions."""
    best, where = ahead[0], (at[0] + forward[0][0], at[1] + forward[0][1])
    for there, (column, height) in zip(ahead[1:], forward[1:], strict=True):
        sooner = there[0] * best[1] - best[0] * there[1]
        other = at[0] + column, at[1] + height
        if sooner < 0 or (not sooner and _aside(other, end) < _aside(where, end)):
            best, where = there, other
    return where


def _aside(point: Offset, end: Offset) -> int:
    """How far a hex lies from the line, up to a factor that is the same for all."""
    return abs(point[0] * end[1] - point[1] * end[0])


def _straight(across: int, down: int) -> Stages:
    """Along a row of hexes; or out over a vertex, where the line runs between two hexes and into the next by turns."""
    if not across:
        return tuple(((0, 2 * i),) for i in range(1, down // 2))
    pair = (_OVER[1], _OVER[2]) if not down else (_OVER[3], _OVER[2])
    unit = pair[0][0] + pair[1][0], pair[0][1] + pair[1][1]
    stages: list[tuple[Offset, ...]] = []
    for i in range(across // unit[0]):
        here = unit[0] * i, unit[1] * i
        stages += [(here,)] if i else []
        stages.append(tuple((here[0] + c, here[1] + h) for c, h in pair))
    return tuple(stages)


def hiding_level(looker: int, seen: int) -> int:
    """The least level on which a screen hides one end from the other: that of both, or the one above the lower."""
    return looker if looker == seen else min(looker, seen) + 1


class Sight:
    """Who sees whom on a map with levels.

    Ground between that is higher than both ends hides (`crest`), and so does a screen, a hex with hiding terrain or
    troops, from `hiding_level` on. A line crosses a wall only from a hex beside it or to one. Of ends on two levels the
    line crosses a steep hexside only if that is nearer the upper end. Hexes that touch see each other.
    """

    def __init__(
        self,
        board: HexMap,
        *,
        screens: Collection[str] = (),
        walls: Collection[tuple[str, str]] = (),
        steep: Collection[tuple[str, str]] = (),
        hides_from: Callable[[int, int], int] = hiding_level,
    ) -> None:
        """`screens`: hexes whose terrain hides; `walls`, `steep`: hexsides in both directions (`HexMap.edges`)."""
        self.board = board
        self._screens, self._hides_from = frozenset(screens), hides_from
        self._at = {hexes.doubled(cell, board.lower): hex_id for hex_id, cell in board.cells.items()}
        self._where = {hex_id: at for at, hex_id in self._at.items()}
        self._level = {hex_id: spot.level for hex_id, spot in board.hexes.items()}
        self._walls, self._steep = frozenset(walls), frozenset(steep)
        self._barred = self._walls | self._steep

    def line(self, a: str, b: str) -> list[tuple[str, ...]]:
        """The hexes of the map that the line between two goes through, ends left out: two at a stage where it runs
        along their side. KeyError for an unknown hex."""
        (x, y), (end_x, end_y) = self._where[a], self._where[b]
        found = ([self._at.get((x + c, y + h)) for c, h in stage] for stage in trace(end_x - x, end_y - y))
        return [here for stage in found if (here := tuple(hex_id for hex_id in stage if hex_id is not None))]

    def hidden(self, a: str, b: str, troops: Collection[str] = ()) -> Hidden | None:
        """What hides `b` from `a`, the first of it from `a` on, None if it is seen. `troops`: hexes where units stand
        that hide; the ends count for nothing. KeyError for an unknown hex."""
        (x, y), (end_x, end_y) = self._where[a], self._where[b]
        stages, eye, goal = trace(end_x - x, end_y - y), self._level[a], self._level[b]
        if not stages:
            return None
        crest, hides = max(eye, goal), self._hides_from(eye, goal)
        get, level, screens, barred = self._at.get, self._level, self._screens, self._barred
        before: str | None = a
        for stage in stages:
            for column, height in stage:
                here = get((x + column, y + height))
                if here is None:
                    continue
                if (before, here) in barred and (bar := self._bars(a, before, here, b)):
                    return bar
                ground = level[here]
                if ground > crest:
                    return Hidden(CREST, here)
                if ground >= hides and (here in screens or here in troops):
                    return Hidden(SCREEN, here)
            before = here if len(stage) == 1 else None  # into two hexes and out of them a line goes by corners
        return self._bars(a, before, b, b) if (before, b) in barred else None

    def _bars(self, a: str, near: str | None, far: str, b: str) -> Hidden | None:
        """Whether a wall or a steep hexside on the line from `a` to `b` hides; `near` is the hex before it."""
        if near is None:
            return None
        if (near, far) in self._walls and near != a and far != b:
            return Hidden(WALL, near)
        up = self._level[b] - self._level[a]
        behind, before = self.board.distance(a, near), self.board.distance(far, b)
        if (near, far) in self._steep and up and (before >= behind if up > 0 else behind >= before):
            return Hidden(SLOPE, near)
        return None

    def seen(self, at: str, radius: int, troops: Collection[str] = ()) -> tuple[str, ...]:
        """The hexes that are seen from one, at most `radius` away, itself left out, sorted. KeyError for an unknown
        hex."""
        troops = frozenset(troops)
        near = self.board.within(at, radius)
        return tuple(there for there in near if there != at and self.hidden(at, there, troops) is None)
