"""`/boards/BOARD`: the page of a board; `/titles/TITLE/examples/NAME/try` makes one of an example."""

from typing import Any

from fastapi import APIRouter, Request, Response

from app.boards import service
from app.boards.routes import MADE, HandDep, with_key
from app.deps import ForReaders, Reader, ReaderDep
from app.games import kit
from app.games.deps import LiveDep
from app.games.pages import in_page
from app.games.stills import CostlyDep
from app.games.titles import data_of
from app.pages import redirect, render
from app.rulebook.drawn import map_styles
from app.sheet.sheets import map_url

router = APIRouter(include_in_schema=False, dependencies=[ForReaders])


@router.post("/titles/{title_id}/examples/{name}/try")
async def try_example(
    title_id: str, name: str, live: LiveDep, hand: HandDep, costly: CostlyDep, request: Request
) -> Response:
    """A board of an example, and there. Raises NotFound, TooMany."""
    body = service.example(title_id, name)
    await costly.count(MADE)
    response = Response()
    hand = with_key(hand, request, response)
    board = await service.make(live.store, hand, title_id, body)
    there = redirect(f"/boards/{board}")
    for cookie in response.headers.getlist("set-cookie"):
        there.headers.append("set-cookie", cookie)
    return there


@router.get("/boards/{board_id}")
async def board(request: Request, board_id: str, live: LiveDep, hand: HandDep, reader: ReaderDep) -> Response:
    """Raises NotFound."""
    row, body = await service.whole(live.store, hand, board_id)
    first = {**body, "card": _card(board_id, row, body, reader)}
    data = await data_of(live.store, row.title, row.data_digest)
    forms = (body["request"] or {}).get("forms", ())
    return render(
        request,
        reader,
        "game.html",
        mode="try",
        game_id=board_id,
        title_id=row.title,
        title_name=reader.t("title.name", row.title),
        digest=row.data_digest,
        first=in_page(first),
        kit_url=kit.url(row.title, row.data_digest, reader.lang),
        map_url=map_url(row.title, row.data_digest, reader.lang),
        entries=["js/game/main.js", "js/game/try_page.js",
                 *sorted({f"js/game/{form['kind']}_tool.js" for form in forms})],
        cards=bool(data["cards"]),
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
            "wants_substitute": None, "imported": None}  # fmt: skip
