"""What room of a sheet is already taken: lines take theirs first, then names, and signs what is left."""

from __future__ import annotations

import collections

from app.sheet.pen import Point


class Room:
    """The rectangle of a map in sheet units, and the rounds taken in it."""

    left: float
    top: float
    right: float
    bottom: float

    def __init__(self) -> None:
        self._taken: dict[tuple[int, int], list[tuple[float, float, float]]] = collections.defaultdict(list)

    def near_edge(self, p: Point, reach: float = 24) -> bool:
        """Whether a point lies at the edge of the map."""
        return min(p[0] - self.left, p[1] - self.top, self.right - p[0], self.bottom - p[1]) < reach

    def block(self, x: float, y: float, radius: float) -> None:
        """Take a round of room: signs and names will keep off it."""
        self._taken[int(x // 40), int(y // 40)].append((x, y, radius))

    def free(self, x: float, y: float, radius: float) -> bool:
        """Whether a round of room is still free."""
        i, j = int(x // 40), int(y // 40)
        for u in (i - 1, i, i + 1):
            for v in (j - 1, j, j + 1):
                for a, b, taken in self._taken.get((u, v), ()):
                    if (x - a) ** 2 + (y - b) ** 2 < (radius + taken) ** 2:
                        return False
        return True
