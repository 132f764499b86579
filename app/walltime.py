"""Times in forms: what a reader types by the wall clock of a zone that the form names, in a hidden field beside it. So
it is the zone whose name stood there, whatever the browser has told since."""

from datetime import UTC, datetime
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, BeforeValidator

from app import timing

FIELD = "%Y-%m-%dT%H:%M"  # of `datetime-local`


def _likely(at: datetime) -> datetime:
    if not 2000 <= at.year < 2200:
        raise ValueError("no time that anybody means")
    return at


WallTime = Annotated[datetime, AfterValidator(_likely)]
OptionalWallTime = Annotated[WallTime | None, BeforeValidator(lambda value: None if value == "" else value)]


class Zoned(BaseModel):
    """A form with such times."""

    zone: str = "UTC"

    def instant(self, wall: datetime) -> datetime:
        """What is meant, in UTC; a time that has a zone of its own keeps it."""
        return (wall if wall.tzinfo else wall.replace(tzinfo=ZoneInfo(known(self.zone)))).astimezone(UTC)


def known(zone: str) -> str:
    """The zone, or UTC when there is none of this name."""
    return zone if zone in timing.zones() else "UTC"


def field(at: datetime, zone: str) -> str:
    """An instant as such a field shows it."""
    return at.astimezone(ZoneInfo(zone)).strftime(FIELD)
