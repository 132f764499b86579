"""16 The four ends of the game, and the points that decide the last of them (12.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.mechanics.ending import finish
from rules.titles.ultimo_hombre.board import ALLIED, PARAGUAYAN, SIDES
from rules.titles.ultimo_hombre.position import Position


def win(pos: Position, side: str, why: str, clause: str, at: str) -> None:
    """16 The game ends at once, in the middle of whatever was going on."""
    if pos.result is not None:
        return
    finish(pos, side, why, clause, at=at)
    pos.tell("game_won", clause, side, at=at)


def last_card(pos: Position, side: str) -> None:
    """16 A deck is drawn out: both add the points of the cards in hand, the higher total wins, a tie goes to the
    player whose deck it was."""
    for who in SIDES:
        cards = sorted(pos.hands[who] + pos.late[who])  # in which order they came is nobody else's business
        pos.score(who, sum(pos.game.cards[c]["vp"] for c in cards))
        pos.discards[who] += cards
        pos.hands[who], pos.late[who] = [], []
        pos.touched |= {f"hand:{who}", f"pool:discards:{who}"}
        if cards:
            pos.tell("hand_counted", "16", who, cards=cards, titles=[f"card.{c}.title" for c in cards],
                     total=pos.vp[who], reveals=True)
    allied, paraguayan = pos.vp[ALLIED], pos.vp[PARAGUAYAN]
    winner = side if allied == paraguayan else ALLIED if allied > paraguayan else PARAGUAYAN
    finish(pos, winner, "last_card", "16", allied=allied, paraguayan=paraguayan, side=side)
    pos.tell("deck_out", "16", side, allied=allied, paraguayan=paraguayan, winner=winner)


def judged(pos: Position, goal: Mapping[str, Any]) -> None:
    """12.3 The end of a scenario of ours: the Allies win with so many points more than Paraguay has."""
    allied, paraguayan = pos.vp[ALLIED], pos.vp[PARAGUAYAN]
    winner = ALLIED if allied - paraguayan >= goal["allied_lead"] else PARAGUAYAN
    finish(pos, winner, "scenario_points", "12.3", allied=allied, paraguayan=paraguayan, lead=goal["allied_lead"])
    pos.tell("scenario_over", "12.3", allied=allied, paraguayan=paraguayan, winner=winner)
