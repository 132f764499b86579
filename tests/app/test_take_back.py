"""Taking back: free along the own run, by consent past dice and reveals; dice never rewind."""

from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.app.conftest import MakePair
from tests.app.toy_table import LOOK, PASS, ROLL, STAY, Pair, Side, bid, move, new_game

pytestmark = pytest.mark.usefixtures("toy")


def rolls(side: Side) -> list[dict[str, Any]]:
    return [entry for entry in side.record() if entry["kind"] == "roll"]


def test_the_own_run_is_free_step_by_step(pair: Pair) -> None:
    start = pair.red.view()["view"]["fragments"]
    pair.red.answer(move("a", "b"))
    pair.red.answer(move("b", "c"))
    offer = pair.red.get("/take-back")
    assert len(offer["steps"]) == 2
    assert offer["free"] == offer["steps"][0] == offer["undoes"][0]["seq"]
    assert pair.red.post("/take-back", {"to": offer["free"]}) == {"done": True}
    assert "space:b" in pair.red.view()["view"]["fragments"]
    last = pair.blue.record()[-1]
    assert last["kind"] == "take_back"
    assert last["steps"][0]["data"] == {"to": offer["free"], "seat": "red", "consent": False}
    assert last["steps"][0]["fragments"]["space:c"] is None
    pair.red.post("/take-back", {"to": offer["steps"][1]})
    assert pair.red.view()["view"]["fragments"] == start
    assert [e["retracted"] for e in pair.red.record()].count(True) == 2


def test_play_goes_on_after_a_take_back_and_survives_a_reload(pair: Pair, client: TestClient) -> None:
    pair.red.answer(move("a", "b"))
    pair.red.post("/take-back", {"to": pair.red.get("/take-back")["free"]})
    pair.red.answer(move("a", "c"))
    before = pair.red.view()
    store = client.app.state.games.store  # type: ignore[attr-defined]
    store.drop(pair.red.game)
    after = pair.red.view()
    assert after["view"] == before["view"]
    pair.to_the_end()


def test_an_answer_to_what_was_taken_back_is_stale(pair: Pair) -> None:
    seq = pair.red.seq
    pair.red.answer(move("a", "b"))
    pair.red.post("/take-back", {"to": pair.red.get("/take-back")["free"]})
    pair.red.answer(move("a", "c"), seq, expect=409)


def test_handing_over_ends_the_free_run(pair: Pair) -> None:
    pair.red.answer(move("a", "b"))
    moved = pair.red.get("/take-back")["free"]
    pair.red.answer(PASS)
    offer = pair.red.get("/take-back")
    assert offer["free"] is None
    assert moved in offer["consent"]
    assert pair.blue.get("/take-back")["free"] is None


def test_past_the_dice_the_opponent_consents_and_dice_never_rewind(pair: Pair) -> None:
    rolled = pair.red.seq + 1
    pair.red.answer(ROLL)
    first = rolls(pair.blue)
    assert pair.red.post("/take-back", {"to": rolled}) == {"done": False}
    asked = pair.blue.get("")["take_back"]
    assert (asked["seat"], asked["to"], asked["dice"], asked["reveals"]) == ("red", rolled, 1, False)
    assert [e["kind"] for e in asked["undoes"]] == ["answer", "roll"]
    assert pair.red.post("/take-back/reply", {"yes": True}, 400)["error"]["key"] == "games.no_take_back_asked"
    pair.blue.post("/take-back/reply", {"yes": True})
    assert pair.red.view()["request"]["mine"]
    assert pair.red.get("")["take_back"] is None
    pair.red.answer(ROLL)
    both = rolls(pair.blue)
    assert [e["retracted"] for e in both] == [True, False]
    pair.to_the_end_from_blue()
    numbers = [e["roll_no"] for e in pair.red.get("/export")["entries"] if e["kind"] == "roll"]
    assert numbers == list(range(len(numbers)))
    assert len(first) == 1


def test_a_request_lapses_at_the_next_answer(pair: Pair) -> None:
    rolled = pair.red.seq + 1
    pair.red.answer(ROLL)
    pair.red.post("/take-back", {"to": rolled})
    assert pair.red.post("/take-back", {"to": rolled}, 400)["error"]["key"] == "games.take_back_asked"
    pair.blue.answer(STAY)
    assert pair.red.get("")["take_back"] is None
    assert pair.blue.post("/take-back/reply", {"yes": True}, 400)["error"]["key"] == "games.no_take_back_asked"


def test_a_refused_request_is_not_made_again(pair: Pair) -> None:
    rolled = pair.red.seq + 1
    pair.red.answer(ROLL)
    pair.red.post("/take-back", {"to": rolled})
    pair.blue.post("/take-back/reply", {"yes": False})
    assert rolled not in pair.red.get("/take-back")["consent"]
    assert pair.red.post("/take-back", {"to": rolled}, 400)["error"]["key"] == "games.no_take_back"


def test_a_request_bears_a_message_of_the_chat_and_may_be_withdrawn(pair: Pair) -> None:
    rolled = pair.red.seq + 1
    pair.red.answer(ROLL)
    said = pair.red.post("/chat", {"text": "The wrong hex, sorry.", "to": "all"}, 201)["id"]
    pair.red.post("/take-back", {"to": rolled, "message": said})
    assert pair.blue.get("")["take_back"]["message"] == said
    heard = pair.blue.get("/chat")["messages"]
    assert [one["text"] for one in heard if one["id"] == said] == ["The wrong hex, sorry."]
    assert pair.red.post("/take-back/reply", {"yes": True}, 400)["error"]["key"] == "games.no_take_back_asked"
    pair.red.post("/take-back/reply", {"yes": False})
    assert pair.blue.get("")["take_back"] is None
    assert pair.blue.post("/take-back/reply", {"yes": True}, 400)["error"]["key"] == "games.no_take_back_asked"
    assert pair.red.post("/take-back", {"to": rolled}) == {"done": False}, "withdrawn is not refused"
    assert "message" not in pair.blue.get("")["take_back"]
    assert pair.blue.post("/take-back/reply", {"yes": False}) is None
    assert pair.red.post("/take-back/reply", {"yes": False}, 400)["error"]["key"] == "games.no_take_back_asked"


def test_who_learned_what_is_said(pair: Pair) -> None:
    pair.red.answer(PASS)
    looked = pair.blue.seq + 1
    pair.blue.answer(LOOK)
    pair.blue.post("/take-back", {"to": looked})
    assert pair.red.get("")["take_back"]["reveals"]
    assert pair.red.get("")["take_back"]["undoes"][0]["reveals"]


def test_over_a_phase_an_older_checkpoint_is_taken(pair: Pair) -> None:
    moved = pair.red.seq + 1
    pair.red.answer(move("a", "b"))
    start = pair.red.record()[-1]["seq"]
    assert start == moved
    pair.round()
    pair.red.post("/take-back", {"to": moved})
    pair.blue.post("/take-back/reply", {"yes": True})
    view = pair.red.view()
    assert view["view"]["fragments"]["turn"] == {"turn": 1, "phase": "red"}
    assert view["view"]["fragments"]["space:a"]["count"] == 2
    pair.to_the_end()
    assert pair.red.get("")["state"] == "finished"


@pytest.mark.parametrize(("policy", "free", "asks"), [("run", True, False), ("none", False, False)])
def test_policies(make_pair: MakePair, policy: str, free: bool, asks: bool) -> None:
    pair = make_pair(policy=policy)
    pair.seal()
    pair.hide()
    pair.red.answer(move("a", "b"))
    offer = pair.red.get("/take-back")
    assert (offer["free"] is not None, bool(offer["consent"])) == (free, asks)
    pair.red.answer(PASS)
    assert pair.red.get("/take-back")["consent"] == []
    assert pair.red.post("/take-back", {"to": pair.red.seq}, 400)["error"]["key"] == "games.no_take_back"


def test_at_one_screen_nobody_need_be_asked(person: Callable[[str], TestClient]) -> None:
    ana = person("Ana")
    game = new_game(ana, opponent="both")["id"]
    pair = Pair(Side(ana, game, "red"), Side(ana, game, "blue"))
    pair.seal()
    pair.hide()
    rolled = pair.red.seq + 1
    pair.red.answer(ROLL)
    assert pair.red.post("/take-back", {"to": rolled}) == {"done": True}


def test_a_seat_takes_back_only_its_own(pair: Pair) -> None:
    pair.red.answer(move("a", "b"))
    moved = pair.red.get("/take-back")["free"]
    assert pair.blue.post("/take-back", {"to": moved}, 400)["error"]["key"] == "games.no_take_back"
    pair.red.answer(PASS)
    pair.blue.answer(STAY)
    pair.red.answer(bid(1))
    assert pair.blue.post("/take-back", {"to": pair.red.seq}, 400)["error"]["key"] == "games.no_take_back"
