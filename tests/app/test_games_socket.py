"""The websocket: views, news by eye, catching up, refusals, presence, and a line that is too slow."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from app.accounts.ties import NOBODY
from app.config import Settings
from app.games.hub import QUEUE, Connection
from app.games.live import conninfo
from app.main import create_app
from tests.app.conftest import MakePair
from tests.app.test_games import apply, digest
from tests.app.toy_table import HIDE, LOOK, PASS, ROLL, Pair, Side, bid, move, new_game, new_key

pytestmark = pytest.mark.usefixtures("toy")


class Talk:
    """A websocket that keeps what it was told."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.cards: list[dict[str, Any]] = []

    def say(self, kind: str, **more: Any) -> None:
        self.socket.send_json({"type": kind, **more})

    def hear(self, kind: str) -> dict[str, Any]:
        """The next message of a kind; cards and replies on the way are kept aside, anything else is a fault."""
        while True:
            message: dict[str, Any] = self.socket.receive_json()
            if message["type"] == kind:
                return message
            assert message["type"] in ("card", "answer"), message
            self.cards.append(message)


@contextmanager
def talk(browser: TestClient, game: str, **query: Any) -> Iterator[Talk]:
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    with browser.websocket_connect(f"/api/games/{game}/socket?{asked}") as socket:
        yield Talk(socket)


def test_each_eye_is_told_its_own_version(pair: Pair, client: TestClient) -> None:
    game = pair.red.game
    with (
        talk(pair.red.browser, game) as red,
        talk(pair.blue.browser, game) as blue,
        talk(client, game) as watcher,
    ):
        views = [one.hear("view") for one in (red, blue, watcher)]
        assert [v["view"]["eye"] for v in views] == ["red", "blue", "public"]
        red.say("answer", seq=views[0]["seq"], key=new_key(), answer=PASS)
        news = [one.hear("told") for one in (red, blue, watcher)]
        assert [n["request"]["mine"] for n in news] == [False, True, False]
        blue.say("answer", seq=news[1]["seq"], key=new_key(), answer=LOOK)
        for one, view, first in zip((red, blue, watcher), views, news, strict=True):
            second = one.hear("told")
            seen = apply(dict(view["view"]["fragments"]), [*first["entries"], *second["entries"]])
            assert seen["hand:red"] == {"held": "left"}
            assert digest(seen) == second["digest"]


def test_what_was_missed_comes_after_a_lost_connection(pair: Pair) -> None:
    since = pair.blue.seq
    pair.red.answer(move("a", "b"))
    pair.red.answer(PASS)
    with talk(pair.blue.browser, pair.blue.game, since=since) as blue:
        missed = blue.hear("told")
        assert [e["kind"] for e in missed["entries"]] == ["answer", "answer"]
        assert missed["request"]["mine"]
        assert blue.hear("card")["your_seats"] == ["blue"]


def test_a_take_back_brings_the_view(pair: Pair) -> None:
    with talk(pair.red.browser, pair.red.game) as red, talk(pair.blue.browser, pair.blue.game) as blue:
        seq = red.hear("view")["seq"]
        blue.hear("view")
        red.say("answer", seq=seq, key=new_key(), answer=move("a", "b"))
        to = red.hear("told")["take_back"]["free"]
        blue.hear("told")
        pair.red.post("/take-back", {"to": to})
        for one in (red, blue):
            back = one.hear("taken_back")
            assert back["to"] == to
            assert "space:b" not in back["view"]["fragments"]
            assert digest(back["view"]["fragments"]) == back["digest"]


def test_a_request_to_take_back_is_on_the_card(pair: Pair) -> None:
    with talk(pair.red.browser, pair.red.game) as red, talk(pair.blue.browser, pair.blue.game) as blue:
        seq = red.hear("view")["seq"]
        blue.hear("view")
        red.say("answer", seq=seq, key=new_key(), answer=ROLL)
        asked = red.hear("told")["take_back"]["consent"][-1]
        blue.hear("told")
        pair.red.post("/take-back", {"to": asked})
        while blue.hear("card")["take_back"] is None:
            pass
        pair.blue.post("/take-back/reply", {"yes": True})
        assert blue.hear("taken_back")["to"] == asked
        assert red.hear("taken_back")["request"]["mine"]


def test_refusals_and_questions_go_to_the_one_who_asked(pair: Pair) -> None:
    with talk(pair.red.browser, pair.red.game) as red, talk(pair.blue.browser, pair.blue.game) as blue:
        seq = red.hear("view")["seq"]
        blue.hear("view")
        red.say("answer", seq=seq, key="this-is-my-key", answer=move("a", "z"))
        refused = red.hear("refused")
        assert refused["key"] == "this-is-my-key"
        assert refused["error"]["clause"] == "2"
        red.say("preview", n=7, answer=move("a", "b"))
        assert red.hear("preview") == {"type": "preview", "n": 7, "ok": True, "problems": [], "effect": {"cost": 2},
                                       "needs": {"least": 0, "most": 0}}  # fmt: skip
        red.say("reach", n=8, form="move", units=["red"])
        assert red.hear("reach")["cost"] == {"b": 1, "c": 1}
        red.say("reach", n=9, form="move", units=["blue"])
        assert red.hear("refused")["n"] == 9
        red.say("answer", seq=seq - 1, key=new_key(), answer=PASS)
        assert red.hear("refused")["error"]["key"] == "games.stale"
        assert red.hear("view")["seq"] == seq
        for nonsense in ("dance", "answer", "chat", "take_back"):
            red.say(nonsense)
            assert red.hear("refused")["error"]["key"] == "games.bad_message"
        red.socket.send_text("{")
        assert red.hear("refused")["error"]["key"] == "games.bad_message"
        red.say("ping")
        red.hear("pong")
        blue.say("ping")
        blue.hear("pong")


def test_two_tabs_of_one_seat_see_the_same(pair: Pair) -> None:
    with talk(pair.red.browser, pair.red.game) as one, talk(pair.red.browser, pair.red.game) as two:
        seq = one.hear("view")["seq"]
        two.hear("view")
        key = new_key()
        one.say("answer", n=1, seq=seq, key=key, answer=PASS)
        told = one.hear("told")
        assert two.hear("told") == told
        given = {"type": "answer", "n": 1, "seq": seq + 1}
        assert one.hear("answer") == given, "the number of the entry, when its news is out"
        two.say("answer", n=2, seq=seq, key=key, answer=PASS)
        assert two.hear("answer") == given | {"n": 2}, "the same outcome, and no news"
        two.say("ping")
        two.hear("pong")


def test_who_is_there(pair: Pair) -> None:
    with talk(pair.red.browser, pair.red.game) as red:
        red.hear("view")
        with talk(pair.blue.browser, pair.blue.game) as blue:
            blue.hear("view")
            while not red.hear("card")["seats"]["blue"]["online"]:
                pass
        while red.hear("card")["seats"]["blue"]["online"]:
            pass


def test_chat_reaches_players_only(pair: Pair, client: TestClient) -> None:
    game = pair.red.game
    with talk(pair.blue.browser, game) as blue, talk(client, game) as watcher:
        blue.hear("view")
        watcher.hear("view")
        pair.red.post("/chat", {"text": "Hello"})
        assert blue.hear("chat")["text"] == "Hello"
        assert client.post(f"/api/games/{game}/chat", json={"text": "Me too"}).status_code == 403
        pair.blue.post("/resign")
        assert watcher.hear("told")["request"] is None, "and no chat before"


def test_a_game_that_begins_asks_who_waits_at_the_table(make_pair: MakePair, client: TestClient) -> None:
    pair = make_pair()
    browser = pair.red.browser
    waiting = Side(browser, new_game(browser)["id"], "red")
    with talk(browser, waiting.game) as red:
        assert not red.hear("view")["request"]["mine"]
        pair.blue.browser.post(f"{waiting.at}/join", json={"seat": "blue"})
        begun = red.hear("view")
        assert begun["card"]["state"] == "active"
        assert begun["request"]["mine"]
    assert client.get(waiting.at).json()["state"] == "active"


def test_the_end_is_told_with_the_result(pair: Pair) -> None:
    with talk(pair.blue.browser, pair.blue.game) as blue:
        blue.hear("view")
        pair.red.post("/resign")
        assert blue.hear("told")["request"] is None
        while (result := blue.hear("card")["result"]) is None:
            pass
        assert result["winner"] == "blue"


def test_what_a_spectator_hears_at_the_end_and_after_it_fits(pair: Pair, client: TestClient) -> None:
    """Who comes back then sees with all eyes, of which the page knows nothing yet: it gets the whole view."""
    with talk(client, pair.red.game) as watcher:
        seen = watcher.hear("view")["view"]
        pair.red.answer(move("a", "b"))
        told = [watcher.hear("told")]
        pair.blue.post("/resign")
        told.append(watcher.hear("told"))
        fragments = apply(dict(seen["fragments"]), [entry for news in told for entry in news["entries"]])
        assert digest(fragments) == told[-1]["digest"]
        since = told[-1]["seq"]
    for missed in (since, since - 1):
        with talk(client, pair.red.game, since=missed) as watcher:
            view = watcher.hear("view")
            assert view["view"]["eye"] == "all"
            assert digest(view["view"]["fragments"]) == view["digest"]
    with talk(pair.red.browser, pair.red.game, seat="red", since=since - 1) as red:  # a seat sees what it saw
        assert [entry["kind"] for entry in red.hear("told")["entries"]] == ["resign"]


@pytest.mark.parametrize(("query", "code"), [({"seat": "red"}, 4403), ({"seat": "green"}, 4404)])
def test_no_line_for_strangers_eyes(pair: Pair, client: TestClient, query: dict[str, str], code: int) -> None:
    with pytest.raises(WebSocketDisconnect) as closed, talk(client, pair.red.game, **query) as one:
        one.hear("view")
    assert closed.value.code == code


def test_any_process_serves_any_game(pair: Pair, settings: Settings) -> None:
    """Two applications on one database: each tells its lines what the other commits, and goes on from there."""
    with TestClient(create_app(settings)) as elsewhere:
        elsewhere.cookies = pair.blue.browser.cookies
        blue = Side(elsewhere, pair.blue.game, "blue")
        with talk(elsewhere, pair.blue.game) as far, talk(pair.red.browser, pair.red.game) as near:
            far.hear("view")
            near.hear("view")
            pair.red.answer(PASS)
            near.hear("told")
            told = far.hear("told")
            assert [e["seat"] for e in told["entries"]] == ["red"]
            assert told["request"]["mine"]
            blue.answer(LOOK)
            assert near.hear("told")["digest"] == pair.red.view()["digest"]


def test_a_lost_ear_is_mended_and_what_was_missed_told(pair: Pair, settings: Settings) -> None:
    with TestClient(create_app(settings)) as elsewhere:
        elsewhere.cookies = pair.blue.browser.cookies
        with talk(elsewhere, pair.blue.game) as far:
            far.hear("view")
            with psycopg.connect(conninfo(settings.database_url), autocommit=True) as conn:
                deaf = "select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen game'"
                conn.execute(deaf)
            pair.red.answer(PASS)
            assert far.hear("told")["request"]["mine"]


@pytest.mark.anyio
async def test_a_line_that_cannot_keep_up_is_given_up() -> None:
    line = Connection("game", NOBODY, "public")
    for n in range(QUEUE + 1):
        assert not line.lost.is_set()
        line.send(str(n))
    assert line.lost.is_set()
    assert await asyncio.wait_for(line.queue.get(), 1) == "0"


def test_setting_up_and_bidding_over_the_line(make_pair: MakePair) -> None:
    pair = make_pair()
    game = pair.red.game
    with talk(pair.red.browser, game) as red, talk(pair.blue.browser, game) as blue:
        views = [one.hear("view") for one in (red, blue)]
        red.say("answer", seq=views[0]["seq"], key=new_key(), answer=HIDE)
        seq = blue.hear("told")["seq"]
        blue.say("answer", seq=seq, key=new_key(), answer=HIDE)
        red.hear("told")
        request = red.hear("told")["request"]
        blue.hear("told")
        red.say("answer", seq=request["seq"], key=new_key(), answer=PASS)
        red.hear("told")
        blue.say("answer", seq=blue.hear("told")["seq"], key=new_key(), answer={"form": "blue", "option": "pass"})
        both = [one.hear("told")["request"] for one in (red, blue)]
        assert all(request["together"] and request["mine"] for request in both)
        red.say("answer", seq=both[0]["seq"], key=new_key(), answer=bid(2))
        secret = blue.hear("told")
        assert secret["request"]["has_answered"] == ["red"]
        assert secret["entries"][0]["steps"] == []
        blue.say("answer", seq=both[1]["seq"], key=new_key(), answer=bid(1))
        assert blue.hear("told")["entries"][-1]["steps"][0]["data"] == {"red": 2, "blue": 1}
