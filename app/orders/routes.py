"""Standing orders over HTTP."""

from fastapi import APIRouter

from app.deps import ForReaders
from app.games.deps import LiveDep, PlayerDep
from app.orders import service
from app.orders.schemas import NewOrder, Orders

router = APIRouter(prefix="/api/games/{game_id}/orders", tags=["orders"], dependencies=[ForReaders])


@router.get("")
async def orders(live: LiveDep, player: PlayerDep) -> Orders:
    """What the seat has left with the server, and what it could leave."""
    async with live.store.locked(player.game_id) as change:
        return await service.listed(change, player.plays(change.row))


@router.post("", status_code=201)
async def leave(live: LiveDep, player: PlayerDep, new: NewOrder) -> Orders:
    """Leaves an order; it answers from the next question on."""
    async with live.store.locked(player.game_id) as change:
        seat = player.plays(change.row)
        await service.leave(change, seat, new)
        return await service.listed(change, seat)


@router.delete("/{number}", status_code=204)
async def cancel(live: LiveDep, player: PlayerDep, number: int) -> None:
    async with live.store.locked(player.game_id) as change:
        await service.cancel(change, player.plays(change.row), number)
