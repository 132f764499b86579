"""3.5, 6.4 What each eye may see: the one whitelist of this title."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, ClassVar

from rules.core.view import Content, Fragment
from rules.mechanics import fragments
from rules.mechanics.fragments import bare, cell, row, table, text
from rules.titles.triple_alliance.arrivals import rates
from rules.titles.triple_alliance.position import AVAILABLE, DEAD, EXPEDITION, FREE, OUT, Position
from rules.titles.triple_alliance.units import PARAGUAY, SIDES
from rules.titles.triple_alliance.victory import points

NUMERALS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
STEPS = ("events", "paraguay_movement", "paraguay_combat", "allied_movement", "allied_combat")


def space(pos: Position, hex_: str) -> Fragment:
    """6.4 Of a foreign stack the top unit and the number; 3.5 of a box the number alone. The owner sees all."""
    stack = pos.stack(hex_)
    if not stack:
        changed = pos.control.get(hex_)
        return Fragment(None if changed is None else {"control": changed, "count": 0})
    side = pos.unit(stack[0]).side
    box = pos.box_at(hex_, side)
    outside: dict[str, Any] = {"side": side, "control": pos.controller(hex_), "count": len(stack)}
    own = outside.copy()
    if box is not None:
        outside["box"] = own["box"] = int(box)
    else:
        outside["top"] = bare(stack[0])
    own["units"] = [own_unit(pos, u) for u in stack]
    return Fragment(outside, side, own)


def own_unit(pos: Position, unit: str) -> dict[str, Any]:
    """What the owner sees on and under his counter."""
    moved, aboard, attacked = unit in pos.spent, unit in pos.aboard, unit in pos.fought
    if not (moved or aboard or attacked):
        return bare(unit)
    badges = ["moved"] if moved else []
    if aboard:
        badges.append("aboard")
    if attacked:
        badges.append("attacked")
    if not moved:
        return {"id": unit, "badges": badges}
    return {"id": unit, "badges": badges, "left": 0 if unit in pos.settled else pos.left(unit)}


def pool(pos: Position, loc: str) -> Content:
    """Counters off the map lie open: the turn track (3.2), the eliminated, the available, those sent away (8)."""
    stack = pos.stack(loc)
    if not stack or loc in (FREE, OUT):
        return None
    kind, _, which = loc.partition(":")
    title = text(f"pool.{kind}")
    side: str | None = which if which in SIDES else None
    if kind == "turn":
        title = text("pool.turn", turn=NUMERALS[int(which) - 1] if int(which) <= len(NUMERALS) else which)
    if loc == EXPEDITION:
        title, side = text("pool.matto_grosso"), pos.unit(stack[0]).side
    return {"title": title, "side": side, "units": [bare(u) for u in stack]}


def slots(pos: Position, side: str) -> Content:
    """3.5 The army boxes lie open, their contents do not: only how many units are in each."""
    return {"title": text("slots.boxes"), "side": side, "slots": [
        slot(box, loc, 0 if loc is None else len(pos.stack(loc))) for box, loc in pos.boxes[side].items()]}


@lru_cache(4096)
def slot(box: str, loc: str | None, count: int) -> dict[str, Any]:
    """A box: the same one each time, so that a row of them is soon made and compared. It is never changed."""
    return {"id": box, "at": loc, "count": count}


def turn(pos: Position) -> Content:
    """5.2 Turn, phase and whose it is."""
    return fragments.turn(pos, STEPS, next((i for i, step in enumerate(STEPS) if pos.stage.startswith(step)), None))


def track(pos: Position) -> Content:
    """2.12 The turn track; late-year turns are winter (7.6)."""
    months = ((m["turn"], m) for m in pos.game.tables["turn_track"])
    return {"cells": [cell(month["label"], text(f"turn.{n}"), n, pos.turn, ["winter"] if month["winter"] else [])
                      for n, month in months if n <= pos.game.scenario["last_turn"]]}


def points_table(pos: Position) -> Content:
    """4.4 Allied victory points as they stand."""
    counted = points(pos)
    rows = [row(f"point.{p.id}", p.value, "4.4", **({"at": p.at} if p.at else {})) for p in counted]
    return table("points", [*rows, row("point.total", sum(p.value for p in counted), "4.3")])


def replacements_table(pos: Position) -> Content:
    """10.3 Steps a turn, and those left in this phase."""
    rate = rates(pos)
    return table("replacements", [row(f"nation.{n}", pos.steps.get(n, rate[n]), "10.3") for n in sorted(rate)])


def losses_table(side: str) -> Any:
    """Units eliminated, by nation."""
    def losses(pos: Position) -> Content:
        dead = [pos.game.units[u].nation for u in pos.stack(DEAD[side])]
        return table("losses", [row(f"nation.{n}", dead.count(n), "7.2") for n in pos.game.nations[side]], side=side)
    return losses


def options_table(pos: Position) -> Content:
    """The readings chosen for this game."""
    clauses = {"river_cost": "12.3", "matto_grosso_force": "8.2", "angostura": "13.16"}
    return table("options", [row(f"option.{name}", pos.options[name], clauses[name]) for name in sorted(pos.options)])


def limits(pos: Position) -> Content:
    """11.20 The part of the map that a scenario of ours is played on: what lies beyond is shaded."""
    part = pos.game.part
    if len(part) == len(pos.game.map.hexes):
        return None
    return {"title": text("layer.limits"), "shown": True,
            "parts": [{"spaces": sorted(part), "fill": "beyond", "line": "solid", "colour": "grey"}]}


def lost(pos: Position) -> Content:
    """2.12, 7.9 Where the markers "no depot" lie; 7.13 the supply hexes that serve Paraguay no more; 11.18 the railway
    that is only a road."""
    parts: list[dict[str, Any]] = [
        {"at": h, "colour": "grey", "text": text(f"layer.{what}")}
        for what, hexes in (("no_depot", pos.lost_depots), ("no_source", pos.taken))
        for h in sorted(hexes)
    ]
    if pos.rail_entered:
        parts.append({"spaces": sorted(pos.game.rail), "line": "dots", "colour": "grey", "text": text("layer.no_rail")})
    return {"title": text("layer.lost"), "parts": parts} if parts else None


def captures_table(pos: Position) -> Fragment:
    """13.27 What the Paraguayan player may write down: the factors that each force has captured for this phase or the
    next, with the hexes where its units stand."""
    rows = [
        row(f"capture.{when}", factors, "13.27", hexes=places)
        for when, held in (("now", pos.captures), ("next", pos.booty))
        for force, factors in held
        if factors and (places := sorted({pos.at[u] for u in force if pos.at[u][0].isdigit()}))
    ]
    return Fragment(None, PARAGUAY, table("captures", rows) if rows else None)


LAYERS = {"limits": limits, "lost": lost}
TABLES = {
    "points": points_table,
    "replacements": replacements_table,
    "options": options_table,
    "captures": captures_table,
    **{f"losses_{side}": losses_table(side) for side in SIDES},
}


class View(fragments.ByKind):
    """The fragments of docs/protocol.md section 2."""

    NAMED: ClassVar = {
        "space": space,
        "pool": pool,
        "slots": lambda pos, name: slots(pos, name.removeprefix("boxes_")),
        "table": lambda pos, name: TABLES[name](pos),
        "layer": lambda pos, name: LAYERS[name](pos),
    }
    ALONE: ClassVar = {"turn": turn, "track": track}

    def keys(self, pos: Position) -> Iterator[str]:
        """Every fragment that may have content."""
        yield from (
            "turn",
            "track",
            "battle",
            "result",
            "table:points",
            "table:replacements",
            "table:options",
            "table:captures",
            *(f"layer:{name}" for name in LAYERS),
        )
        for side in SIDES:
            yield from (f"slots:boxes_{side}", f"table:losses_{side}")
        for loc in {*pos.here, *DEAD.values(), *AVAILABLE.values()}:
            yield f"space:{loc}" if loc[0].isdigit() else f"pool:{loc}"
        for hex_ in pos.control:
            yield f"space:{hex_}"
