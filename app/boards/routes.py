"""Boards over HTTP (docs/protocol.md section 11)."""

import secrets
from datetime import timedelta
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Depends, Query, Request, Response

from app.accounts.limits import Limit
from app.boards import byhand, service, whatif
from app.boards.schemas import (
    Answering,
    Keeping,
    Made,
    NewBoard,
    Noting,
    Previewing,
    Putting,
    Reaching,
    Stepping,
)
from app.boards.service import Hand
from app.deps import SignedIn, Viewer, prefer
from app.errors import Refused
from app.games.deps import LiveDep, SitterDep
from app.games.stills import CostlyDep

router = APIRouter(prefix="/api", tags=["boards"])

MADE = Limit("board", 60, timedelta(hours=1))
COOKIE = "boards"  # the key to the boards that a browser made
AT = "/boards/{board_id}"
Node = Annotated[int, Query(ge=0, le=100_000)]
Space = Annotated[str, Query(max_length=60)]


async def hand_of(request: Request, viewer: Viewer) -> Hand:
    key = request.cookies.get(COOKIE, "")
    return Hand(key if len(key) <= 64 else "", viewer.id if viewer else None)


HandDep = Annotated[Hand, Depends(hand_of)]


def _json(body: Any, status: int = 200) -> Response:
    return Response(orjson.dumps(body), status, media_type="application/json")


def with_key(hand: Hand, request: Request, response: Response) -> Hand:
    """A hand with a key, which the browser is given if it has none."""
    if hand.key:
        return hand
    key = secrets.token_urlsafe(24)
    prefer(request, response, COOKIE, key)
    return Hand(key, hand.user)


@router.post("/boards", status_code=201)
async def make(
    new: NewBoard, live: LiveDep, hand: HandDep, costly: CostlyDep, request: Request, response: Response
) -> Made:
    """A new board. Raises Refused for a file that is none, NotFound, TooMany."""
    if (new.example is None) == (new.file is None):
        raise Refused("boards.example_or_file")
    body = service.example(new.title, new.example) if new.example is not None else new.file
    assert body is not None
    await costly.count(MADE)
    return Made(id=await service.make(live.store, with_key(hand, request, response), new.title, body))


@router.post(AT + "/copy", status_code=201)
async def copy(
    board_id: str, live: LiveDep, hand: HandDep, costly: CostlyDep, request: Request, response: Response
) -> Made:
    """A board of one's own with the branches of another's."""
    await costly.count(MADE)
    return Made(id=await service.copy(live.store, with_key(hand, request, response), board_id))


@router.get("/boards")
async def kept(live: LiveDep, user: SignedIn) -> Response:
    """The boards that one keeps."""
    return _json(await service.kept_by(live.store, user.id))


@router.get(AT + "/view")
async def view(board_id: str, live: LiveDep, hand: HandDep, node: Node = 0) -> Response:
    """The whole of a board at a node."""
    return _json(await service.view(live.store, hand, board_id, node))


@router.get(AT + "/file")
async def file(board_id: str, live: LiveDep, hand: HandDep, node: Node = 0) -> Response:
    """The lab file that plays the board up to a node."""
    return _json(await service.file(live.store, hand, board_id, node))


@router.get(AT + "/forecast")
async def forecast(board_id: str, live: LiveDep, hand: HandDep, node: Node = 0) -> Response:
    return _json(await service.forecast(live.store, hand, board_id, node))


@router.get(AT + "/covers")
async def covers(board_id: str, live: LiveDep, hand: HandDep, space: Space, node: Node = 0) -> Response:
    return _json(await service.covers(live.store, hand, board_id, node, space))


@router.post(AT + "/answers")
async def answer(board_id: str, new: Answering, live: LiveDep, hand: HandDep) -> Response:
    """Plays on at a node: a new node with what was told, or the roll that waits for its faces. Raises Refused,
    NotAllowed for a board that another made."""
    return _json(await service.answer(live.store, hand, board_id, new.node, new.seat, new.answer, new.dice))


@router.post(AT + "/step")
async def step(board_id: str, new: Stepping, live: LiveDep, hand: HandDep) -> Response:
    """The next answer of the example, with its dice."""
    return _json(await service.step(live.store, hand, board_id, new.node))


@router.post(AT + "/preview")
async def preview(board_id: str, new: Previewing, live: LiveDep, hand: HandDep) -> Response:
    return _json(await service.preview(live.store, hand, board_id, new.node, None, new.answer))


@router.post(AT + "/reach")
async def reach(board_id: str, new: Reaching, live: LiveDep, hand: HandDep) -> Response:
    question = new.model_dump(exclude={"node", "form"})
    return _json(await service.reach(live.store, hand, board_id, new.node, new.form, question))


@router.get(AT + "/hand")
async def by_hand(board_id: str, live: LiveDep, hand: HandDep, node: Node = 0) -> Response:
    """What of the position at a node can be put by hand, and what was so far."""
    return _json(await byhand.fields(live.store, hand, board_id, node))


@router.post(AT + "/put")
async def put(board_id: str, new: Putting, live: LiveDep, hand: HandDep) -> Response:
    """Puts a position by hand: a new node. Raises Refused for what can't be."""
    return _json(await byhand.put(live.store, hand, board_id, new.node, new.position))


@router.post("/games/{game_id}/what-if", status_code=201)
async def what_if(
    live: LiveDep,
    player: SitterDep,
    hand: HandDep,
    costly: CostlyDep,
    request: Request,
    response: Response,
    seq: Annotated[int | None, Query(ge=1)] = None,
) -> Made:
    """A board of a game: of what one's own side knows while it runs, the rest guessed; of any moment when it is over.
    Raises NotFound, NotAllowed, Conflict, TooMany."""
    await costly.count(MADE)
    return Made(id=await whatif.ask(live, player, with_key(hand, request, response), seq))


@router.post(AT + "/deal")
async def deal(board_id: str, live: LiveDep, hand: HandDep) -> Response:
    """Deals anew what a board guesses: another first position."""
    return _json(await whatif.deal(live.store, hand, board_id))


@router.put(AT + "/note", status_code=204)
async def note(board_id: str, new: Noting, live: LiveDep, hand: HandDep) -> None:
    plans = None if new.plans is None else new.plans.model_dump()
    await service.note(live.store, hand, board_id, new.node, new.text, plans)


@router.put(AT + "/kept", status_code=204)
async def keep(board_id: str, new: Keeping, live: LiveDep, hand: HandDep, _: SignedIn) -> None:
    """An account keeps the board, or lets it go."""
    await service.keep(live.store, hand, board_id, new.kept)
