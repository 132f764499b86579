"""A board in memory: its referee at one node, what was told on the way, and dice that fall or are laid."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from app import timing
from app.boards.tree import Node, Root, entries, line, since_root
from app.errors import Refused
from app.games.play import refused
from app.games.told import LoadedGame, ToldEntry
from app.lab.dice import Dice, LabReferee, OutOfDice
from app.lab.wrong import Wrong
from rules.core.errors import Refusal
from rules.core.procedure import Roll
from rules.core.record import Entry
from rules.core.referee import Checkpoint
from rules.core.seats import ALL
from rules.core.title import Title


class Fallen(Dice):
    """Dice that fall by chance when none are laid."""

    def __init__(self) -> None:
        super().__init__([], [], lambda _: None)

    def next(self, low: int, high: int, dice: int = 1) -> tuple[int, tuple[int, ...]]:
        self.made += 1
        return self.made - 1, tuple(low + secrets.randbelow(high - low + 1) for _ in range(dice))


class Laid(Dice):
    """Dice that one lays by hand, in order; raises OutOfDice for one that is not laid yet."""

    def __init__(self, faces: Sequence[Any]) -> None:
        super().__init__(list(faces), [], lambda _: None)

    def next(self, low: int, high: int, dice: int = 1) -> tuple[int, tuple[int, ...]]:
        assert self.asked is not None
        if not self.rolls:
            raise OutOfDice(self.asked)
        given = self.rolls.pop(0)
        faces = tuple(given) if isinstance(given, list) else (given,)
        if len(faces) != dice or any(type(face) is not int or not low <= face <= high for face in faces):
            raise Refused("boards.no_face", given=str(given), low=low, high=high, dice=dice)
        self.made += 1
        return self.made - 1, faces


class Told(Dice):
    """The dice and draws that an example lays out; when they are at their end, by chance."""

    def __init__(self, rolls: Sequence[Any], draws: Sequence[Any]) -> None:
        super().__init__(rolls, draws, lambda _: None)

    def next(self, low: int, high: int, dice: int = 1) -> tuple[int, tuple[int, ...]]:
        assert self.asked is not None
        if self.draws if self.asked.kind == "draw" else self.rolls:
            return super().next(low, high, dice)
        return Fallen().next(low, high, dice)


@dataclass
class Due:
    """A roll that waits for its faces."""

    asked: Roll

    def as_json(self) -> dict[str, Any]:
        roll = self.asked
        return {"kind": roll.kind, "why": roll.why, "clause": roll.clause, "low": roll.low, "high": roll.high,
                "dice": roll.dice, "of": list(roll.of)}  # fmt: skip


def opened(title: Title, pos: Any, dice: Dice) -> tuple[Checkpoint, Node]:
    """The first position of a board and its first node, with what rolls before anybody is asked."""
    referee = LabReferee(title, pos, 1, dice)
    root = referee.newest
    made = referee.opened()
    return root, Node(0, None, tuple(made), rests=referee.rests)


@dataclass
class Table:
    """`told`: the entries up to node `at`, with what all eyes were told. `broken`: an answer stopped half-way, and this
    table is of no more use."""

    referee: LabReferee
    at: int
    told: list[Entry] = field(default_factory=list)
    broken: bool = False

    @classmethod
    def set_up(cls, title: Title, game: Any, root: bytes, schema: int, nodes: Sequence[Node], at: int) -> "Table":
        """A board re-run to a node. Raises NotFound, OutOfStep."""
        way = since_root(line(nodes, at))
        begun = way[0].root or Root(schema, root)
        made = [replace(entry) for entry in entries(way)]
        point = Checkpoint(1, "", begun.state)
        referee = LabReferee.resume(title, game, point, begun.schema, made, Fallen(), keep=True)
        assert isinstance(referee, LabReferee)
        return cls(referee, at, referee.drain())

    def answer(self, seat: str | None, said: Any, dice: Dice) -> list[Entry] | Due:
        """What an answer of a seat (None: the one that is asked) brought, or the roll that waits for its faces where
        dice are laid. Raises Refused."""
        referee = self.referee
        referee.chance, self.broken = dice, True
        try:
            made = referee.answer(self.seat(seat), said)
        except OutOfDice as out:
            return Due(out.asked)
        except Refusal as refusal:
            self.broken = False
            raise refused(refusal, referee.title.id) from refusal
        except Wrong as wrong:
            raise Refused(wrong.key, clause=wrong.clause or None, **wrong.args_) from wrong
        self.told += made
        self.broken = False
        return made

    @property
    def loaded(self) -> LoadedGame:
        """As what games ask for what an answer would do."""
        return LoadedGame(self.referee, [], self.referee.seq, self.referee.seq, None, None)

    def seat(self, seat: str | None) -> str:
        """The seat that is meant: the one that is asked, unless one is named."""
        return seat or next(iter(self.referee.asked), "")

    def state(self) -> dict[str, Any]:
        """What goes with every message: of the seat that is asked, or the first of them."""
        referee = self.referee
        asked = next(iter(referee.asked), None)
        request = None if referee.pos.result is not None else referee.request_for(asked or ALL)
        return {"seq": referee.seq, "request": request, "digest": referee.views.digest[ALL], "take_back": None,
                "draft": None, "node": self.at, "rests": self.referee.rests}  # fmt: skip

    def view(self) -> dict[str, Any]:
        return {"view": self.referee.views.whole(ALL, self.referee.seq), **self.state()}


def shown(made: Sequence[Entry]) -> list[dict[str, Any]]:
    """Entries as the eye that sees all was told them."""
    return [ToldEntry(one.seq, timing.now(), one.seat, one.kind, one.clause, False, one.forced, one.dice, one.told)
            .seen_by(ALL) for one in made]  # fmt: skip
