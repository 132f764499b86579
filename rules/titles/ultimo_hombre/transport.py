"""3 Transport along rivers and coast."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rules.core.agenda import AGAIN, DONE, Next
from rules.core.errors import Refusal, unknown
from rules.core.forms import Answer, Choose, Form, Move, Option, label
from rules.core.procedure import Procedure, ask
from rules.core.request import Request
from rules.maps.paths import Prices, Reach, reach
from rules.titles.ultimo_hombre.board import ALLIED, LIMIT, NEUTRAL, enemy
from rules.titles.ultimo_hombre.leaders import escape
from rules.titles.ultimo_hombre.position import Position
from rules.titles.ultimo_hombre.turn import segments

LONG_ROAD = {"rio_grande": ("cuiaba",), "porto_alegre": ("cuiaba",), "cuiaba": ("porto_alegre", "rio_grande")}
Barred = tuple[bool, set[str]]  # what cards forbid: all transport, or some spaces

@segments.segment
def transport(pos: Position, side: str) -> Procedure[Next]:
    """3 One transport, or the end of the phase."""
    places = {*pos.armies[side], *(s for s in pos.leaders.values() if s in pos.game.spaces)}
    by_water, barred = sorted([s for s in places if pos.space(s).main_river]), _barred(pos, side)
    movers = {s: able for s in by_water if (able := travellers(pos, side, s, barred))}
    forms: list[Form] = []
    if movers:
        forms.append(Move("ship", "3", {s: [{"id": u, "left": 1} for u in us] for s, us in movers.items()},
                          reach=lambda units, aboard: _reach(pos, side, units, aboard),
                          legal=lambda answer: check(pos, side, answer),
                          why=lambda units, _aboard, to: why_not(pos, side, units, to)))
    forms.append(Choose("end_transport", "2", (Option("end", "2", label("option.end_transport"), ends=True),)))
    answer = yield from ask(Request(side, "prompt.transport", "3", tuple(forms), open_grounds=True))
    if answer["form"] != "ship":
        pos.tell("transport_ended", "2", side)
        return DONE
    carry_out(pos, side, answer)
    return AGAIN


def company(pos: Position, side: str, space: str) -> list[str]:
    """3, 17.1 Own units of a space, with leaders under option 1."""
    units = pos.units_of(side, space)
    return [*units, *pos.leaders_at(side, space)] if pos.options["leaders"] else list(units)


def ashore(pos: Position, unit: str, space: str) -> Refusal | None:
    """3, 12.1 Why a unit (or leader) may not be shipped from where it is."""
    if not pos.space(space).main_river:
        return Refusal("refusal.no_river_here", "3", at=space)
    if unit in pos.shipped:
        return Refusal("refusal.was_shipped", "3", at=space, unit=unit)
    return kept(pos, unit, "transport") if unit in pos.game.units else None


def shippable(pos: Position, side: str, space: str) -> list[str]:
    """3 Units (and leaders under option 1) that may be shipped from a space."""
    return [u for u in company(pos, side, space) if ashore(pos, u, space) is None]


def why_not(pos: Position, side: str, units: Sequence[str], to: str | None) -> Refusal | None:
    """Why units can't be shipped, or not there."""
    try:
        start = setting_out(pos, side, units, "3", ashore)
    except Refusal as refusal:
        return refusal
    if to is None:
        return Refusal("refusal.no_water_out", "3", at=start)
    return unknown(to) if to not in pos.game.spaces else unreached(pos, side, units, start, to)


def unreached(pos: Position, side: str, units: Sequence[str], start: str, to: str) -> Refusal:
    """3, 11, 12.1, 14, 15 Why no transport ends in a space."""
    shut, closed = _barred(pos, side)
    if shut or start in closed or to in closed:
        return Refusal("refusal.card_shuts_water", "12.1", at=to)
    if not pos.space(to).main_river:
        return Refusal("refusal.no_river_here", "3", at=to)
    if (foreign := strange_ground(pos, units, to)) is not None:
        return foreign
    if pos.controller(to) == NEUTRAL:
        return Refusal("refusal.neutral_water", "14", at=to)
    if pos.controller(to) != side or pos.units_of(enemy(side), to):
        return Refusal("refusal.not_own_space", "3", at=to)
    troops = [u for u in units if u in pos.game.units]
    if closed and to in reach(_waters(pos, side, troops, set()), start, _enemy_allowance(pos, side)).cost:
        return Refusal("refusal.card_shuts_water", "12.1", at=to)
    return Refusal("refusal.no_water", "3", at=to)


def _stopped(pos: Position, troops: Sequence[str], a: str, b: str, closed: set[str]) -> Refusal:
    """3, 12.1, 14, 15 Why no transport goes from a space to the next of its way."""
    if b not in pos.game.river.get(a, ()):
        return Refusal("refusal.no_water", "3", at=b)
    if b in closed:
        return Refusal("refusal.card_shuts_water", "12.1", at=b)
    return strange_ground(pos, troops, b) or Refusal("refusal.neutral_water", "14", at=b)


def travellers(pos: Position, side: str, space: str, barred: Barred) -> list[str]:
    """3 Those of them that have anywhere to go; units of one nation have the same ways."""
    ways: dict[str, bool] = {}
    out = []
    for unit in shippable(pos, side, space):
        kind = pos.unit(unit).nation if unit in pos.game.units else f"leader of {pos.game.leaders[unit]['nation']}"
        if kind not in ways:
            ways[kind] = _has_way(pos, side, unit, space, barred)
        if ways[kind]:
            out.append(unit)
    return out


def _has_way(pos: Position, side: str, unit: str, start: str, barred: Barred) -> bool:
    """3, 5 Whether there is anywhere to go where there is room. Mostly it is next door, and the rest of the river need
    not be searched."""
    shut, closed = barred
    troops = [unit] if unit in pos.game.units else []
    own, foes, room = pos.armies[side], pos.armies[enemy(side)], LIMIT - len(troops)
    if not shut and start not in closed:
        for there, price in _passages(pos, side, troops, closed)[start]:
            if price == 0 and there not in foes and (there not in own or len(own[there]) <= room):
                return True
    return any(s not in own or len(own[s]) <= room for s in _ways(pos, side, [unit], start).cost)


def kept(pos: Position, unit: str, phase: str) -> Refusal | None:
    """1, 12.1 Argentina does nothing on the first Allied turn; some cards hold some units."""
    u = pos.game.units[unit]
    if u.nation == "argentina" and pos.argentina == "not_yet":
        return Refusal("refusal.not_at_war", "12.1", at=pos.at[unit], unit=unit)
    for _, effect in pos.shown.get("forbid_move", ()):
        if effect["nation"] == u.nation and effect["unit_type"] == u.type and phase in effect["phases"]:
            return Refusal("refusal.card_holds", "12.1", at=pos.at[unit], unit=unit)
    return None


def strange_ground(pos: Position, units: Sequence[str], space: str) -> Refusal | None:
    """15 While Uruguay is with Paraguay its troops never leave it; on the first Allied turn no other ally enters
    Argentina (12.1, ruling). Names the first of the units that may not stand there; nobody may outside the part of the
    map that is played."""
    if (off := pos.game.off_part(space)) is not None:
        return off
    country = pos.game.spaces[space].country
    abroad = country != "uruguay" and pos.uruguay == "blanco"
    early = country == "argentina" and pos.argentina == "not_yet"
    if not abroad and not early:
        return None
    for unit in units:
        if unit in pos.leaders:
            continue
        u = pos.game.units[unit]
        if abroad and u.nation == "uruguay_blanco":
            return Refusal("refusal.stays_in_uruguay", "15", at=space, unit=unit)
        if early and u.side == ALLIED and u.nation != "argentina":
            return Refusal("refusal.not_into_argentina", "12.1", at=space, unit=unit)
    return None


def may_stand(pos: Position, unit: str, space: str) -> bool:
    """15, 12.1 Whether a unit may be in a space at all."""
    return strange_ground(pos, [unit], space) is None


def _long_road(pos: Position, side: str, units: Sequence[str], space: str) -> list[str]:
    """17.2 Where Brazilians (17.1 leaders as well) can go from a space by the road to Mato Grosso, which joins spaces
    that are still strategic (ruling)."""
    nations = {pos.game.leaders[u]["nation"] if u in pos.leaders else pos.unit(u).nation for u in units}
    if not pos.options.get("mato_grosso") or nations != {"brazil"} or space in pos.lost_strategic:
        return []
    return [s for s in LONG_ROAD.get(space, ()) if pos.controller(s) == side and s not in pos.lost_strategic]


def _by_road(pos: Position, side: str, units: Sequence[str], path: Sequence[str]) -> bool:
    """17.2 Whether a path is the long road and no way by water."""
    start, goal = path[0], path[1]
    return len(path) == 2 and goal not in pos.game.river[start] and goal in _long_road(pos, side, units, start)


def _barred(pos: Position, side: str) -> Barred:
    """12.1 What cards forbid: all transport, or some spaces."""
    closed: set[str] = set()
    for _, effect in pos.effects("forbid_transport"):
        if effect["side"] == side:
            if "spaces" not in effect:
                return True, closed
            closed |= set(effect["spaces"])
    return False, closed


def _enemy_allowance(pos: Position, side: str) -> int:
    """12.1 How many enemy spaces a card lets a transport pass (A08)."""
    return max((effect["max_enemy_spaces"] for _, effect in pos.effects("transport_through_enemy")
                if effect["side"] == side), default=0)


def _reach(pos: Position, side: str, units: Sequence[str], aboard: Mapping[str, str]) -> dict[str, Any]:
    """3, 5 Where units can be shipped together."""
    start, troops = one_place(pos, units), [u for u in units if u in pos.game.units]
    if aboard:
        raise Refusal("refusal.no_ships", "3")
    found, own, room = _ways(pos, side, units, start), pos.armies[side], LIMIT - len(troops)
    blocked = {s: full.reason() for s in found.cost
               if len(own.get(s, ())) > room and (full := overfull(pos, side, troops, s)) is not None}
    return {"from": start, "cost": found.cost, "via": found.via, "left": 1, "blocked": blocked}


def _ways(pos: Position, side: str, units: Sequence[str], start: str) -> Reach:
    """3 Own main-river spaces in any number; a card lets some enemy ones be passed (A08)."""
    shut, closed = _barred(pos, side)
    allowance = _enemy_allowance(pos, side)
    troops = [u for u in units if u in pos.game.units]
    cost: dict[str, int] = {}
    via: dict[str, str] = {}
    if not shut and start not in closed and pos.space(start).main_river:
        found = reach(_passages(pos, side, troops, closed), start, allowance)
        foes = pos.armies[enemy(side)]
        cost = {s: 0 for s in found.cost if s != start and s not in foes and pos.controller(s) == side}
        via = dict(found.via)
    for goal in _long_road(pos, side, units, start):
        if goal not in cost:
            cost[goal], via[goal] = 0, start
    return Reach(cost, via)


def _passages(pos: Position, side: str, troops: Sequence[str], closed: set[str]) -> Prices:
    """Where troops can pass, and at what price; the same for all of these nations."""
    nations = frozenset(pos.unit(u).nation for u in troops)
    if nations not in pos.charts:
        pos.charts[nations] = _waters(pos, side, troops, closed)
    return pos.charts[nations]


def _waters(pos: Position, side: str, troops: Sequence[str], closed: set[str]) -> Prices:
    return Prices(pos.game.river, lambda _, there: passage(pos, side, troops, there, closed))


def passage(pos: Position, side: str, troops: Sequence[str], space: str, closed: set[str]) -> int | None:
    """3, 14 The enemy spaces (0 or 1) a transport uses up by passing here, or None where it may not pass: `closed` are
    those a card shuts."""
    holder = pos.controller(space)
    if holder == NEUTRAL or space in closed or not all(may_stand(pos, u, space) for u in troops):
        return None
    return 0 if holder == side else 1


def one_place(pos: Position, units: Sequence[str]) -> str:
    """The one space where units and leaders of an answer stand. Raises Refusal."""
    for unit in units:
        if unit not in pos.leaders and unit not in pos.at:
            raise unknown(unit)
    places = {pos.leaders.get(u) or pos.at.get(u, "") for u in units}
    if len(places) != 1 or not places <= pos.game.spaces.keys():
        raise Refusal("refusal.not_together", "4", n=len(places))
    return places.pop()


def check(pos: Position, side: str, answer: Answer) -> None:
    """3 Whether a transport may be made. Raises Refusal."""
    units, path = answer["units"], answer["path"]
    start = setting_out(pos, side, units, "3", ashore)
    if path[0] != start or len(path) < 2:
        raise Refusal("refusal.path_start", "3", at=start)
    if path[-1] not in pos.game.spaces:
        raise unknown(path[-1])
    if path[-1] not in _ways(pos, side, units, start).cost:
        raise unreached(pos, side, units, start, path[-1])
    if (full := overfull(pos, side, [u for u in units if u in pos.game.units], path[-1])) is not None:
        raise full
    if _by_road(pos, side, units, path):
        return
    enemies, closed = 0, _barred(pos, side)[1]
    troops = [u for u in units if u in pos.game.units]
    for a, b in itertools.pairwise(path):
        price = passage(pos, side, troops, b, closed) if b in pos.game.river.get(a, ()) else None
        if price is None:
            raise _stopped(pos, troops, a, b, closed)
        enemies += price
    if enemies > _enemy_allowance(pos, side):
        raise Refusal("refusal.not_own_river", "3", at=path[-1])


def setting_out(pos: Position, side: str, units: Sequence[str], clause: str,
                hindrance: Callable[[Position, str, str], Refusal | None]) -> str:
    """3, 4, 17.1 The space from which units may be shipped or march now: one for all, their own, and nothing of its
    kind hinders any. Raises Refusal."""
    if not units:
        raise Refusal("refusal.nobody_moves", clause)
    start = one_place(pos, units)
    own = company(pos, side, start)
    for unit in units:
        if unit not in own:
            raise Refusal("refusal.leader_is_placed", "6", at=start, unit=unit) if unit in pos.leaders_at(side, start) \
                else Refusal("refusal.not_yours", clause, at=start)
        if (why := hindrance(pos, unit, start)) is not None:
            raise why
    return start


def overfull(pos: Position, side: str, troops: Sequence[str], to: str) -> Refusal | None:
    """5 Six units a space at most; leaders don't count."""
    n = len(pos.units_of(side, to))
    if n + len(troops) <= LIMIT:
        return None
    n += sum(u in pos.game.units for u in troops)
    return Refusal("refusal.too_many", "5", at=to, n=n, limit=LIMIT) if n > LIMIT else None


def carry_out(pos: Position, side: str, answer: Answer) -> None:
    """3 Ship the units; 17.2 those that took the long road arrive reduced."""
    units, path = answer["units"], answer["path"]
    worn = _by_road(pos, side, units, path)
    for unit in units:
        pos.shipped.append(unit)
        if unit in pos.leaders:
            pos.place_leader(unit, path[-1])
            continue
        pos.put(unit, path[-1])
        if worn and pos.unit(unit).reduced is not None and unit not in pos.reduced:
            pos.reduced.append(unit)
    pos.touch(path[0])
    pos.tell(
        "long_road_taken" if worn else "shipped",
        "17.2" if worn else "3",
        side,
        path=path,
        at=path[-1],
        count=len(units),
        units=units,
        **{"from": path[0]},
    )
    if any(u in pos.game.units for u in units):
        for space in path[1:]:
            escape(pos, side, space)
