"""What the computer would consider in a player's place: in games against the computer alone, never against people."""

from typing import Any

from app.errors import NotAllowed
from app.games.play import request_of
from app.games.repository import GameRow
from app.games.told import LoadedGame
from rules.bots import considered
from rules.bots.leaks import words
from rules.core.forms import Answer
from rules.core.request import Request
from rules.core.seats import Seat

MOST = 3  # answers that are named


def check(row: GameRow, user: int | None) -> None:
    """Raises NotAllowed in a game in which anybody else plays, or none but people."""
    others = [who for who in row.seats.values() if who["user"] != user]
    if not others or any(who["bot"] is None for who in others):
        raise NotAllowed("hints.against_people")


def hints(loaded: LoadedGame, seat: Seat) -> list[dict[str, Any]]:
    """Up to three different answers, the best first (docs/protocol.md section 4). Raises Refused when the seat is not
    asked."""
    request = request_of(loaded, seat)
    return [_told(request, answer) for answer in considered(loaded.referee, seat, MOST)]


def _told(request: Request, answer: Answer) -> dict[str, Any]:
    """An answer with what it names and what it would do."""
    shown = request.form(answer["form"]).offer()
    named = set(words(answer))
    chosen = [{"label": one["label"], "clause": one["clause"], "warn": one.get("warn")}
              for one in shown.get("options", ()) if one["id"] in named]  # fmt: skip
    seen = request.preview(answer)
    return {"answer": answer, "label": shown["label"], "clause": shown["clause"], "options": chosen,
            "effect": seen["effect"], "needs": seen.get("needs")}  # fmt: skip
