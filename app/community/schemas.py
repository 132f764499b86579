"""What profiles, friends, invitations, messages and reports say over HTTP."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from app.texts import said

Who = Literal["all", "friends", "nobody"]
WHO: tuple[Who, ...] = ("all", "friends", "nobody")
LONGEST_MESSAGE = 4000  # characters


def _lines(text: object) -> object:
    """As forms send it, with the line ends of every system."""
    return text.replace("\r\n", "\n").strip() if isinstance(text, str) else text


Lines = BeforeValidator(_lines)


class ProfileWishes(BaseModel):
    """What one tells of oneself, and who may do what."""

    model_config = ConfigDict(extra="forbid")

    about: Annotated[str, Lines, Field(max_length=2000)] = ""
    languages: Annotated[str, StringConstraints(strip_whitespace=True, max_length=100)] = Field(
        default="", description="Tags such as `es, pt-BR`, with commas between them."
    )
    zone: Annotated[str, StringConstraints(strip_whitespace=True, max_length=64)] = ""
    seen_by: Who = "friends"
    messages_from: Who = "all"
    invited_by: Who = "all"


class Friend(BaseModel):
    """Somebody in a list of friends. `seen_at`: when last here, None if that is not told."""

    name: str
    since: datetime
    seen_at: datetime | None
    online: bool


class Friends(BaseModel):
    """`asking` wait for the reader, `asked` for them."""

    friends: list[Friend]
    asking: list[str]
    asked: list[str]


class Invited(BaseModel):
    """An invitation as the inviter sees it."""

    name: str
    declined: bool


class InvitationCard(BaseModel):
    """An invitation as the invited sees it. `free`: the seats to choose from; `seat`: that which one is said to have
    played, in a game that was taken in from a file, by a player called `called`."""

    id: int
    game: str
    title: str
    scenario: str
    by: str
    link: str
    free: list[str]
    token: str
    created_at: datetime
    seat: str | None = None
    called: str | None = None


class Talk(BaseModel):
    """A conversation in the list: with whom, its last words, how many are unread."""

    name: str
    text: str
    mine: bool
    at: datetime
    unread: int


class Letter(BaseModel):
    """A message of a conversation. `read`: whether the other has read it."""

    id: int
    mine: bool
    text: str
    at: datetime
    read: bool


class Thread(BaseModel):
    """A conversation, the oldest message first; `refused` says why nothing can be written (the key of a text).
    `before`: where earlier ones begin, None at the beginning."""

    name: str
    gone: bool
    letters: list[Letter]
    before: int | None
    refused: str | None


class Invite(BaseModel):
    """To a game, by name."""

    player: str = Field(max_length=60)


class Mute(BaseModel):
    model_config = ConfigDict(extra="forbid")

    muted: bool


class NewMessage(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: Annotated[str, Lines, AfterValidator(said), Field(min_length=1, max_length=LONGEST_MESSAGE)]


class About(BaseModel):
    """What is reported: a player by name, a message one got, or a line of a chat one takes part in."""

    player: str | None = None
    message: int | None = None
    line: int | None = None


class NewReport(BaseModel):
    """The form of a report; its address says about what."""

    model_config = ConfigDict(extra="forbid")

    reason: Annotated[str, Lines, Field(min_length=1, max_length=2000)]


class ReportCard(BaseModel):
    """A report as moderators see it."""

    id: int
    kind: Literal["player", "message", "chat"]
    by: str
    about: str
    game: str | None
    quote: str
    reason: str
    created_at: datetime
    handled_by: str | None
    handled_at: datetime | None
    note: str


class Handled(BaseModel):
    model_config = ConfigDict(extra="forbid")

    note: Annotated[str, Lines, Field(min_length=1, max_length=2000)]


class ChatMessage(BaseModel):
    """A message of a game's chat on its own page; `side`: to which alone it was said."""

    id: int
    name: str
    seat: str | None
    side: str | None
    text: str
    at: datetime
    mine: bool
    new: bool


class ChatPage(BaseModel):
    title: str
    game: str
    muted: bool
    messages: list[ChatMessage]
