"""Positions written by hand for a rules question (docs/positions.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.errors import BadPosition
from rules.core.forms import label, strings, table
from rules.maps.hexes import FACINGS, stance
from rules.mechanics import hand
from rules.mechanics.written import check_fields, cleared, keyed, number, one_of
from rules.titles.austerlitz import activation, invariants
from rules.titles.austerlitz.formations import (
    ALL_WAYS,
    ARCS,
    COLUMN,
    FACINGS_OF,
    LIMBERED,
    ROUTED,
    TO_VERTICES,
    tail_of,
)
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
CLEAR = -1  # the level of fog when there is none
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
    if base is None or {"turn", "phase", "active", "mode"} & body.keys():
        _agenda(pos, body, base)
    if base is None or "initiative" in body:
        pos.initiative = one_of(body, "initiative", SIDES, SIDES[0])
    pos.touched.clear()
    invariants.check(pos)
    return pos


def by_hand(pos: Position) -> list[hand.Field]:
    """What of a position can be put by hand."""
    game, act = pos.game, pos.act or {}
    there = [u for u in pos.at if pos.at[u] in game.board.around]
    here = {game.units[u].command for u in there}
    stood = {u: f"{pos.at[u]}@{FACINGS[pos.facing.get(u, 0)]}/{pos.form[u]}" for u in there if u in pos.form}
    named = {n: level for level, n in LEVELS.items()}
    steps = {name: label(f"hand.phase.{name}") for name in PHASES[PHASES.index("move"):]}
    usual = hand.stages(PHASES[:PHASES.index("move")])
    active = [c for c, command in game.commands.items() if command.kind == "division" and command.leader is not None]
    return [
        hand.number("turn", pos.turn, 1, len(pos.plan["turns"])),
        hand.one_of("phase", pos.stage if pos.stage in usual else None, {**usual, **steps}),
        hand.choices("active", {"": (act.get("command"), active)}),
        hand.one_of("mode", act.get("mode"), {mode: label(f"mode.{mode}") for mode in MODES}),
        hand.one_of("initiative", pos.initiative, {side: label(f"seat.{side}") for side in SIDES}),
        hand.pieces("units", ["dead"], game.units),
        hand.pieces("leaders", [], game.leaders),
        hand.stances("units", stood, _ways()),
        hand.levels("lost", pos.lost, range(max(unit.strength for unit in game.units.values()))),
        hand.levels("morale", {u: named[n] for u, n in pos.morale.items()}, list(LEVELS)),
        hand.levels("blown", pos.blown, (0, 1, 2)), hand.marked("capped", pos.capped),
        hand.numbers("fatigue", {c: (pos.fatigue.get(c, 0), 0, 9) for c in (*game.commands, *game.leaders)
                                if c in here or c in pos.fatigue}),
        hand.some("pool", pos.pool, game.markers), hand.some("strategic", pos.strategic, game.commands),
        hand.holders("held", SIDES), hand.number("fog", _fog(pos), CLEAR, max(game.board.level.values())),
    ]


def _fog(pos: Position) -> int:
    fog: int | None = pos.special.get("fog")
    return CLEAR if fog is None else fog


def _ways() -> dict[str, list[str]]:
    """6.3 Which way the formations may face that a unit can be put in."""
    return {form: [way for way in FACINGS if form in ALL_WAYS or (form in TO_VERTICES) == (FACINGS_OF[way] % 2 == 1)]
            for form in ARCS if form != ROUTED}


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
    tired = [*pos.game.commands, *pos.game.leaders]
    known = {"lost": (int, pos.game.units, "unit"), "blown": (int, pos.game.units, "unit"),
             "fatigue": (int, tired, "unit"), "held": (str, pos.game.goals, "hex")}  # fmt: skip
    for name, (kinds, names, what) in known.items():
        kept = getattr(pos, name)
        kept.update(keyed({name: table(body.get(name, {}), name, kinds)}, name, names, what))
        for gone in [key for key, value in kept.items() if not value]:
            del kept[gone]
    for unit, level in table(body.get("morale", {}), "morale").items():
        if level not in LEVELS:
            raise BadPosition(f"morale is one of {', '.join(LEVELS)}")
        pos.morale[unit] = LEVELS[level]
        if LEVELS[level] == ROUT and unit not in pos.capped:
            pos.capped.append(unit)
        pos.mark(unit)
    if "capped" in body:
        routed = [unit for unit, level in pos.morale.items() if level == ROUT]
        pos.capped = [*dict.fromkeys([*strings(body["capped"], "capped"), *routed])]
    pos.strategic = strings(body.get("strategic", pos.strategic), "strategic")
    if "pool" in body:
        pos.pool = strings(body["pool"], "pool")
        for marker in pos.pool:
            if marker not in pos.game.markers:
                raise BadPosition(f"there is no marker {marker}")
    if "fog" in body:
        fog = number(CLEAR if body["fog"] is None else body["fog"], "fog", CLEAR, max(pos.game.board.level.values()))
        pos.special["fog"] = None if fog == CLEAR else fog
    for unit in list(pos.at):
        pos.mark(unit)


def _agenda(pos: Position, body: Mapping[str, Any], base: Position | None) -> None:
    """Where play goes on; what isn't said is as in `base`, where there is one."""
    pos.turn = body.get("turn", pos.turn if base else 1)
    if type(pos.turn) is not int or not 1 <= pos.turn <= len(pos.plan["turns"]):
        raise BadPosition(f"turn is 1 to {len(pos.plan['turns'])}, not {pos.turn!r}")
    phase = one_of(body, "phase", PHASES, pos.stage if base and pos.stage in PHASES else "command_change")
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
