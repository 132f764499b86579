"""Tie-breaks, each a function from an entrant to a number; the higher comes first.

The names and what they count are those of the FIDE Handbook C.07, as far as the game has such a thing: direct
encounter, Buchholz, Buchholz less the lowest, Sonneborn-Berger, games won. `margin` is the sum of the leads in the
title's own points. What was not played counts, for Buchholz, as a game against somebody with the entrant's own score.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from app.leagues.standings.results import Meeting

TieBreak = Callable[[int, Sequence[Meeting], Mapping[int, int]], int]
NAMES = ("direct", "buchholz", "buchholz_cut", "sonneborn", "wins", "margin")
USUAL = {
    "round_robin": ("direct", "sonneborn", "wins", "margin"),
    "swiss": ("buchholz_cut", "buchholz", "sonneborn", "direct"),
    "knock_out": ("wins", "margin"),
    "ladder": ("wins",),
    "arena": ("wins", "direct", "margin"),
}


def by_entrant(meetings: Sequence[Meeting]) -> Mapping[int, list[Meeting]]:
    """The meetings of each, in their order: nobody's are looked for among those of hundreds."""
    own: dict[int, list[Meeting]] = defaultdict(list)
    for one in meetings:
        for who in {one.first, one.second} - {None}:
            own[who].append(one)  # type: ignore[index]
    return own


def of(entrant: int, meetings: Sequence[Meeting]) -> list[Meeting]:
    """The meetings that count for an entrant."""
    return [one for one in meetings if one.counts(entrant)]


def wins(entrant: int, meetings: Sequence[Meeting], _: Mapping[int, int]) -> int:
    """Games won at the board: no walkover, no bye."""
    return sum(one.played and one.of(entrant) == "win" for one in of(entrant, meetings))


def margin(entrant: int, meetings: Sequence[Meeting], _: Mapping[int, int]) -> int:
    return sum(one.margin(entrant) for one in of(entrant, meetings))


def _opponents(entrant: int, meetings: Sequence[Meeting], points: Mapping[int, int]) -> list[int]:
    """The points of each opponent; one's own where nothing was played."""
    found = []
    for one in of(entrant, meetings):
        other = one.other(entrant)
        found.append(points[entrant] if other is None or not one.played else points[other])
    return found


def buchholz(entrant: int, meetings: Sequence[Meeting], points: Mapping[int, int]) -> int:
    """The sum of the opponents' points."""
    return sum(_opponents(entrant, meetings, points))


def buchholz_cut(entrant: int, meetings: Sequence[Meeting], points: Mapping[int, int]) -> int:
    """The same without the weakest opponent."""
    found = _opponents(entrant, meetings, points)
    return sum(found) - min(found, default=0)


def sonneborn(entrant: int, meetings: Sequence[Meeting], points: Mapping[int, int]) -> int:
    """Twice the points of those beaten and once of those drawn with, doubled as points are; only what was played."""
    total = 0
    for one in of(entrant, meetings):
        other = one.other(entrant)
        if one.played and other is not None:
            total += {"win": 2, "draw": 1}.get(one.of(entrant), 0) * points[other]
    return total


def direct(group: Sequence[int], meetings: Sequence[Meeting], worth: Mapping[str, int]) -> dict[int, int]:
    """The points that the tied entrants took from one another; nothing for all as long as not every two have met."""
    tied = set(group)
    inside = [one for one in meetings if one.second is not None and {one.first, one.second} <= tied
              and one.outcome != "void"]  # fmt: skip
    met = {frozenset((one.first, one.second)) for one in inside}
    if len(met) < len(group) * (len(group) - 1) // 2:
        return dict.fromkeys(group, 0)
    return {entrant: sum(worth[one.of(entrant)] for one in of(entrant, inside)) for entrant in group}


ALONE: dict[str, TieBreak] = {
    "buchholz": buchholz, "buchholz_cut": buchholz_cut, "sonneborn": sonneborn, "wins": wins, "margin": margin,
}  # fmt: skip
HALVES = frozenset({"direct", "buchholz", "buchholz_cut"})  # shown divided by two; `sonneborn` by four
