"""Accounts over HTTP: sign up and in, preferences, mail, password, sessions, deletion."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from app.accounts import guests, limits, service
from app.accounts.known import mark_of
from app.accounts.models import User
from app.accounts.schemas import (
    Account,
    NewMail,
    NewPassword,
    PasswordOnly,
    Preferences,
    SessionCard,
    SignIn,
    SignUp,
)
from app.deps import (
    DatabaseDep,
    ForReaders,
    Guest,
    ReaderDep,
    SessionDep,
    SettingsDep,
    SignedIn,
    address,
    forget,
    known_cookie,
    remember,
    session_token,
)

router = APIRouter(prefix="/api", tags=["account"], dependencies=[ForReaders])


class Throttle:
    """Counts attempts for the rate limits; `who` says whose."""

    def __init__(self, db: DatabaseDep, settings: SettingsDep, request: Request) -> None:
        self._db = db
        self._secret = settings.secret()
        self._address = address(request)
        self._known = request.cookies.get(known_cookie(request), "")

    async def sign_up(self) -> None:
        await limits.count(self._db, self._secret, limits.SIGN_UP, self._address)

    async def sign_in(self, session: SessionDep, login: str, password: str) -> User:
        """Who signs in. Wrong passwords are counted by address, by address and name, and by name alone: the last for
        browsers that the account does not know. Raises TooMany, Refused."""
        await limits.count(self._db, self._secret, limits.SIGN_IN_ADDRESS, self._address)
        await limits.count(self._db, self._secret, limits.SIGN_IN, self._address, login.strip().casefold())
        found = await service.account_of(session, login)
        mark = mark_of(self._secret, self._known, found.id) if found else None
        name = (str(found.id) if found else login.strip().casefold(), mark or "")
        await limits.count(self._db, self._secret, limits.SIGN_IN_NAME, *name)
        user = await service.sign_in(session, login, password)
        await limits.forgive(self._db, self._secret, limits.SIGN_IN_NAME, *name)
        return user

    async def prove(self, user_id: int) -> None:
        await limits.count(self._db, self._secret, limits.PROVE, str(user_id))

    async def password(self, user_id: int) -> None:
        await limits.count(self._db, self._secret, limits.PASSWORD, str(user_id))

    async def reset(self) -> None:
        await limits.count(self._db, self._secret, limits.RESET, self._address)


ThrottleDep = Annotated[Throttle, Depends()]


@router.post("/account", status_code=201)
async def sign_up(
    new: SignUp, request: Request, response: Response, session: SessionDep, reader: ReaderDep, throttle: ThrottleDep,
    guest: Guest
) -> Account:  # fmt: skip
    """Makes an account and signs in; a guest keeps what he has begun."""
    await throttle.sign_up()
    user = await guests.sign_up(session, guest, new, reader.lang, reader.theme)
    await service.ask_proof(session, user)
    token = await service.open_session(session, user, request.headers.get("user-agent", ""))
    remember(request, response, user.id, token)
    return Account.model_validate(user)


@router.get("/account")
async def account(user: SignedIn) -> Account:
    """One's own account; 401 when nobody is signed in."""
    return Account.model_validate(user)


@router.patch("/account")
async def set_preferences(wish: Preferences, user: SignedIn) -> Account:
    """Language and theme; what is left out stays."""
    service.set_preferences(user, wish)
    return Account.model_validate(user)


@router.put("/account/mail")
async def set_mail(new: NewMail, user: SignedIn, session: SessionDep, throttle: ThrottleDep) -> Account:
    """A new mail address, or none. It is used once the link in a mail to it was followed."""
    await throttle.password(user.id)
    await service.check_password(user, new.password)
    await throttle.prove(user.id)
    service.set_mail(user, new.mail)
    await service.ask_proof(session, user)
    return Account.model_validate(user)


@router.put("/account/password", status_code=204)
async def set_password(
    change: NewPassword, request: Request, user: SignedIn, session: SessionDep, throttle: ThrottleDep
) -> None:
    """A new password; every other browser is signed out."""
    await throttle.password(user.id)
    await service.check_password(user, change.password)
    await service.set_password(session, user, change.new, keep=session_token(request))


@router.delete("/account", status_code=204)
async def delete_account(
    sure: PasswordOnly,
    request: Request,
    response: Response,
    user: SignedIn,
    session: SessionDep,
    throttle: ThrottleDep,
) -> None:
    """Resigns all games and forgets the person; games and records stay."""
    await throttle.password(user.id)
    await service.check_password(user, sure.password)
    await service.delete_account(session, user)
    forget(request, response)


@router.post("/session")
async def sign_in(
    login: SignIn, request: Request, response: Response, session: SessionDep, throttle: ThrottleDep, guest: Guest
) -> Account:
    """Signs in: the answer sets the cookie that later calls send."""
    user = await throttle.sign_in(session, login.name, login.password)
    await guests.sign_in(session, guest, user)
    token = await service.open_session(session, user, request.headers.get("user-agent", ""))
    remember(request, response, user.id, token)
    return Account.model_validate(user)


@router.delete("/session", status_code=204)
async def sign_out(request: Request, response: Response, session: SessionDep) -> None:
    """Signs this browser out."""
    if token := session_token(request):
        await service.close_session(session, token)
    forget(request, response)


@router.get("/account/sessions")
async def sessions(request: Request, user: SignedIn, session: SessionDep) -> list[SessionCard]:
    """Browsers that are signed in, the last used first."""
    return await service.list_sessions(session, user, session_token(request) or "")


@router.delete("/account/sessions", status_code=204)
async def close_other_sessions(request: Request, user: SignedIn, session: SessionDep) -> None:
    """Signs out every browser but this one."""
    await service.close_other_sessions(session, user, session_token(request) or "")
