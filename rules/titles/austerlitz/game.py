"""The printed data of a game compiled once: board, counters, commands, tables, scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.title import Data, Terms
from rules.maps.paths import Prices
from rules.titles.austerlitz.board import Board
from rules.titles.austerlitz.formations import Ground
from rules.titles.austerlitz.sight import Sight
from rules.titles.austerlitz.units import (
    ARTILLERY,
    CAVALRY,
    INFANTRY,
    LEADER,
    MARKER,
    SIDES,
    Command,
    Leader,
    Marker,
    Unit,
)
from rules.titles.austerlitz.ways import Kind, Ways


class Field:
    """The ground of the map, shared by all scenarios of one set of data: board, arcs and zones, sight, ways."""

    def __init__(self, data: Data) -> None:
        self.tables: dict[str, Any] = data.files["tables"]
        self.board = Board(data.files["map"], self.tables)
        self.ground = Ground(self.board)
        self.sight = Sight(self.board)
        self._ways: dict[Kind, Ways] = {}

    def ways(self, kind: Kind) -> Ways:
        """What a kind of counter can do (rules.titles.austerlitz.ways)."""
        found = self._ways.get(kind)
        if found is None:
            found = self._ways[kind] = Ways(self.board, self.tables, kind)
        return found


FIELDS_KEPT = 3
_fields: dict[str, Field] = {}


def field_of(data: Data) -> Field:
    """The ground of a set of data; the last few are kept."""
    if data.digest not in _fields:
        while len(_fields) >= FIELDS_KEPT:
            _fields.pop(next(iter(_fields)))
        _fields[data.digest] = Field(data)
    return _fields[data.digest]


class Game:
    """Ground, counters, commands, tables and scenario of one game's terms. Shared by all positions on these terms."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        files = terms.data.files
        self.plan: Mapping[str, Any] = terms.scenario.body
        field = field_of(terms.data)
        self.board, self.ground, self.sight, self.ways = field.board, field.ground, field.sight, field.ways
        self.tables = field.tables
        self.rides: Prices | None = None  # where leaders ride (riding)
        self.closed: dict[str, frozenset[str]] = {}  # what its limits close to whom (duty.shunned)
        self.marches: dict[tuple[str, tuple[str, ...]], dict[str, int]] = {}  # points to some hexes (duty.ways_to)
        self.everywhere = frozenset(self.board.around)
        self.area = frozenset(h for h in self.board.around if inside(self.board, self.plan, h))
        self.goals = {h: place for place, hexes in self.board.places.items() for h in hexes}
        for hex_ in (h for ways in self.plan["victory"].values() if isinstance(ways, list) for way in ways
                     for h in way.get("control", ())):
            if hex_ in self.board.around:
                self.goals.setdefault(hex_, hex_)
        raw: dict[str, Any] = files["units"]["units"]
        ranges = self.tables["command_range"]
        self.units = {i: _unit(i, d) for i, d in raw.items() if d["arm"] in (INFANTRY, CAVALRY, ARTILLERY)}
        self.leaders = {i: _leader(i, d, ranges) for i, d in raw.items() if d["arm"] == LEADER}
        self.markers = {
            i: Marker(i, d["side"], d["marker"], d["command"]) for i, d in raw.items() if d["arm"] == MARKER
        }
        self.commands = {
            i: Command(i, d["side"], d["kind"], d["leader"], d.get("corps"), tuple(d.get("divisions", ())),
                       d.get("breakpoint"), d.get("independent", False))
            for i, d in files["units"]["commands"].items()}
        self.side = {i: d["side"] for i, d in raw.items()}
        self.members: dict[str, tuple[str, ...]] = {
            c: tuple(i for i, u in self.units.items() if u.command == c) for c in self.commands}
        self.corps_guns: dict[str, tuple[str, ...]] = {
            c: tuple(i for i, u in self.units.items() if u.corps == c and u.command is None) for c in self.commands}
        self.guns_of: dict[str, tuple[str, ...]] = {
            c: tuple(i for i, u in self.units.items() if u.corps == c and u.guns) for c in self.commands}
        self.marker_of = {m.command: m.id for m in self.markers.values() if m.kind in ("division", "corps")}
        # A4.3 Printed, but without a use; games that began before this was said go on with them.
        self.unused = frozenset(i for i, d in raw.items() if d.get("unused"))
        self.replacements = {s: tuple(i for i, m in self.leaders.items() if m.rank == "replacement" and m.side == s)
                             for s in SIDES}

    def corps_of(self, command: str | None) -> str | None:
        """The corps of a division; a corps is its own. None for Oudinot's."""
        if command is None:
            return None
        found = self.commands[command]
        return command if found.kind == "corps" else found.corps

    def corps_of_counter(self, counter: str) -> str | None:
        """The corps of a unit or leader."""
        unit = self.units.get(counter)
        if unit is not None:
            return unit.corps
        command = self.leaders[counter].command if counter in self.leaders else self.markers[counter].command
        return self.corps_of(command) if command in self.commands else None

    def side_of(self, command: str) -> str:
        """The side of a division, corps, or leader who leads a detachment."""
        return self.side[command] if command in self.side else self.commands[command].side

    def divisions(self, side: str) -> list[str]:
        return [c.id for c in self.commands.values() if c.side == side and c.kind == "division"]


def _unit(unit: str, d: dict[str, Any]) -> Unit:
    return Unit(unit, d["side"], d["nation"], d["corps"], d["command"], d["arm"], d["strength"], d["fire"], d["morale"],
                d["movement"], d.get("skirmish", False), d["elite"], d["hexes"], d.get("cavalry"), d.get("gun"),
                d.get("horse", False), tuple(d.get("companies", ())), d.get("battalion"))


def _leader(leader: str, d: dict[str, Any], ranges: dict[str, Any]) -> Leader:
    """A4.2 The table governs the ranges of overall, corps and division commanders."""
    rank = d["rank"]
    range_ = (ranges["overall"][leader] if rank == "overall" else ranges[rank][d["side"]]
              if rank in ("corps", "division") else d["range"] or 0)
    battery = d.get("grand_battery")
    return Leader(leader, d["side"], rank, d.get("command"), range_, d.get("activation", -1),
                  d.get("personality", "normal"), d.get("modifier", 0), d.get("span", 0), d.get("duty"),
                  d.get("independent", False),
                  None if battery is None else (battery["span"], battery["range"], battery["activation"]))


def inside(board: Board, plan: Mapping[str, Any], hex_: str) -> bool:
    """A15.1, A15.4-A15.6 Whether a hex lies on the sheets and rows of a scenario."""
    if hex_[0] not in plan["sheets"]:
        return False
    cells, area = board.map.cells, plan.get("area", {})
    row = cells[hex_][1]
    for key, sign in (("north", -1), ("south", 1)):
        if key in area:
            sheet, edge = area[key]
            if (row - cells[f"{sheet}20{edge:02d}"][1]) * sign > 0:
                return False
    return True
