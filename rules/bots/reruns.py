"""Games loaded anew beside the one that is played: as it is now, and from the beginning of its phase by the record."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from rules.core.chance import Chance
from rules.core.record import Entry
from rules.core.referee import Checkpoint, Referee
from rules.core.view import Views


def resume(referee: Referee, point: Checkpoint, entries: Sequence[Entry], views: Views | None = None) -> Referee:
    """The game of `referee` from a checkpoint and the entries since, with its dice and numbers. `views`: those of the
    checkpoint. Raises OutOfStep."""
    return Referee.resume(referee.title, referee.game, point, referee.title.schema, entries,
                          Chance(referee.chance.key, referee.chance.made), referee.seq, spare=0, views=views)


class Copies:
    """Copies of a game as it is, each loaded from its newest checkpoint with the entries of the open segment. One that
    is only looked at is the same for all; the views of the checkpoint are made once for all."""

    def __init__(self, referee: Referee, opened: Sequence[Entry]) -> None:
        self.referee, self.opened = referee, opened
        self._idle: Referee | None = None

    @cached_property
    def _views(self) -> Views:
        title, newest = self.referee.title, self.referee.newest
        views = Views(title.view, title.decode(self.referee.game, newest.state, title.schema),
                      self.referee.seating.sides)
        assert views.digest  # summed up before it is copied
        return views

    def look(self) -> Referee:
        """One on which nobody has played, to be looked at. Raises OutOfStep."""
        if self._idle is None:
            self._idle = resume(self.referee, self.referee.newest, self.opened, self._views)
        return self._idle

    def play(self) -> Referee:
        """The same, to be played on: nobody else gets it any more. Raises OutOfStep."""
        found, self._idle = self.look(), None
        return found

    def otherwise(self, state: bytes) -> Referee:
        """The game as it would be if its newest checkpoint had been another one. Raises OutOfStep."""
        newest = self.referee.newest
        return resume(self.referee, Checkpoint(newest.seq, newest.phase, state), self.opened)


class Rerun:
    """A game that is run again from the first checkpoint of a phase, through the entries that stand, and only onwards:
    through each of them once. `seq` is the last of them, `compared` those after which it was compared."""

    def __init__(self, point: Checkpoint) -> None:
        self.point, self.seq = point, point.seq
        self.compared: set[int] = set()
        self._game: Referee | None = None

    def on(self, referee: Referee, entries: Sequence[Entry]) -> Referee:
        """The game of `referee` after these entries, the next that stand. Raises OutOfStep."""
        if self._game is None:
            self._game = Referee.resume(referee.title, referee.game, self.point, referee.title.schema, entries,
                                        Chance(None))
        else:
            self._game.follow(entries)
        self._game.drain_phases()
        if entries:
            self.seq = entries[-1].seq
        return self._game
