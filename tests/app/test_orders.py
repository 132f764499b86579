"""Standing orders: left, followed, named, limited, cancelled, and nobody else's business."""

from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest
from starlette.testclient import TestClient

from tests.app.conftest import MakePair
from tests.app.toy_table import HIDE, LOOK, PASS, ROLL, STAY, Pair, Side, bid, move

pytestmark = pytest.mark.usefixtures("toy")


def leave(side: Side, name: str, expect: int = 201, **more: Any) -> Any:
    return side.post("/orders", {"name": name, **more}, expect)


def orders(side: Side) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = side.get("/orders")["orders"]
    return listed


def followed(side: Side) -> list[tuple[str, str]]:
    """Which seats the log says had an order followed, and which."""
    return [(step["data"]["seat"], step["data"]["order"]["key"])
            for entry in side.record() for step in entry["steps"] if step["event"] == "order_followed"]  # fmt: skip


def test_an_order_answers_at_once_and_the_log_names_it(pair: Pair) -> None:
    leave(pair.blue, "cup", settings={"do": "look"})
    pair.red.answer(PASS)
    assert pair.red.view()["request"]["prompt"]["key"] == "prompt.bid"
    for side in (pair.red, pair.blue):
        assert followed(side) == [("blue", "order.cup")]
    assert pair.red.record()[-1]["steps"][1]["event"] == "looked"
    assert orders(pair.blue)[0]["used"] == 1


def test_a_whole_game_by_orders_of_both_in_one_answer(pair: Pair) -> None:
    for side in (pair.red, pair.blue):
        leave(side, "bid")
    leave(pair.blue, "cup")
    for _ in range(3):
        pair.red.answer(PASS)
    assert pair.red.get("")["state"] == "finished"
    assert followed(pair.red) == [(seat, f"order.{name}") for _ in range(3) for seat, name in (
        ("blue", "cup"), ("red", "bid"), ("blue", "bid"))]  # fmt: skip


def test_what_is_missing_is_as_suggested(pair: Pair) -> None:
    assert leave(pair.red, "bid", settings={"shy": "2"})["orders"][0]["settings"] == {"bold": "3", "shy": "2"}


@pytest.mark.parametrize(("name", "wish", "key"), [
    ("nonsense", {}, "orders.no_kind"), ("cup", {"do": "dance"}, "orders.no_setting"),
    ("cup", {"what": "pass"}, "orders.no_setting")])  # fmt: skip
def test_an_order_that_cannot_be(pair: Pair, name: str, wish: dict[str, str], key: str) -> None:
    assert leave(pair.blue, name, 400, settings=wish)["error"]["key"] == key
    assert orders(pair.blue) == []


def test_an_order_is_private_and_only_for_players(pair: Pair, client: TestClient) -> None:
    leave(pair.blue, "cup")
    assert orders(pair.red) == []
    assert client.get(pair.red.at + "/orders").status_code == 403
    assert client.post(pair.red.at + "/orders", json={"name": "cup"}).status_code == 403
    assert "cup" not in orjson.dumps(client.get(pair.red.at + "/record").json()).decode()
    number = orders(pair.blue)[0]["id"]
    gone = pair.red.browser.delete(f"{pair.red.at}/orders/{number}", params={"seat": "red"})
    assert gone.status_code == 404
    assert orders(pair.blue)


def test_a_cancelled_order_answers_no_more(pair: Pair) -> None:
    leave(pair.blue, "cup")
    pair.blue.browser.delete(f"{pair.blue.at}/orders/{orders(pair.blue)[0]['id']}", params={"seat": "blue"})
    pair.red.answer(PASS)
    assert pair.blue.view()["request"]["mine"]
    assert followed(pair.blue) == []


def test_an_order_ends_after_its_uses_and_its_day(pair: Pair) -> None:
    leave(pair.blue, "bid", uses=1)
    leave(pair.red, "bid", until=(datetime.now(UTC) - timedelta(minutes=1)).isoformat())
    pair.red.answer(ROLL)
    pair.blue.answer(STAY)
    assert followed(pair.red) == [("blue", "order.bid")]
    assert orders(pair.blue) == []
    assert pair.red.view()["request"]["mine"]
    pair.red.answer(bid(1))
    pair.red.answer(ROLL)
    pair.blue.answer(STAY)
    assert pair.blue.view()["request"]["mine"]


def test_the_first_order_that_fits_the_place_answers(pair: Pair) -> None:
    leave(pair.blue, "cup", settings={"do": "look"}, places=["nowhere"])
    leave(pair.blue, "cup", settings={"do": "pass"})
    pair.red.answer(PASS)
    assert "looked" not in [step["event"] for entry in pair.red.record() for step in entry["steps"]]
    assert [order["used"] for order in orders(pair.blue)] == [0, 1]


def test_what_is_not_allowed_now_waits_for_the_player(pair: Pair) -> None:
    pair.red.answer(PASS)
    pair.blue.answer(LOOK)
    leave(pair.blue, "cup", settings={"do": "look"})
    pair.red.answer(bid(1))
    pair.blue.answer(bid(2))
    pair.red.answer(PASS)  # blue has looked already: it may only pass, which is given without asking
    assert followed(pair.blue) == []


def test_what_was_taken_back_is_the_players_own(make_pair: MakePair) -> None:
    pair = make_pair()
    pair.seal()
    pair.hide()
    pair.red.answer(PASS)
    leave(pair.blue, "cup")
    assert pair.blue.view()["request"]["mine"], "an order answers from the next question on"
    pair.blue.post("/chat", {"text": "hello"})
    assert pair.blue.view()["request"]["mine"]
    pair.blue.answer(LOOK)
    back = pair.red.get("/take-back")["consent"]
    pair.red.post("/take-back", {"to": back[-1]})
    pair.blue.post("/take-back/reply", {"yes": True})
    assert followed(pair.blue) == []
    pair.red.answer(move("a", "b"))
    pair.red.answer(PASS)
    assert followed(pair.blue) == [("blue", "order.cup")]


def test_an_order_never_rolls_dice_that_are_not_sealed(make_pair: MakePair) -> None:
    pair = make_pair()
    leave(pair.blue, "cup")
    pair.hide()
    pair.red.answer(ROLL, expect=400)
    pair.red.answer(PASS)
    assert followed(pair.red) == [("blue", "order.cup")]


def test_a_key_sent_again_brings_the_same_answer(pair: Pair) -> None:
    leave(pair.blue, "cup")
    seq = pair.red.seq
    first = pair.red.answer(PASS, seq, "key-again-0")
    assert pair.red.answer(PASS, seq, "key-again-0") == first
    assert len(followed(pair.red)) == 1


def test_no_order_before_the_game_or_after_it(make_pair: MakePair) -> None:
    pair = make_pair()
    pair.red.answer(HIDE)
    pair.blue.post("/resign")
    assert leave(pair.red, "cup", 400)["error"]["key"] == "games.finished"


def test_the_page_leaves_and_cancels_without_scripts(pair: Pair) -> None:
    browser, page = pair.blue.browser, f"/games/{pair.blue.game}/orders"
    assert "order.cup" in browser.get(page).text
    wrong = browser.post(page, data={"name": "cup", "setting.do": "1", "uses": "0"})
    assert wrong.status_code == 422
    browser.post(page, data={"name": "cup", "setting.do": "1", "places": " a, b ", "until": "", "uses": ""})
    (left,) = orders(pair.blue)
    assert (left["settings"], left["places"], left["uses_left"]) == ({"do": "look"}, ["a", "b"], None)
    browser.post(f"{page}/{left['id']}/cancel")
    browser.cookies.set("zone", "Europe/Rome")
    assert "Until (Rome)" in browser.get(page).text
    ends = {"until": "2099-07-01T20:00", "zone": "Europe/Rome"}
    browser.post(page, data={"name": "cup", "setting.do": "1", "places": "", "uses": "", **ends})
    (left,) = orders(pair.blue)
    assert left["until"] == "2099-07-01T18:00:00Z"
    assert "Until Wed, Jul 1, 2099, 20:00 (Rome)" in browser.get(page).text
    browser.post(f"{page}/{left['id']}/cancel")
    assert orders(pair.blue) == []
