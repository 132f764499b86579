"""2.4-2.22 The counters, and the printed data of a game compiled once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rules.core.title import Terms
from rules.maps.hexmap import HexMap
from rules.maps.paths import steps_to
from rules.titles.chaco.ways import Cut, Ways, cuts_of

PARAGUAY, BOLIVIA = "paraguay", "bolivia"
SIDES = (PARAGUAY, BOLIVIA)
FOOT_SOLDIERS = frozenset({"infantry", "cavalry"})
COMBAT = FOOT_SOLDIERS | {"engineer", "armour", "artillery"}
COUNTED = FOOT_SOLDIERS | {"artillery"}
# A stack is shown with a unit on top that exerts a zone of control, where there is one.
ORDER = ("infantry", "cavalry", "armour", "engineer", "artillery", "leader", "ghq", "truck", "supply")
SIXTHS = 6


def enemy(side: str) -> str:
    """The other side."""
    return BOLIVIA if side == PARAGUAY else PARAGUAY

KINDS = {"truck": "mech", "armour": "mech", "artillery": "guns"}


@dataclass(frozen=True, slots=True)
class Unit:
    """2.5, 2.13 One counter. `attack` and `defense` hold the factors of its full and its reduced side (2.9, 2.10);
    `movement` is in points (2.11); `political` and `command` are a leader's ratings (2.15, 2.16); `place` is its rank
    in a stack."""

    id: str
    side: str
    type: str
    attack: tuple[int, ...]
    defense: tuple[int, ...]
    movement: int
    political: int
    command: int
    named: bool
    place: int

    @property
    def combat(self) -> bool:
        """2.5 A combat unit; leaders, headquarters, trucks and supply units are none (2.13)."""
        return self.type in COMBAT

    @property
    def steps(self) -> int:
        """2.12 Losses it bears before it is gone: two for infantry, cavalry and artillery."""
        return len(self.attack)

    @property
    def exerts(self) -> bool:
        """7.1 Only infantry and cavalry exert a zone of control."""
        return self.type in FOOT_SOLDIERS

    @property
    def counted(self) -> bool:
        """11.2, 11.3 What counts for stacking: infantry, cavalry and artillery."""
        return self.type in COUNTED

    @property
    def kind(self) -> str:
        """2.21, 10.9 What it pays to move: mechanised, guns (no swamp off the road) or on foot."""
        return KINDS.get(self.type, "foot")


def _unit(name: str, raw: dict[str, Any], place: int) -> Unit:
    reduced = raw.get("reduced")
    sides = [raw, reduced] if reduced else [raw]
    fights = raw["type"] in COMBAT
    return Unit(name, raw["side"], raw["type"], tuple(s["attack"] for s in sides) if fights else (),
                tuple(s["defense"] for s in sides) if fights else (), raw["movement"], raw.get("political", 0),
                raw.get("command", 0), raw.get("named", False), place)


class Game:
    """Map, counters, tables and scenario of one set of terms. Shared by all positions that are played with it."""

    def __init__(self, terms: Terms) -> None:
        files = terms.data.files
        self.terms = terms
        self.scenario = terms.scenario
        self.map = HexMap(files["map"])
        self.tables: dict[str, Any] = files["tables"]
        self.n: dict[str, Any] = self.tables["numbers"]
        raw = files["units"]["units"]
        names = sorted(raw, key=lambda u: (ORDER.index(raw[u]["type"]), list(raw).index(u)))
        rank = {u: i for i, u in enumerate(names)}
        self.units = {name: _unit(name, raw[name], rank[name]) for name in raw}
        self.ferry = frozenset(files["map"]["ferry"])
        self.upper_bank: tuple[str, ...] = tuple(files["map"]["upper_bank"])
        self.edge_rows: dict[str, int] = files["map"]["edge_rows"]
        self.off_map = frozenset(h for way in files["map"]["off_map_ways"] for h in way
                                 if self.map.hexes[h].terrain == "off_map")
        self._off_map_ways = {(a, b) for x, y in files["map"]["off_map_ways"] for a, b in ((x, y), (y, x))}
        self._ways: dict[tuple[str, bool, frozenset[str], frozenset[str], frozenset[str]], Ways] = {}
        self._plain_ways = dict(self._ways)
        self.prices: dict[tuple[int, int], tuple[int, int]] = {}  # (number of a hex, price to enter it), each but once

    def of(self, side: str, *types: str) -> list[str]:
        """The units of a side of some types, in the order of stacks."""
        found = [u for u, unit in self.units.items() if unit.side == side and unit.type in types]
        return sorted(found, key=lambda u: self.units[u].place)

    @cached_property
    def leaders(self) -> dict[str, list[str]]:
        """15.1 The ten leaders of each side."""
        return {side: self.of(side, "leader") for side in SIDES}

    @cached_property
    def chiefs(self) -> frozenset[str]:
        """The leaders of both sides."""
        return frozenset(u for u, unit in self.units.items() if unit.type == "leader")

    @cached_property
    def trucks(self) -> frozenset[str]:
        """The trucks of both sides."""
        return frozenset(u for u, unit in self.units.items() if unit.type == "truck")

    @cached_property
    def combat(self) -> frozenset[str]:
        """2.5 The combat units."""
        return frozenset(u for u, unit in self.units.items() if unit.combat)

    @cached_property
    def hungry(self) -> frozenset[str]:
        """8.10 The units that need general supply: combat units, leaders and headquarters."""
        return self.combat | self.chiefs | frozenset(self.ghq.values())

    @cached_property
    def counted(self) -> frozenset[str]:
        """11.2, 11.3 The units that count for stacking."""
        return frozenset(u for u, unit in self.units.items() if unit.counted)

    @cached_property
    def exerting(self) -> frozenset[str]:
        """7.1 The units that exert a zone of control."""
        return frozenset(u for u, unit in self.units.items() if unit.exerts)

    @cached_property
    def engineers(self) -> frozenset[str]:
        """The engineers of both sides."""
        return frozenset(u for u, unit in self.units.items() if unit.type == "engineer")

    @cached_property
    def mountains(self) -> frozenset[str]:
        """The hexes of mountain, as printed."""
        return frozenset(h for h, hex_ in self.map.hexes.items() if hex_.terrain == "mountain")

    @cached_property
    def ghq(self) -> dict[str, str]:
        """2.18 The general headquarters of each side."""
        return {side: self.of(side, "ghq")[0] for side in SIDES}

    @cached_property
    def settlements(self) -> frozenset[str]:
        """The settlements, which give points and bear depots."""
        return frozenset(self.map.marked("settlement"))

    @cached_property
    def majors(self) -> frozenset[str]:
        """16.2 Villa Montes, Charagua, Isla Poí and Nanawa."""
        return frozenset(self.map.marked("major_objective"))

    @cached_property
    def wet(self) -> frozenset[str]:
        """8.13 Hexes with water of their own: wet settlements, springs, and those beside a river."""
        return frozenset({*self.map.marked("wet"), *self.map.marked("spring"), *self.banks})

    @cached_property
    def banks(self) -> frozenset[str]:
        """The hexes beside a river."""
        return frozenset(h for pair in self.map.edges("river") for h in pair)

    @cached_property
    def sources(self) -> dict[str, tuple[str, ...]]:
        """8.4 The supply sources of each side."""
        return {side: self.map.marked(f"{side}_source") for side in SIDES}

    @cached_property
    def homeward(self) -> dict[str, dict[str, str]]:
        """The next hex on a shortest way over the land in play to the first source of each side, enemies left out of
        account; the source itself leads nowhere."""
        return {side: steps_to(self.sources[side][0], self.links, self.off_map) for side in SIDES}

    @cached_property
    def rail_head(self) -> str:
        """8.4 The end of the railway."""
        return self.map.marked("rail_head")[0]

    @cached_property
    def villa_montes(self) -> str:
        """8.4 The Bolivian source within the map."""
        return next(h for h in self.sources[BOLIVIA] if h in self.upper_bank and h in self.settlements)

    @cached_property
    def rail(self) -> frozenset[str]:
        """8.4 All hexes of the railway."""
        return frozenset(h for pair in self.map.edges("rail") for h in pair)

    @cached_property
    def home(self) -> dict[str, str]:
        """3.2 Who controls each hex at the start: settlements as printed, other hexes by the line of the scenario."""
        line, named = self.scenario["home"], self.scenario["control"]
        south = (lambda h: int(h[2:]) >= line["row"]) if line["kind"] == "row" else (
            lambda h: self.map.hexes[h].region == "south")
        return {h: named.get(h) or (PARAGUAY if south(h) else BOLIVIA) for h in self.map.hexes}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All hexes in the order of their ids; the place of each is its number."""
        return tuple(sorted(self.map.hexes))

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each hex, for searches."""
        return {name: n for n, name in enumerate(self.names)}

    @cached_property
    def cut_numbers(self) -> frozenset[int]:
        """10.6 The numbers of the hexes from which ways along clear hexsides lead."""
        return frozenset(self.number[h] for h in self.cuts)

    @cached_property
    def cuts(self) -> dict[str, tuple[Cut, ...]]:
        """10.6 Ways along clear hexsides."""
        return cuts_of(self.map)

    @cached_property
    def links(self) -> dict[str, tuple[str, ...]]:
        """Hexes of the land in play that touch, and the ways off the map (10.12)."""
        out: dict[str, tuple[str, ...]] = {}
        for here, near in self.map.neighbours.items():
            there = [h for h in near if (here, h) in self._off_map_ways or not {here, h} & self.off_map]
            there += [b for a, b in sorted(self._off_map_ways) if a == here and b not in there]
            out[here] = tuple(h for h in there if self.in_play(h) and self.in_play(here))
        return out

    @cached_property
    def around(self) -> dict[str, tuple[str, ...]]:
        """The hexes that touch each, boxes off the map left out (10.12)."""
        return {here: tuple(h for h in near if h not in self.off_map) for here, near in self.map.neighbours.items()}

    @cached_property
    def zone_of(self) -> dict[str, tuple[str, ...]]:
        """7.2 The hexes that a zone of control reaches from each: over no river and no international border."""
        return {here: tuple(h for h in near if not self.river(here, h) and not self.map.edge("border", here, h)
                            and here not in self.off_map) for here, near in self.around.items()}

    @cached_property
    def exits(self) -> frozenset[str]:
        """10.12 The hexes from which ways lead off the map."""
        return frozenset(h for pair in self._off_map_ways for h in pair if h not in self.off_map)

    @cached_property
    def paces(self) -> dict[tuple[bool, bool], dict[str, int]]:
        """2.11, 10.13 The movement factors in sixths of a point, by whether cavalry is mounted, which has eight points,
        and by whether it is reaction movement, in which 10.10 all have half, rounded up to a whole point."""
        mounted = int(self.n["mounted"]["movement"])
        points = {u: unit.movement for u, unit in self.units.items()}
        riding = {u: mounted if unit.type == "cavalry" else points[u] for u, unit in self.units.items()}
        return {
            (cavalry, reaction): {u: SIXTHS * (-(-n // 2) if reaction else n) for u, n in of.items()}
            for cavalry, of in ((False, points), (True, riding))
            for reaction in (False, True)
        }

    def in_play(self, hex_: str) -> bool:
        """Whether a hex is part of the game: Argentina is not."""
        return self.map.hexes[hex_].terrain != "out_of_play"

    def river(self, a: str, b: str) -> bool:
        """10.5 Whether a river runs between two hexes."""
        return self.map.edge("river", a, b)

    @cached_property
    def boxes(self) -> dict[str, frozenset[str]]:
        """10.12 The boxes off the map of each side."""
        return {side: frozenset(h for h in self.off_map if self.map.hexes[h].country == side) for side in SIDES}

    def ways(self, kind: str, rain: bool, trails: Iterable[str], ferries: Iterable[str], shut: Iterable[str]) -> Ways:
        """10.4, 8.6 What each step costs for one kind of movement (`foot`, `mech`, `guns`, in sixths of a point; `line`
        for the line of communications), in the season, with these trails and engineers that ferry; 10.12 `shut` are
        the boxes of the other side, and hexes that it holds at the way out of a box."""
        key = kind, rain, frozenset(trails), frozenset(ferries), frozenset(shut)
        found = self._ways if any(key[2:]) else self._plain_ways
        if key not in found:
            if len(found) > 60:
                found.clear()
            found[key] = Ways(self, *key)
        return found[key]

    def months(self) -> tuple[int, int]:
        """Year and month of the first turn."""
        year, month = str(self.scenario["start"]).split("-")
        return int(year), int(month)

    def month_of(self, turn: int) -> tuple[int, int]:
        """Year and month of a turn: each turn is a month."""
        year, month = self.months()
        past = month - 1 + turn - 1
        return year + past // 12, past % 12 + 1

    def label_of(self, turn: int) -> str:
        """A turn as `YYYY-MM`."""
        return "{}-{:02d}".format(*self.month_of(turn))
