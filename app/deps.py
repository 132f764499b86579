"""What routes ask for: a transaction, and who is there. Nothing here waits, and yet most is `async`: a plain function
would be called in another thread, which takes longer than the function."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from ipaddress import IPv4Address, ip_address, ip_network
from typing import Annotated

from fastapi import Depends, Request, Response, WebSocket
from fastapi.requests import HTTPConnection
from sqlalchemy.ext.asyncio import AsyncSession

from app import timing
from app.accounts import service
from app.accounts.known import stamped
from app.accounts.models import User
from app.accounts.schemas import Account
from app.accounts.ties import NOBODY, Tie
from app.admin import support
from app.config import Settings
from app.db import Database
from app.errors import NotAllowed, NotSignedIn
from app.security import SAFE_METHODS, language
from app.texts import Texts

THEMES = ("auto", "light", "dark", "contrast")
YEAR = 365 * 24 * 3600


def database(connection: HTTPConnection) -> Database:
    db: Database = connection.app.state.db
    return db


async def settings_of(connection: HTTPConnection) -> Settings:
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


def known_cookie(connection: HTTPConnection) -> str:
    """The name of the cookie by which accounts know a browser again."""
    return "__Host-known" if is_secure(connection) else "known"


def remember(request: Request, response: Response, user_id: int, token: str) -> None:
    """Puts a session's token into the browser, and that this account knows it."""
    carry(request, response, token)
    settings: Settings = request.app.state.settings
    known = stamped(settings.secret(), request.cookies.get(known_cookie(request), ""), user_id)
    prefer(request, response, known_cookie(request), known)


def carry(request: Request, response: Response, token: str) -> None:
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
    """Who is signed in: nobody who is banned, no guest; for an admin who helps, whom he helps. Read before the
    request's own transaction begins, which many do without. Raises NotAllowed for what such an admin may not do."""
    token = session_token(connection)
    if token is None:
        return None
    async with database(connection).at_once() as once:
        visit = await service.visit_of(once, token)
    if visit is None:
        return None
    session.add(visit.user)
    if visit.admin is not None:
        connection.state.support = visit.admin.name
        connection.state.reader = _reader_of(connection, visit.user)
        if connection.scope["method"] not in SAFE_METHODS and connection.url.path != support.STOP:
            raise NotAllowed("admin.read_only")
        game_id = connection.path_params.get("game_id")
        await support.look(session, visit.admin.id, visit.user.id, connection.url.path, game_id)
    elif service.banned(visit.user):
        connection.state.banned = visit.user
        return None
    elif visit.user.guest:
        connection.state.guest = visit.user
        return None
    return visit.user


async def tie_of_socket(socket: WebSocket) -> Tie:
    """Who opened a websocket, and by which session; a socket outlives every transaction. That an admin looks on as
    somebody else is noted like a page; at a game that the admin plays it is nobody."""
    token = session_token(socket)
    if token is None:
        return NOBODY
    async with database(socket).at_once() as session:
        visit = await service.visit_of(session, token)
        if visit is None:
            return NOBODY
        if visit.admin is None:
            return NOBODY if service.banned(visit.user) else Tie(visit.user.id, service.token_hash(token))
        game_id = socket.path_params.get("game_id")
        try:
            await support.look(session, visit.admin.id, visit.user.id, socket.url.path, game_id)
        except NotAllowed:
            return NOBODY
        return Tie(visit.user.id, service.token_hash(token), visit.admin.id)


Viewer = Annotated[User | None, Depends(get_viewer, scope="function")]


async def get_guest(connection: HTTPConnection, _: Viewer) -> User | None:
    found: User | None = getattr(connection.state, "guest", None)
    return found


Guest = Annotated[User | None, Depends(get_guest, scope="function")]  # who plays without an account: else nobody


async def get_user(connection: HTTPConnection, viewer: Viewer) -> User:
    if banned := getattr(connection.state, "banned", None):
        raise service.Banned(banned)
    if viewer is None:
        raise NotSignedIn
    return viewer


SignedIn = Annotated[User, Depends(get_user)]


async def get_sitter(connection: HTTPConnection, viewer: Viewer, guest: Guest) -> User:
    return guest or await get_user(connection, viewer)


Sitter = Annotated[User, Depends(get_sitter)]  # who is signed in, or plays without an account


async def get_admin(user: SignedIn) -> User:
    if not user.is_admin:
        raise NotAllowed
    return user


Admin = Annotated[User, Depends(get_admin)]


async def _in_person(connection: HTTPConnection, _: Viewer) -> None:
    """What is for one person's eyes alone is not for an admin who looks over the shoulder."""
    if getattr(connection.state, "support", None):
        raise NotAllowed("community.in_person")


InPerson = Depends(_in_person, scope="function")


class Holding:
    """One of the users with a role; admins have them all."""

    def __init__(self, *roles: str) -> None:
        self.roles = roles

    async def __call__(self, user: SignedIn) -> User:
        if not user.is_admin and not set(self.roles) & set(user.roles):
            raise NotAllowed
        return user


Moderator = Annotated[User, Depends(Holding("moderator"))]
Director = Annotated[User, Depends(Holding("director"))]
Staff = Annotated[User, Depends(Holding("moderator", "director"))]


@dataclass(frozen=True)
class Reader:
    """Who reads a page, as plain values: they outlive the transaction. `support`: the admin who looks on as them;
    `zone`: the time zone that the browser has told, else UTC."""

    account: Account | None
    lang: str
    theme: str
    t: Texts
    support: str | None = None
    zone: str = "UTC"


def stranger(connection: HTTPConnection) -> Reader:
    """A reader without an account: cookies, then what the browser asks for."""
    lang = language(connection)
    theme = connection.cookies.get("theme", "")
    return Reader(None, lang, theme if theme in THEMES else "auto", Texts(lang), zone=_zone(connection))


def _zone(connection: HTTPConnection) -> str:
    zone = connection.cookies.get("zone", "")
    return zone if zone in timing.zones() else "UTC"


async def get_reader(connection: HTTPConnection, viewer: Viewer) -> Reader:
    reader = stranger(connection) if viewer is None else _reader_of(connection, viewer)
    connection.state.reader = reader
    return reader


def _reader_of(connection: HTTPConnection, user: User) -> Reader:
    helper = getattr(connection.state, "support", None)
    return Reader(Account.model_validate(user), user.lang, user.theme, Texts(user.lang), helper, _zone(connection))


ReaderDep = Annotated[Reader, Depends(get_reader)]
ForReaders = Depends(get_reader)  # for a router: its errors are told in the reader's language


def address(connection: HTTPConnection) -> str:
    """Where a request comes from, as far as the proxy settings let us know. Of IPv6 the network of one customer: who
    has that has all its addresses."""
    host = connection.client.host if connection.client else ""
    try:
        ip = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(ip, IPv4Address):
        return str(ip)
    return str(ip.ipv4_mapped or ip_network((ip, 64), strict=False))


Address = Annotated[str, Depends(address)]
