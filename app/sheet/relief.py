"""Levels of a hex map as ground: a smooth height field that keeps every hex at its printed level; its contours, with
hachures falling downhill, longer and closer the steeper it is; and steep hexsides in ink."""

from __future__ import annotations

import collections
import itertools
import math
import random
from collections.abc import Iterator
from typing import NamedTuple

from app.sheet.hexsheet import HEIGHT, RADIUS, Hex, HexSheet
from app.sheet.pen import Line, Point, noise, num, pen, relax, resample

STEP = 16.0  # of the field's grid, in units
SOFT, FELT = 25.0, 70.0  # softness of a slope; how far a hex is felt
ROUNDS, PUSH, LOOSE = 8, 1.4, 0.3  # of fitting: a centre may be off its level by less than half
WANDER, WAVE = 7.0, 70.0  # of a contour: how far, over what length
POINT, SPECK = 15.0, 9  # between points of a contour; rings of fewer are left out
GAP, FALL, LONGEST = 5.2, 11.0, 23.0  # between hachures; their length on a minor slope, and at most
BLOCK = 420  # hachures this near share a path: a browser that draws one tile passes over the others
SLOPE, BLUFF = 2, "bluff"  # levels on a hexside from which it is steep, unless the style says; the edge that always is
TEETH = 8  # strokes on a steep hexside
APART = 170.0  # between two lettered heights

# Where a contour runs in a cell of the grid, by which of its corners lie above: from and to which side (top, right,
# bottom, left), high ground on the right hand.
CROSSED = {
    1: ((3, 0),), 2: ((0, 1),), 3: ((3, 1),), 4: ((1, 2),), 5: ((3, 0), (1, 2)), 6: ((0, 2),), 7: ((3, 2),),
    8: ((2, 3),), 9: ((2, 0),), 10: ((0, 1), (2, 3)), 11: ((2, 1),), 12: ((1, 3),), 13: ((1, 0),), 14: ((0, 3),),
}  # fmt: skip
CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))
OFF = -9.0  # beyond the grid's rim: every contour closes


class Spot(NamedTuple):
    """Where a contour may be lettered with its level: a place, and the turn of the text in degrees."""

    level: int
    x: float
    y: float
    turn: float


class Field:
    """Height at any place of a sheet, on a grid. Values of hexes are pushed only where a centre would leave its level:
    smooth, yet true to play."""

    def __init__(self, sheet: HexSheet) -> None:
        self._sheet = sheet
        self._value = self._fitted()
        self.left, self.top = sheet.left - STEP, sheet.top - STEP
        self.columns = int((sheet.right - sheet.left) / STEP) + 4
        self.rows = int((sheet.bottom - sheet.top) / STEP) + 4
        self.grid = [
            [self._height(self.left + i * STEP, self.top + j * STEP) for i in range(self.columns)]
            for j in range(self.rows)
        ]

    def _fitted(self) -> dict[Hex, float]:
        """What each hex, those of the rim too, adds to the heights around it."""
        sheet = self._sheet
        level = {k: float(h["level"]) for k, h in sheet.hexes.items()}
        value, beside = dict(level), math.exp(-(HEIGHT**2) / (2 * SOFT * SOFT))
        near = {k: [n if n in level else k for n in sheet.around(k)] for k in level}
        for _ in range(ROUNDS):
            settled = {k: (value[k] + beside * sum(value[n] for n in near[k])) / (1 + 6 * beside) for k in level}
            for k, height in settled.items():
                error = level[k] - height
                value[k] += math.copysign(max(abs(error) - LOOSE, 0), error) * PUSH
        return value | {k: value[sheet.key(h["id"])] for k, h in sheet.rim.items()}

    def _height(self, x: float, y: float) -> float:
        """The height, drawn with a wandering hand."""
        x += WANDER * noise(x, y, WAVE, 21)
        y += WANDER * noise(x, y, WAVE, 22)
        sheet, value, total, weight = self._sheet, self._value, 0.0, 1e-9
        here = sheet.at((x, y))
        for k in (here, *sheet.around(here)):
            a, b = sheet.centre(k)
            far = (x - a) ** 2 + (y - b) ** 2
            if far < FELT * FELT and k in value:
                pull = math.exp(-far / (2 * SOFT * SOFT))
                total += pull * value[k]
                weight += pull
        return total / weight

    def fall(self, p: Point) -> tuple[float, float]:
        """The way downhill, as long as it is steep: levels in a hex."""
        i = min(max(round((p[0] - self.left) / STEP), 1), self.columns - 2)
        j = min(max(round((p[1] - self.top) / STEP), 1), self.rows - 2)
        grid, over = self.grid, HEIGHT / (2 * STEP)
        return (grid[j][i - 1] - grid[j][i + 1]) * over, (grid[j - 1][i] - grid[j + 1][i]) * over

    def contours(self, height: float) -> Iterator[Line]:
        """Closed rings round all ground above a height, high ground on the right hand (marching squares)."""
        onward: dict[tuple[Hex, Hex], list[tuple[tuple[Hex, Hex], Point]]] = collections.defaultdict(list)
        for j in range(self.rows - 1):
            for i in range(self.columns - 1):
                code = sum(1 << n for n, (a, b) in enumerate(CORNERS) if self._value_at(i + a, j + b) > height)
                for a, b in CROSSED.get(code, ()):
                    start, at = self._cut(i, j, a, height)
                    onward[start].append((self._cut(i, j, b, height)[0], at))
        while onward:
            key, ring = next(iter(onward)), []
            while key in onward:
                to, at = onward[key].pop()
                if not onward[key]:
                    del onward[key]
                ring.append(at)
                key = to
            yield ring

    def _value_at(self, i: int, j: int) -> float:
        return self.grid[j][i] if 0 < i < self.columns - 1 and 0 < j < self.rows - 1 else OFF

    def _cut(self, i: int, j: int, side: int, height: float) -> tuple[tuple[Hex, Hex], Point]:
        """The grid line that is a side of a cell, and where a contour crosses it."""
        (a, b), (c, d) = (((0, 0), (1, 0)), ((1, 0), (1, 1)), ((0, 1), (1, 1)), ((0, 0), (0, 1)))[side]
        start, end = (i + a, j + b), (i + c, j + d)
        u, v = self._value_at(*start), self._value_at(*end)
        t = min(max((height - u) / (v - u), 0.02), 0.98) if u > OFF < v else 0.5
        at = start[0] + (end[0] - start[0]) * t, start[1] + (end[1] - start[1]) * t
        return (start, end), (self.left + at[0] * STEP, self.top + at[1] * STEP)


def ground(sheet: HexSheet) -> tuple[str, list[Spot]]:
    """Washes of the levels with their contours, the hachures over them, and where heights may be lettered."""
    field, levels = Field(sheet), [h["level"] for h in sheet.hexes.values()]
    washes, spots, strokes = [f'<path class="t t{min(levels)}" d="{_all(sheet)}"/>'], [], _Strokes()
    for level in range(min(levels) + 1, max(levels) + 1):
        rings = [resample([*r, r[0]], POINT)[:-1] for r in map(_soft, field.contours(level - 0.5)) if len(r) > SPECK]
        rings = [ring for ring in rings if len(ring) > SPECK // 2]
        washes.append(f'<path class="t t{level}" d="{"".join(pen(ring, True, places=0) for ring in rings)}"/>')
        for ring in rings:
            strokes.hang(sheet, field, ring)
            spots += list(_spots(level, ring))
    return "".join(washes) + strokes.svg(), spots


def _soft(ring: Line) -> Line:
    return relax(ring, 2, True)


def _all(sheet: HexSheet) -> str:
    return f"M{num(sheet.left)} {num(sheet.top)}H{num(sheet.right)}V{num(sheet.bottom)}H{num(sheet.left)}z"


def _spots(level: int, ring: Line) -> Iterator[Spot]:
    """Places along a contour, read from uphill."""
    for i in range(18, len(ring) - 6, 62):
        (x, y), (a, b) = ring[i], ring[i + 1]
        turn = math.degrees(math.atan2(b - y, a - x))
        yield Spot(level, x, y, turn - 180 if turn > 90 else turn + 180 if turn < -90 else turn)


def heights(sheet: HexSheet, spots: list[Spot]) -> str:
    """The level of a contour here and there, where there is room for it."""
    out: list[str] = []
    lettered: list[Point] = []
    for level, x, y, turn in spots:
        inside = sheet.left + 20 < x < sheet.right - 20 and sheet.top + 20 < y < sheet.bottom - 20
        if inside and sheet.free(x, y, 7) and all(math.dist((x, y), p) > APART for p in lettered):
            lettered.append((x, y))
            sheet.block(x, y, 7)
            where = f"translate({num(x, 0)} {num(y, 0)})rotate({num(turn, 0)})"
            out.append(f'<text class="height" font-size="9.5" transform="{where}" y="3">{level}</text>')
    return "".join(out)


class _Strokes:
    """Hachures, fine and strong, in blocks."""

    def __init__(self) -> None:
        self._rng = random.Random("hachures")
        self._blocks: dict[tuple[str, int, int], list[tuple[int, int, int, int]]] = collections.defaultdict(list)

    def hang(self, sheet: HexSheet, field: Field, ring: Line) -> None:
        """Strokes from a contour downhill, those of steep ground longer, stronger and closer."""
        left = 0.0
        for (x, y), (a, b) in itertools.pairwise([*ring, ring[0]]):
            way = math.hypot(a - x, b - y)
            at = left
            while at < way:
                p = x + (a - x) * at / way, y + (b - y) * at / way
                east, south = field.fall(p)
                steep = math.hypot(east, south) or 1.0
                length = min(FALL * (0.55 + 0.5 * steep), LONGEST) * self._rng.uniform(0.75, 1.1)
                at += GAP * self._rng.uniform(0.75, 1.2) / (1.25 if steep > 1.4 else 1)
                if sheet.left < p[0] < sheet.right and sheet.top < p[1] < sheet.bottom:
                    ink = "b" if steep > 1.4 else "a"
                    end = round(length * east / steep), round(length * south / steep)
                    self._blocks[ink, int(p[0] // BLOCK), int(p[1] // BLOCK)].append((round(p[0]), round(p[1]), *end))
            left = at - way

    def svg(self) -> str:
        blocks = sorted(self._blocks.items())
        return "".join(f'<path class="hach {ink}" d="{_placed(strokes)}"/>' for (ink, _, _), strokes in blocks)


def _placed(strokes: list[tuple[int, int, int, int]]) -> str:
    """Path text of strokes, each from where the one before it ended."""
    out, px, py = [], 0, 0
    for x, y, dx, dy in strokes:
        out.append(f"m{x - px} {y - py}l{dx} {dy}")
        px, py = x + dx, y + dy
    return "".join(out).replace(" -", "-")


def slopes(sheet: HexSheet) -> str:
    """Steep hexsides as strokes falling downhill, bluffs as wedges. Minor slopes are the contours."""
    steep = sheet.style.get("relief", {}).get("steep", SLOPE)
    strokes: list[str] = []
    wedges: list[str] = []
    for k, h in sorted(sheet.hexes.items()):
        for n in sheet.around(k):
            bluff = frozenset((k, n)) in sheet.edges[BLUFF]
            drop = h["level"] - sheet.hexes[n]["level"] if n in sheet.hexes else 0
            if n not in sheet.hexes or drop < 0 or not (bluff or drop >= steep) or (drop == 0 and k > n):
                continue
            for tooth in _teeth(sheet, k, n, wedge=bluff):
                (wedges if bluff else strokes).append(tooth)
    return f'<path class="m-steep" d="{"".join(strokes)}"/><path class="m-bluff" d="{"".join(wedges)}"/>'


def _teeth(sheet: HexSheet, k: Hex, n: Hex, *, wedge: bool) -> Iterator[str]:
    """Strokes over a hexside from the upper hex to the lower, broad above where it is a bluff."""
    (ax, ay), (bx, by) = sheet.hexside(k, n)
    (cx, cy), (dx, dy) = sheet.centre(k), sheet.centre(n)
    ux, uy, size = (dx - cx) / HEIGHT, (dy - cy) / HEIGHT, 1.0 if wedge else 0.8
    for i in range(TEETH):
        t = (i + 0.5) / TEETH
        x, y = ax + (bx - ax) * t, ay + (by - ay) * t
        long = 11 + 4 * noise(x, y, 9, 4)
        x0, y0, x1, y1 = x - ux * 9 * size, y - uy * 9 * size, x + ux * long * size, y + uy * long * size
        sheet.block(x, y, RADIUS * 0.15)
        side = (-uy * 1.7, ux * 1.7)
        if wedge:
            yield (f"M{num(x0 + side[0])} {num(y0 + side[1])}L{num(x1)} {num(y1)}"
                   f"L{num(x0 - side[0])} {num(y0 - side[1])}z")  # fmt: skip
        else:
            yield f"M{num(x0)} {num(y0)}L{num(x1)} {num(y1)}"
