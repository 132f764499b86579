"""How fast a game is to be played: its pace, as a game is made with it and as `games.pace` keeps it; None is no
limit."""

from datetime import timedelta
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

TimeOut = Literal["claim", "director"]


class _Pace(BaseModel):
    """`policy`: who may say that a game is lost on time, the opponent or only a tournament's director; `each`: whether
    partners have a clock each or share one, as their scenario says unless given."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    policy: TimeOut = "claim"
    each: Literal["seat", "side"] | None = None


class Live(_Pace):
    """Minutes for the whole game and seconds more at each hand-over, day and night."""

    kind: Literal["live"]
    minutes: int = Field(ge=1, le=6000)
    increment: int = Field(default=0, ge=0, le=3600, description="Seconds.")

    @property
    def turn(self) -> timedelta:
        return timedelta(0)

    @property
    def reserve(self) -> timedelta:
        return timedelta(minutes=self.minutes)

    @property
    def more(self) -> timedelta:
        return timedelta(seconds=self.increment)

    @property
    def most(self) -> timedelta:
        return max(self.reserve, timedelta(days=7))


class Days(_Pace):
    """Days for each hand-over, new every time; what they don't suffice for comes out of a bank, which grows by some
    hours at each hand-over. Only the hours of the player's calendar count."""

    kind: Literal["days"]
    days: int = Field(ge=1, le=30)
    bank: int = Field(default=0, ge=0, le=60, description="Days.")
    increment: int = Field(default=0, ge=0, le=72, description="Hours.")

    @property
    def turn(self) -> timedelta:
        return timedelta(days=self.days)

    @property
    def reserve(self) -> timedelta:
        return timedelta(days=self.bank)

    @property
    def more(self) -> timedelta:
        return timedelta(hours=self.increment)

    @property
    def most(self) -> timedelta:
        """However quickly somebody plays or much is granted, a bank never holds more."""
        return max(self.reserve, timedelta(days=60))


Pace = Annotated[Live | Days, Field(discriminator="kind")]
_ADAPTER: TypeAdapter[Live | Days] = TypeAdapter(Pace)


def pace_of(stored: object) -> Live | Days:
    """The pace in `games.pace` or in an entry. Raises ValidationError."""
    return _ADAPTER.validate_python(stored)


def stored(pace: Live | Days) -> dict[str, Any]:
    """As `games.pace` keeps it."""
    return pace.model_dump(exclude_none=True)


def in_words(stored: dict[str, Any] | None) -> dict[str, Any]:
    """A pace as a text by key, to be said late."""
    if stored is None:
        return {"key": "pace.none", "args": {}}
    pace = pace_of(stored)
    if isinstance(pace, Live):
        text = _text("pace.live", n=pace.minutes)
        return _text("pace.and_more", pace=text, more=_text("unit.seconds", n=pace.increment)) if pace.more else text
    text = _text("pace.days", n=pace.days)
    if pace.bank:
        text = _text("pace.and_bank", pace=text, bank=_text("unit.days", n=pace.bank))
    return _text("pace.and_more", pace=text, more=_text("unit.hours", n=pace.increment)) if pace.more else text


def _text(key: str, **args: Any) -> dict[str, Any]:
    return {"key": key, "args": args}
