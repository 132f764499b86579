"""The people of the year: where they live, when they sleep, when they are away, how they want to be told."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

ZONES = ("Europe/Madrid", "America/Buenos_Aires", "America/Asuncion", "America/New_York", "Europe/Lisbon",
         "Australia/Lord_Howe", "Asia/Tokyo", "America/Santiago", "Asia/Kolkata", "UTC")  # fmt: skip
TIMINGS = ("now",) * 3 + ("hourly",) * 2 + ("daily",) * 4 + ("visit",)
DAY = timedelta(days=1)


@dataclass
class Person:
    """`quiet` and `rest` as the calendar knows them; `away`: vacations, first and last day; `pace`: days that an answer
    takes in the mean; `service`: the role of a webhook beside the mail, if there is one."""

    number: int
    zone: str
    quiet: tuple[time, time] | None
    rest: tuple[int, ...]
    away: list[tuple[date, date]]
    pace: float
    timing: str
    service: str | None
    address: str
    user: int = 0
    cookie: str = ""
    channels: dict[str, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"Person {self.number}"

    @property
    def mail(self) -> str:
        return f"person-{self.number}@year.club"

    @property
    def calendar(self) -> dict[str, Any]:
        quiet = {"quiet_from": self.quiet[0].isoformat(), "quiet_to": self.quiet[1].isoformat()} if self.quiet else {}
        return {"zone": self.zone, "rest": list(self.rest), **quiet}

    def wakes(self, at: datetime) -> datetime:
        """The next moment from one on when this person may play: awake and not away, of most vacations."""
        local = at.astimezone(ZoneInfo(self.zone))
        for first, last in self.away:
            if first <= local.date() <= last:
                local = datetime.combine(last + DAY, time(9), local.tzinfo)
        if not 8 <= local.hour < 23:
            local = datetime.combine(local.date() + (DAY if local.hour >= 23 else timedelta(0)), time(8, 30),
                                     local.tzinfo)  # fmt: skip
        return max(at, local.astimezone(at.tzinfo))


def people(rng: Random, number: int, start: date, days: int) -> Iterator[Person]:
    for n in range(number):
        quiet = rng.choice([None, (time(23), time(7)), (time(22, 30), time(8)), (time(1), time(9))])
        rest = rng.choice([(), (), (), (7,), (6, 7), (5,)])
        service = rng.choice([None, None, None, "first", "backup"])
        yield Person(
            n, rng.choice(ZONES), quiet, rest, _vacations(rng, start, days), rng.choice([0.2, 0.5, 0.5, 1, 1, 2]),
            rng.choice(TIMINGS), service, f"10.9.{n // 250}.{n % 250 + 1}",
        )  # fmt: skip


def _vacations(rng: Random, start: date, days: int) -> list[tuple[date, date]]:
    """One or two, and Christmas for some."""
    found = []
    for part in range(2):
        first = start + timedelta(days=rng.randrange(days // 2) + part * (days // 2) + 1)
        last = first + timedelta(days=min(rng.randrange(4, 14), max(1, days // 6)))
        if (last - start).days < (part + 1) * days // 2 and rng.random() < 0.8:
            found.append((first, last))
    return found
