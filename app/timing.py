"""What time it is. Everything of the server that asks for it in Python asks here, so that there is one clock to set."""

from datetime import UTC, datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from babel import Locale
from babel.dates import format_skeleton, get_timezone_location


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


def moment(at: datetime, zone: ZoneInfo, locale: Locale) -> str:
    """A day and time as every page, mail and notice writes it, as `site/moment.js` does: "Sun, Nov 29, 17:40 (Madrid)";
    with its year if that is another one."""
    local = at.astimezone(zone)
    skeleton = "MMMEd" if local.year == now().astimezone(zone).year else "yMMMEd"
    day = format_skeleton(skeleton, local, tzinfo=zone, locale=locale)
    return f"{day}, {local:%H:%M} ({zone_name(zone, locale)})"
