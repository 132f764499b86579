"""The record: append-only entries, and what of it a seat may take back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.core.events import Told
from rules.core.seats import Seat

CHANCE = ("roll", "draw")
PLAYED = ("answer", *CHANCE)
PATCH = "patch"  # somebody who looks after the site corrected the position (rules.core.patch)
RERUN = (*PLAYED, PATCH)  # what a re-run reads; it passes over all other kinds


@dataclass(slots=True)
class Entry:
    """One row: an answer (perhaps forced), a roll, a draw; `start`, `resign`, `take_back`, `patch` and the like."""

    seq: int
    kind: str
    seat: Seat | None = None
    clause: str = ""
    answer: Any = None
    forced: bool = False
    roll_no: int | None = None
    reveals: bool = False
    commits: bool = False
    told: Told = field(default_factory=dict)
    rules_version: str = ""

    @property
    def dice(self) -> dict[str, int] | None:
        """Which dice a roll or draw was made with."""
        return dice_of(self.answer) if self.kind in CHANCE else None

    @property
    def settles(self) -> bool:
        """Nothing up to here can be taken back without consent."""
        return self.kind in CHANCE or self.reveals or self.commits


def dice_of(thrown: Any) -> dict[str, int] | None:
    """Lowest and highest face and number of dice of a stored roll, without what fell; None where its record does not
    say (they counted from 0 once)."""
    if not isinstance(thrown, dict):
        return None
    return {"low": thrown["low"], "high": thrown["high"], "n": len(thrown["faces"])}


def free_from(line: Sequence[Entry], seat: Seat, asked: Sequence[Seat]) -> int | None:
    """The earliest entry `seat` may take back without asking: along its own entries and those forced, to the last
    roll, draw, reveal, closed phase or question to the other. None when there is nothing to take back freely.

    `line` holds the entries that stand (not retracted), oldest first; `asked` the seats the game waits for.
    """
    if seat not in asked:
        return None
    earliest = None
    for entry in reversed(line):
        if entry.kind not in PLAYED:
            if entry.kind == "start":
                break
            continue
        if entry.settles or (entry.seat != seat and not entry.forced):
            break
        if entry.seat == seat and not entry.forced:
            earliest = entry.seq
    return earliest


def steps_back(line: Sequence[Entry], seat: Seat, first: int | None) -> list[int]:
    """The own unforced entries from `first` on, newest first: the places a take-back can go to."""
    return [e.seq for e in reversed(line)
            if first is not None and e.seq >= first and e.seat == seat and e.kind == "answer" and not e.forced]
