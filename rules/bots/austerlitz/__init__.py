"""A player of Austerlitz: one move ahead, by where units stand, whom they see and how firm they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.bots.austerlitz import command, fight, march
from rules.bots.austerlitz.sight import Sight
from rules.core.forms import Allocate, Answer, Choose, Place
from rules.core.request import Request
from rules.titles.austerlitz.game import Game

FIGHTS = frozenset({"prompt.reaction", "prompt.return_fire", "prompt.charged", "prompt.answer_attack", "prompt.support",
                    "prompt.melee_goes_on", "prompt.countercharge"})
FIRST = ("full", "normal", "try", "add", "keep", "wait")


def ideas(game: Game, fragments: Mapping[str, Any], side: str, request: Request) -> Iterator[Answer]:
    """Answers to a request, the best first; the caller checks them."""
    sight = Sight(game, fragments, side)
    forms = {form.name: form for form in request.forms}
    match request.prompt:
        case "prompt.movement":
            yield from march.movement(sight, forms, request)
        case "prompt.fire":
            yield from fight.fire(sight, forms)
        case "prompt.melee":
            yield from fight.melee(sight, forms)
        case "prompt.set_up" | "prompt.brigade_hex":
            yield from ({"form": f.name, "placed": dict(f.suggested)} for f in Place.among(request.forms))
        case "prompt.deploy":
            yield {"form": "done", "option": "done"}
        case "prompt.no_marker":
            yield from command.no_marker(sight, forms)
        case "prompt.markers_freely" | "prompt.remove_markers":
            yield from command.markers(sight, forms)
        case "prompt.add_markers" | "prompt.starting_markers" | "prompt.level_markers":
            yield from command.added(sight, forms)
        case "prompt.command_change":
            yield from command.change(sight)
        case "prompt.first_marker":
            yield from command.first(sight, request)
        case "prompt.way_of_moving":
            yield from command.way_of_moving(sight, request)
        case "prompt.help":
            yield from command.call_for_help(sight)
        case "prompt.activation":
            yield from command.activation(sight, request)
        case "prompt.ride_along":
            yield from ride_along(game, request)
        case "prompt.charge_way":
            yield from fight.charge_way(sight, forms, request)
        case "prompt.charge_facing":
            yield from fight.charge_facing(sight, request)
        case prompt if prompt in FIGHTS:
            yield from fight.answer(sight, forms, request)
        case _:
            yield from decisions(request)


def ride_along(game: Game, request: Request) -> Iterator[Answer]:
    """8.5.5 Leaders of cavalry charge with it; the army's commander does not."""
    for form in Allocate.among(request.forms):
        able = {lot.id: [x for x in lot.units if game.leaders[x].rank != "overall"] for lot in form.lots}
        yield {"form": form.name, "lots": able}


def decisions(request: Request) -> Iterator[Answer]:
    """Command: try everything, keep all markers in, let everybody rally."""
    for form in request.forms:
        if some := Allocate.of(form):
            lots = {lot.id: list(lot.units[:lot.most]) for lot in some.lots if lot.id not in ("remove", "stay", "take")}
            yield {"form": form.name, "lots": lots}
        if choice := Choose.of(form):
            ids = [o.id for o in choice.options]
            for option in [i for wanted in FIRST for i in ids if i == wanted] + ids:
                yield {"form": form.name, "option": option}
