"""What spaces and leaders are worth, what is exposed, and where the war pulls."""

from __future__ import annotations

from collections.abc import Sequence

from rules.bots.ultimo_hombre.odds import strength
from rules.bots.ultimo_hombre.sight import Sight
from rules.titles.ultimo_hombre.board import ALLIED, NEUTRAL, PARAGUAYAN
from rules.titles.ultimo_hombre.control import PRIZES

POINT = 3.0       # worth of a victory point, in steps and factors of units
CARD = 3.0
STRATEGIC = 7.0   # a reinforcement a turn less
VICTORY = 300.0
PULL = 0.78       # how a goal's pull fades with each space
STRONGEST = 40.0  # and its most
LATER = 0.5       # what counts of a danger that is two turns off
NUMERALS = ("I", "II", "III", "IV", "V")


def value(sight: Sight, space: str, side: str) -> float:
    """What it is worth to a side to take a space from the other; 0 for its own and for neutral ones."""
    spot = sight.game.spaces[space]
    if sight.controller(space) in (side, NEUTRAL):
        return 0.0
    out = 0.4
    if spot.control != side and space not in sight.idle and sight.controller(space) == spot.control:
        out += POINT * spot.vp + CARD * spot.cards
    if spot.control == side:
        out += 1.0
    if spot.strategic and spot.control != side and space not in sight.idle:
        out += STRATEGIC
    if side == PARAGUAYAN and space in PRIZES:
        out += VICTORY
    if side == ALLIED and space == sight.capital:
        out += capital(sight)
    if side == ALLIED and space == "montevideo" and sight.uruguay.endswith("blanco"):
        out += 4 * CARD
    return out


def capital(sight: Sight) -> float:
    """13 What the present capital is worth."""
    used = NUMERALS.index(sight.numeral)
    if not used:
        return 6.0
    marker = sight.game.capitals[used - 1]
    if marker["wins"]:
        return VICTORY
    return 6.0 + POINT * float(marker["vp"])


def leader(sight: Sight, name: str) -> float:
    """14 What it costs to lose a leader."""
    terms = sight.game.leaders[name]["capture"]
    if terms["type"] == "vp":
        return POINT * float(terms["vp"])
    return 80.0 if terms["type"] == "argentina_out" else 2 * VICTORY


def exposure(sight: Sight, space: str, units: Sequence[str]) -> float:
    """What the own side must fear for a space with these units in it, when the enemy moves next."""
    prize = value(sight, space, sight.foe) or _if_held(sight, space)
    near = _fear(sight, space, units, sight.threats.get(space, ())[:6], prize)
    if prize < VICTORY:
        return near
    return max(near, LATER * _fear(sight, space, units, sight.approaching(space)[:6], prize))


def _fear(sight: Sight, space: str, units: Sequence[str], foes: Sequence[str], prize: float) -> float:
    """The same of these enemies."""
    if not foes:
        return 0.0
    if not units:
        return 0.8 * prize
    attack = strength([sight.steps(u) for u in foes])
    defence = strength([sight.steps(u) for u in units], sight.forts.get(space, 0))
    if sight.game.spaces[space].main_river:
        defence *= 1.4
    odds = float(attack ** 1.5 / (attack ** 1.5 + defence ** 1.5))
    fear = odds * (prize + sight.mass(units)) - (1 - odds) * 0.7 * sight.mass(foes)
    return 0.7 * max(fear, odds * odds * prize)


def _if_held(sight: Sight, space: str) -> float:
    """The same of a space that is only about to be taken."""
    return 0.5 if sight.game.spaces[space].control == sight.side else 1.0


class Pull:
    """How much being in a space promises: the best goal, faded by the way to it."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.goals: dict[str, float] = {}
        for space in sight.game.spaces:
            gain = min(STRONGEST, value(sight, space, sight.side))
            if gain:
                guards = sight.mass(sight.foes.get(space, ()))
                self.goals[space] = (gain + 0.25 * guards) * (1.0 if guards < 20 else 0.8)
            elif sight.controller(space) == sight.side:
                fear = min(STRONGEST, exposure(sight, space, sight.own.get(space, ())))
                if fear > 2:
                    self.goals[space] = 0.7 * fear
        self.known: dict[str, float] = {}

    def at(self, space: str) -> float:
        if space not in self.known:
            far = self.sight.far[space]
            near = sorted((gain * PULL ** far[goal] for goal, gain in self.goals.items() if goal in far), reverse=True)
            self.known[space] = sum(x * 0.5 ** i for i, x in enumerate(near[:4]))
        return self.known[space]


__all__ = ["POINT", "Pull", "capital", "exposure", "leader", "value"]
