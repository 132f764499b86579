"""Signs strewn over the ground: trees, reeds, hachured hills. None is cut, none lies on a line or a name.

Every sign is one of a few relative strings, so that the file packs well.
"""

from __future__ import annotations

import collections
import functools
import math
import random
import re
from collections.abc import Sequence

from app.sheet.pen import Line, inside, noise, num
from app.sheet.room import Room

SPACING = {"forest": (15, 5), "marsh": (21, 7), "rough": (20, 7), "mountain": (19, 8)}  # step, room, in units
REPEAT = 16
LENGTHS = {"m": 2, "l": 2, "h": 1, "v": 1, "a": 7}  # numbers of a path command
BLOCK = 420  # signs this near share a path: a browser that draws one tile passes over the others
SIZES = (0.85, 1.0, 1.2)
Inks = dict[str, str]


def tree(size: float) -> Inks:
    """A crown in the light; its shade and a short foot."""
    a = num(3.1 * size)
    crown = f"m-{num(1.9 * size)} .4a{a} {a} 0 1 1 {num(3.8 * size)} 0"
    shade = (
        f"m{num(0.4 * size)}-{num(2.9 * size)}a{a} {a} 0 0 1 {num(2.2 * size)} {num(3.2 * size)}"
        f"m-{num(5.2 * size)} .9h{num(6.6 * size)}"
    )
    return {"a": crown, "b": shade}


def reeds(size: float, tufted: bool) -> Inks:
    """A water dash, with reeds on some."""
    water = f"m-{num(7 * size)} 0h{num(14 * size)}m-9 2.6h{num(6 * size)}"
    return {"a": water, "b": "v-4.6m-2.6 4.4-1.4-3.6m6.6 3.6 1.4-3.6" if tufted else ""}


def hill(kind: str, turn: int, size: int) -> Inks:
    """Hachures falling off both sides of a short ridge, turned by `turn` of 0..10: the lit side and the shaded."""
    rng, scale, count = random.Random(f"{kind}{turn}{size}"), SIZES[size], 9
    ridge, fall = (turn - 5) * 0.19, (8.5 if kind == "mountain" else 6) * scale
    out = {"a": "", "b": ""}
    for ink, side, part in (("b", 1, 1.0), ("a", -1, 0.55)):
        px = py = 0.0
        for q in range(0, count, 1 if side > 0 else 2):
            u = (q - (count - 1) / 2) / (count / 2)  # -1..1 along the ridge
            angle = ridge + side * (math.pi / 2 - u * 0.75)
            length = fall * part * (1 - 0.45 * u * u) * rng.uniform(0.8, 1.1)
            cx = u * 8.5 * scale * math.cos(ridge) + u * u * 2.4 * math.sin(ridge) + 1.1 * math.cos(angle)
            cy = u * 8.5 * scale * math.sin(ridge) + u * u * 2.4 * math.cos(ridge) + 1.1 * math.sin(angle)
            dx, dy = round(length * math.cos(angle), 1), round(length * math.sin(angle), 1)
            mx, my = round(cx - px, 1), round(cy - py, 1)
            out[ink] += f"m{num(mx)} {num(my)}l{num(dx)} {num(dy)}"
            px, py = px + mx + dx, py + my + dy
    return out


def strew(sheet: Room, kind: str, rings: Sequence[Line]) -> str:
    """Fill rings with the signs of one kind of ground, on a jittered lattice without regard to the grid.

    The jitter comes again every `REPEAT` signs and rows, and a sign is placed from the one before it: so a row of
    signs is, for a packer, a row it has seen."""
    rng, within = random.Random(kind), inside(rings)
    step, room = SPACING[kind]
    cast = [[_thrown(rng, step) for _ in range(REPEAT)] for _ in range(REPEAT)]
    blocks: dict[tuple[str, int, int], list[tuple[int, int, str]]] = collections.defaultdict(list)
    for j in range(int((sheet.bottom - sheet.top) / step / 0.87)):
        for i in range(int((sheet.right - sheet.left) / step)):
            dx, dy, size, tufted = cast[j % REPEAT][i % REPEAT]
            x = round(sheet.left + (i + 0.5 * (j % 2)) * step) + dx
            y = round(sheet.top + j * step * 0.87) + dy
            fits = all(within(x + a * room, y + b * room) for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1)))
            glade = kind == "forest" and noise(x, y, 60, 9) > 0.45
            if not fits or glade or not sheet.free(x, y, room):
                continue
            if kind == "forest":
                sign = tree(SIZES[size])
            elif kind == "marsh":
                sign = reeds(SIZES[size], tufted)
            else:
                sign = hill(kind, max(0, min(10, round(5 + 4.7 * noise(x, y, 150, 3)))), size)
            for ink, d in sign.items():
                if d:
                    blocks[ink, int(x // BLOCK), int(y // BLOCK)].append((x, y, d))
    paths = (f'<path class="s-{kind} {ink}" d="{_placed(signs)}"/>' for (ink, _, _), signs in sorted(blocks.items()))
    return "".join(paths)


def _thrown(rng: random.Random, step: float) -> tuple[int, int, int, bool]:
    """How far a sign is off its place, which size it has, and whether it is tufted."""
    dx, dy = (round(rng.uniform(-0.36, 0.36) * step * part) for part in (1, 0.87))
    return dx, dy, rng.randrange(len(SIZES)), rng.random() < 0.6


def _placed(signs: Sequence[tuple[int, int, str]]) -> str:
    """Path text of signs, each from where the one before it began."""
    out, (px, py) = [], (0, 0)
    for x, y, d in signs:
        out.append(f"m{x - px} {y - py}{d}{_back(d)}")
        px, py = x, y
    return "".join(out).replace(" -", "-")


@functools.cache
def _back(d: str) -> str:
    """The move that leads back to where relative path text began."""
    x = y = 0.0
    for command, numbers in re.findall(r"([mlhva])([^mlhva]*)", d):
        steps = [float(n) for n in re.findall(r"-?(?:\d*\.)?\d+", numbers)]
        size = LENGTHS[command]
        x += sum(steps[size - 2 :: size]) if size > 1 else steps[0] * (command == "h")
        y += sum(steps[size - 1 :: size]) if command != "h" else 0
    return f"m{num(-x)} {num(-y)}"
