"""Reading positions that people wrote by hand (docs/positions.md). Whatever can't be raises Impossible, in words of the
catalogue: names are matched without regard to case, accents or separators, and a near miss is asked about."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from rules.core.errors import BadPosition, quoted


class Impossible(BadPosition):
    """A written position that cannot be. `key` names its sentence in the site's catalogue, `args` fill it, `clause` is
    the rule it breaks ("" for what can't be read)."""

    def __init__(self, key: str, clause: str = "", **args: Any) -> None:
        super().__init__(f"{key}{f' ({clause})' if clause else ''} {args}")
        self.key, self.clause, self.args_ = f"lab.{key}", clause, args


def fold(text: str) -> str:
    """Letters and digits alone, without case and accents: how names are compared."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(c for c in plain.casefold() if c.isalnum())


def name(given: Any, names: Iterable[str], what: str) -> str:
    """The one of `names` that is meant; `what` is their kind (`lab.what.KIND`). Raises Impossible."""
    known = list(names)
    if isinstance(given, str):
        if given in known:
            return given
        alike = [n for n in known if fold(n) == fold(given)]
        if len(alike) == 1:
            return alike[0]
    raise unknown(given, known, what)


def unknown(given: Any, known: Sequence[str], what: str) -> Impossible:
    """There is no such name: with what may be meant, or all there are if they are few."""
    by_fold = {fold(n): n for n in known}
    near = [by_fold[f] for f in get_close_matches(fold(quoted(given)), list(by_fold), 3, 0.6)]
    args: dict[str, Any] = {"what": {"key": f"lab.what.{what}"}, "given": quoted(given)}
    if near:
        return Impossible("unknown_near", **args, near=", ".join(near))
    if len(known) <= 30:
        return Impossible("unknown_of", **args, names=", ".join(known))
    return Impossible("unknown", **args)


def named(value: Any, names: Collection[str], what: str, field: str) -> list[str]:
    """A list of different names. Raises Impossible."""
    if not isinstance(value, list):
        raise Impossible("no_names", field=field)
    found = [name(item, names, what) for item in value]
    for item in found:
        if found.count(item) > 1:
            raise Impossible("twice", field=field, given=item)
    return found


def object_of(body: Mapping[str, Any], field: str) -> dict[str, Any]:
    """A field that holds an object, or nothing. Raises Impossible."""
    value = body.get(field, {})
    if not isinstance(value, dict):
        raise Impossible("no_dict", field=field)
    return value


def keyed(body: Mapping[str, Any], field: str, names: Collection[str], what: str) -> dict[str, Any]:
    """An object whose keys are names. Raises Impossible."""
    out: dict[str, Any] = {}
    for given, value in object_of(body, field).items():
        key = name(given, names, what)
        if key in out:
            raise Impossible("twice", field=field, given=key)
        out[key] = value
    return out


def number(value: Any, field: str, low: int, high: int, clause: str = "") -> int:
    """A whole number. Raises Impossible."""
    if type(value) is not int or not low <= value <= high:
        raise Impossible("no_number", clause, field=field, low=low, high=high, given=quoted(value))
    return value


def flag(body: Mapping[str, Any], field: str, default: bool = False) -> bool:
    """True or false. Raises Impossible."""
    value = body.get(field, default)
    if not isinstance(value, bool):
        raise Impossible("no_flag", field=field, given=quoted(value))
    return value


def check_fields(body: Mapping[str, Any], fields: Collection[str]) -> None:
    """Nothing but these fields. Raises Impossible."""
    for field in body:
        if field not in fields:
            raise unknown(field, sorted(fields), "field")


def cleared(body: Mapping[str, Any], sides: Sequence[str]) -> Sequence[str]:
    """The sides whose units are taken off first: `clear` is true for all of them, or names some. Raises Impossible."""
    given = body.get("clear", [])
    if isinstance(given, bool):
        return sides if given else []
    return named(given, sides, "side", "clear")


def placed(body: Mapping[str, Any], units: Collection[str],
           place: Callable[[str, Any], str] = lambda _unit, given: str(given)) -> Iterator[tuple[str, str]]:
    """Each unit of `units` with its place, as `place(unit, given)` reads it; as written without one. Raises
    Impossible."""
    for unit, given in keyed(body, "units", units, "unit").items():
        yield unit, place(unit, given)


def one_of(body: Mapping[str, Any], field: str, allowed: Sequence[str], default: str) -> str:
    """The value of a field that has a few. Raises Impossible."""
    return name(body.get(field, default), allowed, field) if field in body else default
