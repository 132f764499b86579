"""The position: units, leaders, fortresses, control, cards and points."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from rules.core.agenda import Step
from rules.maps.paths import Prices
from rules.mechanics.counters import Counters
from rules.mechanics.stacks import shift, stacked
from rules.titles.ultimo_hombre.board import SIDES, Game, Space, Unit

SCHEMA = 1
# What can go on from a space; where nothing can, the last of its company and why it can't. See movement.abilities.
Able = tuple[list[dict[str, Any]], str | None, dict[str, Any]]
BOX = "box"        # 6 a leader in his box
OUT = "out"        # captured, eliminated, or gone with Argentina
NOBODY: tuple[str, ...] = ()


@dataclass
class Position(Counters[Unit]):
    """All that is on the table.

    `at`       unit -> space, `reserve:NATION`, `special:SIDE` or `dead:SIDE`     `reduced`  units on that side
    `leaders`  leader -> space, `box` or `out`     `forts`  marker -> space (absent: not on the board)
    `worn`     fortress markers on their reduced side; `besieged` -> when they recover (A21)
    `earned`   spaces whose bonus was given (11)   `lost_strategic`  strategic spaces once taken (12.2)
    `decks`, `hands`, `late`, `in_use`, `discards` by side; `late` cards wait for the next own turn (12.1)
    `shipped`  units transported this turn (3)     `steps`  spaces each unit moved (4), `starts` the region it began in
    `attacks`  space -> {"at", "units", "from": {unit: space}, "blue": [units over a blue line]}
    `fled`     units and leaders that retreated into a battle to come, by space (8)
    `served`   strategic spaces used this phase (12.2)
    """

    EVERY: ClassVar = True
    game: Game
    options: dict[str, Any]
    turn: int = 1
    stage: str = "set_up"
    active: str | None = None
    at: dict[str, str] = field(default_factory=dict)
    reduced: list[str] = field(default_factory=list)
    leaders: dict[str, str] = field(default_factory=dict)
    forts: dict[str, str] = field(default_factory=dict)
    worn: list[str] = field(default_factory=list)
    besieged: dict[str, int] = field(default_factory=dict)
    control: dict[str, str] = field(default_factory=dict)
    earned: list[str] = field(default_factory=list)
    lost_strategic: list[str] = field(default_factory=list)
    vp: dict[str, int] = field(default_factory=dict)
    decks: dict[str, list[str]] = field(default_factory=dict)
    hands: dict[str, list[str]] = field(default_factory=dict)
    late: dict[str, list[str]] = field(default_factory=dict)
    in_use: dict[str, str] = field(default_factory=dict)
    discards: dict[str, list[str]] = field(default_factory=dict)
    argentina: str = "not_yet"       # not_yet, war, out
    uruguay: str = "blanco"          # blanco, flipped
    capital: str = ""
    capitals_used: int = 0
    shipped: list[str] = field(default_factory=list)
    steps: dict[str, int] = field(default_factory=dict)
    starts: dict[str, str | None] = field(default_factory=dict)
    attacks: dict[str, dict[str, Any]] = field(default_factory=dict)
    fled: dict[str, list[str]] = field(default_factory=dict)
    served: list[str] = field(default_factory=list)
    battle: dict[str, Any] | None = None
    agenda: list[Step] = field(default_factory=list)
    result: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        # Worked out from the rest: `here` and `armies` (by side, spaces alone) are kept up by `put`, `chiefs` (place to
        # leaders) by `place_leader`, `walls` (space to fortress) by `fortify` and `raze`, `shown` (effects of the cards
        # that show, by kind) by `show`. Good until `forget`: `charts`, the passages of rivers by nations aboard, and
        # `able`, what of a space can move in the movement phase (or until `touch` names the space or one next to it).
        units, spaces = self.game.units, self.game.spaces
        self.armies: dict[str, dict[str, list[str]]] = {side: {} for side in SIDES}
        for loc in self.here.keys() & spaces.keys():
            for unit in self.here[loc]:
                self.armies[units[unit].side].setdefault(loc, []).append(unit)
        self.chiefs = stacked(self.leaders, sorted(self.leaders))
        self.walls = {space: fort for fort, space in self.forts.items()}
        self.shown: dict[str, list[tuple[str, dict[str, Any]]]] = {}
        self.able: dict[str, Able] = {}
        self.charts: dict[frozenset[str], Prices] = {}
        self._read_cards()

    # -- looking -----------------------------------------------------------------------------------------

    def space(self, space: str) -> Space:
        return self.game.spaces[space]

    def units_of(self, side: str, space: str) -> Sequence[str]:
        """The units of a side in a space, as they change: to be looked at, not kept."""
        return self.armies[side].get(space, NOBODY)

    def spaces_of(self, side: str) -> list[str]:
        """The spaces that hold units of a side, sorted."""
        return sorted(self.armies[side])

    def controller(self, space: str) -> str:
        """11 Who controls a space: a side, or nobody once Argentina is out (14)."""
        return self.control.get(space) or self.game.spaces[space].control

    def owner(self, space: str) -> str:
        """The side of a space's colour, Uruguay's with the side it is on (15)."""
        country = self.game.spaces[space].country
        if country == "uruguay":
            return "allied" if self.uruguay == "flipped" else "paraguayan"
        return "paraguayan" if country == "paraguay" else "allied"

    def factor(self, unit: str) -> int:
        """5 The to-hit factor of the side that is up."""
        u = self.game.units[unit]
        return u.reduced or 0 if unit in self.reduced else u.full

    def fort_at(self, space: str) -> str | None:
        """9 The fortress marker in a space."""
        return self.walls.get(space)

    def leaders_at(self, side: str, loc: str) -> list[str]:
        """6 The leaders of a side at a place."""
        return [x for x in self.chiefs.get(loc, ()) if self.game.leaders[x]["side"] == side]

    def effects(self, op: str) -> Sequence[tuple[str, dict[str, Any]]]:
        """12.1 The effects of that kind on the cards that show, with the side of each card."""
        return self.shown.get(op, ())

    def strategic(self, nation: str) -> list[str]:
        """12.2 The spaces that are still strategic for a nation."""
        if nation == "argentina" and self.argentina == "out":
            return []
        return sorted(s.id for s in self.game.spaces.values()
                      if s.strategic and s.country == nation and s.id not in self.lost_strategic)

    # -- changing ----------------------------------------------------------------------------------------

    def touch(self, loc: str, near: bool = True) -> None:
        """Mark a place as changed: what the eyes see of it, what can move there and, if it may matter `near` it, next
        to it."""
        if loc not in self.game.spaces:
            self.touched.add(f"pool:{loc}")
            return
        self.touched.add(f"space:{loc}")
        if self.able:
            for space in (loc, *self.game.near[loc]) if near else (loc,):
                self.able.pop(space, None)

    def forget(self) -> None:
        """Something has changed that all movers or passages may hang on: the phase, a card, a battle to come, who is in
        the war. Passages hang on control too."""
        self.able.clear()
        self.charts.clear()

    def put(self, unit: str, loc: str) -> None:
        """Move a unit to a place, without rules. Where own units stand hinders none of those that move."""
        spaces, side = self.game.spaces, self.game.units[unit].side
        army, near = self.armies[side], side != self.active
        old = shift(self.at, self.here, unit, loc)
        if old is not None:
            self.touch(old, near)
            if old in spaces:
                army[old].remove(unit)
                if not army[old]:
                    del army[old]
        if loc in spaces:
            insort(army.setdefault(loc, []), unit)
        self.touch(loc, near)

    def bury(self, unit: str) -> None:
        """A unit is gone."""
        if unit in self.reduced:
            self.reduced.remove(unit)
        self.put(unit, f"dead:{self.game.units[unit].side}")

    def place_leader(self, leader: str, loc: str) -> None:
        self.touch_leader(shift(self.leaders, self.chiefs, leader, loc))
        self.touch_leader(loc)

    def touch_leader(self, loc: str | None) -> None:
        if loc is not None and loc in self.game.spaces:
            self.touch(loc)
        else:
            kind = "dead" if loc == OUT else "leaders"
            self.touched |= {f"pool:{kind}:{side}" for side in SIDES}

    def step_loss(self, unit: str) -> bool:
        """7 One hit: a full unit turns to its reduced side, any other is gone. True when it is gone."""
        if unit not in self.reduced and self.game.units[unit].reduced is not None:
            self.reduced.append(unit)
            self.touch(self.at[unit])
            return False
        self.bury(unit)
        return True

    def fortify(self, fort: str, space: str) -> None:
        """9 A fortress marker comes on the board."""
        self.forts[fort] = space
        self.walls[space] = fort
        self.touched.add(f"space:{space}")

    def raze(self, fort: str) -> None:
        """9 A fortress marker leaves the game."""
        space = self.forts.pop(fort)
        del self.walls[space]
        self.touched.add(f"space:{space}")
        if fort in self.worn:
            self.worn.remove(fort)
        self.besieged.pop(fort, None)

    def show(self, side: str, card: str) -> None:
        """12.1 A card goes into a side's in-use box."""
        self.in_use[side] = card
        self.touched.add(f"slots:cards_{side}")
        self._read_cards()
        self.forget()

    def _read_cards(self) -> None:
        self.shown.clear()
        for side in SIDES:
            if side in self.in_use:
                for effect in self.game.cards[self.in_use[side]]["effects"]:
                    self.shown.setdefault(effect["op"], []).append((side, effect))

    def rest(self) -> None:
        """A new turn: nothing has moved or been shipped."""
        for unit in {*self.steps, *self.shipped}:
            self.touch_leader(self.leaders[unit]) if unit in self.leaders else self.touch(self.at[unit])
        self.shipped, self.steps, self.starts = [], {}, {}

    def score(self, side: str, vp: int) -> None:
        """12.3 Points are marked at once."""
        self.vp[side] += vp
        self.touched.add("table:points")
