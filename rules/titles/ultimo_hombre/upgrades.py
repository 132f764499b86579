"""Stored positions and pinned data of older days, brought up to date. Schema 1 of positions is the first."""

from __future__ import annotations

from typing import Any

from rules.core.title import Upgrade
from rules.mechanics.stored import with_faces, with_scenarios

UPGRADES: dict[int, Upgrade] = {}
SEATINGS = {"two": {"allied": {"side": "allied"}, "paraguayan": {"side": "paraguayan"}}}
OPTIONS = {name: [False, True] for name in ("leaders", "mato_grosso", "chaco", "free_set_up", "treaty")}


def upgrade_data(files: dict[str, Any]) -> dict[str, Any]:
    """The only scenario lay among the files, and its seats and options in the code; no piece named its face."""
    return with_faces(with_scenarios(files, SEATINGS, OPTIONS),
                      {"units": "strength", "leaders": "leader", "fortresses": "fort"})
