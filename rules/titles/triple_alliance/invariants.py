"""What is true of every position of this title, whatever was played."""

from __future__ import annotations

from rules.core.errors import BadPosition
from rules.mechanics.written import Impossible
from rules.titles.triple_alliance.movement import abilities
from rules.titles.triple_alliance.position import AVAILABLE, DEAD, EXPEDITION, FREE, OUT, Position
from rules.titles.triple_alliance.units import SIDES

PLACES = {*DEAD.values(), *AVAILABLE.values(), EXPEDITION, FREE, OUT}


def check(pos: Position) -> None:
    """Raises BadPosition that says what is wrong, with the clause."""
    units, map_ = pos.game.units, pos.game.map
    if set(pos.at) != set(units):
        raise BadPosition(f"counters lost or made up: {sorted(set(pos.at) ^ set(units))[:5]}")
    for unit, loc in pos.at.items():
        if not (loc in map_.hexes or loc in PLACES or loc.startswith("turn:")):
            raise BadPosition(f"{unit} stands at {loc!r}, which is no place")
        if loc in map_.hexes and loc not in pos.game.part:
            raise Impossible("off_the_part", "11.20", unit=unit, at=loc)
        if loc in map_.hexes and units[unit].river and map_.hexes[loc].terrain != "river":
            raise Impossible("ship_on_land", "12.2", unit=unit, at=loc)
        if units[unit].fortress and loc in map_.hexes and loc != pos.game.setup_hex[unit]:
            raise Impossible("fortress_left", "3.5", unit=unit, at=loc)
    for loc, stack in pos.here.items():
        if loc in map_.hexes:
            sides = {units[u].side for u in stack}
            if len(sides) > 1:
                raise Impossible("both_sides", "11.4", at=loc)
            if len(stack) > pos.game.limit:
                raise Impossible("too_many", "6.1", at=loc, n=len(stack), limit=pos.game.limit)
            if pos.stage != "set_up" and pos.controller(loc) not in sides:
                raise BadPosition(f"{loc} is held by one side and controlled by the other (3.6)")
        if [units[u].place for u in stack] != sorted(units[u].place for u in stack):
            raise BadPosition(f"the slowest unit is not on top in {loc} (3.5)")
    for side in SIDES:
        boxed = [h for h in pos.boxes[side].values() if h is not None]
        for hex_ in boxed:
            if pos.holder(hex_) != side or pos.fortress(hex_) is not None or boxed.count(hex_) > 1:
                raise Impossible("box_wrong", "3.5", at=hex_)
    _kept(pos)
    for unit, spent in pos.spent.items():
        if spent > pos.factor(unit):
            raise BadPosition(f"{unit} has spent {spent} of {pos.factor(unit)} points (11.2)")


def _kept(pos: Position) -> None:
    """What a position keeps beside its state is what would be worked out from its state."""
    fresh = Position.load(pos.game, pos.state())
    for name in ("here", "held", "boxed"):
        if getattr(pos, name) != getattr(fresh, name):
            raise BadPosition(f"{name} has not been kept up")
    if any(pos.hexes_of(side) != fresh.hexes_of(side) for side in SIDES):
        raise BadPosition("the hexes of a side have changed, and their order was kept")
    for hex_, able in pos.able.items():
        side = fresh.holder(hex_)
        if side is None or able != abilities(fresh, hex_, side):
            raise BadPosition(f"what the units of {hex_} can do has changed, and nothing said so")
