"""Dice and draws that a file lays out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from app.lab.wrong import Wrong
from rules.core.chance import Chance
from rules.core.procedure import Roll
from rules.core.record import Entry
from rules.core.referee import SPARE, Referee
from rules.core.title import Title
from rules.core.view import Views
from rules.mechanics.written import Impossible, name


class OutOfDice(Exception):
    """A roll or draw is due that the file does not lay out."""

    def __init__(self, asked: Roll) -> None:
        super().__init__(asked.why)
        self.asked = asked


class Dice(Chance):
    """The rolls and draws of a file, each in order. A face is written as it is printed; several dice that fall at once
    are a list, or one after another; a draw is the name of what is drawn, or its place from 0. `gate` is asked first,
    with the roll that is due."""

    def __init__(self, rolls: Sequence[Any], draws: Sequence[Any], gate: Callable[[Roll], None]) -> None:
        super().__init__(b"")
        self.rolls, self.draws, self.gate = list(rolls), list(draws), gate
        self.asked: Roll | None = None  # set by the referee before it asks

    def next(self, low: int, high: int, dice: int = 1) -> tuple[int, tuple[int, ...]]:
        """The number of the roll and its faces. Raises OutOfDice when none is left, Wrong for one there is not."""
        asked = self.asked
        assert asked is not None
        if not (self.draws if asked.kind == "draw" else self.rolls):
            raise OutOfDice(asked)
        self.gate(asked)
        faces = (self._drawn(asked),) if asked.kind == "draw" else self._faces(low, high, dice)
        self.made += 1
        return self.made - 1, faces

    def _faces(self, low: int, high: int, dice: int) -> tuple[int, ...]:
        given = self.rolls.pop(0)
        faces = given if isinstance(given, list) else [given, *self.rolls[: dice - 1]]
        if not isinstance(given, list):
            del self.rolls[: dice - 1]
        if len(faces) != dice or any(type(face) is not int or not low <= face <= high for face in faces):
            raise Wrong("lab.no_face", n=self.made + 1, given=str(given), low=low, high=high, dice=dice)
        return tuple(faces)

    def _drawn(self, asked: Roll) -> int:
        given = self.draws.pop(0)
        if type(given) is int and asked.low <= given <= asked.high:
            return given
        try:
            return list(asked.of).index(name(given, asked.of, "drawn"))
        except Impossible as bad:
            raise Wrong(bad.key, bad.clause, **bad.args_) from bad


class LabReferee(Referee):
    """A referee whose dice know what they are asked for. `gap`: the position as it was last at rest between two
    segments, after entry `gap_seq`; `rests` while nothing has been answered or rolled since."""

    chance: Dice

    def __init__(self, title: Title, pos: Any, seq: int, chance: Chance, spare: int = SPARE,
                 views: Views | None = None) -> None:
        super().__init__(title, pos, seq, chance, spare, views)
        self.gap, self.gap_seq, self.rests = self.newest.state, seq, True

    def _boundary(self) -> None:
        super()._boundary()
        self.gap, self.gap_seq, self.rests = self.title.encode(self.pos), self.seq, True

    def _patch(self, entry: Entry) -> None:
        super()._patch(entry)
        self.gap, self.gap_seq, self.rests = self.newest.state, self.seq, True

    def _enter(self, entry: Entry) -> None:
        super()._enter(entry)
        self.rests = False

    def opened(self) -> list[Entry]:
        """Runs to the first request; what came of it."""
        self.begin()
        return self.drain()

    def so_far(self) -> list[Entry]:
        """The entries made up to a roll that never fell, with what was told."""
        self._settle()
        return self.drain()

    def _roll(self, asked: Roll) -> tuple[int, ...]:
        self.chance.asked = asked
        return super()._roll(asked)
