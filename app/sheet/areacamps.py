"""What stands in the areas and boxes of an area map, for whole pictures: as static/js/board/areas.js draws it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from app.sheet.areasheet import AreaSheet
from app.sheet.counters import SIZE
from app.sheet.pen import Point, num

SHIFT = (16.0, 13.0)  # of a further stack, where a place holds more than it has room for
BESIDE = 0.7
Stack = Callable[[Mapping[str, Any], Point, Mapping[str, Any]], str]


def camps(sheet: AreaSheet, spaces: Mapping[str, Any], pieces: Mapping[str, Any], stack: Stack) -> str:
    """All camps of a view, the upper ones first. `stack` draws one stack around a point."""
    here = sorted((sheet.at[k][::-1], k) for k in spaces if k in sheet.slots)
    return "".join(camp(spaces[k], sheet.slots[k], pieces, stack) for _, k in here)


def camp(space: Mapping[str, Any], slots: list[Point], pieces: Mapping[str, Any], stack: Stack) -> str:
    """A stack for each owner on places of their own as far as there are; markers at the foot of the first."""
    out: list[str] = []
    for pile in (*_piled(space, pieces), *(space.get("others") or ())):
        (x, y), over = slots[len(out) % len(slots)], len(out) // len(slots)
        if drawn := stack(pile, (x + over * SHIFT[0], y + over * SHIFT[1]), pieces):
            out.append(drawn)
    for i, mark in enumerate(space.get("markers") or ()):
        x, y = slots[0][0] + 16 - i * (SIZE * BESIDE - 6), slots[0][1] + 4
        symbol = f"c-{mark['id']}" if mark["id"] in pieces else f"marker-{mark['kind']}"
        out.append(
            f'<g class="counter" transform="translate({num(x)} {num(y)})scale({BESIDE})"><use href="#{symbol}"/></g>'
        )
    return f'<g class="stack camp side-{space.get("side") or ""}">{"".join(out)}</g>' if out else ""


def _piled(space: Mapping[str, Any], pieces: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The seen units of a space by side and owner; the space itself where they are not seen."""
    if not space.get("units"):
        yield space
        return
    piles: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for unit in space["units"]:
        known = pieces[unit["id"]]
        piles.setdefault((known["side"], known["nation"]), []).append(unit)
    for (side, _), units in piles.items():
        yield {"side": side, "units": units, "count": len(units), "box": space.get("box")}
