"""Navigable rivers through hex centres, widening downstream; minor and deep rivers along hexsides."""

from __future__ import annotations

import collections
import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from app.sheet.hexsheet import RADIUS, Hex, HexSheet
from app.sheet.pen import Line, Point, along, bspline, chains, noise, pen, relax, resample, ribbon, snap, spline, wander

# How wide a river along hexsides is at its source, and at least and at most at its mouth.
ALONG = {"minor_river": (1.1, 1.9, 5.4), "deep_river": (3.4, 4.2, 7.0)}


@dataclass
class Waters:
    """What was drawn: strokes (points, widths) of each kind, and named courses (name, points, width) for lettering."""

    navigable: list[tuple[Line, list[float]]] = field(default_factory=list)
    minor: list[tuple[Line, list[float]]] = field(default_factory=list)
    deep: list[tuple[Line, list[float]]] = field(default_factory=list)
    courses: list[tuple[str, Line, float]] = field(default_factory=list)

    def svg(self) -> str:
        """Minor streams, then bank, water and one inner water line of the navigable rivers."""
        streams = "".join(pen(ribbon(p, w), True) for p, w in self.minor)
        deep = "".join(pen(ribbon(p, w), True) for p, w in self.deep)
        water = "".join(pen(ribbon(p, w), True) for p, w in self.navigable)
        lining = "".join(pen(ribbon(p, [v * 0.56 for v in w]), True) for p, w in self.navigable)
        broad = f'<path class="m-deep-stream" d="{deep}"/>' if deep else ""
        return (
            f'<path class="m-stream" d="{streams}"/>{broad}<path class="m-bank" d="{water}"/>'
            f'<path class="m-water" d="{water}"/><path class="m-lining" d="{lining}"/>'
        )


def rivers(sheet: HexSheet) -> Waters:
    """Draw all rivers of the sheet and take their room."""
    waters = Waters()
    _navigable(sheet, waters)
    _along(sheet, waters)
    for (kind, name), pairs in sheet.named.items():
        if kind == "navigable_river" and len(pairs) > 4:
            stops = [sheet.centre(k) for pair in pairs for k in pair]
            parts = ([p for p in line if min(math.dist(p, c) for c in stops) < RADIUS] for line, _ in waters.navigable)
            waters.courses.append((name, max(parts, key=len), 15))
    return waters


def _navigable(sheet: HexSheet, waters: Waters) -> None:
    arms: dict[Hex, set[Hex]] = collections.defaultdict(set)
    for a, b in (sorted(e) for e in sheet.edges["navigable_river"]):
        arms[a].add(b)
        arms[b].add(a)
    if not arms:
        return
    ends = [k for k in arms if len(arms[k]) == 1]
    mouth = max(ends, key=lambda k: (any(n in sheet.rim for n in sheet.around(k)), -k[0]))
    upstream: dict[Hex, int] = {}

    def count(k: Hex, source: Hex | None) -> int:
        upstream[k] = 1 + sum(count(n, k) for n in arms[k] if n != source)
        return upstream[k]

    def stems(k: Hex, source: Hex | None, head: list[Hex]) -> Iterator[list[Hex]]:
        path = [*head, k]
        onward = sorted((n for n in arms[k] if n != source), key=lambda n: (-upstream[n], n))
        for n in onward[1:]:
            yield from stems(n, k, [k])
        if onward:
            yield from stems(onward[0], k, path)
        else:
            yield path

    count(mouth, None)
    for path in stems(mouth, None, []):
        points = [sheet.centre(k) for k in path]
        off_map = min((n for n in sheet.around(path[0]) if n in sheet.rim), default=path[0])
        if path[0] == mouth and off_map != mouth:
            points, path = [sheet.centre(off_map), *points], [mouth, *path]
        line = relax(resample(wander(spline(relax(points, 1, weight=0.3), 8), 6, 38), 9), 4)
        steps = [6 + 0.36 * upstream[k] for k in path]
        widths = []
        for i, (x, y) in enumerate(line):
            t = i * (len(path) - 1) / (len(line) - 1)
            here, there = steps[min(int(t), len(steps) - 1)], steps[min(int(t) + 1, len(steps) - 1)]
            widths.append((here * (1 - t % 1) + there * (t % 1)) * (1 + 0.12 * noise(x, y, 60, 5)))
            sheet.block(x, y, widths[-1] / 2)
        waters.navigable.append((line, widths))


def _along(sheet: HexSheet, waters: Waters) -> None:
    drawn = [p for line, _ in waters.navigable for p in line]
    banks = {snap(sheet.corner(k, i)) for k in sheet.shore for i in range(6)}
    known = set(banks)
    flows: list[tuple[str, str, Line]] = []
    for (kind, name), pairs in sheet.named.items():
        if kind in ALONG:
            sides = [sheet.hexside(a, b) for a, b in pairs]
            at: dict[Point, Point] = {snap(p): p for side in sides for p in side}
            flows += [(kind, name, [at[p] for p in path]) for path in chains((snap(a), snap(b)) for a, b in sides)]
    flows.sort(key=lambda flow: -len(flow[2]))

    def lowness(p: Point) -> tuple[bool, int, bool, float, float]:
        return snap(p) in known, -sheet.level_at(p), sheet.near_edge(p), p[1], -p[0]

    for kind, name, points in flows:
        if lowness(points[0]) > lowness(points[-1]):
            points = points[::-1]
        spring, least, most = ALONG[kind]
        mouth, wide = points[-1], min(least + 0.1 * len(points), most)
        known |= {snap(p) for p in points}
        if sheet.near_edge(points[0]):
            points = [_beyond(points[1], points[0]), *points]
        near = min(drawn, key=lambda p: math.dist(p, mouth), default=None)
        reach = RADIUS * (1.8 if snap(mouth) in banks else 0.8)
        if sheet.near_edge(mouth):
            points = [*points, _beyond(points[-2], mouth)]
        elif near and math.dist(near, mouth) < reach:
            points = [*points, near]
        line = relax(resample(bspline(along(points), 6), 8), 1)
        last = len(line) - 1
        drawn_as = waters.deep if kind == "deep_river" else waters.minor
        drawn_as.append((line, [spring + (wide - spring) * (i / last) ** 0.75 for i in range(last + 1)]))
        waters.courses.append((name, line, wide))
        drawn += line
        for x, y in line:
            sheet.block(x, y, 3)


def _beyond(before: Point, end: Point) -> Point:
    return 2 * end[0] - before[0], 2 * end[1] - before[1]
