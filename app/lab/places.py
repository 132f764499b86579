"""The places of a title's map by the names that a file can use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.games import data as titles

KINDS = ("hexes", "spaces", "areas", "boxes")  # the kinds of a map
VOID = "void"  # drawn, but no space


def places(title_id: str) -> dict[str, Mapping[str, Any]]:
    """Every hex, space, area or box in play, with what the map says of it."""
    board = titles.current(title_id).files["map"]
    return {place: body for kind in KINDS for place, body in board.get(kind, {}).items()
            if body.get("kind") != VOID}
