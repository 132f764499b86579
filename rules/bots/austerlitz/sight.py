"""What a side sees, in a shape to think with: counters as they stand, read from its own fragments and the printed
data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.maps.hexes import FACINGS
from rules.titles.austerlitz.formations import DISORDER, ROUTED, Around
from rules.titles.austerlitz.game import Game
from rules.titles.austerlitz.units import LETTERS, Unit

MORALE = {"shaken": 1, "unsteady": 2, "routed": 3}


@dataclass(frozen=True)
class Troop:
    """A counter on the map. `level` of morale is 0 for good to 3 for routed."""

    id: str
    unit: Unit
    at: str
    tail: str | None
    form: str
    facing: int
    strength: int
    level: int
    blown: bool
    broken: bool

    @property
    def hexes(self) -> tuple[str, ...]:
        return (self.at,) if self.tail is None else (self.at, self.tail)


class Sight:
    """One side's picture of the field. `own` and `foes`: counters by id; `stacks`: hex -> ids, top first."""

    def __init__(self, game: Game, fragments: Mapping[str, Any], side: str) -> None:
        self.game, self.side = game, side
        self.own: dict[str, Troop] = {}
        self.foes: dict[str, Troop] = {}
        self.stacks: dict[str, list[str]] = {}
        for key, content in fragments.items():
            if content is None or not key.startswith("space:") or not content.get("units"):
                continue
            hex_ = key.removeprefix("space:")
            self.stacks[hex_] = [u["id"] for u in content["units"]]
            for told in content["units"]:
                troop = self._troop(told, hex_)
                if troop.at == hex_:
                    (self.own if troop.unit.side == side else self.foes)[troop.id] = troop

    def _troop(self, told: Mapping[str, Any], hex_: str) -> Troop:
        unit, badges = self.game.units[told["id"]], told["badges"]
        on = told.get("on", [hex_])
        form = DISORDER if told["formation"] == ROUTED else told["formation"]
        return Troop(told["id"], unit, on[0], on[1] if len(on) > 1 else None, form, FACINGS.index(told["facing"]),
                     unit.strength - told.get("lost", 0), max((MORALE.get(b, 0) for b in badges), default=0),
                     any(b.startswith("blown") for b in badges), "breakpoint" in badges)

    def arcs(self, troop: Troop) -> Around:
        return self.game.ground.arcs(troop.at, troop.tail, ROUTED if troop.level == 3 else troop.form, troop.facing)

    def gap(self, a: str, b: str) -> int:
        return self.game.board.distance(a, b)

    def power(self, troop: Troop, form: str | None = None) -> float:
        """What a volley of it is worth: more for a better letter, in line, of foot; guns at a mean range."""
        if troop.unit.fire is None or troop.level == 3:
            return 0.0
        letter = LETTERS.index(troop.unit.fire) - ((form or troop.form) == "line") + troop.broken
        return max(0.2, 1.5 - 0.25 * letter)
