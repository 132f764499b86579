"""A player of the Triple Alliance War: sound rather than brilliant, and honest about the fog."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.bots.triple_alliance import decide, fight, march
from rules.bots.triple_alliance.sight import Sight
from rules.core.forms import Answer
from rules.core.request import Request
from rules.titles.triple_alliance.units import Game


def ideas(game: Game, fragments: Mapping[str, Any], side: str, request: Request) -> Iterator[Answer]:
    """Answers to a request, the best first; the caller checks them."""
    sight = Sight(game, fragments, side)
    forms = {form.name: form for form in request.forms}
    if request.prompt == "prompt.movement":
        yield from march.ideas(sight, forms)
    elif request.prompt == "prompt.combat":
        yield from fight.ideas(sight, forms, request)
    else:
        yield from decide.ideas(sight, forms)
