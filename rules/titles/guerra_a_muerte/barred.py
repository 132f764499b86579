"""Why a place or a counter is barred: the clause and the figures of the position, the same sentence in the offer and in
the refusal. What is said of the enemy is what lies open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.core.errors import Refusal, unknown
from rules.core.forms import in_points
from rules.titles.guerra_a_muerte.board import BRAZIL, HALF, HAVENS, PATRIOT, REBELS, ROYALIST, SPAIN, enemy
from rules.titles.guerra_a_muerte.control import BOXES, enterable, held, holder_of, looks_held, nation_in
from rules.titles.guerra_a_muerte.position import Position, payer


def stays(pos: Position, unit: str, side: str) -> Refusal | None:
    """3.3, 7.6, 10.1 Why a counter operates with nobody now."""
    if unit not in pos.game.units:
        return unknown(unit)
    if pos.unit(unit).side != side:
        return Refusal("refusal.not_yours", "3.3", unit=unit)
    if not pos.on_map(unit):
        return Refusal("refusal.off_map", "3.3", unit=unit)
    if unit in pos.guerrillas:
        return Refusal("refusal.guerrilla_stays", "10.1", unit=unit)
    if unit in pos.aboard:
        return Refusal("refusal.is_aboard", "7.6", unit=unit, ship=pos.aboard[unit])
    return None


def not_of_the_force(pos: Position, unit: str) -> Refusal:
    """3.2, 3.3, 7.1 Why a counter does not act with the active force."""
    force = pos.force
    said = stays(pos, unit, force["side"])
    if said is not None:
        return said
    u = pos.unit(unit)
    if force["side"] == PATRIOT and pos.game.nation_slot[u.nation] != force["slot"]:
        return Refusal("refusal.other_group", "3.2", unit=unit, group=f"group_of.{PATRIOT}_{force['slot']}")
    if unit in pos.operated:
        return Refusal("refusal.has_operated", "3.3", unit=unit)
    if (u.ship or u.naval) != (force["kind"] == "sea"):
        return Refusal("refusal.other_arm", "7.1", unit=unit)
    return Refusal("refusal.not_of_the_force", "3.3", unit=unit, force=force["at"])


def no_company(pos: Position, units: Sequence[str], clause: str) -> Refusal | None:
    """3.3 Why these counters are not of the active force."""
    if not units:
        return Refusal("refusal.nobody_moves", clause)
    strange = next((unit for unit in units if unit not in pos.force["units"]), None)
    return None if strange is None else not_of_the_force(pos, strange)


def check_company(pos: Position, units: Sequence[str], clause: str) -> None:
    """3.3 Whether these counters are of the active force. Raises Refusal."""
    if (why := no_company(pos, units, clause)) is not None:
        raise why


# -- on land -----------------------------------------------------------------------------------------------------


def city(pos: Position, place: str, side: str) -> Refusal | None:
    """5.2, 6.2, 6.7 Why land units of a side can't go into a city, or out of it."""
    if enterable(pos, place, side):
        return None
    if pos.besieged(place):
        siege = pos.sieges[place]
        return Refusal("refusal.city_besieged", "5.2", place=place, side=siege["side"], n=len(siege["units"]))
    foes = [u for u in pos.stack(place) if pos.unit(u).side != side]
    land = [u for u in foes if not pos.unit(u).ship]
    if land:
        return Refusal("refusal.city_held", "6.2", place=place, n=len(land))
    return Refusal("refusal.ships_in_port", "6.7", place=place, n=len(foes))


def no_step(pos: Position, units: Sequence[str], here: str, there: str) -> Refusal:
    """5.2, 6.7, 7.6, 10.6 Why no march leads from a place into the next."""
    if there not in pos.game.spaces:
        return unknown(there)
    legion = [u for u in units if pos.unit(u).nation == "portuguese"]
    if legion:
        return Refusal("refusal.legion_bound", "10.6", unit=legion[0], place=there)
    if there == BRAZIL:
        return Refusal("refusal.brazil_closed", "10.6", place=there)
    if there in pos.game.places and pos.game.area(there) == pos.game.area(here):
        said = city(pos, there, pos.unit(units[0]).side)
        if said is not None:
            return said
    if pos.game.area(there) is None:
        return Refusal("refusal.by_sea", "7.6", place=there)
    return Refusal("refusal.no_way", "5.2", start=here, place=there)


# -- at sea ------------------------------------------------------------------------------------------------------


def no_berth(pos: Position, side: str, there: str) -> Refusal:
    """7.1, 7.3, 7.4, 7.10 Why a fleet can't enter a place."""
    if there not in pos.game.spaces:
        return unknown(there)
    if there in BOXES[enemy(side)]:
        return Refusal("refusal.box_closed", "7.3" if there == SPAIN else "7.4", place=there, side=enemy(side))
    if there not in pos.game.ports:
        return Refusal("refusal.inland", "7.1", place=there)
    holder = holder_of(pos, there)
    if holder is None:
        return Refusal("refusal.port_of_nobody", "7.4", place=there)
    if holder != side:
        return Refusal("refusal.port_of_enemy", "7.4", place=there, side=holder)
    siege = pos.sieges[there]
    return Refusal("refusal.port_besieged", "7.4", place=there, side=siege["side"], n=len(siege["units"]))


# -- attacks -----------------------------------------------------------------------------------------------------


def no_attack(pos: Position, target: str, unit: str | None, key: str, clause: str) -> Refusal | None:
    """3.3, 6.1, 6.2, 7.5, 8.1 Why a counter can't attack there; without one, why nobody can, by the sentence `key`."""
    if target not in pos.game.spaces:
        return unknown(target)
    if unit is None:
        return Refusal(key, clause, place=target)
    if unit not in pos.force["units"]:
        return not_of_the_force(pos, unit)
    return Refusal("refusal.leads_only", "8.1", unit=unit) if pos.unit(unit).leader else None


def no_assault(pos: Position, city_: str, area: str) -> Refusal | None:
    """6.2 Why a force in the field of an area can't attack a place."""
    siege = pos.sieges.get(city_)
    if city_ not in pos.game.within(area):
        return Refusal("refusal.not_in_the_area", "6.2", place=city_, area=area)
    if siege is not None and siege["side"] != pos.force["side"]:
        return Refusal("refusal.others_besiege", "6.2", place=city_, side=siege["side"], n=len(siege["units"]))
    return None


# -- what comes onto the map -------------------------------------------------------------------------------------


def not_raised(pos: Position, unit: str, side: str, *, free: bool) -> Refusal | None:
    """4.4, 4.6, 8.3 Why a side can't build a counter anywhere; one ship with Cochrane comes free."""
    if unit not in pos.game.units:
        return unknown(unit)
    if pos.unit(unit).side != side:
        return Refusal("refusal.not_yours", "4.2.1" if pos.unit(unit).side == REBELS else "4.6", unit=unit)
    nation = payer(pos, unit)
    if not pos.at[unit].startswith("recruits:"):
        return Refusal("refusal.not_among_recruits", "4.4", unit=unit)
    if free and not pos.unit(unit).ship:
        return None
    cost, limit = pos.game.cost(unit), pos.spendable(nation)
    if cost > limit and not free:
        return Refusal("refusal.unit_too_dear", "4.4", unit=unit, n=in_points(cost, HALF), nation=f"nation.{nation}",
                       limit=in_points(limit, HALF))
    return Refusal("refusal.no_place_to_build", "4.6", unit=unit, nation=f"nation.{nation}")


def not_built_there(pos: Position, unit: str, loc: str) -> Refusal | None:
    """4.6, 6.7, 10.3 Why a counter of the recruit pool can't be built in a place."""
    u, nation, lists = pos.unit(unit), payer(pos, unit), pos.game.lists
    if loc in HAVENS.values() and u.new_granada:
        return Refusal("refusal.not_its_land", "4.10", unit=unit, area=loc)
    if loc in HAVENS.values():
        return Refusal("refusal.haven_closed", "10.3", place=loc, nation=f"nation.{nation}")
    area = pos.game.area(loc)
    if u.ship and loc not in pos.game.ports:
        return Refusal("refusal.ships_in_ports", "4.6", unit=unit)
    if area is None:
        return Refusal("refusal.by_sea", "4.6", place=loc)
    lands = pos.game.land if u.side == ROYALIST else lists["new_granada"] if u.new_granada else lists["recruit"][nation]
    if area not in lands:
        return Refusal("refusal.not_its_land", "4.6", unit=unit, area=area)
    if loc in pos.game.places and (said := city(pos, loc, u.side)) is not None:
        return said
    if u.side == PATRIOT and not nation_in(pos, area, nation):
        return Refusal("refusal.nation_not_there", "4.6", nation=f"nation.{nation}", area=area)
    if u.ship or not held(pos, area, u.side):
        return Refusal("refusal.not_held", "4.6", side=u.side, place=loc)
    return None


def closed_cities(pos: Position, side: str, where: Iterable[str]) -> tuple[str, ...]:
    """6.2, 6.7 Of the areas among some places the cities that land units of a side can't enter."""
    return tuple(sorted(p for area in where if area in pos.game.worth for p in pos.game.within(area)
                        if not enterable(pos, p, side)))


def not_regrouped(pos: Position, unit: str, loc: str | None, side: str) -> Refusal | None:
    """5.1, 6.2, 6.7 Why a counter isn't regrouped, or not into a place."""
    said = stays(pos, unit, side)
    if said is not None:
        return said
    if unit in pos.operated:
        return Refusal("refusal.has_operated", "3.3", unit=unit)
    if (before := pos.besieging(unit)) is not None:
        return Refusal("refusal.besieges", "6.2", unit=unit, place=before)
    area = pos.game.area(pos.at[unit])
    for place in (pos.at[unit], loc):
        if place in pos.game.places and pos.game.area(place) == area and (why := city(pos, place, side)) is not None:
            return why
    return None if area is None or loc is None else Refusal("refusal.within_its_area", "5.1", unit=unit, area=area)


def no_rising(pos: Position, side: str, area: str) -> Refusal | None:
    """9.1, 9.3, 4.9.1, 9.5 Why a side can't raise an area."""
    if area not in pos.game.worth:
        return unknown(area) if area not in pos.game.spaces else Refusal("refusal.areas_rise", "9.3", place=area)
    if looks_held(pos, area)[enemy(side)] != HALF:
        return Refusal("refusal.not_theirs_alone", "9.3", side=enemy(side), area=area)
    if area in pos.masses[side] and not pos.liberals():
        return Refusal("refusal.levied_there", "4.9.1", side=side, area=area)
    if side == PATRIOT and area in pos.game.lists["no_patriot_uprising"]:
        return Refusal("refusal.loyal_area", "9.1", area=area)
    if side == ROYALIST and area in pos.game.lists["rebels"] and pos.turn < pos.game.tables["uprising"]["rebels_from"]:
        return Refusal("refusal.rebels_later", "9.5", area=area, n=pos.game.tables["uprising"]["rebels_from"])
    return None


def no_exile(pos: Position, leader: str, nations: Iterable[str]) -> Refusal | None:
    """10.3 Why a leader can't go into a haven, or not into another."""
    if leader not in pos.game.units:
        return unknown(leader)
    u, at = pos.unit(leader), pos.at[leader]
    if not u.leader or u.nation not in HAVENS or u.nation not in nations or at == HAVENS[u.nation]:
        return Refusal("refusal.no_exile", "10.3", unit=leader)
    if pos.game.area(at) is None:
        return stays(pos, leader, PATRIOT)
    if pos.besieged(at):
        return city(pos, at, PATRIOT)
    return Refusal("refusal.other_haven", "10.3", unit=leader, place=HAVENS[u.nation])
