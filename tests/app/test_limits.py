"""What costs the server much is kept, drawn beside the loop and limited; what is half sent is not waited for."""

import gzip
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import ValidationError
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from app import security
from app.config import ROOT, Settings
from app.games import crowd, stills, titles
from app.lobby.limits import GAMES
from app.sheet.drawing import draw_map
from app.sheet.sheets import title_style
from app.sheet.stills import on_sheet, still
from tests.app.conftest import MakePair, Person, Sql
from tests.app.test_games_socket import talk
from tests.app.test_serve import data, serving
from tests.app.toy_table import Pair, new_game
from tests.rules import harness

__all__ = ["data"]

WAR = {"title": "triple_alliance", "scenario": "war", "seat": "paraguay", "opponent": "both"}


# -- pictures ----------------------------------------------------------------------------------------


def test_a_position_is_drawn_once_for_each_eye_and_theme(client: TestClient, person: Person,
                                                         monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    stills._kept.clear()
    drawn: list[str] = []

    def counted(*args: Any, **how: Any) -> str:
        drawn.append(str(args[4]))
        return on_sheet(*args, **how)

    monkeypatch.setattr(stills, "on_sheet", counted)
    game = person("Ana").post("/api/games", json=WAR).json()["id"]
    at = f"/games/{game}/still.svg"
    first = client.get(at)
    assert first.status_code == 200, first.text
    began = time.monotonic()
    assert [client.get(at).text for _ in range(5)] == [first.text] * 5
    assert (time.monotonic() - began) / 5 < 0.3
    assert drawn == ["light"]
    client.get(at, params={"theme": "dark"})
    client.get(at, params={"seq": 10_000})
    assert drawn == ["light", "dark"]
    assert 'class="l-counters"><' in first.text
    assert "@font-face" in first.text


def test_a_picture_on_a_drawn_sheet_is_the_one_drawn_whole() -> None:
    shown = titles._drawn(harness.data("triple_alliance"))
    sheet = gzip.compress(draw_map(shown["map"], title_style("triple_alliance"), "en").encode())
    whole, quick = still("triple_alliance", shown, {}), on_sheet("triple_alliance", sheet, shown, {}, "light")
    sign = re.compile(r"<style>.*?</style>", re.DOTALL)
    assert sign.findall(whole) == sign.findall(quick)
    assert sorted(re.findall(r"<[^>]+>", sign.sub("", whole))) == sorted(re.findall(r"<[^>]+>", sign.sub("", quick)))


def test_new_pictures_are_limited_by_address(client: TestClient, person: Person,
                                             monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    stills._kept.clear()
    monkeypatch.setitem(stills.DRAWN.__dict__, "hits", 1)
    game = person("Ana").post("/api/games", json=WAR).json()["id"]
    at = f"/games/{game}/still.svg"
    assert client.get(at).status_code == 200
    assert client.get(at).status_code == 200, "what is drawn costs nothing"
    assert client.get(at, params={"theme": "dark"}).status_code == 429


def test_exports_are_limited_by_address(client: TestClient, pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(stills.EXPORTED.__dict__, "hits", 2)
    at = f"/api/games/{pair.red.game}/export"
    assert [client.get(at).status_code for _ in range(3)] == [200, 200, 429]


def test_another_titles_digest_is_not_found(client: TestClient, person: Person) -> None:
    ana = person("Ana")
    digests = {}
    for title, seat in (("triple_alliance", "paraguay"), ("ultimo_hombre", "allied")):
        game = ana.post("/api/games", json=WAR | {"title": title, "seat": seat}).json()["id"]
        digests[title] = ana.get(f"/api/games/{game}").json()["data_digest"]
    for title, other in (("triple_alliance", "ultimo_hombre"), ("ultimo_hombre", "triple_alliance")):
        for path in (f"/sheet/{title}/{digests[other]}/map.svg", f"/sheet/{title}/{digests[other]}/counters.svg",
                     f"/api/titles/{title}/kit/en?digest={digests[other]}",
                     f"/api/titles/{title}/data?digest={digests[other]}"):  # fmt: skip
            assert client.get(path).status_code == 404, path


# -- how much ----------------------------------------------------------------------------------------


def test_games_are_limited_by_person(person: Person, monkeypatch: pytest.MonkeyPatch, toy: None) -> None:  # noqa: ARG001
    monkeypatch.setitem(GAMES.__dict__, "hits", 2)
    ana, bea = person("Ana"), person("Bea")
    wish = {"title": "toy", "scenario": "duel", "seat": "red"}
    assert [ana.post("/api/games", json=wish).status_code for _ in range(3)] == [201, 201, 429]
    assert bea.post("/api/games", json=wish).status_code == 201


def test_connections_are_limited_by_person(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "MOST", 2)
    game = pair.red.game
    red, blue = pair.red.browser, pair.blue.browser
    with talk(red, game) as one, talk(red, game) as two, talk(blue, game) as other:
        for line in (one, two, other):
            line.hear("view")
        with talk(pair.red.browser, game) as three, pytest.raises(WebSocketDisconnect) as closed:
            three.socket.receive_json()
        assert closed.value.code == 1013
    with talk(pair.red.browser, game) as again:
        again.hear("view")
    assert not crowd._open


def test_what_is_half_sent_is_not_waited_for(data: Path) -> None:
    hurry = "import app.sockets, app.security; app.sockets.HEAD_WITHIN = app.security.BODY_WITHIN = 1.0;"
    run = f"import sys; {hurry} from app.cli import main; sys.exit(main(sys.argv[1:]))"
    clean = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    process = subprocess.Popen([sys.executable, "-c", run, "serve", "--port", "0", "--data", str(data)], cwd=ROOT,
                               env=clean, stderr=subprocess.PIPE, text=True)  # fmt: skip
    try:
        assert process.stderr is not None
        found = next(got for line in process.stderr if (got := re.search(r"serving http://([\d.]+):(\d+)/ ", line)))
        halves = (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\nX-A: b",
                  b"POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                  b"Content-Length: 100\r\n\r\n{")  # fmt: skip
        with ExitStack() as all_at_once:
            began, socks = time.monotonic(), []
            for begun in halves:
                sock = all_at_once.enter_context(socket.create_connection((found[1], int(found[2])), 15))
                sock.sendall(begun)
                socks.append(sock)
            for begun, sock in zip(halves, socks, strict=True):
                while sock.recv(4096):
                    pass
                assert time.monotonic() - began < 10, begun
        assert httpx.get(f"http://{found[1]}:{found[2]}/health", timeout=10).status_code == 200
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
    assert security.BODY_WITHIN == 60


# -- what can't be stored ----------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["\\ud800", "a\\udfffb", "\\ud83d"])
def test_half_characters_are_bad_input(person: Person, text: str) -> None:
    ana, _ = person("Ana"), person("Bea")
    head = {"content-type": "application/json"}
    for method, path, body in (
        ("POST", "/api/messages/Bea", f'{{"text": "{text}"}}'),
        ("PUT", "/api/account/profile", f'{{"about": "{text}"}}'),
        ("POST", "/api/reports", f'{{"player": "Bea", "reason": "{text}"}}'),
        ("POST", "/api/account", f'{{"name": "{text}abc", "password": "{text}0123456789"}}'),
        ("POST", "/api/session", f'{{"name": "{text}", "password": "{text}"}}'),
        ("PUT", "/api/account/notifications", json.dumps({"timing": "now", "hour": 8, "on": []})[:-1]
         + f', "zone": "{text}"}}'),
        ("POST", "/api/account/channels", f'{{"address": "json://x/{text}"}}'),
    ):  # fmt: skip
        answer = ana.request(method, path, content=body.encode(), headers=head)
        assert 400 <= answer.status_code < 500, (path, answer.status_code)


@pytest.mark.parametrize("text", ["", " ", "\n\t ", "\u200b", "\u3000\u2060", "\u00ad"])
def test_a_chat_line_says_something(pair: Pair, text: str) -> None:
    refused = pair.red.browser.post(f"/api/games/{pair.red.game}/chat", json={"text": text})
    assert refused.status_code == 422
    letter = pair.red.browser.post("/api/messages/Bea", json={"text": text})
    assert letter.status_code == 422
    said = pair.red.browser.post(f"/api/games/{pair.red.game}/chat", json={"text": "  hello "})
    assert said.status_code in (200, 201, 204)


def test_the_first_standing_order_is_nobody_elses_business(make_pair: MakePair, sql: Sql) -> None:
    pair = make_pair()
    pair.seal()
    pair.hide()
    before = sql("select updated_at from games")
    with talk(pair.blue.browser, pair.blue.game) as blue:
        blue.hear("view")
        blue.say("ping", n=1)
        blue.hear("pong")
        kinds = pair.red.get("/orders")["kinds"]
        left = pair.red.browser.post(f"/api/games/{pair.red.game}/orders", params={"seat": "red"},
                                     json={"name": kinds[0]["name"], "settings": {}})  # fmt: skip
        assert left.status_code in (200, 201, 204), left.text
        blue.say("ping", n=2)
        blue.cards.clear()
        assert blue.hear("pong")["n"] == 2
        assert not blue.cards, "not even a card"
    assert sql("select updated_at, orders from games") == [(before[0][0], True)]


# -- addresses ---------------------------------------------------------------------------------------


def test_all_addresses_are_the_sites_whatever_host_a_request_names(
    staff: dict[str, TestClient], make_pair: MakePair, settings: Settings, sql: Sql
) -> None:
    make_pair()
    admin, evil = staff["admin"], {"host": "evil.example"}
    number = sql("select id from users where name = 'User'")[0][0]
    game = new_game(staff["user"], visibility="private")
    pages = [
        admin.post(f"/admin/users/{number}/reset", headers=evil).text,
        staff["user"].get(f"/games/{game['id']}/join", headers=evil).text,
        staff["user"].get("/account/notifications", headers=evil).text,
    ]
    for page, path in zip(pages, ("/reset/", f"/games/{game['id']}/join?t=", "/calendar/"), strict=True):
        assert "evil.example" not in page
        assert settings.reached + path in page


@pytest.mark.parametrize(("url", "words"), [
    ("https://example.org/games", "can't live below a path (/games)"), ("games.example.org", "has to be like https://"),
    ("ftp://example.org", "has to be like https://")])  # fmt: skip
def test_a_site_that_can_not_be_is_refused(url: str, words: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(words)):
        Settings(database_url="postgresql://", url=url)


def test_a_site_that_can_not_be_is_said_at_the_start(data: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "app.cli", "serve", "--port", "0", "--data", str(data)], cwd=ROOT,
                          capture_output=True, text=True,
                          env=os.environ | {"MARISCAL_URL": "ftp://example.org"})  # fmt: skip
    assert done.returncode == 1
    assert "has to be like https://" in done.stderr


def test_no_module_reads_the_host_of_a_request() -> None:
    """But that which compares it with the page a request comes from."""
    for path in (ROOT / "app").rglob("*.py"):
        assert ".base_url" not in path.read_text(), path
        if path.name != "security.py":
            assert 'headers.get("host")' not in path.read_text(), path


def test_a_site_without_an_address_says_what_its_links_begin_with(data: Path) -> None:
    with serving(data) as served:
        assert served._until(r"(MARISCAL_URL) is not set: links .* begin with http://127")
