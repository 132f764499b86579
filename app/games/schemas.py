"""What the lobby and the games say over HTTP."""

from datetime import datetime
from typing import Annotated, Any, Literal

import orjson
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from app.games.pace import Pace
from app.texts import said

Status = Literal["open", "active", "finished"]
Visibility = Literal["open", "private"]
Policy = Literal["run_and_consent", "run", "none"]
Opponent = Literal["person", "both", "bot"]


class Conditions(BaseModel):
    """What is asked of who takes a seat of an open game: at most so many per cent of the finished games lost on time,
    at least so many rated games. Who was invited by name need not meet them."""

    model_config = ConfigDict(extra="forbid")

    most_time_outs: int | None = Field(default=None, ge=0, le=100)
    least_rated: int = Field(default=0, ge=0, le=1000)


class NewGame(BaseModel):
    """A game to be made. `seating` says who sits (the scenario's usual one unless given), `seat` where the maker does;
    `both` lets the maker play all sides at one screen."""

    model_config = ConfigDict(extra="forbid")

    title: str
    scenario: str
    seating: str | None = None
    seat: str
    opponent: Opponent = "person"
    bot: str | None = Field(default=None, description="Which bot plays all other seats; only with opponent `bot`.")
    visibility: Visibility = "open"
    policy: Policy = "run_and_consent"
    options: dict[str, Any] = Field(default_factory=dict)
    what_if: bool = Field(default=True, description="Whether players may try on a board what they guess.")
    pace: Pace | None = Field(default=None, description="None is no limit, as is a game that one plays alone.")
    conditions: Conditions | None = Field(default=None, description="Only for games that are open to all.")

    @property
    def asked(self) -> dict[str, Any] | None:
        """The conditions, if anything is asked."""
        given = self.conditions if self.visibility == "open" and self.opponent == "person" else None
        return given.model_dump() if given and given != Conditions() else None


class SeatCard(BaseModel):
    """Who holds a seat of a side: `name` of a person, a `guest` without one, `bot`, or nobody while it is free."""

    side: str
    name: str | None
    bot: str | None
    online: bool = False
    guest: bool = False


class EventName(BaseModel):
    id: str
    name: str


class GameCard(BaseModel):
    """A game as the lobby lists it for one reader. `join_token` is shown to its players only. `deadline`: the reader's
    own if the game waits for the reader, else the first; None while no clock runs. `wants_substitute`: the seat for
    which another player is looked for. `unread`: messages of its chat. `turn` and `stage`, of a running game, are where
    it stands (`stage.STAGE` in the title's catalogue); `event`: that of which it is a game."""

    id: str
    title: str
    scenario: str
    state: Status
    visibility: Visibility
    policy: Policy
    options: dict[str, Any]
    seats: dict[str, SeatCard]
    your_seats: list[str]
    waiting_for: list[str]
    your_turn: bool
    result: dict[str, Any] | None
    created_by: str
    created_at: datetime
    updated_at: datetime
    pace: dict[str, Any] | None = None
    pace_words: dict[str, Any]
    deadline: datetime | None = None
    paused: bool = False
    wants_substitute: str | None = None
    join_token: str | None = None
    unread: int = 0
    conditions: Conditions | None = None
    turn: int | None = None
    stage: str | None = None
    event: EventName | None = None


class TableCard(BaseModel):
    """A game as those at it and those who watch see it, beside its view. `dice` is what is sealed so far,
    `draw` the seat that offers one and `draw_asks` those that have still to accept, `take_back` what others are asked
    to undo (players only), `clock` the clocks
    as last reckoned (docs/protocol.md section 10)."""

    id: str
    title: str
    scenario: str
    data_digest: str
    state: Status
    visibility: Visibility
    policy: Policy
    options: dict[str, Any]
    what_if: bool
    seats: dict[str, SeatCard]
    your_seats: list[str]
    waiting_for: list[str]
    seq: int
    result: dict[str, Any] | None
    dice: dict[str, Any]
    imported: dict[str, Any] | None
    draw: str | None
    draw_asks: list[str]
    take_back: dict[str, Any] | None
    pace: dict[str, Any] | None
    pace_words: dict[str, Any]
    clock: dict[str, Any] | None
    clock_offer: dict[str, Any] | None
    wants_substitute: str | None
    host_plays: bool
    created_at: datetime
    updated_at: datetime
    finished_at: datetime | None


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


def _shallow(answer: dict[str, Any]) -> dict[str, Any]:
    """Raises ValueError for a nest that is deeper than any form's answer, and than JSON can be written."""
    level: list[Any] = [answer]
    for _ in range(DEEPEST):
        level = [inner for one in level if isinstance(one, dict | list)
                 for inner in (one.values() if isinstance(one, dict) else one)]  # fmt: skip
        if not level:
            return answer
    raise ValueError("too deep a nest")


def _writable(answer: dict[str, Any]) -> dict[str, Any]:
    """Raises ValueError for half a surrogate pair, and for a number that is too large to be kept."""
    try:
        orjson.dumps(answer)
    except orjson.JSONEncodeError as error:
        raise ValueError("what can't be kept") from error
    return answer


DEEPEST = 20
Answer = Annotated[dict[str, Any], AfterValidator(_shallow), AfterValidator(_writable)]


class Answering(Strict):
    """An answer to the request of entry `seq`; `key` is new for each decision, the same when it is sent again."""

    seq: int
    key: str = Field(min_length=8, max_length=100)
    answer: Answer


class Previewing(Strict):
    answer: Answer


class Reaching(Strict):
    form: str
    units: list[str] = Field(max_length=100)
    aboard: dict[str, str] = Field(default_factory=dict)
    to: str | None = None


class TakingBack(Strict):
    """`message`: of the chat, what is said with it to those who have to agree."""

    to: int
    message: int | None = None


class Replying(Strict):
    yes: bool


class Drawing(Strict):
    """One of the three."""

    offer: bool = False
    accept: bool = False
    decline: bool = False

    @model_validator(mode="after")
    def _one(self) -> "Drawing":
        if self.offer + self.accept + self.decline != 1:
            raise ValueError("one of offer, accept, decline")
        return self

    @property
    def word(self) -> str:
        return "offer" if self.offer else "accept" if self.accept else "decline"


HEX = r"^[0-9a-f]{64}$"


class Sealing(Strict):
    """A seat's part of the dice key, in hex: the hash of its nonce, later the nonce."""

    hash: str | None = Field(default=None, pattern=HEX)
    nonce: str | None = Field(default=None, pattern=HEX)


class Saying(Strict):
    """A line for everybody at the game, or for the partners on one's side alone."""

    text: Annotated[str, AfterValidator(said), Field(min_length=1, max_length=2000)]
    to: Literal["all", "side"] = "all"


class Notes(Strict):
    text: str = Field(max_length=20_000)


Place = Annotated[str, Field(max_length=40)]


class Plans(Strict):
    """What a seat draws on its map for itself: arrows as paths, rings and short notes by place."""

    arrows: list[Annotated[list[Place], Field(min_length=2, max_length=60)]] = Field(default=[], max_length=200)
    rings: list[Place] = Field(default=[], max_length=400)
    notes: dict[Place, Annotated[str, Field(max_length=500)]] = Field(default={}, max_length=400)


class Answered(BaseModel):
    """The number of the answer's entry. What it brought is told over the open connections and stands in the record."""

    seq: int


class View(BaseModel):
    """The whole view of one eye (docs/protocol.md section 2) with its request and the game's card."""

    seq: int
    view: dict[str, Any]
    request: dict[str, Any] | None
    digest: int
    take_back: dict[str, Any] | None
    card: TableCard


class Record(BaseModel):
    """A page of the record; `next` is the `since` of the following one."""

    entries: list[dict[str, Any]]
    next: int | None


class Draft(BaseModel):
    draft: dict[str, Any] | None


class ChatMessage(BaseModel):
    """What a player writes at a game; `side`: to which alone it was said."""

    id: int
    at: datetime
    seat: str | None
    side: str | None
    name: str
    text: str


class ChatMessages(BaseModel):
    messages: list[ChatMessage]


class Stale(View):
    """An answer to a request that is no more, with the fresh view."""

    error: dict[str, Any]


class TitleInfo(BaseModel):
    """A title with the rulings made for it and the source of its data. Notes are by language; `scenarios`: {"id",
    "seatings": {ID: {SEAT: SIDE}}, "options": {NAME: [VALUE]}}, what is usual first; `lost` is how the keys of the
    pools of eliminated units begin."""

    id: str
    digest: str
    scenarios: list[dict[str, Any]]
    lost: str
    rulings: list[dict[str, Any]]
    provenance: list[dict[str, Any]]
