"""What a side imagines of what it may not know: from its own view alone, by whatever the hidden things really are."""

from random import Random
from typing import Any

import orjson
import pytest

import rules.titles
from app.games import data
from app.rulebook.book import examples_of
from rules.core.title import Title
from rules.core.view import Views
from rules.titles import IDS

FOGGY: dict[str, Any] = {"chaco": {"intelligence": "limited"}, "guerra_a_muerte": {"limited_intelligence": True}}
HELD: dict[str, Any] = {
    "war": {"hands": {"allied": ["A01"], "paraguayan": ["P01"]}},
    "empire_strikes_back": {"armies": {"royalist": {"1": "charcas", "2": "costa_firme", "3": "central_mexico"},
                                       "patriot": {"1": "salta", "2": "cordoba"}}},
}
SCENARIOS = [(title, scenario) for title in IDS for scenario in data.current(title).scenarios]


def foggy(title: Title, scenario: str) -> Any:
    """A scenario's set-up with all that its readings may hide, and cards in hands, armies in boxes."""
    position = HELD.get(scenario, {}) if title.id != "triple_alliance" else {}
    body = {"scenario": scenario, "options": FOGGY.get(title.id, {}), "position": position}
    return title.written(data.current(title.id), body)


def copy(title: Title, pos: Any) -> Any:
    return title.decode(pos.game, title.encode(pos), title.schema)


def guessed(title: Title, pos: Any, side: str, seed: int) -> dict[str, Any]:
    other = copy(title, pos)
    (title.guess or title.scramble)(other, side, Random(seed), set())
    title.invariants(other)
    state: dict[str, Any] = orjson.loads(title.encode(other))
    return state


HAND = ("number", "one_of", "flag", "numbers", "pieces", "holders", "marked", "spots", "stands", "choices", "lists",
        "groups", "some", "levels", "stances", "stores")  # kinds of fields that the page of a board sets by hand


@pytest.mark.parametrize(("title_id", "scenario"), SCENARIOS)
def test_a_guess_is_made_of_the_view_alone(title_id: str, scenario: str) -> None:
    title = rules.titles.load(title_id)
    pos = foggy(title, scenario)
    for side in pos.game.terms.seating.sides:
        other = copy(title, pos)
        title.scramble(other, side, Random(7), set())
        for seed in range(3):
            made = guessed(title, pos, side, seed)
            assert made == guessed(title, other, side, seed)
            again = title.load(pos.game, made)
            sides = pos.game.terms.seating.sides
            told, imagined = (Views(title.view, one, sides).contents[side] for one in (pos, again))
            assert told == imagined


@pytest.mark.parametrize("title_id", IDS)
def test_what_lies_hidden_is_dealt_anew(title_id: str) -> None:
    """Somewhere in the scenarios of a title there is something to guess, and it does not always come out the same."""
    title = rules.titles.load(title_id)
    found = set()
    for scenario in data.current(title_id).scenarios:
        pos = foggy(title, scenario)
        for side in pos.game.terms.seating.sides:
            found.add(len({orjson.dumps(guessed(title, pos, side, seed)) for seed in range(6)}))
    assert max(found) > 1


@pytest.mark.parametrize("title_id", IDS)
def test_a_position_goes_on_from_a_stored_one(title_id: str) -> None:
    """What differs from nothing is the position itself, by every example."""
    title = rules.titles.load(title_id)
    for body in examples_of(title_id).values():
        given = {key: body[key] for key in ("scenario", "seats", "options") if key in body}
        pos = title.written(data.current(title_id), {**given, "position": body.get("position", {})})
        stored = {"schema": title.schema, "state": orjson.loads(title.encode(pos))}
        again = title.written(data.current(title_id), {**given, "from": stored})
        assert orjson.loads(title.encode(again)) == stored["state"]
        for field in title.hand(again):
            assert field["kind"] in HAND
