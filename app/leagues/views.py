"""An event as pages and exports show it: plain values for one reader."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import User
from app.games.pace import in_words
from app.leagues import course, repository
from app.leagues.models import Claim, Entrant, Event, Pairing
from app.leagues.pairing import draw, ladder
from app.leagues.settings import EventSettings
from app.leagues.sides import other_seat
from app.leagues.whole import LEFT, Whole, meeting

LARGEST_CROSS = 64  # entrants
LARGE = ("table", "cross", "rounds")  # parts of what is shown of an event


class Who(BaseModel):
    """An entrant to be named: a person, or a bot with its number."""

    id: int
    name: str | None
    bot: str | None
    number: int
    state: str
    seed: int | None = None
    ready: bool = False


class RowView(BaseModel):
    """A line of the table; points and tie-breaks as they are written."""

    rank: int
    who: Who
    points: str
    played: int
    won: int
    drawn: int
    lost: int
    breaks: dict[str, str]
    annulled: bool


class Cell(BaseModel):
    """A meeting in the crosstable, from the row's side: `win`, `draw`, `loss`, `void`, or `on` while it goes on."""

    mark: str
    pairing: int


class PairingView(BaseModel):
    """A pairing as lists show it. `seats` by place, the first's before the second's."""

    id: int
    round: int
    branch: str
    first: Who
    second: Who | None
    seats: list[str]
    title: str
    scenario: str
    state: str
    game: str | None
    outcome: str | None
    how: str | None
    lead: int | None
    handicap: int
    bids: dict[int, dict[str, Any]]
    due: datetime | None
    postponed_to: datetime | None
    decided_at: datetime | None
    rated: bool
    mine: bool


class RoundView(BaseModel):
    number: int
    state: str
    due: datetime | None
    pairings: list[PairingView]


class ActView(BaseModel):
    """An act of a director or of the rules; `args` fill the text `leagues.act.KIND`."""

    at: datetime
    by: str | None
    kind: str
    args: dict[str, Any]
    reason: str
    pairing: int | None


class ClaimView(BaseModel):
    id: int
    pairing: int
    who: Who
    at: datetime
    wish: str
    points: int | None
    seq: int | None
    text: str
    open: bool


class Me(BaseModel):
    """The reader in this event."""

    state: str | None
    id: int | None
    directs: bool
    may_enter: bool
    may_reserve: bool
    ready: bool
    in_reach: list[Who]


class EventView(BaseModel):
    """Everything a page of an event shows."""

    id: str
    name: str
    about: str
    format: str
    state: str
    division: int | None
    league: dict[str, str] | None
    settings: EventSettings
    pace_words: dict[str, Any]
    seed: str | None
    seed_hash: str
    starts_at: datetime | None
    ends_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None
    directors: list[str]
    entrants: list[Who]
    breaks: list[str]
    table: list[RowView]
    cross: list[list[list[Cell]]]
    rounds: list[RoundView]
    acts: list[ActView]
    claims: list[ClaimView]
    me: Me

    @property
    def count(self) -> int:
        return sum(one.state == "in" for one in self.entrants)


def who(entrant: Entrant) -> Who:
    return Who(id=entrant.id, name=entrant.user.name if entrant.user else None, bot=entrant.bot, number=entrant.number,
               state=entrant.state, seed=entrant.seed, ready=entrant.ready_at is not None)  # fmt: skip


def halves(value: int) -> str:
    """Points as they are written: 3, 3½, ½."""
    return quarters(2 * value)


def quarters(value: int) -> str:
    whole, rest = divmod(value, 4)
    return f"{whole or '' if rest else whole}{('', '¼', '½', '¾')[rest]}"


def break_shown(name: str, value: int) -> str:
    if name in ("direct", "buchholz", "buchholz_cut"):
        return halves(value)
    if name == "sonneborn":
        return quarters(value)
    return f"{value:+d}" if name == "margin" and value else str(value)


async def event_view(
    whole: Whole, user: User | None, in_person: bool = True, parts: Collection[str] = LARGE
) -> EventView:
    """The whole event for one reader; bids only once they are open, before that one's own, if one reads `in_person`
    (not an admin who looks on). `parts`: those of the large ones that are asked for; the others are empty."""
    event, settings = whole.event, whole.settings
    drawn = event.started_at is not None or event.state == "cancelled"
    return EventView(
        id=event.id, name=event.name, about=event.about, format=event.format, state=event.state,
        division=event.division, league={"id": whole.league.id, "name": whole.league.name} if whole.league else None,
        settings=settings, pace_words=in_words(settings.pace.model_dump() if settings.pace else None),
        seed=event.seed if drawn else None, seed_hash=draw.commitment(event.seed),
        starts_at=event.starts_at, ends_at=event.ends_at, started_at=event.started_at, finished_at=event.finished_at,
        directors=[one.name for one in whole.directors.values()], entrants=[who(one) for one in whole.entrants],
        breaks=settings.breaks(event.format), table=rows(whole) if "table" in parts else [],
        cross=cross([row.entrant for row in whole.table()], whole.pairings) if "cross" in parts else [],
        rounds=_rounds(whole, user, in_person) if "rounds" in parts else [], acts=await _acts(whole),
        claims=[_claim(whole, one) for one in await repository.claims(whole.session, event.id)],
        me=_me(whole, user),
    )  # fmt: skip


def rows(whole: Whole) -> list[RowView]:
    annulled = whole.annulled()
    return [RowView(rank=row.rank, who=who(whole.entrant(row.entrant)), points=halves(row.points), played=row.played,
                    won=row.won, drawn=row.drawn, lost=row.lost, annulled=row.entrant in annulled,
                    breaks={name: break_shown(name, value) for name, value in row.breaks.items()})
            for row in whole.table()]  # fmt: skip


def cross(order: Sequence[int], pairings: Sequence[Pairing]) -> list[list[list[Cell]]]:
    """By row and column, in the order of the table, what was decided before what goes on; none where it would be too
    large to be read."""
    if len(order) > LARGEST_CROSS:
        return []
    marks: dict[tuple[int, int], list[Cell]] = defaultdict(list)
    for one in sorted(pairings, key=lambda one: (one.state != "done", one.round)):
        if one.second_id is None or one.state not in ("done", "playing"):
            continue
        made = meeting(one) if one.state == "done" else None
        for row, column in ((one.first_id, one.second_id), (one.second_id, one.first_id)):
            marks[row, column].append(Cell(mark=made.of(row) if made else "on", pairing=one.id))
    return [[marks.get((row, column), []) if row != column else [] for column in order] for row in order]


def pairing_view(whole: Whole, one: Pairing, user: User | None, in_person: bool = True) -> PairingView:
    me = whole.of_user(user.id if user else None)
    opened = one.state not in ("planned", "bidding")
    own = me.id if me is not None and in_person else None
    bids = {int(key): bid for key, bid in one.bids.items() if opened or int(key) == own}
    return PairingView(
        id=one.id, round=one.round, branch=one.branch, first=who(whole.entrant(one.first_id)),
        second=who(whole.entrant(one.second_id)) if one.second_id is not None else None,
        seats=[one.first_seat, other_seat(one, one.first_seat)], title=one.title, scenario=one.scenario,
        state=one.state, game=one.game_id, outcome=one.outcome, how=one.how, lead=one.lead, handicap=one.handicap,
        bids=bids, due=one.due_at, postponed_to=one.postponed_to, decided_at=one.decided_at, rated=one.rated,
        mine=me is not None and me.id in (one.first_id, one.second_id),
    )  # fmt: skip


def _rounds(whole: Whole, user: User | None, in_person: bool) -> list[RoundView]:
    known = {one.number: one for one in whole.rounds}
    views = []
    for number in sorted({one.round for one in whole.pairings} | known.keys()):
        row = known.get(number)
        state = "planned" if row is None else "open" if row.closed_at is None else "closed"
        pairings = [pairing_view(whole, one, user, in_person) for one in whole.in_round(number)]
        views.append(RoundView(number=number, state=state, due=row.due_at if row else None, pairings=pairings))
    return views


def _args(args: dict[str, Any]) -> dict[str, Any]:
    return args | {"to": datetime.fromisoformat(args["to"])} if "to" in args else args


async def _acts(whole: Whole) -> list[ActView]:
    return [ActView(at=one.at, by=one.user.name if one.user else None, kind=one.kind, args=_args(one.args),
                    reason=one.reason, pairing=one.pairing_id)
            for one in await repository.acts(whole.session, whole.event.id)]  # fmt: skip


def _claim(whole: Whole, one: Claim) -> ClaimView:
    return ClaimView(id=one.id, pairing=one.pairing_id, who=who(whole.entrant(one.entrant_id)), at=one.at,
                     wish=one.wish, points=one.points, seq=one.seq, text=one.text,
                     open=one.answered_at is None)  # fmt: skip


def _me(whole: Whole, user: User | None) -> Me:
    mine = whole.of_user(user.id if user else None)
    state = mine.state if mine else None
    outside = user is not None and (mine is None or state in ("withdrawn", "reserve"))
    event = whole.event
    late = event.state == "running" and event.format in ("ladder", "arena")
    reach: list[Who] = []
    if mine is not None and state == "in" and event.format == "ladder" and event.state == "running":
        below = ladder.in_reach(course.rungs(whole), mine.id, whole.settings.reach) if not whole.open_of(mine) else []
        reach = [who(whole.entrant(one)) for one in below if not whole.open_of(whole.entrant(one))]
    return Me(state=state, id=mine.id if mine else None, directs=whole.may_direct(user),
              may_enter=outside and (event.state == "open" or late),
              may_reserve=user is not None and (mine is None or state in LEFT) and event.state in ("open", "running")
              and state != "removed", ready=mine is not None and mine.ready_at is not None, in_reach=reach)  # fmt: skip


# -- lists -------------------------------------------------------------------------------------------------


class EventCard(BaseModel):
    """An event in a list."""

    id: str
    name: str
    format: str
    state: str
    division: int | None
    titles: list[str]
    entrants: int
    capacity: int | None
    starts_at: datetime | None


def event_card(event: Event, entrants: int) -> EventCard:
    settings = EventSettings.model_validate(event.settings)
    return EventCard(id=event.id, name=event.name, format=event.format, state=event.state, division=event.division,
                     titles=list(dict.fromkeys(one.title for one in settings.boards)), entrants=entrants,
                     capacity=settings.capacity, starts_at=event.starts_at)  # fmt: skip


async def cards(session: AsyncSession, events: Sequence[Event]) -> list[EventCard]:
    counts = await repository.count_entrants(session, [one.id for one in events])
    return [event_card(one, counts.get(one.id, 0)) for one in events]


class Match(BaseModel):
    """A pairing of one's own in an event that is not over: against whom, its game, a bid that is due."""

    opponent: Who | None
    pairing: int
    game: str | None
    bidding: bool


class MyEvent(BaseModel):
    """An event that one is in, once, with all that is open there."""

    id: str
    name: str
    state: str
    format: str
    matches: list[Match]


async def events_of_mine(session: AsyncSession, user_id: int) -> list[MyEvent]:
    """The events a user is in, each with what is open there; those with a bid or a game first."""
    playing = await repository.playing_in(session, user_id)
    mine = {entrant.id: event.id for event, entrant in playing}
    found = {event.id: MyEvent(id=event.id, name=event.name, state=event.state, format=event.format, matches=[])
             for event, _ in playing}  # fmt: skip
    open_ = [p for p in await repository.open_pairings(session, list(mine)) if p.state in ("bidding", "playing")]
    others = {p.id: p.second_id if p.first_id in mine else p.first_id for p in open_}
    names = {one.id: who(one) for one in await repository.entrants_by_id(
        session, [one for one in others.values() if one is not None])}  # fmt: skip
    for pairing in open_:
        event = mine.get(pairing.first_id) or mine[pairing.second_id or 0]
        found[event].matches.append(Match(opponent=names.get(others[pairing.id] or 0), pairing=pairing.id,
                                          game=pairing.game_id, bidding=pairing.state == "bidding"))  # fmt: skip
    return sorted(found.values(), key=lambda one: not one.matches)
