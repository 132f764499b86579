"""An area map laid on the sheet: borders drawn once, areas as rings of them, rivers along them, room for stacks."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterable
from typing import Any

from app.sheet.hexsheet import HEIGHT
from app.sheet.pen import Line, Point, inside, natural, noise, pen, relax, resample, wander
from app.sheet.room import Room

SCALE = 1.6  # sheet units per unit of map.json; static/js/board/areas.js has the same
BLEED = 60.0  # areas at the edge of the map reach so far beyond the neat line
HALF = 29.0  # half the room of a stack of four counters
BOX = 28.0  # half the side of a box in an area
NAME_BELOW = 17.0  # room for the name of a box under it
STACKS = 4  # at most so many stacks have a place of their own in an area
STEP = 12.0  # between places tried for a stack
VOID, SEA, LAND = "void", "sea", "land"
Rect = tuple[float, float, float, float]  # left, top, right, bottom
Border = dict[str, Any]
Loop = list[tuple[int, bool]]  # borders end to end by their number, and whether each runs backwards
START = re.compile(r"M-?[\d.]+[ -][\d.]+")


class AreaSheet(Room):
    """Geometry of one map.json of kind `areas` in sheet units (docs/new-title.md).

    `lines`  one for each border, in the order of the data, ends where borders meet
    `loops`  area -> the borders around it, end to end; `rings` their points
    `at`     area or box -> the middle of its first stack
    `slots`  area or box -> middles of its stacks
    """

    def __init__(self, data: dict[str, Any], style: dict[str, Any]) -> None:
        super().__init__()
        self.style = style
        self.areas: dict[str, dict[str, Any]] = data["areas"]
        self.boxes: dict[str, dict[str, Any]] = data.get("boxes", {})
        self.borders: list[Border] = data["borders"]
        self.links: list[dict[str, Any]] = data.get("links", [])
        self.tracks: list[dict[str, Any]] = data.get("tracks", [])
        self.left = self.top = 0.0
        self.wide, self.high = float(data["board"]["width"]), float(data["board"]["height"])
        self.right, self.bottom = self.wide * SCALE, self.high * SCALE
        km = data["board"].get("km")  # in a unit of map.json, if the map is to scale
        self.hex_km: float | None = HEIGHT * km / SCALE if km else None
        self.lettered: list[Rect] = []  # the room of names, once they are set
        self.lines = [self._line(border) for border in self.borders]
        self.loops = {name: self._loops(lambda a, name=name: a == name) for name in self.areas}  # type: ignore[misc]
        self.rings = {name: [self._ring(loop) for loop in loops] for name, loops in self.loops.items()}
        self.coast = self._loops(lambda a: a is not None and self.wet(a))
        self.sea = [self._ring(loop) for loop in self.coast]
        self.at_sea = inside(self.sea)
        self.courses = [_Course(self, name, river) for name, river in data.get("rivers", {}).items()]
        self.within = {name: inside(rings) for name, rings in self.rings.items()}
        self.rects = {name: self._rect(box) for name, box in self.boxes.items()}
        self.slots: dict[str, list[Point]] = {name: self._box_slots(name) for name in self.boxes}
        for name, area in self.areas.items():
            if area["kind"] != VOID:
                self.slots[name] = self._area_slots(name)
        self.at = {name: self.place(*spot["at"]) for name, spot in (*self.areas.items(), *self.boxes.items())}
        self.at |= {name: slots[0] for name, slots in self.slots.items()}

    @staticmethod
    def place(x: float, y: float) -> Point:
        return x * SCALE, y * SCALE

    def wet(self, area: str) -> bool:
        """Whether an area is water: a sea area, or water out of play."""
        return self.areas[area]["kind"] == SEA or bool(self.areas[area].get("sea"))

    def ground(self, ring: list[list[float]]) -> Line:
        """A patch of ground as drawn: its edge wanders far, so that none looks laid out."""
        corners = [self.place(x, y) for x, y in ring]
        return natural(wander(resample([*corners, corners[0]], 26)[:-1], 34, 130, False))

    def _line(self, border: Border) -> Line:
        """A border as drawn: smoothed and moved by noise between its ends; the edge of the map straight beyond it."""
        points = [self._bled(self.place(x, y)) for x, y in border["line"]]
        if border["kind"] == "edge" or len(points) < 2:
            return resample(points, 24)
        coast = self._coast(border)
        line = relax(resample(points, 11), 3 if coast else 7)
        if math.dist(points[0], points[-1]) < 1:  # an island: its ring is closed, no end is kept
            ring = wander(relax(resample(points, 11)[:-1], 3, True), 4, 30, False)
            return [*ring, ring[0]]
        return wander(wander(line, 4 if coast else 7, 64), 3 if coast else 2.2, 17)

    def _coast(self, border: Border) -> bool:
        return border["b"] is not None and self.wet(border["a"]) != self.wet(border["b"])

    def _bled(self, p: Point) -> Point:
        """A point of the map's edge moved beyond it; others stay."""
        x, y = p
        x += BLEED * ((x > self.right - 1) - (x < 1))
        y += BLEED * ((y > self.bottom - 1) - (y < 1))
        return x, y

    def _loops(self, inner: Callable[[str | None], bool]) -> list[Loop]:
        """Loops around all areas of a kind: the borders with one side in it, end to end."""
        rest = [i for i, border in enumerate(self.borders) if inner(border["a"]) != inner(border["b"])]
        loops = []
        while rest:
            i = rest.pop()
            loop, start, end = [(i, False)], self._end(i, 0), self._end(i, -1)
            while end != start:
                i = next(n for n in rest if end in (self._end(n, 0), self._end(n, -1)))
                rest.remove(i)
                back = end != self._end(i, 0)
                loop.append((i, back))
                end = self._end(i, 0 if back else -1)
            loops.append(loop)
        return loops

    def _end(self, i: int, which: int) -> tuple[float, float]:
        x, y = self.borders[i]["line"][which]
        return x, y

    def _ring(self, loop: Loop) -> Line:
        """The points of a loop."""
        return [p for i, back in loop for p in (self.lines[i][::-1] if back else self.lines[i])[:-1]]

    def outline(self, loops: list[Loop]) -> str:
        """Path text of loops: the very curves of their borders, so that what they part fits without a gap."""
        return "".join(self._path(loop) for loop in loops)

    def _path(self, loop: Loop) -> str:
        curves = [self.curve(i, back) for i, back in loop]
        return curves[0] + "".join(curve[START.match(curve).end() :] for curve in curves[1:]) + "z"  # type: ignore[union-attr]

    def curve(self, i: int, back: bool = False) -> str:
        """Path text of a border; the same curve in both directions."""
        line = self.lines[i]
        thin = [line[0], *line[1:-1:2], line[-1]] if len(line) > 4 else line
        return pen(thin[::-1] if back else thin)

    def region(self, region: str) -> list[Loop]:
        """The loops around a region."""
        return self._loops(lambda a: a is not None and self.areas[a].get("region") == region)

    def between(self, a: str, b: str) -> list[int]:
        """The borders two areas share, by their number."""
        return [i for i, border in enumerate(self.borders) if {a, b} == {border["a"], border["b"]}]

    def _rect(self, box: dict[str, Any]) -> Rect:
        x, y = self.place(*box["at"])
        wide, high = (v * SCALE / 2 for v in box["size"]) if "size" in box else (BOX, BOX)
        return x - wide, y - high, x + wide, y + high

    def _box_slots(self, name: str) -> list[Point]:
        """One stack in a box of the ordinary size, rows of stacks under the heading of a large one."""
        left, top, right, bottom = self.rects[name]
        if "size" not in self.boxes[name]:
            return [((left + right) / 2, (top + bottom) / 2)]
        top += 24
        across, down = max(1, int((right - left) // (2 * HALF))), max(1, int((bottom - top) // (2 * HALF)))
        wide, high = (right - left) / across, (bottom - top) / down
        return [(left + wide * (i + 0.5), top + high * (j + 0.5)) for j in range(down) for i in range(across)]

    def _area_slots(self, name: str) -> list[Point]:
        """Places for stacks about the middle of an area, off borders and boxes; two at least, over them if need be."""
        home, within = self.place(*self.areas[name]["at"]), self.within[name]
        boxes = [grown(r, 2, NAME_BELOW) for r in self.rects.values() if near(home, r, 300)]
        found: list[Point] = []
        second: list[tuple[float, Point]] = []
        for far, dx, dy in LATTICE:
            x, y = home[0] + dx, home[1] + dy
            if not within(x, y) or any(abs(x - a) < 2 * HALF and abs(y - b) < 2 * HALF for a, b in found):
                continue
            room = (x - HALF, y - HALF, x + HALF, y + HALF)
            bad = sum(not within(x + u, y + v) for u, v in RIM) + sum(shared(room, box) for box in boxes) / 8
            bad += 20 * self.near_edge((x, y), HALF)
            if bad:
                second.append((bad * 45 + far, (x, y)))
            else:
                found.append((x, y))
            if len(found) == STACKS:
                return found
        for _, (x, y) in sorted(second):
            if len(found) < 2 and all(abs(x - a) >= 2 * HALF or abs(y - b) >= 2 * HALF for a, b in found):
                found.append((x, y))
        return found or [home]


RIM = [(u * (HALF + 2), v * (HALF + 2)) for u, v in itertools.product((-1, 0, 1), (-1, 0, 1)) if u or v]
# steps about the middle of an area, the near ones first: a row reads more easily than a heap
LATTICE = sorted(
    (math.hypot(i, 1.25 * j) * STEP, i * STEP, j * STEP) for i, j in itertools.product(range(-18, 19), range(-18, 19))
)


class _Course:
    """One river: along borders and through areas, its line from head to mouth and how wide it is at each point."""

    def __init__(self, sheet: AreaSheet, name: str, river: dict[str, Any]) -> None:
        """`river`: `width` at head and mouth; `course` from a point at the head to the mouth, each further item a point
        or the two ids of a border."""
        self.name = name
        self.pairs = [(stop[0], stop[1]) for stop in river["course"] if isinstance(stop[0], str)]
        line: Line = []
        free: Line = []
        for stop in river["course"]:
            if not isinstance(stop[0], str):
                free.append(sheet.place(*stop))
                continue
            along: Line = []
            pieces = [sheet.lines[k] for k in sheet.between(*stop)]
            while pieces:
                here = (along or free or line)[-1]
                piece = min(pieces, key=lambda part: min(math.dist(here, part[0]), math.dist(here, part[-1])))
                pieces.remove(piece)
                along += piece if math.dist(here, piece[0]) <= math.dist(here, piece[-1]) else piece[::-1]
            line += [*_loose([*line[-1:], *free, along[0]]), *along]
            free = []
        if free:
            line += _loose([*line[-1:], *free])
        self.line = [p for p, q in itertools.pairwise([*line, (math.inf, 0.0)]) if math.dist(p, q) > 0.5]
        head, mouth = river["width"]
        last = max(1, len(self.line) - 1)
        self.widths = [
            (head + (mouth - head) * (i / last) ** 0.9) * min(1, 0.3 + i / last * 8) * (1 + 0.12 * noise(x, y, 60, 5))
            for i, (x, y) in enumerate(self.line)
        ]


def _loose(stops: Line) -> Line:
    """The part of a course that follows no border."""
    return wander(wander(relax(resample(stops, 11), 10), 9, 60), 3, 19) if math.dist(stops[0], stops[-1]) > 12 else []


def grown(r: Rect, by: float, below: float = 0.0) -> Rect:
    return r[0] - by, r[1] - by, r[2] + by, r[3] + by + below


def near(p: Point, r: Rect, reach: float) -> bool:
    return r[0] - reach < p[0] < r[2] + reach and r[1] - reach < p[1] < r[3] + reach


def shared(a: Rect, b: Rect) -> float:
    """How much two rectangles share, as the root of an area."""
    wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return math.sqrt(wide * high) if wide > 0 and high > 0 else 0.0


def covered(r: Rect, others: Iterable[Rect]) -> float:
    """How much of a rectangle lies on others, summed as shared() counts."""
    left, top, right, bottom = r
    return sum(shared(r, o) for o in others if o[0] < right and o[2] > left and o[1] < bottom and o[3] > top)
