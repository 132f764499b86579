"""What is true of every position of this title, whatever was played."""

from __future__ import annotations

from rules.core.errors import BadPosition
from rules.mechanics.written import Impossible
from rules.titles.ultimo_hombre.board import LIMIT, NEUTRAL, SIDES
from rules.titles.ultimo_hombre.movement import abilities
from rules.titles.ultimo_hombre.position import BOX, OUT, Position


def check(pos: Position) -> None:
    """Raises BadPosition that says what is wrong, with the clause."""
    game = pos.game
    if set(pos.at) != set(game.units):
        raise BadPosition("units lost or made up")
    for unit, loc in pos.at.items():
        if loc not in game.spaces and loc.partition(":")[0] not in ("reserve", "special", "dead"):
            raise BadPosition(f"{unit} stands at {loc!r}, which is no place")
        if loc in game.spaces and loc not in game.part:
            raise Impossible("off_the_part", "4", unit=unit, at=loc)
    for unit in pos.reduced:
        if game.units[unit].reduced is None or pos.reduced.count(unit) > 1:
            raise Impossible("not_reduced", "5", unit=unit)
    for space in game.spaces:
        sides = [side for side in SIDES if pos.units_of(side, space)]
        if len(sides) > 1 and space not in pos.attacks and pos.battle is None and pos.result is None:
            raise Impossible("both_sides", "7", at=space)
        if pos.battle is None and pos.result is None:
            for side in sides:
                if len(pos.units_of(side, space)) > LIMIT:
                    raise Impossible("too_many", "5", at=space, n=len(pos.units_of(side, space)), limit=LIMIT)
                if len(sides) == 1 and pos.controller(space) not in (side, NEUTRAL):
                    raise Impossible("held_by_other", "11", at=space)
    for side in SIDES:
        cards = [*pos.decks[side], *pos.hands[side], *pos.late[side], *pos.discards[side]]
        if pos.in_use[side] not in game.initial.values():
            cards.append(pos.in_use[side])
        if sorted(cards) != game.deck(side):
            raise Impossible("cards_wrong", "12.1", side=side)
    for leader, loc in pos.leaders.items():
        if loc not in (BOX, OUT) and loc not in game.spaces:
            raise BadPosition(f"{leader} stands at {loc!r}")
    for fort, space in pos.forts.items():
        if space not in game.spaces or list(pos.forts.values()).count(space) > 1:
            raise Impossible("fort_wrong", "9", fort=fort, at=space)
    if not {*pos.worn, *pos.besieged} <= set(pos.forts) or not set(pos.besieged) <= set(pos.worn):
        raise BadPosition("a fortress that is gone is hit or besieged (9)")
    for space, attack in pos.attacks.items():
        if attack["at"] != space or set(attack["blue"]) - set(attack["units"]) or set(attack["units"]) - set(
                attack["from"]):
            raise BadPosition(f"the attack on {space} is not whole (7)")
    _kept(pos)


def _kept(pos: Position) -> None:
    """4 What can go on from a space is what would be worked out from the position's state."""
    match pos.agenda[:1]:
        case [["movement", side]] if pos.able:
            fresh = Position.load(pos.game, pos.state())
            for space, able in pos.able.items():
                if able != abilities(fresh, side, space):
                    raise BadPosition(f"what can go on from {space} has changed, and nothing said so")
