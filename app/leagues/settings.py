"""What an organiser decides about an event."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from app.games.pace import Pace
from app.games.schemas import Policy
from app.leagues.standings.results import Scoring
from app.leagues.standings.tie_breaks import NAMES, USUAL
from app.leagues.standings.withdrawals import WithdrawalRule

Format = Literal["round_robin", "swiss", "knock_out", "ladder", "arena"]
FORMATS: tuple[Format, ...] = ("round_robin", "swiss", "knock_out", "ladder", "arena")
ROUNDLESS = ("ladder", "arena")
Seeding = Literal["drawn", "rating", "joined"]
Start = Literal["by_hand", "full", "date"]
SubstituteRule = Literal["nobody", "substitute", "replaced"]


class Board(BaseModel):
    """A title and one of its scenarios."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    scenario: str


class EventSettings(BaseModel):
    """The rules of an event. `boards`: what is played, in turn from round to round. `options`: of each title.
    `what_if`: whether players may try on a board what they guess of a game.
    `double` and `at_once` are for round robins, `rounds` for Swiss, `third_place` for knock-outs, `reach` for ladders,
    `days` (how long it runs) for ladders and arenas. `round_days`: how long a round should take. `capacity` None is no
    limit. `bids`: sides are bid for. `least_share`: how many of its games, in per cent, somebody must have brought to
    an end to enter, `most_time_outs` how many it may have lost on time."""

    model_config = ConfigDict(extra="forbid")

    boards: list[Board] = Field(min_length=1, max_length=20)
    options: dict[str, dict[str, Any]] = Field(default_factory=dict)
    policy: Policy = "run_and_consent"
    what_if: bool = True
    pace: Pace | None = None
    double: bool = False
    at_once: bool = False
    rounds: int = Field(default=5, ge=1, le=30)
    third_place: bool = True
    reach: int = Field(default=3, ge=1, le=50)
    days: int = Field(default=7, ge=1, le=400)
    round_days: int | None = Field(default=None, ge=1, le=400)
    least: int = Field(default=2, ge=2, le=500)
    capacity: int | None = Field(default=None, ge=2, le=500)
    start: Start = "by_hand"
    seeding: Seeding = "drawn"
    tie_breaks: list[str] = Field(default_factory=list, max_length=len(NAMES))
    scoring: Scoring = "one"
    withdrawals: WithdrawalRule = "half"
    bids: bool = False
    bid_hours: int = Field(default=48, ge=1, le=400)
    rated: bool = True
    rates: SubstituteRule = "nobody"
    hosts_play: bool = True
    least_share: int = Field(default=0, ge=0, le=100)
    most_time_outs: int | None = Field(default=None, ge=0, le=1000)

    @field_validator("tie_breaks")
    @classmethod
    def _known(cls, names: list[str]) -> list[str]:
        if len(set(names)) < len(names) or not set(names) <= set(NAMES):
            raise ValueError("unknown or doubled tie-break")
        return names

    @model_validator(mode="after")
    def _fits(self) -> EventSettings:
        if self.start == "full" and self.capacity is None:
            raise ValueError("an event that starts when it is full has a capacity")
        if self.capacity is not None and self.capacity < self.least:
            raise ValueError("fewer places than needed")
        return self

    def board(self, round_: int) -> Board:
        """What is played in a round, counted from 1."""
        return self.boards[(round_ - 1) % len(self.boards)]

    def breaks(self, format_: str) -> list[str]:
        """The tie-breaks in their order; the usual ones of the format when none were chosen."""
        return self.tie_breaks or list(USUAL[format_])
