"""Patches: a position corrected by somebody who looks after the site (docs/protocol.md section 6).

A patch applies between two segments, never within a procedure: in the newest such gap from which the rules ask before
they roll. What was answered since is taken back with it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from app.errors import Conflict, Refused
from app.games import checkpoints, data, record, undo
from app.games.change import Change
from app.games.repository import Conn, GameRow
from app.games.told import LoadedGame, to_all
from app.packing import Base
from rules.core.chance import Chance
from rules.core.errors import BadPosition, DiceNotSealed
from rules.core.events import Told
from rules.core.patch import Change as Difference
from rules.core.patch import changes, merged
from rules.core.record import PATCH, Entry
from rules.core.referee import Checkpoint, Referee
from rules.core.view import Views

LONGEST_WHY = 300
KEEPS = ("agenda", "result", "options")  # fields that say what is asked, what the game came to and how it is played


@dataclass(frozen=True)
class Gap:
    """Where a patch would apply: after the checkpoint `point`, stored with `schema`, to the position `state`. `gone`:
    the first entry that is taken back; `game`: what it is played with."""

    point: Checkpoint
    schema: int
    base: Base | None
    game: Any
    state: bytes

    @property
    def gone(self) -> int:
        return self.point.seq + 1


@dataclass(frozen=True)
class Patched:
    """A game with a patch, not yet written; what every eye is told of it, and what changed in the position."""

    referee: Referee
    made: list[Entry]
    views: Views
    changes: list[Difference]


async def gap(conn: Conn, row: GameRow) -> Gap:
    """Raises Refused for a game that doesn't run, or never asks before it rolls; Conflict for one that the rules no
    longer fit."""
    if row.status != "active":
        raise Conflict("patch.not_running")
    title, game = data.title(row.title), await data.played_with(conn, row)
    before: int | None = None
    while (found := await record.newest_checkpoint(conn, row.id, before)) is not None:
        state, base = checkpoints.opened(found)
        point = Checkpoint(found.seq, found.phase, state)
        nothing = Entry(row.seq + 1, PATCH, answer={"merge": {}})
        try:
            referee = Referee.patched(title, game, point, found.schema, nothing, Chance(None, row.rolls))
        except DiceNotSealed:
            before = found.seq
            continue
        except Exception as fault:  # whatever a title's rules raise
            raise Conflict("games.out_of_step") from fault
        at = next(p for p in referee.phases if p.seq == nothing.seq)
        return Gap(point, found.schema, base, game, at.state)
    raise Refused("patch.nowhere")


def read(text: str) -> dict[str, Any]:
    """A merge patch as somebody typed it. Raises Refused."""
    try:
        body = orjson.loads(text)
    except ValueError as fault:
        raise Refused("patch.no_json", why=str(fault)[:LONGEST_WHY]) from fault
    if not isinstance(body, dict) or "\\u0000" in text:
        raise Refused("patch.no_object")
    return body


def apply(row: GameRow, where: Gap, merge: Mapping[str, Any], reason: str) -> Patched:
    """Tries a patch. Raises Refused, with what the title says, when no such position can be or be played on."""
    title = data.title(row.title)
    try:
        if kept := [name for name in KEEPS if name in merge]:
            raise BadPosition(f"{', '.join(kept)}: not to be patched")
        wanted = merged(where.state, merge)
        pos = title.decode(where.game, wanted, title.schema)
        if lost := changes(wanted, title.encode(pos)):
            raise BadPosition(f"no such field or value: {', '.join(change.path for change in lost)}")
        title.invariants(pos)
        changed = changes(where.state, wanted)
        views = Views(title.view, pos, row.seating.sides)
        answer = {"to": where.gone, "consent": True, "merge": dict(merge), "reason": reason}
        entry = Entry(row.seq + 1, PATCH, answer=answer)
        chance = Chance(None, row.rolls)
        referee = Referee.patched(title, where.game, where.point, where.schema, entry, chance)
        title.invariants(referee.pos)
    except DiceNotSealed as fault:
        raise Refused("patch.rolls") from fault
    except Exception as fault:  # whatever a title's rules raise
        why = str(fault) if isinstance(fault, BadPosition) else repr(fault)
        raise Refused("patch.cannot_be", why=why[:LONGEST_WHY]) from fault
    if not changed:
        raise Refused("patch.nothing")
    if referee.pos.result is not None or not referee.pending:
        raise Refused("patch.ends")
    return Patched(referee, referee.drain(), views, changed)


async def execute(change: Change, merge: Mapping[str, Any], reason: str) -> list[Difference]:
    """Changes the position and takes back what was answered since; everybody is told the reason, and each eye what it
    sees of the change. What changed. Raises Refused, Conflict."""
    row = change.row
    before = (await change.loaded()).referee.views.contents
    where = await gap(change.conn, row)
    patched = apply(row, where, merge, reason)
    referee, made = patched.referee, patched.made
    seen = {eye: undo.changes(before[eye], contents) for eye, contents in patched.views.contents.items()}
    told: Told = to_all(row.seating, "patched", None, {"to": where.gone, "reason": reason}, seen)
    made[0].told = {eye: [*steps, *made[0].told.get(eye, [])] for eye, steps in told.items()}
    await record.retract(change.conn, row.id, where.gone)
    await record.drop_checkpoints(change.conn, row.id, where.gone)
    referee.drain_phases()
    newest = checkpoints.stored(referee.newest, record.NEWEST, referee.title, where.base)
    change.put(LoadedGame(referee, [], made[-1].seq, newest.seq, where.base, row))
    await change.write(None, made, points=[newest])
    return patched.changes
