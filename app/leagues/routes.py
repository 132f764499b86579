"""Events over HTTP: what pages show, as JSON and CSV; entering and leaving."""

from typing import Any

from fastapi import APIRouter, Response
from pydantic import BaseModel

from app import spreadsheet
from app.addresses import absolute
from app.deps import ForReaders, ReaderDep, SessionDep, SettingsDep, SignedIn, Viewer
from app.games.stills import CostlyDep
from app.leagues import repository, service, views
from app.leagues.limits import Acting, count_large
from app.leagues.ratings import service as ratings
from app.leagues.views import EventCard, EventView, Who
from app.leagues.whole import load

router = APIRouter(prefix="/api", tags=["leagues"], dependencies=[ForReaders])


class Entering(BaseModel):
    """`reserve`: as a substitute who stands by."""

    reserve: bool = False


class Leaving(BaseModel):
    """`gives_notes`: a substitute may read one's notes and plans."""

    gives_notes: bool = False


@router.get("/events")
async def events(session: SessionDep) -> list[EventCard]:
    """Events of their own, those that go on first."""
    return await views.cards(session, await repository.events(session))


@router.get("/events/{event_id}")
async def event(event_id: str, viewer: Viewer, session: SessionDep, reader: ReaderDep,
                costly: CostlyDep) -> EventView:
    """Everything about an event: rules, entrants, table, crosstable, rounds, rulings."""
    whole = await load(session, event_id)
    await count_large(whole, costly)
    return await views.event_view(whole, viewer, not reader.support)


@router.post("/events/{event_id}/enter", dependencies=[Acting])
async def enter(event_id: str, wish: Entering, user: SignedIn, session: SessionDep) -> EventView:
    """Enters an event, or its waiting list."""
    await service.enter(session, user, event_id, wish.reserve)
    return await views.event_view(await load(session, event_id), user)


@router.post("/events/{event_id}/leave", status_code=204, dependencies=[Acting])
async def leave(event_id: str, wish: Leaving, user: SignedIn, session: SessionDep) -> None:
    """Leaves an event; what is open is lost."""
    await service.leave(session, user, event_id, wish.gives_notes)


@router.get("/events/{event_id}/table.csv", response_class=Response)
async def table_csv(event_id: str, session: SessionDep, reader: ReaderDep) -> Response:
    """The table."""
    view = await views.event_view(await load(session, event_id), None, parts=("table",))
    head = ["rank", "name", "points", "played", "won", "drawn", "lost", *view.breaks]
    lines = [[row.rank, _name(row.who, reader.t), row.points, row.played, row.won, row.drawn, row.lost,
              *(row.breaks.get(name, "") for name in view.breaks)] for row in view.table]  # fmt: skip
    return _csv(f"{event_id}-table", head, lines)


@router.get("/events/{event_id}/games.csv", response_class=Response)
async def games_csv(event_id: str, settings: SettingsDep, session: SessionDep, reader: ReaderDep,
                    costly: CostlyDep) -> Response:
    """Every pairing with its result."""
    whole = await load(session, event_id)
    await count_large(whole, costly)
    view = await views.event_view(whole, None, parts=("rounds",))
    head = ["round", "first", "first_seat", "second", "second_seat", "title", "scenario", "state", "outcome", "how",
            "lead", "game"]  # fmt: skip
    lines = [[one.round, _name(one.first, reader.t), one.seats[0], _name(one.second, reader.t) if one.second else "",
              one.seats[1], one.title, one.scenario, one.state, one.outcome or "", one.how or "",
              "" if one.lead is None else one.lead, absolute(settings, f"/games/{one.game}") if one.game else ""]
             for round_ in view.rounds for one in round_.pairings]  # fmt: skip
    return _csv(f"{event_id}-games", head, lines)


class RankingRow(BaseModel):
    """A player's rating at a title ('' over all)."""

    name: str
    title: str
    shown: int
    spread: int
    games: int


@router.get("/ratings")
async def ranking(session: SessionDep, title: str = "") -> list[RankingRow]:
    """Players by rating."""
    return [RankingRow.model_validate(one.model_dump()) for one in await ratings.ranking(session, title)]


def _name(who: Who, t: Any) -> str:
    return who.name if who.name is not None else f"{t(f'bot.{who.bot}')} {who.number}"


def _csv(name: str, head: list[str], lines: list[list[Any]]) -> Response:
    disposition = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return Response(spreadsheet.csv_of(head, lines), media_type=spreadsheet.TYPE, headers=disposition)
