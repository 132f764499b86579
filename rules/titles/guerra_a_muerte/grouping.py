"""5.1, 5.1.1, 5.1.2 Regrouping within an area, army boxes, and 10.1 militia that turn to guerrilla war."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.errors import Refusal
from rules.core.forms import Allocate, Answer, Arrange, Form, Group, Lot, Place
from rules.titles.guerra_a_muerte.barred import closed_cities, not_regrouped
from rules.titles.guerra_a_muerte.control import enterable, looks_by_area
from rules.titles.guerra_a_muerte.position import Position

MANY = 99
GROUPING = ("modes", "regroup", "armies")  # the forms of `regroup`, by which a port may change hands (6.7, 7.9)


def mode_form(pos: Position, side: str) -> Allocate | None:
    """10.1, 6.7 Militia in the field may become guerrillas, guerrillas militia again; nobody does in a city."""
    able = [u for u in pos.game.militia[side] if pos.at[u] in pos.game.worth and pos.besieging(u) is None]
    regular = tuple(sorted(u for u in able if u not in pos.guerrillas))
    irregular = tuple(sorted(u for u in able if u in pos.guerrillas))
    lots = tuple(Lot(name, units, 0, len(units)) for name, units in
                 (("to_guerrilla", regular), ("to_militia", irregular)) if units)

    def something(answer: Answer) -> None:
        if not answer["lots"]:
            raise Refusal("refusal.nothing_taken", "10.1")

    return Allocate("modes", "10.1", "arrange", lots, legal=something) if lots else None


def regroup_form(pos: Position, side: str) -> Place | None:
    """5.1, 6.7 Units of an area go into its cities or out of them, none into or out of a city under siege."""
    groups, side_of = [], pos.game.side_of
    bound = {*pos.guerrillas, *pos.operated, *pos.aboard, *(u for siege in pos.sieges.values() for u in siege["units"])}
    for area, looks in looks_by_area(pos).items():
        if side not in looks.here:
            continue
        open_ = [p for p in pos.game.within(area) if enterable(pos, p, side)]
        if not open_:
            continue
        units = tuple(sorted(
            u for loc in (area, *open_) for u in pos.stack(loc) if side_of[u] == side and u not in bound
            and u in pos.game.afoot and pos.unit(u).nation != "portuguese"))
        if units:
            groups.append(Group(f"regroup_{area}", "5.1", units, tuple(sorted((area, *open_))),
                                name="regroup", shut=closed_cities(pos, side, [area])))

    def changes(answer: Answer) -> None:
        if all(pos.at[u] == place for u, place in answer["placed"].items()):
            raise Refusal("refusal.nothing_changed", "5.1")

    return Place("regroup", "5.1", tuple(groups), MANY, "5.1", legal=changes,
                 why=lambda unit, loc: not_regrouped(pos, unit, loc, side)) if groups else None


def army_form(pos: Position, side: str) -> Arrange | None:
    """5.1.1 Army markers on areas where regular forces or militia of the side stand in the field; what stands there is
    in the box."""
    where = tuple(a for a in pos.game.land if a in pos.here and boxable(pos, side, a))
    boxes = pos.armies[side]
    if not where and not any(boxes.values()):
        return None
    return Arrange("armies", "5.1.1", dict(boxes), where)


def boxable(pos: Position, side: str, area: str) -> bool:
    """5.1.1, 6.2 Whether an army marker can stand for what is in the field of an area; besiegers are in no box."""
    return any(pos.unit(u).troops and u not in pos.guerrillas and pos.unit(u).nation != "portuguese"
               and pos.besieging(u) is None for u in pos.units_at(area, side))


def grouping_forms(pos: Position, side: str) -> list[Form]:
    """5.1, 10.1 What can be rearranged in the reorganisation phase."""
    return [form for form in (mode_form(pos, side), regroup_form(pos, side)) if form is not None]


def regroup(pos: Position, side: str, answer: Mapping[str, Any]) -> None:
    """5.1, 5.1.1, 10.1 Carry out a change of modes, places or boxes."""
    match answer["form"]:
        case "modes":
            change_modes(pos, side, answer["lots"])
        case "regroup":
            moved = {u: place for u, place in answer["placed"].items() if pos.at[u] != place}
            closed = sorted({place for place in moved.values() if pos.hidden(side, place)})
            for unit, place in moved.items():
                pos.put(unit, place)
            pos.tidy()
            pos.tell("regrouped", "5.1", side, areas=sorted({pos.game.area(p) or p for p in moved.values()}),
                     count=len(moved) if not closed else 0,
                     private={side: {"placed": [[u, p] for u, p in sorted(moved.items())]}})
        case "armies":
            for box, area in answer["boxes"].items():
                if pos.armies[side][box] != area:
                    pos.move_army(side, box, area)
            pos.tell("armies_formed", "5.1.1", side,
                     areas=sorted(a for a in pos.armies[side].values() if a is not None))


def change_modes(pos: Position, side: str, lots: Mapping[str, list[str]]) -> None:
    """10.1 The modes of militia change; they leave or enter what stands in a box."""
    for unit in lots.get("to_guerrilla", ()):
        pos.guerrillas.append(unit)
    for unit in lots.get("to_militia", ()):
        pos.guerrillas.remove(unit)
    changed = sorted(u for units in lots.values() for u in units)
    pos.guerrillas.sort()
    for unit in changed:
        pos.touch(pos.at[unit])
    pos.tidy()
    pos.tell("modes_changed", "10.1", side, areas=sorted({pos.at[u] for u in changed}), count=len(changed))


