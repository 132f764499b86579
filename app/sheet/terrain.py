"""Ground, country bands, borders and the hex grid."""

from __future__ import annotations

import collections
from collections.abc import Mapping

from app.sheet.hexsheet import EAST, HEIGHT, Hex, HexSheet
from app.sheet.pen import Line, Point, along, band, chains, middle, natural, num, pen, resample, snap
from app.sheet.room import Room

CLEAR, RIVER, VILLAGE, POND = "clear", "river", "village", "pond"
ORDER = ("void", "marsh", "scrub", "rough", "mountain", "forest", VILLAGE)  # each spreads one hex under the later ones
GROUNDS = {CLEAR, RIVER, POND, *ORDER}

# middle and baseline in the hex; over the lower side it would seem the next hex's, so that comes last
NUMBER_PLACES = ((0, -24.5), (-13, -24.5), (13, -24.5), (-26, 3), (26, 3), (-13, 31.5), (13, 31.5))


def kinds(sheet: HexSheet) -> dict[str, set[Hex]]:
    """Hexes (with the rim) by kind of ground: what the style's `terrain` says of a terrain, or its own name."""
    drawn = sheet.style.get("terrain", {})
    out: dict[str, set[Hex]] = collections.defaultdict(set)
    for k, h in sheet.land.items():
        kind = drawn.get(h["terrain"], h["terrain"])
        out[kind if kind in GROUNDS else CLEAR].add(k)
    return out


def paper(sheet: Room, cls: str) -> str:
    """The map's rectangle in one colour."""
    width, height = num(sheet.right - sheet.left), num(sheet.bottom - sheet.top)
    return f'<rect class="{cls}" x="{num(sheet.left)}" y="{num(sheet.top)}" width="{width}" height="{height}"/>'


def ground(sheet: HexSheet, by_kind: dict[str, set[Hex]]) -> tuple[str, dict[str, list[Line]]]:
    """The tinted areas, bottom up, and the rings of each kind that signs must stay inside."""
    rings: dict[str, list[Line]] = {}
    out = [paper(sheet, "g-clear")]
    if by_kind["river"]:
        flood = "".join(pen(natural(r), True) for r in sheet.outline(by_kind["river"]))
        out.append(f'<path class="g-flood" d="{flood}"/>')
    for i, kind in enumerate(ORDER):
        if not by_kind[kind]:
            continue
        later = {k for o in ORDER[i + 1 :] for k in by_kind[o]}
        spread = by_kind[kind] | {n for k in by_kind[kind] for n in sheet.around(k) if n in later}
        d = "".join(pen(natural(r), True) for r in sheet.outline(spread))
        out.append(f'<path class="g-{kind}" id="g-{kind}" d="{d}"/>')
        if kind == "scrub":  # too many dots to strew: one large tile, off the grid's rhythm
            out.append('<use href="#g-scrub" class="dots"/>')
        rings[kind] = [natural(r) for r in sheet.outline(by_kind[kind])]
    return "".join(out), rings


def cover(sheet: HexSheet, by_kind: dict[str, set[Hex]]) -> tuple[str, dict[str, list[Line]]]:
    """What covers the levels of a map in relief: thin tints, each by itself, and the rings that signs stay inside."""
    rings = {kind: [natural(r) for r in sheet.outline(by_kind[kind])] for kind in ORDER if by_kind[kind]}
    tints = (
        f'<path class="g-{kind}" d="{"".join(pen(ring, True, places=0) for ring in lines)}"/>'
        for kind, lines in rings.items()
    )
    return f'<g class="cover">{"".join(tints)}</g>', rings


def ponds(sheet: HexSheet, hexes: set[Hex]) -> str:
    """Standing water with lines along its shore."""
    if not hexes:
        return ""
    d = "".join(pen(natural(ring), True, places=0) for ring in sheet.outline(hexes))
    for k in hexes:
        sheet.block(*sheet.centre(k), 26)
    classes = [f"pond-{part} n{n}" for n in range(3) for part in ("line", "gap")]
    lines = "".join(f'<use href="#ponds" class="{cls}"/>' for cls in classes)
    return (
        f'<clipPath id="in-ponds"><path id="ponds" d="{d}"/></clipPath><use class="m-pond" href="#ponds"/>'
        f'<g clip-path="url(#in-ponds)">{lines}</g>'
    )


def bands(sheet: HexSheet) -> str:
    """A soft band inside the edge of each country."""
    lands: dict[str, set[Hex]] = collections.defaultdict(set)
    for k, h in sheet.land.items():
        lands[h.get("country") or ""].add(k)
    if len(lands) < 2:
        return ""
    out = []
    for country, keys in sorted(lands.items()):
        if country:
            d = "".join(pen(along(r, True), True) for r in sheet.outline(keys))
            out.append(band(country, d))
    return "".join(out)


def border(sheet: HexSheet) -> str:
    """Dash-dot where a border follows no river; every border keeps signs off."""
    sides = {e: sheet.hexside(*sorted(e)) for e in sheet.edges["border"]}
    at: dict[Point, Point] = {snap(p): p for side in sides.values() for p in side}
    arms: dict[Point, set[Point]] = collections.defaultdict(set)
    for side in sides.values():
        a, b = map(snap, side)
        arms[a].add(b)
        arms[b].add(a)
        for x, y in resample(side, 10):
            sheet.block(x, y, 2)
    dry = sorted(side for e, side in sides.items() if e not in sheet.edges["minor_river"])
    paths = chains(((snap(a), snap(b)) for a, b in dry), straight=False)
    return f'<path class="m-border" d="{"".join(pen(_on_band([at[p] for p in path], arms, at)) for path in paths)}"/>'


def _on_band(path: Line, arms: Mapping[Point, set[Point]], at: Mapping[Point, Point]) -> Line:
    """A stretch of border as drawn. Where a river takes over, it ends on the curve that the bands go on with: half a
    hexside before if it is long enough, as there a curve touches its control line."""
    onward = [arms[snap(end)] - {snap(inner)} for end, inner in ((path[0], path[1]), (path[-1], path[-2]))]
    before, after = ([at[p] for p in ends] if len(ends) == 1 else [] for ends in onward)
    line = along([*before, *path, *after])
    enough = len(path) > 3
    if before:
        line[:2] = [middle(line[1], line[2]) if enough else line[1]]
    if after:
        line[-2:] = [middle(line[-3], line[-2]) if enough else line[-2]]
    return line


def cuts(sheet: HexSheet) -> str:
    """Hexsides that are cut clear: pale, over whatever grows there."""
    sides = [sheet.hexside(a, b) for a, b in sorted(sorted(e) for e in sheet.edges["cut"])]
    at: dict[Point, Point] = {snap(p): p for side in sides for p in side}
    lines = chains(((snap(a), snap(b)) for a, b in sides), straight=False)
    d = "".join(pen(along([at[p] for p in line])) for line in lines)
    return f'<path class="m-cut" d="{d}"/>' if d else ""


def grid(sheet: HexSheet) -> str:
    """Every hexside once: three sides a hex, and the open tops of the first row; a path for each block of hexes. A hex
    is placed from the one above it, so that a column is one string over and over."""
    side = f"l-20 {num(HEIGHT / 2, 2)}h-40l-20-{num(HEIGHT / 2, 2)}"
    blocks: dict[tuple[int, int], list[str]] = collections.defaultdict(list)
    tops: dict[tuple[int, int], list[str]] = collections.defaultdict(list)
    for k in sorted(sheet.hexes):
        x, y = sheet.corner(k, EAST)
        at = k[0] // 7, k[1] // 7
        follows = k[1] % 7 and (k[0], k[1] - 1) in sheet.hexes
        blocks[at].append((f"m80 {num(HEIGHT, 2)}" if follows else f"M{num(x)} {num(y)}") + side)
        for i in (5, 0, 1):
            if sheet.around(k)[i] not in sheet.hexes:
                (ax, ay), (bx, by) = sheet.corner(k, i), sheet.corner(k, i + 1)
                tops[at].append(f"M{num(ax)} {num(ay)}L{num(bx)} {num(by)}")
    return "".join(f'<path class="m-grid" d="{"".join([*parts, *tops[at]])}"/>' for at, parts in blocks.items())


def numbers(sheet: HexSheet) -> str:
    """The id of every hex, under its upper side, or where a road or a name lies there, in another corner; a group for
    each column."""
    columns: dict[int, list[str]] = collections.defaultdict(list)
    for k, h in sorted(sheet.hexes.items()):
        x, y = sheet.centre(k)
        dx, dy = min(NUMBER_PLACES, key=lambda at: _covered(sheet, x + at[0], y + at[1]) // 2)
        for part in (-9, -3, 3, 9):
            sheet.block(x + dx + part, y + dy - 3, 3.5)
        aside = f'x="{dx}" ' if dx else ""
        columns[k[0]].append(f'<text {aside}y="{round(y + dy)}">{h["id"]}</text>')
    return "".join(
        f'<g transform="translate({num(sheet.centre((column, 0))[0], 0)})">{"".join(texts)}</g>'
        for column, texts in columns.items()
    )


def _covered(sheet: HexSheet, x: float, y: float) -> int:
    """How much of a number with its baseline there lies under lines or names."""
    return sum(not sheet.free(x + part, y - 3, 3.5) for part in (-12, -6, 0, 6, 12))


def thumbnail(sheet: HexSheet, by_kind: dict[str, set[Hex]], rivers: list[Line]) -> str:
    """A thin copy for the minimap: corners for coasts, a point every 40 units for rivers."""
    out = [paper(sheet, "g-clear")]
    levels = {h["level"] for h in sheet.hexes.values()} if sheet.relief else ()
    parts = [(f"t t{n}", {k for k, h in sheet.land.items() if h["level"] >= n}) for n in sorted(levels)]
    for cls, keys in (*parts, *((f"g-{kind}", by_kind[kind]) for kind in (*ORDER, POND))):
        if keys:
            d = "".join(pen(ring[::2], True, False, 0) for ring in sheet.outline(keys))
            out.append(f'<path class="{cls}" d="{d}"/>')
    d = "".join(pen(resample(line, 40), False, True, 0) for line in rivers if len(line) > 1)
    out.append(f'<path class="thumb-river" d="{d}"/>')
    return f'<symbol id="thumb" overflow="visible">{"".join(out)}</symbol>'
