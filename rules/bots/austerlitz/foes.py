"""The enemy as he stands: whom he sees, whom he threatens, how far he is. Worked out once for as long as none of his
counters changes, which is most of an activation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from rules.titles.austerlitz.board import Board
from rules.titles.austerlitz.formations import ROUTED, Around
from rules.titles.austerlitz.game import Game
from rules.titles.austerlitz.units import Unit

FAR = 99


@dataclass(frozen=True, slots=True)
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


@lru_cache(maxsize=64)
def away(board: Board, hexes: frozenset[str]) -> dict[str, int]:
    """Hexes to the nearest of these, by hex; empty without any."""
    found, edge, n, around = dict.fromkeys(hexes, 0), sorted(hexes), 0, board.map.neighbours
    while edge:
        n, following = n + 1, []
        for here in edge:
            for there in around[here]:
                if there not in found:
                    found[there] = n
                    following.append(there)
        edge = following
    return found


class Foes:
    """The enemy's counters by id. `worth` keeps what stances are worth against him, `still` the own units that were
    found to stand best where they are, with all that this hangs on."""

    def __init__(self, game: Game, troops: Mapping[str, Troop]) -> None:
        self.game, self.troops = game, dict(troops)
        self.worth: dict[Any, float] = {}
        self.still: set[Any] = set()
        self._arcs: dict[str, Around] = {}
        self._around: dict[tuple[str, int], list[Troop]] = {}

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
        return away(self.game.board, frozenset(h for t in self.troops.values() if t.level < 3 for h in t.hexes))

    @cached_property
    def at(self) -> dict[str, list[Troop]]:
        """Enemies by the hexes they stand in."""
        found: dict[str, list[Troop]] = {}
        for foe in self.troops.values():
            for hex_ in foe.hexes:
                found.setdefault(hex_, []).append(foe)
        return found

    def marks(self, hexes: Iterable[str]) -> list[Troop]:
        """Enemies in any of some hexes."""
        return list({t.id: t for h in hexes for t in self.at.get(h, ())}.values())

    def around(self, hex_: str, radius: int) -> list[Troop]:
        """Enemies whose first hex lies at most so far off."""
        known = self._around.get((hex_, radius))
        if known is None:
            distance = self.game.board.distance
            known = self._around[hex_, radius] = [] if self._away_all.get(hex_, FAR) > radius else [
                t for t in self.troops.values() if distance(hex_, t.at) <= radius]
        return known

    @cached_property
    def _away_all(self) -> dict[str, int]:
        return away(self.game.board, frozenset(t.at for t in self.troops.values()))

    @cached_property
    def threats(self) -> dict[str, list[Troop]]:
        """Hexes in the front of enemy foot and guns that can fire, by hex."""
        found: dict[str, list[Troop]] = {}
        for foe in self.troops.values():
            if foe.level < 3 and not foe.unit.mounted:
                for hex_ in self.arcs(foe).front:
                    found.setdefault(hex_, []).append(foe)
        return found

    @cached_property
    def fired_on(self) -> dict[str, int]:
        """How many enemies on foot or guns have a hex in their front."""
        found: dict[str, int] = {}
        for foe in self.troops.values():
            if not foe.unit.mounted:
                for hex_ in self.arcs(foe).front:
                    found[hex_] = found.get(hex_, 0) + 1
        return found


MOST_KEPT = 6
_kept: dict[tuple[object, tuple[int, ...]], Foes] = {}  # by the game and the counters' identity, as Foes holds them


def foes_of(game: Game, troops: Mapping[str, Troop]) -> Foes:
    """The enemy that consists of these counters, the same one for the same counters."""
    key = game, tuple(map(id, troops.values()))
    found = _kept.get(key)
    if found is None:
        while len(_kept) >= MOST_KEPT:
            del _kept[next(iter(_kept))]
        found = _kept[key] = Foes(game, troops)
    return found
