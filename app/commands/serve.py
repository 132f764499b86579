"""Serves the site; starts its own PostgreSQL in the data folder, or uses DATABASE_URL."""

import argparse
import asyncio
import contextlib
import fcntl
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import uvicorn

from app import garbage, postgres
from app.accounts import service
from app.config import ROOT, Settings
from app.db import Database, migrate
from app.main import create_app
from app.operations import logs
from app.sockets import Protocol

CLOSING_TIME = 1  # seconds that open requests and sockets get at the end


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
        with locked(data), listening(args.host, args.port) as listener, database(data) as settings:
            _serve(settings, listener)
    except (CanNotServe, postgres.PostgresError) as problem:
        say(str(problem))
        return 1
    except KeyboardInterrupt:
        pass
    say("stopped.")
    return 0


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
    settings = Settings(data=data)
    if settings.database_url:
        yield settings
        return
    say("starting PostgreSQL ...")
    with postgres.running(data / "postgres") as server:
        yield settings.model_copy(update={"database_url": server.url()})


class Announced(uvicorn.Server):
    """Says that it serves when it does, not before."""

    def __init__(self, config: uvicorn.Config, lines: list[str]) -> None:
        super().__init__(config)
        self._lines = lines

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for line in self._lines:
            say(line)


def _serve(settings: Settings, listener: socket.socket) -> None:
    logs.set_up(settings.log, settings.log_level)
    migrate(settings.database_url)
    host, port = listener.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    base = f"http://{shown}:{port}"
    lines = [f"serving {base}/ (Ctrl-C stops)"]
    if token := asyncio.run(_first_admin_token(settings.database_url)):
        lines.append(f"there is no admin yet; this link makes one, once: {base}/first-admin/{token}")
    config = uvicorn.Config(
        create_app(settings.model_copy(update={"worker": settings.worker is not False})),
        timeout_graceful_shutdown=CLOSING_TIME,
        log_config=None,
        server_header=False,
        ws=Protocol,
    )
    garbage.collect_seldom()
    Announced(config, lines).run(sockets=[listener])


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
