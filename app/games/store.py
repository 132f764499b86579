"""The games a process holds in memory, and the one way to change a game: under the lock of its row, or in a statement
that does nothing when the row has changed since it was read."""

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from psycopg import Error
from psycopg.errors import UniqueViolation
from psycopg_pool import AsyncConnectionPool

from app.db import alive
from app.errors import NotFound, Refused
from app.games import dice, record, repository
from app.games.change import Change, NotLocked
from app.games.checkpoints import stored
from app.games.loading import catch_up, load
from app.games.reactions import Reactions
from app.games.record import BASE
from app.games.repository import Conn, GameRow
from app.games.statement import append
from app.games.told import LoadedGame
from app.games.writer import Writer, prepare
from app.packing import Base
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

    def __init__(self, conninfo: str, size: int, reactions: Reactions) -> None:
        """`reactions`: what follows each change in its transaction; `size`: games."""
        self.pool: AsyncConnectionPool[Conn] = AsyncConnectionPool(
            conninfo, min_size=1, max_size=16, open=False, name="games", configure=_planned_once, check=alive
        )
        self.quick: AsyncConnectionPool[Conn] = AsyncConnectionPool(
            conninfo, min_size=3, max_size=12, open=False, name="answers", kwargs=AT_ONCE,
            configure=partial(prepare, besides=reactions.statements),
            check=alive,
        )  # fmt: skip
        self.writer = Writer(self.quick)
        self.size, self.reactions = size, reactions
        self.origin = secrets.token_hex(4)
        self.has_bots = False  # whether this process answers for bots
        self.watched: Callable[[str], bool] = lambda _game: False  # whether somebody has a game open here
        self.told: Callable[[Change], None] = lambda _change: None  # when a change is committed,
        self.foretold: Callable[[Change], None] = lambda _change: None  # and while the database writes it
        self._games: OrderedDict[str, LoadedGame] = OrderedDict()
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

    def keep(self, game_id: str, loaded: LoadedGame) -> None:
        """The `size` most recently used stay, and all that somebody has open: one connection more than there is room
        for, and each of their answers would load its game anew."""
        self._games[game_id] = loaded
        self._games.move_to_end(game_id)
        if len(self._games) <= self.size:
            return
        for oldest in [game for game in self._games if not self.watched(game)][: -self.size or None]:
            del self._games[oldest]

    @property
    def held_games(self) -> int:
        """How many games are in memory."""
        return len(self._games)

    def drop(self, game_id: str) -> None:
        self._games.pop(game_id, None)

    def _fresh(self, row: GameRow) -> LoadedGame | None:
        loaded = self._games.get(row.id)
        if loaded is None or loaded.referee.seq != row.seq or loaded.referee.chance.made != row.rolls:
            return None
        self._games.move_to_end(row.id)
        if loaded.referee.chance.key is None:
            loaded.referee.chance.key = dice.key(row.dice, list(row.seats), row.dice_seed)
        return loaded

    async def loaded(self, conn: Conn, row: GameRow) -> LoadedGame:
        """The game of a locked row, from memory or loaded."""
        loaded = self._fresh(row) or await self._follow(conn, row)
        if loaded is None:
            loaded = await load(conn, row)
            self.keep(row.id, loaded)
        loaded.row = replace(row)  # the caller's stays as it was read
        return loaded

    async def _follow(self, conn: Conn, row: GameRow) -> LoadedGame | None:
        """The game in memory, brought forward by what other processes added to its record; None when that is not all
        they did to it."""
        loaded = self._games.get(row.id)
        if loaded is None or not loaded.referee.seq < row.seq:
            return None
        entries = await record.added(conn, row.id, loaded.referee.seq, row.seq)
        if len(entries) != row.seq - loaded.referee.seq or any(e.kind not in PLAYED for e in entries):
            return None
        try:
            catch_up(loaded, entries, row)
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

    async def look(self, game_id: str) -> tuple[GameRow, LoadedGame]:
        """A game as it was last committed, to be read before anything else is awaited. Raises NotFound."""
        row = await self.row(game_id)
        loaded = self._fresh(row)
        if loaded is not None:
            return row, loaded
        async with self.lock(game_id):
            return await self.look_locked(game_id)

    async def look_locked(self, game_id: str) -> tuple[GameRow, LoadedGame]:
        """As `look`, for one who holds the process's lock of the game."""
        async with self.quick.connection() as conn:
            row = await repository.game(conn, game_id)
            loaded = (self._fresh(row) or await self._follow(conn, row)) if row else None
        if row is not None and loaded is not None:
            loaded.row = replace(row)
            return row, loaded
        async with self.pool.connection() as conn:
            row = await repository.lock(conn, game_id)
            if row is None:
                raise NotFound("games.no_game")
            return row, await self.loaded(conn, row)

    async def perform(self, game_id: str, deed: Callable[[Change], Awaitable[T]], key: str | None = None) -> T:
        """As `locked`, for a deed that a game in memory is enough for: then it takes one statement, and what it refuses
        is looked at once. What meets a row or a key that came from elsewhere is done again under the lock, which
        decides."""
        async with self.lock(game_id):
            change = self._from_memory(game_id)
            if change is not None:
                try:
                    done = await deed(change)
                    if await self._commit(change):
                        self._done(change)
                        return done
                except (Refused, Refusal):
                    if not change.touched and await self._still(change.row, key):
                        raise
                except (NotLocked, UniqueViolation):
                    pass
                except BaseException:
                    self.drop(game_id)
                    raise
                if change.touched:
                    self.drop(game_id)
            async with self._locked(game_id, key) as change:
                return await deed(change)

    async def _still(self, row: GameRow, key: str | None) -> bool:
        """Whether a row in memory is the newest, and nothing bears the key."""
        async with self.quick.connection() as conn:
            return await repository.unchanged(conn, row, key)

    async def _commit(self, change: Change) -> bool:
        """Writes what was kept, unless the row has changed meanwhile, and lets follow what follows. False: nothing was
        done."""
        row, besides = change.row, self.reactions.beside(change)
        if besides is not None:
            change.kept.besides = besides
            row.version = await self.writer.write(change.kept, lambda: self.foretold(change))
            return row.version is not None
        async with self.quick.connection() as conn, conn.transaction():
            row.version = await append(conn, change.kept)
            if row.version is None:
                return False
            change.lock(conn)
            if await self.reactions.follow(change):
                row.version = await repository.version(conn, row.id)
        return True

    def _from_memory(self, game_id: str) -> Change | None:
        loaded = self._games.get(game_id)
        row = loaded.row if loaded else None
        if loaded is None or row is None or row.version is None or row.status != "active" or self._fresh(row) is None:
            return None
        row.repeated = None
        return Change(None, row, self, loaded)

    @asynccontextmanager
    async def locked(self, game_id: str, key: str | None = None) -> AsyncIterator[Change]:
        """A game to be changed: committed and then told at the end; nothing stays of it after an exception."""
        async with self.lock(game_id), self._locked(game_id, key) as change:
            yield change

    @asynccontextmanager
    async def _locked(self, game_id: str, key: str | None) -> AsyncIterator[Change]:
        change: Change | None = None
        try:
            async with self.pool.connection() as conn:
                row = await repository.lock(conn, game_id, key)
                if row is None:
                    raise NotFound("games.no_game")
                change = Change(conn, row, self)
                yield change
                await self.reactions.follow(change)
                loaded = change.in_memory or self._games.get(game_id)
                if loaded is not None:
                    row.version = await repository.version(conn, game_id)
                    loaded.row = row
        except (Refused, Refusal):
            if change and change.touched:
                self.drop(game_id)
            raise
        except BaseException:
            self.drop(game_id)
            raise
        self._done(change)

    def _done(self, change: Change) -> None:
        self.told(change)
        if change.outgrown is not None:
            task = asyncio.create_task(self._keep_base(change, change.outgrown))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _keep_base(self, change: Change, point: Checkpoint) -> None:
        """Stores a position whole, beside the answers, from which later ones are told apart; unless it was taken back
        meanwhile or the row has changed elsewhere."""
        loaded, game_id = change.in_memory, change.row.id
        async with self.lock(game_id):
            row = loaded.row if loaded else None
            if loaded is None or loaded is not self._games.get(game_id) or row is None or row.version is None:
                return
            new = stored(point, f"{BASE}{point.seq}", loaded.referee.title, None)
            try:
                async with self.quick.connection() as conn:
                    if await record.keep_base(conn, game_id, new, row.version):
                        loaded.base = Base(new.phase, point.state)
            except (Error, OSError):
                log.exception("game %s: no new base", game_id)
