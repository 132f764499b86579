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


def one_of(field: str, now: str | int | None, options: Mapping[Any, Any] | Sequence[str]) -> Field:
    """One of a few; `options` maps each (a name, a number, or null) to its label, or lists names whose word is
    `hand.FIELD.NAME`."""
    named = options if isinstance(options, Mapping) else {one: label(f"hand.{field}.{one}") for one in options}
    return {"field": field, "kind": "one_of", "now": now,
            "options": [{"id": one, "label": words} for one, words in named.items()]}


def flag(field: str, now: bool) -> Field:
    return {"field": field, "kind": "flag", "now": now}


def numbers(field: str, rows: Mapping[str, tuple[float, int, int]], step: float = 1) -> Field:
    """A number each: name -> now, lowest, highest."""
    return {"field": field, "kind": "numbers", "step": step,
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


def stands(field: str, now: Mapping[str, str], options: Iterable[str]) -> Field:
    """What of a few kinds stands on a space, these now; null for what stands there no more. Each kind is worded
    `hand.FIELD.KIND`."""
    return {"field": field, "kind": "stands", "now": dict(now), "options": list(options)}


def choices(field: str, rows: Mapping[str, tuple[str | None, Sequence[str]]]) -> Field:
    """One each: name -> now, what there is. A name of two parts, `SIDE:BOX`, is an object within an object."""
    return {"field": field, "kind": "choices",
            "rows": [{"id": one, "now": now, "options": list(there)} for one, (now, there) in rows.items()]}


def some(field: str, now: Sequence[str], options: Iterable[str]) -> Field:
    """Several names of a list, these now."""
    return {"field": field, "kind": "some", "now": list(now), "options": list(options)}


def levels(field: str, now: Mapping[str, Any], options: Sequence[str | int]) -> Field:
    """A level of each piece, the first unless it is in `now`; a word is `hand.FIELD.LEVEL`, else a piece's name."""
    return {"field": field, "kind": "levels", "now": dict(now), "options": list(options)}


def stances(field: str, now: Mapping[str, str], formations: Mapping[str, Sequence[str]]) -> Field:
    """How pieces stand, `HEX@FACING/FORMATION` as in the path of a move; `formations`: which way each may face."""
    return {"field": field, "kind": "stances", "now": dict(now),
            "formations": {form: list(ways) for form, ways in formations.items()}}


def stores(field: str, rows: Mapping[str, Mapping[str, int]], high: int) -> Field:
    """Numbers that lie on spaces, 0 for none: whose (a side, "" of nobody: the field then maps spaces themselves) ->
    space -> how many."""
    return {"field": field, "kind": "stores", "high": high,
            "rows": [{"id": whose, "now": dict(there)} for whose, there in rows.items()]}


def lists(field: str, rows: Mapping[str, tuple[Sequence[str], Sequence[str]]]) -> Field:
    """Several each: name -> those now, what there is."""
    return {"field": field, "kind": "lists",
            "rows": [{"id": one, "now": list(now), "options": list(there)} for one, (now, there) in rows.items()]}


def groups(field: str, now: Mapping[str, Mapping[str, Any]], may: Mapping[str, Sequence[str]],
           flags: Sequence[str]) -> Field:
    """At a space a group of units with some flags (worded `hand.FIELD.FLAG`), these now; `may`: who can be of it, by
    space. Null for a group that is there no more."""
    return {"field": field, "kind": "groups", "flags": list(flags),
            "rows": [{"id": at, "now": None if at not in now else {
                "units": list(now[at]["units"]), **{one: bool(now[at].get(one)) for one in flags}},
                "options": list(there)} for at, there in may.items()]}


def stages(names: Iterable[str], **args: Any) -> dict[str, Any]:
    """Phases by the words of the title's stages."""
    return {one: label(f"stage.{one}", **args) for one in names}
