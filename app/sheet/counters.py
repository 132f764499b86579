"""Counters as a sheet of shapes that pages refer to: the faces of every piece, backs, boxes, badges, markers, cards.

Ids: `c-UNIT` a face and `c-UNIT-r` its other side (app/sheet/faces), `back-NATION` and `back-SIDE` blank backs,
`box-SIDE` the substitute of an army box, `badge-NAME` a badge, `e-NATION` and `e-SIDE` an emblem around 0,0,
`marker-KIND` and `control-SIDE` markers, `card-CARD` a picture 120 x 66.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any

from app.sheet import shapes
from app.sheet.faces import FACES, face_of, formation
from app.sheet.faces.parts import BLANK, SIZE, edge

MOTIFS = Path(__file__).with_name("motifs.svg")
Unit = dict[str, Any]

__all__ = ["SIZE", "definitions", "draw_counters"]


def draw_counters(units: Mapping[str, Unit], style: dict[str, Any], cards: Mapping[str, Any] | None = None) -> str:
    """SVG text of the whole sheet. `units`: all pieces by id (`pieces_of` units.json); `cards`: those of cards.json."""
    root = '<svg xmlns="http://www.w3.org/2000/svg" class="symbols" width="0" height="0">'
    return f"{root}{definitions(units, style, cards)}</svg>"


def definitions(units: Mapping[str, Unit], style: dict[str, Any], cards: Mapping[str, Any] | None = None,
                only: Container[str] | None = None) -> str:
    """The content of the sheet, as one <defs>; of the units, `only` these if they are named. ValueError for a face
    there is not."""
    owners = {**style["sides"], **style["nations"]}
    out = [
        '<pattern id="hatch" width="3" height="3" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<path class="hatch" d="M0 1.5h3"/></pattern>'
    ]
    sides_of: dict[str, str] = {side: side for side in style["sides"]}
    faces = [formation.shapes(units)]
    for name, unit in units.items():
        sides_of.setdefault(unit["nation"], unit["side"])
        if only is None or name in only:
            faces.append(face_of(unit).draw(name, unit, style))
    for owner, look in owners.items():
        out.append(f'<path id="e-{owner}" class="emblem" d="{shapes.EMBLEMS[look["emblem"]]}"/>')
        emblem = shapes.EMBLEMS[look["emblem"]]
        large = f'<path class="emblem" transform="translate(22 22)scale(3)" d="{emblem}"/>'
        rim = edge(style, sides_of.get(owner, owner))
        out.append(f'<g id="back-{owner}" class="ctr {owner}">{BLANK}{rim}{large}</g>')
    for side, look in style["sides"].items():
        emblem = f'<use class="emblem" href="#e-{side}" x="36.5" y="8"/>'
        out.append(
            f'<g id="box-{side}" class="ctr {side} army">{BLANK}{edge(style, side)}'
            f'<path class="crate" d="M7 15.5h30v17H7zM7 21h30M19 21v3.5h6V21"/>{emblem if look else ""}</g>'
        )
    out += [f'<g id="badge-{name}" class="badge">{d}</g>' for name, d in shapes.BADGES.items()]
    if any(face_of(unit) is not FACES["factors"] for unit in units.values()):
        out.append(markers(style))
    return f"<defs>{''.join(out)}{''.join(faces)}{pictures(cards or {}, style)}</defs>"


def markers(style: dict[str, Any]) -> str:
    """The capital, the battle sign, and a control marker for each side."""
    capital = (
        '<g id="marker-capital" class="ctr seal"><circle class="shade" cx="23" cy="23.4" r="17"/>'
        '<circle class="ground" cx="22" cy="22" r="17"/><circle class="keyline" cx="22" cy="22" r="14.4"/>'
        '<path class="laurel" d="M12 27q1 8 10 8.6Q31 35 32 27M13 22q-1.6 3-1 6M31 22q1.6 3 1 6"/>'
        f'<path class="star" transform="translate(22 20)scale(2.5)" d="{shapes.EMBLEMS["star"]}"/></g>'
    )
    battle = (
        '<g id="marker-battle" class="clash"><circle r="13"/>'
        '<path d="M-7.5-7.5 7 7M7.5-7.5-7 7M-7.6 3.4l4.2 4.2M7.6 3.4 3.4 7.6"/></g>'
    )
    controls = (
        f'<g id="control-{side}" class="ctr {side}"><circle class="shade" cx=".8" cy="1" r="13.4"/>'
        '<circle class="ground" r="13.4"/><circle class="keyline" r="11"/>'
        f'<g transform="scale(2)"><use href="#e-{side}"/></g></g>'
        for side in style["sides"]
    )
    return f"{capital}{battle}{''.join(controls)}"


def pictures(cards: Mapping[str, Any], style: dict[str, Any]) -> str:
    """The vignette of each card, chosen by what it does first."""
    if not cards:
        return ""
    motifs = style.get("motifs", {})
    uses = [
        f'<g id="card-{name}" class="plate"><use href="#motif-{motifs[card["effects"][0]["op"]]}"/></g>'
        for name, card in cards.items()
        if card.get("effects") and card["effects"][0]["op"] in motifs
    ]
    return MOTIFS.read_text() + "".join(uses)
