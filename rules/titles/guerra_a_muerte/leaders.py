"""8 Leaders: what they add, and what becomes of them when their men are gone. 10.3 The havens."""

from __future__ import annotations

from collections.abc import Iterable

from rules.core.forms import Group, Option, Place, label
from rules.core.procedure import Procedure
from rules.titles.guerra_a_muerte.asking import d6, pick
from rules.titles.guerra_a_muerte.barred import no_exile
from rules.titles.guerra_a_muerte.board import HAVENS, PATRIOT, ROYALIST
from rules.titles.guerra_a_muerte.control import own_ports
from rules.titles.guerra_a_muerte.position import OUT, Position

MANY = 99


def operations(pos: Position, units: Iterable[str]) -> int:
    """8.1, 3.3 The operations factor of the best leader in a force; several do not add up (ruling)."""
    return max((pos.unit(u).operations for u in pos.leaders_of(units)), default=0)


def tactical(pos: Position, units: Iterable[str]) -> int:
    """8.1, 6.1 The tactical factor of the best leader in a force; 8.3 Cochrane's is of no use on land."""
    return max((pos.unit(u).tactical for u in pos.leaders_of(units) if not pos.unit(u).naval), default=0)


def among_guerrillas(pos: Position, leader: str) -> bool:
    """8.1, 10.1 Whether guerrillas of his side stand in the field with a leader: they are stacked with him too."""
    return any(u in pos.guerrillas and pos.unit(u).side == pos.unit(leader).side for u in pos.stack(pos.at[leader]))


def check_leaders(pos: Position, stack: Iterable[str], at: str, *, combat: bool = True) -> Procedure[None]:
    """8.1, 8.2 When all units stacked with a leader are gone a die: lost on 1 or 2, Boves on one more if it was in
    combat; the missing 3 survives (ruling 9)."""
    units = list(stack)
    if any(pos.on_map(u) for u in units if not pos.unit(u).leader):
        return
    for leader in pos.leaders_of(units):
        if not pos.on_map(leader) or among_guerrillas(pos, leader):
            continue
        die = yield from d6("leader", "8.1")
        total = die + (pos.game.tables["boves"] if leader == "boves" and combat else 0)
        lost = total <= pos.game.tables["leader_lost"]
        side = pos.unit(leader).side
        if not lost and pos.at[leader] in pos.game.seas and not pos.unit(leader).naval and leader not in pos.aboard:
            pos.put(leader, OUT)  # his ship is gone; until his player has chosen where he comes ashore he is nowhere
        pos.tell("leader_lost" if lost else "leader_saved", "8.1", side, leader=leader, at=at, roll=die)
        if lost:
            pos.bury(leader)
        else:
            yield from escape(pos, leader, at)


def refuges(pos: Position, leader: str, at: str) -> list[str]:
    """8.1, 10.3 Where a leader without men may go: beside the nearest stack of his nation (of any royalists for the
    crown), be it in a city of the same area, but not back to where he was beaten; a patriot also into his haven. An
    admiral goes to the nearest ships of his side, and without any ashore in a port (ruling); 5.2 nobody into a place
    under siege."""
    u = pos.unit(leader)
    if u.naval:
        ships = {pos.at[s] for s in pos.game.units if pos.unit(s).ship and pos.unit(s).side == u.side and pos.on_map(s)}
        open_ = [[p for p in places if not pos.besieged(p)] for places in (ships, own_ports(pos, u.side))]
        return pos.game.nearest(pos.game.far(at, sea=True), open_[0] or open_[1])
    here = pos.game.area(at)
    stacks = {pos.at[x]: area for x in pos.game.units if pos.unit(x).troops and pos.on_map(x)
              and (pos.unit(x).side == u.side == ROYALIST or pos.unit(x).nation == u.nation)
              and x not in pos.aboard and not pos.besieged(pos.at[x]) and pos.at[x] != at
              and pos.unit(x).nation != "portuguese" and (area := pos.game.area(pos.at[x])) is not None}
    far = pos.game.ashore(at) if here is None else pos.game.far(here)
    if here is not None and far.keys().isdisjoint(stacks.values()):  # nobody is on this island
        far = pos.game.overseas(here)
    near = pos.game.nearest(far, stacks.values())
    haven = HAVENS.get(u.nation)
    return [*sorted(loc for loc, area in stacks.items() if area in near),
            *([haven] if haven is not None and u.side == PATRIOT else [])]


def escape(pos: Position, leader: str, at: str) -> Procedure[None]:
    """8.1 A leader who is saved goes to his own; with nobody to go to he is lost all the same (ruling)."""
    goals = refuges(pos, leader, at)
    side = pos.unit(leader).side
    if not goals:
        pos.bury(leader)
        pos.tell("leader_without_refuge", "8.1", side, leader=leader)
        return
    goal = goals[0]
    if len(goals) > 1:
        goal = yield from pick(side, "escape", "8.1", [
            Option(g, "8.1", label("option.place", at=g), at=g) for g in goals], leader=leader)
    pos.aboard.pop(leader, None)
    pos.put(leader, goal)
    pos.tell("leader_escaped", "8.1", side, leader=leader, at=goal)


def exiles(pos: Position, nations: Iterable[str]) -> dict[str, str]:
    """10.3 The patriot leaders who may go into their haven, with it: at any moment of their group's operations, free
    of cost, out of any area, but not out of a city under siege (ruling)."""
    return {x: HAVENS[nation] for x, nation in pos.game.exiles.items()
            if nation in nations and pos.game.area(pos.at[x]) is not None and not pos.besieged(pos.at[x])}


def haven_form(pos: Position, nations: Iterable[str]) -> Place | None:
    """10.3 Leaders into their havens."""
    able = exiles(pos, nations)
    groups = tuple(Group(f"exile_{x}", "10.3", (x,), (haven,), name="exile") for x, haven in sorted(able.items()))
    return Place("haven", "10.3", groups, MANY, "10.3",
                 why=lambda leader, _loc: no_exile(pos, leader, nations)) if groups else None


def into_haven(pos: Position, placed: dict[str, str]) -> None:
    """10.3 Leaders leave their men for a haven; who has not operated may still be activated there, but takes ship in
    a later phase (7.6)."""
    pos.flags["exiled"] = sorted({*pos.flags.get("exiled", ()), *placed})
    for leader, haven in placed.items():
        pos.aboard.pop(leader, None)
        pos.put(leader, haven)
        for force in pos.forces:
            if leader in force["units"]:
                force["units"].remove(leader)
                pos.operated.append(leader)
    pos.tidy()
    pos.tell("exiled", "10.3", PATRIOT, placed=[[x, h] for x, h in sorted(placed.items())], count=len(placed))


