"""What changes of games write, and the one statement that writes it, for one game or for many."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import orjson

from app.games.record import StoredCheckpoint
from app.games.repository import Conn
from rules.core.record import Entry


@dataclass(slots=True)
class NewEntry:
    """An entry to be written: what the referee made, when, by whom, its idempotency key and packed `told`."""

    entry: Entry
    at: datetime
    by_user: int | None
    key: str | None
    sides: int | None
    told: bytes


@dataclass(slots=True)
class Written:
    """What one change of a game brought: entries, checkpoints, and the game as it then is. The draft of `seat` goes,
    if one is named; `note` is what other processes hear. With a `version` it is written only if that is still the
    row's and nobody holds the row's lock. `besides`: what reactions write in the same transaction, by their names."""

    game: str
    seat: str | None
    entries: Sequence[NewEntry]
    checkpoints: Sequence[StoredCheckpoint]
    seq: int
    waiting_for: Sequence[str]
    rolls: int
    status: str
    result: dict[str, Any] | None
    undo_request: dict[str, Any] | None
    draw_offer: str | None
    note: str
    version: str | None = None
    besides: dict[str, Any] = field(default_factory=dict)


# $1: the changes, each of another game; $2: one after the other, the bytes of what they tell and of their positions.
STATEMENT = """
with new as materialized (
  select * from jsonb_to_recordset($1) as t(game text, version xid, seq int, waiting_for text[], rolls int, status text,
      result jsonb, undo_request jsonb, draw_offer text, seat text, note text, entries jsonb, points jsonb)
), free as (
  select games.id from new join games on games.id = new.game
  where new.version is null or games.xmin = new.version for update of games skip locked
), moved as (
  update games set seq = new.seq, waiting_for = new.waiting_for, rolls = new.rolls, status = new.status,
      result = coalesce(new.result, games.result), undo_request = new.undo_request, draw_offer = new.draw_offer,
      updated_at = now(),
      finished_at = case when new.status = 'finished' then coalesce(games.finished_at, now()) end
  from free, new where games.id = free.id and new.game = free.id
  returning new.*, games.xmin as written
), written as (
  insert into entries (game_id, seq, at, seat, by_user, kind, clause, answer, forced, roll_no, sides, reveals,
      commits, rules_version, told, key, asks)
  select moved.game, t.seq, t.at, t.seat, t.by_user, t.kind, t.clause, t.answer, t.forced, t.roll_no, t.sides,
      t.reveals, t.commits, t.rules_version, substr($2, t.first, t.size), t.key, t.asks
  from moved, jsonb_to_recordset(moved.entries) as t(first int, size int, seq int, at timestamptz, seat text,
      by_user bigint, kind text, clause text, answer jsonb, forced bool, roll_no int, sides int, reveals bool,
      commits bool, rules_version text, key text, asks text[])
), kept as (
  insert into checkpoints (game_id, phase, seq, schema, rules_version, state, base)
  select moved.game, t.phase, t.seq, t.schema, t.rules_version, substr($2, t.first, t.size), t.base
  from moved, jsonb_to_recordset(moved.points) as t(first int, size int, phase text, seq int, schema int,
      rules_version text, base text)
  on conflict (game_id, phase) do update set seq = excluded.seq, schema = excluded.schema,
      rules_version = excluded.rules_version, state = excluded.state, base = excluded.base
), undrafted as (
  delete from drafts using moved where drafts.game_id = moved.game and drafts.seat = moved.seat
)
select game, written, case when exists (select from listeners where origin <> split_part(note, ':', 4))
    then pg_notify('game', note) end
from moved"""
_BY_PSYCOPG = STATEMENT.replace("$1", "%s::jsonb").replace("$2", "%(bytes)b").replace("%s", "%(changes)s")


def arguments(changes: Sequence[Written]) -> tuple[bytes, bytes]:
    """The two arguments of the statement: JSON, and bytes as they are."""
    blobs, filled = [], 1

    def placed(blob: bytes) -> tuple[int, int]:
        nonlocal filled
        blobs.append(blob)
        first, filled = filled, filled + len(blob)
        return first, len(blob)

    rows = []
    for new in changes:
        entries, points, last = [], [], len(new.entries) - 1
        for n, made in enumerate(new.entries):
            e, (first, size) = made.entry, placed(made.told)
            entries.append({
                "first": first, "size": size, "seq": e.seq, "at": made.at, "seat": e.seat, "by_user": made.by_user,
                "kind": e.kind, "clause": e.clause or None, "answer": e.answer, "forced": e.forced,
                "roll_no": e.roll_no, "sides": made.sides, "reveals": e.reveals, "commits": e.commits,
                "rules_version": e.rules_version, "key": made.key,
                "asks": new.waiting_for if n == last else None})  # fmt: skip
        for c in new.checkpoints:
            first, size = placed(c.state)
            points.append({"first": first, "size": size, "phase": c.phase, "seq": c.seq, "schema": c.schema,
                           "rules_version": c.rules_version, "base": c.base})  # fmt: skip
        rows.append({
            "game": new.game, "version": new.version, "seq": new.seq, "waiting_for": new.waiting_for,
            "rolls": new.rolls, "status": new.status, "result": new.result, "undo_request": new.undo_request,
            "draw_offer": new.draw_offer, "seat": new.seat, "note": new.note, "entries": entries,
            "points": points})  # fmt: skip
    return orjson.dumps(rows), b"".join(blobs)


async def append(conn: Conn, new: Written) -> str | None:
    """Writes one change in the transaction of `conn`: the row's new version, None when nothing was written. Raises
    UniqueViolation for a key that was there before."""
    changes, blobs = arguments([new])
    cursor = await conn.execute(_BY_PSYCOPG, {"changes": changes.decode(), "bytes": blobs})
    row = await cursor.fetchone()
    return str(row[1]) if row else None
