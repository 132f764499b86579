"""Who meets whom, with which side: pure functions over numbers and scores, one file per system.

Entrants are whole numbers. A pair is `(first, second)`: who takes the title's first seat and who the second; a second
of None is a bye.
"""

from collections.abc import Iterable

Pair = tuple[int, int | None]
Apart = frozenset[frozenset[int]]


def apart(pairs: Iterable[Iterable[int]]) -> Apart:
    """Pairs of entrants that are never to meet, in no order."""
    return frozenset(frozenset(pair) for pair in pairs)
