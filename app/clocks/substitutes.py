"""Somebody else at a seat of a running game."""

from typing import LiteralString

from psycopg.rows import scalar_row
from sqlalchemy.ext.asyncio import AsyncSession

from app.clocks import service as clocks
from app.db import driver
from app.errors import Conflict, NotFound
from app.games import desk, repository
from app.games.change import Change
from app.games.reactions import reactions_of
from app.games.repository import Conn
from app.games.told import to_all
from rules.core.record import Entry


async def hand_over(session: AsyncSession, game_id: str, seat: str, user_id: int, keeps_notes: bool = False) -> None:
    """Gives a seat to somebody else, with a full clock: without the draft and standing orders of who sat there, and
    without notes and plans unless they were meant to be handed on. Raises NotFound; Conflict when the game is over."""
    conn = await driver(session)
    row = await repository.lock(conn, game_id)
    if row is None:
        raise NotFound("games.no_game")
    if row.status != "active":
        raise Conflict("games.finished")
    await repository.set_seat(conn, game_id, seat, user_id)
    await desk.drop_draft(conn, game_id, seat)
    await desk.drop_orders(conn, game_id, seat)
    if not keeps_notes:
        await desk.set_notes(conn, game_id, seat, "")
        await desk.set_plans(conn, game_id, seat, {})
    fresh = await repository.lock(conn, game_id)
    assert fresh is not None, "it is locked"
    change = Change(conn, fresh)
    event = to_all(fresh.seating, "seat_handed_over", seat, {"seat": seat})
    await change.write(None, [Entry(fresh.seq + 1, "substitute", None, told=event, rules_version=fresh.rules_version)])
    await clocks.fresh_clock(change, seat)
    await reactions_of(session).follow(change)
    await change.notify("c")


async def in_event(conn: Conn, game_id: str) -> bool:
    """Whether a game is a pairing's: then its event's director seats people."""
    return await _is(conn, "select exists (select from pairings where game_id = %s)", game_id)


async def changed_hands(conn: Conn, game_id: str) -> bool:
    """Whether somebody else has taken over a seat of a game since it began."""
    return await _is(conn, "select exists (select from entries where game_id = %s and kind = 'substitute')", game_id)


async def _is(conn: Conn, query: LiteralString, game_id: str) -> bool:
    async with conn.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute(query, (game_id,))
        return bool(await cursor.fetchone())
