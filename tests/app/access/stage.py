"""A site with something of every kind on it, and a browser for everybody who may try the doors."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.routing import APIRoute
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient

from app.main import _modules
from tests.app.conftest import Sql
from tests.app.toy_table import Pair, Side, new_game

Person = Callable[[str], TestClient]

# Tests of every route: `whole` takes minutes, else a sample is tried.
SIZES = pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.long)], ids=["sample", "whole"])
ROLES = ("anonymous", "other", "opponent", "seat", "moderator", "director", "organiser", "admin", "banned", "support")
NAMES = {"other": "Otto", "opponent": "Bea", "seat": "Ana", "moderator": "Mona", "director": "Dirk",
         "organiser": "Olga", "admin": "Adam", "banned": "Bodo", "support": "Sue"}  # fmt: skip
CUP = {"name": "Cup", "format": "round_robin", "board.triple_alliance.war": "on", "seeding": "joined",
       "pace": "days", "hosts_play": "true"}  # fmt: skip
# What a server notes of itself, at moments of its own, and what this stage keeps.
UNWATCHED = ("rate_hits", "listeners", "procrastinate_workers", "alembic_version", "touched")
WATCH = (
    "create table touched (what text)",
    """create function touch() returns trigger language plpgsql as
        'begin insert into touched values (tg_op || '' '' || tg_table_name); return null; end'""",
    f"""do $$ declare t text; begin
        for t in select tablename from pg_tables where schemaname = 'public' and tablename not in {UNWATCHED} loop
            execute 'create trigger touched after insert or update or delete on ' || quote_ident(t)
                || ' for each row execute function touch()';
        end loop;
    end $$""",
    "create table kept_sessions as select * from sessions",
    """create function keep() returns void language sql as
        'delete from rate_hits; insert into sessions select * from kept_sessions on conflict do nothing'""",
)


def every_route() -> Iterator[tuple[str, str]]:
    """Method and path of all that the application answers."""
    for module in (*_modules("routes"), *_modules("pages")):
        yield from _routes(module.router)


def _routes(router: Any) -> Iterator[tuple[str, str]]:
    for route in router.routes:
        if isinstance(route, APIRoute):
            yield from ((method, route.path) for method in route.methods or ())
        elif isinstance(route, WebSocketRoute):
            yield "WEBSOCKET", getattr(router, "prefix", "") + route.path
        else:
            inner = route.original_router
            yield from ((m, p if p.startswith(router.prefix) else router.prefix + p) for m, p in _routes(inner))


@dataclass
class Stage:
    """`at` are what stands for the names in braces in the table's addresses."""

    browsers: dict[str, TestClient]
    sql: Sql
    at: dict[str, str] = field(default_factory=dict)
    cookies: dict[str, str] = field(default_factory=dict)

    def send(self, role: str, method: str, path: str, body: Any = None, **more: Any) -> Any:
        """A call with the role's cookie of the beginning: a dict goes as JSON to the API, as a form to pages."""
        browser = self.browsers[role]
        browser.cookies.clear()
        if role in self.cookies:
            browser.cookies.set("session", self.cookies[role])
        kind = "json" if path.startswith("/api/") else "data"
        if method != "GET" and "files" not in more:
            more[kind] = {} if body is None else body
        return browser.request(method, path, **more)

    def touched(self) -> list[str]:
        """What was written since the last look."""
        return [what for (what,) in self.sql("with gone as (delete from touched returning what) select * from gone")]

    def keep(self) -> None:
        """Everybody is signed in again who was at first, and nothing was tried too often."""
        self.sql("select keep()")


def build(person: Person, sql: Sql, client: TestClient) -> Stage:
    """Needs the toy title."""
    browsers = {role: person(name) for role, name in NAMES.items()}
    person("Cleo")  # about whom things are done
    sql("update users set is_admin = true where name in ('Adam', 'Sue')")
    sql("update users set roles = '{moderator}' where name = 'Mona'")
    sql("update users set roles = '{director}' where name = 'Dirk'")
    ana, bea = browsers["seat"], browsers["opponent"]
    stage = Stage(browsers | {"anonymous": client}, sql)
    pair = pair_of(ana, bea)
    pair.seal()
    pair.hide()
    at = stage.at
    at["game"], at["doomed"] = pair.red.game, pair_of(ana, bea).red.game
    private = pair_of(ana, bea, visibility="private")
    at["private"] = private.red.game
    at["doomed2"] = pair_of(ana, bea).red.game
    for vacant in ("vacant", "vacant2"):
        at[vacant] = pair_of(ana, bea).red.game
        sql(f"update games set wants_substitute = 'red' where id = '{at[vacant]}'")
    otto = browsers["other"]
    at |= {name: new_game(by)["id"] for name, by in
           {"waiting": ana, "waiting2": otto, "waiting3": ana, "waiting4": ana}.items()}  # fmt: skip
    secret = new_game(ana, visibility="private")
    at["secret"], at["secret_token"] = secret["id"], secret["join_token"]
    _events(stage)
    _own_things(stage, pair.red)
    for role, browser in browsers.items():
        stage.cookies[role] = browser.cookies["session"]
    assert browsers["support"].post(f"/admin/users/{at['ana']}/support", data={"reason": "help"}).status_code == 303
    sql("update users set ban_reason = 'insults' where name = 'Bodo'")
    sql("delete from rate_hits")
    for statement in WATCH:
        sql(statement)
    return stage


def pair_of(ana: TestClient, bea: TestClient, **wishes: Any) -> Pair:
    """A new game, one with red, the other with blue."""
    game = new_game(ana, **wishes)
    joined = bea.post(f"/api/games/{game['id']}/join", json={"seat": "blue", "token": game["join_token"]})
    assert joined.status_code == 200, joined.text
    return Pair(Side(ana, game["id"], "red"), Side(bea, game["id"], "blue"))


def _events(stage: Stage) -> None:
    olga, ana, bea = (stage.browsers[role] for role in ("organiser", "seat", "opponent"))
    event = olga.post("/events", data=CUP).headers["location"]
    for browser in (ana, bea):
        assert browser.post(f"{event}/enter", data={"as": "player"}).status_code == 303
    assert olga.post(f"{event}/start").status_code == 303
    shown = ana.get(f"/api{event}").json()
    pairing = shown["rounds"][0]["pairings"][0]
    stage.at |= {
        "real": pairing["game"],
        "event": event.removeprefix("/events/"),
        "pairing": str(pairing["id"]),
        "entrant": str(shown["entrants"][0]["id"]),
        **{name: olga.post("/events", data=CUP).headers["location"].removeprefix("/events/")
           for name in ("fresh_event", "empty_event")},
        "league": olga.post("/leagues", data=CUP).headers["location"].removeprefix("/leagues/"),
    }
    claimed = ana.post(f"{event}/pairings/{stage.at['pairing']}/claim", data={"wish": "win", "text": "I am ahead"})
    assert claimed.status_code == 303, claimed.text


def _own_things(stage: Stage, red: Side) -> None:
    """What belongs to Ana alone, or says something about her."""
    ana, bea, sql, at = stage.browsers["seat"], stage.browsers["opponent"], stage.sql, stage.at
    for name in ("Ana", "Otto", "Cleo"):
        at[name.lower()] = str(sql(f"select id from users where name = '{name}'")[0][0])
    at["channel"] = str(ana.post("/api/account/channels", json={"address": "json://example.org/hook"}).json()["id"])
    today = datetime.now(UTC).date()
    at["day"], at["day2"] = (f"{today + timedelta(days=n)}" for n in (40, 50))
    for first in (5, 20):
        away = {"first_day": f"{today + timedelta(days=first)}", "last_day": f"{today + timedelta(days=first + 1)}"}
        assert ana.post("/api/account/vacations", json=away).status_code == 201
    at["vacation"], at["vacation2"] = (str(one["id"]) for one in ana.get("/api/account/calendar").json()["away"])
    orders = [red.post("/orders", {"name": "bid", "settings": {"bold": "3"}}) for _ in range(2)][-1]
    at["order"], at["order2"] = (str(one["id"]) for one in orders["orders"])
    assert bea.post(f"/messages/{NAMES['seat']}", data={"text": "Good luck"}).status_code == 303
    assert bea.post("/report?player=Otto", data={"reason": "insults"}).status_code == 200
    at["report"] = str(sql("select max(id) from reports")[0][0])
    waits = stage.at["waiting"]
    assert ana.post(f"/games/{waits}/invite", data={"player": "Otto"}).status_code == 303
    at["invitation"] = str(sql("select max(id) from invitations")[0][0])
    ana.get("/account/notifications")
    at["calendar"] = sql(f"select token from notice_settings where user_id = {at['ana']}")[0][0]
    at["job"] = str(sql("""insert into procrastinate_jobs (queue_name, task_name, status, attempts)
        values ('elsewhere', 'toy.fails', 'failed', 3) returning id""")[0][0])  # fmt: skip
    made = ana.post("/api/boards", json={"title": "triple_alliance", "example": "13.9-26-against-7"})
    at["board"] = made.json()["id"]
    assert ana.put(f"/api/boards/{at['board']}/kept", json={"kept": True}).status_code == 204
    at["claim"] = str(sql("select max(id) from claims")[0][0])
    for name, owner in (("reset", "otto"), ("reset2", "cleo")):
        at[name] = f"a-token-for-a-new-password-of-{owner}"
        hashed = hashlib.sha256(at[name].encode()).hexdigest()
        sql(f"""insert into login_tokens (token_hash, purpose, user_id, expires_at)
            values (decode('{hashed}', 'hex'), 'reset', {at[owner]}, now() + interval '1 day')""")
