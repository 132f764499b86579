"""Positions written by hand for a rules question (docs/positions.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.errors import BadPosition
from rules.core.forms import strings, table
from rules.mechanics.written import check_fields, cleared, one_of, placed
from rules.titles.ultimo_hombre import invariants
from rules.titles.ultimo_hombre.board import PARAGUAYAN, SIDES, Game
from rules.titles.ultimo_hombre.control import set_control
from rules.titles.ultimo_hombre.position import BOX, OUT, Position
from rules.titles.ultimo_hombre.setup import begin
from rules.titles.ultimo_hombre.turn import PHASES, player_turn

FIELDS = {"turn", "phase", "units", "clear", "reduced", "control", "leaders", "fortresses", "vp", "hands", "decks",
          "in_use", "argentina", "uruguay", "capital", "capitals_used", "earned", "lost_strategic"}
FIRST = {"transport": "begin_turn", "movement": "begin_movement", "combat": "begin_combat", "restore": "begin_restore"}


def build(game: Game, options: Mapping[str, Any], body: Mapping[str, Any]) -> Position:
    """The position a file describes, from the set-up and what differs. Raises BadPosition.

    `phase` is SIDE_PHASE; `units` maps unit to space, `dead` or `reserve`; `clear` (true or sides) empties first.
    """
    check_fields(body, FIELDS)
    pos = begin(game, dict(options))
    for side in cleared(body, SIDES):
        for space in pos.spaces_of(side):
            for unit in list(pos.units_of(side, space)):
                pos.put(unit, f"dead:{side}")
    for unit, place in placed(body, game.units):
        u = game.units[unit]
        loc = f"dead:{u.side}" if place == "dead" else f"reserve:{u.nation}" if place == "reserve" else place
        pos.put(unit, loc)
    pos.reduced = strings(body.get("reduced", []), "reduced")
    _marks(pos, game, body)
    side, _, phase = body.get("phase", "allied_transport").partition("_")
    if side not in SIDES or phase not in PHASES:
        raise BadPosition(f"phase is one of {', '.join(f'{s}_{p}' for s in SIDES for p in PHASES)}")
    steps = player_turn(side)
    start = next(i for i, step in enumerate(steps) if step[0] == FIRST[phase])
    rest = player_turn(PARAGUAYAN) if side != PARAGUAYAN else []
    pos.agenda = [*steps[start:], *rest]
    pos.touched.clear()
    invariants.check(pos)
    return pos


def _marks(pos: Position, game: Game, body: Mapping[str, Any]) -> None:
    """Control, leaders, forts, cards and the state of the war."""
    for space in [s for s in pos.here if s in game.spaces]:
        set_control(pos, space, pos.unit(pos.here[space][0]).side)
    for space, side in table(body.get("control", {}), "control").items():
        if space not in game.spaces:
            raise BadPosition(f"there is no space {space}")
        set_control(pos, space, side)
    for leader, loc in table(body.get("leaders", {}), "leaders").items():
        if leader not in game.leaders or (loc not in game.spaces and loc not in (BOX, OUT)):
            raise BadPosition(f"leader {leader} at {loc!r}")
        pos.place_leader(leader, loc)
    if "fortresses" in body:
        for fort in list(pos.forts):
            pos.raze(fort)
        for fort, space in table(body["fortresses"], "fortresses").items():
            pos.fortify(fort, space)
    pos.vp.update(table(body.get("vp", {}), "vp", int))
    for side, card in table(body.get("in_use", {}), "in_use").items():
        if side not in SIDES or card not in game.cards:
            raise BadPosition(f"no such card of {side}: {card}")
        pos.decks[side] = [c for c in pos.decks[side] if c != card]
        pos.show(side, card)
    for name in ("hands", "decks"):
        for side, cards in table(body.get(name, {}), name, list).items():
            _deal(pos, name, side, strings(cards, name))
    pos.turn = body.get("turn", 1)
    for name, allowed in (("argentina", ("not_yet", "war", "out")), ("uruguay", ("blanco", "flipped"))):
        setattr(pos, name, one_of(body, name, allowed, getattr(pos, name)))
    pos.capital = body.get("capital", pos.capital)
    pos.capitals_used = body.get("capitals_used", 0)
    pos.earned = strings(body.get("earned", []), "earned")
    pos.lost_strategic = strings(body.get("lost_strategic", []), "lost_strategic")


def _deal(pos: Position, pile: str, side: str, cards: list[str]) -> None:
    """Put just these cards into a hand or deck; what is left over lies among the discards."""
    everything = pos.game.deck(side)
    if side not in SIDES or set(cards) - set(everything):
        raise BadPosition(f"no such cards of {side}: {', '.join(cards)}")
    getattr(pos, pile)[side] = list(cards)
    others = pos.decks[side] if pile == "hands" else pos.hands[side]
    others[:] = [c for c in others if c not in cards]
    used = {*pos.hands[side], *pos.decks[side], pos.in_use[side]}
    pos.discards[side] = [c for c in everything if c not in used]
