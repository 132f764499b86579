"""One change of a game: what is written, and what is told when it is committed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app import timing
from app.games import dice, following, repository
from app.games.channel import note, notify
from app.games.checkpoints import LARGE
from app.games.loading import light, load
from app.games.record import TAIL, StoredCheckpoint
from app.games.repository import Conn, GameRow
from app.games.told import Held, Line, pack
from app.games.writing import NewEntry, Written, append
from rules.core.record import PLAYED, RERUN, Entry
from rules.core.referee import Checkpoint

if TYPE_CHECKING:
    from app.games.store import Store


class NotLocked(Exception):
    """What is being done needs the row's lock and a transaction."""


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
        await notify(self.conn, note(self.row.id, kind, number))
