"""What routes of games ask for: the games this process runs, and who acts on which."""

from dataclasses import replace
from typing import Annotated

from fastapi import Depends, Query, Request

from app.deps import Guest, Viewer
from app.games.acts import Player
from app.games.live import Live


async def live_games(request: Request) -> Live:
    live: Live = request.app.state.games
    return live


async def player_of(
    game_id: str,
    viewer: Viewer,
    seat: Annotated[str | None, Query(description="Which seat; needed by one who holds both.")] = None,
    token: Annotated[str | None, Query(description="From the link of a private game.")] = None,
) -> Player:
    return Player(game_id, viewer.id if viewer else None, seat, token)


async def sitter_of(player: Annotated[Player, Depends(player_of)], guest: Guest) -> Player:
    """The same, and guests at their own games: for what one needs to play the computer."""
    return player if guest is None else replace(player, user=guest.id, guest=True)


LiveDep = Annotated[Live, Depends(live_games)]
PlayerDep = Annotated[Player, Depends(player_of)]
SitterDep = Annotated[Player, Depends(sitter_of)]
