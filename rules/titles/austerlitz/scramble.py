"""Re-deals what a side may not know: the markers that the other side has in the pool."""

from __future__ import annotations

from random import Random

from rules.core.seats import Side
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.units import enemy


def scramble(pos: Position, side: Side, rng: Random, keep: set[str]) -> None:
    """Put other markers of the other side in place of those that have not been drawn, of the same kinds; a corps and
    its divisions still exclude each other (4.8)."""
    other = enemy(side)
    for marker in [m for m in pos.pool if pos.game.side[m] == other and m not in pos.drawn and m not in keep]:
        kind = pos.game.markers[marker].kind
        able = [m.id for m in pos.game.markers.values() if m.side == other and m.kind == kind and m.id not in pos.pool
                and m.id not in pos.barred and not _clashes(pos, m.id, marker)]
        if able and rng.random() < 0.7:
            pos.pool[pos.pool.index(marker)] = rng.choice(able)
    pos.touched.clear()


def _clashes(pos: Position, marker: str, leaving: str) -> bool:
    """4.8 Whether a marker can't be in the pool beside the others."""
    there = {m for m in pos.pool if m != leaving}
    m = pos.game.markers[marker]
    if m.command not in pos.game.commands:
        return False
    command = pos.game.commands[m.command]
    if command.kind == "corps":
        return any(pos.game.marker_of[d] in there for d in command.divisions)
    return pos.game.marker_of.get(command.corps or "") in there
