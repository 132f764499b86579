"""Reminders of deadlines: clocks say when, a job looks then whether there is still something to remind of."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from app.games.repository import Conn
from app.queue import enqueue

LEFT = {"reminder_day": timedelta(days=1), "reminder_hours": timedelta(hours=6)}  # when so much is left


def wanted(off: Collection[str], deadline: datetime, at: datetime) -> bool:
    """Whether a person who switched off these kinds is to be reminded at this moment: the last day, the last hours, or
    else half of the time."""
    kind = next((kind for kind, left in LEFT.items() if deadline - at == left), "reminder_half")
    return kind not in off


async def schedule(conn: Conn, game_id: str, seat: str, deadline: datetime, moments: Sequence[datetime]) -> None:
    """Reminds the person at a seat at these moments, in order, as long as the seat is asked then and the game's clock
    still runs out at this deadline or before. Queued with the caller's transaction, one after the other: most games
    are answered before the first. Asking twice for one moment reminds once."""
    if moments:
        first, *then = moments
        args = {"game": game_id, "seat": seat, "deadline": deadline.isoformat(), "at": first.isoformat(),
                "then": [one.isoformat() for one in then]}  # fmt: skip
        await enqueue(conn, "notices.remind", args, at=first)
