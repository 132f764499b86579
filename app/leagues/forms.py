"""Forms of events and leagues, as browsers send them without JavaScript."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from app import timing
from app.clocks.forms import Number, PaceForm
from app.errors import Refused, as_sent
from app.games.pace import TimeOut
from app.games.schemas import Policy
from app.leagues.settings import EventSettings, Format, Seeding, Start, SubstituteRule
from app.leagues.standings.results import Scoring
from app.leagues.standings.tie_breaks import NAMES
from app.leagues.standings.withdrawals import WithdrawalRule
from app.lobby.titles import titles
from app.walltime import OptionalWallTime, Zoned

Empty = BeforeValidator(lambda value: None if value == "" else value)
OptionalNumber = Annotated[int | None, Empty]
BREAKS = 4  # tie-breaks that a form can name


def without_nul(fields: Any) -> Any:
    """The database keeps no NUL in a text. Raises ValueError."""
    if isinstance(fields, dict) and any(isinstance(value, str) and "\0" in value for value in fields.values()):
        raise ValueError("a text holds a NUL")
    return fields


class EventForm(PaceForm, Zoned):
    """All that an organiser says of an event. Fields `board.TITLE.SCENARIO` are there for what is played,
    `option.TITLE.NAME` the options by position in their list, `break.1` to `break.4` the tie-breaks in order."""

    model_config = ConfigDict(extra="allow", str_strip_whitespace=True)

    name: str = Field(min_length=3, max_length=80)
    about: str = Field(default="", max_length=4000)
    format: Format
    policy: Policy = "run_and_consent"
    no_what_if: bool = False
    time_out: TimeOut = "claim"
    double: bool = False
    at_once: bool = False
    rounds: Number = Field(default=5, ge=1, le=30)
    third_place: bool = False
    reach: Number = Field(default=3, ge=1, le=50)
    event_days: Number = Field(default=7, ge=1, le=400)
    round_days: OptionalNumber = Field(default=None, ge=1, le=400)
    least: Number = Field(default=2, ge=2, le=500)
    capacity: OptionalNumber = Field(default=None, ge=2, le=500)
    start: Start = "by_hand"
    starts_at: OptionalWallTime = None
    seeding: Seeding = "drawn"
    scoring: Scoring = "one"
    withdrawals: WithdrawalRule = "half"
    bids: bool = False
    bid_hours: Number = Field(default=48, ge=1, le=400)
    rated: bool = False
    rates: SubstituteRule = "nobody"
    hosts_play: bool = False
    least_share: Number = Field(default=0, ge=0, le=100)
    most_time_outs: OptionalNumber = Field(default=None, ge=0, le=1000)
    divisions: Number = Field(default=2, ge=1, le=12)
    moving: Number = Field(default=1, ge=0, le=20)

    _plain = model_validator(mode="before")(without_nul)

    @property
    def begins(self) -> datetime | None:
        return self.starts_at and self.instant(self.starts_at)

    def settings(self) -> EventSettings:
        """Raises Refused where fields don't fit one another."""
        extra: dict[str, Any] = self.model_extra or {}
        named = [name.split(".", 2)[1:] for name in extra if name.startswith("board.") and name.count(".") == 2]
        if not named:
            raise Refused("leagues.no_boards", status=422)
        if self.start == "full" and self.capacity is None:
            raise Refused("leagues.no_capacity", status=422)
        if self.capacity is not None and self.capacity < self.least:
            raise Refused("leagues.small_capacity", status=422)
        chosen = self.chosen_pace()
        picked = [extra[f"break.{place}"] for place in range(1, BREAKS + 1) if extra.get(f"break.{place}") in NAMES]
        plain = {name: getattr(self, name) for name in EventSettings.model_fields
                 if name in EventForm.model_fields and name not in ("days", "pace")}  # fmt: skip
        with as_sent():
            return EventSettings.model_validate(plain | {
                "boards": [{"title": title, "scenario": scenario} for title, scenario in named],
                "options": self._options({title for title, _ in named}, extra),
                "pace": chosen and chosen.model_copy(update={"policy": self.time_out}).model_dump(),
                "days": self.event_days,
                "what_if": not self.no_what_if,
                "tie_breaks": list(dict.fromkeys(picked)),
            })  # fmt: skip

    def _options(self, chosen: set[str], extra: dict[str, Any]) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for title in chosen & titles().keys():
            for name, values in titles()[title].options.items():
                at = str(extra.get(f"option.{title}.{name}", "0"))
                value = values[int(at)] if at.isdecimal() and int(at) < len(values) else values[0]
                found.setdefault(title, {})[name] = value
        return found


def filled(name: str, about: str, format_: str, settings: EventSettings, starts_at: str = "", tiers: int = 2,
           moving: int = 1) -> dict[str, Any]:
    """What a form shows of an event that there is: the inverse of `EventForm.settings`. `starts_at`: as its field."""
    values: dict[str, Any] = {"name": name, "about": about, "format": format_, "divisions": tiers, "moving": moving}
    plain = settings.model_dump()
    for field in EventForm.model_fields.keys() & plain.keys() - {"days", "pace"}:
        values[field] = "" if plain[field] is None else plain[field]
    values["event_days"], values["no_what_if"] = settings.days, not settings.what_if
    values["starts_at"] = starts_at
    values |= {f"board.{one.title}.{one.scenario}": "on" for one in settings.boards}
    values |= {f"break.{place}": name for place, name in enumerate(settings.tie_breaks, 1)}
    for title, options in settings.options.items():
        for option, value in options.items():
            known = titles()[title].options.get(option, []) if title in titles() else []
            values[f"option.{title}.{option}"] = str(known.index(value)) if value in known else "0"
    values["pace"] = settings.pace.kind if settings.pace else "none"
    if settings.pace:
        values["time_out"] = settings.pace.policy
        shown = {"days": "days", "bank": "bank", "increment": "hours" if settings.pace.kind == "days" else "seconds",
                 "minutes": "minutes"}  # fmt: skip
        values |= {f"pace.{shown[key]}": value for key, value in settings.pace.model_dump().items() if key in shown}
    return values


def usual(format_: Format = "round_robin", first_board: str = "") -> dict[str, Any]:
    """What an empty form proposes."""
    proposed = {"format": format_, "third_place": True, "rated": True, "hosts_play": True, "pace": "days",
                "withdrawals": "half"}  # fmt: skip
    soon = timing.now() + timedelta(days=7)
    return proposed | {first_board: "on", "starts_at": soon.strftime("%Y-%m-%dT18:00")}


