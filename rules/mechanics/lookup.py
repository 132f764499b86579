"""Which cells of a printed table a question is about (docs/protocol.md section 5, LOOKUP)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Lookup = dict[str, Any]


def lookup(table: str, column: object = None, rows: Mapping[int, object] | Iterable[object] | None = None) -> Lookup:
    """`table`: its id in `rulebook.json`. `column`: its key, None for whole rows. `rows`: the key of the row for each
    face of the die that has one, or for each that is meant; None where each face's own `row` is it."""
    found: Lookup = {"id": table}
    if column is not None:
        found["column"] = str(column)
    if isinstance(rows, Mapping):
        found["rows"] = {str(face): str(row) for face, row in rows.items()}
    elif rows is not None:
        found["rows"] = [str(row) for row in dict.fromkeys(rows)]
    return found
