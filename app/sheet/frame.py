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
STRETCHES = (0.5, 25, 250)  # of a scale, in km
Sheet = HexSheet | PointSheet | AreaSheet


def size(sheet: Sheet) -> float:
    """How much larger than usual the frame of a sheet is, with its title and legend."""
    told: float = sheet.style.get("frame", 1)
    return told


def view_box(sheet: Sheet) -> tuple[float, float, float, float]:
    """x, y, width and height of the whole sheet."""
    width, height = sheet.right - sheet.left, sheet.bottom - sheet.top
    margin, foot = MARGIN * size(sheet), FOOT * size(sheet)
    return sheet.left - margin, sheet.top - margin, width + 2 * margin, height + 2 * margin + foot


def frame(sheet: Sheet, words: dict[str, Any]) -> str:
    """Everything outside the map's rectangle. `words`: title, subtitle and legend labels in one language."""
    x, y, w, h = (num(v) for v in view_box(sheet))
    left, top = num(sheet.left), num(sheet.top)
    wide, high = num(sheet.right - sheet.left), num(sheet.bottom - sheet.top)
    apart = 10.5 * size(sheet)
    outer = [num(v) for v in (sheet.left - apart, sheet.top - apart, sheet.right - sheet.left + 2 * apart)]
    return (
        f'<path class="m-margin" fill-rule="evenodd" d="M{x} {y}h{w}v{h}h-{w}zM{left} {top}v{high}h{wide}v-{high}z"/>'
        f'<rect class="neat" x="{left}" y="{top}" width="{wide}" height="{high}"/>'
        f'<rect class="neat wide" x="{outer[0]}" y="{outer[1]}" width="{outer[2]}" '
        f'height="{num(sheet.bottom - sheet.top + 2 * apart)}"/>' + graticule(sheet) + footer(sheet, words)
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
    f = size(sheet)
    x, y = sheet.left, sheet.bottom + (MARGIN - 6) * f
    out = [
        f'<text class="title" font-size="{num(38 * f)}" x="{num(x)}" y="{num(y + 40 * f)}">'
        f"{escape(words['title'])}</text>"
        f'<text class="subtitle" font-size="{num(16 * f)}" x="{num(x)}" y="{num(y + 62 * f)}">'
        f"{escape(words['subtitle'])}</text>"
    ]
    if sheet.hex_km:
        out.append(_scale(x, y, sheet.hex_km, f))
    larger = f"scale({num(f, 2)})" if f != 1 else ""
    for i, kind in enumerate(sheet.style["legend"]):
        kx, ky = sheet.right - (905 - (i // 3) * 172) * f, y + (24 + (i % 3) * 30) * f
        turned = f' transform="{larger}"' if larger else ""
        out.append(
            f'<g class="legend-item" transform="translate({num(kx)} {num(ky)})"><use href="#k-{kind}"{turned}/>'
            f'<text class="key" font-size="{num(14 * f)}" x="{num(42 * f)}" y="{num(14 * f)}">'
            f"{escape(words['legend'][kind])}</text></g>"
        )
    needle = f"translate({num(sheet.right - 32 * f)} {num(y + 62 * f)}){larger}"
    out.append(
        f'<g class="needle" transform="{needle}"><circle r="22"/>'
        '<path d="M0-34 6 0 0 34-6 0z"/><path class="fill" d="M0-34 6 0H-6z"/><text font-size="14" y="-38">N</text></g>'
    )
    return "".join(out)


def _scale(x: float, y: float, hex_km: float, f: float) -> str:
    """A bar of four stretches, the least of `STRETCHES` that can be read."""
    step = next((km for km in STRETCHES if HEIGHT / hex_km * km > 20 * f), STRETCHES[-1])
    unit, below, high = HEIGHT / hex_km * step, num(y + 88 * f), num(6 * f)
    out = [
        f'<g class="scale"><path d="M{num(x)} {below}h{num(unit * 4)}v{high}h-{num(unit * 4)}z"/><path class="fill" '
        f'd="M{num(x)} {below}h{num(unit)}v{high}h-{num(unit)}zm{num(unit * 2)} 0h{num(unit)}v{high}h-{num(unit)}z"/>'
    ]
    for i in range(5):
        label = f"{step * i:g} km" if i == 4 else f"{step * i:g}"
        out.append(
            f'<text font-size="{num(12 * f)}" x="{num(x + unit * i)}" y="{num(y + 108 * f)}">{label}</text>'
        )
    return "".join(out) + "</g>"
