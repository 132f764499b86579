"""1, 12.1, 16 The event decks: a draw exists nowhere before it is made."""

from __future__ import annotations

from rules.core.procedure import Procedure, draw
from rules.titles.ultimo_hombre.position import Position
from rules.titles.ultimo_hombre.victory import last_card


def draw_cards(pos: Position, side: str, count: int, late: bool = False) -> Procedure[None]:
    """11, 12.1 Draw cards, one after another; the last of a deck ends the game there and then (16). A scenario
    without cards has none."""
    for _ in range(count):
        if pos.result is not None or not pos.game.with_cards:
            return
        deck = pos.decks[side]
        card = deck.pop((yield from draw("card", "12.1", len(deck), deck)))
        (pos.late if late else pos.hands)[side].append(card)
        pos.touched |= {f"hand:{side}", f"pool:deck:{side}"}
        pos.tell("card_drawn", "12.1", side, title="card.hidden", left=len(deck),
                 private={side: {"card": card, "title": f"card.{card}.title"}})
        if not deck:
            last_card(pos, side)
