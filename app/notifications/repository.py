"""SQL on notices, on psycopg connections. Whoever calls owns the transaction."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson
from psycopg.rows import class_row, dict_row, scalar_row

from app.games.repository import Conn
from app.notifications.kinds import TASKS
from app.queue import DEFER, ROW

DELIVER = "notices.deliver"
DELIVER_ABROAD = "notices.deliver_abroad"
LONGEST_LIST = 100
KEPT = 90  # days of notices that are done with, and of the delivery log

_TASK_KINDS = ", ".join(f"'{kind}'" for kind in TASKS)
_WANTED = """wanted as (
  select * from jsonb_to_recordset(%(wanted)s::jsonb)
    as w(user_id bigint, kind text, game_id text, seat text, by_user bigint, args jsonb)
)"""
# While nobody has chosen another zone than that which all begin with, the calendar's holds.
_ZONE = """case when s.zone = 'UTC' then coalesce((select week.zone from calendar_weeks week
    where week.user_id = s.user_id order by week.holds_from desc limit 1), s.zone) else s.zone end"""
_DUE = f"""case
    when w.kind = 'reminder' then now()
    when s.timing = 'hourly' then date_trunc('hour', now()) + interval '1 hour'
    when s.timing = 'daily' then (date_trunc('day', (now() at time zone {_ZONE}) - make_interval(hours => s.hour))
      + interval '1 day' + make_interval(hours => s.hour)) at time zone {_ZONE}
    else now() + make_interval(secs => {{delay}}) end"""
# That a game has begun knows who was told before, and who has just taken the last seat of it.
_KNOWN = """(
  exists (select from notices n where n.game_id = w.game_id and n.user_id = w.user_id and n.kind = 'begun')
  or exists (select from seats m join seats o using (game_id) where m.game_id = w.game_id and m.user_id = w.user_id
             and m.joined_at = now() and o.joined_at < now()))"""
_JOB = ROW.format(name=f"'{DELIVER}'", lock="null", args="jsonb_build_object('user', user_id)", at="due_at")
_MADE = f"""made as (
  insert into notices (user_id, kind, game_id, seat, by_user, args, due_at)
  select w.user_id, w.kind, w.game_id, w.seat, w.by_user, coalesce(w.args, '{{{{}}}}'), {_DUE}
  from wanted w left join notice_settings s using (user_id)
  where not w.kind = any(coalesce(s.off, '{{{{}}}}')) and not (w.kind = 'begun' and {_KNOWN})
  on conflict (game_id, seat, kind, user_id) where withdrawn_at is null and kind in ({_TASK_KINDS}) do nothing
  returning user_id, due_at
)"""
_QUEUED = f"select {DEFER}(array_agg({_JOB})) from made having count(*) > 0"
_GONE = f"""n.withdrawn_at is null and n.kind in ({_TASK_KINDS}, 'reminder')
    and not exists (select from wanted w where w.kind in (n.kind, case n.kind when 'reminder' then 'turn' end)
                    and w.game_id = n.game_id and w.seat = n.seat and w.user_id = n.user_id)"""
_GIVEN = _MADE.format(delay="%(delay)s")
_TELL = f"with {_WANTED}, {_GIVEN} {_QUEUED}"
_FOLLOW = f"""with {_WANTED}, gone as (
  update notices n set withdrawn_at = now() where n.game_id = %(game)s and {_GONE}
), {_GIVEN} {_QUEUED}"""

# The same for many games, beside the statement that writes them, for those that this transaction has written. $1: a
# list of {"game", "wanted", "delay"}.
FOLLOW_ALL = f"""with told as materialized (
  select t.* from jsonb_to_recordset($1) as t(game text, wanted jsonb, delay float8)
  where exists (select from games g where g.id = t.game and g.xmin = pg_current_xact_id()::xid)
), wanted as (
  select w.*, told.delay from told, jsonb_to_recordset(told.wanted)
    as w(user_id bigint, kind text, game_id text, seat text, by_user bigint, args jsonb)
), gone as (
  update notices n set withdrawn_at = now() from told where n.game_id = told.game and {_GONE}
), {_MADE.format(delay="w.delay")} {_QUEUED}"""


async def tell(conn: Conn, wanted: Sequence[dict[str, Any]], delay: float) -> None:
    """Notes what people are told and queues its sending, in one statement. `wanted`: {"user_id", "kind", "game_id",
    "seat", "by_user", "args"}; what they switched off is left out. `delay`: seconds before what goes at once goes."""
    if wanted:
        await conn.execute(_TELL, {"wanted": orjson.dumps(wanted).decode(), "delay": delay})


async def follow(conn: Conn, game_id: str, wanted: Sequence[dict[str, Any]], delay: float) -> None:
    """As `tell`, for all that a game tells now; the tasks it asked before and asks no more are withdrawn."""
    await conn.execute(_FOLLOW, {"wanted": orjson.dumps(wanted).decode(), "delay": delay, "game": game_id})


# -- what waits for a person -------------------------------------------------------------------------


@dataclass(slots=True)
class Waiting:
    """Something a game waits for a person to do: to answer (`turn`), or to say yes or no to a take-back or a draw.
    `others`: who sits at the other seats; `deadline`: when the game's clock runs out, if it has one."""

    game_id: str
    title: str
    scenario: str
    seat: str
    kind: str
    since: datetime
    deadline: datetime | None
    others: list[str]


# The one query behind the list, the badge, mails, the calendar and the button for the next game.
_WAITING = """
select g.id as game_id, g.title, g.scenario, s.seat, k.kind, g.updated_at as since,
    case when k.kind = 'turn' then g.deadline end as deadline,
    array(select coalesce(u.name, o.name, 'bot:' || o.bot, '') from seats o left join users u on u.id = o.user_id
          where o.game_id = g.id and o.seat <> s.seat order by o.seat) as others
from seats s join games g on g.id = s.game_id
  cross join lateral (
    select 'turn' as kind where s.seat = any(g.waiting_for)
    union all select 'take_back' where g.undo_request -> 'asks' ? s.seat
    union all select 'draw' where g.draw_offer is not null and s.seat = any(g.draw_asks)) k
where s.user_id = %(user)s and g.status = 'active'
order by g.deadline nulls last, g.updated_at, g.id, s.seat"""


async def waiting(conn: Conn, user_id: int) -> list[Waiting]:
    """What waits for a person, the most urgent first: by deadline, then by how long it has waited."""
    async with conn.cursor(row_factory=class_row(Waiting)) as cursor:
        await cursor.execute(_WAITING, {"user": user_id})
        return await cursor.fetchall()


# -- notices -----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Told:
    """A notice with what its words need. `side`: that of its seat; `by`: the name of who caused it; `line`: the words
    of a chat message."""

    id: int
    kind: str
    game_id: str | None
    seat: str | None
    side: str | None
    args: dict[str, Any]
    created_at: datetime
    due_at: datetime
    seen_at: datetime | None
    withdrawn_at: datetime | None
    sent_at: datetime | None
    by: str | None
    title: str | None
    scenario: str | None
    result: dict[str, Any] | None
    line: str | None


_TOLD = """select n.id, n.kind, n.game_id, n.seat, n.args, n.created_at, n.due_at, n.seen_at, n.withdrawn_at, n.sent_at,
    u.name as by, g.title, g.scenario, g.result, s.side,
    (select text from messages m where n.kind = 'chat' and m.id = (n.args ->> 'line')::bigint) as line
  from notices n left join users u on u.id = n.by_user left join games g on g.id = n.game_id
    left join seats s on s.game_id = n.game_id and s.seat = n.seat"""


async def newest(conn: Conn, user_id: int) -> list[Told]:
    """The news of a person, newest first; tasks are not news."""
    query = f"{_TOLD} where n.user_id = %s and n.kind not in ({_TASK_KINDS}) order by n.id desc limit {LONGEST_LIST}"
    return await _told(conn, query, (user_id,))


_TO_SEND = """n.user_id = %s and n.sent_at is null and n.withdrawn_at is null and n.seen_at is null
    and n.due_at <= now()"""


async def due(conn: Conn, user_id: int) -> list[Told]:
    """What is to be sent to a person now, oldest first."""
    return await _told(conn, f"{_TOLD} where {_TO_SEND} order by n.id limit {LONGEST_LIST}", (user_id,))


async def anything_due(conn: Conn, user_id: int) -> bool:
    return bool(await _scalar(conn, f"select exists (select from notices n where {_TO_SEND})", (user_id,)))


async def unseen(conn: Conn, user_id: int) -> int:
    """How many news a person has not seen."""
    query = f"""select count(*) from notices where user_id = %s and seen_at is null and withdrawn_at is null
        and kind not in ({_TASK_KINDS})"""
    return int(await _scalar(conn, query, (user_id,)))


async def see(conn: Conn, user_id: int, game_id: str | None = None) -> None:
    """The person has seen the news, of one game or all."""
    await conn.execute(
        f"""update notices set seen_at = now() where user_id = %s and seen_at is null and kind not in ({_TASK_KINDS})
            and (%s::text is null or game_id = %s)""",
        (user_id, game_id, game_id),
    )


async def withdraw(conn: Conn, notices: Iterable[int]) -> None:
    await conn.execute("update notices set withdrawn_at = now() where id = any(%s)", (list(notices),))


async def finish(conn: Conn, notices: Iterable[int]) -> None:
    """Nothing is left to be sent of these."""
    await conn.execute("update notices set sent_at = now() where id = any(%s)", (list(notices),))


async def postpone(conn: Conn, notices: Iterable[int], at: datetime) -> None:
    await conn.execute("update notices set due_at = %s where id = any(%s)", (at, list(notices)))


async def overdue(conn: Conn, seconds: float) -> list[int]:
    """People for whom something should have gone out so long ago: its job was lost."""
    query = """select distinct user_id from notices where sent_at is null and withdrawn_at is null and seen_at is null
        and due_at < now() - make_interval(secs => %s)"""
    return await _scalars(conn, query, (seconds,))


async def forget_old(conn: Conn) -> None:
    """Drops what is over for long, and all that deleted accounts left."""
    await conn.execute(
        """delete from notices where coalesce(withdrawn_at, seen_at, sent_at) < now() - make_interval(days => %s)""",
        (KEPT,),
    )
    await conn.execute("delete from notice_deliveries where at < now() - make_interval(days => %s)", (KEPT,))
    for table in ("notices", "notice_settings", "notice_channels", "notice_deliveries"):
        await conn.execute(
            f"delete from {table} where user_id in (select id from users where deleted_at is not null)".encode()
        )


async def author(conn: Conn, line: int) -> int:
    """Who wrote a message of a game's chat."""
    return int(await _scalar(conn, "select user_id from messages where id = %s", (line,)))


async def _told(conn: Conn, query: str, args: Sequence[Any]) -> list[Told]:
    async with conn.cursor(row_factory=class_row(Told)) as cursor:
        await cursor.execute(query, args)
        return await cursor.fetchall()


# -- settings ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Wishes:
    """How a person wants to be told."""

    user_id: int
    timing: str
    hour: int
    zone: str
    off: list[str]
    token: str
    held: bool
    name: str
    mail: str | None
    lang: str


_WISHES = f"""select s.user_id, s.timing, s.hour, {_ZONE} as zone, s.off, s.token, s.held, u.name, u.mail, u.lang
    from notice_settings s join users u on u.id = s.user_id where u.deleted_at is null"""


async def wishes(conn: Conn, user_id: int) -> Wishes | None:
    """The wishes of a person, with a mail channel from the start; None for one who is gone."""
    if found := await _one_wish(conn, f"{_WISHES} and s.user_id = %s", user_id):
        return found
    await conn.execute(
        """with new as (insert into notice_settings (user_id, token) select id, %s from users
               where id = %s and deleted_at is null on conflict do nothing returning user_id)
           insert into notice_channels (user_id, kind, name) select user_id, 'mail', '' from new""",
        (secrets.token_urlsafe(24), user_id),
    )
    return await _one_wish(conn, f"{_WISHES} and s.user_id = %s", user_id)


async def wishes_by_token(conn: Conn, token: str) -> Wishes | None:
    return await _one_wish(conn, f"{_WISHES} and s.token = %s", token)


async def _one_wish(conn: Conn, query: str, arg: int | str) -> Wishes | None:
    async with conn.cursor(row_factory=class_row(Wishes)) as cursor:
        await cursor.execute(query, (arg,))
        return await cursor.fetchone()


async def set_wishes(conn: Conn, user_id: int, timing: str, hour: int, zone: str, off: Sequence[str]) -> None:
    """New wishes hold for what has not gone out yet, too."""
    await conn.execute(
        "update notice_settings set timing = %s, hour = %s, zone = %s, off = %s, held = false where user_id = %s",
        (timing, hour, zone, list(off), user_id),
    )
    await conn.execute(
        f"""with again as (update notices w set due_at = {_DUE.format(delay=0)} from notice_settings s
                where s.user_id = w.user_id and w.user_id = %(user)s
                and w.sent_at is null and w.withdrawn_at is null returning w.user_id, due_at),
              made as (select distinct user_id, due_at from again) {_QUEUED}""",
        {"user": user_id},
    )


async def new_token(conn: Conn, user_id: int) -> None:
    """Addresses of calendar and mails that were given away stop working."""
    await conn.execute(
        "update notice_settings set token = %s where user_id = %s", (secrets.token_urlsafe(24), user_id)
    )


async def hold(conn: Conn, user_id: int, held: bool) -> None:
    """Whether a person who is told once waits for a visit."""
    await conn.execute(
        "update notice_settings set held = %s where user_id = %s and held is distinct from %s", (held, user_id, held)
    )


_zones: set[str] = set()


async def known_zone(conn: Conn, zone: str) -> bool:
    """Whether the database knows it. Its list is read once: that takes longer than all else of a request."""
    if not _zones:
        _zones.update(await _scalars(conn, "select name from pg_timezone_names", ()))
    return zone in _zones


# -- channels ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Channel:
    """A way to a person, as in models.NoticeChannel."""

    id: int
    kind: str
    role: str
    name: str
    address: str
    failing: int


async def channels(conn: Conn, user_id: int) -> list[Channel]:
    """In the order they are tried."""
    query = """select id, kind, role, name, address, failing from notice_channels where user_id = %s
        order by array_position('{first,backup,off}', role), id"""
    async with conn.cursor(row_factory=class_row(Channel)) as cursor:
        await cursor.execute(query, (user_id,))
        return await cursor.fetchall()


async def add_channel(conn: Conn, user_id: int, kind: str, name: str, address: str) -> int:
    """The channel's id; one with this address is kept as it is, but is no more off or failing."""
    query = """insert into notice_channels (user_id, kind, name, address) values (%s, %s, %s, %s)
        on conflict (user_id, md5(address)) do update set name = excluded.name, failing = 0,
            role = case notice_channels.role when 'off' then 'first' else notice_channels.role end returning id"""
    return int(await _scalar(conn, query, (user_id, kind, name, address)))


async def set_role(conn: Conn, user_id: int, channel_id: int, role: str) -> None:
    await conn.execute(
        "update notice_channels set role = %s, failing = 0 where user_id = %s and id = %s", (role, user_id, channel_id)
    )


async def drop_channel(conn: Conn, user_id: int, channel_id: int) -> None:
    """Of the mail channel only its use ends."""
    await conn.execute(
        "delete from notice_channels where user_id = %s and id = %s and kind <> 'mail'", (user_id, channel_id)
    )


async def mails_off(conn: Conn, user_id: int) -> None:
    await conn.execute("update notice_channels set role = 'off' where user_id = %s and kind = 'mail'", (user_id,))


async def sent_by(conn: Conn, notices: Sequence[int]) -> list[tuple[int, int, bool]]:
    """What went out, or was given up: (notice, channel, whether it went out)."""
    async with conn.cursor() as cursor:
        await cursor.execute(
            "select notice_id, channel_id, ok from notice_sendings where notice_id = any(%s)", (list(notices),)
        )
        return await cursor.fetchall()


async def log_delivery(conn: Conn, user_id: int, channel: Channel, notices: Sequence[int], error: str | None,
                       done: bool) -> None:
    """Notes an attempt; `done`: there will be no other of these notices by this channel."""
    await conn.execute(
        """with tried as (insert into notice_deliveries (user_id, kind, name, notices, error)
                          values (%(user)s, %(kind)s, %(name)s, cardinality(%(notices)s::bigint[]), %(error)s)),
           counted as (update notice_channels set failing = case when %(ok)s then 0 else failing + 1 end
                       where id = %(channel)s)
           insert into notice_sendings (notice_id, channel_id, ok)
           select unnest(%(notices)s::bigint[]), %(channel)s, %(ok)s where %(done)s on conflict do nothing""",
        {"user": user_id, "kind": channel.kind, "name": channel.name, "notices": list(notices), "error": error,
         "ok": error is None, "channel": channel.id, "done": done},
    )  # fmt: skip


async def deliveries(conn: Conn, user_id: int) -> list[dict[str, Any]]:
    """The newest attempts, newest first."""
    async with conn.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(
            """select at, kind, name, notices, error from notice_deliveries where user_id = %s
               order by at desc, id desc limit 20""",
            (user_id,),
        )
        return await cursor.fetchall()


# -- push, reminders ---------------------------------------------------------------------------------


async def push_keys(conn: Conn) -> tuple[str, str] | None:
    """Private and public."""
    async with conn.cursor() as cursor:
        await cursor.execute("select private, public from push_keys where id = 1")
        return await cursor.fetchone()


async def keep_push_keys(conn: Conn, private: str, public: str) -> None:
    """The first that are kept stay."""
    await conn.execute(
        "insert into push_keys (id, private, public) values (1, %s, %s) on conflict do nothing", (private, public)
    )


async def asked_until(conn: Conn, game_id: str, seat: str) -> tuple[int, datetime] | None:
    """Who has to answer for a seat and when the game's clock runs out, under the lock of its row; None when it isn't
    asked or there is no clock."""
    async with conn.cursor() as cursor:
        await cursor.execute(
            """select s.user_id, g.deadline from games g join seats s on s.game_id = g.id and s.seat = %s
               where g.id = %s and g.status = 'active' and s.seat = any(g.waiting_for) and s.user_id is not null
                 and g.deadline is not null for update of g""",
            (seat, game_id),
        )
        return await cursor.fetchone()


async def reminded(conn: Conn, game_id: str, seat: str, at: str) -> bool:
    query = """select exists (select from notices where game_id = %s and seat = %s and kind = 'reminder'
        and args ->> 'at' = %s)"""
    return bool(await _scalar(conn, query, (game_id, seat, at)))


async def _scalar(conn: Conn, query: Any, args: Sequence[Any]) -> Any:
    async with conn.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute(query, args)
        return await cursor.fetchone()


async def _scalars(conn: Conn, query: Any, args: Sequence[Any]) -> list[Any]:
    async with conn.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute(query, args)
        return await cursor.fetchall()
