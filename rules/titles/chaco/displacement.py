"""10.3 What happens to counters that do not fight when enemy combat units come."""

from __future__ import annotations

from rules.core.forms import Choose, Option, label
from rules.core.procedure import Procedure, choose
from rules.core.request import Request, needs_open
from rules.titles.chaco.dice import die
from rules.titles.chaco.position import Position
from rules.titles.chaco.supply import sources
from rules.titles.chaco.units import enemy


def nearest(pos: Position, side: str, hex_: str) -> list[str]:
    """10.3 The hexes of the nearest friendly combat units; without any, the working sources (a ruling), without those
    every source, always such as no enemy stands on, and if there is none the boxes off the map (10.12)."""
    armies = [h for h in pos.army(side) if h not in pos.game.off_map and h != hex_]
    if armies:
        away = {h: pos.game.map.distance(hex_, h) for h in armies}
        return sorted(h for h, d in away.items() if d == min(away.values()))
    boxes = [h for h in pos.army(side) if h in pos.game.off_map]
    free = {h for h in pos.game.sources[side] if pos.holder(h) in (None, side)}
    return sorted(boxes or free.intersection(sources(pos, side)) or free or pos.game.boxes[side])


def to_be_asked(pos: Position, side: str, hex_: str) -> int:
    """10.3 How many leaders of a hex with no combat units their owner has to say a place for, were enemies to come."""
    leaders = [x for x in pos.leaders_at(hex_) if pos.unit(x).side == side]
    return len(leaders) if leaders and len(nearest(pos, side, hex_)) > 1 else 0


def displace_leaders(pos: Position, side: str, hex_: str, clause: str) -> Procedure[None]:
    """10.3 Each leader of a hex goes to the nearest friendly combat unit, ties to the owner; a named one gives the
    enemy his political rating times a die."""
    for leader in list(pos.leaders_at(hex_)):
        if pos.unit(leader).side != side:
            continue
        goals = nearest(pos, side, hex_)
        options = tuple(Option(h, "10.3", label("option.go_to", at=h), at=h) for h in goals)
        goal = yield from choose(Request(side, "prompt.displaced", "10.3", (Choose("displaced", "10.3", options),),
                                         {"at": hex_, "unit": leader}, open_grounds=True, needs=needs_open))
        pos.put(leader, goal)
        pos.aboard.pop(leader, None)
        scored = 0
        if pos.unit(leader).named:
            rolled = yield from die("displaced", "16.2")
            scored = rolled * pos.unit(leader).political
            pos.points(enemy(side), scored)
        pos.tell("leader_displaced", clause, side, reveals=True, at=goal, unit=leader, points=scored, **{"from": hex_})


def capture_supply(pos: Position, side: str, hex_: str) -> Procedure[None]:
    """10.3 A die for each supply point of the enemy in a hex: captured on 1 or 2, worth a point (16.2), else lost."""
    foe = enemy(side)
    units = [u for u in pos.stack(hex_) if pos.unit(u).type == "supply" and pos.unit(u).side == foe]
    taken = 0
    for unit in units:
        rolled = yield from die("capture", "10.3")
        taken += rolled in pos.game.n["supply_capture"]
        pos.strip(unit)
        pos.take_off(unit)
    for unit in pos.make_supply(side, taken):
        pos.put(unit, hex_)
    pos.points(side, taken * int(pos.game.n["points"]["supply"]))
    if units:
        pos.tell("supply_taken", "10.3", side, reveals=True, at=hex_, count=len(units), taken=taken)


def overrun(pos: Position, side: str, hex_: str, clause: str = "10.3") -> Procedure[None]:
    """10.3 Combat units of a side come into a hex where the enemy has none: leaders go, the headquarters is lifted
    (8.5), trucks are lost, supply is captured or lost."""
    foe = enemy(side)
    if pos.holder(hex_) != foe:
        return
    yield from displace_leaders(pos, foe, hex_, clause)
    for unit in list(pos.stack(hex_)):
        kind = pos.unit(unit).type
        if kind in ("ghq", "truck"):
            pos.send_off(unit)
            pos.tell("ghq_overrun" if kind == "ghq" else "truck_lost", "8.5" if kind == "ghq" else "10.3", foe,
                     reveals=True, at=hex_, unit=unit)
    yield from capture_supply(pos, side, hex_)
