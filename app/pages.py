"""Server-rendered pages: templates, and forms that work without JavaScript."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

import jinja2
from babel.dates import format_date, format_timedelta
from babel.units import format_unit
from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup
from pydantic import BaseModel, ValidationError

from app import timing
from app.assets import modules, static
from app.config import ROOT
from app.deps import THEMES, Reader
from app.errors import Refused
from app.texts import LANGUAGES, locale, signed
from app.walltime import known

Model = TypeVar("Model", bound=BaseModel)

_jinja = jinja2.Environment(
    loader=jinja2.FileSystemLoader(ROOT / "templates"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_jinja.globals.update(static=static, modules=modules, languages=LANGUAGES, themes=THEMES)
_jinja.filters["unescaped"] = lambda markup: markup.unescape().strip()  # what a macro said, for a sentence
_jinja.filters["minus"] = lambda number: str(number).replace("-", "−")
_jinja.filters["signed"] = signed
_jinja.filters["instant"] = lambda text: datetime.fromisoformat(text.replace(" UTC", "+00:00"))


def render(request: Request, reader: Reader, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A page for a reader. Templates get plain values only: `t`, `account`, `lang`, `theme`, `support`, `path`, the
    reader's ways of writing times and sizes, and `context`."""
    html = _jinja.get_template(template).render(
        t=reader.t,
        account=reader.account,
        lang=reader.lang,
        theme=reader.theme,
        support=reader.support,
        path=request.url.path if request.method == "GET" else "/",
        zone=reader.zone,
        **_written(reader),
        **({"form": Form(), "refusal": None} | context),
    )
    return HTMLResponse(html, status, headers={"Cache-Control": "private, no-store"})


def part(template: str, **context: Any) -> Markup:
    """A part of a page that is the same for all readers of a language, to be kept: it gets `context` alone."""
    return Markup(_jinja.get_template(template).render(**context))


def _written(reader: Reader) -> dict[str, Callable[[Any], str]]:
    """How moments, days, spans, sizes and zones are written for a reader."""
    said_in = locale(reader.lang)
    return {
        "when": lambda at: moment(reader, at),
        "day": lambda at: format_date(at, "long", locale=said_in),
        "ago": lambda at: format_timedelta(at - timing.now(), add_direction=True, locale=said_in),
        "size": lambda of: storage(reader, of),
        "place": lambda zone: timing.zone_name(ZoneInfo(known(zone)), said_in),
    }


def storage(reader: Reader, size: int) -> str:
    """A number of bytes in the reader's words, of thousand each."""
    for unit, worth in (("gigabyte", 1e9), ("megabyte", 1e6), ("kilobyte", 1e3)):
        if size >= worth:
            return format_unit(size / worth, f"digital-{unit}", "short", format="#,##0.#", locale=locale(reader.lang))
    return format_unit(size, "digital-byte", "long", locale=locale(reader.lang))


def moment(reader: Reader, at: datetime) -> str:
    """A day and time in the reader's zone, which is named."""
    return timing.moment(at, ZoneInfo(reader.zone), locale(reader.lang))


def sentence(reader: Reader, refused: Refused) -> str:
    """Why something was refused."""
    words = {name: moment(reader, word) if isinstance(word, datetime) else word for name, word in refused.words.items()}
    return reader.t(refused.key, refused.of, **words)


@dataclass
class Form:
    """What a form holds when it is shown again: typed values, and the key of a text for each wrong field."""

    values: Mapping[str, Any] = field(default_factory=dict)
    wrong: Mapping[str, str] = field(default_factory=dict)


class WrongFields(Refused):
    """A form whose fields can't be right."""

    status = 422

    def __init__(self, wrong: Mapping[str, str]) -> None:
        super().__init__("error.invalid")
        self.wrong = wrong


async def read_form(request: Request, model: type[Model], template: str, **context: Any) -> Model:
    """The form, checked. From here on a refusal shows `template` again, with what was typed (passwords never).
    Raises WrongFields."""
    values: dict[str, Any] = dict(await request.form())
    kept = {name: value for name, value in values.items() if "password" not in name and name != "new"}
    request.state.shown_again = (template, kept, context)
    try:
        return model.model_validate(values)
    except ValidationError as error:
        wrong = {str(part["loc"][0]): f"invalid.{part['loc'][0]}" for part in error.errors() if part["loc"]}
        raise WrongFields(wrong) from error


def show_again(request: Request, reader: Reader, refused: Refused) -> HTMLResponse | None:
    """The form that was refused, or None if there was no form."""
    shown = getattr(request.state, "shown_again", None)
    if shown is None:
        return None
    template, values, context = shown
    wrong = refused.wrong if isinstance(refused, WrongFields) else {}
    form = Form(values, wrong)
    again = context | {"form": form, "refusal": sentence(reader, refused)}
    return render(request, reader, template, refused.status, **again)


def redirect(to: str) -> RedirectResponse:
    """After a form: the browser fetches `to`. Only pages of this site, whoever wrote the address."""
    local = to.startswith("/") and not to.startswith(("//", "/\\"))
    return RedirectResponse(to if local else "/", 303)
