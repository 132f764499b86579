"""13.2 Barrage artillery, by option."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.core.agenda import AGAIN, DONE, Next
from rules.core.errors import Refusal
from rules.core.forms import Allocate, Answer, Choose, Declare, Lot, Option, label
from rules.core.procedure import Procedure, allocate, ask
from rules.core.request import Request, needs_open
from rules.mechanics.lookup import lookup
from rules.titles.chaco import supply
from rules.titles.chaco.attrition import lose_step
from rules.titles.chaco.contact import in_contact, led
from rules.titles.chaco.dice import die
from rules.titles.chaco.outcome import left_behind, lose_supply
from rules.titles.chaco.position import Position
from rules.titles.chaco.strength import around, terrain_modifier
from rules.titles.chaco.turn import segments
from rules.titles.chaco.units import enemy


def batteries(pos: Position, side: str) -> dict[str, dict[str, list[str]]]:
    """13.2 Enemy hexes and the batteries beside them that may fire: with a leader as in combat, not over a river in the
    rains, once a phase, with supply at hand."""
    out: dict[str, dict[str, list[str]]] = {}
    fed = supply.in_reach(pos, side, pos.army(side))
    for target in pos.army(enemy(side)):
        if target in pos.game.off_map:
            continue
        for hex_ in sorted(around(pos, target)):
            able = [u for u in pos.fighters(hex_, side) if pos.unit(u).type == "artillery" and hex_ in fed
                    and u not in pos.barraged and led(pos, side, u)
                    and not (pos.rain and pos.game.river(hex_, target))]
            if able:
                out.setdefault(target, {})[hex_] = able
    return out


@segments.segment
def barrage(pos: Position, side: str, phase: int) -> Procedure[Next]:
    """13.2 Before the combats of a phase the attacker's batteries fire, then the defender's, one target after
    another."""
    if pos.truce or pos.options["barrage"] == "off":
        return DONE
    targets = batteries(pos, side)
    hides = pos.options["intelligence"] == "limited" and in_contact(pos, side)  # that guns are near is not to be told
    if not targets and not hides:
        return DONE

    def legal(answer: Answer) -> None:
        n = _fed(pos, side, answer["units"], {h: len(us) for h, us in _near(pos, side, answer["units"]).items()})
        if n < len(answer["units"]):
            raise Refusal("refusal.too_little_supply", "13.2", at=answer["target"], n=n)

    guns = (Declare("barrage", "13.2", targets, legal=legal),) if targets else ()
    answer = yield from ask(Request(side, "prompt.barrage", "13.2", (
        *guns, Choose("no_barrage", "13.2", (Option("no_barrage", "13.2", label("option.no_barrage"), ends=True),))),
        {"phase": phase}, needs=needs_open, table=lookup("barrage")))
    if answer["form"] == "no_barrage":
        return DONE
    yield from fire(pos, side, answer["target"], answer["units"])
    return AGAIN


def _near(pos: Position, side: str, units: Sequence[str]) -> dict[str, list[str]]:
    """12.12 Hex -> the supply points there, of all stores that can serve one of some batteries."""
    return {h: us for h, us in supply.stores(pos, side).items()
            if any(pos.at[u] in supply.serves(pos, side, h) for u in units)}


def _fed(pos: Position, side: str, units: Sequence[str], stock: Mapping[str, int]) -> int:
    """13.2, 12.12 How many batteries can have a point each of their own, out of stores that serve them (a matching)."""
    reach = {u: [h for h in stock if pos.at[u] in supply.serves(pos, side, h)] for u in units}
    taken: dict[str, list[str]] = {h: [] for h in stock}

    def feed(unit: str, seen: set[str]) -> bool:
        for hex_ in reach[unit]:
            if hex_ in seen:
                continue
            seen.add(hex_)
            if len(taken[hex_]) < stock[hex_]:
                taken[hex_].append(unit)
                return True
            for other in taken[hex_]:
                if feed(other, seen):
                    taken[hex_][taken[hex_].index(other)] = unit
                    return True
        return False

    return sum(feed(unit, set()) for unit in units)


def fire(pos: Position, side: str, target: str, units: list[str]) -> Procedure[None]:
    """13.2 Each battery uses up a point of combat supply and counts one, reduced a half; a die on the table, with the
    terrain of the target (a ruling) and its works; the defender chooses the steps he loses."""
    foe, table = enemy(side), pos.game.tables["barrage"]
    pos.barraged += units
    spent = yield from _pay(pos, side, units)
    halves = sum(1 if u in pos.reduced else 2 for u in units)
    strength = halves // 2
    rolled = yield from die("barrage", "13.2")
    change = terrain_modifier(pos, target) + int(table["works"].get(pos.works.get(target, ""), 0))
    low, high = table["rows"]
    row = max(low, min(high, rolled + change))
    steps = table["cells"][row - low][min(strength, len(table["columns"])) - 1] if strength else 0
    pos.tell("barrage_fired", "13.2", side, target=target, at=target, units=sorted(units), count=len(units),
             roll=rolled, row=row, steps=steps, spent=spent, reveals=True)
    if steps:
        yield from _bear(pos, foe, target, steps)
        lose_supply(pos, (yield from left_behind(pos, foe, [target])))  # there is no advance


def _pay(pos: Position, side: str, units: list[str]) -> Procedure[int]:
    """13.2 The points are taken from the stores within reach, for each battery one that serves it; the owner chooses
    where there is a choice."""
    near = _near(pos, side, units)
    lots = tuple(Lot(h, tuple(us), 0, min(len(us), len(units)), at=h) for h, us in sorted(near.items()))

    def legal(answer: Answer) -> None:
        n = sum(len(us) for us in answer["lots"].values())
        if n != len(units):
            raise Refusal("refusal.count_points", "13.2", n=n, least=len(units))
        fed = _fed(pos, side, units, {h: len(us) for h, us in answer["lots"].items()})
        if fed < n:
            raise Refusal("refusal.too_little_supply", "13.2", n=fed)

    if len(lots) == 1:
        taken: dict[str, Any] = {lots[0].id: list(lots[0].units)[: len(units)]}
    else:
        taken = yield from allocate(Request(side, "prompt.barrage_supply", "13.2", (
            Allocate("barrage_supply", "13.2", "spend", lots, legal=legal),), {"n": len(units)}, needs=needs_open))
    for gone in taken.values():
        for unit in gone:
            pos.strip(unit)
            pos.take_off(unit)
    return len(units)


def _bear(pos: Position, side: str, hex_: str, steps: int) -> Procedure[None]:
    """13.2 The defender assigns the steps lost to his units."""
    for _ in range(steps):
        units = tuple(pos.fighters(hex_, side))
        if not units:
            return
        taken = yield from allocate(Request(side, "prompt.barrage_losses", "13.2", (
            Allocate("barrage_losses", "13.2", "lose", (Lot("step", units, 1, 1, at=hex_, label=label("lot.step")),)),),
            open_grounds=True, needs=needs_open))
        for unit in taken["step"]:
            lose_step(pos, unit)
        pos.tell("steps_lost", "13.2", side, reveals=True, at=hex_, units=taken["step"], count=1)
