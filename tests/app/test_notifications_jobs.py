"""Jobs: queued with a transaction, done once across all workers, tried again; and what a kill leaves is done later."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from app.config import ROOT, Settings
from app.db import Database
from app.games.live import conninfo
from app.games.store import Store
from app.jobs import registry, worker
from app.jobs.registry import Work, job
from app.notifications import reminders
from app.queue import enqueue
from app.reactions import BORNE, REACTIONS
from tests.app.sinks import MailSink, mail_sink
from tests.app.test_kill import Table
from tests.app.test_serve import data, serving
from tests.conftest import PASSWORD

__all__ = ["data"]

pytestmark = pytest.mark.anyio
PATIENCE = 90.0


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the jobs of these tests did; they are known only here."""
    worker.known()
    monkeypatch.setattr(registry, "_jobs", dict(registry._jobs))
    monkeypatch.setattr(worker, "BACKOFF", 0)
    did: list[Any] = []

    @job("tests.note")
    async def note(_work: Work, what: str) -> None:
        did.append(what)

    @job("tests.stumble", tries=3)
    async def stumble(_work: Work) -> None:
        did.append("stumbled")
        if len(did) < 3:
            raise RuntimeError("not yet")

    @job("tests.slow")
    async def slow(_work: Work, n: int) -> None:
        did.append(n)
        await asyncio.sleep(0.05)

    return did


@asynccontextmanager
async def workers(settings: Settings, number: int = 1) -> AsyncIterator[Work]:
    """So many workers, each as a process of its own would have it."""
    async with AsyncExitStack() as stack:
        work: Work | None = None
        for _ in range(number):
            db = Database(settings.database_url, BORNE)
            store = Store(conninfo(settings.database_url), 10, REACTIONS)
            stack.push_async_callback(db.close)
            await store.open()
            stack.push_async_callback(store.close)
            work = Work(settings, db, store)
            await stack.enter_async_context(worker.working(work))
        assert work is not None
        yield work


async def until(found: Any) -> None:
    end = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < end, "nothing came"
        await asyncio.sleep(0.02)


async def left(work: Work) -> int:
    async with work.store.pool.connection() as conn:
        cursor = await conn.execute("select count(*) from procrastinate_jobs where task_name like 'tests.%'")
        row = await cursor.fetchone()
    assert row is not None
    return int(row[0])


async def test_a_job_is_there_if_the_transaction_is(settings: Settings, done: list[Any]) -> None:
    async with workers(settings) as work:
        async with work.store.pool.connection() as conn:
            await enqueue(conn, "tests.note", {"what": "never"})
            await conn.rollback()
        async with work.store.pool.connection() as conn:
            await enqueue(conn, "tests.note", {"what": "later"}, at=datetime.now(UTC) + timedelta(hours=1))
            await enqueue(conn, "tests.note", {"what": "now"})
            await asyncio.sleep(0.1)
            assert not done, "not before the commit"
        await until(lambda: done)
        assert done == ["now"]
        assert await left(work) == 1


async def test_what_fails_is_tried_again(settings: Settings, done: list[Any]) -> None:
    async with workers(settings) as work:
        async with work.store.pool.connection() as conn:
            await enqueue(conn, "tests.stumble", {})
        await until(lambda: len(done) == 3)
        await asyncio.sleep(0.1)
        assert done == ["stumbled"] * 3
        assert await left(work) == 0


async def test_several_workers_do_each_job_once(settings: Settings, done: list[Any]) -> None:
    async with workers(settings, 3) as work:
        async with work.store.pool.connection() as conn:
            for n in range(60):
                await enqueue(conn, "tests.slow", {"n": n})
        await until(lambda: len(done) >= 60)
        await asyncio.sleep(0.2)
        assert sorted(done) == list(range(60))


async def test_a_dead_workers_job_is_done_by_another(settings: Settings, done: list[Any]) -> None:
    with psycopg.connect(conninfo(settings.database_url), autocommit=True) as conn:
        conn.execute("insert into procrastinate_workers (last_heartbeat) values (now() - interval '1 hour')")
        conn.execute("""insert into procrastinate_jobs (queue_name, task_name, args, status, worker_id)
            select 'mariscal', 'tests.note', '{"what": "left behind"}', 'doing', id from procrastinate_workers""")
    async with workers(settings):
        await until(lambda: done)
    assert done == ["left behind"]


async def test_a_reminder_looks_before_it_reminds(settings: Settings, done: list[Any]) -> None:  # noqa: ARG001
    """Three are queued for one moment: one holds, one comes twice, one is of a deadline that has moved. Another moment
    follows where it holds. Ana wants to hear of the last day only."""
    now = datetime.now(UTC)
    deadline = now + timedelta(days=1)
    with psycopg.connect(conninfo(settings.database_url), autocommit=True) as conn:
        conn.execute("insert into users (name, name_key) values ('Ana', 'ana'), ('Bea', 'bea')")
        conn.execute("insert into data_sets (digest, title, body) values ('d', 'triple_alliance', '')")
        conn.execute("""insert into notice_settings (user_id, token, off)
            select id, 'a', '{reminder_half,reminder_hours}' from users where name = 'Ana'""")
        for game in ("kept", "moved", "quiet"):
            conn.execute(
                """insert into games (id, title, scenario, data_digest, rules_version, schema, status, visibility,
                       join_token, policy, waiting_for, dice_seed, created_by, deadline)
                   select %s, 'triple_alliance', 'war', 'd', '1', 1, 'active', 'private', 't', 'run', '{allied}', '',
                       min(id), %s from users""",
                (game, deadline + timedelta(hours=game == "moved")),
            )
            conn.execute("insert into seats (game_id, seat, side, place, user_id) "
                         "select %s, 'allied', 'allied', 0, max(id) from users", (game,))
        conn.execute("update seats set user_id = (select min(id) from users) where game_id = 'quiet'")
    async with workers(settings) as work:
        async with work.store.pool.connection() as conn_:
            for game in ("kept", "kept", "moved", "quiet"):
                await reminders.schedule(conn_, game, "allied", deadline, [now, now + timedelta(seconds=0.5)])

        async def rows() -> list[tuple[Any, ...]]:
            async with work.store.pool.connection() as conn:
                cursor = await conn.execute("select game_id, kind from notices order by game_id")
                jobs = await conn.execute("select 1 from procrastinate_jobs where task_name = 'notices.remind'")
                return [] if await jobs.fetchall() else await cursor.fetchall()

        end = time.monotonic() + PATIENCE
        while not (found := await rows()):
            assert time.monotonic() < end
            await asyncio.sleep(0.05)
        assert found == [*[("kept", "reminder")] * 2, ("quiet", "reminder")]


def _environment(sink: MailSink) -> dict[str, str]:
    return {"MARISCAL_SMTP_HOST": "127.0.0.1", "MARISCAL_SMTP_PORT": str(sink.port), "MARISCAL_SMTP_TLS": "off",
            "MARISCAL_SMTP_SENDER": "site@games.example", "MARISCAL_URL": "http://games.example",
            "MARISCAL_NOTICE_DELAY": "0"}  # fmt: skip


def address(data: Path) -> str:
    """Of the database of a running server."""
    return f"host={(data / 'postgres/postmaster.pid').read_text().splitlines()[4]} user=mariscal dbname=postgres"


class Two(Table):
    """Ana and Bea at a game of a real server, Ana to move."""

    def __init__(self, ana: httpx.Client, bea: httpx.Client, at: str) -> None:
        for browser, name in ((ana, "Ana"), (bea, "Bea")):
            new = {"name": name, "password": PASSWORD, "mail": f"{name.lower()}@example.org"}
            browser.post("/api/account", json=new).raise_for_status()
        with psycopg.connect(at, autocommit=True) as conn:
            conn.execute("update users set mail = mail_wish, mail_wish = null")  # as if the links had been followed
        wish = {"title": "triple_alliance", "scenario": "war", "seat": "paraguay"}
        made = ana.post("/api/games", json=wish).raise_for_status().json()
        self.id = made["id"]
        bea.post(f"/api/games/{self.id}/join",
                 json={"seat": "allied", "token": made["join_token"]}).raise_for_status()  # fmt: skip


def test_a_mail_under_way_at_a_kill_arrives_once(data: Path) -> None:
    """The server is killed while the mail server has its mail but has not said that it takes it."""
    with mail_sink() as sink:
        sink.go.clear()
        with serving(data, _environment(sink)) as first, httpx.Client(base_url=first.url, timeout=PATIENCE) as ana, \
                httpx.Client(base_url=first.url, timeout=PATIENCE) as bea:  # fmt: skip
            Two(ana, bea, address(data))
            assert sink.busy.wait(PATIENCE), "the game's beginning is on its way"
            first.end(signal.SIGKILL)
        assert not sink.mails
        time.sleep(0.2)
        sink.go.set()
        with serving(data, _environment(sink)) as again:
            end = time.monotonic() + PATIENCE
            while len(sink.mails) < 2:
                assert time.monotonic() < end, [str(mail["to"]) for mail in sink.mails]
                time.sleep(0.1)
            time.sleep(1)
            assert again.end(signal.SIGTERM)[0] == 0
        told = sorted(str(mail["to"]) for mail in sink.mails)
        assert told == ["ana@example.org", "bea@example.org"]
        assert len({mail["message-id"] for mail in sink.mails}) == 2


def test_a_worker_of_its_own_does_the_jobs(data: Path) -> None:
    """Servers without workers only queue; a worker process sends, and ends when it is told to."""
    with mail_sink() as sink:
        environment = _environment(sink)
        with serving(data, environment | {"MARISCAL_WORKER": "off"}) as server, \
                httpx.Client(base_url=server.url, timeout=PATIENCE) as ana, \
                httpx.Client(base_url=server.url, timeout=PATIENCE) as bea:  # fmt: skip
            Two(ana, bea, address(data))
            time.sleep(1)
            assert not sink.busy.is_set()
            clean = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
            process = subprocess.Popen([sys.executable, "-m", "app.cli", "worker", "--data", str(data)], cwd=ROOT,
                                       env=clean | environment, stderr=subprocess.DEVNULL)  # fmt: skip
            try:
                end = time.monotonic() + 2 * PATIENCE  # the worker has to start first
                while len(sink.mails) < 2:
                    assert time.monotonic() < end
                    time.sleep(0.1)
            finally:
                process.send_signal(signal.SIGTERM)
                code = process.wait(PATIENCE)
            assert code == 0
