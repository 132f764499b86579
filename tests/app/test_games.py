"""Games over HTTP: joined, played, seen and ended."""

from collections.abc import Callable
from typing import Any
from zlib import crc32

import orjson
import pytest
from starlette.testclient import TestClient

from tests.app.conftest import MakePair
from tests.app.toy_table import HIDE, LOOK, PASS, ROLL, STAY, Pair, Side, bid, move, new_game, new_key

pytestmark = pytest.mark.usefixtures("toy")


def digest(fragments: dict[str, Any]) -> int:
    out = 0
    for key, content in fragments.items():
        out ^= crc32(key.encode() + b"\n" + orjson.dumps(content, option=orjson.OPT_SORT_KEYS))
    return out


def apply(fragments: dict[str, Any], entries: list[dict[str, Any]]) -> dict[str, Any]:
    for entry in entries:
        for step in entry["steps"]:
            fragments |= step["fragments"]
    return {key: content for key, content in fragments.items() if content is not None}


def test_nobody_is_asked_before_the_seats_are_taken(person: Callable[[str], TestClient]) -> None:
    ana = person("Ana")
    red = Side(ana, new_game(ana)["id"], "red")
    assert not red.view()["request"]["mine"]
    error = red.answer(HIDE, expect=400)["error"]
    assert error["key"] == "games.not_begun"


def test_a_whole_game(pair: Pair) -> None:
    pair.to_the_end()
    card = pair.red.get("")
    assert card["state"] == "finished"
    assert card["result"]["winner"] in ("red", "blue")
    assert card["dice"]["seed"]
    assert pair.red.view()["request"] is None
    assert pair.red.answer(PASS, expect=400)["error"]["key"] == "games.finished"


def test_the_told_steps_add_up_to_the_view_of_every_eye(pair: Pair, client: TestClient) -> None:
    pair.red.answer(move("a", "b"))
    pair.round()
    pair.red.answer(move("b", "c"))
    pair.red.post("/take-back", {"to": pair.red.get("/take-back")["free"]})
    pair.red.answer(PASS)
    pair.blue.answer(LOOK)
    views = [pair.red.view(), pair.blue.view(), client.get(pair.red.at + "/view").json()]
    records = [pair.red.record(), pair.blue.record(), client.get(pair.red.at + "/record").json()["entries"]]
    for view, entries in zip(views, records, strict=True):
        told = apply({}, entries)
        assert told == view["view"]["fragments"]
        assert digest(told) == view["digest"]


def test_what_is_hidden_stays_hidden(pair: Pair, client: TestClient) -> None:
    assert pair.red.view()["view"]["fragments"]["hand:red"] == {"held": "left"}
    for seen in (pair.blue.view(), client.get(pair.red.at + "/view").json()):
        assert seen["view"]["fragments"]["hand:red"] == {"held": True}
    assert "left" not in orjson.dumps(client.get(pair.red.at + "/record").json()).decode()
    assert "left" not in orjson.dumps(client.get(pair.red.at + "/export").json()).decode()
    refused = client.get(pair.red.at + "/view", params={"seat": "red"})
    assert refused.status_code == 403


def test_a_stale_answer_gets_the_fresh_view(pair: Pair) -> None:
    seq = pair.red.seq
    pair.red.answer(move("a", "b"), seq)
    body = pair.red.answer(move("a", "c"), seq, expect=409)
    assert body["error"]["key"] == "games.stale"
    assert body["view"]["fragments"]["space:b"]["units"] == [{"id": "red"}]
    assert body["request"]["mine"]
    assert pair.red.get("/view")["view"]["fragments"].get("space:c") is None


def test_an_answer_sent_twice_counts_once(pair: Pair) -> None:
    seq, key = pair.red.seq, new_key()
    first = pair.red.answer(ROLL, seq, key)
    last = pair.red.seq
    assert pair.red.answer(ROLL, seq, key) == first == {"seq": seq + 1}
    assert pair.red.seq == last


def test_a_refused_answer_changes_nothing_and_names_its_clause(pair: Pair) -> None:
    before = pair.red.view()
    error = pair.red.answer(move("a", "z"), expect=400)["error"]
    assert error["key"] == "refusal.too_far"
    assert error["clause"] == "2"
    assert pair.red.view() == before
    assert pair.blue.answer(STAY, expect=400)["error"]["key"] == "refusal.not_asked"
    assert pair.red.answer({"form": "nonsense"}, expect=400)["error"]["key"] == "refusal.malformed"


def test_only_players_act(pair: Pair, person: Callable[[str], TestClient], client: TestClient) -> None:
    cleo = person("Cleo")
    for stranger in (cleo, client):
        body = {"seq": pair.red.seq, "key": new_key(), "answer": PASS}
        assert stranger.post(pair.red.at + "/answers", json=body).status_code in (401, 403)
        assert stranger.post(pair.red.at + "/resign", json={}).status_code in (401, 403)
        assert stranger.get(pair.red.at + "/chat").status_code in (401, 403)
        assert stranger.get(pair.red.at + "/notes").status_code in (401, 403)
    assert pair.blue.browser.post(pair.red.at + "/answers", params={"seat": "red"}, json=body).status_code == 403


def test_preview_keeps_a_draft_and_the_answer_drops_it(pair: Pair) -> None:
    shown = pair.red.post("/preview", {"answer": move("a", "b")})
    assert shown == {"ok": True, "problems": [], "effect": {"cost": 2}, "needs": {"least": 0, "most": 0}}
    assert pair.red.get("/draft")["draft"] == move("a", "b")
    assert pair.blue.get("/draft")["draft"] is None
    bad = pair.red.post("/preview", {"answer": move("a", "z")})
    assert bad["problems"][0]["key"] == "refusal.too_far"
    pair.red.answer(move("a", "b"))
    assert pair.red.get("/draft")["draft"] is None


def test_reach(pair: Pair) -> None:
    found = pair.red.post("/reach", {"form": "move", "units": ["red"]})
    assert found["cost"] == {"b": 1, "c": 1}
    assert pair.red.post("/reach", {"form": "move", "units": ["blue"]}, 400)["error"]["key"] == "refusal.not_yours"
    assert pair.red.post("/reach", {"form": "end", "units": ["red"]}, 400)["error"]["key"] == "refusal.malformed"
    assert pair.blue.post("/reach", {"form": "move", "units": ["red"]}, 400)["error"]["key"] == "refusal.not_asked"


def test_both_are_asked_at_once_in_any_order_and_may_withdraw(pair: Pair) -> None:
    pair.red.answer(PASS)
    pair.blue.answer(STAY)
    assert pair.red.view()["request"]["together"]
    opened = pair.red.seq
    pair.blue.answer(bid(3))
    assert pair.red.view()["request"]["has_answered"] == ["blue"]
    assert pair.red.record()[-1]["steps"] == []
    pair.blue.post("/withdraw")
    assert pair.blue.view()["request"]["mine"]
    assert [e["retracted"] for e in pair.blue.record()[-2:]] == [True, False]
    assert pair.red.post("/withdraw", expect=400)["error"]["key"] == "games.nothing_to_withdraw"
    pair.blue.answer(bid(1), opened)
    pair.red.answer(bid(3), opened)
    assert pair.red.record()[-1]["steps"][0]["data"] == {"red": 3, "blue": 1}


def test_resigning(pair: Pair) -> None:
    pair.red.post("/resign")
    card = pair.blue.get("")
    assert card["state"] == "finished"
    assert card["result"]["winner"] == "blue"
    assert pair.blue.record()[-1]["kind"] == "resign"
    assert pair.blue.view()["request"] is None


def test_a_draw_is_offered_declined_and_agreed(pair: Pair) -> None:
    pair.red.post("/draw", {"offer": True})
    assert pair.blue.get("")["draw"] == "red"
    assert pair.red.post("/draw", {"accept": True}, 400)["error"]["key"] == "games.no_draw_offered"
    pair.blue.post("/draw", {"decline": True})
    assert pair.blue.get("")["draw"] is None
    pair.blue.post("/draw", {"offer": True})
    pair.red.post("/draw", {"accept": True})
    card = pair.red.get("")
    assert card["state"] == "finished"
    assert card["result"]["winner"] is None


def test_a_draw_offer_lapses_when_the_other_answers(pair: Pair) -> None:
    pair.blue.post("/draw", {"offer": True})
    pair.red.answer(PASS)
    assert pair.red.get("")["draw"] is None


def test_a_deleted_account_resigns_and_keeps_the_game(pair: Pair) -> None:
    body = {"password": "correct horse battery"}
    gone = pair.red.browser.request("DELETE", "/api/account", json=body)
    assert gone.status_code in (200, 204), gone.text
    assert pair.blue.get("")["result"]["winner"] == "blue"
    assert len(pair.blue.record()) > 3


def test_private_games_need_the_link(make_pair: MakePair, client: TestClient) -> None:
    pair = make_pair(visibility="private")
    assert client.get(pair.red.at).status_code == 404
    assert client.get(pair.red.at + "/view").status_code == 404
    assert client.get(pair.red.at + "/record", params={"token": "wrong"}).status_code == 404


def test_one_person_may_play_both_sides(person: Callable[[str], TestClient]) -> None:
    ana = person("Ana")
    game = new_game(ana, opponent="both")["id"]
    pair = Pair(Side(ana, game, "red"), Side(ana, game, "blue"))
    pair.seal()
    pair.hide()
    whole = ana.get(f"/api/games/{game}/view").json()
    assert whole["view"]["eye"] == "all"
    assert whole["request"]["mine"]
    pair.to_the_end()
    assert pair.red.get("")["state"] == "finished"


def test_a_finished_game_is_open_to_all(pair: Pair, client: TestClient) -> None:
    pair.to_the_end()
    view = client.get(pair.red.at + "/view").json()
    assert view["view"]["eye"] == "all"
    assert view["view"]["fragments"]["hand:blue"] == {"held": "left"}
    entries = client.get(pair.red.at + "/record").json()["entries"]
    assert apply({}, entries) == view["view"]["fragments"]


def test_chat_is_between_the_players_and_not_without_end(pair: Pair) -> None:
    pair.red.post("/chat", {"text": "Good luck!"})
    lines = pair.blue.get("/chat")["messages"]
    assert [(line["name"], line["seat"], line["text"]) for line in lines] == [("Ana", "red", "Good luck!")]
    statuses = [pair.red.browser.post(pair.red.at + "/chat", json={"text": "!"}).status_code for _ in range(10)]
    assert statuses[0] == 201
    assert statuses[-1] == 429


def test_notes_are_private(pair: Pair) -> None:
    put = pair.red.browser.put(pair.red.at + "/notes", json={"text": "Look in round two."})
    assert put.status_code == 204
    assert pair.red.get("/notes")["text"] == "Look in round two."
    assert pair.blue.get("/notes")["text"] == ""


def test_titles_tell_about_themselves(client: TestClient) -> None:
    about = client.get("/api/titles/toy").json()
    assert about["scenarios"] == [
        {"id": "duel", "seatings": {"two": {"red": "red", "blue": "blue"}}, "options": {"fast": [False, True]}}]
    assert about["provenance"][0]["source"] == "rulebook"
    assert about["lost"] == "pool:dead"
    data = client.get("/api/titles/toy/data", params={"digest": about["digest"]})
    assert "immutable" in data.headers["cache-control"]
    assert client.get("/api/titles/none").status_code == 404


@pytest.mark.parametrize("wish", [{"scenario": "no"}, {"seat": "green"}, {"options": {"fast": 3}},
                                  {"opponent": "bot", "bot": "no"}])  # fmt: skip
def test_what_there_is_not_cannot_be_played(wish: dict[str, Any], person: Callable[[str], TestClient]) -> None:
    body = {"title": "toy", "scenario": "duel", "seat": "red", **wish}
    assert person("Ana").post("/api/games", json=body).status_code in (400, 422)


def test_seats_are_taken_once_and_given_back(person: Callable[[str], TestClient]) -> None:
    ana, bea, cleo = (person(name) for name in ("Ana", "Bea", "Cleo"))
    game = new_game(ana)["id"]
    assert ana.post(f"/api/games/{game}/join", json={"seat": "blue"}).status_code == 409
    assert bea.post(f"/api/games/{game}/join", json={"seat": "red"}).status_code == 409
    assert ana.post(f"/api/games/{game}/leave").status_code == 204
    assert cleo.get(f"/api/games/{game}").status_code == 404
    other = new_game(ana)["id"]
    assert bea.post(f"/api/games/{other}/join", json={"seat": "blue"}).json()["state"] == "active"
    assert bea.post(f"/api/games/{other}/leave").status_code == 409
    assert cleo.post(f"/api/games/{other}/join", json={"seat": "blue"}).status_code == 409
