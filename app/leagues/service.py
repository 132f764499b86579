"""Events: made, entered and left; who directs them; bids, and being free in an arena."""

from __future__ import annotations

import secrets
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

import rules.bots
from app.accounts import repository as accounts
from app.accounts.models import User
from app.errors import Conflict, NotAllowed, NotFound, Refused
from app.games import data
from app.games.making import slug
from app.games.titles import for_two
from app.leagues import boards, course, notices, repository
from app.leagues.models import Director, Entrant, Event, LeagueSettings
from app.leagues.pairing import ladder
from app.leagues.ratings import reliability
from app.leagues.ratings.reliability import Conditions
from app.leagues.settings import EventSettings, Format
from app.leagues.sides import seats_of
from app.leagues.whole import LEFT, Whole, load, of

HIGHEST_BID = 99

# -- who may organise ----------------------------------------------------------------------------------------


async def may_organise(session: AsyncSession, user: User | None) -> bool:
    if user is None or user.is_admin:
        return user is not None
    settings = await repository.settings(session)
    return settings is None or settings.anybody_organises


async def set_organisers(session: AsyncSession, anybody: bool) -> None:
    """The admin's word on who may make leagues and events: anybody, or admins."""
    settings = await repository.settings(session)
    if settings is None:
        session.add(LeagueSettings(id=1, anybody_organises=anybody))
    else:
        settings.anybody_organises = anybody


async def organiser(session: AsyncSession, user: User) -> None:
    """Raises NotAllowed."""
    if not await may_organise(session, user):
        raise NotAllowed("leagues.admins_organise")


# -- making ----------------------------------------------------------------------------------------------------


async def create_event(session: AsyncSession, user: User, name: str, about: str, format_: Format,
                       settings: EventSettings, starts_at: datetime | None) -> Event:
    """An event of its own, open to enter; its maker directs it. Raises NotAllowed, Refused."""
    await organiser(session, user)
    event = make_event(user.id, name, about, format_, settings, starts_at)
    session.add(event)
    await session.flush()
    session.add(Director(event_id=event.id, user_id=user.id))
    await session.flush()
    return event


def make_event(maker: int, name: str, about: str, format_: Format, settings: EventSettings,
               starts_at: datetime | None = None) -> Event:
    """A row for an event, with a seed that nobody has seen. Raises Refused for boards there are not."""
    check_boards(settings)
    if settings.start == "date" and starts_at is None:
        raise Refused("leagues.no_date")
    return Event(id=slug(), name=name, about=about, format=format_, settings=settings.model_dump(mode="json"),
                 seed=secrets.token_hex(32), starts_at=starts_at if settings.start == "date" else None,
                 state="open", created_by=maker)  # fmt: skip


def check_boards(settings: EventSettings) -> None:
    """Raises Refused for a title, scenario or option there is not."""
    for board in settings.boards:
        try:
            title = data.title(board.title)
        except NotFound:
            raise Refused("leagues.no_title", title=board.title) from None
        if for_two(title.id, board.scenario) is None:
            raise Refused("games.no_scenario", scenario=board.scenario)
    for title_id, chosen in settings.options.items():
        played = [data.current(title_id).scenarios[one.scenario].options for one in settings.boards
                  if one.title == title_id]  # fmt: skip
        for option, value in chosen.items():
            if played and not any(value in options.get(option, ()) for options in played):
                raise Refused("games.no_option", option=option)


async def change_event(session: AsyncSession, user: User, event_id: str, name: str, about: str,
                       settings: EventSettings, starts_at: datetime | None) -> None:
    """Other words at any time, other rules as long as nobody has been paired. Raises NotAllowed, Refused."""
    whole = await load(session, event_id, lock=True)
    whole.direct(user)
    event = whole.event
    event.name, event.about = name, about
    new = make_event(event.created_by, name, about, event.format, settings, starts_at)  # type: ignore[arg-type]
    if event.state == "open":
        event.settings, event.starts_at = new.settings, new.starts_at
        whole.settings = settings
        await _fill(whole)
        await course.advance(whole)
    elif new.settings != event.settings:
        whole.tell("settings_kept", user.id)


async def add_director(session: AsyncSession, user: User, event_id: str, name: str) -> None:
    whole = await load(session, event_id)
    whole.direct(user)
    new = await accounts.user_by_name(session, name)
    if new is None:
        raise Refused("leagues.no_user", name=name)
    if new.id not in whole.directors:
        session.add(Director(event_id=event_id, user_id=new.id))
        whole.tell("director", user.id, name=new.name)


# -- entering and leaving ----------------------------------------------------------------------------------------


async def enter(session: AsyncSession, user: User, event_id: str, reserve: bool = False) -> None:
    """Enters an event that is open (or a ladder or an arena that runs); as a substitute (`reserve`) any that is not
    over. Who comes too late for a full event waits. Raises Refused, NotAllowed, Conflict."""
    whole = await load(session, event_id, lock=True)
    event, settings = whole.event, whole.settings
    if event.state not in ("open", "running"):
        raise Conflict("leagues.over")
    if user.is_admin and not settings.hosts_play:
        raise NotAllowed("leagues.no_hosts")
    await reliability.check(session, user.id, Conditions(settings.least_share, settings.most_time_outs))
    running = event.state == "running"
    if running and not reserve and event.format not in ("ladder", "arena"):
        raise Conflict("leagues.begun")
    known = whole.of_user(user.id)
    if known is not None and (known.state not in LEFT and not (known.state == "reserve" and not reserve)):
        raise Conflict("leagues.in_already")
    if known is not None and known.state == "removed":
        raise NotAllowed("leagues.removed")
    state = "reserve" if reserve else "waiting" if _full(whole) else "in"
    if known is None:
        known = Entrant(event_id=event_id, user_id=user.id, number=_next_number(whole), gives_notes=False)
        session.add(known)
    known.state, known.left_at, known.user = state, None, user
    await whole.reload()
    if running and state == "in":
        _late(whole, known)
    await course.advance(whole)


def _late(whole: Whole, entrant: Entrant) -> None:
    """Who comes to a running ladder stands on its lowest rung; to an arena, at the end of the draw."""
    entrant.seed = max((one.seed or 0 for one in whole.entrants), default=0) + 1
    if whole.event.format == "ladder":
        entrant.rung = len(course.rungs(whole)) + 1


async def enter_bot(session: AsyncSession, user: User, event_id: str, bot: str) -> None:
    """A director fills the field. Raises Refused, NotAllowed, Conflict."""
    whole = await load(session, event_id, lock=True)
    whole.direct(user)
    if bot not in rules.bots.NAMES:
        raise Refused("games.no_bot", bot=bot)
    if whole.event.state != "open" or _full(whole):
        raise Conflict("leagues.begun" if whole.event.state != "open" else "leagues.full")
    session.add(Entrant(event_id=event_id, bot=bot, number=_next_number(whole), state="in", gives_notes=False,
                        ready_at=whole.now))  # fmt: skip
    await whole.reload()
    await course.advance(whole)


def _full(whole: Whole) -> bool:
    capacity = whole.settings.capacity
    return capacity is not None and len(whole.playing) >= capacity


def _next_number(whole: Whole) -> int:
    return max((one.number for one in whole.entrants), default=0) + 1


async def _fill(whole: Whole) -> None:
    """Moves people up from the waiting list while there is room."""
    for waiting in sorted(whole.in_state("waiting"), key=lambda one: one.number):
        if not _full(whole):
            waiting.state = "in"
            await notices.moved_up(whole, waiting)


async def leave(session: AsyncSession, user: User, event_id: str, gives_notes: bool = False) -> None:
    """Leaves an event; once it runs, open games are lost. Raises Refused, Conflict."""
    whole = await load(session, event_id, lock=True)
    entrant = whole.of_user(user.id)
    if entrant is None or entrant.state in LEFT:
        raise Refused("leagues.not_in")
    entrant.gives_notes = gives_notes
    await _go(whole, entrant, "withdrawn", user.id, "")


async def remove(session: AsyncSession, user: User, event_id: str, entrant_id: int, reason: str) -> None:
    """A director takes somebody out. Raises Refused, NotAllowed."""
    whole = await load(session, event_id, lock=True)
    whole.direct(user)
    entrant = whole.entrant(entrant_id)
    if entrant.state in LEFT:
        raise Refused("leagues.not_in")
    if not reason:
        raise Refused("leagues.no_reason")
    await _go(whole, entrant, "removed", user.id, reason)


async def _go(whole: Whole, entrant: Entrant, state: str, by: int, reason: str) -> None:
    if whole.event.state not in ("open", "running"):
        raise Conflict("leagues.over")
    if whole.event.state == "open" or entrant.state != "in":
        if state == "removed":
            entrant.state, entrant.left_at = state, whole.now
        else:
            await whole.session.delete(entrant)
    else:
        await course.drop_out(whole, entrant, state)
        await notices.wanted(whole, entrant, course.draw_name(entrant))
    if whole.event.state == "running" or state == "removed":
        whole.tell("left" if state == "withdrawn" else "removed", by, reason=reason, name=course.draw_name(entrant))
    await whole.reload()
    await _fill(whole)
    await course.advance(whole)


# -- running by hand -----------------------------------------------------------------------------------------------


async def start(session: AsyncSession, user: User, event_id: str) -> None:
    """Raises NotAllowed, Conflict, Refused when there are too few."""
    whole = await load(session, event_id, lock=True)
    whole.direct(user)
    if whole.event.state != "open":
        raise Conflict("leagues.begun")
    if len(whole.playing) < max(2, whole.settings.least):
        raise Refused("leagues.too_few", n=max(2, whole.settings.least))
    await course.start(whole)
    await course.advance(whole)


async def end(session: AsyncSession, user: User, event_id: str, reason: str) -> None:
    """Calls an event off before it begins, or ends it where it stands: what goes on is annulled. Raises Refused."""
    whole = await load(session, event_id, lock=True)
    whole.direct(user)
    if whole.event.state not in ("open", "running"):
        raise Conflict("leagues.over")
    if not reason:
        raise Refused("leagues.no_reason")
    if whole.event.state == "open":
        whole.event.state, whole.event.finished_at = "cancelled", whole.now
        await notices.called_off(whole, user.id)
    else:
        for pairing in whole.pairings:
            if pairing.game_id is not None and pairing.state == "playing":
                await boards.end_game(session, pairing.game_id, None, "result.annulled")
            elif pairing.state != "done":
                boards.decide(whole, pairing, "void", "annulled")
        await whole.reload()
        for one in whole.rounds:
            one.closed_at = one.closed_at or whole.now
        await course.finish(whole)
    whole.tell("ended", user.id, reason=reason)


# -- what players do while it runs -----------------------------------------------------------------------------------


def _mine(whole: Whole, user: User) -> Entrant:
    entrant = whole.of_user(user.id)
    if entrant is None or entrant.state != "in":
        raise Refused("leagues.not_in")
    return entrant


async def bid(session: AsyncSession, user: User, event_id: str, pairing_id: int, seat: str, points: int) -> None:
    """A secret bid for a side; the game begins when both have bid. Raises Refused."""
    whole = await load(session, event_id, lock=True)
    pairing, entrant = whole.pairing(pairing_id), _mine(whole, user)
    if pairing.state != "bidding" or entrant.id not in (pairing.first_id, pairing.second_id):
        raise Refused("leagues.no_bids")
    if seat not in seats_of(pairing) or not 0 <= points <= HIGHEST_BID:
        raise Refused("leagues.bad_bid", n=HIGHEST_BID)
    pairing.bids = {**pairing.bids, str(entrant.id): {"seat": seat, "points": points}}
    await course.advance(whole)


async def challenge(session: AsyncSession, user: User, event_id: str, entrant_id: int) -> None:
    """On a ladder: a game against somebody a few rungs up. Raises Refused, Conflict."""
    whole = await load(session, event_id, lock=True)
    me = _mine(whole, user)
    other = whole.entrant(entrant_id)
    if whole.event.format != "ladder" or whole.event.state != "running" or _over(whole):
        raise Conflict("leagues.over")
    if other.id not in ladder.in_reach(course.rungs(whole), me.id, whole.settings.reach):
        raise Refused("leagues.out_of_reach", n=whole.settings.reach)
    if whole.open_of(me) or whole.open_of(other):
        raise Refused("leagues.busy")
    await course.challenge(whole, me, other)
    await course.advance(whole)


def _over(whole: Whole) -> bool:
    return whole.event.ends_at is not None and whole.event.ends_at <= whole.now


async def be_ready(session: AsyncSession, user: User, event_id: str, ready: bool) -> None:
    """In an arena: free for the next game, or not. Raises Refused."""
    whole = await load(session, event_id, lock=True)
    me = _mine(whole, user)
    me.ready_at = (me.ready_at or whole.now) if ready else None
    await course.advance(whole)


async def advance(session: AsyncSession, event_id: str) -> None:
    """Does what is due in an event; one that another process has in hand is left to it."""
    event = await repository.free_event(session, event_id)
    if event is not None:
        await course.advance(await of(session, event))
