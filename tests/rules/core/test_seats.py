"""Sides, seats, scenarios, and what a title makes of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.core import title as titles
from rules.core.errors import BadPosition
from rules.core.scenario import Scenario
from rules.core.seats import Seating, eyes
from rules.core.title import Data, Terms
from tests.rules.core.toy import DATA, TITLE

FOUR: dict[str, dict[str, Any]] = {
    "ney": {"side": "french", "corps": ["vi"]}, "french": {"side": "french"}, "blucher": {"side": "coalition"},
    "wellington": {"side": "coalition"}}
TWO = {"french": {"side": "french"}, "coalition": {"side": "coalition"}}
LIGNY = {"id": "ligny", "seatings": {"two": TWO, "four": FOUR}, "options": {"rain": [False, True], "n": [1, 2]},
         "turns": 8}


def test_partners_and_opponents_follow_from_the_sides() -> None:
    seating = Seating.of("four", FOUR)
    assert seating.sides == ("french", "coalition")
    assert eyes(seating.sides) == ("french", "coalition", "public", "all")
    assert seating.of_side("french") == ("ney", "french")
    assert seating.partners("ney") == ("french",)
    assert seating.opponents("wellington") == ("ney", "french")
    assert seating.side("blucher") == "coalition"
    assert seating.details["ney"] == {"corps": ["vi"]}
    assert seating.details["french"] == {}


@pytest.mark.parametrize(("body", "why"), [
    ({"a": {"side": "x"}}, "two sides"),
    ({"a": {"side": "x"}, "b": {}}, "says its side"),
    ({"a": {"side": "x"}, "b": "y"}, "says its side"),
    ({"A": {"side": "x"}, "b": {"side": "y"}}, "can name"),
    ({"public": {"side": "x"}, "b": {"side": "y"}}, "can name"),
    ({"a": {"side": "all"}, "b": {"side": "y"}}, "can name"),
    ({"y": {"side": "x"}, "b": {"side": "y"}}, "another side"),
])
def test_a_seating_that_cannot_be_is_refused(body: dict[str, Any], why: str) -> None:
    with pytest.raises(BadPosition, match=why):
        Seating.of("some", body)


def test_a_scenario_says_who_sits_and_what_may_be_chosen() -> None:
    found = Scenario.of(LIGNY)
    assert found.seating().id == "two"
    assert found.seating(["wellington", "ney", "blucher", "french"]).id == "four"
    assert found["turns"] == 8
    assert found.chosen({}) == {"rain": False, "n": 1}
    assert found.chosen({"n": 2}) == {"rain": False, "n": 2}
    for wrong in ({"n": True}, {"n": 3}, {"snow": True}, {"rain": 0}):
        with pytest.raises(BadPosition):
            found.chosen(wrong)
    with pytest.raises(BadPosition, match="nobody sits so"):
        found.seating(["ney", "blucher"])


@pytest.mark.parametrize(("change", "why"), [
    ({"id": "Ligny"}, "can name no scenario"),
    ({"id": None}, "can name no scenario"),
    ({"seatings": {}}, "no seatings"),
    ({"seatings": {"two": TWO, "again": TWO}}, "same seats"),
    ({"options": {"rain": []}}, "list of different values"),
    ({"options": {"rain": [1, 1]}}, "list of different values"),
    ({"options": {"rain": [None]}}, "list of different values"),
    ({"options": {"Rain": [1]}}, "list of different values"),
])
def test_a_scenario_that_cannot_be_is_refused(change: dict[str, Any], why: str) -> None:
    with pytest.raises(BadPosition, match=why):
        Scenario.of({**LIGNY, **change})


def test_the_digest_pins_the_order_of_units_but_not_that_of_files() -> None:
    units = {"a": 1, "b": 2}
    one = Data.of({"units": units, "map": {}})
    assert one.digest == Data.of({"map": {}, "units": dict(units)}).digest
    assert one.digest != Data.of({"map": {}, "units": {"b": 2, "a": 1}}).digest


def test_a_game_is_compiled_once_for_its_terms_and_the_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(titles, "GAMES_KEPT", 2)
    made: list[Terms] = []

    def compiled(terms: Terms) -> Any:
        made.append(terms)
        return object()

    title = replace(TITLE, compile=compiled)
    sets = [Data(DATA.files, digest) for digest in "abc"]
    first = title.game(sets[0], "toy")
    assert title.game(sets[0], "toy", ("right", "left")) is first
    title.game(sets[1], "toy")
    assert title.game(sets[0], "toy") is first
    title.game(sets[2], "toy")  # now the second has to go
    assert title.game(sets[0], "toy") is first
    title.game(sets[1], "toy")
    assert [terms.data.digest for terms in made] == ["a", "b", "c", "b"]
    with pytest.raises(BadPosition, match="there are toy"):
        title.game(sets[0], "war")
