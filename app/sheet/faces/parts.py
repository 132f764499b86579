"""What a face is, and what several have in common: the square, its edge, the symbol."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from app.sheet import shapes
from app.sheet.pen import num

Piece = Mapping[str, Any]
Style = Mapping[str, Any]
SIZE = 44
BLANK = (
    f'<rect class="shade" x="1.2" y="1.8" width="{SIZE}" height="{SIZE}" rx="2.5"/>'
    '<rect class="ground" x=".4" y=".4" width="43.2" height="43.2" rx="2"/>'
)


def figures(piece: Piece) -> list[str]:
    """What the title's own fields print on it, in one word."""
    return ["-".join(piece["figures"])] if piece.get("figures") else []


def two_factors(piece: Piece) -> list[str]:
    """The factors of both sides, those there are."""
    return [str(factor) for factor in (piece.get("full"), piece.get("reduced")) if factor is not None]


def has_reduced(piece: Piece) -> bool:
    return piece.get("reduced") is not None


@dataclass(frozen=True)
class Face:
    """One kind of face.

    `draw(name, piece, style)`: SVG text of every side, `c-NAME`, and `c-NAME-r` for another. `printed`: what is printed
    on each of its sides ("3-2-6"), to be told beside it. `worth`: of two pieces the lesser is given up first, if one
    does not care. `turns`: whether it has another side, shown by the badge `reduced`.
    """

    draw: Callable[[str, Piece, Style], str]
    printed: Callable[[Piece], list[str]] = figures
    worth: Callable[[Piece], float] = lambda _piece: 0
    turns: Callable[[Piece], bool] = lambda _piece: False


def edge(style: Style, side: str) -> str:
    """The inner edge that tells the sides apart without colour."""
    return shapes.EDGES[style["sides"][side]["edge"]]


def symbol(shape: str) -> str:
    """An arm in its box, or a free drawing."""
    if shape in shapes.ARMS:
        box = '<rect class="box" width="26" height="16"/>'
        return f'<g class="g" transform="translate(9 13)">{box}{shapes.ARMS[shape]}</g>'
    x, y, scale = shapes.FRAMES.get(shape, shapes.FREE_FRAME)
    resize = f"scale({scale:.3f})" if scale != 1 else ""
    return f'<g class="s" transform="translate({num(x)} {num(y)}){resize}">{shapes.FREE[shape]}</g>'


def opening(name: str, piece: Piece, worn: bool, *classes: str) -> str:
    """Opening of a side's group: its id and classes."""
    told = " ".join(("ctr", piece["nation"], *(("worn",) if worn else ()), *classes))
    return f'<g id="c-{name}{"-r" if worn else ""}" class="{told}">'

