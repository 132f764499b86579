"""Faces of counters, a file for each kind. A piece of units.json names its kind in `face` (docs/data.md).

A face is 44 units square with its top left corner at 0,0 (but for shapes of formations, which the board turns). It
carries shape and classes; colours come from static/css/counters.css and the title's theme.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.sheet.faces import factors, formation, fort, leader, marker, ships, strength
from app.sheet.faces.parts import Face, Piece

GROUPS = {"leaders": "leader", "fortresses": "fortress"}
FACES = {
    "factors": factors.FACE,
    "strength": strength.FACE,
    "leader": leader.FACE,
    "fort": fort.FACE,
    "ships": ships.FACE,
    "formation": formation.FACE,
    "marker": marker.FACE,
}


def face_of(piece: Piece) -> Face:
    """The face that a piece names. ValueError for one that names none, or a kind there is not."""
    kind = piece.get("face")
    if kind not in FACES:
        raise ValueError(f"a counter with the face {kind!r}")
    return FACES[kind]


def side_up(unit: Mapping[str, Any], pieces: Mapping[str, Piece]) -> str:
    """The symbol of a unit of a view: of a piece with another side that is reduced, that side's."""
    piece = pieces[unit["id"]]
    worn = "reduced" in unit.get("badges", ()) and face_of(piece).turns(piece)
    return f"c-{unit['id']}{'-r' if worn else ''}"


def pieces_of(body: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """All pieces of a units.json by id: units, and leaders and fortresses with their `type`. Each with `factors`, what
    is printed on each side, and `worth`; what a face prints of a title's own fields, the file's `figures` say."""
    pieces: dict[str, dict[str, Any]] = dict(body.get("units", {}))
    for group, kind in GROUPS.items():
        pieces |= {name: {"type": kind, **piece} for name, piece in body.get(group, {}).items()}
    figures = body.get("figures", {})
    return {name: _summed_up(piece, figures) for name, piece in pieces.items()}


def _summed_up(piece: dict[str, Any], figures: Mapping[str, list[str]]) -> dict[str, Any]:
    shown = figures.get(piece["face"], ())
    own = {"figures": [str(piece[field]) for field in shown if piece.get(field) is not None]} if shown else {}
    whole = {**piece, **own}
    face = face_of(whole)
    return {**whole, "factors": face.printed(whole), "worth": face.worth(whole)}
