"""SQL on the data that games are pinned to."""

from typing import cast

from app.games.repository import Conn, scalar


async def keep_data(conn: Conn, digest: str, title: str, body: bytes) -> None:
    await conn.execute(
        "insert into data_sets (digest, title, body) values (%s, %s, %s) on conflict do nothing", (digest, title, body)
    )


async def has_data(conn: Conn, digest: str) -> bool:
    return bool(await scalar(conn, "select exists (select from data_sets where digest = %s)", (digest,)))


async def data_body(conn: Conn, digest: str) -> bytes | None:
    return cast("bytes | None", await scalar(conn, "select body from data_sets where digest = %s", (digest,)))
