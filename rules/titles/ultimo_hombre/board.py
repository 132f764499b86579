"""1 The board and its pieces, compiled once from a game's data."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rules.core.errors import Refusal
from rules.core.title import Terms

ALLIED, PARAGUAYAN = "allied", "paraguayan"
SIDES = (ALLIED, PARAGUAYAN)
NEUTRAL = "neutral"
LIMIT = 6      # 5 units a space
SLOTS = 6      # 7 slots a line of the battle board
SIDE_OF = {"brazil": ALLIED, "argentina": ALLIED, "uruguay_colorado": ALLIED,
           "paraguay": PARAGUAYAN, "uruguay_blanco": PARAGUAYAN}
STRATEGIC_NATIONS = {ALLIED: ("argentina", "brazil"), PARAGUAYAN: ("paraguay",)}


def enemy(side: str) -> str:
    """The other side."""
    return PARAGUAYAN if side == ALLIED else ALLIED


@dataclass(frozen=True, slots=True)
class Space:
    """One space: its country by colour, region (None for some Argentine ones) and the bonus of its first fall."""

    id: str
    country: str
    region: str | None
    main_river: bool
    strategic: bool
    vp: int
    cards: int
    control: str


@dataclass(frozen=True, slots=True)
class Unit:
    """5 A unit: to-hit factors of its full and reduced side; `reduced` None for a one-sided one."""

    id: str
    nation: str
    side: str
    type: str
    full: int
    reduced: int | None
    special: bool


class Game:
    """Map, pieces, decks and set-up. Shared by all positions that are played with them."""

    def __init__(self, terms: Terms) -> None:
        self.terms, self.scenario, files = terms, terms.scenario, terms.data.files
        raw = files["map"]["spaces"]
        self.spaces = {s: Space(s, d["country"], d["region"], d["main_river"], d["strategic"], d["vp"], d["cards"],
                                d["control"]) for s, d in raw.items()}
        kinds: dict[str, dict[str, str]] = {s: {} for s in raw}
        for a, b, kind in files["map"]["connections"]:
            kinds[a][b] = kinds[b][a] = kind
        self.links = {s: dict(sorted(near.items())) for s, near in kinds.items()}
        self.near = {s: tuple(near) for s, near in self.links.items()}
        self.river = {s: tuple(n for n, kind in near.items() if kind == "main_river") for s, near in self.links.items()}
        self.units = {u: Unit(u, d["nation"], d["side"], d["type"], d["full"], d["reduced"], d["special"])
                      for u, d in files["units"]["units"].items()}
        self.pools = {u: d["pool"] for u, d in files["units"]["units"].items()}
        self.leaders: dict[str, dict[str, Any]] = files["units"]["leaders"]
        self.fortresses: dict[str, dict[str, Any]] = files["units"]["fortresses"]
        self.cards: dict[str, dict[str, Any]] = files["cards"]["cards"]
        self.initial: dict[str, str] = files["cards"]["initial"]
        self.named = {card: self._named(d["effects"]) for card, d in self.cards.items()}
        self.capital: str = files["map"]["capital"]
        self.capitals: list[dict[str, Any]] = files["map"]["capitals"]

        own = self.scenario.body
        self.part = frozenset(own.get("part", raw))       # the spaces in play, in a scenario of ours not all
        self.with_cards: bool = own.get("cards", True)    # 12.1, 11 whether cards are drawn and used
        self.goal: dict[str, Any] | None = own.get("victory")  # of a scenario of ours: what ends and wins it

    def off_part(self, space: str) -> Refusal | None:
        """4 Why nobody may be in a space that lies outside the part of the map of a scenario."""
        return None if space in self.part else Refusal("refusal.off_the_part", "4", at=space)

    def deck(self, side: str) -> list[str]:
        """The event cards of a side, in order of their numbers."""
        return sorted(c for c, d in self.cards.items() if d["side"] == side and c not in self.initial.values())

    def _named(self, effects: list[dict[str, Any]]) -> list[str]:
        """12.1 The spaces a card's effects speak of, by name, region, country or kind, sorted."""
        terms = [{k: v for part in (effect, *effect.values()) if isinstance(part, dict) for k, v in part.items()}
                 for effect in effects]
        return sorted({s.id for s in self.spaces.values() for term in terms if _speaks_of(term, s)})

    def distances(self, start: str) -> dict[str, int]:
        """Connections from a space to every other."""
        found, queue = {start: 0}, deque([start])
        while queue:
            here = queue.popleft()
            for there in self.near[here]:
                if there not in found:
                    found[there] = found[here] + 1
                    queue.append(there)
        return found

    def nearest(self, start: str, goals: Iterable[str]) -> list[str]:
        """The goals with the fewest connections from a space, sorted; empty when there are no goals."""
        far = self.distances(start)
        reachable = [g for g in goals if g in far]
        least = min((far[g] for g in reachable), default=0)
        return sorted(g for g in reachable if far[g] == least)


def _speaks_of(term: dict[str, Any], space: Space) -> bool:
    """Whether the terms of an effect name a space; main rivers alone or as a further condition."""
    by_name = [*term.get("spaces", ()), *term.get("controls_any", ())]
    regions = [*term.get("regions", ()), *term.get("start_regions", ()), term.get("from_region")]
    countries = [*term.get("countries", ()), term.get("country")]
    strategic = term.get("strategic")
    if term.get("main_river") and not space.main_river:
        return False
    return (space.id in by_name or (space.region is not None and space.region in regions)
            or space.country in countries or (space.strategic and space.country == strategic)
            or (bool(term.get("main_river")) and not {"spaces", "regions"} & set(term)))
