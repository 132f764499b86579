"""What of a position can be put by hand (docs/protocol.md section 11): fields of a lab file's `position`, each with
what it is now and what it may be. A title lists its own in `lab.py`, beside what reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules.core.forms import label

Field = dict[str, Any]


def number(field: str, now: int, low: int, high: int) -> Field:
    """A whole number."""
    return {"field": field, "kind": "number", "now": now, "low": low, "high": high}


def one_of(field: str, now: str | None, options: Mapping[str, Any] | Sequence[str]) -> Field:
    """One of a few; `options` maps each to its label, or lists names whose word is `hand.FIELD.NAME`."""
    named = options if isinstance(options, Mapping) else {one: label(f"hand.{field}.{one}") for one in options}
    return {"field": field, "kind": "one_of", "now": now,
            "options": [{"id": one, "label": words} for one, words in named.items()]}


def flag(field: str, now: bool) -> Field:
    return {"field": field, "kind": "flag", "now": now}


def numbers(field: str, rows: Mapping[str, tuple[int, int, int]]) -> Field:
    """A number each: name -> now, lowest, highest."""
    return {"field": field, "kind": "numbers",
            "rows": [{"id": one, "now": now, "low": low, "high": high} for one, (now, low, high) in rows.items()]}


def pieces(field: str, off: Sequence[str], of: Iterable[str] | None = None,
           whole: Mapping[str, str] | None = None) -> Field:
    """Pieces (all units unless `of` names them) that stand on spaces, or are `off` the map in boxes of these names.
    `whole`: the field holds all that stand, these now, and who is not in it is off the map."""
    return {"field": field, "kind": "pieces", "off": list(off), "of": None if of is None else list(of),
            "whole": None if whole is None else dict(whole)}


def holders(field: str, options: Sequence[str]) -> Field:
    """Who holds a space."""
    return {"field": field, "kind": "holders", "options": list(options)}


def marked(field: str, now: Sequence[str]) -> Field:
    """Pieces that bear a mark: all of them, those of `now` so far."""
    return {"field": field, "kind": "marked", "now": list(now)}


def spots(field: str, now: Sequence[str]) -> Field:
    """Spaces that bear a mark."""
    return {"field": field, "kind": "spots", "now": list(now)}


def stages(names: Iterable[str], **args: Any) -> dict[str, Any]:
    """Phases by the words of the title's stages."""
    return {one: label(f"stage.{one}", **args) for one in names}
