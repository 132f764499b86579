"""Pages of leagues, events and ratings."""

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from app.clocks.pages import words_for
from app.deps import Admin, ForReaders, ReaderDep, SessionDep, SignedIn, Viewer
from app.errors import NotFound
from app.games.stills import CostlyDep
from app.leagues import directing, forms, repository, seasons, service, views
from app.leagues.limits import Acting, Making, count_large
from app.leagues.ratings import service as ratings
from app.leagues.settings import FORMATS, EventSettings
from app.leagues.standings.tie_breaks import NAMES
from app.leagues.whole import load
from app.lobby.titles import titles
from app.pages import Form, read_form, redirect, render
from app.security import POLICY
from app.walltime import field
from rules.bots import NAMES as BOTS

router = APIRouter(include_in_schema=False, dependencies=[ForReaders])
router.include_router(directing.router)

PARTS = {"table": ("table",), "cross": ("table", "cross"), "schedule": ("rounds",)}  # what a tab shows of an event
TABS = ("table", "cross", "schedule", "rules", "acts", "direct")
FRAMED = {
    "Content-Security-Policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors *"),
    "Cross-Origin-Resource-Policy": "cross-origin",
}


# -- lists -----------------------------------------------------------------------------------------------


@router.get("/leagues")
async def leagues(request: Request, session: SessionDep, viewer: Viewer, reader: ReaderDep) -> HTMLResponse:
    """All leagues and events; for those who may, the ways to make one."""
    settings = await repository.settings(session)
    return render(
        request, reader, "leagues/list.html", titles=titles(),
        events=await views.cards(session, await repository.events(session)),
        leagues=[{"id": one.id, "name": one.name, "about": one.about} for one in await repository.leagues(session)],
        organises=await service.may_organise(session, viewer),
        anybody=settings is None or settings.anybody_organises, words=await words_for(session, viewer, reader),
    )  # fmt: skip


@router.post("/leagues/organisers")
async def organisers(request: Request, _: Admin, session: SessionDep) -> Response:
    form = await request.form()
    await service.set_organisers(session, form.get("who") == "anybody")
    return redirect("/leagues")


# -- making ------------------------------------------------------------------------------------------------


def _form_page(what: str, action: str, values: dict[str, Any] | None = None) -> dict[str, Any]:
    """The form of an event or a league, with what it holds at first."""
    known = titles()
    if values is None:
        title = next(iter(known.values()))
        values = forms.usual(first_board=f"board.{title.id}.{next(iter(title.scenarios))}")
    return {"what": what, "action": action, "formats": FORMATS, "tie_breaks": NAMES, "breaks": forms.BREAKS,
            "titles": known, "form": Form(values)}  # fmt: skip


@router.get("/events/new")
async def new_event(request: Request, user: SignedIn, session: SessionDep, reader: ReaderDep) -> HTMLResponse:
    await service.organiser(session, user)
    return render(request, reader, "leagues/form.html", **_form_page("event", "/events"))


@router.post("/events", dependencies=[Making])
async def create_event(request: Request, user: SignedIn, session: SessionDep) -> Response:
    form = await read_form(request, forms.EventForm, "leagues/form.html", **_form_page("event", "/events"))
    event = await service.create_event(session, user, form.name, form.about, form.format, form.settings(), form.begins)
    return redirect(f"/events/{event.id}")


@router.get("/events/{event_id}/edit")
async def edit_event(
    event_id: str, request: Request, user: SignedIn, session: SessionDep, reader: ReaderDep
) -> HTMLResponse:
    whole = await load(session, event_id)
    whole.direct(user)
    event = whole.event
    starts_at = field(event.starts_at, reader.zone) if event.starts_at else ""
    values = forms.filled(event.name, event.about, event.format, whole.settings, starts_at)
    return render(request, reader, "leagues/form.html", **_form_page("edit", f"/events/{event_id}/edit", values))


@router.post("/events/{event_id}/edit", dependencies=[Acting])
async def change_event(event_id: str, request: Request, user: SignedIn, session: SessionDep) -> Response:
    page = _form_page("edit", f"/events/{event_id}/edit")
    form = await read_form(request, forms.EventForm, "leagues/form.html", **page)
    await service.change_event(session, user, event_id, form.name, form.about, form.settings(), form.begins)
    return redirect(f"/events/{event_id}/rules")


@router.get("/leagues/new")
async def new_league(request: Request, user: SignedIn, session: SessionDep, reader: ReaderDep) -> HTMLResponse:
    await service.organiser(session, user)
    return render(request, reader, "leagues/form.html", **_form_page("league", "/leagues"))


@router.post("/leagues", dependencies=[Making])
async def create_league(request: Request, user: SignedIn, session: SessionDep) -> Response:
    form = await read_form(request, forms.EventForm, "leagues/form.html", **_form_page("league", "/leagues"))
    league = await seasons.create_league(session, user, form.name, form.about, form.format, form.settings(),
                                         form.divisions, form.moving)  # fmt: skip
    return redirect(f"/leagues/{league.id}")


@router.get("/leagues/{league_id}")
async def league(league_id: str, request: Request, session: SessionDep, viewer: Viewer, reader: ReaderDep) -> Response:
    """A league with its seasons, the newest first, and the tables of their divisions."""
    found = await seasons.league(session, league_id)
    shown = []
    for season in await repository.seasons(session, league_id):
        wholes = [await load(session, one.id) for one in await repository.divisions(session, season.id)]
        divisions = [{"card": views.event_card(one.event, len(one.playing)), "rows": views.rows(one)} for one in wholes]
        shown.append({"number": season.number, "divisions": divisions})
    return render(
        request, reader, "leagues/league.html", titles=titles(), seasons=shown,
        league={"id": found.id, "name": found.name, "about": found.about, "moving": found.moving,
                "divisions": found.divisions, "format": found.settings["format"]},
        directs=await seasons.may_direct(session, viewer, league_id),
    )  # fmt: skip


@router.get("/leagues/{league_id}/edit")
async def edit_league(
    league_id: str, request: Request, user: SignedIn, session: SessionDep, reader: ReaderDep
) -> HTMLResponse:
    found = await seasons.directed(session, user, league_id)
    settings = EventSettings.model_validate(found.settings["event"])
    values = forms.filled(found.name, found.about, found.settings["format"], settings, tiers=found.divisions,
                          moving=found.moving)  # fmt: skip
    return render(request, reader, "leagues/form.html", **_form_page("league", f"/leagues/{league_id}/edit", values))


@router.post("/leagues/{league_id}/edit", dependencies=[Acting])
async def change_league(league_id: str, request: Request, user: SignedIn, session: SessionDep) -> Response:
    page = _form_page("league", f"/leagues/{league_id}/edit")
    form = await read_form(request, forms.EventForm, "leagues/form.html", **page)
    await seasons.change_league(session, user, league_id, form.name, form.about, form.format, form.settings(),
                                form.divisions, form.moving)  # fmt: skip
    return redirect(f"/leagues/{league_id}")


@router.post("/leagues/{league_id}/seasons", dependencies=[Making])
async def new_season(league_id: str, user: SignedIn, session: SessionDep) -> Response:
    await seasons.new_season(session, user, league_id)
    return redirect(f"/leagues/{league_id}")


# -- ratings -------------------------------------------------------------------------------------------------


@router.get("/ratings")
async def ranking(
    request: Request, session: SessionDep, reader: ReaderDep, title: str | None = None
) -> HTMLResponse:
    """Players by rating, at a title or over all, and how even the scenarios are."""
    known = titles()
    if title and title not in known:
        raise NotFound("leagues.no_title", title=title)
    ranked, balances = await ratings.ranking(session, title or ""), await ratings.balances(session)
    return render(request, reader, "leagues/ratings.html", titles=known, title=title or "", ranking=ranked,
                  balances=balances)  # fmt: skip


@router.get("/ratings/players/{name}")
async def player(name: str, request: Request, session: SessionDep, reader: ReaderDep) -> HTMLResponse:
    return render(request, reader, "leagues/player.html", titles=titles(),
                  player=await ratings.of_player(session, name))  # fmt: skip


# -- an event ----------------------------------------------------------------------------------------------


@router.get("/events/{event_id}")
async def event(event_id: str, request: Request, session: SessionDep, viewer: Viewer, reader: ReaderDep,
                costly: CostlyDep) -> Response:
    return await event_tab(event_id, "table", request, session, viewer, reader, costly)


@router.get("/events/{event_id}/embed")
async def embed(event_id: str, request: Request, session: SessionDep, reader: ReaderDep) -> Response:
    """Table and crosstable alone, for a frame on any other site."""
    view = await views.event_view(await load(session, event_id), None, parts=PARTS["cross"])
    page = render(request, reader, "leagues/embed.html", event=view, titles=titles())
    page.headers.update(FRAMED)
    return page


@router.get("/events/{event_id}/pairings/{pairing_id}")
async def pairing(
    event_id: str, pairing_id: int, request: Request, session: SessionDep, viewer: Viewer, reader: ReaderDep
) -> Response:
    """One pairing: its game, bids, claims and rulings; a briefing for one who has just taken a seat over."""
    whole = await load(session, event_id)
    shown = views.pairing_view(whole, whole.pairing(pairing_id), viewer, not reader.support)
    view = await views.event_view(whole, viewer, not reader.support, ())
    return render(request, reader, "leagues/pairing.html", event=view, pairing=shown, titles=titles(),
                  words=await words_for(session, viewer, reader))  # fmt: skip


@router.get("/events/{event_id}/{tab}")
async def event_tab(
    event_id: str, tab: str, request: Request, session: SessionDep, viewer: Viewer, reader: ReaderDep,
    costly: CostlyDep,
) -> Response:
    whole = await load(session, event_id)
    if tab == "schedule":
        await count_large(whole, costly)
    view = await views.event_view(whole, viewer, not reader.support, PARTS.get(tab, ()))
    if tab not in TABS or (tab == "direct" and not view.me.directs):
        raise NotFound
    return render(request, reader, "leagues/event.html", event=view, tab=tab, titles=titles(), bots=BOTS,
                  words=await words_for(session, viewer, reader),
                  tabs=[one for one in TABS if one != "direct" or view.me.directs])  # fmt: skip
