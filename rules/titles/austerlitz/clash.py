"""8.3.1 no. 5-7, 8.5 The melee itself: odds, die, results, rounds; and the checks that lead to it (8.2-8.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.core.forms import Option, label
from rules.core.procedure import Procedure, choose, roll
from rules.core.request import Request, needs_open
from rules.titles.austerlitz import retreat
from rules.titles.austerlitz.fire import aspect, strategic
from rules.titles.austerlitz.formations import COLUMN, FLANK, LIMBERED, LINE, REAR, SKIRMISH, SPREAD, SQUARE
from rules.titles.austerlitz.leaders import NAPOLEON, himself
from rules.titles.austerlitz.losses import bleed, disorder
from rules.titles.austerlitz.morale import (
    LEVELS,
    Part,
    Trouble,
    fatigue_row,
    losses,
    lower,
    mates,
    neighbours,
    settle,
    shake,
    shown,
)
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.runaway import Steadfast
from rules.titles.austerlitz.units import FRENCH, GOOD, ROUT, UNSTEADY
from rules.titles.austerlitz.volley import both_retreat

MURAT = "F-Murat"
ASPECTS = ("front", FLANK, REAR)


@dataclass
class Clash:
    """Two sides of one melee. `attackers` and `defenders` are units; `bonus` the charge bonus (8.4.2 no. 6), used up by
    the first round; `chargers` those of the defenders whose charge is countercharged (6.2.3)."""

    attackers: list[str]
    defenders: list[str]
    charge: bool = False
    bonus: int = 0
    defensive: bool = False
    chargers: tuple[str, ...] = ()


def fighting(pos: Position, units: Sequence[str]) -> list[str]:
    """Those still on the map who can fight: not guns."""
    return [u for u in units if pos.on_map(u) and not pos.unit(u).guns]


def still(pos: Position, units: Sequence[str], hex_: str) -> list[str]:
    """8.3.1 no. 5 Those of a stack who have not left its hex."""
    return [u for u in units if pos.on_map(u) and hex_ in pos.footprint(u)]


def standing(pos: Position, units: Sequence[str], hex_: str) -> list[str]:
    """8.3.1 no. 5, 9.2.4 Those of a stack who have neither left its hex nor routed."""
    return [u for u in still(pos, units, hex_) if not pos.routed(u)]


# -- checks before a melee -------------------------------------------------------------------------------


def attack_parts(pos: Position, unit: str, target: str, supports: int, spots: Sequence[str] = ()) -> list[Part]:
    """8.2 The attacker's check: aspect of the target, supports, leaders, elites, formation and morale. `spots` are the
    hexes it will attack from, if it is still to come there."""
    table = pos.game.tables["pre_melee"]["attacker"]["modifiers"]
    view = seen_from(pos, spots or pos.footprint(unit), target)
    parts = [("from_rear", "8.2")] if view == REAR else [("from_flank", "8.2")] if view == FLANK else []
    if pos.form[target] in (SKIRMISH, SPREAD):
        parts.append(("defenders_skirmish", "8.2"))
    parts += _own_parts(pos, unit)
    found = [(f"pre.{key}", clause, int(table[key])) for key, clause in parts]
    return [*found, ("pre.support", "8.2.1", int(table["per_supporting_stack"]) * supports)] if supports else found


def _own_parts(pos: Position, unit: str) -> list[tuple[str, str]]:
    parts = []
    if any(h in pos.here for h in pos.footprint(unit)):
        parts.append(("leader_in_hex", "8.2"))
    if pos.unit(unit).elite:
        parts.append(("elite", "A2.2"))
    if pos.form[unit] == LINE:
        parts.append(("line", "8.2"))
    if pos.form[unit] == "disorder":
        parts.append(("disordered", "8.2"))
    if LEVELS[pos.morale.get(unit, GOOD)] == "shaken":
        parts.append(("shaken", "9.2.2"))
    return parts


def defence_parts(pos: Position, unit: str, attackers: Sequence[str], assault: bool, defensive: bool) -> list[Part]:
    """8.2 The defender's check; flank support not against assaults."""
    table = pos.game.tables["pre_melee"]["defender"]["modifiers"]
    view = seen_as(pos, attackers, unit)
    parts = [("from_rear", "8.2")] if view == REAR else [("from_flank", "8.2")] if view == FLANK else []
    if pos.form[unit] in (SKIRMISH, SPREAD):
        parts.append(("skirmish", "8.2"))
    if pos.form[unit] == SQUARE:
        parts.append(("square", "8.2"))
    parts += _own_parts(pos, unit)
    if pos.morale.get(unit, GOOD) == UNSTEADY:
        parts.append(("unsteady", "9.2.3"))
    if strategic(pos, unit):
        parts.append(("strategic_movement", "5.2.1"))
    if defensive:
        parts.append(("defensive_terrain", "8.2"))
    found = [(f"pre.{key}", clause, int(table[key])) for key, clause in parts]
    sides = 0 if assault else flank_support(pos, unit)
    each = int(table["per_flank_support_not_assault"])
    return [*found, ("pre.flank_support", "8.2.1", each * sides)] if sides else found


def flank_support(pos: Position, unit: str) -> int:
    """8.2.1 no. 4 Unrouted friends in the flank hexes of a unit, one on each side at most (ruling)."""
    flank, board = pos.arcs(unit).flank, pos.game.board
    side, k, found = pos.unit(unit).side, pos.facing.get(unit, 0) // 2, set()
    for hex_ in flank:
        if pos.holder(hex_) != side or all(pos.routed(u) for u in pos.stack(hex_)):
            continue
        for own in pos.footprint(unit):
            if hex_ in board.touching(own):
                found.add((board.side_to(own, hex_) - k) % 6 in (1, 2))
    return len(found)


def seen_as(pos: Position, attackers: Sequence[str], target: str) -> str:
    """6.1, errata 8.0 Front, flank or rear of a unit towards those who attack it."""
    return seen_from(pos, [h for a in attackers for h in pos.footprint(a)], target)


def seen_from(pos: Position, hexes: Sequence[str], target: str) -> str:
    """6.1, errata 8.0 Front, flank or rear of a unit towards the hexes beside it that it is attacked from; of two the
    better for the attacker."""
    touching = {h for own in pos.footprint(target) for h in pos.game.board.touching(own)}
    views = [aspect(pos, target, h) for h in hexes if h in touching]
    return max(views, key=ASPECTS.index, default="front")


def tested(pos: Position, unit: str, parts: Sequence[Part], event: str, clause: str) -> Procedure[int]:
    """8.2 A check before a melee: how far above its morale the unit rolled, 0 or less if it holds."""
    die = yield from roll(f"{event} {unit}", clause, 0, 9)
    over = die + sum(p[2] for p in parts) - pos.unit(unit).morale
    pos.tell(event, clause, pos.unit(unit).side, unit=unit, at=pos.at[unit], roll=die, morale=pos.unit(unit).morale,
             over=over, modifiers=shown(parts))
    return over


def nerve(pos: Position, units: Sequence[str], target: str, supports: int, clause: str) -> Procedure[bool]:
    """8.2.1 no. 2 The attacker's check, by the unit on top: whether they go on. From 4 over it is disordered and
    loses a level."""
    over = yield from tested(pos, units[0], attack_parts(pos, units[0], target, supports), "attacker_checked", clause)
    if over < 1:
        return True
    if over >= pos.game.tables["pre_melee"]["attacker"]["results"][1][0]:
        trouble = Trouble(pos.footprint(target))
        for unit in units:
            disorder(pos, unit)
            yield from lower(pos, unit, 1, trouble)
        yield from settle(pos, trouble)
    return False


def steady(pos: Position, unit: str, attackers: Sequence[str], assault: bool, defensive: bool,
           clause: str) -> Procedure[bool]:
    """8.2.1 no. 4 The check of one defending unit: whether it stays. Who fails loses points, is disordered, loses
    levels and retreats; from 6 over it routs."""
    parts = defence_parts(pos, unit, attackers, assault, defensive)
    over = yield from tested(pos, unit, parts, "defender_checked", clause)
    row = next((r for r in pos.game.tables["pre_melee"]["defender"]["results"]
                if over >= r[0] and (r[1] is None or over <= r[1])), None)
    if row is None:
        return True
    trouble = Trouble(tuple(h for a in attackers if pos.on_map(a) for h in pos.footprint(a)))
    stack = pos.stack(pos.at[unit])
    under = stack[stack.index(unit) + 1:]
    yield from bleed(pos, unit, row[2])
    if not pos.on_map(unit):
        yield from shake(pos, under, trouble, "8.5.1")
    else:
        disorder(pos, unit)
        yield from fall_back(pos, [unit], row[3], trouble)
    yield from settle(pos, trouble)
    return False


def all_steady(pos: Position, units: Sequence[str], hex_: str, attackers: Sequence[str], assault: bool, defensive: bool,
               clause: str) -> Procedure[list[str]]:
    """8.3.1 no. 4, 5, 8.4.2 no. 4 Each defending unit checks that another's retreat has not taken along: who is left to
    fight. Who fails and can't get away fights, too (ruling)."""
    stay = []
    for unit in units:
        if standing(pos, [unit], hex_):
            spots = pos.footprint(unit)
            kept = yield from steady(pos, unit, attackers, assault, defensive, clause)
            stay += [unit] if kept or (pos.on_map(unit) and pos.footprint(unit) == spots) else []
    return standing(pos, stay, hex_)


def fall_back(pos: Position, units: Sequence[str], levels: int | str, trouble: Trouble) -> Procedure[None]:
    """8.5 errata: the levels are lost, then the retreat is made, as an unsteady one, before what the new level of
    morale asks for; a rout is only that. 9.2.3 Who is unsteady by it shakes those around as he leaves."""
    for unit in units:
        yield from lower(pos, unit, ROUT - pos.morale.get(unit, GOOD) if levels == "rout" else int(levels), trouble)
    if levels == "rout":
        return
    level = max((fate for u, fate in trouble.fates if u in units), default=GOOD)
    others = [*mates(pos, units, level), *neighbours(pos, units[0])] if level >= UNSTEADY else []
    passed = yield from retreat.withdraw(pos, units, retreat.length(pos, units[0], UNSTEADY), trouble.causes,
                                         routed=False)
    yield from shake(pos, others, trouble, "9.2.3")
    yield from shake(pos, passed, trouble, "10.1.2")


def guns_left(pos: Position, hexes: Sequence[str], side: str, causes: Sequence[str]) -> Procedure[None]:
    """8.2.1 no. 4 Guns whose troops are gone: unlimbered ones are lost, limbered ones retreat."""
    for hex_ in hexes:
        if pos.holder(hex_) != side or any(not pos.unit(u).guns for u in pos.stack(hex_)):
            continue
        for unit in list(pos.stack(hex_)):
            if pos.form[unit] == LIMBERED:
                passed = yield from retreat.withdraw(pos, [unit], 1, causes, routed=False)
                yield from crossed(pos, passed, causes)
            else:
                yield from bleed(pos, unit, pos.strength(unit))


def crossed(pos: Position, passed: Sequence[str], causes: Sequence[str]) -> Procedure[None]:
    """10.1.2 no. 4 Stacks that a retreat went through check."""
    trouble = Trouble(tuple(causes))
    yield from shake(pos, passed, trouble, "10.1.2")
    yield from settle(pos, trouble)


# -- the melee -------------------------------------------------------------------------------------------


def points(pos: Position, units: Sequence[str], charging: bool) -> int:
    """8.3.1 no. 5, 8.4.2 no. 6 Points in a melee: guns none, charging cavalry in column a third, down."""
    total = 0
    for unit in units:
        here = 0 if pos.unit(unit).guns else pos.strength(unit)
        total += here // 3 if charging and pos.form[unit] == COLUMN and pos.unit(unit).mounted else here
    return total


def odds(pos: Position, attack: int, defence: int) -> int:
    """8.3.1 no. 5 The modifier of a ratio, always down to the next printed one."""
    for low, high, value in pos.game.tables["melee"]["ratios"]:
        if attack >= low * defence and (high is None or attack < high * defence):
            return int(value)
    raise AssertionError("the ratios cover all")


def modifiers(pos: Position, clash: Clash) -> list[Part]:
    """8.5 All that changes the die of a round."""
    table, attackers = pos.game.tables["melee"]["modifiers"], fighting(pos, clash.attackers)
    defenders = fighting(pos, clash.defenders)
    first, lead = attackers[0], defenders[0]
    stood = [u for u in defenders if u not in clash.chargers]
    defence = points(pos, stood, False) + points(pos, [u for u in defenders if u not in stood], True)
    clause = "8.4.2" if clash.charge else "8.3.1"
    parts: list[Part] = [("melee.ratio", clause, odds(pos, points(pos, attackers, clash.charge), max(1, defence)))]
    parts += _presence(pos, attackers, defenders, int(table["napoleon"]))
    parts.append(("melee.fatigue", "13.3", fatigue_row(pos, first)["melee"] - fatigue_row(pos, lead)["melee"]))
    parts.append(("melee.terrain", "8.5", _terrain(pos, attackers, defenders)))
    if any(strategic(pos, u) for u in defenders):
        parts.append(("melee.strategic", "5.2.1", int(table["defender_strategic"])))
    view = max((seen_as(pos, attackers, here[0]) for here in by_hex(pos, defenders).values()), key=ASPECTS.index)
    if view != "front":
        parts.append((f"melee.{view}", "8.5", int(table[view])))
    if any(pos.blown.get(u) for u in defenders):
        parts.append(("melee.blown", "8.5", int(table["defender_blown"])))
    if any(pos.form[u] == SQUARE for u in defenders):
        arm = "cavalry" if pos.unit(first).mounted else "infantry"
        parts.append(("melee.square", "8.5", int(table[f"{arm}_vs_square"])))
    if clash.bonus:
        parts.append(("melee.charge", "A8.1.2", clash.bonus))
    if clash.charge:
        parts += _charging(pos, clash, attackers, defenders)
    return [p for p in parts if p[2]]


def _presence(pos: Position, attackers: Sequence[str], defenders: Sequence[str], value: int) -> list[Part]:
    """8.5 Napoleon in a hex of either side."""
    for units, sign in ((attackers, 1), (defenders, -1)):
        if pos.unit(units[0]).side == FRENCH and any(himself(pos, NAPOLEON, pos.footprint(u)) for u in units):
            return [("melee.napoleon", "8.5", sign * value)]
    return []


def _terrain(pos: Position, attackers: Sequence[str], defenders: Sequence[str]) -> int:
    """8.5 The terrain attacked over; of several sides the best for the defender."""
    board = pos.game.board
    values = [board.melee(a, b) for x in attackers for a in pos.footprint(x) for y in defenders
              for b in pos.footprint(y) if b in board.touching(a)]
    return min(values, default=0)


def _charging(pos: Position, clash: Clash, attackers: Sequence[str], defenders: Sequence[str]) -> list[Part]:
    """A4.4.2 Murat with charging cavalry, be it countercharged or not; 8.4.3 overlap of a line on two hexes."""
    table, parts = pos.game.tables["melee"]["modifiers"], []
    for units, sign in ((attackers, 1), ([u for u in defenders if u in clash.chargers], -1)):
        if any(himself(pos, MURAT, pos.footprint(u)) for u in units):
            parts.append(("melee.murat", "A4.4.2", sign * int(table["murat"])))
    for unit in attackers:
        if pos.tail.get(unit) and pos.form[unit] == LINE:
            hexes = {h for d in defenders for h in pos.footprint(d) if h in pos.arcs(unit).front}
            if len(hexes) < 2:
                parts.append(("melee.overlap", "8.4.3", int(table["overlap"]) * (2 - len(hexes))))
    return parts


def fight(pos: Position, clash: Clash) -> Procedure[None]:
    """8.3.1 no. 5, 6 Rounds until one side is gone. Guns in the hexes that were given up go or are lost."""
    side = pos.unit(clash.defenders[0]).side
    held = [h for u in clash.defenders for h in pos.footprint(u)]
    while pos.result is None and fighting(pos, clash.attackers) and fighting(pos, clash.defenders):
        parts = modifiers(pos, clash)
        die = yield from roll("melee", "8.5", 0, 9)
        total = die + sum(p[2] for p in parts)
        loser, lost, levels = pos.game.tables["melee"]["results"][min(max(total, 0), 9)]
        pos.tell("melee", "8.5", pos.unit(clash.attackers[0]).side, at=held[0], roll=die, total=total,
                 units=fighting(pos, clash.attackers), target=held[0], modifiers=shown(parts), loser=loser)
        clash.bonus = 0
        if loser == "both":
            if (yield from _round(pos, clash)):
                continue
        else:
            yield from _beaten(pos, clash, loser, lost, levels)
        break
    lost_ground = [h for h in held if pos.holder(h) != side or all(pos.unit(u).guns for u in pos.stack(h))]
    yield from guns_left(pos, lost_ground, side, [pos.at[u] for u in clash.attackers if pos.on_map(u)])


def _round(pos: Position, clash: Clash) -> Procedure[bool]:
    """8.5.3 Each side loses a point and checks; whether the melee goes on. 8.5.4 both never go at once."""
    spots = {u: pos.at[u] for u in (*clash.attackers, *clash.defenders)}
    mine = Trouble(tuple(h for u in fighting(pos, clash.defenders) for h in pos.footprint(u)))
    theirs = Trouble(tuple(h for u in fighting(pos, clash.attackers) for h in pos.footprint(u)))
    yield from losses(pos, pos.at[fighting(pos, clash.attackers)[0]], 1, 0, mine)
    yield from losses(pos, pos.at[fighting(pos, clash.defenders)[0]], 1, 0, theirs)
    yield from both_retreat(pos, mine, theirs)
    yield from settle(pos, theirs)
    yield from settle(pos, mine)
    clash.attackers = [u for u in clash.attackers if pos.at[u] == spots[u] and not pos.routed(u)]
    clash.defenders = [u for u in clash.defenders if pos.at[u] == spots[u] and not pos.routed(u)]
    if not (fighting(pos, clash.attackers) and fighting(pos, clash.defenders)):
        return False
    return (yield from _fight_on(pos, clash, clash.defenders)) and (yield from _fight_on(pos, clash, clash.attackers))


def _fight_on(pos: Position, clash: Clash, units: Sequence[str]) -> Procedure[bool]:
    """8.5.3 A side may let its own rout to end a melee; errata 8.3.1: only skirmishers withdraw of their own will."""
    first = fighting(pos, units)[0]
    options = [Option("fight", "8.5.3", label("option.fight_on")), Option("rout", "8.5.3", label("option.let_rout"))]
    if all(pos.form[u] in (SKIRMISH, SPREAD) for u in fighting(pos, units)):
        options.append(Option("withdraw", "8.3.1", label("option.withdraw")))
    said = yield from choose(
        Request(
            pos.seat_of(first),
            "prompt.melee_goes_on",
            "8.5.3",
            (Steadfast("fight_on", "8.5.3", tuple(options)),),
            {"at": pos.at[first], "unit": first},
            needs=needs_open,
        )
    )
    if said == "fight":
        return True
    others = clash.attackers if first in clash.defenders else clash.defenders
    trouble = Trouble(tuple(h for u in others for h in pos.footprint(u)))
    for here in alike(pos, fighting(pos, units)):
        yield from fall_back(pos, here, "rout" if said == "rout" else 0, trouble)
    yield from settle(pos, trouble)
    return False


def _beaten(pos: Position, clash: Clash, loser: str, lost: int, levels: int | str) -> Procedure[None]:
    """8.5 One side loses points, levels and its ground."""
    units, others = ((clash.attackers, clash.defenders) if loser == "attacker" else
                     (clash.defenders, clash.attackers))
    units, others = fighting(pos, units), fighting(pos, others)
    trouble = Trouble(tuple(h for u in others for h in pos.footprint(u)))
    for hex_, here in by_hex(pos, units).items():
        if lost > 0:
            before = sum(pos.strength(u) for u in here)
            yield from losses(pos, hex_, lost, None, trouble)
            lost -= before - sum(pos.strength(u) for u in here if pos.on_map(u))
    for here in alike(pos, [u for u in units if pos.on_map(u)]):
        yield from fall_back(pos, here, levels, trouble)
    yield from settle(pos, trouble)


def alike(pos: Position, units: Sequence[str]) -> list[list[str]]:
    """10.1.1, 6.5 Units by the hexes they hold: who was struck as he passed a counter on two goes by himself."""
    found: dict[tuple[str, ...], list[str]] = {}
    for unit in units:
        found.setdefault(pos.footprint(unit), []).append(unit)
    return list(found.values())


def by_hex(pos: Position, units: Sequence[str]) -> dict[str, list[str]]:
    """Units by the hex they stand in."""
    found: dict[str, list[str]] = {}
    for unit in units:
        found.setdefault(pos.at[unit], []).append(unit)
    return found


