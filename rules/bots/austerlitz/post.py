"""Places to go to and to stay at: how strongly they draw a unit, and where the commanders of corps and armies ride."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rules.bots.austerlitz.aims import Aim
from rules.bots.austerlitz.foes import FAR, Troop
from rules.bots.austerlitz.sight import Sight
from rules.titles.austerlitz.duty import march_costs
from rules.titles.austerlitz.formations import column_of, marching
from rules.titles.austerlitz.units import Leader

TAKEN, KEPT = 4.0, 2.0  # what it is worth to stand in a hex that is to be taken, and in one that the enemy could take
WATCH = 8               # hexes to the enemy at which what is held wants somebody in it


def shown(sight: Sight, aim: Aim) -> tuple[str, ...]:
    """The hexes of an aim that want a unit: those to be taken, or those to be held without a friend in them."""
    if aim.take:
        return tuple(h for h in aim.hexes if sight.held.get(h) != sight.side)
    return tuple(h for h in aim.hexes if h not in sight.friends)


def drawn(sight: Sight, troop: Troop, at: str) -> float:
    """How much worse a hex is than standing where the unit is to go: half a point for each point of way and 0.3 for
    each hex to the nearest that wants somebody."""
    aim = sight.aim(troop)
    if aim is None:
        return 0.0
    pull = sight.pulls.get((aim, troop.unit.arm, troop.unit.horse, troop.unit.cossack))
    if pull is None:
        pull = sight.pulls[aim, troop.unit.arm, troop.unit.horse, troop.unit.cossack] = Pull(
            sight, aim, column_of(troop.unit, marching(troop.unit)))
    return pull.way(at) - (_there(sight, at, troop) if at in pull.hexes else 0.0)


class Pull:
    """How far it is to an aim on the march, by hex."""

    def __init__(self, sight: Sight, aim: Aim, column: str) -> None:
        self.hexes, self.wanted = frozenset(aim.hexes), shown(sight, aim) or aim.hexes
        self._there = frozenset(() if aim.take else aim.hexes)
        self._points, self._gap = march_costs(sight.game, column, aim.hexes), sight.game.board.distance
        self._ways: dict[str, float] = {}

    def way(self, at: str) -> float:
        known = self._ways.get(at)
        if known is None:
            gap = 0 if at in self._there else min(self._gap(at, h) for h in self.wanted)
            known = self._ways[at] = 0.25 * self._points.get(at, 4 * FAR) + 0.3 * gap
        return known


def _there(sight: Sight, at: str, troop: Troop) -> float:
    if sight.held.get(at, sight.side) != sight.side:
        return TAKEN
    alone = all(u == troop.id for u in sight.stacks.get(at, ()))
    return KEPT if alone and sight.nearest(at) <= WATCH else 0.0


def rider(sight: Sight, leader: Leader) -> Callable[[str], float] | None:
    """What it costs the leader of a corps or an army to stand somewhere: those under him beyond his range, and enemies
    near. None for one without anybody, and where no place counts."""
    if not sight.aims:
        return None
    below = _below(sight, leader)
    if not below:
        return None

    def cost(hex_: str) -> float:
        return sum(max(0, sight.gap(hex_, h) - leader.range + 2) for h in below) + 20 * max(0, 5 - sight.nearest(hex_))
    return cost


def _below(sight: Sight, leader: Leader) -> Sequence[str]:
    """The hexes of the leaders of a corps' divisions, or of the corps of an army or wing."""
    game, command = sight.game, sight.game.plan["command"]
    if leader.rank == "corps" and leader.command in game.commands:
        under: list[str] = list(game.commands[leader.command].divisions)
    elif leader.rank == "overall":
        wing, over = command.get("wing", ()), command.get("overall", {}).get(sight.side, [])
        corps = [c.id for c in game.commands.values() if c.side == sight.side and c.kind == "corps"]
        second = len(over) > 1 and leader.id == over[1]
        under = [c for c in corps if len(over) < 2 or (c in wing) == second]
    else:
        return ()
    chiefs = [game.commands[c].leader for c in under]
    return [sight.leaders[x] for x in chiefs if x is not None and x in sight.leaders]
