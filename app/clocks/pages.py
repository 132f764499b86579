"""The clock page of a game, and a user's calendar. Every form works without JavaScript."""

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from app import timing
from app.addresses import absolute
from app.clocks import acts, calendars, repository, service, substitutes
from app.clocks.forms import ClockForm, HoursForm, VacationForm
from app.clocks.routes import Counted
from app.clocks.words import Words
from app.config import Settings
from app.db import driver
from app.deps import ForReaders, Reader, ReaderDep, SessionDep, SettingsDep, SignedIn, Viewer
from app.games import acts as games
from app.games.acts import Player
from app.games.deps import LiveDep, PlayerDep
from app.games.live import Live
from app.games.repository import GameRow
from app.pages import read_form, redirect, render

router = APIRouter(include_in_schema=False, dependencies=[ForReaders])

AT = "/games/{game_id}/clock"


# -- the clock of a game -----------------------------------------------------------------------------


def _vacancy(row: GameRow, mine: Sequence[str], in_event: bool, settings: Settings) -> str:
    """Where a substitute comes from: `event` (the director), `open` (the lobby), or the link to a private game for
    whom its player sends it to; '' for a reader who plays no other seat."""
    if not mine or row.wants_substitute in (None, *mine):
        return ""
    if in_event or row.visibility == "open":
        return "event" if in_event else "open"
    return absolute(settings, f"/games/{row.id}/substitute?t={row.join_token}")


async def _clock_page(live: Live, player: Player, reader: Reader, settings: Settings) -> dict[str, Any]:
    """What the page shows: the card, whose time is up, and what the reader may do."""
    card = await games.card(live, player)
    row = await live.store.row(player.game_id)
    async with live.store.pool.connection() as conn:
        zone = await repository.zone_of(conn, player.user) if player.user else None
        in_event = await substitutes.in_event(conn, row.id)
    mine = card["your_seats"]
    sides = {card["seats"][seat]["side"] for seat in mine}
    theirs = [seat for seat, who in card["seats"].items() if who["side"] not in sides] if len(sides) == 1 else []
    up = {seat for seat in card["seats"] if service.late(row, seat)}
    late = [seat for seat in theirs if seat in up]
    words = Words(reader.t, zone or reader.zone)
    return {"card": card, "title_id": row.title, "words": words, "up": up, "theirs": late or theirs,
            "in_event": in_event,
            "vacancy": "" if reader.support else _vacancy(row, mine, in_event, settings),
            "claimable": bool(late) and all(card["seats"][seat]["side"] not in sides for seat in up),
            "director": bool(row.pace) and (row.pace or {})["policy"] == "director"}  # fmt: skip


@router.get(AT)
async def clock(request: Request, live: LiveDep, player: PlayerDep, reader: ReaderDep,
                settings: SettingsDep) -> HTMLResponse:
    """Both clocks and what may be done about them; anybody who may watch the game may look."""
    shown = await _clock_page(live, player, reader, settings)
    return render(request, reader, "clocks/clock.html", **shown)


@router.post(AT, dependencies=[Counted])
async def act(request: Request, live: LiveDep, player: PlayerDep, reader: ReaderDep,
              settings: SettingsDep) -> Response:
    shown = await _clock_page(live, player, reader, settings)
    form = await read_form(request, ClockForm, "clocks/clock.html", **shown)
    match form.act:
        case "claim":
            await acts.claim(live, player)
        case "grant":
            await acts.grant(live, player, form.granted)
        case "substitute":
            await acts.ask_substitute(live, player)
        case "pause":
            await acts.propose(live, player, "pause", None)
        case "pace":
            await acts.propose(live, player, "pace", form.chosen_pace())
        case "resume":
            await acts.resume(live, player)
        case "yes" | "no":
            await acts.reply(live, player, form.act == "yes")
    return redirect(f"/games/{player.game_id}/clock")


# -- the calendar ------------------------------------------------------------------------------------


async def _calendar_page(session: SessionDep, user: int, reader: Reader) -> dict[str, Any]:
    conn = await driver(session)
    mine = await calendars.mine(conn, user)
    return {"mine": mine, "zones": calendars.zones(), "words": Words(reader.t, mine.newest.zone),
            "budget": calendars.VACATION_DAYS, "now": timing.now(), "done": None}  # fmt: skip


@router.get("/account/calendar")
async def calendar(
    request: Request, user: SignedIn, session: SessionDep, reader: ReaderDep, done: str = ""
) -> HTMLResponse:
    context = await _calendar_page(session, user.id, reader)
    if done in {"hours", "away", "back"}:
        context["done"] = done
    return render(request, reader, "clocks/calendar.html", **context)


@router.post("/account/calendar", dependencies=[Counted])
async def set_hours(request: Request, user: SignedIn, session: SessionDep, reader: ReaderDep) -> Response:
    context = await _calendar_page(session, user.id, reader)
    form = await read_form(request, HoursForm, "clocks/calendar.html", **context)
    await calendars.set_hours(await driver(session), user.id, form.week())
    return redirect("/account/calendar?done=hours")


@router.post("/account/vacations", dependencies=[Counted])
async def go_away(request: Request, user: SignedIn, session: SessionDep, reader: ReaderDep) -> Response:
    context = await _calendar_page(session, user.id, reader)
    form = await read_form(request, VacationForm, "clocks/calendar.html", **context)
    await calendars.go_away(await driver(session), user.id, form.first_day, form.last_day)
    return redirect("/account/calendar?done=away")


@router.post("/account/vacations/{vacation}/end", dependencies=[Counted])
async def come_back(vacation: int, user: SignedIn, session: SessionDep) -> Response:
    await calendars.come_back(await driver(session), user.id, vacation)
    return redirect("/account/calendar?done=back")


async def words_for(session: SessionDep, viewer: Viewer, reader: Reader) -> Words:
    """Times in the zone of the reader's calendar, else in that of the browser, for pages that show deadlines."""
    zone = await repository.zone_of(await driver(session), viewer.id) if viewer else None
    return Words(reader.t, zone or reader.zone)
