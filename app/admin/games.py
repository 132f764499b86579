"""Games in the eyes of those who look after the site: their health, and what is ruled about them. Who plays a game
rules nothing about it."""

from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from app import audit
from app.accounts.models import User
from app.admin import repository
from app.admin.repository import GameLine
from app.archive import repository as storage
from app.archive.repository import Sizes
from app.db import driver
from app.errors import Conflict, NotAllowed, NotFound, Refused
from app.games import access, take_back
from app.games import patch as patching
from app.games.repository import Conn, GameRow
from app.games.repository import game as game_row
from app.games.store import Store
from app.leagues.boards import end_game
from app.mending.service import fault
from rules.core.patch import Change

SHOWN = 50  # games of a list: their rules are run again when asked
BACK = 60  # answers offered to go back to


async def listed(live: Store, words: str, status: str, check: bool) -> list[GameLine]:
    """Games of a status, the longest silent first; with `check` their rules are run again."""
    async with live.pool.connection() as conn:
        found = await repository.games(conn, words.strip(), status, SHOWN)
        for line in found if check else ():
            line.checked = True
            line.fault = await _fault(conn, line.id)
    return found


async def _fault(conn: Conn, game_id: str) -> str | None:
    row = await game_row(conn, game_id)
    return await fault(conn, row) if row else None


@dataclass(frozen=True)
class Looked:
    """A game, how much it holds, the answers it can go back to, and why the rules don't fit it, if that was looked
    at."""

    row: GameRow
    sizes: Sizes
    back: list[dict[str, Any]]
    fault: str | None


async def one(live: Store, game_id: str, check: bool) -> Looked:
    """Raises NotFound."""
    async with live.pool.connection() as conn:
        sizes = await storage.sizes(conn, game_id)
    row = await live.row(game_id)
    async with live.pool.connection() as conn:
        back = await repository.points_of_return(conn, game_id, BACK)
        return Looked(row, sizes, back, await fault(conn, row) if check else None)


async def adjudicate(session: AsyncSession, by: User, game_id: str, winner: str | None, reason: str) -> None:
    """Ends a game for a side, or (None) as a draw. Raises NotFound, NotAllowed, Refused."""
    conn = await driver(session)
    row = await game_row(conn, game_id)
    if row is None:
        raise NotFound("games.no_game")
    _not_own(row, by)
    if winner is not None and winner not in row.seating.sides:
        raise Refused("games.no_seat", seat=winner)
    if not await end_game(session, game_id, winner, "result.adjudicated", reason=reason):
        raise Conflict("admin.not_running")
    await audit.note(conn, by.id, "adjudicate", game=game_id, reason=reason, winner=winner)


async def rewind(live: Store, by: User, game_id: str, to: int, reason: str) -> None:
    """The game goes on from before the answer `to`, with dice from a new key; one that is over is open again, unless
    its result has been counted in an event or by ratings. The key until then goes into the audit log, with which the
    rolls made so far can be checked. Raises NotFound, NotAllowed, Conflict, Refused."""
    async with live.locked(game_id) as change:
        row = change.row
        _not_own(row, by)
        seat = await repository.answered_by(change.conn, game_id, to)
        if seat is None:
            raise Refused("admin.no_return")
        await change.loaded()  # as it ended
        if row.status == "finished":
            if await repository.counted(change.conn, game_id):
                raise Conflict("admin.counted")
            await change.update(status="active", result=None, finished_at=None)
        sealed = await take_back.reseal(change, "rewound")
        await take_back.execute(change, seat, to, True, by.id, reason)
        change.card_changed = True
        await audit.note(change.conn, by.id, "rewind", game=game_id, reason=reason, to=to, dice=sealed)


@dataclass(frozen=True)
class Tried:
    """A position that a patch would apply to, and what it would change or why it is refused."""

    row: GameRow
    gone: int
    position: str
    changes: list[Change]
    refused: Refused | None


async def try_patch(live: Store, by: User, game_id: str, merge: str, reason: str) -> Tried:
    """Shows the whole position, everything hidden in it, which the audit log keeps; changes nothing. Raises NotFound,
    NotAllowed, Conflict, Refused."""
    async with live.locked(game_id) as change:
        row = change.row
        _not_own(row, by)
        where = await patching.gap(change.conn, row)
        await repository.note_position(change.conn, by.id, game_id, reason, row.seq)
        changes: list[Change] = []
        refused = None
        try:
            changes = patching.apply(row, where, patching.read(merge), reason).changes if merge.strip() else []
        except Refused as why:
            refused = why
        return Tried(row, where.gone, pretty(where.state), changes, refused)


def pretty(state: bytes) -> str:
    return orjson.dumps(orjson.loads(state), option=orjson.OPT_INDENT_2).decode()


async def patch(live: Store, by: User, game_id: str, merge: str, seq: int, reason: str) -> None:
    """Corrects the position of a game that has come to entry `seq`; the dice get a new key, the old one goes into the
    audit log. Raises NotFound, NotAllowed, Conflict, Refused."""
    async with live.locked(game_id) as change:
        row = change.row
        _not_own(row, by)
        if row.seq != seq:
            raise Conflict("patch.moved")
        body = patching.read(merge)
        changes = await patching.execute(change, body, reason)
        sealed = await take_back.reseal(change, "patched")
        change.card_changed = True
        await audit.note(change.conn, by.id, "patch", game=game_id, reason=reason, n=len(changes), dice=sealed,
                              changes=[change.stored() for change in changes])  # fmt: skip


def _not_own(row: GameRow, by: User) -> None:
    if access.seats_of(row, by.id):
        raise NotAllowed("admin.own_game")
