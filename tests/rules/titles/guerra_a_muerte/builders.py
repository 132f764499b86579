"""Games of Guerra a Muerte in a wanted position, and answers to its requests (tests/rules/building.py)."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.core.record import Entry
from rules.titles.guerra_a_muerte import TITLE
from rules.titles.guerra_a_muerte.position import Position
from tests.rules import building, harness
from tests.rules.building import (
    answer,
    forms,
    last,
    listed,
    lots,
    options,
    preview,
    prompt,
    refused,
    request,
    told,
    view,
)

__all__ = [
    "FOLDER",
    "P",
    "Play",
    "R",
    "activate",
    "answer",
    "choose",
    "data",
    "done",
    "forms",
    "last",
    "listed",
    "lose",
    "lots",
    "march",
    "new_game",
    "only",
    "operating",
    "options",
    "play",
    "position",
    "preview",
    "prompt",
    "refused",
    "request",
    "told",
    "view",
]

R, P = "royalist", "patriot"
FOLDER = harness.SCENARIOS / TITLE.id
SCENARIOS = ("campaign", "empire_strikes_back", "end_of_empire", "first_battles")


class Play(building.Play):
    """A game of this title."""

    pos: Position


BUILDER = building.Builder(Play, TITLE)
data, new_game = BUILDER.data, BUILDER.new_game


def position(scenario: str = "campaign", options: Mapping[str, Any] | None = None, **body: Any) -> Position:
    """A lab position of a scenario, the map empty but for `units`."""
    pos: Position = TITLE.written(data(), {
        "scenario": scenario, "options": options or {}, "position": {"clear": True, "only": True, **body}})
    return pos


def play(body: Mapping[str, Any], dice: Sequence[int] = (), scenario: str = "campaign",
         options: Mapping[str, Any] | None = None) -> Play:
    """A game that runs from a lab position to its first request."""
    return building.begin(Play, TITLE, position(scenario, options, **body), dice)


def operating(side: str, units: Mapping[str, str], dice: Sequence[int] = (), slot: int = 0, scenario: str = "campaign",
              **body: Any) -> Play:
    """A game in the operations of a side; the purses are empty unless the body fills them, and Hidalgo is dead."""
    who: dict[str, str] = {"hidalgo": "out", **units}
    return play({"phase": f"{side}_operations", "units": who, "slot": slot,
                 "purses": dict.fromkeys(("royalist", "plata", "gran_colombia", "chile", "mexico", "peru"), 0), **body},
                dice, scenario)


def choose(game: Play, seat: str, option: str) -> list[Entry]:
    """Answer a request that offers nothing but one choice, or its only choice."""
    name = next(name for name, form in forms(game, seat).items()
                if form["kind"] == "choose" and option in [o["id"] for o in form["options"]])
    return answer(game, seat, name, option=option)


def activate(game: Play, seat: str, *units: str, sea: bool = False) -> list[Entry]:
    """Form a force of units that stand in one place."""
    loc = game.pos.at[units[0]]
    return answer(game, seat, "activate_fleet" if sea else "activate", lots={loc: list(units)})


def march(game: Play, seat: str, *path: str, units: Sequence[str] = ()) -> list[Entry]:
    """The whole force, or some units of it, along a path."""
    return answer(game, seat, "march", units=sorted(units or game.pos.force["units"]), path=list(path))


def done(game: Play, seat: str) -> list[Entry]:
    """End whatever the side can end."""
    name = next(form for form in forms(game, seat) if form.startswith("end_"))
    return answer(game, seat, name, option="end")


def lose(game: Play, seat: str, *tokens: str) -> list[Entry]:
    """Choose the steps to lose."""
    return answer(game, seat, "losses", lots={"steps": list(tokens)})


def only(game: Play, event: str) -> dict[str, Any]:
    """The data of an event that was told once."""
    (step,) = told(game, event)
    found: dict[str, Any] = step["data"]
    return found
