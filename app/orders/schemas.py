"""What is said about standing orders over HTTP."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

Place = Annotated[str, Field(max_length=60)]


class NewOrder(BaseModel):
    """An order to leave: `settings` are those of its kind; what is missing is as suggested. `places` limits it to
    spaces, `until` and `uses` end it."""

    model_config = ConfigDict(extra="forbid")

    name: str
    settings: dict[str, Any] = Field(default_factory=dict)
    places: list[Place] = Field(default_factory=list, max_length=40)
    until: AwareDatetime | None = None
    uses: int | None = Field(default=None, ge=1, le=999)


class OrderCard(BaseModel):
    """An order as its seat sees it. `used`: how often it has answered."""

    id: int
    name: str
    settings: dict[str, Any]
    places: list[str]
    until: datetime | None
    uses_left: int | None
    used: int


class OrderKind(BaseModel):
    """A decision that a title lets players leave: values to choose from by setting, the suggested one first."""

    name: str
    clause: str
    settings: dict[str, list[str | int]]


class Orders(BaseModel):
    """What a seat has ordered, and what it could."""

    seat: str
    orders: list[OrderCard]
    kinds: list[OrderKind]
