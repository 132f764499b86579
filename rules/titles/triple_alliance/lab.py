"""Positions written by hand for a rules question (docs/positions.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.agenda import Step
from rules.mechanics import hand, written
from rules.mechanics.written import Impossible
from rules.titles.triple_alliance import invariants, turn, victory
from rules.titles.triple_alliance.arrivals import rates
from rules.titles.triple_alliance.control import automatic_victory
from rules.titles.triple_alliance.position import AVAILABLE, DEAD, EXPEDITION, Operation, Position
from rules.titles.triple_alliance.river import can_carry, capacity
from rules.titles.triple_alliance.setup import begin
from rules.titles.triple_alliance.units import ALLIED, PARAGUAY, SIDES, Game

DONE_SO_FAR = {"spent", "settled", "aboard", "towed", "fought", "attacked"}  # of a phase that is under way
FIELDS = {"turn", "phase", "units", "clear", "control", "boxes", "matto_grosso", "mendoza", "points", "taken",
          "lost_depots", "rail_entered", "captures", *DONE_SO_FAR}
POINTS = {"fortresses": "fortresses", "matto_grosso": "matto_grosso", "mendoza": "mendoza_lost"}


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


def build(game: Game, options: Mapping[str, Any], body: Mapping[str, Any], base: Position | None = None) -> Position:
    """The position a file describes, from the suggested set-up (or `base`) and what differs. Raises Impossible.

    `clear` (true or sides) takes all units off first; `units` maps unit to hex, `dead`, `turn:N`,
    `available` or `away:matto_grosso`. The phase `set_up` is the very beginning, with nothing placed.
    """
    written.check_fields(body, FIELDS)
    pos = base or begin(game, dict(options))
    phase = None
    if base is None or "phase" in body:
        phase = written.name(body.get("phase", "paraguay_movement"), ["set_up", *phases()], "phase")
    if phase == "set_up":
        if len(body) > 1 or base is not None:
            raise Impossible("set_up_alone")
        return pos
    if base is None:
        for unit, hex_ in game.scenario["suggested"].items():
            pos.put(unit, hex_)
    for side in written.cleared(body, SIDES):
        for unit in pos.on_map(side):
            pos.put(unit, DEAD[side])
    for unit, place in written.placed(body, game.units, lambda unit, given: _place(game, unit, given)):
        pos.put(unit, place)
    if base is None or "turn" in body:
        pos.turn = written.number(body.get("turn", 1), "turn", 1, game.scenario["last_turn"], "5.4")
    if phase == "events" and pos.turn == 1:
        raise Impossible("no_events", "5.3")
    if phase is not None:
        pos.agenda = [list(step) for step in phases()[phase]]
        pos.stage, pos.active = phase, next((s for s in SIDES if phase.startswith(s)), None)
    _control(pos, game, body)
    _events(pos, game, body, base)
    _under_way(pos, body)
    _follow(pos, body)
    pos.touched.clear()
    invariants.check(pos)
    return pos


def _place(game: Game, unit: str, given: Any) -> str:
    """Where a unit stands or waits."""
    side = game.units[unit].side
    if isinstance(given, str) and given.startswith("turn:") and given[5:].isdigit():
        due = written.number(int(given[5:]), "turn", 1, game.scenario["last_turn"], "9.1")
        return f"turn:{due}"
    places = {"dead": DEAD[side], "available": AVAILABLE[side], EXPEDITION: EXPEDITION}
    whose = {loc: who for who in SIDES for loc in (DEAD[who], AVAILABLE[who])}
    if isinstance(given, str) and whose.get(given, side) != side:
        raise Impossible("not_his", "10.4", unit=unit, at=given)
    found = written.name(given, [*game.map.hexes, *places, *whose], "place")
    return places.get(found, found)


def _control(pos: Position, game: Game, body: Mapping[str, Any]) -> None:
    """3.6 Who holds which hex: as written, and whoever stands there; boxes."""
    for hex_, side in written.keyed(body, "control", game.map.hexes, "hex").items():
        who = written.name(side, SIDES, "side")
        pos.control.pop(hex_, None)
        if game.home[hex_] != who:
            pos.control[hex_] = who
    for side, boxes in written.keyed(body, "boxes", SIDES, "side").items():
        for box, hex_ in written.keyed({"boxes": boxes}, "boxes", pos.boxes[side], "box").items():
            pos.set_box(side, box, None if hex_ is None else written.name(hex_, game.map.hexes, "hex"))
    for hex_ in [h for h in pos.here if h in game.map.hexes]:
        side = game.units[pos.here[hex_][0]].side
        pos.control.pop(hex_, None)
        if game.home[hex_] != side:
            pos.control[hex_] = side


def _events(pos: Position, game: Game, body: Mapping[str, Any], base: Position | None) -> None:
    """8 The two events off the map, 4.4 the points that are final, and what was captured (13.27)."""
    for field, allowed, usual in (("matto_grosso", ("open", "not_launched", "launched", "answered", "unopposed"),
                                   "not_launched"), ("mendoza", ("quiet", "crushed", "lost"), "quiet")):
        if base is None or field in body:
            setattr(pos, field, written.one_of(body, field, allowed, usual))
    worth = game.victory["points"]
    for what, value in written.keyed(body, "points", POINTS, "points").items():
        final = worth.get(POINTS[what], 0)
        if written.number(value, what, min(0, final), max(0, final), "4.4"):
            pos.points[what] = value
        else:
            pos.points.pop(what, None)
    pos.taken = written.named(body.get("taken", pos.taken), _towns(game), "hex", "taken")
    pos.lost_depots = written.named(body.get("lost_depots", pos.lost_depots), game.tables["depots"], "hex",
                                    "lost_depots")
    pos.rail_entered = written.flag(body, "rail_entered", pos.rail_entered)
    captures = body.get("captures", [])
    if not isinstance(captures, list) or not all(isinstance(c, list) and len(c) == 2 for c in captures):
        raise Impossible("captures", "13.27")
    own = [u.id for u in game.units.values() if u.side == PARAGUAY]
    for force, factors in captures:
        pos.booty.append([written.named(force, own, "unit", "captures"),
                          written.number(factors, "captures", 0, 9, "13.27")])


def _under_way(pos: Position, body: Mapping[str, Any]) -> None:
    """What was done in the phase in which play begins: it goes on from there instead of beginning anew."""
    done = DONE_SO_FAR & set(body)
    if not done:
        return
    if pos.active is None:
        raise Impossible("not_under_way", field=sorted(done)[0], phase=pos.stage)
    own = pos.on_map(pos.active)
    moving, fighting = done - {"fought", "attacked"}, done & {"fought", "attacked"}
    wrong = fighting if pos.stage.endswith("movement") else moving
    if wrong:
        raise Impossible("not_under_way", field=sorted(wrong)[0], phase=pos.stage)
    pos.agenda.pop(0)  # begin_movement or begin_combat
    if fighting:
        pos.fought = written.named(body.get("fought", []), own, "unit", "fought")
        pos.assailed = written.named(body.get("attacked", []), pos.on_map(
            next(s for s in SIDES if s != pos.active)), "unit", "attacked")
        pos.captures, pos.booty = pos.booty, []
        return
    pos.steps = rates(pos)
    for unit, spent in written.keyed(body, "spent", own, "unit").items():
        pos.spent[unit] = written.number(spent, "spent", 0, pos.factor(unit), "11.2")
    pos.settled = written.named(body.get("settled", []), own, "unit", "settled")
    moved = [u for u in pos.spent if u not in pos.settled and not pos.unit(u).river]
    for cargo, ship in written.keyed(body, "aboard", own, "unit").items():
        carrier = written.name(ship, own, "unit")
        if pos.at[cargo] != pos.at[carrier] or not can_carry(pos, carrier, cargo):
            raise Impossible("not_aboard", "12.4", unit=cargo, ship=carrier)
        pos.aboard[cargo] = carrier
        if list(pos.aboard.values()).count(carrier) > capacity(pos, carrier):
            raise Impossible("too_full", "12.4", ship=carrier)
    for ship, raft in written.keyed(body, "towed", own, "unit").items():
        towed = written.name(raft, own, "unit")
        if not pos.unit(towed).chata or not pos.unit(ship).river or pos.unit(ship).chata:
            raise Impossible("no_tow", "12.6", ship=ship, unit=towed)
        pos.towed[ship] = towed
    if moved or pos.aboard:
        pos.operation = Operation(sorted({*moved, *pos.aboard}))


def _towns(game: Game) -> list[str]:
    """7.13, 10.3 The Paraguayan supply hexes and towns."""
    tables = game.tables
    return sorted({*tables["sources"][PARAGUAY], *tables["replacements"]["paraguay_towns"]})


def _follow(pos: Position, body: Mapping[str, Any]) -> None:
    """What must have happened for the position to be as it is: 7.13, 10.3 towns taken, 7.9 depots lost, 11.18 the
    railway entered, 4.4 final points, 4.2 a war that is over."""
    game = pos.game
    pos.taken = sorted({*pos.taken, *(h for h in _towns(game) if pos.controller(h) == ALLIED)})
    pos.lost_depots = sorted({*pos.lost_depots,
                              *(h for h in game.tables["depots"] if pos.controller(h) == PARAGUAY)})
    if any(pos.controller(h) == ALLIED for h in game.rail):
        if body.get("rail_entered") is False:
            raise Impossible("rail_entered", "11.18")
        pos.rail_entered = True
    said = written.object_of(body, "points")
    if "fortresses" not in said:
        victory.fortresses_fallen(pos)
    if pos.mendoza == "lost" and "mendoza" not in said:
        victory.score(pos, "mendoza", "8.3")
    if pos.turn > game.tables["events"]["matto_grosso"]["turn"] and "matto_grosso" not in said \
            and pos.matto_grosso == "unopposed":
        victory.score(pos, "matto_grosso", "8.2")
    automatic_victory(pos)
    if pos.result is not None:
        pos.agenda.clear()
    pos.teller.told.clear()


def by_hand(pos: Position) -> list[hand.Field]:
    """What of a position can be put by hand."""
    last = pos.game.scenario["last_turn"]
    worth = pos.game.victory["points"]
    points = {what: worth[final] for what, final in POINTS.items() if final in worth}
    return [
        hand.number("turn", pos.turn, 1, last), hand.one_of("phase", pos.stage, hand.stages(phases())),
        hand.pieces("units", ["dead", "available", *(f"turn:{n}" for n in range(1, last + 1)), EXPEDITION]),
        hand.holders("control", SIDES),
        hand.one_of("matto_grosso", pos.matto_grosso, ("not_launched", "launched", "answered", "unopposed")),
        hand.one_of("mendoza", pos.mendoza, ("quiet", "crushed", "lost")),
        hand.numbers("points", {what: (pos.points.get(what, 0), min(0, n), max(0, n)) for what, n in points.items()}),
        hand.flag("rail_entered", pos.rail_entered), _boxes_by_hand(pos),
        hand.some("taken", pos.taken, _towns(pos.game)),
        hand.some("lost_depots", pos.lost_depots, pos.game.tables["depots"]),
    ]


def _boxes_by_hand(pos: Position) -> hand.Field:
    """3.4 The boxes for stacks; one can be put where its side has a stack."""
    stacks = {side: sorted(h for h in pos.here if h in pos.game.map.hexes and pos.holder(h) == side
                           and pos.fortress(h) is None)
              for side in SIDES}  # fmt: skip
    return hand.choices("boxes", {f"{side}:{box}": (hex_, stacks[side])
                                  for side in SIDES for box, hex_ in pos.boxes[side].items()})
