"""Reminders of deadlines: clocks say when, a job looks then whether there is still something to remind of."""

from datetime import datetime

from app.games.repository import Conn
from app.jobs.queue import enqueue


async def schedule(conn: Conn, game_id: str, seat: str, deadline: datetime, at: datetime) -> None:
    """Reminds the person at a seat at a moment, if the seat is asked then and the game's clock still runs out at this
    deadline or before. Queued with the caller's transaction; asking twice for one moment reminds once."""
    args = {"game": game_id, "seat": seat, "deadline": deadline.isoformat(), "at": at.isoformat()}
    await enqueue(conn, "notices.remind", args, at=at)
