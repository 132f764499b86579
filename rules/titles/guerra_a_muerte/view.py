"""What each eye may see: the whitelist of fragments (docs/protocol.md section 2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from rules.core.seats import ALL
from rules.core.view import Content, Fragment
from rules.mechanics import fragments
from rules.mechanics.fragments import cell, row, table, text
from rules.titles.guerra_a_muerte.asking import points
from rules.titles.guerra_a_muerte.board import NATIONS, PATRIOT, PURSES, REBELS, ROMAN, ROYALIST, SIDES, year
from rules.titles.guerra_a_muerte.control import SHARED, looks_by_area
from rules.titles.guerra_a_muerte.position import OUT, Position, pool_key
from rules.titles.guerra_a_muerte.setup import wanted
from rules.titles.guerra_a_muerte.turn import PHASES

POOLS = ("american", "spanish", ROYALIST, *NATIONS, "rebels")


# -- spaces ----------------------------------------------------------------------------------------------------


def counter(pos: Position, unit: str) -> dict[str, Any]:
    """A counter with what one sees on it."""
    force = pos.forces[-1] if pos.forces else None
    active = force is not None and unit in force["units"] and pos.at[unit] == force["at"]
    badges = [name for name, holds in (
        ("reduced", unit in pos.reduced), ("guerrilla", unit in pos.guerrillas), ("aboard", unit in pos.aboard),
        ("siege", pos.besieging(unit) is not None), ("active", active),
        ("spent", unit in pos.operated and not active)) if holds]
    return {"id": unit, "badges": badges}


def space(pos: Position, name: str) -> Fragment:
    """1.1.1, 5.1.3 What stands in an area, city, sea or box. What is in an army box only its owner sees; the other sees
    the marker."""
    stack = pos.stack(name)
    secret = [side for side in SIDES if name in pos.game.worth and pos.hidden(side, name)]
    if not secret:
        return Fragment(shown(pos, name, stack, []))
    if len(secret) == 1:
        side = secret[0]
        rest = [u for u in stack if pos.unit(u).side != side or not pos.boxed(u)]
        return Fragment(shown(pos, name, rest, [side]), side, shown(pos, name, stack, []))
    return both_closed(pos, name, stack)


def both_closed(pos: Position, name: str, stack: list[str]) -> Fragment:
    """5.1.3 Boxes of both sides in one area: each sees into its own, all others see two markers."""
    rest = [u for u in stack if not pos.boxed(u)]
    versions: dict[str, Content] = {ALL: shown(pos, name, stack, [])}
    for side in SIDES:
        mine = [u for u in stack if not pos.boxed(u) or pos.unit(u).side == side]
        versions[side] = shown(pos, name, mine, [other for other in SIDES if other != side])
    return Fragment(shown(pos, name, rest, list(SIDES)), versions=versions)


def shown(pos: Position, name: str, units: list[str], closed: list[str]) -> Content:
    """The content of a space with some counters seen and the markers of closed boxes."""
    out: dict[str, Any] = {}
    area = name in pos.game.worth
    if units:
        out |= {"count": len(units), "units": [counter(pos, u) for u in units], "side": first_side(pos, units)}
        own = pos.army_at(out["side"], name) if area and out["side"] in SIDES else None
        if own is not None and out["side"] not in closed:
            out["box"] = int(own)
    markers = [{"side": side, "count": 1, "box": int(pos.army_at(side, name) or 0)} for side in closed]
    if markers and not units:
        out = {**markers[0], "others": markers[1:]} if markers[1:] else dict(markers[0])
    elif markers:
        out["others"] = markers
    if area:
        here, held = looks_by_area(pos)[name]
        hold = "shared" if all(held.values()) else next((side for side in SIDES if held[side]), None)
        if hold is not None or REBELS in here:
            out["control"] = hold or "rebels"
    return out or None


def first_side(pos: Position, units: list[str]) -> str:
    return pos.unit(units[0]).side


def area_marks(pos: Position, area: str) -> list[str]:
    """4.9.1, 7.8, 10.4 The markers that lie in an area."""
    return [name for name, lies in (
        ("repression", area in pos.repression), ("raided", bool(pos.raided.get(area))), ("halved", area in pos.halved),
        *((f"masses_{side}", area in pos.masses[side]) for side in SIDES)) if lies]


# -- over the map ----------------------------------------------------------------------------------------------

COLOURS = {ROYALIST: "gold", PATRIOT: "blue", REBELS: "red"}


def control_layer(pos: Position) -> Fragment:
    """1.1.1, 4.2.1, 9.5 Who holds each area as far as all can see: a ground in the colour of the side, in a shared one
    that of the one and strokes of the other; rebels' strokes over whatever they spoil."""
    looks = looks_by_area(pos)
    crown, patriots = ([a for a, area in looks.items() if area.held[side]] for side in SIDES)
    shared = set(crown).intersection(patriots)
    parts = [{"spaces": [a for a in crown if a not in shared], "fill": "tint", "colour": COLOURS[ROYALIST]},
             {"spaces": patriots, "fill": "tint", "colour": COLOURS[PATRIOT]},
             {"spaces": [a for a in crown if a in shared], "fill": "hatch", "colour": COLOURS[ROYALIST]},
             {"spaces": [a for a, area in looks.items() if REBELS in area.here], "fill": "hatch",
              "colour": COLOURS[REBELS]}]
    return _layer("control", [part for part in parts if part["spaces"]])


def siege_layer(pos: Position) -> Fragment:
    """6.2, 6.4, 6.6 Besieged places: a ring, of works where there are some, and a sign for siege or blockade; in words
    with the place."""
    return _layer("sieges", [
        {"spaces": [city], "line": "trench" if siege["works"] else "dash", "colour": "red",
         "sign": "blockade" if siege["blockade"] else "siege", "text": text("layer.names", names=[
             f"mark.{name}" for name in ("siege", "works", "blockade") if name == "siege" or siege[name]])}
        for city, siege in sorted(pos.sieges.items())])


def marks_layer(pos: Position) -> Fragment:
    """4.9.1, 7.8, 10.4 The markers that lie in areas."""
    marked = {area: marks for area in pos.game.land if (marks := area_marks(pos, area))}
    return _layer("marks", [{"at": area, "colour": "grey", "text": text(
        "layer.names", names=[f"mark.{name}" for name in marks])} for area, marks in marked.items()])


def _layer(name: str, parts: list[dict[str, Any]]) -> Fragment:
    return Fragment({"title": text(f"layer.{name}"), "parts": parts} if parts else None)


LAYERS = {"control": control_layer, "sieges": siege_layer, "marks": marks_layer}


# -- beside the map ----------------------------------------------------------------------------------------------


def boxes(pos: Position, side: str) -> Content:
    """5.1.1 The army markers of a side and where they stand."""
    return {"title": text("slots.armies"), "side": side,
            "slots": [{"id": box, "at": area, "count": 1 if area is not None else 0}
                      for box, area in sorted(pos.armies[side].items())]}


def pool(pos: Position, name: str) -> Content:
    """2.3 Recruit pools, the turn track, and who is lost for good."""
    kind, _, which = name.partition("_")
    units = pos.stack(f"{kind}:{which}" if which else kind)
    if not units:
        return None
    args: dict[str, Any] = {"n": ROMAN[int(which) - 1], "year": year(int(which))} if kind == "turn" else (
        {"nation": text(f"nation.{which}")} if which else {})
    sides = {pos.unit(u).side for u in units}
    return {"title": text(f"pool.{kind}", **args), "side": sides.pop() if len(sides) == 1 else None,
            "units": [fragments.bare(u) for u in units]}


def turn(pos: Position) -> Content:
    """3.1 Turn, phase and whose it is."""
    now = PHASES.index(pos.stage) if pos.stage in PHASES else None
    return {**fragments.turn(pos, PHASES, now), "phase": text(f"stage.{pos.stage}", year=year(pos.turn))}


def track(pos: Position) -> Content:
    """11.1, 12.1.1, 12.2.1, 12.3.1 The years of the scenario."""
    first = pos.game.scenario["first_turn"]
    return {"cells": [cell(ROMAN[n - 1], text("track.turn", year=year(n)), n, pos.turn)
                      for n in range(first, first + pos.game.scenario["turns"])]}


def purses(pos: Position) -> Fragment:
    """4.2, 4.3 The points of the crown and of each nation."""
    return Fragment(table("purses", [row(f"nation.{p}", points(pos.purses[p]), "4.3" if p == ROYALIST else "4.2")
                                      for p in PURSES]))


def control(pos: Position) -> Fragment:
    """11.1 How many areas of worth each side seems to hold."""
    worth = [looks for area, looks in looks_by_area(pos).items() if pos.game.worth[area]]
    total = {ROYALIST: sum(looks.held[ROYALIST] for looks in worth),
             PATRIOT: sum(SHARED if REBELS in looks.here else looks.held[PATRIOT] for looks in worth)}
    return Fragment(table("control", [row(f"seat.{side}", points(total[side]), "11.1") for side in SIDES]))


def war(pos: Position) -> Fragment:
    """10.2, 10.6, 10.7 Spain, the Legion and Hidalgo's Mexico; of what operated in closed boxes there only the crown
    knows how many they were (5.1.3)."""
    rows = [row("war.coup", f"coup.{'yes' if pos.liberals() else 'no'}", "10.2"),
            row("war.legion", f"legion.{pos.legion}", "10.6")]
    if pos.mexico is None:
        return Fragment(table("war", rows))
    left, unseen = table("war", [*rows, row("war.mexico", pos.mexico, "10.7")]), pos.flags.get("mexico_unseen", 0)
    if not unseen:
        return Fragment(left)
    return Fragment(table("war", [*rows, row("war.mexico_most", pos.mexico + unseen, "10.7")]), ROYALIST, left)


def set_up(pos: Position) -> Fragment:
    """12.2.2, 12.2.3, 12.3.2, 12.3.3 The steps that the side that sets up has to place."""
    if not pos.agenda or pos.agenda[0][0] != "set_up":
        return Fragment(None)
    number = pos.agenda[0][1]
    clause = pos.game.scenario["setup"][number]["clause"]
    rows = [row("table.demand", want["n"], clause, where=want["where"], nation=want["nation"], type=want["type"])
            for want in wanted(pos.game, number)]
    return Fragment(table("set_up", rows) if rows else None)


def force(pos: Position) -> Fragment:
    """3.3 The force that operates: where it is, and its points."""
    if not pos.forces:
        return Fragment(None)
    now = pos.forces[-1]
    rows = [row("force.points", now["op"], "3.3"), row("force.spent", now["spent"], "3.3")]
    if now["cargo"]:
        rows.append(row("force.cargo", now["cargo"]["op"], "7.6"))
    return Fragment(table("force", rows))


TABLES = {"set_up": set_up, "purses": purses, "control": control, "war": war, "force": force}


class View(fragments.ByKind):
    """3.1 All there is to see: spaces, boxes, pools, turn, points and the state of the war."""

    NAMED: ClassVar = {"space": space, "slots": boxes, "pool": pool, "table": lambda pos, name: TABLES[name](pos),
                       "layer": lambda pos, name: LAYERS[name](pos)}
    ALONE: ClassVar = {"turn": turn, "track": track}

    def keys(self, pos: Position) -> Iterable[str]:
        last = pos.game.scenario["first_turn"] + pos.game.scenario["turns"]
        return ["turn", "track", "battle", "result", pool_key(OUT),
                *(f"space:{loc}" for loc in sorted(pos.game.spaces)), *(f"slots:{side}" for side in SIDES),
                *(pool_key(f"recruits:{n}") for n in POOLS),
                *(pool_key(f"turn:{n}") for n in range(1, max(16, last + 1))),
                *(f"table:{name}" for name in TABLES), *(f"layer:{name}" for name in LAYERS)]
