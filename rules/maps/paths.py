"""Cheapest paths and connected hexes over any graph of named spaces. What a step costs is the title's to say."""

from bisect import insort
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import NamedTuple

Step = Callable[[str, str], int | None]
"""What it costs to go from one space to a neighbour, 0 or more; None if it can't be done."""


class Prices(dict[str, tuple[tuple[str, int], ...]]):
    """Space -> the neighbours one can go to from it, each with its cost: worked out when a space is first asked for.
    `least` is what the cheapest of them costs."""

    def __init__(self, neighbours: Mapping[str, tuple[str, ...]], step: Step) -> None:
        super().__init__()
        self.least: dict[str, int] = {}
        self._neighbours, self._step = neighbours, step

    def __missing__(self, here: str) -> tuple[tuple[str, int], ...]:
        step = self._step
        row = self[here] = tuple((there, price) for there in self._neighbours[here]
                                 if (price := step(here, there)) is not None)  # fmt: skip
        self.least[here] = min((price for _, price in row), default=0)
        return row


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


class Frontier(defaultdict[int, list[int]]):
    """The spaces a search has still to look at, each a number, by what it costs to come there: a whole number, 0 or
    more. Quicker than a heap of all of them: there are many spaces and few costs."""

    def __init__(self) -> None:
        super().__init__(list)

    def cheapest_first(self) -> Iterator[tuple[int, list[int]]]:
        """Each cost with its spaces, the highest number first: they are taken from the end. What is put in meanwhile,
        at no lower cost, takes its place among them; a space that costs nothing more, with `again`."""
        cost = 0
        while self:
            if spaces := self.get(cost):
                spaces.sort(reverse=True)
                yield cost, spaces
            self.pop(cost, None)
            cost += 1

    def again(self, cost: int, space: int) -> None:
        """A space at the very cost that is gone through."""
        self[cost].append(space)
        self[cost].sort(reverse=True)


def reach(prices: Prices, start: str, budget: int, closed: Container[str] = ()) -> Reach:
    """Where one can get from `start` for at most `budget`, never into a `closed` space; the start costs 0.

    Of two ways of equal cost the one whose last space before is cheaper, then of lower id, is kept, so the same
    question always has the same answer.
    """
    cost = {start: 0}
    via: dict[str, str] = {}
    found = [[start], *([] for _ in range(budget))]  # the spaces found at each cost
    known, least, over = cost.get, prices.least, budget + 1
    for spent, spaces in enumerate(found):
        if not spaces:
            continue
        spaces.sort()
        for here in spaces:
            if cost[here] < spent:
                continue  # a cheaper way here was found meanwhile
            row = prices[here]
            if spent + least[here] > budget:
                continue
            for there, price in row:
                total = spent + price
                if total < known(there, over) and there not in closed:
                    cost[there], via[there] = total, here
                    if price:
                        found[total].append(there)
                    else:
                        insort(spaces, there, spaces.index(here) + 1)
    return Reach(cost, via)


def connected(links: Mapping[str, tuple[str, ...]], starts: Iterable[str], closed: Container[str],
              goal: str | None = None) -> set[str]:
    """All spaces joined to one of the starts over links, none of them in `closed`; closed starts count for nothing. Of
    these, where only one matters, as many as it takes to come to that `goal`."""
    found = {start for start in starts if start not in closed}
    edge = list(found)
    while edge and goal not in found:
        for there in links[edge.pop()]:
            if there not in found and there not in closed:
                found.add(there)
                edge.append(there)
    return found


def unjoined(
    links: Mapping[str, tuple[str, ...]], joined: Iterable[str], closed: Container[str], wanted: Iterable[str]
) -> set[str]:
    """Those of the `wanted` spaces from which no links lead to any of the `joined` ones. Each is looked from only until
    it meets these, or another that has met them: for many spaces near them much shorter than `connected`."""
    known, apart = {space for space in joined if space not in closed}, set[str]()
    for start in wanted:
        if start in known or start in apart:
            continue
        found, edge = {start}, [start] if start not in closed else []
        for here in edge:
            if here in known:
                break
            for there in links[here]:
                if there not in found and there not in closed:
                    found.add(there)
                    edge.append(there)
        else:
            apart |= found
            continue
        known |= found
    return apart.intersection(wanted)


def steps_to(goal: str, links: Mapping[str, tuple[str, ...]], closed: Container[str]) -> dict[str, str]:
    """The next space on a way of fewest links from each space to the goal; none for the goal itself. No way leads into
    a closed space."""
    following: dict[str, str] = {}
    edge = [goal]
    for here in edge:
        for there in links[here]:
            if there not in following and there != goal and there not in closed:
                following[there] = here
                edge.append(there)
    return following


def led(following: Mapping[str, str], goal: str, starts: Iterable[str], closed: Container[str]) -> set[str]:
    """The starts, and the spaces on their ways, from which the steps of `steps_to` lead to the goal through nothing
    closed. All of them are joined; others may be so, too, by ways of their own."""
    found = set[str]() if goal in closed else {goal}
    for start in starts:
        here, way = start, list[str]()
        while here not in found and here in following and here not in closed:
            way.append(here)
            here = following[here]
        if here in found:
            found.update(way)
    return found
