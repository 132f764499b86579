"""Battles: which first, the line, targets, a second shot, and when to go."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any

from rules.bots.ultimo_hombre.odds import forecast
from rules.bots.ultimo_hombre.sight import Sight
from rules.bots.ultimo_hombre.worth import VICTORY, exposure, leader, value
from rules.core.forms import Allocate, Answer, Choose, Form, Line

SHELTERED = 0.3  # what a hit on slot 1 is worth while a fortress takes it


def ideas(sight: Sight, forms: Mapping[str, Form]) -> Iterator[Answer]:
    """The one thought there is for each choice in a battle."""
    for name, form in forms.items():
        if line := Line.of(form):
            yield line_up(sight, line)
        if targets := Allocate.of(form):
            yield {"form": name, "lots": {lot.id: [_target(sight, lot.units)] for lot in targets.lots}}
        if choice := Choose.of(form):
            options = [o.id for o in choice.options]
            think = {"next_battle": _first, "target": _target, "reroll": _again, "retreat": _retreat}[name]
            yield {"form": name, "option": think(sight, options)}


def _again(_sight: Sight, _options: Sequence[str]) -> str:
    return "again"


def _first(sight: Sight, options: Sequence[str]) -> str:
    return max(options, key=lambda s: (value(sight, s, sight.side), s))


def drop(sight: Sight, unit: str) -> float:
    """What a hit on a unit takes from its side."""
    steps = sight.steps(unit)
    return steps[0] + 1.0 if len(steps) == 1 else 1.0 + steps[0] - steps[1]


def _target(sight: Sight, options: Sequence[str]) -> str:
    """Whoever falls to one hit, the strongest first; slot 1 behind walls last."""
    battle = sight.fragments["battle"]
    walled = _units(battle, sight.foe)[:1] if battle["fort"] and battle["attacker"] == sight.side else []
    return max(options, key=lambda u: (SHELTERED if u in walled else drop(sight, u), u))


def _units(battle: Mapping[str, Any], side: str) -> list[str]:
    return [slot["unit"] for line in battle["lines"] if line["side"] == side for slot in line["slots"]]


def line_up(sight: Sight, form: Line) -> Answer:
    """7 Strong against weak: of all orders the one that costs the enemy most and us least. Who lines up first puts
    his best behind the walls."""
    units, slots = sight.best(form.units), form.slots
    battle = sight.fragments["battle"]
    foes = _units(battle, sight.foe)
    attacking = battle["attacker"] == sight.side
    order: Sequence[str] = units
    if foes and attacking:
        shield = battle["fort"] is not None
        order = max(permutations(units, len(slots)), key=lambda line: _balance(sight, line, foes, shield))
    return {"form": form.name, "placed": dict(zip(order, sorted(slots), strict=False))}


def _balance(sight: Sight, line: Sequence[str], foes: Sequence[str], shield: bool) -> float:
    out = 0.0
    for slot, (mine, theirs) in enumerate(zip(line, foes, strict=False)):
        hurt = SHELTERED if shield and slot == 0 else drop(sight, theirs)
        out += sight.steps(mine)[0] * hurt - sight.steps(theirs)[0] * drop(sight, mine)
    return out


def _retreat(sight: Sight, options: Sequence[str]) -> str:
    """8 Stay while what is likely to come is better than to give way."""
    battle = sight.fragments["battle"]
    at, attacking = battle["target"], battle["attacker"] == sight.side
    mine = tuple(sight.steps(u) for u in _units(battle, sight.side))
    theirs = tuple(sight.steps(u) for u in _units(battle, sight.foe))
    fort = sight.forts.get(at, 0) if battle["fort"] else 0
    order = battle["order"]["key"].removeprefix("order.")
    risk = sum(leader(sight, x) for x, s in sight.leaders.items()
               if s == at and sight.game.leaders[x]["side"] == sight.side)
    bounty = sum(leader(sight, x) for x, s in sight.leaders.items()
                 if s == at and sight.game.leaders[x]["side"] == sight.foe)
    if attacking:
        odds = forecast(mine, theirs, fort, order)
        stay = (odds.wins * (value(sight, at, sight.side) + bounty + 1.0) + 1.1 * odds.killed - odds.lost
                - odds.wiped * risk)
        return "stay" if stay >= 0 else "retreat"
    odds = forecast(theirs, mine, fort, order)
    space = value(sight, at, sight.foe)
    stay = (1.1 * odds.lost + odds.wiped * bounty - odds.killed - odds.wins * (space + risk))
    ways = [o for o in options if o != "stay"]
    if not ways or space >= VICTORY or stay >= -space - 0.5:
        return "stay"
    fleeing = _units(battle, sight.side)

    def refuge(space: str) -> tuple[bool, float, str]:
        there = [*sight.own.get(space, []), *fleeing]
        return space not in sight.contested and len(there) <= 6, -exposure(sight, space, there), space

    return max(ways, key=refuge)
