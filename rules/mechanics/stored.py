"""Positions as stored: the fields of a dataclass, as JSON, and back."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields
from functools import cache
from typing import Any

from rules.core.errors import BadPosition

PLAIN = frozenset({dict, list, str, int, bool, type(None)})  # JSON as they are


def stored_fields(position: Any) -> tuple[str, ...]:
    """What of a position of this class is stored: all fields but `game`, the data it is played with."""
    return _stored_fields(position)


@cache
def _stored_fields(position: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(position) if field.name != "game")


def state_of(pos: Any) -> dict[str, Any]:
    """All that is stored of a position, by field; a field that holds a dataclass as the list of what that holds."""
    return {name: value if type(value := getattr(pos, name)) in PLAIN else _plain(value)
            for name in _stored_fields(pos.__class__)}


def _plain(value: Any) -> Any:
    parts = getattr(value, "__dataclass_fields__", None)
    return value if parts is None else [getattr(value, name) for name in parts]


def with_scenarios(files: dict[str, Any], seatings: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The files of a title as they are now, of those that games pinned while a scenario was one of them: a file that
    names itself. It gets these seatings and options."""
    if "scenarios" in files:
        return files
    found = {name: {**body, "seatings": seatings, "options": options} for name, body in files.items()
             if isinstance(body, dict) and body.get("id") == name}
    return {**{name: body for name, body in files.items() if name not in found}, "scenarios": found}


def with_faces(files: dict[str, Any], faces: Mapping[str, str]) -> dict[str, Any]:
    """The same with a `face` for every piece of units.json that names none, by its group: of data that games pinned
    before pieces named their faces."""
    units = dict(files["units"])
    for group, face in faces.items():
        units[group] = {name: piece if "face" in piece else {**piece, "face": face}
                        for name, piece in units.get(group, {}).items()}
    return {**files, "units": units}


def check_state(position: Any, state: Mapping[str, Any], units: Collection[str]) -> None:
    """Raises BadPosition for a state with fields or units that the position does not know."""
    unknown = set(state) - set(stored_fields(position))
    if unknown:
        raise BadPosition(f"unknown fields: {', '.join(sorted(unknown))}")
    for unit in state["at"]:
        if unit not in units:
            raise BadPosition(f"unknown unit {unit}")
