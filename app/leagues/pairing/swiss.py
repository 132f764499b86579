"""The Swiss system, by maximum weight matching over score groups.

What the FIDE Dutch system wants (C.04.3), in its order, as the weights of one matching: nobody meets twice; nobody
gets one side a third time more often than the other; scores differ as little as they can; sides are balanced; the
upper half of a score group meets the lower. A blocked pair counts as one that has met.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.leagues.pairing import Apart, Pair

NOBODY = -1  # stands for the bye in the matching; entrants are not negative
NEAR = 24  # opponents by score looked at first in a large field


@dataclass(frozen=True)
class Player:
    """An entrant before a round. `score` in half points; `met` whom it played; `sides` +1 for each game with the
    first side, -1 for the second, in order; `byes` how many rounds it had nobody to play."""

    id: int
    score: int = 0
    met: frozenset[int] = field(default=frozenset())
    sides: tuple[int, ...] = ()
    byes: int = 0

    @property
    def lean(self) -> int:
        return sum(self.sides)


def pair(players: Sequence[Player], apart: Apart = frozenset()) -> list[Pair]:
    """The next round. `players` in the order of the standings (in round 1: of the draw), without who withdrew.

    With an odd number the bye goes to the lowest score that had none. Who has nobody left to meet gets a bye as well,
    so that a round can always be made.
    """
    matched = _matching(players, apart, NEAR)
    if len(matched) < len(players) // 2 and len(players) > NEAR:
        matched = _matching(players, apart, len(players))
    by_id = {player.id: player for player in players}
    rank = {player.id: place for place, player in enumerate(players)}
    met = [(by_id[one], by_id[two]) for one, two in matched if NOBODY not in (one, two)]
    met = [(a, b) if rank[a.id] < rank[b.id] else (b, a) for a, b in met]
    met.sort(key=lambda two: (-max(two[0].score, two[1].score), rank[two[0].id]))
    pairs: list[Pair] = [sides(better, worse, board) for board, (better, worse) in enumerate(met)]
    playing = {one for two in pairs for one in two}
    return pairs + [(player.id, None) for player in players if player.id not in playing]


def sides(better: Player, worse: Player, board: int = 0) -> tuple[int, int]:
    """Who takes which side: who had the first less often takes it; else the sides of the last game in which they
    differed are changed; else it goes by the number of the board, alternating."""
    if better.lean != worse.lean:
        better_first = better.lean < worse.lean
    else:
        last = next(((a, b) for a, b in zip(better.sides[::-1], worse.sides[::-1], strict=False) if a != b), None)
        better_first = last[0] < last[1] if last else board % 2 == 0
    return (better.id, worse.id) if better_first else (worse.id, better.id)


def _matching(players: Sequence[Player], apart: Apart, near: int) -> set[tuple[int, int]]:
    import networkx  # type: ignore[import-untyped]  # takes most of a second

    graph = networkx.Graph()
    graph.add_nodes_from(player.id for player in players)
    halves = _fold(players)
    size = len(players) + 1
    costs: dict[tuple[int, int], int] = {}
    for place, one in enumerate(players):
        for other in players[place + 1 : place + 1 + near]:
            if other.id not in one.met and frozenset((one.id, other.id)) not in apart:
                costs[one.id, other.id] = _cost(one, other, halves, size)
    if len(players) % 2:
        lowest = min(player.score for player in players)
        weigh = size * 4 * size * size
        for player in players:
            costs[player.id, NOBODY] = ((player.score - lowest) ** 2 + player.byes * 4 * size * size) * weigh
    most = max(costs.values(), default=0) + 1
    graph.add_weighted_edges_from((one, two, most - cost) for (one, two), cost in costs.items())
    found: set[tuple[int, int]] = networkx.max_weight_matching(graph, maxcardinality=True)
    return found


def _fold(players: Sequence[Player]) -> dict[int, tuple[int, int]]:
    """Each player's place within its score group, and how far down the group its ideal opponent is."""
    groups: dict[int, list[int]] = {}
    for player in players:
        groups.setdefault(player.score, []).append(player.id)
    return {one: (place, len(group) // 2) for group in groups.values() for place, one in enumerate(group)}


def _cost(one: Player, other: Player, halves: dict[int, tuple[int, int]], size: int) -> int:
    """Each wish outweighs all later ones together, over all boards."""
    same_way = one.lean * other.lean > 0
    clash = min(abs(one.lean), abs(other.lean)) if same_way else 0
    (place, half), (other_place, _) = halves[one.id], halves[other.id]
    fold = abs(abs(place - other_place) - half) if one.score == other.score else 0
    soft = min(clash, 1) * size + min(fold, size - 1)
    difference = (one.score - other.score) ** 2
    hard = 1 if clash >= 2 else 0
    return (hard * 4 * size**3 + difference) * 4 * size * size + soft
