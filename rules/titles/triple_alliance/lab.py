"""Positions written by hand for a rules question (docs/positions.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.agenda import Step
from rules.core.errors import BadPosition
from rules.core.forms import strings, table
from rules.mechanics.written import check_fields, cleared, one_of, placed
from rules.titles.triple_alliance import invariants, turn
from rules.titles.triple_alliance.position import DEAD, Position
from rules.titles.triple_alliance.setup import begin
from rules.titles.triple_alliance.units import ALLIED, PARAGUAY, SIDES, Game

FIELDS = {"turn", "phase", "units", "clear", "control", "boxes", "matto_grosso", "mendoza", "points", "taken",
          "lost_depots", "rail_entered", "captures"}


def phases() -> dict[str, list[Step]]:
    """Where a lab position can begin: each name with what is left of the turn from there."""
    out = {"events": turn.game_turn(2)[1:]}
    for side, rest in ((PARAGUAY, turn.player_turn(ALLIED)), (ALLIED, [])):
        mine = turn.player_turn(side)
        out[f"{side}_movement"] = [*mine, *rest, ["end_turn"]]
        for n in (1, 2, 3):
            out[f"{side}_combat_{n}"] = [*mine[1 + n:], *rest, ["end_turn"]]
    out["end_of_turn"] = [["end_turn"]]
    return out


def build(game: Game, options: Mapping[str, Any], body: Mapping[str, Any]) -> Position:
    """The position a file describes, from the suggested set-up and what differs. Raises BadPosition.

    `clear` (true or sides) takes all units off first; `units` maps unit to hex, `dead`, `turn:N`,
    `available` or `away:matto_grosso`. The phase `set_up` is the very beginning, with nothing placed.
    """
    check_fields(body, FIELDS)
    pos = begin(game, dict(options))
    if body.get("phase") == "set_up":
        if len(body) > 1:
            raise BadPosition("a game that is still to be set up has nothing but its phase")
        return pos
    for unit, hex_ in game.scenario["suggested"].items():
        pos.put(unit, hex_)
    for side in cleared(body, SIDES):
        for unit in pos.on_map(side):
            pos.put(unit, DEAD[side])
    for unit, place in placed(body, game.units):
        loc = f"{place}:{game.units[unit].side}" if place in ("dead", "available") else place
        pos.put(unit, loc)
    pos.turn = body.get("turn", 1)
    if type(pos.turn) is not int or not 1 <= pos.turn <= game.scenario["last_turn"]:
        raise BadPosition(f"turn is 1 to {game.scenario['last_turn']}, not {pos.turn!r}")
    phase = body.get("phase", "paraguay_movement")
    if phase not in [*phases()]:
        raise BadPosition(f"no phase {phase!r}; there are {', '.join(('set_up', *phases()))}")
    if phase == "events" and pos.turn == 1:
        raise BadPosition("turn 1 has no events (5.3)")
    pos.agenda = [list(step) for step in phases()[phase]]
    _marks(pos, game, body)
    pos.stage, pos.active = phase, next((s for s in SIDES if phase.startswith(s)), None)
    for hex_ in [h for h in pos.here if h in game.map.hexes]:
        side = game.units[pos.here[hex_][0]].side
        if game.home[hex_] != side:
            pos.control[hex_] = side
    _follow(pos)
    pos.touched.clear()
    invariants.check(pos)
    return pos


def _follow(pos: Position) -> None:
    """What must have happened for the hexes to be held as they are: 7.13, 10.3 towns taken, 7.9 depots lost,
    11.18 the railway entered."""
    tables, game = pos.game.tables, pos.game
    towns = sorted({*tables["sources"][PARAGUAY], *tables["replacements"]["paraguay_towns"]})
    pos.taken = sorted({*pos.taken, *(h for h in towns if pos.controller(h) == ALLIED)})
    pos.lost_depots = sorted({*pos.lost_depots, *(h for h in tables["depots"] if pos.controller(h) == PARAGUAY)})
    pos.rail_entered |= any(pos.controller(h) == ALLIED for h in game.rail)


def _marks(pos: Position, game: Game, body: Mapping[str, Any]) -> None:
    """Control, boxes, events and points of a lab position."""
    for hex_, side in table(body.get("control", {}), "control").items():
        if hex_ not in game.map.hexes or side not in SIDES:
            raise BadPosition(f"control of {hex_!r} by {side!r}")
        pos.control.pop(hex_, None)
        if game.home[hex_] != side:
            pos.control[hex_] = side
    for side, boxes in table(body.get("boxes", {}), "boxes", dict).items():
        for box, hex_ in boxes.items():
            if side not in SIDES or box not in pos.boxes[side]:
                raise BadPosition(f"no box {box} of {side}")
            if hex_ is not None and hex_ not in [*game.map.hexes]:
                raise BadPosition(f"box {box} of {side} cannot stand in {hex_!r}")
            pos.set_box(side, box, hex_)
    for name, allowed in (("matto_grosso", ("open", "not_launched", "launched", "answered", "unopposed")),
                          ("mendoza", ("quiet", "crushed", "lost"))):
        setattr(pos, name, one_of(body, name, allowed, "not_launched" if name == "matto_grosso" else "quiet"))
    pos.points = dict(table(body.get("points", {}), "points", int))
    if set(pos.points) - {"fortresses", "matto_grosso", "mendoza"}:
        raise BadPosition("points are fortresses, matto_grosso and mendoza; towns count by control (4.4)")
    pos.taken = strings(body.get("taken", []), "taken")
    pos.lost_depots = strings(body.get("lost_depots", []), "lost_depots")
    pos.rail_entered = bool(body.get("rail_entered", False))
    captures = body.get("captures", [])
    if not isinstance(captures, list) or not all(isinstance(c, list) and len(c) == 2 for c in captures):
        raise BadPosition("captures is a list of [units, factors] (13.27)")
    for force, factors in captures:
        if type(factors) is not int or not 0 <= factors <= 9:
            raise BadPosition(f"captured arms are 0 to 9 factors, not {factors!r} (13.27)")
        pos.booty.append([_known(game, strings(force, "captures")), factors])


def _known(game: Game, units: list[str]) -> list[str]:
    """These units, if there are such. Raises BadPosition."""
    for unit in units:
        if unit not in game.units:
            raise BadPosition(f"there is no unit {unit}")
    return units
