"""The arena: whoever is free is paired at once, with somebody of a like score who was not met just before."""

from __future__ import annotations

from collections.abc import Sequence

from app.leagues.pairing import Apart
from app.leagues.pairing.swiss import Player, sides


def pair(free: Sequence[Player], last: dict[int, int], meetings: dict[frozenset[int], int],
         apart: Apart = frozenset()) -> list[tuple[int, int]]:
    """Pairs of those who are free, in the order in which they came. `last`: whom each met last; `meetings`: how often
    each pair has met. Who waits longest chooses first; nobody meets the last opponent again while others are free."""
    waiting = list(free)
    pairs: list[tuple[int, int]] = []
    while len(waiting) > 1:
        one = waiting.pop(0)
        able = [two for two in waiting if frozenset((one.id, two.id)) not in apart
                and last.get(one.id) != two.id and last.get(two.id) != one.id]  # fmt: skip
        if not able and len(free) == 2:
            able = [two for two in waiting if frozenset((one.id, two.id)) not in apart]
        if able:
            best = min(able, key=lambda two: (meetings.get(frozenset((one.id, two.id)), 0),
                                              abs(two.score - one.score), waiting.index(two)))  # fmt: skip
            waiting.remove(best)
            pairs.append(sides(one, best, len(pairs)))
    return pairs
