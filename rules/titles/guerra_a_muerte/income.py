"""4.2-4.5 Points from areas and from Spain."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.agenda import DONE, Next
from rules.core.forms import Choose, Option, label
from rules.core.procedure import Procedure
from rules.titles.guerra_a_muerte.asking import d6, want
from rules.titles.guerra_a_muerte.board import HALF, NATIONS, PATRIOT, ROYALIST
from rules.titles.guerra_a_muerte.control import WHOLE, crown_areas, holds, nations_present, rebellious
from rules.titles.guerra_a_muerte.position import Position
from rules.titles.guerra_a_muerte.turn import enter_stage, segments


def area_yield(pos: Position, area: str) -> int:
    """4.9.1, 7.8 What an area gives in whole points this turn: half after a levy of masses, less what raids took."""
    worth = pos.game.worth[area]
    if area in pos.halved:
        worth //= 2
    return max(0, worth - pos.raided.get(area, 0))


def share(pos: Position, area: str, side: str) -> int:
    """4.2, 4.2.1, 4.3, 10.1, 10.6 Whole points of an area for a side: all of them, or half, rounded down; none where
    rebels stand; with the Legion alone against men of El Plata half for the patriot and nothing for the crown."""
    if rebellious(pos, area):
        return 0
    rp = area_yield(pos, area)
    crown = pos.units_in(area, ROYALIST)
    legion_only = bool(crown) and all(pos.unit(u).nation == "portuguese" for u in crown)
    if legion_only and pos.units_in(area, PATRIOT):
        return rp // 2 if side == PATRIOT else 0
    held = holds(pos, area)[side]
    return rp if held == WHOLE else rp // 2 if held else 0


def on_list(pos: Position, area: str) -> list[str]:
    """4.2.2, 4.2.3, 4.2.4 The nations that an area may feed: on its list; in Lima, Cuzco and Arequipa also El Plata and
    Gran Colombia."""
    income, lists = pos.game.lists["income"], pos.game.lists
    able = [n for n in NATIONS if area in income[n]]
    if area in lists["shared_income"]:
        able = [n for n in NATIONS if n in able or n in ("plata", "gran_colombia")]
    return able


def takers(pos: Position, area: str) -> list[str]:
    """4.2 The nations whose purse an area may feed: those that it may, with units there."""
    return nations_present(pos, area, on_list(pos, area))


@segments.segment
def income(pos: Position) -> Procedure[Next]:
    """3.1, 4.2 Phase 3 begins: both sides draw points for their areas, the crown some from Spain; of an area with units
    of several nations the patriot names the purse (ruling 40)."""
    enter_stage(pos, "reorganisation")
    pos.tell("reorganisation_began", "3.1", None)
    yield from name_purses(pos)
    gained = dict.fromkeys((ROYALIST, *NATIONS), 0)
    for area in pos.game.land:
        gained[ROYALIST] += share(pos, area, ROYALIST)
        nations = takers(pos, area)
        if nations:
            named = pos.named.get(area)
            gained[named if named in nations else nations[0]] += share(pos, area, PATRIOT)
    for purse, rp in gained.items():
        pos.earn(purse, rp * HALF)
    pos.touched.add("layer:marks")
    pos.halved, pos.raided = [], {}
    pos.tell("income", "4.3", None, royalist=gained[ROYALIST], patriot=sum(gained[n] for n in NATIONS),
             gains=[[f"nation.{p}", n] for p, n in gained.items()], reveals=True)
    yield from money_from_spain(pos)
    return DONE


def name_purses(pos: Position) -> Procedure[None]:
    """4.2 Whose purse a shared area feeds this turn. 5.1.3 No question may tell who is in a closed box: the patriot
    names one of all that could be in it, and where that nation is not there another takes its place."""
    pos.named = {}
    for area in pos.game.land:
        possible = on_list(pos, area) if pos.hidden(PATRIOT, area) else takers(pos, area)
        if len(possible) < 2 or not share(pos, area, PATRIOT):
            continue
        answer = yield from want(PATRIOT, "purse", "4.2", [Choose("purse", "4.2", tuple(
            Option(n, "4.2", label("option.purse", nation=f"nation.{n}")) for n in possible))], at=area)
        pos.named[area] = answer["option"]


def spain_modifier(pos: Position) -> int:
    """4.5.1 What the years of war in Spain add to its die; after the coup also the loss of America."""
    table: Mapping[str, list[list[int]]] = pos.game.tables["spain"]
    mod = sum(n for first, last, n in table["mods"] if first <= pos.turn <= last)
    if pos.liberals() and crown_areas(pos) < 0:
        mod += int(pos.game.tables["spain"]["more_patriot_areas"])
    return mod


def money_from_spain(pos: Position) -> Procedure[None]:
    """4.5, 10.2.1 A die for points from Spain; under the liberals half of them, rounded down."""
    die = yield from d6("spain", "4.5")
    total = die + spain_modifier(pos)
    rows = pos.game.tables["spain"]["rows"]
    rp = rows[min(max(total, 1), len(rows)) - 1]
    if pos.liberals():
        rp //= 2
    pos.earn(ROYALIST, rp * HALF)
    pos.tell("spanish_money", "4.5", ROYALIST, roll=die, total=total, points=rp, reveals=True)
