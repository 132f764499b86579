"""A hex map, built once from a title's `map.json` and never changed.

Ids are interned, so that comparing and looking them up costs a pointer.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from sys import intern
from typing import Any

from rules.maps import hexes
from rules.maps.hexes import Arcs, Cell, Stagger

CLEAR = "clear"


@dataclass(frozen=True, slots=True)
class Hex:
    """One hex as the map draws it. `level` counts contours, 0 on flat maps; `features` are the kinds of its marks
    (`depot_city`, `allied_vp`, ...)."""

    terrain: str
    country: str | None
    region: str | None
    name: str | None
    level: int
    features: frozenset[str]


class HexMap:
    """Hexes, who touches whom, and the named kinds of hexside (rivers, roads, borders, walls, slopes).

    `hexes`       id -> Hex, in id order
    `cells`       id -> column and row; `ids` is its inverse
    `neighbours`  id -> the hexes of the map that touch it, clockwise from the north
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        """`data`: the content of map.json (docs/data.md). ValueError for an edge between hexes that do not touch, an id
        that names no place, or two hexes in one."""
        self.lower: Stagger = data["grid"]["lower_columns"]
        placed = hexes.cells(data)
        self.hexes: dict[str, Hex] = {intern(hex_id): _read(spot) for hex_id, spot in sorted(data["hexes"].items())}
        self.cells: dict[str, Cell] = {hex_id: placed[hex_id] for hex_id in self.hexes}
        self.ids: dict[Cell, str] = {cell: hex_id for hex_id, cell in self.cells.items()}
        self.neighbours: dict[str, tuple[str, ...]] = {
            hex_id: self._here(hexes.around(cell, self.lower)) for hex_id, cell in self.cells.items()
        }
        self._near: dict[tuple[str, int], tuple[str, ...]] = {}
        self._along: dict[str, dict[str, tuple[str, ...]]] = {}
        self._edges: dict[str, frozenset[tuple[str, str]]] = {}
        for kind, sides in data["edges"].items():
            pairs = {(intern(a), intern(b)) for a, b, *_name in sides}
            for a, b in sorted(pairs):
                if b not in self.neighbours.get(a, ()):
                    raise ValueError(f"{kind} between {a} and {b}, which do not touch")
            self._edges[kind] = frozenset(pairs | {(b, a) for a, b in pairs})
            self._along[kind] = {
                hex_id: tuple(other for other in touching if (hex_id, other) in self._edges[kind])
                for hex_id, touching in self.neighbours.items()
            }

    def _here(self, there: Collection[Cell]) -> tuple[str, ...]:
        """Those of some cells that the map has, in the same order."""
        return tuple(self.ids[cell] for cell in there if cell in self.ids)

    @property
    def kinds(self) -> list[str]:
        """The kinds of hexside there are, sorted."""
        return sorted(self._edges)

    def edge(self, kind: str, a: str, b: str) -> bool:
        """Whether the hexside between two hexes is of that kind. KeyError for an unknown kind."""
        return (a, b) in self._edges[kind]

    def edges(self, kind: str) -> frozenset[tuple[str, str]]:
        """All hexsides of a kind, each in both directions. KeyError for an unknown kind."""
        return self._edges[kind]

    def along(self, kind: str) -> dict[str, tuple[str, ...]]:
        """Hex -> the neighbours it reaches over hexsides of that kind. KeyError for an unknown kind."""
        return self._along[kind]

    def rise(self, a: str, b: str) -> int:
        """How many levels one goes up from one hex to another; down is less than 0. KeyError for an unknown hex."""
        return self.hexes[b].level - self.hexes[a].level

    def step(self, hex_id: str, side: int) -> str | None:
        """The hex over a hexside (0 to 5 clockwise from the north, modulo 6), None off the map."""
        return self.ids.get(hexes.step(self.cells[hex_id], side, self.lower))

    def side_to(self, a: str, b: str) -> int:
        """The hexside of `a` over which `b` lies. ValueError if they do not touch."""
        return hexes.side_to(self.cells[a], self.cells[b], self.lower)

    def arcs(self, footprint: Collection[str], facing: str, arcs: Arcs) -> tuple[tuple[str, ...], ...]:
        """The hexes of the map in front, on the flanks and behind a counter on these hexes (`hexes.arcs_around`)."""
        found = hexes.arcs_around([self.cells[hex_id] for hex_id in footprint], facing, arcs, self.lower)
        return tuple(self._here(part) for part in found)

    def distance(self, a: str, b: str) -> int:
        """Steps between two hexes, map edges ignored."""
        return hexes.distance(self.cells[a], self.cells[b], self.lower)

    def within(self, hex_id: str, radius: int) -> tuple[str, ...]:
        """The hexes of the map at most `radius` steps away, the hex itself too, sorted."""
        near = self._near.get((hex_id, radius))
        if near is None:
            around = hexes.within(self.cells[hex_id], radius, self.lower)
            near = self._near[hex_id, radius] = tuple(sorted(self._here(around)))
        return near

    def marked(self, feature: str) -> tuple[str, ...]:
        """The hexes that carry a feature, sorted."""
        return tuple(hex_id for hex_id, spot in self.hexes.items() if feature in spot.features)


def _read(spot: Mapping[str, Any]) -> Hex:
    """A hex of map.json; what it does not say is clear, level 0, of no country, region or name."""
    country, region = spot.get("country"), spot.get("region")
    return Hex(intern(spot.get("terrain", CLEAR)), country and intern(country), region and intern(region),
               spot.get("name"), spot.get("level", 0),
               frozenset(intern(feature["type"]) for feature in spot.get("features", ())))  # fmt: skip
