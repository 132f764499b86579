"""Pages of those who look after the site: accounts, games, jobs and mail, the audit log."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse

from app.accounts.models import User
from app.addresses import absolute
from app.admin import games, repository, service, support
from app.admin.schemas import AdjudicateForm, BanForm, LookForm, PatchForm, ReasonForm, RewindForm, RolesForm, read
from app.archive import repository as storage
from app.archive.config import storage_settings
from app.db import driver
from app.deps import (
    Admin,
    Director,
    ForReaders,
    Moderator,
    Reader,
    ReaderDep,
    SessionDep,
    SettingsDep,
    SignedIn,
    Staff,
    session_token,
)
from app.games.access import playing, seats_of
from app.games.deps import LiveDep
from app.notifications import mail
from app.pages import redirect, render

router = APIRouter(include_in_schema=False, dependencies=[ForReaders])

Words = Annotated[str, Query(max_length=80)]
Status = Literal["active", "open", "finished"]


def _render(request: Request, reader: Reader, by: User, template: str, **context: Any) -> HTMLResponse:
    may = {"admin": by.is_admin, **{role: by.is_admin or role in by.roles for role in service.ROLES}}
    return render(request, reader, f"admin/{template}.html", may=may, me=by.id, **context)


# -- accounts ----------------------------------------------------------------------------------------


@router.get("/admin")
async def users(request: Request, by: Staff, session: SessionDep, reader: ReaderDep, q: Words = "") -> Response:
    """Directors see games only."""
    if not by.is_admin and "moderator" not in by.roles:
        return redirect("/admin/games")
    found, count = await service.list_users(session, by, q.replace("\0", ""))
    return _render(request, reader, by, "users", users=found, count=count, q=q)


async def _user_page(request: Request, session: SessionDep, reader: Reader, by: User, user_id: int,
                     link: str | None = None) -> HTMLResponse:
    user, acts = await service.user_row(session, user_id)
    return _render(request, reader, by, "user", user=user, acts=acts, link=link)


@router.get("/admin/users/{user_id}")
async def user(user_id: int, request: Request, by: Moderator, session: SessionDep, reader: ReaderDep) -> HTMLResponse:
    return await _user_page(request, session, reader, by, user_id)


@router.post("/admin/users/{user_id}/reset")
async def reset_link(user_id: int, request: Request, by: Admin, session: SessionDep, reader: ReaderDep,
                     settings: SettingsDep) -> HTMLResponse:
    token = await service.reset_link(session, by, user_id)
    return await _user_page(request, session, reader, by, user_id, absolute(settings, f"/reset/{token}"))


@router.post("/admin/users/{user_id}/roles")
async def set_roles(user_id: int, request: Request, by: Admin, session: SessionDep) -> Response:
    form = await read(request, RolesForm)
    await service.set_roles(session, by, user_id, form.roles)
    return redirect(f"/admin/users/{user_id}")


@router.post("/admin/users/{user_id}/ban")
async def ban(user_id: int, request: Request, by: Moderator, session: SessionDep) -> Response:
    form = await read(request, BanForm)
    await service.ban(session, by, user_id, form.reason, form.days)
    return redirect(f"/admin/users/{user_id}")


@router.post("/admin/users/{user_id}/unban")
async def unban(user_id: int, request: Request, by: Moderator, session: SessionDep) -> Response:
    form = await read(request, ReasonForm)
    await service.unban(session, by, user_id, form.reason)
    return redirect(f"/admin/users/{user_id}")


@router.post("/admin/users/{user_id}/support")
async def start_support(user_id: int, request: Request, by: Admin, session: SessionDep) -> Response:
    form = await read(request, ReasonForm)
    user = await service.get_user(session, user_id)
    await support.start(session, by, session_token(request) or "", user, form.reason)
    return redirect("/")


@router.post(support.STOP)
async def stop_support(request: Request, _: SignedIn, session: SessionDep) -> Response:
    await support.stop(session, session_token(request) or "")
    return redirect("/")


# -- games -------------------------------------------------------------------------------------------


@router.get("/admin/games")
async def game_list(request: Request, by: Staff, live: LiveDep, reader: ReaderDep, q: Words = "",
                    status: Status = "active", check: bool = False) -> HTMLResponse:
    found = await games.listed(live.store, q.replace("\0", ""), status, check)
    return _render(request, reader, by, "games", games=found, q=q, state=status, check=check, shown=games.SHOWN)


@router.get("/admin/games/{game_id}")
async def game(game_id: str, request: Request, by: Staff, session: SessionDep, live: LiveDep, reader: ReaderDep,
               check: bool = False) -> HTMLResponse:
    found = await games.one(live.store, game_id, check)
    acts = await service.acts(session, game=game_id)
    return _render(request, reader, by, "game", game=found.row, sizes=found.sizes, back=found.back, check=check,
                   fault=found.fault, acts=acts, plays=bool(seats_of(found.row, by.id)))  # fmt: skip


@router.post("/admin/games/{game_id}/adjudicate")
async def adjudicate(game_id: str, request: Request, by: Director, session: SessionDep) -> Response:
    form = await read(request, AdjudicateForm)
    await games.adjudicate(session, by, game_id, form.winner or None, form.reason)
    return redirect(f"/admin/games/{game_id}")


@router.post("/admin/games/{game_id}/rewind")
async def rewind(game_id: str, request: Request, by: Director, live: LiveDep) -> Response:
    form = await read(request, RewindForm)
    await games.rewind(live.store, by, game_id, form.to, form.reason)
    return redirect(f"/admin/games/{game_id}")


@router.post("/admin/games/{game_id}/position")
async def position(game_id: str, request: Request, by: Director, live: LiveDep, reader: ReaderDep) -> HTMLResponse:
    """The whole position, and what a patch would change. Not by GET: every look is noted."""
    form = await read(request, LookForm)
    tried = await games.try_patch(live.store, by, game_id, form.merge, form.reason)
    return _render(request, reader, by, "patch", game=tried.row, tried=tried, merge=form.merge, reason=form.reason,
                   status=tried.refused.status if tried.refused else 200)  # fmt: skip


@router.post("/admin/games/{game_id}/patch")
async def patch(game_id: str, request: Request, by: Director, live: LiveDep) -> Response:
    form = await read(request, PatchForm)
    await games.patch(live.store, by, game_id, form.merge, form.seq, form.reason)
    return redirect(f"/admin/games/{game_id}")


# -- jobs, mail --------------------------------------------------------------------------------------


@router.get("/admin/jobs")
async def jobs(request: Request, by: Admin, session: SessionDep, reader: ReaderDep,
               settings: SettingsDep) -> HTMLResponse:
    conn = await driver(session)
    return _render(request, reader, by, "jobs", counts=await repository.jobs_by_status(conn),
                   failed=await repository.failed_jobs(conn), notices=await repository.undelivered(conn),
                   mail_works=mail.works(settings), deliveries=await repository.failed_deliveries(conn),
                   totals=await storage.totals(conn), longest=await storage.longest(conn, 10),
                   most=storage_settings().most_entries)  # fmt: skip


@router.post("/admin/jobs/{job_id}/retry")
async def retry(job_id: int, by: Admin, session: SessionDep) -> Response:
    await service.retry(session, by, job_id)
    return redirect("/admin/jobs")


# -- the audit log -----------------------------------------------------------------------------------

Before = Annotated[int | None, Query(ge=1, le=2**62)]


def _older(acts: list[repository.Act]) -> int | None:
    """From where the next page goes on."""
    return acts[-1].id if len(acts) == repository.PAGE else None


@router.get("/admin/audit")
async def audit(request: Request, by: Staff, session: SessionDep, reader: ReaderDep, before: Before = None) -> Response:
    acts = await service.acts(session, before=before)
    return _render(request, reader, by, "audit", acts=acts, older=_older(acts))


@router.get("/account/audit")
async def own_audit(request: Request, user: SignedIn, session: SessionDep, reader: ReaderDep,
                    before: Before = None) -> HTMLResponse:
    """What was done to one's account and games."""
    acts = await service.acts(session, user=user.id, before=before)
    return render(request, reader, "admin/concerned.html", acts=acts, older=_older(acts), game_id=None)


@router.get("/games/{game_id}/audit")
async def game_audit(game_id: str, request: Request, user: SignedIn, session: SessionDep, live: LiveDep,
                     reader: ReaderDep, before: Before = None) -> HTMLResponse:
    """For its players, and for those who look after the site."""
    row = await live.store.row(game_id)
    if not user.is_admin and not user.roles:
        playing(row, user.id, None)
    acts = await service.acts(session, game=game_id, before=before)
    return render(request, reader, "admin/concerned.html", acts=acts, older=_older(acts), game_id=game_id)
