"""An area map drawn: fields tinted by region, the sea, rivers and mountains along borders, boxes, tracks and names."""

from __future__ import annotations

import collections
import itertools
import math
import random
from pathlib import Path
from typing import Any

from app.sheet import terrain
from app.sheet.areanames import Name, name_places, track_rect
from app.sheet.areasheet import SCALE, VOID, AreaSheet
from app.sheet.lettering import escape, spaced, width
from app.sheet.names import course_label
from app.sheet.pen import Line, Point, band, noise, num, pen, resample, ribbon, spline
from app.sheet.signs import BLOCK, SPACING, hill, strew

SIGNS = [Path(__file__).with_name(name) for name in ("points.svg", "areas.svg")]
KINDS = ("marsh", "scrub", "rough", "mountain", "forest")
GAP = 26.0  # half the way through a pass
RANGE = 21.0  # from hill to hill of a range, in units
ROSE = 46.0


def draw_areas(sheet: AreaSheet, words: dict[str, Any]) -> dict[str, str]:
    """All printed layers of an area map, by name; `defs` and `thumb` beside them."""
    take_room(sheet)
    regions = _regions(sheet, words)
    boxes, areas = name_places(sheet)
    courses = "".join(
        course_label(sheet, c.name, c.line, c.widths[-1], f"course-{i}") for i, c in enumerate(sheet.courses)
    )
    rings = _ground_rings(sheet)
    coast = sheet.outline(sheet.coast)
    layer = {
        "defs": "".join(path.read_text() for path in SIGNS)
        + f'<clipPath id="sea"><path id="coast" clip-rule="evenodd" fill-rule="evenodd" d="{coast}"/></clipPath>',
        "ground": _ground(sheet, rings) + fields(sheet),
        "bands": _bands(sheet),
        "border": _borders(sheet),
        "roads": "".join(_link(link, link_line(sheet, link)) for link in sheet.links),
        "signs": "".join(_box(sheet, name, words) for name in sheet.boxes)
        + "".join(_track(track) for track in sheet.tracks),
        "towns": "".join(lettered(sheet, name) for name in (*boxes.values(), *areas.values())),
        "names": regions + "".join(courses),
        "thumb": _thumbnail(sheet),
    }
    ranges = _ranges(sheet)
    _keep_off(sheet)
    strewn = "".join(strew(sheet, kind, rings[kind]) for kind in KINDS if rings.get(kind) and kind in SPACING)
    layer["scatter"] = strewn + ranges
    layer["water"] = _waters(sheet)
    return layer


def take_room(sheet: AreaSheet) -> None:
    """Borders, rivers, links and boxes keep names and signs off."""
    for link in sheet.links:
        for x, y in resample(link_line(sheet, link), 12):
            sheet.block(x, y, 6)
    for line in sheet.lines:
        for x, y in resample(line, 10):
            sheet.block(x, y, 5)
    for course in sheet.courses:
        for (x, y), wide in zip(course.line, course.widths, strict=True):
            sheet.block(x, y, wide / 2 + 3)
    for left, top, right, bottom in (*sheet.rects.values(), *map(track_rect, sheet.tracks)):
        for x in range(int(left) + 10, int(right), 20):
            for y in range(int(top) + 10, int(bottom), 20):
                sheet.block(x, y, 14)


def _keep_off(sheet: AreaSheet) -> None:
    """No sign of the ground stands in the sea, in a land out of play, or where a stack will."""
    idle = [sheet.within[name] for name, area in sheet.areas.items() if area["kind"] == VOID and not sheet.wet(name)]
    for i in range(int(sheet.right / 18) + 1):
        for j in range(int(sheet.bottom / 18) + 1):
            x, y = i * 18.0, j * 18.0
            if sheet.at_sea(x, y) or any(within(x, y) for within in idle):
                sheet.block(x, y, 9)


def link_line(sheet: AreaSheet, link: dict[str, Any]) -> Line:
    """The line of a link, from space to space through its points; from a box it starts at its rim."""
    a, b = sheet.at[link["a"]], sheet.at[link["b"]]
    stops = [sheet.place(*p) for p in link.get("through", ())]
    a = _rim(sheet, link["a"], (stops or [b])[0], a)
    b = _rim(sheet, link["b"], (stops or [a])[-1], b)
    if not stops:
        turn = 0.07 if noise(a[0] + b[0], a[1] + b[1], 50, 7) > 0 else -0.07
        stops = [((a[0] + b[0]) / 2 - (b[1] - a[1]) * turn, (a[1] + b[1]) / 2 + (b[0] - a[0]) * turn)]
    return spline([a, *stops, b], 8)


def _rim(sheet: AreaSheet, name: str, towards: Point, at: Point) -> Point:
    if name not in sheet.rects:
        return at
    left, top, right, bottom = sheet.rects[name]
    return min(max(towards[0], left), right), min(max(towards[1], top), bottom)


def _ground_rings(sheet: AreaSheet) -> dict[str, list[Line]]:
    rings: dict[str, list[Line]] = {}
    for kind, ring in sheet.style.get("ground", ()):
        rings.setdefault(kind, []).append(sheet.ground(ring))
    return rings


def _ground(sheet: AreaSheet, rings: dict[str, list[Line]]) -> str:
    out = [terrain.paper(sheet, "g-clear")]
    for kind in KINDS:
        if rings.get(kind):
            out.append(f'<path class="g-{kind}" id="g-{kind}" d="{"".join(pen(r, True) for r in rings[kind])}"/>')
            if kind == "scrub":
                out.append('<use href="#g-scrub" class="dots"/>')
    return "".join(out)


def fields(sheet: AreaSheet) -> str:
    """Each area as one path, which the board points at, with the places of its stacks."""
    out = []
    for name, area in sorted(sheet.areas.items()):
        d = sheet.outline(sheet.loops[name])
        kind = "water" if sheet.wet(name) else area["kind"]
        slots = " ".join(f"{num(x)} {num(y)}" for x, y in sheet.slots.get(name, ()))
        region = f" area {area['region']}" if area.get("region") else ""
        told = f' data-area="{name}" data-slots="{slots}"' if slots else ""
        out.append(f'<path class="field {kind}{region}" fill-rule="evenodd"{told} d="{d}"/>')
        if kind == VOID:
            out.append(f'<path class="a-idle" d="{d}"/>')
    return "".join(out)


def _bands(sheet: AreaSheet) -> str:
    """A soft band inside the edge of each region."""
    out = []
    for region in sorted({area["region"] for area in sheet.areas.values() if area.get("region")}):
        d = sheet.outline(sheet.region(region))
        out.append(band(region, d))
    return "".join(out)


def _borders(sheet: AreaSheet) -> str:
    """Lines by what they mean: a hair between areas, dashes at sea, a frontier between regions, a wall where none can
    go; none where a river or the coast is one."""
    rivers = {frozenset(pair) for course in sheet.courses for pair in course.pairs}
    groups: dict[str, list[str]] = collections.defaultdict(list)
    passes = []
    for i, (border, line) in enumerate(zip(sheet.borders, sheet.lines, strict=True)):
        a, b = border["a"], border["b"]
        if b is None or sheet.wet(a) != sheet.wet(b) or border["kind"] == "edge":
            continue
        inner = sheet.areas[a].get("region") == sheet.areas[b].get("region")
        d = sheet.curve(i)
        if sheet.wet(a):
            groups["sea-border"].append(d)
            continue
        if border["kind"] == "pass":
            x, y = line[len(line) // 2]
            (x0, y0), (x1, y1) = line[len(line) // 2 - 1], line[min(len(line) // 2 + 1, len(line) - 1)]
            turn = math.degrees(math.atan2(y1 - y0, x1 - x0)) - 90
            passes.append(f'<g transform="translate({num(x)} {num(y)})rotate({num(turn)})"><use href="#a-pass"/></g>')
        if VOID in (sheet.areas[a]["kind"], sheet.areas[b]["kind"]):
            groups["frontier"].append(d)
        elif frozenset((a, b)) in rivers:
            continue
        elif border["kind"] == "impassable":
            groups["closed"].append(d)
        else:
            groups["border" if inner else "frontier"].append(d)
    walls = "".join(groups.pop("closed", ()))
    out = "".join(f'<path class="a-{kind}" d="{"".join(lines)}"/>' for kind, lines in groups.items())
    if walls:
        out += f'<path class="a-closed-case" d="{walls}"/><path class="a-closed" d="{walls}"/>'
    return out + "".join(passes)


def _ranges(sheet: AreaSheet) -> str:
    """Hachured hills along the borders that are marked as ridges, a gap left where a pass leads through."""
    blocks: dict[tuple[str, int, int], list[str]] = collections.defaultdict(list)
    rng = random.Random("range")
    for border, line in zip(sheet.borders, sheet.lines, strict=True):
        if not border.get("ridge"):
            continue
        middle = line[len(line) // 2]
        for (x0, y0), (x1, y1) in itertools.pairwise(resample(line, RANGE)):
            length = math.hypot(x1 - x0, y1 - y0) or 1
            for aside in (-1, 0, 1):
                if aside and rng.random() < 0.35:
                    continue
                off = aside * 19 + rng.uniform(-3, 3)
                x, y = x0 - (y1 - y0) / length * off, y0 + (x1 - x0) / length * off
                if border["kind"] == "pass" and math.dist((x, y), middle) < GAP:
                    continue
                if sheet.at_sea(x, y) or covered_by_name(sheet, x, y):
                    continue
                angle = math.atan2(y1 - y0, x1 - x0)
                angle -= math.pi * round(angle / math.pi)
                size = 2 if not aside else rng.randrange(2)
                for ink, d in hill("mountain", round(5 + angle / 0.19), size).items():
                    blocks[ink, int(x // BLOCK), int(y // BLOCK)].append(f"M{num(x, 0)} {num(y, 0)}{d}")
    for border, line in zip(sheet.borders, sheet.lines, strict=True):
        if border.get("ridge"):
            for x, y in resample(line, 14):
                sheet.block(x, y, 26)
    paths = (f'<path class="s-mountain {ink}" d="{"".join(parts)}"/>' for (ink, _, _), parts in sorted(blocks.items()))
    return "".join(paths).replace(" -", "-")


def covered_by_name(sheet: AreaSheet, x: float, y: float) -> bool:
    """Whether a name or a box takes this room; the border under a range does not count."""
    return any(r[0] - 9 < x < r[2] + 9 and r[1] - 9 < y < r[3] + 9 for r in (*sheet.rects.values(), *sheet.lettered))


def _waters(sheet: AreaSheet) -> str:
    """Sea with its water lines, a rose of lines over it, and rivers that widen downstream."""
    water = "".join(pen(ribbon(c.line, c.widths), True) for c in sheet.courses)
    lining = "".join(pen(ribbon(c.line, [w * 0.56 for w in c.widths]), True) for c in sheet.courses)
    coast = '<use href="#coast" class="{}"/>'
    return (
        f'<g class="m-bank">{coast.format("shore")}</g><path class="m-bank" d="{water}"/>'
        f'<g clip-path="url(#sea)">{"".join(coast.format(f"m-deep n{n}") for n in (1, 2, 3, 4))}{_rose(sheet)}</g>'
        f'<path class="m-water" d="{water}"/><path class="m-lining" d="{lining}"/>'
    )


def _rose(sheet: AreaSheet) -> str:
    """Rhumb lines from a point of the sea, and the rose they start from; "" where the style names no point."""
    if "rose" not in sheet.style:
        return ""
    x, y = sheet.place(*sheet.style["rose"])
    far = sheet.right + sheet.bottom
    turns = [math.pi * i / 16 for i in range(32)]
    lines = "".join(
        f"M{num(x + ROSE * 1.5 * math.cos(t))} {num(y + ROSE * 1.5 * math.sin(t))}L{num(x + far * math.cos(t), 0)} "
        f"{num(y + far * math.sin(t), 0)}" for t in turns[::2]
    )  # fmt: skip
    star, shade = "", ""
    for i in range(8):
        t, reach = math.pi * i / 4 - math.pi / 2, ROSE * (1.5 if i % 2 == 0 else 0.95)
        tip = f"{num(reach * math.cos(t))} {num(reach * math.sin(t))}"
        for part, turn in ((0, -1), (1, 1)):
            u = t + turn * math.pi / 8
            d = f"M0 0L{tip} {num(ROSE * 0.36 * math.cos(u))} {num(ROSE * 0.36 * math.sin(u))}z"
            star, shade = (star + d, shade) if part else (star, shade + d)
    return (
        f'<path class="a-rhumb" d="{lines}"/><g class="a-rose" transform="translate({num(x)} {num(y)})">'
        f'<circle r="{num(ROSE * 1.1)}"/><circle r="{num(ROSE)}"/><path class="lit" d="{star}"/>'
        f'<path class="shade" d="{shade}"/></g>'
    )


def _link(link: dict[str, Any], line: Line) -> str:
    out = f'<path class="a-link {link["kind"]}" data-way="{link["a"]} {link["b"]}" d="{pen(line)}"/>'
    if label := link.get("label"):
        x, y = line[len(line) // 2]
        out += (
            f'<circle class="a-disc" cx="{num(x)}" cy="{num(y)}" r="12"/>'
            f'<text class="worth" font-size="14.5" x="{num(x)}" y="{num(y + 4.9)}">{escape(label)}</text>'
        )
    return out


def _box(sheet: AreaSheet, name: str, words: dict[str, Any]) -> str:
    """A box: in an area its sign on a plate, off the map a panel with its name."""
    box, (left, top, right, bottom) = sheet.boxes[name], sheet.rects[name]
    slots = " ".join(f"{num(x)} {num(y)}" for x, y in sheet.slots[name])
    frame = f'x="{num(left)}" y="{num(top)}" width="{num(right - left)}" height="{num(bottom - top)}" rx="4"'
    out = f'<rect class="a-plate {box["kind"]}" data-box="{name}" data-slots="{slots}" {frame}/>'
    if "size" in box:
        title = words.get("boxes", {}).get(name, box["name"])
        return (
            f'{out}<rect class="a-inner" x="{num(left + 3)}" y="{num(top + 3)}" width="{num(right - left - 6)}" '
            f'height="{num(bottom - top - 6)}" rx="2.5"/><text class="a-heading" font-size="17" '
            f'x="{num((left + right) / 2)}" y="{num(top + 21)}">{escape(title)}</text>'
        )
    x, y = sheet.at[name]
    out += f'<use href="#a-{"fortress" if box["kind"] == "fortress" else "city"}" x="{num(x)}" y="{num(y)}"/>'
    if box.get("port"):
        out += f'<use href="#a-port" x="{num(right - 2)}" y="{num(top + 2)}"/>'
    return out


def _track(track: dict[str, Any]) -> str:
    """A track of cells with its heading, such as turns."""
    left, top, right, _ = track_rect(track)
    wide, high = track["cell"][0] * SCALE, track["cell"][1] * SCALE
    top += 30
    out = [f'<text class="a-heading" font-size="17" x="{num((left + right) / 2)}" y="{num(top - 9)}">'
           f'{escape(track["title"])}</text>']  # fmt: skip
    for i, cell in enumerate(track["cells"]):
        x, y = left + wide * (i % track["columns"]), top + high * (i // track["columns"])
        out.append(
            f'<rect class="a-cell" x="{num(x)}" y="{num(y)}" width="{num(wide)}" height="{num(high)}"/>'
            f'<text class="a-count" font-size="15" x="{num(x + 8)}" y="{num(y + 19)}">{escape(cell)}</text>'
        )
    return f'<g class="a-track">{"".join(out)}</g>'


def lettered(sheet: AreaSheet, name: Name) -> str:
    """A name with its signs in one row. Names of areas in play are the large ones that grow when the map is far."""
    area = sheet.areas.get(name.of)
    cls = "town" if area is None else f"town field-name {'water' if sheet.wet(name.of) else area['kind']}"
    out = [
        f'<text class="{cls}" x="{num(x)}" y="{num(y)}" font-size="{num(name.size)}" text-anchor="middle" '
        f'data-at="{name.of}">{escape(text)}</text>'
        for text, x, y in name.lines
    ]
    for sign, value, x, y in name.signs:
        number = (
            f'<text class="worth {sign}" x="{num(x)}" y="{num(y + 4.9)}" font-size="14.5">{value}</text>'
            if value is not None
            else ""
        )
        out.append(f'<g class="prize"><use href="#p-{sign}" x="{num(x)}" y="{num(y)}"/>{number}</g>')
    return "".join(out)


def _regions(sheet: AreaSheet, words: dict[str, Any]) -> str:
    """Names of regions and seas, spaced out where the style puts them."""
    out = []
    for label in sheet.style.get("regions", ()):
        text, cls = words["areas"].get(label["name"], label["name"]), label.get("class", "country")
        (x, y), size, spacing = sheet.place(*label["at"]), label["size"], label["spacing"]
        out.append(spaced(text, cls, (x, y), size, spacing, label.get("turn")))
        half = width(text, size, "upright", spacing) / 2
        angle = math.radians(label.get("turn", 0))
        for u in range(-int(half), int(half) + 1, 12):
            sheet.block(x + u * math.cos(angle), y + u * math.sin(angle), size * 0.5)
    return "".join(out)


def _thumbnail(sheet: AreaSheet) -> str:
    """A thin copy for the minimap."""
    out = [terrain.paper(sheet, "g-clear")]
    for name, area in sorted(sheet.areas.items()):
        if area.get("region"):
            d = "".join(pen(resample(ring, 50), True, False, 0) for ring in sheet.rings[name])
            out.append(f'<path class="area {area["region"]}" d="{d}"/>')
    sea = "".join(pen(resample(ring, 30), True, False, 0) for ring in sheet.sea)
    rivers = "".join(pen(resample(c.line, 40), False, True, 0) for c in sheet.courses)
    out.append(f'<path class="m-water" fill-rule="evenodd" d="{sea}"/><path class="thumb-river" d="{rivers}"/>')
    return f'<symbol id="thumb" overflow="visible">{"".join(out)}</symbol>'
