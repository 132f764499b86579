"""Commits the changes of games in memory: all that wait when a connection is free go in one statement, and with it
what their reactions write. That is one transaction and one round trip (libpq's pipeline)."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import orjson
from psycopg import Error, OperationalError, pq
from psycopg.errors import error_from_result
from psycopg_pool import AsyncConnectionPool

from app.games.repository import Conn
from app.games.statement import STATEMENT, Written, arguments

log = logging.getLogger(__name__)

CONNECTIONS = 2  # connections: one computes while the other waits for the disk
LARGEST = 64  # changes of one statement
NAME = "changes"
# One plan for good, by the keys of the games: to make it takes longer than to run it.
SETTINGS = ("plan_cache_mode = force_generic_plan", "enable_seqscan = off", "enable_hashjoin = off",
            "enable_mergejoin = off")  # fmt: skip


async def prepare(conn: Conn, besides: Mapping[str, str]) -> None:
    """For a connection of which every statement is a transaction. `besides`: the statements of reactions."""
    for setting in SETTINGS:
        await conn.execute(f"set {setting}".encode())
    await conn.execute(f"prepare {NAME}(jsonb, bytea) as {STATEMENT}".encode())
    for name, statement in besides.items():
        await conn.execute(f"prepare {name}(jsonb) as {statement}".encode())


class _Waiting:
    """A change, and what comes of it: the row's new version, or None."""

    __slots__ = ("alone", "new", "outcome")

    def __init__(self, new: Written, outcome: "asyncio.Future[str | None]") -> None:
        self.new, self.outcome, self.alone = new, outcome, False

    def fail(self, error: Exception) -> None:
        if not self.outcome.done():
            self.outcome.set_exception(error)


class Writer:
    """Each change is acknowledged when it is committed. One whose row has changed meanwhile or is locked is left out;
    what a statement with several of them breaks on, an idempotency key that was there before, is found by writing each
    by itself. No change waits for another of the same game: who writes holds the process's lock of the game."""

    def __init__(self, pool: AsyncConnectionPool[Conn]) -> None:
        """The connections of `pool` were prepared."""
        self.pool = pool
        self._waiting: deque[_Waiting] = deque()
        self.connections: set[_Connection] = set()
        self._free: list[_Connection] = []
        self._opening: set[asyncio.Task[None]] = set()
        self._due = False

    async def open(self) -> None:
        for _ in range(CONNECTIONS):
            await self._open_connection()

    async def close(self) -> None:
        for task in list(self._opening):
            task.cancel()
        for connection in list(self.connections):
            self.connections.discard(connection)
            await self.pool.putconn(connection.leave(OperationalError("the server stops")))

    async def write(self, new: Written, meanwhile: Callable[[], None] = lambda: None) -> str | None:
        """The row's new version; None when nothing was written. `meanwhile` is called while the database writes. Raises
        psycopg's errors: UniqueViolation for a key that was there before. A task that is cancelled meanwhile learns
        the outcome nevertheless, and is cancelled where it waits next."""
        outcome: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(new, outcome))
        self._go_on()
        asyncio.get_running_loop().call_soon(meanwhile)
        task, cancelled = asyncio.current_task(), False
        while not outcome.done():
            try:
                return await asyncio.shield(outcome)
            except asyncio.CancelledError:
                cancelled = True
        if cancelled and task is not None:
            task.cancel()
        return outcome.result()

    def _go_on(self) -> None:
        """What else comes in this turn of the loop goes along."""
        if self._free and self._waiting and not self._due:
            self._due = True
            asyncio.get_running_loop().call_soon(self._send)

    def _send(self) -> None:
        self._due = False
        while self._free and self._waiting:
            batch = [self._waiting.popleft()]
            while self._waiting and len(batch) < LARGEST and not (batch[0].alone or self._waiting[0].alone):
                batch.append(self._waiting.popleft())
            try:
                texts, besides = arguments([one.new for one in batch]), _besides(batch)
            except Exception as error:  # what can't be written as JSON
                self.failed(batch, error)
            else:
                self._free.pop().send(batch, texts, besides)

    def done(self, connection: "_Connection") -> None:
        """A connection has nothing more to do."""
        self._free.append(connection)
        self._go_on()

    def failed(self, batch: Sequence[_Waiting], error: Exception) -> None:
        """Nothing was written: several are tried again, each by itself."""
        if len(batch) == 1:
            batch[0].fail(error)
            return
        for one in batch:
            one.alone = True
        self._waiting.extendleft(reversed(batch))

    def lost(self, connection: "_Connection", error: Error) -> None:
        """A connection is broken: whether its changes are committed is not known. Another is opened."""
        log.warning("a connection to the database is lost: %s", error)
        if connection in self._free:
            self._free.remove(connection)
        self.connections.discard(connection)
        task = asyncio.create_task(self._replace(connection.leave(error)))
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    async def _replace(self, broken: Conn) -> None:
        await self.pool.putconn(broken)
        while True:
            try:
                return await self._open_connection()
            except Error as error:
                if not self.connections:
                    while self._waiting:
                        self._waiting.popleft().fail(error)

    async def _open_connection(self) -> None:
        connection = _Connection(self, await self.pool.getconn())
        self.connections.add(connection)
        self.done(connection)


def _besides(batch: Sequence[_Waiting]) -> dict[str, bytes]:
    """What the statements of reactions are given, by their names."""
    names = {name: None for one in batch for name in one.new.besides}
    return {name: orjson.dumps([one.new.besides[name] for one in batch if name in one.new.besides]) for name in names}


class _Connection:
    """One connection, listened to all the time. psycopg's own cursors take several times as long for a statement."""

    def __init__(self, writer: Writer, conn: Conn) -> None:
        self.writer, self.conn, self.pg = writer, conn, conn.pgconn
        self.batch: list[_Waiting] = []
        self.result: Any = None  # of the first statement, or of the one that broke
        self.pg.enter_pipeline_mode()
        self._loop, self._socket = asyncio.get_running_loop(), self.pg.socket
        self._loop.add_reader(self._socket, self._hear)

    def leave(self, error: Exception) -> Conn:
        """Gives the connection back; what it was to write fails."""
        self._loop.remove_reader(self._socket)
        self._loop.remove_writer(self._socket)
        batch, self.batch = self.batch, []
        for one in batch:
            one.fail(error)
        with suppress(Error):  # a broken one is not used again
            self.pg.exit_pipeline_mode()
        return self.conn

    def send(self, batch: list[_Waiting], arguments: Sequence[bytes], besides: Mapping[str, bytes]) -> None:
        self.batch, self.result = batch, None
        try:
            self.pg.send_query_prepared(NAME.encode(), arguments, (pq.Format.TEXT, pq.Format.BINARY))
            for name, body in besides.items():
                self.pg.send_query_prepared(name.encode(), [body], [pq.Format.TEXT])
            self.pg.pipeline_sync()
            if self.pg.flush():
                self._loop.add_writer(self._socket, self._push)
        except OperationalError as error:
            self.writer.lost(self, error)

    def _push(self) -> None:
        try:
            if not self.pg.flush():
                self._loop.remove_writer(self._socket)
        except OperationalError as error:
            self.writer.lost(self, error)

    def _hear(self) -> None:
        try:
            self.pg.consume_input()
            while self.batch and not self.pg.is_busy():
                result = self.pg.get_result()
                if result is None:  # the end of one statement
                    continue
                if result.status == pq.ExecStatus.PIPELINE_SYNC:
                    self._end()
                elif self.result is None or result.status == pq.ExecStatus.FATAL_ERROR:
                    self.result = result
        except OperationalError as error:
            self.writer.lost(self, error)

    def _end(self) -> None:
        batch, self.batch, result = self.batch, [], self.result
        if result.status == pq.ExecStatus.TUPLES_OK:
            written = {result.get_value(row, 0): result.get_value(row, 1) for row in range(result.ntuples)}
            for one in batch:
                version = written.get(one.new.game.encode())
                if not one.outcome.done():
                    one.outcome.set_result(version.decode() if version else None)
        else:
            self.writer.failed(batch, error_from_result(result, encoding="utf-8"))
        self.writer.done(self)
