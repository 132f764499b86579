"""One change of a game: what is written, and what is told when it is committed."""

from collections.abc import Sequence
from typing import Any, Protocol

from app import timing
from app.games import repository
from app.games.channel import note, notify
from app.games.checkpoints import LARGE
from app.games.loading import light, load
from app.games.record import TAIL, StoredCheckpoint
from app.games.repository import Conn, GameRow
from app.games.statement import NewEntry, Written, append
from app.games.told import LoadedGame, Look, ToldEntry, pack
from rules.core.record import PLAYED, RERUN, Entry
from rules.core.referee import Checkpoint


class NotLocked(Exception):
    """What is being done needs the row's lock and a transaction."""


class Cache(Protocol):
    """What a change needs of a process's games. `origin` names the process; `has_bots`: it answers for bots."""

    origin: str
    has_bots: bool

    async def loaded(self, conn: Conn, row: GameRow) -> LoadedGame: ...

    def keep(self, game_id: str, loaded: LoadedGame) -> None: ...


class Change:
    """A game at one change: the unit of work. What is written here is told when it is committed.

    Locked by a transaction of `conn`; or, without one, as it is in memory: then there is one `write`, kept until
    `commit`, and all else raises NotLocked. `before` and `asked_before`: entry and seats asked before the change.
    """

    def __init__(self, conn: Conn | None, row: GameRow, store: Cache | None = None,
                 loaded: LoadedGame | None = None) -> None:
        self._conn, self.row, self.store, self._loaded = conn, row, store, loaded
        self.before, self.asked_before = row.seq, row.waiting_for
        self.entries: list[ToldEntry] = []
        self.card_changed = False
        self.news: dict[Look, str] = {}  # messages that were made while the database wrote
        self.notified: list[tuple[str, int]] = []
        self.outgrown: Checkpoint | None = None  # what differs too much from the base
        self._kept: Written | None = None

    @property
    def conn(self) -> Conn:
        if self._conn is None:
            raise NotLocked
        return self._conn

    async def loaded(self) -> LoadedGame:
        if self._loaded is None:
            found = self.store.loaded(self.conn, self.row) if self.store else load(self.conn, self.row)
            self._loaded = await found
        return self._loaded

    def put(self, loaded: LoadedGame) -> None:
        """Puts a re-run game in the place of the one in memory."""
        self._loaded = loaded
        if self.store:
            self.store.keep(self.row.id, loaded)

    @property
    def in_memory(self) -> LoadedGame | None:
        return self._loaded

    @property
    def touched(self) -> bool:
        """Whether the game in memory is no more what it was before."""
        return self._loaded is not None and self._loaded.referee.seq != self.before

    async def write(self, seat: str | None, made: Sequence[Entry], *, by: int | None = None, key: str | None = None,
                    points: Sequence[StoredCheckpoint] = (), result: dict[str, Any] | None = None) -> None:
        """Adds entries to the record and moves the game on. A result ends it."""
        row, loaded, now = self.row, self._loaded, timing.now()
        new = [NewEntry(e, now, None if e.seat is None or e.forced else by, key if e is made[0] else None,
                        None, pack(e.told)) for e in made]  # fmt: skip
        over = result is not None
        answered = over or any(e.kind in (*RERUN, "take_back") for e in made)
        undo_request = None if answered else row.undo_request
        offered = row.draw_offer
        lapses = over or (answered and not (seat and offered and row.seats[seat]["side"] == row.seats[offered]["side"]))
        draw_offer = None if lapses else offered
        self.card_changed |= over or undo_request != row.undo_request or draw_offer != row.draw_offer
        row.undo_request, row.draw_offer = undo_request, draw_offer
        row.seq = made[-1].seq
        if loaded:
            loaded.referee.seq = row.seq
            loaded.tail = [*loaded.tail, *(light(e) for e in made if e.kind in PLAYED)][-TAIL:]
            row.rolls = loaded.referee.chance.made
            row.waiting_for = list(loaded.referee.asked)
        if result is not None:
            row.status, row.result, row.waiting_for = "finished", result, []
        written = Written(
            row.id, seat if answered else None, new, points, row.seq, row.waiting_for, row.rolls, row.status, result,
            undo_request, draw_offer, note(row.id, "e", row.seq, self.store.origin if self.store else ""),
        )  # fmt: skip
        if loaded and points and len(points[-1].state) > LARGE:
            self.outgrown = loaded.referee.newest
        if self._conn is not None:
            row.version = await append(self._conn, written)
        elif self._kept is None:
            self._kept = written
        else:
            raise NotLocked
        self.entries += [ToldEntry(e.seq, now, e.seat, e.kind, e.clause, False, e.forced, e.dice, e.told)
                         for e in made]  # fmt: skip

    @property
    def kept(self) -> Written:
        """What an unlocked change wrote, to be written only if the row is still the one it began from."""
        assert self._kept is not None, "a deed that wrote nothing"
        self._kept.version = self.row.version
        return self._kept

    def lock(self, conn: Conn) -> None:
        """What was kept is written in this transaction; what follows is written in it too."""
        self._conn = conn

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
