"""A point map laid on the sheet: where spaces, their lands and the ways between them are."""

from __future__ import annotations

import collections
import itertools
import math
from collections.abc import Mapping
from typing import Any

from app.sheet.pen import (
    Line,
    Point,
    bspline,
    chains,
    inside,
    middle,
    natural,
    noise,
    relax,
    resample,
    ribbon,
    snap,
    spline,
    wander,
)  # fmt: skip
from app.sheet.room import Room

SCALE = 1.6  # sheet units per unit of map.json; static/js/board/points.js has the same
BLEED = 60.0  # lands reach so far beyond the neat line
STACK = (-57.0, -58.0, 57.0, 18.0)  # room of the counters of a space around its sign: left, top, right, bottom
RIVER, BLUE, ROAD = "main_river", "blue", "brown"
Pair = tuple[str, str]


class PointSheet(Room):
    """Geometry of one map.json of kind `points` in sheet units.

    `style`: static/titles/TITLE/style.json. Beside what hex maps use it may hold `sea` (rings), `seeds` (`[country, x,
    y]`: land where no space is), `courses` (rivers: `name`, `through` with ids or points, `width` at head and mouth,
    `shift` of ids, to put towns on a bank, `banks`: from and to as parts of its length, the countries on its left and
    right (seen downstream) where it is their border) and `ground` (`[kind, ring]`), all in the units of map.json.
    """

    hex_km: float | None = None

    def __init__(self, data: dict[str, Any], style: dict[str, Any]) -> None:
        super().__init__()
        self.style = style
        self.spaces: dict[str, dict[str, Any]] = data["spaces"]
        self.at: dict[str, Point] = {k: self.place(s["x"], s["y"]) for k, s in self.spaces.items()}
        self.left = self.top = 0.0
        self.right, self.bottom = data["board"]["width"] * SCALE, data["board"]["height"] * SCALE
        self.sea = [natural(self._fine(ring, 40)) for ring in style.get("sea", ())]
        self.at_sea = inside(self.sea)
        self.courses = [_Course(self, course) for course in style.get("courses", ())]
        self.ways: dict[str, dict[Pair, Line]] = collections.defaultdict(dict)
        for a, b, kind in data["connections"]:
            self.ways[kind][a, b] = self._way(a, b, kind)

    @staticmethod
    def place(x: float, y: float) -> Point:
        return x * SCALE, y * SCALE

    def _fine(self, ring: list[list[float]], step: float) -> Line:
        """A ring of the style on the sheet, with a point every `step`."""
        corners = [self.place(x, y) for x, y in ring]
        return resample([*corners, corners[0]], step)[:-1]

    def ground(self, ring: list[list[float]]) -> Line:
        """A patch of ground as drawn: its edge wanders far, so that none looks laid out."""
        return natural(wander(self._fine(ring, 26), 34, 130, False))

    def _way(self, a: str, b: str, kind: str) -> Line:
        """The line of a connection: along a river if both ends stand at it, else over sea or land in a soft bow."""
        start, end = self.at[a], self.at[b]
        if kind == RIVER:
            for course in self.courses:
                if line := course.between(start, end):
                    return line
        bows = [_bow(start, end, amount) for amount in (0.16, -0.16, 0.05, -0.05)]
        if kind == RIVER:
            return max(bows, key=lambda line: sum(self.at_sea(x, y) for x, y in line))
        turn = 1 if noise(start[0] + end[0], start[1] + end[1], 50, 7) > 0 else -1
        line = resample(_bow(start, end, 0.055 * turn), 12)
        return wander(wander(line, 5, 60), 2, 21)

    def at_river(self, p: Point) -> bool:
        """Whether a point is at a great river."""
        return any(math.dist(course.nearest(p), p) < 45 for course in self.courses)

    def lands(self) -> tuple[dict[str, list[Line]], list[tuple[Line, bool]]]:
        """Rings of each country, and the borders between them once each, with whether a river marks it."""
        seeds = [(s["country"], *self.at[k]) for k, s in sorted(self.spaces.items())]
        seeds += [(country, *self.place(x, y)) for country, x, y in self.style.get("seeds", ())]
        seeds += [seed for course in self.courses for seed in course.banks()]
        owners: dict[tuple[Point, Point], set[str]] = collections.defaultdict(set)
        where: dict[Point, Point] = {}
        cells: list[tuple[str, list[Point]]] = []
        for i, (country, x, y) in enumerate(seeds):
            cell = self._cell((x, y), [(u, v) for j, (_, u, v) in enumerate(seeds) if j != i])
            keys = [next((k for k, q in where.items() if math.dist(p, q) < 2), snap(p)) for p in cell]
            for key, p in zip(keys, cell, strict=True):
                where.setdefault(key, p)
            cells.append((country, keys))
        for country, keys in cells:
            for p, q in zip(keys, [*keys[1:], keys[0]], strict=True):
                for a, b in itertools.pairwise([p, *_between(where, p, q), q] if p != q else []):
                    owners[min(a, b), max(a, b)] ^= {country}
        sides = {side: lands for side, lands in owners.items() if lands}
        rings: dict[str, list[tuple[Line, Point, Point]]] = collections.defaultdict(list)
        borders = []
        for path in chains(sorted(sides), straight=False):
            lands = sides[min(path[:2]), max(path[:2])]
            line = [where[p] for p in path]
            if len(lands) == 1:
                line = resample(line, 30)
            else:
                line, marked = self._border(line)
                borders.append((line, marked))
            for country in lands:
                rings[country].append((line, path[0], path[-1]))
        return {country: _joined(parts) for country, parts in rings.items()}, borders

    def _cell(self, at: Point, others: list[Point]) -> Line:
        """The part of the sheet nearer to a seed than to all others, clockwise from the top left."""
        west, north, east, south = (
            self.left - BLEED, self.top - BLEED, self.right + BLEED, self.bottom + BLEED,
        )  # fmt: skip
        cell: Line = [(west, north), (east, north), (east, south), (west, south)]
        for other in sorted(others, key=lambda p: math.dist(p, at)):
            if math.dist(other, at) / 2 > max(math.dist(p, at) for p in cell):
                break
            mx, my = (at[0] + other[0]) / 2, (at[1] + other[1]) / 2
            nx, ny = other[0] - at[0], other[1] - at[1]
            beyond = [(x - mx) * nx + (y - my) * ny for x, y in cell]
            kept: Line = []
            for i, (x, y) in enumerate(cell):
                j = (i + 1) % len(cell)
                if beyond[i] <= 0:
                    kept.append((x, y))
                if (beyond[i] > 0) != (beyond[j] > 0):
                    t = beyond[i] / (beyond[i] - beyond[j])
                    kept.append((x + (cell[j][0] - x) * t, y + (cell[j][1] - y) * t))
            cell = kept
        return cell

    def _border(self, corners: Line) -> tuple[Line, bool]:
        """A border as drawn: it runs with a river that is near, else relaxed and moved by noise."""
        line = relax(resample(corners, 14), 30) if len(corners) > 1 else corners
        pulled, near = [], 0
        for p in line:
            best = min((c.nearest(p) for c in self.courses), key=lambda q: math.dist(p, q), default=p)
            gap = math.dist(best, p)
            pull = max(0.0, min(1.0, (150 - gap) / 60)) if best != p else 0.0
            near += pull > 0.8
            pulled.append((p[0] + (best[0] - p[0]) * pull, p[1] + (best[1] - p[1]) * pull))
        line = [line[0], *pulled[1:-1], line[-1]]
        return wander(wander(relax(line, 6), 7, 75), 2.5, 19), near > len(line) * 0.6


class _Course:
    """One river: its line from head to mouth and how wide it is at each point."""

    def __init__(self, sheet: PointSheet, course: dict[str, Any]) -> None:
        self.name: str = course["name"]
        self.borders: list[tuple[float, float, str, str]] = course.get("banks", [])
        dx, dy = course.get("shift", (0, 0))
        stops = [sheet.place(*p) if isinstance(p, list) else
                 sheet.place(sheet.spaces[p]["x"] + dx, sheet.spaces[p]["y"] + dy)
                 for p in course["through"]]  # fmt: skip
        self.line = relax(resample(wander(spline(stops, 10), 6, 44), 9), 4)
        head, mouth = course["width"]
        last = len(self.line) - 1
        self.widths = [
            (head + (mouth - head) * (i / last) ** 0.9) * min(1, 0.25 + i / last * 9) * (1 + 0.12 * noise(x, y, 60, 5))
            for i, (x, y) in enumerate(self.line)
        ]

    def banks(self) -> list[tuple[str, float, float]]:
        """Seeds of the countries on both banks, where the river is a border."""
        out = []
        for start, end, *lands in self.borders:
            for i in range(int(start * len(self.line)), int(end * len(self.line)) - 1, 6):
                part = self.line[max(0, i - 2) : i + 3]
                rim = ribbon(part, [70.0] * len(part))
                for land, (x, y) in zip(lands, (rim[-1 - len(part) // 2], rim[len(part) // 2]), strict=True):
                    out.append((land, x, y))
        return out

    def index(self, p: Point) -> int:
        return min(range(len(self.line)), key=lambda i: math.dist(self.line[i], p))

    def nearest(self, p: Point) -> Point:
        """A point of the line, about the nearest."""
        return min(self.line[::3], key=lambda q: math.dist(q, p))

    def between(self, a: Point, b: Point) -> Line | None:
        """The way on the water from one town at the river to another, on their own side of it; None if they are not
        both at it."""
        i, j = self.index(a), self.index(b)
        if max(math.dist(a, self.line[i]), math.dist(b, self.line[j])) > 130 or abs(i - j) < 3:
            return None
        if i > j:
            line = self.between(b, a)
            return line[::-1] if line else None
        part, wide = self.line[i : j + 1], self.widths[i : j + 1]
        rim = ribbon(part, [0.46 * w for w in wide])
        left, right = rim[: len(part)], rim[len(part) :][::-1]
        k = len(part) // 2
        own = left if _left_of(part, a) + _left_of(part, b) > 0 else right
        if math.dist(a, part[0]) < 10 and math.dist(b, part[-1]) < 10:
            own = part
        cut = min(3, max(0, k - 1))
        return relax(resample([a, *own[cut : len(own) - cut], b], 9), 3)


def _left_of(line: Line, p: Point) -> float:
    """How far a point is on the left of a line (as ribbon() counts sides), negative on the right."""
    i = min(range(len(line)), key=lambda n: math.dist(line[n], p))
    (x0, y0), (x1, y1) = line[max(i - 1, 0)], line[min(i + 1, len(line) - 1)]
    length = math.hypot(x1 - x0, y1 - y0) or 1
    return ((y0 - y1) * (p[0] - line[i][0]) + (x1 - x0) * (p[1] - line[i][1])) / length


def _between(corners: Mapping[Point, Point], p: Point, q: Point) -> list[Point]:
    """Corners of other cells on the side from one corner to another, as nearly as corners are told apart."""
    (ax, ay), (bx, by) = corners[p], corners[q]
    length = math.dist((ax, ay), (bx, by))
    west, east, north, south = min(ax, bx) - 2, max(ax, bx) + 2, min(ay, by) - 2, max(ay, by) + 2
    found = []
    for key, (x, y) in corners.items():
        if west < x < east and north < y < south and key not in (p, q):
            along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length
            aside = abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length
            if 0 < along < length and aside < 2:
                found.append((along, key))
    return [key for _, key in sorted(found)]


def _bow(a: Point, b: Point, amount: float) -> Line:
    """A soft bow from one point to another, bent sideways by a part of its length."""
    aside = middle(a, b)[0] - (b[1] - a[1]) * amount * 2, middle(a, b)[1] + (b[0] - a[0]) * amount * 2
    return bspline([a, aside, b], max(6, int(math.dist(a, b) / 14)))


def _joined(parts: list[tuple[Line, Point, Point]]) -> list[Line]:
    """Lines joined end to end into rings."""
    rings, rest = [], list(parts)
    while rest:
        line, start, end = rest.pop()
        ring = list(line)
        while end != start:
            k = next(n for n, (_, a, b) in enumerate(rest) if end in (a, b))
            onward, a, b = rest.pop(k)
            ring += onward[1:] if a == end else onward[::-1][1:]
            end = b if a == end else a
        rings.append(ring)
    return rings
