"""What one meeting brought."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Outcome = Literal["first", "second", "draw", "bye", "none", "void"]
Scoring = Literal["one", "three"]

WORTH: dict[Scoring, dict[str, int]] = {
    "one": {"win": 2, "draw": 1, "loss": 0, "bye": 2},
    "three": {"win": 6, "draw": 2, "loss": 0, "bye": 6},
}


@dataclass(frozen=True)
class Meeting:
    """A decided pairing. `outcome`: who won; `bye` for an entrant alone; `none` when both lost; `void` counts for
    nobody. `played` is False when no game stood behind it (a walkover). `lead`: the first's points of the title less
    the second's, where the title counts points."""

    first: int
    second: int | None
    outcome: Outcome
    round: int = 0
    played: bool = True
    lead: int | None = None

    def of(self, entrant: int) -> str:
        """`win`, `draw`, `loss`, `bye` or `void`, as that entrant sees it."""
        if self.outcome in ("draw", "bye", "void"):
            return self.outcome
        if self.outcome == "none":
            return "loss"
        return "win" if (self.outcome == "first") == (entrant == self.first) else "loss"

    def other(self, entrant: int) -> int | None:
        return self.second if entrant == self.first else self.first

    def margin(self, entrant: int) -> int:
        """The entrant's points of the title less the opponent's."""
        return (self.lead or 0) * (1 if entrant == self.first else -1)

    def counts(self, entrant: int) -> bool:
        return self.outcome != "void" and entrant in (self.first, self.second)


def without(meetings: list[Meeting], gone: frozenset[int]) -> list[Meeting]:
    """The meetings with those of annulled entrants taken out."""
    return [one for one in meetings if one.first not in gone and one.second not in gone]
