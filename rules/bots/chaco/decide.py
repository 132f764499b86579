"""All decisions but marches and fights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.bots.chaco import rear
from rules.bots.chaco.sight import FAR, MARCH, Sight
from rules.core.forms import Allocate, Answer, Choose, Place
from rules.core.request import Request
from rules.titles.chaco.dice import FACES

# What is chosen where it is offered; the first that fits.
CHOICES = ("accept_truce", "no_call_up", "aircraft", "end_reaction", "lift", "forbid")


HOPE = 2  # turns in which a war that is lost could still be turned


def ideas(sight: Sight, prompt: str, request: Request) -> Iterator[Answer]:
    """Answers to a request, the best first."""
    for form in request.forms:
        if places := Place.of(form):
            yield from _place(sight, places)
        if lots := Allocate.of(form):
            yield from _allocate(sight, prompt, lots)
        if options := Choose.of(form):
            yield from _choose(sight, options)


def _choose(sight: Sight, form: Choose) -> Iterator[Answer]:
    ids = [option.id for option in form.options]
    if form.name == "set_up_works":
        ids = sorted(ids, key=lambda h: (-len(sight.fighters(h)), h))
    elif form.name == "depots":
        ids = sorted((i for i in ids if i in sight.game.map.hexes), key=lambda h: (-_apart(sight, h), h)) or ids
    elif form.name == "truce" and _truce_loses(sight):
        ids = ["refuse_truce", *ids]
    elif form.name == "call_up":
        ids = ["call_up" if _calls_up(sight) else "no_call_up"]
    elif form.name in ("retreat", "displaced"):
        ids = sorted(ids, key=lambda h: (-len(sight.fighters(h)), -sight.threat(h) if h in sight.game.home else 0, h))
    settled = form.name == "call_up" or ids[0] == "refuse_truce"
    for name in [*(c for c in CHOICES if c in ids and not settled), *ids]:
        yield {"form": form.name, "option": name}


def _apart(sight: Sight, hex_: str) -> int:
    """How far a hex is from all that has supply of its own: depots laid already, the headquarters, sources."""
    layer = sight.fragments.get(f"layer:supply_{sight.side}") or {"parts": []}
    fed = [part["at"] for part in layer["parts"] if part.get("sign") == "depot"]
    ghq = sight.game.ghq[sight.side]
    fed += [h for h, us in sight.mine.items() if ghq in us]
    return min(sight.game.map.distance(hex_, h) for h in [*fed, *sight.game.sources[sight.side]])


def _truce_loses(sight: Sight) -> bool:
    """6.2, 16.1 A truce ends the war in favour of whoever is 50 points ahead: who is as far behind pays to go on."""
    mine, theirs = sight.points[sight.side], sight.points[sight.foe]
    truce: dict[str, int] = sight.game.n["truce"]
    return theirs - mine >= truce["lead"] and mine >= truce["refusal"] + FACES and sight.turns_left >= HOPE


def _calls_up(sight: Sight) -> bool:
    """9.5 Reserves are worth five points to who is much the weaker, can spare them, and has time to bring them to the
    front."""
    mine = sum(sight.attack(u) for us in sight.mine.values() for u in us)
    theirs = sum(sight.attack(u) for us in sight.theirs.values() for u in us)
    gates = [h for h in sight.game.sources[sight.side] if sight.controller(h) == sight.side]
    march = min((sight.away(gate, h) for gate in gates for h in sight.theirs), default=FAR) / MARCH
    return sight.points[sight.side] >= 12 and mine < 0.6 * theirs and sight.turns_left >= march + 3


def _place(sight: Sight, form: Place) -> Iterator[Answer]:
    """The suggested set-up; supply to the leaders in front; new units to the source nearest the enemy."""
    if form.name == "set_up":
        yield {"form": form.name, "placed": dict(form.suggested)}
        return
    placed: dict[str, str] = {}
    count = dict(form.standing)
    for group in form.groups:
        where = sorted(group.where, key=lambda h: (sight.threat(h), h))
        for unit in group.units:
            if form.name == "supply_points":
                placed[unit] = min(where, key=lambda h: (_stock(sight, h, placed), h))
                continue
            fits = [h for h in where if unit in form.free or count.get(h, 0) < form.limits.get(h, form.limit)]
            if fits:
                placed[unit] = fits[0]
                count[fits[0]] = count.get(fits[0], 0) + (unit not in form.free)
    yield {"form": form.name, "placed": placed}


def _stock(sight: Sight, hex_: str, placed: Mapping[str, str]) -> float:
    """How well a place is off for supply: what lies or comes there, for the men who are led there near the enemy."""
    held = rear.supply(sight, hex_) + sum(h == hex_ for h in placed.values())
    men = sum(sight.attack(u) for h in (hex_, *sight.game.map.neighbours[hex_]) for u in sight.fighters(h))
    return (held + 1) * (1 + sight.threat(hex_)) / (1.0 + men * bool(sight.leaders(hex_)))


def _missed(sight: Sight, unit: str) -> float:
    """8.12, 16.2 What hunger may cost with a unit: a worn one alone leaves its settlement open, or its leaders."""
    at = next(h for h, units in sight.mine.items() if unit in units)
    alone = unit in sight.reduced and len(sight.fighters(at)) == 1
    return sight.attack(unit) / 10 + alone * (sight.stake(at, sight.leaders(at)) + sight.loss(at, []))


def _allocate(sight: Sight, prompt: str, form: Allocate) -> Iterator[Answer]:
    if prompt in ("attacker_supply", "defender_supply"):
        battle = sight.fragments.get("battle") or {}
        side = "attack" if prompt == "attacker_supply" else "defense"
        hexes = {row["at"] for row in battle.get("sides", {}).get(side, [])}
        lots = sorted(form.lots, key=lambda lot: (lot.at not in hexes, -len(lot.units), lot.id))
        yield {"form": form.name, "lots": {lots[0].id: [lots[0].units[0]]}}
    elif prompt == "replacements":
        lot = form.lots[0]
        best = sorted(lot.units, key=lambda u: (-sight.units[u].attack[0], u))
        yield {"form": form.name, "lots": {lot.id: best[: lot.most]}}
    elif prompt == "air_drop":
        lot = form.lots[0]
        yield {"form": form.name, "lots": {lot.id: [max(lot.units, key=lambda u: (_missed(sight, u), u))]}}
    elif prompt == "trucks":
        yield from rear.assigned(sight, form)
    else:
        weakest = {lot.id: sorted(lot.units, key=lambda u: (sight.attack(u), u))[: lot.least] for lot in form.lots}
        yield {"form": form.name, "lots": {k: v for k, v in weakest.items() if v}}
