"""Patches: what somebody who looks after the site corrects in a position, as a merge patch of its stored form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import orjson

from rules.core.errors import BadPosition


@dataclass(frozen=True, slots=True)
class Change:
    """One value that differs between two stored positions; None for what is not there. `path`: keys with dots."""

    path: str
    old: Any
    new: Any

    def stored(self) -> dict[str, Any]:
        return asdict(self)


def merged(state: bytes, merge: Mapping[str, Any]) -> bytes:
    """A stored position with a JSON merge patch (RFC 7396) applied. The fields of a position are always the same: one
    it doesn't have is refused, and null for one is its value; deeper, null takes a key away. Raises BadPosition."""
    body = orjson.loads(state)
    unknown = merge.keys() - body.keys()
    if unknown:
        raise BadPosition(f"unknown fields: {', '.join(sorted(unknown))}; there are {', '.join(sorted(body))}")
    for name, value in merge.items():
        body[name] = _merged(body[name], value)
    return orjson.dumps(body)


def _merged(target: Any, patch: Any) -> Any:
    if not isinstance(patch, Mapping):
        return patch
    out = dict(target) if isinstance(target, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            out.pop(key, None)
        else:
            out[key] = _merged(out.get(key), value)
    return out


def changes(old: bytes, new: bytes) -> list[Change]:
    """What differs between two stored positions, by path; lists are compared whole."""
    return sorted(_changes("", orjson.loads(old), orjson.loads(new)), key=lambda change: change.path)


def _changes(path: str, old: Any, new: Any) -> Iterator[Change]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in old.keys() | new.keys():
            yield from _changes(f"{path}.{key}" if path else key, old.get(key), new.get(key))
    elif old != new:
        yield Change(path, old, new)
