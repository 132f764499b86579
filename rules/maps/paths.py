"""Cheapest paths and connected hexes over any graph of named spaces. What a step costs is the title's to say."""

from collections.abc import Callable, Container, Iterable, Mapping
from heapq import heappop, heappush
from typing import NamedTuple

Step = Callable[[str, str], int | None]
"""What it costs to go from one space to a neighbour, 0 or more; None if it can't be done."""


class Reach(NamedTuple):
    """Every space within a budget: what it costs, and the space before it on the cheapest way there."""

    cost: dict[str, int]
    via: dict[str, str]

    def path(self, to: str) -> list[str]:
        """The cheapest way from the start to a space, both included. KeyError if it is out of reach."""
        self.cost[to]
        spaces = [to]
        while spaces[-1] in self.via:
            spaces.append(self.via[spaces[-1]])
        spaces.reverse()
        return spaces


def reach(neighbours: Mapping[str, tuple[str, ...]], start: str, budget: int, step: Step) -> Reach:
    """Where one can get from `start` for at most `budget`; the start costs 0.

    Of two ways of equal cost the one whose last space before is cheaper, then of lower id, is kept, so the same
    question always has the same answer.
    """
    cost = {start: 0}
    via: dict[str, str] = {}
    settled: set[str] = set()
    queue = [(0, start)]
    while queue:
        spent, here = heappop(queue)
        if here in settled:
            continue
        settled.add(here)
        for there in neighbours[here]:
            if there in settled:
                continue
            price = step(here, there)
            if price is None:
                continue
            total = spent + price
            if total <= budget and total < cost.get(there, budget + 1):
                cost[there] = total
                via[there] = here
                heappush(queue, (total, there))
    return Reach(cost, via)


def connected(links: Mapping[str, tuple[str, ...]], starts: Iterable[str], closed: Container[str]) -> set[str]:
    """All spaces joined to one of the starts over links, none of them in `closed`; closed starts count for nothing."""
    found = {start for start in starts if start not in closed}
    edge = list(found)
    while edge:
        for there in links[edge.pop()]:
            if there not in found and there not in closed:
                found.add(there)
                edge.append(there)
    return found
