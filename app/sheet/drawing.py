"""One map as one layered SVG: no colours of its own (static/css/map.css has them), no script.

Layers, bottom up: ground, bands, reach, scatter, water, border, roads, grid, under, signs, names, numbers,
counters, towns, over; then the frame. Empty ones (`BOARD_LAYERS`) are there for the board to fill: tint lies under
water and ink, paths under counters, town names above them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.sheet import names, places, relief, terrain, villages
from app.sheet.areamap import draw_areas
from app.sheet.areasheet import AreaSheet
from app.sheet.frame import frame, view_box
from app.sheet.hexsheet import Hex, HexSheet
from app.sheet.lettering import escape
from app.sheet.pen import Line, num
from app.sheet.pointmap import draw_points
from app.sheet.pointsheet import PointSheet
from app.sheet.rivers import Waters, rivers
from app.sheet.roads import roads
from app.sheet.signs import SPACING, strew

SIGNS = Path(__file__).with_name("signs.svg")
BOARD_LAYERS = ("reach", "under", "counters", "over")
ORDER = (
    *("ground", "bands", "reach", "scatter", "water", "border", "roads", "grid", "under", "signs"),
    *("names", "numbers", "counters", "towns", "over"),
)
ICON_PLACES = (-19, 19, -9)


def draw_map(
    data: dict[str, Any],
    style: dict[str, Any],
    language: str,
    layers: dict[str, str] | None = None,
    head: str = "",
) -> str:
    """SVG text of a map.

    `data`: the title's map.json. `style`: its style.json. `language`: a key of `style["words"]`; English if unknown.
    `layers`: content for board layers by name, and `head`: a style sheet or more, for pictures not played on.
    """
    words = style["words"].get(language) or style["words"]["en"]
    sheet: HexSheet | PointSheet | AreaSheet
    if data.get("kind") == "areas":
        sheet = AreaSheet(data, style)
        drawn = draw_areas(sheet, words)
    elif data.get("kind") == "points":
        sheet = PointSheet(data, style)
        drawn = draw_points(sheet, words)
    else:
        sheet = HexSheet(data, style)
        drawn = _draw(sheet, words)
    layer = dict.fromkeys((*ORDER, "defs"), "") | drawn | (layers or {})
    body = "".join(f'<g class="l-{name}">{layer[name]}</g>' for name in ORDER)
    x, y, w, h = (num(v) for v in view_box(sheet))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="map" viewBox="{x} {y} {w} {h}" width="{w}" height="{h}" '
        f'role="img" aria-label="{escape(words["title"])}">{head}<defs><clipPath id="sheet">{terrain.paper(sheet, "")}'
        f"</clipPath>{SIGNS.read_text()}{layer['defs']}{layer['thumb']}</defs>"
        f'<g clip-path="url(#sheet)">{body}</g><g class="l-frame">{frame(sheet, words)}</g></svg>'
    )


def _draw(sheet: HexSheet, words: dict[str, Any]) -> dict[str, str]:
    """All printed layers. Lines take their room first, then names, then numbers, and signs what is left."""
    layer: dict[str, str] = {}
    waters = rivers(sheet)
    layer["water"], layer["roads"] = waters.svg(), roads(sheet) + villages.bridges(sheet)
    by_kind = terrain.kinds(sheet)
    layer["water"] += terrain.ponds(sheet, by_kind[terrain.POND])
    spots: list[relief.Spot] = []
    if sheet.relief:
        layer["ground"], spots = relief.ground(sheet)
        cover, rings = terrain.cover(sheet, by_kind)
        layer["ground"] += cover
    else:
        layer["ground"], rings = terrain.ground(sheet, by_kind)
    layer["bands"], layer["border"], layer["grid"] = terrain.bands(sheet), terrain.border(sheet), terrain.grid(sheet)
    layer["border"] += terrain.cuts(sheet) + (relief.slopes(sheet) if sheet.relief else "")
    layer["signs"], towns = _sites(sheet)
    layer["signs"] += places.signs(sheet) + villages.works(sheet, by_kind[terrain.VILLAGE])
    layer["towns"] = "".join(names.town_label(sheet, k, name, key_town) for key_town, k, name in towns)
    layer["towns"] += places.towns(sheet, words)
    layer["names"] = _lettering(sheet, waters, words) + places.lettered(sheet, words) + relief.heights(sheet, spots)
    layer["numbers"] = terrain.numbers(sheet)
    layer["scatter"] = "".join(strew(sheet, kind, rings[kind]) for kind in rings if kind in SPACING)
    drawn = (*waters.navigable, *waters.deep, *waters.minor)
    layer["thumb"] = terrain.thumbnail(sheet, by_kind, [line for line, _ in drawn])
    return layer


def _sites(sheet: HexSheet) -> tuple[str, list[tuple[bool, Hex, str]]]:
    """Signs of towns, forts and special hexes; and the names to letter, key towns first."""
    signs, places = [], []
    marks, icons = sheet.style.get("marks", {}), sheet.style.get("icons", {})
    for k, h in sorted(sheet.hexes.items()):
        features = {f["type"]: f for f in h["features"]}
        mark = next((sign for kind, sign in marks.items() if kind in features), None)
        if mark:
            x, y = sheet.site(k)
            signs.append(f'<use href="#t-{mark}" x="{num(x)}" y="{num(y)}"/>')
            sheet.block(x, y, 9)
            if h["name"]:
                places.append((mark != "village", k, h["name"]))
        x, y = sheet.centre(k)
        shown = [sign for kind, sign in icons.items() if kind in features]
        for i, sign in enumerate(shown):
            ix = x + ICON_PLACES[i % len(ICON_PLACES)]
            signs.append(f'<use href="#t-{sign}" x="{num(ix)}" y="{num(y - 26)}"/>')
            sheet.block(ix, y - 26, 5)
    return "".join(signs), sorted(places, key=lambda p: not p[0])


def _lettering(sheet: HexSheet, waters: Waters, words: dict[str, Any]) -> str:
    """Names of countries, regions and rivers; regions are placed before rivers."""
    regions, countries, courses = [], [], []
    for area in sheet.style.get("regions", []):
        keys = [
            k
            for k, h in sheet.hexes.items()
            if h.get("region") in area["in"]
            and all(low <= k[i] <= high for i, (low, high) in enumerate(area.get("span", ())))
        ]
        text = words["areas"].get(area["name"], area["name"])
        regions.append(names.area_label(sheet, text, keys, "region", area["size"], area["spacing"], area.get("at")))
    spelled = sheet.style.get("rivers", {})
    for i, (name, line, wide) in enumerate(sorted(waters.courses, key=lambda c: -c[2])):
        for j, stretch in enumerate(_stretches(line)):
            courses.append(names.course_label(sheet, spelled.get(name, name), stretch, wide, f"course-{i}-{j}"))
    for area in sheet.style.get("countries", []):
        keys = [k for k, h in sheet.hexes.items() if h.get("country") == area["in"]]
        text = words["areas"].get(area["name"], area["name"])
        countries.append(names.area_label(sheet, text, keys, "country", area["size"], area["spacing"], area.get("at")))
    return "".join([*countries, *regions, *courses])


def _stretches(line: Line) -> list[Line]:
    """The parts of a course that are lettered: none of a short one, each half of a long one."""
    if len(line) < 23:
        return []
    half = len(line) // 2
    return [line[:half], line[half:]] if len(line) > 110 else [line]
