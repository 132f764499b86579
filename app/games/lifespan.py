"""Starts and stops what the games need beside requests."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from app.games.config import game_settings
from app.games.live import living


@asynccontextmanager
async def lifespan(api: FastAPI) -> AsyncIterator[None]:
    async with living(api.state.settings.database_url, game_settings(), api.state.reactions) as live:
        api.state.games = live
        yield
