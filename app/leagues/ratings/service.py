"""Ratings to be read: lists by title, one player's, and how even sides and scenarios are."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts import repository as accounts
from app.accounts.models import User
from app.errors import NotFound
from app.leagues.models import RatedGame, Rating
from app.leagues.ratings import reliability
from app.leagues.ratings.skill import Balance, Played, Skill, balance

LONGEST_LIST = 200
SETTLED = 5  # games after which somebody is ranked


class Rated(BaseModel):
    """A player in a list. `shown` grows with certainty; `spread` is how uncertain it is, on the same scale."""

    name: str
    title: str
    shown: int
    spread: int
    games: int

    @property
    def settled(self) -> bool:
        return self.games >= SETTLED


class PlayedGame(BaseModel):
    """A rated game of a player's history, and what it did to the number shown."""

    game: str
    title: str
    scenario: str
    at: datetime
    opponent: str
    score: float
    shown: int
    change: int


def _rated(rating: Rating, name: str) -> Rated:
    skill = Skill(rating.mu, rating.sigma)
    return Rated(name=name, title=rating.title, shown=skill.shown, spread=round(20 * rating.sigma), games=rating.games)


async def ranking(session: AsyncSession, title: str) -> list[Rated]:
    """Everybody who has a rating at a title ('' over all), the best first; who has few games comes after the rest."""
    query = select(Rating, User.name).join(User, User.id == Rating.user_id)
    query = query.where(Rating.title == title, User.deleted_at.is_(None))
    rated = [_rated(*row) for row in await session.execute(query)]
    rated.sort(key=lambda one: (not one.settled, -one.shown, one.name))
    return rated[:LONGEST_LIST]


async def skills(session: AsyncSession, title: str, user_ids: list[int]) -> dict[int, Skill]:
    query = select(Rating).where(Rating.title == title, Rating.user_id.in_(user_ids))
    return {row.user_id: Skill(row.mu, row.sigma) for row in await session.scalars(query)}


class PlayerPage(BaseModel):
    name: str
    ratings: list[Rated]
    games: list[PlayedGame]
    finished: int
    share: int | None
    timed_out: int
    answers: float


async def of_player(session: AsyncSession, name: str) -> PlayerPage:
    """Raises NotFound."""
    user = await accounts.user_by_name(session, name)
    if user is None:
        raise NotFound("lobby.no_player")
    mine = await session.scalars(select(Rating).where(Rating.user_id == user.id).order_by(Rating.title))
    trust = await reliability.of(session, user.id)
    return PlayerPage(
        name=user.name, ratings=[_rated(row, user.name) for row in mine], games=await _history(session, user.id),
        finished=trust.finished, share=trust.share, timed_out=trust.timed_out, answers=trust.answers,
    )  # fmt: skip


async def _history(session: AsyncSession, user_id: int) -> list[PlayedGame]:
    query = select(RatedGame).where((RatedGame.first_user == user_id) | (RatedGame.second_user == user_id))
    rows = (await session.scalars(query.order_by(RatedGame.at.desc()).limit(LONGEST_LIST))).all()
    names = await _names(session, [one for row in rows for one in (row.first_user, row.second_user)])
    games = []
    for row in rows:
        first = row.first_user == user_id
        before, after = (row.first_before, row.first_after) if first else (row.second_before, row.second_after)
        old, new = Skill(**before).shown, Skill(**after).shown
        games.append(PlayedGame(
            game=row.game_id, title=row.title, scenario=row.scenario, at=row.at,
            opponent=names[row.second_user if first else row.first_user],
            score=row.score if first else 1 - row.score, shown=new, change=new - old))  # fmt: skip
    return games


async def _names(session: AsyncSession, user_ids: list[int]) -> dict[int, str]:
    return dict(list(await session.execute(select(User.id, User.name).where(User.id.in_(user_ids)))))


async def balances(session: AsyncSession) -> dict[str, dict[str, Balance]]:
    """By title and scenario; the whole title under ''."""
    query = select(RatedGame.title, RatedGame.scenario, RatedGame.score, RatedGame.expected)
    played: dict[str, dict[str, list[Played]]] = {}
    for title, scenario, score, expected in await session.execute(query):
        game = Played(scenario, score, expected)
        for key in ("", scenario):
            played.setdefault(title, {}).setdefault(key, []).append(game)
    return {title: {key: balance(games) for key, games in of.items()} for title, of in played.items()}


async def changes(session: AsyncSession, game_id: str) -> dict[int, tuple[int, int]]:
    """What a rated game did to the numbers shown of its players: before and after, by account."""
    row = await session.get(RatedGame, game_id)
    if row is None:
        return {}
    both = ((row.first_user, row.first_before, row.first_after), (row.second_user, row.second_before, row.second_after))
    return {user: (Skill(**before).shown, Skill(**after).shown) for user, before, after in both}
