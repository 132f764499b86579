"""Games of The Chaco War in a wanted position, and answers to its requests (tests/rules/building.py)."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.core.record import Entry
from rules.titles.chaco import TITLE
from rules.titles.chaco.position import Position
from tests.rules import building
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
    told,
    view,
)
from tests.rules.harness import data

__all__ = [
    "B",
    "P",
    "Play",
    "answer",
    "bare",
    "choose",
    "finish",
    "forms",
    "last",
    "listed",
    "lots",
    "move",
    "new_game",
    "options",
    "pass_on",
    "play",
    "position",
    "preview",
    "prompt",
    "reach",
    "refused",
    "told",
    "until",
    "view",
]

P, B = "paraguay", "bolivia"
# What closes a phase or declines, for tests that go through a turn.
ENDS = ("end", "end_reaction", "no_attack", "no_barrage", "no_advance", "no_points", "no_depot", "no_works")
DECLINES = ("no_call_up", "no_aircraft", "no_change", "accept_truce", "stay", "let_keep")


class Play(building.Play):
    """A game of this title."""

    pos: Position


def position(options: Mapping[str, Any] | None = None, scenario: str = "boqueron", **body: Any) -> Position:
    """A lab position. Raises BadPosition."""
    pos = TITLE.written(data(TITLE.id), {"scenario": scenario, "options": options or {}, "position": body})
    assert isinstance(pos, Position)
    return pos


def play(body: Mapping[str, Any], dice: Sequence[int] = (), options: Mapping[str, Any] | None = None,
         scenario: str = "boqueron") -> Play:
    """A game that runs from a lab position to its first request; `dice` are faces 1 to 6, and places of draws."""
    return building.begin(Play, TITLE, position(options, scenario, **body), dice)


def bare(**body: Any) -> dict[str, Any]:
    """An empty map: both commanders far away at a source, all else off the map."""
    return {"clear": True, **body}


def new_game(scenario: str, dice: Sequence[int] = (), **options: Any) -> Play:
    """A whole game from its very first decision."""
    return building.begin(Play, TITLE, TITLE.first(data(TITLE.id), scenario, options), list(dice))


def choose(game: Play, seat: str, option: str) -> list[Entry]:
    """Answer with an option of any of the request's choices."""
    for name, form in forms(game, seat).items():
        if option in [o["id"] for o in form.get("options", [])]:
            return answer(game, seat, name, option=option)
    raise AssertionError(f"{option} is not offered among {list(forms(game, seat))}")


def move(game: Play, seat: str, units: Sequence[str] | str, *path: str, **more: Any) -> list[Entry]:
    """Move one unit or several along a path."""
    return answer(game, seat, "move", units=sorted([*listed(units), *more.get("aboard", {})]), path=list(path), **more)


def reach(game: Play, seat: str, units: Sequence[str] | str, aboard: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Where units could go. Raises Refusal."""
    form: Any = game.pending[seat].form("move")
    found: dict[str, Any] = form.reach(sorted([*listed(units), *(aboard or {})]), aboard or {})
    return found


def pass_on(game: Play) -> None:
    """Let whoever is asked decline, close the phase, or give the least."""
    seat = game.asked[0]
    offered = forms(game, seat)
    for name in ENDS:
        if name in offered:
            answer(game, seat, name, option=name)
            return
    name, form = next(iter(offered.items()))
    if form["kind"] == "choose":
        ids = [o["id"] for o in form["options"]]
        answer(game, seat, name, option=next((d for d in (*DECLINES, *ENDS) if d in ids), ids[0]))
    elif form["kind"] == "allocate":
        least = {lot["id"]: lot["units"] if lot["id"] == "kill" else lot["units"][: lot["min"]] for lot in form["lots"]}
        answer(game, seat, name, lots=least)
    else:
        where = {u: g["where"][0] for g in form["groups"] for u in g["units"]}
        answer(game, seat, name, placed=form["suggested"] or where)


def until(game: Play, wanted: str) -> None:
    """Let everybody pass until somebody is asked that."""
    while game.asked and game.pending[game.asked[0]].prompt != f"prompt.{wanted}":
        pass_on(game)


def finish(game: Play, stage: str) -> None:
    """Let everybody pass up to a stage (or the end of the game)."""
    while game.asked and game.pos.stage != stage:
        pass_on(game)
