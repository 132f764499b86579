"""8.4, A8 Charges, reaction charges and countercharges, step by step; pursuit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules.core.forms import Choose, Option, label
from rules.core.procedure import Procedure, choose
from rules.core.request import Request, needs_open
from rules.titles.austerlitz import reaction
from rules.titles.austerlitz.clash import (
    MURAT,
    Clash,
    attack_parts,
    fight,
    fighting,
    guns_left,
    standing,
    still,
    tested,
)
from rules.titles.austerlitz.course import chosen
from rules.titles.austerlitz.duty import arrived
from rules.titles.austerlitz.fire import broken, strategic, top
from rules.titles.austerlitz.formations import (
    COLUMN,
    DISORDER,
    LINE,
    SQUARE,
)
from rules.titles.austerlitz.leaders import escort, himself, ridden_down, ride_along, unaccompanied
from rules.titles.austerlitz.losses import bleed, disorder
from rules.titles.austerlitz.morale import disorder_check
from rules.titles.austerlitz.notes import note_melee, stir
from rules.titles.austerlitz.paths import (
    Ride,
    barred,
    charge_path,
    charge_ways,
    most_steps,
    ruffled,
    strikes,
    within_reach,
)
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.pursuit import follow
from rules.titles.austerlitz.received import stands
from rules.titles.austerlitz.storm import crushed
from rules.titles.austerlitz.units import GOOD, HEAVY, UNSTEADY, enemy

BESSIERES = "F-Bessieres"


def horse_of(pos: Position, hex_: str) -> list[str]:
    """The regiments of a hex, top first."""
    return [u for u in pos.stack(hex_) if pos.unit(u).mounted]


def able(pos: Position, unit: str) -> bool:
    """8.4, 6.4.1, 9.2.3, 11.1.1, A2.3 Whether cavalry may charge at all: in order (cossacks never are), not blown, not
    unsteady, not at its breakpoint."""
    u = pos.unit(unit)
    return (u.mounted and not pos.blown.get(unit) and pos.morale.get(unit, GOOD) < UNSTEADY and not broken(pos, unit)
            and (u.cossack or pos.form[unit] != DISORDER) and not strategic(pos, unit))


def eager(pos: Position, hex_: str) -> list[str]:
    """6.2.3, 8.4.2 no. 3 The regiments of a hex that may charge in reaction or countercharge: able, and not yet asked
    to in this activation; of a stack those that are, though others of it are not."""
    tried = pos.act["tried"] if pos.act is not None else ()
    return [u for u in horse_of(pos, hex_) if able(pos, u) and u not in tried]


def prey(pos: Position, unit: str, target: str) -> bool:
    """A2.3 Cossacks charge only at who is disordered or routed."""
    return not pos.unit(unit).cossack or pos.form[target] == DISORDER or pos.routed(target)


def choices(pos: Position) -> dict[str, dict[str, list[str]]]:
    """8.4.1, 8.4.2 no. 1 Target hex -> hexes from which active cavalry may charge it."""
    act = pos.act
    assert act is not None
    found: dict[str, dict[str, list[str]]] = {}
    for hex_ in dict.fromkeys(pos.at[u] for u in act["units"] if pos.on_map(u)):
        units = [u for u in horse_of(pos, hex_) if u in act["units"]]
        if not units or units[0] in act["melee"] or not all(able(pos, u) and u in act["may_charge"] for u in units):
            continue
        for target in near(pos, units[0]):
            if target not in act.get("charged", ()) and all(prey(pos, u, target) for u in units) and charge_path(
                    pos, units[0], target) is not None:
                found.setdefault(pos.at[target], {})[hex_] = units
    return found


def near(pos: Position, unit: str) -> list[str]:
    """8.4.1, A8.1.1 Top units of enemy stacks in sight, two to four hexes away."""
    table, board = pos.game.tables["charge"], pos.game.board
    side, found = enemy(pos.unit(unit).side), []
    for hex_ in board.within(pos.at[unit], table["most"] + 1):
        if pos.holder(hex_) != side:
            continue
        target = top(pos, hex_)
        if target is None or target in found:
            continue
        gap = min(board.distance(a, b) for a in pos.footprint(unit) for b in pos.footprint(target))
        if table["least"] <= gap <= table["most"] and not veiled(pos, target, gap) and seen(pos, unit, target):
            found.append(target)
    return found


def veiled(pos: Position, target: str, gap: int) -> bool:
    """A5.1.2 A unit in a hex of fog is charged from two hexes at most."""
    fog = pos.special.get("fog")
    return gap > 2 and fog is not None and any(pos.game.board.level[h] <= fog for h in pos.footprint(target))


def seen(pos: Position, unit: str, target: str) -> bool:
    """8.4.2 no. 1 A line of sight, of any kind."""
    sight, fog = pos.game.sight, pos.special.get("fog")
    return any(sight.clear(a, b, pos.holder, fog) for a in pos.footprint(unit) for b in pos.footprint(target))


def bonus(pos: Position, unit: str, gap: int, versus_square: bool) -> int:
    """A8.1.2 The charge bonus of a regiment; A8.1.1 heavies have none from two hexes. Halved in column and again
    against a square, rounding up each time."""
    u, table = pos.unit(unit), pos.game.tables["charge"]
    if u.cavalry in HEAVY and gap < table["heavy_least"]:
        return 0
    value = int(table["bonus"][u.cavalry])
    for halved in (pos.form[unit] == COLUMN, versus_square):
        if halved:
            value = (value + 1) // 2
    return value


# -- the charge of the active side ------------------------------------------------------------------------


def charge(pos: Position, units: Sequence[str], hex_: str) -> Procedure[None]:
    """8.4.2 A charge from its declaration to its end."""
    act, target = pos.act, top(pos, hex_)
    assert act is not None
    assert target is not None
    units, riders = list(units), tuple(units)
    gap = min(pos.game.board.distance(a, b) for a in pos.footprint(units[0]) for b in pos.footprint(target))
    act["melee"] += units
    act["charged"] = [*act.get("charged", ()), *pos.stack(hex_)]  # the stack, whoever is left of it
    act["charging"], act["spurred"], behind = list(units), [], pos.footprint(units[0])
    pos.tell("charge_declared", "8.4.2", pos.unit(units[0]).side, units=units, at=hex_, target=hex_,
             **{"from": pos.at[units[0]]})
    yield from escort(pos, units)
    met = yield from _ride(pos, units, target, gap)
    if met and (alive := fighting(pos, units)) and pos.on_map(target):
        yield from _reached(pos, alive, target, gap)
    act["charging"], act["escort"] = [], []
    _blow(pos, riders)
    yield from unaccompanied(pos, behind)


def _ride(pos: Position, units: list[str], target: str, gap: int) -> Procedure[bool]:
    """8.4.2 no. 2, 3 Hex by hex, with every reaction on the way: whether the charge comes to its target, with those who
    are neither destroyed nor unsteady. In whose zone it begins, its target may countercharge it before it moves."""
    if (yield from countercharged(pos, units, gap, pos.at[target])):
        return False
    left, plan = most_steps(pos), Plan([], ())
    while not _come_to(pos, units[0], target):
        plan = yield from _planned(pos, units, target, left, plan)
        if not plan.ride:
            break
        yield from reaction.before(pos, units)
        if not _riding(pos, units):
            return False
        plan = yield from _planned(pos, units, target, left, plan)
        if not plan.ride:
            break
        there, tail, facing = plan.ride.pop(0)
        left -= 1
        moved = list(units)
        yield from _onward(pos, units, there, tail, facing, "charged_on", "8.4.2")
        arrived(pos, moved[0])
        yield from reaction.after(pos, moved, entered=True)
        yield from ridden_down(pos, [there])
        if not _riding(pos, units):
            return False
        if (yield from countercharged(pos, units, gap)):
            return False
    return _come_to(pos, units[0], target)


def _come_to(pos: Position, unit: str, target: str) -> bool:
    """8.4.2 no. 2 Whether a charge is where it can strike its target."""
    spot = pos.at[unit], pos.tail.get(unit), pos.facing.get(unit, 0)
    return pos.on_map(target) and strikes(pos, unit, spot, target)


class Plan(NamedTuple):
    """The steps that a charge has still to make, and the hexes of its target when they were chosen."""

    ride: Ride
    goal: tuple[str, ...]


def _planned(pos: Position, units: list[str], target: str, left: int, plan: Plan) -> Procedure[Plan]:
    """8.4.2 no. 2 The way of a charge as it was chosen; chosen anew, of the steps that are left, when its target or
    somebody else has stepped back, out of it or into it (6.2.2)."""
    if not pos.on_map(target):
        return Plan([], ())
    goal = pos.footprint(target)
    if plan.ride and plan.goal == goal and not barred(pos, units[0], plan.ride[0]):
        return plan
    return Plan((yield from chosen(pos, units, target, "8.4.2", left)), goal)


def _onward(pos: Position, units: list[str], there: str, tail: str | None, facing: int, event: str,
            clause: str) -> Procedure[None]:
    """8.4.2 One hex of a charge, with the leaders who ride along; who loses his order there is out of it (ruling)."""
    start, left = pos.at[units[0]], pos.footprint(units[0])
    rear = pos.tail.get(units[0])
    broken_ground = ruffled(pos, units[0], start, there) or (  # 6.5.3
        rear is not None and tail is not None and tail not in left and tail in pos.game.board.touching(rear)
        and ruffled(pos, units[0], rear, tail))
    for unit in units:
        pos.facing[unit] = facing
        pos.put(unit, there, tail)
    ride_along(pos, left, there)
    pos.tell(event, clause, pos.unit(units[0]).side, units=list(units), path=[start, there], at=there,
             **{"from": start})
    for unit in list(units) if broken_ground else ():
        if not (yield from disorder_check(pos, unit, "5.1.1")):
            units.remove(unit)


def _riding(pos: Position, units: list[str]) -> bool:
    """Whether a charge goes on: some of it is there, neither unsteady nor routed nor disordered."""
    units[:] = [u for u in units if pos.on_map(u) and pos.morale.get(u, GOOD) < UNSTEADY
                and (pos.unit(u).cossack or pos.form[u] != DISORDER)]
    return bool(units)


def _reached(pos: Position, units: list[str], target: str, gap: int, full: bool = False,
             chargers: Sequence[str] = (), other: int = 0) -> Procedure[None]:
    """8.4.2 no. 4-7 The target's answer, and the melee. 6.5.6 Cavalry on two hexes meets every stack in its front. With
    `full` the bonus is whole, whatever the distance (ruling on 8.4.1); `chargers` are those it countercharges, and
    `other` what their bonus takes from it (errata 6.2.3)."""
    side = pos.unit(target).side
    hexes = met(pos, units[0], target)
    lonely = [h for h in hexes if all(pos.unit(u).guns for u in pos.stack(h))]
    stay: list[tuple[str, list[str]]] = []
    faced: list[tuple[str, list[str]]] = []
    for hex_ in hexes:
        note_melee(pos, units[0], list(pos.stack(hex_)))
        if pos.act is not None:  # 8.4.2 no. 1 each stack that is met has been charged
            pos.act["charged"] = list(dict.fromkeys([*pos.act.get("charged", ()), *pos.stack(hex_)]))
        here = still(pos, chargers, hex_)
        if not here:
            yield from crushed(pos, hex_)
        faced += [(u, list(pos.footprint(u))) for u in pos.stack(hex_) if not pos.unit(u).guns]
        stay.append((hex_, here or (yield from stands(pos, units, hex_, gap))))
        units = [u for u in units if pos.on_map(u) and pos.morale.get(u, GOOD) < UNSTEADY]
        if not units:
            return
    stand = [u for h, those in stay for u in fighting(pos, standing(pos, those, h))]
    for hex_ in hexes:
        yield from crushed(pos, hex_)  # 9.2.4 who routs and can't get away
    if stand:
        square = any(pos.form[u] == SQUARE for u in stand)
        most = max(bonus(pos, u, 4 if full else gap, square) for u in units)
        yield from fight(pos, Clash(units, stand, charge=True, bonus=most + other, chargers=tuple(chargers)))
    for hex_ in hexes:
        for unit in [u for u in pos.stack(hex_) if hex_ in lonely and pos.holder(hex_) == side]:
            yield from bleed(pos, unit, pos.strength(unit))  # 8.4.2 no. 6 guns alone
        yield from guns_left(pos, [hex_], side, [pos.at[u] for u in units if pos.on_map(u)])
    yield from follow(pos, units, hexes, [(u, spots) for u, spots in faced if pos.on_map(u) and pos.routed(u)])


def met(pos: Position, unit: str, target: str) -> list[str]:
    """6.5.6, 8.4.1 The hexes of the stacks that a charge meets: none that could not be charged from there."""
    side, spot = enemy(pos.unit(unit).side), (pos.at[unit], pos.tail.get(unit), pos.facing.get(unit, 0))
    if spot[1] is None:
        return [next(h for h in pos.footprint(target) if within_reach(pos, unit, spot, h))]
    found: dict[str | None, str] = {}
    for hex_ in pos.arcs(unit).front:
        if pos.holder(hex_) == side and within_reach(pos, unit, spot, hex_):
            found.setdefault(top(pos, hex_), hex_)
    return list(found.values())


# -- countercharge and reaction charge --------------------------------------------------------------------


def countercharged(pos: Position, units: list[str], gap: int, only: str | None = None) -> Procedure[bool]:
    """6.2.3, 8.4.2 no. 3 Cavalry in whose zone a charge comes, two hexes away, may countercharge it: whether one did,
    which ends the charge (errata 8.4). With `only`, the cavalry of that hex alone: the target, before the charge
    moves."""
    act, side = pos.act, enemy(pos.unit(units[0]).side)
    assert act is not None
    while True:
        zones = pos.zones(side)
        ready = [h for h in dict.fromkeys(pos.at[u] for own in pos.footprint(units[0]) for u in zones.get(own, ()))
                 if only in (None, h) and may_counter(pos, h, units)]
        if not ready:
            return False
        options = [Option(f"counter:{h}", "6.2.3", label("option.countercharge"), at=h) for h in sorted(ready)]
        said = yield from choose(Request(pos.seat_of(eager(pos, ready[0])[0]), "prompt.countercharge", "6.2.3", (
            Choose("countercharge", "6.2.3", (*options, Option("none", "6.2.3", label("option.no_reaction")))),),
            {"at": pos.at[units[0]], "units": units}, needs=needs_open))
        if said == "none":
            return False
        going = yield from _spurred(pos, eager(pos, said.removeprefix("counter:")), units)
        if going:
            yield from _counter(pos, going, units, gap)
            return True


def may_counter(pos: Position, hex_: str, units: Sequence[str]) -> bool:
    """6.2.3, 8.4.2 no. 3 Whether the cavalry of a hex may countercharge units two hexes away."""
    board, horses = pos.game.board, [u for u in eager(pos, hex_) if not pos.unit(u).cossack]
    gap = min((board.distance(a, b) for u in horses[:1] for a in pos.footprint(u) for b in pos.footprint(units[0])),
              default=0)
    return (
        bool(horses)
        and gap == 2
        and charge_path(pos, horses[0], units[0], one=True) is not None
    )


def _spurred(pos: Position, horses: Sequence[str], units: Sequence[str]) -> Procedure[list[str]]:
    """8.4.2 no. 3 Each regiment checks; those that pass go. A4.4.2, A4.4.3 Murat's and Bessières' need no check."""
    act, going = pos.act, []
    assert act is not None
    for unit in horses:
        act["tried"].append(unit)
        act.setdefault("spurred", []).append(unit)
        if spared(pos, unit):
            going.append(unit)
            continue
        over = yield from tested(pos, unit, attack_parts(pos, unit, units[0], 0), "countercharge_tried", "8.4.2")
        if over < 1:
            going.append(unit)
    return going


def spared(pos: Position, unit: str) -> bool:
    """A4.4.2, A4.4.3 With Murat or beside him, or with Bessières, cavalry charges in reaction without a check."""
    hexes = pos.footprint(unit)
    if pos.unit(unit).side != pos.game.leaders[MURAT].side:
        return False
    around = {*hexes, *(n for h in hexes for n in pos.game.board.touching(h))}
    return himself(pos, MURAT, around) or himself(pos, BESSIERES, hexes)


def _counter(pos: Position, going: list[str], units: list[str], gap: int) -> Procedure[None]:
    """8.4.2 no. 3, errata 6.2.3 The countercharger, two hexes away, steps forward and attacks those who charge, who
    turn to face it; its bonus is less by theirs, whose charge began so many hexes away."""
    behind, all_ = pos.footprint(going[0]), tuple(going)
    yield from escort(pos, going)
    for there, tail, facing in (yield from chosen(pos, going, units[0], "8.4.2", 1)):
        yield from _onward(pos, going, there, tail, facing, "countercharged", "6.2.3")
        yield from ridden_down(pos, pos.footprint(all_[0]))
    if going:
        _face(pos, units, going[0])
        other = -max(bonus(pos, u, gap, False) for u in units)
        yield from _reached(pos, going, units[0], 2, full=True, chargers=units, other=other)
    _blow(pos, all_)
    yield from unaccompanied(pos, behind)


def _face(pos: Position, units: Sequence[str], towards: str) -> None:
    """6.2.3 The charging units may turn so that the countercharger is in their front; a counter on two hexes wheels,
    by one side or vertex, if it can."""
    foe = pos.footprint(towards)
    for unit in units:
        form = pos.form[unit]
        if pos.tail.get(unit) is not None:
            for facing in ((pos.facing[unit] + 2) % 12, (pos.facing[unit] + 10) % 12):
                hexes = reaction.wheeled(pos, unit, facing)
                if hexes is not None and not set(pos.arcs(unit).front) & {*foe} and set(
                        pos.game.ground.arcs(*hexes, form, facing).front) & {*foe}:
                    pos.facing[unit] = facing
                    pos.put(unit, *hexes)
            continue
        for facing in sorted(range(form == LINE, 12, 2), key=lambda f: min((f - pos.facing[unit]) % 12,
                                                                        (pos.facing[unit] - f) % 12)):
            if set(pos.game.ground.arcs(pos.at[unit], None, form, facing).front) & {*foe}:
                pos.facing[unit] = facing
                pos.mark(unit)
                break


def react(pos: Position, horses: list[str], units: list[str]) -> Procedure[bool]:
    """6.2.3 A reaction charge at foot or guns that came into the zone: whether it was made. Who fails the check is
    disordered; it looks at the side of the target that can best be struck (ruling). It ends what set it off (errata
    8.4), and is resolved at once."""
    going, spots = [], [way[-1] for way in charge_ways(pos, horses[0], units[0], 1)]
    for unit in horses:
        if pos.act is not None:
            pos.act["tried"].append(unit)
        if spared(pos, unit):
            going.append(unit)
            continue
        parts = attack_parts(pos, unit, units[0], 0, spots)
        over = yield from tested(pos, unit, parts, "reaction_charge_tried", "6.2.3")
        if over < 1:
            going.append(unit)
        else:
            disorder(pos, unit)
    if not going:
        return False
    target = top(pos, pos.at[units[0]])
    if target is None or charge_path(pos, going[0], units[0], one=True) is None:
        return False
    behind, all_ = pos.footprint(going[0]), tuple(going)
    if pos.act is not None:
        pos.act["spurred"], pos.act["answering"] = [], list(going)
    yield from escort(pos, going)
    for there, tail, facing in (yield from chosen(pos, going, units[0], "8.4.2", 1)):
        yield from _onward(pos, going, there, tail, facing, "reaction_charge", "6.2.3")
        yield from ridden_down(pos, pos.footprint(all_[0]))
    if going:
        yield from _reached(pos, going, target, 2, full=True)
    _blow(pos, all_)
    yield from unaccompanied(pos, behind)
    return True


def _blow(pos: Position, units: Sequence[str]) -> None:
    """8.4.2 no. 8, 8.4.4 Cavalry that charged is disordered and blown."""
    for unit in units:
        if pos.on_map(unit):
            pos.blown[unit] = 2
            disorder(pos, unit)
            stir(pos, unit)
            pos.mark(unit)
