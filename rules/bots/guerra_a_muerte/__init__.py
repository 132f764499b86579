"""A player of Guerra a Muerte: it goes where land is to be had and the enemy is weak, and holds what it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.bots.guerra_a_muerte import campaign, decide
from rules.bots.guerra_a_muerte.sight import Sight
from rules.core.forms import Answer
from rules.core.request import Request
from rules.titles.guerra_a_muerte.board import Game


def ideas(game: Game, fragments: Mapping[str, Any], side: str, request: Request) -> Iterator[Answer]:
    """Answers to a request, the best first; the caller checks them."""
    sight = Sight(game, fragments, side)
    forms = {form.name: form for form in request.forms}
    match request.prompt:
        case "prompt.operations":
            yield from campaign.operations(sight, forms)
        case "prompt.operate":
            yield from campaign.operate(sight, forms, request)
        case _:
            yield from decide.ideas(sight, forms, request)
