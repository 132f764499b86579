"""What the routes of boards take."""

from typing import Annotated, Any

from pydantic import BaseModel, Field, StringConstraints

from app.games import schemas as games

Name = Annotated[str, StringConstraints(max_length=120)]
At = Annotated[int, Field(ge=0, le=100_000)]


class NewBoard(BaseModel):
    """From an example of the title by its name, or from a lab file (docs/positions.md)."""

    title: Name
    example: Name | None = None
    file: dict[str, Any] | None = None


class Made(BaseModel):
    id: str


class Answering(BaseModel):
    """`dice`: the faces that one lays by hand, roll by roll; none: they fall by chance."""

    node: At
    answer: dict[str, Any]
    seat: Name | None = None
    dice: Annotated[list[list[int]], Field(max_length=200)] | None = None


class Stepping(BaseModel):
    node: At


class Previewing(BaseModel):
    node: At
    answer: dict[str, Any]


class Reaching(games.Reaching):
    node: At


class Putting(BaseModel):
    """`position`: as that of a lab file, all that differs from where the hand began."""

    node: At
    position: games.Answer


class Noting(BaseModel):
    """`plans`: what is drawn on the map of a node; none: as it was."""

    node: At
    text: Annotated[str, StringConstraints(max_length=500)]
    plans: games.Plans | None = None


class Keeping(BaseModel):
    kept: bool
