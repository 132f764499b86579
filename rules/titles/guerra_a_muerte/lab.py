"""Positions written by hand for a rules question (docs/positions.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rules.core.errors import quoted
from rules.core.forms import label
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
    object_of,
    one_of,
    placed,
)
from rules.titles.guerra_a_muerte import invariants
from rules.titles.guerra_a_muerte.board import HALF, PURSES, SIDES, Game, year
from rules.titles.guerra_a_muerte.position import OUT, Position
from rules.titles.guerra_a_muerte.setup import begin, served
from rules.titles.guerra_a_muerte.turn import PHASES, enter_stage, phase_steps, whole_turn

ON_TRACK = re.compile(r"turn:([0-9]{1,4})")
MANY = 999  # of anything that a position counts
FIELDS = {"turn", "phase", "units", "clear", "reduced", "guerrillas", "armies", "sieges", "purses", "masses", "halved",
          "raided", "repression", "coup", "legion", "only", "slot"}


def build(game: Game, options: dict[str, Any], body: Mapping[str, Any], base: Position | None = None) -> Position:
    """The position a file describes: the suggested set-up (or `base`), and what differs. Raises Impossible.

    `clear` (true, or sides) empties the map first; `units` maps counter to place, `recruits`, `turn:N` or `out`;
    `phase` is one of the phases, `only` ends the game behind it; `slot` starts patriot operations with that group.
    """
    check_fields(body, FIELDS)
    pos = base or begin(game, options)
    if base is None:
        pos.agenda = []
        _suggested(pos)
    for side in (*cleared(body, SIDES), *(["rebels"] if body.get("clear") is True else [])):
        for unit in [u for u in game.units if game.units[u].side == side and pos.on_map(u)]:
            if game.units[unit].nation != "portuguese":
                pos.bury(unit)
    for unit, loc in placed(body, game.units, lambda unit, given: _place(game, unit, given)):
        pos.put(unit, loc)
    pos.reduced = sorted(named(body["reduced"], game.units, "unit", "reduced")) if "reduced" in body else [
        u for u in pos.reduced if pos.on_map(u)]
    if "guerrillas" in body:
        pos.guerrillas = sorted(named(body["guerrillas"], game.units, "unit", "guerrillas"))
    _marks(pos, game, body)
    if base is None or {"phase", "only", "slot"} & body.keys():
        _agenda(pos, game, body)
    pos.tidy()
    for city, siege in keyed(body, "sieges", game.places, "space").items():
        if siege is not None and city not in pos.sieges:
            raise Impossible("besiegers_elsewhere", "6.2", at=city)
    pos.touched.clear()
    invariants.check(pos)
    return pos


def _place(game: Game, unit: str, given: Any) -> str:
    """Where a unit stands or waits."""
    u, last = game.units[unit], game.scenario["first_turn"] + game.scenario["turns"]
    if isinstance(given, str) and (on_track := ON_TRACK.fullmatch(given)):
        return f"turn:{number(int(on_track[1]), 'turn', 1, last)}"
    pool, gone = f"recruits:{u.nation}", u.leader or u.nation == "portuguese"
    found = name(given, [*game.spaces, OUT, "dead", "recruits", pool], "place")
    if found in ("recruits", pool) and gone:
        raise Impossible("no_recruit", "4.2", unit=unit)
    return (OUT if gone else pool) if found in ("dead", "recruits", pool) else found


def _suggested(pos: Position) -> None:
    """Everybody set up as suggested."""
    for body in pos.game.scenario["setup"]:
        free = {u: p for u, p in body["suggested"].items() if not any(u in g["units"] for g in body["groups"])}
        reduced, *_ = served(pos, body.get("demands", []), free)
        for unit, place in {**body["fixed"], **body["suggested"]}.items():
            pos.put(unit, place)
        pos.reduced = sorted({*pos.reduced, *body["reduced"], *reduced})
        pos.guerrillas = sorted({*pos.guerrillas, *body["guerrillas"]})


def _marks(pos: Position, game: Game, body: Mapping[str, Any]) -> None:
    """Boxes, sieges, purses, markers and the state of the war."""
    first = game.scenario["first_turn"]
    pos.turn = number(body.get("turn", pos.turn), "turn", first, first + game.scenario["turns"] - 1)
    for side, areas in keyed(body, "armies", SIDES, "side").items():
        for box, area in keyed({"armies": areas}, "armies", pos.armies[side], "box").items():
            pos.armies[side][box] = None if area is None else name(area, list(game.worth), "space")
    for city, siege in keyed(body, "sieges", game.places, "space").items():
        if siege is None:
            pos.sieges.pop(city, None)
            continue
        units = sorted(named(object_of({"sieges": siege}, "sieges").get("units", []), game.units, "unit", "units"))
        if not units:
            raise Impossible("nobody_besieges", "6.2", at=city)
        pos.sieges[city] = {"side": game.units[units[0]].side, "units": units, "works": flag(siege, "works"),
                            "blockade": flag(siege, "blockade")}
    for purse, rp in keyed(body, "purses", PURSES, "purse").items():
        if isinstance(rp, bool) or not isinstance(rp, int | float) or not rp <= MANY or rp * HALF % 1:
            raise Impossible("no_number_of_halves", field="purses", low=0, high=MANY, given=quoted(rp))
        pos.purses[purse] = int(rp * HALF)
    for side, areas in keyed(body, "masses", SIDES, "side").items():
        pos.masses[side] = sorted(named(areas, list(game.worth), "space", "masses"))
    pos.halved = sorted(named(body.get("halved", pos.halved), [*game.worth, *PURSES], "space", "halved"))
    for at, burnt in keyed(body, "raided", game.worth, "space").items():
        pos.raided[at] = number(burnt, "raided", 0, MANY)
    pos.raided = {at: burnt for at, burnt in pos.raided.items() if burnt}
    pos.repression = sorted(named(body.get("repression", pos.repression), game.worth, "space", "repression"))
    if "coup" in body:
        pos.coup = None if body["coup"] is None else number(body["coup"], "coup", 1, pos.turn)
    pos.legion = one_of(body, "legion", ("off_map", "free", "gone"), pos.legion)
    written = {unit for unit, _ in placed(body, game.units)}
    for unit, loc in list(pos.at.items()):
        u = game.units[unit]
        if unit not in written and loc.startswith("turn:") and (
                u.entry < pos.turn or (u.entry == pos.turn and u.enters == "recruit_pool")):
            pos.put(unit, OUT if u.leader else f"recruits:{u.nation}")


def _agenda(pos: Position, game: Game, body: Mapping[str, Any]) -> None:
    """What is played from here on: the rest of the turn, or one phase."""
    phase = one_of(body, "phase", PHASES, "patriot_operations")
    only = flag(body, "only")
    steps = phase_steps(game, phase) if only else whole_turn(game, phase)
    if steps and steps[0] == ["begin_turn"] and phase != "events":
        steps = steps[1:]
    if only and phase == "end":
        steps = [s for s in steps if s != ["end_turn"]]
    slot = number(body.get("slot", 0), "slot", 0, len(game.tables["slots"]) - 1)
    steps = [s for s in steps if s[0] != "operations" or s[1] != "patriot" or s[2] >= slot]
    enter_stage(pos, phase)
    pos.agenda = steps


def _sieges_by_hand(pos: Position) -> hand.Field:
    """6.2, 6.4, 6.6 Sieges: by whom, whether they have works and a blockade. Those may besiege a place who are in the
    field before it and of the other side than its garrison."""
    may = {}
    for city in sorted(pos.game.places):
        inside = {pos.unit(u).side for u in pos.stack(city)}
        field = pos.stack(str(pos.game.area(city)))
        there = [u for u in field if pos.unit(u).troops and pos.unit(u).side not in inside]
        if there or city in pos.sieges:
            may[city] = sorted({*there, *pos.sieges.get(city, {}).get("units", ())})
    return hand.groups("sieges", pos.sieges, may, ("works", "blockade"))


def _areas_by_hand(pos: Position) -> list[hand.Field]:
    """4.9.1, 5.1.1, 7.8 What areas bear: armies, masses levied, points burnt. The box of an army can be put where its
    side has troops."""
    areas = list(pos.game.worth)
    troops = {side: [a for a in areas if pos.troops(pos.units_at(a, side))] for side in SIDES}
    return [
        hand.choices("armies", {f"{side}:{box}": (area, sorted({*troops[side], *([area] if area else [])}))
                                for side in SIDES for box, area in pos.armies[side].items()}),
        hand.lists("masses", {side: (pos.masses[side], areas) for side in SIDES}),
        hand.stores("raided", {"": pos.raided}, MANY),
    ]


def _slot(pos: Position) -> int | None:
    """3.2 The group of the patriots that operates next."""
    return next((int(step[2]) for step in pos.agenda if step[:2] == ["operations", "patriot"]), None)


def by_hand(pos: Position) -> list[hand.Field]:
    """What of a position can be put by hand."""
    first = pos.game.scenario["first_turn"]
    return [
        hand.number("turn", pos.turn, first, first + pos.game.scenario["turns"] - 1),
        hand.one_of("phase", pos.stage, hand.stages(PHASES, year=year(pos.turn))),
        hand.pieces("units", ["recruits", OUT]), hand.marked("reduced", pos.reduced),
        hand.marked("guerrillas", pos.guerrillas), hand.spots("halved", pos.halved),
        hand.spots("repression", pos.repression),
        hand.numbers("purses", {purse: (halves / HALF, 0, MANY) for purse, halves in pos.purses.items()}, 1 / HALF),
        _sieges_by_hand(pos), *_areas_by_hand(pos),
        hand.one_of("slot", _slot(pos), {
            n: label(f"group_of.patriot_{n}") for n in range(len(pos.game.tables["slots"]))}),
        hand.one_of("coup", pos.coup, {None: label("hand.coup.not_yet"), **{
            n: label("hand.coup.in", year=year(n)) for n in range(first, pos.turn + 1)}}),
        hand.one_of("legion", pos.legion, {one: label(f"legion.{one}") for one in ("off_map", "free", "gone")}),
    ]
