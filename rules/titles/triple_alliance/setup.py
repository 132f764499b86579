"""3 The set-up, and the Matto Grosso decision that opens it (3.2, 8.2)."""

from __future__ import annotations

from typing import Any

from rules.core.agenda import DONE, Next
from rules.core.errors import Refusal
from rules.core.forms import Allocate, Answer, Choose, Group, Lot, Option, Place, label
from rules.core.procedure import Procedure, ask
from rules.core.request import NOBODY, Needs, Request
from rules.maps.paths import connected
from rules.titles.triple_alliance.control import enter
from rules.titles.triple_alliance.position import AVAILABLE, EXPEDITION, FREE, OUT, Position
from rules.titles.triple_alliance.stacking import open_boxes
from rules.titles.triple_alliance.turn import opening, segments
from rules.titles.triple_alliance.units import ALLIED, PARAGUAY, SIDES, Game


def begin(game: Game, options: dict[str, Any]) -> Position:
    """3.2, 3.3 Everything beside the map: groups to place, reinforcements on the track, supply available."""
    pos = Position(game, options, boxes={side: dict.fromkeys(game.boxes[side]) for side in SIDES})
    for unit, raw in game.units.items():
        pos.put(unit, OUT if unit not in game.playing else FREE if raw.entry_turn is None else f"turn:{raw.entry_turn}")
    for group in game.scenario["groups"]:
        if group["where"]["kind"] == "available":
            for unit in group["units"]:
                pos.put(unit, AVAILABLE[group["side"]])
        elif group["where"]["kind"] == "hex":
            for unit in group["units"]:
                pos.put(unit, game.setup_hex[unit])
    pos.touched.clear()
    pos.agenda = opening(game)
    return pos


def hexes_for(game: Game, where: dict[str, Any]) -> tuple[str, ...]:
    """3.3, 3.4 The hexes a group may set up in, as far as they are in play."""
    return tuple(h for h in _printed_hexes(game, where) if h in game.part)


def _printed_hexes(game: Game, where: dict[str, Any]) -> tuple[str, ...]:
    hexes = game.map.hexes
    if where["kind"] == "radius":
        near = game.map.within(where["hex"], where["radius"])
        return tuple(h for h in near if hexes[h].country == where["country"])
    if where["kind"] == "river_stretch":
        # 3.3 Down the Paraná from the first hex to the last, both included: cut above the first.
        above = {n for n in game.map.along("navigable_river")[where["from"]]
                 if where["to"] not in connected(game.map.along("navigable_river"), [n], {where["from"]})}
        return tuple(sorted(connected(game.map.along("navigable_river"), [where["from"]], above)))
    return tuple(h for h, spot in hexes.items() if spot.country == where["country"]
                 and where.get("region", spot.region) == spot.region)


def free_groups(game: Game, side: str) -> list[dict[str, Any]]:
    """The groups a side places as it likes."""
    return [g for g in game.scenario["groups"]
            if g["side"] == side and g["where"]["kind"] in ("radius", "river_stretch", "any")]


@segments.segment
def matto_grosso_decision(pos: Position) -> Procedure[Next]:
    """3.2, 8.2 First of all the Allied player says whether he invades the Matto Grosso, for good, and with whom."""
    terms = pos.game.tables["events"]["matto_grosso"]
    infantry = tuple(sorted(u.id for u in pos.game.units.values()
                            if u.nation == "brazil" and u.type == "infantry" and u.entry_turn is not None))
    supply = tuple(sorted(u for u in pos.stack(AVAILABLE[ALLIED]) if pos.unit(u).supply))
    answer = yield from ask(Request(ALLIED, "prompt.matto_grosso_decision", "8.2", (
        Choose("no_invasion", "8.2", (Option("no_invasion", "8.2", label("option.no_invasion"),
                                             warn=label("warn.no_invasion")),)),
        Allocate("invasion", "8.2", "send", (
            Lot("infantry", infantry, terms["infantry"], terms["infantry"], label=label("lot.infantry")),
            Lot("supply", supply, terms["supply"], terms["supply"], label=label("lot.supply")))))))
    if answer["form"] == "no_invasion":
        pos.matto_grosso = "not_launched"
        pos.tell("matto_grosso_not_launched", "8.2", ALLIED, reveals=True)
        return DONE
    force = [u for units in answer["lots"].values() for u in units]
    for unit in force:
        pos.put(unit, EXPEDITION)
    pos.matto_grosso = "launched"
    pos.tell("matto_grosso_launched", "8.2", ALLIED, units=sorted(force), reveals=True)
    return DONE


def _place_form(pos: Position, side: str) -> Place:
    game = pos.game
    groups = tuple(Group(g["id"], g["clause"], tuple(g["units"]), hexes_for(game, g["where"]), must=True)
                   for g in free_groups(game, side))
    standing = {h: len(pos.stack(h)) for h in pos.hexes_of(side)}
    placeable = {u for g in groups for u in g.units}
    suggested = {u: h for u, h in game.scenario["suggested"].items() if u in placeable}
    boxes = {b: h for b, h in game.scenario["suggested_boxes"].get(side, {}).items() if h is not None}

    def legal(answer: Answer) -> None:
        occupied = {*answer["placed"].values(), *standing}
        for loc in answer.get("boxes", {}).values():
            if loc not in occupied or pos.fortress(loc) is not None:
                raise Refusal("refusal.not_to_box", "3.5", at=loc)

    return Place("set_up", groups[0].clause, groups, game.limit, "6.1", standing, boxes=game.boxes[side],
                 suggested=suggested, suggested_boxes=boxes, legal=legal)


def _set_up(pos: Position, side: str, clause: str) -> Procedure[None]:
    answer = yield from ask(Request(side, f"prompt.set_up_{side}", clause, (_place_form(pos, side),),
                                    needs=lambda _: Needs(2, None) if side == ALLIED else NOBODY))
    for unit, loc in answer["placed"].items():
        pos.put(unit, loc)
    open_boxes(answer.get("boxes", {}), side, pos)
    for loc in sorted(set(answer["placed"].values())):
        enter(pos, loc, side)
    pos.tell("set_up", clause, side, count=len(answer["placed"]))


@segments.segment
def allied_set_up(pos: Position) -> Procedure[Next]:
    """3.3 The Allied forces on the map, each group in its hexes; the Allied player finishes first (3.1)."""
    yield from _set_up(pos, ALLIED, "3.3")
    return DONE


@segments.segment
def paraguayan_set_up(pos: Position) -> Procedure[Next]:
    """3.4 Fortresses and river units are fixed; all other Paraguayan units stand anywhere in Paraguay."""
    yield from _set_up(pos, PARAGUAY, "3.4")
    return DONE
