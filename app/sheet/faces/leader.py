"""An oval with the family name and the emblem above it.

Fields: `name`, and perhaps `short` (lettered instead of the name's last word), `stars` (of his rank) and what the
file's `figures` name for leaders, in a row below.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.sheet.faces.parts import Face, Piece, Style
from app.sheet.lettering import escape, width
from app.sheet.pen import num

STAR = "M0-3.2.9-1 3.2-.9 1.4.5 2 2.8 0 1.5-2 2.8-1.4.5-3.2-.9-.9-1z"
SABRE = '<g class="sabre"><path d="M10 33.2q11 3.6 24-1.6M13 30.6l-1.6 4.6"/></g>'


def _draw(name: str, piece: Piece, _style: Style) -> str:
    last = piece.get("short") or piece["name"].split()[-1]
    size = min(12.5, 12.5 * 34 / max(1.0, width(last, 12.5)))
    return (
        f'<g id="c-{name}" class="ctr {piece["nation"]} leader">'
        '<ellipse class="shade" cx="23" cy="23.6" rx="21.5" ry="17.5"/>'
        '<ellipse class="ground" cx="22" cy="22" rx="21.5" ry="17.5"/>'
        '<ellipse class="keyline" cx="22" cy="22" rx="19.3" ry="15.3"/>'
        f"{_foot(piece)}"
        f'<g class="crest"><use href="#e-{piece["nation"]}" x="22" y="12.4"/></g>'
        f'<text class="who" x="22" y="27" font-size="{num(size)}">{escape(last)}</text></g>'
    )


def _foot(piece: Piece) -> str:
    """His figures, else his stars, else a sabre."""
    if figures := piece.get("figures"):
        return f'<text class="rating" x="22" y="36">{escape(_row(figures))}</text>'
    stars = piece.get("stars", 0)
    places = [num(22 + (i - (stars - 1) / 2) * 7) for i in range(stars)]
    row = "".join(f'<path d="{STAR}" transform="translate({x} 32.6)"/>' for x in places)
    return f'<g class="stars">{row}</g>' if stars else SABRE


def _row(figures: Sequence[str]) -> str:
    """A rating below 0 has a minus of its own: 3-2, but 2/−1."""
    below = any(figure.startswith("-") for figure in figures)
    return "/".join(figures).replace("-", "−") if below else "-".join(figures)


def _printed(piece: Piece) -> list[str]:
    """His figures as they stand on him, if he has any."""
    return [_row(piece["figures"])] if piece.get("figures") else []


FACE = Face(_draw, _printed)
