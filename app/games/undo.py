"""What a seat may take back: freely along its own run, or by the opponent's consent."""

from collections.abc import Sequence
from typing import Any

from app.games.repository import GameRow
from rules.core.record import CHANCE, Entry, free_from, steps_back


def free_steps(row: GameRow, line: Sequence[Entry], seat: str, asked: Sequence[str]) -> list[int]:
    """The entries a seat may go back to without asking, the newest first."""
    if row.status != "active" or row.policy == "none":
        return []
    return steps_back(line, seat, free_from(line, seat, asked))


def by_consent(row: GameRow, line: Sequence[Entry], seat: str, asked: Sequence[str]) -> list[int]:
    """The own answers a seat may ask to take back, the newest last."""
    return _other_than(free_steps(row, line, seat, asked), row, line, seat)


def _other_than(free: Sequence[int], row: GameRow, line: Sequence[Entry], seat: str) -> list[int]:
    if row.status != "active" or row.policy != "run_and_consent":
        return []
    own = [e.seq for e in line if e.seat == seat and e.kind == "answer" and not e.forced]
    return [seq for seq in own if seq not in free and seq not in row.undo_refused]


def offer(row: GameRow, line: Sequence[Entry], seat: str, asked: Sequence[str]) -> dict[str, Any]:
    """What the take-back button of a seat would do (docs/protocol.md section 7)."""
    free = free_steps(row, line, seat, asked)
    return {"free": free[0] if free else None, "steps": free, "undoes": undone(line, free[0]) if free else [],
            "consent": _other_than(free, row, line, seat)}  # fmt: skip


def undone(line: Sequence[Entry], first: int) -> list[dict[str, Any]]:
    """The entries a take-back would undo, and whether they set off dice or showed something hidden."""
    return [{"seq": e.seq, "seat": e.seat, "kind": e.kind, "clause": e.clause, "dice": e.kind in CHANCE,
             "reveals": e.reveals} for e in line if e.seq >= first]  # fmt: skip


def changes(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The fragments that turn one view into another; None for those that are gone."""
    gone = dict.fromkeys(old.keys() - new.keys())
    return gone | {key: content for key, content in new.items() if old.get(key) != content}
