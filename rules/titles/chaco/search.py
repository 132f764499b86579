"""Searches for the cheapest ways over the map: where a stack can go, how far it is home, lines of communications."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping
from typing import Any

from rules.maps.paths import Frontier, Reach
from rules.titles.chaco.ways import NOWHERE, Rows, Ways

FAR = 10_000  # more than any way across the map costs
CLOSED = -1  # the cost of a hex that is never entered: no way is cheaper
Lines = Callable[[Ways, str, Iterable[str], Iterable[str], Collection[str]], dict[str, list[str]]]


class Search:
    """One search, by the numbers of hexes. `cost`: what it costs to come to each, `most` + 1 where that is too much;
    `before`: the hex before each on the cheapest way, in the order in which they were found. Of two ways of equal cost
    the one whose last hex before is cheaper, then of lower id, is kept."""

    def __init__(self, ways: Ways, starts: Iterable[str], closed: Iterable[str], most: int = FAR) -> None:
        self.ways, self.names, self.number = ways, ways.game.names, ways.game.number
        self.cost = [most + 1] * len(self.names)
        for hex_ in closed:
            self.cost[self.number[hex_]] = CLOSED
        self.starts = list(starts)
        for hex_ in self.starts:
            self.cost[self.number[hex_]] = 0
        self.before: dict[int, int] = {}
        self.edge = Frontier()

    def leave(self, start: str, steps: Iterable[tuple[int, int]]) -> None:
        """The first steps, where not all that lead from the start may be taken."""
        here = self.number[start]
        for there, price in steps:
            if price < self.cost[there]:
                self.cost[there], self.before[there] = price, here
                self.edge[price].append(there)

    def run(
        self,
        rows: Rows,
        zones: Collection[str] | None,
        back: bool = False,
        stop: Container[str] = NOWHERE,
        wanted: Iterable[str] = (),
    ) -> None:
        """On from the edge along these rows, and along clear hexsides that no hex of `zones` lies beside (None: none
        at all). Never on from a `stop` hex. Ends early when all the `wanted` hexes are known."""
        names, cost, before, edge = self.names, self.cost, self.before, self.edge
        cuts, missing = NOWHERE if zones is None else self.ways.game.cut_numbers, {self.number[h] for h in wanted}
        early, shortcuts = bool(missing), self.ways.shortcuts
        for spent, spaces in edge.cheapest_first():
            while spaces:
                here = spaces.pop()
                if spent > cost[here] or names[here] in stop:
                    continue
                if early:
                    missing.discard(here)
                    if not missing:
                        return
                steps = rows[here]
                if here in cuts:
                    steps = (*steps, *shortcuts(here, zones or NOWHERE, back))
                for there, price in steps:
                    total = spent + price
                    if total < cost[there]:
                        cost[there], before[there] = total, here
                        if price:
                            edge[total].append(there)
                        else:
                            edge.again(total, there)

    def hexes(self) -> frozenset[str]:
        """All hexes one comes to, the starts among them."""
        names = self.names
        return frozenset([*self.starts, *[names[h] for h in self.before]])

    def reach(self) -> Reach:
        """What it costs to come to each hex, and the hex before it."""
        names, cost = self.names, self.cost
        return Reach(
            dict.fromkeys(self.starts, 0) | {names[h]: cost[h] for h in self.before},
            {names[h]: names[before] for h, before in self.before.items()},
        )

    def chain(self, hex_: str) -> list[str] | None:
        """From a hex back to the start from which it was reached; None for one that was not."""
        found, here = [hex_], self.number[hex_]
        if here not in self.before:
            return found if hex_ in self.starts else None
        while here in self.before:
            here = self.before[here]
            found.append(self.names[here])
        return found


def _spread(
    ways: Ways,
    start: str,
    budget: int,
    closed: Iterable[str],
    zones: Collection[str] = NOWHERE,
    stop: Container[str] = NOWHERE,
    first: Container[str] | None = None,
    doors: Mapping[str, int] | None = None,
    wanted: Iterable[str] = (),
) -> Search:
    search, here = Search(ways, [start], closed, budget), ways.game.number[start]
    search.leave(start, [(search.number[there], price) for there, price in (doors or {}).items()])
    steps = (*ways.rows[here], *ways.shortcuts(here, zones))
    search.leave(start, steps if first is None else [step for step in steps if search.names[step[0]] not in first])
    search.run(ways.rows, zones, stop=stop, wanted=wanted)
    return search


def spread(
    ways: Ways, start: str, budget: int, closed: Iterable[str], zones: Collection[str] = NOWHERE, **more: Any
) -> Reach:
    """Where one can get from `start` for at most `budget`. Never into a `closed` hex, never on from a `stop` hex; clear
    hexsides beside a hex of `zones` are barred. `first`: hexes barred as the very first step (7.3); `doors`: places
    that only the first step leads to, with their price (10.12)."""
    return _spread(ways, start, budget, closed, zones, **more).reach()


def within(
    ways: Ways, start: str, budget: int, closed: Iterable[str], zones: Collection[str] = NOWHERE
) -> frozenset[str]:
    """The hexes one can get to from `start` for at most `budget`."""
    return _spread(ways, start, budget, closed, zones).hexes()


def homing(ways: Ways, goals: Iterable[str], closed: Iterable[str], rivers: bool) -> dict[str, int]:
    """How far each hex is from the nearest goal, going there, along no clear hexsides, and without `rivers` over none
    of them."""
    search = _back(ways, goals, closed)
    search.run(ways.back if rivers else ways.dry, None, back=True)
    return search.reach().cost


def lines_from(
    ways: Ways, start: str, ends: Iterable[str], closed: Iterable[str], zones: Collection[str]
) -> dict[str, list[str]]:
    """The cheapest way from the start to each of the ends, of those that there are and that lie elsewhere."""
    ends = tuple(ends)
    search = _spread(ways, start, FAR, closed, zones, wanted=ends)
    chains = {end: search.chain(end) for end in ends if end != start}
    return {end: chain[::-1] for end, chain in chains.items() if chain is not None}


def lines_to(
    ways: Ways, end: str, starts: Iterable[str], closed: Iterable[str], zones: Collection[str]
) -> dict[str, list[str]]:
    """The cheapest way from each of the starts to the end, of those that there are."""
    search, starts = _back(ways, [end], closed), tuple(starts)
    search.run(ways.back, zones, back=True, wanted=starts)
    chains = {start: search.chain(start) for start in starts}
    return {start: chain for start, chain in chains.items() if chain is not None}


def _back(ways: Ways, goals: Iterable[str], closed: Iterable[str]) -> Search:
    search = Search(ways, goals, closed)
    search.edge[0] += [search.number[goal] for goal in search.starts]
    return search
