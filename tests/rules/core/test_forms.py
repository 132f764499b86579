"""The six forms: what they offer, take, refuse, sample; and that nothing else comes out of nonsense than a refusal."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.core.errors import Malformed, Refusal
from rules.core.forms import Allocate, Arrange, Choose, Declare, Form, Group, Lot, Move, Option, Place, label
from rules.core.request import Request
from tests.rules.titles.triple_alliance.builders import Play, play
from tests.rules.titles.triple_alliance.ground import kind


def no_seven(answer: dict[str, Any]) -> None:
    if "seven" in answer["units"]:
        raise Refusal("refusal.seven", "9", at="A")


def reach(units: Any, _aboard: Any) -> dict[str, Any]:
    if "raft" in units:
        raise Refusal("refusal.raft", "8")
    return {"from": "A", "cost": {"B": 1, "C": 2}, "via": {"B": "A", "C": "B"}, "left": 2,
            "blocked": {"B": {"key": "refusal.full", "clause": "1", "args": {}}}}


CHOOSE = Choose("choose", "1", (Option("yes", "1", label("yes")), Option("no", "1", label("no"), ends=True, at="A")))
PLACE = Place("place", "1", (Group("all", "1.1", ("a", "b"), ("A", "B"), must=True),
                             Group("some", "1.2", ("c", "d"), ("B", "C"), pool="gold", cost=2)),
              limit=3, limit_clause="6", standing={"B": 1, "C": 3}, pools={"gold": 3}, boxes=("1", "2"))
MOVE = Move("move", "2", {"A": [{"id": "one", "left": 2}, {"id": "ship", "left": 3, "holds": 1, "takes": ["one"]}],
                          "B": [{"id": "raft", "left": 0}]}, reach, no_seven,
            show=lambda answer: {"cost": len(answer["path"])}, still={"C": "11.2"})
DECLARE = Declare("declare", "3", {"T": {"A": ["one", "two"], "B": ["seven"]}, "U": {"A": ["one"]}}, no_seven,
                  show=lambda answer: {"n": len(answer["units"])})
ALLOCATE = Allocate("allocate", "4", "lose", (Lot("x", ("a", "b", "s"), 2, 2, at="A", last=frozenset({"s"})),
                                              Lot("y", ("c",), 0, 1)), last_clause="4.9")
ARRANGE = Arrange("arrange", "5", {"1": "A", "2": None}, ("A", "B"))
FORMS: list[Form] = [CHOOSE, PLACE, MOVE, DECLARE, ALLOCATE, ARRANGE]


def refusal(form: Form, **fields: Any) -> tuple[str, str]:
    with pytest.raises(Refusal) as caught:
        form.check({"form": form.name, **fields})
    return caught.value.key.removeprefix("refusal."), caught.value.clause


def test_choose() -> None:
    assert CHOOSE.check({"form": "choose", "option": "yes", "noise": 1}) == {"form": "choose", "option": "yes"}
    assert [CHOOSE.ends({"option": o}) for o in ("yes", "no")] == [False, True]
    for bad in ("maybe", None, 3, ["yes"], {"yes": 1}):
        assert refusal(CHOOSE, option=bad)[0] == "malformed"
    assert CHOOSE.single() is None
    assert Choose("c", "1", CHOOSE.options[:1]).single() == {"form": "c", "option": "yes"}
    assert [o.get("at") for o in CHOOSE.offer()["options"]] == [None, "A"]


def test_place() -> None:
    clean = PLACE.check({"form": "place", "placed": {"b": "B", "a": "A", "d": "B"}, "boxes": {"2": "B"}})
    assert list(clean["placed"]) == ["a", "b", "d"]
    assert clean["boxes"] == {"2": "B"}
    assert PLACE.effect({"placed": {"a": "A", "c": "B"}}) == {"spent": {"gold": 2}, "count": {"A": 1, "B": 2}}
    assert refusal(PLACE, placed={"a": "A"}) == ("all_must_be_placed", "1.1")
    assert refusal(PLACE, placed={"a": "C", "b": "A"}) == ("not_there", "1.1")
    assert refusal(PLACE, placed={"z": "A"}) == ("not_to_place", "1")
    assert refusal(PLACE, placed={"a": "B", "b": "B", "c": "B"}) == ("too_many", "6")
    assert refusal(PLACE, placed={"a": "A", "b": "A", "c": "C"}) == ("too_many", "6")
    assert refusal(PLACE, placed={"a": "A", "b": "A", "c": "B", "d": "B"})[0] in ("too_dear", "too_many")
    rich = Place("place", "1", PLACE.groups, 9, "6", pools={"gold": 3})
    assert refusal(rich, placed={"a": "A", "b": "A", "c": "B", "d": "B"}) == ("too_dear", "1")
    assert refusal(PLACE, placed={"a": "A", "b": "A"}, boxes={"1": "A", "2": "A"}) == ("one_box_a_space", "1")
    assert refusal(PLACE, placed={"a": "A", "b": "A"}, boxes={"9": "A"})[0] == "malformed"
    assert refusal(Place("p", "1", PLACE.groups[1:], 9, "6", pools={"gold": 3}), placed={}) == ("nothing_placed", "1")
    assert Place("p", "1", (Group("g", "1", ("a", "b"), ("A",), must=True),), 9, "6").single() == {
        "form": "p", "placed": {"a": "A", "b": "A"}}
    assert PLACE.single() is None


def test_move() -> None:
    assert MOVE.check({"units": ["two", "one"], "path": ["A", "B"], "aboard": {}, "keep_box": 0}) == {
        "form": "move", "units": ["one", "two"], "path": ["A", "B"]}
    assert MOVE.check({"units": ["one"], "path": ["A"], "aboard": {"one": "ship"}, "keep_box": True}) == {
        "form": "move", "units": ["one"], "path": ["A"], "aboard": {"one": "ship"}, "keep_box": True}
    assert MOVE.effect({"units": [], "path": ["A", "B"]}) == {"cost": 2}
    assert refusal(MOVE, units=["seven"], path=["A"]) == ("seven", "9")
    for bad in ({"units": "one", "path": ["A"]}, {"units": ["one", "one"], "path": ["A"]},
                {"units": [1], "path": ["A"]}, {"units": ["one"], "path": []}, {"units": ["one"], "path": "A"},
                {"units": ["one"], "path": [None]},
                {"path": ["A"]}, {"units": ["one"]}, {"units": ["one"], "path": ["A"], "aboard": {"one": 1}},
                {"units": ["one"], "path": ["A"], "aboard": ["one"]}):
        assert refusal(MOVE, **bad)[0] == "malformed"


def test_declare() -> None:
    assert DECLARE.check({"target": "T", "units": ["two", "one"]}) == {
        "form": "declare", "target": "T", "units": ["one", "two"]}
    assert DECLARE.effect({"target": "T", "units": []}) == {"n": 0}
    assert refusal(DECLARE, target="T", units=[]) == ("no_attackers", "3")
    assert refusal(DECLARE, target="Z", units=["one"]) == ("no_target", "3")
    assert refusal(DECLARE, target="U", units=["two"]) == ("cannot_attack", "3")
    assert refusal(DECLARE, target="T", units=["seven"]) == ("seven", "9")
    assert refusal(DECLARE, target=["T"], units=["one"])[0] == "malformed"


def test_allocate() -> None:
    assert ALLOCATE.check({"lots": {"x": ["b", "a"]}}) == {"form": "allocate", "lots": {"x": ["a", "b"]}}
    assert ALLOCATE.check({"lots": {"x": ["a", "b"], "y": ["c"]}})["lots"]["y"] == ["c"]
    assert refusal(ALLOCATE, lots={"x": ["a", "s"]}) == ("others_first", "4.9")
    assert refusal(ALLOCATE, lots={"x": ["a"]}) == ("count", "4")
    assert refusal(ALLOCATE) == ("count", "4")
    assert refusal(ALLOCATE, lots={"x": ["a", "b", "s"]}) == ("count", "4")
    assert refusal(ALLOCATE, lots={"x": ["a", "c"]}) == ("not_of_the_lot", "4")
    bad: Any
    for bad in ({"z": []}, {"x": "ab"}, {"x": [1, 2]}, {"x": ["a", "a"]}, [], None):
        assert refusal(ALLOCATE, lots=bad)[0] == "malformed"
    assert ALLOCATE.single() is None
    all_gone = Allocate("a", "4", "lose", (Lot("x", ("b", "a"), 2, 2), Lot("y", ("c",), 0, 0)))
    assert all_gone.single() == {"form": "a", "lots": {"x": ["a", "b"]}}
    three = Allocate("a", "4", "lose", (Lot("x", ("a", "s"), 2, 2, last=frozenset({"s"})),))
    assert three.check({"lots": {"x": ["a", "s"]}})["lots"]["x"] == ["a", "s"]


def test_arrange() -> None:
    assert ARRANGE.check({"boxes": {"2": "B", "1": None}}) == {"form": "arrange", "boxes": {"1": None, "2": "B"}}
    assert refusal(ARRANGE, boxes={"1": "A", "2": None}) == ("nothing_changed", "5")
    assert refusal(ARRANGE, boxes={"1": "B", "2": "B"}) == ("one_box_a_space", "5")
    assert refusal(ARRANGE, boxes={"1": "C", "2": None}) == ("not_to_box", "5")
    bad: Any
    for bad in ({"1": "B"}, {"1": "A", "2": "B", "3": None}, {"1": 1, "2": None}, [], None):
        assert refusal(ARRANGE, boxes=bad)[0] == "malformed"


@pytest.mark.parametrize("form", FORMS, ids=lambda f: f.name)
def test_samples_are_legal_and_offers_are_json(form: Form) -> None:
    seen = 0
    for seed in range(200):
        answer = form.sample(Random(seed))
        if answer is None:
            continue
        try:
            clean = form.check(answer)
        except Refusal:  # what only a title can judge
            continue
        seen += 1
        assert form.check(clean) == clean
    assert seen > 20
    offer = form.offer()
    assert json.loads(json.dumps(offer)) == offer
    assert {"form", "kind", "label", "clause"} <= set(offer)


NAMES = st.sampled_from(["a", "b", "c", "one", "two", "seven", "ship", "raft", "s", "A", "B", "C", "T", "U", "x", "y",
                         "1", "2", "yes", "no", "", "é"])
SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False) | NAMES
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
                    max_leaves=12)
FIELDS = st.sampled_from(["option", "placed", "boxes", "units", "path", "aboard", "keep_box", "target", "lots"])
ANSWERS = st.dictionaries(FIELDS, JSON | st.lists(NAMES, max_size=4) | st.dictionaries(NAMES, NAMES | st.lists(
    NAMES, max_size=3), max_size=4), max_size=6)
QUICK = settings(max_examples=100, deadline=None, derandomize=True,
                 suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def only_refusals(check: Callable[[Any], dict[str, Any]], answer: Any) -> None:
    try:
        clean = check(answer)
    except Refusal:
        return
    assert check(clean) == clean


@QUICK
@given(answer=ANSWERS, name=st.sampled_from([f.name for f in FORMS]))
def test_nothing_but_a_refusal_comes_out_of_nonsense(answer: dict[str, Any], name: str) -> None:
    request = Request("left", "prompt.x", "1", tuple(FORMS))
    only_refusals(request.check, {**answer, "form": name})
    made = request.preview({**answer, "form": name})
    assert made["ok"] == (not made["problems"])


@QUICK
@given(answer=JSON)
def test_an_answer_is_an_object_that_names_its_form(answer: Any) -> None:
    request = Request("left", "prompt.x", "1", (CHOOSE,))
    with pytest.raises(Malformed):
        request.check(answer)
    assert request.preview(answer)["ok"] is False


FOOT, SHIP, FOE = kind("allied", "infantry", 2), kind("allied", "transport"), kind("paraguay", "infantry", 2)
UNITS = {FOOT[0]: "1237", FOOT[1]: "1336", SHIP[0]: "1237", FOE[0]: "1335", FOE[1]: "1436"}
WORDS = st.sampled_from([*UNITS, "1237", "1238", "1336", "1335", "1436", "PY-FOR-H", "turn:2", "1", "5", "nobody", ""])
WORDY = st.lists(WORDS, max_size=4) | st.dictionaries(WORDS, WORDS, max_size=3) | WORDS | SCALARS
MOVES = st.fixed_dictionaries({}, optional={
    "units": WORDY, "path": WORDY, "aboard": WORDY, "target": WORDY, "boxes": WORDY, "placed": WORDY,
    "lots": WORDY, "option": WORDY, "keep_box": SCALARS})


@pytest.fixture(scope="module")
def games() -> list[Play]:
    return [play({"turn": 3, "phase": phase, "clear": True, "units": UNITS})
            for phase in ("allied_movement", "allied_combat_2")]


@QUICK
@given(answer=MOVES, which=st.integers(0, 1))
def test_a_whole_request_of_a_title_takes_nonsense_too(games: list[Play], answer: dict[str, Any], which: int) -> None:
    game = games[which]
    request, before = game.pending["allied"], game.pos.state()["at"].copy()
    for form in request.forms:
        only_refusals(request.check, {**answer, "form": form.name})
        request.preview({**answer, "form": form.name})
    assert game.pos.at == before
