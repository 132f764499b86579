"""An open connection ends with the session that opened it, in every process; an admin's, with the help."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from app.config import Settings
from app.games.hub import Hub
from app.main import create_app
from tests.app.conftest import MakePair, Sql
from tests.app.test_games_socket import Talk, talk
from tests.app.toy_table import PASS, Pair, new_game, new_key
from tests.conftest import PASSWORD, another

pytestmark = pytest.mark.usefixtures("toy")
NEW = "another horse battery"


def ends(line: Talk) -> None:
    """Nothing more comes but the end, and what stands in a card."""
    assert set(left(line)) <= {"card"}


def left(line: Talk) -> list[str]:
    """What still comes before the end."""
    kinds: list[str] = []
    try:
        while True:
            kinds.append(line.socket.receive_json()["type"])
    except WebSocketDisconnect:
        return kinds


def goes_on(line: Talk) -> None:
    line.say("ping", n=1)
    assert line.hear("pong")["n"] == 1


@contextmanager
def elsewhere(settings: Settings, browser: TestClient) -> Iterator[TestClient]:
    """The same browser at another process of the site."""
    with TestClient(create_app(settings), follow_redirects=False) as other:
        other.cookies = browser.cookies
        yield other


def second(client: TestClient, api: FastAPI, name: str) -> TestClient:
    """Another browser of somebody, signed in."""
    browser = another(client, api)
    assert browser.post("/api/session", json={"name": name, "password": PASSWORD}).status_code == 200
    return browser


def sign_out(browser: TestClient) -> None:
    assert browser.delete("/api/session").status_code == 204


def change_password(browser: TestClient) -> None:
    change = {"password": PASSWORD, "new": NEW}
    assert browser.put("/api/account/password", json=change).status_code == 204


def sign_out_others(browser: TestClient) -> None:
    assert browser.delete("/api/account/sessions").status_code == 204


def delete_account(browser: TestClient) -> None:
    assert browser.request("DELETE", "/api/account", json={"password": PASSWORD}).status_code == 204


def test_signing_out_ends_this_browsers_line_in_every_process(
    pair: Pair, client: TestClient, api: FastAPI, settings: Settings
) -> None:
    blue = pair.blue.browser
    other = second(client, api, "Bea")
    with elsewhere(settings, blue) as there, talk(blue, pair.blue.game) as one, talk(there, pair.blue.game) as two, \
            talk(other, pair.blue.game) as kept:  # fmt: skip
        for line in (one, two, kept):
            assert line.hear("view")["view"]["eye"] == "blue"
        sign_out(blue)
        ends(one)
        ends(two)
        goes_on(kept)


@pytest.mark.parametrize("deed", [change_password, sign_out_others])
def test_what_signs_out_others_ends_their_lines(
    deed: Callable[[TestClient], None], pair: Pair, client: TestClient, api: FastAPI, settings: Settings
) -> None:
    other = second(client, api, "Bea")
    with elsewhere(settings, other) as there, talk(other, pair.blue.game) as one, talk(there, pair.blue.game) as two, \
            talk(pair.blue.browser, pair.blue.game) as kept:  # fmt: skip
        for line in (one, two, kept):
            line.hear("view")
        deed(pair.blue.browser)
        ends(one)
        ends(two)
        goes_on(kept)


def test_a_reset_link_and_a_deleted_account_end_all(
    pair: Pair, client: TestClient, api: FastAPI, sql: Sql, staff: dict[str, TestClient]
) -> None:
    number = sql("select id from users where name = 'Bea'")[0][0]
    page = staff["admin"].post(f"/admin/users/{number}/reset").text
    link = page.partition("/reset/")[2].partition("<")[0].partition('"')[0].strip()
    stranger = another(client, api)
    with talk(pair.blue.browser, pair.blue.game) as line:
        line.hear("view")
        assert stranger.post(f"/reset/{link}", data={"new": NEW}).status_code == 303
        ends(line)
    with talk(pair.red.browser, pair.red.game) as line:
        line.hear("view")
        delete_account(pair.red.browser)
        left(line)


def test_what_runs_out_is_found_by_looking(pair: Pair, client: TestClient, api: FastAPI, sql: Sql) -> None:
    with talk(pair.blue.browser, pair.blue.game) as line:
        line.hear("view")
        sql("update sessions set expires_at = now()")
        hub: Hub = api.state.games.hub
        assert client.portal is not None
        client.portal.call(hub._look_after_ties)
        ends(line)


def test_an_answer_after_the_end_is_not_taken(pair: Pair, sql: Sql) -> None:
    before = sql("select seq from games")
    with talk(pair.red.browser, pair.red.game) as line:
        view = line.hear("view")
        sign_out(pair.red.browser)
        ends(line)
        line.say("answer", seq=view["seq"], key=new_key(), answer=PASS)
    assert sql("select seq from games") == before


def helping(admin: TestClient, sql: Sql, name: str) -> None:
    number = sql(f"select id from users where name = '{name}'")[0][0]
    assert admin.post(f"/admin/users/{number}/support", data={"reason": "a question"}).status_code == 303


def test_help_by_a_line_is_noted_and_ends_with_the_help(
    pair: Pair, staff: dict[str, TestClient], sql: Sql, settings: Settings
) -> None:
    admin, path = staff["admin"], f"/api/games/{pair.blue.game}/socket"
    helping(admin, sql, "Bea")
    with talk(admin, pair.blue.game) as line, elsewhere(settings, admin) as there, talk(there, pair.blue.game) as two:
        for one in (line, two):
            assert one.hear("view")["view"]["eye"] == "blue"
        assert sql(f"select count(*) from audit where deed = 'support_saw' and args ->> 'path' = '{path}'") == [(1,)]
        admin.post("/support/stop")
        ends(line)
        ends(two)


def test_help_ends_with_the_role(pair: Pair, staff: dict[str, TestClient], sql: Sql) -> None:
    helping(staff["admin"], sql, "Bea")
    with talk(staff["admin"], pair.blue.game) as line:
        line.hear("view")
        sql("update users set is_admin = false where name = 'Admin'")
        ends(line)
        with talk(staff["admin"], pair.blue.game) as again:
            assert again.hear("view")["view"]["eye"] == "public"


def test_an_admin_who_sits_down_sees_with_nobody_elses_eyes(
    make_pair: MakePair, staff: dict[str, TestClient], client: TestClient, api: FastAPI, sql: Sql
) -> None:
    """By another browser, while help goes on in the first. Who has looked can't sit down; one of whom that was not
    known (the log is forgotten here) looks no further."""
    pair = make_pair()
    game = new_game(pair.blue.browser, seat="blue")
    seat = {"seat": "red", "token": game["join_token"]}
    admin, playing = staff["admin"], second(client, api, "Admin")
    helping(admin, sql, "Bea")
    with talk(admin, game["id"]) as line:
        assert line.hear("view")["view"]["eye"] == "blue"
        refused = playing.post(f"/api/games/{game['id']}/join", json=seat)
        assert (refused.status_code, refused.json()["error"]["key"]) == (409, "games.sat_elsewhere")
        sql("delete from audit")
        joined = playing.post(f"/api/games/{game['id']}/join", json=seat)
        assert joined.status_code == 200, joined.text
        left(line)
    with pytest.raises(WebSocketDisconnect), talk(admin, game["id"], seat="blue") as again:
        again.hear("view")
