"""A tiny title on a map of areas, for tests of what draws and moves on one: two sides march in turn, six turns long.

Its data is in tests/app/overlays_areas/liberators/, its look in tests/app/overlays_areas/looks/.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import orjson

import rules.titles
from rules.core.agenda import AGAIN, DONE, Next, Segments
from rules.core.errors import Refusal
from rules.core.events import Teller, tell
from rules.core.forms import Choose, Move, Option, label
from rules.core.procedure import Procedure, ask
from rules.core.request import Request
from rules.core.title import Terms, Title
from rules.core.view import Fragment
from rules.maps import areas, paths

SEATS = ("patriot", "royalist")
SEGMENTS = Segments()
OVERLAYS = Path(__file__).parent / "overlays_areas"
LOOKS = OVERLAYS / "looks"
POINTS, TURNS = 4, 6
COSTS = {areas.OPEN: 1, areas.RIVER: 2, areas.PASS: 3, areas.INSIDE: 0}


@cache
def read(name: str) -> Any:
    """A file of the title's data: map, units or campaign."""
    return orjson.loads((OVERLAYS / "liberators" / f"{name}.json").read_bytes())


@cache
def look() -> dict[str, Any]:
    """The title's style.json."""
    style: dict[str, Any] = orjson.loads((LOOKS / "style.json").read_bytes())
    return style


@cache
def board() -> areas.AreaMap:
    return areas.AreaMap(read("map"))


def price(a: str, b: str) -> int | None:
    """The cheapest of the ways between two spaces; None by sea."""
    found = [COSTS[kind] for kind in board().ways(a, b) if kind in COSTS]
    return min(found, default=None)


class Game:
    """Nothing but its terms."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms


@dataclass
class Campaign:
    """The whole game: where each unit is, what it spent this turn, the turn."""

    game: Game
    agenda: list[list[Any]]
    at: dict[str, str]
    turn: int = 0
    side: str | None = None
    spent: dict[str, int] = field(default_factory=dict)
    result: dict[str, Any] | None = None
    touched: set[str] = field(default_factory=set)
    teller: Teller = field(default_factory=Teller)

    def state(self) -> dict[str, Any]:
        return {"agenda": self.agenda, "at": self.at, "turn": self.turn, "side": self.side, "spent": self.spent,
                "result": self.result}  # fmt: skip

    def phase(self) -> str:
        return f"{self.turn}.{self.side}"

    def of(self, side: str) -> list[str]:
        return sorted(unit for unit in self.at if read("units")["units"][unit]["side"] == side)

    def left(self, unit: str) -> int:
        return POINTS - self.spent.get(unit, 0)


class View:
    def keys(self, pos: Campaign) -> Iterable[str]:  # noqa: ARG002
        return ["turn", *(f"space:{loc}" for loc in (*board().areas, *board().boxes))]

    def fragment(self, pos: Campaign, key: str) -> Fragment:
        kind, _, loc = key.partition(":")
        if kind == "turn":
            return Fragment(
                {"turn": pos.turn, "phase": label(f"phase.{pos.side or 'none'}"), "side": pos.side, "steps": []}
            )
        here = sorted(unit for unit, at in pos.at.items() if at == loc)
        if not here:
            return Fragment(None)
        side = read("units")["units"][here[0]]["side"]
        badges = {unit: ["moved"] if pos.spent.get(unit) else [] for unit in here}
        units = [{"id": unit, "left": pos.left(unit), "badges": badges[unit]} for unit in here]
        return Fragment({"side": side, "count": len(here), "units": units})


@SEGMENTS.segment
def march(pos: Campaign, side: str, turn: int) -> Procedure[Next]:
    """1 A side moves its stacks, each as far as its points lead; then the other side is on turn."""
    if (pos.side, pos.turn) != (side, turn):
        pos.side, pos.turn, pos.spent = side, turn, {}
        pos.touched |= {"turn", *(f"space:{loc}" for loc in pos.at.values())}
        tell(pos, "turn", "1", side, n=turn)

    def reach(units: Any, aboard: Any) -> dict[str, Any]:  # noqa: ARG001
        (here,) = {pos.at[unit] for unit in units}
        budget = min(pos.left(unit) for unit in units)
        found = paths.reach(paths.Prices(board().neighbours, price), here, budget)
        return {"from": here, "cost": found.cost, "via": found.via, "left": budget, "blocked": {}}

    def cost(path: list[str]) -> int:
        steps = [price(a, b) for a, b in itertools.pairwise(path)]
        return sum(POINTS + 1 if step is None else step for step in steps)

    def legal(answer: Mapping[str, Any]) -> None:
        units, path = answer["units"], answer["path"]
        if not units or any(unit not in pos.of(side) or pos.at[unit] != path[0] for unit in units):
            raise Refusal("refusal.not_yours", "1")
        if len(path) < 2 or cost(path) > min(pos.left(unit) for unit in units):
            raise Refusal("refusal.too_far", "1", at=path[-1])

    stacks: dict[str, list[dict[str, Any]]] = {}
    for unit in pos.of(side):
        if pos.left(unit):
            stacks.setdefault(pos.at[unit], []).append({"id": unit, "left": pos.left(unit)})

    def show(answer: Mapping[str, Any]) -> dict[str, Any]:
        path = answer["path"]
        steps = [{"at": loc, "cost": cost(path[: i + 1])} for i, loc in enumerate(path)]
        return {"cost": cost(path), "left": {}, "steps": steps}

    move = Move("march", "1", stacks, reach, legal, show=show)
    end = Choose("end", "1", (Option("pass", "1", label("option.pass"), ends=True),))
    answer = yield from ask(Request(side, f"prompt.{side}", "1", (move, end)))
    if answer["form"] == "end":
        tell(pos, "handed_over", "1", side)
        return DONE
    path = answer["path"]
    for unit in answer["units"]:
        pos.at[unit], pos.spent[unit] = path[-1], pos.spent.get(unit, 0) + cost(path)
    pos.touched |= {f"space:{path[0]}", f"space:{path[-1]}"}
    tell(pos, "moved", "1", side, path=path, units=answer["units"])
    return AGAIN


@SEGMENTS.segment
def peace(pos: Campaign) -> Procedure[Next]:
    """2 The war is over, and nobody has won."""
    pos.result = {"winner": None, "key": "result.peace", "args": {}, "clause": "2"}
    tell(pos, "over", "2")
    return DONE
    yield


def begin(game: Game, options: Mapping[str, Any]) -> Campaign:  # noqa: ARG001
    turns = [["march", side, turn] for turn in range(1, TURNS + 1) for side in SEATS]
    return Campaign(game, [*turns, ["peace"]], dict(game.terms.scenario["at"]))


def load(game: Game, state: dict[str, Any]) -> Campaign:
    return Campaign(game, **state)


def nothing(*_: Any) -> None:
    return None


TITLE = Title(
    id="liberators", version="1", schema=1, segments=SEGMENTS, view=View(), compile=Game, begin=begin, load=load,
    scramble=nothing, invariants=nothing, lab=nothing,
)  # fmt: skip
WORDS = {
    "title.name": "The Liberators", "seat.patriot": "Patriots", "seat.royalist": "Royalists",
    "prompt.patriot": "March with your columns", "prompt.royalist": "March with the King's columns",
    "form.march": "March", "form.end": "End", "option.pass": "End of the turn", "phase.patriot": "Patriots",
    "phase.royalist": "Royalists", "phase.none": "Before the war",
    "event.turn": "Turn {n}", "event.handed_over": "{side} end their turn",
    "event.moved": "{units} march {path}", "event.over": "Peace", "result.peace": "Peace",
    "scenario.campaign": "Campaign", "refusal.too_far": "{at} is too far", "refusal.not_yours": "not yours",
}  # fmt: skip


def install() -> None:
    """Makes it one of the house's titles, for this process."""
    real = rules.titles.load
    rules.titles.load = lambda title_id: TITLE if title_id == TITLE.id else real(title_id)
