"""The seats of a pairing: events play scenarios as two play them."""

from __future__ import annotations

from app.errors import Refused
from app.games.titles import for_two
from app.leagues.models import Pairing
from rules.core.seats import Seating


def seating_at(title: str, scenario: str) -> Seating:
    """How the two of a pairing sit. Raises Refused for a scenario that is no more."""
    found = for_two(title, scenario)
    if found is None:
        raise Refused("games.no_scenario", scenario=scenario)
    return found


def seats_of(pairing: Pairing) -> list[str]:
    return list(seating_at(pairing.title, pairing.scenario).seats)


def other_seat(pairing: Pairing, seat: str) -> str:
    return next(one for one in seats_of(pairing) if one != seat)
