"""A game's card: what its page and the lobby say of it."""

from collections.abc import Collection, Mapping
from typing import Any, cast

from app import timing
from app.accounts.names import GUEST
from app.games import dice
from app.games.access import seats_of
from app.games.pace import in_words
from app.games.repository import GameRow
from app.games.schemas import SeatCard, Status, TableCard


def card(row: GameRow, user_id: int | None, online: Collection[int] = ()) -> TableCard:
    """The game's card for one reader; `online` are the users with an open line."""
    mine = seats_of(row, user_id)
    return TableCard(
        **{name: getattr(row, name) for name in (
            "id", "title", "scenario", "data_digest", "visibility", "policy", "options", "what_if", "waiting_for",
            "seq", "result", "created_at", "updated_at", "finished_at")},
        state=cast(Status, row.status),
        seats={seat: _seat(who, who["user"] in online) for seat, who in row.seats.items()},
        your_seats=mine,
        imported=row.imported,
        dice=dice.shown(row.dice, list(row.seats), row.dice_seed, row.status == "finished"),
        draw=row.draw_offer,
        draw_asks=row.draw_asks if row.draw_offer else [],
        take_back=row.undo_request if mine else None,
        pace=row.pace,
        pace_words=in_words(row.pace),
        clock={**row.clock, "now": timing.now().isoformat()} if row.clock else None,
        clock_offer=row.clock_offer if row.status == "active" else None,
        wants_substitute=row.wants_substitute,
        host_plays=any(who["host"] for who in row.seats.values()),
    )  # fmt: skip


def _seat(who: Mapping[str, Any], online: bool) -> SeatCard:
    guest = (who["name"] or "").startswith(GUEST)
    return SeatCard(side=who["side"], name=None if guest else who["name"], bot=who["bot"], online=online, guest=guest)
