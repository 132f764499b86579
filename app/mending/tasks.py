"""The look at running games when a server, perhaps with other rules, begins its work."""

import rules.titles
from app.games import data, repository
from app.jobs.registry import Work, job
from app.mending import repository as own
from app.mending import service


@job("mending.look", tries=0, at_start=True)
async def look(work: Work) -> None:
    """Tells the players of games that the rules no longer fit, and forgets those that are mended by other rules."""
    for title in rules.titles.IDS:
        async with work.store.pool.connection() as conn:
            suspects = await own.suspects(conn, title, data.title(title).version)
        for game_id in suspects:
            async with work.store.pool.connection() as conn:
                row = await repository.game(conn, game_id)
                if row is None:
                    continue
                if await service.fault(conn, row) is None:
                    await own.forget(conn, game_id)
                else:
                    await service.tell(conn, row)
