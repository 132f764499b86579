"""News of games over NATS, for a site of many processes: what an answer brought is told there in place of by
PostgreSQL, where transactions that notify commit one after another. All else is rare and stays with PostgreSQL."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error

log = logging.getLogger(__name__)

SUBJECT = "mariscal.games"
PAUSE = 2  # seconds between attempts to connect
POLL = 5  # seconds after which is looked for what was not told: NATS may lose a message, the database has it


class Nats:
    """One connection. `hear` gets each note that any process published, `missed` is called whenever some may have been
    lost: at every (re)connection and every POLL seconds."""

    def __init__(self, url: str, hear: Callable[[str], None], missed: Callable[[], None]) -> None:
        self.url, self.hear, self.missed = url, hear, missed
        self._client = Client()

    async def listen(self) -> None:
        """Until cancelled; never gives up."""
        while not self._client.is_connected:
            try:
                await self._client.connect(
                    self.url, max_reconnect_attempts=-1, reconnect_time_wait=PAUSE,
                    error_cb=self._fault, reconnected_cb=self._again,
                )  # fmt: skip
            except (Error, OSError) as fault:
                await self._fault(fault)
                await asyncio.sleep(PAUSE)
        await self._client.subscribe(SUBJECT, cb=self._message)
        while True:
            self.missed()
            await asyncio.sleep(POLL)

    async def publish(self, note: str) -> None:
        """Tells all processes; what can't be sent now is found by them in the database."""
        if self._client.is_connected:
            with suppress(Error, OSError):
                await self._client.publish(SUBJECT, note.encode())

    async def close(self) -> None:
        with suppress(Error, OSError):
            await self._client.close()

    async def _message(self, message: Msg) -> None:
        self.hear(message.data.decode())

    async def _again(self) -> None:
        self.missed()

    async def _fault(self, fault: Exception) -> None:
        log.warning("NATS: %s", fault or type(fault).__name__)

