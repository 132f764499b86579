"""An area map, built once from a title's `map.json` and never changed: areas, their borders, links, and boxes in them.

A space is an area or a box. What it costs to cross a border of some kind is the title's to say.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from sys import intern
from typing import Any

OPEN, RIVER, PASS, COAST, SEA = "open", "river", "pass", "coast", "sea"
IMPASSABLE, EDGE = "impassable", "edge"
INSIDE = "inside"  # the way between a box and the area that holds it
KINDS = frozenset((OPEN, RIVER, PASS, COAST, SEA, IMPASSABLE, EDGE))
CLOSED = frozenset((IMPASSABLE, EDGE))
VOID = "void"  # an area out of play: drawn, but no space


@dataclass(frozen=True, slots=True)
class Area:
    """One area in play. `kind` is `land` or `sea`; `worth` what its signs count (`{"coin": 3}`); `signs` its marks."""

    kind: str
    name: str
    region: str | None
    worth: Mapping[str, int]
    signs: frozenset[str]


@dataclass(frozen=True, slots=True)
class Box:
    """One box: `area` holds it, None off the map; `kind` is the title's (`city`, `fortress`, `off_map`); `sea` is the
    sea area its port opens on."""

    kind: str
    name: str
    area: str | None
    port: bool
    sea: str | None


class AreaMap:
    """Areas and boxes, and how one gets from one to another.

    `areas`, `boxes`  id -> Area or Box, in id order; areas out of play are left out
    `neighbours`      space -> the spaces one can go to from it, sorted: over a border that is not closed, along a link,
                      into a box and out of it
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        """`data`: the content of map.json (docs/new-title.md). ValueError for an unknown kind of border, or a
        border, link or box of an area there is not."""
        drawn = data["areas"]
        self.areas = {
            intern(name): Area(area["kind"], area["name"], area.get("region"), area.get("worth", {}),
                               frozenset(area.get("signs", ())))
            for name, area in sorted(drawn.items()) if area["kind"] != VOID
        }  # fmt: skip
        self.boxes = {
            intern(name): Box(box["kind"], box["name"], box.get("area"), box.get("port", False), box.get("sea"))
            for name, box in sorted(data.get("boxes", {}).items())
        }
        self._ways: dict[tuple[str, str], set[str]] = defaultdict(set)
        for border in data["borders"]:
            a, b, kind = border["a"], border["b"], border["kind"]
            if kind not in KINDS:
                raise ValueError(f"a border of kind {kind!r}")
            if a not in drawn or (b not in drawn and (kind != EDGE or b is not None)):
                raise ValueError(f"a border between {a} and {b}")
            self._add(a, b, kind)
        for name, box in self.boxes.items():
            if box.area is not None:
                self._add(name, box.area, INSIDE)
        for link in data.get("links", ()):
            self._add(link["a"], link["b"], link["kind"])
        lead: dict[str, set[str]] = {name: set() for name in (*self.areas, *self.boxes)}
        for (a, b), kinds in self._ways.items():
            if not kinds <= CLOSED:
                lead[a].add(intern(b))
        self.neighbours: dict[str, tuple[str, ...]] = {name: tuple(sorted(there)) for name, there in lead.items()}
        self._within = {name: tuple(b for b, box in self.boxes.items() if box.area == name) for name in self.areas}

    def _add(self, a: str, b: str | None, kind: str) -> None:
        """A way in both directions; those of areas out of play lead nowhere."""
        for end in (a, b):
            if end is not None and end not in self.areas and end not in self.boxes:
                if kind in CLOSED:
                    return
                raise ValueError(f"a way of kind {kind!r} between {a} and {b}")
        if b is not None:
            self._ways[a, b].add(intern(kind))
            self._ways[b, a].add(intern(kind))

    def ways(self, a: str, b: str) -> frozenset[str]:
        """The kinds of border and link between two spaces: more than one where they touch along several stretches;
        empty if they do not touch."""
        return frozenset(self._ways.get((a, b), ()))

    def within(self, area: str) -> tuple[str, ...]:
        """The boxes an area holds, sorted. KeyError for an unknown area."""
        return self._within[area]

    def holder(self, space: str) -> str | None:
        """The area a space is or lies in; None for a box off the map. KeyError for an unknown space."""
        return space if space in self.areas else self.boxes[space].area

    def region(self, name: str) -> tuple[str, ...]:
        """The areas of a region, sorted."""
        return tuple(k for k, area in self.areas.items() if area.region == name)
