"""8.4.2 After a charge: pursuit of those who routed, or an advance into the hex they left."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.procedure import Procedure
from rules.titles.austerlitz import reaction
from rules.titles.austerlitz.clash import MURAT, fighting, tested
from rules.titles.austerlitz.duty import arrived, shunned
from rules.titles.austerlitz.leaders import himself, ridden_down, ride_along
from rules.titles.austerlitz.losses import bleed
from rules.titles.austerlitz.morale import Part
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.storm import step_into
from rules.titles.austerlitz.units import GOOD, UNSTEADY


def follow(
    pos: Position, units: Sequence[str], hexes: Sequence[str], routs: Sequence[tuple[str, list[str]]]
) -> Procedure[None]:
    """8.4.2 Pursuit of a unit that routed, or an advance into a hex that was left."""
    going = [u for u in fighting(pos, units) if pos.morale.get(u, GOOD) < UNSTEADY]
    if not going or pos.result is not None:
        return
    fled = [(u, spots) for u, spots in routs if pos.on_map(u)]
    if fled:
        parts = pursuit_parts(pos, going[0])
        over = yield from tested(pos, going[0], parts, "pursuit_tried", "8.4.2")
        hexes_on = next((n for low, high, n in pos.game.tables["pursuit"]["hexes"]
                         if over >= low and (high is None or over <= high)), 0)
        if hexes_on:
            yield from _pursue(pos, going, fled, hexes_on)
            return
    empty = next((h for h in hexes if pos.holder(h) is None and h not in shunned(pos, going[0])), None)
    if empty is not None:
        start = next((h for h in pos.footprint(going[0]) if empty in pos.game.board.touching(h)), None)
        if start is not None:
            _step(pos, going, start, empty)
            arrived(pos, going[0])
            pos.tell("advanced", "8.4.2", pos.unit(going[0]).side, units=going, at=empty, path=[start, empty],
                     **{"from": start})
            yield from ridden_down(pos, [empty])


def pursuit_parts(pos: Position, unit: str) -> list[Part]:
    """8.4.2 The modifiers of the pursuit table."""
    table, u = pos.game.tables["pursuit"]["modifiers"], pos.unit(unit)
    hexes = pos.footprint(unit)
    murat = himself(pos, MURAT, hexes)
    parts = [("light_or_lancer", u.cavalry in ("light", "lancer")), ("cossack", u.cossack),
             ("stacked_with_murat", murat),
             ("other_leader_in_hex", not murat and any(h in pos.here for h in hexes))]
    return [(f"pursuit.{key}", "8.4.2", int(table[key])) for key, true in parts if true]


def _way_of(pos: Position, fled: str, spots: Sequence[str]) -> list[str]:
    """8.4.2 The way of a rout from the hex in which it was struck."""
    way: list[str] = pos.act["ways"].get(fled, []) if pos.act is not None else []
    return way[max((n for n, h in enumerate(way) if h in spots), default=0):]


def _pursue(pos: Position, going: list[str], fled: Sequence[tuple[str, list[str]]], hexes: int) -> Procedure[None]:
    """8.4.2 Along the way of the rout, as far as the table says; each hex entered costs the fugitives a point. Zones
    entered may react, also by a charge, which a pursuer can't countercharge. It ends disordered and blown."""
    board, act, way = pos.game.board, pos.act, _way_of(pos, *fled[0])
    assert act is not None
    prey = [u for u, spots in fled if _way_of(pos, u, spots) == way]
    act["pursuing"] = going
    for there in way[:hexes]:
        here = next((h for h in pos.footprint(going[0]) if there in board.touching(h)), None)
        if here is None or pos.holder(there) is not None or pos.result is not None:
            break
        if there in shunned(pos, going[0]) or not _passable(pos, here, there):
            break
        if (yield from reaction.before(pos, going)) or not _riding_on(pos, going):
            break
        _step(pos, going, here, there)
        arrived(pos, going[0])
        pos.tell("pursued", "8.4.2", pos.unit(going[0]).side, units=going, at=there, path=[here, there],
                 **{"from": here})
        yield from ridden_down(pos, [there])
        for unit in [u for u in prey if pos.on_map(u)][:1]:
            yield from bleed(pos, unit, 1)
        if (yield from reaction.after(pos, going, entered=True)) or not _riding_on(pos, going):
            break
    act["pursuing"] = []


def _passable(pos: Position, here: str, there: str) -> bool:
    """5.1 Whether cavalry can follow over a side, where foot went: no castles, no walls."""
    return any(pos.game.board.price("cavalry_disorder", here, there, road) is not None for road in (False, True))


def _step(pos: Position, going: Sequence[str], here: str, there: str) -> None:
    """8.4.2 Over a side of one of their hexes, with the leaders who ride along."""
    left = pos.footprint(going[0])
    for unit in going:
        step_into(pos, unit, here, there, pos.game.board.side_to(here, there))
    ride_along(pos, left, there)


def _riding_on(pos: Position, going: list[str]) -> bool:
    """8.4.2 Whether any of the pursuers goes on."""
    going[:] = [u for u in going if pos.on_map(u) and pos.morale.get(u, GOOD) < UNSTEADY]
    return bool(going)
