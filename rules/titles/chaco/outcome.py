"""12.5-12.11 What a combat does: losses, retreat and rout, what stays behind, the advance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.core.errors import Refusal
from rules.core.forms import Allocate, Answer, Choose, Group, Lot, Option, label
from rules.core.procedure import Procedure, allocate, ask
from rules.core.request import Request, needs_open
from rules.titles.chaco import engineers, retreat, stacking
from rules.titles.chaco.control import take
from rules.titles.chaco.displacement import displace_leaders, overrun
from rules.titles.chaco.position import Position
from rules.titles.chaco.strength import (
    Battle,
    around,
    attacking_factors,
    defending_factors,
    leaders_of,
    leading,
    percent,
    toll,
)
from rules.titles.chaco.units import PARAGUAY


@dataclass(frozen=True, slots=True)
class Result:
    """12.5 One side's result: eliminated, a percentage of factors lost, a check for retreat."""

    code: str

    @property
    def eliminated(self) -> bool:
        return self.code == "E"

    @property
    def percent(self) -> int:
        return percent(self.code)

    @property
    def shaken(self) -> bool:
        """12.5, 12.7 Whether the side must check for retreat or rout."""
        return self.code.endswith("R")

    @property
    def harsh(self) -> bool:
        """15.2 A result of 50 or E."""
        return self.eliminated or self.percent == 50


@dataclass(frozen=True, slots=True)
class Force:
    """12.6 The units of one side in a combat, as losses see them."""

    side: str
    units: list[str]
    attacking: bool


def factors(pos: Position, force: Force, unit: str) -> tuple[int, int]:
    """12.6 What a unit's loss of a step and its whole loss count: artillery by its bracketed defence."""
    u = pos.unit(unit)
    printed = u.attack if force.attacking and u.type != "artillery" else u.defense
    if u.steps == 1 or unit in pos.reduced:
        return 0, printed[-1]
    return printed[0] - printed[1], printed[0]


def base(pos: Position, force: Force) -> int:
    """12.6 The unmodified factors of a force: attack factors, or the defence that counted (a ruling)."""
    return attacking_factors(pos, force.units) if force.attacking else defending_factors(pos, force.units)


def due(pos: Position, force: Force, result: Result) -> int:
    """12.6 Factors to be lost."""
    return toll(result.percent, base(pos, force))


def vanishes(pos: Position, force: Force, result: Result) -> bool:
    """12.6 Whether every lawful choice of losses leaves nobody."""
    if result.eliminated:
        return True
    whole = [factors(pos, force, u) for u in force.units]
    least_left = min((full - step for step, full in whole), default=0)
    return due(pos, force, result) > sum(full for _, full in whole) - least_left


def apply(pos: Position, battle: Battle, attacker: str, defender: str) -> Procedure[None]:
    """12.5 The defender's result first, then the attacker's. 12.6 Where both would vanish nothing happens."""
    lost, killed = Result(attacker), Result(defender)
    mine, theirs = Force(battle.side, list(battle.units), True), Force(battle.foe, list(battle.defenders), False)
    froms = sorted({pos.at[u] for u in battle.units})
    if vanishes(pos, mine, lost) and vanishes(pos, theirs, killed):
        pos.tell("no_effect", "12.6", battle.side, at=battle.targets[0])
        return
    _note_commanders(pos, battle, lost, killed)
    late = [u for h in battle.targets for u in pos.fighters(h, battle.foe) if u not in battle.defenders]
    armour = _armour_breaks(pos, battle)
    left = yield from losses(pos, theirs, killed, "defender")
    if late and (killed.shaken or killed.eliminated or not left):
        pos.eliminate(late)  # 12.10
        pos.tell("late_lost", "12.10", battle.foe, reveals=True, at=battle.targets[0], units=late, count=len(late))
    if killed.shaken:
        yield from retreat.check(pos, battle.foe, left, froms, armour)
    remains = yield from left_behind(pos, battle.foe, battle.targets)
    left = yield from losses(pos, mine, lost, "attacker")
    if lost.shaken:
        yield from retreat.check(pos, battle.side, left, battle.targets, 0)
    remains += yield from left_behind(pos, battle.side, froms)
    yield from advances(pos, battle, froms, killed)
    lose_supply(pos, remains)


def _note_commanders(pos: Position, battle: Battle, lost: Result, killed: Result) -> None:
    """15.2 A commander whose rating was used in an attack, or who stood with the defenders, has to be challenged when
    his side suffers 50 or E; without political phases nobody is."""
    if pos.options.get("politics", "on") == "off":
        return
    chief = leading(pos, battle.side, leaders_of(pos, battle.side, battle.units))
    blamed = []
    if lost.harsh and chief == pos.commander[battle.side]:
        blamed.append(battle.side)
    if killed.harsh and pos.at.get(pos.commander[battle.foe]) in battle.targets:
        blamed.append(battle.foe)
    for side in blamed:
        if side not in pos.shaken:
            pos.shaken.append(side)
            pos.touched |= {"table:leaders", "table:politics"}
            pos.tell("commander_blamed", "15.2", side, unit=pos.commander[side])


def _armour_breaks(pos: Position, battle: Battle) -> int:
    """13.1 With armour in a Bolivian attack, Paraguayans of whom most stood in the clear without works subtract one
    from their retreat dice."""
    if battle.foe != PARAGUAY or not any(pos.unit(u).type == "armour" for u in battle.units):
        return 0
    bare = [u for u in battle.defenders if pos.terrain(pos.at[u]) == "clear" and pos.at[u] not in pos.works]
    return int(pos.game.tables["retreat"]["armour"]) if 2 * len(bare) > len(battle.defenders) else 0


# -- losses (12.6, 12.9) -------------------------------------------------------------------------------------


def losses(pos: Position, force: Force, result: Result, who: str) -> Procedure[list[str]]:
    """12.6 The owner chooses what he loses: units turned over or gone, of the factors due at least. Who is left."""
    n = 0 if result.eliminated else due(pos, force, result)
    if result.eliminated or (n and vanishes(pos, force, result)):
        at = pos.at[force.units[0]]
        pos.eliminate(force.units)
        pos.tell("force_eliminated", "12.9", force.side, reveals=True, at=at, units=sorted(force.units),
                 count=len(force.units), who=who)
        return []
    if not n:
        return list(force.units)
    form = f"{who}_losses"
    flips = tuple(u for u in force.units if factors(pos, force, u)[0] or
                  (pos.unit(u).steps > 1 and u not in pos.reduced))
    lots = [Lot("kill", tuple(force.units), 0, len(force.units), label=label("lot.kill"))]
    if flips:
        lots.insert(0, Lot("flip", flips, 0, len(flips), label=label("lot.flip")))

    def legal(answer: Answer) -> None:
        if _sum(pos, force, answer) < n:
            raise Refusal("refusal.too_few_factors", "12.6", n=_sum(pos, force, answer), least=n)

    taken = yield from allocate(Request(force.side, f"prompt.{form}", "12.6", (
        Allocate(form, "12.6", "lose", tuple(lots), legal=legal),), {"n": n}, needs=needs_open))
    killed = taken.get("kill", [])
    flipped = [u for u in taken.get("flip", []) if u not in killed]
    places = sorted({pos.at[u] for u in [*killed, *flipped]})
    for unit in flipped:
        pos.flip(unit, True)
    pos.eliminate(killed)
    pos.tell("combat_lost", "12.6", force.side, reveals=True, at=places[0], units=sorted(killed),
             reduced=sorted(flipped), count=len(killed), flipped=len(flipped), who=who)
    return [u for u in force.units if u not in killed]


def _sum(pos: Position, force: Force, answer: Answer) -> int:
    """12.6 Factors lost by an answer: the difference for a unit turned over, all for one that is gone."""
    killed = answer["lots"].get("kill", [])
    return sum(factors(pos, force, u)[1] for u in killed) + sum(
        factors(pos, force, u)[0] for u in answer["lots"].get("flip", []) if u not in killed)


def left_behind(pos: Position, side: str, hexes: Sequence[str]) -> Procedure[list[str]]:
    """12.9 Hexes that lost all their combat units: trucks go, leaders are displaced for points (10.3), supply is
    captured only by an advance. The supply units that wait for that."""
    waiting: list[str] = []
    for hex_ in hexes:
        if pos.fighters(hex_, side) or pos.holder(hex_) != side:
            continue
        for unit in [u for u in pos.stack(hex_) if pos.unit(u).type == "truck"]:
            pos.send_off(unit)
            pos.tell("truck_lost", "12.9", side, reveals=True, at=hex_, unit=unit)
        yield from displace_leaders(pos, side, hex_, "12.9")
        waiting += [u for u in pos.stack(hex_) if pos.unit(u).type == "supply"]
    return waiting


def lose_supply(pos: Position, units: Sequence[str]) -> None:
    """12.9 Supply of an emptied hex that no advance has captured is lost."""
    for unit in units:
        if unit in pos.at:
            pos.strip(unit)
            pos.take_off(unit)


# -- the advance (12.11) -------------------------------------------------------------------------------------


def advances(pos: Position, battle: Battle, froms: Sequence[str], killed: Result) -> Procedure[None]:
    """12.11 The attacker may go into defending hexes that are empty; the defender into attacking hexes that the combat
    has emptied, not the advance, if his own result was 10 or nothing."""
    emptied = [h for h in battle.targets if not pos.fighters(h, battle.foe)]
    vacated = [h for h in froms if not pos.fighters(h, battle.side)]
    if emptied:
        yield from advance(pos, battle.side, froms, emptied)
    if vacated and killed.code in ("10", "-"):
        yield from advance(pos, battle.foe, battle.targets, vacated)


def may_enter(pos: Position, side: str, unit: str, hex_: str) -> bool:
    """12.11 One hex, never into terrain that is prohibited; 7.6 enemy zones do not matter."""
    at = pos.at[unit]
    if hex_ not in around(pos, at) or unit in pos.assigned:
        return False
    price = pos.ways(pos.unit(unit).kind, side).price(at, hex_)
    dry = pos.game.river(at, hex_) or price is not None
    return dry and (price is not None or pos.ways(pos.unit(unit).kind, side).entry(hex_) is not None)


def advance(pos: Position, side: str, starts: Sequence[str], goals: Sequence[str]) -> Procedure[None]:
    """12.11, 7.6 Any units of the hexes that fought, combat or not, into the empty ones, within stacking (11.2)."""
    units = [u for h in starts if pos.fighters(h, side) for u in pos.stack(h)]
    able = {h: tuple(u for u in units if may_enter(pos, side, u, h)) for h in goals}
    who = tuple(u for u in units if any(u in able[h] for h in goals))
    if not any(pos.unit(u).combat for u in who):
        return

    def legal(answer: Answer) -> None:
        placed = answer["placed"]
        for hex_ in sorted(set(placed.values())):
            come = [u for u, h in placed.items() if h == hex_]
            for unit in come:
                if unit not in able[hex_]:
                    raise Refusal("refusal.not_there", "12.11", at=hex_, unit=unit)
            if not any(pos.unit(u).combat for u in come):
                raise Refusal("refusal.combat_unit_first", "12.11", at=hex_)

    answer = yield from ask(Request(side, "prompt.advance", "12.11", (
        stacking.within_limits(pos, "advance", "12.11", (Group("advance", "12.11", who, tuple(sorted(goals))),),
                               legal=legal),
        Choose("no_advance", "12.11", (Option("no_advance", "12.11", label("option.no_advance")),))),
        {"at": goals[0]}, needs=needs_open))
    placed: dict[str, str] = answer.get("placed", {})
    if not placed:
        pos.tell("advance_declined", "12.11", side, at=goals[0])
        return
    for hex_ in sorted(set(placed.values())):
        yield from overrun(pos, side, hex_)
    engineers.stir(pos, placed)  # 14.2
    for unit, hex_ in placed.items():
        pos.put(unit, hex_)
    for hex_ in sorted(set(placed.values())):
        yield from take(pos, side, hex_, "advance")
    pos.tell("advanced", "12.11", side, at=goals[0], hexes=sorted(set(placed.values())), count=len(placed),
             private={side: {"units": sorted(placed)}})
