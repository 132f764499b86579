"""Positions written by hand for a rules question (docs/positions.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.agenda import Step
from rules.core.errors import BadPosition
from rules.core.forms import strings, table
from rules.mechanics.written import check_fields, cleared, placed
from rules.titles.chaco import invariants, turn
from rules.titles.chaco.position import DEAD, FREE, LIFTED, LOST, PILE, REPLACED, TRUCKS, WAITING, Position
from rules.titles.chaco.setup import begin, own, suggested
from rules.titles.chaco.units import PARAGUAY, SIDES, Game, enemy

FIELDS = {"turn", "phase", "units", "clear", "control", "reduced", "assigned", "works", "trails", "wells", "rain",
          "truce", "points", "replacements", "radius", "air", "commander", "shaken", "out", "supply", "callups"}
BOXES = {"dead": DEAD, "pile": PILE, "lost": LOST, "trucks": TRUCKS, "waiting": WAITING, "replaced": REPLACED,
         "lifted": LIFTED}
BEGINS = {"supply": "begin_supply", "new_units": "begin_new_units", "movement": "begin_movement",
          "reaction": "begin_reaction", "combat_1": "begin_combat", "combat_0": "begin_combat",
          "combat_2": "begin_combat", "construction": "construction", "politics": "politics"}


def phases() -> dict[str, list[Step]]:
    """Where a lab position can begin: each name with what is left of the turn from there. A phase of reaction is named
    by the side that reacts."""
    out: dict[str, list[Step]] = {"weather": turn.game_turn(1)[1:]}
    for side in SIDES:
        mine = turn.player_turn(side)
        rest = [*turn.player_turn(enemy(side)), ["end_turn"]] if side == PARAGUAY else [["end_turn"]]
        for name, segment in BEGINS.items():
            for i, step in enumerate(mine):
                number = [int(name[-1])] if name.startswith("combat") else []
                who = enemy(side) if name in ("reaction", "combat_0") else side
                if step == [segment, who, *number]:
                    out[f"{who}_{name}"] = [*mine[i:], *rest]
    out["end_of_turn"] = [["end_turn"]]
    return out


def build(game: Game, options: dict[str, Any], body: Mapping[str, Any]) -> Position:
    """The position a file describes, from the scenario's set-up (draws in the order of the pool, groups as suggested)
    and what differs. Raises BadPosition.

    `clear` (true or sides) takes all units off first: combat units and leaders to their boxes, supply to nowhere, the
    headquarters and trucks off the map. `units` maps unit to hex or a box by its name; `supply` side -> {hex: points}.
    The phase `set_up` is the very beginning.
    """
    check_fields(body, FIELDS)
    pos = begin(game, options)
    if body.get("phase") == "set_up":
        if len(body) > 1:
            raise BadPosition("a game that is still to be set up has nothing but its phase")
        return pos
    _deal(pos)
    for side in cleared(body, SIDES):
        _clear(pos, side)
    for unit, place in placed(body, game.units):
        pos.put(unit, BOXES[place][game.units[unit].side] if place in BOXES else place)
    pos.turn = _number(body, "turn", 1)
    if not 1 <= pos.turn <= game.scenario["turns"]:
        raise BadPosition(f"turn is 1 to {game.scenario['turns']}, not {pos.turn!r}")
    phase = body.get("phase", "paraguay_movement")
    if phase not in phases():
        raise BadPosition(f"no phase {phase!r}; there are {', '.join(('set_up', *phases()))}")
    pos.agenda = [list(step) for step in phases()[phase]]
    pos.stage, pos.active = phase, next((s for s in SIDES if phase.startswith(s)), None)
    _marks(pos, game, body)
    own(pos)
    pos.touched.clear()
    invariants.check(pos)
    return pos


def _number(body: Mapping[str, Any], name: str, default: int) -> int:
    value = body.get(name, default)
    if type(value) is not int:
        raise BadPosition(f"{name} is a whole number")
    return value


def _deal(pos: Position) -> None:
    """17.3 The set-up without chance: pools dealt in their order, free groups as suggested."""
    for side in SIDES:
        pool = list(pos.game.scenario["pools"].get(side, []))
        dealt = []
        for number, group in enumerate(pos.game.scenario["groups"]):
            for _ in range(group.get("draw", 0) if group["side"] == side else 0):
                unit = pool.pop(0)
                pos.put(unit, group["hexes"][0] if len(group["hexes"]) == 1 else FREE)
                if group.get("reduced"):
                    pos.flip(unit, True)
                dealt.append([unit, str(number)])
        pos.drawn[side] = dealt
        for unit, hex_ in suggested(pos, side).items():
            pos.put(unit, hex_)


def _clear(pos: Position, side: str) -> None:
    for unit in pos.on_map(side):
        kind = pos.unit(unit).type
        if kind == "supply":
            pos.take_off(unit)
        elif unit != pos.commander[side]:
            pos.put(unit, {"leader": WAITING, "truck": TRUCKS, "ghq": LIFTED}.get(kind, PILE)[side])
        if unit in pos.reduced:
            pos.reduced.remove(unit)
    chief = pos.commander[side]
    pos.put(chief, pos.game.sources[side][0])


def _marks(pos: Position, game: Game, body: Mapping[str, Any]) -> None:
    """Control, works, weather, points and the like of a lab position."""
    for hex_, side in table(body.get("control", {}), "control").items():
        if hex_ not in game.map.hexes or side not in SIDES:
            raise BadPosition(f"control of {hex_!r} by {side!r}")
        pos.control.pop(hex_, None)
        if game.home[hex_] != side:
            pos.control[hex_] = side
    for side, stores in table(body.get("supply", {}), "supply", dict).items():
        for hex_, n in stores.items():
            for unit in pos.make_supply(side, n):
                pos.put(unit, hex_)
    for name in ("reduced", "assigned", "out"):
        if name in body:
            units = strings(body[name], name)
            unknown = [u for u in units if u not in game.units]
            if unknown:
                raise BadPosition(f"there is no unit {unknown[0]}")
            setattr(pos, name, units)
    for name in ("trails", "wells", "shaken"):
        setattr(pos, name, strings(body.get(name, []), name))
    pos.works |= table(body.get("works", {}), "works")
    pos.rain, pos.truce = bool(body.get("rain", False)), bool(body.get("truce", False))
    for name, field in (("points", "vp"), ("replacements", "replacements"), ("radius", "radius"), ("air", "air"),
                        ("callups", "callups")):
        getattr(pos, field).update(table(body.get(name, {}), name, int))
    pos.commander |= table(body.get("commander", {}), "commander")
