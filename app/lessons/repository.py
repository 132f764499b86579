"""SQL on lessons."""

from dataclasses import dataclass
from typing import Any

import orjson
from psycopg.rows import class_row

from app.games.repository import Conn


@dataclass(slots=True)
class RunRow:
    board_id: str
    title: str
    lesson: str
    marks: dict[str, Any]


async def add_run(conn: Conn, board_id: str, lesson: str, mark: dict[str, Any]) -> None:
    await conn.execute("insert into lesson_runs (board_id, lesson, marks) values (%s, %s, %s::jsonb)",
                       (board_id, lesson, orjson.dumps({"0": mark}).decode()))  # fmt: skip


async def run(conn: Conn, board_id: str) -> RunRow | None:
    async with conn.cursor(row_factory=class_row(RunRow)) as cursor:
        await cursor.execute("select board_id, b.title, lesson, marks from lesson_runs join boards b on b.id = board_id"
                             " where board_id = %s", (board_id,))  # fmt: skip
        return await cursor.fetchone()


async def set_mark(conn: Conn, board_id: str, node: int, mark: dict[str, Any]) -> None:
    await conn.execute("update lesson_runs set marks = marks || %s::jsonb where board_id = %s",
                       (orjson.dumps({str(node): mark}).decode(), board_id))  # fmt: skip


async def note_done(conn: Conn, user: int | None, maker: bytes | None, title: str, lesson: str) -> None:
    await conn.execute("insert into lessons_done (user_id, maker, title, lesson) values (%s, %s, %s, %s)"
                       " on conflict do nothing", (user, maker, title, lesson))  # fmt: skip


async def done(conn: Conn, user: int | None, maker: bytes | None) -> set[tuple[str, str]]:
    """Title and name of each lesson that one has done."""
    found = await conn.execute("select title, lesson from lessons_done where user_id = %s or maker = %s", (user, maker))
    return {(title, lesson) for title, lesson in await found.fetchall()}


async def hand_over(conn: Conn, maker: bytes, user: int) -> None:
    """What a browser has done becomes its account's."""
    await conn.execute(
        "with taken as (delete from lessons_done where maker = %s returning title, lesson, done_at)"
        " insert into lessons_done (user_id, title, lesson, done_at) select %s, title, lesson, done_at from taken"
        " on conflict do nothing", (maker, user))  # fmt: skip


async def sweep(conn: Conn, days: int) -> int:
    """Forgets what browsers without an account did so long ago that they know their key no more."""
    gone = await conn.execute(
        "delete from lessons_done where user_id is null and done_at < now() - make_interval(days => %s)", (days,)
    )
    return gone.rowcount
