"""13 Combat: attacks one after another, in three phases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rules.core.agenda import AGAIN, DONE, Next
from rules.core.errors import Refusal
from rules.core.forms import Allocate, Answer, Choose, Declare, Form, Lot, Option, label
from rules.core.procedure import Procedure, allocate, ask, roll
from rules.core.request import NOBODY, OPEN, SOME, Needs, Request, needs_nobody, needs_open
from rules.titles.triple_alliance import assess, river, stacking
from rules.titles.triple_alliance.control import enter
from rules.titles.triple_alliance.modifiers import Attack
from rules.titles.triple_alliance.position import Position, by_hex
from rules.titles.triple_alliance.tables import combat_result, guns, odds
from rules.titles.triple_alliance.targets import attackable, beside, why_not
from rules.titles.triple_alliance.turn import enter_stage, segments
from rules.titles.triple_alliance.units import ALLIED, PARAGUAY, enemy
from rules.titles.triple_alliance.victory import fortresses_fallen

LAST_PHASE = 3  # of combat in a turn


@segments.segment
def begin_combat(pos: Position, side: str, phase: int) -> Procedure[Next]:
    """13.2, 13.27 A combat phase begins: everybody may attack and be attacked once more; what was captured in the
    phase before counts now."""
    yield from ()
    _refresh(pos)
    hold_captures(pos, pos.booty if phase > 1 else [])
    enter_stage(pos, f"{side}_combat_{phase}", side)
    pos.tell("combat_began", "13.2", side, phase=phase)
    return [["combat", side, phase]]


def hold_captures(pos: Position, held: list[list[Any]]) -> None:
    """13.27 The captured arms that count from now on; those of this phase begin anew."""
    pos.captures, pos.booty = held, []
    pos.touched.add("table:captures")


def _refresh(pos: Position) -> None:
    for unit in pos.fought:
        pos.touch(pos.at[unit])
    pos.fought, pos.assailed = [], []


@segments.segment
def combat(pos: Position, side: str, phase: int) -> Procedure[Next]:
    """13.6 One attack, or the end of the phase; repeated until the end. 13.1 No attack is ever due."""
    near = beside(pos, side)
    targets = attackable(pos, near)
    forms: list[Form] = []
    if targets:
        forms.append(
            Declare(
                "attack",
                "13.6",
                targets,
                legal=lambda a: check_attack(pos, a["target"], a["units"]),
                show=lambda a: assess.as_seen(pos, side, phase, a["target"], a["units"]) if a["units"] else {},
                near=near,
                why=lambda target, unit: why_not(pos, side, target, unit),
            )
        )
    if near and (boxes := stacking.box_form(pos, side)) is not None:  # 3.5: not where only the end is left to say
        forms.append(boxes)
    forms.append(_ends(phase, not near))
    answer = yield from ask(Request(side, "prompt.combat", "13.6", tuple(forms), {"phase": phase}, not near,
                                    lambda said: combat_needs(pos, side, phase, said)))
    if answer["form"] == "no_attack":
        _refresh(pos)
        pos.tell("combat_ended", "13.1", side, phase=phase)
        if phase == LAST_PHASE or answer["option"] == "no_more":
            hold_captures(pos, [])  # 13.27: nothing is kept for another turn
        if answer["option"] == "no_more":
            no_more_attacks(pos, side)
        return DONE
    if answer["form"] == "boxes":
        stacking.arrange(pos, side, answer)
        return AGAIN
    yield from attack(pos, side, phase, answer["target"], answer["units"])
    pos.battle = None
    pos.touched.add("battle")
    return AGAIN


def _ends(phase: int, far: bool) -> Choose:
    """13.1 The end of the phase, or of all the attacks of the turn while more phases are to come and there is anybody
    to attack: not when all are `far` from any enemy, as everybody can see."""
    options = [Option("no_attack", "13.1", label("option.end_combat"), ends=True)]
    if phase < LAST_PHASE and not far:
        options.append(Option("no_more", "13.1", label("option.no_more_attacks"), ends=True))
    return Choose("no_attack", "13.1", tuple(options))


def no_more_attacks(pos: Position, side: str) -> None:
    """13.1 No attack is ever due: the phases of combat that are left to a side pass without a question."""
    pos.agenda[:] = [step for step in pos.agenda if step[:2] != ["begin_combat", side]]
    pos.tell("attacks_done", "13.1", side)


def apart(pos: Position, side: str) -> bool:
    """13.1 Whether no enemy stands next to any own unit: then everybody can see that there is nothing to attack."""
    foe, near = pos.occupied_by(enemy(side)), pos.game.map.neighbours
    return all(map(foe.isdisjoint, map(near.__getitem__, pos.occupied_by(side))))


def combat_needs(pos: Position, side: str, phase: int, answer: Answer) -> Needs:
    """13.24, 13.29 What the defender has to decide: of an attack, unless its owner is asked first for his own supply;
    of the end of the last phase, his turn."""
    if answer["form"] == "boxes":
        return NOBODY
    if answer["form"] == "no_attack":
        return after_turn(side) if phase == LAST_PHASE or answer["option"] == "no_more" else NOBODY
    units, target = answer["units"], answer["target"]
    fired_on = side == ALLIED and pos.fortress(target) is not None and any(pos.unit(u).river for u in units)
    return NOBODY if may_spend(pos, side, units) and not fired_on else defence_needs(pos, target)


def defence_needs(pos: Position, target: str) -> Needs:
    """13.24, 13.29 At most a supply unit to spend and the losses to pick; one unit alone leaves no choice of losses."""
    return Needs(0, min(2, len(pos.stack(target))))


def after_turn(side: str) -> Needs:
    """5.2 After the Paraguayan turn comes the Allied one; after that first of all events in which either is asked."""
    return SOME if side == PARAGUAY else OPEN


def check_attack(pos: Position, target: str, units: Sequence[str]) -> None:
    """12.6, 13.26 What the choice of attackers must satisfy. Raises Refusal."""
    _towing, lacking = river.tows(pos, units)
    if lacking:
        raise Refusal("refusal.raft_without_tow", "12.6", at=lacking[0])
    if not sum(assess.artillery_counts(pos, units)):
        raise Refusal("refusal.artillery_alone", "13.26", at=target)


def _check_advance(pos: Position, units: Sequence[str], target: str) -> None:
    """12.6, 13.30 A raft advances with another river unit of its hex that attacked and advances too. Raises Refusal."""
    spare: dict[str, int] = {}
    for unit in units:
        if pos.unit(unit).river:
            spare[pos.at[unit]] = spare.get(pos.at[unit], 0) + (-1 if pos.unit(unit).chata else 1)
    if any(left < 0 for left in spare.values()):
        raise Refusal("refusal.raft_without_tow", "12.6", at=target)


def attack(pos: Position, side: str, phase: int, target: str, units: Sequence[str]) -> Procedure[None]:
    """13.1 One attack, by any part of the stacks around (13.7), from its announcement to the advance. Once announced
    it cannot be withdrawn (6.4), and nobody retreats before it (13.8)."""
    attackers, defenders = list(units), list(pos.stack(target))
    foe = enemy(side)
    pos.fought += attackers + river.tows(pos, attackers)[0]
    pos.assailed += defenders
    for hex_ in {pos.at[u] for u in attackers}:
        pos.touch(hex_)
    _show(pos, Attack(side, phase, target, attackers, defenders), {})
    pos.tell("attack_announced", "6.4", side, target=target, at=target, units=sorted(attackers), defenders=defenders,
             reveals=True, **{"from": sorted({pos.at[u] for u in attackers})})
    attackers = yield from run_the_guns(pos, side, target, attackers)
    if not attackers or not assess.attack_factors(pos, attackers):
        pos.tell("attack_called_off", "13.18", side, target=target, at=target)
        return
    force = Attack(side, phase, target, attackers, defenders)
    line = assess.line_modifiers(pos, force)  # 7.11: looked at first of all
    spent = yield from spend_supply(pos, force)
    defenders = [u for u in defenders if pos.at[u] == target]
    if not defenders:  # the only defender was the supply unit it spent
        yield from advance(pos, side, phase, target, attackers, len(force.defenders))
        return
    yield from resolve(pos, force, defenders, spent, line)
    attackers = [u for u in attackers if pos.at[u][0].isdigit()]
    if any(pos.unit(u).fortress for u in force.defenders):
        fortresses_fallen(pos)
    if attackers and pos.holder(target) != foe:
        yield from advance(pos, side, phase, target, attackers, len(force.defenders))


def _show(pos: Position, force: Attack, more: dict[str, Any], spent: dict[str, bool] | None = None) -> dict[str, Any]:
    odds_now = assess.panel(pos, force, spent or {}, max(1, assess.defense_factors(pos, force.defenders)),
                            assess.line_modifiers(pos, force))
    pos.battle = {**odds_now, **more}
    pos.touched.add("battle")
    return pos.battle


def run_the_guns(pos: Position, side: str, target: str, attackers: list[str]) -> Procedure[list[str]]:
    """12.7, 13.18 Before the odds: a fortress fires on the ships that attack it, on them only. Who is left attacks."""
    ships = [u for u in attackers if pos.unit(u).river]
    if side != ALLIED or not ships or pos.fortress(target) is None:
        return attackers
    drawn = yield from roll("run_the_guns", "13.18", 0, 9)
    loss = min(guns(pos.game, drawn), len(ships))
    pos.tell("guns_fired", "13.18", PARAGUAY, at=target, roll=drawn, loss=loss, count=len(ships))
    if not loss:
        return attackers
    taken = yield from allocate(Request(side, "prompt.guns_losses", "13.18", (
        Allocate("guns_losses", "13.18", "lose", (Lot("ships", tuple(ships), loss, loss),)),), open_grounds=True,
        needs=lambda _: defence_needs(pos, target)))
    pos.remove(taken["ships"])
    pos.tell("ships_sunk", "13.18", side, units=taken["ships"], count=loss, at=target)
    return [u for u in attackers if u not in taken["ships"]]


def spend_supply(pos: Position, force: Attack) -> Procedure[dict[str, bool]]:
    """7.11, 13.24 First the attacker, then the defender says whether he spends a supply unit."""
    spent: dict[str, bool] = {}
    here = [u for h in sorted({pos.at[u] for u in force.units}) for u in pos.stack(h)]
    may = may_spend(pos, force.side, force.units)
    for who, side, stack in (("attacker", force.side, here if may else []),
                             ("defender", enemy(force.side), pos.stack(force.target))):
        supplies = tuple(u for u in stack if pos.unit(u).supply)
        if not supplies and not (who == "attacker" and may):
            continue
        form = f"{who}_supply"
        taken = yield from allocate(Request(side, f"prompt.{form}", "13.24", (
            Allocate(form, "13.24", "spend", (Lot("supply", supplies, 0, min(1, len(supplies))),)),),
            needs=_supply_needs(pos, who, force.target)))
        if taken.get("supply"):
            pos.remove(taken["supply"])
            spent[who] = True
            _show(pos, Attack(force.side, force.phase, force.target, force.units, pos.stack(force.target)), {}, spent)
        pos.tell("supply_in_combat", "13.24", side, at=force.target, spends=bool(taken.get("supply")),
                 units=taken.get("supply", []), who=who)
    return spent


def may_spend(pos: Position, side: str, units: Sequence[str]) -> bool:
    """13.24 The attacker is asked wherever he could have a supply unit among those that do not attack: so nothing is
    given away."""
    here = sum(len(pos.stack(h)) for h in {pos.at[u] for u in units})
    return here > len(units) and any(pos.unit(u).supply for u in pos.on_map(side))


def _supply_needs(pos: Position, who: str, target: str) -> Callable[[Answer], Needs]:
    """13.24 After the attacker's word comes the defender's; after his, the dice."""
    return (lambda _: defence_needs(pos, target)) if who == "attacker" else needs_open


def resolve(pos: Position, force: Attack, defenders: Sequence[str], spent: dict[str, bool],
            line: Sequence[Any]) -> Procedure[None]:
    """13.9, 13.10, 13.28, 13.29 Odds, the die, and the losses: defender first, each choosing his own."""
    side, foe = force.side, enemy(force.side)
    now = Attack(side, force.phase, force.target, force.units, defenders)
    ratio = odds(assess.attack_factors(pos, force.units), assess.defense_factors(pos, defenders))
    panel = assess.panel(pos, now, spent, assess.defense_factors(pos, defenders), line)
    if ratio.column is None:  # 13.12: worse than 1:3, no die
        assess.use_captures(pos, force.units)
        pos.remove(force.units)
        pos.tell("attack_shattered", "13.12", side, target=force.target, at=force.target, odds=panel,
                 units=sorted(force.units), count=len(force.units))
        return
    drawn = yield from roll("combat", "13.28", 0, 9)
    assess.use_captures(pos, force.units)
    lost, killed = combat_result(pos.game, ratio.column, drawn + panel["total"])
    pos.battle = {**panel, "rolled": drawn}
    pos.touched.add("battle")
    pos.tell("combat_rolled", "13.28", side, target=force.target, at=force.target, roll=drawn, odds=pos.battle,
             attacker=lost, defender=killed)
    yield from lose(pos, foe, "defender", defenders, killed)
    yield from lose(pos, side, "attacker", force.units, lost)


def lose(pos: Position, side: str, who: str, units: Sequence[str], loss: int) -> Procedure[None]:
    """13.29 The owner picks the units he loses; what he has too few of is not made up."""
    n = min(loss, len(units))
    if not n:
        return
    taken = yield from allocate(
        Request(
            side,
            f"prompt.{who}_losses",
            "13.29",
            (Allocate(f"{who}_losses", "13.29", "lose", (Lot("losses", tuple(units), n, n),)),),
            {"n": n},
            open_grounds=True,
            needs=needs_open if who == "defender" else needs_nobody,
        )
    )
    lost = by_hex(pos, taken["losses"])
    pos.remove(taken["losses"])
    for at, gone in lost.items():
        pos.tell("combat_lost", "13.29", side, at=at, units=gone, count=len(gone), who=who)


def advance(pos: Position, side: str, phase: int, target: str, attackers: Sequence[str],
            defended_by: int) -> Procedure[None]:
    """13.30 Into the emptied hex go as many of the attackers as their owner likes; ships only along the river."""
    able = tuple(u for u in attackers if not pos.unit(u).river or pos.game.navigable(pos.at[u], target))

    def towed(answer: Answer) -> None:
        _check_advance(pos, answer["lots"].get("advance", []), target)

    if not able:
        return
    taken = yield from allocate(Request(side, "prompt.advance", "13.30", (
        Allocate("advance", "13.30", "advance", (Lot("advance", able, 0, min(len(able), pos.game.limit), at=target),),
                 legal=towed),)))
    units = taken.get("advance", [])
    if not units:
        pos.tell("advance_declined", "13.30", side, at=target)
        return
    for start in sorted({pos.at[u] for u in units}):
        stacking.shift(pos, side, [u for u in units if pos.at[u] == start], target, False)
    pos.tell("advanced", "13.30", side, at=target, count=len(units), private={side: {"units": units}})
    enter(pos, target, side)
    if pos.result is None:
        yield from capture_arms(pos, side, phase, target, units, defended_by)


def capture_arms(pos: Position, side: str, phase: int, target: str, advanced: Sequence[str],
                 defended_by: int) -> Procedure[None]:
    """13.27 Paraguay clears a hex of four or more Allied units, counted as they were attacked, and advances: a die of
    attack factors for the units that advanced, in the next combat phase of the turn. After the third there is none, so
    no die is rolled."""
    if side != PARAGUAY or defended_by < pos.game.tables["captured_arms"]["allied_units"] or phase == 3:
        return
    drawn = yield from roll("captured_arms", "13.27", 0, 9)
    pos.booty.append([sorted(advanced), drawn])
    pos.touched.add("table:captures")
    pos.tell("arms_captured", "13.27", side, at=target, roll=drawn)
