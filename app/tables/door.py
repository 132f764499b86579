"""The door to the tables: the site's own session says who comes in, and only for what is there to read."""

import hashlib
import re
from collections.abc import Sequence
from secrets import token_urlsafe
from typing import TYPE_CHECKING

from anyio import Lock, to_thread
from fastapi import FastAPI, Request
from starlette.datastructures import MutableHeaders, QueryParams
from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.db import Database
from app.deps import Reader, database, get_admin, get_reader, get_user, get_viewer
from app.errors import NotAllowed, NotFound
from app.security import tables_policy
from app.tables import PREFIX

if TYPE_CHECKING:
    from starlette.applications import Starlette

FIRST = f"{PREFIX}/users/list"
READ = re.compile(r"/(static/.+|\w+/(list|detail))")
EXPORT = re.compile(r"/_api/\w+/action")


class Tables:
    """An application to mount below `PREFIX`. It loads the library with the first admin who comes."""

    def __init__(self, api: FastAPI) -> None:
        self.api = api
        self.inner: Starlette | None = None
        self.db: Database | None = None  # to which `inner` belongs
        self.lock = Lock()

    @property
    def routes(self) -> Sequence[BaseRoute]:
        """By which the library's pages find one another."""
        return self.inner.routes if self.inner else ()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        request = Request(scope, receive)
        reader = await _admitted(request)
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        if path in {"", "/"}:
            await RedirectResponse(FIRST, 303)(scope, receive, send)
            return
        if not _readable(scope["method"], path, request.query_params):
            raise NotFound
        await self._answer(reader, path.startswith("/static/"), scope, receive, send)

    async def _answer(self, reader: Reader, kept: bool, scope: Scope, receive: Receive, send: Send) -> None:
        inner = await self._loaded()
        from app.tables import library

        number = token_urlsafe(16)
        library.nonce.set(number)
        library.reading.set(reader)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = tables_policy(number)
                headers["Cache-Control"] = "private, max-age=86400" if kept else "private, no-store"
            await send(message)

        await inner(dict(scope), receive, guarded)  # a copy: it puts its own marks on it

    async def _loaded(self) -> ASGIApp:
        async with self.lock:
            if self.inner is None or self.db is not self.api.state.db:
                self.db = self.api.state.db
                self.inner = await to_thread.run_sync(self._load, self.db)
        return self.inner

    def _load(self, db: Database) -> "Starlette":
        from app.tables import library

        secret = hashlib.sha256(b"tables" + self.api.state.settings.secret()).hexdigest()
        return library.built(db, secret)


async def _admitted(request: Request) -> Reader:
    """The admin who comes. Raises NotSignedIn or NotAllowed, also for one who looks on as somebody."""
    async with database(request).begin() as session:
        viewer = await get_viewer(request, session)
        reader = await get_reader(request, viewer)
        if getattr(request.state, "support", None):
            raise NotAllowed("community.in_person")
        await get_admin(await get_user(request, viewer))
        return reader


def _readable(method: str, path: str, query: QueryParams) -> bool:
    """Lists, rows and what their pages are made of; and to export, which the library asks for with a form."""
    if method == "POST":
        return bool(EXPORT.fullmatch(path)) and query.getlist("name") == ["export"]
    return method in {"GET", "HEAD"} and bool(READ.fullmatch(path))
