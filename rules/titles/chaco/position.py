"""The position: where every counter is, who holds what, and what the markers and tracks of the map say."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from rules.core.agenda import Step
from rules.core.seats import PUBLIC
from rules.mechanics.counters import Counters
from rules.mechanics.stacks import shift
from rules.titles.chaco.units import SIDES, Game, Unit, enemy
from rules.titles.chaco.ways import Ways

SCHEMA = 3
PILE = {side: f"pile:{side}" for side in SIDES}            # 3.1 the reinforcements box
DEAD = {side: f"dead:{side}" for side in SIDES}            # the dead pile
LOST = {side: f"lost:{side}" for side in SIDES}            # 13.1 armour; 16.2 units that left by the enemy's edge
TRUCKS = {side: f"trucks:{side}" for side in SIDES}        # 3.1 trucks available
DUE = {side: f"due:{side}" for side in SIDES}              # drawn, to be placed in this phase
WAITING = {side: f"waiting:{side}" for side in SIDES}      # 15.1 leaders available
REPLACED = {side: f"replaced:{side}" for side in SIDES}    # 15.3 leaders replaced
LIFTED = {side: f"lifted:{side}" for side in SIDES}        # 8.5 the headquarters off the map
FREE = "free"                                              # 17.1 not set up yet
T = TypeVar("T")


@dataclass
class March:
    """11.4 A stack under way: all that moves in one go, which another stack's move ends. `began`: its hex."""

    began: str
    units: list[str] = field(default_factory=list)


@dataclass
class Position(Counters[Unit]):
    """All that is on the table. `at` maps each counter in play to a hex, an off-map box or a box of the map; supply
    units that are in nobody's hands are in none.

    `reduced`   units on their reduced side (2.12)      `assigned`  trucks of the supply network (8.11)
    `building`  engineer -> what it builds (14.2)       `works`     hex -> entrenchment or fortification (14.3, 14.4)
    `out`       counters out of general supply (8.10)   `lines`     side -> {"source", "path", "length"} (8.6)
    `depots`    those on the map, by side: only in its supply phase (8.8)
    `shaken`    commanders who must be challenged (15.2), `tried` once this phase has had its attempt (15.1)
    `air`       unused markers (13.3), `dropped` once one was (8.13),
    `callups` made (9.5)
    `back`      side -> turn from which its headquarters may return (8.5)
    `spent`     sixths of points spent this phase       `settled`   units whose movement is over
    `aboard`    cargo -> truck (10.11); `carried` all that rode this phase; `entered` hexes entered by own units
    `fought`, `assailed`  units that attacked and that were attacked in this combat phase (12.2)
    `fled`      units that fell back this phase, with their hex (12.10)     `barraged` batteries (13.2)
    `chains`    side -> hex that projects a radius -> the one that supplies it (8.9); `hungry` hex -> why it has none
    `fed`       side -> hexes within a radius at its last check (8.10)
    `drawn`     side -> [unit, number of its set-up group] of the draws (17.3)
    `joint`     hexes to be attacked together (12.3); `parted` when such a plan was given up
    """

    PARTS: ClassVar = {"march": March}
    game: Game
    options: dict[str, Any]
    turn: int = 0
    stage: str = "set_up"
    active: str | None = None
    rain: bool = False
    truce: bool = False
    at: dict[str, str] = field(default_factory=dict)
    reduced: list[str] = field(default_factory=list)
    control: dict[str, str] = field(default_factory=dict)
    works: dict[str, str] = field(default_factory=dict)
    trails: list[str] = field(default_factory=list)
    wells: list[str] = field(default_factory=list)
    assigned: list[str] = field(default_factory=list)
    building: dict[str, str] = field(default_factory=dict)
    out: list[str] = field(default_factory=list)
    lines: dict[str, dict[str, Any] | None] = field(default_factory=dict)
    radius: dict[str, int] = field(default_factory=dict)
    depots: dict[str, list[str]] = field(default_factory=dict)
    vp: dict[str, int] = field(default_factory=dict)
    replacements: dict[str, int] = field(default_factory=dict)
    air: dict[str, int] = field(default_factory=dict)
    dropped: bool = False
    callups: dict[str, int] = field(default_factory=dict)
    commander: dict[str, str] = field(default_factory=dict)
    shaken: list[str] = field(default_factory=list)
    tried: bool = False
    back: dict[str, int] = field(default_factory=dict)
    spent: dict[str, int] = field(default_factory=dict)
    settled: list[str] = field(default_factory=list)
    march: March | None = None
    aboard: dict[str, str] = field(default_factory=dict)
    carried: list[str] = field(default_factory=list)
    entered: list[str] = field(default_factory=list)
    fought: list[str] = field(default_factory=list)
    assailed: list[str] = field(default_factory=list)
    barraged: list[str] = field(default_factory=list)
    joint: list[str] = field(default_factory=list)
    parted: bool = False
    fled: dict[str, str] = field(default_factory=dict)
    attrition: dict[str, Any] = field(default_factory=dict)
    chains: dict[str, dict[str, str]] = field(default_factory=dict)
    hungry: dict[str, str] = field(default_factory=dict)
    fed: dict[str, list[str]] = field(default_factory=dict)
    drawn: dict[str, list[list[str]]] = field(default_factory=dict)
    battle: dict[str, Any] | None = None
    agenda: list[Step] = field(default_factory=list)
    result: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._known: dict[tuple[str, ...], Any] = {}  # worked out from the rest, until something moves
        self._standing: dict[str, dict[str, Any]] = {side: {} for side in SIDES}  # the same, of one side's counters

    def rank(self, unit: str) -> int:
        return self.game.units[unit].place

    # -- looking -----------------------------------------------------------------------------------------

    def known(self, make: Callable[[], T], *key: str) -> T:
        """What `make` works out, kept until a counter is put somewhere else or `forget` is called."""
        if key not in self._known:
            self._known[key] = make()
        found: T = self._known[key]
        return found

    def standing(self, make: Callable[[], T], side: str, key: str) -> T:
        """The same for what hangs on nothing but where the counters of one side stand, and on what is built: kept while
        the other side moves."""
        kept = self._standing[side]
        if key not in kept:
            kept[key] = make()
        found: T = kept[key]
        return found

    def forget(self) -> None:
        """Something has changed that what was worked out may hang on."""
        self._known.clear()
        for kept in self._standing.values():
            kept.clear()

    def _moved(self, side: str, *tops: str | None) -> None:
        """A counter of a side has been put somewhere else. `tops`: whose counters lie on top where it was and where it
        comes to; beside one of the other side's, that side no longer stands as it did."""
        if enemy(side) in tops:
            self.forget()
        self._known.clear()
        self._standing[side].clear()

    def held(self, side: str) -> dict[str, list[str]]:
        """Hex (or box off the map) -> the counters of a side there, in hex order."""

        def find() -> dict[str, list[str]]:
            units, hexes, here = self.game.units, self.game.map.hexes, self.here
            return {h: here[h] for h in sorted(here) if h in hexes and units[here[h][0]].side == side}

        return self.standing(find, side, "held")

    def army(self, side: str) -> dict[str, list[str]]:
        """Hex -> the combat units of a side there."""
        def find() -> dict[str, list[str]]:
            combat = self.game.combat
            return {h: us for h, stack in self.held(side).items() if (us := [u for u in stack if u in combat])}

        return self.standing(find, side, "army")

    def on_map(self, side: str) -> list[str]:
        return [u for stack in self.held(side).values() for u in stack]

    def of_type(self, side: str, *types: str) -> list[str]:
        """The counters of a side on the map that are of some types."""
        return [u for u in self.on_map(side) if self.unit(u).type in types]

    def fighters(self, hex_: str, side: str) -> list[str]:
        """The combat units of a side in a hex."""
        return self.army(side).get(hex_, [])

    def leaders_at(self, hex_: str) -> list[str]:
        return [u for u in self.stack(hex_) if self.unit(u).type == "leader"]

    def chiefs(self, side: str) -> frozenset[str]:
        """The hexes (and boxes) where leaders of a side are."""
        leaders = self.game.leaders[side]
        return self.standing(lambda: frozenset(self.at[x] for x in leaders if x in self.at), side, "chiefs")

    def controller(self, hex_: str) -> str:
        """3.2 Who controls a hex."""
        return self.control.get(hex_) or self.game.home[hex_]

    def on_board(self, unit: str) -> bool:
        """Whether a counter is in a hex of the map, not in a box off it."""
        loc = self.at.get(unit)
        return loc is not None and loc in self.game.map.hexes and loc not in self.game.off_map

    def terrain(self, hex_: str) -> str:
        """14.5 The terrain of a hex: a trail makes it clear for all purposes."""
        return "clear" if hex_ in self.trails else self.game.map.hexes[hex_].terrain

    def attack(self, unit: str) -> int:
        """2.9 The attack factor of the side that shows."""
        return self.unit(unit).attack[int(unit in self.reduced)]

    def defense(self, unit: str) -> int:
        """2.10 The defence factor of the side that shows."""
        return self.unit(unit).defense[int(unit in self.reduced)]

    def factor(self, unit: str) -> int:
        """2.11, 10.13 The movement factor, in sixths of a point; mounted cavalry has eight points."""
        return self.pace(False)[unit]

    def pace(self, reaction: bool) -> dict[str, int]:
        """The same of every counter; 10.10 in reaction half of it, rounded up to a whole point."""
        return self.game.paces[self.options["cavalry"] == "mounted", reaction]

    def ways(self, kind: str, side: str, ferried: bool = False) -> Ways:
        """What steps cost now for counters of a side; 10.5 its engineers ferry over the rivers beside them (`ferried`:
        one goes along, and is beside every river that is crossed); 10.12 the other side's boxes are shut to it, and
        where the other side stands at the way out of its own."""
        def find() -> Ways:
            if kind == "line":
                return self.game.ways(kind, self.rain, self.trails, (), ())
            engineers = {h for h, us in self.army(side).items() if not self.game.engineers.isdisjoint(us)}
            foe, banks = enemy(side), self.game.banks
            shut = self.game.boxes[foe] | (self.held(foe).keys() & self.game.exits)
            return self.game.ways(kind, self.rain, self.trails, banks if ferried else engineers & banks, shut)
        return self.known(find, "ways", kind, side, str(ferried))

    # -- changing ----------------------------------------------------------------------------------------

    def build(self, hex_: str) -> None:
        """14 Works have changed in a hex."""
        self.forget()
        self.touched.add("layer:works")
        self.touch(hex_)

    def touch(self, loc: str) -> None:
        """Mark a place as changed."""
        self.touched.add(f"space:{loc}" if loc in self.game.map.hexes else f"pool:{loc}")

    def put(self, unit: str, loc: str) -> None:
        """Move a counter to a place, without rules."""
        before = self.holder(loc)
        old = shift(self.at, self.here, unit, loc, self.rank)
        self._moved(self.unit(unit).side, before, None if old is None else self.holder(old))
        if old is not None:
            self.touch(old)
        self.touch(loc)
        self._shows(unit, old, loc)

    def _shows(self, unit: str, *places: str | None) -> None:
        """What is shown of a counter beside its place: leaders in their table, the unsupplied in the layer of supply,
        who comes to one of these places or leaves it among the losses."""
        u = self.unit(unit)
        if u.type == "leader":
            self.touched |= {"table:leaders", "table:politics"}
        if unit in self.out:
            self.touched.add(f"layer:supply_{u.side}")
        if DEAD[u.side] in places or LOST[u.side] in places:
            self.touched.add(f"table:losses_{u.side}")

    def take_off(self, unit: str) -> None:
        """A supply unit that is used up or lost: in no place until it is made again (8.15)."""
        loc = self.at.pop(unit)
        self.here[loc].remove(unit)
        if not self.here[loc]:
            del self.here[loc]
        self._moved(self.unit(unit).side, self.holder(loc))
        self.touch(loc)

    def make_supply(self, side: str, n: int) -> list[str]:
        """8.15 New supply units: as many as are needed, of those in nobody's hands."""
        return [u for u in self.game.of(side, "supply") if u not in self.at][:n]

    def flip(self, unit: str, to_reduced: bool) -> None:
        """2.12 Turn a unit over."""
        if to_reduced and unit not in self.reduced:
            self.reduced.append(unit)
        elif not to_reduced and unit in self.reduced:
            self.reduced.remove(unit)
        self.touch(self.at[unit])

    def points(self, side: str, n: int) -> None:
        """16.2 Victory points won or lost at once. 16.4 Below 0 ends the game: see `victory.sudden_death`."""
        self.vp[side] += n
        self.touched |= {"table:points", "table:politics"}

    def strip(self, unit: str) -> None:
        """Forget what hung on a counter that leaves the map."""
        self._shows(unit)
        for marks in (self.reduced, self.assigned, self.out, self.settled, self.carried):
            if unit in marks:
                marks.remove(unit)
        self.spent.pop(unit, None)
        self.building.pop(unit, None)
        self.fled.pop(unit, None)
        self.aboard.pop(unit, None)
        for cargo in [c for c, truck in self.aboard.items() if truck == unit]:
            del self.aboard[cargo]

    def send_off(self, unit: str) -> None:
        """A counter off the map to where its kind goes: the dead pile, trucks available (9.6), off for good (13.1)."""
        u = self.unit(unit)
        self.strip(unit)
        if u.type == "supply":
            self.take_off(unit)
            return
        where = {"truck": TRUCKS, "armour": LOST, "ghq": LIFTED}.get(u.type, DEAD)
        if u.type == "ghq":
            self.back[u.side] = self.turn + 1  # 8.5
        self.put(unit, where[u.side])

    def eliminate(self, units: Iterable[str], worth: int = 1) -> None:
        """16.2 Combat units lost, each worth points to the enemy; other counters merely go."""
        for unit in units:
            u = self.unit(unit)
            self.send_off(unit)
            if u.combat:
                self.points(enemy(u.side), worth)
                self.touched.add(f"table:losses_{u.side}")

    def tell(self, event: str, clause: str, side: str | None = None, **data: Any) -> None:
        """Tell an event; see rules.core.events.tell. In limited intelligence it names what has come to lie on top."""
        if self.options["intelligence"] == "limited":
            data["tops"] = self._come_up()
        super().tell(event, clause, side, **data)

    def _come_up(self) -> list[str]:
        """The counters on top of stacks that everybody sees from now on. Not those of every hex that was touched: which
        stack is turned over, fed or hungry is not for the enemy to know."""
        seen = {} if self.teller.views is None else self.teller.views.contents[PUBLIC]
        tops = {key: stack[0] for key in sorted(self.touched) if (stack := self.stack(key.removeprefix("space:")))
                and key.startswith("space:")}
        return [unit for key, unit in tops.items() if ((seen.get(key) or {}).get("top") or {}).get("id") != unit]

    def openly(self, **data: Any) -> dict[str, Any]:
        """What is told to everybody of what lies below in stacks: nothing in limited intelligence."""
        return data if self.options["intelligence"] == "full" else {}
