"""What a side sees, in a shape to think with: the open board, read from its own fragments and the printed data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from rules.titles.ultimo_hombre.board import ALLIED, NEUTRAL, Game, Unit, enemy

PACE = {"infantry": 2, "cavalry": 3}  # 4


class Sight:
    """One side's picture of the war. `own` and `foes`: space -> units; `leaders`: leader -> space or `box`;
    `forts`: space -> hits its fortress still takes; `walking`: leaders walk (17.1); `idle`: empty spaces that look as
    at the start though they have changed hands."""

    def __init__(self, game: Game, fragments: Mapping[str, Any], side: str) -> None:
        self.game, self.side, self.fragments, self.foe = game, side, fragments, enemy(side)
        self.own: dict[str, list[str]] = {}
        self.foes: dict[str, list[str]] = {}
        self.reduced: set[str] = set()
        self.moved: set[str] = set()
        self.leaders: dict[str, str] = {}
        self.forts: dict[str, int] = {}
        self.control: dict[str, str] = {}
        self.contested: set[str] = set()
        self.idle: set[str] = set()
        self._approaching: dict[str, list[str]] = {}
        self.capital = ""
        for key, content in fragments.items():
            kind, _, loc = key.partition(":")
            if content is None:
                continue
            if kind == "space":
                self._space(loc, content)
            elif key.startswith("pool:"):
                for unit in content["units"]:
                    if unit["id"] in game.leaders:
                        if key.startswith("pool:leaders:"):  # not of those out of the game
                            self.leaders[unit["id"]] = "box"
                    elif "reduced" in unit["badges"]:
                        self.reduced.add(unit["id"])
        war = [row["value"] for row in fragments["table:war"]["rows"]]
        self.argentina, self.uruguay, self.numeral = war
        self.walking = any(row["value"] == "option.leaders.true" for row in fragments["table:options"]["rows"])
        self.cards = {one: fragments[f"slots:cards_{one}"]["slots"][0]["card"]["id"] for one in (side, self.foe)}

    def _space(self, loc: str, content: Mapping[str, Any]) -> None:
        self.control[loc] = content["control"]
        if content.get("contested"):
            self.contested.add(loc)
        for unit in content["units"]:
            name = unit["id"]
            (self.own if self.unit(name).side == self.side else self.foes).setdefault(loc, []).append(name)
            if "reduced" in unit["badges"]:
                self.reduced.add(name)
            if {"moved", "aboard"} & set(unit["badges"]):
                self.moved.add(name)
        marks = content.get("markers", ())
        for mark in marks:
            if mark["kind"] == "leader":
                self.leaders[mark["id"]] = loc
            elif mark["kind"] == "fortress":
                self.forts[loc] = 1 if "reduced" in mark["badges"] else 2
            else:
                self.capital = loc
        if not marks and not content["units"] and content["control"] == self.game.spaces[loc].control:
            self.idle.add(loc)

    # -- pieces --------------------------------------------------------------------------------------------

    def unit(self, unit: str) -> Unit:
        return self.game.units[unit]

    def steps(self, unit: str) -> tuple[int, ...]:
        """5 The factors a unit has left to lose, the one it fires with now first."""
        u = self.game.units[unit]
        if u.reduced is None:
            return (u.full,)
        return (u.reduced,) if unit in self.reduced else (u.full, u.reduced)

    def worth(self, unit: str) -> float:
        """What a unit is worth: what it hits with and what it can take."""
        steps = self.steps(unit)
        return steps[0] + len(steps)

    def mass(self, units: Iterable[str]) -> float:
        return sum(self.worth(u) for u in units)

    def best(self, units: Iterable[str]) -> list[str]:
        """The most valuable first."""
        return sorted(units, key=lambda u: (-self.worth(u), u))

    def effects(self, op: str) -> list[dict[str, Any]]:
        """12.1 The effects of a kind on the two cards that show."""
        return [e for card in self.cards.values() for e in self.game.cards[card]["effects"] if e["op"] == op]

    # -- spaces --------------------------------------------------------------------------------------------

    def controller(self, space: str) -> str:
        return self.control.get(space) or self.game.spaces[space].control

    def may_stand(self, unit: str, space: str) -> bool:
        """15 Blancos stay in Uruguay; 1 the Allies out of Argentina on the first turn."""
        u, country = self.unit(unit), self.game.spaces[space].country
        if u.nation == "uruguay_blanco" and self.uruguay.endswith("blanco") and country != "uruguay":
            return False
        return not (u.side == ALLIED and country == "argentina" and self.argentina.endswith("not_yet"))

    def walk(self, unit: str, start: str, pace: int, blocked: Mapping[str, Any]) -> dict[str, str]:
        """4 Where a unit gets: space -> the space before it. A way ends where one of `blocked` stands."""
        via: dict[str, str] = {start: ""}
        edge = [start]
        for _ in range(pace):
            following = []
            for here in edge:
                if here != start and here in blocked:
                    continue
                for there in self.game.near[here]:
                    if there not in via and self.may_stand(unit, there):
                        via[there] = here
                        following.append(there)
            edge = following
        return via

    @cached_property
    def far(self) -> dict[str, dict[str, int]]:
        """Connections between any two spaces."""
        return distances(self.game)

    @cached_property
    def threats(self) -> dict[str, list[str]]:
        """The foreign units that could walk into a space next turn, the best first."""
        out: dict[str, list[str]] = {}
        for space, units in self.foes.items():
            for unit in units:
                for there in self.walk(unit, space, PACE[self.unit(unit).type], self.own):
                    out.setdefault(there, []).append(unit)
        return {space: self.best(units) for space, units in out.items()}

    def approaching(self, space: str) -> list[str]:
        """The foreign units that could be there in two turns, the best first."""
        if space not in self._approaching:
            far = self.far[space]
            self._approaching[space] = self.best(
                u for at, units in self.foes.items() for u in units
                if far.get(at, 99) <= 2 * PACE[self.unit(u).type] and self.may_stand(u, space))
        return self._approaching[space]

    def fire(self, space: str, blue: bool) -> str:
        """10 Who fires first where a space is attacked."""
        if self.game.spaces[space].main_river:
            return "defender_first"
        return "simultaneous" if blue else "attacker_first"


_far: WeakKeyDictionary[Game, dict[str, dict[str, int]]] = WeakKeyDictionary()


def distances(game: Game) -> dict[str, dict[str, int]]:
    """Measured once for each game."""
    if game not in _far:
        _far[game] = {space: game.distances(space) for space in game.spaces}
    return _far[game]


__all__ = ["NEUTRAL", "PACE", "Sight"]
