"""The application: middleware, routers, and what an error looks like."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any
from urllib.parse import quote

import psycopg
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse
from pydantic import BaseModel
from sqlalchemy.exc import DataError
from starlette.exceptions import HTTPException

from app.assets import STATIC, ImmutableFiles
from app.config import Settings
from app.db import Database
from app.deps import Reader, stranger
from app.errors import NotFound, NotSignedIn, Refused
from app.operations.metrics import Metrics, Watched
from app.pages import render, sentence, show_again
from app.reactions import BORNE, REACTIONS
from app.security import Heads, NoNul, SameOrigin, SecurityHeaders, SmallBody
from app.tables import PREFIX
from app.tables.door import Tables

PACKAGES = ("accounts", "admin", "lobby", "games", "sheet", "site", "orders", "clocks", "notifications", "leagues",
            "community", "mending", "jobs", "operations", "rulebook", "result",
            "boards", "lessons")  # fmt: skip


class ErrorText(BaseModel):
    """Why a call was refused: a text of the catalogue, the rule's clause if there is one, and the sentence itself."""

    key: str
    args: dict[str, Any]
    clause: str | None
    text: str


class ErrorBody(BaseModel):
    error: ErrorText


def create_app(settings: Settings) -> FastAPI:
    """The server for one database, which is migrated already."""
    api = FastAPI(
        title="Mariscal",
        summary="Remote play of historical board wargames, every rule enforced.",
        version="0.1.0",
        lifespan=_lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        responses={"4XX": {"description": "Refused; nothing changed.", "model": ErrorBody}},
        exception_handlers={
            Refused: _refused,
            RequestValidationError: _invalid,
            HTTPException: _http,
            DataError: _unstorable,
            psycopg.DataError: _unstorable,
            UnicodeEncodeError: _unstorable,
            Exception: _broken,
        },
    )
    furnish(api, settings)
    api.add_middleware(SameOrigin)
    api.add_middleware(SmallBody)
    api.add_middleware(NoNul)
    api.add_middleware(Heads)
    api.add_middleware(SecurityHeaders)
    api.add_middleware(Watched)
    api.mount("/static", ImmutableFiles(directory=STATIC), "static")
    api.mount(PREFIX, Tables(api), "tables")
    for name in ("routes", "pages"):
        for module in _modules(name):
            api.include_router(module.router)
    return api


def furnish(api: FastAPI, settings: Settings) -> None:
    """Gives an application that does not run the settings it works with, their database and new figures."""
    api.state.settings = settings
    api.state.reactions = REACTIONS
    api.state.db = Database(settings.database_url, BORNE)
    api.state.metrics = Metrics(api)


@asynccontextmanager
async def _lifespan(api: FastAPI) -> AsyncIterator[None]:
    """What packages keep running beside requests: each may have a module `lifespan` with a function of that name."""
    async with AsyncExitStack() as running:
        running.push_async_callback(api.state.db.close)
        for module in _modules("lifespan"):
            await running.enter_async_context(module.lifespan(api))
        yield


def _modules(name: str) -> Iterator[ModuleType]:
    for package in PACKAGES:
        if find_spec(f"app.{package}.{name}"):
            yield import_module(f"app.{package}.{name}")


def _reader(request: Request) -> Reader:
    reader: Reader = getattr(request.state, "reader", None) or stranger(request)
    return reader


async def _refused(request: Request, refused: Exception) -> Response:
    assert isinstance(refused, Refused)
    reader = _reader(request)
    text = sentence(reader, refused)
    if request.url.path.startswith("/api/"):
        error = ErrorText(key=refused.key, args=dict(refused.words), clause=refused.clause, text=text)
        return JSONResponse(ErrorBody(error=error).model_dump(mode="json"), refused.status)
    if isinstance(refused, NotSignedIn):
        here = request.url.path if request.method == "GET" else "/"
        if here != "/" and request.url.query:
            here += f"?{request.url.query}"
        return RedirectResponse(f"/sign-in?next={quote(here)}", 303)
    return show_again(request, reader, refused) or render(request, reader, "error.html", refused.status, text=text)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    fields = [".".join(map(str, part["loc"][1:])) for part in error.errors()]
    return await _refused(request, Refused("error.invalid_fields", status=422, fields=", ".join(fields)))


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return await _refused(request, NotFound())
    return await _refused(request, Refused("error.http", status=error.status_code, code=error.status_code))


async def _unstorable(request: Request, _: Exception) -> Response:
    """What PostgreSQL can't hold: a NUL or half a character within a text, a number that is far too large."""
    return await _refused(request, Refused("error.invalid"))


async def _broken(request: Request, _: Exception) -> Response:
    """A fault of ours; the server's log has it."""
    return await _refused(request, Refused("error.server", status=500))
