"""What follows a change of a game in the same transaction: standing orders answer, clocks move, results are noted for
leagues and ratings, notices are queued.

The packages that have something to do name their function here when they are imported; `games` knows none of them.
"""

from collections.abc import Awaitable, Callable
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.games.change import Table


class Turn(IntEnum):
    """In which order they come."""

    ORDERS = 1
    CLOCKS = 2
    RESULTS = 3
    NOTICES = 4
    BOTS = 5


Follow = Callable[["Table"], Awaitable[None]]
Concern = Callable[["Table"], bool]

_followers: dict[Turn, tuple[Follow, Concern]] = {}


def follows(turn: Turn, when: Concern = lambda _table: True) -> Callable[[Follow], Follow]:
    """Marks a function that is called with the tables that were changed and that it is concerned with, before their
    transaction is committed. `when` tells by `table.row`, `before`, `asked_before` and `lines` alone: an answer that
    concerns nobody is committed in one statement, without a transaction around it."""

    def mark(function: Follow) -> Follow:
        _followers[turn] = (function, when)
        return function

    return mark


def concerned(table: "Table") -> bool:
    return any(when(table) for _, when in _followers.values())


async def all_follow(table: "Table") -> bool:
    """Whether the row of the game may have been changed by it: notices and news are only queued."""
    changed = False
    for turn, (function, when) in sorted(_followers.items()):
        if when(table):
            await function(table)
            changed |= turn < Turn.NOTICES
    return changed
