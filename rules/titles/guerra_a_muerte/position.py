"""The position: counters, armies, sieges, purses and what has been done this phase."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from rules.core.agenda import Step
from rules.mechanics.counters import Counters
from rules.mechanics.stacks import shift
from rules.titles.guerra_a_muerte.board import NATIONS, REBELS, ROYALIST, SIDES, Game, Unit, enemy

SCHEMA = 1
OUT = "out"                      # lost for good
T = TypeVar("T")
HELD = ("table:control", "layer:control")  # fragments that say who holds what


@dataclass
class Position(Counters[Unit]):
    """All that is on the table.

    `at`         counter -> area, city or port, sea area, box, `recruits:NATION`, `turn:N` or `out`
    `reduced`    counters on their other side          `guerrillas`  militia in that mode (10.1)
    `aboard`     land counter -> ship (7.6)            `armies`      side -> army marker -> area or None (5.1.1)
    `sieges`     city -> {"side", "units", "works", "blockade"} (6.2, 6.4, 6.6)
    `purses`     points in halves, by side or nation (4.2)
    `masses`     side -> areas whose masses it recruited (4.9.1); `halved` areas that yield half next time
    `raided`     area -> points it loses next time (7.8); `repression` areas with the marker (10.4)
    `named`      area -> the purse its points go to this turn (4.2)
    `coup`       turn in which the liberals took power (10.2); `legion` off_map, free or gone (10.6)
    `forces`     the force that is active is the last: see operations.py; a fleet waits for whom it has landed
    `operated`   counters that have operated this phase (3.3, 5.2); `weathered` those that rolled for attrition (5.3)
    `seen`       armies whose contents the enemy has before him, as "SIDE:AREA"
    `recruited`  haven -> kind -> number built this turn (10.3); `mass_levy` sides that recruited masses this turn
    `mexico`     counters the royalists may still activate there, None without a limit (10.7)
    `raids`      areas raided this phase               `free_ship`   Cochrane's ship is still to come (8.3)
    `flags`      what a phase has to remember
    """

    EVERY: ClassVar = True
    game: Game
    options: dict[str, Any]
    turn: int = 1
    stage: str = "set_up"
    active: str | None = None
    at: dict[str, str] = field(default_factory=dict)
    reduced: list[str] = field(default_factory=list)
    guerrillas: list[str] = field(default_factory=list)
    aboard: dict[str, str] = field(default_factory=dict)
    armies: dict[str, dict[str, str | None]] = field(default_factory=dict)
    sieges: dict[str, dict[str, Any]] = field(default_factory=dict)
    purses: dict[str, int] = field(default_factory=dict)
    masses: dict[str, list[str]] = field(default_factory=dict)
    halved: list[str] = field(default_factory=list)
    raided: dict[str, int] = field(default_factory=dict)
    repression: list[str] = field(default_factory=list)
    named: dict[str, str] = field(default_factory=dict)
    coup: int | None = None
    legion: str = "off_map"
    forces: list[dict[str, Any]] = field(default_factory=list)
    operated: list[str] = field(default_factory=list)
    weathered: list[str] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    recruited: dict[str, dict[str, int]] = field(default_factory=dict)
    mass_levy: list[str] = field(default_factory=list)
    mexico: int | None = None
    raids: list[str] = field(default_factory=list)
    free_ship: bool = False
    flags: dict[str, Any] = field(default_factory=dict)
    battle: dict[str, Any] | None = None
    agenda: list[Step] = field(default_factory=list)
    result: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._held: dict[str, Any] = dict.fromkeys(self.game.land)  # worked out from the rest; see `as_held`
        self._stirred = set(self.game.land)  # areas where that is no longer so
        self._modes: Any = None

    # -- looking -----------------------------------------------------------------------------------------

    def as_held(self, look: Callable[[str], T]) -> dict[str, T]:
        """What `look` says of who holds each area of the map, in their order. It looks again at areas where counters
        came or went, and at all of them when one goes aboard or ashore, turns militia or guerrilla, or when a box is
        formed, moved, opened or closed."""
        modes = (tuple(self.aboard), tuple(self.guerrillas), tuple(self.seen),
                 *(tuple(boxes.values()) for boxes in self.armies.values()))
        if modes != self._modes:
            self._modes = modes
            self._stirred.update(self.game.land)
        for area in self._stirred:
            self._held[area] = look(area)
        self._stirred.clear()
        return self._held

    @property
    def force(self) -> dict[str, Any]:
        """The force that is active. IndexError when there is none."""
        return self.forces[-1]

    def units_at(self, loc: str, side: str) -> list[str]:
        """Counters of a side in one place, those aboard ships too."""
        side_of = self.game.side_of
        return [u for u in self.here.get(loc, ()) if side_of[u] == side]

    def units_in(self, area: str, side: str) -> list[str]:
        """1.1.1 Land counters of a side in an area, in its field and its cities, leaders counted."""
        afoot, here = self.game.afoot, self.here
        return [u for loc in self.game.parts.get(area, (area,)) if loc in here for u in here[loc]
                if afoot.get(u) == side and u not in self.aboard]

    def sides_in(self, area: str) -> set[str]:
        """1.1.1 The sides with land counters in an area, rebels among them."""
        afoot, here = self.game.afoot, self.here
        return {afoot[u] for loc in self.game.parts.get(area, (area,)) if loc in here for u in here[loc]
                if u in afoot and u not in self.aboard}

    def troops(self, units: Iterable[str]) -> list[str]:
        """The land combat units among counters."""
        return [u for u in units if self.game.units[u].troops]

    def ships_at(self, loc: str, side: str) -> list[str]:
        """The ships of a side in a sea area, port or box."""
        return [u for u in self.stack(loc) if self.game.units[u].ship and self.game.units[u].side == side]

    def leaders_of(self, units: Iterable[str]) -> list[str]:
        """The leaders among counters."""
        return [u for u in units if self.game.units[u].leader]

    def steps(self, unit: str) -> int:
        """Steps a counter has left."""
        u = self.game.units[unit]
        return u.steps - 1 if unit in self.reduced else u.steps

    def factor(self, unit: str) -> int:
        """The factor of the side that is up."""
        u = self.game.units[unit]
        return (u.reduced or 0) if unit in self.reduced else u.full

    def besieging(self, unit: str) -> str | None:
        """6.2 The city a counter besieges."""
        for city, siege in self.sieges.items():
            if unit in siege["units"]:
                return city
        return None

    def besieged(self, loc: str) -> bool:
        """Whether a place is a city under siege."""
        return loc in self.sieges

    def on_map(self, unit: str) -> bool:
        return self.at[unit] in self.game.spaces

    def alive(self, leader: str) -> bool:
        """8.1 Whether a leader is neither lost nor still to come."""
        return self.on_map(leader)

    def army_at(self, side: str, area: str) -> str | None:
        """5.1.1 The army marker of a side in an area."""
        return next((box for box, at in self.armies[side].items() if at == area), None)

    def hidden(self, side: str, area: str) -> bool:
        """5.1.3 Whether the other player may not look into what stands in the field of an area."""
        return (self.options["limited_intelligence"] and area in self.armies[side].values()
                and f"{side}:{area}" not in self.seen)

    def boxed(self, unit: str) -> bool:
        """5.1.1 Whether a counter stands in the box of an army: in the field, no guerrilla, not in a siege."""
        u, loc = self.game.units[unit], self.at[unit]
        return (u.side in SIDES and u.nation != "portuguese" and not u.ship and loc in self.game.worth
                and unit not in self.guerrillas and self.army_at(u.side, loc) is not None
                and self.besieging(unit) is None)

    def liberals(self) -> bool:
        """10.2 Whether the liberals have taken power."""
        return self.coup is not None

    def spendable(self, nation: str) -> int:
        """4.2 Half points that can be spent for units of a nation."""
        return sum(self.purses[p] for p in self.game.purses[nation])

    # -- changing ----------------------------------------------------------------------------------------

    def put(self, unit: str, loc: str) -> None:
        """A counter goes to a place; what it left behind of a siege, a ship or its mode ends."""
        old = shift(self.at, self.here, unit, loc)
        for place in (old, loc):
            if place in self.game.area_of:
                self._stirred.add(self.game.area_of[place])
        if old == loc:
            return
        if unit in self.guerrillas and loc not in self.game.worth:
            self.guerrillas.remove(unit)
        city = self.besieging(unit)
        if city is not None and self.game.area(city) != loc:
            self.leave_siege([unit])
        for passenger in [p for p, ship in self.aboard.items() if ship == unit and self.at[p] != loc]:
            self.put(passenger, loc)
        for place in (old, loc):
            if place is not None:
                self.touch(place)

    def touch(self, loc: str) -> None:
        """What stands in a place looks different, and so does the area around it."""
        self.touched |= {f"space:{loc}" if loc in self.game.spaces else pool_key(loc), "layer:sieges"}
        area = self.game.area(loc)
        if area is not None:
            self.touched |= {f"space:{area}", *HELD}

    def leave_siege(self, units: Iterable[str]) -> None:
        """6.2 Counters stop besieging; without besiegers a siege ends and its works are lost."""
        gone = set(units)
        for city, siege in list(self.sieges.items()):
            if gone & set(siege["units"]):
                siege["units"] = [u for u in siege["units"] if u not in gone]
                if not self.troops(siege["units"]):
                    self.lift(city)
                self.touch(city)

    def lift(self, city: str) -> None:
        """6.4 A siege is over."""
        if self.sieges.pop(city, None) is not None:
            self.touch(city)
            self.tell("siege_lifted", "6.2", None, at=city)

    def bury(self, unit: str) -> None:
        """6.6, 10.6 An eliminated counter goes back to its recruit pool; the Legion and leaders never come back."""
        u = self.game.units[unit]
        if unit in self.reduced:
            self.reduced.remove(unit)
        if unit in self.guerrillas:
            self.guerrillas.remove(unit)
        self.aboard.pop(unit, None)
        for passenger in [p for p, ship in self.aboard.items() if ship == unit]:
            self.bury(passenger)
        self.leave_siege([unit])
        self.put(unit, OUT if u.leader or u.nation == "portuguese" else f"recruits:{u.nation}")

    def lose_step(self, unit: str) -> None:
        """A counter loses one step."""
        if self.steps(unit) > 1:
            self.reduced.append(unit)
            self.touch(self.at[unit])
        else:
            self.bury(unit)

    def pay(self, nation: str, half_points: int) -> None:
        """4.2 Pays for units of a nation: out of its own purse first, then out of the fullest of those it may use."""
        own = self.game.purses[nation]
        while half_points > 0:
            purse = own[0] if self.purses[own[0]] else max(own, key=lambda p: self.purses[p])
            part = min(half_points, self.purses[purse])
            if not part:
                raise AssertionError("a price was not checked")
            self.purses[purse] -= part
            half_points -= part
        self.touched.add("table:purses")

    def earn(self, purse: str, half_points: int) -> None:
        self.purses[purse] += half_points
        self.touched.add("table:purses")

    def move_army(self, side: str, box: str, area: str | None) -> None:
        """5.1.1 An army marker goes to an area, or off the map."""
        old = self.armies[side][box]
        self.armies[side][box] = area
        for place in (old, area):
            if place is not None:
                self.touched.add(f"space:{place}")
        self.touched |= {f"slots:{side}", *HELD}

    def tidy(self) -> None:
        """5.1.1, 6.2 A marker without troops in its box comes off the map, and where nobody is besieged any more a
        siege is over."""
        for city, siege in list(self.sieges.items()):
            foe = enemy(siege["side"])
            if not any(self.game.afoot.get(u) == foe and u not in self.aboard for u in self.stack(city)):
                self.lift(city)
        for side in SIDES:
            for box, area in self.armies[side].items():
                if area is not None and not any(
                        self.boxed(u) for u in self.troops(self.units_at(area, side))):
                    self.move_army(side, box, None)


def pool_key(loc: str) -> str:
    """The fragment that shows a place off the map."""
    return f"pool:{loc.replace(':', '_')}"


def purses_of(side: str) -> tuple[str, ...]:
    """4.2, 4.3 The purses of a side."""
    return (ROYALIST,) if side == ROYALIST else NATIONS


def payer(pos: Position, unit: str) -> str:
    """The purse list that pays for a counter: its nation's, the crown's for all royalists."""
    return ROYALIST if pos.unit(unit).side == ROYALIST else pos.unit(unit).nation


def best_payer(pos: Position, units: Iterable[str]) -> str:
    """4.2 (ruling 31) Of the nations of a force the one with most to spend."""
    nations = sorted({payer(pos, u) for u in units})
    return max(nations, key=pos.spendable)


def player_of(side: str, attacker: str) -> str:
    """9.5 Who decides for a side: rebels obey whoever does not attack them."""
    return enemy(attacker) if side == REBELS else side
