"""What the lobby says over HTTP."""

from datetime import date

from pydantic import BaseModel, ConfigDict, Field

from app.games.schemas import GameCard


class Lobby(BaseModel):
    """One's games, those that wait for one first, and the open games of others."""

    mine: list[GameCard]
    open: list[GameCard]


class Join(BaseModel):
    """Taking a seat; `token` comes from the link of a private game."""

    model_config = ConfigDict(extra="forbid")

    seat: str
    token: str | None = Field(default=None, max_length=100)


class Profile(BaseModel):
    """What everyone may know of a player."""

    name: str
    since: date
    playing: int
    finished: int
