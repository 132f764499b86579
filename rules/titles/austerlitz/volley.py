"""8.1.2-8.1.4, 8.1.8 Fire resolved: alone, or with the fire that returns it, both at once."""

from __future__ import annotations

from rules.core.forms import Choose, Option, label
from rules.core.procedure import Procedure, choose, roll
from rules.core.request import Request, needs_open
from rules.titles.austerlitz.fire import (
    GRAPE,
    Shot,
    as_json,
    distance,
    heads_stack,
    may_fire,
    reaches,
    result,
    shot,
)
from rules.titles.austerlitz.formations import ALL_WAYS
from rules.titles.austerlitz.losses import bleed
from rules.titles.austerlitz.morale import Trouble, check, losses, mates, settle, shake, stand_fast
from rules.titles.austerlitz.notes import note_combat
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.units import UNSTEADY


def may_return(pos: Position, unit: str, at: str) -> bool:
    """8.1.2, 8.1.4, 6.2.2 Whether a unit may return the fire of another: once in an activation, if it stands in its
    front and range; guns not after reaction fire, skirmishers not through the side they fired over."""
    act = pos.act
    if act is None or unit in act["returned"] or not may_fire(pos, unit) or not heads_stack(pos, unit):
        return False
    if pos.unit(unit).guns and unit in act["reacted"]:
        return False
    if reaches(pos, unit, at) is None:
        return False
    return pos.form[unit] not in ALL_WAYS or side_towards(pos, unit, at) not in act["sides"].get(unit, [])


def note_return(pos: Position, unit: str, at: str) -> None:
    """8.1.2, 6.2.2 A unit returns fire, and skirmishers do so over a side of theirs."""
    act = pos.act
    assert act is not None
    act["returned"].append(unit)
    act["sides"].setdefault(unit, []).append(side_towards(pos, unit, at))


def side_towards(pos: Position, unit: str, at: str) -> str:
    """The hex over whose side a unit fires at an adjacent one: skirmishers use each side once (6.2.2)."""
    board = pos.game.board
    return min(pos.footprint(at), key=lambda h: min(board.distance(h, own) for own in pos.footprint(unit)))


def wants_return(pos: Position, unit: str, at: str) -> Procedure[bool]:
    """8.1.2 Ask whether a unit returns fire. It is always voluntary."""
    if not may_return(pos, unit, at):
        return False
    options = (Option("fire", "8.1.2", label("option.return_fire", unit=unit), at=pos.at[unit]),
               Option("hold", "8.1", label("option.hold_fire")))
    said = yield from choose(Request(pos.seat_of(unit), "prompt.return_fire", "8.1.2",
                                     (Choose("return_fire", "8.1.2", options),),
                                     {"at": pos.at[unit], "unit": unit, "target": at,
                                      "range": distance(pos, unit, at)}, needs=needs_open))
    return said == "fire"


def exchange(pos: Position, firer: str, target: str) -> Procedure[None]:
    """8.1.8 Offensive fire, with the return fire of its target; both are applied when both are rolled."""
    made = shot(pos, firer, target)
    back = yield from wants_return(pos, target, firer)
    answer = shot(pos, target, firer) if back else None
    pos.fired.append(firer)
    pos.show([firer])
    note_shot(pos, made)
    outcome = yield from rolled(pos, made, "fired", "8.1.1")
    reply = None
    if answer is not None:
        note_return(pos, target, firer)
        note_shot(pos, answer)
        reply = yield from rolled(pos, answer, "returned_fire", "8.1.2")
    mine, theirs = Trouble(pos.footprint(target)), Trouble(pos.footprint(firer))
    yield from apply(pos, target, outcome, theirs)
    if answer is not None and reply is not None:
        yield from apply(pos, firer, reply, mine)
    yield from both_retreat(pos, mine, theirs)
    yield from settle(pos, theirs)
    yield from settle(pos, mine)


def single(pos: Position, firer: str, target: str, event: str, clause: str) -> Procedure[Trouble]:
    """8.1.3 One fire that nobody returns; its retreats are still to be settled."""
    made = shot(pos, firer, target)
    note_shot(pos, made)
    outcome = yield from rolled(pos, made, event, clause)
    trouble = Trouble(pos.footprint(firer))
    yield from apply(pos, target, outcome, trouble)
    return trouble


def rolled(pos: Position, made: Shot, event: str, clause: str) -> Procedure[str]:
    """8.1.8 no. 4 The die of a fire, told with its reckoning."""
    die = yield from roll(f"fire of {made.firer}", "8.1.8", 0, 9)
    outcome = result(pos, made, die)
    pos.tell(event, clause, pos.unit(made.firer).side, at=pos.at[made.target], unit=made.firer,
             **{"from": pos.at[made.firer]}, **as_json(made, die, outcome))
    return outcome


def note_shot(pos: Position, made: Shot) -> None:
    """13.1.2 Who fights tires, but for guns at medium and long range."""
    close = made.band in (None, GRAPE)
    note_combat(pos, made.firer, made.target, close)


def apply(pos: Position, target: str, outcome: str, trouble: Trouble) -> Procedure[None]:
    """8.1.8, 8.5.1, 8.5.2 What a cell of the fire table does to a unit; 9.2.4 any result destroys routed ones."""
    if outcome == "NE" or not pos.on_map(target):
        return
    if pos.routed(target):
        yield from bleed(pos, target, pos.strength(target))
    elif outcome.startswith("M"):
        yield from check(pos, target, int(outcome[1:] or 0), trouble, "8.5.2")
    else:
        yield from losses(pos, pos.at[target], int(outcome), 0, trouble, first=target)


def both_retreat(pos: Position, one: Trouble, other: Trouble) -> Procedure[None]:
    """8.5.4 Where both stacks would go, all of them (8.5.2), only one does: who routs before who is unsteady, of two
    alike who rolls less. The other stays where it is, unsteady."""
    if not one.fates or not other.fates:
        return
    for trouble in (one, other):
        yield from _stack_answers(pos, trouble)
    if not (_emptied(pos, one) and _emptied(pos, other)):
        return
    a, b = (max(level for _unit, level in trouble.fates) for trouble in (one, other))
    if a != b:
        stays = one if a == UNSTEADY else other
    else:
        stays = other if (yield from _lower(pos, one.fates[0][0], other.fates[0][0])) else one
    for unit in stand_fast(pos, stays):
        pos.tell("stands", "8.5.4", pos.unit(unit).side, unit=unit, at=pos.at[unit])


def _stack_answers(pos: Position, trouble: Trouble) -> Procedure[None]:
    """8.5.2 Those stacked with who must go check at once."""
    done: set[str] = set()
    while todo := [f for f in trouble.fates if f[0] not in done]:
        unit, level = todo[0]
        done.add(unit)
        gone = [u for u, _level in trouble.fates]
        yield from shake(pos, [u for u in mates(pos, [unit], level) if u not in gone], trouble, "8.5.2")


def _emptied(pos: Position, trouble: Trouble) -> bool:
    """8.5.4 Whether nobody but guns would be left of the stacks."""
    gone = {u for u, _level in trouble.fates}
    return all(u in gone or pos.unit(u).guns for one in gone for u in pos.stack(pos.at[one]))


def _lower(pos: Position, a: str, b: str) -> Procedure[bool]:
    """8.5.4 Both roll until one is lower: whether it is the first."""
    while True:
        first = yield from roll(f"retreat of {a}", "8.5.4", 0, 9)
        second = yield from roll(f"retreat of {b}", "8.5.4", 0, 9)
        pos.tell("both_rolled", "8.5.4", None, units=[a, b], rolls=[first, second])
        if first != second:
            return first < second


