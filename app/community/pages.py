"""Pages of people: profiles, friends, blocks, invitations, messages, reports, and the file of one's own data."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse, StreamingResponse

import app.community.leaving  # noqa: F401
from app.community import export, invitations, limits, reports, repository, service, talk
from app.community.limits import Asking, ThrottleDep
from app.community.schemas import WHO, About, Handled, Invite, NewMessage, NewReport, ProfileWishes
from app.deps import ForReaders, InPerson, Moderator, ReaderDep, SessionDep, SettingsDep, SignedIn, Viewer
from app.errors import NotFound
from app.leagues.ratings import service as ratings
from app.lobby import service as lobby
from app.lobby.titles import titles
from app.pages import read_form, redirect, render

router = APIRouter(include_in_schema=False, dependencies=[ForReaders])


# -- profiles, friends, blocks -----------------------------------------------------------------------


@router.get("/players/{name}")
async def player(name: str, request: Request, session: SessionDep, viewer: Viewer, reader: ReaderDep) -> HTMLResponse:
    profile = await lobby.profile(session, name, viewer.id if viewer else None)
    tie = await service.tie(session, viewer, name) if viewer else None
    spoken = [service.language_name(one, reader.lang) for one in profile.languages]
    rated = await ratings.of_player(session, name)
    return render(request, reader, "lobby/player.html", player=profile, tie=tie, spoken=spoken, rated=rated)


@router.post("/players/{name}/{act}", dependencies=[Asking])
async def act(name: str, act: str, user: SignedIn, session: SessionDep, back: str = "") -> Response:
    """The buttons of a profile and of the list of friends."""
    if act not in service.ACTS:
        raise NotFound
    await service.ACTS[act](session, user, name)
    return redirect("/friends" if back == "friends" else f"/players/{name}")


@router.get("/account/profile")
async def profile_form(request: Request, user: SignedIn, session: SessionDep, reader: ReaderDep) -> HTMLResponse:
    return render(request, reader, "community/profile.html", wishes=await service.wishes(session, user.id), who=WHO)


@router.post("/account/profile")
async def set_profile(request: Request, user: SignedIn, session: SessionDep) -> Response:
    page = {"wishes": await service.wishes(session, user.id), "who": WHO}
    form = await read_form(request, ProfileWishes, "community/profile.html", **page)
    await service.set_wishes(session, user.id, form)
    return redirect(f"/players/{user.name}")


@router.get("/friends")
async def friends(request: Request, user: SignedIn, session: SessionDep, reader: ReaderDep) -> HTMLResponse:
    return render(request, reader, "community/friends.html", friends=await service.friends(session, user.id),
                  blocked=await repository.blocked_by(session, user.id),
                  unread=await talk.unread(session, user.id))  # fmt: skip


# -- invitations -------------------------------------------------------------------------------------


@router.post("/games/{game_id}/invite", dependencies=[Asking])
async def invite(game_id: str, request: Request, user: SignedIn, session: SessionDep,
                 settings: SettingsDep) -> Response:
    """A refusal is told on the page of the game."""
    room = await lobby.waiting_room(session, user.id, game_id, None, settings)
    form = await read_form(request, Invite, "lobby/join.html", **room)
    await invitations.invite(session, user, game_id, form.player.strip())
    return redirect(f"/games/{game_id}/join")


@router.post("/invitations/{invitation_id}/decline")
async def decline(invitation_id: int, user: SignedIn, session: SessionDep) -> Response:
    await invitations.decline(session, user, invitation_id)
    return redirect("/")


@router.post("/invitations/{invitation_id}/agree")
async def agree(invitation_id: int, user: SignedIn, session: SessionDep) -> Response:
    return redirect(f"/games/{await invitations.agree(session, user, invitation_id)}")


# -- messages ----------------------------------------------------------------------------------------


@router.get("/messages", dependencies=[InPerson])
async def messages(request: Request, user: SignedIn, session: SessionDep, reader: ReaderDep) -> HTMLResponse:
    return render(request, reader, "community/messages.html", talks=await talk.talks(session, user.id))


@router.get("/messages/{name}", dependencies=[InPerson])
async def thread(
    name: str, request: Request, user: SignedIn, session: SessionDep, reader: ReaderDep, before: int | None = None
) -> HTMLResponse:
    return render(request, reader, "community/thread.html", thread=await talk.thread(session, user, name, before))


@router.post("/messages/{name}", dependencies=[InPerson])
async def write(name: str, request: Request, user: SignedIn, session: SessionDep, throttle: ThrottleDep) -> Response:
    shown = {"thread": await talk.thread(session, user, name)}
    form = await read_form(request, NewMessage, "community/thread.html", **shown)
    await throttle.count(limits.MESSAGES)
    await talk.write(session, user, name, form.text)
    return redirect(f"/messages/{name}#last")


@router.get("/games/{game_id}/chat", dependencies=[InPerson])
async def chat(game_id: str, request: Request, user: SignedIn, session: SessionDep, reader: ReaderDep) -> HTMLResponse:
    """A game's chat by itself: to read, to mute, to report."""
    return render(request, reader, "community/chat.html", chat=await talk.chat(session, user.id, game_id))


@router.post("/games/{game_id}/chat/mute")
async def mute(game_id: str, request: Request, user: SignedIn, session: SessionDep) -> Response:
    await talk.mute(session, user.id, game_id, (await request.form()).get("muted") == "true")
    return redirect(f"/games/{game_id}/chat")


# -- reports -----------------------------------------------------------------------------------------

AboutDep = Annotated[About, Query()]


@router.get("/report", dependencies=[InPerson])
async def report_form(
    request: Request, user: SignedIn, session: SessionDep, reader: ReaderDep, about: AboutDep
) -> HTMLResponse:
    cause = await reports.cause(session, user, about)
    return render(request, reader, "community/report.html", about=about, name=cause.about.name, quote=cause.quote)


@router.post("/report", dependencies=[InPerson])
async def report(
    request: Request, user: SignedIn, session: SessionDep, reader: ReaderDep, throttle: ThrottleDep, about: AboutDep
) -> HTMLResponse:
    cause = await reports.cause(session, user, about)
    page = {"about": about, "name": cause.about.name, "quote": cause.quote}
    form = await read_form(request, NewReport, "community/report.html", **page)
    await throttle.count(limits.REPORTS)
    await reports.report(session, user, cause, form.reason)
    return render(request, reader, "community/reported.html", name=cause.about.name)


@router.get("/reports")
async def all_reports(request: Request, by: Moderator, session: SessionDep, reader: ReaderDep) -> HTMLResponse:
    found = await reports.cards(session, by)
    return render(request, reader, "community/reports.html", reports=found, titles=titles())


@router.post("/reports/{report_id}")
async def handle(report_id: int, request: Request, moderator: Moderator, session: SessionDep) -> Response:
    page = {"reports": await reports.cards(session, moderator), "titles": titles()}
    form = await read_form(request, Handled, "community/reports.html", **page)
    await reports.handle(session, moderator, report_id, form.note)
    return redirect("/reports")


# -- one's own data ----------------------------------------------------------------------------------


@router.get("/account/export", dependencies=[InPerson])
async def own_data(user: SignedIn, session: SessionDep, throttle: ThrottleDep) -> Response:
    """Everything that is kept about the reader, as a ZIP of JSON files."""
    await throttle.count(limits.EXPORTS)
    name = f'attachment; filename="mariscal-account-{user.id}.zip"'
    file = await export.archive(session, user.id)
    return StreamingResponse(export.pieces(file), media_type="application/zip", headers={
        "Content-Disposition": name, "Cache-Control": "private, no-store"})  # fmt: skip
