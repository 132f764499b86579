"""The admin library, set up. Only `door` imports this, when somebody comes: it takes a while to load."""

import re
from collections.abc import Callable
from contextvars import ContextVar
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import LazyProxy, Translations
from fastapi import FastAPI
from jinja2 import BaseLoader, Environment
from sqlalchemy import Double
from sqlalchemy.exc import DataError
from sqlalchemy.ext.asyncio import async_sessionmaker
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette_admin.auth import AdminUser, BaseAuthProvider
from starlette_admin.contrib.sqla import Admin, ModelView
from starlette_admin.export.csv import CsvExporter
from starlette_admin.fields import BaseField, FloatField
from starlette_admin.i18n import I18nConfig, TimezoneConfig, set_locale, set_timezone, translations
from starlette_admin.theme import DefaultTheme

from app.assets import static
from app.config import ROOT
from app.db import Database
from app.deps import Reader
from app.pages import render
from app.spreadsheet import csv_of
from app.tables import PREFIX
from app.tables.columns import Shown, mapped

nonce: ContextVar[str] = ContextVar("nonce", default="")  # of the answer that is being made
reading: ContextVar[Reader] = ContextVar("reading")
INLINE = re.compile(r"<(script|style)\b")
UNTOLD = re.compile(r'aria-label="([A-Z][\w ]+)"')  # what the library's templates say in English to everybody


MENDED = (  # in its templates for those who hear the page
    ('<div class="page-wrapper">', '<div class="page-wrapper" role="main">'),
    ('<th scope="col" class="w-1"></th>',
     '<th scope="col" class="w-1"><span class="visually-hidden">{{ _("Actions") }}</span></th>'),
)  # fmt: skip


class Nonced(BaseLoader):
    """Templates whose labels are all translated, and whose own scripts and style sheets bear the answer's nonce; what
    comes from data never does."""

    def __init__(self, inner: BaseLoader) -> None:
        self.inner = inner

    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, Callable[[], bool] | None]:
        source, name, fresh = self.inner.get_source(environment, template)
        for theirs, ours in MENDED:
            source = source.replace(theirs, ours)
        source = UNTOLD.sub(r"""aria-label="{{ _('\1') }}\"""", source)
        return INLINE.sub(r'<\1 nonce="{{ nonce() }}"', source), name, fresh


class Session(BaseAuthProvider):
    """Whom the door let in: there is no sign-in here."""

    async def authenticate(self, request: Request) -> AdminUser | None:  # noqa: ARG002
        account = reading.get().account
        return AdminUser(account.name) if account else None


class InReadersTerms:
    """The reader's language and time zone."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        reader = reading.get()
        set_locale(reader.lang)
        set_timezone(reader.zone)
        await self.app(scope, receive, send)


def teach() -> None:
    """What the library can't say in our languages, by catalogues of its own kind; anything else stays English."""
    for path in Path(__file__).parent.glob("*.po"):
        compiled = BytesIO()
        with path.open("rb") as file:
            write_mo(compiled, read_po(file))
        compiled.seek(0)
        ours, theirs = Translations(compiled), translations.get(path.stem)
        translations[path.stem] = theirs.merge(ours) if isinstance(theirs, Translations) else ours


class Theme(DefaultTheme):
    """The library's own, light or dark as the reader has it; `auto` is settled in the browser."""

    def html_attrs(self, request: Request) -> dict[str, str]:
        theme = reading.get().theme
        return {**super().html_attrs(request), "data-bs-theme": "dark" if theme == "dark" else "light",
                "data-theme": theme}  # fmt: skip


def said(key: str) -> LazyProxy:
    """A text of the catalogue in the language of whoever reads; its key while nobody does."""

    def text() -> str:
        reader = reading.get(None)
        return reader.t(key) if reader else key

    return LazyProxy(text, enable_cache=False)


def _field(row: type[Any], name: str) -> Any:
    """Most types the library knows by themselves."""
    return FloatField(name) if isinstance(getattr(row, name).type, Double) else name


class Exporter(CsvExporter):
    """Writes as the site does."""

    async def generate(self, fields: list[BaseField], rows: list[dict[str, Any]]) -> bytes:
        head = [str(field.label or field.name) for field in fields]
        return csv_of(head, [[row.get(field.name, "") for field in fields] for row in rows])


class TableView(ModelView):
    """A table to read: nothing is made, changed, deleted or brought in."""

    page_size = 25
    page_size_options = (25, 50, 100)
    exporters = (Exporter(),)
    importers = ()
    row_actions = ("view",)

    def __init__(self, key: str, shown: Shown, row: type[Any]) -> None:
        self.fields = [_field(row, name) for name in shown.columns]
        self.fields_default_sort = [(shown.newest, True)]
        name: Any = said(f"tables.{key}")
        super().__init__(row, key=key, menu_label=name, display_name=name)
        for field in self.fields:
            label: Any = said(f"tables.of.{field.name}")
            field.label = label

    async def find_by_pk(self, request: Request, pk: Any) -> Any:
        try:
            return await super().find_by_pk(request, pk)
        except ValueError:  # no key of this table's kind
            return None

    def can_create(self, _: Request) -> bool:
        return False

    def can_edit(self, _: Request) -> bool:
        return False

    def can_delete(self, _: Request) -> bool:
        return False

    def can_import(self, _: Request) -> bool:
        return False


async def _unreadable(request: Request, _: Exception) -> Response:
    """A number or a time in an address that is none."""
    reader = reading.get()
    return render(request, reader, "error.html", 400, text=reader.t("error.not_found"))


def built(db: Database, secret: str) -> Starlette:
    """The library's application; its transactions are read-only, whatever is asked."""
    teach()
    admin = Admin(
        async_sessionmaker(db.engine.execution_options(postgresql_readonly=True), expire_on_commit=False),
        title=said("tables.title"),  # type: ignore[arg-type]
        base_url=PREFIX,
        route_name="tables",
        templates_dir=str(ROOT / "templates/tables"),
        auth_provider=Session(),
        secret_key=secret,
        middlewares=[Middleware(InReadersTerms)],
        i18n_config=I18nConfig(language_cookie_name=None, language_header_name=None),
        timezone_config=TimezoneConfig(timezone_cookie_name=None, use_user_locale_timezone=False),
        theme=Theme(),
    )
    env = admin.templates.env
    assert env.loader is not None
    env.loader = Nonced(env.loader)
    env.globals.update(nonce=nonce.get, said=lambda key: reading.get().t(key), static=static)
    for one in mapped():
        admin.add_view(TableView(*one))
    admin.mount_to(FastAPI())
    admin.app.add_exception_handler(DataError, _unreadable)
    return admin.app
