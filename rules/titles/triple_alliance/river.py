"""12 Movement on the rivers: ships, what they carry, and the rafts they tow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from rules.core.errors import Refusal, unknown
from rules.maps.paths import Reach, reach
from rules.titles.triple_alliance.land import ENOUGH, Plan, origin, too_far
from rules.titles.triple_alliance.position import Position
from rules.titles.triple_alliance.units import PARAGUAY, enemy


def dear(pos: Position, side: str) -> bool:
    """12.3 Whether a river hex in Paraguay costs more: for all, or for the Allies alone under the option."""
    return side != PARAGUAY or pos.options["river_cost"] == "both"


def capacity(pos: Position, ship: str) -> int:
    """12.4, 12.6 Two units on a transport, one infantry on another ship, none on a raft."""
    return pos.game.holds[ship]


def can_carry(pos: Position, ship: str, cargo: str) -> bool:
    """12.4 Whether a counter is a ship that takes such a unit."""
    return cargo in pos.game.cargo.get(ship, ())


def boarding_cost(pos: Position, cargo: str, ship: str) -> int:
    """12.4 Three points to go aboard; none for a unit that is still aboard that ship."""
    embark: int = pos.game.tables["transport"]["embark_mp"]
    return 0 if pos.aboard.get(cargo) == ship else embark


def boarding_problem(pos: Position, ship: str, cargo: str) -> Refusal | None:
    """12.4, 12.6, 11.6 Why a unit of its hex can't go aboard a ship now, or None."""
    if not can_carry(pos, ship, cargo):
        return Refusal("refusal.cannot_carry", "12.6" if pos.unit(ship).chata else "12.4", unit=cargo, ship=ship)
    if cargo in pos.settled:
        return Refusal("refusal.settled", "11.6", at=pos.at[cargo], unit=cargo)
    if pos.left(cargo) < boarding_cost(pos, cargo, ship):
        return Refusal("refusal.cannot_board", "12.4", at=pos.at[cargo], unit=cargo, left=pos.left(cargo))
    return None


def boarders(pos: Position, ship: str) -> tuple[list[str], list[dict[str, Any]]]:
    """12.4 The units in its hex that could go aboard a ship now; and those that can't, by the reason, which names the
    first of them."""
    takes: list[str] = []
    bars: dict[tuple[str, int | None], dict[str, Any]] = {}  # reasons of one ship differ by the points left alone
    walking = pos.game.walking
    for unit in pos.stack(pos.at[ship]):
        if unit not in walking:
            continue
        problem = boarding_problem(pos, ship, unit)
        if problem is None:
            takes.append(unit)
            continue
        kind = problem.key, problem.args_.get("left")
        if kind not in bars:
            bars[kind] = {**problem.reason(), "units": []}
        bars[kind]["units"].append(unit)
    return takes, list(bars.values())


def towers(pos: Position, ships: Sequence[str], chatas: Sequence[str]) -> dict[str, str]:
    """12.6 A tow for every raft: any other Paraguayan ship, one raft each a phase. Raises Refusal."""
    tow: dict[str, str] = {}
    able = [s for s in ships if not pos.unit(s).chata]
    for raft in chatas:
        ship = next((s for s in able if pos.towed.get(s) == raft and s not in tow), None) or \
            next((s for s in able if s not in pos.towed and s not in tow), None)
        if ship is None:
            raise Refusal("refusal.no_tow", "12.6", at=pos.at[raft], unit=raft)
        tow[ship] = raft
    return tow


def free_tows(pos: Position, hex_: str) -> list[str]:
    """12.6 The ships of a hex that can still tow a raft into an attack of this phase; a transport is one of them."""
    return [u for u in pos.stack(hex_) if pos.unit(u).river and not pos.unit(u).chata and u not in pos.fought]


def tows(pos: Position, units: Sequence[str]) -> tuple[list[str], list[str]]:
    """12.6 Every raft of an attack goes with another river unit of its hex, each of which tows one. The ships that tow
    without attacking themselves, those that can't attack first; and the hexes with too few of them."""
    towing: list[str] = []
    lacking: list[str] = []
    rafts = [u for u in units if pos.unit(u).chata]
    for hex_ in sorted({pos.at[u] for u in rafts}):
        free = free_tows(pos, hex_)
        waiting = sorted((u for u in free if u not in units), key=lambda u: (pos.unit(u).attack, u))
        more = max(0, sum(pos.at[u] == hex_ for u in rafts) - (len(free) - len(waiting)))
        lacking += [hex_] if more > len(waiting) else []
        towing += waiting[:more]
    return towing, lacking


def _pace(pos: Position, ships: Sequence[str]) -> int:
    """11.7 The slowest ship; towed rafts keep up."""
    return min(pos.left(s) for s in ships)


def _guaranteed(pos: Position, ships: Sequence[str]) -> bool:
    return all(not pos.spent.get(s) for s in ships)


def sail_reach(pos: Position, ships: Sequence[str], side: str) -> Reach:
    """12.2, 12.3 Where ships can go: along the river only, never into an enemy hex (11.4)."""
    start = origin(pos, ships, "12.1")
    lead = [s for s in ships if not pos.unit(s).chata]
    towers(pos, ships, [s for s in ships if pos.unit(s).chata])
    foe, river, points = pos.occupied_by(enemy(side)), pos.game.map.along("navigable_river"), _pace(pos, lead)
    found = reach(pos.game.sail_prices(dear(pos, side)), start, points, foe)
    if _guaranteed(pos, lead):
        for near in river[start]:
            if near in pos.game.part and near not in found.cost and near not in foe:
                found.cost[near], found.via[near] = points, start
    del found.cost[start]
    return found


def beyond(pos: Position, ships: Sequence[str], to: str, side: str) -> Refusal:
    """12.2, 11.4, 11.7 Why ships don't get to a hex out of their reach."""
    if to not in pos.game.map.neighbours:
        return unknown(to)
    if (off := pos.game.off_part(to)) is not None:
        return off
    if not pos.game.map.along("navigable_river").get(to):
        return Refusal("refusal.no_river", "12.2", at=to)
    foe, lead = pos.occupied_by(enemy(side)), [s for s in ships if not pos.unit(s).chata]
    if to in foe:
        return Refusal("refusal.enemy_hex", "11.4", at=to)
    found = reach(pos.game.sail_prices(dear(pos, side)), origin(pos, ships, "12.1"), ENOUGH, foe)
    return too_far(pos, lead, to, found.cost[to]) if to in found.cost else Refusal("refusal.no_way", "11.4", at=to)


def check_cargo(pos: Position, ships: Sequence[str], aboard: Mapping[str, str]) -> None:
    """12.4 Raises Refusal when a ship cannot take what is put aboard it."""
    for cargo, ship in aboard.items():
        if ship not in ships:
            raise Refusal("refusal.ship_not_moving", "12.4", at=pos.at[cargo], unit=cargo)
        if pos.at[cargo] != pos.at[ship]:
            raise Refusal("refusal.not_together", "12.4", at=pos.at[cargo], n=2)
        problem = boarding_problem(pos, ship, cargo)
        if problem is not None:
            raise problem
    for ship in set(aboard.values()):
        load = list(aboard.values()).count(ship)
        if load > capacity(pos, ship):
            raise Refusal("refusal.too_full", "12.4", at=pos.at[ship], ship=ship, n=load, limit=capacity(pos, ship))


def sail_plan(pos: Position, ships: Sequence[str], aboard: Mapping[str, str], path: Sequence[str],
              side: str) -> Plan:
    """12.1-12.6 The cost of a whole voyage, boarding included. Raises Refusal with the clause that forbids it."""
    start = origin(pos, ships, "12.1")
    lead = [s for s in ships if not pos.unit(s).chata]
    rafts = [s for s in ships if pos.unit(s).chata]
    towers(pos, ships, rafts)
    check_cargo(pos, ships, aboard)
    if path[0] != start or len(path) < 2:
        raise Refusal("refusal.path_start", "12.2", at=start)
    costs, foe, so_far = pos.game.sail_costs[dear(pos, side)], pos.occupied_by(enemy(side)), [0]
    river = pos.game.map.along("navigable_river")
    for a, b in pairwise(path):
        if b not in river.get(a, ()):
            raise Refusal("refusal.no_river", "12.2", at=b)
        if (off := pos.game.off_part(b)) is not None:
            raise off
        if b in foe:
            raise Refusal("refusal.enemy_hex", "11.4", at=b)
        so_far.append(so_far[-1] + costs[b])
    cost = so_far[-1]
    if cost > _pace(pos, lead) and not (len(path) == 2 and _guaranteed(pos, lead)):
        raise too_far(pos, lead, path[-1], cost)
    pays = {s: min(cost, pos.left(s)) for s in lead} | dict.fromkeys(rafts, 0)
    pays |= {cargo: boarding_cost(pos, cargo, ship) for cargo, ship in aboard.items()}
    return Plan(cost, pays, so_far)
