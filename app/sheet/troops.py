"""Troops in their formations, for whole pictures: as static/js/board/troops.js draws them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from app.sheet.counters import SIZE
from app.sheet.faces.formation import band, laid, shape_of
from app.sheet.hexsheet import HexSheet
from app.sheet.lettering import escape
from app.sheet.pen import Point, num
from rules.maps.hexes import FACINGS

DRAWN, FAN, BESIDE = 3, (5, -4), 0.6
FIRST, OTHERS = 14.5, 12.5  # size of the first figure, and of the others
MOST, SHRUNK = 3, 0.82  # figures of full size; more of them are drawn smaller in the same room
CARDINAL = 0.2  # of a turn: a block that runs from north to south
Unit = Mapping[str, Any]
Fan = Callable[[Mapping[str, Any], Point, Mapping[str, Any]], str]


def has_troops(pieces: Mapping[str, Any]) -> bool:
    """Whether some piece is drawn as troops."""
    return any(piece.get("face") == "formation" for piece in pieces.values())


def camp(sheet: HexSheet, place: str, space: Mapping[str, Any], pieces: Mapping[str, Any], stack: Fan) -> str:
    """All that stands in a hex, what begins in another left out; `stack` draws what is not seen."""
    at = sheet.centre(sheet.key(place))
    if not space.get("units") and not space.get("markers"):
        return stack(space, at, pieces)
    here = [unit for unit in space.get("units", ()) if (unit.get("on") or [place])[0] == place]
    blocks = [unit for unit in here if pieces[unit["id"]].get("face") == "formation"]
    others = [*(unit for unit in here if unit not in blocks), *space.get("markers", ())]
    out = []
    for under, unit in reversed(list(enumerate(blocks[:DRAWN]))):
        x, y = _middle(sheet, unit, at)
        out.append(_block(unit, pieces[unit["id"]], (x + under * FAN[0], y + under * FAN[1]), named=not under))
    out += [_beside(piece, at, i, small=bool(blocks)) for i, piece in enumerate(others)]
    if len(blocks) > 1:
        out.append(f'<g class="stack-count" transform="translate({num(at[0] - 27)} {num(at[1] + 20)})">'
                   f'<circle r="7.6"/><text y="3.9">{len(blocks)}</text></g>')  # fmt: skip
    return "".join(out)


def _middle(sheet: HexSheet, unit: Unit, at: Point) -> Point:
    """Where a block is drawn: of one on several hexes the middle of its line, or its foremost hex."""
    there = [sheet.centre(sheet.key(place)) for place in unit.get("on", ())]
    facing = unit.get("facing") or "N"
    deep = unit.get("formation") != "skirmish" and FACINGS.index(facing) % 2 == 0
    if len(there) < 2 or deep:
        return at
    return sum(x for x, _ in there) / len(there), sum(y for _, y in there) / len(there)


def _block(unit: Unit, piece: Unit, at: Point, *, named: bool) -> str:
    shape = shape_of(unit.get("formation"), piece["type"], two=len(unit.get("on", ())) > 1)
    middle, gap, deep, fixed = laid(shape)
    turn = 0 if fixed else 30 * FACINGS.index(unit.get("facing") or "N")
    formation = unit.get("formation") or "column"
    classes = " ".join(("counter", "ctr", "troops", formation, piece["nation"], *band(piece)))
    turned = f' transform="rotate({turn})"' if turn else ""
    flag = '<use href="#f-flag"/>' if formation == "routed" else ""
    name = _name(piece.get("abbrev") or piece.get("name", ""), turn, deep) if named else ""
    return (
        f'<g class="{classes}" transform="translate({num(at[0])} {num(at[1])})"><use href="#f-{shape}"{turned}/>{flag}'
        f"{_figures(piece.get('figures', ()), turn, middle, gap, deep)}{name}</g>"
    )


def _figures(told: list[str], turn: float, middle: float, gap: float, deep: bool) -> str:
    """Figures upright on a turned block: along it, or from front to rear."""
    fx, fy = math.sin(math.radians(turn)), -math.cos(math.radians(turn))
    ax, ay = (-fx, -fy) if deep else (-fy, fx)
    if ax < -0.01 or (abs(ax) < 0.02 and ay < 0):
        ax, ay = -ax, -ay
    spread = gap * ((2 if deep else 1.35) if len(told) == 2 else min(1, 2 / max(1, len(told) - 1)))
    shrunk = SHRUNK if len(told) > MOST else 1
    out = []
    for i, text in enumerate(told):
        along, size = spread * (i - (len(told) - 1) / 2), (OTHERS if i else FIRST) * shrunk
        x, y = fx * middle + ax * along, fy * middle + ay * along + size * 0.335
        out.append(f'<text x="{num(x)}" y="{num(y)}" font-size="{num(size)}">{escape(text)}</text>')
    return f'<g class="tr-figures">{"".join(out)}</g>'


def _name(text: str, turn: float, deep: bool) -> str:
    """The name of a unit: below its block, behind one that runs from north to south."""
    if deep or abs(math.cos(math.radians(turn))) >= CARDINAL:
        return f'<text class="tr-name" y="34">{escape(text)}</text>'
    side, x = ("end", -12) if turn < 180 else ("start", 12)
    return f'<text class="tr-name {side}" x="{x}" y="3">{escape(text)}</text>'


def _beside(piece: Unit, at: Point, i: int, *, small: bool) -> str:
    """A leader or marker: small beside troops."""
    size = BESIDE if small else 1
    x = at[0] - SIZE * size / 2 + (24 - i * 14 if small else i * 8)
    y = at[1] - SIZE * size / 2 - (26 if small else i * 6)
    return (
        f'<g class="beside" transform="translate({num(x)} {num(y)})scale({size})">'
        f'<g class="counter"><use href="#c-{piece["id"]}"/></g></g>'
    )
