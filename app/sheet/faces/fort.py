"""A bastioned work; its other side has a breach. Field: `full`, perhaps, a factor in its yard."""

from __future__ import annotations

from app.sheet import shapes
from app.sheet.faces.parts import Face, Piece, Style, opening, two_factors

BREACH = '<path class="breach" d="M30 6l-6 8 5 4-9 9 4 3-7 8"/>'


def _draw(name: str, piece: Piece, _style: Style) -> str:
    return "".join(_side(name, piece, worn) for worn in (False, True))


def _side(name: str, piece: Piece, worn: bool) -> str:
    factor = piece.get("reduced") if worn else piece.get("full")
    text = f'<text class="factors yard" x="22" y="26.7">{factor}</text>' if factor is not None else ""
    return (
        f'{opening(name, piece, worn, "fort")}<path class="ground" d="M22 3 41 13v20L22 42 3 33V13z"/>'
        f'<g class="s" transform="translate(1 8.4)scale(1.17)">{shapes.FREE["fortress"]}</g>'
        f"{BREACH if worn else ''}{text}</g>"
    )


FACE = Face(_draw, two_factors, turns=lambda _piece: True)
