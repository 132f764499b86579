"""2 The sequence of play: four phases, the Allied player first."""

from __future__ import annotations

from rules.core.agenda import DONE, Next, Segments, Step
from rules.core.procedure import Procedure
from rules.titles.ultimo_hombre.board import ALLIED, PARAGUAYAN
from rules.titles.ultimo_hombre.position import Position

segments = Segments()

PHASES = ("transport", "movement", "combat", "restore")


def player_turn(side: str) -> list[Step]:
    """2 Transport, movement, combat, recovery."""
    return [["begin_turn", side], ["transport", side], ["begin_movement", side], ["movement", side],
            ["begin_combat", side], ["combat", side], ["begin_restore", side], ["choose_card", side],
            ["reinforce", side], ["end_turn", side]]


def game_turn() -> list[Step]:
    """1 The Allied player's sequence, then the Paraguayan's."""
    return [*player_turn(ALLIED), *player_turn(PARAGUAYAN)]


def enter_stage(pos: Position, stage: str, side: str) -> None:
    """Turn over to another phase."""
    pos.stage, pos.active = f"{side}_{stage}", side
    pos.touched |= {"turn"}
    pos.forget()


@segments.segment
def begin_turn(pos: Position, side: str) -> Procedure[Next]:
    """2 A player's turn begins; 1 from the first Paraguayan turn on Argentina is at war, whatever covers the card."""
    yield from ()
    joins = side == PARAGUAYAN and pos.argentina == "not_yet"
    if joins:
        pos.argentina = "war"
        pos.touched.add("table:war")
    pos.rest()
    enter_stage(pos, "transport", side)
    # 12.1: cards earned in the last recovery phase join the hand of this turn.
    pos.hands[side] += pos.late[side]
    pos.late[side] = []
    pos.touched |= {f"hand:{side}", "track"}
    pos.tell("turn_began", "2", side, turn=pos.turn)
    if joins:
        pos.tell("argentina_at_war", "12.1", None)
    return DONE


@segments.segment
def end_turn(pos: Position, side: str) -> Procedure[Next]:
    """1 When both have played their phases a new turn begins with the Allied player; a scenario of ours has a last."""
    from rules.titles.ultimo_hombre.victory import judged
    yield from ()
    if side == PARAGUAYAN:
        if pos.game.goal is not None and pos.turn >= pos.game.goal["last_turn"]:
            judged(pos, pos.game.goal)
            return DONE
        pos.turn += 1
        return game_turn()
    return DONE
