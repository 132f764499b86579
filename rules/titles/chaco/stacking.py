"""11 Stacking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.core.agenda import DONE, Next
from rules.core.forms import Allocate, Group, Legal, Lot, Place
from rules.core.procedure import Procedure, allocate
from rules.core.request import Request
from rules.titles.chaco import ahead
from rules.titles.chaco.position import Position
from rules.titles.chaco.turn import segments
from rules.titles.chaco.units import enemy

BOUNDLESS = 999


def limit(pos: Position, hex_: str) -> int:
    """11.2 Six units in the clear or in works, four elsewhere; 10.12 no limit off the map."""
    if hex_ in pos.game.off_map:
        return BOUNDLESS
    table = pos.game.n["stacking"]
    if hex_ in pos.works:
        return int(table["works"])
    return int(table["open" if pos.terrain(hex_) == "clear" else "other"])


def counted(pos: Position, units: Iterable[str]) -> int:
    """11.2, 11.3 How many of these units count for stacking; reduced ones as much as others."""
    return len(pos.game.counted.intersection(units))


def room(pos: Position, hex_: str) -> int:
    """How many more units that count a hex can take."""
    return limit(pos, hex_) - counted(pos, pos.stack(hex_))


def within_limits(pos: Position, name: str, clause: str, groups: tuple[Group, ...],
                  suggested: Mapping[str, str] | None = None, legal: Legal | None = None) -> Place:
    """11.2, 11.3 A placement that keeps to the limit of each hex; what does not count for stacking is free."""
    where = {h for group in groups for h in group.where}
    units = {u for group in groups for u in group.units}
    standing = {h: counted(pos, pos.stack(h)) for h in sorted(where)}
    limits = {h: max(limit(pos, h), standing[h]) for h in sorted(where)}
    return Place(name, clause, groups, BOUNDLESS, "11.2", {h: n for h, n in standing.items() if n},
                 suggested=suggested or {}, limits=limits, legal=legal or (lambda _answer: None),
                 free=frozenset(u for u in units if not pos.unit(u).counted))


def overfull(pos: Position, side: str) -> dict[str, int]:
    """11.1 Hexes of a side with more than may stand there, and how many too many."""
    return pos.standing(lambda: {hex_: -n for hex_ in pos.army(side) if (n := room(pos, hex_)) < 0}, side, "overfull")


@segments.segment
def excess(pos: Position, side: str) -> Procedure[Next]:
    """11.1 At the end of movement and of reaction movement the owner takes what is too many off to the dead pile; it
    scores as eliminated (a ruling)."""
    lots = []
    for hex_, over in overfull(pos, side).items():
        units = tuple(u for u in pos.stack(hex_) if pos.unit(u).counted)
        lots.append(Lot(hex_, units, over, over, at=hex_))
    if not lots:
        return DONE
    mover = enemy(side) if pos.stage.endswith("_reaction") else side
    taken = yield from allocate(Request(side, "prompt.excess", "11.1", (
        Allocate("excess", "11.1", "lose", tuple(lots)),), open_grounds=True,
        needs=lambda _: ahead.after(pos, side, mover, "movement" if side == mover else "reaction")))
    gone = sorted(u for units in taken.values() for u in units)
    pos.eliminate(gone)
    pos.tell("excess_lost", "11.1", side, reveals=True, hexes=sorted(taken), units=gone, count=len(gone))
    return DONE
