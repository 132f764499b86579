"""The lobby over HTTP: lists, creating, joining and leaving games."""

from fastapi import APIRouter

from app.deps import ForReaders, ReaderDep, SessionDep, SignedIn, Viewer
from app.games import making
from app.games.schemas import GameCard, NewGame
from app.lobby import service
from app.lobby.limits import Making
from app.lobby.schemas import Join, Lobby, Profile, StepIn
from app.lobby.titles import TitleCard, titles

router = APIRouter(prefix="/api", tags=["lobby"], dependencies=[ForReaders])


@router.get("/lobby")
async def lobby(user: SignedIn, session: SessionDep, reader: ReaderDep) -> Lobby:
    """One's own games and the open ones."""
    return await service.lobby(session, user.id, not reader.support)


@router.get("/titles")
def list_titles() -> list[TitleCard]:
    """What can be played."""
    return list(titles().values())


@router.post("/games", status_code=201, dependencies=[Making])
async def create(new: NewGame, user: SignedIn, session: SessionDep) -> GameCard:
    """Makes a game; the maker holds `seat`, or all seats with opponent `both`."""
    game = await making.create_game(session, user, new)
    return await service.one_game(session, user.id, game.id, None)


@router.post("/games/{game_id}/join")
async def join(game_id: str, wish: Join, user: SignedIn, session: SessionDep) -> GameCard:
    """Takes a free seat; the game begins when all are taken."""
    user_id = user.id
    await service.join(session, user, game_id, wish.seat, wish.token)
    return await service.one_game(session, user_id, game_id, None)


@router.post("/games/{game_id}/substitute")
async def step_in(game_id: str, wish: StepIn, user: SignedIn, session: SessionDep) -> GameCard:
    """Takes over the seat of somebody whose time is up, with a full clock."""
    user_id = user.id
    await service.step_in(session, user, game_id, wish.token)
    return await service.one_game(session, user_id, game_id, wish.token)


@router.post("/games/{game_id}/leave", status_code=204)
async def leave(game_id: str, user: SignedIn, session: SessionDep) -> None:
    """Gives the seat back before the game begins; a game that nobody is left in goes."""
    await making.leave_game(session, user, game_id)


@router.get("/players/{name}")
async def player(name: str, viewer: Viewer, session: SessionDep) -> Profile:
    return await service.profile(session, name, viewer.id if viewer else None)
