"""Positions written by hand for a rules question (docs/positions.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.errors import quoted
from rules.core.forms import label
from rules.maps.hexes import FACINGS
from rules.mechanics import hand
from rules.mechanics.written import Impossible, check_fields, cleared, keyed, name, named, number, one_of, placed
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
    """The position a file describes, from a scenario's set-up (or `base`) and what differs. Raises Impossible.

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
    for unit, where in list(placed(body, game.units, lambda unit, given: _stance(pos, unit, given))):
        _stand(pos, unit, where)
    for leader, hex_ in keyed(body, "leaders", game.leaders, "leader").items():
        pos.put_leader(leader, name(hex_, game.board.around, "hex"))
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
    active = divisions(game)
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


def divisions(game: Game) -> list[str]:
    """4.5.1 The divisions that a leader can activate."""
    return [c for c, command in game.commands.items() if command.kind == "division" and command.leader is not None]


def _fog(pos: Position) -> int:
    fog: int | None = pos.special.get("fog")
    return CLEAR if fog is None else fog


def _ways() -> dict[str, list[str]]:
    """6.3 Which way the formations may face that a unit can be put in."""
    return {form: [way for way in FACINGS if form in ALL_WAYS or (form in TO_VERTICES) == (FACINGS_OF[way] % 2 == 1)]
            for form in ARCS if form != ROUTED}


def _stance(pos: Position, unit: str, given: Any) -> str:
    """Where a counter stands and how, HEX@FACING/FORMATION, or `dead`: a hex alone for one as it stood, or marches."""
    text = str(given)
    at, sign, rest = text.partition("@")
    hex_ = name(at, [*pos.game.board.around, "dead"], "place")
    if not sign:
        if hex_ == "dead":
            return hex_
        usual = LIMBERED if pos.unit(unit).guns else COLUMN
        return f"{hex_}@{FACINGS[pos.facing.get(unit, 0)]}/{pos.form.get(unit, usual)}"
    facing, _, form = rest.partition("/")
    if hex_ == "dead" or not form:
        raise Impossible("no_stance", "6.3", unit=unit, given=quoted(text))
    ways = name(facing, FACINGS, "facing"), name(form, [form for form in ARCS if form != ROUTED], "formation")
    return f"{hex_}@{ways[0]}/{ways[1]}"


def _stand(pos: Position, unit: str, where: str) -> None:
    """One counter as it is written."""
    if where == "dead":
        pos.remove([unit])
        return
    at, _, rest = where.partition("@")
    facing, _, form = rest.partition("/")
    pos.form[unit], pos.facing[unit] = form, FACINGS_OF[facing]
    two = pos.unit(unit).hexes == 2 or form == "spread"
    pos.put(unit, at, tail_of(pos.game.board, at, form, FACINGS_OF[facing]) if two else None)


def _states(pos: Position, body: Mapping[str, Any]) -> None:
    """Losses, morale, fatigue and the rest; who is detached, and to whom (A4.4.5, A4.5)."""
    game = pos.game
    for leader, given in keyed(body, "detached", game.leaders, "leader").items():
        units = named(given, game.units, "unit", "detached")
        if foreign := [u for u in units if game.units[u].side != game.side[leader]]:
            raise Impossible("not_his", "A4.4.5", unit=foreign[0], at=leader)
        pos.detached[leader] = units
        pos.special.setdefault("source", {})[leader] = game.units[units[0]].command if units else None
    for unit, n in keyed(body, "lost", game.units, "unit").items():
        pos.lost[unit] = number(n, "lost", 0, game.units[unit].strength, "8.5.1")
    for unit, n in keyed(body, "blown", game.units, "unit").items():
        pos.blown[unit] = number(n, "blown", 0, 2, "8.4.4")
        if pos.blown[unit] and not game.units[unit].mounted:
            raise Impossible("not_mounted", "8.4.4", unit=unit)
    for command, n in keyed(body, "fatigue", [*game.commands, *game.leaders], "command").items():
        pos.fatigue[command] = number(n, "fatigue", 0, 9, "14.1")
    for hex_, side in keyed(body, "held", game.goals, "hex").items():
        pos.held[hex_] = name(side, SIDES, "side")
    for kept in (pos.lost, pos.blown, pos.fatigue):
        for gone in [key for key, value in kept.items() if not value]:
            del kept[gone]
    for unit, level in keyed(body, "morale", game.units, "unit").items():
        pos.morale[unit] = LEVELS[name(level, LEVELS, "morale")]
        if pos.morale[unit] == ROUT and unit not in pos.capped:
            pos.capped.append(unit)
        pos.mark(unit)
    if "capped" in body:
        routed = [unit for unit, level in pos.morale.items() if level == ROUT]
        pos.capped = [*dict.fromkeys([*named(body["capped"], game.units, "unit", "capped"), *routed])]
    marching = (*game.commands, *pos.detached)  # a brigade that comes as a reinforcement marches, too (14.4)
    pos.strategic = named(body.get("strategic", pos.strategic), marching, "command", "strategic")
    pos.pool = named(body.get("pool", pos.pool), game.markers, "marker", "pool")
    if "fog" in body:
        fog = number(CLEAR if body["fog"] is None else body["fog"], "fog", CLEAR, max(game.board.level.values()))
        pos.special["fog"] = None if fog == CLEAR else fog
    for unit in list(pos.at):
        pos.mark(unit)


def _agenda(pos: Position, body: Mapping[str, Any], base: Position | None) -> None:
    """Where play goes on; what isn't said is as in `base`, where there is one."""
    pos.turn = number(body.get("turn", pos.turn if base else 1), "turn", 1, len(pos.plan["turns"]))
    phase = one_of(body, "phase", PHASES, pos.stage if base and pos.stage in PHASES else "command_change")
    steps = turn_steps()
    names = {"command_change": 1, "initiative": 2, "activations": 3, "no_marker": 4, "removal": 5, "rally": 6,
             "rout_losses": 7, "recovery": 8, "fatigue": 9}
    if phase in names:
        pos.stage = phase
        pos.agenda = steps[names[phase]:]
        return
    if "active" not in body:
        raise Impossible("no_active", "4.5.1", phase=phase)
    command = name(body["active"], divisions(pos.game), "command")
    pos.stage = "activations"
    activation.begin(pos, command, one_of(body, "mode", MODES, "full"))
    rest = ["move", "shoot", "melee", "finish"]
    pos.agenda = [[name] for name in rest[rest.index(phase):]] + steps[4:]
    if phase != "move" and pos.act is not None:
        pos.act["may_charge"] = [u for u in pos.act["units"] if pos.unit(u).mounted]
