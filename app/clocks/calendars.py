"""A user's calendar: the hours that count, and vacations.

Nobody can stop a clock that is about to run out by setting hours: a changed week holds from a day later, and a week
after the last change at the earliest, unless no clock runs by it. Vacations begin at any time, and each year has so
many days of them.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from app import timing
from app.clocks import repository
from app.clocks.calendar import DAY, Calendar, Hours
from app.clocks.repository import Away
from app.clocks.service import refresh
from app.errors import Conflict, NotFound, Refused
from app.games.repository import Conn

VACATION_DAYS = 30  # a year
LONGEST_QUIET = timedelta(hours=14)
MOST_REST = 3  # days of a week
NOTICE = DAY  # before changed hours hold
STEP = 7 * DAY  # between changes
FARTHEST = 400 * DAY  # into the future that a vacation may begin


@dataclass(frozen=True, slots=True)
class Mine:
    """A user's calendar as its page shows it. `coming`: hours that will hold, and from when; `spent`: days of vacation
    by year, of those that have vacations and this one; `away`: those not over."""

    hours: Hours
    coming: tuple[datetime, Hours] | None
    away: list[Away]
    spent: dict[int, int]
    chosen: bool

    @property
    def newest(self) -> Hours:
        return self.coming[1] if self.coming else self.hours


def zones() -> list[str]:
    """The time zones one may choose, by name."""
    return sorted(zone for zone in timing.zones() if ("/" in zone and not zone.startswith(("Etc/", "SystemV/")))
                  or zone == "UTC")  # fmt: skip


async def mine(conn: Conn, user: int) -> Mine:
    weeks, away, at = await repository.weeks(conn, user), await repository.vacations(conn, user), timing.now()
    calendar = Calendar(weeks)
    coming = weeks[-1] if weeks and weeks[-1][0] > at else None
    hours = calendar.at(at)
    year = _today(hours, at).year
    return Mine(hours, coming, [one for one in away if one.ends_at > at], {year: 0} | _spent(_days(away)), bool(weeks))


async def set_hours(conn: Conn, user: int, hours: Hours) -> datetime:
    """Changes the week; from when it holds. Raises Refused."""
    _check(hours)
    await repository.lock_user(conn, user)
    weeks, at = await repository.weeks(conn, user), timing.now()
    games = await repository.timed_games_of(conn, user)
    changed, before = max((since for since, _ in weeks if since <= at), default=None), Calendar(weeks).at(at)
    holds_from = at
    if changed and hours == before:
        holds_from = changed  # what was still to come is given up
    elif games and not before.plain:
        holds_from = max(at + NOTICE, (changed or at) + STEP)
    elif games and not hours.plain:
        holds_from = at + NOTICE
    await repository.set_week(conn, user, holds_from, hours, at)
    await _refresh(conn, games)
    return holds_from


def _check(hours: Hours) -> None:
    if hours.zone not in timing.zones():
        raise Refused("clocks.no_zone")
    if len(hours.rest) > MOST_REST:
        raise Refused("clocks.much_rest", n=MOST_REST)
    if hours.quiet:
        begin, end = (timedelta(hours=wall.hour, minutes=wall.minute) for wall in hours.quiet)
        if not timedelta(0) < (end - begin) % DAY <= LONGEST_QUIET:
            raise Refused("clocks.much_quiet", n=int(LONGEST_QUIET.total_seconds() // 3600))


def hours_of(zone: str, quiet_from: time | None, quiet_to: time | None, rest: Collection[int]) -> Hours:
    quiet = (quiet_from, quiet_to) if quiet_from is not None and quiet_to is not None else None
    return Hours(zone, quiet, frozenset(rest))


async def go_away(conn: Conn, user: int, first: date, last: date) -> None:
    """A vacation from a day, today at the earliest, to another. Raises Refused when the year has not so many days left,
    Conflict when it meets another vacation."""
    await repository.lock_user(conn, user)
    weeks, away, at = await repository.weeks(conn, user), await repository.vacations(conn, user), timing.now()
    hours = Calendar(weeks).at(at)
    if not _today(hours, at) <= first <= last or first - _today(hours, at) > FARTHEST:
        raise Refused("clocks.vacation_dates")
    starts_at = max(at, hours.instant(first))
    ends_at = hours.instant(last + DAY)
    if any(one.starts_at < ends_at and starts_at < one.ends_at for one in away):
        raise Conflict("clocks.vacation_twice")
    for year, days in _spent(_days(away) | set(_between(first, last))).items():
        if days > VACATION_DAYS and first.year <= year <= last.year:
            left = max(0, VACATION_DAYS - _spent(_days(away)).get(year, 0))
            raise Refused("clocks.vacation_spent", n=left, year=str(year))
    await repository.add_vacation(conn, user, first, last, starts_at, ends_at)
    await _refresh(conn, await repository.timed_games_of(conn, user))


async def come_back(conn: Conn, user: int, vacation: int) -> None:
    """Ends a vacation, or gives up one that has not begun. Raises NotFound."""
    await repository.lock_user(conn, user)
    weeks, at = await repository.weeks(conn, user), timing.now()
    found = [one for one in await repository.vacations(conn, user) if one.id == vacation and one.ends_at > at]
    if not found:
        raise NotFound("clocks.no_vacation")
    await repository.end_vacation(conn, found[0], at, Calendar(weeks).at(at).zone)
    await _refresh(conn, await repository.timed_games_of(conn, user))


async def _refresh(conn: Conn, games: Iterable[str]) -> None:
    for game in games:
        await refresh(conn, game)


def _today(hours: Hours, at: datetime) -> date:
    return at.astimezone(ZoneInfo(hours.zone)).date()


def _between(first: date, last: date) -> list[date]:
    return [first + n * DAY for n in range((last - first).days + 1)]


def _days(away: Sequence[Away]) -> set[date]:
    """A day that two vacations share counts once."""
    return {day for one in away for day in _between(one.first_day, one.last_day)}


def _spent(days: Iterable[date]) -> dict[int, int]:
    out: dict[int, int] = {}
    for day in sorted(days):
        out[day.year] = out.get(day.year, 0) + 1
    return out


