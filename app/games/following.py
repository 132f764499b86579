"""What follows a change of a game in the same transaction: standing orders answer, clocks move, notices are queued.

The packages that have something to do name their function here when they are imported; `games` knows none of them.
"""

from collections.abc import Awaitable, Callable
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.games.store import Table


class Turn(IntEnum):
    """In which order they come."""

    ORDERS = 1
    CLOCKS = 2
    NOTICES = 3


Follow = Callable[["Table"], Awaitable[None]]

_followers: dict[Turn, Follow] = {}


def follows(turn: Turn) -> Callable[[Follow], Follow]:
    """Marks a function that is called with every table that was changed, before its transaction is committed. It has
    to be cheap for games that are none of its business: `table.row`, `table.before` and `table.lines` tell."""

    def mark(function: Follow) -> Follow:
        _followers[turn] = function
        return function

    return mark


async def all_follow(table: "Table") -> None:
    for turn in sorted(_followers):
        await _followers[turn](table)
