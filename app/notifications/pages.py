"""Pages of notices; their forms work without JavaScript. And addresses with a token, for programs: calendar, mails."""

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, ConfigDict, Field

from app.accounts.models import User
from app.addresses import absolute
from app.clocks.pages import words_for
from app.deps import ForReaders, ReaderDep, SessionDep, SettingsDep, SignedIn
from app.notifications import mail, service
from app.notifications.calendar import calendar
from app.notifications.kinds import GAME, KINDS, OTHER, ROLES, TIMINGS
from app.notifications.routes import ThrottleDep
from app.notifications.schemas import Service, Timing, Wishes
from app.pages import read_form, redirect, render
from app.texts import Texts

router = APIRouter(include_in_schema=False, dependencies=[ForReaders])

SETTINGS = "/account/notifications"
PAGE = "notifications/settings.html"


class WishesForm(BaseModel):
    """The form of wishes; a kind that is on comes as a field `on.KIND`."""

    model_config = ConfigDict(extra="allow")

    timing: Timing
    hour: int = Field(ge=0, le=23)
    zone: str = Field(max_length=60)

    def wishes(self) -> Wishes:
        chosen = self.model_dump()
        on = [kind for kind in KINDS if f"on.{kind}" in chosen]
        return Wishes(timing=self.timing, hour=self.hour, zone=self.zone, on=on)


class ForgotForm(BaseModel):
    login: str = Field(min_length=1, max_length=200)


# -- lists -------------------------------------------------------------------------------------------


@router.get("/notices")
async def notices(request: Request, user: SignedIn, session: SessionDep, reader: ReaderDep) -> HTMLResponse:
    found = await service.notices(session, user.id, reader.lang, reader.zone, not reader.support)
    if not reader.support:
        await service.visit(session, user.id, None)
    words = await words_for(session, user, reader)
    return render(request, reader, "notifications/notices.html", notices=found, words=words)


@router.post("/notices/seen")
async def see_all(user: SignedIn, session: SessionDep) -> Response:
    await service.see_all(session, user.id)
    return redirect("/notices")


@router.get("/next")
async def next_game(user: SignedIn, session: SessionDep, after: str | None = None) -> Response:
    """On to the game that waits most."""
    return redirect(await service.next_path(session, user.id, after))


# -- settings ----------------------------------------------------------------------------------------


async def _settings(user: User, session: SessionDep, settings: SettingsDep) -> dict[str, Any]:
    """What the page of settings shows."""
    kept = await service.wishes(session, user.id)
    return {
        "wishes": service.shown(kept),
        "channels": await service.channels(session, user.id),
        "deliveries": await service.deliveries(session, user.id),
        "mail_works": mail.works(settings),
        "calendar": absolute(settings, f"/calendar/{kept.token}.ics"),
        "push_key": await service.push_key(session),
        "kinds": {"game": GAME, "other": OTHER},
        "timings": TIMINGS,
        "roles": ROLES,
        "done": None,
    }


@router.get(SETTINGS)
async def wishes(
    request: Request, user: SignedIn, session: SessionDep, reader: ReaderDep, settings: SettingsDep, done: str = ""
) -> HTMLResponse:
    context = await _settings(user, session, settings)
    if done in {"wishes", "channel", "test", "token"}:
        context["done"] = done
    return render(request, reader, PAGE, **context)


@router.post(SETTINGS)
async def set_wishes(request: Request, user: SignedIn, session: SessionDep, settings: SettingsDep) -> Response:
    form = await read_form(request, WishesForm, PAGE, **await _settings(user, session, settings))
    await service.set_wishes(session, user.id, form.wishes())
    return redirect(f"{SETTINGS}?done=wishes")


@router.post(f"{SETTINGS}/services")
async def add_service(
    request: Request, user: SignedIn, session: SessionDep, settings: SettingsDep, throttle: ThrottleDep
) -> Response:
    form = await read_form(request, Service, PAGE, **await _settings(user, session, settings))
    await throttle.channel(user.id)
    await service.add_service(session, user.id, form.address)
    return redirect(f"{SETTINGS}?done=channel#channels")


@router.post(f"{SETTINGS}/channels/{{channel_id}}")
async def change_channel(
    channel_id: int, request: Request, user: SignedIn, session: SessionDep, throttle: ThrottleDep
) -> Response:
    """One form a channel; the button says what is done: a role, a test, or its end."""
    act = str((await request.form()).get("act", ""))
    if act in ROLES:
        await service.set_role(session, user.id, channel_id, act)
    elif act == "drop":
        await service.drop_channel(session, user.id, channel_id)
    elif act == "test":
        await throttle.test(user.id)
        await service.try_channel(session, user.id, channel_id)
        return redirect(f"{SETTINGS}?done=test#deliveries")
    return redirect(f"{SETTINGS}?done=channel#channels")


@router.post(f"{SETTINGS}/token")
async def new_token(user: SignedIn, session: SessionDep) -> Response:
    await service.new_token(session, user.id)
    return redirect(f"{SETTINGS}?done=token#calendar")


# -- by token ----------------------------------------------------------------------------------------


@router.get("/calendar/{token}.ics")
async def deadlines(token: str, session: SessionDep, settings: SettingsDep) -> Response:
    """The deadlines of whoever has this address."""
    owner = await service.owner(session, token)
    site = absolute(settings, "")
    body = calendar(Texts(owner.lang), site, await service.waiting(session, owner.user_id))
    headers = {"Cache-Control": "private, no-cache", "Content-Disposition": 'inline; filename="mariscal.ics"'}
    return Response(body, media_type="text/calendar", headers=headers)


@router.get("/unsubscribe/{token}")
async def unsubscribe_form(token: str, request: Request, session: SessionDep, reader: ReaderDep) -> HTMLResponse:
    await service.owner(session, token)
    return render(request, reader, "notifications/unsubscribe.html", token=token, done=False)


@router.post("/unsubscribe/{token}")
async def unsubscribe(token: str, request: Request, session: SessionDep, reader: ReaderDep) -> HTMLResponse:
    """Also what mail programs call by themselves (RFC 8058)."""
    await service.unsubscribe(session, token)
    return render(request, reader, "notifications/unsubscribe.html", token=token, done=True)


# -- a forgotten password ----------------------------------------------------------------------------


@router.get("/forgot")
async def forgot_form(request: Request, reader: ReaderDep, settings: SettingsDep, sent: bool = False) -> HTMLResponse:
    return render(request, reader, "notifications/forgot.html", sent=sent, mail_works=mail.works(settings))


@router.post("/forgot")
async def forgot(request: Request, session: SessionDep, settings: SettingsDep, throttle: ThrottleDep) -> Response:
    """The answer is the same whoever was named."""
    works = mail.works(settings)
    form = await read_form(request, ForgotForm, "notifications/forgot.html", sent=False, mail_works=works)
    await throttle.forgot(form.login)
    if works:
        await service.ask_reset(session, form.login)
    return redirect("/forgot?sent=true")
