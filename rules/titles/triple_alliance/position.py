"""The position: where every counter is, who holds what, and what a pencil note would say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from rules.core.agenda import Step
from rules.mechanics.counters import Counters
from rules.mechanics.stacks import shift
from rules.titles.triple_alliance.units import ALLIED, SIDES, Game, Unit, enemy

SCHEMA = 1
DEAD = {side: f"dead:{side}" for side in SIDES}
AVAILABLE = {side: f"available:{side}" for side in SIDES}
EXPEDITION = "away:matto_grosso"      # 8.2 the three Brazilian units
FREE = "free"                         # not set up yet
OUT = "out"                           # not in this scenario
Able = tuple[list[dict[str, Any]], dict[str, Any]]  # what a hex offers in movement; see movement.abilities


@dataclass
class Operation:
    """11.6 A stack under way: who belongs to it, and which Guards moved in it (and whether always in company)."""

    units: list[str]
    guards: dict[str, bool] = field(default_factory=dict)


def late_in_year(turn: int) -> bool:
    """7.6, 11.15 Late-year turns are the even ones."""
    return turn % 2 == 0


@dataclass
class Position(Counters[Unit]):
    """All that is on the table. `at` maps each unit to a hex or an off-map place.

    `spent`      movement points spent this phase            `settled`   units whose operation is over (11.6)
    `aboard`     cargo -> ship (12.4)                        `towed`     ship -> chata it tows this phase (12.6)
    `entered`    units that came in this phase (7.14 grace)  `steps`     replacement steps left, by nation (10.3)
    `fought`     units that attacked this combat phase       `assailed`  units attacked in it (13.2)
    `captures`   13.27 [units, factors] earned last phase (`booty` those earned in this one)
    `taken`      Paraguayan towns and supply hexes that were ever Allied; `lost_depots` the Allied ones ever taken
    """

    PARTS: ClassVar = {"operation": Operation}
    game: Game
    options: dict[str, Any]
    turn: int = 0
    stage: str = "set_up"
    active: str | None = ALLIED
    at: dict[str, str] = field(default_factory=dict)
    control: dict[str, str] = field(default_factory=dict)
    boxes: dict[str, dict[str, str | None]] = field(default_factory=dict)
    taken: list[str] = field(default_factory=list)
    lost_depots: list[str] = field(default_factory=list)
    rail_entered: bool = False
    matto_grosso: str = "open"        # open, not_launched, launched, answered, unopposed
    mendoza: str = "quiet"            # quiet, crushed, lost
    points: dict[str, int] = field(default_factory=dict)
    spent: dict[str, int] = field(default_factory=dict)
    settled: list[str] = field(default_factory=list)
    operation: Operation | None = None
    aboard: dict[str, str] = field(default_factory=dict)
    towed: dict[str, str] = field(default_factory=dict)
    entered: list[str] = field(default_factory=list)
    steps: dict[str, int] = field(default_factory=dict)
    fought: list[str] = field(default_factory=list)
    assailed: list[str] = field(default_factory=list)
    captures: list[list[Any]] = field(default_factory=list)
    booty: list[list[Any]] = field(default_factory=list)
    attrition: dict[str, Any] = field(default_factory=dict)
    battle: dict[str, Any] | None = None
    agenda: list[Step] = field(default_factory=list)
    result: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        # Worked out from the rest. `here` and `held` (hexes with units of a side) are kept up by `put`, `boxed` (hex to
        # box) by `set_box`; `able`, what the units of a hex can do in the movement phase, is good until `touch` names
        # the hex or `forget` takes it all.
        self.held: dict[str, set[str]] = {side: set() for side in SIDES}
        self.boxed = {side: {loc: box for box, loc in boxes.items() if loc is not None}
                      for side, boxes in self.boxes.items()}
        self.able: dict[str, Able] = {}
        self._hexes: dict[str, tuple[str, ...]] = {}  # `held` in order, until it changes
        for unit, loc in self.at.items():
            if loc[0].isdigit():
                self.held[self.game.units[unit].side].add(loc)

    def rank(self, unit: str) -> int:
        return self.game.place[unit]

    # -- looking -----------------------------------------------------------------------------------------

    def hexes_of(self, side: str) -> tuple[str, ...]:
        """The hexes that hold units of a side, sorted."""
        found = self._hexes.get(side)
        if found is None:
            found = self._hexes[side] = tuple(sorted(self.held[side]))
        return found

    def on_map(self, side: str) -> list[str]:
        return [u for h in self.hexes_of(side) for u in self.here[h]]

    def occupied_by(self, side: str) -> set[str]:
        """Hexes that hold units of a side, as they change: to be looked at, not kept."""
        return self.held[side]

    def controller(self, hex_: str) -> str:
        """3.6 Who controls a hex."""
        return self.control.get(hex_) or self.game.home[hex_]

    def fortress(self, hex_: str) -> str | None:
        """The fortress unit in a hex, if it stands."""
        unit = self.game.forts.get(hex_)
        return unit if unit is not None and self.at.get(unit) == hex_ else None

    def box_at(self, hex_: str, side: str) -> str | None:
        """The box whose substitute stands in a hex."""
        return self.boxed[side].get(hex_)

    def borders_enemy(self, hex_: str, side: str) -> bool:
        """Whether a unit of the other side is adjacent."""
        return not self.held[enemy(side)].isdisjoint(self.game.map.neighbours[hex_])

    @property
    def winter(self) -> bool:
        """7.6, 11.15 Late-year turns are the even ones."""
        return late_in_year(self.turn)

    def factor(self, unit: str) -> int:
        """The movement factor now: halved, rounded up, in turn I (5.3)."""
        return self.game.factors[self.turn == 1][unit]

    def left(self, unit: str) -> int:
        """Movement points a unit still has this phase."""
        return self.factor(unit) - self.spent.get(unit, 0)

    # -- changing ----------------------------------------------------------------------------------------

    def touch(self, loc: str) -> None:
        """Mark a place as changed: what the eyes see of it, and what its units can do."""
        if not loc[0].isdigit():
            self.touched.add(f"pool:{loc}")
            return
        self.touched.add(f"space:{loc}")
        self.able.pop(loc, None)
        for side, boxed in self.boxed.items():
            if loc in boxed:
                self.touched.add(f"slots:boxes_{side}")

    def forget(self) -> None:
        """Something has changed that every hex may hang on: the turn, the phase, the railway."""
        self.able.clear()

    def put(self, unit: str, loc: str) -> None:
        """Move a counter to a place, without rules."""
        units, side = self.game.units, self.game.units[unit].side
        held = self.held[side]
        old = shift(self.at, self.here, unit, loc, self.game.place.__getitem__)
        if old is not None:
            left = self.here.get(old, ())
            if old in held and not any(units[u].side == side for u in left):
                held.remove(old)
                self._hexes.pop(side, None)
            if not left:
                self._empty_box(old)
            self.touch(old)
        if loc[0].isdigit() and loc not in held:
            held.add(loc)
            self._hexes.pop(side, None)
        self.touch(loc)
        if self.captures or self.booty:  # 13.27: shown with the hex where their units stand
            self.touched.add("table:captures")

    def _empty_box(self, loc: str) -> None:
        for side in self.boxes:
            box = self.box_at(loc, side)
            if box is not None:
                self.set_box(side, box, None)

    def set_box(self, side: str, box: str, loc: str | None) -> None:
        """3.5 Put a substitute into a hex, or take it off the map."""
        old = self.boxes[side][box]
        for place in (old, loc):
            if place is not None:
                self.touch(place)
        if old is not None:
            self.boxed[side].pop(old, None)
        if loc is not None:
            self.boxed[side][loc] = box
        self.boxes[side][box] = loc
        self.touched.add(f"slots:boxes_{side}")

    def remove(self, units: Iterable[str]) -> None:
        """Units to the eliminated box of their side."""
        for unit in units:
            self.aboard.pop(unit, None)
            for cargo in [c for c, ship in self.aboard.items() if ship == unit]:
                del self.aboard[cargo]
            self.put(unit, DEAD[self.game.units[unit].side])
            self.touched.add(f"table:losses_{self.game.units[unit].side}")


def by_hex(pos: Position, units: Iterable[str]) -> dict[str, list[str]]:
    """Units by the hex where they stand, hexes in order, each with its units as given."""
    out: dict[str, list[str]] = {}
    for unit in units:
        out.setdefault(pos.at[unit], []).append(unit)
    return {hex_: out[hex_] for hex_ in sorted(out)}
