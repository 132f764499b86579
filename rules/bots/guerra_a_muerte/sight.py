"""What a player of Guerra a Muerte sees: who stands where, how strong, and whose the areas are."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from rules.bots.guerra_a_muerte.odds import Fight, forecast
from rules.titles.guerra_a_muerte.board import ARTILLERY, PATRIOT, REBELS, ROYALIST, Game, enemy

UNSEEN, UNSEEN_STEPS = 10.0, 4  # factors and steps that a closed army box is taken for
LEADER_EDGE = 1.15  # what a leader is worth in a fight, for each tactical point about so much
STEP = {ROYALIST: 0.12, PATRIOT: 0.35}  # what a step is worth, in areas, while there is a year left to use it: the
# patriots have a third of the crown's
SPENT = 0.02  # and in the last year
EAGER = {ROYALIST: 1.0, PATRIOT: 0.5}  # of what new land is worth, while there is a year left and no more than SOON:
# what the patriots take then the crown takes back, with who took it; earlier it still pays
SOON = 4
SCATTER = 0.5  # of the risk, in the last year: one more man stands for an area as well as many
HELD = {"areas": 0.0, "continent": 1.0}  # of the worth of an area: what it is to the crown in its last operations to
# stand there; the rest is that the patriots don't
POINT = 0.15  # what a point of an area is worth, in areas, for each year to come, and of how many years: the patriots
# have fewer than they could spend
LONG = {ROYALIST: 1, PATRIOT: 3}
OPEN = 0.9  # what an open area is worth to whoever stands there
EVEN, LOST = 0.7, 0.85  # so much of his factors holds against an enemy, and how likely is lost what cannot be held
KEEP = 6  # steps above a garrison that victory asks for
REACH = 2  # areas from which an enemy force is a danger


class Sight:
    """The view of one side: `at` counter -> place, `badges` of each, `closed` area -> sides with a box there, `step`
    what a step is worth now, `left` the years after this one."""

    def __init__(self, game: Game, fragments: Mapping[str, Any], side: str) -> None:
        self.game, self.side, self.foe = game, side, enemy(side)
        self.fragments = fragments
        self.at: dict[str, str] = {}
        self.badges: dict[str, list[str]] = {}
        self.closed: dict[str, set[str]] = {}
        for key, content in fragments.items():
            kind, _, loc = key.partition(":")
            if kind != "space" or not content:
                continue
            for unit in content.get("units", ()):
                self.at[unit["id"]] = loc
                self.badges[unit["id"]] = unit["badges"]
            for pile in (*content.get("others", ()), *([content] if "units" not in content else [])):
                if pile.get("box") and "units" not in pile:
                    self.closed.setdefault(loc, set()).add(pile["side"])
        self.here: dict[str, list[str]] = {}
        for unit, loc in sorted(self.at.items()):
            self.here.setdefault(loc, []).append(unit)
        last = game.scenario["first_turn"] + game.scenario["turns"] - 1
        self.left = max(last - (fragments.get("turn") or {}).get("turn", 0), 0)
        self.final = self.left == 0
        self.step = SPENT if self.final else STEP[side]
        self._threat: dict[tuple[str, str], float] = {}
        self._held: dict[str, set[str]] = {}
        self._danger: dict[tuple[str, str], float] = {}

    # -- counters ------------------------------------------------------------------------------------------

    def factor(self, unit: str) -> float:
        u = self.game.units[unit]
        return float((u.reduced or 0) if "reduced" in self.badges.get(unit, ()) else u.full) if u.troops else 0.0

    def steps(self, units: Iterable[str]) -> int:
        return sum(self.game.units[u].steps - ("reduced" in self.badges.get(u, ())) for u in units
                   if self.game.units[u].troops)

    def skill(self, units: Iterable[str]) -> int:
        """The tactical factor of the best leader on land."""
        return max((self.game.units[u].tactical for u in units if not self.game.units[u].naval), default=0)

    def strength(self, units: Iterable[str]) -> float:
        """Factors of a force, a leader counted for what he adds."""
        units = list(units)
        return sum(self.factor(u) for u in units) * LEADER_EDGE ** self.skill(units)

    def troops(self, units: Iterable[str]) -> list[str]:
        return [u for u in units if self.game.units[u].troops]

    def slot(self, unit: str) -> int:
        """The group with which a counter is activated (3.2)."""
        return self.game.nation_slot.get(self.game.units[unit].nation, -1)

    @cached_property
    def outmatched(self) -> bool:
        """Whether the enemy has more than twice the factors of this side in all, as far as it sees."""
        sides = {side: sum(self.factor(u) for u in self.at if self.game.units[u].side == side)
                 + UNSEEN * sum(side in boxes for boxes in self.closed.values()) for side in (self.side, self.foe)}
        return sides[self.foe] > 2 * sides[self.side]

    # -- places --------------------------------------------------------------------------------------------

    def field(self, area: str, side: str) -> list[str]:
        """Counters of a side in the field of an area, guerrillas apart."""
        return [u for u in self.here.get(area, ()) if self.game.units[u].side == side
                and "guerrilla" not in self.badges[u] and not self.game.units[u].ship]

    def bands(self, area: str, side: str) -> list[str]:
        return [u for u in self.here.get(area, ()) if self.game.units[u].side == side and "guerrilla" in self.badges[u]]

    def inside(self, place: str, side: str) -> list[str]:
        return [u for u in self.here.get(place, ()) if self.game.units[u].side == side
                and not self.game.units[u].ship and "aboard" not in self.badges[u]]

    def everyone(self, area: str, side: str) -> list[str]:
        """All land counters of a side in an area."""
        return [u for loc in self.game.parts.get(area, (area,)) for u in self.here.get(loc, ())
                if self.game.units[u].side == side and not self.game.units[u].ship]

    def threat(self, area: str, side: str) -> float:
        """Factors of a side in the field of an area, what is in a closed box guessed."""
        if (area, side) not in self._threat:
            unseen = UNSEEN if side in self.closed.get(area, ()) else 0.0
            self._threat[area, side] = self.strength(self.field(area, side)) + unseen
        return self._threat[area, side]

    def force(self, area: str, side: str) -> float:
        """Factors of a side that could march out of an area, its places counted."""
        men = [u for u in self.everyone(area, side) if "guerrilla" not in self.badges[u]]
        return self.strength(men) + (UNSEEN if side in self.closed.get(area, ()) else 0.0)

    def danger(self, area: str, side: str) -> float:
        """Factors of the strongest force of a side that could be in an area in its next operations."""
        if (area, side) not in self._danger:
            far = self.game.far(area)
            self._danger[area, side] = max((self.force(a, side) for a, n in far.items() if n <= REACH
                                            and a in self.game.worth), default=0.0)
        return self._danger[area, side]

    def risk(self, area: str, power: float) -> float:
        """How likely an area is lost that so many factors hold; after the crown's last operations nobody comes."""
        if self.final and self.side == ROYALIST:
            return 0.0
        ratio = self.danger(area, self.foe) / max(power, 0.5)
        return min(max((ratio - EVEN) / 2, 0.0), LOST) * (SCATTER if self.final else 1.0)

    def held_by(self, area: str) -> set[str]:
        """The sides with anything in an area."""
        if area not in self._held:
            self._held[area] = {side for side in (ROYALIST, PATRIOT, REBELS)
                                if self.everyone(area, side) or side in self.closed.get(area, ())}
        return self._held[area]

    def hostile(self, area: str) -> bool:
        """5.3 Whether every stack in an area suffers attrition."""
        return area in self.game.lists["hostile"]

    def walls(self, place: str) -> float:
        """6.2 What a city or a fortress adds to its garrison."""
        return float(self.game.tables["siege"]["fortress" if self.game.fortified(place) else "city"])

    def routes(self, start: str, power: float, gentle: bool) -> dict[str, list[str]]:
        """The shortest ways from an area to the others; none leads on from where a stronger enemy could fall upon the
        marchers (3.4), and a `gentle` one neither into hostile country nor over the Andes (5.3)."""
        found, queue = {start: [start]}, deque([start])
        while queue:
            here = queue.popleft()
            if here != start and self.threat(here, self.foe) > power:
                continue
            for there in self.game.near.get(here, ()):
                if there not in found and there in self.game.worth and not (
                        gentle and (self.hostile(there) or self.game.passes(here, there))):
                    found[there] = [*found[here], there]
                    queue.append(there)
        return found

    # -- what is worth what ----------------------------------------------------------------------------------

    @cached_property
    def aims(self) -> tuple[float, float]:
        """What it is worth to hold an area, and that the enemy doesn't. For the crown, which moves last, only what is
        counted is in the last year (11.1, 12.1.4: the patriots' areas, or its own on the continent)."""
        own = HELD[self.game.scenario["victory"]["kind"]] if self.final and self.side == ROYALIST else 0.5
        return own, 1 - own

    def worth(self, area: str) -> float:
        """What an area is worth to hold: one towards victory, and its points."""
        rp = self.game.worth.get(area, 0)
        return 0.1 if not rp else 1.0 + POINT * rp * min(self.left, LONG[self.side])

    def gain(self, area: str, regular: bool = True) -> float:
        """What it would bring to stand in an area: all of it, half beside others; with regulars also where bands of the
        enemy hold it against the militia that is there (10.1)."""
        sides = self.held_by(area)
        if self.side in sides:
            bare = regular and self.bands(area, self.foe) and not any(
                self.game.units[u].regular for u in self.everyone(area, self.side))
            return 0.5 * self.worth(area) if bare else 0.0
        eager = EAGER[self.side] if 0 < self.left <= SOON else 1.0
        return eager * self.worth(area) * (2 * OPEN * self.aims[0] if not sides else 0.6)

    def prize(self, area: str, place: str = "") -> float:
        """What it would bring to destroy those who stand in the field of an area, or in a place in it: the enemy's half
        of it, unless he holds that with others."""
        taken = self.inside(place, self.foe) if place else self.field(area, self.foe)
        return (0.15 if len(self.everyone(area, self.foe)) > len(taken) else 0.5) * self.worth(area)

    def regular_steps(self, units: Iterable[str]) -> int:
        """10.5 Steps of regular foot and horse."""
        return self.steps(u for u in units if self.game.units[u].regular and self.game.units[u].type != ARTILLERY)

    def spare(self, garrison: str) -> int:
        """Steps that the crown has above the garrison that victory asks of it, `mexico` or `caribbean` (10.5), and a
        few more."""
        areas = self.game.lists[f"garrison_{garrison}"]
        return sum(self.regular_steps(self.everyone(a, ROYALIST)) for a in areas) - KEEP - int(
            self.game.scenario["garrison"][garrison])

    def fight(self, attack: float, area: str, steps: int) -> Fight:
        """A battle against what stands in the field of an area."""
        foes = self.field(area, self.foe)
        theirs = self.steps(foes) + (UNSEEN_STEPS if self.foe in self.closed.get(area, ()) else 0)
        return forecast(self.game, "battle", attack, max(self.threat(area, self.foe), 0.5), (steps, max(theirs, 1)))

    def value(self, fight: Fight, prize: float) -> float:
        """What a fight is worth, in areas: the steps of both sides, and the prize when nobody is left."""
        return self.step * (fight.killed - fight.lost) + prize * fight.clears

    def points(self) -> dict[str, float]:
        """Resource points by purse."""
        rows = (self.fragments.get("table:purses") or {}).get("rows", ())
        return {row["label"]["key"].removeprefix("nation."): _number(row["value"]) for row in rows}


def _number(text: str) -> float:
    whole = text.rstrip("½")
    return (float(whole) if whole else 0.0) + (0.5 if text.endswith("½") else 0.0)
