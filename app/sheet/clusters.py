"""What stands at the spaces of a point map, for whole pictures: as static/js/board/cluster.js draws it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from app.sheet.counters import SIZE
from app.sheet.faces import side_up
from app.sheet.pen import Point, num
from app.sheet.pointsheet import PointSheet

FACE, SMALL, ROW, GAP, FOOT, CLASH = 0.82, 0.62, 3, 1.5, 17.0, 15.0


def clusters(sheet: PointSheet, spaces: Mapping[str, Any], pieces: Mapping[str, Any]) -> str:
    """All clusters of a view, the upper ones first."""
    here = sorted((sheet.at[k][::-1], k) for k in spaces if k in sheet.at)
    return "".join(cluster(spaces[k], (x, y), pieces) for (y, x), k in here)


def cluster(space: Mapping[str, Any], at: Point, pieces: Mapping[str, Any]) -> str:
    """Counters in rows of three above a sign, leaders and works beside; a control marker where nobody stands."""
    units, marks, out = space.get("units") or [], space.get("markers") or [], []
    if not units and space.get("control"):
        out.append(f'<use href="#control-{space["control"]}" x="{num(at[0])}" y="{num(at[1])}"/>')
    sides = list(dict.fromkeys(pieces[unit["id"]]["side"] for unit in units))
    fought = bool(space.get("contested")) and len(sides) > 1
    face, foot, wide = (SMALL if fought else FACE), at[1] + FOOT, 0.0
    step = SIZE * face + GAP
    for side in reversed(sides) if fought else [None]:
        group = [unit for unit in units if side is None or pieces[unit["id"]]["side"] == side]
        rows = math.ceil(len(group) / ROW)
        columns = math.ceil(len(group) / max(1, rows))
        wide = max(wide, columns * step, step)
        for i, unit in enumerate(group):
            in_row = min(columns, len(group) - i // columns * columns)
            x = at[0] - (in_row * step - GAP) / 2 + i % columns * step
            out.append(_piece(unit, (x, foot - (rows - i // columns) * step + GAP), face, pieces))
        foot -= rows * step + (9 if fought else 0)
    if space.get("contested"):
        out.append(f'<use href="#marker-battle" x="{num(at[0] - wide / 2 - 4)}" y="{num(at[1] - 18)}"/>')
    lower = sides[-1] if fought else None  # a leader stands by the rows of his side
    marks = sorted(marks, key=lambda mark: pieces.get(mark["id"], {}).get("side") != lower)
    out += _beside(marks, at, wide, CLASH if space.get("contested") else 0, pieces)
    return f'<g class="stack side-{space.get("side") or ""}">{"".join(out)}</g>' if out else ""


def _beside(
    marks: Sequence[Mapping[str, Any]], at: Point, wide: float, apart: float, pieces: Mapping[str, Any]
) -> list[str]:
    out, filled = [], {True: 0, False: 0}
    for mark in marks:
        leader = mark["kind"] == "leader"
        size = SIZE * FACE * (1 if leader else 0.92)
        x = at[0] + wide / 2 + 3 if leader else at[0] - wide / 2 - 3 - apart - size
        y = at[1] + FOOT - size - filled[leader] * (size - 5)
        out.append(_piece(mark, (x, y), size / SIZE, pieces))
        filled[leader] += 1
    return out


def _piece(piece: Mapping[str, Any], at: Point, scale: float, pieces: Mapping[str, Any]) -> str:
    symbol = side_up(piece, pieces) if piece["id"] in pieces else f"marker-{piece['kind']}"
    return (
        f'<g class="counter" transform="translate({num(at[0])} {num(at[1])})scale({num(scale, 3)})">'
        f'<use href="#{symbol}"/></g>'
    )
