"""SQL on archived games and on what games hold, on psycopg connections. Whoever calls owns the transaction.

A frozen record is one row of compressed JSON: {"entries": [{column: value, "told": {eye: steps}}], "checkpoints":
[{column: value}]}, oldest first; `state` is base64 of what is stored. Together, what was told compresses to a fraction
of what it takes entry by entry.
"""

import asyncio
from base64 import b64decode, b64encode
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import orjson
import zstandard
from psycopg import AsyncConnection
from psycopg.rows import class_row, dict_row, scalar_row

from app import packing

Conn = AsyncConnection[Any]
LEVEL = 12  # of compression: a game is packed once
OPENED = timedelta(days=7)  # for so long a game that somebody looked at stays as it is

_ENTRY = """seq, at, seat, by_user, kind, clause, answer, forced, roll_no, sides, reveals, commits, rules_version,
    retracted_at, key, asks"""
_POINT = "phase, seq, schema, rules_version, base"
_FREEZE = """with frozen as (insert into archives (game_id, entries, body) values (%(game)s, %(entries)s, %(body)b)),
    e as (delete from entries where game_id = %(game)s),
    c as (delete from checkpoints where game_id = %(game)s),
    d as (delete from drafts where game_id = %(game)s)
    update games set archived = true where id = %(game)s"""
_THAW_ENTRIES = f"""insert into entries (game_id, told, {_ENTRY})
    select %(game)s, (%(told)b::bytea[])[n], {_ENTRY} from jsonb_to_recordset(%(entries)s::jsonb) as t(n int, seq int,
        at timestamptz, seat text, by_user bigint, kind text, clause text, answer jsonb, forced bool, roll_no int,
        sides int, reveals bool, commits bool, rules_version text, retracted_at timestamptz, key text, asks text[])"""
_THAW_POINTS = f"""insert into checkpoints (game_id, state, {_POINT})
    select %(game)s, (%(states)b::bytea[])[n], {_POINT} from jsonb_to_recordset(%(points)s::jsonb) as t(n int,
        phase text, seq int, schema int, rules_version text, base text)"""


async def ripe(conn: Conn, now: datetime, age: timedelta, limit: int) -> list[str]:
    """Games that ended so long ago, and that nobody has taken out lately; the oldest first."""
    query = """select id from games where status = 'finished' and not archived and finished_at < %s
        and (thawed_at is null or thawed_at < %s) order by finished_at limit %s"""
    async with conn.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute(query, (now - age, now - min(age, OPENED), limit))
        return await cursor.fetchall()


async def archived(conn: Conn) -> list[str]:
    async with conn.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute("select game_id from archives order by game_id")
        return await cursor.fetchall()


async def freeze(conn: Conn, game_id: str) -> bool:
    """Puts the record and checkpoints of a finished game into one row; False when there is nothing to do."""
    async with conn.cursor(row_factory=dict_row) as cursor:
        query = "select 1 from games where id = %s and status = 'finished' and not archived for update"
        await cursor.execute(query, (game_id,))
        if await cursor.fetchone() is None:
            return False
        await cursor.execute(f"select {_ENTRY}, told from entries where game_id = %s order by seq", (game_id,))
        entries = await cursor.fetchall()
        await cursor.execute(f"select {_POINT}, state from checkpoints where game_id = %s order by seq", (game_id,))
        body = await asyncio.to_thread(_packed, entries, await cursor.fetchall())
    await conn.execute(_FREEZE, {"game": game_id, "entries": len(entries), "body": body})
    return True


def _packed(entries: list[dict[str, Any]], points: list[dict[str, Any]]) -> bytes:
    record = {
        "entries": [{**entry, "told": orjson.loads(packing.unpack(entry["told"]))} for entry in entries],
        "checkpoints": [{**point, "state": b64encode(point["state"]).decode()} for point in points],
    }
    return zstandard.ZstdCompressor(level=LEVEL).compress(orjson.dumps(record))


async def thaw(conn: Conn, game_id: str) -> None:
    """Puts everything back where it was. Who comes second, in another process, waits and finds it done."""
    async with conn.transaction(), conn.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute("delete from archives where game_id = %s returning body", (game_id,))
        body: bytes | None = await cursor.fetchone()
        if body is None:
            return
        record = await asyncio.to_thread(lambda: orjson.loads(zstandard.ZstdDecompressor().decompress(body)))
        told = [packing.pack(orjson.dumps(entry.pop("told"))) for entry in record["entries"]]
        entries = [{**entry, "n": n} for n, entry in enumerate(record["entries"], 1)]
        await cursor.execute(_THAW_ENTRIES, {"game": game_id, "told": told, "entries": orjson.dumps(entries).decode()})
        states = [b64decode(point.pop("state")) for point in record["checkpoints"]]
        points = [{**point, "n": n} for n, point in enumerate(record["checkpoints"], 1)]
        await cursor.execute(_THAW_POINTS, {"game": game_id, "states": states, "points": orjson.dumps(points).decode()})
        await cursor.execute("update games set archived = false, thawed_at = now() where id = %s", (game_id,))


# -- what a game holds ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of a game, in bytes: its record, positions, archive, chat, and notes and drawings of all seats."""

    entries: int
    record: int
    positions: int
    archive: int
    lines: int
    chat: int
    desks: int

    @property
    def total(self) -> int:
        return self.record + self.positions + self.archive + self.chat + self.desks


_SIZES = """select coalesce(e.n, 0) + coalesce(a.entries, 0) as entries, coalesce(e.bytes, 0) as record,
    coalesce(c.bytes, 0) as positions, coalesce(octet_length(a.body), 0) as archive, m.n as lines,
    coalesce(m.bytes, 0) as chat, coalesce(s.bytes, 0) as desks
    from (select %(game)s::text as id) g
    left join archives a on a.game_id = g.id,
    lateral (select count(*)::int as n, sum(pg_column_size(x.*))::int as bytes from entries x where game_id = g.id) e,
    lateral (select sum(pg_column_size(x.*))::int as bytes from checkpoints x where game_id = g.id) c,
    lateral (select count(*)::int as n, sum(octet_length(text))::int as bytes from messages where game_id = g.id) m,
    lateral (select sum(octet_length(notes) + octet_length(plans::text))::int as bytes from seats
        where game_id = g.id) s"""


async def sizes(conn: Conn, game_id: str) -> Sizes:
    async with conn.cursor(row_factory=class_row(Sizes)) as cursor:
        await cursor.execute(_SIZES, {"game": game_id})
        found = await cursor.fetchone()
        assert found is not None, "it has one row, whatever there is"
        return found


async def chat_bytes(conn: Conn, game_id: str) -> int:
    async with conn.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute("select coalesce(sum(octet_length(text)), 0) from messages where game_id = %s", (game_id,))
        return int(await cursor.fetchone() or 0)


async def desk_bytes(conn: Conn, game_id: str, seat: str) -> tuple[int, int]:
    """Of a seat's notes, and of what it drew."""
    async with conn.cursor() as cursor:
        query = "select octet_length(notes), octet_length(plans::text) from seats where game_id = %s and seat = %s"
        await cursor.execute(query, (game_id, seat))
        notes, plans = await cursor.fetchone() or (0, 0)
        return int(notes), int(plans)


async def longest(conn: Conn, limit: int) -> list[tuple[str, str, int]]:
    """The games with the longest records: id, title, entries."""
    async with conn.cursor() as cursor:
        await cursor.execute("select id, title, seq from games order by seq desc, id limit %s", (limit,))
        return await cursor.fetchall()


async def totals(conn: Conn) -> dict[str, int]:
    """Bytes on disk by table, the largest first, and of the whole database (`all`)."""
    query = """select relname, pg_total_relation_size(oid) as bytes from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace order by 2 desc limit 8"""
    async with conn.cursor() as cursor:
        await cursor.execute(query)
        found = dict(await cursor.fetchall())
        await cursor.execute("select pg_database_size(current_database())")
        whole = await cursor.fetchone()
        return {**found, "all": int(whole[0]) if whole else 0}
