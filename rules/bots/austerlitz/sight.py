"""What a side sees, in a shape to think with: counters as they stand, read from its own fragments and the printed
data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from rules.maps.hexes import FACINGS
from rules.titles.austerlitz.board import Board
from rules.titles.austerlitz.formations import DISORDER, ROUTED, Around
from rules.titles.austerlitz.game import Game
from rules.titles.austerlitz.units import LETTERS, Unit, enemy

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


WEARY = 6  # the fatigue at which a command rests, lest the next level cost all its units one of morale (13.3)

FAR = 99

MOST_READ = 5000
READ: dict[int, tuple[object, list[Troop]]] = {}  # contents of hexes by their identity, kept so that no other has it

SPARE = 4  # units that may still be ruined before a side thinks of nothing but rallying


@lru_cache(maxsize=16)
def away(board: Board, hexes: frozenset[str]) -> dict[str, int]:
    """Hexes to the nearest of these, by hex; empty without any."""
    found, edge, n = dict.fromkeys(hexes, 0), list(hexes), 0
    while edge:
        n += 1
        edge = list({there for here in edge for there in board.touching(here) if there not in found})
        found.update(dict.fromkeys(edge, n))
    return found


class Sight:
    """One side's picture of the field. `own` and `foes`: counters by id; `stacks`: hex -> ids, top first; `fatigue`:
    own commands that tire, by id;
    `ruined`: own units destroyed, routed or unsteady."""

    def __init__(self, game: Game, fragments: Mapping[str, Any], side: str) -> None:
        self.game, self.side = game, side
        self.own: dict[str, Troop] = {}
        self.foes: dict[str, Troop] = {}
        self.stacks: dict[str, list[str]] = {}
        self._arcs: dict[str, Around] = {}
        self._around: dict[tuple[str, int], list[Troop]] = {}
        told = fragments.get(f"table:fatigue_{side}") or {"rows": ()}
        self.fatigue = {row["label"]["key"].removeprefix("command."): int(row["value"]) for row in told["rows"]}
        losses = fragments.get(f"table:losses_{side}") or {"rows": ()}
        self.ruined = sum(int(row["value"]) for row in losses["rows"] if row["label"]["key"] == "row.ruined")
        for key, content in fragments.items():
            if content is None or not key.startswith("space:") or not content.get("units"):
                continue
            hex_ = key.removeprefix("space:")
            self.stacks[hex_] = [u["id"] for u in content["units"]]
            for troop in self._troops(content, hex_):
                (self.own if troop.unit.side == side else self.foes)[troop.id] = troop

    def _troops(self, content: Mapping[str, Any], hex_: str) -> list[Troop]:
        """The counters of a hex that stand in it with their first hex; read once, as few hexes change at a time."""
        known = READ.get(id(content))
        if known is None or known[0] is not content:
            if len(READ) > MOST_READ:
                READ.clear()
            troops = [self._troop(told, hex_) for told in content["units"]]
            known = READ[id(content)] = content, [t for t in troops if t.at == hex_]
        return known[1]

    def _troop(self, told: Mapping[str, Any], hex_: str) -> Troop:
        unit, badges = self.game.units[told["id"]], told["badges"]
        on = told.get("on", [hex_])
        form = DISORDER if told["formation"] == ROUTED else told["formation"]
        return Troop(told["id"], unit, on[0], on[1] if len(on) > 1 else None, form, FACINGS.index(told["facing"]),
                     unit.strength - told.get("lost", 0), max((MORALE.get(b, 0) for b in badges), default=0),
                     any(b.startswith("blown") for b in badges), "breakpoint" in badges)

    def arcs(self, troop: Troop) -> Around:
        known = self._arcs.get(troop.id)
        if known is None:
            known = self._arcs[troop.id] = self.game.ground.arcs(
                troop.at, troop.tail, ROUTED if troop.level == 3 else troop.form, troop.facing)
        return known

    def nearest(self, hex_: str) -> int:
        """Hexes to the nearest enemy that has not run."""
        return self._away.get(hex_, FAR)

    @cached_property
    def _away(self) -> dict[str, int]:
        return away(self.game.board, frozenset(h for t in self.foes.values() if t.level < 3 for h in t.hexes))

    @cached_property
    def foes_at(self) -> dict[str, list[Troop]]:
        """Enemies by the hexes they stand in."""
        found: dict[str, list[Troop]] = {}
        for foe in self.foes.values():
            for hex_ in foe.hexes:
                found.setdefault(hex_, []).append(foe)
        return found

    def marks(self, hexes: Iterable[str]) -> list[Troop]:
        """Enemies in any of some hexes."""
        return list({t.id: t for h in hexes for t in self.foes_at.get(h, ())}.values())

    def around(self, hex_: str, radius: int) -> list[Troop]:
        """Enemies whose first hex lies at most so far off."""
        known = self._around.get((hex_, radius))
        if known is None:
            known = self._around[hex_, radius] = [] if self._away_all.get(hex_, FAR) > radius else [
                t for t in self.foes.values() if self.gap(hex_, t.at) <= radius]
        return known

    @cached_property
    def _away_all(self) -> dict[str, int]:
        return away(self.game.board, frozenset(t.at for t in self.foes.values()))

    @cached_property
    def careful(self) -> bool:
        """A15.1 Whether so many of its units are destroyed, routed or unsteady that two or three more lose the game."""
        return any(self.ruined >= way["broken"] - SPARE for way in self.game.plan["victory"][enemy(self.side)]
                   if "broken" in way)

    def weary(self, command: str | None) -> bool:
        """13.2, 13.3 Whether a command should rest: out of combat, three hexes off."""
        return self.fatigue.get(command or "", 0) >= WEARY

    @cached_property
    def friends(self) -> dict[str, Troop]:
        """Own units by their hexes, of a stack the top one."""
        return {h: t for t in reversed(self.own.values()) for h in t.hexes}

    @cached_property
    def threats(self) -> dict[str, list[Troop]]:
        """Hexes in the front of enemy foot and guns that can fire, by hex."""
        found: dict[str, list[Troop]] = {}
        for foe in self.foes.values():
            if foe.level < 3 and not foe.unit.mounted:
                for hex_ in self.arcs(foe).front:
                    found.setdefault(hex_, []).append(foe)
        return found

    @cached_property
    def fired_on(self) -> dict[str, int]:
        """How many enemies on foot or guns have a hex in their front."""
        found: dict[str, int] = {}
        for foe in self.foes.values():
            if not foe.unit.mounted:
                for hex_ in self.arcs(foe).front:
                    found[hex_] = found.get(hex_, 0) + 1
        return found

    def gap(self, a: str, b: str) -> int:
        return self.game.board.distance(a, b)

    def power(self, troop: Troop, form: str | None = None) -> float:
        """What a volley of it is worth: more for a better letter, in line, of foot; guns at a mean range."""
        if troop.unit.fire is None or troop.level == 3:
            return 0.0
        letter = LETTERS.index(troop.unit.fire) - ((form or troop.form) == "line") + troop.broken
        return max(0.2, 1.5 - 0.25 * letter)
