"""4.8, 4.10 Reinforcements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.core.agenda import DONE, Next
from rules.core.errors import Refusal, unknown
from rules.core.forms import Choose, Group, Option, Place, Why, label
from rules.core.procedure import Procedure
from rules.core.request import Needs, needs_nobody
from rules.titles.guerra_a_muerte.asking import d6, want
from rules.titles.guerra_a_muerte.barred import no_berth
from rules.titles.guerra_a_muerte.board import PATRIOT, ROYALIST, SPAIN, US, year
from rules.titles.guerra_a_muerte.control import NONE, WHOLE, holder_of, looks_held, may_enter, nation_in
from rules.titles.guerra_a_muerte.position import OUT, Position
from rules.titles.guerra_a_muerte.recruiting import may_promote
from rules.titles.guerra_a_muerte.seafight import sea_battle
from rules.titles.guerra_a_muerte.turn import segments

MANY = 99
LEGION_HOME = "banda_oriental"  # 10.6


def due(pos: Position, side: str) -> list[str]:
    """2.3 The reinforcements of a side that come this turn."""
    return [u for u in pos.stack(f"turn:{pos.turn}") if pos.unit(u).side == side]


def later(pos: Position, units: Iterable[str]) -> None:
    """4.8, 4.10 Who could not come now waits on the track for the next turn."""
    waiting = list(units)
    for unit in waiting:
        pos.put(unit, f"turn:{pos.turn + 1}")
    if waiting:
        side = pos.unit(waiting[0]).side
        pos.tell("waits", "4.8" if side == ROYALIST else "4.10", side, units=waiting, count=len(waiting))


def arrival_form(name: str, clause: str, groups: Sequence[Group], why: Why) -> list[Place | Choose]:
    """Reinforcements onto their places, or all of them held back."""
    usable = tuple(g for g in groups if g.units and g.where)
    forms: list[Place | Choose] = [Place(name, clause, usable, MANY, clause, why=why)] if usable else []
    return [*forms, Choose(f"no_{name}", clause, (Option("none", clause, label(f"option.no_{name}")),))]


def not_here(pos: Position, units: Sequence[str], unit: str, loc: str | None, clause: str) -> Refusal | None:
    """4.8, 4.10 Why a reinforcement does not come, or not there; of one that has no place at all nothing but that."""
    if unit not in pos.game.units:
        return unknown(unit)
    if unit not in units:
        return Refusal("refusal.not_due", clause, unit=unit, year=year(pos.turn))
    side = pos.unit(unit).side
    if loc in pos.game.ports and not may_enter(pos, side, loc):
        return no_berth(pos, side, loc)
    return None if loc is None or loc in pos.game.spaces else unknown(loc)


# -- royalist --------------------------------------------------------------------------------------------------


def royal_ports(pos: Position, areas: Sequence[str] | None) -> tuple[str, ...]:
    """4.8 Ports the crown holds, free of siege, in some areas or in all America."""
    return tuple(p for p in pos.game.ports if holder_of(pos, p) == ROYALIST and not pos.besieged(p)
                 and (areas is None or pos.game.places[p].area in areas))


def royal_group(pos: Position, unit: str) -> tuple[str, tuple[str, ...]]:
    """4.8, 2.1 Where a royalist reinforcement may land: a port, of its own theatre if its code names one; ships also
    wait in Spain; Pezuela and Boves come up in their own country."""
    u = pos.unit(unit)
    if u.leader and u.enters != "any_port":
        return f"arrive_{unit}", tuple(sorted(a for a in u.enters if looks_held(pos, a)[ROYALIST] > NONE))
    code = "any_port" if u.enters == "any_port" else str(u.enters).removeprefix("reinforcement:")
    ports = royal_ports(pos, pos.game.lists["arrivals"].get(code))
    if not ports and code != "any_port":
        ports = royal_ports(pos, None)
    if u.ship:
        return "arrive_ships", tuple(sorted((*ports, SPAIN)))
    return f"arrive_{code}", ports


@segments.segment
def royalist_arrivals(pos: Position) -> Procedure[Next]:
    """4.8 Troops from Spain go to royalist ports; who is not landed waits a turn."""
    units = due(pos, ROYALIST)
    if not units:
        return DONE
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for unit in units:
        groups.setdefault(royal_group(pos, unit), []).append(unit)
    forms = arrival_form("arrivals", "4.8", [Group(name, "4.8", tuple(us), where, name="arrive")
                                             for (name, where), us in sorted(groups.items())],
                         lambda unit, loc: not_here(pos, units, unit, loc, "4.8"))
    answer = yield from want(ROYALIST, "arrivals", "4.8", forms)
    placed: dict[str, str] = answer.get("placed", {})
    later(pos, [u for u in units if u not in placed])
    by_place: dict[str, list[str]] = {}
    for unit, place in placed.items():
        by_place.setdefault(place, []).append(unit)
    for place, landing in sorted(by_place.items()):
        if place in pos.game.places and pos.game.places[place].port:
            yield from land_convoy(pos, place, landing)
        else:
            for unit in landing:
                pos.put(unit, place)
            pos.tell("arrived", "4.8", ROYALIST, at=place, units=landing, count=len(landing))
    return DONE


def land_convoy(pos: Position, port: str, units: list[str]) -> Procedure[None]:
    """4.8 No patriot ships in the port's sea: the convoy lands. With ships of both sides a fight comes first, which
    nobody evades as it must be fought (ruling), and in which arriving ships take part; unless the crown wins it, or
    with patriot ships alone there, the convoy table is rolled (ruling 29) for the others that come."""
    sea = pos.game.sea_of(port)
    assert sea is not None
    ships = [u for u in units if pos.unit(u).ship]
    convoy = [u for u in units if u not in ships]
    hunters = pos.ships_at(sea, PATRIOT)
    fate = "lands"
    if hunters:
        for ship in ships:
            pos.put(ship, sea)
        escort = pos.ships_at(sea, ROYALIST)
        won = False
        if escort:
            won = (yield from sea_battle(pos, ROYALIST, escort, hunters, sea, "4.8", may_evade=False)) == ROYALIST
        if not won and convoy and pos.ships_at(sea, PATRIOT):
            fate = yield from convoy_fate(pos, port)
    landed = [*convoy, *(s for s in ships if pos.at[s].startswith("turn:"))]  # ships that fought are at sea
    if fate == "lands" and landed:
        for unit in landed:
            pos.put(unit, port)
        pos.tell("arrived", "4.8", ROYALIST, at=port, units=landed, count=len(landed))
    elif fate == "turned_back":
        later(pos, convoy)
        pos.tell("convoy_turned_back", "4.8", ROYALIST, at=port, count=len(convoy))
    elif fate == "lost":
        for unit in convoy:
            pos.bury(unit)
        pos.tell("convoy_lost", "4.8", ROYALIST, at=port, units=convoy, count=len(convoy))


def convoy_fate(pos: Position, port: str) -> Procedure[str]:
    """4.8 1, 2 it turns back; 3, 4 it slips through; 5, 6 it is taken."""
    die = yield from d6("convoy", "4.8")
    fate: str = pos.game.tables["convoy"][die - 1]
    pos.tell("convoy_rolled", "4.8", PATRIOT, at=port, roll=die, fate=f"convoy.{fate}")
    return fate


# -- patriot ---------------------------------------------------------------------------------------------------


def alarm(pos: Position) -> None:
    """10.6 The Legion may march from the first time a unit of El Plata is in Banda Oriental."""
    if pos.legion == "off_map" and any(pos.unit(u).nation == "plata" for u in pos.units_in(LEGION_HOME, PATRIOT)):
        pos.legion = "free"
        pos.touched |= {"space:brazil", "table:war"}
        pos.tell("legion_free", "10.6", None)


def lost_cause(pos: Position) -> bool:
    """4.10 Whether Morelos is dead or taken."""
    return pos.at["morelos"] == OUT


def patriot_group(pos: Position, unit: str) -> tuple[str, tuple[str, ...]]:
    """4.10 Where a patriot reinforcement comes in."""
    u, lists = pos.unit(unit), pos.game.lists
    code = str(u.enters).removeprefix("reinforcement:")
    if code == "navy":
        return f"arrive_{u.nation}", tuple(sorted(
            p for p in pos.game.ports if holder_of(pos, p) == PATRIOT and not pos.besieged(p)
            and nation_in(pos, str(pos.game.places[p].area), u.nation)))
    if code == US:
        return "arrive_mexico_ships", (US,)
    if code == "mexico" or u.militia:
        return "arrive_mexico", mexican_areas(pos)
    if code == "chile_port":
        found = [p for p in pos.game.ports if pos.game.places[p].area in lists["income"]["chile"]
                 and holder_of(pos, p) == PATRIOT and not pos.besieged(p)]
        return f"arrive_{unit}", tuple(sorted(found))
    areas = lists["income"][code] if code in lists["income"] else list(u.enters)
    held = [a for a in areas if looks_held(pos, a)[PATRIOT] > NONE or (
        u.leader and looks_held(pos, a)[ROYALIST] != WHOLE)]
    return f"arrive_{unit}", tuple(sorted(held))


def mexican_areas(pos: Position) -> tuple[str, ...]:
    """4.10 Areas wholly patriot, or beside Morelos where he stands, in a city or in exile too, but not in a besieged
    place or at sea; when he is lost, any area free of royalists."""
    lists = pos.game.lists
    if lost_cause(pos):
        return tuple(sorted(a for a in lists["garrison_mexico"] if not pos.units_in(a, ROYALIST)))
    areas = {a for a in lists["garrison_mexico"] if looks_held(pos, a)[PATRIOT] == WHOLE}
    at = pos.at["morelos"]
    if not pos.besieged(at) and at not in pos.game.seas and "morelos" not in pos.aboard:
        areas.add(at)
    return tuple(sorted(areas))


@segments.segment
def patriot_arrivals(pos: Position) -> Procedure[Next]:
    """4.10, 8.3 Patriot reinforcements; who finds no place waits, but a frigate without a port of its nation goes to
    the recruit pool. Mina comes at the start of operations."""
    units = [u for u in due(pos, PATRIOT) if pos.unit(u).enters != "reinforcement:mexico_caribbean_coast"]
    if not units:
        return DONE
    units = replaced(pos, units)
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for unit in units:
        groups.setdefault(patriot_group(pos, unit), []).append(unit)
    stranded = [u for (_, where), us in groups.items() if not where for u in us]
    for unit in stranded:
        if pos.unit(unit).enters == "reinforcement:navy":
            pos.put(unit, f"recruits:{pos.unit(unit).nation}")
            pos.tell("frigate_pooled", "4.10", PATRIOT, units=[unit])
    later(pos, [u for u in stranded if pos.at[u].startswith("turn:")])
    open_ = {key: us for key, us in groups.items() if key[1]}
    if not open_:
        return DONE
    forms = arrival_form("reinforcements", "4.10", [Group(name, "4.10", tuple(us), where, name="arrive")
                                                    for (name, where), us in sorted(open_.items())],
                         lambda unit, loc: not_here(pos, units, unit, loc, "4.10"))
    answer = yield from want(PATRIOT, "reinforcements", "4.10", forms,
                             needs=lambda _: Needs(0, int(may_promote(pos, ROYALIST))))
    placed: dict[str, str] = answer.get("placed", {})
    for unit, place in placed.items():
        pos.put(unit, place)
        if unit == "cochrane":  # 8.3: a ship comes with him
            pos.free_ship = True
    alarm(pos)
    later(pos, [u for us in open_.values() for u in us if u not in placed])
    if placed:
        pos.tell("reinforced", "4.10", PATRIOT, placed=[[u, s] for u, s in sorted(placed.items())],
                 count=len(placed))
    return DONE


def replaced(pos: Position, units: list[str]) -> list[str]:
    """4.10 The lost cause: without Morelos militia come in the place of Mexican regulars, as far as there are."""
    regulars = [u for u in units if pos.unit(u).nation == "mexico" and pos.unit(u).troops]
    if not lost_cause(pos) or not regulars:
        return units
    out = []
    for unit in units:
        if unit not in regulars:
            out.append(unit)
            continue
        militia = next((m for m in pos.stack("recruits:mexico")
                        if pos.unit(m).militia and pos.unit(m).type == pos.unit(unit).type), None)
        pos.put(unit, OUT)
        if militia is not None:
            pos.put(militia, f"turn:{pos.turn}")
            out.append(militia)
    pos.tell("lost_cause", "4.10", PATRIOT, count=len(out))
    return out


def land_mina(pos: Position) -> Procedure[None]:
    """4.10 Mina comes at the start of the operations of his turn, on any Mexican coast of the Caribbean (ruling 39: the
    lost cause does not touch him)."""
    mina = [u for u in due(pos, PATRIOT) if pos.unit(u).enters == "reinforcement:mexico_caribbean_coast"]
    if not mina:
        return
    where = tuple(pos.game.lists["mexican_caribbean_coast"])
    answer = yield from want(PATRIOT, "mina", "4.10", [Place("mina", "4.10", (
        Group("arrive_mina", "4.10", tuple(mina), where, must=True, name="arrive"),), MANY, "4.10")],
        needs=needs_nobody)
    for unit, area in answer["placed"].items():
        pos.put(unit, area)
        pos.tell("mina_landed", "4.10", PATRIOT, units=[unit], at=area)
