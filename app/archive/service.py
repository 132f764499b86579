"""Packing finished games away. Whoever looks at one takes it out again (`app.games.repository.game`)."""

from datetime import timedelta

from psycopg_pool import AsyncConnectionPool

from app import timing
from app.archive import repository
from app.archive.repository import Conn

AT_ONCE = 500  # games of one sweep


async def sweep(pool: AsyncConnectionPool[Conn], days: int) -> int:
    """Packs games away that ended so many days ago, each in a transaction of its own; how many."""
    async with pool.connection() as conn:
        games = await repository.ripe(conn, timing.now(), timedelta(days=days), AT_ONCE)
    done = 0
    for game_id in games:
        async with pool.connection() as conn:
            done += await repository.freeze(conn, game_id)
    return done


async def thaw_all(pool: AsyncConnectionPool[Conn]) -> int:
    """Takes every game out again; how many there were."""
    async with pool.connection() as conn:
        games = await repository.archived(conn)
    for game_id in games:
        async with pool.connection() as conn:
            await repository.thaw(conn, game_id)
    return len(games)
