"""What the calls and forms of notices take and give."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Timing = Literal["now", "hourly", "daily", "visit"]
Role = Literal["first", "backup", "off"]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Badge(BaseModel):
    """`waiting`: how many decisions wait for one; `news`: how many notices one has not seen."""

    waiting: int
    news: int


class Visit(Strict):
    """The game whose page is open, if it is one."""

    game: str | None = Field(default=None, max_length=40)


class WaitingCard(BaseModel):
    """Something that waits for one: to answer (`turn`), or to agree to a take-back or a draw."""

    game: str
    title: str
    scenario: str
    seat: str
    kind: Literal["turn", "take_back", "draw"]
    since: datetime
    deadline: datetime | None


class NewsCard(BaseModel):
    """A notice in one's own language. `withdrawn_at`: when it had no more point."""

    id: int
    kind: str
    game: str | None
    text: str
    path: str
    created_at: datetime
    seen_at: datetime | None
    withdrawn_at: datetime | None


class Notices(BaseModel):
    """What waits for one, the most urgent first, and the news, newest first."""

    waiting: list[WaitingCard]
    news: list[NewsCard]


class Wishes(Strict):
    """How one wants to be told. `on`: the kinds that are sent."""

    timing: Timing
    hour: int = Field(ge=0, le=23)
    zone: str = Field(max_length=60, description="A name of the IANA list, as Europe/Madrid.")
    on: list[str] = Field(default_factory=list)


class Service(Strict):
    """A service by its Apprise address."""

    address: Annotated[str, Field(min_length=5, max_length=2000)]


class ChannelRole(Strict):
    role: Role


class PushKeys(Strict):
    p256dh: str = Field(max_length=200)
    auth: str = Field(max_length=100)


class Subscription(Strict):
    """A browser's push subscription."""

    endpoint: str = Field(max_length=1000)
    keys: PushKeys
    name: str = Field(default="", max_length=80)


class ChannelCard(BaseModel):
    """A way to one. `name`: the service or device; its address is not shown again."""

    id: int
    kind: Literal["mail", "push", "url"]
    role: Role
    name: str
    failing: int


class Delivery(BaseModel):
    """One attempt to send; `notices` 0 is a test, no `error` means it was taken."""

    at: datetime
    kind: str
    name: str
    notices: int
    error: str | None
