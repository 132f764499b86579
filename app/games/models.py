"""Games and what belongs to them. JSON only for what is small; a position is compressed bytes."""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Identity,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    Text,
    UniqueConstraint,
    false,
    func,
    text,
    true,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.accounts.models import User
from app.db import Base, Created

Json = dict[str, Any]
EMPTY = text("'{}'")


class DataSet(Created, Base):
    """The data of a title as games pinned it: `body` is its compressed canonical JSON."""

    __tablename__ = "data_sets"

    digest: Mapped[str] = mapped_column(primary_key=True)
    title: Mapped[str]
    body: Mapped[bytes] = mapped_column(LargeBinary)


class Game(Created, Base):
    """One game. `id` is its public slug; `seq` the newest entry; `waiting_for` the seats asked now;
    `draw_asks` the seats that have still to accept a draw; `orders` whether a seat has ever left a standing order;
    `what_if` whether its players may try their guesses on boards; `pace` as in `pace.py`, `clock` the clocks as last
    reckoned, `deadline` the first of them, `wants_substitute` the seat for which another player is looked for;
    `conditions` what is asked of who joins (`schemas.Conditions`); `imported`, of a game that was taken in from a file,
    what of it could not be proved (`proof.py`); `archived` whether its record is packed away, `thawed_at` when it was
    last taken out."""

    __tablename__ = "games"
    __table_args__ = (
        CheckConstraint("status in ('open', 'active', 'finished')", name="status"),
        CheckConstraint("visibility in ('open', 'private')", name="visibility"),
        CheckConstraint("policy in ('run_and_consent', 'run', 'none')", name="policy"),
        Index("ix_games_status_visibility_created_at", "status", "visibility", "created_at"),
        Index("ix_games_to_archive", "finished_at", postgresql_where=text("status = 'finished' and not archived")),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    title: Mapped[str]
    scenario: Mapped[str]
    data_digest: Mapped[str] = mapped_column(ForeignKey("data_sets.digest"))
    rules_version: Mapped[str]
    schema: Mapped[int]
    status: Mapped[str] = mapped_column(server_default="open")
    visibility: Mapped[str]
    join_token: Mapped[str]
    policy: Mapped[str]
    options: Mapped[Json] = mapped_column(JSONB, server_default=EMPTY)
    seq: Mapped[int] = mapped_column(server_default="0")
    waiting_for: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=EMPTY)
    result: Mapped[Json | None] = mapped_column(JSONB)
    dice: Mapped[Json] = mapped_column(JSONB, server_default=EMPTY)
    dice_seed: Mapped[bytes] = mapped_column(LargeBinary)
    rolls: Mapped[int] = mapped_column(server_default="0")
    draw_offer: Mapped[str | None]
    draw_asks: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=EMPTY)
    undo_request: Mapped[Json | None] = mapped_column(JSONB)
    undo_refused: Mapped[list[int]] = mapped_column(ARRAY(Integer), server_default=EMPTY)
    orders: Mapped[bool] = mapped_column(server_default=false())
    what_if: Mapped[bool] = mapped_column(server_default=true())
    pace: Mapped[Json | None] = mapped_column(JSONB)
    clock: Mapped[Json | None] = mapped_column(JSONB)
    clock_offer: Mapped[Json | None] = mapped_column(JSONB)
    deadline: Mapped[datetime | None] = mapped_column(index=True)
    wants_substitute: Mapped[str | None]
    conditions: Mapped[Json | None] = mapped_column(JSONB(none_as_null=True))
    imported: Mapped[Json | None] = mapped_column(JSONB(none_as_null=True))
    archived: Mapped[bool] = mapped_column(server_default=false())
    thawed_at: Mapped[datetime | None]
    created_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
    finished_at: Mapped[datetime | None]
    seats: Mapped[list["Seat"]] = relationship(back_populates="game", lazy="selectin", order_by="Seat.place")


class Seat(Base):
    """A seat of a side, in its `place` among the scenario's: a person, a bot (by name), or nobody yet. `notes` and
    `plans` (what it drew on its map) are private to it; `name` is that of a player of an imported game, who has no
    account here; `chat_read` the last message of the chat that it has read."""

    __tablename__ = "seats"
    __table_args__ = (CheckConstraint("user_id is null or bot is null", name="one_player"),)

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[str] = mapped_column(primary_key=True)
    side: Mapped[str]
    place: Mapped[int] = mapped_column(SmallInteger)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    bot: Mapped[str | None]
    name: Mapped[str | None]
    joined_at: Mapped[datetime | None]
    notes: Mapped[str] = mapped_column(server_default="")
    plans: Mapped[Json] = mapped_column(JSONB, server_default=EMPTY)
    chat_read: Mapped[int] = mapped_column(BigInteger, server_default="0")
    chat_muted: Mapped[bool] = mapped_column(server_default=false())
    game: Mapped[Game] = relationship(back_populates="seats")
    user: Mapped[User | None] = relationship(lazy="joined")


class Sat(Base):
    """That somebody has sat at a seat since the game began, or sits there."""

    __tablename__ = "sat"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[str] = mapped_column(primary_key=True)


class Entry(Base):
    """One row of the record. Never changed but for `retracted_at`; `told` is compressed JSON by eye; `asks`, with the
    last entry of every change, the seats that were asked after it. Without foreign keys, which are looked up at every
    answer: entries are written only in the statement that changes their game's row."""

    __tablename__ = "entries"
    __table_args__ = (UniqueConstraint("game_id", "key"),)

    game_id: Mapped[str] = mapped_column(primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[datetime] = mapped_column(server_default=func.now())
    seat: Mapped[str | None]
    by_user: Mapped[int | None] = mapped_column(BigInteger)
    kind: Mapped[str]
    clause: Mapped[str | None]
    answer: Mapped[Any] = mapped_column(JSONB(none_as_null=True), nullable=True)
    forced: Mapped[bool] = mapped_column(server_default=false())
    roll_no: Mapped[int | None]
    sides: Mapped[int | None]
    reveals: Mapped[bool] = mapped_column(server_default=false())
    commits: Mapped[bool] = mapped_column(server_default=false())
    rules_version: Mapped[str]
    told: Mapped[bytes] = mapped_column(LargeBinary)
    retracted_at: Mapped[datetime | None]
    key: Mapped[str | None]
    asks: Mapped[list[str] | None] = mapped_column(ARRAY(Text))


class Checkpoint(Base):
    """A position between two segments: the first of the game and of each phase is kept, the newest (phase '') is
    overwritten unless a phase begins with it. With a `base` the state is what differs from that of the checkpoint so
    named: the first, or one kept for that, which are never overwritten. Without a foreign key, as entries."""

    __tablename__ = "checkpoints"

    game_id: Mapped[str] = mapped_column(primary_key=True)
    phase: Mapped[str] = mapped_column(primary_key=True)
    seq: Mapped[int]
    schema: Mapped[int]
    rules_version: Mapped[str]
    state: Mapped[bytes] = mapped_column(LargeBinary)
    base: Mapped[str | None]


class Draft(Base):
    """An unfinished answer, private to its seat and outside the record."""

    __tablename__ = "drafts"
    __table_args__ = (ForeignKeyConstraint(["game_id", "seat"], ["seats.game_id", "seats.seat"], ondelete="CASCADE"),)

    game_id: Mapped[str] = mapped_column(primary_key=True)
    seat: Mapped[str] = mapped_column(primary_key=True)
    answer: Mapped[Json] = mapped_column(JSONB)


class Message(Base):
    """A message of a game's chat, for everybody at it or for one side alone."""

    __tablename__ = "messages"
    __table_args__ = (Index("ix_messages_game_id_id", "game_id", "id"),)

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    at: Mapped[datetime] = mapped_column(server_default=func.now())
    text: Mapped[str]
    side: Mapped[str | None]


class Listener(Base):
    """A process that hears of changes of games, by the origin its own bear: `pid` is its connection's in PostgreSQL.
    Nobody is notified of an answer while there is no other process."""

    __tablename__ = "listeners"
    __table_args__ = ({"prefixes": ["UNLOGGED"]},)

    origin: Mapped[str] = mapped_column(primary_key=True)
    pid: Mapped[int]
