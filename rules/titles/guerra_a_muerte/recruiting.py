"""4.1, 4.4, 4.6, 4.7, 4.9 Promotion of militia, building, levies of masses; 10.3 recruits in the havens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from rules.core.agenda import AGAIN, DONE, Next
from rules.core.errors import Refusal, unknown
from rules.core.forms import Allocate, Answer, Choose, Form, Group, Lot, Option, Place, in_points, label
from rules.core.procedure import Procedure
from rules.core.request import NOBODY, OPEN, SOME, Needs, needs_nobody, needs_some
from rules.titles.guerra_a_muerte.asking import d6, done, want
from rules.titles.guerra_a_muerte.barred import closed_cities, not_built_there, not_raised
from rules.titles.guerra_a_muerte.board import (
    HALF,
    HAVENS,
    INFANTRY,
    NATIONS,
    PATRIOT,
    ROYALIST,
    enemy,
)  # fmt: skip
from rules.titles.guerra_a_muerte.control import enterable, holder_of, looks_by_area, may_operate, nation_in
from rules.titles.guerra_a_muerte.grouping import GROUPING, army_form, grouping_forms, regroup
from rules.titles.guerra_a_muerte.ports import fallen_ports, needs_of_change
from rules.titles.guerra_a_muerte.position import Position, payer
from rules.titles.guerra_a_muerte.turn import segments

MANY = 99


# -- promotion -------------------------------------------------------------------------------------------------


def promotable(pos: Position, side: str) -> dict[str, list[str]]:
    """4.7 Reduced regulars of a side with the militia of their arm in their area that could fill them: of their own
    nation among patriots, any royal one for the crown. The Legion takes no replacements (10.6)."""
    out = {}
    for unit in sorted(pos.reduced):
        u, area = pos.unit(unit), pos.game.area(pos.at[unit])
        if u.side != side or not u.regular or area is None or u.nation == "portuguese" \
                or unit in pos.aboard:
            continue
        fit = [m for m in pos.units_in(area, side) if pos.unit(m).militia and pos.unit(m).type == u.type
               and (side == ROYALIST or pos.unit(m).nation == u.nation)
               and (pos.at[m] == pos.at[unit] or (not pos.besieged(pos.at[m]) and not pos.besieged(pos.at[unit])))]
        if fit:
            out[unit] = fit
    return out


def may_promote(pos: Position, side: str) -> bool:
    """4.7, 5.1.3 Whether a side has something to promote, as far as everybody can know: a closed box may hold it."""
    return bool(promotable(pos, side)) or any(a is not None and pos.hidden(side, a) for a in pos.armies[side].values())


@segments.segment
def promotions(pos: Position) -> Procedure[Next]:
    """4.7 Before anything is built: the higher die promotes first; equal dice are thrown again."""
    able = [side for side in (PATRIOT, ROYALIST) if may_promote(pos, side)]
    order = able
    if len(able) > 1:
        dice = {PATRIOT: 0, ROYALIST: 0}
        while dice[PATRIOT] == dice[ROYALIST]:
            for side in able:
                dice[side] = yield from d6("promotion", "4.7")
        order = sorted(able, key=lambda side: -dice[side])
        pos.tell("promotion_rolled", "4.7", order[0], patriot=dice[PATRIOT], royalist=dice[ROYALIST])
    return [["promote", side] for side in order]


@segments.segment
def promote(pos: Position, side: str) -> Procedure[Next]:
    """4.7 Militia are spent to fill regulars: one militia, one step."""
    able = promotable(pos, side)

    def once(answer: Answer) -> None:
        given = [m for units in answer["lots"].values() for m in units]
        for militia in given:
            if given.count(militia) > 1:
                raise Refusal("refusal.militia_once", "4.7", unit=militia)

    forms: list[Form] = [Allocate("promote", "4.7", "restore", tuple(
        Lot(u, tuple(ms), 0, 1, at=pos.at[u], label=label("lot.fill", unit=u)) for u, ms in able.items()), legal=once)
    ] if able else []
    answer = yield from want(side, "promote", "4.7", [
        *forms, Choose("no_promotion", "4.7", (Option("none", "4.7", label("option.no_promotion")),))],
        needs=needs_some if side == ROYALIST or ["promote", ROYALIST] in pos.agenda else needs_nobody)
    if answer["form"] == "no_promotion":
        return DONE
    filled = {unit: units[0] for unit, units in answer["lots"].items() if units}
    for unit, militia in filled.items():
        pos.reduced.remove(unit)
        pos.touch(pos.at[unit])
        pos.bury(militia)
    pos.tidy()
    if filled:
        pos.tell("promoted", "4.7", side, spent=sorted(filled.values()), count=len(filled),
                 private={side: {"units": sorted(filled)}})
    return DONE


# -- building --------------------------------------------------------------------------------------------------


@segments.segment
def builders(pos: Position) -> Procedure[Next]:
    """3.1, 4.6 Both sides build, change modes and regroup, the patriot first as in operations (ruling)."""
    yield from ()
    pos.tell("building_began", "4.6", None)
    return [["build", PATRIOT], ["build", ROYALIST]]


def sites(pos: Position, nation: str, areas: tuple[str, ...]) -> tuple[str, ...]:
    """4.6 Where land units are built: areas held, wholly or in part, by units of theirs, and their cities but for
    those under siege or in enemy hands."""
    side, looks = ROYALIST if nation == ROYALIST else PATRIOT, looks_by_area(pos)
    out = []
    for area in areas:
        if not looks[area].held[side] or (side == PATRIOT and not nation_in(pos, area, nation)):
            continue
        out += [area, *(p for p in pos.game.within(area) if enterable(pos, p, side))]
    return tuple(sorted(out))


def docks(pos: Position, nation: str) -> tuple[str, ...]:
    """4.6, 4.10 Where ships are built: free ports of the crown, or those in areas of the nation where it stands."""
    side = ROYALIST if nation == ROYALIST else PATRIOT
    lands = pos.game.land if nation == ROYALIST else pos.game.lists["recruit"][nation]
    return tuple(sorted(
        p for p in pos.game.ports if (area := str(pos.game.places[p].area)) in lands
        and holder_of(pos, p) == side and enterable(pos, p, side)
        and (side == ROYALIST or nation_in(pos, area, nation))))


def where_built(pos: Position, unit: str) -> tuple[str, ...]:
    """4.6, 4.10 Where a counter of the recruit pool may be built."""
    u, lists = pos.unit(unit), pos.game.lists
    nation = payer(pos, unit)
    if u.ship:
        return docks(pos, nation)
    areas = pos.game.land if nation == ROYALIST else tuple(
        lists["new_granada"] if u.new_granada else lists["recruit"][nation])
    return sites(pos, nation, areas)


def yards(pos: Position) -> Callable[[str], tuple[str, ...]]:
    """4.6 `where_built` of many counters, found once for those that are built in the same places."""
    found: dict[tuple[str, bool, bool], tuple[str, ...]] = {}

    def places(unit: str) -> tuple[str, ...]:
        kind = payer(pos, unit), pos.unit(unit).ship, pos.unit(unit).new_granada
        if kind not in found:
            found[kind] = where_built(pos, unit)
        return found[kind]

    return places


def haven_open(pos: Position, nation: str) -> str | None:
    """10.3 The haven in which a leader of the nation waits."""
    haven = HAVENS.get(nation)
    led = haven is not None and any(pos.unit(u).leader and pos.unit(u).nation == nation for u in pos.stack(haven))
    return haven if led else None


def haven_room(pos: Position, haven: str, kind: str) -> int:
    """10.3 (ruling 33) How many more units of a kind a haven takes this turn."""
    most: int = pos.game.tables["haven"].get(kind, 0)
    return most - pos.recruited.get(haven, {}).get(kind, 0)


def open_places(pos: Position, unit: str, places: Callable[[str], tuple[str, ...]]) -> tuple[str, ...]:
    """4.6, 4.10, 10.3 Where a counter of the recruit pool comes onto the map: where it is built, and in the haven where
    a leader of its nation waits, as far as it has room; New Granada's in Santa Fe alone."""
    u, where = pos.unit(unit), places(unit)
    haven = None if u.new_granada else haven_open(pos, u.nation)
    if haven is None or haven_room(pos, haven, u.type) <= 0:
        return where
    return tuple(sorted((*where, haven)))


def build_form(pos: Position, side: str) -> Place | None:
    """4.4, 4.6, 10.3 What a side can pay for, in groups of the same price and places. Costs are in half points."""
    nations = [ROYALIST] if side == ROYALIST else list(NATIONS)
    groups: list[Group] = []
    pools: dict[str, int] = {}
    places = yards(pos)
    for nation in nations:
        pools[nation] = pos.spendable(nation)
        by: dict[tuple[str, int, tuple[str, ...]], list[str]] = {}
        for pool in (["american", "spanish", ROYALIST] if nation == ROYALIST else [nation]):
            for unit in pos.stack(f"recruits:{pool}"):
                if pos.game.cost(unit) > pools[nation]:
                    continue
                where, u = open_places(pos, unit, places), pos.unit(unit)
                if where:
                    kind = "militia" if u.militia else u.type
                    by.setdefault((kind, pos.game.cost(unit), where), []).append(unit)
        for n, ((kind, cost, where), units) in enumerate(sorted(by.items())):
            groups.append(Group(f"build_{nation}_{kind}_{n}", "4.4", tuple(units), where, pool=nation,
                                cost=cost, name=f"build_{kind}",
                                shut=() if pos.unit(units[0]).ship else closed_cities(pos, side, where)))
    if not groups:
        return None
    return Place("build", "4.4", tuple(groups), MANY, "4.6",
                 pools={n: p for n, p in pools.items() if any(g.pool == n for g in groups)}, per=HALF,
                 legal=lambda answer: affordable(pos, answer["placed"]),
                 why=lambda unit, loc: not_built(pos, unit, loc, side))


def not_built(pos: Position, unit: str, loc: str | None, side: str, *, free: bool = False) -> Refusal | None:
    """4.4, 4.6, 8.3, 10.3 Why a side can't build a counter, or not there: by the figures of the position; one that
    comes free is not too dear."""
    if loc is None:
        return not_raised(pos, unit, side, free=free)
    if loc not in pos.game.spaces:
        return unknown(loc)
    if loc == haven_open(pos, pos.unit(unit).nation) and not pos.unit(unit).new_granada:
        return Refusal("refusal.haven_full", "10.3", at=loc, n=1, limit=haven_room(pos, loc, pos.unit(unit).type))
    return not_built_there(pos, unit, loc)


def affordable(pos: Position, placed: Mapping[str, str]) -> None:
    """4.2, 10.3 Whether the purses pay for all of it together, and the havens have room. Raises Refusal."""
    havens: dict[tuple[str, str], int] = {}
    for unit, place in placed.items():
        if place in HAVENS.values():
            key = place, pos.unit(unit).type
            havens[key] = havens.get(key, 0) + 1
    for (haven, kind), n in havens.items():
        if n > haven_room(pos, haven, kind):
            raise Refusal("refusal.haven_full", "10.3", at=haven, n=n, limit=haven_room(pos, haven, kind))
    check_purses(pos, bill_of(pos, placed))


def check_purses(pos: Position, need: Mapping[str, int]) -> None:
    """4.2 Whether every nation's bill can be paid out of the purses it may use, paid as `pay` does. Raises Refusal."""
    left = dict(pos.purses)
    for nation in sorted(need, key=lambda n: len(pos.game.purses[n])):
        bill, own = need[nation], pos.game.purses[nation]
        while bill:
            purse = own[0] if left[own[0]] else max(own, key=lambda p: left[p])
            part = min(bill, left[purse])
            if not part:
                raise Refusal("refusal.no_points", "4.2", nation=f"nation.{nation}",
                              n=in_points(need[nation], HALF), left=in_points(bill, HALF))
            left[purse] -= part
            bill -= part


def settle(pos: Position, need: Mapping[str, int]) -> None:
    """4.2 Pays the bills of several nations, those first that have the fewest purses to pay from."""
    for nation in sorted(need, key=lambda n: len(pos.game.purses[n])):
        pos.pay(nation, need[nation])


def bill_of(pos: Position, units: Iterable[str]) -> dict[str, int]:
    """4.4 What building units costs each nation, in half points."""
    need: dict[str, int] = {}
    for unit in units:
        need[payer(pos, unit)] = need.get(payer(pos, unit), 0) + pos.game.cost(unit)
    return need


def refill_form(pos: Position, side: str) -> Allocate | None:
    """4.1, 4.6 Lost steps made good on the spot, at the price of a step, where such a unit could be built."""
    lots: dict[str, list[str]] = {}
    places = yards(pos)
    for unit in sorted(pos.reduced):
        u, loc = pos.unit(unit), pos.at[unit]
        if u.side == side and u.nation != "portuguese" and unit not in pos.aboard \
                and pos.game.step_cost(unit) <= pos.spendable(payer(pos, unit)) and loc in places(unit):
            lots.setdefault(loc, []).append(unit)
    if not lots:
        return None

    def paid(answer: Answer) -> None:
        if not answer["lots"]:
            raise Refusal("refusal.nothing_taken", "4.6")
        check_purses(pos, refill_bill(pos, answer["lots"]))

    return Allocate("refill", "4.6", "restore", tuple(
        Lot(loc, tuple(units), 0, len(units), at=loc) for loc, units in sorted(lots.items())), legal=paid)


def refill_bill(pos: Position, lots: Mapping[str, list[str]]) -> dict[str, int]:
    """4.4 What refilling costs each nation, in half points."""
    need: dict[str, int] = {}
    for units in lots.values():
        for unit in units:
            need[payer(pos, unit)] = need.get(payer(pos, unit), 0) + pos.game.step_cost(unit)
    return need


# -- masses ----------------------------------------------------------------------------------------------------


def levy_form(pos: Position, side: str) -> Choose | None:
    """4.9 Once a turn and side, and once an area (ruling 32): where it has a land unit or leader."""
    if side in pos.mass_levy:
        return None
    able = [a for a in pos.game.lists["masses"]
            if a not in pos.masses[side] and pos.units_in(a, side) and levied(pos, side, a)]
    return Choose("levy", "4.9", tuple(Option(a, "4.9", label("option.levy", at=a)) for a in sorted(able))
                  ) if able else None


def levied(pos: Position, side: str, area: str) -> list[str]:
    """4.9, 4.9.1 The three militia infantry of a levy: royal, or of a nation of that land, of one that stands there
    first; any patriot unit or leader may call them up."""
    own = pos.game.nations_of(area)
    pools = [ROYALIST] if side == ROYALIST else sorted(own, key=lambda n: not nation_in(pos, area, n))
    for nation in pools:
        found = [u for u in pos.stack(f"recruits:{nation}") if pos.unit(u).militia and pos.unit(u).type == INFANTRY]
        if found:
            return found[:pos.game.tables["masses"]]
    return []


def levy(pos: Position, side: str, area: str) -> None:
    """4.9.1 Three militia for nothing; no uprising of that side there any more, and half the points next time."""
    units = levied(pos, side, area)
    for unit in units:
        pos.put(unit, area)
    pos.masses[side] = sorted({*pos.masses[side], area})
    pos.mass_levy.append(side)
    pos.halved = sorted({*pos.halved, area})
    pos.touched.add("layer:marks")
    pos.tell("masses", "4.9.1", side, at=area, units=units, count=len(units))


# -- the phase -------------------------------------------------------------------------------------------------


def free_ship_form(pos: Position) -> Place | None:
    """8.3 One patriot ship comes with Cochrane for nothing."""
    if not pos.free_ship:
        return None
    places = yards(pos)
    by: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for nation in NATIONS:
        for ship in (u for u in pos.stack(f"recruits:{nation}") if pos.unit(u).ship):
            by.setdefault((nation, open_places(pos, ship, places)), []).append(ship)
    groups = [Group(f"free_{nation}_{n}", "8.3", tuple(ships), where, name="free_ship")
              for n, ((nation, where), ships) in enumerate(by.items()) if where]

    def one(answer: Answer) -> None:
        if len(answer["placed"]) > 1:
            raise Refusal("refusal.one_free_ship", "8.3")

    return Place("free_ship", "8.3", tuple(groups), MANY, "8.3", legal=one,
                 why=lambda unit, loc: not_built(pos, unit, loc, PATRIOT, free=True)) if groups else None


@segments.segment
def build(pos: Position, side: str) -> Procedure[Next]:
    """3.1, 4.4, 4.6, 4.9, 5.1, 10.1 One answer of building, refilling, levying, changing modes or regrouping, until
    the side has done."""
    offered: list[Form | None] = [build_form(pos, side), refill_form(pos, side), levy_form(pos, side)]
    if side == PATRIOT:
        offered.append(free_ship_form(pos))
    offered += [*grouping_forms(pos, side), army_form(pos, side)]
    forms = [form for form in offered if form is not None]
    answer = yield from want(side, "build", "4.6", [*forms, done("end_build", "3.1")],
                             needs=lambda answer: needs_of_build(pos, side, answer))
    match answer["form"]:
        case "build" | "free_ship":
            raise_units(pos, side, answer["placed"], free=answer["form"] == "free_ship")
        case "refill":
            settle(pos, refill_bill(pos, answer["lots"]))
            units = sorted(u for us in answer["lots"].values() for u in us)
            for unit in units:
                pos.reduced.remove(unit)
                pos.touch(pos.at[unit])
            pos.tell("refilled", "4.6", side, count=len(units), private={side: {"units": units}})
        case "levy":
            levy(pos, side, answer["option"])
        case "end_build":
            pos.tell("build_ended", "3.1", side)
            return DONE
        case _:
            regroup(pos, side, answer)
            yield from fallen_ports(pos)
    return AGAIN


def needs_of_build(pos: Position, side: str, answer: Answer) -> Needs:
    """3.1 The royalist builds after the patriot, and then the patriot operates."""
    if answer["form"] != "end_build":
        return needs_of_change(pos, enemy(side)) if answer["form"] in GROUPING else NOBODY
    return SOME if side == PATRIOT or may_operate(pos, PATRIOT) else OPEN


def raise_units(pos: Position, side: str, placed: Mapping[str, str], free: bool) -> None:
    """4.6, 8.3, 10.3 Counters of the pool come onto the map, paid for or free."""
    if not free:
        settle(pos, bill_of(pos, placed))
    for unit, place in placed.items():
        if place in HAVENS.values():
            kinds = pos.recruited.setdefault(place, {})
            kind = pos.unit(unit).type
            kinds[kind] = kinds.get(kind, 0) + 1
        pos.put(unit, place)
    if free:
        pos.free_ship = False
    pos.tell("built", "4.6", side, placed=[[u, s] for u, s in sorted(placed.items())], count=len(placed),
             hexes=sorted(set(placed.values())))


