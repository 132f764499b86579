"""A game against the computer at once, also before there is an account."""

from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts import guests
from app.accounts.models import User
from app.db import Database
from app.games import data, making
from app.games.models import Game
from app.games.schemas import NewGame
from app.lobby import repository, service
from rules.bots import NAMES as BOTS

MOST = 3  # games that a guest may have under way


async def play(session: AsyncSession, user: User, title_id: str) -> str:
    """A new game of the title's first scenario against the strongest of the computer's players; its id. One that a
    guest began last when he has enough. Raises NotFound."""
    data.title(title_id)
    if user.guest and len(running := await _running(session, user.id)) >= MOST:
        return running[0].id
    scenario = next(iter(data.current(title_id).scenarios.values()))
    seat = next(iter(scenario.seating().seats))
    new = NewGame(title=title_id, scenario=scenario.id, seat=seat, opponent="bot", bot=BOTS[-1], visibility="private")
    return (await making.create_game(session, user, new)).id


async def games_of(session: AsyncSession, guest: User | None) -> list[dict[str, Any]]:
    """What a guest has begun, for the front page: the newest first."""
    found = [] if guest is None else await repository.games_of(session, guest.id)
    return [service.card(made, guest.id).model_dump() for made in found if guest is not None]


async def sweep(db: Database) -> int:
    """Forgets guests to whom nobody came back, with their games; how many."""
    async with db.begin() as session:
        gone = await guests.forgotten(session)
        for guest in gone:
            await making.drop_all(session, guest.id)
            await session.delete(guest)
        return len(gone)


async def _running(session: AsyncSession, user_id: int) -> list[Game]:
    return [game for game, _ in await repository.games_of(session, user_id) if game.status == "active"]
