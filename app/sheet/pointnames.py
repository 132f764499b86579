"""Names of the spaces of a point map: under the room of their counters, each with its prizes, none over another."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

from app.sheet.lettering import width
from app.sheet.pointsheet import STACK, PointSheet

Box = tuple[float, float, float, float]  # left, top, right, bottom
SIZE, BIG, LEAD = 17.0, 20.5, 0.98
LONG = 150.0  # a name wider than this may be broken
PRIZE = 23.0  # room of a medal or a card sign
DROP = STACK[3] + 3
SHIFTS = (0, 14, -14, 28, -28, 42, -42, 56, -56, 70, -70)
SINKS = (0, 8, 16, 24)


@dataclass
class Name:
    """A name set: its lines (text, middle, baseline), its signs (kind, value, middle) and the room it takes."""

    space: str
    size: float
    lines: list[tuple[str, float, float]] = field(default_factory=list)
    prizes: list[tuple[str, int, float, float]] = field(default_factory=list)
    box: Box = (0, 0, 0, 0)


def name_places(sheet: PointSheet) -> dict[str, Name]:
    """A place for every name, those with least room first."""
    signs = {k: (x - 22, y - 22, x + 22, y + 16) for k, (x, y) in sheet.at.items()}
    stacks = {k: (x + STACK[0], y + STACK[1], x + STACK[2], y + STACK[3]) for k, (x, y) in sheet.at.items()}
    order = sorted(sheet.spaces, key=lambda k: -_crowd(sheet, k))
    done: dict[str, Name] = {}
    for k in order:
        choices = [
            _set(sheet, k, broken, shift, sink)
            for broken, shift, sink in itertools.product((False, True), SHIFTS, SINKS)
            if not broken or _breaks(sheet.spaces[k]["name"])
        ]

        x, y = sheet.at[k]
        near = [o for o, (u, v) in sheet.at.items() if o != k and abs(u - x) < 320 and abs(v - y) < 200]
        hard = [*(signs[o] for o in near), *(done[o].box for o in near if o in done)]

        def cost(name: Name, x: float = x, y: float = y, near: list[str] = near, hard: list[Box] = hard) -> float:
            left, top, right, bottom = name.box
            fixed = sum(_overlap(name.box, box) for box in hard)
            soft = sum(_overlap(name.box, stacks[o]) for o in near)
            off = max(0.0, sheet.left + 6 - left, right - sheet.right + 6, bottom - sheet.bottom + 6)
            wide, middle = right - left, (top + bottom) / 2
            hits = sum(not sheet.free(left + wide * u / 6, middle + v, 4) for u in range(7) for v in (-5, 5))
            shape = 14 * (len(name.lines) > 1 and wide < LONG * 0.55) + max(0.0, wide - LONG) * 0.3
            apart = abs((left + right) / 2 - x) * 0.16 + (top - y) * 0.5
            return fixed * 40 + soft * 0.6 + off * 100 + hits * 0.9 + apart + shape

        done[k] = min(choices, key=cost)
    for name in done.values():
        left, top, right, bottom = name.box
        for u in range(int((right - left) / 12) + 1):
            sheet.block(left + 6 + u * 12, (top + bottom) / 2, (bottom - top) / 2)
    return done


def _crowd(sheet: PointSheet, k: str) -> float:
    x, y = sheet.at[k]
    return sum(1 / (1 + ((x - u) / 100) ** 2 + ((y + 40 - v) / 60) ** 2) for o, (u, v) in sheet.at.items() if o != k)


def _breaks(name: str) -> bool:
    return " " in name and len(name) > 10


def _broken(name: str) -> list[str]:
    """A name on two lines, as even as can be."""
    words = name.split(" ")
    cuts = [[" ".join(words[:i]), " ".join(words[i:])] for i in range(1, len(words))]
    return min(cuts, key=lambda cut: max(len(part) for part in cut))


def _set(sheet: PointSheet, k: str, broken: bool, shift: float, sink: float) -> Name:
    space, (x, y) = sheet.spaces[k], sheet.at[k]
    size = BIG if space["strategic"] else SIZE
    rows = _broken(space["name"]) if broken else [space["name"]]
    prizes = [(sign, space[field]) for sign, field in (("medal", "vp"), ("card", "cards")) if space[field]]
    wides = [width(row, size) * (1.04 if space["strategic"] else 1) for row in rows]
    tail = len(prizes) * PRIZE
    wide = max([*wides[:-1], wides[-1] + tail])
    middle, top = x + shift, y + DROP + sink
    name = Name(k, size, box=(middle - wide / 2 - 3, top, middle + wide / 2 + 3, top + len(rows) * size * LEAD + 3))
    for i, (row, w) in enumerate(zip(rows, wides, strict=True)):
        last = i == len(rows) - 1
        name.lines.append((row, middle - (tail / 2 if last else 0), top + size * (0.78 + i * LEAD)))
        if last:
            start = middle - (w + tail) / 2 + w
            name.prizes = [
                (sign, value, start + PRIZE * (j + 0.58), top + size * (0.5 + i * LEAD))
                for j, (sign, value) in enumerate(prizes)
            ]
    return name


def _overlap(a: Box, b: Box) -> float:
    """How much two boxes share, as the root of an area."""
    wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return float((wide * high) ** 0.5) if wide > 0 and high > 0 else 0.0
