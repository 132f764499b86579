"""8.12, 8.13 Attrition of combat units out of general supply."""

from __future__ import annotations

from rules.core.agenda import AGAIN, DONE, Next
from rules.core.forms import Allocate, Lot, label
from rules.core.procedure import Procedure, allocate
from rules.core.request import Request
from rules.titles.chaco import supply
from rules.titles.chaco.dice import die
from rules.titles.chaco.displacement import displace_leaders
from rules.titles.chaco.position import Position
from rules.titles.chaco.strength import Modifier
from rules.titles.chaco.turn import segments
from rules.titles.chaco.units import BOLIVIA


def subject(pos: Position, side: str) -> list[str]:
    """8.12 The combat units that roll: those out of general supply, and mounted cavalry always (10.13)."""
    mounted = pos.options["cavalry"] == "mounted"
    return [u for us in pos.army(side).values() for u in us
            if u in pos.out or (mounted and pos.unit(u).type == "cavalry")]


def has_water(pos: Position, hex_: str) -> bool:
    """8.13 Water: a wet settlement, a spring, a river beside it, a well (14.6), or the rains."""
    return pos.rain or hex_ in pos.game.wet or hex_ in pos.wells


def modifiers(pos: Position, side: str, unit: str, isolated: bool, dropped: bool) -> list[Modifier]:
    """8.13 All modifiers of a unit's die; they add up."""
    table = pos.game.n["attrition"]
    out = []
    hungry, at = unit in pos.out, pos.at[unit]
    if not has_water(pos, at):
        out.append(Modifier("no_water", "8.13", table["no_water"]))
    if isolated:
        out.append(Modifier("isolated", "8.13", table["isolated"]))
    if dropped and side == BOLIVIA:
        out.append(Modifier("air_drop", "8.13", table["air_drop"]))
    if hungry and pos.options["cavalry"] == "mounted" and pos.unit(unit).type == "cavalry":
        out.append(Modifier("mounted", "10.13", table["mounted"]))
    return out


@segments.segment
def air_drop(pos: Position, side: str) -> Procedure[Next]:
    """8.13, 13.3 Bolivia may spend one air marker a turn to drop supplies on one unit that rolls, before any die."""
    units = subject(pos, side)
    pos.attrition["todo"] = units
    pos.attrition["drop"] = None
    if side != BOLIVIA or not units or not pos.air[side] or pos.dropped:
        return DONE
    taken = yield from allocate(Request(side, "prompt.air_drop", "8.13", (
        Allocate("air_drop", "8.13", "choose", (Lot("air_drop", tuple(units), 0, 1, label=label("lot.air_drop")),)),)))
    for unit in taken.get("air_drop", []):
        pos.air[side] -= 1
        pos.dropped = True
        pos.attrition["drop"] = unit
        pos.touched.add("table:state")
        pos.tell("air_dropped", "8.13", side, at=pos.at[unit], private={side: {"units": [unit]}})
    return DONE


@segments.segment
def attrition(pos: Position, side: str) -> Procedure[Next]:
    """8.12 A die for one unit; repeated until all have theirs. 0 or 1 costs a step, less is a surrender worth two
    points (16.2)."""
    todo: list[str] = pos.attrition["todo"]
    if not todo:
        yield from alone(pos, side)
        return DONE
    unit = todo.pop(0)
    at = pos.at[unit]
    found = modifiers(pos, side, unit, at in supply.cut_off(pos, side), pos.attrition["drop"] == unit)
    rolled = yield from die("attrition", "8.12")
    total = rolled + sum(m.value for m in found)
    table = pos.game.n
    effect = "surrender" if total < 0 else "step" if total <= table["attrition"]["step"] else "none"
    if effect == "surrender":
        pos.attrition.setdefault("emptied", []).append(at)
        pos.eliminate([unit], table["points"]["surrendered"])
    elif effect == "step":
        lose_step(pos, unit)
        pos.attrition.setdefault("emptied", []).append(at)
    pos.tell("attrition_rolled", "8.12", side, at=at, roll=rolled, row=total, effect=f"effect.{effect}", reveals=True,
             modifiers=[m.as_json() for m in found], unit=unit)
    return AGAIN


def lose_step(pos: Position, unit: str) -> None:
    """2.12 A loss: a full unit turns over, one with a single step left is gone."""
    if pos.unit(unit).steps > 1 and unit not in pos.reduced:
        pos.flip(unit, True)
    else:
        pos.eliminate([unit])


def alone(pos: Position, side: str) -> Procedure[None]:
    """8.12 A leader whose hex has lost all its combat units goes to the nearest friendly one, and costs points
    (10.3)."""
    for hex_ in sorted(set(pos.attrition.get("emptied", []))):
        if not pos.fighters(hex_, side):
            yield from displace_leaders(pos, side, hex_, "8.12")
