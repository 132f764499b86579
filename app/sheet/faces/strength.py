"""One large factor below the symbol; pips tell how many steps are left, a hatched band a special unit.

Fields: `type`, `full` and `reduced` (null without another side), and perhaps `special` and `abbrev`.
"""

from __future__ import annotations

from app.sheet import shapes
from app.sheet.faces.parts import BLANK, Face, Piece, Style, edge, has_reduced, opening, two_factors
from app.sheet.lettering import escape


def _draw(name: str, piece: Piece, style: Style) -> str:
    full = _side(name, piece, style, worn=False)
    return full + (_side(name, piece, style, worn=True) if has_reduced(piece) else "")


def _worth(piece: Piece) -> float:
    return sum(int(factor) for factor in two_factors(piece))


def _pips(piece: Piece, worn: bool) -> str:
    """One for each step, those lost empty."""
    left = (1 if worn else 2) if has_reduced(piece) else 1
    return "".join(
        f'<circle class="pip{"" if i < left else " gone"}" cx="37" cy="{37.5 - 6.5 * i}" r="2.1"/>'
        for i in range(2 if has_reduced(piece) else 1)
    )


def _side(name: str, piece: Piece, style: Style, *, worn: bool) -> str:
    special = '<path class="guard" d="M2.6 25h4v15h-4z"/>' if piece.get("special") else ""
    emblem = f'<use href="#e-{piece["nation"]}" x="8.6" y="32"/>' if not piece.get("special") else ""
    text = piece.get("abbrev")
    abbrev = f'<text class="mark-of" transform="translate(7 12.6)rotate(-90)">{escape(text)}</text>' if text else ""
    return (
        f"{opening(name, piece, worn)}{BLANK}{edge(style, piece['side'])}"
        '<g class="g" transform="translate(9 4.6)"><rect class="box" width="26" height="16"/>'
        f"{shapes.ARMS[piece['type']]}</g>"
        f'{special}<g class="crest">{emblem}{_pips(piece, worn)}{abbrev}</g>'
        f'<text class="strength" x="22" y="40.2">{piece["reduced"] if worn else piece["full"]}</text></g>'
    )


FACE = Face(_draw, two_factors, _worth, has_reduced)
