"""What is true of every position of this title, whatever was played."""

from __future__ import annotations

from collections import Counter

from rules.core.errors import BadPosition
from rules.titles.chaco import stacking
from rules.titles.chaco.engineers import ROUGH
from rules.titles.chaco.position import (
    DEAD,
    DUE,
    FREE,
    LIFTED,
    LOST,
    PILE,
    REPLACED,
    TRUCKS,
    WAITING,
    Position,
)
from rules.titles.chaco.units import SIDES

PLACES = {FREE, *(box[side] for box in (PILE, DEAD, LOST, TRUCKS, DUE, WAITING, REPLACED, LIFTED) for side in SIDES)}
# Between these the owner may have more in a hex than stacking allows (11.1).
PASSING = ("_movement", "_reaction")


def check(pos: Position) -> None:
    """Raises BadPosition that says what is wrong, with the clause."""
    units, map_ = pos.game.units, pos.game.map
    missing = {u for u in units if u not in pos.at and units[u].type != "supply"}
    if missing:
        raise BadPosition(f"counters lost: {sorted(missing)[:5]}")
    for unit, loc in pos.at.items():
        if loc not in PLACES and not (loc in map_.hexes and pos.game.in_play(loc)):
            raise BadPosition(f"{unit} stands at {loc!r}, which is no place")
    for loc, stack in pos.here.items():
        if loc in map_.hexes:
            _check_stack(pos, loc, stack)
    for side in SIDES:
        _check_side(pos, side)
    if set(pos.reduced) - {u for u in units if units[u].steps > 1}:
        raise BadPosition("a unit of one step cannot be reduced (2.12)")
    for name in ("reduced", "assigned", "settled", "out"):
        twice = [u for u, n in Counter(getattr(pos, name)).items() if n > 1]
        if twice:
            raise BadPosition(f"{twice[0]} is twice in {name}")
    for unit, spent in pos.spent.items():
        if spent > pos.factor(unit):
            raise BadPosition(f"{unit} has spent {spent} of {pos.factor(unit)} sixths of a point (10.1)")
    if len(pos.wells) > pos.game.n["wells"]["most"]:
        raise BadPosition(f"{len(pos.wells)} wells on the map (14.6)")
    fresh = Position.load(pos.game, pos.state())
    if fresh.here != pos.here:
        raise BadPosition("the stacks have not been kept up")


def _check_stack(pos: Position, loc: str, stack: list[str]) -> None:
    units = pos.game.units
    if len({units[u].side for u in stack}) > 1:
        raise BadPosition(f"both sides stand in {loc} (10.2)")
    fighters = [u for u in stack if units[u].combat]
    if fighters and loc not in pos.game.off_map and pos.stage != "set_up":
        if pos.controller(loc) != units[fighters[0]].side:
            raise BadPosition(f"{loc} is held by one side and controlled by the other (3.2)")
        # A trail that grew over may have left six where four can be, until the owner's next movement.
        most = max(stacking.limit(pos, loc), pos.game.n["stacking"]["open"] if _rough(pos, loc) else 0)
        if stacking.counted(pos, stack) > most and not pos.stage.endswith(PASSING):
            raise BadPosition(f"too many units in {loc} (11.2)")
    if [units[u].place for u in stack] != sorted(units[u].place for u in stack):
        raise BadPosition(f"the stack of {loc} is out of order")


def _rough(pos: Position, loc: str) -> bool:
    return pos.game.map.hexes[loc].terrain in ROUGH


def _check_side(pos: Position, side: str) -> None:
    game = pos.game
    on_map = [x for x in game.leaders[side] if pos.at[x] in game.map.hexes]
    if pos.stage != "set_up" and len(on_map) > game.n["leaders"]:
        raise BadPosition(f"{len(on_map)} leaders of {side} on the map (15.1)")
    chief = pos.commander[side]
    if not pos.unit(chief).named or pos.at[chief] not in {*game.map.hexes, FREE, WAITING[side]}:
        raise BadPosition(f"the army of {side} is commanded by nobody (15.1)")
    if not 0 <= pos.replacements[side] <= game.n["replacements_kept"]:
        raise BadPosition(f"{pos.replacements[side]} replacements of {side} (9.1)")
    if not 0 <= pos.air[side] <= game.n["air"][side]:
        raise BadPosition(f"{pos.air[side]} air markers of {side} (13.3)")
