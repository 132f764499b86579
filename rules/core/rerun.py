"""The re-run of a record: what of it is still to come, and whether it fits what the rules ask."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from rules.core.errors import OutOfStep, Refusal
from rules.core.procedure import Roll
from rules.core.record import PATCH, RERUN, Entry
from rules.core.request import Request
from rules.core.seats import Seat


class Feed:
    """Entries that answer what the rules ask, in their order; empty while a game is played. When it is `strict`,
    nothing may be rolled or forced that the record has not. Whatever does not fit raises OutOfStep."""

    def __init__(self) -> None:
        self.entries: deque[Entry] = deque()
        self.strict = False

    def __bool__(self) -> bool:
        return bool(self.entries)

    def add(self, entries: Iterable[Entry], after: int = 0) -> None:
        """Puts in what a re-run reads of these."""
        self.entries.extend(e for e in entries if e.seq > after and e.kind in RERUN)

    def done(self) -> None:
        """The end of a re-run: nothing may be left."""
        self.strict = False
        if self.entries:
            raise OutOfStep(f"entry {self.entries[0].seq} answers nothing the rules ask")

    def seq(self, newest: int) -> int:
        """The number of the entry that is made next; the record's own, when it comes from there."""
        return max(newest + 1, self.entries[0].seq) if self.entries else newest + 1

    def take(self) -> Entry:
        """The next entry is made."""
        return self.entries.popleft()

    @property
    def patch(self) -> Entry | None:
        """The next entry, when it is a patch."""
        return self.entries[0] if self.entries and self.entries[0].kind == PATCH else None

    def rolled(self, asked: Roll) -> tuple[Entry, tuple[int, ...]] | None:
        """The next entry as a roll or draw, and its faces; None where the dice are to be thrown."""
        if not self.entries:
            if self.strict:
                raise OutOfStep(f"the rules roll for {asked.why} where the record ends")
            return None
        entry = self.entries[0]
        try:
            if entry.kind != asked.kind:
                raise ValueError(f"a {entry.kind}")
            return entry, asked.faces(entry.answer)
        except ValueError as wrong:
            raise OutOfStep(f"entry {entry.seq} is no {asked.kind} for {asked.why}: {wrong}") from wrong

    def forced(self, seat: Seat, request: Request) -> bool:
        """Whether the one answer that a seat has comes from the record; if not, it is to be given."""
        if not self.entries:
            if self.strict:
                raise OutOfStep(f"the rules answer {request.prompt} for {seat} where the record ends")
            return False
        if self.entries[0].seat != seat or not self.entries[0].forced:
            raise OutOfStep(f"entry {self.entries[0].seq} is not the one answer {seat} had")
        return True

    def seat(self, pending: Mapping[Seat, Request], answered: Collection[Seat]) -> Seat:
        """Whose answer comes next, of those asked."""
        by = self.entries[0].seat
        if by is None or by not in pending or by in answered:
            raise OutOfStep(f"entry {self.entries[0].seq} comes from a seat that is not asked")
        return by

    def answer(self, request: Request) -> dict[str, Any]:
        """The next entry as an answer to a request, in its canonical shape."""
        entry = self.entries[0]
        if entry.kind != "answer":
            raise OutOfStep(f"entry {entry.seq} is a {entry.kind}, the rules ask {request.prompt}")
        try:
            return request.check(entry.answer)
        except Refusal as refusal:
            raise OutOfStep(f"entry {entry.seq}: {refusal}") from refusal
