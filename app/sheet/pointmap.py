"""A point map drawn: lands in their tints, waters, ways, signs of spaces and their names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.sheet import terrain
from app.sheet.lettering import escape, spaced, width
from app.sheet.names import course_label
from app.sheet.pen import Line, noise, num, pen, resample, ribbon
from app.sheet.pointnames import Name, name_places
from app.sheet.pointsheet import BLUE, RIVER, ROAD, PointSheet
from app.sheet.signs import SPACING, strew

SIGNS = Path(__file__).with_name("points.svg")
KINDS = ("marsh", "scrub", "rough", "mountain", "forest")
STREAM = 34.0  # half the length of the brook a blue way crosses


def draw_points(sheet: PointSheet, words: dict[str, Any]) -> dict[str, str]:
    """All printed layers of a point map, by name; `defs` and `thumb` beside them."""
    lands, borders = sheet.lands()
    take_lines(sheet)
    names = name_places(sheet)
    regions = _areas(sheet, words)
    courses = _courses(sheet)
    rings = _ground_rings(sheet)
    layer = {
        "defs": f"{SIGNS.read_text()}{_sea_clip(sheet)}",
        "ground": _ground(sheet, lands, rings),
        "bands": _bands(lands),
        "water": _waters(sheet),
        "border": _borders(sheet, borders),
        "roads": _ways(sheet),
        "signs": "".join(_sign(sheet, k) for k in sheet.spaces),
        "towns": "".join(_town(sheet, names[k]) for k in sorted(sheet.spaces, key=lambda k: _rank(sheet, k))),
        "names": f"{regions}{courses}",
        "thumb": _thumbnail(sheet, lands),
    }
    layer["scatter"] = "".join(strew(sheet, kind, rings[kind]) for kind in KINDS if rings.get(kind) and kind in SPACING)
    return layer


def take_lines(sheet: PointSheet) -> None:
    """Lines and the room of spaces keep names and signs off."""
    for course in sheet.courses:
        for (x, y), wide in zip(course.line, course.widths, strict=True):
            sheet.block(x, y, wide / 2 + 3)
    for ways in sheet.ways.values():
        for line in ways.values():
            for x, y in resample(line, 10):
                sheet.block(x, y, 6)
    for ring in sheet.sea:
        for x, y in resample([*ring, ring[0]], 12):
            sheet.block(x, y, 8)
    for x, y in sheet.at.values():
        for dx in range(-30, 31, 20):
            for dy in range(-32, 21, 17):
                sheet.block(x + dx, y + dy, 12)


def _ground_rings(sheet: PointSheet) -> dict[str, list[Line]]:
    rings: dict[str, list[Line]] = {}
    for kind, ring in sheet.style.get("ground", ()):
        rings.setdefault(kind, []).append(sheet.ground(ring))
    return rings


def _ground(sheet: PointSheet, lands: dict[str, list[Line]], rings: dict[str, list[Line]]) -> str:
    out = [terrain.paper(sheet, "g-clear")]
    for kind in KINDS:
        if rings.get(kind):
            d = "".join(pen(r, True) for r in rings[kind])
            out.append(f'<path class="g-{kind}" id="g-{kind}" d="{d}"/>')
            if kind == "scrub":
                out.append('<use href="#g-scrub" class="dots"/>')
    for country, parts in sorted(lands.items()):
        d = "".join(pen(ring[::2], True) for ring in parts)
        out.append(f'<path id="land-{country}" class="area {country}" d="{d}"/>')
    return "".join(out)


def _bands(lands: dict[str, list[Line]]) -> str:
    """A soft band inside the edge of each country."""
    return "".join(
        f'<clipPath id="in-{country}"><use href="#land-{country}"/></clipPath>'
        f'<g clip-path="url(#in-{country})" class="band {country}">'
        f'<use class="wide" href="#land-{country}"/><use href="#land-{country}"/></g>'
        for country in sorted(lands)
    )


def _borders(sheet: PointSheet, borders: list[tuple[Line, bool]]) -> str:
    """Dash-dot, where no river marks the line and no sea lies over it."""
    parts: list[Line] = []
    for line, marked in borders:
        if marked:
            continue
        run: Line = []
        for p in line:
            if sheet.at_sea(*p) or sheet.at_river(p):
                parts, run = [*parts, run], []
            else:
                run.append(p)
        parts.append(run)
    return f'<path class="m-border" d="{"".join(pen(part[::2]) for part in parts if len(part) > 3)}"/>'


def _sea_clip(sheet: PointSheet) -> str:
    d = "".join(pen(ring, True) for ring in sheet.sea)
    return f'<clipPath id="sea"><path id="coast" d="{d}"/></clipPath>' if d else ""


def _waters(sheet: PointSheet) -> str:
    """Sea with its water lines, rivers that widen downstream, and channels where a way has no river."""
    strokes = [ribbon(c.line, c.widths) for c in sheet.courses]
    drawn = {(round(x), round(y)) for c in sheet.courses for x, y in c.line}
    for line in sheet.ways[RIVER].values():
        alone = not any(sheet.at_sea(*p) for p in line) and not any(
            abs(x - u) < 40 and abs(y - v) < 40 for x, y in line[1:-1] for u, v in drawn
        )
        if alone:
            strokes.append(ribbon(line, [9.0] * len(line)))
    water = "".join(pen(s, True) for s in strokes)
    lining = "".join(pen(ribbon(c.line, [w * 0.56 for w in c.widths]), True) for c in sheet.courses)
    brooks = "".join(pen(ribbon(line, widths), True) for line, widths in _brooks(sheet))
    coast = '<use href="#coast" class="{}"/>'
    sea = (
        f'<g class="m-bank">{coast.format("shore")}</g>' if sheet.sea else "",
        f'<path class="m-bank" d="{water}"/>',
        '<g clip-path="url(#sea)">' + "".join(coast.format(f"m-deep n{n}") for n in (1, 2, 3, 4)) + "</g>"
        if sheet.sea else "",
        f'<path class="m-water" d="{water}"/><path class="m-lining" d="{lining}"/>',
    )  # fmt: skip
    return f'<path class="m-stream" d="{brooks}"/>' + "".join(sea)


def _brooks(sheet: PointSheet) -> list[tuple[Line, list[float]]]:
    """Short streams under the blue ways that cross no great river."""
    out = []
    for line in sheet.ways[BLUE].values():
        k = len(line) // 2
        (x, y), (x0, y0), (x1, y1) = line[k], line[k - 1], line[k + 1]
        if any(abs(x - u) + abs(y - v) < 90 for c in sheet.courses for u, v in c.line[::3]) or sheet.at_sea(x, y):
            continue
        length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
        nx, ny = (y0 - y1) / length, (x1 - x0) / length
        steps = [i / 8 for i in range(-8, 9)]
        bent = [9 * noise(x + STREAM * t, y, 26, 4) for t in steps]
        sides = [(STREAM * t, b) for t, b in zip(steps, bent, strict=True)]
        out.append(
            ([(x + nx * t - ny * b, y + ny * t + nx * b) for t, b in sides], [1.0 + 2.4 * (1 - t * t) for t in steps])
        )
    return out


def _ways(sheet: PointSheet) -> str:
    """Each connection as a line of its own, so that the board can follow it."""
    out = []
    for kind, cls in ((ROAD, "road"), (BLUE, "ford"), (RIVER, "sail")):
        lines = sheet.ways[kind]
        case = "".join(pen(line) for line in lines.values())
        out.append(f'<path class="way-case {cls}" d="{case}"/>')
        out += [f'<path class="way {cls}" data-way="{a} {b}" d="{pen(line)}"/>' for (a, b), line in lines.items()]
    return "".join(out)


def _sign(sheet: PointSheet, k: str) -> str:
    space, (x, y) = sheet.spaces[k], sheet.at[k]
    sign = ("key" if space["strategic"] else "town") + ("-port" if space["main_river"] else "")
    return f'<g class="site {space["country"]}"><use href="#p-{sign}" x="{num(x)}" y="{num(y)}"/></g>'


def _rank(sheet: PointSheet, k: str) -> tuple[bool, int]:
    """Less for the places that count most: where there is not room for all names, the board shows the first."""
    space = sheet.spaces[k]
    return not space["strategic"], -2 * space["vp"] - space["cards"]


def _town(sheet: PointSheet, name: Name) -> str:
    """The name of a space with its medal and card sign in one row."""
    space = sheet.spaces[name.space]
    big = " big" if space["strategic"] else ""
    out = [
        f'<text class="town{big}" x="{num(x)}" y="{num(y)}" font-size="{num(name.size)}" text-anchor="middle" '
        f'data-at="{name.space}">{escape(text)}</text>'
        for text, x, y in name.lines
    ]
    for sign, value, x, y in name.prizes:
        out.append(
            f'<g class="prize"><use href="#p-{sign}" x="{num(x)}" y="{num(y)}"/>'
            f'<text class="worth {sign}" x="{num(x)}" y="{num(y + 4.9)}" font-size="14.5">{value}</text></g>'
        )
    return "".join(out)


def _areas(sheet: PointSheet, words: dict[str, Any]) -> str:
    """Countries and regions, spaced out where the style puts them."""
    out = []
    for cls, areas in (("country", sheet.style.get("countries", ())), ("region", sheet.style.get("regions", ()))):
        for area in areas:
            text = words["areas"].get(area["name"], area["name"])
            size, spacing, at = area["size"], area["spacing"], sheet.place(*area["at"])
            out.append(spaced(text, area.get("class", cls), at, size, spacing, area.get("turn")))
            if cls == "region":
                half = int(width(text, size, "upright", spacing) / 2)
                for u in range(-half, half, 12):
                    sheet.block(at[0] + u, at[1], size * 0.5)
    return "".join(out)


def _courses(sheet: PointSheet) -> str:
    """River names along the calmest stretches of their courses."""
    out = []
    for i, course in enumerate(sheet.courses):
        third = len(course.line) // 3
        parts = [course.line[:third], course.line[third : 2 * third], course.line[2 * third :]]
        for j, part in enumerate(parts if len(course.line) > 150 else [course.line]):
            wide = course.widths[min(len(course.widths) - 1, third * j + third // 2)]
            out.append(course_label(sheet, course.name, part, wide, f"course-{i}-{j}"))
    return "".join(out)


def _thumbnail(sheet: PointSheet, lands: dict[str, list[Line]]) -> str:
    """A thin copy for the minimap."""
    outlines = {
        country: "".join(pen(resample(ring, 60), True, False, 0) for ring in parts if len(ring) > 12)
        for country, parts in lands.items()
    }
    areas = "".join(f'<path class="area {country}" d="{d}"/>' for country, d in sorted(outlines.items()))
    sea = "".join(pen(ring[::3], True, False, 0) for ring in sheet.sea)
    rivers = "".join(pen(resample(c.line, 40), False, True, 0) for c in sheet.courses)
    paper = terrain.paper(sheet, "g-clear")
    return (
        f'<symbol id="thumb" overflow="visible">{paper}{areas}<path class="m-water" d="{sea}"/>'
        f'<path class="thumb-river" d="{rivers}"/></symbol>'
    )
