"""Those who look after the site: who may do what, bans, help, rulings, the audit log."""

import asyncio
import re
import threading
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.routing import APIRoute
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from app.admin import pages, support
from app.games import dice
from app.games.hub import Connection, Hub
from tests.app.conftest import Sql
from tests.app.toy_table import ROLL, Pair
from tests.conftest import PASSWORD, with_mail

Person = Callable[[str], TestClient]
WHY = {"reason": "for the test"}


def number(sql: Sql, name: str) -> int:
    return int(sql(f"select id from users where name = '{name}'")[0][0])


def until(line: WebSocketTestSession, kind: str) -> dict[str, Any]:
    """The first message of a kind."""
    while True:
        said: dict[str, Any] = line.receive_json()
        if said["type"] == kind:
            return said


MODERATORS, DIRECTORS, STAFF = {"moderator", "admin"}, {"director", "admin"}, {"moderator", "director", "admin"}
ROUTES = [
    ("GET", "/admin", STAFF),
    ("GET", "/admin/users/{ana}", MODERATORS),
    ("POST", "/admin/users/{ana}/reset", {"admin"}),
    ("POST", "/admin/users/{ana}/roles", {"admin"}),
    ("POST", "/admin/users/{ana}/ban", MODERATORS),
    ("POST", "/admin/users/{ana}/unban", MODERATORS),
    ("POST", "/admin/users/{ana}/support", {"admin"}),
    ("GET", "/admin/games", STAFF),
    ("GET", "/admin/games/{game}", STAFF),
    ("POST", "/admin/games/{game}/adjudicate", DIRECTORS),
    ("POST", "/admin/games/{game}/rewind", DIRECTORS),
    ("POST", "/admin/games/{game}/position", DIRECTORS),
    ("POST", "/admin/games/{game}/patch", DIRECTORS),
    ("GET", "/admin/jobs", {"admin"}),
    ("POST", "/admin/jobs/{job}/retry", {"admin"}),
    ("GET", "/admin/audit", STAFF),
    ("GET", "/games/{game}/audit", STAFF),
    ("GET", "/account/audit", {"user", *STAFF}),
]


def failed_job(sql: Sql) -> int:
    statement = """insert into procrastinate_jobs (queue_name, task_name, status, attempts)
        values ('elsewhere', 'toy.fails', 'failed', 3) returning id"""
    return int(sql(statement)[0][0])


def test_who_may_do_what(staff: dict[str, TestClient], pair: Pair, sql: Sql) -> None:
    ana = number(sql, "Ana")
    to = [e["seq"] for e in pair.red.record() if e["kind"] == "answer" and not e["forced"]][-1]
    form = {**WHY, "winner": "red", "to": str(to), "merge": "", "seq": "1"}
    for method, path, allowed in ROUTES:
        for role, browser in staff.items():
            sql("update games set status = 'active', result = null")
            sql("update entries set retracted_at = null; update users set ban_reason = 'x' where name = 'Ana'")
            acts = sql("select count(*) from audit")[0][0]
            at = path.format(ana=ana, game=pair.red.game, job=failed_job(sql))
            answer = browser.request(method, at, data=form if method == "POST" else None)
            tried = f"{role}: {method} {path}"
            if role == "anonymous":
                assert (answer.status_code, answer.headers["location"][:8]) == (303, "/sign-in"), tried
            elif role in allowed:
                assert answer.status_code in (200, 303, 409), f"{tried}: {answer.text}"
            else:
                assert answer.status_code == 403, tried
            done = method == "POST" and role in allowed and answer.status_code != 409
            assert sql("select count(*) from audit")[0][0] == acts + done, tried
            if path.endswith("/support") and done:
                assert browser.post("/support/stop").status_code == 303


def test_every_admin_route_is_tried() -> None:
    plain = re.compile(r"\{\w+\}")
    here = {(method, plain.sub("*", route.path)) for route in pages.router.routes if isinstance(route, APIRoute)
            for method in route.methods or ()}  # fmt: skip
    tried = {(method, plain.sub("*", path)) for method, path, _ in ROUTES}
    assert here - tried == {("POST", support.STOP)}
    assert tried <= here


def test_a_search_finds_by_name_and_only_admins_by_mail(staff: dict[str, TestClient], client: TestClient) -> None:
    client.post("/api/account", json={"name": "Pancha", "password": PASSWORD})
    with_mail(client, "p@example.org")
    assert "Pancha" in staff["moderator"].get("/admin?q=panch").text
    by_mail = staff["moderator"].get("/admin?q=p@example.org").text
    assert "Pancha" not in by_mail
    assert "Nobody found." in by_mail
    assert "Pancha" in staff["admin"].get("/admin?q=P@EXAMPLE").text
    assert staff["director"].get("/admin").headers["location"] == "/admin/games"


def test_roles_are_given_and_the_last_admin_stays(staff: dict[str, TestClient], sql: Sql) -> None:
    admin, user = staff["admin"], staff["user"]
    own, other = (f"/admin/users/{number(sql, name)}/roles" for name in ("Admin", "User"))
    assert admin.post(own, data={"roles": "director"}).status_code == 400
    assert admin.post(other, data={"roles": ["admin", "moderator"]}).status_code == 303
    assert user.get("/api/account").json()["roles"] == ["moderator"]
    assert user.get("/api/account").json()["is_admin"]
    assert admin.post(other, data={"roles": "king"}).status_code == 422
    assert admin.post(own, data={}).status_code == 303
    assert admin.get("/admin").status_code == 403


# -- bans --------------------------------------------------------------------------------------------


def test_a_ban_ends_sessions_and_says_why_and_leaves_games(staff: dict[str, TestClient], pair: Pair, sql: Sql,
                                                           client: TestClient) -> None:
    ana, moderator = pair.red.browser, staff["moderator"]
    at = f"/admin/users/{number(sql, 'Ana')}"
    assert moderator.post(f"{at}/ban", data={"reason": "x"}).status_code == 422
    with ana.websocket_connect(f"{pair.red.at}/socket?seat=red") as line:
        until(line, "view")
        assert moderator.post(f"{at}/ban", data={"reason": "insults", "days": "3"}).status_code == 303
        with pytest.raises(WebSocketDisconnect):
            until(line, "never")
    assert ana.get("/api/account").status_code == 401
    refused = client.post("/api/session", json={"name": "Ana", "password": PASSWORD})
    assert refused.status_code == 403
    assert "Reason: insults" in refused.json()["error"]["text"]
    assert "(UTC). Reason" in refused.json()["error"]["text"]
    client.cookies.set("zone", "Asia/Tokyo")
    there = client.post("/sign-in", data={"name": "Ana", "password": PASSWORD})
    assert "(Tokyo). Reason" in there.text
    assert client.post("/api/session", json={"name": "Ana", "password": "no"}).json()["error"]["key"] == (
        "account.wrong_login"
    )
    assert pair.blue.view()["card"]["state"] == "active"
    assert pair.blue.view()["card"]["seats"]["red"]["name"] == "Ana"
    assert moderator.post(f"{at}/unban", data=WHY).status_code == 303
    assert client.post("/api/session", json={"name": "Ana", "password": PASSWORD}).status_code == 200
    acts = client.get("/account/audit").text
    assert "insults" in acts
    assert re.search(r"Banned until .*\(Tokyo\)", acts)
    sql("update audit set args = '{\"until\": \"2026-05-01 10:00 UTC\"}' where deed = 'ban'")
    assert re.search(r"Banned until Fri, May 1(, 2026)?, 19:00 \(Tokyo\)", client.get("/account/audit").text)
    assert "Ban lifted" in acts


def test_a_ban_meets_a_line_that_is_being_opened(staff: dict[str, TestClient], pair: Pair, sql: Sql,
                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    """She was known when she knocked, and is banned before she hears any news."""
    banned, join = threading.Event(), Hub.join

    async def late(hub: Hub, line: Connection, since: int | None) -> None:
        await asyncio.to_thread(banned.wait, 30)
        await join(hub, line, since)

    monkeypatch.setattr(Hub, "join", late)
    with pair.red.browser.websocket_connect(f"{pair.red.at}/socket?seat=red") as line:
        ban = staff["moderator"].post(f"/admin/users/{number(sql, 'Ana')}/ban", data={"reason": "insults", "days": "3"})
        assert ban.status_code == 303
        banned.set()
        line.send_json({"type": "ping", "n": 1})
        with pytest.raises(WebSocketDisconnect):
            line.receive_json()


def test_a_session_that_slipped_through_is_refused_with_the_reason(person: Person, sql: Sql) -> None:
    ana = person("Ana")
    sql("update users set ban_reason = 'insults'")
    refused = ana.get("/api/account")
    assert (refused.status_code, refused.json()["error"]["key"]) == (403, "account.banned")
    assert ana.get("/account").status_code == 403
    assert ana.get("/about").status_code == 200
    sql("update users set banned_until = now() - interval '1 minute'")
    assert ana.get("/api/account").status_code == 200


def test_staff_is_banned_by_admins_only_and_admins_by_nobody(staff: dict[str, TestClient], sql: Sql) -> None:
    director, admin = (f"/admin/users/{number(sql, name)}/ban" for name in ("Director", "Admin"))
    assert staff["moderator"].post(director, data=WHY).status_code == 403
    assert staff["moderator"].post(admin, data=WHY).status_code == 403
    assert staff["admin"].post(admin, data=WHY).status_code == 403
    assert staff["admin"].post(director, data=WHY).status_code == 303
    assert staff["director"].get("/admin/games").status_code == 303


# -- help --------------------------------------------------------------------------------------------


def help_ana(admin: TestClient, sql: Sql) -> None:
    started = admin.post(f"/admin/users/{number(sql, 'Ana')}/support", data=WHY)
    assert (started.status_code, started.headers["location"]) == (303, "/")


def test_help_shows_what_the_user_sees_read_only_under_a_banner(staff: dict[str, TestClient], pair: Pair,
                                                                sql: Sql) -> None:
    admin = staff["admin"]
    help_ana(admin, sql)
    for page in ("/", "/account", f"/games/{pair.red.game}/audit"):
        assert "Admin looks at the site as Ana sees it" in admin.get(page).text
    assert admin.get(f"{pair.red.at}/view").json()["request"]["mine"]
    refused = admin.post("/account/mail", data={"mail": "x@example.org", "password": PASSWORD})
    assert refused.status_code == 403
    assert "Admin looks at the site as Ana sees it" in refused.text
    answer = {"seq": pair.red.seq, "key": "of-the-admin", "answer": ROLL}
    assert admin.post(f"{pair.red.at}/answers", json=answer).json()["error"]["key"] == "admin.read_only"
    with admin.websocket_connect(f"{pair.red.at}/socket?seat=red") as line:
        assert line.receive_json()["request"]["mine"]
        line.send_json({"type": "answer", "n": 1, **answer})
        said = until(line, "refused")
        assert said["error"]["key"] == "games.players_only"
    assert admin.get("/admin").status_code == 403
    assert admin.post("/support/stop").status_code == 303
    assert "as Ana sees it" not in admin.get("/").text
    assert admin.get("/api/account").json()["name"] == "Admin"
    deeds = [deed for (deed,) in sql("select deed from audit order by id")]
    assert (deeds[0], deeds[-1]) == ("support_start", "support_end")
    paths = sql("select args ->> 'path' from audit where deed = 'support_saw'")
    assert deeds.count("support_saw") == len(paths) == len(set(paths))
    seen = pair.red.browser.get("/account/audit").text
    assert f"Looked at /games/{pair.red.game}/audit" in seen
    assert WHY["reason"] in seen


def test_help_ends_where_the_admin_plays(staff: dict[str, TestClient], pair: Pair, sql: Sql) -> None:
    admin = staff["admin"]
    sql(f"update seats set user_id = {number(sql, 'Admin')} where seat = 'blue'")
    help_ana(admin, sql)
    for path in ("", "/replay", "/still.svg", "/audit"):
        assert admin.get(f"/games/{pair.red.game}{path}").status_code == 403
    for path in ("/view", "/record", "/export", ""):
        assert admin.get(f"{pair.red.at}{path}", params={"since": 0}).status_code == 403
    with (pytest.raises(WebSocketDisconnect),
          admin.websocket_connect(f"{pair.red.at}/socket?seat=red") as line):  # fmt: skip
        line.receive_json()


def test_nobody_looks_on_as_an_admin_and_a_lost_role_ends_it(staff: dict[str, TestClient], pair: Pair,
                                                             sql: Sql) -> None:
    admin = staff["admin"]
    sql("update users set is_admin = true where name = 'Bea'")
    assert admin.post(f"/admin/users/{number(sql, 'Bea')}/support", data=WHY).status_code == 403
    help_ana(admin, sql)
    assert pair.blue.browser.post(f"/admin/users/{number(sql, 'Admin')}/roles").status_code == 303
    assert admin.get("/api/account").json()["name"] == "Admin"


# -- rulings -----------------------------------------------------------------------------------------


def test_a_ruling_ends_a_game_for_a_side_with_its_reason(staff: dict[str, TestClient], pair: Pair) -> None:
    director, at = staff["director"], f"/admin/games/{pair.red.game}"
    assert director.post(f"{at}/adjudicate", data={"reason": "  ", "winner": "red"}).status_code == 422
    assert director.post(f"{at}/adjudicate", data={**WHY, "winner": "green"}).status_code == 400
    assert director.post(f"{at}/adjudicate", data={**WHY, "winner": "blue"}).status_code == 303
    card = pair.red.view()["card"]
    assert card["state"] == "finished"
    assert card["result"] == {"winner": "blue", "key": "result.adjudicated", "args": WHY, "clause": ""}
    assert director.post(f"{at}/adjudicate", data={**WHY, "winner": ""}).status_code == 409
    for browser in (pair.red.browser, pair.blue.browser):
        assert WHY["reason"] in browser.get(f"/games/{pair.red.game}/audit").text
    assert staff["user"].get(f"/games/{pair.red.game}/audit").status_code == 403


def test_who_plays_rules_nothing(staff: dict[str, TestClient], pair: Pair, sql: Sql) -> None:
    sql("update users set is_admin = true where name = 'Ana'")
    at = f"/admin/games/{pair.red.game}"
    for act in ("adjudicate", "rewind", "position", "patch"):
        form = {**WHY, "winner": "red", "to": "2", "merge": "{}", "seq": "1"}
        refused = pair.red.browser.post(f"{at}/{act}", data=form)
        assert refused.status_code == 403
        assert "You play this game yourself" in refused.text
    assert "You play this game yourself" in pair.red.browser.get(at).text
    assert staff["admin"].get(at).status_code == 200


def test_a_rewound_game_goes_on_with_a_new_dice_key(staff: dict[str, TestClient], pair: Pair, sql: Sql) -> None:
    pair.round()
    before = pair.red.view()
    old = before["card"]["dice"]
    rolled = [e for e in pair.red.record() if e["kind"] == "answer" and not e["forced"]]
    to = rolled[2]["seq"]
    roll = {"reason": "a wrong table", "to": str(to)}
    at = f"/admin/games/{pair.red.game}"
    assert staff["director"].post(f"{at}/rewind", data={**roll, "to": str(before["seq"] + 9)}).status_code == 400
    with pair.blue.browser.websocket_connect(f"{pair.blue.at}/socket?seat=blue") as line:
        until(line, "view")  # from then on it is told news
        assert staff["director"].post(f"{at}/rewind", data=roll).status_code == 303
        assert until(line, "taken_back")["to"] == to
    after = pair.red.view()
    new = after["card"]["dice"]
    assert new["seed_hash"] != old["seed_hash"]
    assert (new["restarts"], new["complete"]) == (old["restarts"] + 1, False)
    assert new["first_roll"] == sql("select rolls from games")[0][0] > 0
    told = [step["event"] for step in pair.red.record()[-1]["steps"]]
    assert told == ["rewound", "taken_back"]
    assert all(e["retracted"] for e in pair.red.record() if e["seq"] >= to and e["kind"] in ("answer", "roll"))
    pair.red.answer(ROLL, expect=400)  # the dice are not sealed again yet
    pair.seal()
    pair.to_the_end()
    done = pair.red.get("/export")
    assert (done["state"], dice.checked(done)[1]) == ("finished", [])
    page = pair.red.browser.get(f"/games/{pair.red.game}/audit").text
    assert "a wrong table" in page
    assert old["seed_hash"] in page


def test_a_finished_game_is_opened_again(staff: dict[str, TestClient], make_pair: Callable[..., Pair]) -> None:
    pace = {"kind": "days", "days": 3, "bank": 7, "increment": 0}
    pair = make_pair(visibility="private", pace=pace)  # private: such games are not rated
    pair.seal()
    pair.hide()
    pair.round()
    pair.red.post("/resign")
    last = [e["seq"] for e in pair.red.record() if e["kind"] == "answer" and not e["forced"]][-1]
    at = f"/admin/games/{pair.red.game}"
    assert staff["director"].post(f"{at}/rewind", data={**WHY, "to": str(last)}).status_code == 303
    card = pair.red.view()["card"]
    assert (card["state"], card["result"], card["finished_at"]) == ("active", None, None)
    pair.seal()
    asked = card["waiting_for"][0]
    seat = pair.red if asked == "red" else pair.blue
    assert seat.view()["request"]["mine"]
    assert seat.view()["card"]["clock"]["seats"][asked]["deadline"]
    assert "fits" in staff["director"].get(f"{at}?check=1").text


def test_a_result_that_counts_elsewhere_stays(staff: dict[str, TestClient], make_pair: Callable[..., Pair]) -> None:
    pair = make_pair(visibility="open")
    pair.seal()
    pair.hide()
    pair.red.post("/resign")
    refused = staff["admin"].post(f"/admin/games/{pair.red.game}/rewind", data={**WHY, "to": "2"})
    assert refused.status_code == 409
    assert pair.red.view()["card"]["state"] == "finished"


# -- games, jobs, mail ---------------------------------------------------------------------------------


def test_the_list_of_games_names_who_is_waited_for_and_what_is_broken(staff: dict[str, TestClient], pair: Pair,
                                                                      sql: Sql) -> None:
    moderator = staff["moderator"]
    page = moderator.get("/admin/games?check=1").text
    assert pair.red.game in page
    assert "broken" not in page
    assert pair.red.game not in moderator.get("/admin/games?q=nobody").text
    assert pair.red.game in moderator.get("/admin/games?q=ana").text
    assert pair.red.game not in moderator.get("/admin/games?status=finished").text
    sql("update games set waiting_for = array['blue']")
    page = moderator.get("/admin/games?check=1").text
    assert "broken" in page
    assert "OutOfStep" in page
    assert "broken" in moderator.get(f"/admin/games/{pair.red.game}?check=1").text
    assert moderator.get("/admin/games/nosuch").status_code == 404


def test_a_failed_job_is_queued_again(staff: dict[str, TestClient], sql: Sql) -> None:
    job, admin = failed_job(sql), staff["admin"]
    page = admin.get("/admin/jobs").text
    assert "toy.fails" in page
    assert admin.post(f"/admin/jobs/{job}/retry").headers["location"] == "/admin/jobs"
    assert sql(f"select status::text from procrastinate_jobs where id = {job}") == [("todo",)]
    assert admin.post(f"/admin/jobs/{job}/retry").status_code == 404
    assert "toy.fails" in admin.get("/admin/audit").text


def test_the_mail_queue_counts_what_waits_and_what_failed(staff: dict[str, TestClient], sql: Sql) -> None:
    user = number(sql, "User")
    sql(f"""insert into notices (user_id, kind, due_at) values ({user}, 'test', now() - interval '1 hour'),
        ({user}, 'test', now() + interval '1 hour'), ({user}, 'test', now() + interval '2 hours')""")
    sql(f"""insert into notice_deliveries (user_id, kind, name, notices, error)
        values ({user}, 'mail', 'u@example.org', 1, 'no such host'),
        ({user}, 'url', 'ntfy', 1, 'Could not reach ntfy:https://ntfy.example.org/mine at all.')""")
    page = staff["admin"].get("/admin/jobs").text
    assert "<dt>due and not sent yet</dt><dd>1</dd>" in page
    assert "<dt>to be sent later</dt><dd>2</dd>" in page
    assert "no such host" in page
    assert "u@example.org" not in page
    assert "Could not reach … at all." in page
    assert "Service</small>" in page


def test_an_admin_is_told_that_no_mail_goes_out(staff: dict[str, TestClient], monkeypatch: pytest.MonkeyPatch) -> None:
    said = "No mail goes out"
    assert said in staff["admin"].get("/admin/jobs").text
    monkeypatch.setattr("app.notifications.mail.works", lambda _settings: True)
    assert said not in staff["admin"].get("/admin/jobs").text


def test_the_log_has_pages(staff: dict[str, TestClient], sql: Sql) -> None:
    admin = number(sql, "Admin")
    sql(f"insert into audit (by_user, deed, reason) select {admin}, 'unban', 'no ' || n from generate_series(1, 130) n")
    first = staff["admin"].get("/admin/audit").text
    assert first.count("Ban lifted") == 100
    older = first.partition("?before=")[2].partition('"')[0]
    assert staff["admin"].get(f"/admin/audit?before={older}").text.count("Ban lifted") == 30
