"""Whole pictures of a position, to print or to send: the map with its counters and its colours in one SVG."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Mapping
from functools import cache as once
from typing import Any

from app.sheet.areacamps import camps
from app.sheet.areasheet import AreaSheet
from app.sheet.clusters import clusters
from app.sheet.counters import SIZE, definitions
from app.sheet.drawing import draw_map
from app.sheet.faces import side_up
from app.sheet.hexsheet import HexSheet
from app.sheet.lettering import escape
from app.sheet.pen import Point, num
from app.sheet.pointsheet import PointSheet
from app.sheet.sheets import EXTRA, STATIC, title_style
from app.sheet.troops import camp, has_troops

FAN, DRAWN = 2.4, 4  # as static/js/board/counters.js draws stacks
SPACE = "space:"
EMPTY = '<g class="l-counters"></g>'  # where the counters lie on a sheet that was drawn without


def still(
    title: str,
    data: Mapping[str, Any],
    fragments: Mapping[str, Any],
    language: str = "en",
    theme: str = "light",
    *,
    fonts: bool = False,
) -> str:
    """SVG text of a view.

    `data`: `map` and `units` (by id) of the title. `fragments`: those of a view (docs/protocol.md, section 2); only
    spaces are drawn. `theme`: light, dark or contrast. `fonts`: embed them, about 200 kB; else they are only named.
    """
    css = (_faces() if fonts else "") + style_sheet(title, theme)
    layers = {"counters": pieces(title, data, fragments)}
    return draw_map(data["map"], title_style(title), language, layers, f"<style>{escape(css)}</style>")


def on_sheet(title: str, sheet: bytes, data: Mapping[str, Any], fragments: Mapping[str, Any], theme: str, *,
             fonts: bool = False) -> str:
    """The same on a map that is drawn already: `sheet` is the gzip of `draw_map` without layers."""
    css = (_faces() if fonts else "") + style_sheet(title, theme)
    svg = gzip.decompress(sheet).decode()
    svg = svg.replace("<defs>", f"<style>{escape(css)}</style><defs>", 1)
    return svg.replace(EMPTY, f'<g class="l-counters">{pieces(title, data, fragments)}</g>', 1)


def style_sheet(title: str, theme: str) -> str:
    """All that a picture of a title is coloured by, in one theme."""
    css = "".join(
        (STATIC / path).read_text()
        for path in (*(f"css/{name}.css" for name in ("map", "board", "counters", *EXTRA)), f"titles/{title}/theme.css")
    )
    return css.replace(f":root[data-theme={theme}]", ":root:root")


def pieces(title: str, data: Mapping[str, Any], fragments: Mapping[str, Any]) -> str:
    """The counters of a view where they stand, with the shapes they are made of: the layer `counters` of its map."""
    style, units = title_style(title), data["units"]
    spaces = {key.removeprefix(SPACE): space for key, space in fragments.items() if key.startswith(SPACE) and space}
    if data["map"].get("kind") == "areas":
        stacks = camps(AreaSheet(data["map"], style), spaces, units, stack)
    elif data["map"].get("kind") == "points":
        stacks = clusters(PointSheet(data["map"], style), spaces, units)
    else:
        sheet = HexSheet(data["map"], style)
        placed = sorted(
            (sheet.centre(sheet.key(place))[::-1], place) for place in spaces if place in data["map"]["hexes"]
        )
        if has_troops(units):
            stacks = "".join(camp(sheet, place, spaces[place], units, stack) for _, place in placed)
        else:
            stacks = "".join(stack(spaces[place], (x, y), units) for (y, x), place in placed)
    return definitions(units, style) + stacks


@once
def _faces() -> str:
    """The style sheet of the fonts with the fonts in it."""
    css = (STATIC / "css/fonts.css").read_text()
    for path in (STATIC / "fonts").glob("*.woff2"):
        data = base64.b64encode(path.read_bytes()).decode()
        css = css.replace(f"../fonts/{path.name}", f"data:font/woff2;base64,{data}")
    return css


def stack(space: Mapping[str, Any], at: Point, units: Mapping[str, Any]) -> str:
    """The counters of one space around a point, at most four, and how many there are; "" for an empty space."""
    seen, side = space.get("units"), space.get("side") or ""
    count = space.get("count") or len(seen or ())
    if seen:
        symbols = [side_up(unit, units) for unit in seen[:DRAWN]]
    elif space.get("box") is not None:
        symbols = [f"box-{side}"]
    elif top := space.get("top"):
        symbols = [side_up(top, units), *[f"back-{units[top['id']]['nation']}"] * (min(count, DRAWN) - 1)]
    else:
        symbols = [f"back-{side}"] * min(count, DRAWN)
    if not symbols:
        return ""
    shift = (len(symbols) - 1) * FAN / 2
    left, top_edge = at[0] - SIZE / 2 - shift, at[1] - SIZE / 2 + shift
    out = [
        f'<use class="counter" href="#{symbol}" x="{num(left + i * FAN)}" y="{num(top_edge - i * FAN)}"/>'
        for i, symbol in enumerate(reversed(symbols))
    ]
    if count > 1 or space.get("box") is not None:
        out.append(
            f'<g class="stack-count" transform="translate({num(at[0] - 25 - shift)} {num(at[1] + 16)})">'
            f'<circle r="7.6"/><text y="3.9">{count}</text></g>'
        )
    return "".join(out)
