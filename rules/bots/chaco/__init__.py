"""Plays The Chaco War to win: takes what stands empty, masses its men under leaders and marches at what they can beat,
keeps to its supply, takes leaders out of lost stacks, reacts where that takes or saves something, attacks and fires
barrages where the mean of the die is a gain, and replaces leaders where that is worth its risk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.bots.chaco import decide, fight, march, politics, rear, trucks
from rules.bots.chaco.sight import Sight
from rules.core.forms import Answer
from rules.core.request import Request
from rules.core.seats import Side
from rules.titles.chaco.units import Game


def ideas(game: Game, fragments: Mapping[str, Any], side: Side, request: Request) -> Iterator[Answer]:
    """Answers to a request, the best first."""
    sight = Sight(game, fragments, side)
    match request.prompt.removeprefix("prompt."):
        case "movement":
            yield from march.leave(sight, request)
            yield from rear.leaders(sight, request)
            yield from trucks.rides(sight, request)
            yield from march.moves(sight, request)
            yield from rear.dumps(sight, request)
            yield march.DONE
        case "reaction":
            yield from march.reactions(sight, request)
        case "combat":
            yield from fight.attacks(sight, request)
        case "barrage":
            yield from fight.barrage(sight, request)
        case "politics" | "spend" | "backers" | "pick_leader" | "new_leader":
            yield from politics.ideas(sight, request.prompt.removeprefix("prompt."), request)
        case "attacker_losses" | "defender_losses":
            yield from fight.losses(sight, request)
        case "advance":
            yield from fight.advance(sight, request)
        case prompt:
            yield from decide.ideas(sight, prompt, request)
