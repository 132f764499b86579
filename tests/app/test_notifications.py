"""Notices: who is told what, by which way, once; and not what was answered meanwhile."""

import asyncio
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.accounts import limits
from app.config import Settings
from app.games.live import conninfo
from app.jobs import worker
from app.jobs.registry import Work
from app.notifications import config, mail, tasks
from app.notifications.sending import NotSent
from tests.app.conftest import MakePair
from tests.app.sinks import Browser, MailSink, WebSink, mail_sink, web_sink
from tests.app.toy_table import PASS, STAY, Pair, Side, bid
from tests.conftest import with_mail

SITE = "http://games.example"
PATIENCE = 90.0


@pytest.fixture
def mails(monkeypatch: pytest.MonkeyPatch) -> Iterator[MailSink]:
    with mail_sink() as sink:
        given = {"HOST": "127.0.0.1", "PORT": str(sink.port), "TLS": "off", "SENDER": "Mariscal <site@games.example>"}
        for name, value in given.items():
            monkeypatch.setenv(f"MARISCAL_SMTP_{name}", value)
        yield sink


@pytest.fixture
def web() -> Iterator[WebSink]:
    with web_sink() as sink:
        yield sink


@pytest.fixture
def settings(settings: Settings, mails: MailSink, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:  # noqa: ARG001
    """A server with a worker and a mail server, that waits for nothing."""
    monkeypatch.setenv("MARISCAL_NOTICE_DELAY", "0")
    monkeypatch.setenv("MARISCAL_NOTICE_RETRY", "0.02")
    monkeypatch.setenv("MARISCAL_NOTICE_PRIVATE", "1")
    monkeypatch.setattr(worker, "POLL", 0.2)
    config.mail_settings.cache_clear()
    config.notice_settings.cache_clear()
    yield settings.model_copy(update={"worker": True, "url": SITE})
    config.mail_settings.cache_clear()
    config.notice_settings.cache_clear()


@pytest.fixture
def sql(settings: Settings) -> Iterator[Callable[..., list[Any]]]:
    with psycopg.connect(conninfo(settings.database_url), autocommit=True) as connection:
        yield lambda query, *args: connection.execute(query, args).fetchall()


def until(found: Callable[[], Any], what: str = "") -> Any:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if result := found():
            return result
        time.sleep(0.02)
    raise AssertionError(what or "nothing came")


def quiet(sql: Callable[..., list[Any]]) -> None:
    """Waits until no job is left that could still send something."""
    open_jobs = """select 1 from procrastinate_jobs where status in ('todo', 'doing')
        and coalesce(scheduled_at, now()) <= now()"""
    until(lambda: not sql(open_jobs), "jobs are still to be done")


def mail_of(side: Side, address: str) -> None:
    with_mail(side.browser, address)


def wish(side: Side, **new: Any) -> None:
    now = side.browser.get("/api/account/notifications").json()
    done = side.browser.put("/api/account/notifications", json=now | new)
    assert done.status_code == 200, done.text


def only(side: Side, *roles: tuple[str, str]) -> None:
    """Sets the roles of channels by kind."""
    for channel in side.browser.get("/api/account/channels").json():
        role = dict(roles).get(channel["kind"])
        if role:
            side.browser.put(f"/api/account/channels/{channel['id']}", json={"role": role})


def subjects(mails: MailSink) -> list[str]:
    return [str(mail["subject"]) for mail in mails.mails]


def test_a_turn_reaches_every_channel_once(
    pair: Pair, mails: MailSink, web: WebSink, sql: Callable[..., list[Any]]
) -> None:
    mail_of(pair.blue, "bea@example.org")
    hook, browser = f"json://127.0.0.1:{web.port}/hook", Browser()
    added = pair.blue.browser.post("/api/account/channels", json={"address": hook})
    assert added.json() == {"id": added.json()["id"], "kind": "url", "role": "first", "name": "JSON", "failing": 0}
    new = browser.subscription(f"http://127.0.0.1:{web.port}/push")
    assert pair.blue.browser.post("/api/account/push", json=new).status_code == 201
    pair.red.answer(PASS)
    quiet(sql)
    until(lambda: mails.mails and web.at("/hook") and web.at("/push"))
    quiet(sql)
    assert [len(mails.mails), len(web.at("/hook")), len(web.at("/push"))] == [1, 1, 1]

    mail = mails.mails[0]
    assert (mail["to"], mail["subject"]) == ("bea@example.org", "title.name: it is your turn against Ana.")
    body = mail.get_body(("plain",))
    assert body is not None
    text = body.get_content()
    assert f"{SITE}/games/{pair.blue.game}" in text
    assert "prompt.blue" in text, "what is asked"
    assert mail["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"

    posted = web.at("/hook")[0][2].decode()
    assert f"{SITE}/games/{pair.blue.game}" in posted
    shown = browser.read(web.at("/push")[0][2])
    assert shown["path"] == f"/games/{pair.blue.game}"
    assert "it is your turn against Ana" in shown["title"]
    assert web.at("/push")[0][1]["authorization"].startswith("vapid ")

    log = pair.blue.browser.get("/api/account/deliveries").json()
    assert sorted((one["kind"], one["notices"], one["error"]) for one in log) == [
        ("mail", 1, None), ("push", 1, None), ("url", 1, None)]  # fmt: skip


def test_what_is_answered_before_the_digest_is_withdrawn(
    pair: Pair, mails: MailSink, sql: Callable[..., list[Any]]
) -> None:
    """Blue passes, then bids: both turns are over when the hour comes, and red's is not."""
    for side, address in ((pair.red, "ana@example.org"), (pair.blue, "bea@example.org")):
        quiet(sql)
        mail_of(side, address)
        wish(side, timing="hourly")
    pair.red.answer(PASS)
    due = sql("select due_at - now() between '0' and '1 hour' from notices where kind = 'turn' and seat = 'blue' "
              "and withdrawn_at is null")  # fmt: skip
    assert due == [(True,)]
    assert pair.blue.browser.get("/api/notices/badge").json()["waiting"] == 1
    pair.blue.answer(STAY)
    pair.blue.answer(bid(1))
    sql("update notices set due_at = now() where sent_at is null returning 1")
    sql("update procrastinate_jobs set scheduled_at = now() where status = 'todo' returning 1")
    until(lambda: mails.mails)
    quiet(sql)
    assert [str(mail["to"]) for mail in mails.mails] == ["ana@example.org"]
    assert pair.blue.browser.get("/api/account/deliveries").json() == []


def test_a_digest_tells_all_games_in_one_mail(
    make_pair: MakePair, mails: MailSink, sql: Callable[..., list[Any]]
) -> None:
    first, second = make_pair(), make_pair()
    for pair in (first, second):
        pair.seal()
        pair.hide()
    mail_of(first.blue, "bea@example.org")
    wish(first.blue, timing="daily", hour=8, zone="Europe/Madrid")
    for pair in (first, second):
        pair.red.answer(PASS)
    at = sql("select distinct extract(hour from due_at at time zone 'Europe/Madrid')::int from notices "
             "where seat = 'blue' and kind = 'turn' and withdrawn_at is null")  # fmt: skip
    assert at == [(8,)]
    wish(first.blue, timing="hourly")
    sql("update notices set due_at = now() where sent_at is null returning 1")
    sql("update procrastinate_jobs set scheduled_at = now() where status = 'todo' returning 1")
    until(lambda: mails.mails)
    quiet(sql)
    assert len(mails.mails) == 1
    html = mails.mails[0].get_body(("html",))
    assert html is not None
    for pair in (first, second):
        assert f"{SITE}/games/{pair.blue.game}" in html.get_content()


def test_told_once_until_the_visit(make_pair: MakePair, mails: MailSink, sql: Callable[..., list[Any]]) -> None:
    first, second, third = make_pair(), make_pair(), make_pair()
    for pair in (first, second, third):
        pair.seal()
        pair.hide()
    quiet(sql)
    mail_of(first.blue, "bea@example.org")
    wish(first.blue, timing="visit")
    first.red.answer(PASS)
    until(lambda: len(mails.mails) == 1)
    quiet(sql)
    second.red.answer(PASS)
    quiet(sql)
    assert len(mails.mails) == 1
    seen = first.blue.browser.post("/api/notices/visit", json={}).json()
    assert seen["waiting"] == 2
    third.red.answer(PASS)
    until(lambda: len(mails.mails) == 2)


def test_a_second_channel_when_the_first_fails(
    pair: Pair, mails: MailSink, web: WebSink, sql: Callable[..., list[Any]]
) -> None:
    mail_of(pair.blue, "bea@example.org")
    pair.blue.browser.post("/api/account/channels", json={"address": f"json://127.0.0.1:{web.port}/hook"})
    only(pair.blue, ("url", "backup"))
    mails.refuse = "451 try again later"
    pair.red.answer(PASS)
    until(lambda: web.at("/hook"))
    quiet(sql)
    log = pair.blue.browser.get("/api/account/deliveries").json()
    assert [(one["kind"], bool(one["error"])) for one in log] == [("url", False)] + [("mail", True)] * 4
    assert "451" in log[1]["error"]
    assert len(web.at("/hook")) == 1
    mails.refuse = None
    pair.blue.answer(STAY)
    pair.blue.answer(bid(1))
    pair.red.answer(bid(1))
    pair.red.answer(PASS)
    until(lambda: mails.mails)
    quiet(sql)
    assert len(web.at("/hook")) == 1, "the first works again"


def test_what_was_answered_while_the_first_failed_goes_nowhere(
    pair: Pair, mails: MailSink, web: WebSink, sql: Callable[..., list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail_late(_mail: object) -> None:
        for answer in (STAY, bid(1)):
            await asyncio.to_thread(pair.blue.answer, answer)
        raise NotSent("550 no such person", for_good=True)

    mail_of(pair.blue, "bea@example.org")
    pair.blue.browser.post("/api/account/channels", json={"address": f"json://127.0.0.1:{web.port}/hook"})
    only(pair.blue, ("url", "backup"))
    monkeypatch.setattr(mail, "send", fail_late)
    pair.red.answer(PASS)
    until(lambda: pair.blue.browser.get("/api/account/deliveries").json())
    quiet(sql)
    assert not web.posts
    assert not mails.mails


def test_a_refused_address_is_not_tried_again(
    pair: Pair, mails: MailSink, web: WebSink, sql: Callable[..., list[Any]]
) -> None:
    mail_of(pair.blue, "nobody@example.org")
    browser = Browser()
    pair.blue.browser.post("/api/account/push", json=browser.subscription(f"http://127.0.0.1:{web.port}/push"))
    mails.refuse, web.status = "550 no such person", 410
    pair.red.answer(PASS)
    until(lambda: len(pair.blue.browser.get("/api/account/deliveries").json()) == 2)
    quiet(sql)
    assert len(web.at("/push")) == 1
    assert [one["kind"] for one in pair.blue.browser.get("/api/account/channels").json()] == ["mail"]
    left = sql("select count(*) from notices where sent_at is null and withdrawn_at is null and seat = 'blue'")
    assert left == [(0,)]


def test_chat_take_back_draw_and_the_end_are_told(pair: Pair, sql: Callable[..., list[Any]]) -> None:
    pair.red.post("/chat", {"text": "Good luck!"})
    pair.red.post("/draw", {"offer": True})
    kinds = sql("select kind from notices where user_id = (select user_id from seats where seat = 'blue') order by id")
    assert [kind for (kind,) in kinds if kind in ("chat", "draw")] == ["chat", "draw"]
    waiting = pair.blue.browser.get("/api/notices").json()["waiting"]
    assert [one["kind"] for one in waiting] == ["draw"]
    pair.blue.post("/draw", {"decline": True})
    assert pair.blue.browser.get("/api/notices").json()["waiting"] == []
    pair.red.post("/resign")
    news = pair.blue.browser.get("/api/notices").json()["news"]
    assert [one["kind"] for one in news] == ["over", "chat"]
    assert "You have won" in news[0]["text"]
    assert "Good luck!" in news[1]["text"]
    mine = pair.red.browser.get("/api/notices").json()["news"]
    assert [one["kind"] for one in mine] == ["begun"], "who ended it, and who took the last seat, knows"
    assert sql("select count(*) from notices where withdrawn_at is null and kind in ('turn', 'draw')") == [(0,)]


def test_nobody_is_told_of_a_game_against_oneself_or_a_bot(
    toy: None, person: Callable[[str], TestClient], sql: Callable[..., list[Any]]  # noqa: ARG001
) -> None:
    from tests.app.toy_table import HIDE, new_game

    ana = person("Ana")
    for wishes in ({"opponent": "both"}, {"opponent": "bot", "bot": "random"}):
        game = new_game(ana, **wishes)
        Pair(Side(ana, game["id"], "red"), Side(ana, game["id"], "blue")).red.post(
            "/answers", {"seq": 1, "key": "a-key-of-mine", "answer": HIDE}, (200, 400, 409))  # fmt: skip
    assert sql("select count(*) from notices") == [(0,)]
    assert ana.get("/api/notices/badge").json()["waiting"] >= 1


def test_kinds_switched_off_are_not_told(pair: Pair, sql: Callable[..., list[Any]]) -> None:
    wish(pair.blue, on=["over"])
    before = sql("select count(*) from notices")
    pair.red.post("/chat", {"text": "Hello?"})
    pair.red.answer(PASS)
    assert sql("select count(*) from notices") == before
    assert pair.blue.browser.get("/api/notices/badge").json()["waiting"] == 1


@pytest.mark.parametrize("address", ["file:///etc/passwd", "syslog://", "dbus://", "mailto://a:b@example.org", "no"])
def test_what_is_no_service_is_refused(person: Callable[[str], TestClient], address: str) -> None:
    refused = person("Ana").post("/api/account/channels", json={"address": address})
    assert refused.status_code in (400, 422), refused.text


def test_private_addresses_are_refused_and_never_connected(
    pair: Pair, web: WebSink, monkeypatch: pytest.MonkeyPatch, sql: Callable[..., list[Any]]
) -> None:
    hook = f"json://127.0.0.1:{web.port}/hook"
    kept = pair.blue.browser.post("/api/account/channels", json={"address": hook}).json()
    monkeypatch.setattr(config.notice_settings(), "private", False)
    for address in (hook, f"json://localhost:{web.port}/x", "json://[::1]/", "json://169.254.169.254/latest"):
        refused = pair.red.browser.post("/api/account/channels", json={"address": address})
        assert refused.json()["error"]["key"] == "notice.private_service"
    for endpoint, why in ((f"http://127.0.0.1:{web.port}/push", "bad_push"), ("https://127.0.0.1/", "private_service")):
        refused = pair.red.browser.post("/api/account/push", json=Browser().subscription(endpoint))
        assert refused.json()["error"]["key"] == f"notice.{why}"
    pair.blue.browser.post(f"/api/account/channels/{kept['id']}/test")
    log = until(lambda: pair.blue.browser.get("/api/account/deliveries").json())
    assert log[0]["error"] == "private address"
    quiet(sql)
    assert not web.posts


def test_a_test_message_is_logged(pair: Pair, web: WebSink) -> None:
    hook = f"json://127.0.0.1:{web.port}/hook"
    channel = pair.red.browser.post("/api/account/channels", json={"address": hook}).json()["id"]
    assert pair.red.browser.post(f"/api/account/channels/{channel}/test").status_code == 202
    assert pair.blue.browser.post(f"/api/account/channels/{channel}/test").status_code == 404
    log = until(lambda: [one for one in pair.red.browser.get("/api/account/deliveries").json() if not one["notices"]])
    assert log[0]["error"] is None
    assert any(b"messages reach you" in post[2] for post in web.at("/hook"))


def test_one_click_ends_mails(pair: Pair, mails: MailSink, sql: Callable[..., list[Any]]) -> None:
    mail_of(pair.blue, "bea@example.org")
    pair.red.answer(PASS)
    mail = until(lambda: mails.mails)[0]
    link = str(mail["list-unsubscribe"]).strip(" <>").removeprefix(SITE)
    stranger = TestClient(pair.blue.browser.app, follow_redirects=False)
    stranger.portal = pair.blue.browser.portal
    assert stranger.get("/unsubscribe/guessed").status_code == 404
    assert stranger.post(link, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    roles = {one["kind"]: one["role"] for one in pair.blue.browser.get("/api/account/channels").json()}
    assert roles == {"mail": "off"}
    pair.red.post("/chat", {"text": "Still there?"})
    quiet(sql)
    assert len(mails.mails) == 1


def test_a_forgotten_password_by_mail(
    client: TestClient, person: Callable[[str], TestClient], mails: MailSink, sql: Callable[..., list[Any]]
) -> None:
    person("Ana")
    bea = person("Bea")
    with_mail(bea, "bea@example.org")
    answers = [client.post("/forgot", data={"login": login}) for login in ("Ana", "nobody", "BEA@example.org")]
    assert {(one.status_code, one.headers["location"]) for one in answers} == {(303, "/forgot?sent=true")}
    mail = until(lambda: mails.mails)[0]
    quiet(sql)
    assert [str(one["to"]) for one in mails.mails] == ["bea@example.org"]
    body = mail.get_body(("plain",))
    assert body is not None
    link = re.search(rf"{SITE}(/reset/\S+)", body.get_content())
    assert link is not None
    new = client.post(link[1], data={"new": "another good one"})
    assert new.status_code == 303
    login = client.post("/api/session", json={"name": "Bea", "password": "another good one"})
    assert login.status_code == 200


def test_the_calendar_holds_deadlines(pair: Pair, sql: Callable[..., list[Any]]) -> None:
    pair.red.answer(PASS)
    sql("update games set deadline = '2031-05-06 07:08:00+00' where id = %s returning 1", pair.blue.game)
    page = pair.blue.browser.get("/account/notifications").text
    feed = re.search(r"/calendar/[\w-]+\.ics", page)
    assert feed is not None
    stranger = TestClient(pair.blue.browser.app)
    stranger.portal = pair.blue.browser.portal
    got = stranger.get(feed[0])
    assert got.headers["content-type"].startswith("text/calendar")
    assert "DTEND:20310506T070800Z" in got.text
    assert f"/games/{pair.blue.game}" in got.text.replace("\r\n ", "")
    pair.blue.browser.post("/account/notifications/token")
    assert stranger.get(feed[0]).status_code == 404


def test_the_next_game_goes_round_by_urgency(make_pair: MakePair, sql: Callable[..., list[Any]]) -> None:
    pairs = [make_pair() for _ in range(2)]
    ana = pairs[0].red.browser
    sql("update games set deadline = '2031-01-01' where id = %s returning 1", pairs[1].red.game)
    games = [f"/games/{pairs[1].red.game}", f"/games/{pairs[0].red.game}"]
    assert ana.get("/next").headers["location"] == games[0]
    assert ana.get("/next", params={"after": pairs[1].red.game}).headers["location"] == games[1]
    assert ana.get("/next", params={"after": pairs[0].red.game}).headers["location"] == games[0]


def test_pages_show_and_save(pair: Pair, mails: MailSink) -> None:  # noqa: ARG001
    pair.red.answer(PASS)
    bea = pair.blue.browser
    assert "is to decide" in bea.get("/notices").text
    assert bea.post("/notices/seen").headers["location"] == "/notices"
    form = {"timing": "daily", "hour": "21", "zone": "America/Asuncion", "on.turn": "1"}
    assert bea.post("/account/notifications", data=form).headers["location"].endswith("done=wishes")
    assert bea.get("/api/account/notifications").json() == {
        "timing": "daily", "hour": 21, "zone": "America/Asuncion", "on": ["turn"]}  # fmt: skip
    half = bea.post("/account/notifications", data=form | {"on.reminder_half": "1"})
    assert half.status_code == 303
    assert 'name="on.reminder_half" value="1" checked' in (page := bea.get("/account/notifications").text)
    assert 'name="on.reminder_day" value="1">' in page
    wrong = bea.post("/account/notifications", data=form | {"zone": "Nowhere/Else"})
    assert wrong.status_code == 400
    assert "Nowhere/Else" in wrong.text
    assert bea.post("/account/notifications/services", data={"address": "nonsense"}).status_code == 400


def test_what_cannot_be_is_not_offered_and_the_calendars_zone_holds(
    person: Callable[[str], TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.notifications.mail.works", lambda _settings: False)
    ana = person("Ana")
    page = ana.get("/account/notifications").text
    assert "This server sends no mail" in page
    assert 'name="act" value="first"' not in page  # nor can it be told to be the first way
    assert ana.get("/api/account/notifications").json()["zone"] == "UTC"
    hours: dict[str, Any] = {"zone": "America/Asuncion", "quiet_from": None, "quiet_to": None, "rest": []}
    assert ana.put("/api/account/calendar", json=hours).status_code == 200
    assert ana.get("/api/account/notifications").json()["zone"] == "America/Asuncion"
    wishes = {"timing": "daily", "hour": "21", "zone": "Europe/Madrid", "on.turn": "1"}
    assert ana.post("/account/notifications", data=wishes).status_code == 303
    assert ana.get("/api/account/notifications").json()["zone"] == "Europe/Madrid"  # what was chosen stays


def test_an_address_is_proved_though_its_server_turns_strangers_away_at_first(
    person: Callable[[str], TestClient], api: FastAPI, mails: MailSink, sql: Callable[..., list[Any]]
) -> None:
    """It is tried again, and what never arrived does not count; what is refused for good is over."""
    ana = person("Ana")
    [(user,)] = sql("update users set mail_wish = 'ana@example.org' returning id")
    work = Work(api.state.settings, api.state.db, api.state.games.store)
    assert ana.portal is not None
    mails.refuse = "451 4.7.1 greylisted"
    for _ in range(tasks.MAIL_TRIES):
        with pytest.raises(NotSent):
            ana.portal.call(tasks.proof_mail, work, user)
    mails.refuse = "550 no such person"
    ana.portal.call(tasks.proof_mail, work, user)
    mails.refuse = None
    for n in range(limits.PROVE_MAIL.hits + 2):
        ana.portal.call(tasks.proof_mail, work, user)
        assert len(mails.mails) == min(n + 1, limits.PROVE_MAIL.hits - 1), "the one refused for good counts"
