"""2.5-2.12 The counters, and the printed data of a game compiled once."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rules.core.errors import Refusal
from rules.core.title import Terms
from rules.maps.hexmap import HexMap
from rules.maps.paths import Prices

PARAGUAY, ALLIED = "paraguay", "allied"
SIDES = (PARAGUAY, ALLIED)
ARTILLERY = frozenset({"field_artillery", "siege_artillery", "rocket_artillery"})


def enemy(side: str) -> str:
    """The other side."""
    return ALLIED if side == PARAGUAY else PARAGUAY


@dataclass(frozen=True, slots=True)
class Unit:
    """2.5 One counter, one step (2.11 note). `side` is the Allied one for three nations (1.3); `attack` and `defense`
    are its factors (2.10), `movement` the printed one; `place` its rank in a stack. The last fields follow from the
    type: `foot` is infantry, Paraguayan sappers among it (10.4)."""

    id: str
    nation: str
    side: str
    type: str
    attack: int
    defense: int
    movement: int
    river: bool
    guard: bool
    place: int
    entry_turn: int | None
    entry_hex: str | None
    fortress: bool = field(init=False)
    chata: bool = field(init=False)
    supply: bool = field(init=False)
    artillery: bool = field(init=False)
    foot: bool = field(init=False)

    def __post_init__(self) -> None:
        kind = self.type
        foot = kind == "infantry" or (kind == "engineer" and self.side == PARAGUAY)
        for name, holds in (("fortress", kind == "fortress"), ("chata", kind == "chata"), ("supply", kind == "supply"),
                            ("artillery", kind in ARTILLERY), ("foot", foot)):
            object.__setattr__(self, name, holds)


class Game:
    """Map, counters, tables and scenario. Shared by all positions that are played with them."""

    def __init__(self, terms: Terms) -> None:
        self.terms, self.scenario, files = terms, terms.scenario, terms.data.files
        self.map = HexMap(files["map"])
        self.tables: dict[str, Any] = files["tables"]
        raw = files["units"]["units"]
        # 3.5: the slowest unit on top; among equals in the order of the counter sheet.
        order = sorted(raw, key=lambda u: (raw[u]["movement"], list(raw).index(u)))
        self.place = {u: i for i, u in enumerate(order)}
        self.units: dict[str, Unit] = {}
        self.setup_hex = {u: d["setup"]["hex"] for u, d in raw.items() if d["setup"]["kind"] == "hex"}
        for unit, d in raw.items():
            setup = d["setup"]
            self.units[unit] = Unit(unit, d["nation"], d["side"], d["type"], d["attack"], d["defense"], d["movement"],
                                    d["mobility"] == "river", d["guard"], self.place[unit],
                                    setup["turn"] if setup["kind"] == "reinforcement" else None,
                                    setup.get("hex") if setup["kind"] == "reinforcement" else None)
        self._marches: dict[tuple[bool, bool], dict[tuple[str, str], int]] = {}
        self._march_prices: dict[tuple[bool, bool], Prices] = {}
        self._sail_prices: dict[bool, Prices] = {}
        self.limit: int = self.tables["stacking_limit"]
        self.matto_grosso_entry: tuple[str, ...] = tuple(files["map"]["matto_grosso_entry"])

    @cached_property
    def home(self) -> dict[str, str]:
        """3.6 Who controls each hex at the start."""
        owner = {country: side for side, countries in self.scenario["control"].items() for country in countries}
        return {h: owner[spot.country] for h, spot in self.map.hexes.items()}

    @cached_property
    def part(self) -> frozenset[str]:
        """The hexes in play: all of them, unless a scenario of ours has `part`, the columns and rows it is played on.
        What lies beyond is as if off the map (11.20): nobody sets up, enters or moves there. Supply lines pass."""
        part = self.scenario.body.get("part")
        if part is None:
            return frozenset(self.map.hexes)
        (west, east), (north, south) = part["columns"], part["rows"]
        return frozenset(h for h in self.map.hexes if west <= int(h[:2]) <= east and north <= int(h[2:]) <= south)

    def off_part(self, hex_: str) -> Refusal | None:
        """11.20 Why a hex can't be entered in a scenario on a part of the map."""
        return None if hex_ in self.part else Refusal("refusal.off_the_part", "11.20", at=hex_)

    @cached_property
    def entries(self) -> dict[str, tuple[str, ...]]:
        """9.2, 10.7 The hexes by which units of each side come in, open or not."""
        named = {ALLIED: self.tables["entry"]["allied"], PARAGUAY: self.tables["entry"]["paraguay_replacements"]}
        return {side: tuple(sorted(h for h in hexes if h in self.part)) for side, hexes in named.items()}

    @cached_property
    def prices(self) -> dict[str, int]:
        """10.4 The steps, at least one, that each unit costs which can be brought back: 10.2 no fortress, no Guard, no
        ship, no Uruguayan ever is."""
        table = self.tables["replacements"]
        back = (u for u in self.units.values() if not (u.fortress or u.guard or u.river or u.nation == "uruguay"))
        return {u.id: table["unit_costs"].get(u.id, table["costs"].get(u.type)) for u in back}

    @cached_property
    def playing(self) -> frozenset[str]:
        """The units that a scenario names; the others stay in the box."""
        return frozenset(unit for group in self.scenario["groups"] for unit in group["units"])

    @cached_property
    def attrition_columns(self) -> dict[int, str]:
        """7.2 The column of the attrition table by the number of units in a stack."""
        columns = self.tables["attrition"]["columns"]
        return {count: str(c["label"]) for c in columns for count in range(c["min"], c["max"] + 1)}

    @cached_property
    def factors(self) -> dict[bool, dict[str, int]]:
        """2.10 The movement factor of each unit; 5.3 in turn I (True) halved, rounded up."""
        return {first: {u.id: (u.movement + 1) // 2 if first else u.movement for u in self.units.values()}
                for first in (False, True)}

    @cached_property
    def holds(self) -> dict[str, int]:
        """12.4, 12.6 How many units each ship takes: two a transport, one infantry another ship, none a raft."""
        most = self.tables["transport"]["capacity"]
        return {u.id: most[u.type] for u in self.units.values() if u.river}

    @cached_property
    def walking(self) -> frozenset[str]:
        """11.3 The land units that have movement: no other goes anywhere on foot, or aboard a ship."""
        return frozenset(u.id for u in self.units.values() if not u.river and u.movement)

    @cached_property
    def cargo(self) -> dict[str, frozenset[str]]:
        """12.4 The units that each ship can ever take."""
        land = [self.units[unit] for unit in self.walking]
        return {ship: frozenset(u.id for u in land if holds and u.side == self.units[ship].side
                                and (u.foot or self.units[ship].type == "transport"))
                for ship, holds in self.holds.items()}

    @cached_property
    def victory(self) -> dict[str, Any]:
        """4.2-4.4 What the game is played for: the printed table, unless a scenario of ours has a goal of its own."""
        own: dict[str, Any] = self.scenario.body.get("victory", self.tables["victory"])
        return own

    @cached_property
    def goal(self) -> tuple[str, ...]:
        """The hexes that a scenario of ours is played for; none in the war, where they are the table's (4.4)."""
        return tuple(self.victory["points"]["hexes"]) if self.victory is not self.tables["victory"] else ()

    @cached_property
    def links(self) -> dict[str, tuple[str, ...]]:
        """7.5 Hexes joined by road, railway or navigable river, in any mixture."""
        kinds = [self.map.along(kind) for kind in ("road", "rail", "navigable_river")]
        return {h: tuple(sorted({n for along in kinds for n in along[h]})) for h in self.map.hexes}

    @cached_property
    def rail(self) -> frozenset[str]:
        """11.18 The five hexes of the railway."""
        return frozenset(h for pair in self.map.edges("rail") for h in pair)

    @cached_property
    def forts(self) -> dict[str, str]:
        """The fortress of each hex that has one; it never leaves it (11.3)."""
        return {self.setup_hex[unit]: unit for unit, u in self.units.items() if u.fortress}

    @cached_property
    def boxes(self) -> dict[str, tuple[str, ...]]:
        """3.5 Box numbers by side."""
        return {side: tuple(str(n + 1) for n in range(count)) for side, count in self.scenario["boxes"].items()}

    @cached_property
    def nations(self) -> dict[str, list[str]]:
        """1.3 The nations of each side, sorted."""
        return {side: sorted({u.nation for u in self.units.values() if u.side == side}) for side in SIDES}

    @cached_property
    def by_group(self) -> dict[str, dict[str, Any]]:
        """3.2-3.4 The groups of the set-up."""
        return {group["id"]: group for group in self.scenario["groups"]}

    def march_costs(self, winter: bool, free_rail: bool) -> dict[tuple[str, str], int]:
        """11.8, 11.9 What a land unit pays to cross each hexside: 11.10 clear, 11.11 forest, 11.12 rough, 11.13 marsh,
        11.14 navigable river. 11.16 towns and 11.21 borders count for nothing. `free_rail` is for Paraguay before
        11.18 ends it."""
        key = (winter, free_rail)
        if key not in self._marches:
            terrain, map_ = self.tables["terrain"], self.map
            extra = terrain["minor_river"]["even_turn" if winter else "odd_turn"]
            costs = {}
            for a, near in map_.neighbours.items():
                for b in near:
                    if map_.edge("rail", a, b):  # 11.18: a road for all but the Paraguayans
                        costs[a, b] = terrain["rail"]["paraguay_free"] if free_rail else terrain["rail"]["mp"]
                    elif map_.edge("road", a, b):  # 11.17: whatever the terrain and the waters
                        costs[a, b] = terrain["road"]["mp"]
                    else:  # 11.19: all that applies, added up; 11.15 a minor river on top
                        costs[a, b] = terrain[map_.hexes[b].terrain]["mp"] + (
                            extra if map_.edge("minor_river", a, b) else 0)
            self._marches[key] = costs
        return self._marches[key]

    def march_prices(self, winter: bool, free_rail: bool) -> Prices:
        """The march costs from each hex to those around it."""
        key = (winter, free_rail)
        if key not in self._march_prices:
            costs = self.march_costs(winter, free_rail)
            self._march_prices[key] = Prices(self.map.neighbours,
                                                             lambda a, b: costs[a, b] if b in self.part else None)
        return self._march_prices[key]

    @cached_property
    def sail_costs(self) -> dict[bool, dict[str, int]]:
        """12.3 One point a river hex, two in Paraguay where that is dear, by whether it is."""
        ship = self.tables["terrain"]["ship"]
        return {dear: {h: ship["in_paraguay" if dear and spot.country == PARAGUAY else "mp"]
                       for h, spot in self.map.hexes.items()} for dear in (False, True)}

    def sail_prices(self, dear: bool) -> Prices:
        """12.2 The sail costs from each hex along the river."""
        if dear not in self._sail_prices:
            costs = self.sail_costs[dear]
            self._sail_prices[dear] = Prices(self.map.along("navigable_river"),
                                             lambda _, b: costs[b] if b in self.part else None)
        return self._sail_prices[dear]

    def navigable(self, a: str, b: str) -> bool:
        """12.2 Whether the river flows through the hexside."""
        return b in self.map.along("navigable_river")[a]
