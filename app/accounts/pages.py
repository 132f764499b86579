"""Account pages. Every form works without JavaScript: POST, then a redirect."""

import re
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.datastructures import FormData

from app import texts
from app.accounts import guests, service
from app.accounts.models import User
from app.accounts.routes import ThrottleDep
from app.accounts.schemas import LinkPassword, NewMail, NewPassword, PasswordOnly, Preferences, SignIn, SignUp
from app.deps import (
    ForReaders,
    Guest,
    ReaderDep,
    SessionDep,
    SignedIn,
    Viewer,
    forget,
    prefer,
    remember,
    session_token,
)
from app.errors import NotFound, as_sent
from app.pages import read_form, redirect, render

router = APIRouter(include_in_schema=False, dependencies=[ForReaders])

AGENT_BROWSER = re.compile(r"Edg|OPR|Firefox|Chrome|Safari")
AGENT_SYSTEM = re.compile(r"Android|iPhone|iPad|Windows|Mac OS|Linux")
NICKNAMES = {"Edg": "Edge", "OPR": "Opera"}


async def _enter(request: Request, session: SessionDep, user: User, to: str) -> RedirectResponse:
    """Signs a browser in and sends it on."""
    response = redirect(to)
    token = await service.open_session(session, user, request.headers.get("user-agent", ""))
    remember(request, response, user.id, token)
    return response


@router.get("/sign-up")
async def sign_up_form(request: Request, reader: ReaderDep, next: str = "/") -> HTMLResponse:
    return render(request, reader, "account/sign_up.html", next=next)


@router.post("/sign-up")
async def sign_up(
    request: Request, session: SessionDep, reader: ReaderDep, throttle: ThrottleDep, guest: Guest, next: str = "/"
) -> Response:
    """A guest keeps what he has begun."""
    new = await read_form(request, SignUp, "account/sign_up.html", next=next)
    await throttle.sign_up()
    user = await guests.sign_up(session, guest, new, reader.lang, reader.theme)
    await service.ask_proof(session, user)
    return await _enter(request, session, user, next)


@router.get("/sign-in")
async def sign_in_form(request: Request, reader: ReaderDep, next: str = "/") -> HTMLResponse:
    return render(request, reader, "account/sign_in.html", next=next)


@router.post("/sign-in")
async def sign_in(
    request: Request, session: SessionDep, throttle: ThrottleDep, guest: Guest, next: str = "/"
) -> Response:
    login = await read_form(request, SignIn, "account/sign_in.html", next=next)
    user = await throttle.sign_in(session, login.name, login.password)
    await guests.sign_in(session, guest, user)
    return await _enter(request, session, user, next)


@router.post("/sign-out")
async def sign_out(request: Request, session: SessionDep) -> Response:
    if token := session_token(request):
        await service.close_session(session, token)
    response = redirect("/")
    forget(request, response)
    return response


@router.post("/preferences")
async def preferences(request: Request, viewer: Viewer) -> Response:
    form: FormData = await request.form()
    chosen = {name: form[name] for name in ("lang", "theme") if name in form}
    with as_sent():
        wish = Preferences.model_validate(chosen)
    response = redirect(str(form.get("next", "/")))
    if viewer:
        service.set_preferences(viewer, wish)
    for name, value in wish.model_dump(exclude_none=True).items():
        prefer(request, response, name, value)
    return response


async def _account_page(request: Request, session: SessionDep, user: User) -> dict[str, Any]:
    """What the account page shows besides the reader's own account."""
    token = session_token(request) or ""
    return {"sessions": await service.list_sessions(session, user, token), "device": device, "done": None}


def device(agent: str) -> str:
    """What a browser says of itself, as far as it tells one's devices apart: "Firefox, Android"."""
    found = (AGENT_BROWSER.search(agent), AGENT_SYSTEM.search(agent))
    return ", ".join(NICKNAMES.get(one[0], one[0]) for one in found if one) or agent


@router.get("/account")
async def account(
    request: Request, user: SignedIn, session: SessionDep, reader: ReaderDep, done: str = ""
) -> HTMLResponse:
    context = await _account_page(request, session, user)
    if done in {"mail", "mail_sent", "password", "sessions"}:
        context["done"] = done
    return render(request, reader, "account/account.html", **context)


@router.post("/account/mail")
async def set_mail(request: Request, user: SignedIn, session: SessionDep, throttle: ThrottleDep) -> Response:
    context = await _account_page(request, session, user)
    new = await read_form(request, NewMail, "account/account.html", **context)
    await throttle.password(user.id)
    await service.check_password(user, new.password)
    await throttle.prove(user.id)
    service.set_mail(user, new.mail)
    await service.ask_proof(session, user)
    return redirect(f"/account?done={'mail_sent' if user.mail_wish else 'mail'}")


@router.get("/account/mail/{token}")
async def prove_mail_form(token: str, request: Request, _: SignedIn, reader: ReaderDep) -> HTMLResponse:
    """Programs that look at the links in mails prove nothing: a button does."""
    return render(request, reader, "account/prove_mail.html", token=token)


@router.post("/account/mail/{token}")
async def prove_mail(
    token: str, request: Request, user: SignedIn, session: SessionDep, throttle: ThrottleDep
) -> Response:
    request.state.shown_again = ("account/prove_mail.html", {}, {"token": token})
    await throttle.reset()
    await service.prove_mail(session, user, token)
    return redirect("/account?done=mail")


@router.post("/account/password")
async def set_password(request: Request, user: SignedIn, session: SessionDep, throttle: ThrottleDep) -> Response:
    context = await _account_page(request, session, user)
    change = await read_form(request, NewPassword, "account/account.html", **context)
    await throttle.password(user.id)
    await service.check_password(user, change.password)
    await service.set_password(session, user, change.new, keep=session_token(request))
    return redirect("/account?done=password")


@router.post("/account/sessions")
async def close_other_sessions(request: Request, user: SignedIn, session: SessionDep) -> Response:
    await service.close_other_sessions(session, user, session_token(request) or "")
    return redirect("/account?done=sessions")


@router.post("/account/delete")
async def delete_account(request: Request, user: SignedIn, session: SessionDep, throttle: ThrottleDep) -> Response:
    context = await _account_page(request, session, user)
    sure = await read_form(request, PasswordOnly, "account/account.html", **context)
    await throttle.password(user.id)
    await service.check_password(user, sure.password)
    await service.delete_account(session, user)
    response = redirect("/")
    forget(request, response)
    return response


@router.get("/first-admin/{token}")
async def first_admin_form(
    token: str, request: Request, session: SessionDep, reader: ReaderDep, throttle: ThrottleDep
) -> HTMLResponse:
    await throttle.reset()
    await service.check_link(session, "first_admin", token)
    return render(request, reader, "account/first_admin.html", token=token)


@router.post("/first-admin/{token}")
async def first_admin(
    token: str, request: Request, session: SessionDep, reader: ReaderDep, viewer: Viewer, throttle: ThrottleDep
) -> Response:
    """The reader becomes admin; who isn't signed in makes an account first, in the same form."""
    await throttle.reset()
    if viewer:
        await service.become_first_admin(session, viewer, token)
        return redirect("/admin")
    new = await read_form(request, SignUp, "account/first_admin.html", token=token)
    user = await service.sign_up(session, new, reader.lang, reader.theme)
    await service.ask_proof(session, user)
    await service.become_first_admin(session, user, token)
    return await _enter(request, session, user, "/admin")


@router.get("/reset/{token}")
async def reset_form(
    token: str, request: Request, session: SessionDep, reader: ReaderDep, throttle: ThrottleDep
) -> HTMLResponse:
    await throttle.reset()
    await service.check_link(session, "reset", token)
    return render(request, reader, "account/reset.html", token=token)


@router.post("/reset/{token}")
async def reset(token: str, request: Request, session: SessionDep, throttle: ThrottleDep) -> Response:
    change = await read_form(request, LinkPassword, "account/reset.html", token=token)
    await throttle.reset()
    user = await service.reset_password(session, token, change.new)
    return await _enter(request, session, user, "/")


@router.get("/texts/{lang}.json")
def catalogue(lang: str, request: Request) -> Response:
    """The site's texts for the browser's modules."""
    if lang not in texts.LANGUAGES:
        raise NotFound
    body, tag = texts.published(lang)
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)
