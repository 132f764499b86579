"""Whose word it takes: for what a seat asks of others, such as a take-back or a draw, and for giving up.

What is asked keeps in `asks` the seats that have not agreed yet. People are asked, not bots, and nobody twice: one who
holds several seats speaks for all of them.
"""

from collections.abc import Iterable, Sequence

from app.games.repository import GameRow
from rules.core.record import Entry


def to_ask(row: GameRow, seat: str, of: Iterable[str]) -> list[str]:
    """Those of these seats whose people have to agree to what a seat asks."""
    asker = row.seats[seat]["user"]
    return [other for other in of if row.seats[other]["user"] not in (None, asker)]


def for_take_back(row: GameRow, tail: Sequence[Entry], seat: str, to: int) -> list[str]:
    """All of the other side, and partners whose own answers would go too."""
    seating = row.seating
    undone = {entry.seat for entry in tail if entry.seq >= to and entry.kind == "answer" and not entry.forced}
    return to_ask(row, seat, [*seating.opponents(seat), *(one for one in seating.partners(seat) if one in undone)])


def for_all(row: GameRow, seat: str) -> list[str]:
    """Everybody else: for what ends the game or stops its clocks."""
    return to_ask(row, seat, [other for other in row.seats if other != seat])


def still_asked(row: GameRow, asks: Sequence[str], seat: str) -> list[str]:
    """What is left to be asked once the person at a seat has agreed."""
    who = row.seats[seat]["user"]
    return [other for other in asks if other != seat and row.seats[other]["user"] != who]


def heir(row: GameRow, seat: str) -> str | None:
    """The partner who plays on where somebody stands down; None when no other person is left on the side."""
    return next(iter(to_ask(row, seat, row.seating.partners(seat))), None)
