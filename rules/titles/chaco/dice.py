"""2.1 The one die of the game: six faces, 1 to 6."""

from __future__ import annotations

from rules.core.procedure import Procedure, roll

FACES = 6


def die(why: str, clause: str) -> Procedure[int]:
    """A die read 1 to 6."""
    return (yield from roll(why, clause, 1, FACES))
