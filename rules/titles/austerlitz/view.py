"""4.2 errata, 4.8 What each eye may see: all but the markers that the other side has in the pool."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.core.view import Content, Fragment
from rules.maps.hexes import FACINGS
from rules.titles.austerlitz import layers, strip
from rules.titles.austerlitz.breakpoints import count
from rules.titles.austerlitz.fire import broken, strategic
from rules.titles.austerlitz.formations import SKIRMISH, SPREAD
from rules.titles.austerlitz.position import DEAD, DUE, Position
from rules.titles.austerlitz.turn import STAGES
from rules.titles.austerlitz.units import GOOD, ROUT, SHAKEN, SIDES, UNSTEADY
from rules.titles.austerlitz.victory import goals, holds, ruined

LEVELS = {SHAKEN: "shaken", UNSTEADY: "unsteady", ROUT: "routed"}
TABLES = ("pool", "breakpoints", "fatigue", "losses")


class View:
    """The fragments of docs/protocol.md section 2."""

    def keys(self, pos: Position) -> Iterator[str]:
        """Every fragment that may have content."""
        yield from ("turn", "track", "combat", "result", "table:fog", "table:strategic", "table:places")
        yield from (f"layer:{name}" for name in layers.NAMES)
        for side in SIDES:
            yield f"pool:markers_{side}"
            yield from (f"table:{name}_{side}" for name in TABLES[1:])
        for loc in {*pos.stacks, *pos.here, *DEAD.values(), *DUE.values()}:
            yield f"pool:{loc}" if ":" in loc else f"space:{loc}"
        for hex_ in {*pos.held, *pos.second}:
            yield f"space:{hex_}"

    def fragment(self, pos: Position, key: str) -> Fragment:
        kind, _, name = key.partition(":")
        match kind:
            case "space":
                return Fragment(space(pos, name))
            case "pool":
                return markers(pos, name.removeprefix("markers_")) if name.startswith("markers_") else Fragment(
                    pool(pos, name))
            case "table":
                return table(pos, name)
            case "turn":
                return Fragment(turn(pos))
            case "track":
                return Fragment(track(pos))
            case "layer":
                return Fragment(layers.layer(pos, name))
            case "combat":
                return Fragment(strip.shown(pos.fight, over=pos.act is None))
            case _:
                return Fragment(pos.result)


def space(pos: Position, hex_: str) -> Content:
    """A hex: its units with formation, facing and state, its leaders, and who holds it, if that counts for anything."""
    stack, leaders = pos.stack(hex_), sorted(pos.here.get(hex_, []))
    control = pos.held.get(hex_)
    if not stack and not leaders:
        return None if control is None else {"control": control, "count": 0}
    side = pos.unit(stack[0]).side if stack else pos.game.side[leaders[0]]
    out: dict[str, Any] = {"side": side, "count": len(stack), "units": [unit(pos, u) for u in stack]}
    if control is not None:
        out["control"] = control
    if leaders:
        out["markers"] = [{"id": x, "kind": "leader", "badges": leader_badges(pos, x)} for x in leaders]
    return out


def unit(pos: Position, name: str) -> dict[str, Any]:
    """A counter as it stands."""
    form = pos.form[name]
    shape = "routed" if pos.routed(name) else SKIRMISH if form == SPREAD else form
    out: dict[str, Any] = {"id": name, "badges": badges(pos, name), "facing": FACINGS[pos.facing.get(name, 0)],
                           "formation": shape}
    if name in pos.tail:
        out["on"] = list(pos.footprint(name))
    if pos.lost.get(name):
        out["lost"] = pos.lost[name]
    return out


def badges(pos: Position, name: str) -> list[str]:
    """The status markers (2.4) on a counter."""
    found = []
    level = pos.morale.get(name, GOOD)
    if level != GOOD:
        found.append(LEVELS[level])
    if name in pos.capped:
        found.append("capped")
    if broken(pos, name):
        found.append("breakpoint")
    if pos.blown.get(name):
        found.append(f"blown-{pos.blown[name]}")
    if name in pos.resting:
        found.append("recovery")
    if name in pos.fired:
        found.append("fired")
    if name in pos.used:
        found.append("moved")
    if strategic(pos, name):
        found.append("strategic")
    return found


def leader_badges(pos: Position, leader: str) -> list[str]:
    found = ["finished"] if leader in pos.finished else []
    return [*found, "replaced"] if leader in pos.post else found


def pool(pos: Position, name: str) -> Content:
    """Counters off the map, open to all; battalions in companies and leaders who wait are nobody's business."""
    kind, _, side = name.partition(":")
    units = [u for u in pos.stacks.get(name, ()) if kind != "split"]
    leaders = sorted(pos.here.get(name, [])) if kind in ("due", "fallen", "free") else []
    if not units and not leaders:
        return None
    return {"title": {"key": f"pool.{kind}", "args": {}}, "side": side,
            "units": [{"id": u, "badges": []} for u in (*units, *leaders)]}


def markers(pos: Position, side: str) -> Fragment:
    """4.2 errata A side's markers: its own to itself, to others those that have been drawn this turn."""
    def shown(names: list[str]) -> Content:
        return {"title": {"key": "pool.markers", "args": {}}, "side": side, "units": [
            {"id": m, "badges": ["drawn"] if m in pos.drawn else []} for m in sorted(names)]}
    own = [m for m in pos.pool if pos.game.side[m] == side]
    return Fragment(shown([m for m in own if m in pos.drawn]), side, shown(own))


def row(key: str, value: Any, clause: str, **args: Any) -> dict[str, Any]:
    return {"label": {"key": key, "args": args}, "value": value, "clause": clause}


def table(pos: Position, name: str) -> Fragment:
    """The boxes of the command sheet."""
    kind, _, side = name.partition("_")
    rows: list[dict[str, Any]] = []
    match kind:
        case "breakpoints":
            for command in pos.game.divisions(side):
                level = pos.game.commands[command].breakpoint
                if level is not None and any(u in pos.at for u in pos.game.members[command]):
                    rows.append(row(f"command.{command}", f"{count(pos, command)}/{level}", "11.2"))
        case "fatigue":
            rows = [row(f"command.{c}", n, "13.0") for c, n in sorted(pos.fatigue.items()) if n and pos.game.side.get(
                c, pos.game.commands[c].side if c in pos.game.commands else "") == side]
        case "losses":
            rows = [row("row.points_lost", sum(n for u, n in pos.lost.items() if pos.unit(u).side == side
                                               and pos.unit(u).battalion is None), "8.5.1"),
                    row("row.ruined", ruined(pos, side), "A15.1")]
        case "fog":
            fog = pos.special.get("fog")
            rows = [] if fog is None else [row("row.fog", fog, "A5.1")]
        case "strategic":
            rows = [row(f"command.{c}", "", "5.2") for c in pos.strategic]
        case "places":
            rows = [row(f"place.{p}", next((f"seat.{s}" for s in SIDES if holds(pos, s, p)), ""), pos.plan["clause"])
                    for p in goals(pos)]
    title = f"table.{kind}"
    return Fragment({"title": {"key": title, "args": {"side": f"seat.{side}"} if side else {}}, "rows": rows} if rows
                    else None)


def turn(pos: Position) -> Content:
    """3.0 The turn and its segments."""
    here = STAGES.index(pos.stage) if pos.stage in STAGES else -1
    steps = [{"id": s, "label": {"key": f"step.{s}", "args": {}},
              "state": "done" if i < here else "now" if i == here else "todo"} for i, s in enumerate(STAGES)]
    out: dict[str, Any] = {"turn": pos.turn, "phase": {"key": f"stage.{pos.stage}", "args": {}}, "side": pos.active,
                           "steps": steps}
    if pos.act is not None:
        out["phase"] = {"key": "stage.activation", "args": {"command": f"command.{pos.act['command']}",
                                                            "mode": f"mode.{pos.act['mode']}"}}
    return out


def track(pos: Position) -> Content:
    """The turn track, by the hour; marked while there is fog."""
    fog = pos.game.tables["fog"] if pos.plan["fog"] else {}
    return {"cells": [{"label": hour, "title": {"key": "turn.hour", "args": {"hour": hour}},
                       "state": "past" if i < pos.turn else "now" if i == pos.turn else "todo",
                       "marks": ["fog"] if hour in fog else []} for i, hour in enumerate(pos.plan["turns"], 1)]}


