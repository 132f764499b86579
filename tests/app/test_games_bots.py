"""Bots at the table: they answer by themselves, also after a restart, and agree to take-backs."""

import hashlib
import time
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

import rules.bots
from app.config import Settings
from app.games import play
from app.games.live import conninfo
from app.games.store import Store
from app.main import create_app
from app.reactions import REACTIONS
from tests.app.toy_table import HIDE, NONCES, PASS, ROLL, Side, bid, move, new_game

pytestmark = pytest.mark.usefixtures("toy")
PATIENCE = 10.0


def against_a_bot(browser: TestClient, bot: str = "random") -> Side:
    side = Side(browser, new_game(browser, opponent="bot", bot=bot)["id"], "red")
    side.post("/dice", {"hash": hashlib.sha256(bytes.fromhex(NONCES["red"])).hexdigest()})
    assert side.post("/dice", {"nonce": NONCES["red"]})["complete"]
    return side


def until_asked(side: Side) -> dict[str, Any]:
    """The request, once the bot has done its part."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        request: dict[str, Any] | None = side.view()["request"]
        if request is None or request["mine"]:
            return request or {}
        time.sleep(0.02)
    raise AssertionError("the bot did not answer")


@pytest.mark.parametrize("bot", rules.bots.NAMES)
def test_a_whole_game_against_a_bot(person: Callable[[str], TestClient], bot: str) -> None:
    red = against_a_bot(person("Ana"), bot)
    red.answer(HIDE)
    for _ in range(3):
        assert until_asked(red)["forms"][0]["form"] == "move"
        red.answer(ROLL)
        assert until_asked(red)["forms"][0]["form"] == "bid"
        red.answer(bid(2))
    assert until_asked(red) == {}
    by_bot = [e for e in red.record() if e["seat"] == "blue"]
    assert len(by_bot) >= 5
    assert red.get("")["result"]["winner"]


def test_a_bot_grants_a_take_back_and_answers_anew(person: Callable[[str], TestClient]) -> None:
    red = against_a_bot(person("Ana"))
    red.answer(HIDE)
    until_asked(red)
    passed = red.answer(PASS)["seq"]
    until_asked(red)
    assert red.post("/take-back", {"to": passed}) == {"done": True}
    assert red.view()["request"]["forms"][0]["form"] == "move"
    red.answer(move("a", "b"))
    red.answer(PASS)
    until_asked(red)


def test_a_bot_declines_a_draw(person: Callable[[str], TestClient]) -> None:
    red = against_a_bot(person("Ana"))
    red.post("/draw", {"offer": True})
    assert red.get("")["draw"] is None
    assert [e["kind"] for e in red.record()[-2:]] == ["draw_offer", "draw_decline"]


def test_a_game_that_waited_for_a_bot_goes_on_after_a_restart(
    settings: Settings, person: Callable[[str], TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    red = against_a_bot(person("Ana"))

    def asleep(_name: str) -> Any:
        raise RuntimeError("no bots today")

    with monkeypatch.context() as without:
        without.setattr(rules.bots, "make", asleep)
        red.answer(HIDE)
        time.sleep(0.2)
        assert red.view()["request"]["seat"] == "blue"
    with TestClient(create_app(settings)) as again:
        again.cookies = red.browser.cookies
        until_asked(Side(again, red.game, "red"))


def test_a_bot_that_answers_nonsense_is_stood_in_for(
    person: Callable[[str], TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Mad:
        def answer(self, *_: Any) -> dict[str, Any]:
            return {"form": "dance"}

    real = rules.bots.make
    monkeypatch.setattr(rules.bots, "make", lambda name: Mad() if name == "heuristic" else real(name))
    red = against_a_bot(person("Ana"), "heuristic")
    red.answer(HIDE)
    assert until_asked(red)["seat"] == "red"


def test_a_bot_hears_of_what_a_process_without_bots_did(client: TestClient, settings: Settings,
                                                        person: Callable[[str], TestClient]) -> None:  # fmt: skip
    red = against_a_bot(person("Ana"))
    seq = red.seq

    async def elsewhere() -> None:
        store = Store(conninfo(settings.database_url), 10, REACTIONS)
        await store.open()
        try:
            async with store.locked(red.game) as change:
                await play.answer(change, "red", seq, None, HIDE, None)
        finally:
            await store.close()

    assert client.portal is not None
    client.portal.call(elsewhere)
    assert until_asked(red)["forms"][0]["form"] == "move"
