"""How wide a text is, so that names find their places without a browser; text escaped for SVG."""

from __future__ import annotations

import html
import re
import unicodedata

from app.sheet.pen import num

# Advance widths of Alegreya in hundredths of an em, upright and italic.
UPRIGHT = (
    "A60B61C62D70E59F52G66H75I36J33K64L52M84N72O68P56Q69R62S53T56U67V62W95X67Y56Z57a47b51c43d54e45f34g50"
    "h54i29j26k51l25m84n55o51p53q52r40s40t33u54v46w72x48y45z46"
)
ITALIC = (
    "A58B59C60D67E57F50G64H72I35J32K62L50M81N70O66P54Q66R60S51T53U64V59W91X64Y54Z55a47b47c35d48e37f27g46"
    "h50i27j26k46l26m75n51o42p49q46r36s35t29u50v43w66x47y45z41"
)


def _table(text: str) -> dict[str, float]:
    return {letter: int(width) / 100 for letter, width in re.findall(r"(\D)(\d\d)", text)}


WIDTHS = {"upright": _table(UPRIGHT), "italic": _table(ITALIC)}


def width(text: str, size: float, face: str = "upright", spacing: float = 0.0) -> float:
    """Width of `text` at `size`, letter-spaced by `spacing` em; accents take no room, unknown letters a quarter em."""
    letters = (c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return sum(WIDTHS[face].get(c, 0.25) + spacing for c in letters) * size


def escape(text: str) -> str:
    """Text as it may stand in SVG, in content and in attributes."""
    return html.escape(text)


def spaced(text: str, cls: str, at: tuple[float, float], size: float, spacing: float, turn: float | None = None) -> str:
    """A letter-spaced name around a point: of a country, a region, a sea; turned by some degrees if told."""
    (x, y), turned = at, "" if turn is None else f' transform="rotate({turn} {num(at[0])} {num(at[1])})"'
    return (
        f'<text class="{cls}" x="{num(x + size * spacing / 2)}" y="{num(y + size * 0.33)}" font-size="{num(size)}" '
        f'letter-spacing="{num(spacing * size)}"{turned}>{escape(text)}</text>'
    )
