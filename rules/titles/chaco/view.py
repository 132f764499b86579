"""What each eye may see. The map lies open; by option only the top of an enemy stack, and its leaders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from rules.core.view import Content, Fragment
from rules.mechanics import fragments
from rules.mechanics.fragments import cell, row, table, text
from rules.titles.chaco import march, politics
from rules.titles.chaco.position import DEAD, DUE, LIFTED, LOST, PILE, REPLACED, TRUCKS, WAITING, Position
from rules.titles.chaco.units import COMBAT, SIDES

PHASES = ("supply", "new_units", "movement", "reaction", "combat", "construction", "politics")
BOXES = {"pile": PILE, "dead": DEAD, "lost": LOST, "trucks": TRUCKS, "due": DUE, "waiting": WAITING,
         "replaced": REPLACED, "lifted": LIFTED}

COLOURS = {"paraguay": "gold", "bolivia": "green"}


# -- the map -------------------------------------------------------------------------------------------------


def space(pos: Position, hex_: str) -> Fragment:
    """A hex: its stack, control where it has changed. In limited intelligence the other side sees the top unit,
    the leaders and the number."""
    stack = pos.stack(hex_)
    base: dict[str, Any] = {"count": len(stack)}
    if hex_ in pos.control or stack:
        base["control"] = pos.controller(hex_)
    if not stack:
        return Fragment(base if hex_ in pos.control else None)
    side = pos.unit(stack[0]).side
    base["side"] = side
    full = {**base, "units": [shown(pos, u) for u in stack]}
    if pos.options["intelligence"] == "full":
        return Fragment(full)
    chiefs = [{"id": x, "kind": "leader", "badges": []} for x in pos.leaders_at(hex_) if x != stack[0]]
    outside = {**base, "top": fragments.bare(stack[0])}
    if chiefs:
        outside["markers"] = chiefs
    return Fragment(outside, side, full)


def shown(pos: Position, unit: str) -> dict[str, Any]:
    """A counter and what lies on it."""
    holds = {"reduced": unit in pos.reduced, "unsupplied": unit in pos.out, "assigned": unit in pos.assigned,
             "building": unit in pos.building, "aboard": unit in pos.aboard, "moved": march.moved(pos, unit),
             "attacked": unit in pos.fought, "commander": unit in pos.commander.values()}
    out: dict[str, Any] = {"id": unit, "badges": [name for name, on in holds.items() if on]}
    if march.moved(pos, unit):
        out["left"] = 0 if unit in pos.settled else march.shown(
            max(0, march.left(pos, unit, pos.stage.endswith("_reaction"))))
    return out


def layer(pos: Position, side: str) -> Fragment:
    """8.6-8.10 The supply of a side as a layer of the map: its line, depots, the chains by which hexes that project a
    radius are fed, and the units out of supply, each with the reason. In limited intelligence others see the line."""
    line = pos.lines.get(side)
    colour = COLOURS[side]
    base: list[dict[str, Any]] = []
    if line is not None:
        base.append({"path": line["path"], "line": "solid", "arrow": True, "colour": colour})
        base.append({"at": line["path"][0], "colour": colour,
                     "text": text("layer.line", n=line["length"], radius=pos.radius[side])})
    base += [{"at": h, "colour": colour, "sign": "depot", "text": text("layer.depot")}
             for h in pos.depots.get(side, [])]
    chains = [{"path": [by, h], "line": "dash", "colour": colour}
              for h, by in sorted(pos.chains.get(side, {}).items()) if by and by != h]
    hungry = sorted({pos.at[u] for u in pos.out if pos.unit(u).side == side and pos.unit(u).combat and u in pos.at})
    out = [{"spaces": [h], "fill": "hatch", "colour": "grey", "text": text(pos.hungry.get(h, "layer.far"))}
           for h in hungry]
    title = text("layer.supply", side=side)

    def made(parts: list[dict[str, Any]]) -> Content:
        return {"title": title, "shown": feeding(pos, side), "parts": parts} if parts else None

    full = made([*base, *chains, *out])
    return Fragment(full) if pos.options["intelligence"] == "full" else Fragment(made(base), side, full)


def feeding(pos: Position, side: str) -> bool:
    """4.2 Whether it is a side's supply phase, in which its supply lies over the map unless its viewer hides it."""
    return pos.stage == f"{side}_supply"


def radius(pos: Position, side: str) -> Fragment:
    """8.7, 8.10 The hexes that the supply of a side reached at its last check; in limited intelligence it alone sees
    them, as they tell where trucks are assigned."""
    hexes = pos.fed.get(side)
    parts = [{"spaces": hexes, "fill": "tint", "line": "dots", "colour": COLOURS[side]}]
    full: Content = None if not hexes else {
        "title": text("layer.radius", side=side), "shown": feeding(pos, side), "parts": parts}
    return Fragment(full) if pos.options["intelligence"] == "full" else Fragment(None, side, full)


BUILT = {"entrenchment": {"colour": "grey", "line": "trench"}, "fortification": {"colour": "grey", "line": "fort"},
         "trail": {"colour": "grey", "line": "dash", "sign": "trail"}, "well": {"colour": "blue", "sign": "well"}}


def works(pos: Position, _: str) -> Fragment:
    """14.3-14.6 What engineers have built, drawn on the map as a layer."""
    found = [*((h, pos.works[h]) for h in sorted(pos.works)), *((h, "trail") for h in pos.trails),
             *((h, "well") for h in pos.wells)]
    parts = [{"spaces": [h], **BUILT[what], "text": text(f"layer.{what}")} for h, what in found]
    return Fragment({"title": text("layer.works"), "parts": parts} if parts else None)


LAYERS: dict[str, Callable[[Position, str], Fragment]] = {"supply": layer, "radius": radius, "works": works}


def pool(pos: Position, name: str) -> Content:
    """The boxes of the map: reinforcements, the dead, trucks, leaders."""
    stack, (kind, _, side) = pos.stack(name), name.partition(":")
    if not stack or kind == "free":
        return None
    return {"title": text(f"pool.{kind}"), "side": side, "units": [
        {"id": u, "badges": ["reduced"]} if u in pos.reduced else fragments.bare(u) for u in stack]}


# -- turn and track ------------------------------------------------------------------------------------------


def turn(pos: Position) -> Content:
    """4.2 Turn, phase and whose it is; the steps are those of one player turn, after the check of weather and truce."""
    name = pos.stage.partition("_")[2] if pos.stage.startswith(SIDES) else pos.stage
    order = ["weather", *PHASES]
    now = next((i for i, step in enumerate(order) if name.startswith(step)), None)
    return fragments.turn(pos, order, now)


def track(pos: Position) -> Content:
    """2.23 The months of the scenario, with the rains."""
    cells = []
    for n in range(1, pos.game.scenario["turns"] + 1):
        year, month = pos.game.month_of(n)
        wet = month in pos.game.n["rain"]["months"] or (n == pos.turn and pos.rain)
        found = (["rain"] if wet else []) + (["truce"] if n == pos.turn and pos.truce else [])
        cells.append(cell(f"{month}/{year % 100}", text(f"month.{month}", year=str(year)), n, pos.turn, found))
    return {"cells": cells}


# -- tables --------------------------------------------------------------------------------------------------


def points(pos: Position) -> Content:
    """16.2 Victory points as they stand."""
    return table("points", [row(f"seat.{side}", pos.vp[side], "16.2") for side in SIDES])


def state(pos: Position) -> Content:
    """5.0, 6, 8.7, 9.1, 9.5, 13.3 What the tracks and boxes of the map say."""
    rows = [row("state.weather", text("state.rain" if pos.rain else "state.dry"), "5.0"),
            row("state.truce", text("state.yes" if pos.truce else "state.no"), "6.3")]
    for side in SIDES:
        line = pos.lines.get(side)
        rows += [row("state.radius", pos.radius.get(side, 0), "8.7", side=side),
                 row("state.line", line["length"] if line else text("state.no_line"), "8.6", side=side),
                 row("state.replacements", pos.replacements[side], "9.1", side=side),
                 row("state.air", pos.air[side], "13.3", side=side),
                 row("state.callups", pos.callups[side], "9.5", side=side)]
    return table("state", rows)


def leaders(pos: Position) -> Content:
    """2.15, 2.16, 15.1 The leaders in play with political and command rating and where they are, the commander first,
    and whether he must be challenged."""
    rows = []
    for side in SIDES:
        chief = pos.commander[side]
        for x in [chief, *(x for x in politics.on_duty(pos, side) if x != chief)]:
            rank = "commander" if x == chief else "subordinate"
            ratings = f"{pos.unit(x).political} / {pos.unit(x).command:+d}"
            place = pos.at[x]
            if place in pos.game.map.hexes:
                rows.append(row(f"leader.{rank}", ratings, "15.1", side=side, unit=x, at=place))
            else:
                rows.append(row(f"leader.{rank}_away", ratings, "15.1", side=side, unit=x))
        if side in pos.shaken:
            rows.append(row("leader.blamed", text("state.yes"), "15.2", unit=chief))
    return table("leaders", rows)


def attempts(pos: Position) -> Content:
    """15.3-15.5 In a political phase, until its die has fallen: how many faces replace whom, as it falls and with each
    point that backers or victory points may add; of a forced challenge, how many lead to what."""
    side = pos.active
    if side is None or pos.tried or not pos.stage.endswith("_politics"):
        return None
    rows = [row(f"chance.{name}", "  ".join(values), clause, unit=unit)
            for name, clause, unit, values in politics.chances(pos, side)]
    return table("politics", rows, side=side)


def settlements(pos: Position) -> Content:
    """3.2 How many settlements each side controls."""
    held = Counter(pos.controller(h) for h in pos.game.settlements)
    return table("settlements", [row(f"seat.{side}", held[side], "3.2") for side in SIDES])


def options(pos: Position) -> Content:
    """The rules chosen for this game."""
    clauses = {"cavalry": "10.13", "barrage": "13.2", "settlement_points": "16.5", "politics": "15.1",
               "intelligence": "11.1", "third_terrain": "12.13"}
    return table("options", [row(f"option.{name}", text(f"option.{name}.{value}"), clauses[name])
                              for name, value in sorted(pos.options.items())])


def _losses(pos: Position, side: str) -> Content:
    """Combat units in the dead pile, by type."""
    dead = Counter(pos.unit(u).type for u in [*pos.stack(DEAD[side]), *pos.stack(LOST[side])])
    return table("losses", [row(f"type.{t}", dead[t], "12.9") for t in sorted(COMBAT)], side=side)


TABLES: dict[str, Callable[[Position], Content]] = {
    "points": points, "state": state, "leaders": leaders, "politics": attempts, "settlements": settlements,
    "options": options}


def shown_table(pos: Position, name: str) -> Content:
    """A table by its name; the losses by `losses_SIDE`."""
    return _losses(pos, name.removeprefix("losses_")) if name.startswith("losses_") else TABLES[name](pos)


def shown_layer(pos: Position, name: str) -> Fragment:
    """A layer of the map, `WHAT_SIDE`, or the one of all works."""
    what, _, side = name.partition("_")
    return LAYERS[what](pos, side)


class View(fragments.ByKind):
    """The fragments of docs/protocol.md section 2."""

    NAMED: ClassVar = {"space": space, "pool": pool, "layer": shown_layer, "table": shown_table}
    ALONE: ClassVar = {"turn": turn, "track": track}

    def keys(self, pos: Position) -> Iterator[str]:
        """Every fragment that may have content."""
        yield from ("turn", "track", "battle", "result", "layer:works", *(f"table:{name}" for name in TABLES))
        for side in SIDES:
            yield from (f"pool:{box[side]}" for box in BOXES.values())
            yield from (f"table:losses_{side}", f"layer:supply_{side}", f"layer:radius_{side}")
        hexes = (h for h in pos.here if h in pos.game.map.hexes)
        for loc in {*hexes, *pos.control}:
            yield f"space:{loc}"
