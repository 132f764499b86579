"""Re-deals the cards a side may not know: the other hand, and which of them are still in the deck."""

from __future__ import annotations

from random import Random

from rules.core.seats import Side
from rules.titles.ultimo_hombre.board import enemy
from rules.titles.ultimo_hombre.position import Position


def scramble(pos: Position, side: Side, rng: Random, keep: set[str]) -> None:
    """Deal the other side's hand, late cards and deck anew from what they hold together (12.1)."""
    foe = enemy(side)
    piles = (pos.hands[foe], pos.late[foe], pos.decks[foe])
    cards = sorted(c for pile in piles for c in pile if c not in keep)
    rng.shuffle(cards)
    for pile in piles:
        pile[:] = sorted(c if c in keep else cards.pop() for c in pile)
    pos.touched.clear()
