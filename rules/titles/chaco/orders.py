"""What can be left with the server: reaction, truces, supply and aircraft when attacked, losses, retreats, advances."""

from __future__ import annotations

from rules.core.forms import Allocate, Answer, Choose
from rules.core.orders import Order, Settings, View
from rules.core.request import Request
from rules.titles.chaco.units import Game


def _option(request: Request, name: str) -> Answer | None:
    """The answer with that option, if a choice of the request has it."""
    for form in Choose.among(request.forms):
        if any(o.id == name for o in form.options):
            return {"form": form.name, "option": name}
    return None


def reaction(game: Game, view: View, request: Request, settings: Settings) -> Answer | None:
    """10.10 No reaction movement, unless an enemy combat unit stands within so many hexes of an own leader."""
    far = settings["enemy_within"]
    if far and _closest(game, view, request.seat) <= far:
        return None
    return _option(request, "end_reaction")


def _closest(game: Game, view: View, side: str) -> int:
    """Hexes between the leaders of a side and the nearest enemy in sight."""
    spaces = {key.removeprefix("space:"): body for key, body in view.items()
              if key.startswith("space:") and body and body.get("count")}
    mine = [h for h, body in spaces.items() if body.get("side") == side
            and any(game.units[u["id"]].type == "leader" for u in body.get("units", []))]
    theirs = [h for h, body in spaces.items() if body.get("side") not in (side, None)]
    return min((game.map.distance(a, b) for a in mine for b in theirs), default=99)


def reaction_combat(game: Game, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """12.1 No attack in the reaction combat phase."""
    return _option(request, "no_attack") if view["turn"]["phase"]["key"].endswith("combat_0") else None


def truce(game: Game, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """6.2 Truces are accepted, or refused where that can be paid."""
    return _option(request, f"{settings['word']}_truce") or _option(request, "accept_truce")


def defender_supply(game: Game, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """12.12 One point is spent on a defence, or none."""
    form = Allocate.of(request.forms[0])
    if form is None:
        return _option(request, "no_supply")
    lots = {form.lots[0].id: [form.lots[0].units[0]]} if settings["spend"] == "yes" else {}
    return {"form": form.name, "lots": lots}


def defender_aircraft(game: Game, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """13.3 An air marker is committed to a defence, or none."""
    return _option(request, "aircraft" if settings["send"] == "yes" else "no_aircraft")


def losses(game: Game, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """12.6 Own losses: full units are turned over first, the weakest or the strongest; only then units are given up."""
    form = Allocate.of(request.forms[0])
    if form is None:
        return None
    sign = 1 if settings["first"] == "weakest" else -1

    def rank(unit: str) -> tuple[int, str]:
        return sign * (game.units[unit].attack[0] + game.units[unit].defense[0]), unit

    lots = {lot.id: sorted(lot.units, key=rank) for lot in form.lots}
    flips, kills = lots.get("flip", []), lots.get("kill", [])
    plans = [{"flip": flips[:n]} for n in range(1, len(flips) + 1)]
    plans += [{"flip": flips, "kill": kills[:n]} for n in range(1, len(kills) + 1)]
    for plan in plans:
        said = {"form": form.name, "lots": {k: v for k, v in plan.items() if v}}
        if request.preview(said)["ok"]:
            return said
    return None


def advance(game: Game, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """12.11 No advance."""
    return _option(request, "no_advance")


ORDERS = (
    Order("reaction", "10.10", ("prompt.reaction",), reaction, {"enemy_within": (0, 2, 3, 5, 8)}),
    Order("reaction_combat", "12.1", ("prompt.combat",), reaction_combat),
    Order("truce", "6.2", ("prompt.truce",), truce, {"word": ("accept", "refuse")}),
    Order("defender_supply", "12.12", ("prompt.defender_supply",), defender_supply, {"spend": ("yes", "no")}),
    Order("defender_aircraft", "13.3", ("prompt.defender_aircraft",), defender_aircraft, {"send": ("no", "yes")}),
    Order("losses", "12.6", ("prompt.defender_losses", "prompt.attacker_losses"), losses,
          {"first": ("weakest", "strongest")}),
    Order("advance", "12.11", ("prompt.advance",), advance),
)
