"""What goes with a deleted account, as far as other packages keep it: each names its function here when it is
imported."""

from collections.abc import Awaitable, Callable

from sqlalchemy.ext.asyncio import AsyncSession

Forget = Callable[[AsyncSession, int], Awaitable[None]]

_forgetters: list[Forget] = []


def forgets(function: Forget) -> Forget:
    """Marks a function that drops what names a user, after the user's games were resigned."""
    _forgetters.append(function)
    return function


async def forget_all(session: AsyncSession, user_id: int) -> None:
    for function in _forgetters:
        await function(session, user_id)
