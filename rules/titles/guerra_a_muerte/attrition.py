"""5.3, 4.1 Attrition of those who march through hostile country, and of those who stay in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rules.core.agenda import DONE, Next
from rules.core.errors import Refusal
from rules.core.forms import Allocate, Answer, Choose, Lot, Option, label
from rules.core.procedure import Procedure
from rules.core.request import Needs, needs_open
from rules.titles.guerra_a_muerte.asking import d6, lose, want
from rules.titles.guerra_a_muerte.board import HALF
from rules.titles.guerra_a_muerte.leaders import check_leaders
from rules.titles.guerra_a_muerte.ports import fallen_ports
from rules.titles.guerra_a_muerte.position import Position, payer, purses_of
from rules.titles.guerra_a_muerte.recruiting import check_purses, settle
from rules.titles.guerra_a_muerte.turn import segments

WORST = 3  # 5.3: no roll takes more steps


def hostile(pos: Position, loc: str) -> bool:
    """5.3 Whether a place lies in hostile country; its cities do too (5.1, 6.4)."""
    return pos.game.area(loc) in pos.game.lists["hostile"]


def exposed(pos: Position, units: list[str]) -> list[str]:
    """5.3, 4.2.1, 10.6 Who suffers: land units; not the Legion, nor rebels in their own areas, nor leaders."""
    return [u for u in pos.troops(units) if pos.unit(u).nation not in ("portuguese", "rebels") and u not in pos.aboard]


def standing(pos: Position, side: str) -> list[tuple[str, str]]:
    """5.3 (ruling 26) The stacks of a side in hostile country that have not rolled this phase, by place and the city
    they besiege: those of a field, of each siege and of each city by themselves."""
    return [(loc, city) for area in pos.game.land if area in pos.game.lists["hostile"]
            for loc in (area, *pos.game.within(area)) for city in ("", *sorted(pos.sieges))
            if stack_at(pos, side, loc, city)]


def stack_at(pos: Position, side: str, loc: str, city: str) -> list[str]:
    """5.3 Who of a side has still to roll in a place."""
    return [u for u in exposed(pos, pos.units_at(loc, side))
            if u not in pos.weathered and (pos.besieging(u) or "") == city]


@segments.segment
def attrition(pos: Position, side: str) -> Procedure[Next]:
    """5.3, 4.1 At the end of a side's operations all its stacks that stand in hostile country roll, after points were
    spent on them."""
    stacks = standing(pos, side)
    if not stacks:
        return DONE
    named = {f"{loc}/{city}": stack_at(pos, side, loc, city) for loc, city in stacks}
    pos.flags["fed"] = yield from provisions(pos, side, named)
    return [*(["suffer", side, loc, city] for loc, city in stacks), ["fallen"]]


@segments.segment
def fallen(pos: Position) -> Procedure[Next]:
    """6.7, 7.9 Where attrition left nobody to hold a port its ships are in the enemy's hands."""
    yield from fallen_ports(pos)
    return DONE


@segments.segment
def suffer(pos: Position, side: str, loc: str, city: str) -> Procedure[Next]:
    """5.3 One stack rolls."""
    units = stack_at(pos, side, loc, city)
    if units:
        yield from roll_losses(pos, side, units, pos.flags["fed"].get(f"{loc}/{city}", 0))
    return DONE


def weather(pos: Position, side: str, units: list[str],
            needs: Callable[[Answer], Needs] = needs_open) -> Procedure[None]:
    """5.3, 4.1 A force that has marched through such country, or a part of it that stays behind, rolls at once."""
    fed = yield from provisions(pos, side, {"force": units}, needs)
    yield from roll_losses(pos, side, units, fed.get("force", 0))


def roll_losses(pos: Position, side: str, units: list[str], fed: int) -> Procedure[None]:
    """5.3 A die, one more where the march ends in the Chaco; the owner chooses what is lost."""
    at = pos.at[units[0]]
    die = yield from d6("attrition", "5.3")
    total = die + (pos.game.tables["attrition"]["chaco"] if pos.game.area(at) == "chaco" else 0)
    steps = next(n for top, n in pos.game.tables["attrition"]["rows"] if total <= top)
    pos.weathered += units
    pos.tell("attrition", "5.3", side, at=at, roll=die, steps=steps, saved=min(steps, fed))
    leaders = [u for u in pos.leaders_of(pos.units_at(at, side)) if not pos.unit(u).naval and u not in pos.aboard]
    yield from lose(pos, side, units, steps - min(steps, fed), "5.3", at)
    if leaders and not exposed(pos, pos.units_at(at, side)):
        yield from check_leaders(pos, [*units, *leaders], at, combat=False)


def provisions(pos: Position, side: str, stacks: Mapping[str, list[str]],
               needs: Callable[[Answer], Needs] = needs_open) -> Procedure[dict[str, int]]:
    """4.1 Points for each stack; each names a unit and saves one step of its stack (ruling 10)."""
    if all(pos.purses[p] < HALF for p in purses_of(side)):
        return {}
    lots = [Lot(name, tuple(sorted(able)), 0, min(WORST, len(able)), at=pos.at[able[0]])
            for name, stack in stacks.items()
            if (able := [u for u in stack if pos.spendable(payer(pos, u)) >= HALF])]

    def bill(lots_: Mapping[str, list[str]]) -> dict[str, int]:
        need: dict[str, int] = {}
        for units in lots_.values():
            for unit in units:
                need[payer(pos, unit)] = need.get(payer(pos, unit), 0) + HALF
        return need

    def paid(answer: Answer) -> None:
        if not answer["lots"]:
            raise Refusal("refusal.nothing_taken", "4.1")
        check_purses(pos, bill(answer["lots"]))

    answer = yield from want(side, "provisions", "4.1", [
        *([Allocate("provisions", "4.1", "spend", tuple(lots), legal=paid)] if lots else []),
        Choose("no_provisions", "4.1", (Option("none", "4.1", label("option.no_provisions")),))], needs=needs)
    if answer["form"] == "no_provisions":
        return {}
    settle(pos, bill(answer["lots"]))
    fed = {name: len(units) for name, units in answer["lots"].items()}
    pos.tell("provided", "4.1", side, points=sum(fed.values()),
             hexes=sorted({pos.at[units[0]] for units in answer["lots"].values()}))
    return fed
