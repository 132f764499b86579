"""What is told: the record as each eye may read it, and the messages made of it (docs/protocol.md 6 to 8)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

from app import packing
from app.games import undo
from app.games.record import StoredEntry
from app.games.repository import GameRow
from app.packing import Base
from rules.core.events import Told
from rules.core.record import PATCH, Entry, dice_of
from rules.core.referee import Referee
from rules.core.seats import PUBLIC, Eye, Seating, eyes

LONGEST_PAGE = 200  # entries
Look = tuple[Eye, str | None]  # with which eye, and the seat that is shown its request


def pack(told: Told) -> bytes:
    return packing.pack(orjson.dumps(told))


def unpack(packed: bytes) -> Told:
    told: Told = orjson.loads(packing.unpack(packed))
    return told


@dataclass(slots=True)
class LoadedGame:
    """A game in memory. `tail`: its last entries that stand, without answers; `opened`: the entry since which the
    present requests are open, so that an answer to an older entry that still fits them is not stale; `saved`: the entry
    of the newest stored checkpoint; `base`: from which its positions are told apart; `row`: the game's row as it was
    last read or written here."""

    referee: Referee
    tail: list[Entry]
    opened: int
    saved: int
    base: Base | None
    row: GameRow | None


@dataclass(slots=True)
class ToldEntry:
    """An entry with what it told to all eyes. `forced`: the only legal answer, given for its seat; `dice`: which, for a
    roll or a draw: {"low", "high", "n"}."""

    seq: int
    at: datetime
    seat: str | None
    kind: str
    clause: str
    retracted: bool
    forced: bool
    dice: dict[str, int] | None
    told: Told

    @staticmethod
    def stored(entry: StoredEntry) -> "ToldEntry":
        seq, at, seat, kind = entry.seq, entry.at, entry.seat, entry.kind
        return ToldEntry(seq, at, seat, kind, entry.clause or "", entry.retracted, entry.forced,
                         dice_of(entry.thrown), unpack(entry.told))  # fmt: skip

    def seen_by(self, eye: Eye) -> dict[str, Any]:
        return {"seq": self.seq, "at": self.at, "seat": self.seat, "kind": self.kind, "clause": self.clause,
                "steps": self.told.get(eye, []), "retracted": self.retracted, "forced": self.forced,
                "dice": self.dice}  # fmt: skip


def to_all(seating: Seating, event: str, seat: str | None, data: Mapping[str, Any],
           fragments: Mapping[Eye, Mapping[str, Any]] | None = None) -> Told:
    """One event told to everybody alike, by the server and not by a title's rules; of a side, or of a seat's side."""
    side = None if seat is None else seating.seats.get(seat, seat)
    return {eye: [{"event": event, "clause": "", "side": side, "data": dict(data),
                   "fragments": dict((fragments or {}).get(eye, {}))}] for eye in eyes(seating.sides)}  # fmt: skip


def request_for(row: GameRow, loaded: LoadedGame, eye: Eye, seat: str | None) -> dict[str, Any] | None:
    """What the game waits for, as one who speaks for a seat, or only looks on, may see it. Nobody is asked before all
    seats are taken."""
    if row.status == "finished":
        return None
    return loaded.referee.request_for((seat or eye) if row.status == "active" else PUBLIC)


def state(row: GameRow, loaded: LoadedGame, eye: Eye, seat: str | None) -> dict[str, Any]:
    """What goes with every message that changes a view; `seat`: whose request and take-backs it brings."""
    referee = loaded.referee
    return {"seq": row.seq, "request": request_for(row, loaded, eye, seat), "digest": referee.views.digest[eye],
            "take_back": None if seat is None else undo.offer(row, loaded.tail, seat, referee.asked)}  # fmt: skip


def view(row: GameRow, loaded: LoadedGame, eye: Eye, seat: str | None) -> dict[str, Any]:
    """The whole view of an eye with its request."""
    return {"view": loaded.referee.views.whole(eye, row.seq), **state(row, loaded, eye, seat)}


def news(row: GameRow, loaded: LoadedGame, eye: Eye, seat: str | None, told: Sequence[ToldEntry]) -> dict[str, Any]:
    """The message about these entries; after a take-back or patch it brings the whole view."""
    entries = [entry.seen_by(eye) for entry in told]
    back = [step["data"]["to"] for entry in told if entry.kind in ("take_back", PATCH) for step in entry.told[eye]]
    if back:
        return {"type": "taken_back", "to": min(back), "entries": entries, **view(row, loaded, eye, seat)}
    return {"type": "told", "entries": entries, **state(row, loaded, eye, seat)}
