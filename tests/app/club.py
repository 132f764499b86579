"""People who play events of the toy title, and short ways to run one."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import User
from app.db import Database, driver
from app.games import play, repository
from app.games.change import Change
from app.leagues import lifespan, service
from app.leagues.models import Pairing
from app.leagues.settings import EventSettings
from app.leagues.whole import Whole, load
from app.reactions import REACTIONS

BOARD = {"title": "toy", "scenario": "duel"}
NAMES = ("Ana", "Bea", "Carl", "Dora", "Eva", "Finn", "Gil", "Hugo")


class Club:
    """A database with people, and short ways to run an event."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.event = ""

    async def people(self, n: int) -> None:
        async with self.db.begin() as session:
            session.add(User(name="Boss", name_key="boss", is_admin=True))
            session.add_all(User(name=name, name_key=name.casefold()) for name in NAMES[:n])

    async def user(self, session: AsyncSession, name: str) -> User:
        return (await session.scalars(select(User).where(User.name == name))).one()

    async def make(self, format_: str, people: int = 6, enter: bool = True, **settings: Any) -> None:
        await self.people(people)
        async with self.db.begin() as session:
            made = await service.create_event(
                session, await self.user(session, "Boss"), "Cup", "", format_,  # type: ignore[arg-type]
                EventSettings.model_validate({"boards": [BOARD], "seeding": "joined"} | settings), None)  # fmt: skip
            self.event = made.id
        for name in NAMES[:people] if enter else ():
            await self.act(service.enter, name)

    async def act(self, what: Callable[..., Any], name: str, *args: Any) -> None:
        async with self.db.begin() as session:
            await what(session, await self.user(session, name), self.event, *args)

    async def start(self) -> None:
        await self.act(service.start, "Boss")

    async def whole(self) -> Whole:
        async with self.db.begin() as session:
            return await load(session, self.event)

    async def names(self, whole: Whole) -> dict[int, str]:
        return {one.id: one.user.name if one.user else str(one.bot) for one in whole.entrants}

    async def open(self) -> list[tuple[str, str, Pairing]]:
        """The games that are on, with the names of both."""
        whole = await self.whole()
        name = await self.names(whole)
        return [(name[p.first_id], name[p.second_id or 0], p) for p in whole.pairings if p.state == "playing"]

    async def win(self, pairing: Pairing, first: bool = True) -> None:
        """The other side resigns."""
        async with self.db.begin() as session:
            conn = await driver(session)
            row = await repository.lock(conn, pairing.game_id or "")
            assert row is not None
            loser = next(s for s in row.seats if (s == pairing.first_seat) != first)
            change = Change(conn, row)
            await play.resign(change, loser, None)
            await REACTIONS.follow(change)
        await lifespan.look_once(self.db)

    async def win_all(self, best: str = "ABCDEFGH") -> None:
        """All open games are won by whose name comes first."""
        for first, second, pairing in await self.open():
            await self.win(pairing, best.index(first[0]) < best.index(second[0]))

    async def table(self) -> list[tuple[str, int]]:
        whole = await self.whole()
        name = await self.names(whole)
        return [(name[row.entrant], row.points) for row in whole.table()]
