"""What a part finds: a figure of ours, its floor, and the limit their ratio must keep to."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

PAIRS = 5  # at least so many pairs of (ours, floor) make a figure


@dataclass(frozen=True, slots=True)
class Figure:
    """Medians of ours and of the floor, and of the ratio of each pair. Without a floor the limit is one of ours.
    `at_least` turns the limit round; `limit` None is for what is only to be known."""

    name: str
    unit: str
    ours: float
    floor: float | None = None
    ratio: float | None = None
    limit: float | None = None
    at_least: bool = False
    note: str = ""

    @property
    def kept(self) -> bool | None:
        """Whether the limit is kept; None without one."""
        if self.limit is None:
            return None
        value = self.ours if self.ratio is None else self.ratio
        return value >= self.limit if self.at_least else value <= self.limit

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "kept": self.kept}

    def line(self) -> str:
        """One row of the table that a run prints."""
        floor = "" if self.floor is None else f"{self.floor:.4g}"
        ratio = "" if self.ratio is None else f"{self.ratio:.3g}x"
        limit = "" if self.limit is None else f"{'>=' if self.at_least else '<='} {self.limit:g}"
        word = {True: "kept", False: "MISSED", None: ""}[self.kept]
        return f"{self.name:<58} {self.ours:>9.4g} {floor:>9} {self.unit:<9} {ratio:>7} {limit:>8} {word} {self.note}"


HEAD = f"{'':<58} {'ours':>9} {'floor':>9} {'':<9} {'ratio':>7} {'limit':>8}"


def beside(name: str, unit: str, pairs: Sequence[tuple[float, float]], limit: float | None = None, *,
           at_least: bool = False, note: str = "") -> Figure:  # fmt: skip
    """A figure from interleaved pairs of (ours, floor)."""
    assert len(pairs) >= PAIRS, name
    ours, floor = (median(values) for values in zip(*pairs, strict=True))
    return Figure(name, unit, ours, floor, median(a / b for a, b in pairs), limit, at_least, note)


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which that share of the values lies; 0.5 is the middle one."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]
