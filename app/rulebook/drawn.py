"""Counters and signs of a map as a primer shows them: each by itself, in the colours of the reader's theme."""

from dataclasses import dataclass
from functools import cache

from markupsafe import Markup

from app.games import data
from app.sheet import areamap, drawing, pointmap
from app.sheet.counters import definitions
from app.sheet.faces import pieces_of
from app.sheet.sheets import extra_styles, title_style

SIGNS = {"areas": areamap.SIGNS, "points": [pointmap.SIGNS], "hexes": []}  # by kind of map, beside those of all


@dataclass(frozen=True)
class Legend:
    """`shapes`: what the signs are made of; `signs`: their names there, and what they mean."""

    shapes: Markup
    signs: tuple[tuple[str, str], ...]


@cache
def counters(title_id: str, units: tuple[str, ...]) -> Markup:
    """The shapes of some counters: `c-UNIT` is a whole face."""
    pieces = pieces_of(data.current(title_id).files["units"])
    return Markup(definitions(pieces, title_style(title_id), only=units))


@cache
def legend(title_id: str, lang: str) -> Legend:
    style = title_style(title_id)
    words = style["words"].get(lang) or style["words"]["en"]
    kind = data.current(title_id).files["map"].get("kind", "hexes")
    shapes = "".join(path.read_text() for path in [drawing.SIGNS, *SIGNS[kind]])
    return Legend(Markup(f"<defs>{shapes}</defs>"), tuple((sign, words["legend"][sign]) for sign in style["legend"]))


@cache
def map_styles(title_id: str) -> list[str]:
    """The style sheets that a title's map and counters need beyond the usual."""
    files = data.current(title_id).files
    return extra_styles({"map": files["map"], "units": pieces_of(files["units"])})
