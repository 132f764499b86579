"""A form of a kind that nobody has heard of: one file, here this one, and the house plays, checks and stores it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any, ClassVar

import pytest

from rules import bots
from rules.bots.checks import Broken, Checker
from rules.bots.leaks import Leak, non_interference
from rules.bots.reruns import Copies
from rules.core.agenda import DONE, Next, Segments
from rules.core.chance import Chance
from rules.core.errors import Malformed, Refusal
from rules.core.events import tell
from rules.core.forms import KINDS, Answer, Form, Option
from rules.core.forms.base import ordered
from rules.core.procedure import Procedure, ask
from rules.core.record import Entry
from rules.core.referee import Checkpoint, Referee
from rules.core.request import NOBODY, SOME, Request
from rules.core.sealed import sealed
from tests.rules.core import toy
from tests.rules.core.toy import LEFT, RIGHT, Position

segments = Segments(toy.segments)


@sealed
class Rank(Form):
    """All of some names in an order."""

    kind: ClassVar[str] = "rank"
    weight: ClassVar[float] = 0.5
    name: str
    clause: str
    names: tuple[str, ...]
    closing: bool = False

    def fields(self) -> dict[str, Any]:
        return {"names": list(self.names)}

    def check(self, answer: Answer) -> Answer:
        order = answer.get("order")
        if not isinstance(order, list):
            raise Malformed("order is a list")
        if sorted(map(str, order)) != sorted(self.names):
            raise Refusal("refusal.not_all", self.clause)
        return {"form": self.name, "order": order}

    def sample(self, rng: Random) -> Answer | None:
        return {"form": self.name, "order": rng.sample(self.names, len(self.names))}

    def faults(self) -> Sequence[str | None]:
        return [ordered("name", self.names)]

    def single(self) -> Answer | None:
        return {"form": self.name, "order": list(self.names)} if len(self.names) == 1 else None

    def ends(self, answer: Answer) -> bool:
        return self.closing and answer["order"][0] == self.names[-1]

    def effect(self, answer: Answer) -> dict[str, Any]:
        return {"first": answer["order"][0]} if answer.get("order") else {}

    def reached(self, question: Answer) -> dict[str, Any] | None:
        return {"places": len(self.names), "asked": sorted(question)}

    def common(self, other: Form) -> Answer | None:
        same = isinstance(other, Rank) and other.names == self.names
        return {"form": self.name, "order": list(self.names)} if same else None


@segments.segment
def rank(pos: Position, seat: str, names: list[str]) -> Procedure[Next]:
    """One order, scored by who comes first."""
    answer = yield from ask(Request(seat, "prompt.rank", "9", (Rank("order", "9", tuple(names), closing=True),),
                                    open_grounds=len(names) == 1, needs=lambda a: SOME if a["order"] else NOBODY))
    pos.add(seat, names.index(answer["order"][0]))
    tell(pos, "ranked", "9", seat, order=answer["order"])
    return DONE


TITLE = replace(toy.TITLE, segments=segments)
AGENDA: list[Any] = [["rank", LEFT, ["a", "b", "c"]], ["turn", RIGHT], ["rank", RIGHT, ["x"]], ["throw"],
                     ["rank", RIGHT, ["x", "y"]], ["over"]]


def position() -> Any:
    return TITLE.written(toy.DATA, {"position": {"agenda": AGENDA}})


def game() -> Referee:
    """One that has been asked for its first entries."""
    referee = Referee.at(TITLE, position(), Chance(toy.KEY), 0)
    referee.drain()
    return referee


def first(order: list[str]) -> Answer:
    return {"form": "order", "order": order}


def test_it_is_known_by_its_name_alone() -> None:
    assert KINDS["rank"] is Rank
    assert len(KINDS) > 10


def test_it_is_offered_previewed_refused_and_answered() -> None:
    referee = game()
    offered = referee.request_for(LEFT)
    assert offered is not None
    assert offered["forms"] == [{"form": "order", "kind": "rank", "label": {"key": "form.order", "args": {}},
                                 "clause": "9", "names": ["a", "b", "c"]}]
    asked = referee.pending[LEFT]
    assert asked.preview(first(["b", "a"])) == {
        "ok": False, "effect": {"first": "b"},
        "problems": [{"key": "refusal.not_all", "args": {}, "clause": "9", "at": None}]}
    assert asked.preview(first(["b", "a", "c"]))["needs"] == {"least": 1, "most": None}
    with pytest.raises(Malformed):
        referee.answer(LEFT, {"form": "order"})
    made = referee.answer(LEFT, first(["b", "a", "c"]))
    assert made[0].answer == first(["b", "a", "c"])
    assert referee.pos.score[LEFT] == 1


def test_what_it_ends_is_not_taken_back_freely_and_what_is_single_is_not_asked() -> None:
    referee = game()
    assert referee.answer(LEFT, first(["c", "a", "b"]))[0].commits
    assert not game().answer(LEFT, first(["a", "b", "c"]))[0].commits
    made = toy.say(referee, RIGHT, "stop", "stop")
    assert [(e.answer, e.forced) for e in made if e.kind == "answer"][1] == (first(["x"]), True)


def test_whole_games_of_it_pass_every_check_and_come_back_from_the_record() -> None:
    for seed in range(20):
        checker = Checker(TITLE, seed, every=1)
        referee = Referee.at(TITLE, position(), Chance(toy.KEY), 0)
        rng, bot = Random(seed), bots.make("random")
        log: list[Entry] = referee.drain()
        checker.begin(referee, list(log))
        while referee.pending:
            seat = rng.choice(referee.asked)
            referee = checker.after(referee, referee.answer(seat, bot.answer(referee, seat, rng)))
        assert checker.done["scrambles"] > 0
        line = [e for e in checker.line if e.kind != "start"]
        again = Referee.resume(TITLE, referee.game, Checkpoint(1, "", TITLE.encode(position())), TITLE.schema, line,
                               Chance(None))
        assert again.views.contents == referee.views.contents


def test_options_in_no_order_are_found() -> None:
    assert Rank("order", "9", ("b", "a")).wrong() == "name not sorted"
    assert Rank("order", "9", ()).wrong() == "no name"
    agenda: list[Any] = [["rank", LEFT, ["b", "a"]]]
    referee = Referee.at(TITLE, TITLE.written(toy.DATA, {"position": {"agenda": agenda}}), Chance(toy.KEY), 0)
    with pytest.raises(Broken, match="name not sorted"):
        Checker(TITLE, 1).begin(referee, referee.drain())


def test_a_leak_through_it_is_found() -> None:
    leaky = Segments(segments)

    def peeking(pos: Position, seat: str, names: list[str]) -> Procedure[Next]:
        """Offers what only the other's hand tells."""
        other = RIGHT if seat == LEFT else LEFT
        names = sorted({*names, *(f"card{card}" for card in pos.hands[other])})
        yield from ask(Request(seat, "prompt.rank", "9", (Rank("order", "9", tuple(names)),)))
        return DONE

    leaky["rank"] = peeking
    title = replace(TITLE, segments=leaky)
    agenda: list[Any] = [["rank", RIGHT, ["a"]], ["over"]]
    referee = Referee.at(title, title.written(toy.DATA, {"position": {"agenda": agenda}}), Chance(toy.KEY), 0)
    with pytest.raises(Leak, match="can tell by"):
        non_interference(Copies(referee, []), RIGHT, Random(3))
    non_interference(Copies(game(), []), LEFT, Random(3))


def test_the_command_line_says_what_it_offers() -> None:
    form = Rank("order", "9", ("a", "b"))
    assert Rank.summary(form.offer(), lambda said: str(said["key"])) == "names ['a', 'b']"
    option = Option("yes", "1", {"key": "yes", "args": {}})
    assert KINDS["choose"].summary({"options": [option.offer()]}, lambda said: str(said["key"])) == "yes"
