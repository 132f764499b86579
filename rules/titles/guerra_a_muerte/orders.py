"""3.4, 6.1, 7.5 What can be left with the server: interception, evasion, losses, provisions, advance."""

from __future__ import annotations

from rules.core.forms import Allocate, Answer, Choose
from rules.core.orders import Order, Settings, View
from rules.core.request import Request
from rules.titles.guerra_a_muerte.asking import SECOND
from rules.titles.guerra_a_muerte.board import Game


def _factors(game: Game, view: View, at: str, side: str, own: bool) -> int | None:
    """The factors that a side, or its enemies, have in the field of an area, as the side sees them; None where they
    stand in a closed box (5.1.3)."""
    content = view.get(f"space:{at}") or {}
    closed = [*content.get("others", ()), *([] if "units" in content else [content] if content.get("box") else [])]
    if any((pile.get("side") == side) == own for pile in closed):
        return None
    total = 0
    for unit in content.get("units", ()):
        piece = game.units[unit["id"]]
        if (piece.side == side) == own and piece.troops and "guerrilla" not in unit["badges"]:
            total += (piece.reduced or 0) if "reduced" in unit["badges"] else piece.full
    return total


def intercept(game: Game, view: View, request: Request, settings: Settings) -> Answer | None:
    """3.4 Intercept with the field force never, always, or when it is stronger than what the enemy has there in sight
    by so many to two; else not."""
    form, at = Choose.of(request.forms[0]), str(request.args["at"])
    if form is None:
        return None
    names = [o.id for o in form.options]
    ratio = settings["when_twice"]
    if settings["how"] == "never" or "field" not in names:
        return {"form": form.name, "option": "none"}
    if settings["how"] == "always":
        return {"form": form.name, "option": "field"}
    mine = _factors(game, view, at, request.seat, own=True)
    theirs = _factors(game, view, at, request.seat, own=False)
    if mine is None or theirs is None:
        return None
    return {"form": form.name, "option": "field" if 2 * mine >= ratio * theirs else "none"}


def evade(game: Game, view: View, request: Request, settings: Settings) -> Answer | None:
    """6.1 Stand or evade, always, or stand when not weaker than so much to two."""
    form, at = request.forms[0], str(request.args["at"])
    if settings["how"] in ("evade", "stand"):
        return {"form": form.name, "option": settings["how"]}
    mine = _factors(game, view, at, request.seat, own=True)
    theirs = _factors(game, view, at, request.seat, own=False)
    if mine is None or theirs is None:
        return None
    return {"form": form.name, "option": "stand" if 2 * mine >= settings["when_twice"] * theirs else "evade"}


def evade_at_sea(game: Game, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """7.5 Fleets evade, or stand."""
    return {"form": request.forms[0].name, "option": settings["how_at_sea"]}


def losses(game: Game, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """5.3, 6.1 Losses fall on militia, on full units or on the weakest first."""
    form = Allocate.of(request.forms[0])
    if form is None:
        return None
    lot = form.lots[0]

    def rank(token: str) -> tuple[bool | int, ...]:
        piece = game.units[token.removesuffix(SECOND)]
        return {"militia": (not piece.militia, piece.full), "weakest": (piece.full,),
                "spread": (not token.endswith(SECOND), piece.full)}[settings["first"]]

    ranked = sorted(lot.units, key=lambda t: (rank(t), t))
    return {"form": form.name, "lots": {lot.id: ranked[:lot.least]}}


def advance(game: Game, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """6.3.1 Stay in the field, or go into a fortress, or into any city."""
    form = Choose.of(request.forms[0])
    if form is None:
        return None
    places = [o.id for o in form.options if o.id != "stay"]
    forts = [p for p in places if game.places[p].kind == "fortress"]
    goal = {"stay": [], "fortress": forts, "any": forts or places}[settings["into"]]
    return {"form": form.name, "option": goal[0] if goal else "stay"}


def provisions(game: Game, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """4.1 No points on attrition."""
    return {"form": "no_provisions", "option": "none"} if settings["spend"] == "none" else None


RATIOS = (2, 1, 3, 4, 6)
ORDERS = (
    Order("intercept", "3.4", ("prompt.intercept",), intercept,
          {"how": ("never", "always", "stronger"), "when_twice": RATIOS}),
    Order("evade", "6.1", ("prompt.evade",), evade, {"how": ("weaker", "evade", "stand"), "when_twice": RATIOS}),
    Order("evade_at_sea", "7.5", ("prompt.evade_at_sea",), evade_at_sea, {"how_at_sea": ("evade", "stand")}),
    Order("losses", "6.1", ("prompt.losses",), losses, {"first": ("militia", "weakest", "spread")}),
    Order("advance", "6.3.1", ("prompt.advance",), advance, {"into": ("stay", "fortress", "any")}),
    Order("provisions", "4.1", ("prompt.provisions",), provisions, {"spend": ("none",)}),
)
