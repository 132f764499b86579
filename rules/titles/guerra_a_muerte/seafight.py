"""7.5, 7.10 Naval combat, with Cochrane (8.3) and the guns of fortified ports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.core.forms import Allocate, Lot, Option, label
from rules.core.procedure import Procedure, together
from rules.core.request import Request, needs_open
from rules.mechanics.lookup import lookup
from rules.titles.guerra_a_muerte.asking import DIE, d6, d10, pick
from rules.titles.guerra_a_muerte.board import FRIGATE, PATRIOT, ROYALIST, enemy
from rules.titles.guerra_a_muerte.control import holder_of
from rules.titles.guerra_a_muerte.leaders import check_leaders
from rules.titles.guerra_a_muerte.ports import admirals_at, sink
from rules.titles.guerra_a_muerte.position import Position

FORT = "fort:"  # 7.10 how a fortified port is named among those who fire


def admiral(pos: Position, ships: Sequence[str]) -> int:
    """8.3 What Cochrane adds for the fleet he sails with."""
    at = pos.at["cochrane"]
    return int(bool(ships) and pos.unit(ships[0]).side == PATRIOT and any(pos.at[s] == at for s in ships))


def sea_battle(pos: Position, side: str, ships: Sequence[str], targets: Sequence[str], at: str, clause: str,
               fort: str | None = None, *, may_evade: bool = True) -> Procedure[str | None]:
    """7.5, 7.5.1, 7.10 One round between two fleets: the attacked may evade at sea, not in port (ruling); every ship,
    and a fort, fires once for each step; hits count at the same moment. The winner lost fewer steps, those of a frigate
    that was seized among them (ruling 30)."""
    foe = enemy(side)
    places = {side: pos.at[ships[0]], foe: at}
    steps = {ship: pos.steps(ship) for ship in (*ships, *targets)}
    pos.tell("sea_battle_began", clause, side, at=at, attackers=sorted(ships), defenders=sorted(targets))
    if may_evade and at in pos.game.seas and (yield from evade_at_sea(pos, foe, targets, at)):
        return None
    seized = yield from seize(pos, side, ships, targets, at)
    fleets = {side: [s for s in ships if s not in seized and pos.on_map(s)],
              foe: [s for s in targets if s not in seized and pos.on_map(s)]}
    lost = {side: 0, foe: 0}
    if all(fleets.values()):
        aims = yield from aim(fleets, foe, fort)
        hits = yield from fire(pos, fleets, aims, fort)
        lost = yield from apply(pos, fleets, hits, places)
    lost[ROYALIST] += sum(steps.get(ship, 0) for ship in seized)
    yield from prizes_lost(pos, seized)
    for fleet, place in places.items():  # 8.1: all ships that he sailed with are gone, the prize too
        if not pos.ships_at(place, fleet):
            yield from check_leaders(pos, admirals_at(pos, place, fleet), place)
    winner = side if lost[side] < lost[foe] else foe if lost[foe] < lost[side] else None
    pos.tell("sea_battle_ended", clause, winner, at=at, attacker=lost[side], defender=lost[foe])
    return winner


def evade_at_sea(pos: Position, foe: str, targets: Sequence[str], at: str) -> Procedure[bool]:
    """7.5 The attacked fleet may try to get away, on 1 to 3, Cochrane taking one from its die."""
    taken, success = admiral(pos, targets), pos.game.tables["sea"]["evasion"]
    table = lookup("sea", rows={die: "evasion" for die in DIE if die - taken <= success})
    choice = yield from pick(foe, "evade_at_sea", "7.5", [
        Option("evade", "7.5", label("option.evade"), table=table),
        Option("stand", "7.5", label("option.stand"))], at=at, n=success + taken)
    if choice == "stand":
        return False
    die = yield from d6("sea_evasion", "7.5")
    away: bool = die - taken <= success
    pos.tell("evaded" if away else "evasion_failed", "7.5", foe, at=at, roll=die, total=die - taken)
    return away


def seize(pos: Position, side: str, ships: Sequence[str], targets: Sequence[str], at: str) -> Procedure[list[str]]:
    """8.3 With Cochrane there a die before the battle against royalist frigates: on 1 or 2 one of them is sunk or
    becomes a Chilean frigate, as the patriot likes. The ships that fight no more, the prize among them."""
    patriots, royalists = (ships, targets) if side == PATRIOT else (targets, ships)
    frigates = sorted(s for s in royalists if pos.unit(s).type == FRIGATE and pos.unit(s).side == ROYALIST)
    if not admiral(pos, patriots) or not frigates:
        return []
    die = yield from d6("seizure", "8.3")
    pos.tell("seizure_rolled", "8.3", PATRIOT, at=at, roll=die)
    if die > pos.game.tables["sea"]["prize"]:
        return []
    new = next((u for u in pos.stack("recruits:chile") if pos.unit(u).type == FRIGATE), None)
    options = [Option(f"{what}:{ship}", "8.3", label(f"option.{what}", unit=ship)) for ship in frigates
               for what in (("capture", "sink") if new else ("sink",))]
    chosen = yield from pick(PATRIOT, "seize", "8.3", options, open_grounds=True, at=at)
    what, _, ship = chosen.partition(":")
    if what == "sink":
        others = [s for s in royalists if s != ship]
        rescue(pos, [u for u, by in pos.aboard.items() if by == ship], others)
    yield from sink(pos, ship)
    pos.tell("seized", "8.3", PATRIOT, at=at, unit=ship, what=f"seized.{what}")
    if what == "capture" and new is not None:
        pos.put(new, pos.at[patriots[0]])
        return [ship, new]
    return [ship]


def prizes_lost(pos: Position, seized: Sequence[str]) -> Procedure[None]:
    """8.3 A prize is lost again when all patriot ships of its fleet are."""
    for ship in seized:
        if pos.on_map(ship) and pos.unit(ship).side == PATRIOT and pos.ships_at(pos.at[ship], PATRIOT) == [ship]:
            yield from sink(pos, ship)


def aim(fleets: Mapping[str, Sequence[str]], foe: str, fort: str | None) -> Procedure[dict[str, str]]:
    """7.5.1 Each ship and fort names its target; both sides at once."""
    named: dict[str, str] = {}
    asked: dict[str, Request] = {}
    for side, ships in fleets.items():
        enemies = tuple(sorted(fleets[enemy(side)]))
        shooters = [*ships, *([FORT + fort] if fort is not None and side == foe else [])]
        if len(enemies) == 1:
            named |= dict.fromkeys(shooters, enemies[0])
        else:
            asked[side] = Request(side, "prompt.broadsides", "7.5.1", (Allocate("broadsides", "7.5.1", "aim", tuple(
                Lot(s, enemies, 1, 1, label=label("lot.fort", at=fort) if s.startswith(FORT)
                    else label("lot.shooter", unit=s)) for s in shooters)),), needs=needs_open)
    answers = yield from together(asked)
    for answer in answers.values():
        named |= {shooter: taken[0] for shooter, taken in answer["lots"].items()}
    return named


def fire(pos: Position, fleets: Mapping[str, Sequence[str]], aims: Mapping[str, str],
         fort: str | None) -> Procedure[dict[str, int]]:
    """7.5.1, 7.10, 8.3 A ten-sided die for each step, a hit on the factor or less; Cochrane takes one from the dice of
    his fleet; a fortified port fires as a ship of the line of two steps and factor 7."""
    table = pos.game.tables["sea"]
    hits: dict[str, int] = {}
    for side, ships in fleets.items():
        bonus = admiral(pos, ships)
        for shooter in [*ships, *(s for s in aims if s == f"{FORT}{fort}" and aims[s] not in ships)]:
            is_fort = shooter.startswith(FORT)
            steps = table["fort_steps"] if is_fort else pos.steps(shooter)
            factor = table["fort_factor"] if is_fort else pos.factor(shooter)
            rolled = yield from d10("broadside", "7.5.1", steps)
            struck = sum(die - bonus <= factor for die in rolled)
            target = aims[shooter]
            hits[target] = hits.get(target, 0) + struck
            pos.tell("fort_fires" if is_fort else "broadside", "7.5.1", side, unit=fort if is_fort else shooter,
                     target=target, rolls=list(rolled), hits=struck)
    return hits


def apply(pos: Position, fleets: Mapping[str, Sequence[str]], hits: Mapping[str, int],
          places: Mapping[str, str]) -> Procedure[dict[str, int]]:
    """7.5.1 All hits at the same moment, a step each; who was aboard a ship that sinks goes down with it unless others
    of the fleet have room (ruling). `places`: side -> where its fleet lies."""
    lost = dict.fromkeys(fleets, 0)
    for side, ships in fleets.items():
        crowd = [u for u, ship in pos.aboard.items() if ship in ships]
        for ship in ships:
            taken = min(hits.get(ship, 0), pos.steps(ship))
            lost[side] += taken
            if taken and taken == pos.steps(ship):
                passengers = [u for u, by in pos.aboard.items() if by == ship]
                for unit in passengers:
                    del pos.aboard[unit]
                pos.bury(ship)
                rescue(pos, passengers, [s for s in ships if pos.on_map(s)])
            elif taken:
                pos.lose_step(ship)
        drowned = [u for u in crowd if pos.on_map(u) and u not in pos.aboard]
        for unit in drowned:
            if not pos.unit(unit).leader:
                pos.bury(unit)
        for leader in [u for u in drowned if pos.unit(u).leader]:
            yield from check_leaders(pos, [leader], places[side])
        gone = [s for s in ships if not pos.on_map(s)]
        if lost[side]:
            pos.tell("ships_hit", "7.5.1", side, at=places[side], count=lost[side], lost=gone, gone=len(gone))
    return lost


def room(pos: Position, ship: str) -> int:
    """7.7 Steps a ship can still take aboard."""
    lift: int = pos.game.tables["sea"]["lift"][pos.unit(ship).type]
    return lift - sum(pos.steps(u) for u, by in pos.aboard.items() if by == ship)


def cabin(pos: Position, ship: str) -> bool:
    """7.7 Whether a ship has room for a leader: one each."""
    return not any(by == ship and pos.unit(u).leader for u, by in pos.aboard.items())


def stow(pos: Position, units: Sequence[str], ships: Sequence[str]) -> dict[str, str] | None:
    """7.7 A ship for each unit, the larger ones first; None if they do not all fit."""
    left = {s: room(pos, s) for s in ships}
    cabins = [s for s in ships if cabin(pos, s)]
    out: dict[str, str] = {}
    for unit in sorted(units, key=lambda u: (-pos.steps(u), u)):
        if pos.unit(unit).leader:
            if not cabins:
                return None
            out[unit] = cabins.pop(0)
            continue
        ship = next((s for s in ships if left[s] >= pos.steps(unit)), None)
        if ship is None:
            return None
        left[ship] -= pos.steps(unit)
        out[unit] = ship
    return out


def rescue(pos: Position, passengers: Sequence[str], ships: Sequence[str]) -> None:
    """7.7 (ruling) As many passengers as others have room for change ships, the strongest first."""
    for unit in sorted(passengers, key=lambda u: (-pos.factor(u), u)):
        found = stow(pos, [unit], ships)
        if found:
            pos.aboard |= found


def guns(pos: Position, at: str, foe: str) -> str | None:
    """7.10 The fortified port of the attacked side that fires for its ships in it."""
    return at if at in pos.game.places and pos.game.fortified(at) and holder_of(pos, at) == foe else None


def fleet_panel(pos: Position, ships: Sequence[str], targets: Sequence[str], at: str) -> dict[str, Any]:
    """What a naval attack brings against what, for the odds panel: no table, only numbers of dice and factors, those of
    a fort too (7.10), and whose dice Cochrane changes (8.3)."""
    table, notes, fort = pos.game.tables["sea"], [], 0
    if guns(pos, at, pos.unit(targets[0]).side) is not None:
        fort = table["fort_steps"] * table["fort_factor"]
        notes.append({"key": "note.fort", "clause": "7.10",
                      "args": {"at": at, "n": table["fort_steps"], "factor": table["fort_factor"]}})
    if admiral(pos, ships) or admiral(pos, targets):
        notes.append({"key": "note.admiral", "args": {"n": max(admiral(pos, ships), admiral(pos, targets))},
                      "clause": "8.3"})

    def force(units: Sequence[str]) -> list[dict[str, Any]]:
        return [{"at": at, "units": [{"id": u, "value": pos.factor(u)} for u in sorted(units)]}] if units else []

    return {"target": at, "attack": sum(pos.factor(s) * pos.steps(s) for s in ships),
            "defense": fort + sum(pos.factor(s) * pos.steps(s) for s in targets), "ratio": None,
            "sides": {"attack": force(ships), "defense": force(targets)}, "modifiers": [], "total": 0, "faces": [],
            "clears": {"n": 0, "of": 10}, "mean": {"attacker": "0", "defender": "0"}, "assumed": False, "notes": notes}
