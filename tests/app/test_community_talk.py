"""Direct messages, chats beside their games, reports, the file of one's data, and what deletion takes along."""

import gc
import io
import json
import weakref
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import text
from starlette.testclient import TestClient

from app.accounts.models import User
from app.community import limits
from app.db import Database
from app.games import export as export_game
from tests.app.conftest import MakePair
from tests.app.test_community import news, post
from tests.app.test_games_socket import talk
from tests.conftest import PASSWORD

Person = Callable[[str], TestClient]
BOTH = {"title": "toy", "scenario": "duel", "seat": "red", "opponent": "both", "visibility": "private"}


@pytest.fixture
def two(person: Person) -> tuple[TestClient, TestClient]:
    return person("Ana"), person("Bea")


# -- messages ----------------------------------------------------------------------------------------


def test_messages_are_unread_until_their_page_is_opened(two: tuple[TestClient, TestClient], person: Person) -> None:
    ana, bea = two
    for said in ("Shall we play?", "Tomorrow?"):
        post(ana, "/messages/Bea", text=said)
    assert news(bea) == ["Ana has sent you a message."]  # one notice for what waits together
    assert "2 new" in bea.get("/messages").text
    assert bea.get("/api/notices/badge").json()["news"] == 1
    page = bea.get("/messages/Ana").text
    assert page.index("Shall we play?") < page.index("Tomorrow?")
    assert bea.get("/api/notices/badge").json()["news"] == 0
    assert " new<" not in bea.get("/messages").text
    assert "· read" in ana.get("/messages/Bea").text
    eva = person("Eva")
    assert "Shall we play?" not in eva.get("/messages/Ana").text
    assert "No messages yet" in eva.get("/messages").text


def test_long_conversations_come_in_pages(two: tuple[TestClient, TestClient], monkeypatch: pytest.MonkeyPatch) -> None:
    ana, bea = two
    monkeypatch.setattr("app.community.talk.LONGEST_LIST", 2)
    for number in range(3):
        post(ana, "/messages/Bea", text=f"number {number}")
    page = bea.get("/messages/Ana").text
    assert "number 0" not in page
    before = page.partition('href="?before=')[2].partition('"')[0]
    assert "number 0" in bea.get(f"/messages/Ana?before={before}").text


def test_who_may_write_is_for_the_reader_to_say(two: tuple[TestClient, TestClient]) -> None:
    ana, bea = two
    post(bea, "/account/profile", messages_from="friends")
    assert "can’t be reached" in ana.get("/messages/Bea").text
    post(ana, "/messages/Bea", 403, text="Hello")
    post(ana, "/messages/Bea", 422, text="  ")
    post(ana, "/messages/Ana", 400, text="Hello")
    post(ana, "/messages/Nobody", 404, text="Hello")
    post(ana, "/players/Bea/befriend")
    post(bea, "/players/Ana/befriend")
    post(ana, "/messages/Bea", text="Hello")


def test_messages_are_limited(two: tuple[TestClient, TestClient]) -> None:
    ana, _ = two
    for _ in range(limits.MESSAGES.hits):
        post(ana, "/messages/Bea", text="Hello")
    post(ana, "/messages/Bea", 429, text="Hello")


# -- chats -------------------------------------------------------------------------------------------


def unread(browser: TestClient) -> int:
    return int(browser.get("/api/lobby").json()["mine"][0]["unread"])


def test_lines_of_a_chat_are_counted_until_read(make_pair: MakePair, person: Person) -> None:
    pair = make_pair()
    ana, bea, game = pair.red.browser, pair.blue.browser, pair.red.game
    for said in ("Hello", "Your turn"):
        pair.red.post("/chat", {"text": said})
    assert (unread(bea), unread(ana)) == (2, 0)
    assert "2 new lines in the chat" in bea.get("/").text
    pair.blue.get("/chat")  # the page fetches them at once, but shows them only when asked
    assert unread(bea) == 2
    assert bea.put(f"/api/games/{game}/chat/read").status_code == 204
    assert unread(bea) == 0
    pair.red.post("/chat", {"text": "Still there?"})
    assert "Still there?" in bea.get(f"/games/{game}/chat").text
    assert unread(bea) == 0
    assert person("Eva").get(f"/games/{game}/chat").status_code == 404
    assert person("Ida").put(f"/api/games/{game}/chat/read").status_code == 403


def test_a_muted_chat_is_silent_for_one(make_pair: MakePair) -> None:
    pair = make_pair()
    ana, bea, game = pair.red.browser, pair.blue.browser, pair.red.game
    post(bea, "/players/Ana/block")
    post(bea, f"/games/{game}/chat/mute", muted="true")
    with talk(bea, game) as line:
        line.hear("view")
        pair.red.post("/chat", {"text": "Nasty"})
        pair.blue.post("/chat", {"text": "Own"})
        assert line.hear("chat")["text"] == "Own"
    assert unread(bea) == 0
    assert [line["text"] for line in pair.blue.get("/chat")["messages"]] == ["Own"]
    assert "Nasty" not in bea.get(f"/games/{game}/chat").text
    assert not any("Nasty" in one for one in news(bea))
    assert [line["text"] for line in pair.red.get("/chat")["messages"]] == ["Nasty", "Own"]
    assert unread(ana) == 1
    post(bea, f"/games/{game}/chat/mute", muted="false")
    assert "Nasty" in bea.get(f"/games/{game}/chat").text


# -- reports -----------------------------------------------------------------------------------------


async def role(db: Database, name: str, *roles: str) -> None:
    async with db.begin() as session:
        user = (await session.execute(text("select id from users where name = :name"), {"name": name})).scalar_one()
        (await session.get_one(User, user)).roles = list(roles)


@pytest.mark.anyio
async def test_moderators_handle_reports(make_pair: MakePair, person: Person, client: TestClient, db: Database) -> None:
    pair = make_pair()
    ana, bea, mod = pair.red.browser, pair.blue.browser, person("Moira")
    await role(db, "Moira", "moderator")
    line = pair.red.post("/chat", {"text": "Bad words"})["id"]
    post(ana, "/messages/Bea", text="Worse words")
    at = bea.get("/messages/Ana").text.partition("/report?message=")[2].partition('"')[0]
    assert "Worse words" in bea.get(f"/report?message={at}").text
    post(bea, f"/report?message={at}", 200, reason="Insult")
    post(bea, f"/report?line={line}", 200, reason="Again")
    post(bea, "/report?player=Ana", 200, reason="Always")
    for browser, about in ((ana, f"message={at}"), (mod, f"message={at}"), (mod, f"line={line}"), (bea, "message=99")):
        assert browser.get(f"/report?{about}").status_code == 404
    post(ana, f"/report?line={line}", 400, reason="Mine")
    post(bea, "/report?player=Ana", 422, reason=" ")
    for browser, status in ((ana, 403), (bea, 403), (client, 303)):
        assert browser.get("/reports").status_code == status
        assert browser.post("/reports/1", data={"note": "x"}).status_code == status
    page = mod.get("/reports").text
    assert all(words in page for words in ("Bad words", "Worse words", "Insult", "Always"))
    post(mod, "/reports/1", note="Warned")
    post(mod, "/reports/1", 409, note="Twice")
    post(mod, "/reports/77", 404, note="None")
    assert "Warned" in mod.get("/reports").text
    await role(db, "Ana", "moderator")
    post(ana, "/reports/2", 409, note="Nothing to see")


# -- one's own data ----------------------------------------------------------------------------------


def test_the_file_of_ones_data_holds_ones_own_eye_only(make_pair: MakePair, person: Person) -> None:
    pair = make_pair()
    pair.seal()
    pair.hide()
    ana = pair.red.browser
    post(ana, "/messages/Bea", text="Dear Bea")
    post(person("Eva"), "/messages/Bea", text="Not for Ana")
    answer = ana.get("/account/export")
    assert answer.headers["content-type"] == "application/zip"
    packed = zipfile.ZipFile(io.BytesIO(answer.content))
    files = {name: json.loads(packed.read(name)) for name in packed.namelist()}
    assert files["account.json"][0]["name"] == "Ana"
    assert [one["text"] for one in files["messages.json"]] == ["Dear Bea"]
    game = files[f"games/{pair.red.game}.json"]
    assert game == pair.red.get("/export") | {"created_at": game["created_at"]}
    whole = b"".join(packed.read(name) for name in packed.namelist())
    assert b"password" not in whole
    assert b"Not for Ana" not in whole


class Held(dict[str, Any]):
    """An export that can be looked for."""


def test_games_are_packed_one_after_another(make_pair: MakePair, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = make_pair()
    ana, (game, export) = pair.red.browser, (pair.red.game, export_game.export)
    for _ in range(3):
        assert ana.post("/api/games", json=BOTH).status_code == 201
    made: list[weakref.ref[Held]] = []
    most: list[int] = []

    async def held(*args: Any) -> Held:
        gc.collect()
        most.append(sum(one() is not None for one in made))
        one = Held(await export(*args))
        made.append(weakref.ref(one))
        return one

    monkeypatch.setattr("app.community.export.export.export", held)
    packed = zipfile.ZipFile(io.BytesIO(ana.get("/account/export").content))
    assert f"games/{game}.json" in packed.namelist()
    assert len(most) == 4
    assert max(most) <= 1  # the one before


@pytest.mark.anyio
async def test_a_deleted_account_takes_along_what_names_it(make_pair: MakePair, db: Database) -> None:
    pair = make_pair()
    ana, bea = pair.red.browser, pair.blue.browser
    post(ana, "/account/profile", about="I am Ana", zone="UTC")
    post(ana, "/players/Bea/befriend")
    post(bea, "/players/Ana/befriend")
    post(ana, "/messages/Bea", text="Farewell")
    post(bea, "/messages/Ana", text="And you")
    pair.red.post("/chat", {"text": "Well played"})
    ana.put(f"/api/games/{pair.red.game}/notes", json={"text": "My secret"})
    ana.get("/account/notifications")
    assert ana.post("/account/delete", data={"password": PASSWORD}).status_code == 303
    assert "No friends yet" in bea.get("/friends").text
    assert all("Ana" not in one for one in news(bea))
    assert "deleted account" in bea.get("/messages").text
    kept = bea.get("/messages/deleted:1").text
    assert "Farewell" in kept
    assert "can’t be reached" in kept
    assert bea.get("/messages/deleted:2").status_code == 404
    assert "Well played" in bea.get(f"/games/{pair.red.game}/chat").text
    empty = ("profiles", "friendships", "notice_settings", "notice_channels", "standing_orders", "drafts")
    async with db.begin() as session:
        for table in empty:
            rows = (await session.execute(text(f"select to_jsonb({table}) from {table}"))).scalars().all()
            assert all(1 not in (row.get("user_id"), row.get("asker_id")) for row in rows), table
        assert (await session.execute(text("select count(*) from notices where user_id = 1"))).scalar_one() == 0
        assert (await session.execute(text("select max(notes) from seats"))).scalar_one() == ""
    assert bea.post("/account/delete", data={"password": PASSWORD}).status_code == 303
    async with db.begin() as session:
        assert (await session.execute(text("select count(*) from direct_messages"))).scalar_one() == 0
