"""Three factors, attack, defense and movement, at the foot; abbreviation, emblem and echelon on top; a drawing.

Fields: `type` (the drawing) or `ship`, `abbrev`, `attack`, `defense`, `movement` (those there are), and perhaps `size`
(echelon), `guard` (a hatched band), `mobility: "river"` (another ground), `bracketed` (the defense in brackets), and
`reduced`: the factors of the other side.
"""

from __future__ import annotations

from app.sheet import shapes
from app.sheet.faces.parts import BLANK, Face, Piece, Style, edge, has_reduced, opening, symbol
from app.sheet.lettering import escape
from app.sheet.pen import num

FACTORS = ("attack", "defense", "movement")
ROOM, LONG = 32, 6  # where an abbreviation ends that leaves room for the emblem; letters of factors in their usual size


def _draw(name: str, piece: Piece, style: Style) -> str:
    full = _side(name, piece, style, line(piece), worn=False)
    return full + (_side(name, piece, style, line(piece, piece["reduced"]), worn=True) if has_reduced(piece) else "")


def _printed(piece: Piece) -> list[str]:
    return [line(piece), *([line(piece, piece["reduced"])] if has_reduced(piece) else [])]


def _worth(piece: Piece) -> float:
    attack, defense, movement = (piece.get(factor) or 0 for factor in FACTORS)
    return float(attack + defense + movement / 100)


def line(piece: Piece, of: Piece | None = None) -> str:
    """The factors of a side, "3-2-6" or "6-(2)-4"."""
    told = [str(value) for factor in FACTORS if (value := (piece if of is None else of).get(factor)) is not None]
    if piece.get("bracketed") and len(told) == len(FACTORS):
        told[1] = f"({told[1]})"
    return "-".join(told)


def _side(name: str, piece: Piece, style: Style, factors: str, *, worn: bool) -> str:
    shape, side = piece.get("ship") or piece["type"], piece["side"]
    classes = ["guards"] if piece.get("guard") else []
    classes += ["river"] if piece.get("mobility") == "river" else []
    path, half = shapes.ECHELONS.get(piece.get("size") or "", ("", 0.0))
    echelon = f'<path class="mark" transform="translate({num(39 - half)} 7.2)" d="{path}"/>' if path else ""
    text, left = piece["abbrev"], 4.5 if style["sides"][side]["edge"] == "keyline" else 6.5
    letters, fit = (10.5, "") if len(text) < 3 else (8.2, " tight") if half == 5 else (9.2, " snug")
    end = left + letters * sum(0.62 if c.isupper() else 0.5 for c in text)
    middle = (end + 39 - 2 * half) / 2 if half else 36
    room = shape != "leader" and (half or end < ROOM)
    emblem = f'<use href="#e-{piece["nation"]}" x="{num(middle)}" y="7.2"/>' if room else ""
    band = '<path class="guard" d="M3 13.5h4v16H3z"/>' if piece.get("guard") else ""
    return (
        f"{opening(name, piece, worn, *classes)}{BLANK}{edge(style, side)}"
        f'{band}<g class="glyph{"" if shape in shapes.ARMS else " free"}">{symbol(shape)}</g>'
        f'<g class="crest">{emblem}{echelon}</g>'
        f'<text class="id{fit}" x="{num(left)}" y="10.6">{escape(text)}</text>'
        f'<text class="factors{" long" if len(factors) > LONG else ""}" x="22" y="40">{factors}</text></g>'
    )


FACE = Face(_draw, _printed, _worth, has_reduced)
