"""SQL on games and their records, on psycopg connections. Whoever calls owns the transaction."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast

import orjson
from psycopg import AsyncConnection
from psycopg.rows import class_row, scalar_row

from app.archive.repository import thaw
from app.errors import Conflict
from rules.core.seats import Seating

Conn = AsyncConnection[Any]


# -- games -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class GameRow:
    """A game and who sits at it. `seats`: seat to {"side", "user", "bot", "name", "host"}, in
    the order of the scenario; `repeated`: the entry with the key
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
    draw_asks: list[str]
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
    what_if: bool = True
    imported: dict[str, Any] | None = None

    @property
    def seating(self) -> Seating:
        """Who sits for which side."""
        return Seating("", {seat: who["side"] for seat, who in self.seats.items()})


_COLUMNS = """
    g.xmin::text as version, g.id, g.title, g.scenario, g.data_digest, g.rules_version, g.status, g.visibility,
    g.join_token, g.policy, g.options, g.seq, g.waiting_for, g.result, g.dice, g.dice_seed, g.rolls, g.draw_offer,
    g.draw_asks, g.undo_request, g.undo_refused, g.orders, g.pace, g.clock, g.clock_offer, g.deadline,
    g.wants_substitute, g.created_by, g.created_at, g.updated_at, g.finished_at, g.archived, g.what_if, g.imported,
    (select name from users where users.id = g.created_by) as creator,
    (select json_object_agg(s.seat, json_build_object(
         'side', s.side, 'user', s.user_id, 'bot', s.bot, 'name', coalesce(u.name, s.name),
         'host', coalesce(u.is_admin, false)) order by s.place)
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
    return cast("str | None", await scalar(conn, "select xmin::text from games where id = %s", (game_id,)))


async def unchanged(conn: Conn, row: GameRow, key: str | None) -> bool:
    """Whether a game is as it was read, and has no entry with an idempotency key."""
    query = """select exists (select from games where id = %(game)s and xmin::text = %(version)s)
        and not exists (select from entries where game_id = %(game)s and key = %(key)s)"""
    async with conn.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute(query, {"game": row.id, "version": row.version, "key": key})
        return bool(await cursor.fetchone())


async def moved(conn: Conn, known: Mapping[str, int]) -> list[str]:
    """Those of these games that have newer entries than is known of them."""
    query = """select g.id from games g join unnest(%s::text[], %s::int[]) as k (id, seq) on k.id = g.id
        where g.seq > k.seq"""
    return await scalars(conn, query, (list(known), list(known.values())))


async def live_games(conn: Conn) -> list[str]:
    return await scalars(conn, "select id from games where status <> 'finished' order by created_at, id", ())


async def games_waiting_on_bots(conn: Conn) -> list[str]:
    query = """select distinct g.id from games g join seats s on s.game_id = g.id
        where g.status = 'active' and s.bot is not null and s.seat = any(g.waiting_for)"""
    return await scalars(conn, query, ())


async def unfinished_of(conn: Conn, user_id: int) -> list[str]:
    query = """select distinct g.id from games g join seats s on s.game_id = g.id
        where g.status <> 'finished' and s.user_id = %s order by g.id"""
    return await scalars(conn, query, (user_id,))


async def add_game(conn: Conn, row: dict[str, Any]) -> None:
    await conn.execute(
        """insert into games (id, title, scenario, data_digest, rules_version, schema, status, visibility, join_token,
               policy, options, what_if, pace, conditions, imported, seq, waiting_for, result, dice, dice_seed, rolls,
               created_by)
           values (%(id)s, %(title)s, %(scenario)s, %(data_digest)s, %(rules_version)s, %(schema)s, %(status)s,
               %(visibility)s, %(join_token)s, %(policy)s, %(options)s::jsonb, %(what_if)s, %(pace)s::jsonb,
               %(conditions)s::jsonb, %(imported)s::jsonb, %(seq)s,
               %(waiting_for)s, %(result)s::jsonb, %(dice)s::jsonb, %(dice_seed)s, %(rolls)s, %(created_by)s)""",
        {"what_if": True, **row, **{name: as_json(row.get(name))
                   for name in ("options", "dice", "result", "pace", "conditions", "imported")}},
    )


async def made_by(conn: Conn, user_id: int, running: bool = False) -> list[str]:
    """The games that somebody made, or those of them that run; the newest first."""
    query = """select id from games where created_by = %s and (status = 'active' or not %s) order by created_at desc"""
    return await scalars(conn, query, (user_id, running))


async def drop_game(conn: Conn, game_id: str, begun: bool = False) -> None:
    """For a game that never began, or a guest's, to which nobody comes back; the record has no foreign keys and goes
    along."""
    await conn.execute(
        """with gone as (delete from games where id = %s and (status = 'open' or %s) returning id),
           unwritten as (delete from entries using gone where entries.game_id = gone.id)
           delete from checkpoints using gone where checkpoints.game_id = gone.id""",
        (game_id, begun),
    )


async def hand_over(conn: Conn, guest: int, user_id: int) -> None:
    """A guest's games become an account's; their rows get another version, as those that have them in memory know them
    with who sits there."""
    who = {"guest": guest, "user": user_id}
    await conn.execute("update sat set user_id = %(user)s where user_id = %(guest)s", who)
    await conn.execute("update seats set user_id = %(user)s where user_id = %(guest)s", who)
    await conn.execute(
        "update games set created_by = %(user)s, updated_at = now() where created_by = %(guest)s", who
    )


async def update_game(conn: Conn, game_id: str, **values: Any) -> None:
    """Sets columns of a game; JSON columns take plain objects."""
    for name in ("dice", "result", "undo_request", "pace", "clock", "clock_offer"):
        if name in values:
            values[name] = as_json(values[name])
    sets = ", ".join(f"{name} = %({name})s" for name in values)
    await conn.execute(f"update games set {sets}, updated_at = now() where id = %(game)s", {**values, "game": game_id})


# -- seats -------------------------------------------------------------------------------------------


async def add_seats(conn: Conn, game_id: str, seating: Seating,
                    players: Mapping[str, tuple[int | None, str | None, str | None]]) -> None:
    """All seats of a game. `players`: by seat an account, a bot, or the name of somebody without either."""
    for place, (seat, side) in enumerate(seating.seats.items()):
        await _add_seat(conn, game_id, seat, side, place, *players[seat])


async def _add_seat(conn: Conn, game_id: str, seat: str, side: str, place: int, user: int | None, bot: str | None,
                    name: str | None) -> None:
    await conn.execute(
        """insert into seats (game_id, seat, side, place, user_id, bot, name, joined_at)
           values (%s, %s, %s, %s, %s, %s, %s, case when %s then now() end)""",
        (game_id, seat, side, place, user, bot, name, user is not None or bot is not None),
    )
    await _note_sitting(conn, game_id, seat, user)


async def set_seat(conn: Conn, game_id: str, seat: str, user: int | None) -> None:
    """The game's row gets another version: those that have it in memory know it with who sits there. Raises Conflict
    for one who has seen what another side sees."""
    if user is not None and await _has_seen(conn, game_id, user, seat):
        raise Conflict("games.sat_elsewhere")
    await conn.execute("update games set updated_at = now() where id = %s", (game_id,))
    await conn.execute(
        """update seats set user_id = %s, joined_at = case when %s then now() end, chat_read = 0, chat_muted = false
           where game_id = %s and seat = %s""",
        (user, user is not None, game_id, seat),
    )
    await _note_sitting(conn, game_id, seat, user)


async def name_seat(conn: Conn, game_id: str, seat: str, name: str | None) -> None:
    """What somebody is called who sits there without an account."""
    await conn.execute("update seats set name = %s where game_id = %s and seat = %s", (name, game_id, seat))


async def _note_sitting(conn: Conn, game_id: str, seat: str, user: int | None) -> None:
    await conn.execute(
        "insert into sat (game_id, user_id, seat) select %s, %s, %s where %s on conflict do nothing",
        (game_id, user, seat, user is not None),
    )


async def _has_seen(conn: Conn, game_id: str, user: int, seat: str) -> bool:
    """Whether somebody has sat at another side of a game, or has looked at it with another's eyes to help, or at its
    whole position to correct it."""
    query = """select exists (select from sat join seats s using (game_id, seat)
            where game_id = %(game)s and sat.user_id = %(user)s
              and s.side <> (select side from seats where game_id = %(game)s and seat = %(seat)s))
        or exists (select from audit where by_user = %(user)s and (
            (deed = 'support_saw' and args ->> 'path' ~ %(path)s)
            or (deed in ('position', 'patch') and game_id = %(game)s)))"""
    asked = {"game": game_id, "user": user, "seat": seat, "path": f"^(/api)?/games/{game_id}(/|$)"}
    return bool(await scalar(conn, query, asked))


async def has_left(conn: Conn, game_id: str, user: int) -> None:
    """Of a game that has not begun: there was nothing to see."""
    await conn.execute("delete from sat where game_id = %s and user_id = %s", (game_id, user))


# -- accounts ----------------------------------------------------------------------------------------


async def user_named(conn: Conn, name_key: str) -> int | None:
    query = "select id from users where name_key = %s and deleted_at is null and not guest"
    return cast("int | None", await scalar(conn, query, (name_key,)))


async def names(conn: Conn, users: Iterable[int]) -> dict[int, str]:
    """The names of accounts by their numbers."""
    async with conn.cursor() as cursor:
        await cursor.execute("select id, name from users where id = any(%s::bigint[])", (list(users),))
        return dict(await cursor.fetchall())


def as_json(value: Any) -> str | None:
    return None if value is None else orjson.dumps(value).decode()


async def scalar(conn: Conn, query: Any, args: Iterable[Any] | Mapping[str, Any]) -> Any:
    async with conn.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute(query, args if isinstance(args, Mapping) else tuple(args))
        return await cursor.fetchone()


async def scalars(conn: Conn, query: Any, args: Iterable[Any]) -> list[Any]:
    async with conn.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute(query, tuple(args))
        return await cursor.fetchall()
