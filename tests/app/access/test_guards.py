"""What holds for every route: whence a call comes, what a session lives through, what answers give away, how often."""

import re
from collections.abc import Callable
from datetime import timedelta
from http.cookies import SimpleCookie
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.accounts import limits as accounts
from app.accounts import passwords
from app.accounts.limits import Limit
from app.clocks import routes as clocks
from app.community import limits as community
from app.leagues import limits as leagues
from app.notifications import limits as notices
from app.security import HEADERS
from tests.app.access.stage import ROLES, SIZES, Stage
from tests.app.access.table import ROUTES, WHY
from tests.app.access.test_routes import filled, outcome
from tests.conftest import PASSWORD

Person = Callable[[str], TestClient]
FOREIGN = (
    {"origin": "https://evil.example", "sec-fetch-site": "cross-site"},
    {"origin": "null"},
    {"origin": "http://sub.testserver", "sec-fetch-site": "same-site"},
)
SETS_SESSION = {"/api/session", "/sign-in", "/api/account", "/sign-up", "/sign-out"}


def test_nothing_may_be_sent_from_another_site(stage: Stage) -> None:
    """No route has a form without the check: every one that is not safe is tried with the cookie of one who may."""
    stage.touched()
    for method, path, who, body, address in ROUTES:
        if method == "GET":
            continue
        role = ROLES[who.index("A")] if "A" in who else "seat"
        for headers in FOREIGN[: 1 if path in SETS_SESSION else 3]:
            answer = stage.send(role, method, filled(address or path, stage.at), filled(body, stage.at),
                                headers=headers)  # fmt: skip
            assert (answer.status_code, "set-cookie" in answer.headers) == (403, False), f"{method} {path}"
    assert stage.touched() == []


@SIZES
def test_every_page_carries_the_headers_and_no_inline_code(stage: Stage, whole: bool) -> None:
    inline = re.compile(r"<script(?![^>]*(\ssrc=|type=.application/json))|<style|\sstyle=|\son\w+=|javascript:")
    for method, path, who, _, address in ROUTES:
        if method != "GET":
            continue
        first = ROLES[who.index("A")] if "A" in who else "seat"
        for role in {first, "anonymous", "seat"} if whole else {first}:
            answer = stage.send(role, "GET", filled(address or path, stage.at))
            given = {name.title(): value for name, value in answer.headers.items()}
            framed = path.endswith(("embed", ".svg"))
            own = {"Content-Security-Policy", "Cross-Origin-Resource-Policy"} if framed else set()
            for name, value in HEADERS.items():
                assert given[name] == value or name in own, f"{path}: {name}"
            if answer.headers.get("content-type", "").startswith("text/html"):
                assert "'unsafe" not in given["Content-Security-Policy"], path
                assert not inline.search(answer.text), f"{path}: {inline.search(answer.text)}"
                assert "no-store" in given["Cache-Control"], path


@SIZES
def test_a_private_game_is_as_if_it_were_not_there(stage: Stage, whole: bool) -> None:
    """Whoever neither plays it nor has its link gets the same words as for a game there is not."""
    ways = [(there, role) for there in ("private", "secret") for role in ("anonymous", "other")]
    for number, (method, path, who, body, _) in enumerate(ROUTES):
        if "{game_id}" not in path or who.startswith("SFFF"):  # those who look after the site see all
            continue
        for there, role in ways if whole else ways[number % 4 :][:1]:
            stage.keep()
            answers = []
            for game in (stage.at[there], "zzzzzzzz"):
                to = filled(path.replace("{game_id}", game).replace("{number}", "1"), stage.at)
                answer = stage.send(role, method, to, filled(body, stage.at))
                words = answer.text if path.startswith("/api/") else re.findall(r"<p>(.*?)</p>", answer.text)
                answers.append((answer.status_code, words, answer.headers.get("location", "").replace(game, "")))
            assert answers[0] == answers[1], f"{role}: {method} {path}"
            assert answers[0][0] >= 400 or outcome(answer) == "S", f"{role}: {method} {path}"


# -- sessions ----------------------------------------------------------------------------------------


def cookie(browser: TestClient) -> str:
    return str(browser.cookies["session"])


def alive(browser: TestClient, token: str) -> bool:
    browser.cookies.clear()
    browser.cookies.set("session", token)
    answered = int(browser.get("/api/account").status_code)
    browser.cookies.clear()
    return answered == 200


def test_a_session_begins_anew_and_ends_for_good(person: Person, client: TestClient) -> None:
    ana = person("Ana")
    first = cookie(ana)
    client.cookies.set("session", "planted-by-somebody-else")
    assert client.post("/api/session", json={"name": "Ana", "password": PASSWORD}).status_code == 200
    given = [one.value for one in client.cookies.jar
             if one.name == "session" and one.value != "planted-by-somebody-else"]  # fmt: skip
    assert len(given) == 1, "a planted session is not taken on"
    client.cookies.clear()
    assert not alive(client, "planted-by-somebody-else")
    client.cookies.set("session", first)
    again = client.post("/sign-in", data={"name": "Ana", "password": PASSWORD})
    newest = str(SimpleCookie(again.headers["set-cookie"])["session"].value)
    assert len({first, given[0], newest}) == 3
    client.cookies.clear()
    client.cookies.set("session", newest)
    assert client.post("/sign-out").status_code == 303
    assert not alive(client, newest)
    client.cookies.set("session", str(given[0]))
    change = {"password": PASSWORD, "new": PASSWORD + "!"}
    assert client.put("/api/account/password", json=change).status_code == 204
    assert not alive(client, first), "a new password signs every other browser out"
    client.cookies.clear()


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_no_script_and_no_other_site_gets_a_cookie(person: Person, client: TestClient, scheme: str) -> None:
    person("Ana")
    client.base_url = client.base_url.copy_with(scheme=scheme)
    answers = [client.post("/sign-in", data={"name": "Ana", "password": PASSWORD}),
               client.post("/preferences", data={"theme": "dark", "lang": "es"}), client.post("/sign-out")]  # fmt: skip
    given = [line for answer in answers for line in answer.headers.get_list("set-cookie")]
    assert len(given) == 5, "session, the known browser, two wishes, the end"
    for line in given:
        assert {"HttpOnly", "Path=/", "SameSite=lax"} <= set(line.split("; ")), line
        assert ("Secure" in line) is (scheme == "https"), line
        assert "domain" not in line.lower()


@pytest.mark.parametrize("next_", ["//evil.example", "https://evil.example/", "/\\evil.example", "javascript:alert(1)",
                                   "\\\\evil.example", "evil.example"])
def test_nobody_is_sent_to_another_site(person: Person, client: TestClient, next_: str) -> None:
    person("Ana")
    login = {"name": "Ana", "password": PASSWORD}
    for answer in (client.post("/sign-in", params={"next": next_}, data=login),
                   client.post("/preferences", data={"next": next_})):  # fmt: skip
        assert answer.status_code == 303
        assert answer.headers["location"] == "/"


# -- what answers give away --------------------------------------------------------------------------


def test_known_and_unknown_names_get_the_same_answer(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """And cost the same work."""
    checked = []
    real = passwords.verified

    async def counted(password: str, hashed: str | None) -> tuple[bool, str | None]:
        checked.append(hashed)
        return await real(password, hashed)

    monkeypatch.setattr(passwords, "verified", counted)

    def same(method: str, path: str, known: Any, unknown: Any, role: str = "anonymous") -> None:
        answers = []
        for body in (known, unknown):
            stage.keep()
            answer = stage.send(role, method, path, body)
            words = answer.text if path.startswith("/api/") else re.findall(r"<p[^>]*>(.*?)</p>", answer.text)
            answers.append((answer.status_code, words, answer.headers.get("location")))
        assert answers[0] == answers[1], path

    wrong = [{"name": name, "password": "not this one"} for name in ("Ana", "Nobody")]
    for path in ("/api/session", "/sign-in"):
        same("POST", path, wrong[0], wrong[1])
    assert len(checked) == 4, "an unknown name costs a check of a password too"
    same("POST", "/forgot", {"login": "Ana"}, {"login": "Nobody"})
    same("GET", "/reset/wrong", None, None)


def test_who_is_blocked_is_told_what_those_are_who_meet_a_closed_door(stage: Stage) -> None:
    said = []
    for setting in ("block", "nobody"):
        if setting == "block":
            assert stage.send("seat", "POST", "/players/Otto/block").status_code == 303
        else:
            assert stage.send("seat", "POST", "/players/Otto/unblock").status_code == 303
            closed = {"messages_from": "nobody", "invited_by": "nobody"}
            assert stage.send("seat", "POST", "/account/profile", closed).status_code == 303
        written = stage.send("other", "POST", "/messages/Ana", {"text": "hello"})
        invited = stage.send("other", "POST", f"/games/{stage.at['waiting2']}/invite", {"player": "Ana"})
        said.append([(one.status_code, re.findall(r"<p[^>]*>(.*?)</p>", one.text)) for one in (written, invited)])
    assert said[0] == said[1]


# -- how often ---------------------------------------------------------------------------------------

SLOW = [
    ("anonymous", "POST", "/api/account", {"name": "Xavier", "password": PASSWORD}, accounts.SIGN_UP),
    ("anonymous", "POST", "/sign-in", {"name": "Ana", "password": "wrong"}, accounts.SIGN_IN),
    ("seat", "PUT", "/api/account/mail", {"mail": None, "password": "wrong"}, accounts.PASSWORD),
    ("seat", "PUT", "/api/account/mail", {"mail": None, "password": PASSWORD}, accounts.PROVE),
    ("seat", "POST", "/account/password", {"password": "wrong", "new": PASSWORD}, accounts.PASSWORD),
    ("seat", "DELETE", "/api/account", {"password": "wrong"}, accounts.PASSWORD),
    ("anonymous", "GET", "/reset/guess", None, accounts.RESET),
    ("anonymous", "POST", "/reset/guess", {"new": PASSWORD}, accounts.RESET),
    ("anonymous", "POST", "/first-admin/guess", {"name": "Eve", "password": PASSWORD}, accounts.RESET),
    ("anonymous", "POST", "/forgot", {"login": "Ana"}, notices.FORGOT),
    ("seat", "POST", "/api/account/channels", {"address": "json://example.org/1"}, notices.CHANNELS),
    ("seat", "POST", "/api/account/channels/{channel}/test", None, notices.TESTS),
    ("seat", "POST", "/messages/Otto", {"text": "hello"}, community.MESSAGES),
    ("seat", "POST", "/players/Otto/befriend", None, community.ASKING),
    ("seat", "POST", "/games/{waiting}/invite", {"player": "Bea"}, community.ASKING),
    ("seat", "POST", "/report?player=Otto", WHY, community.REPORTS),
    ("seat", "GET", "/account/export", None, community.EXPORTS),
    ("seat", "POST", "/api/games/{real}/clock/grant", {"hours": 1}, clocks.ACTS),
    ("seat", "POST", "/api/events/{fresh_event}/enter", {}, leagues.ACTS),
    ("organiser", "POST", "/events", {}, leagues.MAKING),
]  # fmt: skip


def test_what_costs_others_something_is_limited(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in {id(one[4]): one[4] for one in SLOW}.values():  # the second try is one too many
        assert isinstance(limit, Limit)
        assert limit.hits <= 300
        assert limit.window <= timedelta(hours=1)
        monkeypatch.setitem(limit.__dict__, "hits", 1)
    for role, method, path, body, _ in SLOW:
        stage.keep()
        tried = [stage.send(role, method, filled(path, stage.at), body).status_code for _ in range(2)]
        assert tried[0] != 429, f"{method} {path}"
        assert tried[1] == 429, f"{method} {path}"
