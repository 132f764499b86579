"""Positions written by hand for a rules question (docs/positions.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.errors import BadPosition
from rules.core.forms import strings, table
from rules.maps.hexes import FACINGS, stance
from rules.mechanics import hand
from rules.mechanics.written import check_fields, cleared, one_of
from rules.titles.austerlitz import activation, invariants
from rules.titles.austerlitz.formations import ARCS, COLUMN, FACINGS_OF, LIMBERED, ROUTED, tail_of
from rules.titles.austerlitz.game import Game
from rules.titles.austerlitz.position import STAFF, Position
from rules.titles.austerlitz.setup import begin
from rules.titles.austerlitz.turn import turn_steps
from rules.titles.austerlitz.units import ROUT, SIDES

FIELDS = {
    "turn",
    "phase",
    "units",
    "leaders",
    "clear",
    "lost",
    "morale",
    "blown",
    "capped",
    "fatigue",
    "pool",
    "active",
    "mode",
    "strategic",
    "held",
    "fog",
    "initiative",
    "detached",
}
PHASES = ("command_change", "initiative", "activations", "no_marker", "removal", "rally", "rout_losses", "recovery",
          "fatigue", "move", "shoot", "melee")
LEVELS = {"good": 0, "shaken": 1, "unsteady": 2, "rout": 3}
MODES = ("full", "limited", "out", "strategic", "charge", "retreat")


def build(game: Game, options: Mapping[str, Any], body: Mapping[str, Any], base: Position | None = None) -> Position:
    """The position a file describes, from a scenario's set-up (or `base`) and what differs. Raises BadPosition.

    `units` maps unit to a stance, `B1512@NE/column`, or `dead`; `leaders` to a hex, `detached` a leader to the units he
    has taken over. `phase` is a segment of the turn, or a step (`move`, `shoot`, `melee`) of the activation of the
    division `active`, in a `mode`. """
    check_fields(body, FIELDS)
    pos = base or begin(game, dict(options))
    for side in cleared(body, SIDES):
        for unit in [u for u in pos.at if pos.unit(u).side == side]:
            pos.put(unit, f"away:{side}")
        for leader in [x for x in pos.leaders if game.side[x] == side]:
            pos.put_leader(leader, STAFF if game.leaders[leader].rank == "brigade" else f"away:{side}")
        pos.detached = {x: units for x, units in pos.detached.items() if game.side[x] != side}
    for unit, where in table(body.get("units", {}), "units").items():
        _stand(pos, unit, where)
    for leader, hex_ in table(body.get("leaders", {}), "leaders").items():
        if leader not in game.leaders or hex_ not in game.board.around:
            raise BadPosition(f"{leader!r} can't be at {hex_!r}")
        pos.put_leader(leader, hex_)
    _states(pos, body)
    if base is None or {"turn", "phase"} & body.keys():
        _agenda(pos, body)
    pos.touched.clear()
    invariants.check(pos)
    return pos


def by_hand(pos: Position) -> list[hand.Field]:
    """What of a position can be put by hand."""
    phases = PHASES[:PHASES.index("move")]
    return [
        hand.number("turn", pos.turn, 1, len(pos.plan["turns"])),
        hand.one_of("phase", pos.stage if pos.stage in phases else None, hand.stages(phases)),
        hand.pieces("units", ["dead"], pos.game.units),
        hand.pieces("leaders", [], pos.game.leaders),
    ]


def _stand(pos: Position, unit: str, where: str) -> None:
    """One counter as it is written."""
    if unit not in pos.game.units:
        raise BadPosition(f"there is no unit {unit}")
    if where == "dead":
        pos.remove([unit])
        return
    if where in pos.game.board.around:  # as it stood, or marches
        usual = LIMBERED if pos.unit(unit).guns else COLUMN
        where = f"{where}@{FACINGS[pos.facing.get(unit, 0)]}/{pos.form.get(unit, usual)}"
    try:
        told = stance(where)
    except ValueError as error:
        raise BadPosition(str(error)) from None
    form, facing = told.formation, told.facing
    if told.at not in pos.game.board.around or form not in ARCS or form == ROUTED or facing is None:
        raise BadPosition(f"{unit} can't stand as {where!r}: HEX@FACING/FORMATION")
    pos.form[unit], pos.facing[unit] = form, FACINGS_OF[facing]
    two = pos.unit(unit).hexes == 2 or form == "spread"
    pos.put(unit, told.at, tail_of(pos.game.board, told.at, form, FACINGS_OF[facing]) if two else None)


def _states(pos: Position, body: Mapping[str, Any]) -> None:
    """Losses, morale, fatigue and the rest; who is detached, and to whom (A4.4.5, A4.5)."""
    for leader, units in table(body.get("detached", {}), "detached", list).items():
        if leader not in pos.game.leaders or not all(u in pos.game.units for u in units):
            raise BadPosition(f"{leader} can't have {units}: a leader and his units")
        pos.detached[leader] = list(units)
        pos.special.setdefault("source", {})[leader] = pos.game.units[units[0]].command if units else None
    for name, kinds in (("lost", int), ("blown", int), ("fatigue", int), ("held", str)):
        getattr(pos, name).update(table(body.get(name, {}), name, kinds))
    for unit, level in table(body.get("morale", {}), "morale").items():
        if level not in LEVELS:
            raise BadPosition(f"morale is one of {', '.join(LEVELS)}")
        pos.morale[unit] = LEVELS[level]
        if LEVELS[level] == ROUT and unit not in pos.capped:
            pos.capped.append(unit)
        pos.mark(unit)
    pos.capped += strings(body.get("capped", []), "capped")
    pos.strategic = strings(body.get("strategic", pos.strategic), "strategic")
    if "pool" in body:
        pos.pool = strings(body["pool"], "pool")
        for marker in pos.pool:
            if marker not in pos.game.markers:
                raise BadPosition(f"there is no marker {marker}")
    if "fog" in body:
        pos.special["fog"] = body["fog"]
    for unit in list(pos.at):
        pos.mark(unit)


def _agenda(pos: Position, body: Mapping[str, Any]) -> None:
    """Where play goes on."""
    pos.turn = body.get("turn", 1)
    if type(pos.turn) is not int or not 1 <= pos.turn <= len(pos.plan["turns"]):
        raise BadPosition(f"turn is 1 to {len(pos.plan['turns'])}, not {pos.turn!r}")
    phase = one_of(body, "phase", PHASES, "command_change")
    pos.initiative = one_of(body, "initiative", SIDES, SIDES[0])
    steps = turn_steps()
    names = {"command_change": 1, "initiative": 2, "activations": 3, "no_marker": 4, "removal": 5, "rally": 6,
             "rout_losses": 7, "recovery": 8, "fatigue": 9}
    if phase in names:
        pos.stage = phase
        pos.agenda = steps[names[phase]:]
        return
    command = body.get("active")
    if command is None or command not in pos.game.commands or pos.game.commands[command].leader is None:
        raise BadPosition("a step of an activation needs its division: active")
    pos.stage = "activations"
    activation.begin(pos, command, one_of(body, "mode", MODES, "full"))
    rest = ["move", "shoot", "melee", "finish"]
    pos.agenda = [[name] for name in rest[rest.index(phase):]] + steps[4:]
    if phase != "move" and pos.act is not None:
        pos.act["may_charge"] = [u for u in pos.act["units"] if pos.unit(u).mounted]
