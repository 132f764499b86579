"""Which hours count for a player: a pure calendar of quiet hours, days of rest and vacations in the player's time zone.

A calendar is a history: a change of hours holds from an instant on and never touches what was counted before, and of a
vacation only the future can be changed. So what an earlier clock charged is charged again whenever it is reckoned.
Wall-clock times become instants by the zone's rules of the day: an hour that a zone skips in spring is not there to be
counted, one that it repeats in autumn counts twice unless it is quiet.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

Span = tuple[datetime, datetime]  # from, to (not included), in UTC
FAR = datetime(9000, 1, 1, tzinfo=UTC)
ZERO = timedelta(0)
DAY = timedelta(days=1)
MIDNIGHT = time()


@dataclass(frozen=True, slots=True)
class Hours:
    """A week as it repeats. `quiet`: from, to by the wall clock, over midnight when from is later; `rest`: weekdays
    that don't count, Monday is 1."""

    zone: str = "UTC"
    quiet: tuple[time, time] | None = None
    rest: frozenset[int] = frozenset()

    @property
    def plain(self) -> bool:
        """Every hour counts."""
        return self.quiet is None and not self.rest

    def instant(self, day: date, wall: time = MIDNIGHT) -> datetime:
        return datetime.combine(day, wall, ZoneInfo(self.zone)).astimezone(UTC)

    def counting(self, day: date) -> list[Span]:
        """The hours of a local day that count; a span may be empty or turned round where the zone's clock jumps."""
        if day.isoweekday() in self.rest:
            return []
        if self.quiet is None:
            return [(self.instant(day), self.instant(day + DAY))]
        begin, end = (self.instant(day, wall) for wall in self.quiet)
        if self.quiet[0] > self.quiet[1]:
            return [(end, begin)]
        return [(self.instant(day), begin), (end, self.instant(day + DAY))]


ALWAYS = Hours()


@dataclass(frozen=True, slots=True)
class Calendar:
    """`hours`: from when on each week holds, oldest first; before the first every hour counts. `vacations`: in order,
    not overlapping."""

    hours: Sequence[tuple[datetime, Hours]] = ()
    vacations: Sequence[Span] = ()
    _begins: list[datetime] = field(init=False, repr=False, compare=False, default_factory=list)

    def __post_init__(self) -> None:
        self._begins.extend(begin for begin, _ in self.hours)

    def at(self, when: datetime) -> Hours:
        """The week that holds at an instant."""
        found = bisect_right(self._begins, when)
        return self.hours[found - 1][1] if found else ALWAYS

    def counted(self, since: datetime, until: datetime) -> timedelta:
        """How much of the time between two instants counts."""
        total = ZERO
        for begin, end in self.spans(since):
            if begin >= until:
                break
            total += min(end, until) - begin
        return total

    def after(self, since: datetime, amount: timedelta) -> datetime:
        """The first instant by which `amount` has counted since another."""
        if amount <= ZERO:
            return since
        for begin, end in self.spans(since):
            if end - begin >= amount:
                return begin + amount
            amount -= end - begin
        raise AssertionError("a calendar has no end")

    def spans(self, since: datetime) -> Iterator[Span]:
        """The time that counts from an instant on, in order, without end."""
        stops = [(begin, end) for begin, end in self.vacations if end > since]
        edges = [datetime.min.replace(tzinfo=UTC), *self._begins, FAR]
        for (begin, end), hours in zip(pairwise(edges), (ALWAYS, *(week for _, week in self.hours)), strict=True):
            if end > since:
                for span in _weeks(hours, max(begin, since), end):
                    yield from _without(span, stops)


def _weeks(hours: Hours, upto: datetime, end: datetime) -> Iterator[Span]:
    """The time between two instants that counts by one week."""
    if hours.plain:
        yield upto, end
        return
    day = upto.astimezone(ZoneInfo(hours.zone)).date() - DAY
    while hours.instant(day) < end:
        for start, stop in hours.counting(day):
            span = max(start, upto), min(stop, end)
            if span[0] < span[1]:
                yield span
                upto = span[1]
        day += DAY


def _without(span: Span, stops: Sequence[Span]) -> Iterator[Span]:
    begin, end = span
    for stop, again in stops:
        if stop >= end:
            break
        if again > begin:
            if stop > begin:
                yield begin, stop
            begin = again
    if begin < end:
        yield begin, end


PLAIN = Calendar()
