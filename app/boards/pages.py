"""`/boards/BOARD`: the page of a board; `/titles/TITLE/try` and `/titles/TITLE/examples/NAME/try` make one."""

from collections.abc import Mapping
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Form, Request, Response
from pydantic import BaseModel, Field

from app.boards import service
from app.boards.routes import MADE, HandDep, with_key
from app.boards.service import Hand
from app.deps import ForReaders, Reader, ReaderDep
from app.errors import NotFound, Refused
from app.games import data, kit
from app.games.deps import LiveDep
from app.games.live import Live
from app.games.pages import in_page
from app.games.stills import CostlyDep
from app.games.titles import data_of
from app.lessons.lesson import lessons_of
from app.pages import redirect, render
from app.rulebook.book import examples_of
from app.rulebook.drawn import map_styles
from app.sheet.sheets import map_url

router = APIRouter(include_in_schema=False, dependencies=[ForReaders])


class Choice(BaseModel):
    """What a board is made of: a scenario as printed or with an empty map, an example by its name, or the text of a lab
    file."""

    scenario: Annotated[str, Field(max_length=120)] = ""
    empty: bool = False
    example: Annotated[str, Field(max_length=120)] = ""
    file: str = ""

    def body(self, title_id: str) -> Mapping[str, Any]:
        """The lab file. Raises NotFound, Refused."""
        if self.example:
            return service.example(title_id, self.example)
        if not self.file.strip():
            if self.scenario not in data.current(title_id).scenarios:
                raise NotFound()
            return {"scenario": self.scenario, "position": {"clear": True} if self.empty else {}}
        if len(self.file) > service.LARGEST_FILE:
            raise Refused("boards.file_large", n=service.LARGEST_FILE // 1000)
        try:
            body = orjson.loads(self.file)
        except orjson.JSONDecodeError as error:
            raise Refused("boards.no_json", why=str(error)[:100]) from error
        if not isinstance(body, dict):
            raise Refused("boards.no_json", why=type(body).__name__)
        return body


@router.get("/titles/{title_id}/try")
async def choose(request: Request, title_id: str, reader: ReaderDep) -> Response:
    """What one can try of a title. Raises NotFound."""
    return _choosing(request, reader, title_id, {}, None)


@router.post("/titles/{title_id}/try")
async def try_it(
    title_id: str, live: LiveDep, hand: HandDep, costly: CostlyDep, request: Request, reader: ReaderDep,
    choice: Annotated[Choice, Form()],
) -> Response:  # fmt: skip
    """A board of what was chosen, and there; what is wrong in a file is said beside it. Raises NotFound, TooMany."""
    data.title(title_id)
    await costly.count(MADE)
    try:
        body = choice.body(title_id)
        return await _there(request, live, hand, title_id, body)
    except NotFound:
        raise
    except Refused as refused:
        return _choosing(request, reader, title_id, choice.model_dump(), refused)


@router.post("/titles/{title_id}/examples/{name}/try")
async def try_example(
    title_id: str, name: str, live: LiveDep, hand: HandDep, costly: CostlyDep, request: Request
) -> Response:
    """A board of an example, and there. Raises NotFound, TooMany."""
    body = service.example(title_id, name)
    await costly.count(MADE)
    return await _there(request, live, hand, title_id, body)


async def _there(request: Request, live: Live, hand: Hand, title_id: str, body: Mapping[str, Any]) -> Response:
    """Makes a board and goes there; the browser gets its key."""
    response = Response()
    hand = with_key(hand, request, response)
    there = redirect(f"/boards/{await service.make(live.store, hand, title_id, body)}")
    for cookie in response.headers.getlist("set-cookie"):
        there.headers.append("set-cookie", cookie)
    return there


def _choosing(
    request: Request, reader: Reader, title_id: str, values: dict[str, Any], refused: Refused | None
) -> Response:
    data.title(title_id)
    abouts = {name: body.get("about", name) for name, body in examples_of(title_id).items()}
    examples = {name: about if isinstance(about, str) else about.get(reader.lang, about.get("en", name))
                for name, about in abouts.items()}  # fmt: skip
    error = refused and reader.t(refused.key, refused.of or title_id, **refused.words)
    page = render(request, reader, "boards/try.html", title_id=title_id, title_name=reader.t("title.name", title_id),
                  scenarios=list(data.current(title_id).scenarios), examples=examples, values=values,
                  error=error, clause=refused and refused.clause, taught=bool(lessons_of(title_id)))  # fmt: skip
    page.status_code = refused.status if refused else 200
    return page


@router.get("/boards/{board_id}")
async def board(request: Request, board_id: str, live: LiveDep, hand: HandDep, reader: ReaderDep) -> Response:
    """Raises NotFound."""
    row, body = await service.whole(live.store, hand, board_id)
    return await board_page(request, live, reader, row, body, "try")


async def board_page(
    request: Request, live: LiveDep, reader: Reader, row: service.BoardRow, body: dict[str, Any], mode: str
) -> Response:
    """The page of a board. `mode`: try, or lesson."""
    first = {**body, "card": _card(row.id, row, body, reader)}
    printed = await data_of(live.store, row.title, row.data_digest)
    forms = (body["request"] or {}).get("forms", ())
    return render(
        request,
        reader,
        "game.html",
        mode=mode,
        game_id=row.id,
        title_id=row.title,
        title_name=reader.t("title.name", row.title),
        digest=row.data_digest,
        first=in_page(first),
        kit_url=kit.url(row.title, row.data_digest, reader.lang),
        map_url=map_url(row.title, row.data_digest, reader.lang),
        entries=["js/game/main.js", f"js/game/{mode}_page.js",
                 *sorted({f"js/game/{form['kind']}_tool.js" for form in forms})],
        cards=bool(printed["cards"]),
        guess=body["guess"] is not None,
        guest=False,
        styles=map_styles(row.title),
    )  # fmt: skip


def _card(board_id: str, row: service.BoardRow, body: dict[str, Any], reader: Reader) -> dict[str, Any]:
    """What a game's page is told of its game, of one that one person plays alone."""
    seats = {seat: {"side": side, "name": reader.t("boards.you"), "bot": None, "online": True}
             for seat, side in body["seats"].items()}  # fmt: skip
    return {"id": board_id, "title": row.title, "scenario": row.body["scenario"], "data_digest": row.data_digest,
            "visibility": "private", "policy": "run_and_consent", "options": row.body.get("options", {}),
            "state": "active", "seats": seats, "your_seats": list(seats), "dice": {"complete": True},
            "draw": None, "take_back": None, "pace": None, "clock": None, "clock_offer": None, "result": None,
            "wants_substitute": None, "imported": None, "what_if": True}  # fmt: skip
