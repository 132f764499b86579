"""Serves the site; starts its own PostgreSQL in the data folder, or uses DATABASE_URL."""

import argparse
import asyncio
import contextlib
import fcntl
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import uvicorn
from pydantic import ValidationError

from app import garbage, postgres
from app.accounts import service
from app.config import ROOT, Settings
from app.db import Database, migrate
from app.main import create_app
from app.operations import logs
from app.sockets import Hurried, Protocol

DEATHS, DEATHS_WITHIN = 3, 300.0  # how often PostgreSQL may die in so many seconds
CLOSING_TIME = 1  # seconds that open requests and sockets get at the end
IDLE_TIME = 130  # seconds; longer than a proxy keeps an idle line (Caddy two minutes), which would else meet it closed
LONGEST_END = 15.0  # seconds after which a server that ends has ended, whatever still holds it


class CanNotServe(RuntimeError):
    """The message says why, to the person at the terminal."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    parser.add_argument("--port", type=int, default=8000, help="0 picks a free one (default: 8000)")
    parser.add_argument("--data", type=Path, default=ROOT / "data", help="folder of database and secret key")


def run(args: argparse.Namespace) -> int:
    data: Path = args.data.absolute()
    data.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, _leave)
    try:
        with locked(data), listening(args.host, args.port) as listener, own_database(data) as (settings, server):
            code = _serve(settings, listener, server)
    except (CanNotServe, postgres.PostgresError) as problem:
        say(str(problem))
        return 1
    except ValidationError as problem:  # a setting that is none
        say("; ".join(f"{one['msg'].removeprefix('Value error, ')}" for one in problem.errors()))
        return 1
    except KeyboardInterrupt:
        code = 0
    say("stopped.")
    return code


def say(words: str) -> None:
    print(f"mariscal: {words}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def locked(data: Path) -> Iterator[None]:
    """One server per data folder. The lock goes with the process, however that ends."""
    with (data / "lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise CanNotServe(f"process {lock.read().strip()} already serves {data}; stop it first") from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


@contextlib.contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """The port, taken before anything slow begins."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except OSError as error:
            raise CanNotServe(f"can't listen on {host} port {port}: {error.strerror}") from None
        yield listener


@contextlib.contextmanager
def database(data: Path) -> Iterator[Settings]:
    """Settings with the address of a database that is there until the end."""
    with own_database(data) as (settings, _):
        yield settings


@contextlib.contextmanager
def own_database(data: Path) -> Iterator[tuple[Settings, postgres.Server | None]]:
    """The same, with the PostgreSQL that was started for it, if any was."""
    settings = Settings(data=data)
    if settings.database_url:
        yield settings, None
        return
    say("starting PostgreSQL ...")
    with postgres.running(data / "postgres") as server:
        yield settings.model_copy(update={"database_url": server.url()}), server


class Announced(uvicorn.Server):
    """Says that it serves when it does, not before; and starts its PostgreSQL anew when that has died, until it dies
    too often. Then it ends itself, with `code` 1, so that whoever watches over it can see to it."""

    def __init__(self, config: uvicorn.Config, lines: list[str], database: postgres.Server | None) -> None:
        super().__init__(config)
        self._lines, self._database = lines, database
        self._deaths: list[float] = []
        self._until = 0.0  # by the monotonic clock: when a database that is dead has to live again
        self.code = 0

    async def on_tick(self, counter: int) -> bool:
        """Runs in the main thread some ten times a second."""
        if self._database is not None and (how := self._database.ended) is not None and not self.should_exit:
            self._revive(self._database, how)
        return await super().on_tick(counter)

    def _revive(self, database: postgres.Server, how: int) -> None:
        now = time.monotonic()
        self._deaths = [*(at for at in self._deaths if now - at < DEATHS_WITHIN), now]
        say(f"PostgreSQL ended (exit code {how}); starting it again ...")
        try:
            if len(self._deaths) > DEATHS:
                raise postgres.PostgresError(f"PostgreSQL ended {len(self._deaths)} times within minutes")
            self._until = now + postgres.PATIENCE + LONGEST_END
            database.again()
        except postgres.PostgresError as problem:
            self._until = time.monotonic() + LONGEST_END
            self.code, self.should_exit, self.force_exit = 1, True, True  # nothing can be put in order any more
            say(str(problem))

    def watch(self, database: postgres.Server) -> None:
        """In a thread of its own, until the process ends. Whoever is to notice that the database is dead, or to end
        because of it, may be held: by a thread that waits or computes, by words that nobody takes. Then the process
        ends here, at once; without its database there is nothing that it could lose."""
        dead = False
        while True:
            if database.ended is None:
                dead = False
            elif not dead:
                dead, self._until = True, max(self._until, time.monotonic() + LONGEST_END)
            elif time.monotonic() > self._until:
                os._exit(self.code if self.should_exit else 1)
            time.sleep(0.2)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Threads that compute (a bot's thoughts, a picture) hold an end no longer than that either; a database of
        our own is shut down in order by its parent's death."""
        alarm = threading.Timer(LONGEST_END, os._exit, (self.code,))
        alarm.daemon = True
        alarm.start()
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for line in self._lines:
            say(line)


def _serve(settings: Settings, listener: socket.socket, own: postgres.Server | None) -> int:
    logs.set_up(settings.log, settings.log_level)
    migrate(settings.database_url)
    host, port = listener.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    base = f"http://{shown}:{port}"
    lines = [f"serving {base}/ (Ctrl-C stops)"]
    if token := asyncio.run(_first_admin_token(settings.database_url)):
        lines.append(f"there is no admin yet; this link makes one, once: {base}/first-admin/{token}")
    known_as = socket.gethostname() if host in ("0.0.0.0", "::") else shown
    changes = {"worker": settings.worker is not False, "reached": f"http://{known_as}:{port}"}
    if not settings.url:
        lines.append(f"MARISCAL_URL is not set: links that are sent to others begin with {changes['reached']}/")
    config = uvicorn.Config(
        create_app(settings.model_copy(update=changes)),
        timeout_graceful_shutdown=CLOSING_TIME,
        timeout_keep_alive=IDLE_TIME,
        log_config=None,
        server_header=False,
        ws=Protocol,
        http=Hurried,
    )
    garbage.collect_seldom()
    server = Announced(config, lines, own)
    if own is not None:
        threading.Thread(target=server.watch, args=(own,), daemon=True).start()
    server.run(sockets=[listener])
    return server.code


async def _first_admin_token(url: str) -> str | None:
    db = Database(url, {})
    try:
        async with db.begin() as session:
            return await service.first_admin_link(session)
    finally:
        await db.close()


def _leave(_signal: int, _frame: FrameType | None) -> None:
    """SIGTERM ends the server as Ctrl-C does, so that PostgreSQL is stopped too."""
    raise KeyboardInterrupt
