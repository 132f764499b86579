"""What must hold at every entry of any game of any title, checked while bots play it (docs/bots.md)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from random import Random
from typing import Any

import orjson

from rules.bots.leaks import difference, non_interference
from rules.bots.reruns import Copies, Rerun, resume
from rules.core.record import Entry, free_from, steps_back
from rules.core.referee import Checkpoint, Referee, standing
from rules.core.title import Title
from rules.core.view import Views

SEQ = attrgetter("seq")
KEPT = 8  # answers after which the newest checkpoint is kept


class Broken(AssertionError):
    """Something that must hold does not."""


def same(what: str, one: Any, other: Any) -> None:
    """Raises Broken, with the first place where the two differ, unless both are the same JSON."""
    if orjson.dumps(one, option=orjson.OPT_SORT_KEYS) != orjson.dumps(other, option=orjson.OPT_SORT_KEYS):
        raise Broken(f"{what}: {difference(one, other)}")


@dataclass(frozen=True, slots=True)
class Shot:
    """What there was before an entry: the position, every eye's digest, and the request of each seat and
    eye (but for its number)."""

    state: bytes
    digests: dict[str, int]
    requests: dict[str, Any]

    @staticmethod
    def of(referee: Referee) -> Shot:
        requests = {}
        for who in dict.fromkeys((*referee.seating.seats, *referee.views.eyes)):
            request = referee.request_for(who)
            requests[who] = None if request is None else {k: v for k, v in request.items() if k != "seq"}
        return Shot(referee.title.encode(referee.pos), dict(referee.views.digest), requests)

    def compare(self, what: str, other: Shot) -> None:
        """Raises Broken."""
        same(f"{what}, digest", self.digests, other.digests)
        same(f"{what}, request", self.requests, other.requests)
        if self.state != other.state:
            same(f"{what}, position", orjson.loads(self.state), orjson.loads(other.state))
            raise Broken(f"{what}: the same position in another order of its keys")


class Checker:
    """Watches one game. Every answer: invariants, options, changes as told; every `every`-th: all the rest."""

    def __init__(self, title: Title, seed: int, every: int = 1) -> None:
        self.title, self.every = title, every
        self.rng = Random(f"check {seed}")
        self.count = 0
        self.line: list[Entry] = []
        self.points: list[Checkpoint] = []
        self.newest: deque[Checkpoint] = deque(maxlen=KEPT)  # of the last answers, those at the end of each
        self.shots: dict[int, Shot] = {}
        self.screens: dict[str, dict[str, Any]] = {}
        self.loaded: Referee | None = None
        self.rerun: Rerun | None = None
        self.done = dict.fromkeys(("loads", "take_backs", "scrambles"), 0)

    def begin(self, referee: Referee, made: Sequence[Entry]) -> None:
        """The start of the game."""
        self._look_afresh(referee)
        self._note(referee, made)
        self._options(referee)

    def after(self, referee: Referee, made: Sequence[Entry]) -> Referee:
        """Check what one answer made. The referee that is to go on: another one after a take-back."""
        self.count += 1
        self._note(referee, made)
        self.title.invariants(referee.pos)
        self._options(referee)
        self._told(made)
        self._as_loaded(referee, made)
        if (self.count + 1) % self.every:
            return referee
        self._fresh(referee)
        copies = Copies(referee, self._stands(referee.newest.seq))
        self._load(copies)
        for seat in referee.seating.seats:
            non_interference(copies, seat, self.rng)
            self.done["scrambles"] += 1
        going_on = self._take_back(referee)
        if going_on is referee:
            self.loaded = copies.play()
        self._forget()
        return going_on

    # -- the record ----------------------------------------------------------------------------------------

    def _note(self, referee: Referee, made: Sequence[Entry]) -> None:
        self.line += made
        self.points += referee.drain_phases()
        self.newest.append(referee.newest)
        if self._wanted(referee):
            self.shots[referee.seq] = Shot.of(referee)

    def _wanted(self, referee: Referee) -> bool:
        """Whether somebody may ask later for what there is now: at a check of everything, one answer on when a loaded
        game has got that too, before the last two answers, to which a game may go back, and where a free run can
        begin: it goes on through a seat's own answers, until something settles or somebody else answers."""
        last = self.line[-1]
        return (self.every < 5 or (self.count + 1) % self.every in (0, 1, self.every - 1, self.every - 2)
                or last.kind != "answer" or last.settles or last.forced or referee.asked != (last.seat,))

    def _stands(self, after: int, before: int | None = None) -> list[Entry]:
        """The entries that stand after one, and before one."""
        end = None if before is None else bisect_left(self.line, before, key=SEQ)
        return self.line[bisect_right(self.line, after, key=SEQ):end]

    def _shot_before(self, seq: int) -> Shot:
        return self.shots[self.line[bisect_left(self.line, seq, key=SEQ) - 1].seq]

    def _forget(self) -> None:
        """No free run goes back behind what settled last."""
        settled = next(e.seq for e in reversed(self.line) if e.settles or e.kind == "start")
        self.shots = {seq: shot for seq, shot in self.shots.items() if seq >= settled}

    # -- single checks -------------------------------------------------------------------------------------

    def _options(self, referee: Referee) -> None:
        if not referee.pending and referee.pos.result is None:
            raise Broken("nobody is asked and the game has no result")
        for seat, request in referee.pending.items():
            if not request.forms:
                raise Broken(f"{seat} is asked {request.prompt} and has no form")
            for form in request.forms:
                if wrong := form.wrong():
                    raise Broken(f"form {form.name} of {request.prompt}: {wrong}")

    def _told(self, made: Sequence[Entry]) -> None:
        """Every eye's screen, changed by what it was told."""
        for entry in made:
            for eye, steps in entry.told.items():
                for step in steps:
                    for key, content in step["fragments"].items():
                        if content is None:
                            self.screens[eye].pop(key, None)
                        else:
                            self.screens[eye][key] = content

    def _fresh(self, referee: Referee) -> None:
        views = Views(self.title.view, referee.pos, referee.seating.sides)
        for eye in views.eyes:
            same(f"view of {eye}, changed as told and fresh", self.screens[eye], views.contents[eye])
            if views.digest[eye] != referee.views.digest[eye]:
                raise Broken(f"digest of {eye} does not follow the changes")

    def _look_afresh(self, referee: Referee) -> None:
        self.screens = {eye: dict(referee.views.contents[eye]) for eye in referee.views.eyes}

    def _load(self, copies: Copies) -> None:
        """Save, load, re-run; what is loaded then gets the next answer too."""
        referee, loaded = copies.referee, copies.look()
        self.shots[referee.seq].compare("after loading", Shot.of(loaded))
        same("newest checkpoint after loading", referee.newest.state.decode(), loaded.newest.state.decode())
        self.done["loads"] += 1

    def _as_loaded(self, referee: Referee, made: Sequence[Entry]) -> None:
        if self.loaded is None:
            return
        seat = made[0].seat
        assert seat is not None
        again = self.loaded.answer(seat, made[0].answer)
        fields = Entry.__dataclass_fields__
        same("entries of a loaded game", [{f: getattr(e, f) for f in fields} for e in made],
             [{f: getattr(e, f) for f in fields} for e in again])
        self.shots[referee.seq].compare("a loaded game, one answer on", Shot.of(self.loaded))
        self.loaded = None

    def _take_back(self, referee: Referee) -> Referee:
        """The whole free run comes back in a re-run; then the game goes on from a step or two back."""
        for seat in referee.asked:
            first = free_from(self.line, seat, referee.asked)
            if first is None:
                continue
            self._run_again(referee, first)
            self.done["take_backs"] += 1
            steps = steps_back(self._stands(first - 1), seat, first)
            if self.rng.random() < 0.5:
                return self._back_to(referee, self.rng.choice(steps[:2]))
        return referee

    def _run_again(self, referee: Referee, first: int) -> None:
        """The game is run again to before `first`, from its newest checkpoint or from the beginning of the phase: it is
        as it was. It runs through what stands only once; what it has been compared at would only be the same again."""
        shot = self._shot_before(first)
        if referee.newest.seq < first:
            again = resume(referee, referee.newest, self._stands(referee.newest.seq, first))
            shot.compare(f"taken back to {first}", Shot.of(again))
            return
        point, before = max((p for p in self.points if p.seq < first), key=SEQ), self._stands(0, first)[-1].seq
        if self.rerun is None or self.rerun.point is not point or (
                before < self.rerun.seq and before not in self.rerun.compared):
            self.rerun = Rerun(point)
        if before not in self.rerun.compared:
            again = self.rerun.on(referee, self._stands(self.rerun.seq, first))
            shot.compare(f"taken back to {first}", Shot.of(again))
            self.rerun.compared.add(before)

    def _back_to(self, referee: Referee, goal: int) -> Referee:
        """The game taken back to before `goal`: from the newest checkpoint before it, as a server does it; by a re-run
        of the phase it is the same. The line is cut off there."""
        if referee.newest.seq >= goal:
            self._run_again(referee, goal)
        point = max((p for p in (*self.points, *self.newest, referee.newest) if p.seq < goal), key=SEQ)
        taken = resume(referee, point, self._stands(point.seq, goal))
        taken.drain_phases()
        self._shot_before(goal).compare(f"taken back to {goal}", Shot.of(taken))
        self.line = standing(self.line, goal)
        self.points = [p for p in self.points if p.seq < goal]
        self.newest = deque((p for p in self.newest if p.seq < goal), KEPT)
        if self.rerun is not None and self.rerun.seq >= goal:
            self.rerun = None
        self._look_afresh(taken)
        return taken
