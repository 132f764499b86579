"""Flat-top hexes in offset columns, named "CCRR": two digits of column, two of row, row 1 in the north.

In every second column the hexes lie half a hex lower (further south). Which columns do is a property of the
printed map, not of the geometry, so it is data: a `Stagger`.
"""

from typing import Literal

Stagger = Literal["odd", "even"]
"""The columns that lie half a hex lower."""

_HIGH = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1))
_LOW = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))


def column_row(hex_id: str) -> tuple[int, int]:
    """Column and row of a hex id. ValueError if it is not four digits."""
    if len(hex_id) != 4 or not (hex_id.isascii() and hex_id.isdigit()):
        raise ValueError(f"not a hex id: {hex_id!r}")
    return int(hex_id[:2]), int(hex_id[2:])


def hex_at(column: int, row: int) -> str:
    """The id of the hex in that column and row, each 0 to 99. ValueError outside."""
    if not (0 <= column <= 99 and 0 <= row <= 99):
        raise ValueError(f"no hex id for column {column}, row {row}")
    return f"{column:02d}{row:02d}"


def _is_low(column: int, lower: Stagger) -> bool:
    return bool(column % 2) == (lower == "odd")


def neighbours(hex_id: str, lower: Stagger) -> tuple[str, ...]:
    """The hexes around one, clockwise from the north; those that no id can name are left out."""
    column, row = column_row(hex_id)
    around = ((column + c, row + r) for c, r in (_LOW if _is_low(column, lower) else _HIGH))
    return tuple(hex_at(c, r) for c, r in around if 0 <= c <= 99 and 0 <= r <= 99)


def _double_height(hex_id: str, lower: Stagger) -> tuple[int, int]:
    """Column, and twice the height of the centre: whole numbers for all hexes."""
    column, row = column_row(hex_id)
    return column, 2 * row + _is_low(column, lower)


def distance(a: str, b: str, lower: Stagger) -> int:
    """Steps from one hex to another over an endless map."""
    column_a, height_a = _double_height(a, lower)
    column_b, height_b = _double_height(b, lower)
    sideways = abs(column_a - column_b)
    return sideways + max(0, (abs(height_a - height_b) - sideways) // 2)


def within(hex_id: str, radius: int, lower: Stagger) -> tuple[str, ...]:
    """All hexes at most `radius` steps away, the hex itself too, sorted; those that no id can name are left out."""
    centre, height = _double_height(hex_id, lower)
    found: list[str] = []
    for column in range(max(0, centre - radius), min(99, centre + radius) + 1):
        spread = 2 * radius - abs(column - centre)
        offset = _is_low(column, lower)
        first, last = -((spread - height + offset) // 2), (height + spread - offset) // 2
        found.extend(hex_at(column, row) for row in range(max(0, first), min(99, last) + 1))
    return tuple(found)


def ring(hex_id: str, radius: int, lower: Stagger) -> tuple[str, ...]:
    """The hexes exactly `radius` steps away, sorted; those that no id can name are left out."""
    return tuple(other for other in within(hex_id, radius, lower) if distance(hex_id, other, lower) == radius)
