"""Broken games over HTTP."""

from fastapi import APIRouter

from app.deps import Guest, SignedIn, Sitter, Staff, Viewer
from app.games.deps import LiveDep
from app.mending import service
from app.mending.schemas import MendingCard, Propose, Reply, Rule

router = APIRouter(prefix="/api/games/{game_id}/mending", tags=["games"])


@router.get("")
async def look(game_id: str, live: LiveDep, viewer: Viewer, guest: Guest, token: str | None = None) -> MendingCard:
    """Whether the rules that are here fit the game's record, and if not, where it can go on and what is proposed."""
    return await service.look(live.store, game_id, viewer or guest, token)


@router.post("")
async def propose(game_id: str, new: Propose, live: LiveDep, user: Sitter) -> dict[str, bool]:
    """Proposes to resume the game or to end it unrated; `done` when the other side had proposed the same, or there is
    nobody to ask."""
    return {"done": await service.propose(live.store, game_id, user, new.what)}


@router.post("/reply", status_code=204)
async def reply(game_id: str, new: Reply, live: LiveDep, user: SignedIn) -> None:
    """Agrees to the other side's proposal, declines it, or (no) takes back one's own."""
    await service.reply(live.store, game_id, user, new.yes)


@router.post("/rule", status_code=204)
async def rule(game_id: str, new: Rule, live: LiveDep, by: Staff) -> None:
    """A decision for the players, by one who looks after the site and does not play the game."""
    await service.rule(live.store, game_id, by, new.what, new.reason)
