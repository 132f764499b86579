"""Who may see and do what in a game."""

import secrets

from app.errors import NotAllowed, NotFound
from app.games import play
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
    """With whose eyes somebody looks at a game: an own seat's (`all` for one who plays both sides and names none),
    the public's, and anyone's when the game is over. Raises NotFound, NotAllowed."""
    check_link(row, user_id, token)
    mine, over = seats_of(row, user_id), row.status == "finished"
    if seat is not None and seat not in row.seats:
        raise NotFound("games.no_seat", seat=seat)
    if seat is not None and (over or seat in mine):
        return seat
    if seat is not None:
        raise NotAllowed("games.not_your_seat")
    if over or len(mine) == len(row.seats):
        return ALL
    return mine[0] if mine else PUBLIC


def may_keep(row: GameRow, user_id: int | None, eye: Eye) -> bool:
    """Whether an open line may go on with its eye: not when its seat was given to somebody else."""
    mine = seats_of(row, user_id)
    return eye == PUBLIC or row.status == "finished" or eye in mine or (eye == ALL and len(mine) == len(row.seats))


def playing(row: GameRow, user_id: int | None, seat: str | None, token: str | None = None) -> str:
    """The seat somebody plays; one who holds several and names none plays the one that is asked. Raises NotAllowed;
    NotFound for a private game to those without its link."""
    check_link(row, user_id, token)
    mine = seats_of(row, user_id)
    if not mine:
        raise NotAllowed("games.players_only")
    if seat is None:
        asked = [own for own in mine if own in row.waiting_for]
        return (asked or mine)[0]
    if seat not in mine:
        raise NotAllowed("games.not_your_seat")
    return seat


def opponent_agrees(row: GameRow, seat: str, user_id: int | None) -> bool:
    """Whether nobody need be asked: one person plays both sides, or the other is a bot."""
    other = row.seats[play.other_than(row, seat)]
    return bool(other["bot"]) or other["user"] == user_id
