"""10.1-10.12 What may move where, and what it costs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from rules.core.errors import Refusal, unknown
from rules.maps.paths import Reach
from rules.titles.chaco.position import Position
from rules.titles.chaco.search import spread
from rules.titles.chaco.units import SIXTHS, enemy
from rules.titles.chaco.ways import NOWHERE, Ways
from rules.titles.chaco.zoc import zones

ENOUGH = 500 * SIXTHS  # more points than any way across the map costs


@dataclass(frozen=True, slots=True)
class Plan:
    """What a move along a path costs, in sixths of a point: by unit, and up to each hex of the path for the slowest."""

    pays: dict[str, int]
    so_far: list[int]


@cache
def shown(sixths: int) -> str | int:
    """Sixths of a point as people write them: 2, 2 1/2, 1/3."""
    whole, rest = divmod(sixths, SIXTHS)
    if not rest:
        return whole
    part = {1: "⅙", 2: "⅓", 3: "½", 4: "⅔", 5: "⅚"}[rest]
    return f"{whole or ''}{part}"


@cache
def priced(sixths: int) -> int | float:
    """Sixths of a point as a number to be shown on the map, thirds to two places."""
    return sixths // SIXTHS if sixths % SIXTHS == 0 else round(sixths / SIXTHS, 2)


def left(pos: Position, unit: str, reaction: bool) -> int:
    """2.11, 10.10 What a unit still has of the points of this phase, in sixths."""
    return pos.pace(reaction)[unit] - pos.spent.get(unit, 0)


def moved(pos: Position, unit: str) -> bool:
    """Whether a unit has moved or ridden this phase."""
    return unit in pos.spent or unit in pos.carried


def abilities(pos: Position, side: str, reaction: bool) -> Callable[[str], dict[str, Any] | None]:
    """What each unit of a side can still do this phase, or None: 8.11 assigned trucks stay, 7.3 who entered an enemy
    zone has stopped, 10.11 cargo has no points of its own. 2.19 A truck drives eight points, 2.20 a supply unit walks
    four. To be asked only while nothing changes."""
    done = {*pos.assigned, *pos.settled, *(u for u in pos.carried if u not in pos.aboard)}
    carried = {u for u in pos.carried if u not in pos.spent and pos.unit(u).type != "truck"}  # on with its truck
    foreign, pace, spent = zones(pos, enemy(side)), pos.pace(reaction), pos.spent
    done |= carried

    def ability(unit: str) -> dict[str, Any] | None:
        if unit in done or (pos.at[unit] in foreign and (reaction or moved(pos, unit))):
            return None
        points = pace[unit] - spent.get(unit, 0)
        if points <= 0:
            return None
        out: dict[str, Any] = {"id": unit, "left": shown(points)}
        if unit in pos.game.trucks:
            takes = cargo_of(pos, unit, reaction)
            heavy = {u: weight for u in takes if (weight := _weight(pos, u)) != 1}
            out |= {"holds": pos.game.n["truck"]["supply"], "takes": takes, **({"weighs": heavy} if heavy else {})}
        return out

    return ability


def cargo_of(pos: Position, truck: str, reaction: bool) -> list[str]:
    """10.11 What a truck could take up where it stands: no armour, nothing that has moved itself or rides elsewhere;
    10.10 in reaction nothing that has finished."""
    side = pos.unit(truck).side
    return [u for u in pos.stack(pos.at[truck]) if pos.unit(u).side == side
            and pos.unit(u).type not in ("truck", "armour") and u not in pos.spent
            and pos.aboard.get(u, truck) == truck and not (reaction and u in pos.settled)]


def _weight(pos: Position, cargo: str) -> int:
    """10.11 What a counter takes of a truck's room, which is that of two supply points: a combat unit all of it, a
    leader or headquarters nothing."""
    unit, rules = pos.unit(cargo), pos.game.n["truck"]
    return int(rules["supply"] // rules["units"] if unit.combat else unit.type == "supply")


def reactors(pos: Position, side: str) -> bool:
    """10.10 Whether anything of a side may react, by what anybody can see: a leader with others, outside enemy zones
    and the boxes of a turn (10.12). 6.3 A truce forbids no reaction."""
    return any(may_react(pos, hex_, [u for u in stack if u not in pos.assigned])
               for hex_, stack in pos.held(side).items())


def may_react(pos: Position, hex_: str, units: Sequence[str]) -> bool:
    """10.10 Units react with a leader of their hex, all the way; a leader who has left his last unit stays."""
    leaders = pos.game.chiefs
    if leaders.isdisjoint(units) or leaders.issuperset(units) or hex_ in zones(pos, enemy(pos.unit(units[0]).side)):
        return False
    return hex_ not in pos.game.off_map or "one_turn" not in pos.game.map.hexes[hex_].features


# -- who goes ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Party:
    """A stack that is to move: those that walk or drive, what they carry, where it stands, what loading costs."""

    side: str
    start: str
    movers: list[str]
    cargo: dict[str, str]
    loading: dict[str, int]
    reaction: bool

    @property
    def all(self) -> list[str]:
        return [*self.movers, *self.cargo]


def party(pos: Position, side: str, units: Sequence[str], aboard: Mapping[str, str], reaction: bool) -> Party:
    """10.1, 10.10, 10.11, 11.4 The units of a move, checked for themselves. Raises Refusal."""
    if (why := no_party(pos, side, units, aboard, reaction)) is not None:
        raise why
    movers = [u for u in units if u not in aboard]
    return Party(side, pos.at[movers[0]], movers, dict(aboard), _loading(pos, aboard), reaction)


def no_party(
    pos: Position, side: str, units: Sequence[str], aboard: Mapping[str, str], reaction: bool
) -> Refusal | None:
    """10.1, 10.10, 10.11, 11.4 Why these units can't be moved together now, wherever they are to go."""
    group = [*units, *aboard] if aboard else units
    for unit in group:
        if unit not in pos.at or pos.unit(unit).side != side:
            return Refusal("refusal.not_yours", "10.1", unit=unit)
        if pos.at[unit] not in pos.game.map.hexes:
            return Refusal("refusal.not_on_map", "10.1", unit=unit)
    if stays := sorted(set(aboard).difference(units)):
        return Refusal("refusal.not_along", "10.11", at=pos.at[stays[0]], unit=stays[0])
    movers = [u for u in units if u not in aboard] if aboard else units
    if not movers:
        return Refusal("refusal.nobody_moves", "10.1")
    at = pos.at[movers[0]]
    if len(group) > 1 and len(places := {pos.at[u] for u in group}) > 1:
        return Refusal("refusal.not_together", "11.4", at=min(places), n=len(places))
    why = _no_cargo(pos, movers, aboard) if aboard else None
    why = why or _not_free(pos, movers, at, reaction)
    return _no_reaction(pos, at, movers, aboard) if why is None and reaction else why


def _not_free(pos: Position, movers: Sequence[str], at: str, reaction: bool) -> Refusal | None:
    """10.1, 11.4, 7.3 Why one of these units may not move at all now."""
    stopped = at in zones(pos, enemy(pos.unit(movers[0]).side))
    for unit in movers:
        if unit in pos.assigned:
            return Refusal("refusal.assigned", "8.11", at=at, unit=unit)
        if unit in pos.settled:
            return Refusal("refusal.settled", "10.1", at=at, unit=unit)
        if unit in pos.carried and pos.unit(unit).type != "truck":
            return Refusal("refusal.was_carried", "10.11", at=at, unit=unit)
        if stopped and (reaction or moved(pos, unit)):
            return Refusal("refusal.stopped", "7.3", at=at, unit=unit)
        if left(pos, unit, reaction) <= 0:
            return Refusal("refusal.spent", "10.1", at=at, unit=unit)
    going = [u for u in movers if moved(pos, u)]
    if going and (pos.march is None or not set(movers) <= set(pos.march.units)):
        return Refusal("refusal.other_stack", "11.4", at=at, unit=going[0])
    return None


def _no_cargo(pos: Position, movers: Sequence[str], aboard: Mapping[str, str]) -> Refusal | None:
    """10.11 A truck bears one combat unit or two supply points, any leaders and headquarters besides."""
    rules = pos.game.n["truck"]
    for cargo, truck in aboard.items():
        if truck not in movers or pos.unit(truck).type != "truck":
            return Refusal("refusal.no_truck", "10.11", unit=cargo)
        if pos.unit(cargo).type in ("truck", "armour"):
            return Refusal("refusal.no_cargo", "10.11", unit=cargo)
        if cargo in pos.spent or pos.aboard.get(cargo, truck) != truck:
            return Refusal("refusal.moved_itself", "10.11", at=pos.at[cargo], unit=cargo)
    for truck, cargo_ in _loads(aboard).items():
        if sum(_weight(pos, c) for c in cargo_) > rules["supply"]:
            return Refusal("refusal.too_heavy", "10.11", at=pos.at[truck], unit=truck)
    return None


def _loads(aboard: Mapping[str, str]) -> dict[str, list[str]]:
    """Truck -> its cargo."""
    out: dict[str, list[str]] = {}
    for cargo, truck in aboard.items():
        out.setdefault(truck, []).append(cargo)
    return out


def _loading(pos: Position, aboard: Mapping[str, str]) -> dict[str, int]:
    """10.11 What each truck pays for taking up cargo: two points a pick-up."""
    return {
        truck: int(pos.game.n["truck"]["pick_up"])
        for truck, cargo in _loads(aboard).items()
        if any(pos.aboard.get(c) != truck for c in cargo)
    }


def _no_reaction(pos: Position, at: str, movers: Sequence[str], aboard: Mapping[str, str]) -> Refusal | None:
    """10.10 With a leader all the way, and nobody is taken up on the way, nor anybody again who has left his stack."""
    group, leaders = [*movers, *aboard], pos.game.chiefs
    if leaders.isdisjoint(group) or leaders.issuperset(group):
        return Refusal("refusal.reacts_with_leader", "10.10", at=at)
    if at in pos.game.off_map and "one_turn" in pos.game.map.hexes[at].features:
        return Refusal("refusal.no_reaction_there", "10.12", at=at)
    going = pos.march is not None and set(movers) <= set(pos.march.units) and any(moved(pos, u) for u in movers)
    strange = going and any(pos.march is not None and u not in pos.march.units for u in group)
    if strange or any(u in pos.settled for u in aboard):
        return Refusal("refusal.no_pick_up", "10.10", at=at)
    return None


# -- where to ------------------------------------------------------------------------------------------------


def closed_to(pos: Position, who: Party) -> frozenset[str]:
    """10.2, 6.3, 7.3 The hexes that a stack may not enter."""
    return frozenset({*_taken(pos, who), *_kept_apart(pos, who.side), *_unled(pos, who)})


def _taken(pos: Position, who: Party) -> Collection[str]:
    """10.2 Hexes of enemy combat units; 10.3 of any enemy, for those that do not fight."""
    foe = enemy(who.side)
    return pos.army(foe) if any(pos.unit(u).combat for u in who.all) else pos.held(foe)


def _kept_apart(pos: Position, side: str) -> Collection[str]:
    """6.3 In a truce enemy zones where no friends stand, and enemy settlements."""
    if not pos.truce:
        return NOWHERE
    foreign = {h for h in zones(pos, enemy(side)) if pos.holder(h) != side}
    return foreign | {h for h in pos.game.settlements if pos.controller(h) != side}


def _unled(pos: Position, who: Party) -> Collection[str]:
    """7.3 Enemy zones, where no leader is along or there already."""
    led = not pos.game.chiefs.isdisjoint(who.all)
    return NOWHERE if led else zones(pos, enemy(who.side)) - pos.chiefs(who.side)


def doors(pos: Position, who: Party, budget: int) -> dict[str, int]:
    """10.12 The boxes of a turn that a stack may enter: from the hex beside it in which it began the phase; nothing
    else is then left."""
    if who.reaction or any(moved(pos, u) for u in who.all):
        return {}
    hexes = pos.game.map.hexes
    return {h: budget for h in pos.game.links[who.start]
            if h in pos.game.boxes[who.side] and "one_turn" in hexes[h].features}


def kinds_of(pos: Position, who: Party) -> list[str]:
    """The kinds of movement in a stack, those with fewest ways first."""
    kinds = {pos.unit(u).kind for u in who.movers}
    return [k for k in ("mech", "guns", "foot") if k in kinds]


def ways_of(pos: Position, who: Party, kind: str) -> Ways:
    """10.5 What steps cost a stack: an engineer that goes along is beside every river it comes to."""
    return pos.ways(kind, who.side, not pos.game.engineers.isdisjoint(who.all))


def budget_of(pos: Position, who: Party, kind: str) -> int:
    """11.4 A stack moves at the pace of its slowest; 10.11 what loading costs is gone."""
    return min(left(pos, u, who.reaction) - who.loading.get(u, 0) for u in who.movers if pos.unit(u).kind == kind)


def first_barred(pos: Position, who: Party) -> frozenset[str] | None:
    """7.3 Who leaves an enemy zone may not step into another at once."""
    foreign = zones(pos, enemy(who.side))
    return foreign if who.start in foreign else None


def found(pos: Position, who: Party) -> Reach:
    """10.1 Where a stack can go, and what it costs the kind with the fewest ways; the others must be able to follow."""
    kinds, foe = kinds_of(pos, who), enemy(who.side)
    foreign, closed = zones(pos, foe), closed_to(pos, who)
    first, *others = kinds
    budget = min(budget_of(pos, who, k) for k in kinds) if first != "mech" else budget_of(pos, who, first)
    reach_ = spread(
        ways_of(pos, who, first),
        who.start,
        max(budget, 0),
        closed,
        foreign,
        stop=foreign,
        first=first_barred(pos, who),
        doors=doors(pos, who, budget),
    )
    for kind in others:
        limit, ways = budget_of(pos, who, kind), ways_of(pos, who, kind)
        paid = {who.start: 0}
        for hex_ in sorted(reach_.cost, key=lambda h: (reach_.cost[h], h)):
            before = reach_.via.get(hex_)
            if before is None:
                continue
            price = ways.price(before, hex_, foreign) if hex_ not in doors(pos, who, budget) else limit
            if before not in paid or price is None or paid[before] + price > limit:
                continue
            paid[hex_] = paid[before] + price
        reach_ = Reach({h: c for h, c in reach_.cost.items() if h in paid},
                       {h: v for h, v in reach_.via.items() if h in paid})
    reach_.cost.pop(who.start, None)
    return reach_


def why_not(pos: Position, side: str, units: Sequence[str], aboard: Mapping[str, str], to: str | None,
            reaction: bool) -> Refusal | None:
    """Why units can't move now, or can't go there."""
    if (why := no_party(pos, side, units, aboard, reaction)) is not None or to is None:
        return why
    if to not in pos.game.map.hexes:
        return unknown(to)
    who = party(pos, side, units, aboard, reaction)
    try:
        _check_way(pos, who, [who.start, to])
    except Refusal as refusal:
        if refusal.key != "refusal.zone_to_zone":  # a longer way may lead there
            return refusal
    kind, foreign = kinds_of(pos, who)[0], zones(pos, enemy(side))
    far = spread(
        ways_of(pos, who, kind),
        who.start,
        ENOUGH,
        closed_to(pos, who),
        foreign,
        stop=foreign,
        first=first_barred(pos, who),
    )
    if to not in far.cost:
        return _no_way(pos, who, to)
    slowest = min(who.movers, key=lambda u: (left(pos, u, reaction), u))
    return Refusal("refusal.too_far", "10.4", at=to, unit=slowest, n=shown(far.cost[to]),
                   left=shown(left(pos, slowest, reaction)))


def reach(pos: Position, side: str, units: Sequence[str], aboard: Mapping[str, str], reaction: bool) -> dict[str, Any]:
    """Where these units can go together, in the shape of docs/protocol.md section 4. Raises Refusal."""
    who = party(pos, side, units, aboard, reaction)
    reach_ = found(pos, who)
    blocked: dict[str, Any] = {}
    foe = pos.army(enemy(side))
    for hex_ in pos.game.links[who.start]:
        if hex_ in foe:
            blocked[hex_] = Refusal("refusal.enemy_hex", "10.2").reason()
    points = min(budget_of(pos, who, k) for k in kinds_of(pos, who))
    return {"from": who.start, "cost": {h: priced(c) for h, c in reach_.cost.items()}, "via": reach_.via,
            "left": priced(max(points, 0)), "blocked": blocked}


def plan(pos: Position, side: str, units: Sequence[str], path: Sequence[str], aboard: Mapping[str, str],
         reaction: bool) -> Plan:
    """10.1 The cost of a move along a whole path. Raises Refusal with the clause that forbids it."""
    who = party(pos, side, units, aboard, reaction)
    if path[0] != who.start or len(path) < 2:
        raise Refusal("refusal.path_start", "10.1", at=who.start)
    _check_way(pos, who, path)
    pays: dict[str, int] = {}
    so_far: list[int] = []
    for kind in kinds_of(pos, who):
        costs = _along(pos, who, kind, path)
        if not so_far or costs[-1] > so_far[-1]:
            so_far = costs
        for unit in [u for u in who.movers if pos.unit(u).kind == kind]:
            total = costs[-1] + who.loading.get(unit, 0)
            if total > left(pos, unit, reaction):
                raise Refusal("refusal.too_far", "10.4", at=path[-1], unit=unit, n=shown(total),
                              left=shown(left(pos, unit, reaction)))
            pays[unit] = total
    if path[-1] in doors(pos, who, 0):  # 10.12 a box of a turn ends all movement
        pays = {unit: left(pos, unit, reaction) for unit in who.movers}
    return Plan(pays, so_far)


def _check_way(pos: Position, who: Party, path: Sequence[str]) -> None:
    """7.3, 10.2, 6.3 Whether the hexes of a path may be entered one after another. Raises Refusal."""
    foreign, first = zones(pos, enemy(who.side)), first_barred(pos, who) or NOWHERE
    taken, apart, unled = _taken(pos, who), _kept_apart(pos, who.side), _unled(pos, who)
    for n, hex_ in enumerate(path[1:], 1):
        if hex_ in taken:
            raise Refusal("refusal.enemy_hex", "10.2", at=hex_)
        if hex_ in apart:
            raise Refusal("refusal.truce", "6.3", at=hex_)
        if hex_ in unled:
            raise Refusal("refusal.zone_needs_leader", "7.3", at=hex_)
        if n == 1 and hex_ in first:
            raise Refusal("refusal.zone_to_zone", "7.3", at=hex_)
        if hex_ in foreign and n < len(path) - 1:
            raise Refusal("refusal.must_stop", "7.3", at=hex_)


def _no_way(pos: Position, who: Party, hex_: str) -> Refusal:
    """10.4 No step leads there; 10.12 into a box of a turn none but the whole move of a phase from beside it."""
    if hex_ in pos.game.boxes[who.side] and "one_turn" in pos.game.map.hexes[hex_].features:
        return Refusal("refusal.box_of_a_turn", "10.12", at=hex_)
    return Refusal("refusal.no_way", "10.4", at=hex_)


def _along(pos: Position, who: Party, kind: str, path: Sequence[str]) -> list[int]:
    """10.4 What a path costs one kind of movement, up to each hex. Raises Refusal."""
    ways, foreign, so_far = ways_of(pos, who, kind), zones(pos, enemy(who.side)), [0]
    budget = max(0, budget_of(pos, who, kind))
    for n, (a, b) in enumerate(pairwise(path)):
        price = ways.price(a, b, foreign)
        if n == 0 and len(path) == 2 and b in doors(pos, who, budget):
            price = budget
        if price is None:
            raise _no_way(pos, who, b)
        so_far.append(so_far[-1] + price)
    return so_far
