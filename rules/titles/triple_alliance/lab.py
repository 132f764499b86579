"""Positions written by hand for a rules question (docs/positions.md)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
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
INVADERS = 3  # 8.2 two infantry and a supply unit
ON_TRACK = re.compile(r"turn:([0-9]{1,4})")
INVASION, MENDOZA = ("not_launched", "launched", "answered", "unopposed"), ("quiet", "crushed", "lost")
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
    placed = dict(written.placed(body, game.units, lambda unit, given: _place(game, unit, given)))
    for unit, place in placed.items():
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
    _captures(pos, body)
    _possible(pos, placed)
    _under_way(pos, body)
    _follow(pos, body)
    pos.touched.clear()
    invariants.check(pos)
    return pos


def _place(game: Game, unit: str, given: Any) -> str:
    """Where a unit stands or waits."""
    side = game.units[unit].side
    if isinstance(given, str) and (on_track := ON_TRACK.fullmatch(given)):
        due = written.number(int(on_track[1]), "turn", 1, game.scenario["last_turn"], "9.1")
        return f"turn:{due}"
    places = {"dead": DEAD[side], "available": AVAILABLE[side], EXPEDITION: EXPEDITION}
    whose = {loc: who for who in SIDES for loc in (DEAD[who], AVAILABLE[who])}
    if isinstance(given, str) and whose.get(given, side) != side:
        raise Impossible("not_his", "10.4", unit=unit, at=given)
    found = written.name(given, [*game.map.hexes, *places, *whose], "place")
    if places.get(found, found) == AVAILABLE[side] and not game.units[unit].supply:
        raise Impossible("not_available", "10.5", unit=unit)
    return places.get(found, found)


def _control(pos: Position, game: Game, body: Mapping[str, Any]) -> None:
    """3.6 Who holds which hex: as written, and whoever stands there; boxes."""
    for hex_, side in written.keyed(body, "control", game.map.hexes, "hex").items():
        who = written.name(side, SIDES, "side")
        if pos.holder(hex_) not in (None, who):
            raise Impossible("held_by_other", "3.6", at=hex_)
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
    """8 The two events off the map, 4.4 the points that are final, and the towns and depots lost."""
    for field, allowed, usual in (("matto_grosso", INVASION,
                                   "not_launched"), ("mendoza", MENDOZA, "quiet")):
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


def _captures(pos: Position, body: Mapping[str, Any]) -> None:
    """13.27 Arms captured in the combat phase before the one in which play begins, by units that are still there."""
    captures, own = body.get("captures", []), pos.on_map(PARAGUAY)
    if not isinstance(captures, list) or not all(isinstance(c, list) and len(c) == 2 and c[0] for c in captures):
        raise Impossible("captures", "13.27")
    if captures and pos.stage not in (f"{PARAGUAY}_combat_2", f"{PARAGUAY}_combat_3"):
        raise Impossible("not_under_way", "13.27", field="captures", phase=pos.stage)
    for force, factors in captures:
        units = written.named(force, own, "unit", "captures")
        if twice := sorted(u for u in units for other, _ in pos.booty if u in other):
            raise Impossible("twice", "13.27", field="captures", given=twice[0])
        pos.booty.append([units, written.number(factors, "captures", 0, 9, "13.27")])


def _possible(pos: Position, written_units: Collection[str]) -> None:
    """8.2, 8.3, 9.1 What of the events off the map, and of who waits for them, can be at that time."""
    game, force, events = pos.game, pos.stack(EXPEDITION), turn.afield(pos.game)
    meets, rises = game.tables["events"]["matto_grosso"]["turn"], game.tables["events"]["mendoza"]["from_turn"]
    for field, state, soonest, last in (
            ("matto_grosso", pos.matto_grosso, {"answered": meets, "unopposed": meets},
             {"launched": meets if pos.stage == "events" else meets - 1}),
            ("mendoza", pos.mendoza, {"crushed": rises, "lost": rises}, {})):
        usual = state in ("not_launched", "quiet", "open")
        if not usual and (not events or not soonest.get(state, 1) <= pos.turn <= last.get(state, pos.turn)):
            raise Impossible("not_by_then", "8.2" if field == "matto_grosso" else "8.3", field=field, given=state,
                             n=pos.turn)
    for unit in force:
        u = game.units[unit]
        if u.nation != "brazil" or not (u.supply or (u.type == "infantry" and u.entry_turn is not None)):
            raise Impossible("no_invader", "8.2", unit=unit)
    if (pos.matto_grosso == "launched" and len(force) != INVADERS) or (
            force and pos.matto_grosso in ("not_launched", "answered")):
        raise Impossible("invaders", "8.2", n=len(force), limit=INVADERS, given=pos.matto_grosso)
    for unit in written_units:
        if pos.at[unit].startswith("turn:") and not _waits(pos, unit, int(pos.at[unit].removeprefix("turn:"))):
            raise Impossible("not_on_track", "9.1", unit=unit, n=int(pos.at[unit].removeprefix("turn:")))


def _waits(pos: Position, unit: str, due: int) -> bool:
    """8.2, 8.3, 9.1 Whether a unit may wait for that turn: reinforcements for their own or, delayed, a later one; those
    back from Mendoza; of Paraguay who met the invasion."""
    u = pos.unit(unit)
    if u.side == PARAGUAY:
        back: int = pos.game.tables["events"]["matto_grosso"]["answer_returns"]
        return pos.matto_grosso == "answered" and due == back and (u.foot or u.type == "cavalry")
    if u.entry_turn is not None and due >= u.entry_turn:
        return True
    return pos.mendoza == "crushed" and not u.guard and (u.type in ("infantry", "cavalry") or u.artillery)


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
    if not fighting:
        pos.agenda.pop(0)  # begin_movement
    else:
        pos.agenda[0] = ["combat", *pos.agenda[0][1:]]  # which begin_combat leads to
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
        hand.one_of("matto_grosso", pos.matto_grosso, INVASION),
        hand.one_of("mendoza", pos.mendoza, MENDOZA),
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
