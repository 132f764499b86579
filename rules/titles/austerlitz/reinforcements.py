"""14.0 Reinforcements: their marker, their way onto the map in a chain, delay and enemy presence."""

from __future__ import annotations

from typing import Any

from rules.core.agenda import DONE, Next
from rules.core.forms import Choose, Option, label
from rules.core.procedure import Procedure, choose
from rules.core.request import Request, needs_open
from rules.titles.austerlitz import activation
from rules.titles.austerlitz.duty import arrived, in_area, lose_strategic
from rules.titles.austerlitz.formations import DISORDER, column_of, marching
from rules.titles.austerlitz.position import DUE, Position
from rules.titles.austerlitz.stacking import fault
from rules.titles.austerlitz.turn import segments
from rules.titles.austerlitz.units import enemy

INWARD = {"west": 4, "east": 8, "north": 6, "south": 0}   # facing of who comes in over an edge, in twelfths


def marker_of(side: str) -> str:
    return f"LIM-{'F' if side == 'french' else 'A'}-Reinforcements"


def expected(pos: Position, side: str) -> list[list[Any]]:
    """14.2 The groups of a side that are due by now and not on the map: [turn, side, units, entry, objective]."""
    return [row for row in pos.due if row[1] == side and row[0] <= pos.turn and any(
        pos.at.get(u, pos.leaders.get(u)) == DUE[side] for u in row[2])]


def on_the_march(pos: Position, side: str) -> list[str]:
    """14.4 Reinforcements on the map that still march."""
    return [c for c in pos.special.get("reinforced", ()) if c in pos.strategic and pos.game.side[
        activation.leader_of(pos, c) or c] == side and activation.taking_part(pos, c)]


def marker(pos: Position, side: str) -> Procedure[None]:
    """4.2.3, 14.1, 14.2 The Reinforcement marker may go into the pool, openly, while somebody is to come or marches."""
    mark = marker_of(side)
    if mark in pos.pool:
        if not expected(pos, side) and not on_the_march(pos, side):
            pos.pool.remove(mark)
            pos.touched.add(f"pool:markers_{side}")
            pos.tell("reinforcements_in", "14.2", side)
        return
    if not expected(pos, side) and not on_the_march(pos, side):
        return
    options = (
        Option("add", "4.2.3", label("option.reinforcement_marker")),
        Option("wait", "14.2", label("option.pass")),
    )
    said = yield from choose(Request(pos.commander(side), "prompt.reinforcement_marker", "4.2.3", (
        Choose("reinforcement_marker", "4.2.3", options),), needs=needs_open))
    if said == "add":
        pos.pool.append(mark)
        pos.touched.add(f"pool:markers_{side}")
        pos.tell("reinforcement_marker", "4.2.3", side)


def steps(side: str) -> list[Any]:
    """14.1, 14.4 The Reinforcement marker is drawn: division after division comes in or marches on."""
    return [["reinforcement", side, []]]


def groups(pos: Position, side: str) -> dict[str, list[str]]:
    """Command -> its units that may come in now."""
    found: dict[str, list[str]] = {}
    for row in expected(pos, side):
        for unit in row[2]:
            if unit in pos.game.units and pos.at.get(unit) == DUE[side]:
                command = pos.division_of(unit) or _host(pos, unit)
                if command is not None:
                    found.setdefault(command, []).append(unit)
    return found


def lone(pos: Position, side: str) -> dict[str, list[Any]]:
    """Leaders who come without troops, as Napoleon does with his staff (A15.6): the first of them -> their group."""
    return {row[2][0]: row for row in expected(pos, side) if not any(u in pos.game.units for u in row[2])}


def _host(pos: Position, unit: str) -> str | None:
    """A4.6 Guns of a corps come in with a division of it, on the map or due."""
    divisions = pos.game.commands[pos.unit(unit).corps].divisions
    return next((d for d in divisions if pos.game.commands[d].leader in pos.leaders), None)


@segments.segment
def reinforcement(pos: Position, side: str, done: list[str]) -> Procedure[Next]:
    """14.1 One division comes in or marches on, as the player likes; those left wait for the next drawing (14.2). Of a
    division that is there and marches no more only who comes in is active (14.4)."""
    alone = lone(pos, side)
    able = [c for c in dict.fromkeys([*alone, *groups(pos, side), *on_the_march(pos, side)]) if c not in done]
    if not able:
        return DONE
    options = [Option(c, "14.1", label("option.division", command=f"command.{c}")) for c in able]
    options.append(Option("end", "14.2", label("option.no_more"), ends=True))
    said = yield from choose(Request(pos.commander(side), "prompt.reinforcement", "14.1", (
        Choose("reinforcement", "14.1", tuple(options)),), needs=needs_open))
    if said == "end":
        return DONE
    if said in alone:
        _ride_in(pos, side, alone[said])
        return [["reinforcement", side, [*done, said]]]
    coming = groups(pos, side).get(said, [])
    gate = yield from _gate(pos, side, coming)
    for unit in coming:
        _come_in(pos, side, said, unit, gate)
    charged, rest = pos.special.pop("entry_spent", {}), ["reinforcement", side, [*done, said]]
    units = [u for u in activation.members(pos, said) if u not in pos.used]
    guests = bool(coming) and all(pos.division_of(u) != said for u in coming)  # A4.6 guns of the corps alone
    if said not in pos.strategic and (guests or any(
            u not in coming and pos.division_of(u) == said for u in activation.members(pos, said))):
        units = [u for u in coming if pos.on_map(u)]  # 14.4 the others march with this marker no more
        if not units:
            return [rest]
        near = any(pos.near_enemy(h, side, 3) for u in units for h in pos.footprint(u))
        activation.begin_act(pos, side, said, None, activation.FULL if near else activation.STRATEGIC, units)
    else:
        mode = _mode(pos, side, said, units, coming)
        activation.begin_act(pos, side, said, activation.leader_of(pos, said), mode, units)
    assert pos.act is not None
    pos.act["spent"].update({u: n for u, n in charged.items() if u in units})
    for unit in [u for u in coming if pos.on_map(u)]:
        arrived(pos, unit)
    return [["move"], ["shoot"], ["melee"], ["finish"], rest]


def _mode(pos: Position, side: str, command: str, units: list[str], coming: list[str]) -> str:
    """14.1, 14.3 Strategic movement, or normal where enemies are within three hexes of who comes in; 5.2 of who marches
    already within two."""
    if any(pos.near_enemy(h, side, 3 if u in coming else 2) for u in units if pos.on_map(u) for h in pos.footprint(u)):
        lose_strategic(pos, command, "14.4")
        return activation.FULL
    if command not in pos.strategic:
        pos.set_strategic(command, True)
    if command not in pos.special.setdefault("reinforced", []):
        pos.special["reinforced"].append(command)
    return activation.STRATEGIC


def _gate(pos: Position, side: str, units: list[str]) -> Procedure[str | None]:
    """A15.5 The hex by which a group comes in that may choose among several; None for one that may not."""
    row = next((r for r in expected(pos, side) if any(u in r[2] for u in units)), None)
    if row is None or isinstance(row[3], str):
        return None
    able = [h for h in row[3] if not barred(pos, side, h)]
    if len(able) < 2:
        return able[0] if able else None
    options = tuple(Option(h, "14.1.1", label("option.entry", at=h), at=h) for h in able)
    return (yield from choose(Request(pos.commander(side), "prompt.entry", "14.1.1", (
        Choose("entry", "14.1.1", options),), needs=needs_open)))


def _ride_in(pos: Position, side: str, row: list[Any]) -> None:
    """14.1 Leaders without troops come in, if their hex is not closed (14.3); they ride in an activation (5.4)."""
    hex_ = entry(pos, side, row)
    for leader in row[2] if hex_ is not None else ():
        pos.put_leader(leader, str(hex_))
        pos.tell("arrived", "14.1", side, unit=leader, units=[leader], at=hex_)


def _come_in(pos: Position, side: str, command: str, unit: str, gate: str | None) -> None:
    """14.1.2 One unit of the chain: its stack pays the first hex once for each stack before it and for itself, and
    stands at the edge until it is moved; who can't pay stays out."""
    row = next(r for r in expected(pos, side) if unit in r[2])
    hex_ = gate or entry(pos, side, row)
    if hex_ is None:
        return
    u, chain = pos.unit(unit), pos.special.setdefault("chain", {})
    form = marching(u)
    pos.form[unit], pos.facing[unit] = form, inward(pos, hex_)
    stacks, last, before = chain.get(f"{pos.turn}:{hex_}", [0, None, 0])
    column, board = column_of(u, form), pos.game.board
    price = min(p.cost for h in board.touching(hex_) for r in (False, True)
                for p in [board.price(column, h, hex_, r)] if p is not None)
    joins = last is not None and pos.on_map(last) and u.hexes == 1 and fault(
        pos, pos.at[last], [*pos.stack(pos.at[last]), unit], True) is None
    if joins:
        spot, tail, spent = pos.at[last], None, before
    else:
        found = _spot(pos, side, unit, hex_, column)
        if found is None:
            return
        stacks += 1
        spot, tail = found
        spent = price * (stacks + (spot != hex_))
    if spent > _most(pos, unit, spot):
        return
    pos.put(unit, spot, tail)
    chain[f"{pos.turn}:{hex_}"] = [stacks, unit, spent]
    pos.special.setdefault("entry_spent", {})[unit] = spent
    if row[4] is not None:  # 14.1.3 guns of a corps have it by themselves, not the division with which they come
        pos.special.setdefault("goals", {})[command if pos.division_of(unit) == command else unit] = row[4]
    for leader in row[2]:
        if leader in pos.leaders and pos.leaders[leader] == DUE[side]:
            pos.put_leader(leader, spot)
    pos.tell("arrived", "14.1", side, unit=unit, units=[unit], at=spot)


def _most(pos: Position, unit: str, spot: str) -> int:
    """14.1, 14.3, A5.1.1 The points a unit has to come in with, in halves: twice its allowance in strategic movement,
    which it has not with enemies within three hexes; in fog half, but for strategic movement by road or village."""
    board, fog, points = pos.game.board, pos.special.get("fog"), pos.unit(unit).movement
    near = pos.near_enemy(spot, pos.unit(unit).side, 3)
    hidden = fog is not None and board.level[spot] <= fog
    if near:
        return 2 * ((points + 1) // 2 if hidden else points)
    free = bool(board.roads(spot)) or board.terrain[spot] == "village"
    return 2 * points if hidden and not free else 4 * points


def _spot(pos: Position, side: str, unit: str, hex_: str, column: str) -> tuple[str, str | None] | None:
    """14.1.2 Where the next stack of the chain stands: in the entry hex, or where it is full beside it."""
    board, form = pos.game.board, pos.form[unit]
    for spot in (hex_, *(h for h in board.touching(hex_) if board.price(column, hex_, h, False) is not None)):
        if not in_area(pos, spot) or pos.holder(spot) not in (None, side) or fault(
                pos, spot, [*pos.stack(spot), unit], form != DISORDER) is not None:
            continue
        if pos.unit(unit).hexes == 1:
            return spot, None
        tail = pos.astride(unit, spot)
        if tail is not None:
            return spot, tail
    return None


def inward(pos: Position, hex_: str) -> int:
    """Facing of who comes in over the edge at a hex."""
    missing = [
        side for side, there in enumerate(pos.game.board.around[hex_]) if there is None or not in_area(pos, there)
    ]
    return 2 * ((missing[len(missing) // 2] + 3) % 6) if missing else 0


def barred(pos: Position, side: str, hex_: str) -> bool:
    """14.3 Whether enemies or their zones close an entry hex."""
    foe = enemy(side)
    return pos.holder(hex_) == foe or hex_ in pos.zones(foe)


def entry(pos: Position, side: str, row: list[Any]) -> str | None:
    """14.1.1, 14.3 The hex where a group comes in. Where enemies or their zones are it waits a turn, then takes the
    nearest edge hex that is free of them."""
    board = pos.game.board
    name = row[3] if isinstance(row[3], str) else row[3][0]
    hex_: str = board.entries.get(name, name)
    if not barred(pos, side, hex_):
        return hex_
    delays = pos.special.setdefault("delayed", {})
    if delays.setdefault(f"{row[0]}:{name}", pos.turn) == pos.turn:  # each group waits its own turn
        return None
    edge = [h for h, around in board.around.items() if in_area(pos, h) and not all(
        n is not None and in_area(pos, n) for n in around) and board.terrain[h] not in ("pond", "castle")]
    able = [h for h in edge if not barred(pos, side, h)]
    return min(able, key=lambda h: (board.distance(hex_, h), h), default=None)
