"""What a view lays over the map (docs/protocol.md section 2): the enemy's zones and the range of command in an
activation, the scenario's limits, the places that count."""

from __future__ import annotations

from typing import Any

from rules.core.seats import Side
from rules.core.view import Content
from rules.titles.austerlitz.fire import GRAPE, LONG, MEDIUM, field_of_fire
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.ranges import radius_of, traced
from rules.titles.austerlitz.units import FRENCH, SIDES, enemy
from rules.titles.austerlitz.victory import goals, hexes_of

NAMES = ("zones", "command", "limits", "objectives")
NEAR = 10         # hexes round where active units began in which zones are shown
BANDS = {GRAPE: "red", MEDIUM: "gold", LONG: "blue"}
COLOURS = {SIDES[0]: "blue", SIDES[1]: "green", None: "grey"}


def layer(pos: Position, name: str) -> Content:
    """One layer; None where it has nothing to show."""
    parts = {"zones": _zones, "command": _command, "limits": _limits, "objectives": _objectives}[name](pos)
    if not parts:
        return None
    return {"title": {"key": f"layer.{name}", "args": {}}, "shown": name == "objectives", "parts": parts}


def _zones(pos: Position) -> list[dict[str, Any]]:
    """6.2, 5.1.3 The Reaction Zones of the side that does not act, near those who do; hatched where a front ends a
    move."""
    if pos.act is None:
        return []
    foe, board = enemy(pos.act["side"]), pos.game.board
    starts = set(pos.act["from"].values())
    near = pos.zones(foe).keys() & set().union(*(board.within(a, NEAR) for a in starts))
    fronts = near & set(pos.fronts(foe))
    return [{"spaces": sorted(hexes), "fill": fill, "colour": "red"}
            for hexes, fill in ((near - fronts, "tint"), (fronts, "hatch")) if hexes]


def _command(pos: Position) -> list[dict[str, Any]]:
    """4.3 The hexes in which units are in command of the leader who acts."""
    leader = pos.act["leader"] if pos.act is not None else None
    if leader is None or ":" in pos.leaders.get(leader, ":"):
        return []
    side = pos.game.side[leader]
    return [{"spaces": sorted(traced(pos, pos.leaders[leader], radius_of(pos, leader), side)), "line": "dash",
             "colour": COLOURS[side]}]


def _limits(pos: Position) -> list[dict[str, Any]]:
    """A15.2, A15.5 The rows that bound corps may not pass, and the ground that is closed to a side."""
    around, parts = pos.game.board.around, []
    for rule in pos.plan.get("limits", ()):
        bound = [c for c in rule["corps"] if c not in pos.special.get("released", ())
                 and c not in pos.special.get("northern", ())]
        if bound and "north" in rule:
            sheet, row = rule["north"]
            hexes = [h for c in range(10, 47) if (h := f"{sheet}{c}{row:02d}") in around]
            parts.append({"spaces": hexes, "line": "solid", "colour": "gold",
                          "text": {"key": f"command.{bound[0]}", "args": {}}})
    if "french_south" in pos.plan and pos.special.get("garrison"):
        sheet, row = pos.plan["french_south"]["row"]
        hexes = [h for c in range(10, 47) if (h := f"{sheet}{c}{row:02d}") in around]
        parts.append({"spaces": hexes, "line": "solid", "colour": COLOURS[FRENCH],
                      "text": {"key": f"seat.{FRENCH}", "args": {}}})
    if "banned" in pos.plan:
        ban = pos.plan["banned"]
        parts.append({"spaces": sorted(pos.game.board.within(ban["hex"], ban["within"])), "fill": "hatch",
                      "colour": "gold", "text": {"key": f"seat.{ban['side']}", "args": {}}})
    return parts


def _objectives(pos: Position) -> list[dict[str, Any]]:
    """A15 The hexes on which victory hangs, in the colour of who holds them."""
    held: dict[str | None, list[str]] = {}
    for hex_ in sorted(h for place in goals(pos) for h in hexes_of(pos, place)):
        held.setdefault(pos.held.get(hex_), []).append(hex_)
    return [{"spaces": hexes, "line": "dots", "colour": COLOURS[side]} for side, hexes in sorted(
        held.items(), key=lambda item: str(item[0]))]


def covers(pos: Position, _side: Side, loc: str) -> list[dict[str, Any]]:
    """6.2, 8.1.6 What the units in a hex cover: their Reaction Zones, and what their guns can fire into, by the range
    of the nearest. All of it lies open."""
    units = pos.stack(loc)
    zones = {h for u in units for h in pos.zone(u)}
    parts: list[dict[str, Any]] = [{"spaces": sorted(zones), "line": "dash", "colour": "violet"}] if zones else []
    fields, nearer = [field_of_fire(pos, u) for u in units], set[str]()
    for band, colour in BANDS.items():
        hexes = {h for found in fields for h in found.get(band, ())} - nearer
        nearer |= hexes
        if hexes:
            parts.append({"spaces": sorted(hexes), "fill": "tint", "colour": colour,
                          "text": {"key": f"fire.{band}", "args": {}}})
    return parts
