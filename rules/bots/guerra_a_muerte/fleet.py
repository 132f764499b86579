"""Fleets: an army that waits in a haven, or more men than a coast needs, are carried to where land is to be had;
weaker fleets at sea are hunted down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.bots.guerra_a_muerte.sight import Sight
from rules.core.errors import Refusal
from rules.core.forms import Allocate, Answer, Choose, Declare, Form, Move, Place
from rules.titles.guerra_a_muerte.board import HAITI, ROYALIST, US

GOOD = 1.4  # so many times the strength that stands on a coast make a landing
WORTH_IT = 0.5  # what a coast has to promise
FAR = 8  # sea areas, two points of a fleet
PREY = 1.4  # so many times their guns make ships go for an enemy fleet


def launch(sight: Sight, forms: Mapping[str, Form]) -> Iterator[Answer]:
    """Men are brought into a port before anybody is activated, then the fleet that takes them is."""
    form, regroup = Allocate.of(forms.get("activate_fleet")), Place.of(forms.get("regroup"))
    if form is None:
        return
    for lot in form.lots:
        ships = [u for u in lot.units if sight.game.units[u].ship]
        if _prey(sight, lot.id, ships):
            yield {"form": "activate_fleet", "lots": {lot.id: sorted(lot.units)}}
        aboard = [u for u in sight.here.get(lot.id, ()) if "aboard" in sight.badges[u]]
        for quay in _quays(sight, lot.id):
            party = aboard or _party(sight, quay, ships, sight.inside(quay, sight.side))
            if party and best_coast(sight, lot.id, party)[0] >= WORTH_IT:
                yield {"form": "activate_fleet", "lots": {lot.id: sorted(lot.units)}}
            area = sight.game.area(quay)
            if regroup is None or area is None:
                continue
            able = {u for g in regroup.groups for u in g.units if quay in g.where and sight.at[u] == area}
            party = _party(sight, quay, ships, _spare(sight, area, able))
            if party and best_coast(sight, lot.id, party)[0] >= WORTH_IT + 0.3:
                yield {"form": "regroup", "placed": dict.fromkeys(party, quay)}


def _guns(sight: Sight, ships: list[str]) -> float:
    """7.5.1 Steps times factors of ships: what they hit with."""
    units = sight.game.units
    return float(sum(units[s].full * (units[s].steps - ("reduced" in sight.badges[s])) for s in ships))


def _prey(sight: Sight, loc: str, ships: list[str]) -> str | None:
    """The nearest sea area in which an enemy fleet is much weaker than these ships, nobody being aboard of them."""
    if any("aboard" in sight.badges[u] for u in sight.here.get(loc, ())):
        return None
    for sea, steps in sorted(sight.game.far(loc, sea=True).items(), key=lambda item: (item[1], item[0])):
        enemies = [u for u in sight.here.get(sea, ()) if sight.game.units[u].ship
                   and sight.game.units[u].side == sight.foe]
        if sea in sight.game.seas and steps <= FAR and enemies and _guns(sight, ships) >= PREY * _guns(sight, enemies):
            return sea
    return None


def _chase(sight: Sight, forms: Mapping[str, Form], at: str) -> Iterator[Answer]:
    """7.5 To the prey, and at it."""
    attack, sail = Declare.of(forms.get("attack_fleet")), Move.of(forms.get("sail"))
    ships = sorted(u for u in sight.here.get(at, ()) if sight.game.units[u].ship and "active" in sight.badges[u])
    sea = _prey(sight, at, ships)
    if attack is not None and sea == at and at in attack.targets:
        yield {"form": "attack_fleet", "target": at, "units": ships}
    if sail is not None and sea is not None and sea != at:
        yield from _sail(sail, sorted(u["id"] for u in sail.stacks[at]), sea)


def _quays(sight: Sight, loc: str) -> list[str]:
    """Where ships at a place find men: the box or port they lie in, or the own ports on their sea."""
    if loc in (HAITI, US) or loc in sight.game.places:
        return [loc]
    return [p for p in sight.game.harbours.get(loc, ()) if sight.side in sight.held_by(str(sight.game.places[p].area))]


def _spare(sight: Sight, area: str, able: set[str]) -> list[str]:
    """Those of an area that it can do without: all but the weakest, and nobody where enemies are near; nobody of the
    garrisons that victory asks of the crown."""
    lists = sight.game.lists
    if sight.side == ROYALIST and (area in lists["islands"] or area in lists["garrison_mexico"]):
        return []
    if any(sight.threat(a, sight.foe) for a in (area, *sight.game.near[area])):
        return []
    troops = sorted((u for u in able if sight.game.units[u].troops), key=lambda u: (sight.factor(u), u))
    return [*troops[1:], *(u for u in able if sight.game.units[u].leader)]


def _party(sight: Sight, quay: str, ships: list[str], men: list[str]) -> list[str]:
    """Who goes aboard: a leader, and the strongest there is room for; one force of one group of nations."""
    slots: dict[int, list[str]] = {}
    for unit in men:
        slots.setdefault(sight.game.nation_slot.get(sight.game.units[unit].nation, -1), []).append(unit)
    fleet = sight.game.nation_slot.get(sight.game.units[ships[0]].nation, -1) if ships else -1
    able = slots.get(fleet, [])
    room = sum(sight.game.tables["sea"]["lift"][sight.game.units[s].type] for s in ships)
    party = sorted((u for u in able if sight.game.units[u].leader), key=lambda u: -sight.game.units[u].tactical)[:1]
    for unit in sorted((u for u in able if sight.game.units[u].troops), key=lambda u: (-sight.factor(u), u)):
        steps = 1 if "reduced" in sight.badges.get(unit, ()) else sight.game.units[unit].steps
        if steps <= room and (steps <= 2 or len(ships) > 0):
            party.append(unit)
            room -= steps
    troops = [u for u in party if sight.game.units[u].troops]
    return sorted(party) if troops and (quay in (HAITI, US) or sight.strength(party) >= 6) else []


def best_coast(sight: Sight, loc: str, party: list[str]) -> tuple[float, str, str]:
    """The best landing in reach: what it promises, the sea before it, and the coast."""
    power, far = sight.strength(party), sight.game.far(loc, sea=True)
    best = (0.0, "", "")
    for sea, steps in sorted(far.items()):
        if sea not in sight.game.coasts or steps > FAR:
            continue
        for area in sight.game.coasts[sea]:
            threat = sight.threat(area, sight.foe)
            if power < GOOD * threat or sight.side in sight.held_by(area):
                continue
            score = sight.gain(area) * (1.0 if not threat else 0.8) - 0.04 * steps
            if area in sight.game.lists["hostile"]:
                score -= 0.1
            best = max(best, (score, sea, area))
    return best


def operate(sight: Sight, forms: Mapping[str, Form], at: str) -> Iterator[Answer]:
    """A fleet takes men aboard, carries them and lands them; with nothing to carry it rests."""
    yield from _chase(sight, forms, at)
    land, embark, sail = Choose.of(forms.get("land")), Allocate.of(forms.get("embark")), Move.of(forms.get("sail"))
    cargo = [u for u in sight.here.get(at, ()) if "aboard" in sight.badges[u]]
    if embark is not None:
        for lot in embark.lots:
            ships = [u for u in sight.here.get(at, ()) if sight.game.units[u].ship and "active" in sight.badges[u]]
            party = [u for u in lot.units if u in cargo] or _party(sight, lot.id, ships, list(lot.units))
            if party and best_coast(sight, at, party)[0] > 0.2:
                yield {"form": "embark", "lots": {lot.id: sorted(party)}}
    if not cargo:
        return
    _, sea, area = best_coast(sight, at, cargo)
    if land is not None and area in [o.id for o in land.options] and at == sea:
        yield {"form": "land", "option": area}
    if sail is not None and sea:
        yield from _sail(sail, sorted(u["id"] for u in sail.stacks[at]), sea)
    if land is not None:  # rather anywhere than nowhere
        yield {"form": "land", "option": max(land.options, key=lambda o: (sight.gain(sight.game.area(o.id) or o.id)
                                                                          if sight.game.area(o.id) else 0, o.id)).id}


def _sail(move: Move, units: list[str], sea: str) -> Iterator[Answer]:
    try:
        reach: dict[str, Any] = move.reach(units, {})
    except Refusal:
        return
    if sea in reach["cost"]:
        path = [sea]
        while path[-1] in reach["via"]:
            path.append(reach["via"][path[-1]])
        yield {"form": "sail", "units": units, "path": path[::-1]}
