"""SQL on the record of a game: its entries and checkpoints. Whoever calls owns the transaction."""

from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Any

from psycopg.rows import class_row, dict_row

from app.games.repository import Conn
from rules.core.record import CHANCE, PATCH, RERUN, Entry

NEWEST = ""  # the phase under which the newest checkpoint is kept,
START = "start"  # and the first, which no other may overwrite,
BASE = "base "  # and, with their entry, others from which later ones are told apart
TAIL = 60  # entries that stand, as far back as a take-back looks


@dataclass(slots=True)
class StoredCheckpoint:
    """`state` is packed, whole or as its difference from the state of the checkpoint `base`, whose own (whole) state
    comes along when one is read."""

    phase: str
    seq: int
    schema: int
    rules_version: str
    state: bytes
    base: str | None = None
    base_state: bytes | None = None


@dataclass(slots=True)
class StoredEntry:
    """An entry as it was told: `told` is packed; `thrown` is the answer of chance."""

    seq: int
    at: datetime
    seat: str | None
    kind: str
    clause: str | None
    retracted: bool
    forced: bool
    thrown: Any
    told: bytes

    @property
    def by_someone(self) -> bool:
        """Not by chance, and not because nothing else could be answered."""
        return self.kind not in CHANCE and not self.forced

_RERUN = ", ".join(f"'{kind}'" for kind in RERUN)
_ENTRY = "seq, kind, seat, coalesce(clause, '') as clause, answer, forced, roll_no, reveals, commits, rules_version"


async def standing(conn: Conn, game_id: str, after: int, before: int | None = None) -> list[Entry]:
    """The entries a re-run reads, oldest first; nothing `told`."""
    query = f"""select {_ENTRY} from entries where game_id = %s and seq > %s and (%s::int is null or seq < %s)
        and retracted_at is null and kind in ({_RERUN}) order by seq"""
    async with conn.cursor(row_factory=class_row(Entry)) as cursor:
        await cursor.execute(query, (game_id, after, before, before))
        return await cursor.fetchall()


async def added(conn: Conn, game_id: str, after: int, last: int) -> list[Entry]:
    """All entries after one, up to `last`, that were not retracted, oldest first; nothing `told`."""
    query = f"""select {_ENTRY} from entries where game_id = %s and seq > %s and seq <= %s and retracted_at is null
        order by seq"""
    async with conn.cursor(row_factory=class_row(Entry)) as cursor:
        await cursor.execute(query, (game_id, after, last))
        return await cursor.fetchall()


async def tail(conn: Conn, game_id: str) -> list[Entry]:
    """The last entries that stand, oldest first, without answers; nothing of what was before a patch."""
    query = f"""select seq, kind, seat, coalesce(clause, '') as clause, forced, roll_no, reveals, commits from entries
        where game_id = %s and retracted_at is null and kind in ({_RERUN}) order by seq desc limit {TAIL}"""
    async with conn.cursor(row_factory=class_row(Entry)) as cursor:
        await cursor.execute(query, (game_id,))
        found = await cursor.fetchall()
    return list(takewhile(lambda entry: entry.kind != PATCH, found))[::-1]


async def told_since(conn: Conn, game_id: str, since: int, limit: int) -> list[StoredEntry]:
    """Entries after `since`, oldest first, retracted ones too."""
    query = """select seq, at, seat, kind, clause, retracted_at is not null as retracted, forced,
        case when kind = any(%s) then answer end as thrown, told
        from entries where game_id = %s and seq > %s order by seq limit %s"""
    async with conn.cursor(row_factory=class_row(StoredEntry)) as cursor:
        await cursor.execute(query, (list(CHANCE), game_id, since, limit))
        return await cursor.fetchall()


async def whole_record(conn: Conn, game_id: str) -> list[dict[str, Any]]:
    """Every column of every entry, for an export."""
    query = f"""select {_ENTRY}, sides, at, by_user, retracted_at, told from entries where game_id = %s order by seq"""
    async with conn.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(query, (game_id,))
        return await cursor.fetchall()


async def retract(conn: Conn, game_id: str, first: int, last: int | None = None) -> None:
    """Marks what a re-run reads, from `first` (to `last`) on; none is ever deleted."""
    await conn.execute(
        f"""update entries set retracted_at = now() where game_id = %s and seq >= %s and (%s::int is null or seq <= %s)
            and retracted_at is null and kind in ({_RERUN})""",
        (game_id, first, last, last),
    )


async def newest_checkpoint(conn: Conn, game_id: str, before: int | None = None) -> StoredCheckpoint | None:
    """The newest checkpoint, of those older than entry `before` when that is given."""
    query = """select c.phase, c.seq, c.schema, c.rules_version, c.state, c.base, b.state as base_state
        from checkpoints c left join checkpoints b on b.game_id = c.game_id and b.phase = c.base
        where c.game_id = %s and (%s::int is null or c.seq < %s) order by c.seq desc limit 1"""
    async with conn.cursor(row_factory=class_row(StoredCheckpoint)) as cursor:
        await cursor.execute(query, (game_id, before, before))
        return await cursor.fetchone()


async def drop_checkpoints(conn: Conn, game_id: str, first: int) -> None:
    """Those from entry `first` on, and with them all that are told apart from them: a base is older than its like."""
    await conn.execute("delete from checkpoints where game_id = %s and seq >= %s", (game_id, first))


async def keep_base(conn: Conn, game_id: str, new: StoredCheckpoint, version: str) -> bool:
    """Keeps a whole position from which others will be told apart, if the row of the game is still of that version."""
    query = """insert into checkpoints (game_id, phase, seq, schema, rules_version, state)
        select g.id, %s, %s, %s, %s, %b from (select id from games where id = %s and xmin::text = %s for share) as g
        on conflict (game_id, phase) do update set seq = excluded.seq"""  # one entry, one position
    values = (new.phase, new.seq, new.schema, new.rules_version, new.state, game_id, version)
    cursor = await conn.execute(query, values)
    return cursor.rowcount == 1
