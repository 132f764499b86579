"""Tables as files that a spreadsheet opens: CSV of RFC 4180, with the mark by which it knows UTF-8, and nothing in it
that it would reckon with."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

TYPE = "text/csv; charset=utf-8"
ENCODING = "utf-8-sig"  # without its mark the commonest program takes the letters for those of another code
FORMULAS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # some read the wide ones, too


def csv_of(head: Sequence[Any], lines: Iterable[Sequence[Any]]) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows([_plain(cell) for cell in line] for line in (head, *lines))
    return out.getvalue().encode(ENCODING)


def _plain(cell: Any) -> Any:
    """A text that would be taken for a formula bears the sign of a text; spreadsheets pass over blanks before one, and
    over what controls. Numbers stay numbers."""
    if not isinstance(cell, str):
        return cell
    first = cell.lstrip("".join(map(chr, range(33))) + "\u00a0\ufeff")
    return f"'{cell}" if cell[:1] in ("\t", "\r", "\n") or first.startswith(FORMULAS) else cell
