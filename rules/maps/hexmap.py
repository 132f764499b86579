"""A hex map, built once from a title's `map.json` and never changed.

Ids are interned, so that comparing and looking them up costs a pointer.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from sys import intern
from typing import Any

from rules.maps import hexes
from rules.maps.hexes import Stagger


@dataclass(frozen=True, slots=True)
class Hex:
    """One hex as the map draws it. `features` are the kinds of its marks (`depot_city`, `allied_vp`, ...)."""

    terrain: str
    country: str
    region: str
    name: str | None
    features: frozenset[str]


class HexMap:
    """Hexes, who touches whom, and the named kinds of hexside (rivers, roads, borders).

    `hexes`       id -> Hex, in id order
    `neighbours`  id -> the hexes of the map that touch it, clockwise from the north
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        """`data`: the content of map.json (docs/data.md). ValueError for an edge between hexes that do not touch."""
        self.lower: Stagger = data["grid"]["lower_columns"]
        self.hexes: dict[str, Hex] = {
            intern(hex_id): Hex(
                intern(spot["terrain"]),
                intern(spot["country"]),
                intern(spot["region"]),
                spot["name"],
                frozenset(intern(feature["type"]) for feature in spot["features"]),
            )
            for hex_id, spot in sorted(data["hexes"].items())
        }
        self.neighbours: dict[str, tuple[str, ...]] = {
            hex_id: tuple(intern(other) for other in hexes.neighbours(hex_id, self.lower) if other in self.hexes)
            for hex_id in self.hexes
        }
        self._near: dict[tuple[str, int], tuple[str, ...]] = {}
        self._along: dict[str, dict[str, tuple[str, ...]]] = {}
        self._edges: dict[str, frozenset[tuple[str, str]]] = {}
        for kind, sides in data["edges"].items():
            pairs = {(intern(a), intern(b)) for a, b, _name in sides}
            for a, b in sorted(pairs):
                if b not in self.neighbours.get(a, ()):
                    raise ValueError(f"{kind} between {a} and {b}, which do not touch")
            self._edges[kind] = frozenset(pairs | {(b, a) for a, b in pairs})
            self._along[kind] = {
                hex_id: tuple(other for other in touching if (hex_id, other) in self._edges[kind])
                for hex_id, touching in self.neighbours.items()
            }

    def edge(self, kind: str, a: str, b: str) -> bool:
        """Whether the hexside between two hexes is of that kind. KeyError for an unknown kind."""
        return (a, b) in self._edges[kind]

    def edges(self, kind: str) -> frozenset[tuple[str, str]]:
        """All hexsides of a kind, each in both directions. KeyError for an unknown kind."""
        return self._edges[kind]

    def along(self, kind: str) -> dict[str, tuple[str, ...]]:
        """Hex -> the neighbours it reaches over hexsides of that kind. KeyError for an unknown kind."""
        return self._along[kind]

    def distance(self, a: str, b: str) -> int:
        """Steps between two hexes, map edges ignored."""
        return hexes.distance(a, b, self.lower)

    def within(self, hex_id: str, radius: int) -> tuple[str, ...]:
        """The hexes of the map at most `radius` steps away, the hex itself too, sorted."""
        near = self._near.get((hex_id, radius))
        if near is None:
            around = hexes.within(hex_id, radius, self.lower)
            near = self._near[hex_id, radius] = tuple(intern(other) for other in around if other in self.hexes)
        return near

    def marked(self, feature: str) -> tuple[str, ...]:
        """The hexes that carry a feature, sorted."""
        return tuple(hex_id for hex_id, spot in self.hexes.items() if feature in spot.features)
