"""Knock-out: the best seeds are kept apart longest and have the byes of a field that is no power of two."""

from collections.abc import Sequence

from app.leagues.pairing import Apart, Pair


def slots(size: int) -> list[int]:
    """The seeds 1 to `size` (a power of two) down the bracket: 1 meets 2 in the final if nobody stumbles."""
    order = [1]
    while len(order) < size:
        order = [seed for one in order for seed in (one, 2 * len(order) + 1 - one)]
    return order


def first_round(seeds: Sequence[int], apart: Apart = frozenset()) -> list[Pair]:
    """The first round from entrants in the order of their seeds, byes to the best. A blocked pair is parted by an
    exchange of the worse of the two with the next seed that fits, where there is one."""
    if len(seeds) < 2:
        return []
    size = 2
    while size < len(seeds):
        size *= 2
    order = [seeds[seed - 1] if seed <= len(seeds) else None for seed in slots(size)]
    seed_of = {entrant: seed for seed, entrant in enumerate(seeds, 1)}
    for at in range(0, size, 2):
        if _blocked(order, at, apart):
            worse = max((at, at + 1), key=lambda slot: seed_of[order[slot]])  # type: ignore[index]
            _part(order, worse, seed_of, apart)
    return [_pair(order[at], order[at + 1]) for at in range(0, size, 2)]


def _blocked(order: Sequence[int | None], at: int, apart: Apart) -> bool:
    one, two = order[at], order[at + 1]
    return one is not None and two is not None and frozenset((one, two)) in apart


def _part(order: list[int | None], slot: int, seed_of: dict[int, int], apart: Apart) -> None:
    mine = seed_of[order[slot]]  # type: ignore[index]
    others = [at for at, who in enumerate(order) if who is not None and at // 2 != slot // 2]
    for other in sorted(others, key=lambda at: abs(seed_of[order[at]] - mine)):  # type: ignore[index]
        order[slot], order[other] = order[other], order[slot]
        if not _blocked(order, slot - slot % 2, apart) and not _blocked(order, other - other % 2, apart):
            return
        order[slot], order[other] = order[other], order[slot]


def _pair(one: int | None, two: int | None) -> Pair:
    if one is None:
        assert two is not None, "byes are fewer than entrants"
        return two, None
    return one, two


def next_round(through: Sequence[int | None]) -> list[Pair | None]:
    """The next round from who came through each board of the last, in its order; None where nobody did. A board that
    nobody reaches is None."""
    pairs: list[Pair | None] = []
    for one, two in zip(through[::2], through[1::2], strict=True):
        pairs.append(None if one is None and two is None else _pair(one, two))
    return pairs
