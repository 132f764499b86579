"""The printed data of a game compiled once: board, counters, commands, tables, scenarios."""

from __future__ import annotations

from typing import Any

from rules.core.title import Data
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


class Game:
    """Board, counters, commands and tables of one set of data. Shared by all positions that pin it."""

    def __init__(self, data: Data) -> None:
        files = data.files
        self.digest = data.digest
        self.tables: dict[str, Any] = files["tables"]
        self.board = Board(files["map"], self.tables)
        self._ways: dict[Kind, Ways] = {}
        self.closed: dict[str, dict[str, frozenset[str]]] = {}  # scenario -> what its limits close (duty.shunned)
        self.everywhere = frozenset(self.board.around)
        self.areas: dict[str, frozenset[str]] = {}  # scenario -> its ground (duty.in_area)
        self.ground = Ground(self.board)
        self.sight = Sight(self.board)
        self.goals = {h: place for place, hexes in self.board.places.items() for h in hexes}
        self.scenarios: dict[str, Any] = {k.rsplit("/", 1)[-1]: v for k, v in files.items()
                                          if k.startswith("scenarios/")}
        for plan in self.scenarios.values():
            for hex_ in (h for victory in plan["victory"].values() if isinstance(victory, list)
                         for way in victory for h in way.get("control", ())):
                self.goals.setdefault(hex_, hex_) if hex_ in self.board.around else None
        raw: dict[str, Any] = files["units"]["units"]
        ranges = self.tables["command_range"]
        self.units = {i: _unit(i, d) for i, d in raw.items() if d["arm"] in (INFANTRY, CAVALRY, ARTILLERY)}
        self.leaders = {i: _leader(i, d, ranges) for i, d in raw.items() if d["arm"] == LEADER}
        self.markers = {i: Marker(i, d["side"], d["marker"], d["command"]) for i, d in raw.items() if d["arm"] == MARKER}
        self.commands = {
            i: Command(i, d["side"], d["kind"], d["leader"], d.get("corps"), tuple(d.get("divisions", ())),
                       d.get("breakpoint"), d.get("independent", False))
            for i, d in files["units"]["commands"].items()}
        self.side = {i: d["side"] for i, d in raw.items()}
        self.members: dict[str, tuple[str, ...]] = {
            c: tuple(i for i, u in self.units.items() if u.command == c) for c in self.commands}
        self.corps_guns: dict[str, tuple[str, ...]] = {
            c: tuple(i for i, u in self.units.items() if u.corps == c and u.command is None) for c in self.commands}
        self.marker_of = {m.command: m.id for m in self.markers.values() if m.kind in ("division", "corps")}
        self.replacements = {s: tuple(i for i, m in self.leaders.items() if m.rank == "replacement" and m.side == s)
                             for s in SIDES}

    def ways(self, kind: Kind) -> Ways:
        """What a kind of counter can do (rules.titles.austerlitz.ways)."""
        found = self._ways.get(kind)
        if found is None:
            found = self._ways[kind] = Ways(self.board, self.tables, kind)
        return found

    def corps_of(self, command: str) -> str | None:
        """The corps of a division; a corps is its own. None for Oudinot's."""
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


_compiled: dict[str, Game] = {}


def compiled(data: Data) -> Game:
    """The game of that data, compiled once per digest."""
    if data.digest not in _compiled:
        _compiled[data.digest] = Game(data)
    return _compiled[data.digest]
