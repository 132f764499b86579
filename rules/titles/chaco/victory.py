"""16 Victory."""

from __future__ import annotations

from rules.core.agenda import DONE, Next
from rules.core.procedure import Procedure
from rules.mechanics.ending import finish
from rules.titles.chaco.dice import die
from rules.titles.chaco.position import Position
from rules.titles.chaco.turn import game_turn, segments
from rules.titles.chaco.units import SIDES, enemy


def sudden_death(pos: Position) -> None:
    """16.4 The moment a side has fewer than no points, the game is over."""
    for side in SIDES:
        if pos.vp[side] < 0 and pos.result is None:
            finish(pos, enemy(side), "sudden_death", "16.4", n=pos.vp[side])
            pos.tell("sudden_death", "16.4", enemy(side))


def level(pos: Position, lead: int) -> str:
    """16.3 The size of a victory; 50 points and more are decisive (a ruling)."""
    return next((str(name) for least, name in pos.game.n["levels"] if lead >= least), "coin")


def settle(pos: Position, clause: str, why: str) -> Procedure[None]:
    """16.1, 16.3 The side with more points wins; a coin decides between equals."""
    one, other = SIDES
    lead = pos.vp[one] - pos.vp[other]
    if lead:
        winner = one if lead > 0 else other
    else:
        rolled = yield from die("coin", "16.3")
        winner = one if rolled <= 3 else other
    size = level(pos, abs(lead))
    finish(pos, winner, f"{why}_{size}", clause, n=abs(lead))
    pos.tell("war_over", clause, winner, n=abs(lead), points=[[side, pos.vp[side]] for side in SIDES])


@segments.segment
def end_turn(pos: Position) -> Procedure[Next]:
    """4.2, 16.1 The check of victory: a truce that one side is 50 points ahead in ends the war; so does the last
    turn."""
    pos.stage, pos.active = "end", None
    pos.touched |= {"turn", "table:politics"}
    one, other = SIDES
    if pos.truce and abs(pos.vp[one] - pos.vp[other]) >= pos.game.n["truce"]["lead"]:
        yield from settle(pos, "16.1", "peace")
        return DONE
    if pos.turn >= pos.game.scenario["turns"]:
        yield from settle(pos, "16.3", "points")
        return DONE
    return game_turn(pos.turn + 1)
