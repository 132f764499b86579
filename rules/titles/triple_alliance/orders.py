"""What can be left with the server: supply when attacked or for attrition, losses, the advance."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.forms import Allocate, Answer, Lot
from rules.core.orders import Order, Settings, View
from rules.core.request import Request
from rules.titles.triple_alliance.units import Game, Unit

STACKS = (5, 8, 10, 15, 20)


def attrition_supply(game: Game, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """7.4 A supply unit is spent wherever so many units stand together."""
    form = Allocate.of(request.forms[0])
    if form is None:
        return None
    big = [lot for lot in form.lots if view[f"space:{lot.at}"]["count"] >= settings["stack"]]
    spend = settings["spend"] == "yes"
    return {"form": form.name, "lots": {lot.id: [lot.units[0]] for lot in big if spend}}


def defender_supply(game: Game, view: View, request: Request, settings: Settings) -> Answer | None:
    """13.24 A supply unit is spent, or kept, when an attack has been announced; never the last that stands there."""
    form = Allocate.of(request.forms[0])
    if form is None or not view.get("battle"):
        return None
    lot = form.lots[0]
    stack = view[f"space:{view['battle']['target']}"]["units"]
    others = [u for u in stack if not game.units[u["id"]].supply]
    spend = settings["spend"] == "yes" and bool(others) and len(stack) >= settings["stack"]
    return {"form": form.name, "lots": {lot.id: [lot.units[0]] if spend else []}}


def losses(game: Game, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """7.2, 13.18, 13.29 Own losses: the weakest or the strongest first, a kind of unit spared as long as it can be."""
    form = Allocate.of(request.forms[0])
    if form is None:
        return None
    return {"form": form.name, "lots": {lot.id: _lost(game, lot, settings) for lot in form.lots}}


def _lost(game: Game, lot: Lot, settings: Settings) -> list[str]:
    sign = 1 if settings["first"] == "weakest" else -1

    def rank(unit: str) -> tuple[bool, bool, bool, int, str]:
        u = game.units[unit]  # a fortress is worth points and never comes back (10.2): the last of all
        return unit in lot.last, u.fortress, _spared(u, settings["spare"]), sign * (u.attack + u.defense), unit

    return sorted(lot.units, key=rank)[: lot.least]


def _spared(unit: Unit, spare: str) -> bool:
    return {"nothing": False, "artillery": unit.artillery, "supply": unit.supply, "ships": unit.river}[spare]


def advance(game: Game, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """13.30 Into the emptied hex: nobody, the weakest unit to hold it, or all that may."""
    form = Allocate.of(request.forms[0])
    if form is None:
        return None
    lot = form.lots[0]
    land: Sequence[str] = sorted((u for u in lot.units if not game.units[u].river),
                                 key=lambda u: (game.units[u].attack + game.units[u].defense, u))
    chosen = {"nobody": [], "one": land[:1], "all": land[: lot.most]}[settings["who"]]
    return {"form": form.name, "lots": {lot.id: list(chosen)}}


ORDERS = (
    Order("defender_supply", "13.24", ("prompt.defender_supply",), defender_supply,
          {"spend": ("no", "yes"), "stack": (2, *STACKS)}),
    Order("losses", "13.29", ("prompt.defender_losses", "prompt.attacker_losses", "prompt.guns_losses",
                              "prompt.attrition_losses"), losses,
          {"first": ("weakest", "strongest"), "spare": ("nothing", "artillery", "supply", "ships")}),
    Order("attrition_supply", "7.4", ("prompt.attrition_supply",), attrition_supply,
          {"spend": ("no", "yes"), "stack": STACKS}),
    Order("advance", "13.30", ("prompt.advance",), advance, {"who": ("nobody", "one", "all")}),
)
