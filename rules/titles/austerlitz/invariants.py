"""What is true of every position of this title, whatever was played."""

from __future__ import annotations

from functools import lru_cache

from rules.core.errors import BadPosition
from rules.titles.austerlitz.formations import ALL_WAYS, DISORDER, SPREAD, TO_VERTICES
from rules.titles.austerlitz.game import Game
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.units import GOOD, ROUT


def check(pos: Position) -> None:
    """Raises BadPosition that says what is wrong, with the clause."""
    game, rests = pos.game, pos.act is None and pos.stage != "set_up"
    tail, form, facing, lost, morale, blown = pos.tail, pos.form, pos.facing, pos.lost, pos.morale, pos.blown
    for unit, loc in pos.at.items():
        if ":" not in loc:
            _stands(game, unit, loc, tail.get(unit), form.get(unit), facing.get(unit, 0), lost.get(unit, 0),
                    morale.get(unit, GOOD), blown.get(unit))
    for hex_, stack in pos.stacks.items():
        if ":" not in hex_:
            other = pos.second.get(hex_)
            _stacked(game, hex_, tuple(stack), other, rests)
    _markers(pos)
    if wrong := pos.fault():
        raise BadPosition(wrong)


@lru_cache(maxsize=65_536)
def _stands(game: Game, unit: str, loc: str, tail: str | None, form: str | None, facing: int, lost: int, level: int,
            blown: int | None) -> None:
    """What must be true of a counter on the map. Of one that stands as it stood it has been looked after."""
    u = game.units[unit]
    if loc not in game.board.around:
        raise BadPosition(f"{unit} stands at {loc!r}, which is no hex")
    if loc not in game.area:
        raise BadPosition(f"{unit} has left the ground of the scenario at {loc}")
    if game.board.terrain[loc] == "pond":
        raise BadPosition(f"{unit} stands in a pond at {loc}")
    if u.strength - lost <= 0:
        raise BadPosition(f"{unit} has no points left and is on the map (8.5.1)")
    if form is None or ((form in TO_VERTICES) != (facing % 2 == 1) and form not in ALL_WAYS):
        raise BadPosition(f"{unit} stands in {form} facing {facing} (6.3)")
    if level and u.guns:
        raise BadPosition(f"the morale of guns is always Good: {unit} (9.3)")
    if level == ROUT and form != DISORDER and u.battalion is None:
        raise BadPosition(f"{unit} is routed and in {form} (9.2.4)")
    if u.cossack and form != DISORDER:
        raise BadPosition(f"Cossacks in {form}: {unit} (A2.3)")
    if blown == 2 and form != DISORDER:
        raise BadPosition(f"{unit} is blown and in {form} (8.4.4)")
    if tail is not None and tail not in game.board.touching(loc):
        raise BadPosition(f"the hexes of {unit} do not touch (6.5)")
    if (tail is not None) != (u.hexes == 2 or form == SPREAD):
        raise BadPosition(f"{unit} stands on {'one hex' if tail is None else 'two hexes'} (6.5)")


@lru_cache(maxsize=65_536)
def _stacked(game: Game, hex_: str, stack: tuple[str, ...], other: str | None, rests: bool) -> None:
    """What must be true of a stack, `other` with its second hex in it among them; of arms and batteries when nobody
    acts (`rests`)."""
    here = stack if other is None else (other, *stack)
    if len({game.units[u].side for u in here}) > 1:
        raise BadPosition(f"both sides stand in {hex_}: {list(here)} (5.1)")
    if not rests:
        return
    if len({game.units[u].arm for u in here if not game.units[u].guns}) > 1:
        raise BadPosition(f"foot and horse in {hex_} (7.1)")
    if len([u for u in stack if game.units[u].guns]) > 2:
        raise BadPosition(f"too many batteries in {hex_} (7.1)")


def _markers(pos: Position) -> None:
    if len(set(pos.pool)) != len(pos.pool):
        raise BadPosition("a marker is in the pool twice (4.0)")
    for marker in pos.pool:
        m = pos.game.markers[marker]
        if m.kind == "corps" and m.command is not None and any(
                pos.game.marker_of[d] in pos.pool for d in pos.game.commands[m.command].divisions):
            raise BadPosition(f"a corps and its divisions are in the pool: {marker} (4.8)")
