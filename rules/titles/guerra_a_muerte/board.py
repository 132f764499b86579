"""1.1 The map, the pieces and the tables, compiled once from a game's data."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.core.title import Terms
from rules.maps import areas

ROYALIST, PATRIOT, REBELS = "royalist", "patriot", "rebels"
SIDES = (ROYALIST, PATRIOT)
NATIONS = ("plata", "chile", "gran_colombia", "mexico", "peru")  # 1.3.4 of the patriots
PURSES = (ROYALIST, *NATIONS)
INFANTRY, CAVALRY, ARTILLERY, FRIGATE, LINE, LEADER = (
    "infantry", "cavalry", "artillery", "frigate", "ship_of_line", "leader")  # fmt: skip
SHIPS = (FRIGATE, LINE)
SPAIN, US, HAITI, BRAZIL = "spain", "united_states", "haiti", "brazil"
HAVENS = {"mexico": US, "gran_colombia": HAITI}  # 10.3
HALF = 2  # purses and areas are counted in halves


ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV", "XVI")


def year(turn: int) -> str:
    """3.1 The year of a turn, as a word: numbers are grouped by thousands."""
    return str(1809 + turn)


def enemy(side: str) -> str:
    """The other player's side."""
    return PATRIOT if side == ROYALIST else ROYALIST


@dataclass(frozen=True, slots=True)
class Unit:
    """1.2, 1.3, 1.3.1, 1.3.2, 1.3.3, 1.3.5 One counter. `full` is its factor, `reduced` that of its other side (None:
    one step); leaders have `tactical` and `operations` instead."""

    id: str
    nation: str
    side: str
    type: str
    full: int
    reduced: int | None
    militia: bool
    new_granada: bool
    english: bool
    partisans: bool
    entry: int
    enters: Any
    tactical: int
    operations: int
    naval: bool

    @property
    def steps(self) -> int:
        """Steps of the counter at full strength; a leader has none."""
        return 0 if self.type == LEADER else 1 if self.reduced is None else 2

    @property
    def ship(self) -> bool:
        return self.type in SHIPS

    @property
    def leader(self) -> bool:
        return self.type == LEADER

    @property
    def troops(self) -> bool:
        """A land combat unit."""
        return self.type in (INFANTRY, CAVALRY, ARTILLERY)

    @property
    def regular(self) -> bool:
        """10.1 A land combat unit that is no militia."""
        return self.troops and not self.militia


class Game:
    """1.1, 1.3.4, 1.3.6 Map, pieces and tables of one set of data with one scenario."""

    def __init__(self, terms: Terms) -> None:
        files = terms.data.files
        self.terms, self.scenario = terms, terms.scenario
        self.map = areas.AreaMap(files["map"])
        self.tables: dict[str, Any] = files["tables"]
        self.lists: dict[str, Any] = self.tables["areas"]
        self.units = {name: _unit(name, body) for name, body in files["units"]["units"].items()}
        self.units |= {name: _leader(name, body) for name, body in files["units"]["leaders"].items()}
        self.land = tuple(a for a, area in self.map.areas.items() if area.kind == "land")
        self.seas = tuple(a for a, area in self.map.areas.items() if area.kind == "sea")
        self.worth = {a: self.map.areas[a].worth.get("coin", 0) for a in self.land}
        self.places = {b: box for b, box in self.map.boxes.items() if box.area is not None}
        self.ports = tuple(b for b, box in self.places.items() if box.port)
        self.boxes = (SPAIN, US, HAITI, BRAZIL)
        self.spaces = frozenset((*self.land, *self.seas, *self.map.boxes))
        self.purses: dict[str, list[str]] = self.tables["purses"]
        self.near = {a: tuple(b for b in self.map.neighbours[a] if b in self.land) for a in self.land}
        self.near[US] = tuple(b for b in self.map.neighbours[US] if b in self.land)
        self.near[BRAZIL] = tuple(b for b in self.map.neighbours[BRAZIL] if b in self.land)
        self.parts = {a: (a, *self.map.within(a)) for a in self.land}
        self.area_of = {loc: area for area, parts in self.parts.items() for loc in parts}
        self.side_of = {name: u.side for name, u in self.units.items()}
        self.afoot = {name: u.side for name, u in self.units.items() if not (u.ship or u.naval)}
        self.militia = {side: tuple(name for name, u in self.units.items() if u.militia and u.side == side)
                        for side in SIDES}
        self.exiles = {name: u.nation for name, u in self.units.items() if u.leader and u.nation in HAVENS}
        self.coasts = {s: tuple(a for a in self.map.neighbours[s] if a in self.land) for s in self.seas}
        self.long = {frozenset((a, b)): n for a, b, n in self.tables["long_links"]}
        self.box_links: dict[str, dict[str, int]] = self.tables["box_links"]
        self.harbours = {s: tuple(p for p in self.ports if self.places[p].sea == s) for s in self.seas}
        self.sea_near = self._sea_near()
        self.nation_slot = {n: i for i, slot in enumerate(self.tables["slots"]) for n in slot}
        self._far: dict[tuple[str, bool], dict[str, int]] = {}

    def _sea_near(self) -> dict[str, tuple[str, ...]]:
        """7.1-7.3 Where ships get from a sea area, port or box in one stretch."""
        near: dict[str, set[str]] = {}

        def both(a: str, b: str) -> None:
            near.setdefault(a, set()).add(b)
            near.setdefault(b, set()).add(a)

        for sea in self.seas:
            for other in self.map.neighbours[sea]:
                if other in self.seas:
                    both(sea, other)
            for port in self.harbours[sea]:
                both(sea, port)
        for box, links in self.box_links.items():
            for sea in links:
                both(box, sea)
        return {a: tuple(sorted(b)) for a, b in sorted(near.items())}

    def area(self, loc: str) -> str | None:
        """The land area a place is or lies in; None at sea and off the map."""
        if loc in self.places:
            return self.places[loc].area
        return loc if loc in self.near and loc in self.worth else None

    def within(self, area: str) -> tuple[str, ...]:
        """The cities and ports of a land area."""
        return self.map.within(area)

    def fortified(self, place: str) -> bool:
        """6.2 Whether a place is a fortress."""
        return self.places[place].kind == "fortress"

    def sea_of(self, loc: str) -> str | None:
        """The sea area of a port, or of a fleet at sea."""
        return loc if loc in self.seas else self.places[loc].sea if loc in self.places else None

    def passes(self, a: str, b: str) -> bool:
        """5.3 Whether a step crosses the Andes."""
        return areas.PASS in self.map.ways(a, b)

    def far(self, start: str, sea: bool = False) -> dict[str, int]:
        """Areas between a space and every other it reaches, by land or by sea; a port is no area further."""
        if (start, sea) not in self._far:
            links = self.sea_near if sea else self.near
            found, queue = {start: 0}, deque([start])
            while queue:
                here = queue.popleft()
                for there in links.get(here, ()):
                    step = 0 if there in self.places or here in self.places else 1
                    if sea:
                        step = self.long.get(frozenset((here, there)), step)
                    if there not in found or found[here] + step < found[there]:
                        found[there] = found[here] + step
                        queue.append(there)
            self._far[start, sea] = found
        return self._far[start, sea]

    def ashore(self, start: str) -> dict[str, int]:
        """8.1 Areas between a sea area, or a box on it, and every land area: by sea to a coast, and on by land."""
        found: dict[str, int] = {}
        for sea, way in self.far(start, sea=True).items():
            for coast in self.coasts.get(sea, ()):
                for area, walk in self.far(coast).items():
                    found[area] = min(found.get(area, way + 1 + walk), way + 1 + walk)
        return found

    def overseas(self, area: str) -> dict[str, int]:
        """8.1 Areas between a land area and every other by way of the sea before its coasts."""
        found: dict[str, int] = {}
        for sea, coasts in self.coasts.items():
            if area in coasts:
                for there, way in self.ashore(sea).items():
                    found[there] = min(found.get(there, way + 1), way + 1)
        return found

    def nearest(self, far: Mapping[str, int], goals: Iterable[str]) -> list[str]:
        """The goals fewest areas away by `far`, sorted; all of them where it reaches none."""
        known = sorted(set(goals))
        least = min((far[g] for g in known if g in far), default=None)
        return known if least is None else [g for g in known if far.get(g) == least]

    def cost(self, unit: str) -> int:
        """4.4 What a unit costs, in half points."""
        u, prices = self.units[unit], self.tables["cost"]
        if u.militia:
            return int(prices["militia"] * HALF)
        each = prices[u.type] * HALF
        return int(each if u.ship or u.type == ARTILLERY else each * u.steps)

    def step_cost(self, unit: str) -> int:
        """4.4 What one lost step costs, in half points."""
        return self.cost(unit) // self.units[unit].steps

    def nations_of(self, area: str) -> tuple[str, ...]:
        """9.3, 4.9 The patriot nations an area belongs to."""
        return tuple(self.lists["nation"].get(self.map.areas[area].region, ()))


def _unit(name: str, body: Mapping[str, Any]) -> Unit:
    return Unit(name, body["nation"], body["side"], body["type"], body["full"], body["reduced"],
                body.get("militia", False), body.get("new_granada", False), body.get("english", False),
                body.get("partisans", False), body["entry"], body["enters"], 0, 0, body["type"] in SHIPS)


def _leader(name: str, body: Mapping[str, Any]) -> Unit:
    return Unit(name, body["nation"], body["side"], LEADER, 0, None, False, False, False, False, body["entry"],
                body["enters"], body["tactical"], body["operations"], body["naval"])
