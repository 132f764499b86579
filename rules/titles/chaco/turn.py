"""4 The sequence of play, as data and as the segments that open and close turns."""

from __future__ import annotations

from rules.core.agenda import DONE, Next, Segments, Step
from rules.core.procedure import Procedure
from rules.titles.chaco.position import Position
from rules.titles.chaco.units import BOLIVIA, PARAGUAY, SIDES, enemy

segments = Segments()


def player_turn(side: str) -> list[Step]:
    """4.2 The nine phases of a player turn: II and III of the sequence."""
    foe = enemy(side)
    return [["begin_supply", side], ["supply_line", side], ["supply_depots", side], ["supply_trucks", side],
            ["supply_net", side], ["air_drop", side], ["attrition", side], ["supply_roll", side],
            ["begin_new_units", side], ["call_up", side], ["reinforcements", side], ["new_units", side],
            ["replacements", side],
            ["begin_movement", side], ["movement", side], ["excess", side],
            ["begin_reaction", foe], ["reaction", foe], ["excess", foe],
            *combat_phase(side, 1), *combat_phase(foe, 0), *combat_phase(side, 2),
            ["construction", side], ["politics", side]]


def combat_phase(side: str, phase: int) -> list[Step]:
    """12.1 One of the three combat phases of a player turn; phase 0 is the reaction. 13.2 Barrage comes first."""
    return [["begin_combat", side, phase], ["barrage", side, phase], ["barrage", enemy(side), phase],
            ["combat", side, phase]]


def game_turn(turn: int) -> list[Step]:
    """4.1, 4.2 One game turn: weather and truce, the Paraguayan turn, the Bolivian turn, the check of victory."""
    return [["begin_turn", turn], ["weather"], ["truce"], *player_turn(PARAGUAY), *player_turn(BOLIVIA), ["end_turn"]]


def enter_stage(pos: Position, stage: str, active: str | None) -> None:
    """Turn over to another phase. 4.1 What was forgotten in the one before cannot be made up for. A supply phase lays
    its side's supply over the map."""
    if "_supply" in stage or "_supply" in pos.stage:
        pos.touched |= {f"layer:{what}_{side}" for what in ("supply", "radius") for side in SIDES}
    pos.stage, pos.active = stage, active
    pos.forget()
    pos.touched |= {"turn", "table:politics"}


@segments.segment
def begin_turn(pos: Position, turn: int) -> Procedure[Next]:
    """4.2, 13.3 A game turn begins; all air markers are fresh."""
    yield from ()
    pos.turn = turn
    pos.air, pos.dropped = {side: int(pos.game.n["air"][side]) for side in SIDES}, False
    enter_stage(pos, "weather", None)
    pos.touched |= {"track", "table:state"}
    pos.tell("turn_began", "4.2", month=pos.game.label_of(turn))
    return DONE
