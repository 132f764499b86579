"""SQL on what clocks are reckoned from: the record, and calendars. Whoever calls owns the transaction."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

import orjson
from psycopg.rows import class_row, dict_row, scalar_row

from app.clocks.calendar import Calendar, Hours
from app.clocks.clock import KINDS, Calendars, Moment
from app.games.repository import Conn

_READS = [*KINDS, "take_back", "patch"]  # kinds whose answers clocks read


async def moments(conn: Conn, game_id: str, after: int = 0) -> list[Moment]:
    """The record from an entry on as clocks read it."""
    query = """select seq, at, seat, kind, asks, case when kind = any(%s) then answer end as answer
        from entries where game_id = %s and seq > %s order by seq"""
    async with conn.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(query, (_READS, game_id, after))
        return [Moment(**{**row, "asks": None if row["asks"] is None else tuple(row["asks"])})
                for row in await cursor.fetchall()]  # fmt: skip


async def calendars(conn: Conn, users: Collection[int]) -> Calendars:
    """The calendars of these users, in one query; who has set nothing is left out."""
    query = """
        select u.id,
          (select jsonb_agg(jsonb_build_array(w.holds_from, w.zone, w.quiet_from, w.quiet_to, w.rest)
                            order by w.holds_from) from calendar_weeks w where w.user_id = u.id) as weeks,
          (select jsonb_agg(jsonb_build_array(v.starts_at, v.ends_at) order by v.starts_at)
             from vacations v where v.user_id = u.id) as vacations
        from unnest(%s::bigint[]) as u(id)"""
    async with conn.cursor() as cursor:
        await cursor.execute(query, (list(users),))
        rows = await cursor.fetchall()
    return {user: Calendar([(datetime.fromisoformat(since), _hours(*week)) for since, *week in weeks or ()],
                           [(datetime.fromisoformat(a), datetime.fromisoformat(b)) for a, b in vacations or ()])
            for user, weeks, vacations in rows if weeks or vacations}  # fmt: skip


def _hours(zone: str, quiet_from: str | None, quiet_to: str | None, rest: Sequence[int]) -> Hours:
    quiet = (time.fromisoformat(quiet_from), time.fromisoformat(quiet_to)) if quiet_from and quiet_to else None
    return Hours(zone, quiet, frozenset(rest))


async def timed_games_of(conn: Conn, user: int) -> list[str]:
    """Running games in which a user's calendar counts, in the order in which they are to be locked."""
    query = """select distinct g.id from games g join seats s on s.game_id = g.id
        where g.status = 'active' and g.pace ->> 'kind' = 'days' and s.user_id = %s order by g.id"""
    async with conn.cursor(row_factory=scalar_row) as cursor:
        await cursor.execute(query, (user,))
        return await cursor.fetchall()


# -- calendars ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Away:
    """A vacation as its user sees it."""

    id: int
    first_day: date
    last_day: date
    starts_at: datetime
    ends_at: datetime


async def lock_user(conn: Conn, user: int) -> None:
    """One change of a user's calendar at a time."""
    await conn.execute("select from users where id = %s for no key update", (user,))


async def weeks(conn: Conn, user: int) -> list[tuple[datetime, Hours]]:
    """Oldest first; the last may be still to come."""
    query = "select holds_from, zone, quiet_from, quiet_to, rest from calendar_weeks where user_id = %s order by 1"
    async with conn.cursor() as cursor:
        await cursor.execute(query, (user,))
        return [(since, Hours(zone, (begin, end) if begin else None, frozenset(rest)))
                for since, zone, begin, end, rest in await cursor.fetchall()]  # fmt: skip


async def set_week(conn: Conn, user: int, holds_from: datetime, hours: Hours, now: datetime) -> None:
    """A week from an instant on, in place of one that was still to come."""
    await conn.execute("delete from calendar_weeks where user_id = %s and holds_from > %s", (user, now))
    begin, end = hours.quiet or (None, None)
    await conn.execute(
        """insert into calendar_weeks (user_id, holds_from, zone, quiet_from, quiet_to, rest)
           values (%s, %s, %s, %s, %s, %s)
           on conflict (user_id, holds_from) do update set zone = excluded.zone, quiet_from = excluded.quiet_from,
               quiet_to = excluded.quiet_to, rest = excluded.rest""",
        (user, holds_from, hours.zone, begin, end, sorted(hours.rest)),
    )


async def vacations(conn: Conn, user: int) -> list[Away]:
    query = "select id, first_day, last_day, starts_at, ends_at from vacations where user_id = %s order by starts_at"
    async with conn.cursor(row_factory=class_row(Away)) as cursor:
        await cursor.execute(query, (user,))
        return await cursor.fetchall()


async def add_vacation(conn: Conn, user: int, first: date, last: date, starts_at: datetime, ends_at: datetime) -> None:
    await conn.execute(
        "insert into vacations (user_id, first_day, last_day, starts_at, ends_at) values (%s, %s, %s, %s, %s)",
        (user, first, last, starts_at, ends_at),
    )


async def end_vacation(conn: Conn, away: Away, now: datetime, zone: str) -> None:
    """Ends a vacation that has begun; one still to come goes."""
    if away.starts_at >= now:
        await conn.execute("delete from vacations where id = %s", (away.id,))
        return
    today = now.astimezone(ZoneInfo(zone)).date()
    query = "update vacations set ends_at = %s, last_day = least(last_day, greatest(first_day, %s)) where id = %s"
    await conn.execute(query, (now, today, away.id))


async def forget(conn: Conn, user: int) -> None:
    """All that a user set; for one whose games are over."""
    for table in ("calendar_weeks", "vacations"):
        await conn.execute(f"delete from {table} where user_id = %s", (user,))


async def zone_of(conn: Conn, user: int) -> str | None:
    """The time zone a user has chosen last."""
    found: list[Any] = [hours.zone for _, hours in await weeks(conn, user)]
    return found[-1] if found else None


# -- games -------------------------------------------------------------------------------------------


# The same for many games, beside the statement that writes them, for those that this transaction has written: so the
# version of their rows stays that of this transaction. $1: a list of {"game", "clock", "deadline"}.
SAVE_ALL = """update games set clock = t.clock, deadline = t.deadline
    from jsonb_to_recordset($1) as t(game text, clock jsonb, deadline timestamptz)
    where games.id = t.game and games.xmin = pg_current_xact_id()::xid"""


async def save(conn: Conn, game_id: str, clock: dict[str, Any], deadline: datetime | None,
               wants_substitute: str | None) -> None:
    """What was reckoned; the game itself has not changed by it."""
    await conn.execute(
        "update games set clock = %s::jsonb, deadline = %s, wants_substitute = %s where id = %s",
        (orjson.dumps(clock).decode(), deadline, wants_substitute, game_id),
    )
