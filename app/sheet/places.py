"""Places of several hexes: one sign, one name for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from app.sheet import names
from app.sheet.hexsheet import Hex, HexSheet
from app.sheet.lettering import escape, width
from app.sheet.pen import num

TOWNS = frozenset(("village", "town", "castle", "fort"))  # kinds lettered as towns are, below their lowest hex
SIZES = {"hill": 20, "wood": 15, "pond": 40}  # of the others, in their midst
SPACED = {"pond": 0.16}
LARGE = 3  # a town of more hexes is a key town


def _of(sheet: HexSheet, *, town: bool) -> Iterator[tuple[str, dict[str, Any], list[Hex]]]:
    for key, place in sorted(sheet.places.items()):
        kind, hexes = place.get("kind"), [sheet.key(hex_id) for hex_id in place["hexes"]]
        if (kind in TOWNS) if town else (kind in SIZES):
            yield key, place, hexes


def signs(sheet: HexSheet) -> str:
    """The sign that the style's `marks` have for a kind of place, in its middle hex."""
    out, marks = [], sheet.style.get("marks", {})
    for _, place in sorted(sheet.places.items()):
        if sign := marks.get(place.get("kind")):
            x, y = sheet.centre(sheet.key(place["hexes"][len(place["hexes"]) // 2]))
            out.append(f'<use href="#t-{sign}" x="{num(x)}" y="{num(y)}"/>')
            sheet.block(x, y, 9)
    return "".join(out)


def towns(sheet: HexSheet, words: Mapping[str, Any]) -> str:
    """Names of towns and villages, the largest first."""
    out = []
    for key, place, hexes in sorted(_of(sheet, town=True), key=lambda of: -len(of[2])):
        middle = sum(sheet.centre(k)[0] for k in hexes) / len(hexes)
        low = max(hexes, key=lambda k: sheet.centre(k)[1] - abs(sheet.centre(k)[0] - middle) * 0.6)
        out.append(names.town_label(sheet, low, _name(key, place, words), len(hexes) > LARGE))
    return "".join(out)


def lettered(sheet: HexSheet, words: Mapping[str, Any]) -> str:
    """Names of hills, woods and ponds, in their midst."""
    out = []
    for key, place, hexes in _of(sheet, town=False):
        kind, text = place["kind"], _name(key, place, words)
        size, spacing = SIZES[kind], SPACED.get(kind, 0.0)
        x, y = (sum(sheet.centre(k)[i] for k in hexes) / len(hexes) for i in (0, 1))
        wide = width(text, size, "italic", spacing)
        for part in range(-2, 3):
            sheet.block(x + part * wide / 5, y - size * 0.3, size * 0.5)
        apart = f' letter-spacing="{num(spacing * size)}"' if spacing else ""
        out.append(f'<text class="{kind}" x="{num(x)}" y="{num(y)}" font-size="{size}"{apart}>{escape(text)}</text>')
    return "".join(out)


def _name(key: str, place: Mapping[str, Any], words: Mapping[str, Any]) -> str:
    return str(words.get("areas", {}).get(key, place["name"]))
