"""Re-deals what a side may not know: the markers that the other side has in the pool."""

from __future__ import annotations

from random import Random

from rules.core.seats import Side
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.units import enemy

TRIES = 60  # a deal may end where a corps and its divisions shut one another out


def scramble(pos: Position, side: Side, rng: Random, keep: set[str]) -> None:
    """Deal the markers of the other side that have not been drawn anew, of as many of each kind, from all that could
    lie there by what the side knows; a corps and its divisions exclude each other (4.8)."""
    other = enemy(side)
    hidden = [m for m in pos.pool if pos.game.side[m] == other and m not in pos.drawn and m not in keep]
    kinds = sorted(pos.game.markers[m].kind for m in hidden)
    shown = [m for m in pos.pool if m not in hidden]
    for _ in range(TRIES):
        if (dealt := _dealt(pos, other, kinds, shown, rng)) is not None:
            fresh = iter(dealt)
            pos.pool = [next(fresh) if m in hidden else m for m in pos.pool]
            break
    pos.touched.clear()


def _dealt(pos: Position, side: Side, kinds: list[str], shown: list[str], rng: Random) -> list[str] | None:
    """Markers of these kinds beside those that are known; None when one finds no place any more."""
    found: list[str] = []
    for kind in kinds:
        there = {*shown, *found}
        able = [m.id for m in pos.game.markers.values() if m.side == side and m.kind == kind and m.id not in there
                and m.id not in pos.barred and m.id not in pos.game.unused and not _clashes(pos, m.id, there)]
        if not able:
            return None
        found.append(rng.choice(able))
    return found


def _clashes(pos: Position, marker: str, there: set[str]) -> bool:
    """4.8 Whether a marker can't be in the pool beside the others."""
    m = pos.game.markers[marker]
    if m.command not in pos.game.commands:
        return False
    command = pos.game.commands[m.command]
    if command.kind == "corps":
        return any(pos.game.marker_of[d] in there for d in command.divisions)
    return pos.game.marker_of.get(command.corps or "") in there
