"""A hex map laid on the sheet: where hexes, corners and outlines are."""

from __future__ import annotations

import collections
import math
from collections.abc import Collection
from typing import Any

from app.sheet.pen import Line, Point, snap
from app.sheet.room import Room
from rules.maps import hexes

RADIUS = 40.0
HEIGHT = RADIUS * math.sqrt(3)
Hex = hexes.Cell
Side = frozenset[Hex]
EAST = 2  # the side at whose first corner, due east of the centre, outlines begin
PLAIN = {"terrain": "clear", "level": 0, "name": None, "features": ()}  # what a hex is that does not say


class HexSheet(Room):
    """Geometry of one map.json (flat-topped hexes, see `rules.maps.hexes`) in sheet units.

    `hexes` are the map's own; `rim` are drawing-only copies around it, so that the ground bleeds to a straight edge.
    `edges` and `named` are by the line that a kind of edge is drawn as. `relief`: whether it has levels.
    `style` spells names and titles the sheet, see static/titles/<title>/style.json.
    """

    def __init__(self, data: dict[str, Any], style: dict[str, Any]) -> None:
        super().__init__()
        self.style = style
        self.georeference: dict[str, Any] = data.get("georeference") or {}
        self.hex_km: float | None = data["grid"].get("hex_km")
        self.lower: hexes.Stagger = data["grid"]["lower_columns"]
        self._cells = hexes.cells(data)
        self.hexes: dict[Hex, dict[str, Any]] = {
            self._cells[place]: {**PLAIN, "id": place, **h} for place, h in data["hexes"].items()
        }
        self.first_column = min(c for c, _ in self.hexes)
        self.first_row = min(r for _, r in self.hexes)
        centres = [self.centre(k) for k in self.hexes]
        self.left = min(x for x, _ in centres) - RADIUS
        self.top = min(y for _, y in centres) - HEIGHT / 2
        self.right = max(x for x, _ in centres) + RADIUS
        self.bottom = max(y for _, y in centres) + HEIGHT / 2
        self.edges: dict[str, set[Side]] = collections.defaultdict(set)
        self.named: dict[tuple[str, str], list[tuple[Hex, Hex]]] = collections.defaultdict(list)
        self.places: dict[str, dict[str, Any]] = data.get("places", {})
        self.relief = any(h["level"] for h in self.hexes.values())
        drawn_as = style.get("edges", {})
        for own, edges in data["edges"].items():
            kind = drawn_as.get(own, own)
            for first, second, *name in edges:
                a, b = self.key(first), self.key(second)
                self.edges[kind].add(frozenset((a, b)))
                self.named[kind, (name[0] if name else None) or ""].append((a, b))
        self.shore: set[Hex] = {k for e in self.edges["navigable_river"] for k in e}
        self.rim = self._rim()
        self.land = {**self.hexes, **self.rim}

    def _rim(self) -> dict[Hex, dict[str, Any]]:
        """Hexes up to two steps off the map, each like the nearest hex on it."""
        out: dict[Hex, dict[str, Any]] = {}
        for m in sorted({m for k in self.hexes for m in self._within_two(k)} - self.hexes.keys()):
            near = [q for q in self._within_two(m) if q in self.hexes]
            out[m] = self.hexes[min(near, key=lambda q: (math.dist(self.centre(q), self.centre(m)), q))]
        return out

    def _within_two(self, k: Hex) -> set[Hex]:
        return {m for n in self.around(k) for m in (n, *self.around(n))}

    def key(self, place: str) -> Hex:
        """The cell of a hex of the map. KeyError for another."""
        return self._cells[place]

    def centre(self, k: Hex) -> Point:
        drop = 0.5 if hexes.is_low(k[0], self.lower) else 0
        return (k[0] - self.first_column) * 1.5 * RADIUS, (k[1] - self.first_row + drop) * HEIGHT

    def at(self, p: Point) -> Hex:
        """The hex, on the map or off it, whose centre is nearest."""
        column = self.first_column + round(p[0] / (1.5 * RADIUS))
        near = []
        for c in (column - 1, column, column + 1):
            drop = 0.5 if hexes.is_low(c, self.lower) else 0
            near.append((c, self.first_row + round(p[1] / HEIGHT - drop)))
        return min(near, key=lambda k: math.dist(self.centre(k), p))

    def level_at(self, p: Point) -> int:
        """The level of the hex at a point; 0 off the map."""
        level: int = self.hexes.get(self.at(p), PLAIN)["level"]
        return level

    def site(self, k: Hex) -> Point:
        """Where towns and roads stand: the centre, or beside a navigable river the bank of their own region."""
        x, y = self.centre(k)
        if k in self.shore:
            own = [
                self.centre(n)
                for n in self.around(k)
                if n in self.hexes
                and n not in self.shore
                and self.hexes[n].get("region") == self.hexes[k].get("region")
            ]
            if own:
                dx, dy = sum(a for a, _ in own) / len(own) - x, sum(b for _, b in own) / len(own) - y
                length = math.hypot(dx, dy) or 1
                return x + 14 * dx / length, y + 14 * dy / length
        return x, y

    def corner(self, k: Hex, side: int) -> Point:
        """The corner where a hexside begins, clockwise."""
        (x, y), turn = self.centre(k), math.pi * (side - EAST) / 3
        return x + RADIUS * math.cos(turn), y + RADIUS * math.sin(turn)

    def around(self, k: Hex) -> tuple[Hex, ...]:
        """Neighbours in the order of the hexsides: N, NE, SE, S, SW, NW."""
        return hexes.around(k, self.lower)

    def hexside(self, a: Hex, b: Hex) -> tuple[Point, Point]:
        i = hexes.side_to(a, b, self.lower)
        return self.corner(a, i), self.corner(a, i + 1)

    def outline(self, keys: Collection[Hex]) -> list[Line]:
        """Closed rings around a set of hexes, as corner points."""
        onward = {}
        for k in keys:
            near = self.around(k)
            for i in range(EAST, EAST + 6):
                if near[i % 6] not in keys:
                    a, b = self.corner(k, i), self.corner(k, i + 1)
                    onward[snap(a)] = (snap(b), a)
        rings = []
        while onward:
            at, ring = next(iter(onward)), []
            while at in onward:
                at, p = onward.pop(at)
                ring.append(p)
            rings.append(ring)
        return rings
