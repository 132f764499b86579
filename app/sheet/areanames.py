"""Names of an area map: of boxes beside them, of areas in their calm ground, none over another or over a stack."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from app.sheet.areasheet import BOX, HALF, VOID, AreaSheet, Rect, covered, grown, near
from app.sheet.lettering import width

SIZES = {"land": (19.0, 17.0, 15.0), "sea": (17.0, 15.0), "void": (24.0, 19.0, 15.0)}
SPACING = {"land": 0.03, "sea": 0.06, "void": 0.16}
BOX_SIZE = 14.0
LEAD = 1.0  # of the size, from line to line
SIGN = 23.0  # room of a sign in the row of a name
STEP = 16.0
REACH = 13  # steps tried from the middle of an area
CALM = 40.0  # a name likes to be so far below the middle of the first stack
LATTICE = sorted(
    ((0.9 * abs(i) + 1.1 * abs(j)) * STEP, i * STEP, j * STEP)
    for i, j in itertools.product(range(-REACH, REACH + 1), range(-REACH, REACH + 1))
)


Spot = tuple[float, float, float]  # from the middle of a box to the top of its name, and what it costs


@dataclass
class Name:
    """A name set: its lines (text, middle, baseline), its signs (kind, value or None, middle) and the room it takes."""

    of: str
    size: float
    spacing: float = 0.0
    lines: list[tuple[str, float, float]] = field(default_factory=list)
    signs: list[tuple[str, int | None, float, float]] = field(default_factory=list)
    rect: Rect = (0, 0, 0, 0)


def name_places(sheet: AreaSheet) -> tuple[dict[str, Name], dict[str, Name]]:
    """A place for the name of every box in an area, and of every area: those with least room first."""
    fixed = [grown(r, 1) for r in sheet.rects.values()] + [track_rect(track) for track in sheet.tracks]
    fixed += [_stack(p) for name in sheet.areas for p in sheet.slots.get(name, ())[:2]]
    boxes: dict[str, Name] = {}
    for name in sorted(sheet.boxes, key=lambda k: -_crowd(sheet, k)):
        if "size" not in sheet.boxes[name]:
            boxes[name] = _box_name(sheet, name, fixed)
            fixed.append(boxes[name].rect)
    order = sorted((k for k, area in sheet.areas.items() if area["name"]), key=lambda k: _size(sheet, k))
    areas: dict[str, Name] = {}
    for name in order:
        areas[name] = _area_name(sheet, name, fixed)
        fixed.append(areas[name].rect)
        if name in sheet.slots:
            lettered = [areas[name].rect, *(box.rect for box in boxes.values())]
            first, more = sheet.slots[name][:2], sheet.slots[name][2:]
            sheet.slots[name] = [*first, *(p for p in more if not covered(_stack(p), lettered))]
    sheet.lettered = [name.rect for name in (*boxes.values(), *areas.values())]
    for set_name in (*boxes.values(), *areas.values()):
        left, top, right, bottom = set_name.rect
        for u in range(int((right - left) / 12) + 1):
            sheet.block(left + 6 + u * 12, (top + bottom) / 2, (bottom - top) / 2)
    return boxes, areas


def track_rect(track: dict[str, Any]) -> Rect:
    """The room of a track on the sheet: its heading and its cells, in sheet units."""
    x, y = AreaSheet.place(*track["at"])
    wide, high = AreaSheet.place(*track["cell"])
    rows = -(-len(track["cells"]) // track["columns"])
    return x, y - 30, x + wide * track["columns"], y + high * rows


def _stack(p: tuple[float, float]) -> Rect:
    return p[0] - HALF + 3, p[1] - HALF + 3, p[0] + HALF - 3, p[1] + HALF - 3


def _crowd(sheet: AreaSheet, name: str) -> float:
    x, y = sheet.at[name]
    return sum(1 / (1 + ((x - u) / 90) ** 2 + ((y - v) / 60) ** 2) for k, (u, v) in sheet.at.items() if k != name)


def _size(sheet: AreaSheet, name: str) -> float:
    """How much room an area has, out of play last."""
    points = [p for ring in sheet.rings[name] for p in ring]
    wide = max(x for x, _ in points) - min(x for x, _ in points)
    high = max(y for _, y in points) - min(y for _, y in points)
    return wide * high + (1e9 if sheet.areas[name]["kind"] == VOID else 0)


def _box_name(sheet: AreaSheet, name: str, fixed: list[Rect]) -> Name:
    """Under a box, above it or beside it, on one line or two."""
    box, (x, y) = sheet.boxes[name], sheet.at[name]
    others = [r for r in fixed if near((x, y), r, 220)]
    best: tuple[float, Name] | None = None
    for rows in _broken(box["name"]):
        wide, high = max(width(row, BOX_SIZE) for row in rows) + 4, len(rows) * BOX_SIZE * LEAD + 2
        aside = BOX + 4 + wide / 2
        spots: list[Spot] = [(shift, BOX + 2 + sink, 0.0 + abs(shift) / 6 + sink) for sink in (0, 6)
                 for shift in (0, 14, -14, 28, -28, 42, -42)]  # fmt: skip
        spots += [(shift, -BOX - 2 - high, 4 + abs(shift) / 6) for shift in (0, 16, -16, 32, -32)]
        spots += [(turn * aside, dy - high / 2, 5.0) for turn in (1, -1) for dy in (0, 12, -12, 24, -24)]
        for dx, dy, price in spots:
            rect = x + dx - wide / 2, y + dy, x + dx + wide / 2, y + dy + high
            cost = price + covered(rect, others) * 12 + _hits(sheet, rect) * 1.2 + _off(sheet, rect) * 50
            cost += 2 * (len(rows) - 1)
            if best is None or cost < best[0]:
                lines = [(row, x + dx, y + dy + BOX_SIZE * (0.8 + i * LEAD)) for i, row in enumerate(rows)]
                best = cost, Name(name, BOX_SIZE, lines=lines, rect=rect)
    assert best
    return best[1]


def _area_name(sheet: AreaSheet, name: str, fixed: list[Rect]) -> Name:
    """Where the ground is calm and nothing lies, near the middle; smaller or on two lines only where it must be."""
    area, home = sheet.areas[name], sheet.at[name]
    kind = area["kind"]
    others = [r for r in fixed if near(home, r, REACH * STEP + 160)]
    signs: list[tuple[str, int | None]] = [
        *area.get("worth", {}).items(),
        *((sign, None) for sign in area.get("signs", ())),
    ]
    best: tuple[float, Name] | None = None
    for i, size in enumerate(SIZES[kind]):
        for rows in _broken(area["name"]):
            price = i * 14 + 6 * (len(rows) - 1)
            wides = [width(row, size, "italic" if kind == "sea" else "upright", SPACING[kind]) for row in rows]
            wide = max([*wides[:-1], wides[-1] + len(signs) * SIGN]) + 6
            high = len(rows) * size * LEAD + 4
            for far, dx, dy in LATTICE:
                x, y = home[0] + dx, home[1] + CALM + dy
                away = price + far * 0.12
                if best is not None and away >= best[0]:
                    break
                rect = x - wide / 2, y - high / 2, x + wide / 2, y + high / 2
                cost = away + covered(rect, others) * 14
                if best is not None and cost >= best[0]:
                    continue
                cost += _outside(sheet, name, rect) * 21 + _off(sheet, rect) * 60
                if best is None or cost < best[0]:
                    cost += _hits(sheet, rect) * 1.6
                if best is None or cost < best[0]:
                    best = cost, _set(name, rows, signs, size, SPACING[kind], wides, rect)
    assert best
    return best[1]


def _set(
    name: str, rows: list[str], signs: list[tuple[str, int | None]], size: float, spacing: float,
    wides: list[float], rect: Rect,
) -> Name:  # fmt: skip
    middle, top = (rect[0] + rect[2]) / 2, rect[1] + 1
    out = Name(name, size, spacing, rect=rect)
    for i, (row, wide) in enumerate(zip(rows, wides, strict=True)):
        tail = len(signs) * SIGN if i == len(rows) - 1 else 0.0
        out.lines.append((row, middle - tail / 2, top + size * (0.8 + i * LEAD)))
        if tail:
            start = middle - tail / 2 + wide / 2
            out.signs = [
                (sign, value, start + SIGN * (j + 0.6), top + size * (0.5 + i * LEAD))
                for j, (sign, value) in enumerate(signs)
            ]
    return out


def _broken(name: str) -> Iterable[list[str]]:
    """A name on one line, and on two, as even as can be, if it is long."""
    yield [name]
    words = name.split(" ")
    if len(words) > 1 and len(name) > 9:
        cuts = [[" ".join(words[:i]), " ".join(words[i:])] for i in range(1, len(words))]
        yield min(cuts, key=lambda cut: max(len(part) for part in cut))


def _samples(rect: Rect) -> Iterable[tuple[float, float]]:
    left, top, right, bottom = rect
    for i in range(5):
        x = left + (right - left) * i / 4
        yield x, top + 2
        yield x, bottom - 2


def _outside(sheet: AreaSheet, name: str, rect: Rect) -> int:
    within = sheet.within[name]
    return sum(not within(x, y) for x, y in _samples(rect))


def _hits(sheet: AreaSheet, rect: Rect) -> int:
    left, top, right, bottom = rect
    middle, half = (top + bottom) / 2, (bottom - top) * 0.42
    return sum(not sheet.free(left + (right - left) * i / 6, middle, half) for i in range(7))


def _off(sheet: AreaSheet, rect: Rect) -> bool:
    left, top, right, bottom = rect
    return left < sheet.left + 8 or top < sheet.top + 8 or right > sheet.right - 8 or bottom > sheet.bottom - 8
