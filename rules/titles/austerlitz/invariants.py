"""What is true of every position of this title, whatever was played."""

from __future__ import annotations

from functools import lru_cache

from rules.core.errors import BadPosition
from rules.maps.hexes import FACINGS
from rules.mechanics.written import Impossible
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
        raise Impossible("no_place", "5.1", unit=unit, at=loc)
    if loc not in game.area:
        raise Impossible("off_the_part", "2.1", unit=unit, at=loc)
    if game.board.terrain[loc] == "pond":
        raise Impossible("in_pond", "5.1", unit=unit, at=loc)
    if u.strength - lost <= 0:
        raise Impossible("no_points_left", "8.5.1", unit=unit)
    if form is None or ((form in TO_VERTICES) != (facing % 2 == 1) and form not in ALL_WAYS):
        raise Impossible("wrong_facing", "6.3", unit=unit, form={"key": f"formation.{form}"}, given=FACINGS[facing])
    if level and u.guns:
        raise Impossible("morale_of_guns", "9.3", unit=unit)
    if level == ROUT and form != DISORDER and u.battalion is None:
        raise Impossible("only_disordered", "9.2.4", unit=unit, form={"key": f"formation.{form}"})
    if u.cossack and form != DISORDER:
        raise Impossible("only_disordered", "A2.3", unit=unit, form={"key": f"formation.{form}"})
    if blown == 2 and form != DISORDER:
        raise Impossible("only_disordered", "8.4.4", unit=unit, form={"key": f"formation.{form}"})
    if tail is not None and tail not in game.board.touching(loc):
        raise Impossible("wrong_hexes", "6.5", unit=unit)
    if (tail is not None) != (u.hexes == 2 or form == SPREAD):
        raise Impossible("wrong_hexes", "6.5", unit=unit)


@lru_cache(maxsize=65_536)
def _stacked(game: Game, hex_: str, stack: tuple[str, ...], other: str | None, rests: bool) -> None:
    """What must be true of a stack, `other` with its second hex in it among them; of arms and batteries when nobody
    acts (`rests`)."""
    here = stack if other is None else (other, *stack)
    if len({game.units[u].side for u in here}) > 1:
        raise Impossible("both_sides", "5.1", at=hex_)
    if not rests:
        return
    if len({game.units[u].arm for u in here if not game.units[u].guns}) > 1:
        raise Impossible("foot_and_horse", "7.1", at=hex_)
    if len([u for u in stack if game.units[u].guns]) > 2:
        raise Impossible("too_many_batteries", "7.1", at=hex_)


def _markers(pos: Position) -> None:
    if len(set(pos.pool)) != len(pos.pool):
        raise BadPosition("a marker is in the pool twice (4.0)")
    for marker in pos.pool:
        m = pos.game.markers[marker]
        if m.kind == "corps" and m.command is not None and any(
                pos.game.marker_of[d] in pos.pool for d in pos.game.commands[m.command].divisions):
            raise Impossible("corps_and_divisions", "4.8", unit=marker)
