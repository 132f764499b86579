"""Leagues with their seasons, events and what belongs to them, and the players' ratings."""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Identity,
    Index,
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


class LeagueSettings(Base):
    """The one row of what the admin decides for all leagues: who may make them."""

    __tablename__ = "league_settings"
    __table_args__ = (CheckConstraint("id = 1", name="one_row"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    anybody_organises: Mapped[bool] = mapped_column(server_default=true())


class League(Created, Base):
    """A league: seasons of the same divisions. `settings` are those its events begin with (see settings.py)."""

    __tablename__ = "leagues"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    about: Mapped[str] = mapped_column(server_default="")
    settings: Mapped[Json] = mapped_column(JSONB, server_default=EMPTY)
    divisions: Mapped[int] = mapped_column(server_default="1")
    moving: Mapped[int] = mapped_column(server_default="1")
    created_by: Mapped[int] = mapped_column(ForeignKey("users.id"))


class Season(Created, Base):
    """A season of a league: one event a division."""

    __tablename__ = "seasons"
    __table_args__ = (UniqueConstraint("league_id", "number"),)

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    league_id: Mapped[str] = mapped_column(ForeignKey("leagues.id", ondelete="CASCADE"))
    number: Mapped[int]
    finished_at: Mapped[datetime | None]


class Event(Created, Base):
    """An event of its own, or a division of a season. `seed` draws what is drawn; its hash is public from the
    beginning, itself from the draw on."""

    __tablename__ = "events"
    __table_args__ = (
        CheckConstraint("state in ('open', 'running', 'finished', 'cancelled')", name="state"),
        CheckConstraint("format in ('round_robin', 'swiss', 'knock_out', 'ladder', 'arena')", name="format"),
        Index("ix_events_state_created_at", "state", "created_at"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    season_id: Mapped[int | None] = mapped_column(ForeignKey("seasons.id", ondelete="CASCADE"), index=True)
    division: Mapped[int | None]
    name: Mapped[str]
    about: Mapped[str] = mapped_column(server_default="")
    format: Mapped[str]
    state: Mapped[str] = mapped_column(server_default="open")
    settings: Mapped[Json] = mapped_column(JSONB, server_default=EMPTY)
    seed: Mapped[str]
    starts_at: Mapped[datetime | None]
    ends_at: Mapped[datetime | None]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    created_by: Mapped[int] = mapped_column(ForeignKey("users.id"))


class Director(Base):
    """Who runs a league (then all of its events too) or an event, beside admins."""

    __tablename__ = "directors"
    __table_args__ = (
        CheckConstraint("(league_id is null) <> (event_id is null)", name="one_charge"),
        UniqueConstraint("league_id", "user_id"),
        UniqueConstraint("event_id", "user_id"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    league_id: Mapped[str | None] = mapped_column(ForeignKey("leagues.id", ondelete="CASCADE"))
    event_id: Mapped[str | None] = mapped_column(ForeignKey("events.id", ondelete="CASCADE"))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    user: Mapped[User] = relationship(lazy="joined")


class Entrant(Base):
    """A place in an event and who holds it now: a person or a bot. `seed` is its number of the draw, `rung` its place
    on a ladder, `ready_at` since when it waits in an arena. `state` `waiting` is the waiting list, `reserve` one who
    stands by as a substitute."""

    __tablename__ = "entrants"
    __table_args__ = (
        CheckConstraint("state in ('in', 'waiting', 'reserve', 'withdrawn', 'removed')", name="state"),
        CheckConstraint("(user_id is null) <> (bot is null)", name="one_player"),
        UniqueConstraint("event_id", "user_id"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    event_id: Mapped[str] = mapped_column(ForeignKey("events.id", ondelete="CASCADE"), index=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    bot: Mapped[str | None]
    number: Mapped[int]
    state: Mapped[str] = mapped_column(server_default="in")
    seed: Mapped[int | None]
    rung: Mapped[int | None]
    ready_at: Mapped[datetime | None]
    gives_notes: Mapped[bool] = mapped_column(server_default=false())
    final_rank: Mapped[int | None]
    joined_at: Mapped[datetime] = mapped_column(server_default=func.now())
    left_at: Mapped[datetime | None]
    user: Mapped[User | None] = relationship(lazy="joined")


class Round(Base):
    """A round: open as long as a standing may still change by it."""

    __tablename__ = "rounds"

    event_id: Mapped[str] = mapped_column(ForeignKey("events.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    opened_at: Mapped[datetime] = mapped_column(server_default=func.now())
    due_at: Mapped[datetime | None]
    closed_at: Mapped[datetime | None]


class Pairing(Base):
    """Two entrants, or one with a bye; the first takes `first_seat`. `outcome` and `how` are set once it is decided;
    `bids` holds what each offered for a side, secret until `state` leaves `bidding`."""

    __tablename__ = "pairings"
    __table_args__ = (
        CheckConstraint("state in ('planned', 'bidding', 'playing', 'done')", name="state"),
        CheckConstraint("outcome in ('first', 'second', 'draw', 'bye', 'none', 'void')", name="outcome"),
        CheckConstraint("(state = 'done') = (outcome is not null)", name="decided"),
        Index("ix_pairings_event_id_round_board", "event_id", "round", "board"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    event_id: Mapped[str] = mapped_column(ForeignKey("events.id", ondelete="CASCADE"))
    round: Mapped[int]
    board: Mapped[int]
    branch: Mapped[str] = mapped_column(server_default="main")
    first_id: Mapped[int] = mapped_column(ForeignKey("entrants.id"))
    second_id: Mapped[int | None] = mapped_column(ForeignKey("entrants.id"))
    title: Mapped[str]
    scenario: Mapped[str]
    first_seat: Mapped[str]
    state: Mapped[str] = mapped_column(server_default="planned")
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id"), unique=True)
    outcome: Mapped[str | None]
    how: Mapped[str | None]
    lead: Mapped[int | None]
    rated: Mapped[bool] = mapped_column(server_default=true())
    bids: Mapped[Json] = mapped_column(JSONB, server_default=EMPTY)
    handicap: Mapped[int] = mapped_column(server_default="0")
    due_at: Mapped[datetime | None]
    postponed_to: Mapped[datetime | None]
    decided_at: Mapped[datetime | None]


class Act(Base):
    """What a director, or the rules of the event, did; with the reason, for all to read."""

    __tablename__ = "league_acts"
    __table_args__ = (Index("ix_league_acts_event_id_id", "event_id", "id"),)

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    event_id: Mapped[str] = mapped_column(ForeignKey("events.id", ondelete="CASCADE"))
    pairing_id: Mapped[int | None] = mapped_column(ForeignKey("pairings.id", ondelete="CASCADE"))
    by_user: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    at: Mapped[datetime] = mapped_column(server_default=func.now())
    kind: Mapped[str]
    args: Mapped[Json] = mapped_column(JSONB, server_default=EMPTY)
    reason: Mapped[str] = mapped_column(server_default="")
    user: Mapped[User | None] = relationship(lazy="joined")


class Claim(Base):
    """A player asks the director for a ruling: what it wants, its estimate in points, and the entry of the record
    whose position is the evidence."""

    __tablename__ = "claims"
    __table_args__ = (CheckConstraint("wish in ('win', 'draw', 'loss', 'other')", name="wish"),)

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    pairing_id: Mapped[int] = mapped_column(ForeignKey("pairings.id", ondelete="CASCADE"), index=True)
    entrant_id: Mapped[int] = mapped_column(ForeignKey("entrants.id"))
    at: Mapped[datetime] = mapped_column(server_default=func.now())
    wish: Mapped[str]
    points: Mapped[int | None]
    seq: Mapped[int | None]
    text: Mapped[str]
    answered_at: Mapped[datetime | None]


class Rating(Base):
    """A player's rating at a title; title '' is over all of them."""

    __tablename__ = "ratings"
    __table_args__ = (Index("ix_ratings_title_mu", "title", "mu"),)

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    title: Mapped[str] = mapped_column(primary_key=True)
    mu: Mapped[float]
    sigma: Mapped[float]
    games: Mapped[int]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class RatedGame(Base):
    """A game that was rated: its row is what makes sure that this happens once. Ratings are those before and after at
    its title, `expected` the share the first seat should have taken, `score` what it took."""

    __tablename__ = "rated_games"
    __table_args__ = (Index("ix_rated_games_title_at", "title", "at"),)

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    title: Mapped[str]
    scenario: Mapped[str]
    at: Mapped[datetime] = mapped_column(server_default=func.now())
    first_user: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    second_user: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    score: Mapped[float]
    expected: Mapped[float]
    first_before: Mapped[Json] = mapped_column(JSONB)
    second_before: Mapped[Json] = mapped_column(JSONB)
    first_after: Mapped[Json] = mapped_column(JSONB)
    second_after: Mapped[Json] = mapped_column(JSONB)
