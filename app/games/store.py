"""The games a process holds in memory, and the one way to change a game: under the lock of its row."""

import asyncio
import logging
import secrets
import zlib
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from weakref import WeakValueDictionary

from psycopg_pool import AsyncConnectionPool

from app.errors import Conflict, NotFound, Refused
from app.games import data, dice, following, repository
from app.games.repository import TAIL, Conn, GameRow, NewEntry, StoredCheckpoint
from app.games.told import FASTEST, Held, Line, pack
from rules.core.errors import BadPosition, OutOfStep, Refusal
from rules.core.record import PLAYED, Entry
from rules.core.referee import Checkpoint, Referee

log = logging.getLogger(__name__)


def stored(checkpoint: Checkpoint, phase: str, schema: int, version: str) -> StoredCheckpoint:
    return StoredCheckpoint(phase, checkpoint.seq, schema, version, zlib.compress(checkpoint.state, FASTEST))


def note(game_id: str, kind: str, number: int, origin: str = "") -> str:
    """A notification: `e` entries up to a number, `c` the card, `m` a chat line, `b` a bot may be asked."""
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
    point = Checkpoint(checkpoint.seq, checkpoint.phase, zlib.decompress(checkpoint.state))
    pinned = await data.pinned(conn, row.data_digest)
    try:
        referee = Referee.resume(title, pinned, point, checkpoint.schema, entries, cup, row.seq)
        if cup.made != row.rolls:
            raise OutOfStep("the rules roll where the record has nothing")
        if before is None and row.status != "finished" and list(referee.asked) != row.waiting_for:
            raise OutOfStep(f"the rules ask {referee.asked}, the game waits for {row.waiting_for}")
    except (OutOfStep, BadPosition, Refusal) as fault:
        log.error("game %s: %s", row.id, fault)
        raise Conflict("games.out_of_step") from fault
    return Held(referee, await repository.tail(conn, row.id), row.seq, checkpoint.seq)


def light(entry: Entry) -> Entry:
    """An entry without what it answered and told: what take-backs go by."""
    return replace(entry, answer=None, told={})


class Table:
    """A game locked for one change. What is written here is told when the transaction is committed."""

    def __init__(self, conn: Conn, row: GameRow, store: "Store | None" = None) -> None:
        self.conn, self.row, self.store = conn, row, store
        self.before = row.seq
        self.lines: list[Line] = []
        self.card_changed = False
        self._held: Held | None = None

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

    async def write(self, seat: str | None, made: Sequence[Entry], *, by: int | None = None, key: str | None = None,
                    points: Sequence[StoredCheckpoint] = (), result: dict[str, Any] | None = None) -> list[Line]:
        """Adds entries to the record and moves the game on. A result ends it."""
        row, held, now = self.row, self._held, datetime.now(UTC)
        cup = held.referee.chance if held else None
        faces = cup.faces if isinstance(cup, dice.Cup) else {}
        new = [NewEntry(e, now, None if e.seat is None or e.forced else by, key if e is made[0] else None,
                        None if e.roll_no is None else faces[e.roll_no], pack(e.told)) for e in made]  # fmt: skip
        over = result is not None
        answered = over or any(e.kind in (*PLAYED, "take_back") for e in made)
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
        await repository.append(
            self.conn, row.id, seat if answered else None, new, points, seq=row.seq, waiting_for=row.waiting_for,
            rolls=row.rolls, status=row.status, result=result, undo_request=undo_request, draw_offer=draw_offer,
            note=note(row.id, "e", row.seq, self.store.origin if self.store else ""),
        )  # fmt: skip
        lines = [Line(n.entry.seq, now, n.entry.seat, n.entry.kind, n.entry.clause, False, n.entry.forced, n.sides,
                      n.entry.told) for n in new]  # fmt: skip
        self.lines += lines
        return lines

    async def update(self, **values: Any) -> None:
        """Sets columns of the game that the card shows."""
        for name, value in values.items():
            setattr(self.row, name, value)
        await repository.update_game(self.conn, self.row.id, **values)
        await self.notify("c")

    async def notify(self, kind: str, number: int = 0) -> None:
        await repository.notify(self.conn, note(self.row.id, kind, number))


class Store:
    """Keeps the most recently used games in memory. Any error drops the game concerned; the next use loads it."""

    def __init__(self, conninfo: str, size: int) -> None:
        self.pool: AsyncConnectionPool[Conn] = AsyncConnectionPool(
            conninfo, min_size=1, max_size=12, open=False, name="games"
        )
        self.size = size
        self.origin = secrets.token_hex(4)
        self.told: Callable[[Table], None] = lambda _table: None
        self._games: OrderedDict[str, Held] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def open(self) -> None:
        await self.pool.open()

    async def close(self) -> None:
        await self.pool.close()

    def lock(self, game_id: str) -> asyncio.Lock:
        """One change of a game at a time in this process; the row's lock does the same between processes."""
        return self._locks.setdefault(game_id, asyncio.Lock())

    def keep(self, game_id: str, held: Held) -> None:
        self._games[game_id] = held
        self._games.move_to_end(game_id)
        while len(self._games) > self.size:
            self._games.popitem(last=False)

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
        held = self._fresh(row)
        if held is None:
            held = await load(conn, row)
            self.keep(row.id, held)
        return held

    async def row(self, game_id: str) -> GameRow:
        """Raises NotFound."""
        async with self.pool.connection() as conn:
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
        async with self.pool.connection() as conn:
            row = await repository.lock(conn, game_id)
            if row is None:
                raise NotFound("games.no_game")
            return row, await self.held(conn, row)

    @asynccontextmanager
    async def changing(self, game_id: str, key: str | None = None) -> AsyncIterator[Table]:
        """A game to be changed: committed and then told at the end; nothing stays of it after an exception."""
        async with self.lock(game_id):
            table: Table | None = None
            try:
                async with self.pool.connection() as conn:
                    row = await repository.lock(conn, game_id, key)
                    if row is None:
                        raise NotFound("games.no_game")
                    table = Table(conn, row, self)
                    yield table
                    await following.all_follow(table)
            except (Refused, Refusal):
                held = table.in_memory if table else None
                if table and held and held.referee.seq != table.before:
                    self.drop(game_id)
                raise
            except BaseException:
                self.drop(game_id)
                raise
            self.told(table)
