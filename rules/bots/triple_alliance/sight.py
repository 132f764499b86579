"""What a side sees, in a shape to think with. Built from its own fragments and the printed data alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from heapq import heappop, heappush
from typing import Any

from rules.maps.paths import connected
from rules.titles.triple_alliance.units import ALLIED, PARAGUAY, Game, Unit, enemy

FAR = 999


@dataclass(frozen=True, slots=True)
class Foe:
    """A foreign stack as it looks: how many, and the top unit unless it stands in a box."""

    count: int
    top: str | None


class Sight:
    """One side's picture of the war."""

    def __init__(self, game: Game, fragments: Mapping[str, Any], side: str) -> None:
        self.game, self.side, self.fragments = game, side, fragments
        self.own: dict[str, list[str]] = {}
        self.moved: set[str] = set()
        self.left: dict[str, int] = {}
        self.foes: dict[str, Foe] = {}
        self.control: dict[str, str] = {}
        for key, content in fragments.items():
            kind, _, loc = key.partition(":")
            if kind != "space":
                continue
            self.control[loc] = content["control"]
            if not content["count"]:
                continue
            if content["side"] == side:
                self.own[loc] = [u["id"] for u in content["units"]]
                for u in content["units"]:
                    self.left[u["id"]] = u.get("left", 0)
                    if "moved" in u["badges"]:
                        self.moved.add(u["id"])
            else:
                top = content.get("top")
                self.foes[loc] = Foe(content["count"], top["id"] if top else None)
        self.turn: int = fragments["turn"]["turn"]

    def unit(self, unit: str) -> Unit:
        return self.game.units[unit]

    def controller(self, hex_: str) -> str:
        return self.control.get(hex_) or self.game.home[hex_]

    @cached_property
    def at(self) -> dict[str, str]:
        return {u: h for h, us in self.own.items() for u in us}

    # -- the other side ------------------------------------------------------------------------------------

    @cached_property
    def _hidden_means(self) -> tuple[float, float]:
        """Mean attack and defence of the foreign units that may be on the map, tops in sight apart."""
        off = {u["id"] for key, content in self.fragments.items() if key.startswith("pool:") for u in content["units"]}
        off |= {foe.top for foe in self.foes.values() if foe.top}
        rest = [u for u in self.game.units.values() if u.side != self.side and u.id not in off and not u.fortress
                and u.id in self.game.playing]
        if not rest:
            return 2.0, 2.0
        return sum(u.attack for u in rest) / len(rest), sum(u.defense for u in rest) / len(rest)

    def foe_attack(self, hex_: str) -> float:
        """What a foreign stack could attack with, by guess."""
        foe = self.foes[hex_]
        seen = self.unit(foe.top).attack if foe.top else 0
        return seen + (foe.count - bool(foe.top)) * self._hidden_means[0]

    def foe_defense(self, hex_: str) -> float:
        """What a foreign stack defends with, by guess."""
        foe = self.foes[hex_]
        seen = self.unit(foe.top).defense if foe.top else 0
        return max(1.0, seen + (foe.count - bool(foe.top)) * self._hidden_means[1])

    def threat(self, hex_: str, within: int) -> float:
        """Foreign attack factors that stand at most so many points of march away."""
        away = self.distances(hex_, foe_blocks=False)
        return sum(self.foe_attack(h) for h in self.foes if away.get(h, FAR) <= within)

    @cached_property
    def foes_near(self) -> dict[str, list[str]]:
        """The foreign stacks within three hexes of each hex that has any."""
        out: dict[str, list[str]] = {}
        for foe in sorted(self.foes):
            for hex_ in self.game.map.within(foe, 3):
                out.setdefault(hex_, []).append(foe)
        return out

    def fortress(self, hex_: str) -> bool:
        """Whether a fortress still stands in a hex: nobody can hide one, and only its loss lays it open."""
        return hex_ in self.standing_forts

    @cached_property
    def standing_forts(self) -> frozenset[str]:
        dead = {u["id"] for u in (self.fragments.get(f"pool:dead:{PARAGUAY}") or {"units": []})["units"]}
        return frozenset(self.game.setup_hex[u.id] for u in self.game.units.values() if u.fortress and u.id not in dead)

    # -- ground --------------------------------------------------------------------------------------------

    @cached_property
    def _foe_set(self) -> frozenset[str]:
        return frozenset(self.foes)

    def distances(self, goal: str, foe_blocks: bool = True, river: bool = False) -> dict[str, int]:
        """Points of march (or of sailing) from every hex to a goal."""
        blocked = self._foe_set - {goal} if foe_blocks else frozenset()
        return _distances(self.game, goal, self.turn % 2 == 0, blocked, river)

    @cached_property
    def lines(self) -> frozenset[str]:
        """The hexes of the own supply lines, as far as anybody can tell."""
        sources = [h for h in self.game.tables["sources"][self.side] if self.controller(h) == self.side]
        return frozenset(connected(self.game.links, sources, self._foe_set))

    def supplied(self, hex_: str) -> bool:
        return hex_ in self.lines or any(n in self.lines for n in self.game.map.neighbours[hex_])

    @cached_property
    def _shelters(self) -> frozenset[str]:
        """7.8, 7.9 The hexes where attrition is milder."""
        centres = self.standing_forts if self.side == PARAGUAY else frozenset(
            h for h in self.game.tables["depots"] if self.controller(h) == ALLIED)
        return frozenset(n for h in centres for n in (h, *self.game.map.neighbours[h]))

    def attrition(self, hex_: str, count: int, now: bool = False, relief: int = 0) -> float:
        """Units a stack of that size can expect to lose in a hex as the next turn begins, or now; `relief` is added
        to the die."""
        if count <= 0:
            return 0.0
        spot = self.game.map.hexes[hex_]
        drm = relief - (self.turn % 2 == (0 if now else 1))
        drm -= {"rough": 1, "forest": 2, "marsh": 3}.get(spot.terrain, 0)
        drm -= 3 if spot.region == "chaco" else 0
        drm -= 0 if self.supplied(hex_) else 3
        drm += 3 if hex_ in self._shelters else 0
        return _mean_attrition(self.game, min(26, count), drm)


@lru_cache(maxsize=4096)
def _mean_attrition(game: Game, count: int, drm: int) -> float:
    table = game.tables["attrition"]
    column = next(c for c in table["columns"] if c["min"] <= count <= c["max"])
    cells = table["cells"][column["label"]]
    return float(sum(cells[max(0, min(14, face + drm))] for face in range(10)) / 10)


@lru_cache(maxsize=512)
def _distances(game: Game, goal: str, winter: bool, blocked: frozenset[str], river: bool) -> dict[str, int]:
    near = game.map.along("navigable_river") if river else game.map.neighbours
    costs = {} if river else game.march_costs(winter, False)
    found, queue = {goal: 0}, [(0, goal)]
    while queue:
        far, here = heappop(queue)
        if far > found[here]:
            continue
        for there in near[here]:
            step = far + (1 if river else costs[there, here])
            if there not in blocked and step < found.get(there, FAR):
                found[there] = step
                heappush(queue, (step, there))
    return found


__all__ = ["ALLIED", "FAR", "PARAGUAY", "Foe", "Sight", "enemy"]
