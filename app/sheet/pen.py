"""Curves for drawing maps: place-fixed noise, smoothing, splines, strokes of varying width, path text."""

from __future__ import annotations

import collections
import itertools
import math
from collections.abc import Callable, Iterable, Sequence

Point = tuple[float, float]
Line = list[Point]
Node = tuple[int, int]


def noise(x: float, y: float, scale: float, salt: int = 0) -> float:
    """Smooth value noise in -1..1. It depends on place alone, so that edges shared by two shapes wander together."""

    def at(i: int, j: int) -> float:
        n = (i * 374761393 + j * 668265263 + salt * 2147483647) & 0xFFFFFFFF
        n = (n ^ n >> 13) * 1274126177 & 0xFFFFFFFF
        return (n ^ n >> 16) / 0x7FFFFFFF - 1

    x, y = x / scale, y / scale
    i, j = math.floor(x), math.floor(y)
    u, v = (t * t * (3 - 2 * t) for t in (x - i, y - j))
    a, b, c, d = at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)
    return a + (b - a) * u + (c - a) * v + (a - b - c + d) * u * v


def wander(points: Sequence[Point], amount: float, scale: float, fixed_ends: bool = True) -> Line:
    """Move each point by noise of the given amount and wavelength; the ends stay unless told otherwise."""
    out = [(x + amount * noise(x, y, scale, 1), y + amount * noise(x, y, scale, 2)) for x, y in points]
    return [points[0], *out[1:-1], points[-1]] if fixed_ends else out


def relax(points: Sequence[Point], times: int, closed: bool = False, weight: float = 0.5) -> Line:
    """Draw each point towards the middle of its neighbours, `times` over; open lines keep their ends."""
    line = list(points)
    for _ in range(times):
        last = len(line) - 1
        line = [
            p
            if not closed and i in (0, last)
            else (
                p[0] * (1 - weight) + weight / 2 * (line[i - 1][0] + line[(i + 1) % len(line)][0]),
                p[1] * (1 - weight) + weight / 2 * (line[i - 1][1] + line[(i + 1) % len(line)][1]),
            )
            for i, p in enumerate(line)
        ]
    return line


def resample(points: Sequence[Point], step: float) -> Line:
    """The same line with points `step` apart; the last one is kept."""
    out, left = [points[0]], step
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        length = math.hypot(x1 - x0, y1 - y0)
        while length > left:
            x0, y0 = x0 + (x1 - x0) * left / length, y0 + (y1 - y0) * left / length
            out.append((x0, y0))
            length -= left
            left = step
        left -= length
    return [*out, points[-1]] if math.dist(out[-1], points[-1]) > step / 3 else [*out[:-1], points[-1]]


def spline(points: Sequence[Point], per: int = 6) -> Line:
    """A Catmull-Rom curve through the points, as a fine polyline."""
    out, p = [points[0]], [points[0], *points, points[-1]]
    for a, b, c, d in zip(p, p[1:], p[2:], p[3:], strict=False):
        for i in range(1, per + 1):
            t = i / per

            def axis(k: int, a: Point = a, b: Point = b, c: Point = c, d: Point = d, t: float = t) -> float:
                square = 2 * a[k] - 5 * b[k] + 4 * c[k] - d[k]
                cube = 3 * b[k] - a[k] - 3 * c[k] + d[k]
                return 0.5 * (2 * b[k] + (c[k] - a[k]) * t + square * t * t + cube * t**3)

            out.append((axis(0), axis(1)))
    return out


def middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def bspline(points: Sequence[Point], per: int = 6) -> Line:
    """A quadratic B-spline with the points as control points, as a fine polyline."""
    if len(points) < 3:
        return list(points)
    joints = [points[0], *(middle(a, b) for a, b in itertools.pairwise(points[1:-1])), points[-1]]
    out = [points[0]]
    for a, b, c in zip(joints, points[1:-1], joints[1:], strict=False):
        for i in range(1, per + 1):
            t = i / per
            p, q, r = (1 - t) ** 2, 2 * t * (1 - t), t * t
            out.append((a[0] * p + b[0] * q + c[0] * r, a[1] * p + b[1] * q + c[1] * r))
    return out


def along(points: Sequence[Point], closed: bool = False) -> Line:
    """Hexsides as a drawn line: corners drawn in by a third, a little wander. Rivers and borders share it."""
    return wander(relax(points, 1, closed, 0.35), 2.4, 21, not closed)


def natural(ring: Line) -> Line:
    """A ring of corners as a coast line: sides halved, relaxed three times, moved by noise at two scales."""
    halved = []
    for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
        halved += [a, ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)]
    return wander(wander(relax(halved, 3, True), 8, 75, False), 3, 19, False)


def num(value: float, places: int = 1) -> str:
    """The shortest SVG spelling of a number."""
    s = f"{value:.{places}f}"
    if "." in s:
        s = s.rstrip("0").rstrip(".") or "0"
    if s in ("-0", "0"):
        return "0"
    if s.startswith("-0."):
        return "-" + s[2:]
    return s[1:] if s.startswith("0.") else s


def pen(points: Sequence[Point], closed: bool = False, curve: bool = True, places: int = 1) -> str:
    """Path text in relative steps: straight, or a B-spline whose control points are `points`; none of what is too small
    to be drawn so (an islet on the minimap)."""
    if len(points) < (3 if closed else 2):
        return ""
    if curve and len(points) > 2:
        return _curve(points, closed, places)
    (x, y), *onward = ((round(px, places), round(py, places)) for px, py in points)
    out = [f"M{num(x, places)} {num(y, places)}l"]
    for px, py in onward:
        out.append(f"{num(px - x, places)} {num(py - y, places)} ")
        x, y = px, py
    return ("".join(out).rstrip() + ("z" if closed else "")).replace(" -", "-")


def _curve(points: Sequence[Point], closed: bool, places: int) -> str:
    """A B-spline by its joints alone: each control point is the one before mirrored in the joint, and `t` does that.
    Joints are rounded so that the mirrored control points stay where they belong."""
    unit = 10**places
    controls = [*points[1:], *points[:2]] if closed else list(points[1:-1])
    (x, y), (cx, cy) = (
        (round(p[0] * unit), round(p[1] * unit))
        for p in (middle(points[0], points[1]) if closed else points[0], controls[0])
    )

    def step(dx: int, dy: int) -> str:
        return f"{num(dx / unit, places)} {num(dy / unit, places)} "

    out = [f"M{num(x / unit, places)} {num(y / unit, places)}q", step(cx - x, cy - y)]
    for i, (px, py) in enumerate(controls[1:]):
        jx, jy = round((cx + px * unit) / 2), round((cy + py * unit) / 2)
        out += [step(jx - x, jy - y), "t" if i == 0 else ""]
        x, y, cx, cy = jx, jy, 2 * jx - cx, 2 * jy - cy
    if not closed:
        out.append(step(round(points[-1][0] * unit) - x, round(points[-1][1] * unit) - y))
    return ("".join(out).replace(" t", "t").rstrip() + ("z" if closed else "")).replace(" -", "-")


def snap(p: Point) -> Node:
    """A key under which two computations of one point meet."""
    return round(p[0] * 2), round(p[1] * 2)


def chains(pairs: Iterable[tuple[Point, Point]], straight: bool = True) -> list[Line]:
    """Split a graph of points into long paths; at a junction the straightest arms stay one path."""
    pairs = list(pairs)
    arms: dict[Point, list[Point]] = collections.defaultdict(list)
    for a, b in pairs:
        arms[a].append(b)
        arms[b].append(a)
    through: dict[tuple[Point, Point], Point] = {}
    for p, ends in arms.items():

        def turn(a: Point, b: Point, p: Point = p) -> float:
            way_in = math.atan2(a[1] - p[1], a[0] - p[0])
            return abs(math.remainder(way_in - math.atan2(p[1] - b[1], p[0] - b[0]), math.tau))

        rest = list(ends)
        for bend, a, b in sorted((turn(a, b), a, b) for i, a in enumerate(ends) for b in ends[:i]):
            if a in rest and b in rest and (len(ends) == 2 or (straight and bend < 1.2)):
                through[p, a], through[p, b] = b, a
                rest.remove(a)
                rest.remove(b)
    todo, out = {frozenset(e) for e in pairs}, []
    for a, b in sorted(((p, n) for p in arms for n in arms[p]), key=lambda e: (e in through, e)):
        if frozenset((a, b)) not in todo:
            continue
        path = [a, b]
        todo.discard(frozenset((a, b)))
        while (onward := through.get((path[-1], path[-2]))) and frozenset((path[-1], onward)) in todo:
            todo.discard(frozenset((path[-1], onward)))
            path.append(onward)
        out.append(path)
    return out


def ribbon(points: Sequence[Point], widths: Sequence[float]) -> Line:
    """The outline of a stroke whose width varies along it: its left side, then its right side back."""
    left, right = [], []
    for i, (x, y) in enumerate(points):
        (x0, y0), (x1, y1) = points[max(i - 1, 0)], points[min(i + 1, len(points) - 1)]
        length = math.hypot(x1 - x0, y1 - y0) or 1
        nx, ny, half = (y0 - y1) / length, (x1 - x0) / length, widths[i] / 2
        left.append((x + nx * half, y + ny * half))
        right.append((x - nx * half, y - ny * half))
    return left + right[::-1]


def inside(rings: Iterable[Sequence[Point]]) -> Callable[[float, float], bool]:
    """A point-in-rings test (even-odd), with the edges sorted into bands of 20 units."""
    rows: dict[int, list[tuple[Point, Point]]] = collections.defaultdict(list)
    for ring in rings:
        for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
            for j in range(int(min(a[1], b[1]) // 20), int(max(a[1], b[1]) // 20) + 1):
                rows[j].append((a, b))

    def test(x: float, y: float) -> bool:
        crossings = 0
        for a, b in rows[int(y // 20)]:
            if (a[1] > y) != (b[1] > y) and x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0]:
                crossings += 1
        return crossings % 2 == 1

    return test


def band(name: str, outline: str) -> str:
    """A soft band inside the edge of a land: two strokes along its outline, cut off outside."""
    return (
        f'<clipPath id="in-{name}"><path id="land-{name}" d="{outline}"/></clipPath>'
        f'<g clip-path="url(#in-{name})" class="band {name}">'
        f'<use class="wide" href="#land-{name}"/><use href="#land-{name}"/></g>'
    )
