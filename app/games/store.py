"""The games a process holds in memory, and the one way to change a game: under the lock of its row, or in a statement
that does nothing when the row has changed since it was read."""

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from psycopg import Error
from psycopg.errors import UniqueViolation
from psycopg_pool import AsyncConnectionPool

from app import timing
from app.errors import Conflict, NotFound, Refused
from app.games import data, dice, following, repository
from app.games.packing import Base
from app.games.packing import pack as packed
from app.games.packing import unpack as unpacked
from app.games.repository import BASE, NEWEST, START, TAIL, Conn, GameRow, StoredCheckpoint
from app.games.told import Held, Line, pack
from app.games.writer import Writer, prepare
from app.games.writing import NewEntry, Written, append
from rules.core.errors import OutOfStep, Refusal
from rules.core.record import PLAYED, RERUN, Entry
from rules.core.referee import Checkpoint, Referee
from rules.core.title import Title

log = logging.getLogger(__name__)
T = TypeVar("T")

AT_ONCE: dict[str, Any] = {"autocommit": True, "prepare_threshold": 0}  # every statement is a transaction
LARGE = 3000  # bytes of a difference, from which on the next get another base


async def _planned_once(conn: Conn) -> None:
    """What is done to games goes by their keys: each statement is planned once for each connection."""
    conn.prepare_threshold = 0
    await conn.set_autocommit(True)
    await conn.execute("set plan_cache_mode = force_generic_plan")
    await conn.set_autocommit(False)


class NotLocked(Exception):
    """What is being done needs the row's lock and a transaction."""


def stored(checkpoint: Checkpoint, phase: str, title: Title, base: Base | None) -> StoredCheckpoint:
    """As its difference from `base`, or whole."""
    state = base.difference(checkpoint.state) if base else packed(checkpoint.state)
    return StoredCheckpoint(phase, checkpoint.seq, title.schema, title.version, state, base.name if base else None)


def points(referee: Referee, base: Base | None) -> list[StoredCheckpoint]:
    """The phases begun since the last call, and the newest position unless a phase began with it."""
    phases = referee.drain_phases()
    newest = [] if phases and phases[-1] is referee.newest else [(referee.newest, NEWEST)]
    return [stored(p, phase, referee.title, base) for p, phase in [*((p, p.phase) for p in phases), *newest]]


def opened(checkpoint: StoredCheckpoint) -> tuple[bytes, Base | None]:
    """The state of a stored checkpoint, and the base for later ones: its own, or itself if it may be one."""
    if checkpoint.base is not None and checkpoint.base_state is not None:
        base = Base(checkpoint.base, unpacked(checkpoint.base_state))
        return base.whole(checkpoint.state), base
    state = unpacked(checkpoint.state)
    lasting = checkpoint.phase == START or checkpoint.phase.startswith(BASE)
    return state, Base(checkpoint.phase, state) if lasting else None


def note(game_id: str, kind: str, number: int, origin: str = "") -> str:
    """A notification: `e` entries up to a number, `c` the card, `m` a chat line, `b` a bot may be asked,
    `u` (of no game) that a user's lines end."""
    return f"{game_id}:{kind}:{number}:{origin}"


async def load(conn: Conn, row: GameRow) -> Held:
    """A game from its newest checkpoint and what stands since. Raises Conflict when the rules no longer fit it."""
    checkpoint = await repository.newest_checkpoint(conn, row.id)
    assert checkpoint is not None, f"game {row.id} has no checkpoint"
    return await resume(conn, row, checkpoint, None)


async def resume(conn: Conn, row: GameRow, checkpoint: StoredCheckpoint, before: int | None) -> Held:
    """A game re-run from a checkpoint through the entries that stand, to the one before `before`."""
    title = data.title(row.title)
    entries = await repository.standing(conn, row.id, checkpoint.seq, before)
    cup = dice.Cup(dice.key(row.dice, title.seats, row.dice_seed), row.rolls)
    state, base = opened(checkpoint)
    point = Checkpoint(checkpoint.seq, checkpoint.phase, state)
    pinned = await data.pinned(conn, row.data_digest)
    try:
        referee = Referee.resume(title, pinned, point, checkpoint.schema, entries, cup, row.seq)
        if cup.made != row.rolls:
            raise OutOfStep("the rules roll where the record has nothing")
        if before is None and row.status != "finished" and list(referee.asked) != row.waiting_for:
            raise OutOfStep(f"the rules ask {referee.asked}, the game waits for {row.waiting_for}")
    except Exception as fault:  # whatever a title's rules raise
        log.error("game %s: %s", row.id, fault)
        raise Conflict("games.out_of_step") from fault
    return Held(referee, await repository.tail(conn, row.id), row.seq, checkpoint.seq, base, row)


def catch_up(held: Held, entries: list[Entry], row: GameRow) -> None:
    """Carries out in memory what was added elsewhere, up to `row`. Raises OutOfStep."""
    referee = held.referee
    pending = referee.pending
    referee.follow(entries)
    if list(referee.asked) != row.waiting_for and row.status != "finished":
        raise OutOfStep(f"the rules ask {referee.asked}, the game waits for {row.waiting_for}")
    referee.drain_phases()
    referee.chance.made = row.rolls
    held.line = [*held.line, *map(light, entries)][-TAIL:]
    held.saved = referee.newest.seq
    if referee.pending is not pending:
        held.opened = row.seq


def light(entry: Entry) -> Entry:
    """An entry without what it answered and told: what take-backs go by."""
    return replace(entry, answer=None, told={})


class Table:
    """A game at one change. What is written here is told when it is committed.

    Locked by a transaction of `conn`; or, without one, as it is in memory: then there is one `write`, kept until
    `commit`, and all else raises NotLocked. `before` and `asked_before`: entry and seats asked before the change.
    """

    def __init__(self, conn: Conn | None, row: GameRow, store: "Store | None" = None, held: Held | None = None) -> None:
        self._conn, self.row, self.store, self._held = conn, row, store, held
        self.before, self.asked_before = row.seq, row.waiting_for
        self.lines: list[Line] = []
        self.card_changed = False
        self.notified: list[tuple[str, int]] = []
        self.outgrown: Checkpoint | None = None  # what differs too much from the base
        self._kept: Written | None = None

    @property
    def conn(self) -> Conn:
        if self._conn is None:
            raise NotLocked
        return self._conn

    async def held(self) -> Held:
        if self._held is None:
            self._held = await self.store.held(self.conn, self.row) if self.store else await load(self.conn, self.row)
        return self._held

    def put(self, held: Held) -> None:
        """Puts a re-run game in the place of the one in memory."""
        self._held = held
        if self.store:
            self.store.keep(self.row.id, held)

    @property
    def in_memory(self) -> Held | None:
        return self._held

    @property
    def touched(self) -> bool:
        """Whether the game in memory is no more what it was before."""
        return self._held is not None and self._held.referee.seq != self.before

    async def write(self, seat: str | None, made: Sequence[Entry], *, by: int | None = None, key: str | None = None,
                    points: Sequence[StoredCheckpoint] = (), result: dict[str, Any] | None = None) -> list[Line]:
        """Adds entries to the record and moves the game on. A result ends it."""
        row, held, now = self.row, self._held, timing.now()
        cup = held.referee.chance if held else None
        faces = cup.faces if isinstance(cup, dice.Cup) else {}
        new = [NewEntry(e, now, None if e.seat is None or e.forced else by, key if e is made[0] else None,
                        None if e.roll_no is None else faces[e.roll_no], pack(e.told)) for e in made]  # fmt: skip
        over = result is not None
        answered = over or any(e.kind in (*RERUN, "take_back") for e in made)
        undo_request = None if answered else row.undo_request
        draw_offer = row.draw_offer if row.draw_offer == seat or not answered else None
        draw_offer = None if over else draw_offer
        self.card_changed |= over or undo_request != row.undo_request or draw_offer != row.draw_offer
        row.undo_request, row.draw_offer = undo_request, draw_offer
        row.seq = made[-1].seq
        if held:
            held.referee.seq = row.seq
            held.line = [*held.line, *(light(e) for e in made if e.kind in PLAYED)][-TAIL:]
            row.rolls = held.referee.chance.made
            row.waiting_for = list(held.referee.asked)
        if result is not None:
            row.status, row.result, row.waiting_for = "finished", result, []
        written = Written(
            row.id, seat if answered else None, new, points, row.seq, row.waiting_for, row.rolls, row.status, result,
            undo_request, draw_offer, note(row.id, "e", row.seq, self.store.origin if self.store else ""),
        )  # fmt: skip
        if held and points and len(points[-1].state) > LARGE:
            self.outgrown = held.referee.newest
        if self._conn is not None:
            row.version = await append(self._conn, written)
        elif self._kept is None:
            self._kept = written
        else:
            raise NotLocked
        lines = [Line(n.entry.seq, now, n.entry.seat, n.entry.kind, n.entry.clause, False, n.entry.forced, n.sides,
                      n.entry.told) for n in new]  # fmt: skip
        self.lines += lines
        return lines

    async def commit(self, store: "Store") -> bool:
        """Writes what was kept, unless the row has changed meanwhile, and lets follow what follows. False: nothing was
        done."""
        assert self._kept is not None
        self._kept.version = self.row.version
        if not following.concerned(self):
            self.row.version = await store.writer.write(self._kept)
            return self.row.version is not None
        async with store.quick.connection() as conn, conn.transaction():
            self.row.version = await append(conn, self._kept)
            if self.row.version is None:
                return False
            self._conn = conn
            if await following.all_follow(self):
                self.row.version = await repository.version(conn, self.row.id)
        return True

    async def update(self, **values: Any) -> None:
        """Sets columns of the game that the card shows."""
        for name, value in values.items():
            setattr(self.row, name, value)
        await repository.update_game(self.conn, self.row.id, **values)
        self.row.version = None
        await self.notify("c")

    async def notify(self, kind: str, number: int = 0) -> None:
        self.notified.append((kind, number))
        await repository.notify(self.conn, note(self.row.id, kind, number))


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
        entries = await repository.added(conn, row.id, held.referee.seq, row.seq)
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
                    if await repository.keep_base(conn, game_id, new, held.row.version):
                        held.base = Base(new.phase, point.state)
            except (Error, OSError):
                log.exception("game %s: no new base", game_id)
