"""What a process keeps running for its games."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from sqlalchemy.engine import make_url

from app.games.bots import Bots
from app.games.config import GameSettings
from app.games.hub import Hub
from app.games.reactions import Reactions
from app.games.store import Store


@dataclass(frozen=True)
class Live:
    """The games in memory, the open lines, the bots."""

    store: Store
    hub: Hub
    bots: Bots


def conninfo(url: str) -> str:
    """A database address without SQLAlchemy's name of the driver."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


@asynccontextmanager
async def living(database_url: str, settings: GameSettings, reactions: Reactions) -> AsyncIterator[Live]:
    """Runs until left; bots whose turn it is go on where they were."""
    at = conninfo(database_url)
    store = Store(at, settings.games_in_memory, reactions)
    bots = Bots(store, settings.bot_pause)
    hub = Hub(store, at, bots.wake, settings.nats_url)
    await store.open()
    listening = asyncio.create_task(hub.listen())
    try:
        await bots.wake_all()
        yield Live(store, hub, bots)
    finally:
        listening.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await listening
        await bots.close()
        await hub.close()
        await store.close()
