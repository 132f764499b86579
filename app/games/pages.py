"""The page of a game: at the table, and its replay."""

from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response

from app.deps import ForReaders, Reader, ReaderDep
from app.games import acts
from app.games.routes import LiveDep, PlayerDep
from app.pages import redirect, render
from app.sheet.sheets import counters_url, map_url

router = APIRouter(include_in_schema=False, dependencies=[ForReaders])


@router.get("/games/{game_id}")
async def table(request: Request, live: LiveDep, player: PlayerDep, reader: ReaderDep) -> Response:
    return await _page(request, live, player, reader, "play")


@router.get("/games/{game_id}/replay")
async def replay(request: Request, live: LiveDep, player: PlayerDep, reader: ReaderDep) -> Response:
    return await _page(request, live, player, reader, "replay")


async def _page(request: Request, live: LiveDep, player: PlayerDep, reader: Reader, mode: str) -> Response:
    """A game that has not begun shows who is still missing instead."""
    card = await acts.card(live, player)
    title, digest = card["title"], card["data_digest"]
    if card["state"] == "open":
        query = f"?{urlencode({'t': player.token})}" if player.token else ""
        return redirect(f"/games/{player.game_id}/join{query}")
    return render(
        request,
        reader,
        "game.html",
        mode=mode,
        game_id=player.game_id,
        title_id=title,
        title_name=reader.t("title.name", title),
        digest=digest,
        map_url=map_url(title, digest, reader.lang),
        symbols_url=counters_url(title, digest),
    )
