"""5 The sequence of play, as data and as the segments that open and close turns."""

from __future__ import annotations

from rules.core.agenda import DONE, Next, Segments, Step
from rules.core.procedure import Procedure
from rules.titles.triple_alliance.position import Position
from rules.titles.triple_alliance.units import ALLIED, PARAGUAY, Game

segments = Segments()

AFIELD: tuple[Step, ...] = (["mendoza_roll"], ["matto_grosso_answer"])
ATTRITION: tuple[Step, ...] = (["attrition_supply"], ["attrition_dice"], ["attrition_losses"])
PHASES = ("events", "movement", "combat_1", "combat_2", "combat_3")


def player_turn(side: str) -> list[Step]:
    """5.2 II and III: movement, then three combat phases."""
    return [["begin_movement", side], ["movement", side],
            *(["begin_combat", side, n] for n in (1, 2, 3))]


def afield(game: Game) -> bool:
    """8.1 Whether the two events off the map are played: not in a scenario of ours that leaves them out."""
    return bool(game.scenario.body.get("events_off_map", True))


def game_turn(turn: int, away: bool = True) -> list[Step]:
    """5.2 One game turn, opened by the two events off the map (8.1, `away`) and attrition; 5.3 turn I has no attrition,
    and no event comes before II (8.3)."""
    events = [list(step) for step in (*(AFIELD if away else ()), *ATTRITION)] if turn > 1 else []
    return [["begin_turn", turn], *events, *player_turn(PARAGUAY), *player_turn(ALLIED), ["end_turn"]]


def opening(game: Game) -> list[Step]:
    """3.1, 3.2 The Allied player decides on the Matto Grosso and sets up, then the Paraguayan, then turn I."""
    decision: list[Step] = [["matto_grosso_decision"]] if afield(game) else []
    return [*decision, ["allied_set_up"], ["paraguayan_set_up"], *game_turn(1)]


def enter_stage(pos: Position, stage: str, active: str | None) -> None:
    """Turn over to another phase."""
    pos.stage, pos.active = stage, active
    pos.forget()
    pos.touched |= {"turn"}


@segments.segment
def begin_turn(pos: Position, turn: int) -> Procedure[Next]:
    """5.1 A game turn begins."""
    yield from ()
    pos.turn = turn
    enter_stage(pos, "events", None)
    pos.touched |= {"track", "table:replacements"}
    for waiting in [loc for loc in pos.here if loc.startswith("turn:")]:
        pos.touch(waiting)
    pos.tell("turn_began", "5.1", turn=turn)
    return DONE


@segments.segment
def end_turn(pos: Position) -> Procedure[Next]:
    """5.4 A game turn ends, with the points it decides (4.4, 8.2); after the last one the war is over."""
    from rules.titles.triple_alliance.victory import final_result, unopposed_invasion
    yield from ()
    unopposed_invasion(pos)
    if pos.turn >= pos.game.scenario["last_turn"]:
        final_result(pos)
        return DONE
    return game_turn(pos.turn + 1, afield(pos.game))
