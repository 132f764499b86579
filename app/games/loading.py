"""A game into memory: from its newest checkpoint and the entries since, or brought forward by what others added."""

import logging
from dataclasses import replace

from app.errors import Conflict
from app.games import data, dice, record
from app.games.checkpoints import opened
from app.games.record import TAIL, StoredCheckpoint
from app.games.repository import Conn, GameRow
from app.games.told import LoadedGame
from rules.core.chance import Chance
from rules.core.errors import OutOfStep
from rules.core.record import Entry
from rules.core.referee import Checkpoint, Referee

log = logging.getLogger(__name__)


async def load(conn: Conn, row: GameRow) -> LoadedGame:
    """A game from its newest checkpoint and what stands since. Raises Conflict when the rules no longer fit it."""
    checkpoint = await record.newest_checkpoint(conn, row.id)
    assert checkpoint is not None, f"game {row.id} has no checkpoint"
    return await resume(conn, row, checkpoint, None)


async def resume(conn: Conn, row: GameRow, checkpoint: StoredCheckpoint, before: int | None) -> LoadedGame:
    """A game re-run from a checkpoint through the entries that stand, to the one before `before`."""
    title = data.title(row.title)
    entries = await record.standing(conn, row.id, checkpoint.seq, before)
    chance = Chance(dice.key(row.dice, list(row.seats), row.dice_seed), row.rolls)
    state, base = opened(checkpoint)
    point = Checkpoint(checkpoint.seq, checkpoint.phase, state)
    game = await data.played_with(conn, row)
    try:
        referee = Referee.resume(title, game, point, checkpoint.schema, entries, chance, row.seq)
        if chance.made != row.rolls:
            raise OutOfStep("the rules roll where the record has nothing")
        if before is None and row.status != "finished" and list(referee.asked) != row.waiting_for:
            raise OutOfStep(f"the rules ask {referee.asked}, the game waits for {row.waiting_for}")
    except Exception as fault:  # whatever a title's rules raise
        log.error("game %s: %s", row.id, fault)
        raise Conflict("games.out_of_step") from fault
    return LoadedGame(referee, await record.tail(conn, row.id), row.seq, checkpoint.seq, base, row)


def catch_up(loaded: LoadedGame, entries: list[Entry], row: GameRow) -> None:
    """Carries out in memory what was added elsewhere, up to `row`. Raises OutOfStep."""
    referee = loaded.referee
    pending = referee.pending
    referee.follow(entries)
    if list(referee.asked) != row.waiting_for and row.status != "finished":
        raise OutOfStep(f"the rules ask {referee.asked}, the game waits for {row.waiting_for}")
    referee.drain_phases()
    referee.chance.made = row.rolls
    loaded.tail = [*loaded.tail, *map(light, entries)][-TAIL:]
    loaded.saved = referee.newest.seq
    if referee.pending is not pending:
        loaded.opened = row.seq


def light(entry: Entry) -> Entry:
    """An entry without what it answered and told: what take-backs go by."""
    return replace(entry, answer=None, told={})
