"""6.2-6.7 Sieges, works, blockade, and how places fall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.core.agenda import DONE, Next
from rules.core.errors import Refusal
from rules.core.forms import Answer, Choose, Declare, Legal, Option, label
from rules.core.procedure import Procedure
from rules.titles.guerra_a_muerte import odds
from rules.titles.guerra_a_muerte.asking import d6, lose
from rules.titles.guerra_a_muerte.barred import no_assault, no_attack
from rules.titles.guerra_a_muerte.board import ARTILLERY, ROYALIST, SIDES, enemy
from rules.titles.guerra_a_muerte.guerrillas import halved, repression
from rules.titles.guerra_a_muerte.leaders import check_leaders, tactical
from rules.titles.guerra_a_muerte.ports import fallen_ports, ships_in_taken_port
from rules.titles.guerra_a_muerte.position import Position
from rules.titles.guerra_a_muerte.turn import enter_stage, segments


def garrison(pos: Position, place: str) -> list[str]:
    """6.4 Who is inside a place: land counters on its box."""
    return [u for u in pos.stack(place) if not pos.unit(u).ship and not pos.unit(u).naval and u not in pos.aboard]


def held_against(pos: Position, side: str, area: str) -> list[str]:
    """6.2 The places of an area in which enemy land units stand, be it a leader alone: only a siege takes them."""
    return sorted(p for p in pos.game.within(area)
                  if any(pos.unit(u).side == enemy(side) for u in garrison(pos, p)))


def can_besiege(pos: Position, units: Sequence[str], city: str) -> bool:
    """6.2 Units in the field may besiege a place of their area, unless another side already does."""
    siege = pos.sieges.get(city)
    return siege is None or siege["side"] == pos.unit(units[0]).side


def weight(pos: Position, units: Sequence[str], half: bool) -> int:
    """6.3, 10.1 Factors in a siege: artillery double."""
    twice = pos.game.tables["siege"]["artillery"]
    total = sum(pos.factor(u) * (twice if pos.unit(u).type == ARTILLERY else 1) for u in units)
    return (total + 1) // 2 if half else total


def walls(pos: Position, city: str) -> int:
    """6.2, 6.3 What a place adds: 8 for a fortress, 2 for any other city."""
    table = pos.game.tables["siege"]
    return int(table["fortress" if pos.game.fortified(city) else "city"])


def ships_help(pos: Position, side: str, city: str) -> bool:
    """6.5 Own ships alone in the sea of a port that is besieged."""
    sea = pos.game.sea_of(city)
    return sea is not None and bool(pos.ships_at(sea, side)) and not pos.ships_at(sea, enemy(side))


def siege_sum(pos: Position, units: Sequence[str], city: str, friction: bool) -> odds.Sum:
    """6.2, 6.3, 6.4, 6.5 Odds, column and die of a siege attack."""
    table, side, area = pos.game.tables["siege"], pos.unit(units[0]).side, pos.game.area(city)
    inside = pos.troops(garrison(pos, city))
    attack = max(1, weight(pos, pos.troops(units), halved(pos, side, area)))
    defense = max(1, weight(pos, inside, halved(pos, enemy(side), area)) + walls(pos, city))
    shifts = []
    if pos.sieges.get(city, {}).get("works"):
        shifts.append(("works", "6.4", table["works"]))
    if ships_help(pos, side, city):
        shifts.append(("ships", "6.5", table["ships"]))
    base = max(0, odds.column_of(attack, defense, table["columns"]))
    column = min(base + sum(n for _, _, n in shifts), len(table["columns"]) - 1)
    out = odds.Sum(attack, defense, column, 0)
    out.notes = [{"key": f"note.{name}", "args": {"n": n}, "clause": clause} for name, clause, n in shifts]
    besiegers = [*units, *pos.sieges.get(city, {}).get("units", ())]  # 6.3: a leader present at the siege
    for who, sign in ((besiegers, 1), (garrison(pos, city), -1)):
        if tactical(pos, who):
            out.mods.append(odds.mod("besieger_leader" if sign > 0 else "garrison_leader", "6.3",
                                     sign * tactical(pos, who)))
    if friction:
        out.mods.append(odds.mod("friction", "3.3", pos.game.tables["friction"]["die"]))
    out.die = sum(m["value"] for m in out.mods)
    return out


def join_siege(pos: Position, units: Sequence[str], city: str) -> None:
    """6.2, 6.6 A force is put before a place; who besieged another leaves that one."""
    side = pos.unit(units[0]).side
    if set(units) <= set(pos.sieges.get(city, {}).get("units", ())):
        return
    pos.leave_siege([u for u in units if pos.besieging(u) not in (None, city)])
    siege = pos.sieges.setdefault(city, {"side": side, "units": [], "works": False, "blockade": False})
    siege["units"] = sorted({*siege["units"], *units})
    pos.tidy()
    pos.touch(city)
    pos.tell("siege_began", "6.2", side, at=city)


def assault(pos: Position, units: Sequence[str], city: str, friction: bool) -> Procedure[None]:
    """6.2, 6.3 One siege attack."""
    side, foe = pos.unit(units[0]).side, enemy(pos.unit(units[0]).side)
    join_siege(pos, units, city)
    inside = garrison(pos, city)
    mine, theirs = pos.troops(units), pos.troops(inside)
    found = siege_sum(pos, units, city, friction)
    panel = odds.panel(pos, found, "siege", mine, theirs, city)
    die = yield from d6("siege", "6.3")
    assert found.column is not None
    result = odds.cell(pos.game.tables["siege"]["rows"], found.column, die + found.die)
    pos.tell("siege_rolled", "6.3", side, at=city, roll=die, total=die + found.die, result=f"siege.{result}",
             odds={**panel, "rolled": die}, reveals=True)
    lost, killed = odds.siege_losses(result, odds.steps_of(pos, mine), odds.besieged_steps(pos, theirs))
    yield from lose(pos, side, mine, lost, "6.3", str(pos.game.area(city)))
    yield from lose(pos, foe, theirs, killed, "6.3", city)
    yield from check_leaders(pos, units, str(pos.game.area(city)))
    if killed and not pos.troops(garrison(pos, city)):
        yield from fall(pos, city, side, inside, units)


def fall(pos: Position, city: str, side: str, inside: Sequence[str], captors: Sequence[str], *,
         combat: bool = True) -> Procedure[None]:
    """6.3, 6.6, 7.9, 10.4 A place is taken: its leaders are checked, its ships share its fate, the siege is over."""
    yield from check_leaders(pos, inside, city, combat=combat)
    pos.lift(city)
    pos.tell("place_fell", "6.3", side, at=city)
    yield from ships_in_taken_port(pos, city, side, captors)
    yield from repression(pos, ROYALIST, pos.game.area(city))


# -- what a force may do -----------------------------------------------------------------------------------------


def assault_form(pos: Position, units: Sequence[str], area: str, friction: bool) -> Declare | None:
    """6.2 The places the force can attack, with its odds."""
    targets = {city: {area: sorted(pos.troops(units))} for city in held_against(pos, pos.unit(units[0]).side, area)
               if can_besiege(pos, units, city)}
    if not targets or not pos.troops(units):
        return None

    def show(answer: Answer) -> dict[str, Any]:
        city = answer["target"]
        return odds.panel(pos, siege_sum(pos, units, city, friction), "siege", pos.troops(units),
                          pos.troops(garrison(pos, city)), city)

    near = {city: pos.troops(pos.units_at(area, pos.unit(units[0]).side)) for city in held_against(
        pos, pos.unit(units[0]).side, area)}
    return Declare("assault", "6.2", targets, legal=whole(pos, units), show=show, near=near,
                   why=lambda city, unit: (no_assault(pos, city, area) if unit is None else None)
                   or no_attack(pos, city, unit, "refusal.nobody_to_besiege", "6.2"))


def whole(pos: Position, units: Sequence[str]) -> Legal:
    """3.3, 6.1 A force attacks whole: an attack by a part of it is refused."""
    force = set(pos.troops(units))

    def legal(answer: Answer) -> None:
        if set(answer["units"]) != force:
            raise Refusal("refusal.whole_force", "6.1", at=answer["target"], n=len(answer["units"]), of=len(force))

    return legal


def works_form(pos: Position, units: Sequence[str], area: str) -> Choose | None:
    """6.4 Works against a place the force besieges."""
    able = [city for city in held_against(pos, pos.unit(units[0]).side, area)
            if can_besiege(pos, units, city) and not pos.sieges.get(city, {}).get("works")]
    return Choose("works", "6.4", tuple(
        Option(c, "6.4", label("option.works", at=c)) for c in able)) if able else None


def blockade_form(pos: Position, units: Sequence[str], area: str) -> Choose | None:
    """6.6 Fortresses the force may starve."""
    able = [city for city in held_against(pos, pos.unit(units[0]).side, area)
            if can_besiege(pos, units, city) and pos.game.fortified(city)
            and not pos.sieges.get(city, {}).get("blockade")]
    return Choose("blockade", "6.6", tuple(
        Option(c, "6.6", label("option.blockade", at=c)) for c in able)) if able else None


def dig(pos: Position, units: Sequence[str], city: str) -> None:
    """6.4 The force builds works: they stay until the siege is over (ruling 13)."""
    join_siege(pos, units, city)
    pos.sieges[city]["works"] = True
    pos.touch(city)
    pos.tell("works_built", "6.4", pos.unit(units[0]).side, at=city)


def starve(pos: Position, units: Sequence[str], city: str) -> None:
    """6.6 The force announces a blockade and does nothing else but attack the place."""
    join_siege(pos, units, city)
    pos.sieges[city]["blockade"] = True
    pos.force["blockade"] = city
    pos.touch(city)
    pos.tell("blockade_began", "6.6", pos.unit(units[0]).side, at=city)


# -- the end of the turn -----------------------------------------------------------------------------------------


def cut_off(pos: Position, city: str) -> bool:
    """6.6 A blockade tells when 4 points were spent on it this turn, no enemy ship is in the sea of the fortress, and
    the besieged have no one else in the area. Ships in the port itself do not count (ruling 38)."""
    siege = pos.sieges[city]
    foe, area, sea = enemy(siege["side"]), str(pos.game.area(city)), pos.game.sea_of(city)
    if not siege["blockade"] or not pos.game.fortified(city):
        return False
    outside = [u for u in pos.units_in(area, foe) if pos.at[u] != city]
    return not outside and (sea is None or not pos.ships_at(sea, foe))


@segments.segment
def blockades(pos: Position) -> Procedure[Next]:
    """3.1, 6.6, 8.3 At the end of the turn each fortress that is cut off gives up on 1 to 4; Cochrane at sea before it
    takes one from the die of a patriot blockade."""
    enter_stage(pos, "end")
    pos.tell("end_began", "3.1", None)
    for city in sorted(pos.sieges):
        if city not in pos.sieges or not cut_off(pos, city):
            continue
        siege = pos.sieges[city]
        die = yield from d6("blockade", "6.6")
        total = die - (1 if cochrane_before(pos, city, siege["side"]) else 0)
        gives_up = total <= pos.game.tables["blockade"]["surrender"]
        pos.tell("surrender" if gives_up else "holds_out", "6.6", siege["side"], at=city, roll=die,
                 total=total)
        if gives_up:
            inside, captors = garrison(pos, city), list(siege["units"])
            for unit in pos.troops(inside):
                pos.bury(unit)
            yield from fall(pos, city, siege["side"], inside, captors, combat=False)
    yield from fallen_ports(pos)  # other ports of an area whose last defenders gave up
    return DONE


def cochrane_before(pos: Position, city: str, side: str) -> bool:
    """8.3 Whether Cochrane takes part in the blockade of a port."""
    return side == SIDES[1] and pos.game.sea_of(city) is not None and pos.at["cochrane"] == pos.game.sea_of(city)
