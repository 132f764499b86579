"""Counters of one factor with two sides, leaders, fortresses, markers of capital and control; pictures on cards.

Ids: `c-UNIT` the full side, `c-UNIT-r` the reduced one, `marker-KIND`, `control-SIDE`, `card-CARD` a picture 120 x 66.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.sheet import shapes
from app.sheet.lettering import escape, width
from app.sheet.pen import num

MOTIFS = Path(__file__).with_name("motifs.svg")
GROUPS = {"leaders": "leader", "fortresses": "fortress"}
Piece = dict[str, Any]


def pieces_of(body: Mapping[str, Any]) -> dict[str, Piece]:
    """All pieces of a units.json by id: units, and leaders and fortresses with their `type`. Each with `factors`, what
    is printed on it, side by side ("3-2-6"), and `worth`: of two the lesser is given up first, if one does not care."""
    pieces: dict[str, Piece] = dict(body.get("units", {}))
    for group, kind in GROUPS.items():
        pieces |= {name: {"type": kind, **piece} for name, piece in body.get(group, {}).items()}
    return {name: {**piece, **_summed_up(piece)} for name, piece in pieces.items()}


def _summed_up(piece: Piece) -> Piece:
    if is_plain(piece):
        sides = [n for n in (piece.get("full"), piece.get("reduced")) if n is not None]
        return {"factors": [str(n) for n in sides], "worth": sum(sides)}
    attack, defense, movement = piece["attack"], piece["defense"], piece["movement"]
    return {"factors": [f"{attack}-{defense}-{movement}"], "worth": attack + defense + movement / 100}


def is_plain(piece: Piece) -> bool:
    """Whether a piece is drawn here: it has one factor, or none."""
    return "attack" not in piece


def plain_faces(name: str, piece: Piece, blank: str, edge: str) -> str:
    """Every side of a piece."""
    if piece["type"] == "leader":
        return _leader(name, piece)
    if piece["type"] == "fortress":
        return "".join(_fort(name, piece, worn) for worn in (False, True))
    sides = [_factor(name, piece, blank, edge, worn=False)]
    if piece.get("reduced") is not None:
        sides.append(_factor(name, piece, blank, edge, worn=True))
    return "".join(sides)


def _factor(name: str, piece: Piece, blank: str, edge: str, worn: bool) -> str:
    """Symbol above, one large factor below; pips tell how many steps are left, a hatched band a special unit."""
    steps = (1 if worn else 2) if piece.get("reduced") is not None else 1
    pips = "".join(
        f'<circle class="pip{"" if i < steps else " gone"}" cx="37" cy="{37.5 - 6.5 * i}" r="2.1"/>'
        for i in range(2 if piece.get("reduced") is not None else 1)
    )
    special = '<path class="guard" d="M2.6 25h4v15h-4z"/>' if piece.get("special") else ""
    emblem = f'<use href="#e-{piece["nation"]}" x="8.6" y="32"/>' if not piece.get("special") else ""
    return (
        f'<g id="c-{name}{"-r" if worn else ""}" class="ctr {piece["nation"]}{" worn" if worn else ""}">{blank}{edge}'
        '<g class="g" transform="translate(9 4.6)"><rect class="box" width="26" height="16"/>'
        f"{shapes.ARMS[piece['type']]}</g>"
        f'{special}<g class="crest">{emblem}{pips}</g>'
        f'<text class="strength" x="22" y="40.2">{piece["reduced"] if worn else piece["full"]}</text></g>'
    )


def _leader(name: str, piece: Piece) -> str:
    """An oval with the family name, and the emblem above it."""
    last = piece["name"].split()[-1]
    size = min(12.5, 12.5 * 34 / max(1.0, width(last, 12.5)))
    return (
        f'<g id="c-{name}" class="ctr {piece["nation"]} leader">'
        '<ellipse class="shade" cx="23" cy="23.6" rx="21.5" ry="17.5"/>'
        '<ellipse class="ground" cx="22" cy="22" rx="21.5" ry="17.5"/>'
        '<ellipse class="keyline" cx="22" cy="22" rx="19.3" ry="15.3"/>'
        '<g class="sabre"><path d="M10 33.2q11 3.6 24-1.6M13 30.6l-1.6 4.6"/></g>'
        f'<g class="crest"><use href="#e-{piece["nation"]}" x="22" y="12.4"/></g>'
        f'<text class="who" x="22" y="27" font-size="{num(size)}">{escape(last)}</text></g>'
    )


def _fort(name: str, piece: Piece, worn: bool) -> str:
    """A bastioned work; a breach when one hit is taken."""
    frame = '<g class="s" transform="translate(1 8.4)scale(1.17)">'
    breach = '<path class="breach" d="M30 6l-6 8 5 4-9 9 4 3-7 8"/>' if worn else ""
    return (
        f'<g id="c-{name}{"-r" if worn else ""}" class="ctr {piece["nation"]}{" worn" if worn else ""} fort">'
        f'<path class="ground" d="M22 3 41 13v20L22 42 3 33V13z"/>{frame}{shapes.FREE["fortress"]}</g>{breach}</g>'
    )


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
