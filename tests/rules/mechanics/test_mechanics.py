"""What two titles share, by itself."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.errors import BadPosition
from rules.mechanics.ending import finish
from rules.mechanics.stacks import shift, stacked
from rules.mechanics.stored import check_state, state_of, stored_fields
from rules.mechanics.written import Impossible, check_fields, cleared, name, number, one_of, placed

UNITS = ("a", "b", "c", "d")


@given(st.lists(st.tuples(st.sampled_from(UNITS), st.sampled_from("XYZ"))))
def test_stacks_stay_what_the_places_say(moves: list[tuple[str, str]]) -> None:
    at: dict[str, str] = {}
    here = stacked(at, [])
    for unit, loc in moves:
        before = at.get(unit)
        assert shift(at, here, unit, loc) == before
        assert here == stacked(at, sorted(at))


def test_a_stack_has_the_order_it_is_given() -> None:
    slow = {"a": 3, "b": 1, "c": 2}
    at = {"a": "X", "b": "X"}
    here = stacked(at, ["b", "a"])
    assert shift(at, here, "c", "X", slow.__getitem__) is None
    assert here == {"X": ["b", "c", "a"]}
    assert shift(at, here, "b", "Y", slow.__getitem__) == "X"
    assert here == {"X": ["c", "a"], "Y": ["b"]}


@dataclass
class Table:
    """A position of two fields."""

    game: str
    at: dict[str, str] = field(default_factory=dict)
    turn: int = 1
    result: dict[str, Any] | None = None
    touched: set[str] = field(default_factory=set, init=False)


def test_a_position_is_stored_without_the_data_it_is_played_with() -> None:
    assert stored_fields(Table) == ("at", "turn", "result", "touched")
    assert state_of(Table("data", {"a": "X"}, 3)) == {"at": {"a": "X"}, "turn": 3, "result": None, "touched": set()}


def test_a_state_of_another_shape_is_no_position() -> None:
    check_state(Table, {"at": {"a": "X"}, "turn": 2}, UNITS)
    with pytest.raises(BadPosition, match="unknown fields: phase"):
        check_state(Table, {"at": {}, "phase": "x"}, UNITS)
    with pytest.raises(BadPosition, match="unknown unit z"):
        check_state(Table, {"at": {"z": "X"}}, UNITS)


def test_a_written_position_names_what_there_is() -> None:
    check_fields({"turn": 1}, {"turn", "units"})
    with pytest.raises(Impossible, match=r"unknown_of.*'given': 'moon', 'names': 'turn, units'"):
        check_fields({"moon": 1}, {"turn", "units"})
    assert list(placed({"units": {"a": "X"}}, UNITS)) == [("a", "X")]
    assert list(placed({}, UNITS)) == []
    with pytest.raises(Impossible, match=r"unknown_of.*'given': 'z'"):
        list(placed({"units": {"z": "X"}}, UNITS))


def test_names_are_read_without_case_accents_and_separators_and_a_near_miss_is_asked_about() -> None:
    assert name("Porto Alegre", ["porto_alegre", "humaita"], "space") == "porto_alegre"
    assert name("HUMAITÁ", ["porto_alegre", "humaita"], "space") == "humaita"
    with pytest.raises(Impossible) as missed:
        name("humaitta", ["porto_alegre", "humaita"], "space")
    assert (missed.value.key, missed.value.args_["near"]) == ("lab.unknown_near", "humaita")
    with pytest.raises(Impossible):
        name("ab", ["a-b", "a_b"], "space")  # either may be meant


@pytest.mark.parametrize("value", [True, "3", 2.0, None, 0, 10])
def test_a_number_is_a_whole_one_within_its_limits(value: Any) -> None:
    assert number(3, "turn", 1, 9) == 3
    with pytest.raises(Impossible, match="no_number"):
        number(value, "turn", 1, 9)


def test_a_written_position_clears_some_sides_or_all() -> None:
    sides = ("left", "right")
    assert cleared({}, sides) == []
    assert cleared({"clear": True}, sides) == sides
    assert cleared({"clear": ["right"]}, sides) == ["right"]
    with pytest.raises(Impossible, match=r"'given': 'top', 'names': 'left, right'"):
        cleared({"clear": ["top"]}, sides)


def test_a_written_position_takes_one_of_a_few_values() -> None:
    assert one_of({}, "war", ("no", "yes"), "no") == "no"
    assert one_of({"war": "yes"}, "war", ("no", "yes"), "no") == "yes"
    with pytest.raises(Impossible, match=r"'given': 'soon', 'names': 'no, yes'"):
        one_of({"war": "soon"}, "war", ("no", "yes"), "no")


def test_what_ended_first_stays() -> None:
    table = Table("data")
    finish(table, "left", "capital", "16", at="X")
    finish(table, None, "points", "4", n=2)
    assert table.result == {"winner": "left", "key": "result.capital", "args": {"at": "X"}, "clause": "16"}
    assert table.touched == {"result"}
