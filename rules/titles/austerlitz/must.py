"""4.7 CHARGE: who can come to a lawful melee with one of the nearest enemies must end its move so (ruling)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

from rules.titles.austerlitz import charge, movement, storm
from rules.titles.austerlitz.activation import CHARGE
from rules.titles.austerlitz.allowance import left
from rules.titles.austerlitz.fire import top
from rules.titles.austerlitz.formations import tail_of
from rules.titles.austerlitz.movers import movers
from rules.titles.austerlitz.paths import charge_path
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.units import enemy
from rules.titles.austerlitz.walk import FOGGED, Node, Reached, Walker, reach


def prey_of(pos: Position, unit: str) -> list[str]:
    """4.7 The top units of the enemy stacks that were nearest to where a unit began."""
    board, act = pos.game.board, pos.act
    assert act is not None
    start = act["from"].get(unit, pos.at[unit])
    far = {h: board.distance(start, h) for h in pos.hexes_of(enemy(pos.unit(unit).side))}
    least = min(far.values(), default=0)
    return list(dict.fromkeys(t for h, n in far.items() if n == least for t in [top(pos, h)] if t is not None))


@contextmanager
def _standing(pos: Position, unit: str, node: Node) -> Iterator[None]:
    """A unit as if it stood so; nothing is told, and all is as before when it is over."""
    here, form, facing, _flags = node
    tables: tuple[dict[str, Any], ...] = (pos.at, pos.form, pos.facing, pos.tail)
    was = [table.get(unit) for table in tables]
    two = pos.unit(unit).hexes == 2
    new = (here, form, facing, tail_of(pos.game.board, here, form, facing) if two else None)
    try:
        for table, value in zip(tables, new, strict=True):
            _set(table, unit, value)
        yield
    finally:
        for table, value in zip(tables, was, strict=True):
            _set(table, unit, value)


def _set(table: dict[str, Any], unit: str, value: Any) -> None:
    if value is None:
        table.pop(unit, None)
    else:
        table[unit] = value


def strikes(pos: Position, unit: str, node: Node, moved: int, prey: list[str]) -> bool:
    """8.2.1, 8.3.1, 8.4.1 Whether a unit that stood so, having moved so far, could attack one of these. 5.1.2 What the
    fog took was not moved."""
    u = pos.unit(unit)
    if u.mounted and moved > 2 * (u.movement // 2):
        return False
    with _standing(pos, unit, node):
        if u.foot:
            return storm.unable(pos, unit) is None and any(
                any(h in pos.arcs(unit).front for h in pos.footprint(t)) and storm.contact(pos, unit, t) is not None
                for t in prey)
        near = set(charge.near(pos, unit)) if charge.able(pos, unit) else set()
        return any(t in near and charge.prey(pos, unit, t) and charge_path(pos, unit, t) is not None for t in prey)


def way_to_strike(pos: Position, unit: str) -> list[Node] | None:
    """The cheapest move by which a unit comes to attack one of the nearest enemies; only its stance if it can already,
    None if it can't come to it."""
    act = pos.act
    assert act is not None
    if not _summoned(pos, unit):
        return None
    made, start = movement.walker(pos, [unit]), movement.node_of(pos, unit)
    spent, taken = int(act["spent"].get(unit, 0)), int(act.get("lost", {}).get(unit, 0))
    if strikes(pos, unit, start, spent - taken, prey_of(pos, unit)):
        return [start]
    return next(_striking(pos, unit, made, start, reach(made, start, spent)), None)


def bound(pos: Position, unit: str, made: Walker, found: Reached) -> set[Node] | None:
    """Of where a unit can go, what ends in an attack on one of the nearest enemies; None if it need not attack."""
    if not _summoned(pos, unit):
        return None
    ends = {way[-1] for way in _striking(pos, unit, made, movement.node_of(pos, unit), found)}
    return ends or None


def _summoned(pos: Position, unit: str) -> bool:
    """Whether a unit is to attack, if it can."""
    return pos.act is not None and pos.act["mode"] == CHARGE and not pos.unit(unit).guns and left(pos, unit) > 0


def _striking(pos: Position, unit: str, made: Walker, start: Node, found: Reached) -> Iterator[list[Node]]:
    """The moves by which a unit comes to attack one of the nearest enemies, the cheapest first."""
    act, u, prey = pos.act, pos.unit(unit), prey_of(pos, unit)
    assert act is not None
    taken = int(act.get("lost", {}).get(unit, 0))
    hexes = {h for t in prey for h in pos.footprint(t)}
    near = 1 if u.foot else int(pos.game.tables["charge"]["most"])
    for node, price in sorted(found.cost.items(), key=lambda item: (item[1], item[0])):
        if min(pos.game.board.distance(node[0], h) for h in hexes) > near + (u.hexes == 2):
            continue
        if movement.ends_well(pos, made, node) is not None:
            continue
        nodes = [node]
        while nodes[-1] != start:
            nodes.append(found.via[nodes[-1]])
        if strikes(pos, unit, node, price - taken - _fogged(made, found, nodes), prey):
            yield nodes[::-1]


def _fogged(made: Walker, found: Reached, nodes: list[Node]) -> int:
    """A5.1.1 The points that the fog takes on a way, given from its end."""
    for there, before in pairwise(nodes):
        if there[3] & FOGGED and not before[3] & FOGGED:
            return next(m.lost for m in made.moves(before, found.cost[before])
                        if (m.node, m.spent) == (there, found.cost[there]))
    return 0


def falls_short(pos: Position, unit: str, node: Node, moved: int) -> bool:
    """4.7 Whether a move that ends so, all in all so far, keeps a unit from an attack that it could have come to."""
    if strikes(pos, unit, node, moved, prey_of(pos, unit)):
        return False
    return way_to_strike(pos, unit) is not None


def owing(pos: Position) -> str | None:
    """4.7 The first unit that can come to an attack and has not."""
    act = pos.act
    assert act is not None
    if act["mode"] != CHARGE:
        return None
    for unit in movers(pos):
        way = way_to_strike(pos, unit)
        if way is not None and len(way) > 1:
            return unit
    return None
