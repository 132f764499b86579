"""6.4.2 Rout of one's own will."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar

from rules.core.forms import Allocate, Answer, Choose, Option, label
from rules.core.procedure import Procedure
from rules.core.sealed import sealed
from rules.titles.austerlitz.lots import lot
from rules.titles.austerlitz.morale import Trouble, lower, settle
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.units import GOOD, ROUT, enemy


@sealed
class Runaways(Allocate):
    """Units that are let rout; a random player seldom does it."""

    weight: ClassVar[float] = 0.01

    def sample(self, rng: Random) -> Answer | None:
        return {"form": self.name, "lots": {"rout": [rng.choice(self.lots[0].units)]}}


@sealed
class Steadfast(Choose):
    """A choice of which one option is to run; a random player seldom takes it."""

    def sample(self, rng: Random) -> Answer | None:
        able = self.options if rng.random() < 0.03 else [o for o in self.options if o.id != "rout"]
        return self._answer(rng.choice(able).id)


def runaways(pos: Position, side: str) -> tuple[Runaways, ...]:
    """6.4.2 In the movement and combat of an activation of its own a side may let any of its units rout; guns never
    do."""
    able = sorted(u for u, h in pos.at.items() if ":" not in h and pos.unit(u).side == side and not pos.unit(u).guns
                  and not pos.routed(u))
    return (Runaways("rout", "6.4.2", "choose", (lot("rout", tuple(able), 1, len(able)),)),) if able else ()


def option() -> Option:
    """6.4.2 The same for a unit that is asked about in the other side's combat."""
    return Option("rout", "6.4.2", label("option.let_rout"))


def let_rout(pos: Position, units: Sequence[str]) -> Procedure[None]:
    """6.4.2, 9.2.4 Each of these routs, those of a stack together, with all that follows from it."""
    going = [u for u in units if pos.on_map(u) and not pos.routed(u)]
    for hex_ in dict.fromkeys(pos.at[u] for u in going):
        stack = [u for u in going if pos.on_map(u) and pos.at[u] == hex_ and not pos.routed(u)]
        hexes = {h for u in stack for h in pos.footprint(u)}
        foe, board = enemy(pos.unit(units[0]).side), pos.game.board
        trouble = Trouble(tuple(n for h in sorted(hexes) for n in board.touching(h) if pos.holder(n) == foe))
        for unit in stack:
            yield from lower(pos, unit, ROUT - pos.morale.get(unit, GOOD), trouble)
        yield from settle(pos, trouble)
