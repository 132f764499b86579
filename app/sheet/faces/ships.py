"""Ships: the drawing above, the factor below, one pip for each ship that is left of a fleet.

Fields: `ship` or `type` (the drawing), `full` and `reduced` (null without another side), and perhaps `ships` and
`ships_reduced`, how many each side stands for (else 2 and 1, or 1), and `abbrev`.
"""

from __future__ import annotations

from app.sheet.faces.parts import BLANK, Face, Piece, Style, edge, has_reduced, opening, symbol, two_factors
from app.sheet.lettering import escape
from app.sheet.pen import num

PIPS = 6  # most in a row


def _draw(name: str, piece: Piece, style: Style) -> str:
    full = _side(name, piece, style, worn=False)
    return full + (_side(name, piece, style, worn=True) if has_reduced(piece) else "")


def _count(piece: Piece, worn: bool) -> int:
    """How many ships a side stands for."""
    told = piece.get("ships_reduced" if worn else "ships")
    return int(told) if told is not None else 2 if has_reduced(piece) and not worn else 1


def _side(name: str, piece: Piece, style: Style, *, worn: bool) -> str:
    here, most = _count(piece, worn), _count(piece, worn=False)
    row = "".join(
        f'<circle class="pip{"" if i < here else " gone"}" cx="{num(22 + (i - (most - 1) / 2) * 6)}" cy="4.8" r="1.9"/>'
        for i in range(min(most, PIPS))
    )
    text = piece.get("abbrev")
    abbrev = f'<text class="id snug" x="6" y="40">{escape(text)}</text>' if text else ""
    factor = piece["reduced"] if worn else piece["full"]
    return (
        f"{opening(name, piece, worn, 'river')}{BLANK}{edge(style, piece['side'])}"
        f'<g class="glyph free"><g transform="translate(0-2.5)">{symbol(piece.get("ship") or piece["type"])}</g></g>'
        f'<g class="crest">{row}</g>{abbrev}'
        f'<text class="factors" x="{num(30 if text else 22)}" y="41">{factor}</text></g>'
    )


def _worth(piece: Piece) -> float:
    return sum(int(factor) for factor in two_factors(piece))


FACE = Face(_draw, two_factors, _worth, has_reduced)
