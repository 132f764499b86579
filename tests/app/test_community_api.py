"""Friends, invitations, messages and reports over HTTP."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.app.conftest import Person, Sql
from tests.app.toy_table import new_game

pytestmark = pytest.mark.usefixtures("toy")
Two = tuple[TestClient, TestClient]


@pytest.fixture
def two(person: Person) -> Two:
    return person("Ana"), person("Bea")


def ask(browser: TestClient, method: str, path: str, body: Any = None, expect: int = 204) -> Any:
    answer = browser.request(method, f"/api{path}", json=body)
    assert answer.status_code == expect, answer.text
    return answer.json() if answer.content else None


def test_friends_are_made_and_blocked(two: Two) -> None:
    ana, bea = two
    ask(ana, "POST", "/players/Bea/befriend")
    assert ask(bea, "GET", "/friends", expect=200)["asking"] == ["Ana"]
    assert ask(ana, "GET", "/players/Bea/tie", expect=200)["asked"]
    ask(bea, "POST", "/players/Ana/befriend")
    assert [one["name"] for one in ask(ana, "GET", "/friends", expect=200)["friends"]] == ["Bea"]
    ask(ana, "POST", "/players/Bea/block")
    assert ask(ana, "GET", "/blocks", expect=200) == ["Bea"]
    assert ask(ana, "GET", "/friends", expect=200)["friends"] == []
    ask(ana, "POST", "/players/Bea/unblock")
    assert ask(ana, "GET", "/blocks", expect=200) == []
    ask(ana, "POST", "/players/Bea/insult", expect=422)
    ask(ana, "POST", "/players/Nobody/befriend", expect=404)


def test_a_profile_is_written(two: Two) -> None:
    ana, _ = two
    wishes = ask(ana, "GET", "/account/profile", expect=200)
    ask(ana, "PUT", "/account/profile", {**wishes, "about": "I like rivers.", "languages": "es"})
    assert ask(ana, "GET", "/players/Ana", expect=200)["about"] == "I like rivers."


def test_invitations_are_sent_and_declined(two: Two) -> None:
    ana, bea = two
    game = new_game(ana, visibility="private")["id"]
    ask(ana, "POST", f"/games/{game}/invitations", {"player": "Bea"})
    (card,) = ask(bea, "GET", "/invitations", expect=200)
    assert (card["game"], card["by"], card["free"]) == (game, "Ana", ["blue"])
    ask(bea, "GET", f"/games/{game}/invitations", expect=404)
    ask(bea, "POST", f"/invitations/{card['id']}/decline")
    assert ask(ana, "GET", f"/games/{game}/invitations", expect=200) == [{"name": "Bea", "declined": True}]
    assert ask(bea, "GET", "/invitations", expect=200) == []


def test_messages_and_a_report_of_one(two: Two, sql: Sql) -> None:
    ana, bea = two
    ask(ana, "POST", "/messages/Bea", {"text": "Hello\r\nBea"})
    assert [(one["name"], one["unread"]) for one in ask(bea, "GET", "/messages", expect=200)] == [("Ana", 1)]
    (letter,) = ask(bea, "GET", "/messages/Ana", expect=200)["letters"]
    assert letter["text"] == "Hello\nBea"
    assert ask(ana, "GET", "/messages/Bea", expect=200)["letters"][0]["read"]
    ask(ana, "POST", f"/reports?message={letter['id']}", {"reason": "mine"}, expect=404)
    ask(bea, "POST", f"/reports?message={letter['id']}", {"reason": "rude"})
    ask(bea, "GET", "/reports", expect=403)
    sql("update users set roles = '{moderator}' where name = 'Bea'")
    (report,) = ask(bea, "GET", "/reports", expect=200)
    assert (report["kind"], report["about"], report["quote"]) == ("message", "Ana", "Hello\nBea")
    ask(bea, "POST", f"/reports/{report['id']}", {"note": "spoke to her"})
    assert ask(bea, "GET", "/reports", expect=200)[0]["note"] == "spoke to her"
    ask(ana, "POST", "/messages/Bea", {"text": " "}, expect=422)


def test_a_chat_is_read_and_muted(two: Two) -> None:
    ana, bea = two
    game = new_game(ana)["id"]
    ask(bea, "POST", f"/games/{game}/join", {"seat": "blue"}, expect=200)
    ask(ana, "POST", f"/games/{game}/chat", {"text": "good luck"}, expect=201)
    shown = ask(bea, "GET", f"/games/{game}/talk", expect=200)
    assert [(line["text"], line["new"]) for line in shown["messages"]] == [("good luck", True)]
    assert not ask(bea, "GET", f"/games/{game}/talk", expect=200)["messages"][0]["new"]
    ask(bea, "PUT", f"/games/{game}/talk/mute", {"muted": True})
    assert ask(bea, "GET", f"/games/{game}/talk", expect=200)["messages"] == []


@pytest.mark.parametrize(
    "path", ["/friends", "/blocks", "/invitations", "/messages", "/messages/Ana", "/reports", "/account/profile"]
)
def test_nobody_reads_without_an_account(client: TestClient, path: str) -> None:
    ask(client, "GET", path, expect=401)


def test_letters_are_not_for_an_admin_who_looks_on(staff: dict[str, TestClient], two: Two, sql: Sql) -> None:
    ask(two[0], "POST", "/messages/Bea", {"text": "between us"})
    number = sql("select id from users where name = 'Ana'")[0][0]
    admin = staff["admin"]
    assert admin.post(f"/admin/users/{number}/support", data={"reason": "a test"}).status_code == 303
    ask(admin, "GET", "/messages/Bea", expect=403)
    ask(admin, "GET", "/messages", expect=403)
    assert ask(admin, "GET", "/friends", expect=200)["friends"] == []
