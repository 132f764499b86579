"""What the create form offers: the titles of the house, with their scenarios, who sits, and options."""

from functools import cache
from typing import Any, Literal

from pydantic import BaseModel

import rules.titles
from app.games import data
from rules.core.scenario import Scenario


class ScenarioCard(BaseModel):
    """A scenario that can be played. `seatings`: id to each seat's side, the usual one first; `options`: name to the
    values it may have, the usual one first; `clock`: whether partners usually have one each (`seat`) or share it."""

    seatings: dict[str, dict[str, str]]
    options: dict[str, list[str | int | bool]]
    clock: Literal["seat", "side"]


class TitleCard(BaseModel):
    """A title that can be played. `scenarios`: by id, as listed in its catalogue (`scenario.ID`)."""

    id: str
    scenarios: dict[str, ScenarioCard]

    @property
    def pair(self) -> list[str]:
        """The seats of two who play it, in the first scenario that two can play; else none."""
        seatings = (seats for one in self.scenarios.values() for seats in one.seatings.values())
        return next((list(seats) for seats in seatings if len(seats) == 2), [])

    @property
    def options(self) -> dict[str, list[Any]]:
        """Those of all scenarios."""
        found: dict[str, list[Any]] = {}
        for scenario in self.scenarios.values():
            for name, values in scenario.options.items():
                known = found.setdefault(name, [])
                known += [value for value in values if value not in known]
        return found


@cache
def titles() -> dict[str, TitleCard]:
    """By id."""
    return {name: _card(name) for name in rules.titles.IDS}


def _card(name: str) -> TitleCard:
    found = data.current(name).scenarios
    return TitleCard(id=name, scenarios={key: scenario_card(one) for key, one in found.items()})


def scenario_card(scenario: Scenario) -> ScenarioCard:
    return ScenarioCard(seatings={key: dict(seating.seats) for key, seating in scenario.seatings.items()},
                        options={name: list(values) for name, values in scenario.options.items()},
                        clock=scenario.clock)  # fmt: skip
