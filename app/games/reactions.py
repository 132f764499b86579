"""After-change reactions: what follows a change of a game in the same transaction. Standing orders answer, clocks move,
results are noted for leagues and ratings, notices are queued.

The packages that react import `games`, which knows none of them: `app/reactions.py` names them all in their order, and
whoever opens the database or the games is given that tuple.
"""

from typing import Any, Protocol, cast

from sqlalchemy.ext.asyncio import AsyncSession

from app.games.change import Change

SESSION = "reactions"  # under which a session carries them


class Reaction(Protocol):
    """`name`: unique among them; `moves`: it may change the game's row (notices and news are only queued);
    `statement`: for a reaction that can do with one, what it writes, in the transaction that has just written the
    games. Its parameter $1 is JSON: a list of what `beside` gave, of games of which some may not have been written."""

    name: str
    moves: bool
    statement: str | None = None

    def concerns(self, change: Change) -> bool:
        """Told by what the change holds, without the database: an answer that concerns nobody, or only those that can
        do with a statement, is committed in one round trip."""

    def beside(self, change: Change) -> Any:  # noqa: ARG002
        """What its statement is given for this change; None when it has none, or `react` must ask the database."""
        return None

    def stands(self, change: Change, body: Any) -> None:  # noqa: ARG002
        """Called when its statement is given `body`: puts what is written so into the change, which is dropped if the
        transaction fails."""
        return

    async def react(self, change: Change) -> None:
        """Called with what was changed, before its transaction is committed."""


class Reactions:
    """All of them, in the order in which they come."""

    def __init__(self, *each: Reaction) -> None:
        self.each = each

    @property
    def statements(self) -> dict[str, str]:
        """By the names of those that have one."""
        return {one.name: one.statement for one in self.each if one.statement is not None}

    def beside(self, change: Change) -> dict[str, Any] | None:
        """What all that are concerned write by their statements; None when one of them can't do with that."""
        found = {one.name: one.beside(change) for one in self.each if one.concerns(change)}
        if any(body is None for body in found.values()):
            return None
        for one in self.each:
            if one.name in found:
                one.stands(change, found[one.name])
        return found

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
