"""The page of a game that the rules no longer fit."""

from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, StringConstraints

from app.admin.schemas import Reason, read
from app.deps import ForReaders, Guest, ReaderDep, SignedIn, Sitter, Staff, Viewer
from app.games.deps import LiveDep
from app.mending import service
from app.mending.schemas import What
from app.pages import redirect, render

router = APIRouter(include_in_schema=False, prefix="/games/{game_id}/broken", dependencies=[ForReaders])


class ChoiceForm(BaseModel):
    what: What


class ReplyForm(BaseModel):
    word: Annotated[str, StringConstraints(pattern="^(yes|no)$")]


class RuleForm(ChoiceForm):
    reason: Reason


@router.get("")
async def page(game_id: str, request: Request, live: LiveDep, viewer: Viewer, guest: Guest, reader: ReaderDep,
               t: str | None = None) -> Response:
    """For those who may see the game; one that fits is shown itself."""
    card = await service.look(live.store, game_id, viewer or guest, t)
    if card.fits:
        return redirect(f"/games/{game_id}")
    row = await live.store.row(game_id)
    seats: dict[str, Any] = {seat: who["name"] or who["bot"] for seat, who in row.seats.items()}
    return render(request, reader, "mending/broken.html", card=card, game_id=game_id, title=row.title, seats=seats)


@router.post("")
async def propose(game_id: str, request: Request, live: LiveDep, user: Sitter) -> Response:
    form = await read(request, ChoiceForm)
    await service.propose(live.store, game_id, user, form.what)
    return redirect(f"/games/{game_id}/broken")


@router.post("/reply")
async def reply(game_id: str, request: Request, live: LiveDep, user: SignedIn) -> Response:
    form = await read(request, ReplyForm)
    await service.reply(live.store, game_id, user, form.word == "yes")
    return redirect(f"/games/{game_id}/broken")


@router.post("/rule")
async def rule(game_id: str, request: Request, live: LiveDep, by: Staff) -> Response:
    form = await read(request, RuleForm)
    await service.rule(live.store, game_id, by, form.what, form.reason)
    return redirect(f"/games/{game_id}/broken")
