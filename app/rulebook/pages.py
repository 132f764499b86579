"""`/titles/TITLE` and `/titles/TITLE/rules`: a title's primer, its rules and tables, and pictures of its examples."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from markupsafe import Markup

from app.deps import ForReaders, Reader, ReaderDep, SettingsDep
from app.errors import NotFound
from app.games import data
from app.games.stills import DRAWN, CostlyDep
from app.games.titles import info
from app.lessons.lesson import lessons_of
from app.pages import part, render
from app.rulebook.book import chapters, examples_of, linked, rulebook_of
from app.rulebook.drawn import counters, legend, map_styles
from app.rulebook.pictures import FRAMED, Pictures
from app.rulebook.primer import primer
from app.rulebook.tables import tables
from app.sheet.sheets import version
from app.texts import LANGUAGES, Texts

router = APIRouter(include_in_schema=False, dependencies=[ForReaders])

KEPT = {"Cache-Control": "public, max-age=31536000, immutable"}


@router.get("/titles/{title_id}")
async def title_page(request: Request, title_id: str, reader: ReaderDep) -> Response:
    """What a title is, how one wins, reads and plays it. Raises NotFound."""
    shared, told = _of(title_id, reader), primer(title_id, reader.lang)
    shapes = counters(title_id, tuple(reading.unit for reading in told.counters))
    signs = legend(title_id, reader.lang)
    return render(
        request,
        reader,
        "rulebook/title.html",
        primer=told,
        shapes=shapes,
        legend=signs,
        styles=map_styles(title_id),
        first=next(iter(lessons_of(title_id)), None),
        **shared,
    )


@router.get("/titles/{title_id}/rules")
async def rules(request: Request, title_id: str, reader: ReaderDep) -> Response:
    """The whole of the rules on one page, so that it can be searched and printed. Raises NotFound."""
    return render(request, reader, "rulebook/rules.html", book=_book(title_id, reader.lang), **_of(title_id, reader))


@cache
def _book(title_id: str, lang: str) -> Markup:
    """What a page of rules holds below its head: made once, for it takes 20 ms. Raises NotFound."""
    known = rulebook_of(title_id)["clauses"]
    return part(
        "rulebook/book.html",
        t=Texts(lang),
        lang=lang,
        title_id=title_id,
        picture=_picture(title_id, lang),
        chapters=chapters(title_id, lang),
        tables=tables(title_id, lang),
        cards=list(data.files(title_id).get("cards", {}).get("cards", {})),
        sources=info(title_id)["provenance"],
        link=lambda text: linked(text, known),
    )


def _of(title_id: str, reader: Reader) -> dict[str, Any]:
    rulebook_of(title_id)
    return {"title_id": title_id, "title_name": reader.t("title.name", title_id)}


def _picture(title_id: str, lang: str) -> str:
    """The query of an example's picture: another when it would be drawn otherwise."""
    return f"v={data.current(title_id).digest}-{version(title_id)}-{FRAMED}&lang={lang}"


@router.get("/titles/{title_id}/examples/{name}.png")
async def example_picture(
    title_id: str,
    name: str,
    settings: SettingsDep,
    costly: CostlyDep,
    lang: Annotated[str, Query(max_length=2)] = "en",
) -> Response:
    """Where an example begins. Raises NotFound, also where nothing can draw it; TooMany."""
    data.title(title_id)
    body = examples_of(title_id).get(name)
    if body is None or lang not in LANGUAGES:
        raise NotFound()
    return await picture_sent(Pictures(settings.data / "sheets"), costly, title_id, name, body, lang)


async def picture_sent(
    pictures: Pictures, costly: CostlyDep, title_id: str, name: str, body: Mapping[str, Any], lang: str,
    about: Sequence[str] = (),
) -> Response:  # fmt: skip
    """The picture of a lab file's position, of the places `about` if some are named. Raises NotFound where nothing can
    draw it; TooMany."""
    drawn = pictures.kept(title_id, name, body, lang, about)
    if drawn is None:
        await costly.count(DRAWN)
        drawn = await pictures.draw(title_id, name, body, lang, about)
    if drawn is None:
        raise NotFound("games.no_picture")
    return Response(drawn, media_type="image/png", headers=KEPT)
