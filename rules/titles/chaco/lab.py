"""Positions written by hand for a rules question (docs/positions.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.agenda import Step
from rules.mechanics import hand
from rules.mechanics.written import (
    Impossible,
    check_fields,
    cleared,
    flag,
    keyed,
    name,
    named,
    number,
    placed,
)
from rules.titles.chaco import invariants, turn
from rules.titles.chaco.position import DEAD, FREE, LIFTED, LOST, PILE, REPLACED, TRUCKS, WAITING, Position
from rules.titles.chaco.setup import begin, own, suggested
from rules.titles.chaco.units import PARAGUAY, SIDES, Game, enemy

FIELDS = {"turn", "phase", "units", "clear", "control", "reduced", "assigned", "works", "trails", "wells", "rain",
          "truce", "points", "replacements", "radius", "air", "commander", "shaken", "out", "supply", "callups"}
BOXES = {"dead": DEAD, "pile": PILE, "lost": LOST, "trucks": TRUCKS, "waiting": WAITING, "replaced": REPLACED,
         "lifted": LIFTED}
TROOPS = ("pile", "dead", "lost")  # boxes of combat units; other counters have their own
KEPT_IN = {"leader": ("waiting", "replaced", "lost"), "truck": ("trucks", "lost"), "ghq": ("lifted", "lost"),
           "supply": ()}
MANY = 999  # of anything that a position counts
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
        for phase, segment in BEGINS.items():
            for i, step in enumerate(mine):
                which = [int(phase[-1])] if phase.startswith("combat") else []
                who = enemy(side) if phase in ("reaction", "combat_0") else side
                if step == [segment, who, *which]:
                    out[f"{who}_{phase}"] = [*mine[i:], *rest]
    out["end_of_turn"] = [["end_turn"]]
    return out


def build(game: Game, options: dict[str, Any], body: Mapping[str, Any], base: Position | None = None) -> Position:
    """The position a file describes, from the scenario's set-up (draws in the order of the pool, groups as suggested),
    or from `base`, and what differs. Raises Impossible.

    `clear` (true or sides) takes all units off first: combat units and leaders to their boxes, supply to nowhere, the
    headquarters and trucks off the map. `units` maps unit to hex or a box by its name; `supply` side -> {hex: points}.
    The phase `set_up` is the very beginning.
    """
    check_fields(body, FIELDS)
    pos = base or begin(game, options)
    if body.get("phase") == "set_up":
        if len(body) > 1 or base is not None:
            raise Impossible("set_up_alone")
        return pos
    if base is None:
        _deal(pos)
    for side in cleared(body, SIDES):
        _clear(pos, side)
    for unit, place in placed(body, game.units, lambda unit, given: _place(game, unit, given)):
        pos.put(unit, place)
    if base is None or "turn" in body:
        pos.turn = number(body.get("turn", 1), "turn", 1, game.scenario["turns"])
    if base is None or "phase" in body:
        phase = name(body.get("phase", "paraguay_movement"), ["set_up", *phases()], "phase")
        pos.agenda = [list(step) for step in phases()[phase]]
        pos.stage, pos.active = phase, next((s for s in SIDES if phase.startswith(s)), None)
    _marks(pos, game, body, base)
    own(pos)
    pos.touched.clear()
    invariants.check(pos)
    return pos


def _place(game: Game, unit: str, given: Any) -> str:
    """Where a unit stands: a hex in play, or a box of its side."""
    found = name(given, [*game.map.hexes, *BOXES], "place")
    if found in BOXES and found not in KEPT_IN.get(game.units[unit].type, TROOPS):
        raise Impossible("not_in_box", "2.13", unit=unit, at=found)
    return BOXES[found][game.units[unit].side] if found in BOXES else found


def _deal(pos: Position) -> None:
    """17.3 The set-up without chance: pools dealt in their order, free groups as suggested."""
    for side in SIDES:
        pool = list(pos.game.scenario["pools"].get(side, []))
        dealt = []
        for place, group in enumerate(pos.game.scenario["groups"]):
            for _ in range(group.get("draw", 0) if group["side"] == side else 0):
                unit = pool.pop(0)
                pos.put(unit, group["hexes"][0] if len(group["hexes"]) == 1 else FREE)
                if group.get("reduced"):
                    pos.flip(unit, True)
                dealt.append([unit, str(place)])
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


def _marks(pos: Position, game: Game, body: Mapping[str, Any], base: Position | None) -> None:
    """Control, works, weather, points and the like of a lab position."""
    for hex_, given in keyed(body, "control", game.map.hexes, "hex").items():
        side = name(given, SIDES, "side")
        pos.control.pop(hex_, None)
        if game.home[hex_] != side:
            pos.control[hex_] = side
    for side, stores in keyed(body, "supply", SIDES, "side").items():
        for hex_, n in keyed({"supply": stores}, "supply", game.map.hexes, "hex").items():
            for unit in [u for u in pos.stack(hex_) if u in game.of(side, "supply")]:
                pos.take_off(unit)
            for unit in pos.make_supply(side, number(n, "supply", 0, MANY)):
                pos.put(unit, hex_)
    for field in ("reduced", "assigned", "out"):
        if field in body:
            trucks = [u for u in game.units if game.units[u].type == "truck"]
            setattr(pos, field, named(body[field], trucks if field == "assigned" else game.units, "unit", field))
    for field in ("trails", "wells"):
        setattr(pos, field, named(body.get(field, getattr(pos, field) if base else []), game.map.hexes, "hex", field))
    pos.shaken = named(body.get("shaken", pos.shaken), SIDES, "side", "shaken")
    for hex_, works in keyed(body, "works", game.map.hexes, "hex").items():
        pos.works.pop(hex_, None)
        if works is not None:
            pos.works[hex_] = name(works, game.tables["barrage"]["works"], "works")
    pos.rain, pos.truce = flag(body, "rain", pos.rain), flag(body, "truce", pos.truce)
    for field, kept in (("points", "vp"), ("replacements", "replacements"), ("radius", "radius"), ("air", "air"),
                        ("callups", "callups")):
        for side, n in keyed(body, field, SIDES, "side").items():
            getattr(pos, kept)[side] = number(n, field, *_range(game, side, field))
    for side, leader in keyed(body, "commander", SIDES, "side").items():
        pos.commander[side] = name(leader, game.leaders[side], "leader")


def _range(game: Game, side: str, field: str) -> tuple[int, int]:
    """8.7, 9.5 What a side can have of something: a radius up to the largest, as many call-ups as it may make."""
    most = game.n["call_up"]["most"][side] if field == "callups" else None
    radii = [column["radius"] for column in game.tables["supply"][side]]
    return (0, max(radii)) if field == "radius" else (0, MANY if most is None else most)


def by_hand(pos: Position) -> list[hand.Field]:
    """What of a position can be put by hand."""
    def each(field: str, kept: Mapping[str, int]) -> hand.Field:
        return hand.numbers(field, {side: (kept.get(side, 0), *_range(pos.game, side, field)) for side in SIDES})

    return [
        hand.number("turn", pos.turn, 1, pos.game.scenario["turns"]),
        hand.one_of("phase", pos.stage, hand.stages(phases())),
        hand.pieces("units", list(BOXES)), hand.marked("reduced", pos.reduced), hand.marked("assigned", pos.assigned),
        hand.marked("out", pos.out), hand.holders("control", SIDES),
        hand.stands("works", pos.works, pos.game.tables["barrage"]["works"]), hand.spots("trails", pos.trails),
        hand.spots("wells", pos.wells), hand.flag("rain", pos.rain), hand.flag("truce", pos.truce),
        each("points", pos.vp), each("replacements", pos.replacements), each("radius", pos.radius),
        each("air", pos.air), each("callups", pos.callups), _supply_by_hand(pos),
        hand.choices("commander", {side: (pos.commander[side], list(pos.game.leaders[side])) for side in SIDES}),
        hand.some("shaken", pos.shaken, SIDES),
    ]


def _supply_by_hand(pos: Position) -> hand.Field:
    """8.15 How many supply points of each side lie in which hex."""
    lie: dict[str, dict[str, int]] = {side: {} for side in SIDES}
    for side in SIDES:
        for unit in pos.game.of(side, "supply"):
            if (hex_ := pos.at.get(unit)) in pos.game.map.hexes:
                lie[side][hex_] = lie[side].get(hex_, 0) + 1
    return hand.stores("supply", lie, MANY)
