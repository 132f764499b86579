"""The referee: a game in memory. It runs the segments and answers what they ask from a record (`rerun`), as long as
there is one, then from seats and dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.core.agenda import close
from rules.core.chance import Chance
from rules.core.errors import BadPosition, NotAsked, OutOfStep
from rules.core.events import Teller
from rules.core.patch import merged
from rules.core.procedure import Roll, Together
from rules.core.record import PATCH, Entry
from rules.core.request import Request
from rules.core.rerun import Feed
from rules.core.seats import Eye, Seat, Seating
from rules.core.title import Data, Title
from rules.core.view import Views

SPARE = 25  # entries: at most so many are re-run to come to the newest checkpoint, those of an open segment apart


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A position between two segments: everything up to entry `seq` is in it."""

    seq: int
    phase: str
    state: bytes


class Referee:
    """One game in memory. `pending` holds the requests the game waits for, by seat. `newest` is a checkpoint made at
    the beginning of a phase, or between two segments when `spare` entries had been made since the one before it.

    `answer` returns the entries it made, rolls and forced answers among them. DiceNotSealed, and any error but
    Refusal, leaves the referee broken: drop it and resume from the store.
    """

    def __init__(self, title: Title, pos: Any, seq: int, chance: Chance, spare: int = SPARE,
                 views: Views | None = None) -> None:
        self.spare = spare
        self.title, self.seq, self.chance = title, seq, chance
        self.game: Any = pos.game
        self.seating: Seating = pos.game.terms.seating
        self.pending: dict[Seat, Request] = {}
        self.answered: dict[Seat, dict[str, Any]] = {}
        self.newest = Checkpoint(seq, pos.phase(), title.encode(pos))
        self.phases: list[Checkpoint] = []  # first of each phase begun, or patched, since the last drain
        self.made: list[Entry] = []
        self._between: bytes | None = self.newest.state  # where a patch that comes next applies; None in a procedure
        self._feed = Feed()
        self._procedure: Any = None
        self._show(pos, views)

    def _show(self, pos: Any, views: Views | None = None) -> None:
        self.pos, pos.teller = pos, Teller()
        self.views = pos.teller.views = views.twin() if views else Views(self.title.view, pos, self.seating.sides)

    @classmethod
    def start(cls, title: Title, data: Data, scenario: str, options: Mapping[str, Any], chance: Chance,
              spare: int = SPARE, seats: Iterable[Seat] = ()) -> Referee:
        """A new game with these seats (none: the scenario's usual ones), run to its first request; entry 1 is its
        start. Raises BadPosition, DiceNotSealed."""
        return cls.at(title, title.first(data, scenario, options, seats), chance, spare)

    @classmethod
    def at(cls, title: Title, pos: Any, chance: Chance, spare: int = SPARE) -> Referee:
        """A game that starts from any position, run to its first request; entry 1 is its start. Raises DiceNotSealed
        when it rolls before that and can't."""
        referee = cls.set_up(title, pos, chance, spare)
        referee.begin()
        return referee

    @classmethod
    def set_up(cls, title: Title, pos: Any, chance: Chance, spare: int = SPARE) -> Referee:
        """A game that has not begun: it asks nobody yet."""
        referee = cls(title, pos, 1, chance, spare)
        referee.phases.append(referee.newest)
        referee.made.append(Entry(1, "start", rules_version=title.version))
        return referee

    def begin(self) -> None:
        """Runs a game that has not begun to its first request. Raises DiceNotSealed, and is broken then."""
        self._run(None)

    @classmethod
    def resume(cls, title: Title, game: Any, checkpoint: Checkpoint, schema: int,
               entries: Iterable[Entry], chance: Chance, seq: int | None = None, spare: int = SPARE,
               keep: bool = False, views: Views | None = None) -> Referee:
        """A stored game: its checkpoint and the entries since that stand. Raises OutOfStep when they do not fit.

        `seq` is the newest number given in the record, retracted entries counted. A game that rolls before it first
        asks, and of whose record there is only the start, has not begun. `views`: those of the checkpoint, where
        somebody has them.
        """
        referee = cls(title, title.decode(game, checkpoint.state, schema), checkpoint.seq, chance, spare, views)
        referee._feed.add(entries, after=checkpoint.seq)
        waits = checkpoint.seq == 1 and not referee._feed
        referee._feed.strict = True
        try:
            referee._run(None)
        except OutOfStep:
            if not waits:
                raise
            referee = cls(title, title.decode(game, checkpoint.state, schema), 1, chance, spare, views)
        referee._feed.done()
        if not keep:
            referee.made.clear()
        if seq is not None:
            referee.seq = max(seq, referee.seq)
        return referee

    @classmethod
    def patched(cls, title: Title, game: Any, checkpoint: Checkpoint, schema: int, patch: Entry, chance: Chance,
                spare: int = SPARE) -> Referee:
        """A stored game that a patch changes in the last gap between two segments after its checkpoint, before anybody
        is asked or anything rolled, run on from there. The first entry that `drain` gives is the patch. Raises
        BadPosition, and DiceNotSealed when it rolls then."""
        referee = cls(title, title.decode(game, checkpoint.state, schema), checkpoint.seq, chance, spare)
        referee._feed.add([patch])
        referee._run(None)
        if referee._feed:
            raise BadPosition("the game is over before anybody is asked")
        return referee

    def follow(self, entries: Iterable[Entry]) -> list[Entry]:
        """Entries given elsewhere since the newest here, none of them retracted. Raises OutOfStep when they do not fit,
        which leaves the referee broken."""
        self._feed.add(entries)
        self._feed.strict = True
        while self._feed and self.pending:
            if self._fed_by_seats():
                self._run(self._taken())
        self._feed.done()
        return self.drain()

    def drain(self) -> list[Entry]:
        """The entries made since the last call."""
        made, self.made = self.made, []
        return made

    def drain_phases(self) -> list[Checkpoint]:
        """The phase checkpoints made since the last call."""
        phases, self.phases = self.phases, []
        return phases

    def answer(self, seat: Seat, answer: Any) -> list[Entry]:
        """Give one answer. Raises Refusal (nothing changed) or NotAsked; returns the new entries."""
        request = self.pending.get(seat)
        if request is None or seat in self.answered:
            raise NotAsked
        clean = request.check(answer)
        self._give(seat, request, clean, forced=False)
        return self.drain()

    def withdraw(self, seat: Seat) -> None:
        """Take an own answer out of an open `together`; the caller marks its entry."""
        if seat not in self.answered:
            raise NotAsked
        del self.answered[seat]

    def request_for(self, eye: Seat | Eye) -> dict[str, Any] | None:
        """The request as a seat, or one who only looks on, may see it: a seat that is asked has its forms, partners
        and all others see who is asked for what (of several, what the first is asked). None when the game is over."""
        if not self.pending:
            return None
        asked = self.asked
        if eye in asked:
            out = self.pending[eye].offer(self.seq)
        else:
            out = self.pending[asked[0] if asked else next(iter(self.pending))].outline(self.seq)
        out["together"] = len(self.pending) > 1
        out["asked"], out["has_answered"] = [*asked], sorted(self.answered) if self.answered else []
        return out

    @property
    def asked(self) -> tuple[Seat, ...]:
        """The seats the game waits for now."""
        return tuple([s for s in self.pending if s not in self.answered] if self.answered else self.pending)

    # -- running -----------------------------------------------------------------------------------------

    def _give(self, seat: Seat, request: Request, clean: dict[str, Any], forced: bool) -> None:
        self._enter(Entry(0, "answer", seat, request.clause, clean, forced, commits=_ends(request, clean)))
        self.answered[seat] = clean
        if len(self.answered) == len(self.pending):
            self._run(self._taken())

    def _taken(self) -> Any:
        """What all asked seats answered, for the segment; nobody is asked now."""
        answers = {seat: self.answered[seat] for seat in self.pending}
        self.pending, self.answered = {}, {}
        return answers if self._together else next(iter(answers.values()))

    def _enter(self, entry: Entry) -> None:
        self._settle()
        self._between = None
        entry.seq = self.seq = self._feed.seq(self.seq)
        entry.rules_version = self.title.version
        self.made.append(entry)

    def _settle(self) -> None:
        """Give what was told so far to the entry that set it off."""
        if not self.pos.teller.told:
            return
        told, reveals = self.pos.teller.drain(self.pos)
        if self.made and told:
            last = self.made[-1]
            last.reveals |= reveals
            if not last.told:
                last.told = told
                return
            for eye, steps in told.items():
                last.told[eye].extend(steps)

    _together = False

    def _run(self, value: Any) -> None:
        """Run on until a seat must answer or the agenda is empty."""
        while True:
            if self._procedure is None:
                if not self.pos.agenda:
                    self._settle()
                    return
                name, *args = self.pos.agenda[0]
                self._procedure, value = self.title.segments[name](self.pos, *args), None
            try:
                asked = self._procedure.send(value)
            except StopIteration as stop:
                self._procedure, value = None, None
                if self.pos.result is not None:
                    self.pos.agenda.clear()
                else:
                    close(self.pos.agenda, stop.value)
                self._boundary()
                continue
            if self._feed.entries and (patch := self._feed.patch):
                self._patch(patch)
                continue
            if isinstance(asked, Roll):
                value = self._roll(asked)
                continue
            self._together = isinstance(asked, Together)
            requests = asked.requests if isinstance(asked, Together) else {asked.seat: asked}
            self.pending, self.answered = dict(requests), {}
            if self._from_record_or_forced():
                value = self._taken()
                continue
            self._settle()
            return

    def _boundary(self) -> None:
        self._settle()
        if self._feed.entries and self._feed.patch:
            self._between = self.title.encode(self.pos)
        begins = self.pos.phase() != self.newest.phase
        if begins or self.seq - self.newest.seq >= self.spare:
            self._mark(begins)

    def _mark(self, begins: bool) -> None:
        self.newest = Checkpoint(self.seq, self.pos.phase(), self.title.encode(self.pos))
        if begins:
            self.phases.append(self.newest)

    def _patch(self, entry: Entry) -> None:
        """Goes back to the gap before the procedure that runs, changes the position there and drops the procedure."""
        if self._between is None:
            raise OutOfStep(f"entry {entry.seq} is a patch within a procedure")
        state = merged(self._between, entry.answer["merge"])
        pos = self.title.decode(self.game, state, self.title.schema)
        self._enter(Entry(0, PATCH, answer=entry.answer))
        self._feed.take()
        self._procedure = None
        self._show(pos)
        self._mark(begins=True)
        self._between = self.newest.state

    def _roll(self, asked: Roll) -> tuple[int, ...]:
        found = self._feed.rolled(asked)
        if found is not None:
            entry, faces = found
            self._enter(Entry(0, asked.kind, None, asked.clause, entry.answer, roll_no=entry.roll_no))
            self._feed.take()
            return faces
        number, faces = self.chance.next(asked.low, asked.high, asked.dice)
        self._enter(Entry(0, asked.kind, None, asked.clause, asked.stored(faces), roll_no=number))
        return faces

    def _from_record_or_forced(self) -> bool:
        """Answer what can be answered without asking; True when all seats have."""
        for seat, request in self.pending.items():
            forced = request.single()
            if forced is None:
                continue
            if self._feed.forced(seat, request):
                clean = self._fed(request)
            else:
                clean = request.check(forced)
                self._enter(Entry(0, "answer", seat, request.clause, clean, forced=True))
            self.answered[seat] = clean
        return self._fed_by_seats()

    def _fed_by_seats(self) -> bool:
        """Answer what the record has for seats that are asked; True when all have."""
        while self._feed and len(self.answered) < len(self.pending):
            by = self._feed.seat(self.pending, self.answered)
            self.answered[by] = self._fed(self.pending[by])
        return len(self.answered) == len(self.pending)

    def _fed(self, request: Request) -> dict[str, Any]:
        """The answer that the record has next."""
        clean = self._feed.answer(request)
        entry = self._feed.entries[0]
        self._enter(Entry(0, "answer", entry.seat, request.clause, clean, entry.forced, commits=_ends(request, clean)))
        self._feed.take()
        return clean


def _ends(request: Request, clean: Mapping[str, Any]) -> bool:
    return request.form(clean["form"]).ends(dict(clean))


def standing(entries: Sequence[Entry], first_gone: int) -> list[Entry]:
    """The entries before `first_gone`: the line that stands after a take-back to it."""
    return [e for e in entries if e.seq < first_gone]
