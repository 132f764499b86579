"""A title of a few lines that asks everything a referee can be asked: the core is tested on it alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from rules.core.agenda import AGAIN, DONE, Next, Segments, Step
from rules.core.chance import Chance
from rules.core.errors import BadPosition
from rules.core.events import Teller, tell
from rules.core.forms import Choose, Option, label
from rules.core.procedure import Procedure, choose, draw, roll, together
from rules.core.record import Entry
from rules.core.referee import Checkpoint, Referee
from rules.core.request import Request
from rules.core.title import Data, Terms, Title
from rules.core.view import Fragment

LEFT, RIGHT = "left", "right"
segments = Segments()
SEATS = {seat: {"side": seat} for seat in (LEFT, RIGHT)}
DATA = Data.of({"scenarios": {"toy": {"id": "toy", "seatings": {"two": SEATS}}}})


class Game:
    """Nothing but its terms."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms


class Position:
    """Two scores and two hands that only their owners see."""

    def __init__(self, game: Game, state: Mapping[str, Any]) -> None:
        self.game = game
        self.score: dict[str, int] = dict(state["score"])
        self.hands: dict[str, list[int]] = {s: list(h) for s, h in state["hands"].items()}
        self.stage: str = state["stage"]
        self.agenda: list[Step] = [list(step) for step in state["agenda"]]
        self.result: dict[str, Any] | None = state["result"]
        self.touched: set[str] = set()
        self.teller = Teller()

    def state(self) -> dict[str, Any]:
        return {"score": self.score, "hands": self.hands, "stage": self.stage, "agenda": self.agenda,
                "result": self.result}

    def phase(self) -> str:
        return self.stage

    def add(self, seat: str, n: int) -> None:
        self.score[seat] += n
        self.touched.add("score")


def question(seat: str, name: str, *options: str, ends: bool = False, known: bool = False) -> Request:
    """Asks for one option; `known` when everybody can see what there is to choose."""
    form = Choose(name, "1", tuple(Option(o, "1", label(f"option.{o}"), ends) for o in options))
    return Request(seat, f"prompt.{name}", "1", (form,), open_grounds=known)


@segments.segment
def turn(pos: Position, seat: str) -> Procedure[Next]:
    """Add to the score as often as you like, then stop."""
    pos.stage = f"turn_{seat}"
    forms = (*question(seat, "add", "one", "two").forms, *question(seat, "stop", "stop", ends=True).forms)
    picked = yield from choose(Request(seat, "prompt.turn", "1", forms))
    if picked == "stop":
        tell(pos, "stopped", "1", seat)
        return DONE
    pos.add(seat, {"one": 1, "two": 2}[picked])
    tell(pos, "added", "1", seat, private={seat: {"n": pos.score[seat]}})
    return AGAIN


@segments.segment
def throw(pos: Position) -> Procedure[Next]:
    """A die for the left, then a card for the right, that only it sees."""
    pos.add(LEFT, (yield from roll("throw", "2", 0, 9)))
    tell(pos, "thrown", "2", LEFT, reveals=True)
    pos.hands[RIGHT].append((yield from draw("card", "2", 52)))
    pos.touched.add("hand:right")
    tell(pos, "drawn", "2", RIGHT, private={RIGHT: {"card": pos.hands[RIGHT][-1]}})
    return DONE


@segments.segment
def bid(pos: Position) -> Procedure[Next]:
    """Both at once, neither knowing the other's."""
    bids = yield from together({s: question(s, "bid", "low", "high") for s in (LEFT, RIGHT)})
    for seat, answer in bids.items():
        pos.add(seat, 10 if answer["option"] == "high" else 0)
    tell(pos, "bids", "3", None, bids={s: a["option"] for s, a in bids.items()})
    return DONE


@segments.segment
def forced(pos: Position, seat: str, known: bool) -> Procedure[Next]:
    """One legal answer, on open grounds or not."""
    yield from choose(question(seat, "only", "only", known=known))
    tell(pos, "did_it", "4", seat)
    return DONE


@segments.segment
def half_forced(pos: Position) -> Procedure[Next]:
    """Both at once; the left has but one answer and everybody knows it."""
    yield from together({LEFT: question(LEFT, "only", "only", known=True),
                         RIGHT: question(RIGHT, "bid", "low", "high")})
    tell(pos, "half", "4", None)
    return DONE


@segments.segment
def branch(pos: Position) -> Procedure[Next]:
    """Others in front of the rest."""
    yield from ()
    tell(pos, "branched", "5", None)
    return [["forced", LEFT, True], ["throw"]]


@segments.segment
def over(pos: Position) -> Procedure[Next]:
    """The end, whatever else is on the agenda."""
    yield from ()
    pos.result = {"winner": LEFT, "key": "result.over", "args": {}, "clause": "6"}
    pos.touched.add("result")
    tell(pos, "over", "6", LEFT)
    return DONE


class View:
    """Scores are open, of a hand the number."""

    def keys(self, _pos: Position) -> Iterator[str]:
        yield from ("score", "hand:left", "hand:right", "result")

    def fragment(self, pos: Position, key: str) -> Fragment:
        kind, _, seat = key.partition(":")
        match kind:
            case "score":
                return Fragment(dict(pos.score))
            case "hand":
                hand = pos.hands[seat]
                return Fragment({"count": len(hand)} if hand else None, seat, {"cards": list(hand)} if hand else None)
            case _:
                return Fragment(pos.result)


AGENDA: list[Step] = [["turn", LEFT], ["throw"], ["bid"], ["forced", LEFT, True], ["forced", RIGHT, False],
                      ["half_forced"], ["branch"], ["turn", RIGHT], ["over"], ["throw"]]


def begin(game: Game, _options: Mapping[str, Any], agenda: list[Step] | None = None) -> Position:
    """The first position, or one with another agenda."""
    return Position(game, {"score": {LEFT: 0, RIGHT: 0}, "hands": {LEFT: [3], RIGHT: []}, "stage": "set_up",
                     "agenda": AGENDA if agenda is None else agenda, "result": None})


def _scramble(pos: Position, seat: str, rng: Random, _keep: set[str]) -> None:
    other = RIGHT if seat == LEFT else LEFT
    pos.hands[other] = [rng.randrange(52) for _ in pos.hands[other]]


def _check(pos: Position) -> None:
    if min(pos.score.values()) < 0:
        raise BadPosition("a score below nothing")


def _lab(game: Game, options: Mapping[str, Any], body: Mapping[str, Any], base: Position | None) -> Position:
    return base or begin(game, options, body.get("agenda"))


def _one_to_two(state: dict[str, Any]) -> dict[str, Any]:
    return {**state, "hands": {LEFT: state["hands"][0], RIGHT: state["hands"][1]}}


TITLE = Title(id="toy", version="7", schema=2, segments=segments, view=View(), compile=Game, begin=begin,
              load=Position, scramble=_scramble, invariants=_check, lab=_lab, upgrades={1: _one_to_two})
GAME = TITLE.game(DATA, "toy")
KEY = bytes(range(32))
SCRIPT: list[tuple[str, str, str]] = [
    (LEFT, "add", "one"), (LEFT, "add", "two"), (LEFT, "stop", "stop"),  # then a die and a card
    (RIGHT, "bid", "high"), (LEFT, "bid", "low"),  # then the left's one answer
    (RIGHT, "only", "only"), (RIGHT, "bid", "low"),  # with the left's one answer before; then a branch, dice
    (RIGHT, "add", "two"), (RIGHT, "stop", "stop")]


def start(agenda: list[Step] | None = None, key: bytes | None = KEY, spare: int = 0) -> Referee:
    """A new toy game, with a checkpoint between any two segments unless entries are spared."""
    return Referee.at(TITLE, TITLE.written(DATA, {"position": {"agenda": agenda}}), Chance(key), spare)


def say(game: Referee, seat: str, form: str, option: str) -> list[Entry]:
    """Answer with an option."""
    return game.answer(seat, {"form": form, "option": option})


def played(n: int = len(SCRIPT)) -> tuple[Referee, list[Entry], list[tuple[Checkpoint, int, int]]]:
    """The game after n answers, its record, and after each answer its newest checkpoint, length and dice made."""
    game = start()
    log = game.drain()
    points = [(game.newest, len(log), game.chance.made)]
    for line in SCRIPT[:n]:
        log += say(game, *line)
        points.append((game.newest, len(log), game.chance.made))
    return game, log, points
