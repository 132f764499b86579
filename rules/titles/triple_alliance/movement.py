"""5.2 A. The movement phase: arrivals, moves by land and river, boxes, the Guard's dice, the end."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from rules.core.agenda import AGAIN, DONE, Next
from rules.core.errors import Refusal
from rules.core.forms import Answer, Choose, Form, Move, Option, label
from rules.core.procedure import Procedure, ask
from rules.core.request import NOBODY, Needs, Request
from rules.titles.triple_alliance import arrivals, land, river, stacking
from rules.titles.triple_alliance.combat import after_turn, apart
from rules.titles.triple_alliance.control import enter
from rules.titles.triple_alliance.guard import guard_losses, note_guards
from rules.titles.triple_alliance.land import Plan
from rules.titles.triple_alliance.operations import belongs, join_operation
from rules.titles.triple_alliance.position import Able, Operation, Position
from rules.titles.triple_alliance.prospects import prospects
from rules.titles.triple_alliance.turn import enter_stage, segments
from rules.titles.triple_alliance.units import enemy


@segments.segment
def begin_movement(pos: Position, side: str) -> Procedure[Next]:
    """5.2, 11.2 A movement phase begins: full points for all, none kept from before; replacement steps (10.2)."""
    yield from ()
    _clear(pos)
    pos.steps = arrivals.rates(pos)
    enter_stage(pos, f"{side}_movement", side)
    pos.touched.add("table:replacements")
    pos.tell("movement_began", "5.2", side)
    return DONE


def _clear(pos: Position) -> None:
    for unit in {*pos.spent, *pos.settled, *pos.aboard}:
        pos.touch(pos.at[unit])
    pos.spent, pos.settled, pos.operation = {}, [], None
    pos.aboard, pos.towed, pos.entered, pos.steps = {}, {}, [], {}


@segments.segment
def movement(pos: Position, side: str) -> Procedure[Next]:
    """11.1, 12.1 One answer of the movement phase; repeated until its end."""
    planned = Planned()
    answer = yield from ask(movement_request(pos, side, planned))
    match answer["form"]:
        case "enter" | "replace":
            arrivals.come_in(pos, side, answer)
        case "boxes":
            stacking.arrange(pos, side, answer)
        case "move":
            carry_out(pos, side, answer, planned.plan(pos, side, answer))
        case "end_move":
            yield from guard_losses(pos, side)
        case _:
            _clear(pos)  # 12.4: whoever is still aboard lands
            pos.touched.add("table:replacements")
            pos.tell("movement_ended", "5.2", side)
            return DONE
    return AGAIN


def movement_request(pos: Position, side: str, planned: Planned) -> Request:
    """All that may be done now in the own movement phase."""
    comes = [arrivals.enter_form(pos, side), arrivals.replace_form(pos, side)]
    late = any(form is not None and any(group.where for group in form.groups) for form in comes)
    offered = (*comes, _move_form(pos, side, planned, late), stacking.box_form(pos, side))
    forms: list[Form] = [form for form in offered if form is not None]
    if pos.operation is not None and pos.operation.guards:
        # 7.14: the dice belong to an answer of their own, and come before anything else moves or the phase ends.
        forms.append(Choose("end_move", "7.14", (Option("end_move", "7.14", label(
            "option.end_move", n=len(pos.operation.guards))),)))
    else:
        forms.append(Choose("end", "5.1", (
            Option("end", "5.1", label("option.end_movement"), ends=True, forecast=True),)))
    return Request(side, "prompt.movement", "11.1", tuple(forms),
                   needs=lambda answer: movement_needs(pos, side, answer))


def movement_needs(pos: Position, side: str, answer: Answer) -> Needs:
    """5.2 The end of the phase hands over where nobody can attack; all else is the mover's own business."""
    return after_turn(side) if answer["form"] == "end" and apart(pos, side) else NOBODY


def _move_form(pos: Position, side: str, planned: Planned, late: bool) -> Move | None:
    """11.1 What may move; `late`: units could still come in, who can't once anything has moved (9.2)."""
    stacks: dict[str, list[dict[str, Any]]] = {}
    still: dict[str, str] = {}
    reasons: dict[str, dict[str, Any]] = {}
    waiting = pos.operation if pos.operation is not None and pos.operation.guards else None
    belonging = {pos.at[u] for u in waiting.units} if waiting is not None else set()
    first = dice_first().reason() if waiting is not None else {}
    for hex_ in pos.hexes_of(side):
        able, reason = pos.able.get(hex_) or abilities(pos, hex_, side)
        if waiting is not None:
            able = before_the_dice(waiting, able, hex_ in belonging)
        if able:
            stacks[hex_] = able
        else:
            still[hex_] = pos.here[hex_][-1]
            reasons[hex_] = reason or first
    if not stacks:
        return None
    return Move(
        "move",
        "11.1",
        stacks,
        reach=lambda units, aboard: reach_of(pos, side, units, aboard),
        legal=lambda answer: planned.check(pos, side, answer),
        show=lambda answer: _show(pos, side, answer, planned.plan(pos, side, answer)),
        still=still,
        reasons=reasons,
        moved={*pos.spent, *pos.settled},
        why=lambda units, aboard, to: why_not(pos, side, units, aboard, to),
        warn=label("warn.arrivals") if late else None,
    )


def why_not(
    pos: Position, side: str, units: Sequence[str], aboard: Mapping[str, str], to: str | None
) -> Refusal | None:
    """Why units can't move now, or can't go there."""
    try:
        ships, marchers = sort_out(pos, side, units, aboard)
        _allowed(pos, side, ships, marchers, aboard)
    except Refusal as refusal:
        return refusal
    if to is None:
        return None
    return river.beyond(pos, ships, to, side) if ships else land.beyond(pos, marchers, to, side)


def before_the_dice(waiting: Operation, able: list[dict[str, Any]], here: bool) -> list[dict[str, Any]]:
    """7.14 Only the open operation goes on before the Guard's dice: ships may come for it and load its units only."""
    return [{**a, "takes": [u for u in a["takes"] if u in waiting.units]} if a.get("takes") else a
            for a in able if "holds" in a or here]


def abilities(pos: Position, hex_: str, side: str) -> Able:
    """What the units of a hex can still do this phase, and why the fastest of them can't move if it can't: worked out
    and kept in `pos.able`."""
    settled, able, why = set(pos.settled), list[dict[str, Any]](), None
    for unit in pos.here[hex_]:
        why = unable(pos, unit, side, settled)
        if why is None:
            able.append(_ability(pos, unit))
    pos.able[hex_] = able, why.reason() if why is not None else {}
    return pos.able[hex_]


def _ability(pos: Position, unit: str) -> dict[str, Any]:
    """What a unit can still do this phase, and 12.4 what a ship can take aboard."""
    u = pos.unit(unit)
    if u.chata:
        return {"id": unit, "left": 0}
    if not u.river:
        return {"id": unit, "left": pos.left(unit)}
    takes, bars = river.boarders(pos, unit)
    return {"id": unit, "left": pos.left(unit), "holds": river.capacity(pos, unit), "takes": takes, "bars": bars}


def unable(pos: Position, unit: str, side: str, settled: Collection[str]) -> Refusal | None:
    """Why a unit can do nothing more this phase: 11.6 its operation is over, 12.6 no tow for a raft, 11.3 no movement,
    11.2 no points left, unless 11.18 the railway takes it for nothing."""
    u, at = pos.unit(unit), pos.at[unit]
    if unit in settled:
        return Refusal("refusal.settled", "11.6", at=at, unit=unit)
    if u.chata:
        towed = any(not pos.unit(s).chata and pos.unit(s).river and pos.left(s) > 0
                    and pos.towed.get(s, unit) == unit for s in pos.stack(at))
        return None if towed else Refusal("refusal.no_tow", "12.6", at=at, unit=unit)
    if pos.left(unit) > 0:
        return None
    if u.movement == 0:
        return Refusal("refusal.never_moves", "11.3", at=at)
    if not u.river and land.rides_free(pos, at, side):
        return None
    return Refusal("refusal.spent", "11.2", at=at, unit=unit)


def sort_out(pos: Position, side: str, units: Sequence[str],
             aboard: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """The ships and the marchers of a move; 12.4 what is neither must be aboard. Raises Refusal, which says nothing
    of where a foreign unit is (6.4)."""
    at, known = pos.at, pos.game.units
    for unit in [*units, *aboard]:
        if unit in at and known[unit].side != side:
            raise Refusal("refusal.not_yours", "11.1", unit=unit)
        if unit not in at or not at[unit][0].isdigit():
            raise Refusal("refusal.not_on_map", "11.1", unit=unit)
    if not units:
        raise Refusal("refusal.nobody_moves", "11.1")
    ships = [u for u in units if known[u].river]
    marchers = [u for u in units if not known[u].river and u not in aboard]
    if ships and marchers:
        raise Refusal("refusal.not_aboard", "12.4", at=pos.at[marchers[0]], unit=marchers[0])
    if set(aboard) - set(units) or (aboard and not ships):
        raise Refusal("refusal.ship_not_moving", "12.4", unit=sorted(aboard)[0])
    return ships, marchers


def _allowed(pos: Position, side: str, ships: Sequence[str], marchers: Sequence[str],
             aboard: Mapping[str, str]) -> None:
    """11.2, 11.3, 11.6, 7.14 Whether these units may move at all now. Raises Refusal."""
    for unit in [*ships, *marchers]:
        if (why := unable(pos, unit, side, pos.settled)) is not None:
            raise why
    open_ = pos.operation
    if open_ is not None and open_.guards and marchers and not belongs(open_, marchers):
        raise dice_first(pos.at[marchers[0]])
    if open_ is not None and open_.guards and (others := sorted(set(aboard) - set(open_.units))):
        raise dice_first(pos.at[others[0]])


def dice_first(at: str | None = None) -> Refusal:
    """7.14 Nothing else moves before the Guard's dice of the open operation."""
    return Refusal("refusal.guard_dice_first", "7.14", at=at)


def plan(pos: Position, side: str, answer: Answer) -> Plan:
    """The cost of a move and its permission, up to the limit of the hex where it ends (6.2). Raises Refusal."""
    units, path, aboard = answer["units"], answer["path"], answer.get("aboard", {})
    ships, marchers = sort_out(pos, side, units, aboard)
    _allowed(pos, side, ships, marchers, aboard)
    made = (river.sail_plan(pos, ships, aboard, path, side) if ships
            else land.march_plan(pos, marchers, path, side))
    if path[-1] != path[0] and (full := stacking.overfull(pos, path[-1], units)) is not None:
        raise full
    return made


class Planned:
    """The last move planned while one request is open, and nothing changes: whoever checks a move, shows what it would
    do and carries it out asks for the same plan."""

    def __init__(self) -> None:
        self.last: tuple[Answer, Plan] | None = None

    def plan(self, pos: Position, side: str, answer: Answer) -> Plan:
        if self.last is None or self.last[0] != answer:
            self.last = answer, plan(pos, side, answer)
        return self.last[1]

    def check(self, pos: Position, side: str, answer: Answer) -> None:
        self.plan(pos, side, answer)


def _show(pos: Position, side: str, answer: Answer, made: Plan) -> dict[str, Any]:
    steps = [{"at": hex_, "cost": cost} for hex_, cost in zip(answer["path"], made.so_far, strict=True)]
    return {"cost": made.cost, "steps": steps,
            "left": {u: pos.left(u) - paid for u, paid in sorted(made.pays.items())},
            "attacks": prospects(pos, side, answer["units"], answer["path"][-1])}


def reach_of(pos: Position, side: str, units: Sequence[str], aboard: Mapping[str, str]) -> dict[str, Any]:
    """Where these units can go together, in the shape of docs/protocol.md section 4. Raises Refusal."""
    ships, marchers = sort_out(pos, side, units, aboard)
    _allowed(pos, side, ships, marchers, aboard)
    if ships:
        river.check_cargo(pos, ships, aboard)
        found, left = river.sail_reach(pos, ships, side), min(pos.left(s) for s in ships if not pos.unit(s).chata)
    else:
        found, left = land.march_reach(pos, marchers, side), land.budget(pos, marchers)
    blocked, own, foe = {}, pos.occupied_by(side), pos.occupied_by(enemy(side))
    for hex_ in found.cost:
        if hex_ in own and (full := stacking.overfull(pos, hex_, units)) is not None:
            blocked[hex_] = full.reason()
    for hex_ in pos.game.map.neighbours[pos.at[units[0]]]:
        if hex_ in foe:
            beyond = river.beyond(pos, ships, hex_, side) if ships else land.beyond(pos, marchers, hex_, side)
            blocked[hex_] = beyond.reason()
    return {"from": pos.at[units[0]], "cost": found.cost, "via": found.via, "left": left, "blocked": blocked}


def carry_out(pos: Position, side: str, answer: Answer, made: Plan) -> None:
    """11, 12 Walk a checked path: control of every hex entered (3.6), points, boxes (3.5), and the telling."""
    units, path, aboard = answer["units"], answer["path"], answer.get("aboard", {})
    ships, marchers = sort_out(pos, side, units, aboard)
    operation = join_operation(pos, ships, marchers, sorted(aboard))
    note_guards(pos, operation, units)
    for unit in marchers:
        pos.aboard.pop(unit, None)
    for ship in ships:
        for cargo in [c for c, s in pos.aboard.items() if s == ship and c not in aboard]:
            del pos.aboard[cargo]
    pos.aboard.update(aboard)
    pos.towed.update(river.towers(pos, ships, [s for s in ships if pos.unit(s).chata]))
    for unit, paid in made.pays.items():
        pos.spent[unit] = pos.spent.get(unit, 0) + paid
    stacking.shift(pos, side, units, path[-1], bool(answer.get("keep_box")))
    pos.tell(
        "sailed" if ships else "marched",
        "12.1" if ships else "11.1",
        side,
        path=path,
        count=len(units),
        **{"from": path[0]},
        at=path[-1],
        private={side: {"units": units, "cost": made.cost, **({"aboard": aboard} if aboard else {})}},
    )
    for hex_ in path[1:]:
        enter(pos, hex_, side)
