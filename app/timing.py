"""What time it is. Everything of the server that asks for it in Python asks here, so that there is one clock to set."""

from datetime import UTC, datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from babel import Locale
from babel.dates import get_timezone_location


def now() -> datetime:
    """In UTC."""
    return datetime.now(UTC)


@cache
def zones() -> frozenset[str]:
    """The names of all time zones."""
    return frozenset(available_timezones())


def zone_name(zone: ZoneInfo, locale: Locale) -> str:
    """What a reader knows a zone by: its city."""
    return zone.key if zone.key == "UTC" else get_timezone_location(zone, locale=locale, return_city=True)
