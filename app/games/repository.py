"""SQL on games and their records, on psycopg connections. Whoever calls owns the transaction."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import takewhile
from typing import Any, cast

import orjson
from psycopg import AsyncConnection
from psycopg.rows import class_row, dict_row, scalar_row
from sqlalchemy.ext.asyncio import AsyncSession

from app.archive.repository import thaw
from rules.core.record import CHANCE, PATCH, RERUN, Entry

Conn = AsyncConnection[Any]
NEWEST = ""  # the phase under which the newest checkpoint is kept,
START = "start"  # and the first, which no other may overwrite,
BASE = "base "  # and, with their entry, others from which later ones are told apart
CHANNEL = "game"
TAIL = 60  # entries that stand, as far back as a take-back looks


async def driver(session: AsyncSession) -> Conn:
    """The driver's connection under a session: the same transaction."""
    raw = await (await session.connection()).get_raw_connection()
    return cast(Conn, raw.driver_connection)


# -- games -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class GameRow:
    """A game and who sits at it. `seats`: seat to {"user", "bot", "name", "host"}; `repeated`: the entry with the key
    that was asked for; `version`: another after every change of the row, None when that is not known."""

    id: str
    title: str
    scenario: str
    data_digest: str
    rules_version: str
    status: str
    visibility: str
    join_token: str
    policy: str
    options: dict[str, Any]
    seq: int
    waiting_for: list[str]
    result: dict[str, Any] | None
    dice: dict[str, Any]
    dice_seed: bytes
    rolls: int
    draw_offer: str | None
    undo_request: dict[str, Any] | None
    undo_refused: list[int]
    orders: bool
    pace: dict[str, Any] | None
    clock: dict[str, Any] | None
    clock_offer: dict[str, Any] | None
    deadline: datetime | None
    wants_substitute: str | None
    created_by: int
    created_at: datetime
    updated_at: datetime
    finished_at: datetime | None
    creator: str
    seats: dict[str, dict[str, Any]] = field(default_factory=dict)
    repeated: int | None = None
    version: str | None = None
    archived: bool = False


_COLUMNS = """
    g.xmin::text as version, g.id, g.title, g.scenario, g.data_digest, g.rules_version, g.status, g.visibility,
    g.join_token, g.policy, g.options, g.seq, g.waiting_for, g.result, g.dice, g.dice_seed, g.rolls, g.draw_offer,
    g.undo_request, g.undo_refused, g.orders, g.pace, g.clock, g.clock_offer, g.deadline, g.wants_substitute,
    g.created_by, g.created_at, g.updated_at, g.finished_at, g.archived,
    (select name from users where users.id = g.created_by) as creator,
    (select jsonb_object_agg(s.seat, jsonb_build_object(
         'user', s.user_id, 'bot', s.bot, 'name', coalesce(u.name, s.name),
         'host', coalesce(u.is_admin, false)))
       from seats s left join users u on u.id = s.user_id where s.game_id = g.id) as seats"""
_GAME = f"select {_COLUMNS}, null::int as repeated from games g where g.id = %s"
_LOCKED = f"""select {_COLUMNS},
    (select e.seq from entries e where e.game_id = g.id and e.key = %(key)s) as repeated
    from games g where g.id = %(game)s for update of g"""


async def game(conn: Conn, game_id: str) -> GameRow | None:
    """A game; one that was packed away is taken out."""
    async with conn.cursor(row_factory=class_row(GameRow)) as cursor:
        await cursor.execute(_GAME, (game_id,))
        return await _at_hand(conn, await cursor.fetchone())


async def _at_hand(conn: Conn, row: GameRow | None) -> GameRow | None:
    if row is not None and row.archived:
        await thaw(conn, row.id)
        row.archived, row.version = False, None
    return row


async def lock(conn: Conn, game_id: str, key: str | None = None) -> GameRow | None:
    """A game, locked until the transaction ends, and the entry that has this idempotency key, if there is one."""
    async with conn.cursor(row_factory=class_row(GameRow)) as cursor:
        await cursor.execute(_LOCKED, {"game": game_id, "key": key})
        return await _at_hand(conn, await cursor.fetchone())


async def version(conn: Conn, game_id: str) -> str | None:
    return cast("str | None", await _scalar(conn, "select xmin::text from games where id = %s", (game_id,)))


async def moved(conn: Conn, known: Mapping[str, int]) -> list[str]:
    """Those of these games that have newer entries than is known of them."""
    query = """select g.id from games g join unnest(%s::text[], %s::int[]) as k (id, seq) on k.id = g.id
        where g.seq > k.seq"""
    return await _scalars(conn, query, (list(known), list(known.values())))


async def live_games(conn: Conn) -> list[str]:
    return await _scalars(conn, "select id from games where status <> 'finished' order by created_at, id", ())


async def games_waiting_on_bots(conn: Conn) -> list[str]:
    query = """select distinct g.id from games g join seats s on s.game_id = g.id
        where g.status = 'active' and s.bot is not null and s.seat = any(g.waiting_for)"""
    return await _scalars(conn, query, ())


async def unfinished_of(conn: Conn, user_id: int) -> list[str]:
    query = """select distinct g.id from games g join seats s on s.game_id = g.id
        where g.status <> 'finished' and s.user_id = %s order by g.id"""
    return await _scalars(conn, query, (user_id,))


async def add_game(conn: Conn, row: dict[str, Any]) -> None:
    await conn.execute(
        """insert into games (id, title, scenario, data_digest, rules_version, schema, status, visibility, join_token,
               policy, options, pace, conditions, seq, waiting_for, result, dice, dice_seed, rolls, created_by)
           values (%(id)s, %(title)s, %(scenario)s, %(data_digest)s, %(rules_version)s, %(schema)s, %(status)s,
               %(visibility)s, %(join_token)s, %(policy)s, %(options)s::jsonb, %(pace)s::jsonb,
               %(conditions)s::jsonb, %(seq)s,
               %(waiting_for)s, %(result)s::jsonb, %(dice)s::jsonb, %(dice_seed)s, %(rolls)s, %(created_by)s)""",
        {**row, **{name: _json(row.get(name)) for name in ("options", "dice", "result", "pace", "conditions")}},
    )


async def drop_game(conn: Conn, game_id: str) -> None:
    """For a game that never began; the record has no foreign keys and goes along."""
    await conn.execute(
        """with gone as (delete from games where id = %s and status = 'open' returning id),
           unwritten as (delete from entries using gone where entries.game_id = gone.id)
           delete from checkpoints using gone where checkpoints.game_id = gone.id""",
        (game_id,),
    )


async def update_game(conn: Conn, game_id: str, **values: Any) -> None:
    """Sets columns of a game; JSON columns take plain objects."""
    for name in ("dice", "result", "undo_request", "pace", "clock", "clock_offer"):
        if name in values:
            values[name] = _json(values[name])
    sets = ", ".join(f"{name} = %({name})s" for name in values)
    await conn.execute(f"update games set {sets}, updated_at = now() where id = %(game)s", {**values, "game": game_id})


# -- seats -------------------------------------------------------------------------------------------


async def add_seat(conn: Conn, game_id: str, seat: str, user: int | None, bot: str | None, name: str | None) -> None:
    await conn.execute(
        """insert into seats (game_id, seat, user_id, bot, name, joined_at)
           values (%s, %s, %s, %s, %s, case when %s then now() end)""",
        (game_id, seat, user, bot, name, user is not None or bot is not None),
    )


async def set_seat(conn: Conn, game_id: str, seat: str, user: int | None) -> None:
    """The game's row gets another version: those that have it in memory know it with who sits there."""
    await conn.execute("update games set updated_at = now() where id = %s", (game_id,))
    await conn.execute(
        """update seats set user_id = %s, joined_at = case when %s then now() end, chat_read = 0, chat_muted = false
           where game_id = %s and seat = %s""",
        (user, user is not None, game_id, seat),
    )


async def notes(conn: Conn, game_id: str, seat: str) -> str:
    return str(await _scalar(conn, "select notes from seats where game_id = %s and seat = %s", (game_id, seat)) or "")


async def set_notes(conn: Conn, game_id: str, seat: str, text: str) -> None:
    await conn.execute("update seats set notes = %s where game_id = %s and seat = %s", (text, game_id, seat))


async def plans(conn: Conn, game_id: str, seat: str) -> dict[str, Any]:
    query = "select plans from seats where game_id = %s and seat = %s"
    return cast("dict[str, Any]", await _scalar(conn, query, (game_id, seat)))


async def set_plans(conn: Conn, game_id: str, seat: str, drawn: dict[str, Any]) -> None:
    query = "update seats set plans = %s::jsonb where game_id = %s and seat = %s"
    await conn.execute(query, (_json(drawn), game_id, seat))


# -- the record --------------------------------------------------------------------------------------


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
    """An entry as it was told: `told` is packed."""

    seq: int
    at: datetime
    seat: str | None
    kind: str
    clause: str | None
    retracted: bool
    forced: bool
    sides: int | None
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
    query = """select seq, at, seat, kind, clause, retracted_at is not null as retracted, forced, sides, told
        from entries where game_id = %s and seq > %s order by seq limit %s"""
    async with conn.cursor(row_factory=class_row(StoredEntry)) as cursor:
        await cursor.execute(query, (game_id, since, limit))
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


# -- checkpoints -------------------------------------------------------------------------------------


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


# -- drafts, chat ------------------------------------------------------------------------------------


async def keep_draft(conn: Conn, game_id: str, seat: str, answer: dict[str, Any]) -> None:
    await conn.execute(
        """insert into drafts (game_id, seat, answer) values (%s, %s, %s::jsonb)
           on conflict (game_id, seat) do update set answer = excluded.answer""",
        (game_id, seat, _json(answer)),
    )


async def draft(conn: Conn, game_id: str, seat: str) -> Any:
    return await _scalar(conn, "select answer from drafts where game_id = %s and seat = %s", (game_id, seat))


async def drop_draft(conn: Conn, game_id: str, seat: str) -> None:
    await conn.execute("delete from drafts where game_id = %s and seat = %s", (game_id, seat))


_MESSAGE = """select m.id, m.at, u.name, m.text,
    (select min(seat) from seats s where s.game_id = m.game_id and s.user_id = m.user_id) as seat
    from messages m join users u on u.id = m.user_id"""


async def add_message(conn: Conn, game_id: str, user_id: int, text: str) -> int:
    query = "insert into messages (game_id, user_id, text) values (%s, %s, %s) returning id"
    return int(await _scalar(conn, query, (game_id, user_id, text)))


async def message(conn: Conn, message_id: int) -> dict[str, Any] | None:
    async with conn.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(f"{_MESSAGE} where m.id = %s", (message_id,))
        return await cursor.fetchone()


async def messages(conn: Conn, game_id: str, reader: int | None, since: int, limit: int) -> list[dict[str, Any]]:
    """The newest lines after `since`, oldest first; for one who has muted the chat only the own ones."""
    query = f"""{_MESSAGE} where m.game_id = %(game)s and m.id > %(since)s and (m.user_id = %(reader)s or not exists
        (select from seats where game_id = m.game_id and user_id = %(reader)s and chat_muted))
        order by m.id desc limit %(limit)s"""
    async with conn.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(query, {"game": game_id, "reader": reader, "since": since, "limit": limit})
        return (await cursor.fetchall())[::-1]


async def deaf(conn: Conn, game_id: str) -> set[int]:
    """The players who have muted a game's chat."""
    query = "select user_id from seats where game_id = %s and chat_muted and user_id is not null"
    return set(await _scalars(conn, query, (game_id,)))


async def read_chat(conn: Conn, game_id: str, user_id: int) -> None:
    """A player has read all lines there are."""
    await conn.execute(
        """update seats set chat_read = (select coalesce(max(id), 0) from messages where game_id = %s)
           where game_id = %s and user_id = %s""",
        (game_id, game_id, user_id),
    )


async def recent_messages(conn: Conn, game_id: str, user_id: int, seconds: int) -> int:
    query = """select count(*) from messages where game_id = %s and user_id = %s
        and at > now() - make_interval(secs => %s)"""
    return int(await _scalar(conn, query, (game_id, user_id, seconds)))


# -- data, notifications -----------------------------------------------------------------------------


async def keep_data(conn: Conn, digest: str, title: str, body: bytes) -> None:
    await conn.execute(
        "insert into data_sets (digest, title, body) values (%s, %s, %s) on conflict do nothing", (digest, title, body)
    )


async def has_data(conn: Conn, digest: str) -> bool:
    return bool(await _scalar(conn, "select exists (select from data_sets where digest = %s)", (digest,)))


async def data_body(conn: Conn, digest: str) -> bytes | None:
    return cast("bytes | None", await _scalar(conn, "select body from data_sets where digest = %s", (digest,)))


async def user_named(conn: Conn, name_key: str) -> int | None:
    query = "select id from users where name_key = %s and deleted_at is null"
    return cast("int | None", await _scalar(conn, query, (name_key,)))


async def names(conn: Conn, users: Iterable[int]) -> dict[int, str]:
    """The names of accounts by their numbers."""
    async with conn.cursor() as cursor:
        await cursor.execute("select id, name from users where id = any(%s::bigint[])", (list(users),))
        return dict(await cursor.fetchall())


async def notify(conn: Conn, note: str) -> None:
    """Reaches all processes when the transaction is committed."""
    await conn.execute("select pg_notify(%s, %s)", (CHANNEL, note))


async def register(conn: Conn, origin: str) -> None:
    """From now on this connection is told of what others than `origin` write; those that ended are forgotten."""
    await conn.execute("delete from listeners where pid not in (select pid from pg_stat_activity)")
    await conn.execute(
        """insert into listeners (origin, pid) values (%s, pg_backend_pid())
           on conflict (origin) do update set pid = excluded.pid""",
        (origin,),
    )


async def unregister(conn: Conn, origin: str) -> None:
    await conn.execute("delete from listeners where origin = %s", (origin,))


def _json(value: Any) -> str | None:
    return None if value is None else orjson.dumps(value).decode()


async def _scalar(conn: Conn, query: Any, args: Iterable[Any]) -> Any:
    async with conn.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute(query, tuple(args))
        return await cursor.fetchone()


async def _scalars(conn: Conn, query: Any, args: Iterable[Any]) -> list[Any]:
    async with conn.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute(query, tuple(args))
        return await cursor.fetchall()
