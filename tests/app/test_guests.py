"""Who plays the computer before there is an account: at his own games only, and what becomes of them."""

import hashlib
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.accounts import limits
from app.accounts.guests import KEPT_DAYS
from app.accounts.limits import Limit
from app.db import Database
from app.lobby import guests
from tests.app.conftest import MakePair, Person, Sql
from tests.app.toy_table import HIDE, NONCES, Side, new_game
from tests.conftest import PASSWORD, another

PLAY = "/titles/toy/play"
ACCOUNT = {"name": "Gina", "password": PASSWORD}


def begin(browser: TestClient) -> str:
    """A new game against the computer; its id."""
    there = browser.post(PLAY)
    assert there.status_code == 303, there.text
    return str(there.headers["location"].removeprefix("/games/"))


@pytest.fixture
def guest(
    toy: None,  # noqa: ARG001
    client: TestClient,
    api: FastAPI,
    monkeypatch: pytest.MonkeyPatch,
) -> TestClient:
    """The toy title has no drawings."""
    for drawn in ("kit.url", "map_url"):
        monkeypatch.setattr(f"app.games.pages.{drawn}", lambda *_: "/static/none")
    return another(client, api)


def sealed(browser: TestClient, game: str) -> Side:
    side = Side(browser, game, "red")
    side.post("/dice", {"hash": hashlib.sha256(bytes.fromhex(NONCES["red"])).hexdigest()})
    assert side.post("/dice", {"nonce": NONCES["red"]})["complete"]
    return side


def sends_to_sign_in(answer: Any) -> bool:
    return bool(answer.status_code == 401 or answer.headers.get("location", "").startswith("/sign-in"))


def test_a_stranger_plays_the_computer_from_the_front_page(guest: TestClient) -> None:
    assert 'action="/titles/triple_alliance/play"' in guest.get("/").text
    game = begin(guest)
    card = guest.get(f"/api/games/{game}").json()
    assert (card["your_seats"], card["visibility"], card["state"]) == (["red"], "private", "active")
    assert card["seats"]["red"] | {"online": False} == {"side": "red", "name": None, "bot": None, "guest": True,
                                                         "online": False}  # fmt: skip
    assert card["seats"]["blue"]["bot"] == "heuristic"
    sealed(guest, game).answer(HIDE)
    page = guest.get(f"/games/{game}").text
    assert 'data-guest="on"' in page
    assert f"/sign-up?next=/games/{game}" in page
    assert guest.get(f"/games/{game}/replay").status_code == 200
    assert f'href="/games/{game}"' in guest.get("/").text


def test_a_guest_is_nobody_elsewhere(
    guest: TestClient, make_pair: MakePair, person: Person, client: TestClient
) -> None:
    pair = make_pair(visibility="private")
    wanted = new_game(person("Olga"))["id"]
    own = begin(guest)
    for path in ("/api/account", "/api/lobby", "/api/account/sessions", "/games/new", "/next", "/friends", "/messages",
                 f"/api/games/{own}/orders", f"/games/{own}/orders"):  # fmt: skip
        assert sends_to_sign_in(guest.get(path)) or guest.get(path).status_code == 404, path
    for path, body in ((f"/api/games/{wanted}/join", {"seat": "blue"}), (f"/api/games/{wanted}/substitute", {}),
                       ("/api/games", {"title": "toy", "scenario": "duel", "seat": "red"})):  # fmt: skip
        assert guest.post(path, json=body).status_code == 401, path
    for path in (f"/events/{wanted}/enter", "/messages/Olga", f"/games/{own}/invite", "/report?player=Olga"):
        assert sends_to_sign_in(guest.post(path, data={})), path
    sent: list[tuple[str, dict[str, Any]]] = [("chat", {"text": "hello"}), ("draw", {"offer": True}),
                                              ("take-back/reply", {"yes": True})]  # fmt: skip
    for what, said in sent:
        assert guest.post(f"/api/games/{own}/{what}", json=said).status_code == 404, what  # a private game of others
    assert guest.post(f"/api/games/{own}/what-if").status_code == 401
    hidden = pair.red.game
    for browser in (guest, client):
        assert browser.get(f"/api/games/{hidden}").status_code == 404
        assert browser.get(f"/api/games/{own}").status_code == (200 if browser is guest else 404)


def test_nobody_finds_a_guest(guest: TestClient, staff: dict[str, TestClient], sql: Sql, person: Person) -> None:
    begin(guest)
    [(user, name)] = sql("select id, name from users where guest")
    ana = person("Nora")
    assert ana.get(f"/players/{name}").status_code == ana.get(f"/api/players/{name}").status_code == 404
    assert ana.post(f"/messages/{name}", data={"text": "hello"}).status_code == 404
    assert ana.post("/api/account/friends", json={"name": name}).status_code in (404, 405)
    admin = staff["admin"]
    assert name not in admin.get("/admin/users").text
    assert admin.get(f"/admin/users/{user}").status_code == 404
    assert admin.post(f"/admin/users/{user}/support", data={"reason": "help"}).status_code == 404
    assert guest.post("/api/session", json={"name": name, "password": PASSWORD}).status_code == 400
    assert ana.post("/api/account", json={**ACCOUNT, "name": "guest 12"}).status_code == 409


def test_signing_up_keeps_the_game_and_the_lessons(guest: TestClient, sql: Sql) -> None:
    game = begin(guest)
    sealed(guest, game)
    assert guest.put(f"/api/games/{game}/notes", json={"text": "hold the ford"}).status_code == 204
    before = dict(guest.cookies)["session"]
    there = guest.post(f"/sign-up?next=/games/{game}", data=ACCOUNT)
    assert (there.status_code, there.headers["location"]) == (303, f"/games/{game}")
    [own] = guest.get("/api/lobby").json()["mine"]
    assert (own["id"], own["seats"]["red"]["name"], own["created_by"]) == (game, "Gina", "Gina")
    assert guest.get(f"/api/games/{game}/notes").json()["text"] == "hold the ford"
    assert guest.get(f"/api/games/{game}/chat").status_code == 200
    assert "data-guest" not in guest.get(f"/games/{game}").text
    assert sql("select count(*) from users where guest")[0][0] == 0
    guest.cookies.clear()
    guest.cookies.set("session", before)  # what the browser had before opens nothing any more
    assert guest.get(f"/api/games/{game}").status_code == 404


def test_signing_in_leaves_the_game_to_the_account(guest: TestClient, person: Person, sql: Sql) -> None:
    person("Petra")
    game = begin(guest)
    assert guest.get(f"/api/games/{game}").status_code == 200  # known in memory with who sits there
    assert guest.post("/sign-in", data={"name": "Petra", "password": PASSWORD}).status_code == 303
    assert [one["id"] for one in guest.get("/api/lobby").json()["mine"]] == [game]
    assert guest.get(f"/api/games/{game}").json()["seats"]["red"]["name"] == "Petra"
    assert sql("select count(*) from users where guest")[0][0] == 0
    assert sql(f"select count(*) from sat where game_id = '{game}'")[0][0] == 1


def test_an_account_that_cannot_be_leaves_the_guest_as_he_was(guest: TestClient, person: Person) -> None:
    person("Petra")
    game = begin(guest)
    assert guest.post("/api/account", json={**ACCOUNT, "name": "Petra"}).status_code == 409
    assert guest.post("/api/session", json={"name": "Petra", "password": "wrong password"}).status_code == 400
    assert guest.get(f"/api/games/{game}").json()["your_seats"] == ["red"]


def test_a_guest_has_three_games_and_an_address_a_few(
    guest: TestClient, client: TestClient, api: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [begin(guest) for _ in range(guests.MOST)]
    assert begin(guest) == games[-1]
    few = Limit("guest", 5, limits.GUEST.window)
    monkeypatch.setattr("app.accounts.limits.GUEST", few)
    assert another(client, api).post(PLAY).status_code == 303
    late = another(client, api)
    assert (late.post(PLAY).status_code, late.cookies.get("session")) == (429, None)


def test_who_has_an_account_plays_at_once_too(guest: TestClient, person: Person, sql: Sql) -> None:
    ana = person("Nora")
    game = begin(ana)
    assert ana.get(f"/api/games/{game}").json()["seats"]["red"]["name"] == "Nora"
    sql("update users set ban_reason = 'insults' where name = 'Nora'")
    assert ana.post(PLAY).status_code == 403
    assert guest.post("/titles/none/play").status_code == 404
    assert sql("select count(*) from users where guest")[0][0] == 0


def test_who_does_not_come_back_is_forgotten_with_his_games(
    guest: TestClient, client: TestClient, api: FastAPI, sql: Sql
) -> None:
    old, new = begin(guest), begin(other := another(client, api))
    sealed(guest, old)
    old_user = sql(f"select created_by from games where id = '{old}'")[0][0]
    days = KEPT_DAYS + 1
    sql(f"update sessions set seen_at = now() - interval '{days} days' where user_id = {old_user}")
    assert client.portal is not None
    assert client.portal.call(_sweep, api.state.db) == 1
    assert sql("select id from games") == [(new,)]
    assert sql(f"select count(*) from entries where game_id = '{old}'")[0][0] == 0
    assert guest.get(f"/api/games/{old}").status_code == 404
    assert other.get(f"/api/games/{new}").status_code == 200


async def _sweep(db: Database) -> int:
    return await guests.sweep(db)
