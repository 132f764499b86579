"""Games in the eyes of those who look after the site: their health, and what is ruled about them. Who plays a game
rules nothing about it."""

import secrets
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import User
from app.admin import repository
from app.admin.repository import GameLine
from app.errors import Conflict, NotAllowed, NotFound, Refused
from app.games import data, dice, service, store, take_back
from app.games.repository import GameRow, driver
from app.games.repository import game as game_row
from app.games.store import Store, Table
from app.leagues.boards import end_game

SHOWN = 50  # games of a list: their rules are run again when asked
BACK = 60  # answers offered to go back to
LONGEST_FAULT = 200


async def listed(live: Store, words: str, status: str, check: bool) -> list[GameLine]:
    """Games of a status, the longest silent first; with `check` their rules are run again."""
    async with live.pool.connection() as conn:
        found = await repository.games(conn, words.strip(), status, SHOWN)
        for line in found if check else ():
            line.checked = True
            line.fault = await _fault(conn, line.id)
    return found


async def _fault(conn: Any, game_id: str) -> str | None:
    row = await game_row(conn, game_id)
    if row is None:
        return None
    try:
        await store.load(conn, row)
    except Exception as fault:  # whatever a title's rules raise
        return repr(fault.__cause__ or fault)[:LONGEST_FAULT]
    return None


async def one(live: Store, game_id: str, check: bool) -> tuple[GameRow, list[dict[str, Any]], str | None]:
    """A game, the answers it can go back to, and (with `check`) why the rules don't fit it. Raises NotFound."""
    row = await live.row(game_id)
    async with live.pool.connection() as conn:
        back = await repository.points_of_return(conn, game_id, BACK)
        return row, back, await _fault(conn, game_id) if check else None


async def adjudicate(session: AsyncSession, by: User, game_id: str, winner: str | None, reason: str) -> None:
    """Ends a game for a side, or (None) as a draw. Raises NotFound, NotAllowed, Refused."""
    conn = await driver(session)
    row = await game_row(conn, game_id)
    if row is None:
        raise NotFound("games.no_game")
    _not_own(row, by)
    if winner is not None and winner not in row.seats:
        raise Refused("games.no_seat", seat=winner)
    if not await end_game(session, game_id, winner, "result.adjudicated", reason=reason):
        raise Conflict("admin.not_running")
    await repository.note(conn, by.id, "adjudicate", game=game_id, reason=reason, winner=winner)


async def rewind(live: Store, by: User, game_id: str, to: int, reason: str) -> None:
    """The game goes on from before the answer `to`, with dice from a new key; one that is over is open again, unless
    its result has been counted in an event or by ratings. The key until then goes into the audit log, with which the
    rolls made so far can be checked. Raises NotFound, NotAllowed, Conflict, Refused."""
    async with live.changing(game_id) as table:
        row = table.row
        _not_own(row, by)
        seat = await repository.answered_by(table.conn, game_id, to)
        if seat is None:
            raise Refused("admin.no_return")
        await table.held()  # as it ended
        if row.status == "finished":
            if await repository.counted(table.conn, game_id):
                raise Conflict("admin.counted")
            await table.update(status="active", result=None, finished_at=None)
        sealed = dice.shown(row.dice, data.title(row.title).seats, row.dice_seed, finished=True)
        await _new_key(table)
        await take_back.execute(table, seat, to, True, by.id, reason)
        table.card_changed = True
        await repository.note(table.conn, by.id, "rewind", game=game_id, reason=reason, to=to, dice=sealed)


async def _new_key(table: Table) -> None:
    """Another seed, and both players commit themselves anew: who has seen old rolls can tell nothing of new ones."""
    row = table.row
    bots = [seat for seat, who in row.seats.items() if who["bot"]]
    new = dice.new(bots, row.dice["restarts"] + 1, row.rolls)
    await table.update(dice=new, dice_seed=secrets.token_bytes(32))


def _not_own(row: GameRow, by: User) -> None:
    if service.seats_of(row, by.id):
        raise NotAllowed("admin.own_game")
