"""The worker inside a server, unless jobs have processes of their own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib import import_module

from fastapi import FastAPI

from app.jobs.registry import Work


@asynccontextmanager
async def lifespan(api: FastAPI) -> AsyncIterator[None]:
    if not api.state.settings.worker:
        yield
        return
    stop = asyncio.Event()
    work = Work(api.state.settings, api.state.db, api.state.games.store)
    task = asyncio.create_task(_work(work, stop))
    try:
        yield
    finally:
        stop.set()
        with suppress(asyncio.CancelledError):
            await task


async def _work(work: Work, stop: asyncio.Event) -> None:
    """The job library takes a moment to import: meanwhile the server answers."""
    worker = await asyncio.to_thread(import_module, "app.jobs.worker")
    await worker.run(work, stop)
