"""A title that rolls before it asks anybody: its games begin when the dice are sealed."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

import rules.titles
from app.games import dice
from rules.core.agenda import DONE, Next, Segments
from rules.core.events import tell
from rules.core.procedure import Procedure, roll
from tests.app import toy_title
from tests.app.conftest import Command, MakePair
from tests.app.test_games_bots import against_a_bot, until_asked
from tests.app.toy_table import HIDE, Pair, Side, new_game

SEGMENTS = Segments()


@SEGMENTS.segment
def weather(pos: toy_title.Toy) -> Procedure[Next]:
    """1 Two dice give each seat its first points."""
    tell(pos, "weather", "1")
    for seat in toy_title.SEATS:
        pos.points[seat] += (yield from roll("weather", "1", 0, 9))
        pos.touched.add("table:points")
        tell(pos, "blows", "1", seat)
    return DONE


def begin(game: toy_title.Game, options: Any) -> toy_title.Toy:
    pos = toy_title.begin(game, options)
    pos.agenda.insert(0, ["weather"])
    return pos


@pytest.fixture
def stormy(toy: None, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    """The toy with dice first."""
    segments = Segments()
    segments.update(toy_title.SEGMENTS)
    segments.update(SEGMENTS)
    title = replace(toy_title.TITLE, begin=begin, segments=segments)
    monkeypatch.setattr(rules.titles, "load", lambda _: title)


pytestmark = pytest.mark.usefixtures("stormy")


def drop(api: FastAPI, game: str) -> None:
    api.state.games.store.drop(game)


def test_it_asks_nobody_before_the_dice_are_sealed(make_pair: MakePair, api: FastAPI) -> None:
    pair = make_pair(pace={"kind": "days", "days": 3, "bank": 7, "increment": 0})
    for _ in range(2):
        seen = pair.red.view()
        assert (seen["request"], seen["card"]["waiting_for"], seen["card"]["state"]) == (None, [], "active")
        assert seen["card"]["clock"]["owes"] == ["blue", "red"]
        assert [e["kind"] for e in pair.red.record() if e["kind"] == "roll"] == []
        drop(api, pair.red.game)
    pair.red.answer(HIDE, expect=400)
    pair.seal()
    assert pair.red.view()["request"]["mine"]
    drop(api, pair.red.game)
    seen = pair.red.view()
    assert seen["request"]["mine"]
    rolls = [e for e in pair.red.record() if e["kind"] == "roll"]
    assert len(rolls) == 2
    folded: dict[str, Any] = {}
    for entry in pair.red.record():
        for step in entry["steps"]:
            folded.update(step["fragments"])
    assert {k: v for k, v in folded.items() if v is not None} == seen["view"]["fragments"]
    first = pair.red.answer(HIDE)["seq"]
    assert pair.red.get("/take-back")["steps"] == []  # blue was asked: by consent only
    pair.red.post("/take-back", {"to": first})
    pair.blue.post("/take-back/reply", {"yes": True})
    assert pair.red.view()["request"]["mine"]
    assert pair.red.view()["card"]["waiting_for"] == ["red"]
    pair.hide()
    pair.to_the_end()
    assert dice.checked(pair.red.get("/export"))[1] == []


def test_open_lines_and_bots_hear_of_the_beginning(person: Callable[[str], TestClient], make_pair: MakePair) -> None:
    pair: Pair = make_pair()
    with pair.blue.browser.websocket_connect(f"{pair.blue.at}/socket?seat=blue") as line:
        assert line.receive_json()["request"] is None
        pair.seal()
        while (said := line.receive_json())["type"] != "told":
            pass
        assert said["request"]["seat"] == "red"
    red = against_a_bot(person("Cleo"))
    red.answer(HIDE)
    assert until_asked(red)["forms"][0]["form"] == "move"


def test_its_games_fit_the_rules(make_pair: MakePair, command: Command, person: Callable[[str], TestClient]) -> None:
    make_pair().seal()
    alone = person("Cleo")
    Side(alone, new_game(alone, opponent="both")["id"], "red").view()
    assert command("verify-games")[0] == 0
