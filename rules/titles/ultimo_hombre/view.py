"""What each eye may see: the board lies open; hands and decks do not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from rules.core.view import Content, Fragment
from rules.mechanics import fragments
from rules.mechanics.fragments import cell, row, table, text
from rules.titles.ultimo_hombre.board import ALLIED, PARAGUAYAN, SIDES, STRATEGIC_NATIONS
from rules.titles.ultimo_hombre.fire import FACES, strength
from rules.titles.ultimo_hombre.position import BOX, OUT, Position
from rules.titles.ultimo_hombre.turn import PHASES


def space(pos: Position, name: str) -> Content:
    """A space: units with their sides up, leaders, fortress, capital, control."""
    stack = [*pos.units_of(ALLIED, name), *pos.units_of(PARAGUAYAN, name)]
    extras = [{"id": x, "kind": "leader"} for x in pos.chiefs.get(name, ())]
    fort = pos.fort_at(name)
    if fort is not None:
        extras.append({"id": fort, "kind": "fortress", "badges": ["reduced"] if fort in pos.worn else []})  # type: ignore[dict-item]
    if name == pos.capital:
        extras.append({"id": "capital", "kind": "capital"})
    changed = name in pos.control or name in pos.earned or name in pos.lost_strategic
    if not stack and not extras and not changed:
        return None
    out: dict[str, Any] = {"control": pos.controller(name), "count": len(stack),
                           "units": [{"id": u, "badges": badges(pos, u)} for u in stack]}
    if stack:
        out["side"] = pos.unit(stack[0]).side
    if extras:
        out["markers"] = extras
    if name in pos.attacks:
        out["contested"] = True
    return out


def badges(pos: Position, unit: str) -> list[str]:
    """What lies on a unit in a space."""
    out = ["reduced"] if unit in pos.reduced else []
    if unit in pos.steps:
        out.append("moved")
    if unit in pos.shipped:
        out.append("aboard")
    return out


def hand(pos: Position, side: str) -> Fragment:
    """12.1 Cards in hand are seen by their owner alone; everybody sees how many."""
    cards, late = pos.hands[side], pos.late[side]
    outside = {"title": text("hand.title"), "side": side, "count": len(cards) + len(late)}
    own = {**outside, "cards": [shown(pos, c) for c in cards], "late": [shown(pos, c) for c in late]}
    return Fragment(outside, side, own)


def card(pos: Position, name: str) -> dict[str, Any]:
    """A card by its number, with its points."""
    return {"id": name, "vp": pos.game.cards[name]["vp"]}


def shown(pos: Position, name: str) -> dict[str, Any]:
    """12.1 A card that can be used or is in use, with the spaces it speaks of."""
    named = pos.game.named[name]
    return {**card(pos, name), "spaces": named} if named else card(pos, name)


def in_use(pos: Position, side: str) -> Content:
    """12.1 The card that shows."""
    return {"title": text("slots.in_use"), "side": side,
            "slots": [{"id": "in_use", "at": None, "count": 1, "card": shown(pos, pos.in_use[side])}]}


def pool(pos: Position, name: str) -> Content:
    """Reserves, special units, the eliminated, leaders' boxes, and how many cards a deck still has."""
    kind, _, which = name.partition(":")
    title = text("pool.reserve", nation=text(f"nation.{which}")) if kind == "reserve" else text(f"pool.{kind}")
    if kind == "deck":
        return {"title": title, "side": which, "units": [], "count": len(pos.decks[which])}
    if kind == "discards":
        return {"title": title, "side": which, "units": [], "cards": [card(pos, c) for c in pos.discards[which]]}
    if kind == "leaders":
        return {
            "title": title,
            "side": which,
            "units": [{"id": x, "badges": [], "kind": "leader"} for x in pos.leaders_at(which, BOX)],
        }
    units: list[dict[str, Any]] = [
        {"id": u, "badges": ["reduced"] if u in pos.reduced else []} for u in pos.stack(name)
    ]
    if kind == "dead":
        units += [{"id": x, "badges": [], "kind": "leader"} for x in pos.leaders_at(which, OUT)]
    return {"title": title, "side": which, "units": units} if units else None


def turn(pos: Position) -> Content:
    """2 Turn, phase and whose it is."""
    return fragments.turn(pos, PHASES, next((i for i, p in enumerate(PHASES) if pos.stage.endswith(p)), None))


def track(pos: Position) -> Content:
    """2 The turn, as far as the war has come; of how many in a scenario of ours."""
    goal = pos.game.goal
    said = text("track.of", last=goal["last_turn"]) if goal else text("track.turn", turn=pos.turn)
    now = cell(str(pos.turn), said, pos.turn, pos.turn)
    return {"cells": [now]}


def battle(pos: Position) -> Content:
    """7 The battle board: both lines, the fortress between, who fires first and the round."""
    if pos.battle is None:
        return None
    b = pos.battle
    fort = b["fort"] if b["fort"] in pos.forts else None
    lines = [{"side": side, "slots": [{"id": s, "unit": u, "factor": strength(pos, u), "reduced": u in pos.reduced}
                                      for s, u in sorted(line.items())]} for side, line in sorted(b["lines"].items())]
    return {"board": True, "die": FACES, "target": b["at"], "attacker": b["attacker"], "round": b["round"],
            "order": text(f"order.{b['order']}"), "lines": lines,
            "fort": None if fort is None else {"id": fort, "reduced": fort in pos.worn}}


def points(pos: Position) -> Content:
    """12.3 Both tracks."""
    return table("points", [row(f"seat.{side}", pos.vp[side], "12.3") for side in SIDES])


def war(pos: Position) -> Content:
    """13, 14, 15 Where Argentina, Uruguay and the capital stand."""
    numeral = ("I", "II", "III", "IV", "V")[pos.capitals_used]
    return table("war", [row("war.argentina", f"argentina.{pos.argentina}", "14"),
                         row("war.uruguay", f"uruguay.{pos.uruguay}", "15"), row("war.capital", numeral, "13")])


def strategic(pos: Position) -> Content:
    """12.2 Strategic spaces left."""
    return table("strategic", [row(f"nation.{n}", len(pos.strategic(n)), "12.2")
                               for side in SIDES for n in STRATEGIC_NATIONS[side]])


def options(pos: Position) -> Content:
    """17 The optional rules of this game."""
    clauses = {"leaders": "17.1", "mato_grosso": "17.2", "chaco": "17.3", "free_set_up": "17.4", "treaty": "17.5"}
    return table("options", [row(f"option.{n}", f"option.{n}.{str(pos.options[n]).lower()}", clauses[n])
                             for n in clauses if n in pos.options])


def limits(pos: Position) -> Content:
    """4 The spaces outside the part of the map that a scenario of ours is played on."""
    off = sorted(set(pos.game.spaces) - pos.game.part)
    return {"title": text("layer.limits"), "shown": True,
            "parts": [{"spaces": off, "fill": "hatch", "line": "dash", "colour": "grey"}]} if off else None


TABLES = {"points": points, "war": war, "strategic": strategic, "options": options}


class View(fragments.ByKind):
    """The fragments of docs/protocol.md section 2."""

    NAMED: ClassVar = {"space": space, "hand": hand, "pool": pool,
                       "slots": lambda pos, name: in_use(pos, name.removeprefix("cards_")),
                       "table": lambda pos, name: TABLES[name](pos), "layer": lambda pos, _: limits(pos)}
    ALONE: ClassVar = {"turn": turn, "track": track, "battle": battle}

    def keys(self, pos: Position) -> Iterator[str]:
        """Every fragment that may have content."""
        yield from ("turn", "track", "battle", "result", "layer:limits", *(f"table:{name}" for name in TABLES))
        for side in SIDES:
            yield from (f"hand:{side}", f"slots:cards_{side}", f"pool:deck:{side}", f"pool:discards:{side}",
                        f"pool:leaders:{side}", f"pool:dead:{side}", f"pool:special:{side}")
            for nation in STRATEGIC_NATIONS[side]:
                yield f"pool:reserve:{nation}"
        for space in pos.game.spaces:
            yield f"space:{space}"
