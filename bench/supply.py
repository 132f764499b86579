"""The Chaco War, every unit on the map of the campaign: the whole supply phase of a side, and the reach of one unit."""

from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from time import process_time

import rules.titles
from app.games.data import current
from bench.figures import Figure
from bench.site import Site
from rules.titles.chaco import march, supply, supply_phase
from rules.titles.chaco.position import PILE, Position
from rules.titles.chaco.units import SIDES

TITLE, ROUNDS = "chaco", 20
SUPPLY, REACH = 30, 3  # ms


def measure(_site: Site) -> Iterator[Figure]:
    pos = full()
    for side in SIDES:
        spent = [milliseconds(partial(supplied, pos, side)) for _ in range(ROUNDS)]
        yield Figure(f"supply phase of {side}", "ms", median(spent), limit=SUPPLY)
    reached = [milliseconds(partial(march.reach, pos, side, units[:1], {}, False))
               for side in SIDES for units in pos.army(side).values()]
    yield Figure("reach of one unit", "ms", median(reached), limit=REACH, note=f"the slowest {max(reached):.2g}")


def full() -> Position:
    """The campaign's set-up with all reinforcements on the map, over the hexes that their side controls."""
    pos = rules.titles.load(TITLE).written(current(TITLE), {"scenario": "campaign", "position": {
        "phase": "paraguay_supply"}})
    assert isinstance(pos, Position)
    for side in SIDES:
        free = [h for h in sorted(pos.game.map.hexes) if pos.game.in_play(h) and h not in pos.game.off_map
                and pos.controller(h) == side and not pos.stack(h)]
        units = list(pos.stack(PILE[side]))
        for number, unit in enumerate(units):
            pos.put(unit, free[number * len(free) // len(units)])
    return pos


def supplied(pos: Position, side: str) -> None:
    """8.6-8.13 What a supply phase works out: lines, the net of radii, who is cut off. Nothing is known from before."""
    pos.forget()
    lines = supply.shortest_lines(pos, side)
    pos.lines[side] = min(lines.values(), key=lambda line: line["length"], default=None)
    pos.depots[side] = supply_phase.depot_hexes(pos, side)[: pos.game.n["depots"]]
    supply_phase.side_net(pos, side)
    supply.cut_off(pos, side)


def milliseconds(act: Callable[[], object]) -> float:
    began = process_time()
    act()
    return 1000 * (process_time() - began)
