"""Promotion and relegation: the divisions of the next season from the tables of the last."""

from collections.abc import Sequence


def next_season(tables: Sequence[Sequence[int]], moving: int, gone: frozenset[int] = frozenset()) -> list[list[int]]:
    """The next divisions, best first. `tables`: the final order of each division, the highest first; `moving`: how
    many go up and down between neighbours; `gone`: who does not go on, before anybody moves: then a division sends
    fewer down, and is filled by further ones from below up to its old size."""
    sizes = [len(table) for table in tables]
    here = [[one for one in table if one not in gone] for table in tables]
    nexts: list[list[int]] = [[] for _ in tables]
    up = [here[low][:_moves(here, low, moving)] if low else [] for low in range(len(here))]
    falling = [max(0, len(up[high + 1]) - sizes[high] + len(here[high])) if high + 1 < len(here) else 0
               for high in range(len(here))]  # fmt: skip
    down = [table[len(table) - falling[high]:] for high, table in enumerate(here)]
    for tier, table in enumerate(here):
        stay = [one for one in table if one not in up[tier] and one not in down[tier]]
        nexts[tier] = (down[tier - 1] if tier else []) + stay + (up[tier + 1] if tier + 1 < len(here) else [])
    for tier in range(len(nexts) - 1):
        while len(nexts[tier]) < sizes[tier] and any(nexts[tier + 1:]):
            below = next(low for low in range(tier + 1, len(nexts)) if nexts[low])
            nexts[tier].append(nexts[below].pop(0))
    return nexts


def _moves(here: Sequence[Sequence[int]], low: int, moving: int) -> int:
    """How many change places between a division and the one above: at most half of either."""
    return min(moving, len(here[low]) // 2, len(here[low - 1]) // 2)
