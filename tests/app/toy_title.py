"""A tiny title for the server's tests, and a test of generality: nothing of the server knows a real one.

Red and blue hide a coin each, then three rounds follow: red moves about and rolls or passes, blue passes or looks at
red's coin, both bid in secret at once. The higher sum wins. Its data is in tests/app/overlays/toy/.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import rules.titles
from rules.core.agenda import DONE, Next, Segments
from rules.core.errors import Refusal
from rules.core.events import Teller, tell
from rules.core.forms import Choose, Group, Move, Option, Place, label
from rules.core.orders import Order
from rules.core.procedure import Procedure, ask, choose, roll, together
from rules.core.request import Request
from rules.core.title import Terms, Title
from rules.core.view import Fragment

SEATS = ("red", "blue")
SEGMENTS = Segments()


class Game:
    """Nothing but its terms."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms


@dataclass
class Toy:
    """The whole game: how far each seat pushed, its hidden hand, its points, the round."""

    game: Game
    agenda: list[list[Any]]
    round: int = 0
    stage: str = "setup"
    at: dict[str, str] = field(default_factory=dict)
    hand: dict[str, str] = field(default_factory=dict)
    shown: bool = False
    points: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SEATS, 0))
    result: dict[str, Any] | None = None
    touched: set[str] = field(default_factory=set)
    teller: Teller = field(default_factory=Teller)

    def state(self) -> dict[str, Any]:
        return {"agenda": self.agenda, "round": self.round, "stage": self.stage, "at": self.at, "hand": self.hand,
                "shown": self.shown, "points": self.points, "result": self.result}  # fmt: skip

    def phase(self) -> str:
        return f"{self.round}.{self.stage}"


class View:
    def keys(self, pos: Toy) -> Iterable[str]:  # noqa: ARG002
        return ["turn", "hand:red", "hand:blue", "table:points", "space:a", "space:b", "space:c"]

    def fragment(self, pos: Toy, key: str) -> Fragment:
        kind, _, of = key.partition(":")
        if kind == "turn":
            return Fragment({"turn": pos.round, "phase": pos.stage})
        if kind == "hand":
            held = {"held": pos.hand.get(of)}
            open_ = pos.shown and of == "red"
            return Fragment(held if open_ else {"held": of in pos.hand}, of, held)
        if kind == "table":
            return Fragment({"rows": [{"label": seat, "value": n} for seat, n in pos.points.items()]})
        here = [seat for seat, loc in pos.at.items() if loc == of]
        return Fragment({"count": len(here), "units": [{"id": seat} for seat in here]} if here else None)


def _choices(name: str, *options: tuple[str, bool]) -> Choose:
    return Choose(name, "2", tuple(Option(o, "2", label(f"option.{o}"), ends=ends) for o, ends in options))


@SEGMENTS.segment
def setup(pos: Toy, seat: str) -> Procedure[Next]:
    """1 A seat hides a coin in one of two places; nobody else sees which."""
    group = Group(f"coin_{seat}", "1", ("coin",), ("left", "right"), must=True)
    answer = yield from ask(Request(seat, "prompt.hide", "1", (Place("hide", "1", (group,), 1, "1"),)))
    pos.hand[seat] = answer["placed"]["coin"]
    pos.at[seat] = "a"
    pos.touched |= {f"hand:{seat}", "space:a"}
    tell(pos, "hidden", "1", seat, private={seat: {"where": pos.hand[seat]}})
    return DONE


@SEGMENTS.segment
def red_turn(pos: Toy) -> Procedure[Next]:
    """2 Red moves as often as it likes, then rolls or passes."""
    if pos.stage != "red":
        pos.round, pos.stage = pos.round + 1, "red"
        pos.touched |= {"turn"}
        tell(pos, "round", "2", n=pos.round)
    here = pos.at["red"]

    def reach(units: Any, aboard: Any) -> dict[str, Any]:  # noqa: ARG001
        if list(units) != ["red"]:
            raise Refusal("refusal.not_yours", "2")
        cost = {loc: 1 for loc in "abc" if loc != here}
        return {"from": here, "cost": cost, "via": dict.fromkeys(cost, here), "left": 1, "blocked": {}}

    def legal(answer: Mapping[str, Any]) -> None:
        if answer["path"][0] != here or answer["path"][-1] not in reach(answer["units"], {})["cost"]:
            raise Refusal("refusal.too_far", "2", at=answer["path"][-1])

    move = Move("move", "2", {here: [{"id": "red", "left": 1}]}, reach, legal, show=lambda a: {"cost": len(a["path"])})
    end = _choices("end", ("roll", True), ("pass", True))
    answer = yield from ask(Request("red", "prompt.red", "2", (move, end)))
    if answer["form"] == "move":
        pos.at["red"] = answer["path"][-1]
        pos.touched |= {f"space:{here}", f"space:{pos.at['red']}"}
        tell(pos, "moved", "2", "red", path=answer["path"], units=["red"])
        return [["red_turn"]]
    if answer["option"] == "roll":
        drawn = yield from roll("push", "2", 0, 9)
        pos.points["red"] += drawn
        pos.touched.add("table:points")
        tell(pos, "rolled", "2", "red", roll=drawn)
    pos.stage = "blue"
    pos.touched.add("turn")
    tell(pos, "handed_over", "2", "red")
    return DONE


@SEGMENTS.segment
def blue_turn(pos: Toy) -> Procedure[Next]:
    """3 Blue passes, or looks under red's cup."""
    look = () if pos.shown else (("look", False),)
    request = Request("blue", "prompt.blue", "3", (_choices("blue", *look, ("pass", True)),), open_grounds=True)
    if (yield from choose(request)) == "look":
        pos.shown = True
        pos.touched.add("hand:red")
        tell(pos, "looked", "3", "blue", reveals=True, where=pos.hand["red"])
    return DONE


@SEGMENTS.segment
def bids(pos: Toy) -> Procedure[Next]:
    """4 Both bid in secret at once; the higher bid scores."""
    pos.stage = "bids"
    pos.touched.add("turn")
    tell(pos, "bidding", "4")
    form = _choices("bid", ("1", False), ("2", False), ("3", False))
    given = yield from together({seat: Request(seat, "prompt.bid", "4", (form,)) for seat in SEATS})
    bid = {seat: int(answer["option"]) for seat, answer in given.items()}
    if bid["red"] != bid["blue"]:
        pos.points[max(SEATS, key=lambda seat: bid[seat])] += 2
    pos.stage = "over"
    pos.touched |= {"table:points", "turn"}
    tell(pos, "bids", "4", red=bid["red"], blue=bid["blue"])
    if pos.round == 3:
        best = max(SEATS, key=lambda seat: pos.points[seat])
        pos.result = {"winner": best, "key": "result.points", "args": {}, "clause": "4"}
        tell(pos, "over", "4")
    return DONE


def begin(game: Game, options: Mapping[str, Any]) -> Toy:  # noqa: ARG001
    assert game.terms.scenario["rounds"] == 3
    rounds = [step for _ in range(3) for step in (["red_turn"], ["blue_turn"], ["bids"])]
    return Toy(game, [["setup", "red"], ["setup", "blue"], *rounds])


def load(game: Game, state: dict[str, Any]) -> Toy:
    return Toy(game, **state)


def scramble(pos: Toy, seat: str, rng: Random, keep: set[str]) -> None:  # noqa: ARG001
    other = "blue" if seat == "red" else "red"
    if other in pos.hand and not (pos.shown and other == "red"):
        pos.hand[other] = rng.choice(("left", "right"))


def nothing(*_: Any) -> None:
    return None


def _do(game: Game, view: Mapping[str, Any], request: Request, settings: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG001
    return {"form": request.forms[0].name, "option": settings["do"]}


def _bid(game: Game, view: Mapping[str, Any], request: Request, settings: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG001
    """By what the seat itself holds: a coin on the left makes bold."""
    bold = view[f"hand:{request.seat}"]["held"] == "left"
    return {"form": "bid", "option": settings["bold" if bold else "shy"]}


ORDERS = (
    Order("cup", "3", ("prompt.blue",), _do, {"do": ("pass", "look")}),
    Order("bid", "4", ("prompt.bid",), _bid, {"bold": ("3", "2"), "shy": ("1", "2")}),
)


TITLE = Title(
    id="toy", version="1", schema=1, segments=SEGMENTS, view=View(), compile=Game, begin=begin, load=load,
    scramble=scramble, invariants=nothing, lab=nothing, orders=ORDERS,
)  # fmt: skip


def install() -> None:
    """Makes the toy one of the house's titles, for this process."""
    real = rules.titles.load
    rules.titles.load = lambda title_id: TITLE if title_id == TITLE.id else real(title_id)
