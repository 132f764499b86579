"""Stored positions of older schemas, brought up to date: schema number -> function."""

from __future__ import annotations

from typing import Any

from rules.core.title import Upgrade


def _fed(state: dict[str, Any]) -> dict[str, Any]:
    """1 -> 2: which hexes are in supply is kept for the map; until the next check the layer has none."""
    return {**state, "fed": {}}


def _tried(state: dict[str, Any]) -> dict[str, Any]:
    """2 -> 3: whether a political phase has had its attempt."""
    return {**state, "tried": False}


UPGRADES: dict[int, Upgrade] = {1: _fed, 2: _tried}
