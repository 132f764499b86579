"""6.1 Field battle, 6.3.1 the advance after it, 3.4 and the fights that interception brings."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.forms import Option, label
from rules.core.procedure import Procedure
from rules.core.request import OPEN, needs_open, needs_some
from rules.mechanics.lookup import lookup
from rules.titles.guerra_a_muerte import odds
from rules.titles.guerra_a_muerte.asking import DIE, d6, lose, pick
from rules.titles.guerra_a_muerte.board import CAVALRY, REBELS, ROYALIST, SIDES, enemy
from rules.titles.guerra_a_muerte.control import enterable
from rules.titles.guerra_a_muerte.guerrillas import repression
from rules.titles.guerra_a_muerte.leaders import among_guerrillas, check_leaders, operations, tactical
from rules.titles.guerra_a_muerte.ports import needs_of_entry
from rules.titles.guerra_a_muerte.position import HELD, Position, player_of

EVADED = "evaded"


def field_force(pos: Position, side: str, area: str) -> list[str]:
    """5.1, 6.1 Who stands in the field of an area as one force: besiegers, guerrillas, rebels and the Legion apart
    (ruling). Leaders with guerrillas alone are found only by hunting these (8.1, 10.1)."""
    units = [u for u in pos.units_at(area, side) if u not in pos.guerrillas and pos.besieging(u) is None
             and pos.unit(u).nation != "portuguese" and not pos.unit(u).ship]
    return [] if not pos.troops(units) and any(among_guerrillas(pos, u) for u in units) else units


def legion_force(pos: Position, area: str) -> list[str]:
    """10.6 The Legion stands for itself."""
    return [u for u in pos.units_at(area, ROYALIST) if pos.unit(u).nation == "portuguese"]


def besiegers(pos: Position, side: str, area: str) -> dict[str, list[str]]:
    """6.2, 10.6 The forces of a side that besiege cities of an area, by city; the Legion stands by itself there too."""
    found = {city: [u for u in siege["units"] if pos.unit(u).nation != "portuguese"]
             for city, siege in sorted(pos.sieges.items()) if siege["side"] == side and pos.game.area(city) == area}
    return {city: units for city, units in found.items() if units}


def forces_in(pos: Position, side: str, area: str) -> dict[str, list[str]]:
    """6.1 The forces of a side in the field of an area, by name: `field`, `legion`, or the city they besiege."""
    found: dict[str, list[str]] = {"field": field_force(pos, side, area)}
    if side == ROYALIST:
        found["legion"] = legion_force(pos, area)
    found |= besiegers(pos, side, area)
    return {name: units for name, units in found.items() if units}


def show(pos: Position, area: str) -> list[str]:
    """5.1.3 For a battle, an interception or an evasion the boxes of an area are opened; which ones."""
    fresh = [f"{side}:{area}" for side in SIDES if pos.hidden(side, area)]
    pos.seen = sorted({*pos.seen, *fresh})
    pos.touched |= {f"space:{area}", *HELD}
    return fresh


def close(pos: Position, opened: Sequence[str]) -> None:
    """5.1.3 Afterwards they are closed again."""
    pos.seen = [name for name in pos.seen if name not in opened]
    for name in opened:
        pos.touched |= {f"space:{name.partition(':')[2]}", *HELD}


def fight(pos: Position, attackers: Sequence[str], defenders: Sequence[str], area: str, *, may_evade: bool,
          friction: bool, clause: str = "6.1") -> Procedure[str]:
    """6.1 A field battle step by step: evasion, initiative, tactics, odds, result, losses, advance, repression. The
    result, or `evaded`."""
    a_side, d_side = pos.unit(attackers[0]).side, pos.unit(defenders[0]).side
    foe = player_of(d_side, a_side)
    opened = show(pos, area)
    pos.leave_siege(attackers)
    pos.tell("battle_began", clause, a_side, at=area, attackers=sorted(attackers), defenders=sorted(defenders),
             shown=sorted(u for u in pos.stack(area) if pos.boxed(u)), reveals=True)
    if may_evade and (yield from evade(pos, attackers, defenders, area, foe)):
        close(pos, opened)
        return EVADED
    result = "DZ"  # leaders alone are caught or get away
    if pos.troops(defenders):
        result = yield from clash(pos, attackers, defenders, area, foe, friction)
    yield from aftermath(pos, attackers, defenders, area, result)
    close(pos, opened)
    return result


def evade(pos: Position, attackers: Sequence[str], defenders: Sequence[str], area: str, foe: str) -> Procedure[bool]:
    """6.1 The force that is attacked may try to get out of the way, which moves nobody (ruling 35); besiegers that do
    lift their siege, works and all."""
    bonus, success = evasion_modifier(pos, attackers, defenders), pos.game.tables["evasion"]["success"]
    table = lookup("evasion", rows={die: "success" for die in DIE if die + bonus <= success})
    choice = yield from pick(foe, "evade", "6.1", [
        Option("evade", "6.1", label("option.evade"), table=table), Option("stand", "6.1", label("option.stand"))],
        at=area, n=bonus)
    if choice == "stand":
        return False
    die = yield from d6("evasion", "6.1")
    total = die + bonus
    away: bool = total <= success
    pos.tell("evaded" if away else "evasion_failed", "6.1", foe, at=area, roll=die, total=total)
    if away:
        pos.leave_siege(defenders)
    return away


def evasion_modifier(pos: Position, attackers: Sequence[str], defenders: Sequence[str]) -> int:
    """6.1 More cavalry than the other side is worth 2, and leaders their operations factors."""
    table = pos.game.tables["evasion"]
    riders = [sum(pos.unit(u).type == CAVALRY for u in units) for units in (attackers, defenders)]
    edge = table["cavalry"] * ((riders[0] > riders[1]) - (riders[1] > riders[0]))
    return int(edge) + operations(pos, attackers) - operations(pos, defenders)


def clash(pos: Position, attackers: Sequence[str], defenders: Sequence[str], area: str, foe: str,
          friction: bool) -> Procedure[str]:
    """6.1 Initiative, tactics, odds, the die and the losses."""
    a_side = pos.unit(attackers[0]).side
    totals = yield from initiative(pos, attackers, defenders)
    drawn = yield from draw_tactics(pos, totals[0] > totals[1], a_side, foe)
    mine, theirs = pos.troops(attackers), pos.troops(defenders)
    found = odds.battle_sum(pos, mine, theirs, area, (a_side, pos.unit(defenders[0]).side), drawn, friction,
                            totals)
    pos.battle = odds.panel(pos, found, "battle", mine, theirs, area)
    pos.touched.add("battle")
    pos.tell("odds", "6.1", a_side, at=area, attack=found.attack, defense=found.defense, odds=pos.battle)
    steps = odds.steps_of(pos, mine), odds.steps_of(pos, theirs)
    if found.column is None:
        result = "AZ"
        pos.tell("battle_hopeless", "6.1", a_side, at=area)
    else:
        die = yield from d6("battle", "6.1")
        result = odds.cell(pos.game.tables["battle"]["rows"], found.column, die + found.die)
        pos.battle = {**pos.battle, "rolled": die}
        pos.touched.add("battle")
        pos.tell("battle_rolled", "6.1", a_side, at=area, roll=die, total=die + found.die, result=f"result.{result}",
                 odds=pos.battle)
    lost, killed = odds.losses(result, *steps)
    yield from lose(pos, a_side, mine, lost, "6.1", area, needs_some if 0 < killed < steps[1] else needs_open)
    yield from lose(pos, foe, theirs, killed, "6.1", area)
    pos.battle = None
    pos.touched.add("battle")
    return result


def initiative(pos: Position, attackers: Sequence[str], defenders: Sequence[str]) -> Procedure[tuple[int, int]]:
    """6.1 A die each and the tactical factor of the leader, attacker and defender; the higher has the initiative."""
    skill = tactical(pos, attackers), tactical(pos, defenders)
    while True:
        ours = yield from d6("initiative", "6.1")
        theirs = yield from d6("initiative", "6.1")
        totals = ours + skill[0], theirs + skill[1]
        if totals[0] != totals[1]:
            break
    side = pos.unit((attackers if totals[0] > totals[1] else defenders)[0]).side
    pos.tell("initiative", "6.1", side, attacker=totals[0], defender=totals[1])
    return totals


def draw_tactics(pos: Position, first: bool, a_side: str, foe: str) -> Procedure[tuple[list[str], list[str]]]:
    """6.1 The side with the initiative rolls two dice on the tactics table and keeps both, the other one (ruling
    22)."""
    drawn: list[list[str]] = []
    for side, dice in ((a_side, 2 if first else 1), (foe, 1 if first else 2)):
        kept = []
        for _ in range(dice):
            die = yield from d6("tactics", "6.1")
            kept.append(str(pos.game.tables["tactics"][str(die)]["id"]))
        pos.tell("tactics", "6.1", side, tactics=[f"tactic.{t}" for t in sorted(set(kept))])
        drawn.append(sorted(set(kept)))
    return drawn[0], drawn[1]


def aftermath(pos: Position, attackers: Sequence[str], defenders: Sequence[str], area: str,
              result: str) -> Procedure[None]:
    """6.1, 6.3.1, 8.1, 10.4 Leaders without men, repression, and the victor's way into an empty city."""
    a_side, d_side = pos.unit(attackers[0]).side, pos.unit(defenders[0]).side
    for units in (attackers, defenders):
        yield from check_leaders(pos, units, area)
    pos.tidy()
    standing = [[u for u in pos.troops(units) if pos.on_map(u)] for units in (attackers, defenders)]
    pos.tell("battle_ended", "6.1", None, at=area, result=f"result.{result}")
    if REBELS not in (a_side, d_side):  # who drives rebels out has cleared the area of no patriots
        yield from repression(pos, ROYALIST, area)
    won = a_side if standing[0] and (result.startswith("D") or not standing[1]) else \
        d_side if standing[1] and (result.startswith("A") or not standing[0]) else None
    if won is not None and won != REBELS:
        yield from advance(pos, attackers if won == a_side else defenders, area)


def advance(pos: Position, victors: Sequence[str], area: str) -> Procedure[None]:
    """6.3.1 The victor may at once go into a city, fortress or port of the area in which no enemy stands."""
    units = [u for u in victors if pos.at[u] == area and pos.unit(u).nation != "portuguese"
             and pos.besieging(u) is None]
    side = pos.unit(victors[0]).side
    open_ = sorted(p for p in pos.game.within(area) if enterable(pos, p, side))
    if not pos.troops(units) or not open_:
        return
    goal = yield from pick(side, "advance", "6.3.1", [
        Option("stay", "6.3.1", label("option.stay"), at=area),
        *(Option(p, "6.3.1", label("option.place", at=p), at=p) for p in open_)], at=area,
        needs=lambda _: needs_of_entry(pos, area, enemy(side)) if side == pos.active else OPEN)
    if goal == "stay":
        pos.tell("stayed", "6.3.1", side, at=area)
        return
    for unit in units:
        pos.put(unit, goal)
    for force in pos.forces:
        if set(force["units"]) & set(units):
            force["at"] = goal
    pos.tidy()
    pos.tell("advanced", "6.3.1", side, at=goal, units=units, count=len(units))


