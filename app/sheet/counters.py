"""Counters as a sheet of shapes that pages refer to: one face per unit, backs, boxes and badges.

A face is 44 units square with its top left corner at 0,0. It carries shape and classes; colours come from
static/css/counters.css and the title's theme. Ids: `c-UNIT` a face, `back-NATION` and `back-SIDE` blank backs,
`box-SIDE` the substitute of an army box, `badge-NAME` a badge, `e-NATION` and `e-SIDE` an emblem around 0,0.
More in pieces.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.sheet import shapes
from app.sheet.lettering import escape
from app.sheet.pen import num
from app.sheet.pieces import is_plain, markers, pictures, plain_faces

SIZE = 44
Unit = dict[str, Any]


def draw_counters(units: Mapping[str, Unit], style: dict[str, Any], cards: Mapping[str, Any] | None = None) -> str:
    """SVG text of the whole sheet. `units`: all pieces by id (`pieces_of` units.json); `cards`: those of cards.json."""
    root = '<svg xmlns="http://www.w3.org/2000/svg" class="symbols" width="0" height="0">'
    return f"{root}{definitions(units, style, cards)}</svg>"


def definitions(units: Mapping[str, Unit], style: dict[str, Any], cards: Mapping[str, Any] | None = None) -> str:
    """The content of the sheet, as one <defs>."""
    owners = {**style["sides"], **style["nations"]}
    out = [
        '<pattern id="hatch" width="3" height="3" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<path class="hatch" d="M0 1.5h3"/></pattern>'
    ]
    sides_of: dict[str, str] = {side: side for side in style["sides"]}
    faces = []
    for name, unit in units.items():
        sides_of.setdefault(unit["nation"], unit["side"])
        edge = _edge(style, unit["side"])
        faces.append(plain_faces(name, unit, _blank(), edge) if is_plain(unit) else face(name, unit, style))
    for owner, look in owners.items():
        out.append(f'<path id="e-{owner}" class="emblem" d="{shapes.EMBLEMS[look["emblem"]]}"/>')
        edge = _edge(style, sides_of.get(owner, owner))
        emblem = shapes.EMBLEMS[look["emblem"]]
        large = f'<path class="emblem" transform="translate(22 22)scale(3)" d="{emblem}"/>'
        out.append(f'<g id="back-{owner}" class="ctr {owner}">{_blank()}{edge}{large}</g>')
    for side, look in style["sides"].items():
        emblem = f'<use class="emblem" href="#e-{side}" x="36.5" y="8"/>'
        out.append(
            f'<g id="box-{side}" class="ctr {side} army">{_blank()}{_edge(style, side)}'
            f'<path class="crate" d="M7 15.5h30v17H7zM7 21h30M19 21v3.5h6V21"/>{emblem if look else ""}</g>'
        )
    out += [f'<g id="badge-{name}" class="badge">{d}</g>' for name, d in shapes.BADGES.items()]
    if any(is_plain(unit) for unit in units.values()):
        out.append(markers(style))
    return f"<defs>{''.join(out)}{''.join(faces)}{pictures(cards or {}, style)}</defs>"


def face(name: str, unit: Unit, style: dict[str, Any]) -> str:
    """One counter face: abbreviation, emblem and echelon on top, the drawing, the factors at the foot."""
    shape, side = unit.get("ship") or unit["type"], unit["side"]
    classes = ["ctr", unit["nation"]]
    classes += ["guards"] if unit.get("guard") else []
    classes += ["river"] if unit.get("mobility") == "river" else []
    path, half = shapes.ECHELONS.get(unit.get("size") or "", ("", 0.0))
    echelon = f'<path class="mark" transform="translate({num(39 - half)} 7.2)" d="{path}"/>' if path else ""
    text, left = unit["abbrev"], 4.5 if style["sides"][side]["edge"] == "keyline" else 6.5
    letters, fit = (10.5, "") if len(text) < 3 else (8.2, " tight") if half == 5 else (9.2, " snug")
    end = left + letters * sum(0.62 if c.isupper() else 0.5 for c in text)
    middle = (end + 39 - 2 * half) / 2 if half else 36
    emblem = f'<use href="#e-{unit["nation"]}" x="{num(middle)}" y="7.2"/>' if shape != "leader" else ""
    band = '<path class="guard" d="M3 13.5h4v16H3z"/>' if unit.get("guard") else ""
    factors = f"{unit['attack']}-{unit['defense']}-{unit['movement']}"
    return (
        f'<g id="c-{name}" class="{" ".join(classes)}">{_blank()}{_edge(style, side)}'
        f'{band}<g class="glyph{"" if shape in shapes.ARMS else " free"}">{_symbol(shape)}</g>'
        f'<g class="crest">{emblem}{echelon}</g>'
        f'<text class="id{fit}" x="{num(left)}" y="10.6">{escape(text)}</text>'
        f'<text class="factors" x="22" y="40">{factors}</text></g>'
    )


def _blank() -> str:
    return (
        f'<rect class="shade" x="1.2" y="1.8" width="{SIZE}" height="{SIZE}" rx="2.5"/>'
        '<rect class="ground" x=".4" y=".4" width="43.2" height="43.2" rx="2"/>'
    )


def _edge(style: dict[str, Any], side: str) -> str:
    return shapes.EDGES[style["sides"][side]["edge"]]


def _symbol(shape: str) -> str:
    if shape in shapes.ARMS:
        box = '<rect class="box" width="26" height="16"/>'
        return f'<g class="g" transform="translate(9 13)">{box}{shapes.ARMS[shape]}</g>'
    x, y, scale = shapes.FRAMES.get(shape, shapes.FREE_FRAME)
    resize = f"scale({scale:.3f})" if scale != 1 else ""
    return f'<g class="s" transform="translate({num(x)} {num(y)}){resize}">{shapes.FREE[shape]}</g>'
