"""Lessons over HTTP (docs/protocol.md section 13)."""

from datetime import timedelta
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Query, Response
from pydantic import BaseModel

from app.accounts.limits import Limit
from app.boards.routes import HandDep
from app.boards.schemas import At, Name
from app.deps import ReaderDep
from app.games.deps import LiveDep
from app.games.stills import CostlyDep
from app.lessons import service
from app.lessons.service import Turned
from app.pages import sentence

router = APIRouter(prefix="/api/lessons/{board_id}", tags=["lessons"])


HINTS = Limit("hint", 300, timedelta(hours=1))


class Going(BaseModel):
    node: At


class Answering(BaseModel):
    node: At
    answer: dict[str, Any]
    seat: Name | None = None


def _json(body: Any) -> Response:
    return Response(orjson.dumps(body), media_type="application/json")


@router.get("/view")
async def view(
    board_id: str, live: LiveDep, hand: HandDep, reader: ReaderDep, node: Annotated[int, Query(ge=0, le=100_000)] = 0
) -> Response:
    """The whole of a lesson's board at a node, and what is said there."""
    return _json(await service.view(live.store, hand, board_id, node, reader.lang))


@router.get("/hints")
async def hints(
    board_id: str, live: LiveDep, hand: HandDep, costly: CostlyDep, node: Annotated[int, Query(ge=0, le=100_000)] = 0
) -> Response:
    """What the computer would consider at a node. Raises Refused where nobody is asked, NotFound, TooMany."""
    await costly.count(HINTS)
    return _json({"hints": await service.hints(live.store, hand, board_id, node)})


@router.post("/answers")
async def answer(board_id: str, new: Answering, live: LiveDep, hand: HandDep, reader: ReaderDep) -> Response:
    """Answers at a node, with the lesson's dice: a new node and what is said to it. A wrong answer that the rules
    refuse and that has a reason comes back as `refused`, without a node. Raises Refused, NotAllowed."""
    try:
        return _json(await service.answer(live.store, hand, board_id, new.node, new.seat, new.answer, reader.lang))
    except Turned as turned:
        wrong, refused = turned.wrong, turned.refused
        said = {"text": sentence(reader, refused), "clause": refused.clause}
        return _json({"refused": said, "node": new.node, "why": wrong.why[reader.lang], "clause": wrong.clause})


@router.post("/go")
async def go(board_id: str, new: Going, live: LiveDep, hand: HandDep, reader: ReaderDep) -> Response:
    """The answer that the lesson gives itself."""
    return _json(await service.go(live.store, hand, board_id, new.node, reader.lang))
