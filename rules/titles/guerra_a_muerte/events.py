"""10.2 The liberals take power in Spain; 3.1 how a turn begins and ends."""

from __future__ import annotations

from rules.core.agenda import AGAIN, DONE, Next, Step
from rules.core.forms import Choose, Option, label
from rules.core.procedure import Procedure
from rules.titles.guerra_a_muerte.asking import d6, done, want
from rules.titles.guerra_a_muerte.battle import show
from rules.titles.guerra_a_muerte.board import LEADER, PATRIOT, ROMAN, ROYALIST, SHIPS, SIDES, year
from rules.titles.guerra_a_muerte.leaders import check_leaders
from rules.titles.guerra_a_muerte.ports import fallen_ports
from rules.titles.guerra_a_muerte.position import HELD, OUT, Position
from rules.titles.guerra_a_muerte.turn import enter_stage, segments, whole_turn
from rules.titles.guerra_a_muerte.victory import decide


@segments.segment
def begin_turn(pos: Position) -> Procedure[Next]:
    """2.3, 3.1 A year begins: counters that may be built from now on come from the turn track into their pools."""
    yield from ()
    enter_stage(pos, "events")
    for city, siege in pos.sieges.items():  # 6.6: the points of a blockade are those of one turn
        siege["blockade"] = False
        pos.touch(city)
    pos.touched |= {f"space:{pos.at[u]}" for u in pos.operated if pos.on_map(u)}
    pos.touched.add("table:war")
    pos.operated, pos.flags, pos.mexico = [], {}, None  # 3.1, 5.1: what was done last year binds nobody now
    pos.named, pos.recruited, pos.mass_levy, pos.free_ship = {}, {}, [], False
    for unit in list(pos.stack(f"turn:{pos.turn}")):
        if pos.unit(unit).enters == "recruit_pool":
            pos.put(unit, f"recruits:{pos.unit(unit).nation}")
    pos.tell("turn_began", "3.1", None, turn=ROMAN[pos.turn - 1], year=year(pos.turn))
    return DONE


@segments.segment
def events(pos: Position) -> Procedure[Next]:
    """10.2, 3.1 From turn 9 on a die: the liberals come on 5 or more, on one less each turn after; once a game."""
    table = pos.game.tables["coup"]
    if pos.liberals() or pos.turn < table["from"]:
        return DONE
    needed = table["success"] - (pos.turn - table["from"])
    die = yield from d6("coup", "10.2")
    pos.tell("coup_rolled", "10.2", PATRIOT, roll=die, needed=needed)
    if die < needed:
        return DONE
    take_power(pos)
    return [["subversion", sorted(u for u in pos.game.units if subverter(pos, u))]]


def take_power(pos: Position) -> None:
    """10.2.1, 4.9.1 The coup: whatever was to come from Spain is cancelled, and levied areas may rise again, those of
    either side (ruling)."""
    pos.coup = pos.turn
    cancelled = sorted(u for u, loc in pos.at.items() if loc.startswith("turn:") and from_spain(pos, u))
    for unit in cancelled:
        pos.put(unit, OUT)
    lifted = sorted({area for side in SIDES for area in pos.masses[side]})
    pos.masses = {side: [] for side in SIDES}
    pos.touched |= {"table:war", "layer:marks"}
    pos.tell("liberals", "10.2.1", None, count=len(cancelled), areas=lifted)


def from_spain(pos: Position, unit: str) -> bool:
    """10.2.1 Royalist reinforcements that come over the ocean, leaders and ships too."""
    u = pos.unit(unit)
    return u.side == ROYALIST and (
        u.nation == "spanish" or (u.type in SHIPS and u.enters != "recruit_pool") or
        (u.type == LEADER and u.enters == "any_port"))


# -- subversion ------------------------------------------------------------------------------------------------


def subverter(pos: Position, unit: str) -> bool:
    """10.2.1 Each patriot leader on the map may try once; one at sea commands no land (ruling)."""
    u = pos.unit(unit)
    return u.leader and u.side == PATRIOT and not u.naval and pos.game.area(pos.at[unit]) is not None


def victims(pos: Position, leader: str) -> list[str]:
    """10.2.2, 1.3.1 American royalist units in the leader's area: regulars, and militia, who are all Americans."""
    area = pos.game.area(pos.at[leader])
    return [] if area is None else sorted(
        u for u in pos.units_in(area, ROYALIST) if pos.unit(u).nation == "american" or pos.unit(u).militia)


def agitators(pos: Position) -> list[str]:
    """10.2.1 Who may still try in the turn of the coup: leaders in an area where American royalists, or a closed box,
    can be seen."""
    if pos.coup != pos.turn:
        return []
    tried = pos.flags.get("agitated", ())
    return sorted(x for x in pos.game.units if x not in tried and subverter(pos, x) and (
        pos.hidden(ROYALIST, str(pos.game.area(pos.at[x])))
        or any(not (pos.boxed(u) and pos.hidden(ROYALIST, pos.at[u])) for u in victims(pos, x))))


def agitate_form(pos: Position) -> Choose | None:
    """10.2.1 In the operations of that turn a leader may try at any moment."""
    able = agitators(pos)
    return Choose("agitate", "10.2.1", tuple(
        Option(x, "10.2.1", label("option.agitate", unit=x), at=pos.at[x]) for x in able)) if able else None


def agitate(pos: Position, leader: str) -> Step:
    """10.2.1 That was his one attempt, whomever he finds."""
    pos.flags["agitated"] = sorted({*pos.flags.get("agitated", ()), leader})
    return ["subversion", [leader]]


@segments.segment
def subversion(pos: Position, leaders: list[str]) -> Procedure[Next]:
    """10.2.1 In the turn of the coup alone each leader names one American unit in his area, at once or in the patriot
    operations of that turn. What stands there is shown first, the boxes of both too (ruling)."""
    able = {x: victims(pos, x) for x in leaders if subverter(pos, x)}
    able = {x: units for x, units in able.items() if units}
    if not able:
        if pos.seen:
            pos.seen = []
            pos.touched |= {*HELD, *(f"space:{a}" for a in pos.game.land)}
            pos.tell("subversion_ended", "10.2.1", None)
        return DONE
    looked = {area for x in able if (area := pos.game.area(pos.at[x]))}
    if fresh := [a for a in sorted(looked) if show(pos, a)]:
        pos.tell("shown", "10.2.2", PATRIOT, areas=fresh, reveals=True,
                 shown=sorted(u for a in fresh for u in pos.stack(a) if pos.boxed(u)))
        return AGAIN
    answer = yield from want(PATRIOT, "subversion", "10.2.2", [
        *(Choose(f"subvert_{x}", "10.2.2", tuple(
            Option(u, "10.2.2", label("option.subvert", unit=u)) for u in units))
          for x, units in sorted(able.items())), done("end_subversion", "10.2.1")])
    if answer["form"] == "end_subversion":
        return [["subversion", []]]
    leader, unit = answer["form"].removeprefix("subvert_"), answer["option"]
    yield from subvert(pos, leader, unit)
    return [["subversion", [x for x in leaders if x != leader]]]


def subvert(pos: Position, leader: str, unit: str) -> Procedure[None]:
    """10.2.2 On 1 to 3 the unit changes sides: a patriot counter of its kind, as like as can be, stands with the
    leader; a reduced one stays reduced."""
    agitate(pos, leader)
    die = yield from d6("subversion", "10.2.2")
    won = die <= pos.game.tables["coup"]["subversion"]
    pos.tell("subversion_tried", "10.2.2", PATRIOT, leader=leader, unit=unit, roll=die, at=pos.at[unit], reveals=True)
    if not won:
        return
    worn, at = unit in pos.reduced, pos.at[unit]
    new = substitute(pos, leader, unit)
    pos.bury(unit)
    if new is not None:
        pos.put(new, pos.at[leader])
        if worn and pos.unit(new).steps > 1:
            pos.reduced.append(new)
    pos.tidy()
    pos.tell("subverted", "10.2.2", PATRIOT, unit=unit, by=new or unit, leader=leader, at=pos.at[leader], reveals=True)
    if not pos.troops(pos.units_at(at, ROYALIST)):
        yield from check_leaders(pos, [unit, *pos.units_at(at, ROYALIST)], at, combat=False)
    yield from fallen_ports(pos)


def substitute(pos: Position, leader: str, unit: str) -> str | None:
    """10.2.2, 4.10 The counter that takes its place: of the leader's nation or Peru's, the same kind, militia for
    militia, steps and factor as near as they come, New Granada's in its own land alone; None when none is left."""
    old = pos.unit(unit)
    nations = {pos.unit(leader).nation, "peru"}
    home = pos.game.area(pos.at[leader]) in pos.game.lists["new_granada"]
    fit = [u for u in pos.game.units if pos.unit(u).type == old.type and pos.unit(u).nation in nations
           and pos.unit(u).militia == old.militia and (home or not pos.unit(u).new_granada)
           and pos.at[u].startswith(("recruits:", "turn:"))]
    return min(fit, default=None, key=lambda u: (
        pos.unit(u).steps != old.steps, abs(pos.unit(u).full - old.full), pos.at[u].startswith("turn:"), u))


@segments.segment
def end_turn(pos: Position) -> Procedure[Next]:
    """3.1 The year is over; after the last one the areas are counted (11.1)."""
    yield from ()
    last = pos.game.scenario["first_turn"] + pos.game.scenario["turns"] - 1
    if pos.turn >= last:
        decide(pos)
        return DONE
    pos.turn += 1
    return whole_turn(pos.game)
