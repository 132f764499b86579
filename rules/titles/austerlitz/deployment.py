"""A15 Free set-ups: counters within their radius, their formations and facings, starting markers of A15.3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from rules.core.agenda import AGAIN, DONE, Next
from rules.core.errors import Refusal
from rules.core.forms import Allocate, Answer, Choose, Group, Move, Option, Place, label
from rules.core.procedure import Procedure, ask, together
from rules.core.request import Request, needs_open
from rules.core.sealed import sealed
from rules.titles.austerlitz import movement
from rules.titles.austerlitz.duty import in_area
from rules.titles.austerlitz.fire import strategic
from rules.titles.austerlitz.formations import (
    COLUMN,
    DISORDER,
    LIMBERED,
    LINE,
    SKIRMISH,
    SQUARE,
    TO_VERTICES,
    UNLIMBERED,
    tail_of,
)
from rules.titles.austerlitz.leaders import NAPOLEON, aboard
from rules.titles.austerlitz.lots import lot
from rules.titles.austerlitz.position import SPLIT, Position
from rules.titles.austerlitz.special import exclusive
from rules.titles.austerlitz.stacking import fault, limit
from rules.titles.austerlitz.turn import segments
from rules.titles.austerlitz.units import SIDES


def free(side: str) -> str:
    return f"free:{side}"


def needs_choice(pos: Position, side: str) -> bool:
    """Whether a side has counters that its player places."""
    return bool(pos.stacks.get(free(side))) or bool(pos.here.get(free(side)))


def rows(pos: Position, side: str) -> list[dict[str, Any]]:
    return [r for r in pos.plan["setup"][side] if "at" not in r]


def ground(pos: Position, row: Mapping[str, Any]) -> tuple[str, ...]:
    """The hexes of a line with a place and a radius, on the ground of the scenario."""
    board = pos.game.board
    around = board.places.get(row["of"], (row["of"],))
    return tuple(sorted({h for a in around for h in board.within(a, row["within"]) if in_area(pos, h)}))


def fixed_ground(pos: Position, side: str, row: Mapping[str, Any]) -> tuple[str, ...]:
    """The hexes on or beside the units of a command that stand already."""
    units = [u for u, h in pos.at.items() if ":" not in h and pos.unit(u).side == side and row["beside"] in (
        pos.unit(u).command, pos.unit(u).corps)]
    return tuple(sorted({h for u in units for own in pos.footprint(u) for h in pos.game.board.within(
        own, row["within"]) if in_area(pos, h)}))


@sealed
class Deploy(Place):
    """A set-up; a random one is the suggestion with some counters elsewhere."""

    def sample(self, rng: Random) -> Answer | None:
        placed: dict[str, str] = dict(self.suggested)
        for group in self.groups:
            for unit in group.units:
                if rng.random() < 0.2:
                    spot = rng.choice(group.where)
                    answer: Answer = {"form": self.name, "placed": {**placed, unit: spot}}
                    try:
                        self.legal(answer)
                    except Refusal:
                        continue
                    placed[unit] = spot
        return {"form": self.name, "placed": placed}


@segments.segment
def set_up(pos: Position, side: str) -> Procedure[Next]:
    """A15 First the units of lines with a place, then leaders and guns that go with them."""
    first = [r for r in rows(pos, side) if "of" in r and _waiting(pos, r)]
    now = first or [r for r in rows(pos, side) if _waiting(pos, r)]
    if not now:
        return [["deploy", side]]
    groups = []
    for i, row in enumerate(now):
        where = ground(pos, row) if "of" in row else fixed_ground(pos, side, row)
        units = tuple(_waiting(pos, row))
        groups.append(Group(f"g{i + 1}", pos.plan["clause"], units, where, must=True, says=heading(pos, units)))
    form = Deploy("set_up", pos.plan["clause"], tuple(groups), 99, "7.1", suggested=suggest(pos, groups),
                  legal=lambda a: check(pos, a["placed"]))
    answer = yield from ask(
        Request(pos.commander(side), "prompt.set_up", pos.plan["clause"], (form,), needs=needs_open)
    )
    put_all(pos, answer["placed"])
    pos.tell("set_up", pos.plan["clause"], side, count=len(answer["placed"]))
    return AGAIN


def heading(pos: Position, units: Sequence[str]) -> dict[str, Any] | None:
    """What a line of a set-up is called: its only counter, or the division or corps of all; None if by its number."""
    if len(units) == 1:
        return label("group.one", unit=units[0])
    of = [pos.unit(u) for u in units if u in pos.game.units]
    for common in ({u.command for u in of}, {u.corps for u in of}):
        if len(common) == 1 and (command := common.pop()) in pos.game.commands:
            return label(f"command.{command}")
    return None


def counters(pos: Position, row: Mapping[str, Any]) -> list[str]:
    """The counters of a line, with the companies of its tirailleurs (A2.4)."""
    return [c for u in row["units"] for c in (u, *(pos.unit(u).companies if u in pos.game.units else ()))]


def _waiting(pos: Position, row: Mapping[str, Any]) -> list[str]:
    return [u for u in counters(pos, row) if pos.at.get(u, pos.leaders.get(u, "")).startswith("free:")]


def two_last(pos: Position, placed: Mapping[str, str]) -> list[tuple[str, str]]:
    """Counters on two hexes last, so that they find room."""
    return sorted(
        placed.items(), key=lambda item: (item[0] in pos.game.units and pos.unit(item[0]).hexes == 2, item[0])
    )


def put_all(pos: Position, placed: Mapping[str, str]) -> None:
    """Counters onto their hexes, in the formation they have; those on two hexes turn until the second is free."""
    taken = {h for c, h in placed.items() if c in pos.game.units}
    for counter, hex_ in two_last(pos, placed):
        if counter in pos.game.leaders:
            pos.put_leader(counter, hex_)
            if counter == NAPOLEON:
                gather_staff(pos)
            continue
        unit = pos.unit(counter)
        form = pos.form[counter]
        if unit.guns:
            form = LIMBERED
        elif limit(pos, hex_, unit.arm, form) is None:
            form = DISORDER
        pos.form[counter] = form
        pos.put(counter, hex_, pos.astride(counter, hex_, taken) if unit.hexes == 2 else None)


def gather_staff(pos: Position) -> None:
    """A4.4.4 Rapp, Mouton and Songis are with Napoleon, wherever he is put or waits."""
    for leader, rated in pos.game.leaders.items():
        if rated.rank == "staff":
            pos.put_leader(leader, pos.leaders[NAPOLEON])


def check(pos: Position, placed: Mapping[str, str]) -> None:
    """7.1 Stacking is kept in set-ups, in column or, where that can't stand, in disorder; that of strategic movement by
    who begins so (errata A15.2). Raises Refusal."""
    board = pos.game.board
    stacks: dict[str, list[str]] = {}
    for counter, hex_ in placed.items():
        if counter not in pos.game.leaders:
            stacks.setdefault(hex_, []).append(counter)
    was = dict(pos.form)
    try:
        for hex_, units in stacks.items():
            if board.terrain[hex_] == "pond":
                raise Refusal("refusal.no_such_formation_there", "5.1", at=hex_, form="form.column")
            for unit in units:
                arm = pos.unit(unit).arm
                if pos.unit(unit).guns:
                    if board.terrain[hex_] in ("woods", "swamp", "castle", "pheasantry"):
                        raise Refusal("refusal.no_such_formation_there", "5.1", at=hex_, form="form.limbered")
                elif limit(pos, hex_, arm, pos.form[unit]) is None:
                    pos.form[unit] = DISORDER
            there = [*pos.stack(hex_), *units]
            wrong = fault(pos, hex_, there, any(strategic(pos, u) for u in there))
            if wrong is not None:
                raise wrong
        _room(pos, placed, set(stacks))
    finally:
        pos.form.clear()
        pos.form.update(was)


def _room(pos: Position, placed: Mapping[str, str], taken: set[str]) -> None:
    """6.5 Each counter on two hexes must find a second one, in the order in which they will be put. Raises Refusal."""
    for counter, hex_ in two_last(pos, placed):
        if counter in pos.game.leaders or pos.unit(counter).hexes == 1:
            continue
        facing = pos.facing[counter]
        tail = pos.astride(counter, hex_, taken)
        pos.facing[counter] = facing
        if tail is None:
            raise Refusal("refusal.no_room_for_two", "6.5", at=hex_, unit=counter)
        taken.add(tail)


def suggest(pos: Position, groups: list[Group]) -> dict[str, str]:
    """A lawful placing: each unit where its group has most room, the largest units first."""
    placed: dict[str, str] = {}
    for group in groups:
        order = sorted(
            group.units, key=lambda u: (u in pos.game.leaders, -pos.unit(u).strength if u in pos.game.units else 0)
        )
        for counter in order:
            for hex_ in _by_room(pos, group.where, placed):
                trial = {**placed, counter: hex_}
                try:
                    check(pos, trial)
                except Refusal:
                    continue
                placed[counter] = hex_
                break
    return placed


def _by_room(pos: Position, where: tuple[str, ...], placed: Mapping[str, str]) -> list[str]:
    taken = list(placed.values())
    return sorted(where, key=lambda h: (taken.count(h) + len(pos.stack(h)), h))


# -- formations and facings -----------------------------------------------------------------------------


@segments.segment
def deploy(pos: Position, side: str) -> Procedure[Next]:
    """A15.2 Units face as they like, in the formation that they like, unless one is printed: one change of stance, or
    done. A2.4 Tirailleurs begin whole or in companies, as their player likes."""
    told = {c: r for r in pos.plan["setup"][side] for c in counters(pos, r)}
    own = {u: h for h, stack in pos.stacks.items() if ":" not in h for u in stack if u in told and not (
        "formation" in told[u] and told[u].keys() & {"facing", "tail"})}
    stacks: dict[str, list[dict[str, Any]]] = {}
    for unit, hex_ in own.items():
        stacks.setdefault(hex_, []).append({"id": unit, "left": 0})
    done = Choose(
        "done", pos.plan["clause"], (Option("done", pos.plan["clause"], label("option.deployed"), ends=True),)
    )
    if not stacks:
        return DONE
    form = Stand(
        "move",
        pos.plan["clause"],
        dict(sorted(stacks.items())),
        reach=lambda units, _aboard: stances(pos, own, units, told),
        legal=lambda a: _stand(pos, own, a, told),
        pos=None, stances=True,
    )
    answer = yield from ask(Request(pos.commander(side), "prompt.deploy", pos.plan["clause"], (
        form, *_divided(pos, told), done), needs=needs_open))
    if answer["form"] == "done":
        return DONE
    if answer["form"] == "companies":
        _divide(pos, side, answer["option"])
        return [["set_up", side]]
    _hex, shape, facing = movement.read(answer["path"][-1])
    pos.stand(answer["units"][0], shape, facing)
    pos.tell("deployed", pos.plan["clause"], side, unit=answer["units"][0], at=pos.at[answer["units"][0]])
    return AGAIN


class Stand(movement.March):
    """A stance in a set-up."""

    __slots__ = ()

    def sample(self, rng: Random) -> Answer | None:
        if not self.stacks or rng.random() < 0.7:
            return None
        return Move.sample(self, rng)


def _divided(pos: Position, told: Mapping[str, Mapping[str, Any]]) -> tuple[Choose, ...]:
    """A2.4 Battalions of tirailleurs that may begin in companies instead, or the other way round."""
    found = []
    for unit, row in told.items():
        companies = pos.unit(unit).companies if unit in pos.game.units and not row.get("companies") else ()
        if companies and pos.on_map(unit):
            found.append(Option(f"split:{unit}", "A2.4", label("option.split", unit=unit), at=pos.at[unit]))
        elif companies:
            found.append(Option(f"join:{unit}", "A2.4", label("option.join", unit=unit), at=pos.at[companies[0]]))
    return (Choose("companies", "A2.4", tuple(found)),) if found else ()


def _divide(pos: Position, side: str, option: str) -> None:
    """A2.4 A battalion for its companies or the other way round; they are placed anew."""
    kind, battalion = option.split(":")
    companies = pos.unit(battalion).companies
    gone, come = ((battalion,), companies) if kind == "split" else (companies, (battalion,))
    hex_ = pos.at[gone[0]]
    for unit in gone:
        pos.put(unit, SPLIT)
    for unit in come:
        pos.put(unit, free(side))
    pos.tell("split" if kind == "split" else "joined", "A2.4", side, unit=battalion, units=list(companies), at=hex_)


def stances(pos: Position, own: Mapping[str, str], units: Sequence[str],
            told: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The stances of one of a side's own units in its hex, all for nothing; formation and facing that are printed stay.
    Raises Refusal."""
    if len(units) != 1:
        raise Refusal("refusal.not_a_stack", "5.0")
    unit = units[0]
    if unit not in own:
        raise Refusal("refusal.not_active", "5.0", unit=unit)
    here = movement.written((pos.at[unit], pos.form[unit], pos.facing.get(unit, 0), 0))
    cost, row = {here: 0}, told[unit]
    for shape in [pos.form[unit]] if "formation" in row else _shapes(pos, unit):
        for facing in [pos.facing[unit]] if "facing" in row else range(shape in TO_VERTICES, 12, 2):
            cost.setdefault(movement.written((pos.at[unit], shape, facing, 0)), 0)
    return {"from": here, "cost": cost, "via": {s: here for s in cost if s != here}, "left": 0,
            "blocked": {here: {"key": "refusal.nobody_moves", "clause": "5.0", "args": {}}}}


def _shapes(pos: Position, unit: str) -> list[str]:
    u = pos.unit(unit)
    if u.guns:
        return [LIMBERED, UNLIMBERED]
    if u.cossack:
        return [DISORDER]
    if u.battalion is not None:
        return [SKIRMISH]
    shapes = [LINE, COLUMN, DISORDER] + ([SQUARE] if u.foot else []) + ([SKIRMISH] if u.skirmish else [])
    return [s for s in shapes if limit(pos, pos.at[unit], u.arm, s) is not None]


def _stand(pos: Position, own: Mapping[str, str], answer: Answer, told: Mapping[str, Mapping[str, Any]]) -> None:
    """7.1 One formation in a stack, and within its limit; 6.5 the second hex free. Raises Refusal."""
    known, path = stances(pos, own, answer["units"], told), answer["path"]
    unit = answer["units"][0]
    if len(path) != 2 or path[-1] not in known["cost"] or path[-1] == known["from"]:
        raise Refusal("refusal.no_such_move", "6.3", at=pos.at.get(unit))
    _hex, shape, facing = movement.read(path[-1])
    was = pos.form[unit]
    pos.form[unit] = shape
    others = [u for u in pos.stack(pos.at[unit]) if u != unit]
    wrong = fault(pos, pos.at[unit], [*others, unit])
    pos.form[unit] = was
    if wrong is not None:
        raise wrong
    if pos.unit(unit).hexes == 2 and shape in (LINE, COLUMN, DISORDER):
        tail = tail_of(pos.game.board, pos.at[unit], shape, facing)
        if tail is None or (tail not in pos.footprint(unit) and pos.holder(tail) is not None):
            raise Refusal("refusal.no_such_move", "6.5", at=pos.at[unit])


# -- markers of A15.3 ------------------------------------------------------------------------------------


@segments.segment
def starting_markers(pos: Position) -> Procedure[Next]:
    """A15.3 Both choose at once and in secret, of the commands on the map (4.8): two corps, or five (French) or four
    (Allied) divisions."""
    requests = {}
    for side in SIDES:
        plan = pos.plan["markers"][side]
        corps, divisions = (tuple(m.id for m in pos.game.markers.values() if m.side == side and m.kind == kind
                                  and m.id not in pos.game.unused
                                  and aboard(pos, pos.game.commands[m.command or ""].leader or ""))
                            for kind in ("corps", "division"))
        seat = pos.commander(side)
        requests[seat] = Request(seat, "prompt.starting_markers", "A15.3", (
            Allocate("corps", "A15.3", "choose", (lot("add", corps, plan["corps"], plan["corps"]),),
                     legal=lambda a: exclusive(pos, a)),
            Allocate("divisions", "A15.3", "choose", (lot("add", divisions, plan["divisions"], plan["divisions"]),),
                     legal=lambda a: exclusive(pos, a))), needs=needs_open)
    answers = yield from together(requests)
    for seat, answer in answers.items():
        pos.pool += answer["lots"].get("add", [])
        side = pos.side_of(seat)
        pos.touched.add(f"pool:markers_{side}")
        pos.tell("markers_added", "A15.3", side, private={side: {"units": answer["lots"].get("add", [])}})
    return DONE


