"""4.7 RETREAT of the breakdown table: a division gives way to the enemy."""

from __future__ import annotations

from rules.core.agenda import DONE, Next
from rules.core.procedure import Procedure
from rules.titles.austerlitz import movement
from rules.titles.austerlitz.formations import LIMBERED
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.turn import segments
from rules.titles.austerlitz.units import enemy
from rules.titles.austerlitz.walk import reach


@segments.segment
def go_back(pos: Position) -> Procedure[Next]:
    """4.7 RETREAT: each unit goes back by half its allowance, rounding up, as far from the nearest enemy as it can and
    nearer to none; unlimbered guns limber up first. Where it goes follows from the ground, so nobody is asked."""
    act = pos.act
    assert act is not None
    side, board = act["side"], pos.game.board
    for unit in list(act["units"]):
        if not pos.on_map(unit) or pos.routed(unit):
            continue
        foes = pos.hexes_of(enemy(side))
        made, start = movement.walker(pos, [unit]), movement.node_of(pos, unit)
        found = reach(made, start, 0)
        here = {foe: board.distance(start[0], foe) for foe in foes}
        away = {h for h in {n[0] for n in found.cost} if movement.nearest_of(pos, h, foes) > min(here.values()) and all(
            board.distance(h, foe) >= gap for foe, gap in here.items())}
        able = [n for n in found.cost if n[0] in away and n[1] in (start[1], LIMBERED)
                and movement.ends_well(pos, made, n) is None]
        if not able:
            continue
        best = max(able, key=lambda n: (movement.nearest_of(pos, n[0], foes), -found.cost[n], n))
        nodes = [best]
        while nodes[-1] != start:
            nodes.append(found.via[nodes[-1]])
        steps = movement.planned(pos, [unit], [movement.written(n) for n in reversed(nodes)])
        yield from movement.carry_out(pos, [unit], steps)
    return DONE
