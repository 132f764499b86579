"""The game page's live connection: answers go over it and count once whatever becomes of it, refusals come over it, and
one that is dead but open is noticed and replaced."""

import json
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.browser import war
from tests.browser.conftest import LiveServer
from tests.browser.steps import DESKTOP, PATIENCE, Player, choose, same_stacks, told

MARCH = {"form": "move", "units": war.FOOT[:2], "path": ["1434", "1435"], "aboard": {}}
NOTICED = 60.0  # seconds: the page's patience is five, a machine may be ten times slower; without it two minutes
IDLE = 75.0  # a ping every fifteen


@pytest.fixture
def bea(browser: Browser, live_server: LiveServer) -> Iterator[Player]:
    """Paraguay's player, whose move it is; Ana of the Allies has no page open."""
    ana, bea = war.two_people(browser, live_server, DESKTOP)
    yield bea
    for player in (ana, bea):
        player.context.close()
        assert player.faults == []


class Wires:
    """The connections that a page opens, one after the other: what it says over them, and what is done to that.
    `pass_on` is asked for each message from (`up`) and to the page; `answers` counts the posts beside."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.opened = 0
        self.said: list[dict[str, Any]] = []
        self.posted: list[dict[str, Any]] = []
        self.pass_on: Callable[[dict[str, Any], bool], str | None] = lambda message, _up: json.dumps(message)
        player.page.route_web_socket(re.compile("/socket"), self._line)
        player.page.on("request", self._request)
        war.open_page(player)

    def _request(self, request: Any) -> None:
        if "/answers" in request.url:
            self.posted.append(json.loads(request.post_data))

    def _line(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()
        self.opened += 1
        number = self.opened

        def up(text: Any) -> None:
            message = json.loads(text)
            self.said.append(message)
            if (changed := self.asked(message, True, number)) is not None:
                server.send(changed)

        def down(text: Any) -> None:
            if (changed := self.asked(json.loads(text), False, number)) is not None:
                page.send(changed)

        page.on_message(up)
        server.on_message(down)

    def asked(self, message: dict[str, Any], up: bool, number: int) -> str | None:
        """Only the first connection is tampered with."""
        return self.pass_on(message, up) if number == 1 else json.dumps(message)

    @property
    def answers(self) -> list[dict[str, Any]]:
        return [message for message in self.said if message["type"] == "answer"]

    def silent(self) -> None:
        """From now on nothing comes through the first connection, which stays open."""
        self.pass_on = lambda _message, _up: None


def march(player: Player) -> None:
    choose(player, war.FOOT[:2])
    player.tap("1435")
    expect(player.key("go")).to_be_enabled()


def soon(page: Page, true: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"not within {seconds} s"
        page.wait_for_timeout(50)


def test_an_answer_goes_over_the_connection_alone(bea: Player) -> None:
    wires = Wires(bea)
    march(bea)
    before = bea.get()["seq"]
    bea.go()
    expect(bea.stack("1435")).to_have_count(1, timeout=PATIENCE)
    same_stacks(bea, "1434", "1435")
    (sent,) = wires.answers
    assert (sent["seq"], sent["answer"]["path"]) == (before, MARCH["path"])
    assert len(sent["key"]) == 32
    assert wires.posted == []
    reply = next(m for m in map(json.loads, bea.frames) if m["type"] == "answer")
    assert reply == {"type": "answer", "n": sent["n"], "seq": before + 1}
    expect(bea.key("undo")).to_be_visible()


@pytest.mark.parametrize("arrives", [pytest.param(False, marks=pytest.mark.long), True])
def test_a_connection_that_dies_with_an_answer_loses_and_doubles_nothing(bea: Player, arrives: bool) -> None:
    """Whether it reached the server or not, it goes again over HTTP under the same key and counts once."""
    wires = Wires(bea)
    march(bea)

    def die(message: dict[str, Any], up: bool) -> str | None:
        if not (up and message["type"] == "answer"):
            return json.dumps(message)
        wires.silent()
        return json.dumps(message) if arrives else None

    wires.pass_on = die
    before = bea.get()["seq"]
    began = time.monotonic()
    bea.go()
    expect(bea.stack("1435")).to_have_count(1, timeout=PATIENCE)
    assert time.monotonic() - began < NOTICED
    soon(bea.page, lambda: wires.opened == 2, NOTICED)
    same_stacks(bea, "1434", "1435")
    (sent,), (again,) = wires.answers, wires.posted
    assert {name: sent[name] for name in ("seq", "key", "answer")} == again
    assert told(bea, "marched") == 1
    assert bea.get()["seq"] == before + 1
    expect(bea.page.locator("#offline")).to_be_hidden(timeout=PATIENCE)
    bea.press(bea.key("undo"))  # the page knows the entry it made
    expect(bea.stack("1435")).to_have_count(0, timeout=PATIENCE)
    bea.press(bea.key("redo"))
    expect(bea.stack("1435")).to_have_count(1, timeout=PATIENCE)


def test_refusals_come_over_the_connection(bea: Player) -> None:
    wires = Wires(bea)
    march(bea)

    def worse(message: dict[str, Any], up: bool) -> str | None:
        if up and message["type"] == "answer":
            message["answer"]["path"] = ["1434", "2622"]
        return json.dumps(message)

    wires.pass_on = worse
    before = bea.get("/view")
    bea.go()
    toast = bea.page.locator(".toast")
    expect(toast).to_be_visible(timeout=PATIENCE)
    assert "game.error" not in toast.inner_text()
    expect(bea.key("go")).to_be_enabled()
    assert bea.get("/view") == before

    # one that comes too late brings the fresh view
    wires.pass_on = lambda message, up: json.dumps(message | {"seq": 1} if up else message)
    bea.go()
    expect(bea.page.locator(".toast").last).to_contain_text("The game has moved on", timeout=PATIENCE)
    assert wires.posted == []
    wires.pass_on = lambda message, _up: json.dumps(message)
    if not bea.key("go").count():
        march(bea)
    bea.go()
    expect(bea.stack("1435")).to_have_count(1, timeout=PATIENCE)
    assert told(bea, "marched") == 1


SIGNS = {
    "online": "dispatchEvent(new Event('online'))",
    "visible": "document.dispatchEvent(new Event('visibilitychange'))",
    "silence": "",
}


@pytest.mark.parametrize("sign", [pytest.param("online", marks=pytest.mark.long), "visible", "silence"])
def test_a_connection_that_falls_silent_is_replaced(bea: Player, sign: str) -> None:
    """It stays open and says nothing: another is opened at once, after a few seconds of patience for a ping, or with
    the next ping."""
    wires = Wires(bea)
    wires.silent()
    bea.answer(MARCH)  # from somewhere else
    bea.page.wait_for_timeout(300)
    expect(bea.stack("1435")).to_have_count(0)
    began = time.monotonic()
    bea.page.evaluate(SIGNS[sign])
    soon(bea.page, lambda: wires.opened == 2, {"online": 2.0, "visible": NOTICED, "silence": IDLE}[sign])
    expect(bea.stack("1435")).to_have_count(1, timeout=PATIENCE)
    if sign == "silence":
        assert time.monotonic() - began > 4  # with patience
    expect(bea.page.locator("#offline")).to_be_hidden(timeout=PATIENCE)
    bea.page.wait_for_timeout(6000)
    assert wires.opened == 2, "the new one is left alone"
