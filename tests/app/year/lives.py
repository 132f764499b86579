"""The server through its lives: started, spoken to over HTTP, killed in the middle of its work."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from typing import Any

import psycopg
from psycopg.rows import dict_row

from app.config import Settings
from tests.app.year.browsers import Answer, Browsers
from tests.app.year.clock import Clock, wake
from tests.app.year.people import Person
from tests.conftest import PASSWORD

PATIENCE = 120.0  # seconds that the server may take for anything on a busy machine
DOING = "select id from procrastinate_jobs where status = 'doing'"
DUE = """select count(*) as n from procrastinate_jobs where (status = 'doing' and id <> all(%s))
    or (status = 'todo' and (scheduled_at is null or scheduled_at <= %s))"""


class Lost(Exception):
    """The server died before it answered: nobody knows whether it has been done."""


@dataclass
class Server:
    """`caught`: how often a kill met a job while it was being done; `said`: HTTP answers by status; `faults`: those of
    500 and above, which there should be none of."""

    settings: Settings
    environment: dict[str, str]
    clock: Clock
    conn: psycopg.AsyncConnection[Any]
    caught: Counter[int] = field(default_factory=Counter)
    said: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    kills: int = 0
    lost: int = 0
    up: asyncio.Event = field(default_factory=asyncio.Event)
    _dead: list[int] = field(default_factory=list)
    _dead_workers: list[int] = field(default_factory=list)
    _process: ForkServerProcess | None = None
    _line: Connection | None = None
    _http: Browsers | None = None

    async def start(self) -> None:
        context = get_context("forkserver")
        context.set_forkserver_preload(["__main__", __name__, "tests.app.year.server"])
        self._line, theirs = context.Pipe()
        arguments = (self.settings, self.environment, self.clock.shared, theirs)
        self._process = context.Process(target=_serve, args=arguments, daemon=True)
        self._process.start()
        theirs.close()
        port = await self._hear()
        self._http = Browsers(port)
        self.up.set()

    async def kill(self) -> None:
        """SIGKILL, whatever it is doing; its jobs are nobody's then."""
        if not self.up.is_set():
            return
        assert self._process is not None
        assert self._http is not None
        assert self._line is not None
        self.up.clear()
        self._process.kill()
        await asyncio.to_thread(self._process.join)
        self._http.close()
        self._line.close()
        self.kills += 1
        while await self._count("""select count(*) as n from pg_stat_activity where datname = current_database()
                and pid <> pg_backend_pid()"""):  # fmt: skip
            await asyncio.sleep(0.005)  # its connections end what they were at
        self._dead = [row["id"] for row in await self.rows(DOING)]
        self.caught.update(self._dead)
        self._dead_workers = [row["id"] for row in await self.rows("select id from procrastinate_workers")]

    async def _hear(self) -> Any:
        assert self._line is not None
        async with asyncio.timeout(PATIENCE):
            while not self._line.poll():
                await asyncio.sleep(0.002)
        return self._line.recv()

    # -- time ----------------------------------------------------------------------------------------

    async def advance(self, at: datetime) -> None:
        """Moves time on. The worker that lives has given its signs of life meanwhile."""
        await self.clock.set(self.conn, at)
        await self.conn.execute(
            "update procrastinate_workers set last_heartbeat = now() where id <> all(%s)", (self._dead_workers,)
        )
        await wake(self.conn)

    async def pass_on(self, word: str) -> None:
        """What happens by itself as time passes, once."""
        assert self._line is not None
        self._line.send(word)
        assert await self._hear() == word

    async def settled(self) -> None:
        """Waits until no job is due or being done, but for those of a server that was killed."""
        tries = 0
        while await self._count(DUE, (self._dead, self.clock.now)):
            tries += 1
            if tries % 5 == 0:
                await wake(self.conn)
            assert tries < PATIENCE / 0.005, f"stuck: {await self.rows('select * from procrastinate_jobs limit 5')}"
            await asyncio.sleep(0.005)

    def rescued(self) -> None:
        """From now on the jobs of the dead have to be done like any."""
        self._dead = []

    async def rows(self, query: str, args: Any = ()) -> list[dict[str, Any]]:
        async with self.conn.cursor(row_factory=dict_row) as cursor:
            await cursor.execute(query.encode(), args)
            return await cursor.fetchall()

    async def _count(self, query: str, args: Any = ()) -> int:
        return int((await self.rows(query, args))[0]["n"])

    # -- people --------------------------------------------------------------------------------------

    async def call(
        self, who: Person, method: str, path: str, body: Any = None, form: dict[str, Any] | None = None
    ) -> Answer:
        """What the server says; who is signed out by time signs in again. Raises Lost."""
        answer = await self._call(who, method, path, body, form)
        if answer.status == 401 and who.user:  # a kill may have met the signing in, too
            who.cookie = ""
            again = await self._call(who, "POST", "/api/session", {"name": who.name, "password": PASSWORD}, None)
            again.checked()
            answer = await self._call(who, method, path, body, form)
        return answer

    async def _call(self, who: Person, method: str, path: str, body: Any, form: dict[str, Any] | None) -> Answer:
        await self.up.wait()
        assert self._http is not None
        try:
            answer = await self._http.ask(method, path, who, body, form)
        except (OSError, asyncio.IncompleteReadError) as gone:
            self.lost += 1
            raise Lost from gone
        self.said[answer.status] += 1
        if answer.status >= 500:
            self.faults.append(f"{method} {path}: {answer.text[:300]}")
        name, _, rest = answer.headers.get("set-cookie", "").partition("=")
        if name == "session":
            who.cookie = f"session={rest.partition(';')[0]}"
        return answer


def _serve(*arguments: Any) -> None:
    """In the new process. The module is imported there alone: it changes what Python's clock says."""
    import_module("tests.app.year.server").run(*arguments)


def deadline(card: dict[str, Any], seat: str) -> datetime | None:
    """Until when a seat has time, as a game's card says."""
    found = card["clock"]["seats"][seat]["deadline"] if card["clock"] else None
    return datetime.fromisoformat(found) if found else None
