"""What routes ask for: a transaction, and who is there."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request, Response, WebSocket
from fastapi.requests import HTTPConnection
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts import service
from app.accounts.models import User
from app.accounts.schemas import Account
from app.config import Settings
from app.db import Database
from app.errors import NotAllowed, NotSignedIn
from app.texts import LANGUAGES, Texts, negotiate

THEMES = ("auto", "light", "dark", "contrast")
YEAR = 365 * 24 * 3600


def database(connection: HTTPConnection) -> Database:
    db: Database = connection.app.state.db
    return db


def settings_of(connection: HTTPConnection) -> Settings:
    settings: Settings = connection.app.state.settings
    return settings


async def get_session(connection: HTTPConnection) -> AsyncIterator[AsyncSession]:
    """One transaction per request: committed before the answer leaves, rolled back by any exception."""
    async with database(connection).begin() as session:
        yield session


DatabaseDep = Annotated[Database, Depends(database)]
SettingsDep = Annotated[Settings, Depends(settings_of)]
SessionDep = Annotated[AsyncSession, Depends(get_session, scope="function")]


def _cookie_name(connection: HTTPConnection) -> str:
    return "__Host-session" if is_secure(connection) else "session"


def is_secure(connection: HTTPConnection) -> bool:
    return connection.url.scheme in {"https", "wss"}


def session_token(connection: HTTPConnection) -> str | None:
    return connection.cookies.get(_cookie_name(connection))


def remember(request: Request, response: Response, token: str) -> None:
    """Puts a session's token into the browser."""
    response.set_cookie(
        _cookie_name(request),
        token,
        max_age=int(service.SESSION_LIFE.total_seconds()),
        secure=is_secure(request),
        httponly=True,
        samesite="lax",
    )


def forget(request: Request, response: Response) -> None:
    response.delete_cookie(_cookie_name(request), secure=is_secure(request), httponly=True, samesite="lax")


def prefer(request: Request, response: Response, name: str, value: str) -> None:
    """Keeps a signed-out reader's language or theme."""
    response.set_cookie(name, value, max_age=YEAR, secure=is_secure(request), httponly=True, samesite="lax")


async def get_viewer(connection: HTTPConnection, session: SessionDep) -> User | None:
    token = session_token(connection)
    return await service.user_of(session, token) if token else None


async def viewer_of_socket(socket: WebSocket) -> User | None:
    """Who opened a websocket: read in a transaction of its own, since a socket outlives every one."""
    token = session_token(socket)
    if token is None:
        return None
    async with database(socket).begin() as session:
        return await service.user_of(session, token)


Viewer = Annotated[User | None, Depends(get_viewer, scope="function")]


def get_user(viewer: Viewer) -> User:
    if viewer is None:
        raise NotSignedIn
    return viewer


SignedIn = Annotated[User, Depends(get_user)]


def get_admin(user: SignedIn) -> User:
    if not user.is_admin:
        raise NotAllowed
    return user


Admin = Annotated[User, Depends(get_admin)]


@dataclass(frozen=True)
class Reader:
    """Who reads a page, as plain values: they outlive the transaction."""

    account: Account | None
    lang: str
    theme: str
    t: Texts


def guest(connection: HTTPConnection) -> Reader:
    """A reader without an account: cookies, then what the browser asks for."""
    lang = connection.cookies.get("lang", "")
    if lang not in LANGUAGES:
        lang = negotiate(connection.headers.get("accept-language", ""))
    theme = connection.cookies.get("theme", "")
    return Reader(None, lang, theme if theme in THEMES else "auto", Texts(lang))


def get_reader(connection: HTTPConnection, viewer: Viewer) -> Reader:
    reader = guest(connection)
    if viewer is not None:
        reader = Reader(Account.model_validate(viewer), viewer.lang, viewer.theme, Texts(viewer.lang))
    connection.state.reader = reader
    return reader


ReaderDep = Annotated[Reader, Depends(get_reader)]
ForReaders = Depends(get_reader)  # for a router: its errors are told in the reader's language


def address(connection: HTTPConnection) -> str:
    """Where a request comes from, as far as the proxy settings let us know."""
    return connection.client.host if connection.client else ""


Address = Annotated[str, Depends(address)]
