"""News of games between processes and to open connections: one LISTEN connection, one read per event, then by eye."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson
import psycopg

from app.accounts import ties
from app.accounts.ties import Tie
from app.errors import Refused
from app.games import access, cards, channel, messages, record, repository, told
from app.games.change import Change
from app.games.channel import CHANNEL, note
from app.games.nats import Nats
from app.games.repository import GameRow
from app.games.store import Store
from app.games.told import LoadedGame, Look, ToldEntry
from rules.core.seats import ALL, Eye

log = logging.getLogger(__name__)

QUEUE = 64  # messages that may wait for a slow connection
SETTLED = 5.0  # seconds after which every change that began before this process was heard of is committed
LONGEST_PAUSE = 10.0  # seconds between attempts to listen again


def encode(message: Any) -> str:
    return orjson.dumps(message).decode()


@dataclass(eq=False, slots=True)
class Connection:
    """One websocket: who looks with which eye, and the seat it was opened for, if any. An admin who looks on as a
    player hears nothing of the chat. `lost` is set when it can't keep up, or hangs on nothing any more: then the other
    end must connect again."""

    game_id: str
    tie: Tie
    eye: Eye
    seat: str | None = None
    queue: asyncio.Queue[str] = field(default_factory=lambda: asyncio.Queue(QUEUE))
    lost: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def user(self) -> int | None:
        return self.tie.user

    @property
    def deaf(self) -> bool:
        return self.tie.helper is not None

    def look(self, row: GameRow) -> Look:
        """Its eye, and the seat whose request it is shown."""
        return self.eye, access.speaks(row, self.user, self.seat)

    def send(self, text: str) -> None:
        try:
            self.queue.put_nowait(text)
        except asyncio.QueueFull:
            self.lost.set()


@dataclass(slots=True)
class Room:
    """The open connections of one game; all were told everything up to entry `seq`, under the record of `status`, and
    each line of the chat after the one before it (`talk`)."""

    seq: int
    status: str
    connections: set[Connection] = field(default_factory=set)
    talk: asyncio.Lock = field(default_factory=asyncio.Lock)


class Hub:
    """The open connections of this process. `bot_asked` is called for games in which a bot may have to answer."""

    def __init__(self, store: Store, conninfo: str, bot_asked: Callable[[str], None], nats_url: str = "") -> None:
        self.store, self.conninfo, self.bot_asked = store, conninfo, bot_asked
        self.nats = Nats(nats_url, self._hear, lambda: self._later(self._catch_up_moved())) if nats_url else None
        self.rooms: dict[str, Room] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        store.watched = self.rooms.__contains__
        store.told, store.foretold = self.publish, self.foretell

    # -- connections ----------------------------------------------------------------------------------

    async def join(self, connection: Connection, since: int | None) -> None:
        """Opens a connection: first the view, or what was missed since an entry; from then on all news.
        Raises Refused."""
        async with self.store.lock(connection.game_id):
            row, loaded = await self.store.look_locked(connection.game_id)
            room = self.rooms.get(connection.game_id)
            if room is None:
                room = self.rooms[connection.game_id] = Room(row.seq, row.status)
            elif room.seq < row.seq:
                await self._tell(room, row, loaded)
            connection.send(encode(await self._first(connection, row, loaded, since)))
            room.connections.add(connection)
        self._send_card(room, row)

    async def _first(self, connection: Connection, row: GameRow, loaded: LoadedGame,
                     since: int | None) -> dict[str, Any]:
        """What was missed, unless it is too much, or the end of the game has opened more eyes than the page had."""
        opened = connection.eye == ALL and row.status == "finished"
        if since is not None and 0 < since <= row.seq and not opened:
            missed = await self._read(row, since)
            if len(missed) < told.LONGEST_PAGE:
                return told.news(row, loaded, *connection.look(row), missed)
        return self._view(row, loaded, connection)

    def _view(self, row: GameRow, loaded: LoadedGame, connection: Connection) -> dict[str, Any]:
        shown = told.view(row, loaded, *connection.look(row))
        return {"type": "view", **shown, "card": self.card(row, connection.user)}

    async def show(self, connection: Connection) -> None:
        """The whole view again, for one who asks."""
        row, loaded = await self.store.look(connection.game_id)
        connection.send(encode(self._view(row, loaded, connection)))

    def leave(self, connection: Connection) -> None:
        room = self.rooms.get(connection.game_id)
        if room is None:
            return
        room.connections.discard(connection)
        if room.connections:
            self._later(self._refresh_card(connection.game_id))
        else:
            del self.rooms[connection.game_id]

    def card(self, row: GameRow, user: int | None) -> dict[str, Any]:
        room = self.rooms.get(row.id)
        online = {connection.user for connection in room.connections if connection.user is not None} if room else set()
        return cards.card(row, user, online).model_dump()

    def hang_up(self, user: int) -> None:
        """Ends a user's connections: they must connect again, if they still may."""
        for room in self.rooms.values():
            for connection in room.connections:
                if connection.tie.concerns(user):
                    connection.lost.set()

    def end(self, sessions: Container[bytes]) -> None:
        """Ends the connections that these opened."""
        for room in self.rooms.values():
            for connection in room.connections:
                if connection.tie.session is not None and connection.tie.session in sessions:
                    connection.lost.set()

    async def untied(self, connection: Connection) -> bool:
        """Whether the session that opened it is over."""
        async with self.store.pool.connection() as conn:
            return bool(await ties.broken(conn, [connection.tie]))

    async def _look_after_ties(self) -> None:
        """Ends what hangs on nothing any more."""
        async with self.store.pool.connection() as conn:
            self.end(await ties.broken(conn, {one.tie for room in self.rooms.values() for one in room.connections}))

    async def _look_again(self) -> None:
        while True:
            await asyncio.sleep(ties.CHECKED)
            self._later(self._look_after_ties())

    # -- telling -------------------------------------------------------------------------------------

    def foretell(self, change: Change) -> None:
        """Makes the messages about a change that the database is writing: nobody has to wait for them then."""
        room, loaded = self.rooms.get(change.row.id), change.in_memory
        if room is not None and loaded is not None and room.seq == change.before:
            for look in {connection.look(change.row) for connection in room.connections}:
                change.news[look] = encode(told.news(change.row, loaded, *look, change.entries))

    def publish(self, change: Change) -> None:
        """Tells what this process has just committed, while it still holds the game's lock."""
        row, loaded = change.row, change.in_memory
        if any(who["bot"] and seat in row.waiting_for for seat, who in row.seats.items()):
            self.bot_asked(row.id)
        if self.nats and change.entries:
            self._later(self.nats.publish(note(row.id, "e", row.seq, self.store.origin)))
        room = self.rooms.get(row.id)
        if room is None or not change.entries:
            return
        if loaded is None or room.seq != change.before:
            self._later(self._catch_up(row.id))
            return
        self._send(room, row, loaded, change.entries, change.news)
        room.seq, room.status = row.seq, row.status
        if change.card_changed:
            self._send_card(room, row)

    def _send(self, room: Room, row: GameRow, loaded: LoadedGame, entries: Sequence[ToldEntry],
              made: Mapping[Look, str] | None = None) -> None:
        by_look = dict(made or {})
        for connection in room.connections:
            look = connection.look(row)
            if look not in by_look:
                by_look[look] = encode(told.news(row, loaded, *look, entries))
            connection.send(by_look[look])

    def _show(self, room: Room, row: GameRow, loaded: LoadedGame) -> None:
        for connection in room.connections:
            connection.send(encode(self._view(row, loaded, connection)))

    def _send_card(self, room: Room, row: GameRow) -> None:
        by_user: dict[int | None, str] = {}
        for connection in room.connections:
            if not access.may_keep(row, connection.tie, connection.eye):
                connection.lost.set()
                continue
            if connection.user not in by_user:
                by_user[connection.user] = encode({"type": "card", **self.card(row, connection.user)})
            connection.send(by_user[connection.user])

    async def _tell(self, room: Room, row: GameRow, loaded: LoadedGame) -> None:
        """Tells a room what was committed elsewhere."""
        missed = await self._read(row, room.seq)
        if len(missed) < told.LONGEST_PAGE:
            self._send(room, row, loaded, missed)
        else:
            self._show(room, row, loaded)
        room.seq, room.status = row.seq, row.status
        self._send_card(room, row)

    async def _read(self, row: GameRow, since: int) -> list[ToldEntry]:
        """The entries from one on to that of `row`: another process may have added more since it was read."""
        async with self.store.pool.connection() as conn:
            found = await record.told_since(conn, row.id, since, told.LONGEST_PAGE)
        return [ToldEntry.stored(entry) for entry in found if entry.seq <= row.seq]

    async def _catch_up(self, game_id: str) -> None:
        async with self.store.lock(game_id):
            room = self.rooms.get(game_id)
            if room is None:
                return
            row, loaded = await self.store.look_locked(game_id)
            if room.seq < row.seq:
                await self._tell(room, row, loaded)

    async def _catch_up_all(self, wait: float) -> None:
        await asyncio.sleep(wait)
        for game_id in list(self.rooms):
            self._later(self._catch_up(game_id))

    async def _catch_up_moved(self) -> None:
        """Brings up to date the rooms whose games went on unheard."""
        known = {game_id: room.seq for game_id, room in self.rooms.items()}
        async with self.store.pool.connection() as conn:
            moved = await repository.moved(conn, known)
        for game_id in moved:
            self._later(self._catch_up(game_id))

    async def _refresh_card(self, game_id: str) -> None:
        """The card anew; a game that has begun meanwhile is shown whole, since requests are open now."""
        room = self.rooms.get(game_id)
        if room is None:
            return
        row, loaded = await self.store.look(game_id)
        if room.status != row.status and room.seq == row.seq:
            self._show(room, row, loaded)
        room.status = row.status
        self._send_card(room, row)

    async def _chat(self, game_id: str, number: int) -> None:
        room = self.rooms.get(game_id)
        if room is not None:
            async with room.talk:
                await self._say(room, game_id, number)

    async def _say(self, room: Room, game_id: str, number: int) -> None:
        row = await self.store.row(game_id)
        async with self.store.pool.connection() as conn:
            said, deaf = await messages.message(conn, number), await messages.deaf(conn, game_id)
        if said and said["seat"]:
            deaf.discard(row.seats[said["seat"]]["user"])  # one hears oneself
        text = encode({"type": "chat", **(said or {})})
        hearing = {who["user"] for who in row.seats.values() if not said or said["side"] in (None, who["side"])}
        for one in room.connections:
            if one.user is not None and one.user in hearing - deaf and not one.deaf:
                one.send(text)

    # -- listening -----------------------------------------------------------------------------------

    async def listen(self) -> None:
        """Hears all processes until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._listen())
            tasks.create_task(self._look_again())
            if self.nats:
                tasks.create_task(self.nats.listen())

    async def _listen(self) -> None:
        """At the database; after a lost connection every room is brought up to date. Where there is NATS this process
        is not among the listeners, and entries are not notified."""
        pause = 0.1
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(self.conninfo, autocommit=True) as conn:
                    await conn.execute(f"listen {CHANNEL}")
                    if not self.nats:
                        await channel.register(conn, self.store.origin)
                    pause = 0.1
                    for wait in (0.0, SETTLED):
                        self._later(self._catch_up_all(wait))
                    self._later(self._look_after_ties())
                    async for notice in conn.notifies():
                        self._hear(notice.payload)
            except (psycopg.Error, OSError) as fault:
                log.warning("the database is not heard (%s); trying again in %.1f s", fault, pause)
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)

    def _hear(self, payload: str) -> None:
        game_id, kind, number, origin = payload.split(":")
        if kind == "u":
            self.hang_up(int(number))
        if kind == "s":
            self.end({bytes.fromhex(number)})
        if kind == "b":
            self.bot_asked(game_id)
        if game_id not in self.rooms or (kind == "e" and origin == self.store.origin):
            return
        if kind == "e":
            self._later(self._catch_up(game_id))
        elif kind == "m":
            self._later(self._chat(game_id, int(number)))
        else:
            self._later(self._refresh_card(game_id))

    def _later(self, work: Awaitable[None]) -> None:
        async def run() -> None:
            with contextlib.suppress(Refused):
                try:
                    await work
                except (psycopg.Error, OSError):
                    log.exception("news could not be told")

        task = asyncio.create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        if self.nats:
            await self.nats.close()
        with contextlib.suppress(psycopg.Error, OSError):
            async with self.store.pool.connection(timeout=1) as conn:
                await channel.unregister(conn, self.store.origin)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
