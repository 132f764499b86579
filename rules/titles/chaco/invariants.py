"""What is true of every position of this title, whatever was played."""

from __future__ import annotations

from collections import Counter

from rules.core.errors import BadPosition
from rules.mechanics.written import Impossible
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
            raise Impossible("no_place", unit=unit, at=loc)
    for loc, stack in pos.here.items():
        if loc in map_.hexes:
            _check_stack(pos, loc, stack)
    for side in SIDES:
        _check_side(pos, side)
    for unit in pos.reduced:
        if units[unit].steps < 2:
            raise Impossible("not_reduced", "2.12", unit=unit)
    for name in ("reduced", "assigned", "settled", "out"):
        twice = [u for u, n in Counter(getattr(pos, name)).items() if n > 1]
        if twice:
            raise BadPosition(f"{twice[0]} is twice in {name}")
    for unit, spent in pos.spent.items():
        if spent > pos.factor(unit):
            raise Impossible("spent_too_much", "10.1", unit=unit, n=spent, limit=pos.factor(unit))
    if len(pos.wells) > pos.game.n["wells"]["most"]:
        raise Impossible("too_many_of", "14.6", field="wells", n=len(pos.wells), limit=pos.game.n["wells"]["most"])
    fresh = Position.load(pos.game, pos.state())
    if fresh.here != pos.here:
        raise BadPosition("the stacks have not been kept up")


def _check_stack(pos: Position, loc: str, stack: list[str]) -> None:
    units = pos.game.units
    if len({units[u].side for u in stack}) > 1:
        raise Impossible("both_sides", "10.2", at=loc)
    fighters = [u for u in stack if units[u].combat]
    if fighters and loc not in pos.game.off_map and pos.stage != "set_up":
        if pos.controller(loc) != units[fighters[0]].side:
            raise Impossible("held_by_other", "3.2", at=loc)
        # A trail that grew over may have left six where four can be, until the owner's next movement.
        most = max(stacking.limit(pos, loc), pos.game.n["stacking"]["open"] if _rough(pos, loc) else 0)
        if stacking.counted(pos, stack) > most and not pos.stage.endswith(PASSING):
            raise Impossible("too_many", "11.2", at=loc, n=stacking.counted(pos, stack), limit=most)
    if [units[u].place for u in stack] != sorted(units[u].place for u in stack):
        raise BadPosition(f"the stack of {loc} is out of order")


def _rough(pos: Position, loc: str) -> bool:
    return pos.game.map.hexes[loc].terrain in ROUGH


def _check_side(pos: Position, side: str) -> None:
    game = pos.game
    on_map = [x for x in game.leaders[side] if pos.at[x] in game.map.hexes]
    if pos.stage != "set_up" and len(on_map) > game.n["leaders"]:
        raise Impossible("too_many_of", "15.1", field=f"leaders: {side}", n=len(on_map), limit=game.n["leaders"])
    chief = pos.commander[side]
    # 15.6 Who takes command from a box, from that of the replaced if need be, is in it until he enters.
    boxes = {FREE, WAITING[side], *([REPLACED[side]] if pos.stage.endswith("_politics") else [])}
    if not pos.unit(chief).named or pos.at[chief] not in {*game.map.hexes, *boxes}:
        raise Impossible("no_commander", "15.1", side=side)
    unused = pos.stage not in (f"{side}_supply", f"{side}_new_units")  # 9.1 what has just come in may be above it
    if pos.replacements[side] < 0 or (unused and pos.replacements[side] > game.n["replacements_kept"]):
        raise Impossible("too_many_of", "9.1", field="replacements", n=pos.replacements[side],
                         limit=game.n["replacements_kept"])
    if not 0 <= pos.air[side] <= game.n["air"][side]:
        raise Impossible("too_many_of", "13.3", field="air", n=pos.air[side], limit=game.n["air"][side])
