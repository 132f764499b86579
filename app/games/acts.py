"""What a person does with a game, each act in a transaction of its own; HTTP and websocket both call these."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import orjson
from anyio import to_thread

from app.archive import repository as storage
from app.archive.config import storage_settings
from app.errors import Refused
from app.games import access, cards, desk, messages, play, told
from app.games import hints as hinting
from app.games import take_back as undoing
from app.games.change import Change
from app.games.live import Live
from app.games.record import told_since
from app.games.repository import GameRow
from app.games.schemas import (
    Answering,
    Drawing,
    Previewing,
    Reaching,
    Replying,
    Saying,
    Sealing,
    TakingBack,
)
from rules.core.seats import Eye


@dataclass(frozen=True, slots=True)
class Player:
    """Who acts on which game: a user (None: not signed in), the seat asked for, the token of a private game's link;
    whether that user has no account yet."""

    game_id: str
    user: int | None
    seat: str | None = None
    token: str | None = None
    guest: bool = False

    def eye(self, row: GameRow) -> Eye:
        return access.eye_of(row, self.user, self.seat, self.token)

    def plays(self, row: GameRow) -> str:
        return access.playing(row, self.user, self.seat, self.token)

    def among(self, row: GameRow, asks: Collection[str]) -> str:
        """The seat somebody plays: of several, unless one is named, the one whose word is asked."""
        plays = self.plays(row)
        own = access.seats_of(row, self.user) if self.seat is None else ()
        return next((seat for seat in own if seat in asks), plays)

    def speaks(self, row: GameRow) -> str | None:
        return access.speaks(row, self.user, self.seat)


async def answer(live: Live, player: Player, new: Answering) -> int:
    """The number of the answer's entry; what it brought is told to all who look on. Raises Stale when the request is
    no more, Refused when the rules or the state of the game forbid it."""
    key = f"{player.user}:{new.key}"

    async def deed(change: Change) -> int:
        return await play.answer(change, player.plays(change.row), new.seq, key, new.answer, player.user)

    return await live.store.perform(player.game_id, deed, key)


async def withdraw(live: Live, player: Player) -> None:
    async with live.store.locked(player.game_id) as change:
        await play.withdraw(change, player.plays(change.row), player.user)


async def preview(live: Live, player: Player, new: Previewing) -> dict[str, Any]:
    """What an answer would do; it is kept as the seat's draft."""
    row, loaded = await live.store.look(player.game_id)
    seat = player.plays(row)
    play.going_on(row)
    shown = play.preview(loaded, seat, new.answer)
    async with live.store.pool.connection() as conn:
        await desk.keep_draft(conn, row.id, seat, new.answer)
    return shown


async def reach(live: Live, player: Player, new: Reaching) -> dict[str, Any]:
    row, loaded = await live.store.look(player.game_id)
    seat = player.plays(row)
    play.going_on(row)
    return play.reach(loaded, seat, new.form, new.model_dump(exclude={"form"}))


async def forecast(live: Live, player: Player) -> dict[str, Any]:
    row, loaded = await live.store.look(player.game_id)
    seat = player.plays(row)
    play.going_on(row)
    return play.forecast(loaded, row.seating.side(seat))


async def covers(live: Live, player: Player, space: str) -> list[dict[str, Any]]:
    row, loaded = await live.store.look(player.game_id)
    return play.covers(loaded, row.seating.side(player.plays(row)), space)


async def hints(live: Live, player: Player) -> list[dict[str, Any]]:
    """What the computer would consider, while nothing else changes the game here. Raises NotAllowed in a game against
    people, Refused."""
    async with live.store.lock(player.game_id):
        row, loaded = await live.store.look_locked(player.game_id)
        seat = player.plays(row)
        play.going_on(row)
        hinting.check(row, player.user)
        return await to_thread.run_sync(hinting.hints, loaded, seat)


async def draft(live: Live, player: Player) -> Any:
    row = await live.store.row(player.game_id)
    async with live.store.pool.connection() as conn:
        return await desk.draft(conn, row.id, player.plays(row))


async def drop_draft(live: Live, player: Player) -> None:
    row = await live.store.row(player.game_id)
    async with live.store.pool.connection() as conn:
        await desk.drop_draft(conn, row.id, player.plays(row))


async def take_back_offer(live: Live, player: Player) -> dict[str, Any] | None:
    row, loaded = await live.store.look(player.game_id)
    seat = player.plays(row)
    offer: dict[str, Any] | None = told.state(row, loaded, row.seating.side(seat), seat)["take_back"]
    return offer


async def take_back(live: Live, player: Player, new: TakingBack) -> bool:
    """Whether it was done at once; otherwise others are asked."""
    async with live.store.locked(player.game_id) as change:
        return await undoing.ask(change, player.plays(change.row), new.to, player.user, new.message)


async def reply(live: Live, player: Player, new: Replying) -> None:
    async with live.store.locked(player.game_id) as change:
        asked = change.row.undo_request or {}
        asks = asked.get("asks", ()) if new.yes or "seat" not in asked else (*asked["asks"], asked["seat"])
        await undoing.reply(change, player.among(change.row, asks), new.yes, player.user)


async def resign(live: Live, player: Player) -> None:
    async with live.store.locked(player.game_id) as change:
        await play.resign(change, player.plays(change.row), player.user)


async def draw(live: Live, player: Player, new: Drawing) -> None:
    async with live.store.locked(player.game_id) as change:
        asks = change.row.draw_asks if change.row.draw_offer else ()
        await play.draw(change, player.among(change.row, asks), new.word, player.user)


async def seal_dice(live: Live, player: Player, new: Sealing) -> dict[str, Any]:
    """The sealing as everybody sees it now."""
    async with live.store.locked(player.game_id) as change:
        await play.seal_dice(change, player.plays(change.row), new.hash, new.nonce)
        return cards.card(change.row, player.user).dice


async def chat(live: Live, player: Player, new: Saying) -> dict[str, Any]:
    async with live.store.locked(player.game_id) as change:
        seat = player.plays(change.row)
        side = change.row.seating.side(seat) if new.to == "side" else None
        return await play.chat(change, _user(player), new.text, side)


async def chat_messages(live: Live, player: Player, since: int) -> list[dict[str, Any]]:
    row = await live.store.row(player.game_id)
    player.plays(row)
    async with live.store.pool.connection() as conn:
        return await messages.messages(conn, row.id, player.user, since, told.LONGEST_PAGE)


async def read_chat(live: Live, player: Player) -> None:
    row = await live.store.row(player.game_id)
    player.plays(row)
    async with live.store.pool.connection() as conn:
        await messages.read_chat(conn, row.id, _user(player))


async def notes(live: Live, player: Player) -> str:
    row = await live.store.row(player.game_id)
    async with live.store.pool.connection() as conn:
        return await desk.notes(conn, row.id, player.plays(row))


async def set_notes(live: Live, player: Player, text: str) -> None:
    row = await live.store.row(player.game_id)
    seat = player.plays(row)
    async with live.store.pool.connection() as conn:
        _, drawn = await storage.desk_bytes(conn, row.id, seat)
        _check_desk(drawn + len(text.encode()))
        await desk.set_notes(conn, row.id, seat, text)


def _check_desk(size: int) -> None:
    """Raises Refused for more notes and drawings of a seat than a game may hold."""
    if size > storage_settings().desk_bytes:
        raise Refused("games.desk_full", n=storage_settings().desk_bytes // 1000)


async def plans(live: Live, player: Player) -> dict[str, Any]:
    """What a seat drew on its map."""
    row = await live.store.row(player.game_id)
    async with live.store.pool.connection() as conn:
        return await desk.plans(conn, row.id, player.plays(row))


async def set_plans(live: Live, player: Player, drawn: dict[str, Any]) -> None:
    row = await live.store.row(player.game_id)
    seat = player.plays(row)
    async with live.store.pool.connection() as conn:
        written, _ = await storage.desk_bytes(conn, row.id, seat)
        _check_desk(written + len(orjson.dumps(drawn)))
        await desk.set_plans(conn, row.id, seat, drawn)


async def record(live: Live, player: Player, since: int) -> dict[str, Any]:
    """A page of the record as an eye was told it."""
    row = await live.store.row(player.game_id)
    eye = player.eye(row)
    async with live.store.pool.connection() as conn:
        page = await told_since(conn, row.id, since, told.LONGEST_PAGE)
    entries = [told.ToldEntry.stored(entry).seen_by(eye) for entry in page]
    return {"entries": entries, "next": page[-1].seq if len(page) == told.LONGEST_PAGE else None}


async def view(live: Live, player: Player) -> dict[str, Any]:
    """The whole view with request and card."""
    row, loaded = await live.store.look(player.game_id)
    return {**told.view(row, loaded, player.eye(row), player.speaks(row)), "card": live.hub.card(row, player.user)}


async def first(live: Live, player: Player) -> dict[str, Any]:
    """What a page shows at first, in one look: whose `seat` it is (one who holds several looks with the one that is
    asked), its view with request and card, and the kept draft."""
    row = await live.store.row(player.game_id)
    player.eye(row)
    plays = bool(access.seats_of(row, player.user))
    seat = access.playing(row, player.user, None) if plays else None
    body = await view(live, replace(player, seat=seat))
    kept = await draft(live, replace(player, seat=seat)) if body["request"] and body["request"]["mine"] else None
    return {"seat": seat, "draft": kept, **body}


async def fragments_at(live: Live, player: Player, seq: int | None) -> tuple[GameRow, dict[str, Any]]:
    """The game, and what an eye saw after entry `seq`, or sees now."""
    row, loaded = await live.store.look(player.game_id)
    eye = player.eye(row)
    if seq is None or seq >= row.seq:
        return row, dict(loaded.referee.views.contents[eye])
    async with live.store.pool.connection() as conn:
        entries = [entry for entry in await told_since(conn, row.id, 0, seq) if entry.seq <= seq]

    def fold() -> dict[str, Any]:
        shown: dict[str, Any] = {}
        for entry in entries:
            for step in told.ToldEntry.stored(entry).seen_by(eye)["steps"]:
                shown.update(step["fragments"])
        return {key: content for key, content in shown.items() if content is not None}

    return row, await to_thread.run_sync(fold)


async def card(live: Live, player: Player) -> dict[str, Any]:
    row = await live.store.row(player.game_id)
    player.eye(row)
    return live.hub.card(row, player.user)


def _user(player: Player) -> int:
    assert player.user is not None, "plays() lets nobody pass who is not signed in"
    return player.user


