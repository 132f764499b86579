"""A request: one list for browser, bots and the check; what others may know of it."""

import pytest

from rules.core.errors import Malformed, Refusal
from rules.core.forms import Choose, Declare, Option, label
from rules.core.procedure import Roll, allocate, ask, choose, draw, roll, rolls, together
from rules.core.request import Request
from tests.rules.core.toy import LEFT, RIGHT, question


def never(_answer: object) -> None:
    raise Refusal("refusal.never", "8.1", at="X", n=3)


BOTH = Request(LEFT, "prompt.both", "8", (
    Choose("pass", "8", (Option("pass", "8", label("pass")),)),
    Declare("hit", "8.1", {"X": {"A": ["one"]}}, never, show=lambda _answer: {"odds": "1:1"})), {"n": 2})


def test_an_answer_goes_to_the_form_it_names() -> None:
    assert BOTH.check({"form": "pass", "option": "pass"}) == {"form": "pass", "option": "pass"}
    with pytest.raises(Malformed):
        BOTH.check({"option": "pass"})
    with pytest.raises(Malformed):
        BOTH.check({"form": ["pass"], "option": "pass"})
    with pytest.raises(Refusal, match=r"refusal.never \(8.1\)"):
        BOTH.check({"form": "hit", "target": "X", "units": ["one"]})


def test_a_preview_shows_effect_and_problem_by_the_code_that_checks() -> None:
    problem = {"key": "refusal.never", "args": {"n": 3}, "clause": "8.1", "at": "X"}
    assert BOTH.preview({"form": "hit", "target": "X", "units": ["one"]}) == {
        "ok": False, "problems": [problem], "effect": {"odds": "1:1"}}
    assert BOTH.preview({"form": "pass", "option": "pass"}) == {
        "ok": True, "problems": [], "effect": {}, "needs": {"least": 0, "most": 0}}
    unreadable = BOTH.preview({"form": "hit", "target": "Y", "units": []})
    assert (unreadable["ok"], unreadable["effect"]) == (False, {})


def test_others_see_who_is_asked_for_what_and_not_the_forms() -> None:
    assert BOTH.outline(7) == {"seq": 7, "seat": LEFT, "prompt": {"key": "prompt.both", "args": {"n": 2}},
                               "clause": "8", "mine": False}
    offer = BOTH.offer(7)
    assert [form["form"] for form in offer["forms"]] == ["pass", "hit"]
    assert {k: v for k, v in offer.items() if k not in ("forms", "mine")} == {
        k: v for k, v in BOTH.outline(7).items() if k != "mine"}


def test_a_single_answer_needs_open_grounds_and_a_single_form() -> None:
    assert question(LEFT, "q", "only").single() is None
    assert question(LEFT, "q", "only", known=True).single() == {"form": "q", "option": "only"}
    assert question(LEFT, "q", "one", "two", known=True).single() is None
    assert Request(LEFT, "p", "8", (*BOTH.forms[:1], *BOTH.forms[:1]), open_grounds=True).single() is None


def test_procedures_hand_back_what_they_asked_for() -> None:
    asked = question(RIGHT, "q", "one", "two")
    for procedure, sent, wanted, got in (
            (ask(asked), {"form": "q", "option": "one"}, asked, {"form": "q", "option": "one"}),
            (choose(asked), {"form": "q", "option": "two"}, asked, "two"),
            (allocate(asked), {"lots": {"x": ("a",)}}, asked, {"x": ["a"]}),
            (roll("why", "1", 0, 9), (4,), Roll("why", "1", 0, 9), 4),
            (roll("why", "1", 1, 6, 2), (4, 5), Roll("why", "1", 1, 6, 2), 9),
            (rolls("why", "1", 1, 6, 2), (4, 5), Roll("why", "1", 1, 6, 2), (4, 5)),
            (draw("why", "1", 52), (51,), Roll("why", "1", 0, 51, kind="draw"), 51)):
        assert next(procedure) == wanted
        with pytest.raises(StopIteration) as stop:
            procedure.send(sent)
        assert stop.value.value == got


def test_a_roll_reads_what_fell_and_the_numbers_of_the_first_records() -> None:
    two, one = Roll("why", "1", 1, 6, 2), Roll("why", "1", 1, 6)
    assert two.faces(two.stored((6, 1))) == (6, 1)
    assert one.faces({"low": 1, "high": 6, "faces": [3]}) == (3,)
    assert one.faces(0) == (1,)  # counted from 0 once
    assert Roll("why", "1", 0, 9).faces(9) == (9,)
    bad: object
    for bad in ({"low": 1, "high": 6, "faces": [7, 1]}, {"low": 0, "high": 6, "faces": [1, 1]}, two.stored((1,)), 3,
                None, "six", [1, 1], {"low": 1, "high": 6}, {"low": 1, "high": 6, "faces": [True, 1]},
                {**two.stored((1, 1)), "more": 1}):
        with pytest.raises(ValueError, match="is not 2 from 1 to 6"):
            two.faces(bad)
    for bad in (6, -1, True):
        with pytest.raises(ValueError, match="is not 1 from 1 to 6"):
            one.faces(bad)


def test_together_gives_answers_in_seat_order_and_asks_nobody_for_nothing() -> None:
    procedure = together({LEFT: question(LEFT, "q", "a"), RIGHT: question(RIGHT, "q", "a")})
    next(procedure)
    with pytest.raises(StopIteration) as stop:
        procedure.send({RIGHT: 2, LEFT: 1})
    assert list(stop.value.value.items()) == [(LEFT, 1), (RIGHT, 2)]
    with pytest.raises(StopIteration) as stop:
        next(together({}))
    assert stop.value.value == {}
