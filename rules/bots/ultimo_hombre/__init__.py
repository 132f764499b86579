"""A player of Hasta el último hombre: one ply deep, by the worth of units, spaces and exchanges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.bots.ultimo_hombre import decide, fight, march
from rules.bots.ultimo_hombre.sight import Sight
from rules.core.forms import Answer
from rules.core.request import Request
from rules.titles.ultimo_hombre.board import Game


def ideas(game: Game, fragments: Mapping[str, Any], side: str, request: Request) -> Iterator[Answer]:
    """Answers to a request, the best first; the caller checks them."""
    sight = Sight(game, fragments, side)
    forms = {form.name: form for form in request.forms}
    match request.prompt:
        case "prompt.transport":
            yield from march.transport(sight, forms)
        case "prompt.movement":
            yield from march.movement(sight, forms)
        case ("prompt.next_battle" | "prompt.line_up" | "prompt.target" | "prompt.targets" | "prompt.reroll"
              | "prompt.retreat"):
            yield from fight.ideas(sight, forms)
        case _:
            yield from decide.ideas(sight, forms, request)
