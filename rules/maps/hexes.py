"""Flat-top hexes in offset columns: the one geometry of rules and sheet (static/js/board/geometry.js follows it, held
to the same vectors).

A hex is a cell: column and row, whole numbers, rows growing to the south. In every second column the hexes lie half a
hex lower; which columns do is a property of the printed map, so it is data: a `Stagger`. What hexes are called is the
map's too (`cells`).

Directions go clockwise from the north, and nowhere in another order: hexsides 0 to 5 are N, NE, SE, S, SW, NW; vertex i
lies between sides i and i + 1, so vertices 0 to 5 are NNE, E, SSE, SSW, W, NNW.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

Stagger = Literal["odd", "even"]
"""The columns that lie half a hex lower."""
Cell = tuple[int, int]
"""Column and row."""

SIDES = ("N", "NE", "SE", "S", "SW", "NW")
VERTICES = ("NNE", "E", "SSE", "SSW", "W", "NNW")

_HIGH = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1))
_LOW = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))
DIGITS = (2, 2)  # of an id without labels: CCRR


def cells(data: Mapping[str, Any]) -> dict[str, Cell]:
    """Id -> cell of every hex of a map.json (docs/data.md): its own `at`, else what its id says by the grid's `labels`;
    without labels an id is CCRR. ValueError for an id that says nothing, or two hexes in one place."""
    labels: Sequence[Mapping[str, Any]] = data["grid"].get("labels") or ({},)
    found: dict[str, Cell] = {}
    ids: dict[Cell, str] = {}
    for hex_id, spot in data["hexes"].items():
        own = spot.get("at")
        cell = (own[0], own[1]) if own else labelled(hex_id, labels)
        if cell in ids:
            raise ValueError(f"hexes {ids[cell]!r} and {hex_id!r} in one place")
        found[hex_id] = cell
        ids[cell] = hex_id
    return found


def labelled(hex_id: str, labels: Sequence[Mapping[str, Any]]) -> Cell:
    """The cell that an id names: the digits after a label's `prefix`, `digits` of them for column and row, moved by its
    `shift`. ValueError if no label fits."""
    for label in labels:
        prefix, (wide, high) = label.get("prefix", ""), label.get("digits", DIGITS)
        figures = hex_id[len(prefix) :]
        if hex_id.startswith(prefix) and len(figures) == wide + high and figures.isascii() and figures.isdigit():
            columns, rows = label.get("shift", (0, 0))
            return int(figures[:wide]) + columns, int(figures[wide:]) + rows
    raise ValueError(f"not a hex id: {hex_id!r}")


def is_low(column: int, lower: Stagger) -> bool:
    """Whether the hexes of a column lie half a hex lower."""
    return bool(column % 2) == (lower == "odd")


def step(cell: Cell, side: int, lower: Stagger) -> Cell:
    """The hex over a hexside; sides are taken modulo 6."""
    column, row = (_LOW if is_low(cell[0], lower) else _HIGH)[side % 6]
    return cell[0] + column, cell[1] + row


def around(cell: Cell, lower: Stagger) -> tuple[Cell, ...]:
    """The six hexes around one, in the order of its hexsides."""
    column, row = cell
    return tuple((column + c, row + r) for c, r in (_LOW if is_low(column, lower) else _HIGH))


def side_to(a: Cell, b: Cell, lower: Stagger) -> int:
    """The hexside of `a` over which `b` lies. ValueError if they do not touch."""
    offset = b[0] - a[0], b[1] - a[1]
    offsets = _LOW if is_low(a[0], lower) else _HIGH
    if offset not in offsets:
        raise ValueError(f"{a} and {b} do not touch")
    return offsets.index(offset)


def doubled(cell: Cell, lower: Stagger) -> tuple[int, int]:
    """Column, and twice the height of the centre: whole numbers for all hexes. A step goes by (0, 2) or (1, 1)."""
    return cell[0], 2 * cell[1] + is_low(cell[0], lower)


def distance(a: Cell, b: Cell, lower: Stagger) -> int:
    """Steps from one hex to another over an endless map."""
    column_a, height_a = doubled(a, lower)
    column_b, height_b = doubled(b, lower)
    sideways = abs(column_a - column_b)
    return sideways + max(0, (abs(height_a - height_b) - sideways) // 2)


def within(cell: Cell, radius: int, lower: Stagger) -> tuple[Cell, ...]:
    """All hexes at most `radius` steps away, the hex itself too, by column and row."""
    centre, height = doubled(cell, lower)
    found: list[Cell] = []
    for column in range(centre - radius, centre + radius + 1):
        spread = 2 * radius - abs(column - centre)
        offset = is_low(column, lower)
        first, last = -((spread - height + offset) // 2), (height + spread - offset) // 2
        found.extend((column, row) for row in range(first, last + 1))
    return tuple(found)


def ring(cell: Cell, radius: int, lower: Stagger) -> tuple[Cell, ...]:
    """The hexes exactly `radius` steps away, by column and row."""
    return tuple(other for other in within(cell, radius, lower) if distance(cell, other, lower) == radius)


def towards(a: Cell, b: Cell, lower: Stagger) -> tuple[int, ...]:
    """The hexsides by which the straight line from the centre of `a` to that of `b` leaves `a`: one, two where it goes
    through the vertex between them, none for a hex to itself."""
    dx, dy = (there - here for here, there in zip(doubled(a, lower), doubled(b, lower), strict=True))
    if not dx:
        return () if not dy else (3,) if dy > 0 else (0,)
    east = dx > 0
    if not dy:
        return (1, 2) if east else (4, 5)
    north = dy < 0
    if abs(dy) == 3 * abs(dx):
        return ((0, 1) if north else (2, 3)) if east else ((5, 0) if north else (3, 4))
    if abs(dy) > 3 * abs(dx):
        return (0,) if north else (3,)
    return (1 if north else 2,) if east else (5 if north else 4,)


FACINGS = ("N", "NNE", "NE", "E", "SE", "SSE", "S", "SSW", "SW", "W", "NW", "NNW")
"""All facings clockwise by 30 degrees: hexsides and vertices in turn."""


def _twelfth(facing: str) -> int:
    if facing not in FACINGS:
        raise ValueError(f"not a facing: {facing!r}")
    return FACINGS.index(facing)


def turned(facing: str, twelfths: int) -> str:
    """A facing turned clockwise by that many times 30 degrees: 2 for a hexside or vertex on, 6 for an about-face.
    ValueError for an unknown facing."""
    return FACINGS[(_twelfth(facing) + twelfths) % 12]


def faces_vertex(facing: str) -> bool:
    """Whether a facing is to a vertex, not to a hexside. ValueError for an unknown facing."""
    return _twelfth(facing) % 2 == 1


def first_side(facing: str) -> int:
    """The hexside faced; of a vertex the one before it, clockwise. ValueError for an unknown facing."""
    return _twelfth(facing) // 2


class Arcs(NamedTuple):
    """Which hexsides are front, flank and rear, counted clockwise from the first side faced (`first_side`)."""

    front: tuple[int, ...]
    flank: tuple[int, ...] = ()
    rear: tuple[int, ...] = ()


TO_SIDE = Arcs((0,), (1, 2, 4, 5), (3,))  # a counter turned to a hexside
TO_VERTEX = Arcs((0, 1), (2, 5), (3, 4))  # a counter turned to a vertex
ALL_ROUND = Arcs((0, 1, 2, 3, 4, 5))


def arcs_around(footprint: Collection[Cell], facing: str, arcs: Arcs, lower: Stagger) -> tuple[tuple[Cell, ...], ...]:
    """The hexes in front, on the flanks and behind a counter that stands on one hex or on several. One that lies in
    two arcs, of two hexes of the counter, belongs to the foremost."""
    first, taken = first_side(facing), set(footprint)
    out: list[tuple[Cell, ...]] = []
    for sides in arcs:
        cells_here: list[Cell] = []
        for cell in footprint:
            for side in sides:
                there = step(cell, first + side, lower)
                if there not in taken:
                    taken.add(there)
                    cells_here.append(there)
        out.append(tuple(cells_here))
    return tuple(out)


class Stance(NamedTuple):
    """How a counter stands: the hex (the foremost, or the left one, of several), a facing and a formation, both or
    the last None where a title has none. Written `B1512`, `B1512@NE` or `B1512@NE/column`: a step of a path."""

    at: str
    facing: str | None = None
    formation: str | None = None

    def __str__(self) -> str:
        facing = f"@{self.facing}" if self.facing else ""
        return f"{self.at}{facing}{f'/{self.formation}' if self.formation else ''}"


@lru_cache(maxsize=65_536)
def stance(text: str) -> Stance:
    """What a step of a path says. ValueError for an unknown facing or one without a hex."""
    at, sign, rest = text.partition("@")
    facing, slash, formation = rest.partition("/")
    if not at or (sign and facing not in FACINGS) or (slash and not formation):
        raise ValueError(f"not a step of a path: {text!r}")
    return Stance(at, facing or None, formation or None)
