"""What must hold at every entry of any game of any title, checked while bots play it (docs/bots.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import orjson

from rules.bots.leaks import difference, non_interference
from rules.core.chance import Chance
from rules.core.record import Entry, free_from, steps_back
from rules.core.referee import Checkpoint, Referee, standing
from rules.core.title import Title
from rules.core.view import Views


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
        self.shots: dict[int, Shot] = {}
        self.screens: dict[str, dict[str, Any]] = {}
        self.loaded: Referee | None = None
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
        self._load(referee)
        for seat in referee.seating.seats:
            non_interference(referee, self._open(referee), seat, self.rng)
            self.done["scrambles"] += 1
        return self._take_back(referee)

    # -- the record ----------------------------------------------------------------------------------------

    def _note(self, referee: Referee, made: Sequence[Entry]) -> None:
        self.line += made
        self.points += referee.drain_phases()
        self.shots[referee.seq] = Shot.of(referee)

    def _open(self, referee: Referee) -> list[Entry]:
        """The entries of the open segment."""
        return [e for e in self.line if e.seq > referee.newest.seq]

    def _resume(self, referee: Referee, point: Checkpoint, entries: Sequence[Entry]) -> Referee:
        return Referee.resume(self.title, referee.game, point, self.title.schema, entries,
                              Chance(referee.chance.key, referee.chance.made), referee.seq, spare=0)

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

    def _load(self, referee: Referee) -> None:
        """Save, load, re-run; what is loaded then gets the next answer too."""
        self.loaded = self._resume(referee, referee.newest, self._open(referee))
        self.shots[referee.seq].compare("after loading", Shot.of(self.loaded))
        same("newest checkpoint after loading", referee.newest.state.decode(), self.loaded.newest.state.decode())
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
            self._back_to(referee, first)
            self.done["take_backs"] += 1
            steps = steps_back(self.line, seat, first)
            if self.rng.random() < 0.5:
                goal = self.rng.choice(steps[:2])
                taken = self._back_to(referee, goal)
                self.line = standing(self.line, goal)
                self.points = [p for p in self.points if p.seq < goal]
                self.loaded = None
                self._look_afresh(taken)
                self.shots[taken.seq] = Shot.of(taken)
                return taken
        return referee

    def _back_to(self, referee: Referee, first: int) -> Referee:
        before = standing(self.line, first)
        point = max((p for p in [*self.points, referee.newest] if p.seq < first), key=lambda p: p.seq)
        taken = self._resume(referee, point, before)
        taken.drain_phases()
        self._shot_before(before).compare(f"taken back to {first}", Shot.of(taken))
        return taken

    def _shot_before(self, before: Sequence[Entry]) -> Shot:
        return self.shots[before[-1].seq]
