"""What an attack promises: the mean of the six faces of the combat table, for a fight that is offered and for one that
a march would make possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.bots.chaco.sight import Sight, beside
from rules.titles.chaco.dice import FACES
from rules.titles.chaco.strength import Odds, odds

EMPTIES = {"E": 1.0, "50R": 0.4, "25R": 0.2}  # how far a result empties a hex
FACTOR = 0.45  # points that a factor is worth: a regiment of four gives one as it dies, and is missed as much
DEARER = 0.9  # of it that an own factor counts for
HOPE = 0.5  # share of those who could still come that is counted on
PHASES = 1.5  # fights of a turn that a stack beside the enemy is good for
FEWEST = 0.3  # a gain below it is none: nobody would attack


def mean(sight: Sight, ratio: Odds, total: int, mine: int, theirs: int, prize: float) -> float:
    """Mean gain in points over the faces of the die, `total` added: their factors less ours, and what the hex is worth
    if it is emptied."""
    table = sight.game.tables["combat_results"]
    low, high = table["rows"]
    gain, dear = 0.0, DEARER * (1.0 - 0.35 * sight.daring)
    for face in range(1, FACES + 1):
        attacker, defender = table["cells"][ratio.column][max(low, min(high, face + total)) - low].split("/")
        defender = "-" if ratio.safe else defender
        gain += FACTOR * (cost(defender, theirs) - dear * cost(attacker, mine)) + prize * EMPTIES.get(defender, 0.0)
    return gain / FACES


def cost(code: str, factors: int) -> float:
    """Factors that a result costs, a retreat counted as one."""
    if code == "E":
        return float(factors)
    share = int(code.rstrip("R")) / 100 if code.rstrip("R").isdigit() else 0.0
    return share * factors + (1.0 if code.endswith("R") else 0.0)


def prize(sight: Sight, target: str) -> float:
    """16.2 What is won with a hex besides its men."""
    return sight.stake(target, [u for u in sight.stacks_of_foe[target] if not sight.units[u].combat])


def promise(sight: Sight, hex_: str, units: Sequence[str]) -> float:
    """What it adds to the best attack on a neighbour that these units stand in a hex, with those who stand beside that
    neighbour or may still come."""
    best = 0.0
    for target in sight.game.map.neighbours[hex_]:
        if target in sight.theirs and not (sight.rain and sight.game.river(hex_, target)):
            friends = _friends(sight, target, units)
            force = {**friends, hex_: [*friends.get(hex_, []), *units]}
            gain = _gain(sight, target, force, _hope(sight, target, units))
            if gain > FEWEST - 0.6 * sight.daring:
                best = max(best, gain - max(0.0, _gain(sight, target, friends, 0)))
    return PHASES * best


def _friends(sight: Sight, target: str, but: Sequence[str]) -> dict[str, list[str]]:
    """Hex -> own units beside an enemy that are led without those of `but`."""
    found = {}
    for hex_ in sight.game.map.neighbours[target]:
        units = [u for u in sight.mine.get(hex_, []) if u not in but]
        if any(sight.units[u].combat for u in units):
            found[hex_] = units
    led = {h for h in sight.mine if any(u not in but for u in sight.leaders(h))}
    return {h: us for h, us in found.items() if led & {h, *sight.game.map.neighbours[h]}}


def _hope(sight: Sight, target: str, but: Sequence[str]) -> float:
    """Attack factors of led groups that have not moved and could still come beside an enemy."""
    force = 0
    for hex_ in sight.mine:
        chiefs = sight.leaders(hex_)
        if chiefs and sight.game.map.distance(hex_, target) > 1 and target in beside(sight.game, hex_, sight.rain):
            busy = sight.busy(hex_)
            if not busy.issuperset(chiefs):
                force += sum(sight.attack(u) for u in sight.fighters(hex_) if u not in busy and u not in but)
    return HOPE * force


def _gain(sight: Sight, target: str, force: Mapping[str, Sequence[str]], hope: float) -> float:
    """12.12 to 12.14 The mean gain of an attack by units as they would stand."""
    strength, mine, clear = hope, 0, 0
    rated: list[str] = []
    for hex_, units in force.items():
        factors = sum(sight.attack(u) for u in units)
        served = factors if sight.stocked(sight.side, hex_) else factors / 2
        strength += served / 2 if sight.game.river(hex_, target) else served
        mine += factors
        clear += factors if sight.game.map.hexes[hex_].terrain == "clear" else 0
        rated += [u for u in units if sight.units[u].type == "leader"]
    if not mine:
        return 0.0
    total = int(sight.game.tables["terrain"][sight.game.map.hexes[target].terrain]["attack"])
    total += int(sight.game.n["attack_from_clear"]) if 2 * clear >= mine else 0
    chief = max(rated, key=lambda u: (u == sight.commander, sight.units[u].political, u), default=None)
    total += sight.units[chief].command if chief else 0
    ratio = odds(int(strength), max(1, int(sight.strength(target) + 0.5)))
    return mean(sight, ratio, total, int(mine + hope), max(1, sight.guard(target)), prize(sight, target))
