"""1 Preparation, with options 4 and 5 (17.4, 17.5)."""

from __future__ import annotations

from typing import Any

from rules.core.agenda import DONE, Next
from rules.core.forms import Group, Place
from rules.core.procedure import Procedure, ask
from rules.core.request import Request, needs_some
from rules.titles.ultimo_hombre.board import LIMIT, PARAGUAYAN, SIDES, Game
from rules.titles.ultimo_hombre.position import BOX, Position
from rules.titles.ultimo_hombre.turn import game_turn, segments


def begin(game: Game, options: dict[str, Any]) -> Position:
    """1, 17.5 Units on their spaces, those of the treaty too, reserves and special units aside, leaders in their boxes,
    both decks, both initial cards in use."""
    pos = Position(game, options, vp=dict.fromkeys(SIDES, 0), capital=game.capital,
                   decks={side: game.deck(side) for side in SIDES}, in_use=dict(game.initial),
                   hands={side: [] for side in SIDES}, late={side: [] for side in SIDES},
                   discards={side: [] for side in SIDES}, leaders=dict.fromkeys(game.leaders, BOX))
    for unit, u in game.units.items():
        pos.put(unit, f"special:{u.side}" if u.special else f"reserve:{u.nation}")
    for space, units in game.scenario["placements"].items():
        for unit in units:
            pos.put(unit, space)
    if options.get("treaty"):  # 17.5
        for space, unit in game.scenario["treaty_units"].items():
            pos.put(unit, space)
    for fort, terms in game.fortresses.items():
        if terms["start"] in game.part:
            pos.fortify(fort, terms["start"])
    pos.agenda = [["free_set_up"], *game_turn()] if options.get("free_set_up") else game_turn()
    pos.argentina = game.scenario.body.get("argentina", pos.argentina)
    pos.touched.clear()
    return pos


@segments.segment
def free_set_up(pos: Position) -> Procedure[Next]:
    """17.4 The Paraguayan player may put his starting units on any spaces of Paraguay, six at most on each."""
    units = tuple(pos.game.scenario["free_units"])
    where = tuple(sorted(s.id for s in pos.game.spaces.values() if s.country == "paraguay"))
    standing: dict[str, int] = {}
    for space in where:
        n = sum(u not in units for u in pos.units_of(PARAGUAYAN, space))
        if n:
            standing[space] = n
    answer = yield from ask(Request(PARAGUAYAN, "prompt.free_set_up", "17.4", (
        Place("free_set_up", "17.4", (Group("army", "17.4", units, where, must=True),), LIMIT, "5", standing,
              suggested={u: pos.at[u] for u in units}),), needs=needs_some))
    for unit, space in answer["placed"].items():
        pos.put(unit, space)
    pos.tell("set_up", "17.4", PARAGUAYAN, count=len(units))
    return DONE
