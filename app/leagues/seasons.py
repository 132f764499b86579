"""Leagues: made, and their seasons, each a set of divisions with promotion and relegation between them."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import User
from app.errors import Conflict, NotAllowed, NotFound
from app.games.making import slug
from app.leagues import repository, service
from app.leagues.models import Director, Entrant, Event, League, Season
from app.leagues.pairing import divisions
from app.leagues.settings import EventSettings, Format
from app.leagues.whole import LEFT

MOST_DIVISIONS = 12


async def create_league(session: AsyncSession, user: User, name: str, about: str, format_: Format,
                        settings: EventSettings, tiers: int, moving: int) -> League:
    """A league without a season yet; its maker directs it. Raises NotAllowed, Refused."""
    await service.organiser(session, user)
    service.check_boards(settings)
    kept = settings.model_copy(update={"start": "by_hand"}).model_dump(mode="json")
    league = League(id=slug(), name=name, about=about, settings={"format": format_, "event": kept}, divisions=tiers,
                    moving=moving, created_by=user.id)  # fmt: skip
    session.add(league)
    await session.flush()
    session.add(Director(league_id=league.id, user_id=user.id))
    await session.flush()
    return league


async def league(session: AsyncSession, league_id: str) -> League:
    """Raises NotFound."""
    found = await session.get(League, league_id)
    if found is None:
        raise NotFound("leagues.no_league")
    return found


async def may_direct(session: AsyncSession, user: User | None, league_id: str) -> bool:
    if user is None or user.is_admin:
        return user is not None
    return any(one.user_id == user.id for one in await repository.directors(session, league_id, None))


async def change_league(session: AsyncSession, user: User, league_id: str, name: str, about: str, format_: Format,
                        settings: EventSettings, tiers: int, moving: int) -> None:
    """Holds from the next season on. Raises NotAllowed, Refused."""
    found = await directed(session, user, league_id)
    service.check_boards(settings)
    kept = settings.model_copy(update={"start": "by_hand"}).model_dump(mode="json")
    found.name, found.about, found.divisions, found.moving = name, about, tiers, moving
    found.settings = {"format": format_, "event": kept}


async def directed(session: AsyncSession, user: User, league_id: str) -> League:
    """A league, for one who directs it. Raises NotFound, NotAllowed."""
    found = await league(session, league_id)
    if not await may_direct(session, user, league_id):
        raise NotAllowed("leagues.directors_only")
    return found


async def new_season(session: AsyncSession, user: User, league_id: str) -> Season:
    """Opens a season: an event a division, filled from the last one by promotion and relegation; newcomers enter the
    lowest with room. Raises NotAllowed, Conflict while the last season goes on."""
    found = await directed(session, user, league_id)
    past = await repository.seasons(session, league_id)
    old: Sequence[Event] = await repository.divisions(session, past[0].id) if past else []
    if any(one.state in ("open", "running") for one in old):
        raise Conflict("leagues.season_runs")
    now = Season(league_id=league_id, number=len(past) + 1)
    session.add(now)
    await session.flush()
    settings = EventSettings.model_validate(found.settings["event"])
    tables = [await _final(session, one) for one in old]
    filled = _fill(divisions.next_season([[one for one, _ in table] for table in tables], found.moving,
                                         frozenset(one for table in tables for one, left in table if left)),
                   found.divisions)  # fmt: skip
    for tier in range(found.divisions):
        event = service.make_event(found.created_by, found.name, "", found.settings["format"], settings)
        event.season_id, event.division = now.id, tier + 1
        session.add(event)
        await session.flush()
        for number, who in enumerate(filled[tier], 1):
            session.add(Entrant(event_id=event.id, user_id=who, number=number, state="in", gives_notes=False))
    await session.flush()
    return now


def _fill(nexts: list[list[int]], tiers: int) -> list[list[int]]:
    """As many divisions as the league has now: what is too many joins the lowest."""
    lists = nexts[:tiers] + [[] for _ in range(tiers - len(nexts))]
    for rest in nexts[tiers:]:
        lists[-1] += rest
    return lists


async def _final(session: AsyncSession, event: Event) -> list[tuple[int, bool]]:
    """The people of a division in their final order, and whether they have left."""
    entrants = [one for one in await repository.entrants(session, event.id)
                if one.user_id is not None and one.final_rank is not None]  # fmt: skip
    entrants.sort(key=lambda one: (one.final_rank, one.seed))
    return [(one.user_id, one.state in LEFT or (one.user is not None and one.user.deleted_at is not None))
            for one in entrants if one.user_id is not None]  # fmt: skip
