"""SQL on the data that games are pinned to."""

from dataclasses import dataclass

from psycopg.rows import class_row

from app.games.repository import Conn, scalar


@dataclass(frozen=True, slots=True)
class Kept:
    """The data of a title as games pinned it, compressed."""

    title: str
    body: bytes


async def keep_data(conn: Conn, digest: str, title: str, body: bytes) -> None:
    await conn.execute(
        "insert into data_sets (digest, title, body) values (%s, %s, %s) on conflict do nothing", (digest, title, body)
    )


async def has_data(conn: Conn, digest: str) -> bool:
    return bool(await scalar(conn, "select exists (select from data_sets where digest = %s)", (digest,)))


async def kept(conn: Conn, digest: str) -> Kept | None:
    async with conn.cursor(row_factory=class_row(Kept)) as cursor:
        await cursor.execute("select title, body from data_sets where digest = %s", (digest,))
        return await cursor.fetchone()
