"""A marker: a word or a sign on a plain square, and perhaps what the file's `figures` name for markers below it.

Fields: `label` (else `abbrev`, else the first letters of `name`), or `type` for a drawing there is.
"""

from __future__ import annotations

from app.sheet import shapes
from app.sheet.faces.parts import BLANK, Face, Piece, Style, edge, symbol
from app.sheet.lettering import escape, width
from app.sheet.pen import num

LETTERS = 4  # of a name, where it has no shorter word
LARGEST, WIDE = 17.0, 37.0


def _draw(name: str, piece: Piece, style: Style) -> str:
    drawn = piece.get("type") in shapes.ARMS or piece.get("type") in shapes.FREE
    text = str(piece.get("label") or piece.get("abbrev") or piece["name"][:LETTERS])
    size = min(LARGEST, LARGEST * WIDE / max(1.0, width(text, LARGEST)))
    word = f'<text class="word" x="22" y="26" font-size="{num(size)}">{escape(text)}</text>'
    figures = "-".join(piece.get("figures", ()))
    foot = f'<text class="rating" x="22" y="39">{escape(figures)}</text>' if figures else ""
    return (
        f'<g id="c-{name}" class="ctr {piece["nation"]} chit">{BLANK}{edge(style, piece["side"])}'
        f"{symbol(piece['type']) if drawn else word}"
        f'<g class="crest"><use href="#e-{piece["nation"]}" x="22" y="7.6"/></g>{foot}</g>'
    )


FACE = Face(_draw)
