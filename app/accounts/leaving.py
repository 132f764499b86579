"""What goes with a deleted account, and what a guest leaves to an account, as far as other packages keep it: the root
names them all (`app/reactions.py`), and every database session bears them."""

from collections.abc import Sequence
from typing import Protocol, cast

from sqlalchemy.ext.asyncio import AsyncSession

SESSION, HEIRS = "leaving", "heirs"  # under which a session carries them


class Leave(Protocol):
    """Resigns, or drops what names the user."""

    async def __call__(self, session: AsyncSession, user_id: int, /) -> None: ...


async def leave_all(session: AsyncSession, user_id: int) -> None:
    """In the order in which the root names them."""
    for leave in cast(Sequence[Leave], session.info[SESSION]):
        await leave(session, user_id)


class HandOver(Protocol):
    """Gives what is a guest's to an account."""

    async def __call__(self, session: AsyncSession, guest: int, user_id: int, /) -> None: ...


async def hand_over_all(session: AsyncSession, guest: int, user_id: int) -> None:
    for hand_over in cast(Sequence[HandOver], session.info[HEIRS]):
        await hand_over(session, guest, user_id)
