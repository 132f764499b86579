"""The games a process holds in memory, and the one way to change a game: under the lock of its row, or in a statement
that does nothing when the row has changed since it was read."""

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from psycopg import Error
from psycopg.errors import UniqueViolation
from psycopg_pool import AsyncConnectionPool

from app.errors import NotFound, Refused
from app.games import dice, following, record, repository
from app.games.change import NotLocked, Table
from app.games.checkpoints import stored
from app.games.loading import catch_up, load
from app.games.packing import Base
from app.games.record import BASE
from app.games.repository import Conn, GameRow
from app.games.told import Held
from app.games.writer import Writer, prepare
from rules.core.errors import OutOfStep, Refusal
from rules.core.record import PLAYED
from rules.core.referee import Checkpoint

log = logging.getLogger(__name__)
T = TypeVar("T")

AT_ONCE: dict[str, Any] = {"autocommit": True, "prepare_threshold": 0}  # every statement is a transaction


async def _planned_once(conn: Conn) -> None:
    """What is done to games goes by their keys: each statement is planned once for each connection."""
    conn.prepare_threshold = 0
    await conn.set_autocommit(True)
    await conn.execute("set plan_cache_mode = force_generic_plan")
    await conn.set_autocommit(False)


class Store:
    """Keeps the most recently used games in memory. Any error drops the game concerned; the next use loads it."""

    def __init__(self, conninfo: str, size: int) -> None:
        self.pool: AsyncConnectionPool[Conn] = AsyncConnectionPool(
            conninfo, min_size=1, max_size=16, open=False, name="games", configure=_planned_once
        )
        self.quick: AsyncConnectionPool[Conn] = AsyncConnectionPool(
            conninfo, min_size=3, max_size=12, open=False, name="answers", configure=prepare, kwargs=AT_ONCE
        )  # fmt: skip
        self.writer = Writer(self.quick)
        self.size = size
        self.origin = secrets.token_hex(4)
        self.has_bots = False  # whether this process answers for bots
        self.told: Callable[[Table], None] = lambda _table: None
        self._games: OrderedDict[str, Held] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        await self.pool.open()
        await self.quick.open()
        await self.writer.open()

    async def close(self) -> None:
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.writer.close()
        await self.quick.close()
        await self.pool.close()

    def lock(self, game_id: str) -> asyncio.Lock:
        """One change of a game at a time in this process; the row's lock does the same between processes."""
        return self._locks.setdefault(game_id, asyncio.Lock())

    def keep(self, game_id: str, held: Held) -> None:
        self._games[game_id] = held
        self._games.move_to_end(game_id)
        while len(self._games) > self.size:
            self._games.popitem(last=False)

    @property
    def held_games(self) -> int:
        """How many games are in memory."""
        return len(self._games)

    def drop(self, game_id: str) -> None:
        self._games.pop(game_id, None)

    def _fresh(self, row: GameRow) -> Held | None:
        held = self._games.get(row.id)
        if held is None or held.referee.seq != row.seq or held.referee.chance.made != row.rolls:
            return None
        self._games.move_to_end(row.id)
        if held.referee.chance.key is None:
            held.referee.chance.key = dice.key(row.dice, held.referee.title.seats, row.dice_seed)
        return held

    async def held(self, conn: Conn, row: GameRow) -> Held:
        """The game of a locked row, from memory or loaded."""
        held = self._fresh(row) or await self._follow(conn, row)
        if held is None:
            held = await load(conn, row)
            self.keep(row.id, held)
        held.row = replace(row)  # the caller's stays as it was read
        return held

    async def _follow(self, conn: Conn, row: GameRow) -> Held | None:
        """The game in memory, brought forward by what other processes added to its record; None when that is not all
        they did to it."""
        held = self._games.get(row.id)
        if held is None or not held.referee.seq < row.seq:
            return None
        entries = await record.added(conn, row.id, held.referee.seq, row.seq)
        if len(entries) != row.seq - held.referee.seq or any(e.kind not in PLAYED for e in entries):
            return None
        try:
            catch_up(held, entries, row)
        except (OutOfStep, Refusal):
            self.drop(row.id)  # to be loaded: that says what does not fit
            return None
        return self._fresh(row)

    async def row(self, game_id: str) -> GameRow:
        """Raises NotFound."""
        async with self.quick.connection() as conn:
            row = await repository.game(conn, game_id)
        if row is None:
            raise NotFound("games.no_game")
        return row

    async def look(self, game_id: str) -> tuple[GameRow, Held]:
        """A game as it was last committed, to be read before anything else is awaited. Raises NotFound."""
        row = await self.row(game_id)
        held = self._fresh(row)
        if held is not None:
            return row, held
        async with self.lock(game_id):
            return await self.look_locked(game_id)

    async def look_locked(self, game_id: str) -> tuple[GameRow, Held]:
        """As `look`, for one who holds the process's lock of the game."""
        async with self.quick.connection() as conn:
            row = await repository.game(conn, game_id)
            held = (self._fresh(row) or await self._follow(conn, row)) if row else None
        if row is not None and held is not None:
            held.row = replace(row)
            return row, held
        async with self.pool.connection() as conn:
            row = await repository.lock(conn, game_id)
            if row is None:
                raise NotFound("games.no_game")
            return row, await self.held(conn, row)

    async def change(self, game_id: str, deed: Callable[[Table], Awaitable[T]], key: str | None = None) -> T:
        """As `changing`, for a deed that a game in memory is enough for: then it takes one statement. What it refuses,
        and what meets a row or a key that came from elsewhere, is done again under the lock, which decides."""
        async with self.lock(game_id):
            table = self._from_memory(game_id)
            if table is not None:
                try:
                    done = await deed(table)
                    if await table.commit(self):
                        self._done(table)
                        return done
                except (Refused, Refusal, NotLocked, UniqueViolation):
                    pass
                except BaseException:
                    self.drop(game_id)
                    raise
                if table.touched:
                    self.drop(game_id)
            async with self._locked(game_id, key) as table:
                return await deed(table)

    def _from_memory(self, game_id: str) -> Table | None:
        held = self._games.get(game_id)
        row = held.row if held else None
        if held is None or row is None or row.version is None or row.status != "active" or self._fresh(row) is None:
            return None
        row.repeated = None
        return Table(None, row, self, held)

    @asynccontextmanager
    async def changing(self, game_id: str, key: str | None = None) -> AsyncIterator[Table]:
        """A game to be changed: committed and then told at the end; nothing stays of it after an exception."""
        async with self.lock(game_id), self._locked(game_id, key) as table:
            yield table

    @asynccontextmanager
    async def _locked(self, game_id: str, key: str | None) -> AsyncIterator[Table]:
        table: Table | None = None
        try:
            async with self.pool.connection() as conn:
                row = await repository.lock(conn, game_id, key)
                if row is None:
                    raise NotFound("games.no_game")
                table = Table(conn, row, self)
                yield table
                await following.all_follow(table)
                held = table.in_memory or self._games.get(game_id)
                if held is not None:
                    row.version = await repository.version(conn, game_id)
                    held.row = row
        except (Refused, Refusal):
            if table and table.touched:
                self.drop(game_id)
            raise
        except BaseException:
            self.drop(game_id)
            raise
        self._done(table)

    def _done(self, table: Table) -> None:
        self.told(table)
        if table.outgrown is not None:
            task = asyncio.create_task(self._keep_base(table, table.outgrown))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _keep_base(self, table: Table, point: Checkpoint) -> None:
        """Stores a position whole, beside the answers, from which later ones are told apart; unless it was taken back
        meanwhile or the row has changed elsewhere."""
        held, game_id = table.in_memory, table.row.id
        async with self.lock(game_id):
            if held is None or held is not self._games.get(game_id) or held.row is None or held.row.version is None:
                return
            new = stored(point, f"{BASE}{point.seq}", held.referee.title, None)
            try:
                async with self.quick.connection() as conn:
                    if await record.keep_base(conn, game_id, new, held.row.version):
                        held.base = Base(new.phase, point.state)
            except (Error, OSError):
                log.exception("game %s: no new base", game_id)
