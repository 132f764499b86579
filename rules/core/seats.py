"""Seats and eyes: who plays, and who looks."""

from __future__ import annotations

from collections.abc import Sequence

Seat = str
Eye = str  # a seat, PUBLIC or ALL

PUBLIC: Eye = "public"
ALL: Eye = "all"


def eyes(seats: Sequence[Seat]) -> tuple[Eye, ...]:
    """Every audience of a game, seats first."""
    return (*seats, PUBLIC, ALL)
