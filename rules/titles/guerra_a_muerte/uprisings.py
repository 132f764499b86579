"""9 Uprisings, and the rebels of El Plata (9.5)."""

from __future__ import annotations

from rules.core.agenda import DONE, Next
from rules.core.errors import Refusal
from rules.core.forms import Answer, Choose, Group, Option, Place, label
from rules.core.procedure import Procedure, together
from rules.core.request import Request, needs_open
from rules.titles.guerra_a_muerte.asking import d6
from rules.titles.guerra_a_muerte.barred import no_rising
from rules.titles.guerra_a_muerte.board import PATRIOT, REBELS, ROYALIST, SIDES, enemy
from rules.titles.guerra_a_muerte.control import regulars
from rules.titles.guerra_a_muerte.position import Position
from rules.titles.guerra_a_muerte.turn import enter_stage, segments


def open_areas(pos: Position, side: str) -> list[str]:
    """9.3, 9.1, 4.9.1, 9.5 Where a side may try: areas the enemy holds alone (ruling 28), none closed to it by its own
    levy of masses (until the coup, 10.2.1) or by its list, those of the rebels from turn 3 on."""
    return [area for area in pos.game.land if no_rising(pos, side, area) is None]


def risers(pos: Position, side: str, area: str) -> list[str]:
    """9.3, 9.5 Whose militia would rise in an area: the crown's or the rebels', a patriot nation's of that land."""
    if side == ROYALIST:
        return [REBELS if area in pos.game.lists["rebels"] else ROYALIST]
    return list(pos.game.nations_of(area))


def uprising_form(pos: Position, side: str) -> Place | None:
    """9.3 The militia to be raised on the areas where an attempt is made, two at most; None without a counter or an
    area."""
    by_nation: dict[str, list[str]] = {}
    for area in open_areas(pos, side):
        for nation in risers(pos, side, area):
            by_nation.setdefault(nation, []).append(area)
    limit = pos.game.tables["uprising"]["attempts"]
    groups = []
    for nation, areas in sorted(by_nation.items()):
        for arm in ("infantry", "cavalry"):
            units = [u for u in pos.stack(f"recruits:{nation}") if pos.unit(u).militia and pos.unit(u).type == arm]
            if units:
                groups.append(Group(f"rise_{nation}_{arm}", "9.3", tuple(units[:limit]), tuple(areas),
                                    name="uprising"))
    if not groups:
        return None

    def few(answer: Answer) -> None:
        if len(answer["placed"]) > limit:
            raise Refusal("refusal.too_many_uprisings", "9.3", n=len(answer["placed"]), limit=limit)

    return Place("uprisings", "9.3", tuple(groups), 1, "9.3", legal=few,
                 why=lambda unit, loc: None if loc is None else no_rising(pos, side, loc) or Refusal(
                     "refusal.not_its_land", "9.3", unit=unit, area=loc))


@segments.segment
def uprisings(pos: Position) -> Procedure[Next]:
    """9.3, 3.1 Both sides name up to two areas at once; the dice of the patriots come first (ruling)."""
    enter_stage(pos, "uprisings")
    pos.tell("uprisings_began", "3.1", None)
    none = Choose("no_uprising", "9.3", (Option("none", "9.3", label("option.no_uprising")),))
    asked: dict[str, Request] = {}
    for side in SIDES:
        form = uprising_form(pos, side)
        if form is not None:
            asked[side] = Request(side, "prompt.uprisings", "9.3", (form, none), needs=needs_open)
    answers = yield from together(asked)
    for side in (PATRIOT, ROYALIST):
        for unit, area in answers.get(side, {}).get("placed", {}).items():
            yield from attempt(pos, side, unit, area)
    return DONE


def modifiers(pos: Position, side: str, area: str) -> list[tuple[str, int]]:
    """9.4, 8.2, 9.1, 9.2, 9.5, 10.4 What is added to the die of an uprising."""
    table, lists = pos.game.tables["uprising"], pos.game.lists
    out = []
    if regulars(pos, area, enemy(side)):
        out.append(("regulars", table["regulars"]))
    if side == PATRIOT:
        if area in lists["pro_patriot"]:
            out.append(("favourable", table["favourable"]))
        if area in pos.repression:
            out.append(("repression", table["repression"]))
    elif area in lists["pro_royalist"] or area in lists["rebels"]:
        out.append(("favourable", table["favourable"]))
    if side == ROYALIST and area == "los_llanos" and boves_near(pos):
        out.append(("boves", table["boves"]))
    return out


def boves_near(pos: Position) -> bool:
    """8.2 Whether Boves is in Los Llanos or next to it."""
    at = pos.game.area(pos.at["boves"])
    return at is not None and (at == "los_llanos" or at in pos.game.near["los_llanos"])


def attempt(pos: Position, side: str, unit: str, area: str) -> Procedure[None]:
    """9.3 On five or more one militia appears in the area, not in its city."""
    mods = modifiers(pos, side, area)
    die = yield from d6("uprising", "9.3")
    total = die + sum(n for _, n in mods)
    risen = total >= pos.game.tables["uprising"]["success"]
    if risen:
        pos.put(unit, area)
    pos.tell("uprising" if risen else "uprising_failed", "9.3", side, at=area, unit=unit, roll=die, total=total,
             reveals=True)
