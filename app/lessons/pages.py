"""`/titles/TITLE/lessons`: the lessons of a title; `/lessons/BOARD`: one of them on its board."""

from datetime import timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from app.accounts.limits import Limit
from app.boards.pages import board_page
from app.boards.routes import HandDep, with_key
from app.deps import ForReaders, Reader, ReaderDep, SettingsDep
from app.errors import NotFound
from app.games import data
from app.games.deps import LiveDep
from app.games.stills import CostlyDep
from app.lessons import service
from app.lessons.lesson import lesson, lessons_of, subject
from app.pages import redirect, render
from app.rulebook.pages import picture_sent
from app.rulebook.pictures import FRAMED, Pictures, places_of
from app.sheet.cache import content_hash
from app.sheet.sheets import version
from app.texts import LANGUAGES

router = APIRouter(include_in_schema=False, dependencies=[ForReaders])

SAID = ("again", "all", "allowed", "back", "computer", "computer_what", "free", "go", "hint", "hint_more", "keep",
        "next", "off", "on", "refused", "right", "step", "wrong")  # fmt: skip
BEGUN = Limit("lesson", 200, timedelta(hours=1))


@router.get("/titles/{title_id}/lessons")
async def lessons(request: Request, title_id: str, live: LiveDep, hand: HandDep, reader: ReaderDep) -> Response:
    """All lessons of a title, and which are done. Raises NotFound, also for a title without any."""
    data.title(title_id)
    if not lessons_of(title_id):
        raise NotFound("lessons.none")
    done = await service.done_by(live.store, hand, bool(reader.support))
    return render(
        request,
        reader,
        "lessons/lessons.html",
        title_id=title_id,
        title_name=reader.t("title.name", title_id),
        lessons=listed(title_id, done, reader),
        next=service.next_of(title_id, done),
    )


def listed(title_id: str, done: set[tuple[str, str]], reader: Reader) -> list[dict[str, Any]]:
    """The lessons of a title in the reader's language."""
    return [
        {
            "name": name,
            "title": one.title[reader.lang],
            "goal": one.goal[reader.lang],
            "minutes": one.minutes,
            "done": (title_id, name) in done,
            "picture": picture_of(title_id, name, reader.lang),
        }
        for name, one in lessons_of(title_id).items()
    ]


def picture_of(title_id: str, name: str, lang: str) -> str:
    """Where the picture of a lesson's beginning is."""
    seen = content_hash(data.current(title_id).digest, version(title_id), lesson(title_id, name).body, FRAMED)
    return f"/titles/{title_id}/lessons/{name}.png?v={seen}&lang={lang}"


@router.post("/titles/{title_id}/lessons/{name}")
async def begin(
    title_id: str, name: str, live: LiveDep, hand: HandDep, costly: CostlyDep, request: Request
) -> Response:
    """A lesson on a board of its own, and there. Raises NotFound, TooMany."""
    lesson(title_id, name)
    await costly.count(BEGUN)
    response = Response()
    hand = with_key(hand, request, response)
    there = redirect(f"/lessons/{await service.begin(live.store, hand, title_id, name)}")
    for cookie in response.headers.getlist("set-cookie"):
        there.headers.append("set-cookie", cookie)
    return there


@router.get("/lessons/{board_id}")
async def lesson_page(request: Request, board_id: str, live: LiveDep, hand: HandDep, reader: ReaderDep) -> Response:
    """Raises NotFound."""
    row, run, body = await service.whole(live.store, hand, board_id, reader.lang)
    done = await service.done_by(live.store, hand, bool(reader.support))
    follows = service.next_of(run.title, done | {(run.title, run.lesson)}, run.lesson)
    body["lesson_follows"] = follows and {"name": follows, "title": lesson(run.title, follows).title[reader.lang]}
    body["words"] = {word: reader.t(f"lessons.{word}") for word in SAID}
    return await board_page(request, live, reader, row, body, "lesson")


@router.get("/titles/{title_id}/lessons/{name}.png")
async def lesson_picture(
    title_id: str,
    name: str,
    settings: SettingsDep,
    costly: CostlyDep,
    lang: Annotated[str, Query(max_length=2)] = "en",
) -> Response:
    """Where a lesson begins. Raises NotFound, also where nothing can draw it; TooMany."""
    one = lesson(title_id, name)
    if lang not in LANGUAGES:
        raise NotFound()
    about = subject(one, places_of(data.current(title_id).files["map"]))
    return await picture_sent(Pictures(settings.data / "sheets"), costly, title_id, name, one.body, lang, about)
