"""The six forms: what they offer, take, refuse, sample; and that nothing else comes out of nonsense than a refusal."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.core.errors import Malformed, Refusal
from rules.core.forms import (
    KINDS,
    Allocate,
    Amount,
    Amounts,
    Arrange,
    Choose,
    Declare,
    Form,
    Group,
    Line,
    Lot,
    Move,
    Option,
    Pick,
    Place,
    Trace,
    label,
)
from rules.core.request import Request
from tests.rules.titles.triple_alliance.builders import Play, play
from tests.rules.titles.triple_alliance.ground import kind

SCRIPTS = Path(__file__).parents[3] / "static/js/game"


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
PICK = Pick("pick", "6", tuple(Option(o, "6", label(o), ends=o == "c", at=o.upper()) for o in "abc"), 1, 2)
AMOUNTS = Amounts("amounts", "7", "spend", (Amount("x", label("x"), 0, 3, at="A", pool="gold", cost=2),
                                            Amount("y", label("y"), 1, 4), Amount("z", label("z"), 0, 2, pool="gold")),
                  pools={"gold": 5}, least=2, most=6, suggested={"y": 2}, show=lambda a: {"n": len(a["amounts"])})
LINE = Line("line", "8", ("a", "b"), ("1", "2", "3"), {"a": "1", "b": "2"}, chances={"a": (2, 6)})
WAYS = {"A": ("B", "C"), "B": ("A", "C", "D"), "C": ("D",)}
TRACE = Trace("trace", "9", ("A", "B"), ("D",), WAYS, most=3, suggested=("B", "D"),
              show=lambda a: {"to": a["path"][-1]})
TURN = Move("turn", "2.1", {"A": [{"id": "one", "left": 2}]}, lambda units, _aboard: {
    "from": "A@N/line", "cost": {"A@N/line": 0, "A@NE/line": 1, "B@NE/line": 2},
    "via": {"A@NE/line": "A@N/line", "B@NE/line": "A@NE/line"},
    "left": len(units), "blocked": {"A@N/line": {"key": "refusal.here", "clause": "1", "args": {}}}},
    lambda _answer: None, stances=True)
FORMS: list[Form] = [CHOOSE, PLACE, MOVE, DECLARE, ALLOCATE, ARRANGE, PICK, AMOUNTS, LINE, TRACE, TURN]


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
    assert refusal(PLACE, placed={"a": "B", "b": "B", "c": "B"}) == ("no_room", "6")
    assert refusal(PLACE, placed={"a": "A", "b": "A", "c": "C"}) == ("no_room", "6")
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


def test_a_form_says_why_nothing_will_not_do() -> None:
    def three(answer: dict[str, Any]) -> None:
        if sum(map(len, answer["lots"].values())) < 3:
            raise Refusal("refusal.count", "4", n=3)

    free = (Lot("x", ("a", "b"), 0, 2), Lot("y", ("c",), 0, 1))
    assert Allocate("a", "4", "lose", free, legal=three).fields()["nothing"]["key"] == "refusal.count"
    assert "nothing" not in Allocate("a", "4", "lose", free).fields()
    assert "nothing" not in Allocate("a", "4", "lose", (Lot("x", ("a", "b"), 1, 2),), legal=three).fields()


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


def test_place_with_limits_of_spaces_and_units_that_do_not_count() -> None:
    group = Group("g", "1", ("a", "b", "c"), ("A", "B"))
    form = Place("p", "1", (group,), 1, "6", limits={"B": 2}, free=frozenset({"c"}))
    assert form.check({"placed": {"a": "B", "b": "B", "c": "B"}})
    assert refusal(form, placed={"a": "A", "b": "A"}) == ("no_room", "6")
    assert form.check({"placed": {"a": "A", "c": "A"}})
    assert (form.offer()["limits"], form.offer()["free"]) == ({"B": 2}, ["c"])
    assert not {"limits", "free"} & set(PLACE.offer())


def test_pick() -> None:
    assert PICK.check({"options": ["b", "a"]}) == {"form": "pick", "options": ["a", "b"]}
    assert [PICK.ends(PICK.check({"options": o})) for o in (["a"], ["a", "c"])] == [False, True]
    assert refusal(PICK, options=[]) == ("count", "6")
    assert refusal(PICK, options=["a", "b", "c"]) == ("count", "6")
    bad: Any
    for bad in (["z"], ["a", "a"], "a", None, {"a": 1}):
        assert refusal(PICK, options=bad)[0] == "malformed"
    assert PICK.single() is None
    assert Pick("p", "6", PICK.options, 3, 3).single() == {"form": "p", "options": ["a", "b", "c"]}
    assert Pick("p", "6", PICK.options, 0, 0).single() == {"form": "p", "options": []}
    assert Pick("p", "6", PICK.options, 4, 5).wrong() == "4 to 5 of 3 options"

    def not_b(answer: dict[str, Any]) -> None:
        if "b" in answer["options"]:
            raise Refusal("refusal.not_b", "6.1")

    assert refusal(Pick("p", "6", PICK.options, 0, 3, legal=not_b), options=["b"]) == ("not_b", "6.1")


def test_amounts() -> None:
    assert AMOUNTS.check({"amounts": {"y": 2, "x": 0}}) == {"form": "amounts", "amounts": {"y": 2}}
    assert AMOUNTS.effect({"amounts": {"x": 2, "y": 1}}) == {"spent": {"gold": 4}, "total": 3, "n": 2}
    assert AMOUNTS.effect({"amounts": {"x": 9}}) == {"spent": {"gold": 18}, "total": 9, "n": 1}
    assert refusal(AMOUNTS, amounts={"x": 1}) == ("count", "7")  # y is 1 at the least
    assert refusal(AMOUNTS, amounts={"y": 1}) == ("count", "7")  # two altogether at the least
    assert refusal(AMOUNTS, amounts={"x": 2, "y": 1, "z": 2}) == ("too_dear", "7")
    assert refusal(AMOUNTS, amounts={"x": 2, "y": 4, "z": 1}) == ("count", "7")  # seven altogether
    assert refusal(AMOUNTS, amounts={"y": -1}) == ("count", "7")
    bad: Any
    for bad in ({"q": 1}, {"y": True}, {"y": "2"}, {"y": 1.5}, ["y"], None):
        assert refusal(AMOUNTS, amounts=bad)[0] == "malformed"
    assert AMOUNTS.single() is None
    assert Amounts("a", "7", "lose", (Amount("x", label("x"), 2, 2),)).single() == {"form": "a", "amounts": {"x": 2}}
    one, none = Amount("x", label("x"), 2, 2, pool="p"), Amount("x", label("x"), 3, 2)
    assert Amounts("a", "7", "lose", (none,)).wrong() == "amount x from 3 to 2"
    assert Amounts("a", "7", "lose", (Amount("x", label("x"), 0, 2),), least=3).wrong() == "no total fits"
    assert Amounts("a", "7", "lose", (one,), {"p": 1}).wrong() == "pool p is too small"
    samples = [AMOUNTS.sample(Random(n)) or {} for n in range(300)]
    totals = {sum(AMOUNTS.check(sample)["amounts"].values()) for sample in samples}
    assert totals == {2, 3, 4, 5, 6}


def test_line() -> None:
    assert LINE.check({"placed": {"b": "1", "a": "2"}}) == {"form": "line", "placed": {"a": "2", "b": "1"}}
    assert LINE.effect({"placed": {"a": "1"}}) == {"count": {"1": 1}}
    assert refusal(LINE, placed={"a": "1"}) == ("all_must_be_placed", "8")
    assert refusal(LINE, placed={"a": "1", "b": "1"}) == ("too_many", "8")
    assert refusal(LINE, placed={"a": "1", "b": "3"}) == ("no_gaps", "8")
    assert refusal(LINE, placed={"a": "4", "b": "1"}) == ("not_there", "8")
    assert refusal(LINE, placed={"c": "1"}) == ("not_to_place", "8")
    assert refusal(LINE, placed=["a"])[0] == "malformed"
    assert LINE.single() is None
    assert Line("l", "8", ("a",), ("1", "2")).single() == {"form": "l", "placed": {"a": "1"}}
    crowd = Line("l", "8", ("a", "b", "c"), ("1", "2"))  # one too many: it stays out
    assert crowd.check({"placed": {"c": "1", "a": "2"}})["placed"] == {"a": "2", "c": "1"}
    assert refusal(crowd, placed={"c": "1"}) == ("all_must_be_placed", "8")


def test_trace() -> None:
    assert TRACE.check({"path": ["A", "C", "D"]}) == {"form": "trace", "path": ["A", "C", "D"]}
    assert TRACE.effect({"path": ["A", "B"]}) == {"length": 2, "to": "B"}
    assert refusal(TRACE, path=["A", "B", "C", "D"]) == ("too_long", "9")
    assert refusal(TRACE, path=["C", "D"]) == ("not_from_there", "9")
    assert refusal(TRACE, path=["A", "B"]) == ("not_to_there", "9")
    assert refusal(TRACE, path=["A", "D"]) == ("no_way", "9")
    assert refusal(TRACE, path=["B", "A", "B", "D"]) == ("way_crosses", "9")
    bad: Any
    for bad in ([], None, "AD", [1], {"A": "D"}):
        assert refusal(TRACE, path=bad)[0] == "malformed"
    assert TRACE.shortest() == ("B", "D")
    assert all(TRACE.sample(Random(n)) == {"form": "trace", "path": ["B", "D"]} for n in range(20))  # the shortest
    assert Trace("t", "9", ("A",), ("Z",), WAYS).sample(Random(1)) is None


def test_a_move_whose_steps_say_how_the_units_stand() -> None:
    path = ["A@N/line", "A@NE/line", "B@NE/line"]
    assert TURN.check({"units": ["one"], "path": path})["path"] == path
    assert TURN.offer()["stances"] is True
    assert "stances" not in MOVE.offer()
    assert refusal(MOVE, units=["one"], path=path)[0] == "malformed"
    assert TURN.reached({"units": ["one"]}) == TURN.reach(["one"], {})
    assert {tuple(found["path"]) for n in range(40) if (found := TURN.sample(Random(n)))} == {
        tuple(path), tuple(path[:2])}
    with pytest.raises(Malformed):
        TURN.reached({"units": "one"})


@pytest.mark.parametrize("form", FORMS, ids=lambda f: f.name)
def test_every_form_is_in_good_order_and_says_so_in_a_line(form: Form) -> None:
    assert form.wrong() is None
    said = type(form).summary(form.offer(), lambda text: str(text["key"]))
    assert said
    assert "\n" not in said


def test_every_kind_is_tried_here_and_has_a_tool() -> None:
    tried = {form.kind for form in FORMS}
    ours = {kind for kind, form in KINDS.items() if form.__module__.startswith("rules.core.forms.")}
    assert ours == tried
    tools = {path.name.removesuffix("_tool.js") for path in SCRIPTS.glob("*_tool.js")}
    assert tools == ours


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
FIELDS = st.sampled_from(["option", "options", "amounts", "placed", "boxes", "units", "path", "aboard", "keep_box",
                          "target", "lots"])
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
    "lots": WORDY, "amounts": WORDY, "options": WORDY, "option": WORDY, "keep_box": SCALARS})


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
