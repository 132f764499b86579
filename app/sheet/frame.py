"""Around the map: neat lines, degrees, title, legend, scale and needle."""

from __future__ import annotations

import math
from typing import Any

from app.sheet.areasheet import AreaSheet
from app.sheet.hexsheet import HEIGHT, RADIUS, HexSheet
from app.sheet.lettering import escape
from app.sheet.pen import Point, num
from app.sheet.pointsheet import PointSheet

MARGIN, FOOT = 34.0, 132.0  # width of the frame, height of the strip below it
Sheet = HexSheet | PointSheet | AreaSheet


def view_box(sheet: Sheet) -> tuple[float, float, float, float]:
    """x, y, width and height of the whole sheet."""
    width, height = sheet.right - sheet.left, sheet.bottom - sheet.top
    return sheet.left - MARGIN, sheet.top - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN + FOOT


def frame(sheet: Sheet, words: dict[str, Any]) -> str:
    """Everything outside the map's rectangle. `words`: title, subtitle and legend labels in one language."""
    x, y, w, h = (num(v) for v in view_box(sheet))
    left, top = num(sheet.left), num(sheet.top)
    wide, high = num(sheet.right - sheet.left), num(sheet.bottom - sheet.top)
    outer = [num(v) for v in (sheet.left - 10.5, sheet.top - 10.5, sheet.right - sheet.left + 21)]
    return (
        f'<path class="m-margin" fill-rule="evenodd" d="M{x} {y}h{w}v{h}h-{w}zM{left} {top}v{high}h{wide}v-{high}z"/>'
        f'<rect class="neat" x="{left}" y="{top}" width="{wide}" height="{high}"/>'
        f'<rect class="neat wide" x="{outer[0]}" y="{outer[1]}" width="{outer[2]}" '
        f'height="{num(sheet.bottom - sheet.top + 21)}"/>' + graticule(sheet) + footer(sheet, words)
    )


def graticule(sheet: Sheet) -> str:
    """Degrees along the frame, when the map knows where it lies."""
    if not isinstance(sheet, HexSheet) or "col_row_from_km" not in sheet.georeference:
        return ""
    fit = sheet.georeference["col_row_from_km"]

    def place(lat: float, lon: float) -> Point:
        east, north = lon * 111.32 * math.cos(math.radians(sheet.georeference["lat0"])), lat * 110.7
        column, row = (east * fit[0][i] + north * fit[1][i] + fit[2][i] for i in (0, 1))
        return (column - sheet.first_column) * 1.5 * RADIUS, (row - sheet.first_row) * HEIGHT

    bars: list[str] = []
    text: list[str] = []
    x0, y0, x1, y1 = sheet.left, sheet.top, sheet.right, sheet.bottom
    middle = sheet.georeference.get("middle", {"lat": -26.5, "lon": -57})
    for sixth in range(-90 * 6, 90 * 6):
        y, below = place(sixth / 6, middle["lon"])[1], place((sixth - 1) / 6, middle["lon"])[1]
        if y0 < y < below < y1 and sixth % 2:
            bars += [f"M{num(x)} {num(y)}h7v{num(below - y)}h-7z" for x in (x0 - 9, x1 + 2)]
        if sixth % 6 == 0 and y0 + 20 < y < y1 - 20:
            text += [
                f'<text font-size="12" transform="translate({num(x)} {num(y)})rotate(-90)">{abs(sixth // 6)}°</text>'
                for x in (x0 - 15, x1 + 23)
            ]
    for sixth in range(-180 * 6, 180 * 6):
        x, beyond = place(middle["lat"], sixth / 6)[0], place(middle["lat"], (sixth + 1) / 6)[0]
        if x0 < x < beyond < x1 and sixth % 2:
            bars += [f"M{num(x)} {num(y)}v7h{num(beyond - x)}v-7z" for y in (y0 - 9, y1 + 2)]
        if sixth % 6 == 0 and x0 + 20 < x < x1 - 20:
            text += [
                f'<text font-size="12" x="{num(x)}" y="{num(y)}">{abs(sixth // 6)}°</text>' for y in (y0 - 14, y1 + 23)
            ]
    return f'<path class="m-bar" d="{"".join(bars)}"/><g class="degrees">{"".join(text)}</g>'


def footer(sheet: Sheet, words: dict[str, Any]) -> str:
    """Title, scale, legend and needle in the strip below the map."""
    x, y = sheet.left, sheet.bottom + MARGIN - 6
    out = [
        f'<text class="title" font-size="38" x="{num(x)}" y="{num(y + 40)}">{escape(words["title"])}</text>'
        f'<text class="subtitle" font-size="16" x="{num(x)}" y="{num(y + 62)}">{escape(words["subtitle"])}</text>'
    ]
    if sheet.hex_km:
        out.append(_scale(x, y, sheet.hex_km))
    for i, kind in enumerate(sheet.style["legend"]):
        kx, ky = sheet.right - 905 + (i // 3) * 172, y + 24 + (i % 3) * 30
        out.append(
            f'<g class="legend-item" transform="translate({num(kx)} {num(ky)})"><use href="#k-{kind}"/>'
            f'<text class="key" font-size="14" x="42" y="14">{escape(words["legend"][kind])}</text></g>'
        )
    out.append(
        f'<g class="needle" transform="translate({num(sheet.right - 32)} {num(y + 62)})"><circle r="22"/>'
        '<path d="M0-34 6 0 0 34-6 0z"/><path class="fill" d="M0-34 6 0H-6z"/><text font-size="14" y="-38">N</text></g>'
    )
    return "".join(out)


def _scale(x: float, y: float, hex_km: float) -> str:
    """A bar of 100 km; of 1000 where a continent is on the sheet."""
    step = 25 if HEIGHT / hex_km * 25 > 20 else 250
    unit, below = HEIGHT / hex_km * step, num(y + 88)
    out = [
        f'<g class="scale"><path d="M{num(x)} {below}h{num(unit * 4)}v6h-{num(unit * 4)}z"/><path class="fill" '
        f'd="M{num(x)} {below}h{num(unit)}v6h-{num(unit)}zm{num(unit * 2)} 0h{num(unit)}v6h-{num(unit)}z"/>'
    ]
    for i in range(5):
        label = f"{step * i} km" if i == 4 else str(step * i)
        out.append(f'<text font-size="12" x="{num(x + unit * i)}" y="{num(y + 108)}">{label}</text>')
    return "".join(out) + "</g>"
