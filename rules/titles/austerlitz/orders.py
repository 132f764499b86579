"""What can be left with the server: reactions, return fire, squares, rally, the phase without markers."""

from __future__ import annotations

from rules.core.forms import Allocate, Answer, Choose
from rules.core.orders import Order, Settings, View
from rules.core.request import Request


def _options(request: Request) -> list[str]:
    return [o.id for form in Choose.among(request.forms[:1]) for o in form.options]


def _say(request: Request, option: str) -> Answer:
    return {"form": request.forms[0].name, "option": option}


def _first(ids: list[str], kind: str) -> str | None:
    return next((o for o in ids if o.startswith(f"{kind}:")), None)


def reactions(game: object, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """6.2 Foot, skirmishers, guns and cavalry each do what was ordered when an enemy moves in their zones; None where
    that is left to the player."""
    ids = _options(request)
    for kind, setting in (("fire", "fire"), ("charge", "cavalry"), ("back", "cavalry"), ("move", "skirmishers")):
        option = _first(ids, kind)
        if option is None:
            continue
        wanted = settings[setting]
        if (kind, wanted) in (("fire", "always"), ("charge", "charge"), ("back", "fall_back"), ("move", "step_back")):
            return _say(request, option)
    if all(settings[s] == "never" or _first(ids, k) is None for s, k in (
            ("fire", "fire"), ("cavalry", "charge"), ("cavalry", "back"), ("skirmishers", "move"))) and not (
            _first(ids, "turn") or _first(ids, "limber") or _first(ids, "leader")):
        return _say(request, "none")
    return None


def return_fire(game: object, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """8.1.2 Return every fire, none, or only at so many hexes."""
    near = int(request.args.get("range", 1)) <= settings["within"]
    return _say(request, "fire" if near else "hold")


def squares(game: object, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """8.4.2 no. 4 Foot that is charged forms square, or stands."""
    return _say(request, settings["when_charged"])


def countercharges(game: object, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """6.2.3 Cavalry countercharges whenever it can, or never."""
    option = _first(_options(request), "counter")
    return _say(request, option if settings["countercharge"] == "yes" and option is not None else "none")


def rallies(game: object, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """12.0 All who can try to rally."""
    form = Allocate.of(request.forms[0])
    if form is None:
        return None
    return {"form": form.name, "lots": {lot.id: list(lot.units) for lot in form.lots}}


def leaders(game: object, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """8.5.5 Leaders go with who retreats, or stay."""
    form = Allocate.of(request.forms[0])
    if form is None:
        return None
    goes = settings["follow"] == "go"
    return {"form": form.name, "lots": {lot.id: list(lot.units) for lot in form.lots if goes}}


def riders(game: object, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """8.5.5 Leaders ride with cavalry that charges, or stay."""
    form = Allocate.of(request.forms[0])
    if form is None:
        return None
    return {"form": form.name, "lots": {lot.id: list(lot.units) for lot in form.lots if settings["ride"] == "go"}}


def lone_leaders(game: object, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """8.5.5 A leader left alone joins the troops farthest from enemies, which are offered first."""
    return _say(request, _options(request)[0])


def passes(game: object, view: View, request: Request, settings: Settings) -> Answer | None:  # noqa: ARG001
    """3.0 C No limited activations without markers."""
    return _say(request, "pass")


ORDERS = (
    Order("reactions", "6.2", ("prompt.reaction",), reactions,
          {"fire": ("always", "never", "ask"), "cavalry": ("fall_back", "charge", "never", "ask"),
           "skirmishers": ("step_back", "never", "ask")}),
    Order("return_fire", "8.1.2", ("prompt.return_fire",), return_fire, {"within": (16, 2, 1, 0)}),
    Order("squares", "8.4.2", ("prompt.charged",), squares, {"when_charged": ("square", "stand")}),
    Order("countercharges", "6.2.3", ("prompt.countercharge",), countercharges, {"countercharge": ("yes", "no")}),
    Order("rallies", "12.0", ("prompt.rally",), rallies),
    Order("leaders", "8.5.5", ("prompt.follow",), leaders, {"follow": ("go", "stay")}),
    Order("riders", "8.5.5", ("prompt.ride_along",), riders, {"ride": ("go", "stay")}),
    Order("lone_leaders", "8.5.5", ("prompt.leader_alone",), lone_leaders),
    Order("passes", "3.0", ("prompt.no_marker",), passes),
)
