"""The server of the simulated year: the whole application with its worker in a process that can be killed, by a clock
that is set from outside. Imported once by the process that all of them are forked from.

What passes by itself as real time does (what the job library defers by cron, the events' clerk) passes here when the
test says so.
"""

import asyncio
import logging
import os
import socket
import warnings
from collections.abc import Awaitable, Callable
from ctypes import c_int64
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

import httpx
import procrastinate.periodic
import procrastinate.utils
import uvicorn
import uvloop
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher
from sqlalchemy.orm import configure_mappers

import rules.titles
from app import garbage, timing
from app.accounts import passwords
from app.config import Settings
from app.db import Database
from app.jobs import worker
from app.leagues import lifespan
from app.main import create_app, furnish
from app.notifications import relay
from tests.app import toy_title

POLL = 0.2  # seconds after which the worker looks by itself
SIDE_TASKS = 2  # what passes with time, once all of it has begun

toy_title.install()
application = create_app(Settings(database_url="postgresql://"))
worker.known()
relay._library()  # takes a second to import
for _name in ("uvicorn.protocols.http.httptools_impl", "uvicorn.lifespan.on", "app.sockets"):
    import_module(_name)
for _title in rules.titles.IDS:
    rules.titles.load(_title)
configure_mappers()


async def _ask_for_nothing() -> None:
    """With the first request all routes are made ready."""
    async with httpx.AsyncClient(transport=httpx.ASGITransport(application), base_url="http://year.club") as browser:
        answer = await browser.get("/api/nothing")
    assert answer.status_code == 404


asyncio.run(_ask_for_nothing())
garbage.collect_seldom()

_passing: list[Callable[[str], Awaitable[None]]] = []


def run(settings: Settings, environment: dict[str, str], ahead: c_int64, line: Connection) -> None:
    """Serves until it is killed. Sends its port when it is up; then, for each word it gets (`hour`, or `cron` as well),
    lets pass what passes with time, and says so."""
    os.environ.update(environment)
    logging.basicConfig(level=logging.WARNING)
    warnings.simplefilter("ignore")
    passwords._hasher = PasswordHash((Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1),))
    worker.POLL = POLL
    _virtual(ahead)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:  # as uvicorn does
        runner.run(_serve(settings, line))


def _virtual(ahead: c_int64) -> None:
    def now() -> datetime:
        return datetime.now(UTC) + timedelta(microseconds=ahead.value)

    async def defer(self: procrastinate.periodic.PeriodicDeferrer) -> None:
        async def deferred(word: str) -> None:
            if word == "cron":
                self.last_defers.clear()
                await self.defer_jobs(self.get_previous_tasks(at=now().timestamp()))

        await _forever(deferred)

    async def clerk(db: Database) -> None:
        async def look(_word: str) -> None:
            await lifespan.look_once(db)

        await _forever(look)

    changed: Any = procrastinate
    timing.now = now
    changed.utils.utcnow = now
    changed.periodic.PeriodicDeferrer.worker = defer
    lifespan._look_after = clerk


async def _forever(pass_on: Callable[[str], Awaitable[None]]) -> None:
    _passing.append(pass_on)
    try:
        await asyncio.Event().wait()
    finally:
        _passing.remove(pass_on)


async def _serve(settings: Settings, line: Connection) -> None:
    furnish(application, settings)
    server = uvicorn.Server(uvicorn.Config(application, log_config=None, server_header=False, access_log=False))
    words: asyncio.Queue[str] = asyncio.Queue()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        serving = asyncio.create_task(server.serve([listener]))
        while not server.started or len(_passing) < SIDE_TASKS:
            await asyncio.sleep(0.005)
            assert not serving.done(), "it could not start"
        asyncio.get_running_loop().add_reader(line.fileno(), partial(_hear, line, words))
        line.send(listener.getsockname()[1])
        while True:
            word = await words.get()
            for one in _passing:
                await one(word)
            line.send(word)


def _hear(line: Connection, words: "asyncio.Queue[str]") -> None:
    try:
        words.put_nowait(line.recv())
    except EOFError:  # the test is gone
        os._exit(0)
