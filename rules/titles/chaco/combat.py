"""12 Combat: attacks one after another, in three phases of a player turn."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from rules.core.agenda import AGAIN, DONE, Next
from rules.core.errors import Refusal, unknown
from rules.core.forms import Allocate, Answer, Choose, Declare, Form, Lot, Option, label, nothing
from rules.core.procedure import Procedure, ask, choose
from rules.core.request import NOBODY, OPEN, SOME, Needs, Request
from rules.titles.chaco import ahead, engineers, strength, supply
from rules.titles.chaco.contact import can_attack, led
from rules.titles.chaco.dice import die
from rules.titles.chaco.outcome import apply
from rules.titles.chaco.position import Position
from rules.titles.chaco.strength import Battle, around
from rules.titles.chaco.turn import enter_stage, segments
from rules.titles.chaco.units import enemy

HIDDEN_DEFENSE = 3  # what a hidden unit is taken for in the panel of limited intelligence


@segments.segment
def begin_combat(pos: Position, side: str, phase: int) -> Procedure[Next]:
    """12.1, 12.2 A combat phase begins: everybody may attack and be attacked once more. 6.3 None in a truce."""
    yield from ()
    for unit in {*pos.fought, *pos.assailed}:
        if unit in pos.at:
            pos.touch(pos.at[unit])
    pos.fought, pos.assailed, pos.barraged, pos.fled, pos.joint, pos.parted = [], [], [], {}, [], False
    enter_stage(pos, f"{side}_combat_{phase}", side)
    if not pos.truce:
        pos.tell("combat_began", "12.1", side, phase=phase)
    return DONE


@segments.segment
def combat(pos: Position, side: str, phase: int) -> Procedure[Next]:
    """12.1 One attack, or the end of the phase; repeated until the end. 7.4 No attack is ever due. 6.3 A truce allows
    none."""
    if pos.truce:
        return DONE
    targets = attackable(pos, side)
    forms: list[Form] = []
    if targets:
        forms.append(_attack_form(pos, side, targets))
    joining = _join_form(pos, side)
    if joining is not None:
        forms.append(joining)
    forms.append(Choose("no_attack", "12.1", (Option("no_attack", "12.1", label("option.end_combat"), ends=True),)))
    answer = yield from ask(Request(side, "prompt.combat", "12.1", tuple(forms), {"phase": phase}, open_grounds=True,
                                    needs=lambda said: combat_needs(pos, side, phase, said)))
    match answer["form"]:
        case "attack":
            hexes = pos.joint or [answer["target"]]
            pos.joint, pos.parted = [], False
            yield from attack(pos, side, hexes, answer["units"])
            pos.battle = None
            pos.touched.add("battle")
            return AGAIN
        case "join":
            _join(pos, side, answer["option"])
            return AGAIN
        case _:
            pos.joint = []
            pos.tell("combat_ended", "12.1", side, phase=phase)
            return DONE


def combat_needs(pos: Position, side: str, phase: int, answer: Answer) -> Needs:
    """12.1, 12.12 An attack: the defender's word on supply and aircraft, unless the attacker is asked first for his
    own supply; the end of the phase: whoever can attack next."""
    match answer["form"]:
        case "attack":
            hexes = pos.joint or [answer["target"]]
            froms = {pos.at[u] for u in answer["units"]}
            asked = asked_for_supply(pos, side, froms)
            return NOBODY if asked else defence_needs(pos, side, hexes)
        case "join":
            return NOBODY
        case _:
            return ahead.after(pos, side, side if phase else enemy(side), f"combat_{phase}")


def asked_for_supply(pos: Position, side: str, hexes: set[str]) -> bool:
    """12.12 Whether a side is asked for supply to a fight of its units in these hexes. In limited intelligence always:
    whether there is any near is not for the enemy to know."""
    return pos.options["intelligence"] == "limited" or bool(supply.in_reach(pos, side, hexes))


def defence_needs(pos: Position, side: str, hexes: Sequence[str]) -> Needs:
    """12.12, 13.3 The defender's supply, then both sides' aircraft, the attacker's first; then the dice decide."""
    n = int(asked_for_supply(pos, enemy(side), set(hexes)))
    return Needs(n, n) if pos.air[side] else Needs(n + bool(pos.air[enemy(side)]), None)


def supply_needs(pos: Position, battle: Battle, who: str) -> Needs:
    """12.12, 13.3 After the attacker's supply comes the defender's; after that the aircraft."""
    if who == "attacker":
        return defence_needs(pos, battle.side, battle.targets)
    mine, theirs = pos.air[battle.foe], pos.air[battle.side]
    if not theirs:
        return NOBODY if mine else OPEN
    return Needs(1, 1 if mine else None)


def aircraft_needs(pos: Position, battle: Battle, who: str) -> Needs:
    """13.3 After the attacker's aircraft the defender's, if there is any; then the dice decide."""
    return SOME if who == "attacker" and pos.air[battle.foe] else OPEN


# -- who may attack what (12.2, 12.3) ------------------------------------------------------------------------


def defenders_of(pos: Position, hex_: str, foe: str) -> list[str]:
    """12.2, 12.10 The units that defend a hex: none that was attacked before in this phase and fell back to it."""
    return [u for u in pos.fighters(hex_, foe) if u not in pos.fled and u not in pos.assailed]


def attackable(pos: Position, side: str) -> dict[str, dict[str, list[str]]]:
    """12.2 Enemy hexes and who could attack them from where."""
    foe, own, out = enemy(side), pos.army(side), {}
    for target in pos.army(foe):
        if target in pos.game.off_map or not defenders_of(pos, target, foe):
            continue
        if pos.joint and target != pos.joint[0]:
            continue
        sources: dict[str, list[str]] = {}
        for hex_ in around(pos, target):
            able = [u for u in own.get(hex_, ()) if u not in pos.fought and led(pos, side, u)
                    and all(can_attack(pos, u, t) and t in around(pos, hex_) for t in (pos.joint or [target]))]
            if able:
                sources[hex_] = able
        if sources:
            out[target] = {h: sources[h] for h in sorted(sources)}
    return out


def beside(pos: Position, side: str) -> dict[str, list[str]]:
    """12.2 The enemy hexes next to own combat units, each with all of these."""
    own, foes = pos.army(side), [t for t in sorted(pos.army(enemy(side))) if t not in pos.game.off_map]
    near = {t: [u for h in sorted(around(pos, t)) for u in own.get(h, ())] for t in foes}
    return {target: units for target, units in near.items() if units}


def why_not(pos: Position, side: str, target: str, unit: str | None) -> Refusal | None:
    """12.2, 12.10, 12.13 Why this unit, or nobody at all, can attack there."""
    if target not in pos.game.map.neighbours or (unit is not None and unit not in pos.at):
        return unknown(target if unit is None or target not in pos.game.map.neighbours else unit)
    if target not in pos.army(enemy(side)) or target in pos.game.off_map:
        return Refusal("refusal.no_enemy", "12.2", at=target)
    if unit is None:
        return _nobody(pos, side, target)
    if pos.unit(unit).side != side:
        return Refusal("refusal.not_yours", "12.2", at=target, unit=unit)
    if target not in pos.game.map.neighbours.get(pos.at[unit], ()):
        return Refusal("refusal.not_beside", "12.2", at=target, unit=unit)
    return _idle(pos, side, target, unit) or _nobody(pos, side, target)


def _idle(pos: Position, side: str, target: str, unit: str) -> Refusal | None:
    """12.2, 12.13 Why an own unit beside the target can't attack it."""
    if unit in pos.fought:
        return Refusal("refusal.has_attacked", "12.2", at=target, unit=unit)
    if not pos.unit(unit).attack or pos.attack(unit) <= 0:  # leaders, trucks and supply have none
        return Refusal("refusal.no_attack_factor", "12.2", at=target, unit=unit)
    if not led(pos, side, unit):
        return Refusal("refusal.not_led", "12.2", at=target, unit=unit)
    if pos.rain and any(pos.game.river(pos.at[unit], t) for t in (pos.joint or [target])):
        return Refusal("refusal.river_in_the_rains", "12.13", at=target, unit=unit)
    return None


def _nobody(pos: Position, side: str, target: str) -> Refusal | None:
    """12.2, 12.10 Why a hex can't be attacked; where all that stand by are idle, why the first of them is."""
    if not defenders_of(pos, target, enemy(side)):
        return Refusal("refusal.attacked_already", "12.10", at=target)
    by = [u for h in sorted(around(pos, target)) for u in pos.fighters(h, side)]
    if not by:
        return Refusal("refusal.nobody_beside", "12.2", at=target)
    return next((why for u in by if (why := _idle(pos, side, target, u))), None)


def _attack_form(pos: Position, side: str, targets: dict[str, dict[str, list[str]]]) -> Declare:
    def show(answer: dict[str, Any]) -> dict[str, Any]:
        if not answer["units"]:
            return {}
        return strength.panel(pos, as_seen(pos, side, pos.joint or [answer["target"]], answer["units"]))

    return Declare("attack", "12.2", targets, legal=nothing, show=show, near=beside(pos, side),
                   why=lambda target, unit: why_not(pos, side, target, unit))


def as_seen(pos: Position, side: str, hexes: Sequence[str], units: Sequence[str]) -> Battle:
    """The combat before it is announced, with supply for both where some is in reach (12.12). In limited intelligence
    only the top units are known, the others are guessed, and the defender's supply is taken for granted."""
    foe = enemy(side)
    served = supply.in_reach(pos, side, {pos.at[u] for u in units})
    if pos.options["intelligence"] == "full":
        defenders = [u for h in hexes for u in defenders_of(pos, h, foe)]
        kept = supply.in_reach(pos, foe, set(hexes))
        return Battle(side, list(hexes), list(units), defenders, served, kept, foreseen=True)
    tops = [pos.stack(h)[0] for h in hexes]
    hidden = sum(len(pos.stack(h)) - 1 - len(pos.leaders_at(h)) for h in hexes)
    return Battle(side, list(hexes), list(units), tops, served, set(hexes), guess=HIDDEN_DEFENSE * max(0, hidden),
                  foreseen=True)


def _join_form(pos: Position, side: str) -> Choose | None:
    """12.3 Several hexes can be attacked at once by units beside all of them: first the hexes are named."""
    if pos.joint:
        options = [Option(h, "12.3", label("option.join", at=h), at=h) for h in _partners(pos, side, pos.joint)]
        options.append(Option("part", "12.3", label("option.part")))
        return Choose("join", "12.3", tuple(options))
    if pos.parted:
        return None
    open_ = set(_open_targets(pos, side))
    beside_one = (sorted(open_ & set(around(pos, hex_))) for hex_ in pos.army(side))
    near = {pair for hexes in beside_one for pair in combinations(hexes, 2)}
    pairs = [pair for pair in sorted(near) if _common(pos, side, pair)]
    options = [Option(f"{a}+{b}", "12.3", label("option.join_two", at=a, other=b), at=a) for a, b in pairs]
    return Choose("join", "12.3", tuple(options)) if options else None


def _open_targets(pos: Position, side: str) -> list[str]:
    foe = enemy(side)
    return [h for h in pos.army(foe) if h not in pos.game.off_map and defenders_of(pos, h, foe)]


def _common(pos: Position, side: str, hexes: Sequence[str]) -> bool:
    """12.3 Whether a unit could attack all these hexes together."""
    return any(u not in pos.fought and led(pos, side, u) and all(can_attack(pos, u, t) for t in hexes)
               for h in around(pos, hexes[0]) if all(h in around(pos, t) for t in hexes[1:])
               for u in pos.fighters(h, side))


def _partners(pos: Position, side: str, joint: Sequence[str]) -> list[str]:
    return [h for h in sorted(_open_targets(pos, side)) if h not in joint and _common(pos, side, [*joint, h])]


def _join(pos: Position, side: str, option: str) -> None:
    if option == "part":
        pos.joint, pos.parted = [], True
        pos.tell("targets_parted", "12.3", side)
        return
    pos.joint = sorted([*pos.joint, *option.split("+")])
    pos.tell("targets_joined", "12.3", side, hexes=list(pos.joint))


# -- one attack (12.4) ---------------------------------------------------------------------------------------


def attack(pos: Position, side: str, hexes: Sequence[str], units: Sequence[str]) -> Procedure[None]:
    """12.2, 12.4 One attack from its announcement to the advance: once announced it is carried out whatever the odds.
    Supply, attacker first (12.12); odds; aircraft (13.3); the die."""
    foe = enemy(side)
    defenders = [u for h in hexes for u in defenders_of(pos, h, foe)]
    battle = Battle(side, list(hexes), list(units), defenders)
    pos.fought += list(units)
    pos.assailed += defenders
    engineers.stir(pos, [*units, *defenders])
    for hex_ in {*hexes, *(pos.at[u] for u in units)}:
        pos.touch(hex_)
    _show(pos, battle)
    pos.tell("attack_announced", "12.2", side, target=hexes[0], at=hexes[0], hexes=list(hexes), units=sorted(units),
             defenders=defenders, reveals=True, **{"from": sorted({pos.at[u] for u in units})})
    yield from spend(pos, battle, side, "attacker")
    yield from spend(pos, battle, foe, "defender")
    yield from fly(pos, battle, side, "attacker")
    yield from fly(pos, battle, foe, "defender")
    rolled = yield from die("combat", "12.4")
    shown = _show(pos, battle, rolled)
    ratio = strength.odds(shown["attack"], shown["defense"])
    lost, killed = strength.result(pos, ratio, rolled + shown["total"])
    pos.tell("combat_rolled", "12.4", side, target=hexes[0], at=hexes[0], roll=rolled, odds=shown, attacker=lost,
             defender=killed)
    yield from apply(pos, battle, lost, killed)


def _show(pos: Position, battle: Battle, rolled: int | None = None) -> dict[str, Any]:
    shown = strength.panel(pos, battle, {} if rolled is None else {"rolled": rolled})
    pos.battle = shown
    pos.touched.add("battle")
    return shown


def spend(pos: Position, battle: Battle, side: str, who: str) -> Procedure[None]:
    """12.12 A side says which supply points it spends on a combat, each for all units within reach. It may refuse."""
    hexes = {pos.at[u] for u in battle.units} if who == "attacker" else set(battle.targets)
    near = {h: supply.serves(pos, side, h) & hexes for h in supply.stores(pos, side)}
    lots = tuple(Lot(h, tuple(supply.stores(pos, side)[h]), 0, 1, at=h) for h, served in sorted(near.items()) if served)
    name = f"{who}_supply"
    forms: tuple[Form, ...]
    if lots:
        forms = (Allocate(name, "12.12", "spend", lots),)
    elif pos.options["intelligence"] == "limited":  # whether there is any supply near is not for the enemy to know
        forms = (Choose("no_supply", "12.12", (Option("no_supply", "12.12", label("option.no_supply")),)),)
    else:
        return
    answer = yield from ask(Request(side, f"prompt.{name}", "12.12", forms, {"at": battle.targets[0]},
                                    needs=lambda _: supply_needs(pos, battle, who)))
    spent: dict[str, list[str]] = answer.get("lots", {})
    served = {h for at in spent for h in near[at]}
    battle.served, battle.kept = (served, battle.kept) if who == "attacker" else (battle.served, served)
    for units in spent.values():
        for unit in units:
            pos.strip(unit)
            pos.take_off(unit)
    _show(pos, battle)
    pos.tell("supply_spent", "12.12", side, reveals=True, at=battle.targets[0], hexes=sorted(spent), count=len(spent),
             who=who)


def fly(pos: Position, battle: Battle, side: str, who: str) -> Procedure[None]:
    """13.3 After the odds and before the die a side may commit one air marker, the attacker first."""
    if not pos.air[side]:
        return
    said = yield from choose(Request(side, f"prompt.{who}_aircraft", "13.3", (Choose("aircraft", "13.3", (
        Option("no_aircraft", "13.3", label("option.no_aircraft")),
        Option("aircraft", "13.3", label("option.aircraft", n=pos.air[side])))),),
        needs=lambda _: aircraft_needs(pos, battle, who)))
    if said == "no_aircraft":
        return
    pos.air[side] -= 1
    battle.planes[who] = 1
    _show(pos, battle)
    pos.touched.add("table:state")
    pos.tell("aircraft_sent", "13.3", side, who=who)
