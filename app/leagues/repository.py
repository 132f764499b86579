"""Queries over leagues, events and what belongs to them."""

from collections.abc import Sequence

from sqlalchemy import func, or_, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import User
from app.leagues.models import (
    Act,
    Claim,
    Director,
    Entrant,
    Event,
    League,
    LeagueSettings,
    Pairing,
    Round,
    Season,
)

LONGEST_LIST = 100


async def settings(session: AsyncSession) -> LeagueSettings | None:
    return await session.get(LeagueSettings, 1)


async def leagues(session: AsyncSession) -> Sequence[League]:
    return (await session.scalars(select(League).order_by(League.created_at.desc()).limit(LONGEST_LIST))).all()


async def seasons(session: AsyncSession, league_id: str) -> Sequence[Season]:
    query = select(Season).where(Season.league_id == league_id).order_by(Season.number.desc())
    return (await session.scalars(query)).all()


async def divisions(session: AsyncSession, season_id: int) -> Sequence[Event]:
    """The events of a season, the highest division first."""
    return (await session.scalars(select(Event).where(Event.season_id == season_id).order_by(Event.division))).all()


async def events(session: AsyncSession) -> Sequence[Event]:
    """Events of their own; those that still go on first, then the newest."""
    over = Event.state.in_(("finished", "cancelled"))
    query = select(Event).where(Event.season_id.is_(None)).order_by(over, Event.created_at.desc()).limit(LONGEST_LIST)
    return (await session.scalars(query)).all()


async def count_entrants(session: AsyncSession, event_ids: Sequence[str]) -> dict[str, int]:
    query = select(Entrant.event_id, func.count()).where(Entrant.event_id.in_(event_ids), Entrant.state == "in")
    return dict(list(await session.execute(query.group_by(Entrant.event_id))))


async def event(session: AsyncSession, event_id: str, lock: bool = False) -> Event | None:
    """An event, locked until the transaction ends when that is asked for."""
    query = select(Event).where(Event.id == event_id)
    if lock:
        query = query.with_for_update().execution_options(populate_existing=True)
    return (await session.scalars(query)).one_or_none()


async def entrants(session: AsyncSession, event_id: str) -> Sequence[Entrant]:
    query = select(Entrant).where(Entrant.event_id == event_id).order_by(Entrant.seed, Entrant.number)
    return (await session.scalars(query.execution_options(populate_existing=True))).all()


async def entrants_by_id(session: AsyncSession, ids: Sequence[int]) -> Sequence[Entrant]:
    return (await session.scalars(select(Entrant).where(Entrant.id.in_(ids)))).all()


async def rounds(session: AsyncSession, event_id: str) -> Sequence[Round]:
    query = select(Round).where(Round.event_id == event_id).order_by(Round.number)
    return (await session.scalars(query.execution_options(populate_existing=True))).all()


async def pairings(session: AsyncSession, event_id: str) -> Sequence[Pairing]:
    query = select(Pairing).where(Pairing.event_id == event_id).order_by(Pairing.round, Pairing.board, Pairing.id)
    return (await session.scalars(query.execution_options(populate_existing=True))).all()


async def acts(session: AsyncSession, event_id: str) -> Sequence[Act]:
    """The newest first."""
    return (await session.scalars(select(Act).where(Act.event_id == event_id).order_by(Act.id.desc()))).all()


async def claims(session: AsyncSession, event_id: str) -> Sequence[Claim]:
    """Open ones first, then the newest."""
    query = select(Claim).join(Pairing, Pairing.id == Claim.pairing_id).where(Pairing.event_id == event_id)
    return (await session.scalars(query.order_by(Claim.answered_at.is_not(None), Claim.id.desc()))).all()


async def directors(session: AsyncSession, league_id: str | None, event_id: str | None) -> Sequence[Director]:
    """Of an event and of its league, or of a league."""
    charge = or_(
        Director.league_id == league_id if league_id else Director.id.is_(None),
        Director.event_id == event_id if event_id else Director.id.is_(None),
    )
    return (await session.scalars(select(Director).where(charge).order_by(Director.id))).all()


async def league_of(session: AsyncSession, event: Event) -> League | None:
    if event.season_id is None:
        return None
    query = select(League).join(Season, Season.league_id == League.id).where(Season.id == event.season_id)
    return (await session.scalars(query)).one_or_none()


async def playing_in(session: AsyncSession, user_id: int) -> Sequence[tuple[Event, Entrant]]:
    """The events that a user is in and that are not over."""
    query = (
        select(Event, Entrant)
        .join(Entrant, Entrant.event_id == Event.id)
        .where(Entrant.user_id == user_id, Event.state.in_(("open", "running")))
        .where(Entrant.state.in_(("in", "waiting", "reserve")))
        .order_by(Event.created_at.desc())
    )
    return [(event, entrant) for event, entrant in await session.execute(query)]


async def open_pairings(session: AsyncSession, entrant_ids: Sequence[int]) -> Sequence[Pairing]:
    mine = or_(Pairing.first_id.in_(entrant_ids), Pairing.second_id.in_(entrant_ids))
    query = select(Pairing).where(mine, Pairing.state != "done").order_by(Pairing.id)
    return (await session.scalars(query)).all()


_NEEDING = text("""
select e.id from events e where (e.state = 'open' and e.starts_at <= now()) or (e.state = 'running' and (
    exists (select from rounds r where r.event_id = e.id and r.closed_at is null and not exists (
        select from pairings p where p.event_id = e.id and p.round = r.number and p.state <> 'done'))
    or exists (select from pairings p where p.event_id = e.id and p.state = 'bidding' and p.due_at <= now())
    or exists (select from entrants n join users u on u.id = n.user_id
        where n.event_id = e.id and n.state = 'in' and u.deleted_at is not null)
    or (e.ends_at <= now()
        and not exists (select from pairings p where p.event_id = e.id and p.state <> 'done'))
    or (e.format = 'arena' and 1 < (select count(*) from entrants n
        where n.event_id = e.id and n.state = 'in' and n.ready_at is not null and not exists (
            select from pairings p where p.event_id = e.id and p.state <> 'done'
                and n.id in (p.first_id, p.second_id))))))
order by e.id""")


async def needing(session: AsyncSession) -> Sequence[str]:
    """Events in which something is due: a date has come, a round is decided, bids are over, somebody has gone, two are
    free."""
    return (await session.scalars(_NEEDING)).all()


async def free_event(session: AsyncSession, event_id: str) -> Event | None:
    """An event, locked; None when another process has it just now."""
    query = select(Event).where(Event.id == event_id).with_for_update(skip_locked=True)
    return (await session.scalars(query.execution_options(populate_existing=True))).one_or_none()


async def names(session: AsyncSession, user_ids: Sequence[int]) -> dict[int, str]:
    return dict(list(await session.execute(select(User.id, User.name).where(User.id.in_(user_ids)))))
