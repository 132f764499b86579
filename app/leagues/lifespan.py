"""Events that run go on by themselves: what is due is looked for every few seconds, in each process, and done once."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from app.db import Database
from app.leagues import repository, service

log = logging.getLogger(__name__)

EVERY = 2.0  # seconds



@asynccontextmanager
async def lifespan(api: FastAPI) -> AsyncIterator[None]:
    clerk = asyncio.create_task(_look_after(api.state.db))
    try:
        yield
    finally:
        clerk.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await clerk


async def _look_after(db: Database) -> None:
    while True:
        try:
            await look_once(db)
        except Exception:
            log.exception("events could not be looked after")
        await asyncio.sleep(EVERY)


async def look_once(db: Database) -> None:
    """Does what is due in all events, each in a transaction of its own so that a faulty one holds up no other."""
    async with db.begin() as session:
        due = await repository.needing(session)
    for event_id in due:
        try:
            async with db.begin() as session:
                await service.advance(session, event_id)
        except Exception:
            log.exception("event %s cannot go on", event_id)
