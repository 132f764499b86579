"""Times as a reader is told them: deadlines in the reader's own zone, which is named, and how much is left."""

from datetime import date, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from babel.dates import format_date
from babel.units import format_unit

from app import timing
from app.texts import Texts, locale

_Unit = tuple[str, int, Literal["long", "short"]]
_UNITS: tuple[_Unit, ...] = (
    ("day", 86400, "long"), ("hour", 3600, "short"), ("minute", 60, "short"), ("second", 1, "short"),
)  # fmt: skip


class Words:
    """For templates. `zone` is the reader's, UTC for one who has chosen none."""

    def __init__(self, t: Texts, zone: str | None) -> None:
        self.t, self.zone, self.locale = t, ZoneInfo(zone or "UTC"), locale(t.lang)

    def at(self, when: datetime) -> str:
        """A deadline: the day, the time and whose time it is."""
        return timing.moment(when, self.zone, self.locale)

    def left(self, until: datetime) -> str:
        """How long it is until then; that time is up, when it is."""
        rest = until - timing.now()
        return self.span(rest) if rest > timedelta(0) else self.t("clocks.up")

    def span(self, time: timedelta) -> str:
        """Its two largest parts, as `site/left.js` says them."""
        rest = int(time.total_seconds())
        first = next((n for n, (_, size, _) in enumerate(_UNITS) if rest >= size), len(_UNITS) - 1)
        parts: list[str] = []
        for unit, size, length in _UNITS[first : first + 2]:
            n, rest = divmod(rest, size)
            if n or not parts:
                parts.append(format_unit(n, f"duration-{unit}", length, locale=self.locale))
        return " ".join(parts)

    def micros(self, time: int) -> str:
        """A time as clocks keep it."""
        return self.span(timedelta(microseconds=time))

    def day(self, day: date) -> str:
        return format_date(day, "medium", locale=self.locale)

    def instant(self, text: str) -> datetime:
        return datetime.fromisoformat(text)

    def weekdays(self) -> list[tuple[int, str]]:
        """Monday first, by number."""
        names = self.locale.days["stand-alone"]["wide"]
        return [(day + 1, names[day]) for day in range(7)]
