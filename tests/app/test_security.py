"""What every request passes, and what every answer carries."""

import json
import re
from collections.abc import Callable

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from app import texts
from app.accounts import limits
from app.assets import static
from app.security import HEADERS, LARGEST_BODY
from tests.conftest import PASSWORD

Person = Callable[[str], TestClient]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 201),
        ({"sec-fetch-site": "same-origin", "origin": "http://testserver"}, 201),
        ({"origin": "http://testserver"}, 201),
        ({"sec-fetch-site": "cross-site", "origin": "http://testserver"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"origin": "http://testserver.evil.example"}, 403),
        ({"origin": "http://testserver:81"}, 403),
        ({"origin": "null"}, 403),
    ],
)
def test_unsafe_requests_come_from_our_own_pages(client: TestClient, headers: dict[str, str], status: int) -> None:
    answer = client.post("/api/account", json={"name": "Ana", "password": PASSWORD}, headers=headers)
    assert answer.status_code == status


def test_safe_requests_may_come_from_anywhere(client: TestClient) -> None:
    assert client.get("/sign-in", headers={"sec-fetch-site": "cross-site"}).status_code == 200


def test_sockets_of_other_sites_are_refused(client: TestClient) -> None:
    with (
        pytest.raises(WebSocketDisconnect) as closed,
        client.websocket_connect("/api/games/x/socket", headers={"origin": "http://evil.example"}),
    ):
        pass
    assert closed.value.code == 1008


@pytest.mark.parametrize("path", ["/sign-in", "/nowhere", "/api/account", "/about", "/health", "/static/css/base.css"])
def test_head_is_answered_as_get_without_a_body(client: TestClient, path: str) -> None:
    whole, head = client.get(path), client.head(path)
    assert (head.status_code, head.content) == (whole.status_code, b"")
    same = ("content-type", "content-length", "content-security-policy" if path == "/health" else "x-frame-options")
    assert [head.headers.get(name) for name in same] == [whole.headers.get(name) for name in same]


def test_what_is_refused_before_any_page_is_known_is_said_in_words(client: TestClient) -> None:
    large = {"name": "A" * LARGEST_BODY}
    for lang in texts.LANGUAGES:
        words = texts.Texts(lang)("error.too_large")
        assert words != "error.too_large"
        refused = client.post("/api/account", json=large, headers={"accept-language": lang})
        assert refused.status_code == 413
        assert refused.json()["error"] == {"key": "error.too_large", "args": {}, "clause": None, "text": words}
        page = client.post("/sign-in", data=large, headers={"accept-language": lang})
        assert (page.status_code, page.text) == (413, words)
    elsewhere = client.post("/api/account", json={}, headers={"origin": "http://evil.example"})
    assert elsewhere.json()["error"]["text"] == texts.Texts("en")("error.cross_site")


@pytest.mark.parametrize("path", ["/sign-in", "/nowhere", "/api/account", "/api/openapi.json", "/static/x/y"])
def test_every_answer_carries_the_headers(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert HEADERS.items() <= {name.title(): value for name, value in answer.headers.items()}.items()
    assert "unsafe" not in answer.headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/sign-up", "/sign-in", "/account", "/", "/about", "/games/new"])
def test_pages_hold_no_inline_script_or_style(person: Person, path: str) -> None:
    page = person("Ana").get(path).text
    assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|javascript:", page)


def test_large_bodies_are_refused(client: TestClient) -> None:
    """The line stays open: a proxy that still sends the rest would find it closed and say that itself."""
    for body in (b"x" * (LARGEST_BODY + 1), iter([b"x" * LARGEST_BODY, b"x"])):
        refused = client.post("/api/session", content=body)
        assert refused.status_code == (413 if isinstance(body, bytes) else 400)
        assert "connection" not in refused.headers


def test_signing_in_is_limited_by_name_and_address(person: Person, client: TestClient) -> None:
    person("Ana")
    wrong = {"name": "Ana", "password": "wrong"}
    for _ in range(limits.SIGN_IN.hits):
        assert client.post("/api/session", json=wrong).status_code == 400
    answer = client.post("/api/session", json={"name": "ANA", "password": PASSWORD})
    assert answer.status_code == 429
    assert answer.json()["error"]["args"]["n"] == 15
    assert client.post("/api/session", json=wrong | {"name": "Bea"}).status_code == 400


def from_(client: TestClient, address: str) -> TestClient:
    """Another browser, at this address."""
    browser = TestClient(client.app, client=(address, 4711), follow_redirects=False)
    browser.portal = client.portal
    return browser


WRONG, RIGHT = {"name": "Ana", "password": "wrong"}, {"name": "Ana", "password": PASSWORD}


def test_one_name_is_not_guessed_at_from_many_addresses(person: Person, client: TestClient) -> None:
    """But its owner still gets in, by the browser that has signed in before."""
    ana = person("Ana")
    assert ana.delete("/api/session").status_code == 204
    for n in range(limits.SIGN_IN_NAME.hits):
        tried = from_(client, f"198.51.100.{n}").post("/api/session", json=WRONG)
        assert tried.status_code == 400
    for name in ("Ana", "ANA"):
        assert from_(client, "203.0.113.9").post("/api/session", json=RIGHT | {"name": name}).status_code == 429
    assert ana.post("/api/session", json=RIGHT).status_code == 200
    assert from_(client, "203.0.113.9").post("/api/session", json=WRONG | {"name": "Bea"}).status_code == 400


def test_right_passwords_count_for_nothing(person: Person, client: TestClient) -> None:
    person("Ana")
    for n in range(limits.SIGN_IN_NAME.hits + 5):
        assert from_(client, f"198.51.100.{n}").post("/api/session", json=RIGHT).status_code == 200


def test_a_browser_that_is_known_to_another_account_is_a_stranger(person: Person, client: TestClient) -> None:
    person("Ana")
    bea = person("Bea")
    for n in range(limits.SIGN_IN_NAME.hits):
        from_(client, f"198.51.100.{n}").post("/api/session", json=WRONG)
    assert bea.post("/api/session", json=RIGHT).status_code == 429
    bea.cookies.set("known", "forged.0123456789~")
    assert bea.post("/api/session", json=RIGHT).status_code == 429


def test_a_network_of_ipv6_is_one_address(person: Person, client: TestClient) -> None:
    person("Ana")
    for n in range(limits.SIGN_IN.hits):
        assert from_(client, f"2001:db8:1:2::{n + 1:x}").post("/api/session", json=WRONG).status_code == 400
    assert from_(client, "2001:db8:1:2:ffff::1").post("/api/session", json=WRONG).status_code == 429
    assert from_(client, "2001:db8:1:3::1").post("/api/session", json=WRONG).status_code == 400
    for n in range(limits.SIGN_IN.hits):
        from_(client, "192.0.2.1" if n % 2 else "::ffff:192.0.2.1").post("/api/session", json=WRONG | {"name": "Bea"})
    assert from_(client, "192.0.2.1").post("/api/session", json=WRONG | {"name": "Bea"}).status_code == 429


def test_the_cookie_is_bound_to_https_where_there_is_https(client: TestClient) -> None:
    plain = client.post("/api/account", json={"name": "Ana", "password": PASSWORD}).headers["set-cookie"]
    client.base_url = client.base_url.copy_with(scheme="https")
    answer = client.post("/api/account", json={"name": "Bea", "password": PASSWORD})
    secure = answer.headers["set-cookie"]
    assert plain.startswith("session=")
    assert "Secure" not in plain
    assert secure.startswith("__Host-session=")
    assert "Secure" in secure
    for cookie in (plain, secure):
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
    assert answer.headers["strict-transport-security"]


def test_errors_have_one_form(client: TestClient) -> None:
    answer = client.get("/api/nothing", headers={"accept-language": "es"})
    assert answer.status_code == 404
    error = answer.json()["error"]
    assert (error["key"], error["clause"]) == ("error.not_found", None)
    assert error["text"] == texts.Texts("es")("error.not_found")
    bad = client.post("/api/account", json={"name": "Ana", "password": PASSWORD, "extra": 1}).json()["error"]
    assert (bad["key"], bad["args"]) == ("error.invalid_fields", {"fields": "extra"})


def test_static_files_are_kept_for_ever_under_the_hash_of_the_build(client: TestClient) -> None:
    answer = client.get(static("css/site.css"))
    assert answer.status_code == 200
    assert "immutable" in answer.headers["cache-control"]
    assert client.get("/static/0000000000/css/site.css").status_code == 404
    assert client.get(static("../app/config.py")).status_code == 404


def test_the_browser_gets_the_catalogue_once(client: TestClient) -> None:
    first = client.get("/texts/es.json")
    assert first.json() == json.loads(json.dumps(texts.site("es", ("parts",))))
    assert not any(key.startswith("lab.") for key in first.json())  # what only the server says stays at home
    again = client.get("/texts/es.json", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/texts/xx.json").status_code == 404


def test_texts_choose_their_plural_and_nest() -> None:
    t = texts.Texts("en")
    assert t("error.too_many", n=1) == "Too many attempts. Try again in a minute."
    assert t("error.too_many", n=5) == "Too many attempts. Try again in 5 minutes."
    assert t("first_admin.as", name={"key": "nav.admin"}) == "You are signed in as Admin."
    assert t("no.such.key") == "no.such.key"


@pytest.mark.parametrize(
    ("accepted", "lang"),
    [("es-PY,es;q=0.9,en;q=0.8", "es"), ("en;q=0.5,es", "es"), ("de", "en"), ("", "en"), ("*;q=x", "en")],
)
def test_the_reader_s_language_is_negotiated(accepted: str, lang: str) -> None:
    assert texts.negotiate(accepted) == lang
