"""What a player of Guerra a Muerte sees: who stands where, how strong, and whose the areas are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rules.titles.guerra_a_muerte.board import PATRIOT, REBELS, ROYALIST, Game, enemy

UNSEEN = 10.0  # factors that a closed army box is taken for
LEADER_EDGE = 1.15  # what a leader is worth in a fight, for each tactical point about so much


class Sight:
    """The view of one side: `at` counter -> place, `badges` of each, `closed` area -> sides with a box there."""

    def __init__(self, game: Game, fragments: Mapping[str, Any], side: str) -> None:
        self.game, self.side, self.foe = game, side, enemy(side)
        self.fragments = fragments
        self.at: dict[str, str] = {}
        self.badges: dict[str, list[str]] = {}
        self.closed: dict[str, set[str]] = {}
        self.control: dict[str, str] = {}
        for key, content in fragments.items():
            kind, _, loc = key.partition(":")
            if kind != "space" or not content:
                continue
            self.control[loc] = content.get("control", "")
            for unit in content.get("units", ()):
                self.at[unit["id"]] = loc
                self.badges[unit["id"]] = unit["badges"]
            for pile in (*content.get("others", ()), *([content] if "units" not in content else [])):
                if pile.get("box") and "units" not in pile:
                    self.closed.setdefault(loc, set()).add(pile["side"])
        self.here: dict[str, list[str]] = {}
        for unit, loc in sorted(self.at.items()):
            self.here.setdefault(loc, []).append(unit)

    def factor(self, unit: str) -> float:
        u = self.game.units[unit]
        return float((u.reduced or 0) if "reduced" in self.badges.get(unit, ()) else u.full) if u.troops else 0.0

    def strength(self, units: Iterable[str]) -> float:
        """Factors of a force, a leader counted for what he adds."""
        units = list(units)
        skill = max((self.game.units[u].tactical for u in units if not self.game.units[u].naval), default=0)
        return sum(self.factor(u) for u in units) * LEADER_EDGE ** skill

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
        return [u for loc in (area, *self.game.within(area)) for u in self.here.get(loc, ())
                if self.game.units[u].side == side and not self.game.units[u].ship]

    def threat(self, area: str, side: str) -> float:
        """Factors of a side in the field of an area, what is in a closed box guessed."""
        seen = self.strength(self.field(area, side))
        return seen + (UNSEEN if side in self.closed.get(area, ()) else 0.0)

    def held_by(self, area: str) -> set[str]:
        """The sides with anything in an area."""
        return {side for side in (ROYALIST, PATRIOT, REBELS)
                if self.everyone(area, side) or side in self.closed.get(area, ())}

    def worth(self, area: str) -> float:
        """What an area is worth to hold: one towards victory, and its points."""
        rp = self.game.worth.get(area, 0)
        return 0.1 if not rp else 1.0 + 0.15 * rp

    def gain(self, area: str) -> float:
        """What it would bring to stand in an area: all of it, half beside others, more if the enemy loses by it."""
        sides = self.held_by(area)
        if self.side in sides:
            return 0.0
        return self.worth(area) * (0.9 if not sides else 0.75)

    def points(self) -> dict[str, float]:
        """Resource points by purse."""
        rows = (self.fragments.get("table:purses") or {}).get("rows", ())
        return {row["label"]["key"].removeprefix("nation."): _number(row["value"]) for row in rows}


def _number(text: str) -> float:
    whole = text.rstrip("½")
    return (float(whole) if whole else 0.0) + (0.5 if text.endswith("½") else 0.0)
