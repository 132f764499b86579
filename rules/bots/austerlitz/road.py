"""The way of a unit that only marches: in one formation towards where it is to go, over ground that nobody holds.
Looked for along the cheapest way alone, as all that it could do besides would take a hundred times as long."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from heapq import heappop, heappush

from rules.bots.austerlitz.foes import FAR, Troop
from rules.bots.austerlitz.sight import Sight
from rules.maps.hexes import FACINGS, Stance
from rules.titles.austerlitz.duty import march_costs
from rules.titles.austerlitz.formations import LINE, SQUARE, UNLIMBERED, column_of, marching
from rules.titles.austerlitz.ways import ROAD, Kind, Way

Node = tuple[str, str, int]
MOST = 400              # nodes that are looked at
STAND_OFF = 4           # hexes from the enemy that a march keeps
LEADS_ON = (LINE, SQUARE, UNLIMBERED)  # formations in which nobody marches


def kind_of(troop: Troop, strategic: bool) -> Kind:
    """What its ways depend on."""
    u = troop.unit
    return Kind(u.arm, u.horse, u.cossack, u.skirmish, troop.blown or u.cossack or u.battalion is not None,
                u.hexes == 2, u.skirmish and troop.strength > 5, u.movement, strategic)


def roads(sight: Sight, troop: Troop, goals: tuple[str, ...], left: float, strategic: bool) -> Iterator[list[str]]:
    """The stances of ways by which a unit comes nearer to its goals, the likeliest first. A5.1.1 The fog takes half but
    from who marches by road."""
    if strategic and sight.fog is not None:
        yield from filter(None, (road(sight, troop, goals, left, strategic, by_road=True),))
        yield from filter(None, (road(sight, troop, goals, left / 2, strategic),))
        return
    yield from filter(None, (road(sight, troop, goals, left, strategic),))
    if sight.fog is not None:
        yield from filter(None, (road(sight, troop, goals, left / 2, strategic),))


def road(sight: Sight, troop: Troop, goals: tuple[str, ...], left: float, strategic: bool,
         by_road: bool = False) -> list[str] | None:
    """The stances of a way by which a unit comes nearest to its goals, in points, for at most so many; None where there
    is none."""
    ways = sight.game.ways(kind_of(troop, strategic))
    to_go = march_costs(sight.game, column_of(troop.unit, marching(troop.unit)), goals)
    start: Node = (troop.at, troop.form, troop.facing)
    spent, via = {start: 0}, dict[Node, Node]()
    best, most = start, int(2 * left)
    edge = [(to_go.get(troop.at, FAR * FAR), 0, start)]
    for _ in range(MOST):
        if not edge or not to_go.get(best[0], FAR * FAR):
            break
        _hope, total, here = heappop(edge)
        if total > spent[here]:
            continue
        if _nearer(sight, troop, to_go, here, best):
            best = here
        for way in ways.of(*here):
            price = total + way.cost + way.slope + 3 * way.check
            there: Node = (way.there, way.form, way.facing)
            if by_road and way.kind != ROAD and way.there != here[0]:
                continue
            if price <= most and price < spent.get(there, most + 1) and _leads(sight, troop, here, way):
                spent[there], via[there] = price, here
                heappush(edge, (price + to_go.get(way.there, FAR * FAR), price, there))
    return None if best == start else _written(via, best)


def _nearer(sight: Sight, troop: Troop, to_go: Mapping[str, int], here: Node, best: Node) -> bool:
    """Whether it is better to end here: in a hex of its own, in an order that marches on."""
    if here[1] in LEADS_ON or any(u != troop.id for u in sight.stacks.get(here[0], ())):
        return False
    return to_go.get(here[0], FAR * FAR) < to_go.get(best[0], FAR * FAR)


def _leads(sight: Sight, troop: Troop, here: Node, way: Way) -> bool:
    """Whether an action belongs to a march: a step over free ground far from the enemy, or a turn; of formation it
    changes once, from one that does not march."""
    if way.form != here[1] and way.form != marching(troop.unit):
        return False
    hexes = (way.there, *way.needs)
    return (way.there == here[0] and not way.needs) or _free(sight, troop, hexes)


def _free(sight: Sight, troop: Troop, hexes: Collection[str]) -> bool:
    return all(h in troop.hexes or (h not in sight.stacks and sight.nearest(h) >= STAND_OFF) for h in hexes)


def _written(via: Mapping[Node, Node], node: Node) -> list[str]:
    nodes = [node]
    while nodes[-1] in via:
        nodes.append(via[nodes[-1]])
    return [str(Stance(at, FACINGS[facing], form)) for at, form, facing in reversed(nodes)]
