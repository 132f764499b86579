"""The audit log: what those who look after the site did, and why. Read in `app/admin/repository.py`."""

from typing import Any

import orjson
from psycopg import AsyncConnection


async def note(conn: AsyncConnection[Any], by: int, deed: str, *, user: int | None = None, game: str | None = None,
               reason: str = "", **args: Any) -> None:
    """Adds to the audit log."""
    await conn.execute(
        "insert into audit (by_user, deed, user_id, game_id, reason, args) values (%s, %s, %s, %s, %s, %s::jsonb)",
        (by, deed, user, game, reason, orjson.dumps(args).decode()),
    )
