"""What a side sees, put in order: who stands where, who holds what, how far it is."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any

from rules.titles.chaco.units import PARAGUAY, Game, Unit, enemy
from rules.titles.chaco.ways import spread

FAR = 10_000
NEAR = 6  # hexes at which an enemy makes a garrison worth while


@lru_cache(maxsize=400)
def _away(game: Game, goal: str, rain: bool) -> dict[str, int]:
    """Sixths of a point on foot from each hex to a goal (about: some ways cost more one way than back)."""
    return spread(game.ways("foot", rain, (), (), ()), goal, 1200, ()).cost


class Sight:
    """One side's view of the map."""

    def __init__(self, game: Game, fragments: Mapping[str, Any], side: str) -> None:
        self.fragments, self.side, self.foe = fragments, side, enemy(side)
        self.game = game
        self._threats: dict[str, int] = {}
        self.units: Mapping[str, Unit] = self.game.units
        self.rain = fragments["table:state"]["rows"][0]["value"]["key"] == "state.rain"
        self.spaces: dict[str, Any] = {k.removeprefix("space:"): v for k, v in fragments.items()
                                       if k.startswith("space:") and v and v["count"]}

    def stacks(self, side: str) -> dict[str, list[str]]:
        """Hex -> what is seen of a side's counters there."""
        out = {}
        for hex_, space in sorted(self.spaces.items()):
            if space.get("side") == side and hex_ not in self.game.off_map:
                shown = space.get("units") or [space["top"], *space.get("markers", [])]
                out[hex_] = [u["id"] for u in shown]
        return out

    @cached_property
    def mine(self) -> dict[str, list[str]]:
        return self.stacks(self.side)

    @cached_property
    def theirs(self) -> dict[str, list[str]]:
        return {h: us for h, us in self.stacks(self.foe).items() if any(self.units[u].combat for u in us)}

    @cached_property
    def reduced(self) -> set[str]:
        return {u["id"] for s in self.spaces.values() for u in s.get("units", []) if "reduced" in u["badges"]}

    def controller(self, hex_: str) -> str:
        space = self.fragments.get(f"space:{hex_}")
        return str(space["control"]) if space and "control" in space else self.game.home[hex_]

    def attack(self, unit: str) -> int:
        factors = self.units[unit].attack
        return factors[int(unit in self.reduced and len(factors) > 1)] if factors else 0

    def defense(self, unit: str) -> int:
        factors = self.units[unit].defense
        return factors[int(unit in self.reduced and len(factors) > 1)] if factors else 0

    def guard(self, hex_: str) -> int:
        """The defence the enemy shows in a hex; hidden counters are taken for three each."""
        seen = self.theirs.get(hex_, [])
        hidden = self.spaces[hex_]["count"] - len(seen) if seen else 0
        return sum(self.defense(u) for u in seen if self.units[u].type != "artillery") + 3 * hidden

    def away(self, hex_: str, goal: str) -> int:
        """Sixths of a point on foot from a hex to a goal."""
        return _away(self.game, goal, self.rain).get(hex_, FAR)

    def threat(self, hex_: str) -> int:
        """Hexes to the nearest enemy combat unit."""
        if hex_ not in self._threats:
            self._threats[hex_] = min((self.game.map.distance(hex_, h) for h in self.theirs), default=99)
        return self._threats[hex_]

    def moved(self, hex_: str) -> set[str]:
        """The counters of a hex that have moved or ridden in this phase."""
        return {u["id"] for u in self.spaces[hex_]["units"] if {"moved", "aboard"} & set(u["badges"])}

    def room(self, hex_: str) -> int:
        """How many more units a hex takes that count (11.2), works not counted."""
        table: dict[str, Any] = self.game.n["stacking"]
        limit = int(table["open" if self.game.map.hexes[hex_].terrain == "clear" else "other"])
        return limit - sum(self.units[u].counted for u in self.mine.get(hex_, []))

    def guarded(self, hex_: str) -> bool:
        """Whether one man has to stay: with the headquarters, or in a settlement that the enemy could walk into."""
        ghq = any(self.units[u].type == "ghq" for u in self.mine.get(hex_, []))
        return ghq or (hex_ in self.game.settlements and self.threat(hex_) <= NEAR)

    @property
    def radius(self) -> int:
        """The supply radius of this side (8.7)."""
        rows = self.fragments["table:state"]["rows"]
        return next(int(row["value"]) for row in rows if row["label"]["key"] == "state.radius"
                    and row["label"]["args"]["side"] == self.side)

    @cached_property
    def fed(self) -> frozenset[str]:
        """The hexes that the own supply reached when it was last checked."""
        layer = self.fragments.get(f"layer:radius_{self.side}")
        return frozenset(h for part in layer["parts"] for h in part["spaces"]) if layer else frozenset()

    @cached_property
    def bare(self) -> list[str]:
        """Own settlements that the enemy could walk into: none of ours in or beside them, he not far."""
        return [h for h in sorted(self.game.settlements) if self.controller(h) == self.side and self.threat(h) <= 9
                and not any(self.fighters(n) for n in (h, *self.game.map.neighbours[h]))]

    def fighters(self, hex_: str) -> list[str]:
        return [u for u in self.mine.get(hex_, []) if self.units[u].combat]

    def leaders(self, hex_: str) -> list[str]:
        return [u for u in self.mine.get(hex_, []) if self.units[u].type == "leader"]

    @cached_property
    def goals(self) -> list[tuple[str, float]]:
        """What is worth taking: enemy settlements and lone enemy stacks, with what they may bring."""
        found = {h: (14.0 if h in self.game.majors else 7.0) for h in self.game.settlements
                 if self.controller(h) == self.foe}
        for hex_, units in self.theirs.items():
            leaders = sum(self.units[u].political for u in units if self.units[u].type == "leader")
            found[hex_] = found.get(hex_, 0.0) + 1.0 + leaders
        return sorted(found.items())

    @property
    def points(self) -> dict[str, int]:
        rows = self.fragments["table:points"]["rows"]
        return {row["label"]["key"].removeprefix("seat."): row["value"] for row in rows}

    @property
    def attacker(self) -> bool:
        """Whether this side presses on: Paraguay until it leads well, Bolivia when it trails."""
        lead = self.points[self.side] - self.points[self.foe]
        return lead < 40 or self.side == PARAGUAY
