"""10 Movement, and reaction movement (10.10)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules.core.agenda import AGAIN, DONE, Next
from rules.core.errors import Refusal
from rules.core.forms import Allocate, Answer, Choose, Form, Lot, Move, Option, label
from rules.core.procedure import Procedure, ask
from rules.core.request import NOBODY, Needs, Request
from rules.titles.chaco import ahead, engineers, march, stacking
from rules.titles.chaco.control import take
from rules.titles.chaco.displacement import overrun, to_be_asked
from rules.titles.chaco.march import Plan
from rules.titles.chaco.position import LOST, March, Position
from rules.titles.chaco.prospects import prospects
from rules.titles.chaco.turn import enter_stage, segments
from rules.titles.chaco.units import SIXTHS, enemy


@segments.segment
def begin_movement(pos: Position, side: str) -> Procedure[Next]:
    """4.2, 10.1 A movement phase begins: full points for all, none kept from before."""
    yield from ()
    clear(pos)
    enter_stage(pos, f"{side}_movement", side)
    pos.tell("movement_began", "10.1", side)
    return DONE


@segments.segment
def begin_reaction(pos: Position, side: str) -> Procedure[Next]:
    """4.2, 10.10 The other player's reaction movement begins."""
    yield from ()
    clear(pos)
    enter_stage(pos, f"{side}_reaction", side)
    pos.tell("reaction_began", "10.10", side)
    return DONE


def clear(pos: Position) -> None:
    """10.1, 10.11 What a movement phase leaves behind: points spent, marches, loads."""
    for unit in {*pos.spent, *pos.settled, *pos.aboard, *pos.carried}:
        if unit in pos.at:
            pos.touch(pos.at[unit])
    pos.spent, pos.settled, pos.march = {}, [], None
    pos.aboard, pos.carried, pos.entered = {}, [], []


@segments.segment
def movement(pos: Position, side: str) -> Procedure[Next]:
    """10.1 One answer of the movement phase; repeated until its end."""
    planned = Planned(reaction=False)
    answer = yield from ask(_request(pos, side, planned))
    match answer["form"]:
        case "move":
            yield from carry_out(pos, side, answer, planned.plan(pos, side, answer), reaction=False)
        case "build":
            engineers.begin_work(pos, side, answer["option"])
        case "destroy_well":
            engineers.destroy_well(pos, side, answer["option"])
        case "leave_map":
            leave_map(pos, side, answer)
        case _:
            clear(pos)
            pos.tell("movement_ended", "10.1", side)
            return DONE
    return AGAIN


def _request(pos: Position, side: str, planned: Planned) -> Request:
    offered = (_move_form(pos, side, planned), engineers.build_form(pos, side), engineers.well_form(pos, side),
               leave_form(pos, side))
    forms: list[Form] = [form for form in offered if form is not None]
    forms.append(Choose("end", "10.1", (
        Option("end", "10.1", label("option.end_movement"), ends=True, forecast=True),)))

    return Request(side, "prompt.movement", "10.1", tuple(forms), needs=lambda said: move_needs(pos, side, side, said))


def move_needs(pos: Position, side: str, mover: str, answer: Answer) -> Needs:
    """10.3, 11.1, 10.10 A move asks the other side where a leader goes that it runs over; the end of a phase hands over
    unless one's own stacks are too large."""
    match answer["form"]:
        case "move":
            units, path = answer["units"], answer["path"]
            fights = any(pos.unit(u).combat for u in units)
            n = sum(to_be_asked(pos, enemy(side), h) for h in path[1:]) if fights else 0
            return Needs(n, n)
        case "end" | "end_reaction":
            if stacking.overfull(pos, side):
                return NOBODY
            return ahead.after(pos, side, mover, "movement" if side == mover else "reaction")
        case _:
            return NOBODY


# -- reaction (10.10) ----------------------------------------------------------------------------------------


@segments.segment
def reaction(pos: Position, side: str) -> Procedure[Next]:
    """10.10 One answer of reaction movement; skipped where everybody sees that nothing can react."""
    planned = Planned(reaction=True)
    form = _move_form(pos, side, planned)
    end = Choose("end_reaction", "10.10", (Option("end_reaction", "10.10", label("option.end_reaction"), ends=True),))
    forms: tuple[Form, ...] = tuple(f for f in (form, engineers.well_form(pos, side), end) if f is not None)
    answer = yield from ask(Request(side, "prompt.reaction", "10.10", forms, open_grounds=True,
                                    needs=lambda said: move_needs(pos, side, enemy(side), said)))
    if answer["form"] == "move":
        yield from carry_out(pos, side, answer, planned.plan(pos, side, answer), reaction=True)
        return AGAIN
    if answer["form"] == "destroy_well":
        engineers.destroy_well(pos, side, answer["option"])
        return AGAIN
    clear(pos)
    pos.tell("reaction_ended", "10.10", side)
    return DONE


# -- moving --------------------------------------------------------------------------------------------------


class Planned:
    """The last move planned while one request is open, and nothing changes: whoever checks a move, shows it and carries
    it out asks for the same plan."""

    def __init__(self, reaction: bool) -> None:
        self.reaction = reaction
        self.last: tuple[Answer, Plan] | None = None

    def plan(self, pos: Position, side: str, answer: Answer) -> Plan:
        """Raises Refusal."""
        if self.last is None or self.last[0] != answer:
            self.last = answer, march.plan(pos, side, answer["units"], answer["path"], answer.get("aboard", {}),
                                           self.reaction)
        return self.last[1]


def _move_form(pos: Position, side: str, planned: Planned) -> Move | None:
    stacks: dict[str, list[dict[str, Any]]] = {}
    still: dict[str, str] = {}
    ability = march.abilities(pos, side, planned.reaction)
    for hex_, stack in pos.held(side).items():
        able = [a for u in stack if (a := ability(u)) is not None]
        if able and (not planned.reaction or march.may_react(pos, hex_, [a["id"] for a in able])):
            stacks[hex_] = able
        else:
            still[hex_] = stack[-1]
    if not stacks:
        return None

    def legal(answer: Answer) -> None:
        planned.plan(pos, side, answer)

    def show(answer: Answer) -> dict[str, Any]:
        made = planned.plan(pos, side, answer)
        steps = [{"at": h, "cost": march.shown(c)} for h, c in zip(answer["path"], made.so_far, strict=True)]
        rest = {u: march.left(pos, u, planned.reaction) - n for u, n in sorted(made.pays.items())}
        return {"cost": march.shown(made.so_far[-1]), "steps": steps,
                "left": {u: march.shown(n) for u, n in rest.items()},
                "attacks": prospects(pos, side, answer["units"], answer["path"][-1])}

    def reach(units: Sequence[str], aboard: Mapping[str, str]) -> dict[str, Any]:
        return march.reach(pos, side, units, aboard, planned.reaction)

    return Move("move", "10.10" if planned.reaction else "10.1", stacks, reach=reach, legal=legal, show=show,
                still=still, moved=None if planned.reaction else {*pos.spent, *pos.settled},
                why=lambda units, aboard, to: march.why_not(pos, side, units, aboard, to, planned.reaction))


def carry_out(pos: Position, side: str, answer: Answer, made: Plan, reaction: bool) -> Procedure[None]:
    """10.1, 10.3 Walk a checked path hex by hex: enemies that do not fight are run over, control passes (3.2), points
    are scored. What was walked is told before anybody is asked on the way."""
    units, path = answer["units"], answer["path"]
    fights = any(pos.unit(u).combat for u in units)
    walked = [path[0]]
    for n, hex_ in enumerate(path[1:]):
        if fights and pos.holder(hex_) == enemy(side):
            walked = _tell_walk(pos, side, units, walked, reaction)
            yield from overrun(pos, side, hex_)
        if n == 0:
            _set_out(pos, answer, made, reaction)
        for unit in units:
            pos.put(unit, hex_)
        walked.append(hex_)
        if hex_ not in pos.entered:
            pos.entered.append(hex_)
        if fights:
            yield from take(pos, side, hex_, "move")
    _tell_walk(pos, side, units, walked, reaction, march.shown(made.so_far[-1]))


def _tell_walk(pos: Position, side: str, units: list[str], walked: list[str], reaction: bool,
               cost: str | int | None = None) -> list[str]:
    """Tell a part of a path; where the next begins."""
    if len(walked) > 1:
        own = {"units": units} if cost is None else {"units": units, "cost": cost}
        pos.tell("reacted" if reaction else "marched", "10.10" if reaction else "10.1", side, path=walked,
                 count=len(units), at=walked[-1], **{"from": walked[0]}, private={side: own})
    return [walked[-1]]


def _set_out(pos: Position, answer: Answer, made: Plan, reaction: bool) -> None:
    """10.1, 10.11, 14.2 What a stack pays and takes along; an engineer that moves builds nothing."""
    units, aboard = answer["units"], answer.get("aboard", {})
    _join_march(pos, units, aboard, answer["path"][0], reaction)
    for unit, paid in made.pays.items():
        pos.spent[unit] = pos.spent.get(unit, 0) + paid
    put_down(pos, [c for c, truck in pos.aboard.items() if truck in units and c not in aboard])
    pos.aboard.update(aboard)
    pos.carried += sorted(set(aboard) - set(pos.carried))
    engineers.stir(pos, units)


def _join_march(pos: Position, units: Sequence[str], aboard: Mapping[str, str], start: str, reaction: bool) -> None:
    """11.4 The stack that a move belongs to: the open one, or a new one that ends it. 10.10 Who is left behind in
    reaction movement has finished."""
    open_ = pos.march
    movers = [u for u in units if u not in aboard]
    if open_ is None or not set(movers) <= set(open_.units):
        close_march(pos)
        open_ = pos.march = March(start, [])
    open_.units += [u for u in units if u not in open_.units]
    if reaction:
        for unit in [u for u in open_.units if u not in units]:
            if unit not in pos.settled:
                pos.settled.append(unit)
                pos.touch(pos.at[unit])


def close_march(pos: Position) -> None:
    """10.1 The movement of a stack is over when another one's begins; 10.11 its trucks have put down what they bore."""
    if pos.march is not None:
        for unit in pos.march.units:
            if unit in pos.at and unit not in pos.settled:
                pos.settled.append(unit)
                pos.touch(pos.at[unit])
        put_down(pos, [c for c, truck in pos.aboard.items() if truck in pos.march.units])
        pos.march = None


def put_down(pos: Position, cargo: Iterable[str]) -> None:
    """10.11 Cargo is off its truck."""
    for unit in cargo:
        del pos.aboard[unit]
        pos.touch(pos.at[unit])


# -- off the map by the enemy's edge (16.2) -------------------------------------------------------------------


def leave_form(pos: Position, side: str) -> Allocate | None:
    """16.2 Combat units in a hex of the enemy's edge may leave the map for good, for a point of movement."""
    row = pos.game.edge_rows[enemy(side)]
    there = {h: units for h, units in pos.army(side).items() if h not in pos.game.off_map and int(h[2:]) == row}
    if not there:
        return None
    ability, lots = march.abilities(pos, side, False), []
    for hex_, units in there.items():
        able = tuple(u for u in units if ability(u) and march.left(pos, u, False) >= SIXTHS)
        if able:
            lots.append(Lot(hex_, able, 0, len(able), at=hex_))
    if not lots:
        return None

    def legal(answer: Answer) -> None:
        if not answer["lots"]:
            raise Refusal("refusal.nobody_moves", "16.2")

    return Allocate("leave_map", "16.2", "send", tuple(lots), legal=legal)


def leave_map(pos: Position, side: str, answer: Answer) -> None:
    """16.2 A point for each combat unit that leaves by the other side's edge; it is out of the game. 10.1 Who does so
    without being of the stack under way ends its movement."""
    if pos.march is None or not {u for us in answer["lots"].values() for u in us} <= set(pos.march.units):
        close_march(pos)
    for hex_, units in answer["lots"].items():
        for unit in units:
            pos.strip(unit)
            pos.put(unit, LOST[side])
            pos.points(side, int(pos.game.n["points"]["exited"]))
        pos.tell("left_map", "16.2", side, at=hex_, units=units, count=len(units))
