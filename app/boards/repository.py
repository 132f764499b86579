"""SQL on boards."""

from dataclasses import dataclass
from typing import Any

import orjson
from psycopg.rows import class_row, dict_row

from app.games.repository import Conn


@dataclass(slots=True)
class BoardRow:
    id: str
    title: str
    data_digest: str
    schema: int
    body: dict[str, Any]
    root: bytes
    nodes: list[dict[str, Any]]
    maker: bytes
    owner: int | None
    game_id: str | None = None
    side: str | None = None
    private_to: int | None = None


_FIELDS = "id, title, data_digest, schema, body, root, nodes, maker, owner, game_id, side, private_to"
_SEEN = f"""with seen as (
        update boards set seen_at = now() where id = %(board)s and seen_at < now() - interval '1 hour')
    select {_FIELDS} from boards where id = %(board)s"""


async def add(conn: Conn, row: BoardRow) -> None:
    await conn.execute(
        f"insert into boards ({_FIELDS}) values (%s, %s, %s, %s, %s::jsonb, %s, %s::jsonb, %s, %s, %s, %s, %s)",
        (row.id, row.title, row.data_digest, row.schema, orjson.dumps(row.body).decode(), row.root,
         orjson.dumps(row.nodes).decode(), row.maker, row.owner, row.game_id, row.side, row.private_to),
    )  # fmt: skip


async def find(conn: Conn, board_id: str, lock: bool = False) -> BoardRow | None:
    """A board, noted as looked at (by the hour); locked until the end of the transaction if it is to be changed."""
    async with conn.cursor(row_factory=class_row(BoardRow)) as cursor:
        if lock:
            await cursor.execute(f"select {_FIELDS} from boards where id = %s for update", (board_id,))
        else:
            await cursor.execute(_SEEN, {"board": board_id})
        return await cursor.fetchone()


async def set_nodes(conn: Conn, board_id: str, nodes: list[dict[str, Any]]) -> None:
    await conn.execute(
        "update boards set nodes = %s::jsonb, seen_at = now() where id = %s", (orjson.dumps(nodes).decode(), board_id)
    )


async def set_owner(conn: Conn, board_id: str, owner: int | None) -> None:
    await conn.execute("update boards set owner = %s where id = %s", (owner, board_id))


async def owned(conn: Conn, owner: int) -> list[dict[str, Any]]:
    """What somebody keeps, the newest first: id, title, body, when it was last looked at."""
    async with conn.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(
            "select id, title, body, seen_at from boards where owner = %s order by seen_at desc", (owner,)
        )
        return await cursor.fetchall()


async def sweep(conn: Conn, days: int) -> int:
    """Drops what nobody keeps and nobody has looked at for so many days."""
    done = await conn.execute(
        "delete from boards where owner is null and seen_at < now() - make_interval(days => %s)", (days,)
    )
    return done.rowcount
