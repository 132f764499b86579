"""Round robin by the Berger tables (FIDE Handbook C.05, annex 1)."""

from app.leagues.pairing import Pair


def rounds(entrants: list[int], double: bool = False) -> list[list[Pair]]:
    """Every pair of `entrants` once, or twice with the sides changed; the order of the list is that of the draw.

    With an odd number each entrant has one bye a cycle. In each cycle nobody has one side more than once more often
    than the other. Fewer than two entrants meet nobody.
    """
    size = len(entrants) + len(entrants) % 2
    if size < 2 or len(entrants) < 2:
        return []
    cycle = [[_named(pair, entrants) for pair in _round(size, number)] for number in range(1, size)]
    if not double:
        return cycle
    return cycle + [[_turned(pair) for pair in one] for one in cycle]


def _round(size: int, number: int) -> list[tuple[int, int]]:
    """The pairs of a round by the entrants' numbers, from 1 to `size`."""
    ring = size - 1
    wanted = number + 1
    alone = next(i for i in range(1, size) if (2 * i - wanted) % ring == 0)
    pairs = [(size, alone) if alone > size // 2 else (alone, size)]
    for low in range(1, size):
        high = next(j for j in range(1, size) if (low + j - wanted) % ring == 0)
        if low < high:
            pairs.append((low, high) if (low + high) % 2 else (high, low))
    return pairs


def _named(pair: tuple[int, int], entrants: list[int]) -> Pair:
    first, second = (entrants[number - 1] if number <= len(entrants) else None for number in pair)
    if first is None:
        assert second is not None, "only one number stands for nobody"
        return second, None
    return first, second


def _turned(pair: Pair) -> Pair:
    return pair if pair[1] is None else (pair[1], pair[0])
