"""Queries over games for lists and links. A game comes with the name of who made it."""

from collections.abc import Sequence

from sqlalchemy import Exists, Row, Select, exists, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import User
from app.games.models import Checkpoint, Game, Seat
from app.leagues.models import Event, Pairing

LONGEST_LIST = 100
Made = Row[Game, str]


async def games_of(session: AsyncSession, user_id: int) -> Sequence[Made]:
    """Running and waiting ones, then the latest finished."""
    query = _games().where(_holds(user_id)).order_by(Game.status == "finished", Game.updated_at.desc())
    return (await session.execute(query.limit(LONGEST_LIST))).all()


async def open_games(session: AsyncSession, but: int) -> Sequence[Made]:
    """Open to all, with a free seat, and not the reader's own; the newest first."""
    query = _games().where(Game.status == "open", Game.visibility == "open", ~_holds(but))
    return (await session.execute(query.order_by(Game.created_at.desc()).limit(LONGEST_LIST))).all()


async def wanting(session: AsyncSession, but: int) -> Sequence[Made]:
    """Running games, open to all and of no event, that look for a substitute, and not the reader's own; who has waited
    longest first."""
    query = _games().where(Game.status == "active", Game.visibility == "open", Game.wants_substitute.is_not(None),
                           ~exists().where(Pairing.game_id == Game.id), ~_holds(but))  # fmt: skip
    return (await session.execute(query.order_by(Game.deadline).limit(LONGEST_LIST))).all()


async def game(session: AsyncSession, game_id: str) -> Made | None:
    return (await session.execute(_games().where(Game.id == game_id))).one_or_none()


async def count_games(session: AsyncSession, user_id: int) -> dict[str, int]:
    """How many games of each status a user holds a seat in."""
    query = select(Game.status, func.count()).where(_holds(user_id)).group_by(Game.status)
    return dict(list(await session.execute(query)))


async def stages(session: AsyncSession, games: Sequence[str]) -> dict[str, str]:
    """The phase in which each of some games stands, `TURN.STAGE`: that of the newest position kept by its phase."""
    query = select(Checkpoint.game_id, Checkpoint.phase).where(
        Checkpoint.game_id.in_(games), Checkpoint.phase.regexp_match(r"^\d+\."))  # fmt: skip
    return dict(list(await session.execute(query.order_by(Checkpoint.seq))))  # the last of each is kept


async def events_of(session: AsyncSession, games: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The event of each of some games that belongs to one: its id and name."""
    query = select(Pairing.game_id, Event.id, Event.name).join(Event, Event.id == Pairing.event_id)
    found = await session.execute(query.where(Pairing.game_id.in_(games)))
    return {game: (event, name) for game, event, name in found if game is not None}


def _games() -> Select[Game, str]:
    return select(Game, User.name).join(User, User.id == Game.created_by)


def _holds(user_id: int) -> Exists:
    return exists().where(Seat.game_id == Game.id, Seat.user_id == user_id)
