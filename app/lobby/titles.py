"""What the create form offers: the titles of the house, with their scenarios and options."""

from collections.abc import Mapping
from functools import cache

from pydantic import BaseModel

import rules.titles
from app.games import data


class TitleCard(BaseModel):
    """A title that can be played. `scenarios`: id to its name by language; `options`: name to the values it
    may have, the usual one first."""

    id: str
    seats: list[str]
    scenarios: dict[str, Mapping[str, str]]
    options: dict[str, list[str | int | bool]]


@cache
def titles() -> dict[str, TitleCard]:
    """By id."""
    return {name: _card(name) for name in rules.titles.IDS}


def _card(name: str) -> TitleCard:
    title, current = data.title(name), data.current(name)
    return TitleCard(
        id=title.id,
        seats=list(title.seats),
        scenarios={scenario: current.files[scenario]["title"] for scenario in data.scenarios(current)},
        options={option: list(values) for option, values in title.options.items()},
    )
