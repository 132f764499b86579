"""Bidding for sides: each names a side and what it would give for it; all bids are opened together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Bid:
    """The seat somebody wants, and how many points of the title it gives the other side for it."""

    seat: str
    points: int


def settle(seats: Sequence[str], planned: str, first: Bid | None, second: Bid | None) -> tuple[str, int]:
    """The first's seat, and the points it gives (below zero: receives). Who wants different seats have them for
    nothing; else the higher bid has the seat and gives what it bid. Equal bids: who was planned to have it. A bid not
    made wants whatever is left; when there is none, `planned` stays the first's."""
    if first is None and second is None:
        return planned, 0
    if second is None or (first is not None and first.seat != second.seat):
        assert first is not None, "one of them bid"
        return first.seat, 0
    if first is None:
        return _other(seats, second.seat), 0
    wins = first.points > second.points or (first.points == second.points and planned == first.seat)
    return (first.seat, first.points) if wins else (_other(seats, second.seat), -second.points)


def _other(seats: Sequence[str], seat: str) -> str:
    return next(one for one in seats if one != seat)
