"""What can be left with the server in a battle: the line, targets, another roll, and when to retreat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rules.core.forms import Allocate, Answer, Choose, Line
from rules.core.orders import Order, Settings, View
from rules.core.request import Request
from rules.titles.ultimo_hombre.board import Game

BY_STRENGTH = {"strongest": -1, "weakest": 1}


def _reduced(view: View) -> set[str]:
    """Units that show their other side, wherever they stand."""
    return {unit["id"] for key, content in view.items() if key.startswith("space:") and content
            for unit in content.get("units", ()) if "reduced" in unit["badges"]}


def _factor(game: Game, unit: str, reduced: set[str]) -> int:
    u = game.units[unit]
    return u.reduced if unit in reduced and u.reduced is not None else u.full


def _ranked(game: Game, view: View, units: Iterable[str], by: str) -> list[str]:
    reduced, sign = _reduced(view), BY_STRENGTH[by]
    return sorted(units, key=lambda u: (sign * _factor(game, u, reduced), u))


def line_up(game: Game, view: View, request: Request, settings: Settings) -> Answer | None:
    """7 The line by strength; `slot_1` may put the strongest or the weakest first all the same, as behind walls."""
    form = Line.of(request.forms[0])
    if form is None:
        return None
    line = _ranked(game, view, form.units, settings["line"])
    if settings["slot_1"] != "as_line":
        first = _ranked(game, view, line, settings["slot_1"])[0]
        line = [first, *(u for u in line if u != first)]
    return {"form": form.name, "placed": dict(zip(line, form.slots, strict=False))}


def target(game: Game, view: View, request: Request, settings: Settings) -> Answer | None:
    """7 Who is shot at where nobody stands opposite: the strongest, the weakest, or first whoever falls to one hit."""
    if lots := Allocate.of(request.forms[0]):
        return {"form": lots.name, "lots": {lot.id: [_best_target(game, view, lot.units, settings["at"])]
                                            for lot in lots.lots}}
    if form := Choose.of(request.forms[0]):
        return {"form": form.name, "option": _best_target(game, view, [o.id for o in form.options], settings["at"])}
    return None


def _best_target(game: Game, view: View, units: Iterable[str], at: str) -> str:
    reduced = _reduced(view)
    ranked = _ranked(game, view, units, "weakest" if at == "weakest" else "strongest")
    if at == "falling":
        ranked.sort(key=lambda u: u not in reduced and game.units[u].reduced is not None)
    return ranked[0]


def reroll(game: Game, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """12.1 A miss is rolled again, or left."""
    return {"form": request.forms[0].name, "option": settings["misses"]}


def retreat(game: Game, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """8 Retreat when so few units still stand or the enemy has so many more; else stay. Where there are several ways
    a defender goes where most of his own stand, then by name."""
    form, battle = Choose.of(request.forms[0]), view.get("battle")
    if form is None or not battle:
        return None
    standing = {line["side"]: len(line["slots"]) for line in battle["lines"]}
    mine = standing[request.seat]
    theirs = sum(standing.values()) - mine
    if mine >= settings["fewer_than"] and theirs - mine < settings["outnumbered_by"]:
        return {"form": form.name, "option": "stay"}
    ways = [o.id for o in form.options if o.id != "stay"]
    return {"form": form.name, "option": min(ways, key=lambda s: (-_strength(view.get(f"space:{s}")), s))}


def _strength(space: Mapping[str, Any] | None) -> int:
    return space["count"] if space else 0


ORDERS = (
    Order("line_up", "7", ("prompt.line_up",), line_up,
          {"line": ("strongest", "weakest"), "slot_1": ("as_line", "strongest", "weakest")}),
    Order("target", "7", ("prompt.target", "prompt.targets"), target, {"at": ("falling", "strongest", "weakest")}),
    Order("reroll", "12.1", ("prompt.reroll",), reroll, {"misses": ("again", "keep")}),
    Order("retreat", "8", ("prompt.retreat",), retreat,
          {"fewer_than": (1, 2, 3, 4, 5, 6), "outnumbered_by": (9, 1, 2, 3, 4)}),
)
