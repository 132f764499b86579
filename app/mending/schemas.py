"""What is said of games that the rules no longer fit, and what their players say."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints

What = Literal["resume", "end"]


class WayBack(BaseModel):
    """The game can go on before entry `seq`, an answer that `seat` gave; `undoes` answers of players are lost."""

    seq: int
    seat: str
    at: datetime
    undoes: int


class Proposal(BaseModel):
    """What a seat proposes; `to`: before which entry the game would go on."""

    seat: str
    what: What
    to: int | None


class MendingCard(BaseModel):
    """Whether the rules that are here fit a game. If not: `played` and `present` are the versions of the rules it was
    last played with and of those here, `back` where it can go on (null: nowhere)."""

    fits: bool
    played: str
    present: str
    back: WayBack | None = None
    proposal: Proposal | None = None
    your_seats: list[str] = []
    may_rule: bool = False


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Propose(Strict):
    what: What


class Reply(Strict):
    yes: bool


class Rule(Strict):
    """A decision over the players' heads."""

    what: What
    reason: Annotated[str, StringConstraints(strip_whitespace=True, min_length=3, max_length=500)]
