"""Straight lines from hex centre to hex centre: the hexes they cross, in axial steps from the first.

Axial steps count columns, and rows along the slanted axis: over sides 0 to 5 one goes (0, -1), (1, -1), (1, 0), (0, 1),
(-1, 1), (-1, 0).
"""

from functools import lru_cache

Axial = tuple[int, int]
TINY = 1e-9


@lru_cache(maxsize=4096)
def crossed(x: int, z: int) -> tuple[tuple[Axial, ...], ...]:
    """The hexes that a line to (x, z) crosses on its way, both ends left out, in order; a pair where it runs along the
    side between two. Corners that it only touches are not crossed."""
    n = max(abs(x), abs(z), abs(x + z))
    found: list[tuple[float, bool, Axial]] = []
    for hx in range(min(0, x) - 1, max(0, x) + 2):
        for hz in range(min(0, z) - 1, max(0, z) + 2):
            if (hx, hz) in ((0, 0), (x, z)) or steps(hx, hz) + steps(x - hx, z - hz) > n + 1:
                continue
            span = _span(x, z, hx, hz)
            if span is not None:
                found.append((span[0], span[1], (hx, hz)))
    found.sort()
    out: list[tuple[Axial, ...]] = []
    before: tuple[float, bool] | None = None
    for at, along, here in found:
        if along and before == (at, True):
            out[-1] = (*out[-1], here)
        else:
            out.append((here,))
        before = at, along
    return tuple(out)


def steps(x: int, z: int) -> int:
    """How many hexes away (x, z) is."""
    return max(abs(x), abs(z), abs(x + z))


def _span(x: int, z: int, hx: int, hz: int) -> tuple[float, bool] | None:
    """Where on the line (0 to 1) its part within a hex has its middle, and whether that part lies on the hex's side;
    None if there is no such part."""
    low, high, along = 0.0, 1.0, False
    y, hy = -x - z, -hx - hz
    for a, b in ((x - y, hx - hy), (y - z, hy - hz), (z - x, hz - hx)):
        if a == 0:
            if abs(b) > 1:
                return None
            along |= abs(b) == 1
            continue
        first, last = (b - 1) / a, (b + 1) / a
        low, high = max(low, min(first, last)), min(high, max(first, last))
    return (round((low + high) / 2, 9), along) if high - low > TINY else None
