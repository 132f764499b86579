"""Games that the rules no longer fit: found, told, and mended as their players choose."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

import rules.titles
from app.games import dice
from app.jobs.registry import Work
from app.mending import tasks
from rules.core.agenda import DONE, Next
from rules.core.procedure import Procedure, choose
from rules.core.request import Request
from tests.app import toy_title
from tests.app.conftest import MakePair, Sql
from tests.app.toy_table import PASS, ROLL, STAY, Pair, Side, bid, new_game


def blue_turn_of_tomorrow(_pos: Any) -> Procedure[Next]:
    """3 Blue passes by another word."""
    yield from choose(Request("blue", "prompt.blue", "3", (toy_title._choices("blue", ("stay", True), ("go", True)),)))
    return DONE


@pytest.fixture
def broken(pair: Pair, client: TestClient) -> Iterator[Pair]:
    """Blue's answer of the second round does not fit the rules of tomorrow, which have come."""
    rules = pytest.MonkeyPatch()
    pair.round()
    pair.red.answer(ROLL)
    pair.blue.answer(STAY)
    pair.red.answer(bid(1))
    rules.setitem(toy_title.SEGMENTS, "blue_turn", blue_turn_of_tomorrow)
    client.app.state.games.store.drop(pair.red.game)  # type: ignore[attr-defined]
    yield pair
    rules.undo()


def page(side: Side, expect: int = 200) -> str:
    got = side.browser.get(f"/games/{side.game}/broken")
    assert got.status_code == expect, got.text
    return got.text


def seq_of(pair: Pair, answer: int) -> int:
    """The number of one of blue's free answers, from the newest."""
    free = [e for e in pair.blue.record() if e["kind"] == "answer" and not e["forced"] and e["seat"] == "blue"]
    return int(free[-answer]["seq"])


def test_the_page_of_a_broken_game_offers_a_choice_in_place_of_an_error(broken: Pair, sql: Sql) -> None:
    red = broken.red
    at = f"/games/{red.game}"
    assert red.browser.get(at).headers["location"] == f"{at}/broken"
    text = page(red)
    assert "The rules have changed" in text
    assert f"before entry {seq_of(broken, 1)}, which seat.blue (Bea)" in text
    assert "2 answers are given anew" in text
    card = red.get("/mending")
    assert (card["fits"], card["back"]["seq"], card["back"]["undoes"]) == (False, seq_of(broken, 1), 2)
    told = sql("select u.name, n.kind, n.args->>'link' from notices n join users u on u.id = n.user_id "
               "where n.kind = 'care' order by 1")  # fmt: skip
    assert told == [("Ana", "care", f"{at}/broken"), ("Bea", "care", f"{at}/broken")]
    red.post("/clock/claim", expect=400)
    assert red.post("/answers", {"seq": 1, "key": "12345678", "answer": PASS}, 409)["error"]["key"] == (
        "games.out_of_step"
    )


def test_both_players_resume_where_the_rules_still_fit(broken: Pair, sql: Sql) -> None:
    red, blue, to = broken.red, broken.blue, seq_of(broken, 1)
    old = red.get("")["dice"]
    assert red.post("/mending", {"what": "resume"}) == {"done": False}
    assert "seat.red (Ana) proposes:" in page(blue)
    assert "Take it back" in page(red)
    red.post("/mending/reply", {"yes": True}, expect=400)
    blue.post("/mending/reply", {"yes": False})
    assert blue.get("/mending")["proposal"] is None
    blue.browser.post(f"/games/{blue.game}/broken", data={"what": "resume"})
    agreed = red.browser.post(f"/games/{red.game}/broken/reply", data={"word": "yes"})
    assert agreed.status_code == 303
    assert red.browser.get(f"/games/{red.game}/broken").headers["location"] == f"/games/{red.game}"
    view = blue.view()
    assert view["request"]["mine"]
    assert [o["id"] for o in view["request"]["forms"][0]["options"]] == ["stay", "go"]
    entries = red.record()
    assert [step["event"] for step in entries[-1]["steps"]] == ["mended_agreed", "taken_back"]
    assert [e["retracted"] for e in entries if e["kind"] == "answer" and e["seq"] >= to] == [True, True]
    folded: dict[str, Any] = {}
    for entry in blue.record():
        for step in entry["steps"]:
            folded.update(step["fragments"])
    assert {k: v for k, v in folded.items() if v is not None} == view["view"]["fragments"]
    new = view["card"]["dice"]
    assert (new["complete"], new["restarts"], new["seed_hash"] == old["seed_hash"]) == (False, 1, False)
    assert "Resumed by both players before entry" in red.browser.get(f"/games/{red.game}/audit").text
    assert sql("select count(*) from mendings") == [(0,)]
    broken.seal()
    blue.answer({"form": "blue", "option": "stay"})
    red.answer(bid(1))
    blue.answer(bid(2))
    red.answer(ROLL)
    blue.answer({"form": "blue", "option": "go"})
    red.answer(bid(1))
    blue.answer(bid(3))
    export = red.get("/export")
    assert (export["state"], dice.checked(export)[1]) == ("finished", [])


def test_both_players_end_it_unrated(broken: Pair, sql: Sql) -> None:
    broken.red.post("/mending", {"what": "end"})
    assert broken.blue.post("/mending", {"what": "resume"}) == {"done": False}
    assert broken.red.post("/mending", {"what": "end"}) == {"done": False}
    assert broken.blue.post("/mending", {"what": "end"}) == {"done": True}
    card = broken.red.get("")
    assert (card["state"], card["result"]["key"], card["result"]["winner"]) == ("finished", "result.annulled", None)
    assert sql("select count(*) from rated_games") == [(0,)]
    at = f"/games/{broken.red.game}"
    assert broken.red.browser.get(at).headers["location"] == f"{at}/replay"
    assert "Ended unrated by both players" in broken.red.browser.get(f"{at}/audit").text


def test_who_looks_after_the_site_decides_with_a_reason(broken: Pair, staff: dict[str, TestClient], sql: Sql) -> None:
    at = f"/games/{broken.red.game}/broken/rule"
    for role in ("anonymous", "user"):
        assert staff[role].post(at, data={"what": "end", "reason": "why not"}).status_code in (303, 403)
    sql("update users set roles = '{moderator}' where name = 'Bea'")
    assert broken.blue.browser.post(at, data={"what": "end", "reason": "why not"}).status_code == 403
    assert "Decide for the players" not in page(broken.blue)
    moderator = staff["moderator"]
    assert "Decide for the players" in moderator.get(f"/games/{broken.red.game}/broken").text
    assert "broken" in moderator.get(f"/admin/games/{broken.red.game}?check=1").text
    assert moderator.post(at, data={"what": "resume", "reason": " "}).status_code == 422
    assert moderator.post(at, data={"what": "resume", "reason": "they are away"}).status_code == 303
    assert broken.red.view()["card"]["waiting_for"] == ["blue"]
    assert "they are away" in broken.red.browser.get(f"/games/{broken.red.game}/audit").text
    assert broken.red.record()[-1]["steps"][0]["data"]["reason"] == "they are away"
    again = moderator.post(f"/api{at.replace('broken', 'mending')}", json={"what": "end", "reason": "once more"})
    assert again.json()["error"]["key"] == "mending.fits"


def test_a_game_that_fits_is_left_alone_and_one_person_needs_nobody(
    make_pair: MakePair, person: Callable[[str], TestClient], client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = make_pair()
    assert pair.red.get("/mending")["fits"]
    assert page(pair.red, 303) == ""
    pair.red.post("/mending", {"what": "end"}, expect=400)
    cleo = person("Cleo")
    alone = Side(cleo, new_game(cleo, opponent="both")["id"], "red")
    both = Pair(alone, Side(cleo, alone.game, "blue"))
    both.seal()
    both.hide()
    alone.answer(PASS)
    both.blue.answer(STAY)
    monkeypatch.setitem(toy_title.SEGMENTS, "blue_turn", blue_turn_of_tomorrow)
    client.app.state.games.store.drop(alone.game)  # type: ignore[attr-defined]
    assert alone.post("/mending", {"what": "resume"}) == {"done": True}
    assert alone.view()["card"]["waiting_for"] == ["blue"]


def test_positions_that_can_not_be_read_lead_back_to_one_that_can(
    pair: Pair, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair.round()
    pair.red.answer(ROLL)

    def load(data: Any, state: dict[str, Any]) -> toy_title.Toy:
        if state["round"] > 1:
            raise KeyError("shape")
        return toy_title.load(data, state)

    title = replace(toy_title.TITLE, load=load)
    monkeypatch.setattr(rules.titles, "load", lambda _: title)
    client.app.state.games.store.drop(pair.red.game)  # type: ignore[attr-defined]
    last = max(e["seq"] for e in pair.red.record() if e["kind"] == "answer" and e["seat"] == "blue")
    back = pair.red.get("/mending")["back"]
    assert (back["seq"], back["seat"]) == (last + 1, "red")
    pair.red.post("/mending", {"what": "resume"})
    assert pair.blue.post("/mending", {"what": "resume"}) == {"done": True}
    assert pair.red.view()["request"]["mine"]


def test_the_players_are_told_when_a_server_begins_with_other_rules(
    pair: Pair, client: TestClient, api: FastAPI, sql: Sql, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair.red.answer(PASS)
    pair.blue.answer(STAY)
    tomorrow = replace(toy_title.TITLE, version="2")
    monkeypatch.setattr(rules.titles, "load", lambda _: tomorrow)
    monkeypatch.setattr(rules.titles, "IDS", ("toy",))
    monkeypatch.setitem(toy_title.SEGMENTS, "blue_turn", blue_turn_of_tomorrow)

    def look() -> list[Any]:
        assert client.portal is not None
        client.portal.call(tasks.look, Work(api.state.settings, api.state.db, api.state.games.store))
        return sql("select count(*) from notices where kind = 'care'")

    assert look() == [(2,)]
    assert look() == [(2,)]
    monkeypatch.setitem(toy_title.SEGMENTS, "blue_turn", toy_title.blue_turn)
    assert look() == [(2,)]
    assert sql("select count(*) from mendings") == [(0,)]
