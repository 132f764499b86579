"""Built-up hexes: houses strewn along a lane, gardens between; walls and bridges."""

from __future__ import annotations

import math
import random

from app.sheet.hexsheet import Hex, HexSheet
from app.sheet.pen import Line, Point, chains, num, pen, snap

HOUSES, TRIES = 8, 40  # at most in a hex, and how often a place is looked for
PLANS = ((10, 5), (8, 6), (13, 5), (6, 6))  # of a house
WALL, BRIDGE = "wall", "bridge"


def works(sheet: HexSheet, hexes: set[Hex]) -> str:
    """All that is built on a map: houses on the hexes that are built upon, and walls; "" where nothing is."""
    return (houses(sheet, hexes) if hexes else "") + walls(sheet)


def houses(sheet: HexSheet, hexes: set[Hex]) -> str:
    """Houses and gardens of the hexes of a map that are built upon; they take their room."""
    blocks: list[str] = []
    gardens: list[str] = []
    for k in sorted(hexes & sheet.hexes.keys()):
        _village(sheet, k, blocks, gardens)
    return f'<path class="m-garden" d="{"".join(gardens)}"/><path class="m-house" d="{"".join(blocks)}"/>'


def _village(sheet: HexSheet, k: Hex, blocks: list[str], gardens: list[str]) -> None:
    (x, y), rng = sheet.centre(k), random.Random(str(k))
    turn, built = rng.uniform(0, math.pi), 0
    for i in range(TRIES):
        at = x + rng.uniform(-26, 26), y + rng.uniform(-20, 20)
        plan, quarter = rng.choice(PLANS), rng.randrange(2)
        if built < HOUSES and sheet.free(*at, 4.6):
            blocks.append(pen(_plan(at, plan, turn + math.pi / 2 * quarter), True, False))
            sheet.block(*at, 5.5)
            built += 1
        elif built >= HOUSES // 2 and i > TRIES // 2 and sheet.free(*at, 5):
            gardens.append(f"M{num(at[0] - 5, 0)} {num(at[1] - 3, 0)}h9m-9 2.6h9m-9 2.6h9")
            sheet.block(*at, 6)


def _plan(at: Point, size: tuple[int, int], turn: float) -> Line:
    """The corners of a house."""
    cos, sin, (wide, deep) = math.cos(turn), math.sin(turn), size
    corners = ((-wide / 2, -deep / 2), (wide / 2, -deep / 2), (wide / 2, deep / 2), (-wide / 2, deep / 2))
    return [(at[0] + cos * a - sin * b, at[1] + sin * a + cos * b) for a, b in corners]


def walls(sheet: HexSheet) -> str:
    """Walls along their hexsides."""
    sides = [sheet.hexside(*sorted(e)) for e in sorted(map(sorted, sheet.edges[WALL]))]
    if not sides:
        return ""
    at: dict[Point, Point] = {snap(p): p for side in sides for p in side}
    lines = chains([(snap(a), snap(b)) for a, b in sides], straight=False)
    d = "".join(pen([at[p] for p in line], False, False) for line in lines)
    return f'<path class="m-wall" d="{d}"/><path class="m-wall-in" d="{d}"/>'


def bridges(sheet: HexSheet) -> str:
    """A sign over each bridged hexside, along the way that crosses it."""
    out = []
    for a, b in sorted(sorted(e) for e in sheet.edges[BRIDGE]):
        (ax, ay), (bx, by) = sheet.centre(a), sheet.centre(b)
        turn = math.degrees(math.atan2(by - ay, bx - ax))
        where = f"translate({num((ax + bx) / 2)} {num((ay + by) / 2)})rotate({num(turn, 0)})"
        out.append(f'<use href="#t-bridge" transform="{where}"/>')
    return "".join(out)
