"""After-change reactions: what follows a change of a game in the same transaction. Standing orders answer, clocks move,
results are noted for leagues and ratings, notices are queued.

The packages that react import `games`, which knows none of them: `app/reactions.py` names them all in their order, and
whoever opens the database or the games is given that tuple.
"""

from typing import Protocol, cast

from sqlalchemy.ext.asyncio import AsyncSession

from app.games.change import Change

SESSION = "reactions"  # under which a session carries them


class Reaction(Protocol):
    """`moves`: it may change the game's row (notices and news are only queued)."""

    @property
    def moves(self) -> bool: ...

    def concerns(self, change: Change) -> bool:
        """Told by `row`, `before`, `asked_before` and `entries` alone: an answer that concerns nobody is committed in
        one statement, without a transaction around it."""

    async def react(self, change: Change) -> None:
        """Called with what was changed, before its transaction is committed."""


class Reactions:
    """All of them, in the order in which they come."""

    def __init__(self, *each: Reaction) -> None:
        self.each = each

    def concern(self, change: Change) -> bool:
        return any(reaction.concerns(change) for reaction in self.each)

    async def follow(self, change: Change) -> bool:
        """Whether the row of the game may have been changed by it."""
        moved = False
        for reaction in self.each:
            if reaction.concerns(change):
                await reaction.react(change)
                moved |= reaction.moves
        return moved


def reactions_of(session: AsyncSession) -> Reactions:
    """Those that a database session was opened with."""
    return cast(Reactions, session.info[SESSION])
