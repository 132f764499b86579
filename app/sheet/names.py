"""Where names go: along rivers, in the calm of a region, beside a town."""

from __future__ import annotations

import math
from collections.abc import Iterable

from app.sheet.hexsheet import HEIGHT, Hex, HexSheet
from app.sheet.lettering import escape, spaced, width
from app.sheet.pen import Line, Point, num, pen, relax, resample, ribbon
from app.sheet.room import Room

# Places of a town's name from its centre: dx, dy, anchor (-1 end, 0 middle, 1 start), and what each costs. The first
# seven leave this hex's counters free, the first five those around it too.
TOWN_PLACES = (
    (0, 38, 0, 0),
    (-18, 38, 1, 1.2),
    (18, 38, -1, 1.4),
    (26, 4, 1, 2.2),
    (-26, 4, -1, 2.4),
    (26, 16, 1, 2.8),
    (-26, 16, -1, 3),
    (10, 17, 1, 3.8),
    (-10, 17, -1, 4),
    (10, 4, 1, 4.6),
    (-10, 4, -1, 4.8),
    (0, -12, 0, 6),
)


def _bend(line: Line) -> float:
    """How much a line turns, in radians."""
    total = 0.0
    for a, b, c in zip(line, line[1:], line[2:], strict=False):
        way_in = math.atan2(b[1] - a[1], b[0] - a[0])
        total += abs(math.remainder(math.atan2(c[1] - b[1], c[0] - b[0]) - way_in, math.tau))
    return total


def course_label(sheet: Room, name: str, course: Line, wide: float, mark: str) -> str:
    """A river's name along the calmest stretch of its course, on the side that is free; "" if there is no room."""
    size = 16 if wide > 12 else 10 + wide
    need = width(name, size, "italic", 0.09) * 1.16 + 8
    points = resample(relax(course, 6), 6)
    span = int(need / 6) + 1
    best: tuple[float, Line] | None = None
    for i in range(2, len(points) - span - 1, 3):
        part = points[i : i + span]
        (ax, ay), (bx, by) = part[0], part[-1]
        if ax > bx or (abs(ax - bx) < 12 and ay < by):
            part = part[::-1]
        part = relax(part, 40)
        steep = abs(part[-1][1] - part[0][1]) / (abs(part[-1][0] - part[0][0]) + 8)
        calm = _bend(part) * 7 + min(steep, 4) * 0.8 + abs(i / len(points) - 0.5)
        for side, gap in ((-1, wide / 2 + 3.5), (1, wide / 2 + size * 0.72)):
            rim = ribbon(part, [2 * gap] * span)
            line = rim[span:][::-1] if side < 0 else rim[:span]
            hits = sum(not sheet.free(x, y - size * 0.25, size * 0.22) for x, y in line)
            off = any(sheet.near_edge(p, 6) for p in (line[0], line[-1]))
            cost = calm + hits * 1.6 + 14.4 * off
            if best is None or cost < best[0]:
                best = cost, line
    if best is None or best[0] > 26:
        return ""
    line = best[1]
    for x, y in line:
        sheet.block(x, y - size * 0.25, size * 0.5)
    return (
        f'<path id="{mark}" d="{pen([*line[::3], line[-1]])}"/><text class="course" font-size="{num(size)}">'
        f'<textPath href="#{mark}" startOffset="50%">{escape(name)}</textPath></text>'
    )


def area_label(
    sheet: HexSheet, text: str, keys: Iterable[Hex], cls: str, size: float, spacing: float, at: str | None = None
) -> str:
    """Letter-spaced name of a region or country, at the hex `at` or else in its calmest spot."""
    wide, keys = width(text, size, "upright", spacing), set(keys)
    x, y = sheet.centre(sheet.key(at)) if at else _calmest(sheet, keys, wide, size)
    if cls == "region":
        for u in range(int(wide / 10) + 1):
            sheet.block(x - wide / 2 + u * 10, y, size * 0.5)
    return spaced(text, cls, (x, y), size, spacing)


def _calmest(sheet: HexSheet, keys: set[Hex], wide: float, size: float) -> Point:
    centres = [sheet.centre(k) for k in keys]
    mx, my = sum(x for x, _ in centres) / len(centres), sum(y for _, y in centres) / len(centres)

    def cost(spot: Point) -> float:
        x, y = spot
        box = [(x + wide * (u / 8 - 0.5), y + v) for u in range(9) for v in (-size * 0.4, 0, size * 0.4)]
        outside = sum(sheet.at(p) not in keys for p in box)
        hits = sum(not sheet.free(a, b, 6) for a, b in box)
        return outside * 6 + hits + math.hypot(x - mx, y - my) / 120

    return min(((x, y + dy) for x, y in sorted(centres) for dy in (0, HEIGHT / 2)), key=cost)


def town_label(sheet: HexSheet, k: Hex, name: str, key_town: bool) -> str:
    """Below the counter's place if it can be, else the place of those left that touches least."""
    (x, y), size = sheet.centre(k), 15 if key_town else 12.5
    if k in sheet.shore:
        x = (x + sheet.site(k)[0]) / 2
    wide = width(name, size)

    def spots(dx: float, dy: float, anchor: int) -> Line:
        cx, cy = x + dx + anchor * wide / 2, y + dy - size * 0.3
        return [(cx + wide * (u / 6 - 0.5), cy) for u in range(7)]

    def cost(place: tuple[float, float, int, float]) -> float:
        dx, dy, anchor, price = place
        line = spots(dx, dy, anchor)
        hits = sum(not sheet.free(a, b, size * 0.36) for a, b in line)
        off = line[0][0] < sheet.left + 4 or line[-1][0] > sheet.right - 4 or line[0][1] > sheet.bottom - 9
        return hits * 0.4 + price + 9 * off

    dx, dy, anchor, _ = min(TOWN_PLACES, key=cost)
    for a, b in spots(dx, dy, anchor):
        sheet.block(a, b, size * 0.55)
    return (
        f'<text class="town{" big" if key_town else ""}" x="{num(x + dx)}" y="{num(y + dy)}" font-size="{size}" '
        f'text-anchor="{("middle", "start", "end")[anchor]}" data-at="{sheet.hexes[k]["id"]}">{escape(name)}</text>'
    )
