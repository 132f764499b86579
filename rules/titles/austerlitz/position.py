"""The position: every counter with its hex, formation, facing, losses and morale, the markers and who has been
active."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from rules.core.agenda import Step
from rules.core.errors import BadPosition
from rules.core.events import Teller, tell
from rules.mechanics.stored import state_of, stored_fields
from rules.titles.austerlitz import strip
from rules.titles.austerlitz.formations import (
    COLUMN,
    DISORDER,
    LINE,
    ROUTED,
    SKIRMISH,
    SPREAD,
    Around,
    depth,
    tail_of,
)
from rules.titles.austerlitz.game import Game
from rules.titles.austerlitz.units import GOOD, ROUT, SIDES, Leader, Unit, enemy

SCHEMA = 1
T = TypeVar("T")
Stance = tuple[str, str | None, str, int, bool]        # hex, second hex, formation, facing, whether routed
NOWHERE: tuple[Stance | None, tuple[str, ...], tuple[str, ...]] = (None, (), ())
DEAD = {side: f"dead:{side}" for side in SIDES}
DUE = {side: f"due:{side}" for side in SIDES}          # 14.0 reinforcements not yet on the map
SPLIT = "split:french"                                 # A2.4 a battalion in companies, or companies in a battalion
STAFF = "staff:french"                                 # A4.4.5 leaders off the map who may be detached


@dataclass
class Position:
    """All that is on the table. `stacks` maps each place to its units, top first (7.2).

    `facing`   twelfths clockwise from the north       `form`     formation (6.3, 6.4)
    `tail`     second hex of counters on two           `lost`     points lost (8.5.1)
    `morale`   level below Good (9.1.1)                `capped`   never Good again (11.1.1, 12.2)
    `blown`    2 or 1 (8.4.4)                          `resting`  Recovery marker (8.4.5)
    `leaders`  leader -> place                         `post`     leader -> nameless one in his place (8.5.5)
    `pool`     markers in the Command Pool, `drawn` those drawn this turn, `barred` those that may not return (11.2.1)
    `finished` leaders used this turn (4.6.1)          `used`     units active this turn, with how often
    `strategic` divisions under that marker (5.2)      `fatigue`  by command (13)
    `fought`   commands in combat this turn (13.1.2)   `tired`    commands whose marker was drawn (13.1.1)
    `held`     hex -> side that was last in it (A15.2) `act`      the activation under way
    `fight`    the combat under way, for the eyes      `special`  what the scenario keeps count of
    """

    game: Game
    options: dict[str, Any]
    turn: int = 0
    stage: str = "set_up"
    active: str | None = None
    initiative: str | None = None
    stacks: dict[str, list[str]] = field(default_factory=dict)
    facing: dict[str, int] = field(default_factory=dict)
    form: dict[str, str] = field(default_factory=dict)
    tail: dict[str, str] = field(default_factory=dict)
    lost: dict[str, int] = field(default_factory=dict)
    morale: dict[str, int] = field(default_factory=dict)
    capped: list[str] = field(default_factory=list)
    blown: dict[str, int] = field(default_factory=dict)
    resting: list[str] = field(default_factory=list)
    leaders: dict[str, str] = field(default_factory=dict)
    post: dict[str, str] = field(default_factory=dict)
    pool: list[str] = field(default_factory=list)
    drawn: list[str] = field(default_factory=list)
    barred: list[str] = field(default_factory=list)
    finished: list[str] = field(default_factory=list)
    used: dict[str, int] = field(default_factory=dict)
    fired: list[str] = field(default_factory=list)
    strategic: list[str] = field(default_factory=list)
    fatigue: dict[str, int] = field(default_factory=dict)
    fought: list[str] = field(default_factory=list)
    tired: list[str] = field(default_factory=list)
    detached: dict[str, list[str]] = field(default_factory=dict)
    held: dict[str, str] = field(default_factory=dict)
    due: list[list[Any]] = field(default_factory=list)
    act: dict[str, Any] | None = None
    fight: dict[str, Any] | None = None
    special: dict[str, Any] = field(default_factory=dict)
    agenda: list[Step] = field(default_factory=list)
    result: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        self.touched: set[str] = set()
        self.teller = Teller()
        # Worked out from the rest: where each unit is, who stands in a hex, and whose zones cover it.
        self.at: dict[str, str] = {u: loc for loc, stack in self.stacks.items() for u in stack}
        self.second: dict[str, str] = {hex_: u for u, hex_ in self.tail.items()}
        self.here: dict[str, list[str]] = {}
        for leader, loc in self.leaders.items():
            self.here.setdefault(loc, []).append(leader)
        self._dirty: set[str] = set(self.at)
        self._covers: dict[str, tuple[Stance, tuple[str, ...], tuple[str, ...]]] = {}  # as they stand, zone, front
        self._stood: dict[Any, Any] = {}
        self._zones: dict[str, dict[str, list[str]]] = {side: {} for side in SIDES}
        self._fronts: dict[str, dict[str, list[str]]] = {side: {} for side in SIDES}

    # -- storing -----------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """All of it as JSON."""
        return state_of(self)

    @classmethod
    def load(cls, game: Game, state: dict[str, Any]) -> Position:
        """A position from its state. Raises BadPosition for one that names unknown units or fields."""
        unknown = set(state) - set(stored_fields(cls))
        if unknown:
            raise BadPosition(f"unknown fields: {', '.join(sorted(unknown))}")
        for unit in (u for stack in state["stacks"].values() for u in stack):
            if unit not in game.units:
                raise BadPosition(f"unknown unit {unit}")
        return cls(game, **state)

    def phase(self) -> str:
        return f"{self.turn}.{self.stage}"

    @property
    def plan(self) -> Mapping[str, Any]:
        """The scenario as printed."""
        return self.game.plan

    @property
    def hour(self) -> str:
        """The turn's place on the track."""
        return str(self.plan["turns"][self.turn - 1])

    # -- looking -----------------------------------------------------------------------------------------

    def unit(self, unit: str) -> Unit:
        return self.game.units[unit]

    def rated(self, leader: str) -> Leader:
        """8.5.5 A leader with the ratings of who stands in for him."""
        return self.game.leaders[self.post.get(leader, leader)]

    def stack(self, hex_: str) -> list[str]:
        """The combat units in a hex, top first; a counter on two hexes is in both."""
        found = self.stacks.get(hex_, [])
        other = self.second.get(hex_)
        return found if other is None else [other, *found]

    def holder(self, hex_: str) -> str | None:
        """The side with combat units in a hex."""
        stack = self.stacks.get(hex_)
        if stack:
            return self.game.units[stack[0]].side
        other = self.second.get(hex_)
        return self.game.units[other].side if other is not None else None

    def on_map(self, unit: str) -> bool:
        return ":" not in self.at.get(unit, ":")

    def footprint(self, unit: str) -> tuple[str, ...]:
        """The one or two hexes of a unit."""
        at, tail = self.at[unit], self.tail.get(unit)
        return (at,) if tail is None else (at, tail)

    def strength(self, unit: str) -> int:
        """Points left."""
        return self.game.units[unit].strength - self.lost.get(unit, 0)

    def routed(self, unit: str) -> bool:
        return self.morale.get(unit, GOOD) == ROUT

    def arcs(self, unit: str) -> Around:
        form = ROUTED if self.morale.get(unit, GOOD) == ROUT else self.form[unit]
        return self.game.ground.arcs(self.at[unit], self.tail.get(unit), form, self.facing.get(unit, 0))

    def zone(self, unit: str) -> tuple[str, ...]:
        """6.2 The hexes of its Reaction Zone."""
        form = self.form[unit]
        deep = depth(self.game.units[unit], form, self.morale.get(unit, GOOD) == ROUT)
        return self.game.ground.zone(self.at[unit], self.tail.get(unit), form, self.facing.get(unit, 0), deep)

    def _stance(self, unit: str) -> Stance:
        """All that its zone hangs on."""
        return (self.at[unit], self.tail.get(unit), self.form[unit], self.facing.get(unit, 0),
                self.morale.get(unit, GOOD) == ROUT)

    def _sweep(self) -> None:
        """Bring the zones of units that changed up to date."""
        units = self.game.units
        for unit in self._dirty:
            side = units[unit].side
            old = self._covers.pop(unit, None)
            if old is not None:
                for hexes, table in zip(old[1:], (self._zones[side], self._fronts[side]), strict=True):
                    for hex_ in hexes:
                        table[hex_].remove(unit)
                        if not table[hex_]:
                            del table[hex_]
            if ":" in self.at.get(unit, ":"):
                continue
            new = self._covers[unit] = self._stance(unit), self.zone(unit), self.arcs(unit).front
            for hexes, table in zip(new[1:], (self._zones[side], self._fronts[side]), strict=True):
                for hex_ in hexes:
                    table.setdefault(hex_, []).append(unit)
        self._dirty.clear()

    def zones(self, side: str) -> dict[str, list[str]]:
        """Hex -> units of a side whose Reaction Zone covers it."""
        if self._dirty:
            self._sweep()
        return self._zones[side]

    def fronts(self, side: str) -> dict[str, list[str]]:
        """Hex -> units of a side in whose front it lies."""
        if self._dirty:
            self._sweep()
        return self._fronts[side]

    def fault(self) -> str | None:
        """What is kept beside the state and is not what would be worked out from the state; None when all is."""
        here: dict[str, list[str]] = {}
        for leader, loc in self.leaders.items():
            here.setdefault(loc, []).append(leader)
        if self.at != {u: loc for loc, stack in self.stacks.items() for u in stack}:
            return "at has not been kept up"
        if self.second != {hex_: u for u, hex_ in self.tail.items()}:
            return "second has not been kept up"
        if {loc: sorted(leaders) for loc, leaders in self.here.items()} != {
                loc: sorted(leaders) for loc, leaders in here.items()}:
            return "here has not been kept up"
        if any(self.hexes_of(side) != self._hexes_of(side) for side in SIDES):
            return "who stands where has not been kept up"
        return next((f"the zones of {side} have not been kept up (6.2)" for side in SIDES
                     if not self._zones_fit(side)), None)

    def _zones_fit(self, side: str) -> bool:
        """6.2 Whether the zones and fronts of a side are those of its units as they stand: each hex of each unit is
        there, and nothing else."""
        zones, fronts, covers, units, count = self.zones(side), self.fronts(side), self._covers, self.game.units, 0
        for unit, loc in self.at.items():
            if ":" in loc or units[unit].side != side:
                continue
            stance, zone, front = covers.get(unit, NOWHERE)
            if stance != self._stance(unit):
                return False
            for hex_ in zone:
                if unit not in zones.get(hex_, ()):
                    return False
            for hex_ in front:
                if unit not in fronts.get(hex_, ()):
                    return False
            count += len(zone) + len(front)
        tables = (*zones.values(), *fronts.values())
        return all(tables) and count == sum(map(len, tables))

    def as_they_stand(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` says of who stands in which hex, under a name; kept until a counter is put somewhere else."""
        if key not in self._stood:
            self._stood[key] = make()
        found: T = self._stood[key]
        return found

    def hexes_of(self, side: str) -> tuple[str, ...]:
        """The hexes with combat units of a side, sorted."""
        return self.as_they_stand(side, lambda: self._hexes_of(side))

    def _hexes_of(self, side: str) -> tuple[str, ...]:
        units = self.game.units
        found = [h for h, stack in self.stacks.items() if stack and ":" not in h and units[stack[0]].side == side]
        found += [h for h, u in self.second.items() if units[u].side == side]
        return tuple(sorted(found))

    def taken_by(self, side: str) -> frozenset[str]:
        """The same, to look in."""
        return self.as_they_stand(("taken", side), lambda: frozenset(self.hexes_of(side)))

    def near_enemy(self, hex_: str, side: str, radius: int) -> bool:
        """Whether a combat unit of the other side stands at most so far away."""
        other = enemy(side)
        if radius == 1:
            return any(self.holder(h) == other for h in self.game.board.touching(hex_))
        return any(self.holder(h) == other for h in self.game.board.within(hex_, radius))

    @property
    def scenario(self) -> str:
        return str(self.game.plan["id"])

    def seat_of(self, counter: str) -> str:
        """Who decides for a unit or leader: of several seats of its side the one that has its corps (A15.2)."""
        seating, corps = self.game.terms.seating, self.game.corps_of_counter(counter)
        seats = seating.of_side(self.game.side[counter])
        return next((s for s in seats if corps in seating.details[s].get("corps", ())), seats[0])

    def commander(self, side: str) -> str:
        """Who decides for a whole side: of several seats the first."""
        return self.game.terms.seating.of_side(side)[0]

    def side_of(self, seat: str) -> str:
        """The side of a seat."""
        return self.game.terms.seating.side(seat)

    def division_of(self, unit: str) -> str | None:
        """The division a unit answers to now: its brigade leader's or detachment's, if it is in one (A4.4.5,
        A4.5.2)."""
        for leader, units in self.detached.items():
            if unit in units:
                return leader
        return self.game.units[unit].command

    # -- changing ----------------------------------------------------------------------------------------

    def mark(self, unit: str) -> None:
        """Note that a unit has changed: its zone, and what the eyes see of its hexes."""
        self._dirty.add(unit)
        if self.act is not None and self.game.units[unit].side != self.act["side"]:
            self.touched.update(("layer:zones", "layer:command"))
        loc = self.at.get(unit)
        if loc is None:
            return
        self.touched.add(f"space:{loc}" if ":" not in loc else f"pool:{loc}")
        tail = self.tail.get(unit)
        if tail is not None:
            self.touched.add(f"space:{tail}")

    def show(self, units: Iterable[str]) -> None:
        """Note that the eyes see something else of units, whose zones are what they were."""
        for unit in units:
            loc = self.at.get(unit, ":")
            self.touched.add(f"pool:{loc}" if ":" in loc else f"space:{loc}")
            if unit in self.tail:
                self.touched.add(f"space:{self.tail[unit]}")

    def set_strategic(self, command: str, on: bool) -> None:
        """5.2 Put a strategic marker on a division, or take it off."""
        if on != (command in self.strategic):
            (self.strategic.append if on else self.strategic.remove)(command)
            self.touched.add("table:strategic")
            self.show(u for u in self.at if self.division_of(u) == command)

    def put(self, unit: str, loc: str, tail: str | None = None, top: bool = False, hold: bool = True) -> None:
        """Move a counter to a place, under the stack there (or on it), without rules. Its side then holds the hex
        (A15.2), unless it retreats."""
        self.mark(unit)
        self._stood.clear()
        old = self.at.get(unit)
        if old is not None and old != loc:
            self.stacks[old].remove(unit)
            if not self.stacks[old]:
                del self.stacks[old]
        if old != loc:
            stack = self.stacks.setdefault(loc, [])
            stack.insert(0 if top else len(stack), unit)
        self.at[unit] = loc
        before = self.tail.pop(unit, None)
        if before is not None:
            if self.second.get(before) == unit:  # else another of a group that moves has come there already
                del self.second[before]
            self.touched.add(f"space:{before}")
        if tail is not None:
            self.tail[unit] = tail
            self.second[tail] = unit
        if ":" not in loc and hold:
            self._hold(unit)
        self.mark(unit)

    def _hold(self, unit: str) -> None:
        """A15.2 A hex is held by who was last in it, unrouted."""
        if self.routed(unit):
            return
        side = self.game.units[unit].side
        for hex_ in self.footprint(unit):
            if hex_ in self.game.goals and self.held.get(hex_) != side:
                self.held[hex_] = side
                self.touched.update(("table:places", "layer:objectives"))
                self.touched.add(f"space:{hex_}")

    def stand(self, unit: str, form: str, facing: int) -> None:
        """Formation and facing, without rules. A counter on two hexes keeps the hex it has; the other follows if it
        can, else a counter in column or disorder faces along the hexes it has."""
        self.form[unit], self.facing[unit] = form, facing
        tail = self.tail.get(unit)
        self.mark(unit)
        if form == SPREAD or (self.game.units[unit].hexes == 2 and form in (LINE, COLUMN, DISORDER)):
            wanted = tail_of(self.game.board, self.at[unit], form, facing)
            if wanted is not None and wanted != tail and self.holder(wanted) is None and (
                    self.game.board.terrain[wanted] not in ("pond", "castle")):
                self.put(unit, self.at[unit], wanted)
            elif tail is not None and wanted != tail and form in (COLUMN, DISORDER):
                self.facing[unit] = 2 * self.game.board.side_to(tail, self.at[unit])
        elif form == SKIRMISH and tail is not None:
            self.put(unit, self.at[unit])
        self.mark(unit)

    def astride(self, unit: str, hex_: str, taken: Collection[str] = ()) -> str | None:
        """6.5 The second hex of a counter on two that is put into a hex: it turns, by sides or vertices, from the
        facing it has until the second hex is free, and not in `taken`. None where there is none."""
        board, form, start = self.game.board, self.form[unit], self.facing.get(unit, 0)
        for turn in range(0, 12, 2):
            facing = (start + turn) % 12
            tail = tail_of(board, hex_, form, facing)
            if tail is not None and tail not in taken and self.holder(tail) is None and (
                    board.terrain[tail] not in ("pond", "castle")):
                self.facing[unit] = facing
                return tail
        return None

    def put_leader(self, leader: str, loc: str) -> None:
        """Move a leader to a place, without rules."""
        if self.act is not None and leader == self.act["leader"]:
            self.touched.add("layer:command")
        old = self.leaders.get(leader)
        if old is not None:
            self.here[old].remove(leader)
            if not self.here[old]:
                del self.here[old]
            self.touched.add(f"space:{old}" if ":" not in old else f"pool:{old}")
        self.leaders[leader] = loc
        self.here.setdefault(loc, []).append(leader)
        self.touched.add(f"space:{loc}" if ":" not in loc else f"pool:{loc}")

    def restack(self, hex_: str, top: str) -> None:
        """7.2 Put a unit on top of its stack."""
        stack = self.stacks[hex_]
        stack.remove(top)
        stack.insert(0, top)
        self.touched.add(f"space:{hex_}")

    def remove(self, units: Iterable[str]) -> None:
        """Units to the eliminated box of their side."""
        for unit in units:
            side = self.game.units[unit].side
            for table in (self.facing, self.form, self.morale, self.blown):
                table.pop(unit, None)
            self.lost[unit] = self.game.units[unit].strength
            self.put(unit, DEAD[side])
            self.touched.add(f"table:losses_{side}")

    def tell(self, event: str, clause: str, side: str | None = None, **data: Any) -> None:
        """Tell an event; see rules.core.events.tell. A combat's event is kept for its strip, too."""
        if strip.concerns(self.fight, event):
            self.fight = strip.note(self.fight, event, clause, data)
            self.touched.add("combat")
        tell(self, event, clause, side, **data)
