"""What a side sees, put in order: who stands where, who holds what, how far it is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any

from rules.titles.chaco.search import spread, within
from rules.titles.chaco.units import Game, Unit, enemy

FAR = 10_000
MARCH = 36  # sixths of a point that men on foot have in a phase
DIE = 3.5
PRICE = 1.6  # how much dearer than its points a leader is: his men stand there without one
# The odds at which a stack is attacked -> how likely it is gone, the leader with it, by the end of a turn's fights.
DIES = ((2.5, 0.02), (3.5, 0.05), (5.0, 0.12), (7.0, 0.25), (FAR, 0.4))
DARING = 15  # points behind at which all is risked
CALM = 12  # turns left at which there is time yet
HQ = 6.0  # points that the loss of the headquarters comes to: a turn or two without supply
AHEAD = 0.25  # of what an empty settlement may cost that counts three turns before
ALONE = 1.6  # how much likelier one man is gone
# The odds at which a stack is attacked -> how likely it is driven off or gone by the end of a turn's fights (12.1).
FALLS = ((1.0, 0.03), (1.5, 0.08), (2.5, 0.18), (3.5, 0.3), (5.0, 0.45), (7.0, 0.6), (FAR, 0.75))


@lru_cache(maxsize=900)
def _away(game: Game, goal: str, rain: bool) -> dict[str, int]:
    """Sixths of a point on foot from each hex to a goal (about: some ways cost more one way than back)."""
    return spread(game.ways("foot", rain, (), (), ()), goal, 420, ()).cost


@lru_cache(maxsize=4000)
def _stride(game: Game, hex_: str, rain: bool, phases: int = 1) -> frozenset[str]:
    """Where men on foot can be after one phase or several."""
    return within(game.ways("foot", rain, (), (), ()), hex_, phases * MARCH, ())


@lru_cache(maxsize=4000)
def beside(game: Game, hex_: str, rain: bool) -> frozenset[str]:
    """What men on foot can be beside after one phase."""
    return frozenset(n for h in _stride(game, hex_, rain) for n in (h, *game.map.neighbours[h]))


@lru_cache(maxsize=4000)
def covered(game: Game, hex_: str, rain: bool, radius: int, kind: str = "foot") -> frozenset[str]:
    """8.7 The hexes within a supply radius, enemies left out of account."""
    return within(game.ways(kind, rain, (), (), ()), hex_, 6 * radius, ())


def gone(odds: float, men: int) -> float:
    """How likely it is that so many units are gone by the end of a turn's fights at these odds."""
    return next(chance for most, chance in DIES if odds <= most) * (ALONE if men < 2 else 1.0) if odds else 0.0


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

    def strength(self, hex_: str) -> float:
        """What the enemy's defence in a hex comes to: with his works, halved where no supply is near (12.12)."""
        guard = self.guard(hex_) * self.works.get(hex_, 1)
        return guard if self.stocked(self.foe, hex_) else guard / 2

    def away(self, hex_: str, goal: str) -> int:
        """Sixths of a point on foot from a hex to a goal."""
        return _away(self.game, goal, self.rain).get(hex_, FAR)

    def threat(self, hex_: str) -> int:
        """Hexes to the nearest enemy combat unit."""
        if hex_ not in self._threats:
            self._threats[hex_] = min((self.game.map.distance(hex_, h) for h in self.theirs), default=99)
        return self._threats[hex_]

    def busy(self, hex_: str) -> set[str]:
        """The counters of a hex that have moved or ridden in this phase, or build."""
        return {u["id"] for u in self.spaces[hex_]["units"] if {"moved", "aboard", "building"} & set(u["badges"])}

    def room(self, hex_: str) -> int:
        """How many more units a hex takes that count (11.2)."""
        table: dict[str, Any] = self.game.n["stacking"]
        kind = "works" if hex_ in self.works else "open" if self.game.map.hexes[hex_].terrain == "clear" else "other"
        return int(table[kind]) - sum(self.units[u].counted for u in self.mine.get(hex_, []))

    def guarded(self, hex_: str) -> bool:
        """Whether one man has to stay: with the headquarters, or in a settlement the enemy could soon walk into."""
        ghq = any(self.units[u].type == "ghq" for u in self.mine.get(hex_, []))
        return ghq or (hex_ in self.game.settlements and hex_ in self.soon)

    # -- what the enemy could do next --------------------------------------------------------------------

    @cached_property
    def reach(self) -> frozenset[str]:
        """The hexes that enemies could walk into in their next turn."""
        return frozenset(h for at in self.theirs for h in _stride(self.game, at, False))

    @cached_property
    def soon(self) -> frozenset[str]:
        """The hexes that enemies could walk into within two turns."""
        return frozenset(h for at in self.theirs for h in _stride(self.game, at, False, 2))

    @cached_property
    def later(self) -> frozenset[str]:
        """The hexes that enemies could walk into within three turns."""
        return frozenset(h for at in self.theirs for h in _stride(self.game, at, False, 3))

    @cached_property
    def dangers(self) -> dict[str, int]:
        """Hex -> the attack factors that could be beside it in the enemy's next turn; half of those without a
        leader."""
        out: dict[str, int] = {}
        for at, units in self.theirs.items():
            force = sum(self.attack(u) for u in units) + 3 * (self.spaces[at]["count"] - len(units))
            near = self.stacks_of_foe
            led = any(
                self.units[u].type == "leader" for h in (at, *self.game.map.neighbours[at]) for u in near.get(h, [])
            )
            for hex_ in beside(self.game, at, False):
                out[hex_] = out.get(hex_, 0) + (force if led else force // 2)
        return out

    @cached_property
    def stacks_of_foe(self) -> dict[str, list[str]]:
        return self.stacks(self.foe)

    @cached_property
    def works(self) -> dict[str, int]:
        """14.3, 14.4 Hex -> by how much its defence is multiplied."""
        layer = self.fragments.get("layer:works") or {"parts": []}
        table = self.game.n["works"]
        times = {"trench": int(table["entrenchment"]), "fort": int(table["fortification"])}
        return {h: times[p["line"]] for p in layer["parts"] if p.get("line") in times for h in p["spaces"]}

    def stocked(self, side: str, hex_: str) -> bool:
        """12.12 Whether a side has supply for a fight in a hex; of an enemy whose stacks are hidden it is assumed."""
        served = self.served[side]
        return served is None or hex_ in served

    @cached_property
    def served(self) -> dict[str, frozenset[str] | None]:
        """12.12 Side -> the hexes that its supply points can serve; None where they are hidden."""
        out: dict[str, frozenset[str] | None] = {}
        for side, stacks in ((self.side, self.mine), (self.foe, self.stacks_of_foe)):
            radius, found = self.radius_of(side), set[str]()
            for hex_, units in stacks.items():
                kinds = {self.units[u].type for u in units}
                if "supply" in kinds:
                    found.add(hex_)
                    if kinds & {"leader", "ghq"} or hex_ in self.game.sources[side]:
                        found |= covered(self.game, hex_, self.rain, radius)
            hidden = any(self.spaces[h]["count"] > len(us) for h, us in stacks.items())
            out[side] = None if hidden else frozenset(found)
        return out

    def odds(self, hex_: str, units: Iterable[str]) -> float:
        """The odds at which these units could be attacked in a hex in the enemy's next turn; 0 where nobody comes."""
        held = sum(self.defense(u) for u in units if self.units[u].type != "artillery") * self.works.get(hex_, 1)
        return self.dangers.get(hex_, 0) / max(1.0, held if self.stocked(self.side, hex_) else held / 2)

    def falls(self, hex_: str, units: Iterable[str]) -> float:
        """How likely it is that these units are driven out of a hex in the enemy's next turn."""
        odds = self.odds(hex_, units)
        return next(chance for most, chance in FALLS if odds <= most) if odds else 0.0

    def dies(self, hex_: str, units: Iterable[str]) -> float:
        """How likely it is that all these units are gone by the end of the enemy's next turn."""
        men = [u for u in units if self.units[u].combat]
        return gone(self.odds(hex_, men), len(men))

    def risk(self, hex_: str, units: Collection[str]) -> float:
        """16.2 The points that units may lose in a hex in the enemy's next turn: who is driven off keeps his leader,
        who is gone does not (12.8, 12.9)."""
        falls = self.falls(hex_, units)
        if not falls:
            return 0.0
        rest = [u for u in units if self.units[u].type != "leader"]
        driven = self.stake(hex_, []) + 0.5 * self.stake("", rest)
        return falls * driven + self.dies(hex_, units) * self.stake("", units)

    def stake(self, hex_: str, units: Iterable[str]) -> float:
        """16.2 The points that are lost with a hex and all units in it."""
        value = DIE * (2 if hex_ in self.game.majors else 1) if hex_ in self.game.settlements else 0.0
        for unit in units:
            kind = self.units[unit]
            value += PRICE * DIE * kind.political if kind.type == "leader" and kind.named else 0.0
            value += {"ghq": 4.0, "supply": 0.3, "truck": 1.0}.get(kind.type, 1.5 if kind.combat else 0.0)
        return value

    def loss(self, hex_: str, units: Iterable[str]) -> float:
        """16.2, 8.5 The points that an own settlement, or the headquarters, may cost soon with these units there: twice
        as many where nobody keeps the enemy from walking in."""
        if hex_ not in self.later:
            return 0.0
        stake = self.stake(hex_, []) + HQ * (self.game.ghq[self.side] in self.mine.get(hex_, []))
        if any(self.units[u].combat for u in units):
            return stake * self.falls(hex_, units)
        near = any(self.units[u].exerts for h in self.game.map.neighbours[hex_] for u in self.mine.get(h, []))
        return stake * (0.6 if near else 2.0) * (1.0 if hex_ in self.reach else 0.5 if hex_ in self.soon else AHEAD)

    @property
    def radius(self) -> int:
        """The supply radius of this side (8.7)."""
        return self.radius_of(self.side)

    def radius_of(self, side: str) -> int:
        """8.7 The supply radius of a side."""
        rows = self.fragments["table:state"]["rows"]
        return next(int(row["value"]) for row in rows if row["label"]["key"] == "state.radius"
                    and row["label"]["args"]["side"] == side)

    @property
    def turns_left(self) -> int:
        """The turns that are still to come after this one."""
        return sum(cell["state"] == "todo" for cell in self.fragments["track"]["cells"])

    @cached_property
    def fed(self) -> frozenset[str]:
        """The hexes that the own supply reached when it was last checked."""
        layer = self.fragments.get(f"layer:radius_{self.side}")
        return frozenset(h for part in layer["parts"] for h in part["spaces"]) if layer else frozenset()

    @cached_property
    def bare(self) -> list[str]:
        """Own settlements that the enemy could walk into within two turns: none of ours in or beside them."""
        return [h for h in sorted(self.game.settlements) if self.controller(h) == self.side and h in self.soon
                and not any(self.fighters(n) for n in (h, *self.game.map.neighbours[h]))]

    def near_supply(self, hex_: str) -> bool:
        """Whether a hex is fed, or no more than a march from one that is."""
        return not self.fed or any(h in self.fed for h in _stride(self.game, hex_, self.rain))

    @cached_property
    def far_edge(self) -> frozenset[str]:
        """16.2 The hexes from which one can leave the map for points."""
        row = self.game.edge_rows[self.foe]
        return frozenset(h for h in self.game.map.hexes if int(h[2:]) == row and h not in self.game.off_map)

    def hungry(self, hex_: str) -> bool:
        """Whether a hex lies outside the own supply."""
        return bool(self.fed) and hex_ not in self.fed

    def force(self, hex_: str) -> int:
        """The attack factors of the own units in a hex."""
        return sum(self.attack(u) for u in self.fighters(hex_))

    def fighters(self, hex_: str) -> list[str]:
        return [u for u in self.mine.get(hex_, []) if self.units[u].combat]

    def leaders(self, hex_: str) -> list[str]:
        return [u for u in self.mine.get(hex_, []) if self.units[u].type == "leader"]

    @cached_property
    def goals(self) -> list[tuple[str, float]]:
        """What is worth taking: enemy settlements and lone enemy stacks, with what they may bring."""
        found = {
            h: (1 if h in self.theirs else 2) * self.stake(h, [])
            for h in self.game.settlements
            if self.controller(h) == self.foe
        }
        for hex_, units in self.theirs.items():
            leaders = sum(self.units[u].political for u in units if self.units[u].type == "leader")
            found[hex_] = found.get(hex_, 0.0) + 1.0 + leaders
        return sorted(found.items())

    # -- leaders -----------------------------------------------------------------------------------------

    @cached_property
    def on_duty(self) -> list[str]:
        """15.1 The own leaders in play, the commander first."""
        rows = self.fragments["table:leaders"]["rows"]
        return [row["label"]["args"]["unit"] for row in rows if row["label"]["key"].startswith("leader.")
                and row["label"]["args"].get("side") == self.side]

    @property
    def commander(self) -> str:
        """15.1 The own commander."""
        return self.on_duty[0]

    @property
    def blamed(self) -> bool:
        """15.2 Whether the own commander has to be challenged."""
        rows = self.fragments["table:leaders"]["rows"]
        return any(row["label"]["key"] == "leader.blamed" and row["label"]["args"]["unit"] == self.commander
                   for row in rows)

    @property
    def waiting(self) -> list[str]:
        """15.6 The own leaders who can be drawn."""
        box = self.fragments.get(f"pool:waiting:{self.side}") or {"units": []}
        return [u["id"] for u in box["units"]]

    @cached_property
    def daring(self) -> float:
        """16.3 How much who is behind in points has to risk, from 0 to 1: the more the fewer turns are left."""
        behind = self.points[self.foe] - self.points[self.side]
        return max(0.0, min(1.0, behind / DARING)) * max(0.4, 1.0 - self.turns_left / CALM)

    @property
    def points(self) -> dict[str, int]:
        rows = self.fragments["table:points"]["rows"]
        return {row["label"]["key"].removeprefix("seat."): row["value"] for row in rows}

