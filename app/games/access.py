"""Who may see and do what in a game."""

import secrets
from collections.abc import Sequence

from app.accounts.ties import Tie
from app.errors import NotAllowed, NotFound
from app.games.repository import GameRow
from rules.core.seats import ALL, PUBLIC, Eye


def seats_of(row: GameRow, user_id: int | None) -> list[str]:
    return [seat for seat in row.seats if user_id is not None and row.seats[seat]["user"] == user_id]


def check_link(row: GameRow, user_id: int | None, token: str | None) -> None:
    """Raises NotFound for a private game to those who neither play it nor have its link."""
    invited = token is not None and secrets.compare_digest(token.encode(), row.join_token.encode())
    if row.visibility == "private" and not invited and not seats_of(row, user_id):
        raise NotFound("games.no_game")


def eye_of(row: GameRow, user_id: int | None, seat: str | None, token: str | None) -> Eye:
    """With whose eyes somebody looks at a game: those of an own seat's side (`all` for one who plays all sides and
    names none), the public's, and of any seat or side when the game is over. Raises NotFound, NotAllowed."""
    check_link(row, user_id, token)
    mine, over, seating = seats_of(row, user_id), row.status == "finished", row.seating
    if seat is not None and seat not in (*seating.seats, *seating.sides):
        raise NotFound("games.no_seat", seat=seat)
    if seat is not None and (over or seat in mine):
        return seating.seats.get(seat, seat)
    if seat is not None:
        raise NotAllowed("games.not_your_seat")
    if over or len(mine) == len(row.seats):
        return ALL
    return seating.side(mine[0]) if mine else PUBLIC


def may_keep(row: GameRow, tie: Tie, eye: Eye) -> bool:
    """Whether an open connection may go on with its eye: not when its seat was given to somebody else, nor with the
    eyes of another for an admin who has sat down."""
    if seats_of(row, tie.helper):
        return False
    mine = seats_of(row, tie.user)
    sides = {row.seats[seat]["side"] for seat in mine}
    return eye == PUBLIC or row.status == "finished" or eye in sides or (eye == ALL and len(mine) == len(row.seats))


def playing(row: GameRow, user_id: int | None, seat: str | None, token: str | None = None) -> str:
    """The seat somebody plays; one who holds several and names none plays the one that is asked. Raises NotAllowed;
    NotFound for a private game to those without its link."""
    check_link(row, user_id, token)
    mine = seats_of(row, user_id)
    if not mine:
        raise NotAllowed("games.players_only")
    if seat is None:
        return _most_wanted(row, mine)
    if seat not in mine:
        raise NotAllowed("games.not_your_seat")
    return seat


def speaks(row: GameRow, user_id: int | None, seat: str | None) -> str | None:
    """The seat for which somebody is asked and takes back: the named one if it is his, else that of his seats for which
    the game waits; None for one who only looks on."""
    mine = seats_of(row, user_id)
    if seat is not None:
        return seat if seat in mine else None
    return _most_wanted(row, mine) if mine else None


def _most_wanted(row: GameRow, mine: Sequence[str]) -> str:
    return next((own for own in mine if own in row.waiting_for), mine[0])
