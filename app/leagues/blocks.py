"""Who has blocked whom, as far as another package keeps such lists: it names its function here when it is imported."""

from collections.abc import Awaitable, Callable, Collection

from sqlalchemy.ext.asyncio import AsyncSession

Blocked = Callable[[AsyncSession, list[int]], Awaitable[Collection[tuple[int, int]]]]

_sources: list[Blocked] = []


def blocks(source: Blocked) -> Blocked:
    """Marks a function from users to the pairs among them of whom one has blocked the other."""
    _sources.append(source)
    return source


async def blocked(session: AsyncSession, user_ids: list[int]) -> set[tuple[int, int]]:
    """The pairs among these users who are not to meet."""
    return {pair for source in _sources for pair in await source(session, user_ids)}
