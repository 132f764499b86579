"""8.5.5, 5.4, 6.2.7, A4.4.5 Leaders: hit, replaced, left alone; brigade leaders taken off."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.core.forms import Allocate, Choose, Option, label
from rules.core.procedure import Procedure, allocate, choose, draw, roll
from rules.core.request import Request, needs_open
from rules.mechanics.ending import finish
from rules.titles.austerlitz.lots import lot
from rules.titles.austerlitz.position import STAFF, Position
from rules.titles.austerlitz.units import ALLIED, FRENCH, enemy

NAPOLEON = "F-Napoleon"
FALLEN = {FRENCH: "fallen:french", ALLIED: "fallen:allied"}


def aboard(pos: Position, leader: str) -> bool:
    """Whether a leader is on the map."""
    return ":" not in pos.leaders.get(leader, ":")


def himself(pos: Position, leader: str, hexes: Iterable[str]) -> bool:
    """8.5.5 Whether a certain leader is in one of these hexes, and not a nameless one in his place."""
    return leader not in pos.post and any(leader in pos.here.get(h, ()) for h in hexes)


def casualties(pos: Position, hexes: Iterable[str]) -> Procedure[None]:
    """8.5.5 A die for each leader in the hexes of a loss: he is hit on a 0."""
    for leader in sorted(x for h in hexes for x in pos.here.get(h, ())):
        die = yield from roll(f"leader {leader}", "8.5.5", 0, 9)
        if die == 0:
            yield from _replace(pos, leader)
        else:
            pos.tell("leader_unhurt", "8.5.5", pos.game.leaders[leader].side, leader=leader, roll=die)


def _replace(pos: Position, leader: str) -> Procedure[None]:
    """8.5.5 A nameless leader, drawn at random, takes his place; A4.4.1 Napoleon's fall ends the game."""
    rated = pos.game.leaders[leader]
    pos.tell("leader_hit", "8.5.5", rated.side, leader=leader, at=pos.leaders[leader])
    if leader == NAPOLEON:
        finish(pos, ALLIED, "napoleon_fell", "A4.4.1")
        return
    if rated.rank == "staff":
        pos.put_leader(leader, FALLEN[rated.side])
        return
    every = pos.game.replacements[rated.side]  # each counter is drawn once, while there are others
    able = tuple(x for x in every if x not in pos.post.values()) or every
    n = yield from draw(f"replacement of {leader}", "8.5.5", len(able), able)
    pos.post[leader] = able[n]
    pos.touched.add(f"space:{pos.leaders[leader]}")


def units_of(pos: Position, leader: str) -> list[str]:
    """The units under a leader, on the map."""
    if leader in pos.detached:
        return [u for u in pos.detached[leader] if pos.on_map(u)]
    rated = pos.game.leaders[leader]
    game, command = pos.game, rated.command
    if rated.rank == "overall" or command is None or command not in game.commands:
        return [u for u in pos.at if pos.on_map(u) and pos.unit(u).side == rated.side]
    divisions = game.commands[command].divisions or (command,)
    found = [u for d in divisions for u in game.members[d]] + list(game.corps_guns.get(command, ()))
    return [u for u in found if pos.on_map(u)]


def company(pos: Position, unit: str, kind: str) -> Procedure[list[str]]:
    """8.5.5 The leaders with a unit that retreats (`follow`) or charges (`ride_along`, ruling): their player says which
    of them go with it."""
    side, at = pos.unit(unit).side, pos.at[unit]
    able = sorted(x for h in pos.footprint(unit) for x in pos.here.get(h, ()) if pos.game.side[x] == side)
    if not able:
        return []
    taken = yield from allocate(Request(pos.seat_of(unit), f"prompt.{kind}", "8.5.5", (
        Allocate(kind, "8.5.5", "choose", (lot(kind, tuple(able), 0, len(able), at=at),)),), {"unit": unit, "at": at},
        needs=needs_open))
    return list(taken.get(kind, []))


def escort(pos: Position, units: Sequence[str]) -> Procedure[None]:
    """8.5.5 Which leaders ride with cavalry in this charge."""
    riders = yield from company(pos, units[0], "ride_along")
    if pos.act is not None:
        pos.act["escort"] = [*pos.act.get("escort", ()), *riders]


def ride_along(pos: Position, hexes: Sequence[str], there: str) -> None:
    """8.5.5 Who rides with cavalry that charges goes with it from its hexes (ruling)."""
    for leader in pos.act.get("escort", ()) if pos.act is not None else ():
        if pos.leaders[leader] in hexes:
            pos.put_leader(leader, there)


def unaccompanied(pos: Position, hexes: Iterable[str]) -> Procedure[None]:
    """8.5.5 Leaders left alone in a hex go to the nearest unit under them; a leader whose units are all destroyed goes
    with them."""
    for hex_ in hexes:
        for leader in sorted(pos.here.get(hex_, ())):
            if pos.holder(hex_) == pos.game.leaders[leader].side:
                continue
            yield from _send_to_troops(pos, leader)


def ridden_down(pos: Position, hexes: Iterable[str]) -> Procedure[None]:
    """6.2.7, 8.5.5 Lone leaders in whose hex an enemy comes go to their nearest troops (ruling)."""
    for hex_ in hexes:
        holder = pos.holder(hex_)
        for leader in sorted(pos.here.get(hex_, ())):
            if holder is not None and pos.game.leaders[leader].side != holder:
                yield from _send_to_troops(pos, leader)


def _send_to_troops(pos: Position, leader: str) -> Procedure[None]:
    """8.5.5 To the nearest hex with a unit under him; of several his player chooses."""
    rated = pos.game.leaders[leader]
    hexes = _nearest_troops(pos, leader)
    if not hexes:
        _without_troops(pos, leader)
        return
    there = hexes[0]
    if len(hexes) > 1:
        here = pos.leaders[leader]
        pos.tell("leader_alone", "8.5.5", rated.side, leader=leader, at=here)
        options = tuple(Option(h, "8.5.5", label("option.leader_joins", at=h), at=h) for h in hexes)
        there = yield from choose(Request(pos.seat_of(leader), "prompt.leader_alone", "8.5.5", (
            Choose("leader_alone", "8.5.5", options),), {"leader": leader, "at": here}, needs=needs_open))
    pos.put_leader(leader, there)
    pos.tell("leader_joined", "8.5.5", rated.side, leader=leader, at=there)


def _nearest_troops(pos: Position, leader: str) -> list[str]:
    """8.5.5 The hexes with a unit under a leader that are nearest to him; those farthest from enemies first."""
    board, here = pos.game.board, pos.leaders[leader]
    away = {h: board.distance(here, h) for u in units_of(pos, leader) for h in pos.footprint(u)}
    nearest = [h for h, n in away.items() if n == min(away.values())]
    foes = pos.hexes_of(enemy(pos.game.leaders[leader].side)) if len(nearest) > 1 else []
    return sorted(nearest, key=lambda h: (-min((board.distance(h, foe) for foe in foes), default=0), h))


def _without_troops(pos: Position, leader: str) -> None:
    """8.5.5 A leader all of whose units are destroyed goes with them; A4.4.4 one of the staff goes to Napoleon."""
    rated = pos.game.leaders[leader]
    if rated.rank == "staff" and aboard(pos, NAPOLEON):
        pos.put_leader(leader, pos.leaders[NAPOLEON])
        return
    pos.tell("leader_lost", "8.5.5", rated.side, leader=leader)
    if leader in pos.detached and rated.rank == "brigade":
        end_brigade(pos, leader)
    else:
        pos.put_leader(leader, FALLEN[rated.side])


def end_brigade(pos: Position, leader: str) -> None:
    """A4.4.5 D The units are their division's again, which is as tired as they were, if that is more; the leader may be
    detached again from the next turn on. A brigade that still marched (14.4) does so no more."""
    pos.set_strategic(leader, False)
    pos.special.get("goals", {}).pop(leader, None)
    if leader in pos.special.get("reinforced", ()):
        pos.special["reinforced"].remove(leader)
    units = pos.detached.pop(leader, [])
    level = pos.fatigue.pop(leader, 0)
    for command in sorted({c for u in units if (c := pos.unit(u).command) is not None}):
        if level > pos.fatigue.get(command, 0):
            pos.fatigue[command] = level
    pos.special.setdefault("recalled", {})[leader] = pos.turn
    pos.special.get("source", {}).pop(leader, None)
    for unit in units:
        pos.mark(unit)
    pos.put_leader(leader, STAFF)
    pos.touched.add("table:fatigue_french")
    pos.tell("recalled", "A4.4.5", FRENCH, leader=leader)


def spent_brigades(pos: Position) -> None:
    """A4.4.5 A brigade of which nobody is left on the map is over."""
    for leader, units in list(pos.detached.items()):
        if units and pos.game.leaders[leader].rank == "brigade" and not any(pos.on_map(u) for u in units):
            end_brigade(pos, leader)
