"""6.2 Reactions in the middle of the other side's move: what sets each off differs by arm.

Foot answers points spent inside its zone, guns the coming into it, skirmishers, cossacks and lone leaders both; cavalry
turns to its flanks, steps back from foot and guns, or charges them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rules.core.forms import Choose, Option, label
from rules.core.procedure import Procedure, choose
from rules.core.request import Request, needs_open
from rules.maps.hexes import FACINGS
from rules.titles.austerlitz import charge
from rules.titles.austerlitz.duty import in_area, may_enter
from rules.titles.austerlitz.fire import heads_stack, may_fire, reaches, strategic, top
from rules.titles.austerlitz.formations import DISORDER, LIMBERED, SKIRMISH, SPREAD, UNLIMBERED, column_of, tail_of
from rules.titles.austerlitz.leaders import ridden_down
from rules.titles.austerlitz.losses import disorder
from rules.titles.austerlitz.morale import disorder_check, settle
from rules.titles.austerlitz.notes import stir
from rules.titles.austerlitz.paths import charge_path
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.storm import skirmish_exits
from rules.titles.austerlitz.units import GOOD, UNSTEADY, enemy
from rules.titles.austerlitz.volley import side_towards, single
from rules.titles.austerlitz.ways import Kind


def before(pos: Position, units: Sequence[str]) -> Procedure[bool]:
    """6.2.1, 6.2.2 Points are about to be spent inside zones: foot may fire, skirmishers fire or step back. Whether the
    move is stopped by it."""
    return (yield from _window(pos, units, entered=False, inside=True))


def after(pos: Position, units: Sequence[str], entered: bool | Collection[str]) -> Procedure[bool]:
    """6.2.2-6.2.7 An action has been made, perhaps into hexes (True: into all that the units stand in): all others
    react. Whether the move is stopped by it."""
    return (yield from _window(pos, units, entered=entered, inside=False))


def passing(pos: Position, units: Sequence[str], causes: Sequence[str], inside: bool) -> Procedure[bool]:
    """10.1.1 A retreat comes through zones of enemies: those who did not cause it may fire, or charge foot and guns.
    Foot fires as it leaves a hex of its zone, the others as it comes into one."""
    return (yield from _window(pos, units, entered=not inside, inside=inside, clause="10.1.1", causes=causes))


def _window(pos: Position, units: Sequence[str], entered: bool | Collection[str], inside: bool, clause: str = "6.2",
            causes: Sequence[str] = ()) -> Procedure[bool]:
    """Ask the other side until it has nothing to do or wants nothing."""
    lead = units[0]
    side = enemy(pos.unit(lead).side)
    done: set[str] = set()
    while pos.on_map(lead) and pos.result is None:
        options = _options(pos, side, lead, entered, inside, done)
        if clause != "6.2":
            options = [o for o in options if o.id.startswith(("fire:", "charge:")) and not any(
                h in causes for h in pos.footprint(o.id.split(":")[1]))]
        if not options:
            return False
        if clause != "6.2":
            pos.tell("retreating", clause, pos.unit(lead).side, unit=lead, at=pos.at[lead])  # where it has come to
        said = yield from choose(Request(
            pos.seat_of(options[0].id.split(":")[1]), "prompt.reaction", clause,
            (Choose("reaction", clause, (*options, Option("none", clause, label("option.no_reaction")))),),
            {"at": pos.at[lead], "unit": lead}, needs=needs_open))
        if said == "none":
            return False
        kind, unit, *rest = said.split(":")
        done.add(unit)
        level = pos.morale.get(lead, GOOD), pos.at[lead]
        stopped = yield from _carry_out(pos, kind, unit, rest, units)
        if stopped or not pos.on_map(lead) or (pos.morale.get(lead, GOOD) >= UNSTEADY and level[0] < UNSTEADY) or (
                pos.at[lead] != level[1]):
            return True
    return not pos.on_map(lead)


def _options(pos: Position, side: str, lead: str, entered: bool | Collection[str], inside: bool,
             done: set[str]) -> list[Option]:
    """6.2 What may be answered now: by those in whose zone the unit is, by cavalry it comes to the flank of, and by
    leaders alone. Of a counter on two hexes only those count as come into that it did not stand in before (6.5)."""
    hexes, zones = pos.footprint(lead), pos.zones(side)
    fresh = hexes if entered is True else entered or ()
    into = {u for h in fresh for u in zones.get(h, ())}
    near = sorted({u for h in hexes for u in zones.get(h, ())} - done)
    found: list[Option] = []
    for unit in near:
        if strategic(pos, unit):
            continue  # 5.2.1 no reaction of any kind
        found += _inside(pos, unit, lead) if inside else _entered(pos, unit, lead, unit in into)
    if not inside:
        found += _flank_turns(pos, side, fresh, done)
        found += _leaders(pos, side, lead, done)
    return found


def _fire_option(pos: Position, unit: str, lead: str) -> list[Option]:
    """8.1.3, 8.1.4 Reaction fire, once in an activation."""
    act = pos.act
    assert act is not None
    if unit in act["reacted"] or not may_fire(pos, unit) or not heads_stack(pos, unit):
        return []
    if pos.unit(unit).side == act["side"] and lead in act.get("answering", ()):
        return []  # the active side never fires at a reaction charge, nor at its pursuit
    if pos.unit(unit).guns and unit in act["returned"]:
        return []
    if pos.form[unit] in (SKIRMISH, SPREAD) and side_towards(pos, unit, lead) in act["sides"].get(unit, []):
        return []  # 6.2.2 never reaction and return fire over one side
    if reaches(pos, unit, lead) is None:
        return []
    return [Option(f"fire:{unit}", "8.1.3", label("option.reaction_fire", unit=unit), at=pos.at[unit])]


def _inside(pos: Position, unit: str, lead: str) -> list[Option]:
    """6.2.1 Foot, 6.2.2 skirmishers."""
    if not pos.unit(unit).foot:
        return []
    if pos.form[unit] in (SKIRMISH, SPREAD):
        return _skirmishers(pos, unit, lead)
    return _fire_option(pos, unit, lead)


def _skirmishers(pos: Position, unit: str, lead: str) -> list[Option]:
    """6.2.2 Fire once in an activation, or step away."""
    return _fire_option(pos, unit, lead) + [
        Option(f"move:{unit}:{h}", "6.2.2", label("option.step_back", unit=unit), at=h)
        for h in skirmish_exits(pos, unit)]


def _entered(pos: Position, unit: str, lead: str, entered: bool) -> list[Option]:
    """6.2.2-6.2.5 What an arm may do when an action is made in its zone."""
    act, u, mover = pos.act, pos.unit(unit), pos.unit(lead)
    assert act is not None
    if u.foot:
        return _skirmishers(pos, unit, lead) if entered and pos.form[unit] in (SKIRMISH, SPREAD) else []
    if u.guns:
        return _guns(pos, unit, lead, entered)
    # 8.4.2 Cavalry in pursuit may be charged like foot and guns; any other not, by cossacks either.
    charges = _charge_option(pos, unit, lead) if entered and (not mover.mounted or lead in act["pursuing"]) else []
    if u.cossack:  # A2.3 from anybody, as often as they like
        return _steps_back(pos, unit, "A2.3") + charges
    return charges if mover.mounted else _steps_back(pos, unit, "6.2.3") + charges


def _guns(pos: Position, unit: str, lead: str, entered: bool) -> list[Option]:
    """6.2.4, 6.2.5 Unlimbered guns fire when somebody comes in; horse guns may limber up instead, once, unless it is
    cavalry; limbered horse guns go back hex by hex."""
    act, u = pos.act, pos.unit(unit)
    assert act is not None
    if pos.form[unit] == LIMBERED:
        return _steps_back(pos, unit, "6.2.5") if u.horse and unit not in act["stuck"] else []
    if not entered or pos.form[unit] != UNLIMBERED:
        return []
    found = _fire_option(pos, unit, lead)
    if u.horse and not pos.unit(lead).mounted and unit not in act["reacted"]:
        ways = [FACINGS[(pos.facing[unit] + t) % 12] for t in (1, 11)]
        found += [Option(f"limber:{unit}:{way}", "6.2.5", label("option.limber", unit=unit, facing=way),
                         at=pos.at[unit]) for way in ways]
    return found


def _steps_back(pos: Position, unit: str, clause: str) -> list[Option]:
    """6.2.6 One hex back over a rear side, facing as before: not into forbidden ground, other units or enemies."""
    if pos.tail.get(unit) is not None and pos.form[unit] not in ("line", "column", DISORDER):
        return []
    board, here, tail = pos.game.board, pos.at[unit], pos.tail.get(unit)
    column, found = column_of(pos.unit(unit), pos.form[unit]), []
    for side, there in enumerate(board.around[here]):
        spot = there if tail is None else board.around[tail][side]
        own = pos.footprint(unit)
        if there is None or spot is None or (there not in pos.arcs(unit).rear and spot not in pos.arcs(unit).rear):
            continue
        if any(h not in own and (pos.holder(h) is not None or not may_enter(pos, unit, h)) for h in (there, spot)):
            continue
        if any(pos.near_enemy(h, pos.unit(unit).side, 1) for h in (there, spot)):
            continue  # ruling: never beside an enemy
        if board.price(column, here, there, False) is not None:
            found.append(Option(f"back:{unit}:{there}", clause, label("option.fall_back", unit=unit, at=there),
                                at=there))
    return found


def _charge_option(pos: Position, unit: str, lead: str) -> list[Option]:
    """6.2.3, A8.1.1 A reaction charge at foot or guns two hexes away, never at an adjacent unit; one stack, one
    charge."""
    horses = charge.eager(pos, pos.at[unit])
    board = pos.game.board
    gap = min(board.distance(a, b) for a in pos.footprint(unit) for b in pos.footprint(lead))
    if horses[:1] != [unit] or gap != 2:
        return []
    target = top(pos, pos.at[lead])
    if target is None or not all(charge.prey(pos, u, target) for u in horses):
        return []
    if charge_path(pos, unit, lead, one=True) is None:
        return []
    return [Option(f"charge:{unit}", "6.2.3", label("option.reaction_charge", unit=unit), at=pos.at[unit])]


def _flank_turns(pos: Position, side: str, fresh: Collection[str], done: set[str]) -> list[Option]:
    """6.2.3 The Flank Zone of cavalry in order: it may turn one side for each hex of it that an enemy enters."""
    found, board = [], pos.game.board
    near = {u for h in fresh for n in board.touching(h) for u in pos.stack(n)
            if pos.holder(n) == side and pos.unit(u).mounted}
    for unit in sorted(near - done):
        if pos.form[unit] == DISORDER or pos.routed(unit) or strategic(pos, unit):
            continue
        if any(h in pos.arcs(unit).flank for h in fresh):
            ways = [FACINGS[way] for t in (2, 10) for way in ((pos.facing[unit] + t) % 12,)
                    if wheeled(pos, unit, way) is not None]
            found += [Option(f"turn:{unit}:{way}", "6.2.3", label("option.turn", unit=unit, facing=way),
                             at=pos.at[unit]) for way in ways]
    return found


def wheeled(pos: Position, unit: str, facing: int) -> tuple[str, str | None] | None:
    """6.2.3, 6.5.2 The hexes of cavalry that has turned one side; a counter on two wheels, if the hex that it swings
    into is free and fit to stand in. None if it can't."""
    at, form, u = pos.at[unit], pos.form[unit], pos.unit(unit)
    if pos.tail.get(unit) is None:
        return at, None
    ways = pos.game.ways(Kind(u.arm, u.horse, u.cossack, u.skirmish, True, True, False, u.movement, False))
    first, swung = ways.wheel(at, form, pos.facing[unit], right=facing == (pos.facing[unit] + 2) % 12)
    if first is None or swung is None or not ways.stands(swung) or not may_enter(pos, unit, swung) or (
            swung not in pos.footprint(unit) and pos.holder(swung) is not None):
        return None
    return first, tail_of(pos.game.board, first, form, facing)


def _leaders(pos: Position, side: str, lead: str, done: set[str]) -> list[Option]:
    """6.2.7 Leaders alone get away to a hex beside no enemy."""
    board, found = pos.game.board, []
    for hex_ in sorted({h for own in pos.footprint(lead) for h in (*board.touching(own), own)}):
        for leader in pos.here.get(hex_, ()):
            if pos.game.leaders[leader].side != side or leader in done or pos.holder(hex_) == side:
                continue
            found += [Option(f"leader:{leader}:{h}", "6.2.7", label("option.leader_flees", unit=leader, at=h), at=h)
                      for h in board.touching(hex_)
                      if board.price("leader", hex_, h, False) is not None and pos.holder(h) != enemy(side)
                      and in_area(pos, h)
                      and not pos.near_enemy(h, side, 1)]
    return sorted(found, key=lambda option: option.id)


# -- carrying out ----------------------------------------------------------------------------------------


def _carry_out(pos: Position, kind: str, unit: str, rest: list[str], units: Sequence[str]) -> Procedure[bool]:
    """What was chosen; whether it ends the move that set it off."""
    act = pos.act
    assert act is not None
    lead = units[0]
    if kind == "fire":
        act["reacted"].append(unit)
        if pos.form[unit] in (SKIRMISH, SPREAD):
            act["sides"].setdefault(unit, []).append(side_towards(pos, unit, lead))
        trouble = yield from single(pos, unit, lead, "reaction_fire", "8.1.3")
        yield from settle(pos, trouble)
        return False
    if kind == "charge":
        return (yield from charge.react(pos, charge.eager(pos, pos.at[unit]), list(units)))
    if kind == "leader":
        pos.put_leader(unit, rest[0])
        pos.tell("leader_fled", "6.2.7", pos.game.leaders[unit].side, leader=unit, at=rest[0])
    elif kind == "move":
        start = pos.at[unit]
        pos.stand(unit, SKIRMISH, 0)
        pos.put(unit, rest[0])
        pos.tell("stepped_back", "6.2.2", pos.unit(unit).side, unit=unit, at=rest[0], **{"from": start})
        yield from ridden_down(pos, pos.footprint(unit))
    elif kind == "back":
        yield from _back(pos, unit, rest[0])
    else:
        yield from _turn(pos, kind, unit, FACINGS.index(rest[0]))
    return False


def _turn(pos: Position, kind: str, unit: str, facing: int) -> Procedure[None]:
    """6.2.3 A flank turn is free, but a line on rough ground may be disordered by it; 6.2.5 horse guns limber up."""
    act = pos.act
    assert act is not None
    if kind == "limber":
        act["reacted"].append(unit)
        pos.stand(unit, LIMBERED, facing)
        pos.tell("limbered", "6.2.5", pos.unit(unit).side, unit=unit, at=pos.at[unit])
        return
    hexes = wheeled(pos, unit, facing)
    assert hexes is not None
    pos.facing[unit] = facing
    pos.put(unit, *hexes)
    act["turned"][unit] = act["turned"].get(unit, 0) + 1
    pos.tell("turned", "6.2.3", pos.unit(unit).side, unit=unit, at=pos.at[unit], facing=FACINGS[facing])
    if pos.form[unit] == "line" and act["turned"][unit] > 1:
        yield from disorder_check(pos, unit, "6.3.5")


def _back(pos: Position, unit: str, there: str) -> Procedure[None]:
    """6.2.6 One hex back with the same facing; the ground may disorder (5.1.1). Horse guns that fail stay where they
    are for the rest of the activation (6.2.5)."""
    board, here, act = pos.game.board, pos.at[unit], pos.act
    assert act is not None
    price = board.price(column_of(pos.unit(unit), pos.form[unit]), here, there, False)
    tail = pos.tail.get(unit)
    spot = None if tail is None else board.around[tail][board.side_to(here, there)]
    pos.put(unit, there, spot)
    stir(pos, unit)
    pos.tell("fell_back", "6.2.6", pos.unit(unit).side, unit=unit, at=there, path=[here, there], **{"from": here})
    yield from ridden_down(pos, pos.footprint(unit))
    if pos.unit(unit).guns:
        if not (yield from disorder_check(pos, unit, "6.2.5")):
            act["stuck"].append(unit)
    elif price is not None and price.disorder:
        disorder(pos, unit)
    elif price is not None and price.check:
        yield from disorder_check(pos, unit, "5.1.1")
