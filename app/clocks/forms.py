"""Forms of clocks and calendars, as browsers send them without JavaScript."""

from datetime import date, time
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from app.clocks.calendar import Hours
from app.clocks.calendars import hours_of
from app.games.pace import Days, Live

Number = Annotated[int, BeforeValidator(lambda value: 0 if value == "" else value)]
Wall = Annotated[time | None, BeforeValidator(lambda value: value or None)]


class PaceForm(BaseModel):
    """The fields of a pace; those of the kind that is not chosen don't count."""

    pace: Literal["none", "days", "live"] = "none"
    days: Number = Field(default=3, ge=1, le=30, alias="pace.days")
    bank: Number = Field(default=0, ge=0, le=60, alias="pace.bank")
    hours: Number = Field(default=0, ge=0, le=72, alias="pace.hours")
    minutes: Number = Field(default=60, ge=1, le=6000, alias="pace.minutes")
    seconds: Number = Field(default=0, ge=0, le=3600, alias="pace.seconds")

    def chosen_pace(self) -> Days | Live | None:
        if self.pace == "days":
            return Days(kind="days", days=self.days, bank=self.bank, increment=self.hours)
        if self.pace == "live":
            return Live(kind="live", minutes=self.minutes, increment=self.seconds)
        return None


class ClockForm(PaceForm):
    """Any of the buttons of a game's clock page."""

    act: Literal["claim", "grant", "substitute", "pause", "pace", "resume", "yes", "no"]
    amount: Number = Field(default=1, ge=1, le=720)
    unit: Literal["hours", "days"] = "days"

    @property
    def granted(self) -> int:
        """Hours."""
        return self.amount * (24 if self.unit == "days" else 1)


class HoursForm(BaseModel):
    """A week; days of rest are the fields `rest.1` (Monday) to `rest.7` that are there."""

    model_config = ConfigDict(extra="allow")

    zone: str = Field(max_length=60)
    quiet_from: Wall = None
    quiet_to: Wall = None

    def week(self) -> Hours:
        given: dict[str, Any] = self.model_extra or {}
        return hours_of(self.zone, self.quiet_from, self.quiet_to, {n for n in range(1, 8) if f"rest.{n}" in given})


class VacationForm(BaseModel):
    first_day: date
    last_day: date
