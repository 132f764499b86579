"""Re-deals the cards a seat may not know: the other hand, and which of them are still in the deck."""

from __future__ import annotations

from random import Random

from rules.core.seats import Seat
from rules.titles.ultimo_hombre.board import enemy
from rules.titles.ultimo_hombre.position import Position


def scramble(pos: Position, seat: Seat, rng: Random, keep: set[str]) -> None:
    """Deal the other side's hand, late cards and deck anew from what they hold together (12.1)."""
    side = enemy(seat)
    piles = (pos.hands[side], pos.late[side], pos.decks[side])
    cards = [c for pile in piles for c in pile if c not in keep]
    rng.shuffle(cards)
    for pile in piles:
        pile[:] = [c if c in keep else cards.pop() for c in pile]
    pos.decks[side].sort()
    pos.touched.clear()
