"""SQL for those who look after the site, on psycopg connections. Whoever calls owns the transaction."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from psycopg.rows import class_row, dict_row, scalar_row

from app.games.repository import Conn

PAGE = 100  # rows of a list


# -- the audit log -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Act:
    """A row of the audit log with names."""

    id: int
    at: datetime
    by: str
    deed: str
    user: str | None
    game_id: str | None
    title: str | None
    reason: str
    args: dict[str, Any]


async def acts(conn: Conn, *, user: int | None = None, game: str | None = None, before: int | None = None,
               limit: int = PAGE) -> list[Act]:
    """The newest first: of all, or those that concern a user (or a game of his), or a game; `before` an id, for further
    pages. What a patch changed may be hidden: it is shown when the game is over."""
    query = """select a.id, a.at, b.name as by, a.deed, u.name as user, a.game_id, g.title, a.reason,
        case when g.status = 'finished' then a.args else a.args - 'changes' end as args
        from audit a join users b on b.id = a.by_user left join users u on u.id = a.user_id
        left join games g on g.id = a.game_id
        where (%(user)s::bigint is null or a.user_id = %(user)s
               or a.game_id in (select game_id from seats where user_id = %(user)s))
          and (%(game)s::text is null or a.game_id = %(game)s)
          and (%(before)s::bigint is null or a.id < %(before)s)
        order by a.id desc limit %(limit)s"""
    async with conn.cursor(row_factory=class_row(Act)) as cursor:
        await cursor.execute(query, {"user": user, "game": game, "before": before, "limit": limit})
        return await cursor.fetchall()


async def note_position(conn: Conn, by: int, game: str, reason: str, seq: int) -> None:
    """That somebody saw the whole position of a game: once for each reason at an entry."""
    await conn.execute(
        """insert into audit (by_user, deed, game_id, reason, args)
           select %(by)s, 'position', %(game)s, %(reason)s, jsonb_build_object('seq', %(seq)s::int)
           where not exists (select from audit a where a.by_user = %(by)s and a.game_id = %(game)s
               and a.deed = 'position' and a.reason = %(reason)s and a.args ->> 'seq' = %(seq)s::text)""",
        {"by": by, "game": game, "reason": reason, "seq": seq},
    )


async def note_look(conn: Conn, admin: int, user: int, path: str) -> None:
    """That an admin who helps saw a page: once for each page since the help began."""
    await conn.execute(
        """insert into audit (by_user, deed, user_id, args)
           select %(admin)s, 'support_saw', %(user)s, jsonb_build_object('path', %(path)s::text)
           where not exists (select from audit a where a.user_id = %(user)s and a.by_user = %(admin)s
               and a.deed = 'support_saw' and a.args ->> 'path' = %(path)s
               and a.id > (select coalesce(max(id), 0) from audit where user_id = %(user)s and by_user = %(admin)s
                   and deed = 'support_start'))""",
        {"admin": admin, "user": user, "path": path[:200]},
    )


# -- users -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class UserRow:
    """An account as those see it who look after the site; `mail` is for admins."""

    id: int
    name: str
    mail: str | None
    is_admin: bool
    roles: list[str]
    ban_reason: str | None
    banned_until: datetime | None
    banned: bool
    created_at: datetime
    games: int


_USER = """select u.id, u.name, u.mail, u.is_admin, u.roles, u.ban_reason, u.banned_until, u.created_at,
    (u.ban_reason is not null and (u.banned_until is null or u.banned_until > now())) as banned,
    (select count(distinct s.game_id) from seats s join games g on g.id = s.game_id
       where s.user_id = u.id and g.status = 'active') as games
    from users u where u.deleted_at is null and not u.guest"""


async def users(conn: Conn, words: str, mails: bool) -> list[UserRow]:
    """By name; those in whose name (or mail, with `mails`) the words are."""
    query = f"""{_USER} and (strpos(u.name_key, lower(%(words)s)) > 0
        or (%(mails)s and strpos(lower(u.mail), lower(%(words)s)) > 0)) order by u.name_key limit {PAGE}"""
    async with conn.cursor(row_factory=class_row(UserRow)) as cursor:
        await cursor.execute(query, {"words": words, "mails": mails})
        return await cursor.fetchall()


async def count_users(conn: Conn) -> int:
    async with conn.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute("select count(*) from users where deleted_at is null and not guest")
        return int(await cursor.fetchone() or 0)


async def user(conn: Conn, user_id: int) -> UserRow | None:
    async with conn.cursor(row_factory=class_row(UserRow)) as cursor:
        await cursor.execute(f"{_USER} and u.id = %s", (user_id,))
        return await cursor.fetchone()


# -- games -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class GameLine:
    """A game and its health. `waits`: names of those asked, or the bot's; `fault`: why the rules no longer fit it, when
    that was looked at."""

    id: str
    title: str
    scenario: str
    status: str
    visibility: str
    seq: int
    waiting_for: list[str]
    updated_at: datetime
    deadline: datetime | None
    seats: list[dict[str, Any]]
    last_kind: str | None
    last_at: datetime | None
    checked: bool = False
    fault: str | None = None
    waits: list[dict[str, Any]] = field(init=False)

    def __post_init__(self) -> None:
        self.waits = [seat for seat in self.seats if seat["seat"] in self.waiting_for]


async def games(conn: Conn, words: str, status: str, limit: int) -> list[GameLine]:
    """The longest without an entry first; `words`: an id, or part of a player's name."""
    query = """select g.id, g.title, g.scenario, g.status, g.visibility, g.seq, g.waiting_for, g.updated_at, g.deadline,
        (select jsonb_agg(jsonb_build_object('seat', s.seat, 'name', coalesce(u.name, s.name, s.bot)) order by s.seat)
           from seats s left join users u on u.id = s.user_id where s.game_id = g.id) as seats,
        e.kind as last_kind, e.at as last_at
        from games g left join entries e on e.game_id = g.id and e.seq = g.seq
        where g.status = %(status)s and (%(words)s = '' or g.id = %(words)s or exists (
            select from seats s join users u on u.id = s.user_id
            where s.game_id = g.id and strpos(u.name_key, lower(%(words)s)) > 0))
        order by coalesce(e.at, g.created_at), g.id limit %(limit)s"""
    async with conn.cursor(row_factory=class_row(GameLine)) as cursor:
        await cursor.execute(query, {"words": words, "status": status, "limit": limit})
        return await cursor.fetchall()


async def counted(conn: Conn, game_id: str) -> bool:
    """Whether a result has been counted elsewhere: in an event, or by ratings."""
    query = """select exists (select from pairings where game_id = %(game)s)
        or exists (select from rated_games where game_id = %(game)s)"""
    async with conn.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute(query, {"game": game_id})
        return bool(await cursor.fetchone())


async def points_of_return(conn: Conn, game_id: str, limit: int) -> list[dict[str, Any]]:
    """The answers that stand and were given freely, the newest first: before each the game can go on again."""
    query = """select seq, at, seat, clause from entries where game_id = %s and kind = 'answer' and not forced
        and retracted_at is null order by seq desc limit %s"""
    async with conn.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(query, (game_id, limit))
        return await cursor.fetchall()


async def answered_by(conn: Conn, game_id: str, seq: int) -> str | None:
    """Whose answer an entry is, if the game can go back to it."""
    query = """select seat from entries where game_id = %s and seq = %s and kind = 'answer' and not forced
        and retracted_at is null"""
    async with conn.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute(query, (game_id, seq))
        found: str | None = await cursor.fetchone()
        return found


async def sits(conn: Conn, user_id: int, game_id: str) -> bool:
    query = "select exists (select from seats where game_id = %s and user_id = %s)"
    async with conn.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute(query, (game_id, user_id))
        return bool(await cursor.fetchone())


# -- jobs and mail -----------------------------------------------------------------------------------


async def jobs_by_status(conn: Conn) -> dict[str, int]:
    async with conn.cursor() as cursor:
        await cursor.execute("select status::text, count(*) from procrastinate_jobs group by 1 order by 1")
        return dict(await cursor.fetchall())


async def failed_jobs(conn: Conn) -> list[dict[str, Any]]:
    """The newest first, with when each failed."""
    query = f"""select j.id, j.task_name, j.attempts, j.args::text as args,
        (select max(at) from procrastinate_events e where e.job_id = j.id and e.type = 'failed') as at
        from procrastinate_jobs j where j.status = 'failed' order by j.id desc limit {PAGE}"""
    async with conn.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(query)
        return await cursor.fetchall()


async def lock_failed(conn: Conn, job_id: int) -> str | None:
    """The name of a job that has failed, locked until the transaction ends."""
    query = "select task_name from procrastinate_jobs where id = %s and status = 'failed' for update"
    async with conn.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute(query, (job_id,))
        found: str | None = await cursor.fetchone()
        return found


async def retry(conn: Conn, job_id: int) -> None:
    """Queues a failed job anew, by the job library's own function."""
    await conn.execute("select procrastinate_retry_job_v2(%s, now(), null, null, null)", (job_id,))


async def undelivered(conn: Conn) -> dict[str, int]:
    """Notices to be sent later, due now, and those of which no channel took the last day's."""
    query = """select count(*) filter (where due_at > now()) as later, count(*) filter (where due_at <= now()) as due,
        (select count(distinct n.id) from notices n join notice_sendings s on s.notice_id = n.id
           where n.created_at > now() - interval '1 day'
           and not exists (select from notice_sendings o where o.notice_id = n.id and o.ok)) as lost
        from notices where sent_at is null and withdrawn_at is null"""
    async with conn.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(query)
        return dict(await cursor.fetchone() or {})


async def failed_deliveries(conn: Conn) -> list[dict[str, Any]]:
    """The newest; without the addresses that services put into their words: who knows one can send there."""
    query = r"""select d.at, u.name as user, d.kind, d.notices,
        regexp_replace(d.error, '\S+://\S+', '…', 'g') as error from notice_deliveries d
        join users u on u.id = d.user_id where d.error is not null order by d.at desc limit 30"""
    async with conn.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(query)
        return await cursor.fetchall()
