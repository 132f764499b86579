"""What clocks and calendars say over HTTP."""

from datetime import date, datetime, time
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from app.games.pace import Pace


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Granting(Strict):
    """Time for the other side's bank."""

    hours: int = Field(ge=1, le=720)


class Wishing(Strict):
    """A pause, or another pace; None is no limit."""

    what: Literal["pause", "pace"]
    pace: Pace | None = None


class Answering(Strict):
    yes: bool


class Hours(Strict):
    """A week as it repeats, by the wall clock of a time zone. Quiet hours go over midnight when `quiet_from` is later
    than `quiet_to`; `rest` are weekdays that don't count, 1 is Monday."""

    zone: str = Field(max_length=60)
    quiet_from: time | None = None
    quiet_to: time | None = None
    rest: list[int] = Field(default=[], max_length=7)


class Holding(BaseModel):
    """From when changed hours hold."""

    holds_from: datetime


class Leaving(Strict):
    """A vacation, both days counted."""

    first_day: date
    last_day: date


class Away(BaseModel):
    id: int
    first_day: date
    last_day: date
    starts_at: datetime
    ends_at: datetime


class Coming(BaseModel):
    holds_from: datetime
    hours: Hours


class Calendar(BaseModel):
    """`coming`: hours that will hold later; `away`: vacations not over; `spent`: days of vacation by year, of `budget`
    that each has."""

    hours: Hours
    coming: Coming | None
    away: list[Away]
    spent: dict[int, int]
    budget: int
