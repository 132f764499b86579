"""What is true of every position of this title, whatever was played."""

from __future__ import annotations

from rules.core.errors import BadPosition
from rules.titles.austerlitz.duty import in_area
from rules.titles.austerlitz.formations import ALL_WAYS, DISORDER, SPREAD, TO_VERTICES
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.units import GOOD, ROUT, SIDES


def check(pos: Position) -> None:
    """Raises BadPosition that says what is wrong, with the clause."""
    for unit, loc in pos.at.items():
        if ":" not in loc:
            _unit(pos, unit, loc)
    for hex_, stack in pos.stacks.items():
        if ":" in hex_:
            continue
        if len({pos.unit(u).side for u in pos.stack(hex_)}) > 1:
            raise BadPosition(f"both sides stand in {hex_}: {pos.stack(hex_)} (5.1)")
        if pos.act is None and pos.stage != "set_up":
            _stack(pos, hex_, stack)
    _markers(pos)
    _kept(pos)


def _unit(pos: Position, unit: str, loc: str) -> None:
    u, form, facing = pos.unit(unit), pos.form.get(unit), pos.facing.get(unit, 0)
    if loc not in pos.game.board.around:
        raise BadPosition(f"{unit} stands at {loc!r}, which is no hex")
    if not in_area(pos, loc):
        raise BadPosition(f"{unit} has left the ground of the scenario at {loc}")
    if pos.game.board.terrain[loc] == "pond":
        raise BadPosition(f"{unit} stands in a pond at {loc}")
    if pos.strength(unit) <= 0:
        raise BadPosition(f"{unit} has no points left and is on the map (8.5.1)")
    if form is None or ((form in TO_VERTICES) != (facing % 2 == 1) and form not in ALL_WAYS):
        raise BadPosition(f"{unit} stands in {form} facing {facing} (6.3)")
    level = pos.morale.get(unit, GOOD)
    if level and u.guns:
        raise BadPosition(f"the morale of guns is always Good: {unit} (9.3)")
    if level == ROUT and form != DISORDER and u.battalion is None:
        raise BadPosition(f"{unit} is routed and in {form} (9.2.4)")
    if u.cossack and form != DISORDER:
        raise BadPosition(f"Cossacks in {form}: {unit} (A2.3)")
    if pos.blown.get(unit) == 2 and form != DISORDER:
        raise BadPosition(f"{unit} is blown and in {form} (8.4.4)")
    two = unit in pos.tail
    if two and pos.tail[unit] not in pos.game.board.touching(loc):
        raise BadPosition(f"the hexes of {unit} do not touch (6.5)")
    if two != (u.hexes == 2 or form == SPREAD):
        raise BadPosition(f"{unit} stands on {'two hexes' if two else 'one hex'} (6.5)")


def _stack(pos: Position, hex_: str, stack: list[str]) -> None:
    others = [u for u in pos.stack(hex_) if not pos.unit(u).guns]
    if len({pos.unit(u).arm for u in others}) > 1:
        raise BadPosition(f"foot and horse in {hex_} (7.1)")
    if len(stack) - len([u for u in stack if not pos.unit(u).guns]) > 2:
        raise BadPosition(f"too many batteries in {hex_} (7.1)")


def _markers(pos: Position) -> None:
    if len(set(pos.pool)) != len(pos.pool):
        raise BadPosition("a marker is in the pool twice (4.0)")
    for marker in pos.pool:
        m = pos.game.markers[marker]
        if m.kind == "corps" and m.command is not None and any(
                pos.game.marker_of[d] in pos.pool for d in pos.game.commands[m.command].divisions):
            raise BadPosition(f"a corps and its divisions are in the pool: {marker} (4.8)")


def _kept(pos: Position) -> None:
    """What a position keeps beside its state is what would be worked out from its state."""
    fresh = Position.load(pos.game, pos.state())
    for name in ("at", "second", "here"):
        mine, theirs = getattr(pos, name), getattr(fresh, name)
        if name == "here":
            mine, theirs = ({k: sorted(v) for k, v in x.items()} for x in (mine, theirs))
        if mine != theirs:
            raise BadPosition(f"{name} has not been kept up")
    for side in SIDES:
        for mine, theirs in ((pos.zones(side), fresh.zones(side)), (pos.fronts(side), fresh.fronts(side))):
            if {k: sorted(v) for k, v in mine.items()} != {k: sorted(v) for k, v in theirs.items()}:
                raise BadPosition(f"the zones of {side} have not been kept up (6.2)")


