"""The result card of a finished game, and the game that follows it."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, cast

from anyio import to_thread
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import User
from app.community.invitations import invite
from app.errors import Conflict, NotAllowed
from app.games import data, making
from app.games.access import seats_of
from app.games.acts import Player
from app.games.live import Live
from app.games.pace import pace_of
from app.games.record import told_since
from app.games.repository import GameRow
from app.games.schemas import NewGame, Policy
from app.games.told import ToldEntry
from app.leagues.ratings import service as ratings
from app.result.summary import Summary, summed_up
from rules.core.title import Data

KEPT = 40  # summaries in memory, of some 50 kB each

_kept: "OrderedDict[tuple[str, int], Summary]" = OrderedDict()


@dataclass(frozen=True)
class Result:
    """`data`: with which the game was played; `ratings`: by seat, what was shown before and after, where it counted."""

    row: GameRow
    summary: Summary
    data: Data
    ratings: dict[str, tuple[int, int]]


async def result_of(live: Live, session: AsyncSession, player: Player, count: Callable[[], Awaitable[None]]) -> Result:
    """`count` is asked when the record has to be read. Raises NotFound, NotAllowed; Conflict while the game runs."""
    row = await live.store.row(player.game_id)
    player.eye(row)
    if row.status != "finished":
        raise Conflict("after.not_over")
    async with live.store.pool.connection() as conn:
        pinned = await data.pinned(conn, row.data_digest, row.title)
    if (row.id, row.seq) not in _kept:
        await count()
        async with live.store.pool.connection() as conn:
            entries = await told_since(conn, row.id, 0, row.seq)
        title = data.title(row.title)

        def sum_up() -> Summary:
            game = title.game(pinned, row.scenario, row.seats)
            return summed_up(title, game, row.seating, map(ToldEntry.stored, entries))

        _kept[row.id, row.seq] = await to_thread.run_sync(sum_up)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    changes = await ratings.changes(session, row.id)
    by_seat = {seat: changes[who["user"]] for seat, who in row.seats.items() if who["user"] in changes}
    return Result(row, _kept[row.id, row.seq], pinned, by_seat)


async def rematch(session: AsyncSession, row: GameRow, user: User) -> Any:
    """A new game of the same kind, its maker on the other side: against the computer at once, of people with an
    invitation to those of the other side. Raises NotAllowed for who did not play; Conflict for a game that runs;
    Refused."""
    mine = seats_of(row, user.id)
    if not mine:
        raise NotAllowed("games.players_only")
    if row.status != "finished":
        raise Conflict("after.not_over")
    new = _again(row, mine)
    game = await making.create_game(session, user, new)
    if new.opponent == "person":
        names = {who["name"] for who in row.seats.values() if who["user"] not in (None, user.id)}
        for name in sorted(names):
            await invite(session, user, game.id, name)
    return game


def _again(row: GameRow, mine: list[str]) -> NewGame:
    """The same game with the sides changed. What a scenario no longer has of its options is left out."""
    seating = row.seating
    others = seating.opponents(mine[0]) or mine
    bots = [who["bot"] for who in row.seats.values() if who["bot"]]
    everybody = len(mine) == len(row.seats)
    scenario = data.current(row.title).scenarios[row.scenario]
    options = {name: value for name, value in row.options.items() if value in scenario.options.get(name, ())}
    pace = pace_of(row.pace) if row.pace else None
    known = next((key for key, one in scenario.seatings.items() if set(one.seats) == set(row.seats)), None)
    return NewGame(
        title=row.title, scenario=row.scenario, seating=known, seat=others[0],
        opponent="both" if everybody else "bot" if bots else "person", bot=bots[0] if bots else None,
        visibility="private", policy=cast(Policy, row.policy), options=options, what_if=row.what_if,
        pace=pace.model_copy(update={"policy": "claim"}) if pace else None,
    )  # fmt: skip
