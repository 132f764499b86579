"""3.0 D, 12.0, 8.4.5, 13.0 The end of a turn: rally, losses of routed units, recovery of cavalry, fatigue."""

from __future__ import annotations

from rules.core.agenda import DONE, Next
from rules.core.forms import Allocate, Choose, Option, label
from rules.core.procedure import Procedure, allocate, choose, roll
from rules.core.request import Request, needs_open
from rules.maps.hexes import FACINGS
from rules.titles.austerlitz import retreat
from rules.titles.austerlitz.clash import crossed
from rules.titles.austerlitz.fire import top
from rules.titles.austerlitz.formations import DISORDER
from rules.titles.austerlitz.losses import bleed, disorder
from rules.titles.austerlitz.lots import lot
from rules.titles.austerlitz.morale import Trouble, lower, modifiers, settle, shown
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.turn import segments, stage, turn_steps
from rules.titles.austerlitz.units import GOOD, ROUT, SHAKEN, SIDES
from rules.titles.austerlitz.victory import judge


def candidates(pos: Position, side: str) -> list[str]:
    """12.0, 12.1, 11.1.1, 12.2 Who may rally: the top unit of a stack below Good, each routed unit; not beside enemies,
    not above the best that it can come to, nor that others of its stack can (9.1.1)."""
    found = []
    for unit, hex_ in sorted(pos.at.items()):
        level = pos.morale.get(unit, GOOD)
        if ":" in hex_ or pos.unit(unit).side != side or level == GOOD:
            continue
        if level == SHAKEN and any(u in pos.capped for u in pos.stack(hex_) if not pos.routed(u)):
            continue
        if any(pos.near_enemy(h, side, 1) for h in pos.footprint(unit)):
            continue
        if level == ROUT or top(pos, hex_) == unit:
            found.append(unit)
    return found


@segments.segment
def rally(pos: Position) -> Procedure[Next]:
    """3.0 D.1, 12.1 Each side says who tries; each stack checks, each routed unit for itself."""
    stage(pos, "rally")
    for side in SIDES:
        able = candidates(pos, side)
        if not able:
            continue
        taken = yield from allocate(Request(pos.commander(side), "prompt.rally", "12.0", (
            Allocate("rally", "12.0", "choose", (lot("rally", tuple(able), 0, len(able)),)),), needs=needs_open))
        for unit in taken.get("rally", []):
            yield from _try(pos, unit)
    return DONE


def _try(pos: Position, unit: str) -> Procedure[None]:
    """12.1 A morale check; success is one level better, for the whole stack."""
    parts = modifiers(pos, unit)
    die = yield from roll(f"rally of {unit}", "12.1", 0, 9)
    success = die + sum(p[2] for p in parts) <= pos.unit(unit).morale
    level = pos.morale[unit]
    pos.tell("rally_tried", "12.1", pos.unit(unit).side, unit=unit, at=pos.at[unit], roll=die, success=success,
             morale=pos.unit(unit).morale, modifiers=shown(parts))
    if not success:
        return
    mates = [unit] if level == ROUT else [u for u in pos.stack(pos.at[unit]) if pos.morale.get(u, GOOD) == level]
    for mate in mates:
        better(pos, mate)
    pos.tell("rallied", "12.1", pos.unit(unit).side, units=mates, at=pos.at[unit])
    if level == ROUT and pos.form[unit] == DISORDER:
        yield from _face(pos, unit)


def _face(pos: Position, unit: str) -> Procedure[None]:
    """12.2 A routed unit that rallies faces as its player likes, free of charge, in disorder as it is; a counter on two
    hexes one way or the other along them."""
    now, tail = pos.facing[unit], pos.tail.get(unit)
    ways = [(now + turn) % 12 for turn in ((0, 6) if tail is not None else range(0, 12, 2))]
    options = tuple(Option(FACINGS[way], "12.2", label("option.turn", unit=unit, facing=FACINGS[way]), at=pos.at[unit])
                    for way in ways)
    said = yield from choose(Request(pos.seat_of(unit), "prompt.rallied", "12.2", (
        Choose("rallied", "12.2", options),), {"unit": unit, "at": pos.at[unit]}, needs=needs_open))
    if FACINGS.index(said) == now:
        return
    if tail is not None:
        pos.put(unit, tail, pos.at[unit])
    pos.facing[unit] = FACINGS.index(said)
    pos.mark(unit)
    pos.tell("turned", "12.2", pos.unit(unit).side, unit=unit, at=pos.at[unit], facing=said)


def better(pos: Position, unit: str) -> None:
    """9.1.1 One level up, as far as the unit may."""
    level = pos.morale.get(unit, GOOD) - 1
    if level < SHAKEN and unit in pos.capped:
        return
    if level <= GOOD:
        pos.morale.pop(unit, None)
    else:
        pos.morale[unit] = level
    pos.touched.add(f"table:losses_{pos.unit(unit).side}")
    pos.mark(unit)


@segments.segment
def rout_losses(pos: Position) -> Procedure[Next]:
    """3.0 D.2, 12.4 Each unit still routed loses a point, then goes back one hex, or on to an empty one; those of a
    stack together (10.1.1)."""
    stage(pos, "rout_losses")
    stacks: dict[tuple[str, ...], list[str]] = {}
    for unit in sorted(pos.at):
        if pos.on_map(unit) and pos.routed(unit):
            stacks.setdefault(pos.footprint(unit), []).append(unit)
    for units in stacks.values():
        for unit in units:
            yield from bleed(pos, unit, 1)
        going = [u for u in units if pos.on_map(u)]
        if going:
            passed = yield from retreat.withdraw(pos, going, 1, (), routed=True)
            yield from crossed(pos, passed, ())
    judge(pos)
    return DONE


@segments.segment
def recovery(pos: Position) -> Procedure[Next]:
    """3.0 D.3, 8.4.5, 12.3 Blown cavalry that has neither moved nor defended this turn comes one step nearer to its
    breath, whether its division was active or not (ruling); who routs is on the move."""
    yield from ()
    stage(pos, "recovery")
    stirred = pos.special.pop("stirred", ())
    for unit in [u for u in pos.blown if pos.on_map(u) and u not in stirred and not pos.routed(u)]:
        level = pos.blown.get(unit, 0) - 1
        if level > 0:
            pos.blown[unit] = level
        else:
            pos.blown.pop(unit, None)
        pos.mark(unit)
        pos.tell("recovered", "12.3", pos.unit(unit).side, unit=unit, at=pos.at[unit], level=max(level, 0))
    pos.resting = []
    return DONE


@segments.segment
def fatigue_segment(pos: Position) -> Procedure[Next]:
    """3.0 D.4, 13.0, 13.1 Leaders are fresh again; commands tire by one level at most, or recover one."""
    stage(pos, "fatigue")
    pos.show([*pos.used, *pos.fired])
    pos.touched.update(f"space:{hex_}" for hex_ in pos.leaders.values() if ":" not in hex_)
    pos.finished, pos.used, pos.fired = [], {}, []
    commands = [c for side in SIDES for c in pos.game.divisions(side) if _present(pos, c)]
    commands += [b for b in pos.detached if b not in commands and _tires(pos, b)]
    for command in commands:
        level = pos.fatigue.get(command, 0)
        if command in pos.tired or command in pos.fought:
            yield from tire(pos, command, min(9, level + 1))
        elif level and rests(pos, command):
            pos.fatigue[command] = level - 1
            pos.touched.add(f"table:fatigue_{side_of(pos, command)}")
    pos.tired, pos.fought = [], []
    pos.tell("fresh", "3.0")
    return DONE


def side_of(pos: Position, command: str) -> str:
    return pos.game.side_of(command)


def _present(pos: Position, command: str) -> bool:
    return any(pos.on_map(u) for u in pos.game.members[command])


def _tires(pos: Position, leader: str) -> bool:
    """13.0 Artillery has no fatigue, nor has a command that is nothing else, like the Grand Battery."""
    return any(not pos.unit(u).guns for u in pos.detached[leader])


def rests(pos: Position, command: str) -> bool:
    """13.2 No marker in the pool this turn (one that stays for its corps' was in it with that), no combat, and no enemy
    combat unit within two hexes."""
    game, pooled = pos.game, {*pos.special.get("pooled", pos.pool)}
    if command in game.commands:
        corps = game.commands[command].corps
        if {game.marker_of[command], game.marker_of.get(corps or "")} & pooled:
            return False
        units = [u for u in game.members[command] if pos.on_map(u) and pos.division_of(u) == command]
    else:
        marks = {m.id for m in game.markers.values() if m.kind == "detachment" and m.command == command}
        if marks & pooled:
            return False  # A4.5.2 E
        units = [u for u in pos.detached[command] if pos.on_map(u)]
    side = side_of(pos, command)
    return command not in pos.fought and not any(pos.near_enemy(h, side, 2) for u in units for h in pos.footprint(u))


def tire(pos: Position, command: str, level: int) -> Procedure[None]:
    """13.3 with errata: on coming to a level its one-time effects strike every unit of the command, once and all at one
    time: who is beside several that go back checks once (9.2.3)."""
    before = pos.fatigue.get(command, 0)
    if level == before:
        return
    pos.fatigue[command] = level
    side = side_of(pos, command)
    pos.touched.add(f"table:fatigue_{side}")
    pos.tell("tired", "13.1", side, command=f"command.{command}", level=level)
    row = next(r for r in pos.game.tables["fatigue"] if r["low"] <= level <= r["high"])
    if not row["lose"] and not row["disorder"]:
        return
    members = pos.detached[command] if command in pos.detached else pos.game.members[command]
    trouble = Trouble(())
    for unit in members:
        if not pos.on_map(unit) or pos.unit(unit).guns or pos.division_of(unit) != command:
            continue
        if row["disorder"]:
            disorder(pos, unit)
        yield from lower(pos, unit, row["lose"], trouble)
    yield from settle(pos, trouble)


@segments.segment
def turn_ends(pos: Position) -> Procedure[Next]:
    """A15 The last turn's end is the end of the game."""
    yield from ()
    decided = pos.plan.get("decided")
    judge(pos, at_end=pos.turn == len(pos.plan["turns"]) or pos.hour == decided)
    pos.tell("turn_ended", "3.0")
    if pos.result is not None:
        return DONE

    pos.turn += 1
    return list(turn_steps())
