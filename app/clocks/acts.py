"""What players do with the clocks of a game, each act in a transaction of its own."""

from app.clocks import service
from app.clocks.service import Wish
from app.clocks.substitutes import in_event
from app.errors import NotAllowed
from app.games.acts import Player
from app.games.live import Live
from app.games.pace import Days, stored
from app.games.pace import Live as LivePace


async def claim(live: Live, player: Player) -> None:
    async with live.store.locked(player.game_id) as change:
        await service.claim(change, player.plays(change.row), player.user)


async def grant(live: Live, player: Player, hours: int) -> None:
    async with live.store.locked(player.game_id) as change:
        await service.grant(change, player.plays(change.row), hours, player.user)


async def ask_substitute(live: Live, player: Player) -> None:
    async with live.store.locked(player.game_id) as change:
        await service.ask_substitute(change, player.plays(change.row))


async def resume(live: Live, player: Player) -> None:
    async with live.store.locked(player.game_id) as change:
        await service.resume(change, player.plays(change.row), player.user)


async def propose(live: Live, player: Player, wish: Wish, pace: LivePace | Days | None) -> bool:
    """Whether it was done at once; otherwise the others are asked. Who says that a game is lost on time stays as it
    is. Raises NotAllowed for the pace of an event's game, which is the event's."""
    async with live.store.locked(player.game_id) as change:
        row, seat = change.row, player.plays(change.row)
        if wish == "pace" and await in_event(change.conn, row.id):
            raise NotAllowed("clocks.event_pace")
        policy = (row.pace or {}).get("policy", "claim")
        each = (row.pace or {}).get("each")
        wanted = stored(pace.model_copy(update={"policy": policy, "each": each})) if pace and wish == "pace" else None
        return await service.propose(change, seat, wish, wanted, player.user)


async def reply(live: Live, player: Player, yes: bool) -> None:
    async with live.store.locked(player.game_id) as change:
        asks = (change.row.clock_offer or {}).get("asks", ())
        await service.reply(change, player.among(change.row, asks), yes, player.user)
