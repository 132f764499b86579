"""SQL on what players write to one another in a game."""

from typing import Any

from psycopg.rows import dict_row

from app.games.repository import Conn, scalar, scalars

_MESSAGE = """select m.id, m.at, u.name, m.text, m.side,
    (select min(seat) from seats s where s.game_id = m.game_id and s.user_id = m.user_id) as seat
    from messages m join users u on u.id = m.user_id"""


async def add_message(conn: Conn, game_id: str, user_id: int, text: str, side: str | None) -> int:
    """A message for everybody at the game, or for one side alone."""
    query = "insert into messages (game_id, user_id, text, side) values (%s, %s, %s, %s) returning id"
    return int(await scalar(conn, query, (game_id, user_id, text, side)))


async def message(conn: Conn, message_id: int) -> dict[str, Any] | None:
    async with conn.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(f"{_MESSAGE} where m.id = %s", (message_id,))
        return await cursor.fetchone()


async def messages(conn: Conn, game_id: str, reader: int | None, since: int, limit: int) -> list[dict[str, Any]]:
    """The newest messages after `since` that are for the reader, oldest first; for one who has muted the chat only his
    own."""
    query = f"""{_MESSAGE} where m.game_id = %(game)s and m.id > %(since)s
        and (m.side is null or exists (select from seats
        where game_id = m.game_id and user_id = %(reader)s and side = m.side)) and (m.user_id = %(reader)s or not exists
        (select from seats where game_id = m.game_id and user_id = %(reader)s and chat_muted))
        order by m.id desc limit %(limit)s"""
    async with conn.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(query, {"game": game_id, "reader": reader, "since": since, "limit": limit})
        return (await cursor.fetchall())[::-1]


async def deaf(conn: Conn, game_id: str) -> set[int]:
    """The players who have muted a game's chat."""
    query = "select user_id from seats where game_id = %s and chat_muted and user_id is not null"
    return set(await scalars(conn, query, (game_id,)))


async def read_chat(conn: Conn, game_id: str, user_id: int) -> None:
    """A player has read all messages there are."""
    await conn.execute(
        """update seats set chat_read = (select coalesce(max(id), 0) from messages where game_id = %s)
           where game_id = %s and user_id = %s""",
        (game_id, game_id, user_id),
    )


async def recent_messages(conn: Conn, game_id: str, user_id: int, seconds: int) -> int:
    query = """select count(*) from messages where game_id = %s and user_id = %s
        and at > now() - make_interval(secs => %s)"""
    return int(await scalar(conn, query, (game_id, user_id, seconds)))
