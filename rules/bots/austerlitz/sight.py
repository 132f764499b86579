"""What a side sees, in a shape to think with: counters as they stand, read from its own fragments and the printed
data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from rules.bots.austerlitz.aims import Aim, aims
from rules.bots.austerlitz.aims import places as aims_at
from rules.bots.austerlitz.foes import Foes, Troop, foes_of
from rules.maps.hexes import FACINGS
from rules.titles.austerlitz.formations import DISORDER, ROUTED
from rules.titles.austerlitz.game import Game
from rules.titles.austerlitz.units import LETTERS, enemy

MORALE = {"shaken": 1, "unsteady": 2, "routed": 3}
WEARY = 6  # the fatigue at which a command rests, lest the next level cost all its units one of morale (13.3)
SPARE = 4  # units that may still be ruined before a side thinks of nothing but rallying
FRESH = 4  # the fatigue from which on a command goes on resting that has begun to
LATE = 6   # turns before the end in which nobody rests who has something to take

MOST_READ = 5000
READ: dict[int, tuple[object, list[Troop]]] = {}  # contents of hexes by their identity, kept so that no other has it


class Sight:
    """One side's picture of the field. `own` and `foes`: counters by id; `stacks`: hex -> ids, top first; `held`: hex
    that counts -> side; `leaders`: own ones on the map -> hex; `fatigue`: own commands that tire, by id; `marching`:
    commands under strategic movement; `ruined`: own units destroyed, routed or unsteady; `fog`: the highest
    level in it."""

    def __init__(self, game: Game, fragments: Mapping[str, Any], side: str) -> None:
        self.game, self.side = game, side
        self.own: dict[str, Troop] = {}
        foes: dict[str, Troop] = {}
        self.stacks: dict[str, list[str]] = {}
        self.held: dict[str, str] = {}
        self.leaders: dict[str, str] = {}
        self.fields: dict[tuple[str, str | None, str], list[tuple[int, float]]] = {}  # of guns (march)
        self.pulls: dict[tuple[object, ...], Any] = {}  # how far it is for whom (post)
        self.fatigue = {key.removeprefix("command."): int(n) for key, n in _rows(fragments, f"fatigue_{side}")}
        self.marching = {key.removeprefix("command.") for key, _n in _rows(fragments, "strategic")}
        self.ruined = sum(int(n) for key, n in _rows(fragments, f"losses_{side}") if key == "row.ruined")
        self.fog = next((int(n) for key, n in _rows(fragments, "fog") if key == "row.fog"), None)
        self.turn = int((fragments.get("turn") or {"turn": 1})["turn"])
        self.pool = {u["id"] for u in (fragments.get(f"pool:markers_{side}") or {"units": ()})["units"]}
        self.limits = {part["text"]["key"].removeprefix("command.") for part in (
            fragments.get("layer:limits") or {"parts": ()})["parts"] if "text" in part}
        for key, content in fragments.items():
            if content is not None and key.startswith("space:"):
                self._look(content, key.removeprefix("space:"), foes)
        self.enemy: Foes = foes_of(game, foes)
        self.foes, self.arcs, self.nearest = self.enemy.troops, self.enemy.arcs, self.enemy.nearest
        self.marks, self.around = self.enemy.marks, self.enemy.around

    def _look(self, content: Mapping[str, Any], hex_: str, foes: dict[str, Troop]) -> None:
        if "control" in content:
            self.held[hex_] = content["control"]
        for marker in content.get("markers", ()):
            if self.game.side.get(marker["id"]) == self.side:
                self.leaders[marker["id"]] = hex_
        if content.get("units"):
            self.stacks[hex_] = [u["id"] for u in content["units"]]
            for troop in self._troops(content, hex_):
                (self.own if troop.unit.side == self.side else foes)[troop.id] = troop

    def _troops(self, content: Mapping[str, Any], hex_: str) -> list[Troop]:
        """The counters of a hex that stand in it with their first hex; read once, as few hexes change at a time."""
        known = READ.get(id(content))
        if known is None or known[0] is not content:
            if len(READ) > MOST_READ:
                READ.clear()
            troops = [self._troop(told, hex_) for told in content["units"]]
            known = READ[id(content)] = content, [t for t in troops if t.at == hex_]
        return known[1]

    def _troop(self, told: Mapping[str, Any], hex_: str) -> Troop:
        unit, badges = self.game.units[told["id"]], told["badges"]
        on = told.get("on", [hex_])
        form = DISORDER if told["formation"] == ROUTED else told["formation"]
        return Troop(told["id"], unit, on[0], on[1] if len(on) > 1 else None, form, FACINGS.index(told["facing"]),
                     unit.strength - told.get("lost", 0), max((MORALE.get(b, 0) for b in badges), default=0),
                     any(b.startswith("blown") for b in badges), "breakpoint" in badges)

    @cached_property
    def left(self) -> int:
        """Turns to come after this one before the scenario is decided."""
        plan = self.game.plan
        last = plan["turns"].index(plan["decided"]) + 1 if "decided" in plan else len(plan["turns"])
        return int(last) - self.turn

    @cached_property
    def aims(self) -> dict[str, Aim]:
        """Where each division is to go; empty where no place counts."""
        return aims(self)

    def aim(self, troop: Troop) -> Aim | None:
        """Where a unit is to go: with its division, guns of a corps with one of its divisions (A4.6)."""
        command = troop.unit.command
        if command is not None:
            return self.aims.get(command)
        return next((self.aims[d] for d in self.game.commands[troop.unit.corps].divisions if d in self.aims), None)

    @cached_property
    def careful(self) -> bool:
        """A15.1 Whether so many of its units are destroyed, routed or unsteady that two or three more lose the game."""
        return any(self.ruined >= way["broken"] - SPARE for way in self.game.plan["victory"][enemy(self.side)]
                   if "broken" in way)

    def weary(self, command: str | None) -> bool:
        """13.2, 13.3 Whether a command should rest: out of combat, three hexes off. Where places count it rests until
        it is fresh again, once its marker is out of the pool; but not at the end, if there is something to take."""
        level = self.fatigue.get(command or "", 0)
        if self.left < LATE and aims_at(self.game.plan, self.side):
            return False
        return level >= WEARY or (level >= FRESH and bool(self.aims) and self._out(command or ""))

    def _out(self, command: str) -> bool:
        """Whether neither a division's marker nor its corps' is in the pool."""
        game = self.game
        if command not in game.commands:
            return False
        return not {game.marker_of.get(command), game.marker_of.get(game.commands[command].corps or "")} & self.pool

    @cached_property
    def friends(self) -> dict[str, Troop]:
        """Own units by their hexes, of a stack the top one."""
        return {h: t for t in reversed(self.own.values()) for h in t.hexes}

    @property
    def threats(self) -> dict[str, list[Troop]]:
        return self.enemy.threats

    @property
    def fired_on(self) -> dict[str, int]:
        return self.enemy.fired_on

    def gap(self, a: str, b: str) -> int:
        return self.game.board.distance(a, b)

    def power(self, troop: Troop, form: str | None = None) -> float:
        """What a volley of it is worth: more for a better letter, in line, of foot; guns at a mean range."""
        if troop.unit.fire is None or troop.level == 3:
            return 0.0
        letter = LETTERS.index(troop.unit.fire) - ((form or troop.form) == "line") + troop.broken
        return max(0.2, 1.5 - 0.25 * letter)


def _rows(fragments: Mapping[str, Any], table: str) -> list[tuple[str, str]]:
    """Key and value of each row of a table that is shown."""
    told = fragments.get(f"table:{table}") or {"rows": ()}
    return [(row["label"]["key"], row["value"]) for row in told["rows"]]
