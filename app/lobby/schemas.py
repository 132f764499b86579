"""What the lobby says over HTTP."""

from datetime import date, datetime

from pydantic import BaseModel, ConfigDict, Field

from app.community.schemas import InvitationCard
from app.games.schemas import GameCard


class Lobby(BaseModel):
    """One's games, those that wait for one first, and the open games of others, those of friends first. `substitutes`:
    running games in which a seat is for whoever takes it over."""

    mine: list[GameCard]
    open: list[GameCard]
    substitutes: list[GameCard]
    invitations: list[InvitationCard]


class Join(BaseModel):
    """Taking a seat; `token` comes from the link of a private game."""

    model_config = ConfigDict(extra="forbid")

    seat: str
    token: str | None = Field(default=None, max_length=100)


class StepIn(BaseModel):
    """Taking the place of somebody whose time is up; `token` comes from the link of a private game."""

    model_config = ConfigDict(extra="forbid")

    token: str | None = Field(default=None, max_length=100)


class Profile(BaseModel):
    """What everyone may know of a player. `won`: against other people or a bot; `languages`: tags; `zone`: '' unless
    told; `seen_at`: when last here, if the reader may know."""

    name: str
    since: date
    playing: int
    finished: int
    won: int
    about: str
    languages: list[str]
    zone: str
    seen_at: datetime | None
