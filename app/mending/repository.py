"""SQL on broken games, on psycopg connections. Whoever calls owns the transaction."""

from dataclasses import dataclass
from typing import Any

from psycopg.rows import class_row, dict_row, scalar_row

from app.games.repository import Conn


@dataclass(frozen=True, slots=True)
class Found:
    """A game that was found broken, and what a seat proposes."""

    version: str
    seat: str | None
    what: str | None
    to: int | None


async def found(conn: Conn, game_id: str) -> Found | None:
    async with conn.cursor(row_factory=class_row(Found)) as cursor:
        await cursor.execute('select version, seat, what, "to" from mendings where game_id = %s', (game_id,))
        return await cursor.fetchone()


async def note(conn: Conn, game_id: str, version: str) -> bool:
    """Notes that the rules of a version don't fit a game; whether that is news."""
    cursor = await conn.execute(
        """insert into mendings (game_id, version) values (%s, %s)
           on conflict (game_id) do update set version = excluded.version, found_at = now(), seat = null, what = null,
               "to" = null where mendings.version <> excluded.version""",
        (game_id, version),
    )
    return cursor.rowcount == 1


async def propose(conn: Conn, game_id: str, seat: str | None, what: str | None, to: int | None) -> None:
    """Keeps a proposal, or none."""
    await conn.execute(
        'update mendings set seat = %s, what = %s, "to" = %s where game_id = %s', (seat, what, to, game_id)
    )


async def forget(conn: Conn, game_id: str) -> None:
    await conn.execute("delete from mendings where game_id = %s", (game_id,))


async def suspects(conn: Conn, title: str, version: str) -> list[str]:
    """The games that go on and were last played with other rules than of this version, or found broken before."""
    query = """select g.id from games g where g.title = %(title)s and g.status = 'active' and (
        exists (select from entries e where e.game_id = g.id and e.seq = g.seq and e.rules_version <> %(version)s)
        or exists (select from mendings m where m.game_id = g.id)) order by g.id"""
    async with conn.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute(query, {"title": title, "version": version})
        return await cursor.fetchall()


async def played_with(conn: Conn, game_id: str) -> str:
    """The version of the rules that made the newest entry."""
    query = "select rules_version from entries where game_id = %s order by seq desc limit 1"
    async with conn.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute(query, (game_id,))
        return str(await cursor.fetchone() or "")


async def undone(conn: Conn, game_id: str, seq: int) -> dict[str, Any]:
    """Who gave an answer and when, and how many answers of people stand from it on."""
    query = """select e.seq, e.seat, e.at, (select count(*) from entries f where f.game_id = e.game_id
            and f.seq >= e.seq and f.kind = 'answer' and not f.forced and f.retracted_at is null)::int as undoes
        from entries e where e.game_id = %s and e.seq = %s"""
    async with conn.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(query, (game_id, seq))
        return dict(await cursor.fetchone() or {})
