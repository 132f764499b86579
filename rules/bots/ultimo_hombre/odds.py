"""What a battle is likely to bring."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

Line = tuple[tuple[int, ...], ...]
"""A line by slots: the factors each unit has left to lose, the present one first."""

RUNS = 40
ROUNDS = 12
QUIT = 0.45  # attackers break off below this share of the defenders' strength


class Forecast(NamedTuple):
    """Chance to clear the space, to be wiped out, and the worth each side loses (see Sight.worth)."""

    wins: float
    wiped: float
    lost: float
    killed: float


def strength(line: Sequence[tuple[int, ...]], shield: int = 0) -> float:
    """Fire times endurance: by this square law equal forces cancel out."""
    return sum(steps[0] for steps in line) * (sum(len(steps) for steps in line) + shield)


@lru_cache(maxsize=20_000)
def forecast(attack: Line, defence: Line, fort: int, order: str, to_the_last: bool = False) -> Forecast:
    """Battles fought out with the same dice each time: both lines, hits the fortress takes, who fires first."""
    rng = Random(f"{attack}{defence}{fort}{order}")
    wins = wiped = 0
    lost = killed = 0.0
    for _ in range(RUNS):
        sides = [[list(s) for s in attack], [list(s) for s in defence]]
        shield = fort
        for _ in range(ROUNDS):
            for who in {"attacker_first": (0, 1), "defender_first": (1, 0)}.get(order, (-1,)):
                if who >= 0:
                    shield = _volley(rng, sides, who, _shots(sides, who), shield)
                else:
                    shots = [_shots(sides, 0), _shots(sides, 1)]
                    shield = _volley(rng, sides, 0, shots[0], shield)
                    _volley(rng, sides, 1, shots[1], 0)
            mine, theirs = (sum(bool(s) for s in side) for side in sides)
            if not mine or not theirs:
                break
            if not to_the_last and _force(sides[0]) < QUIT * _force(sides[1]):
                break
        wins += any(sides[0]) and not any(sides[1])
        wiped += not any(sides[0])
        lost += _worth(attack) - _worth(sides[0])
        killed += _worth(defence) - _worth(sides[1])
    return Forecast(wins / RUNS, wiped / RUNS, lost / RUNS, killed / RUNS)


def _shots(sides: list[list[list[int]]], who: int) -> list[tuple[int, int]]:
    return [(slot, steps[0]) for slot, steps in enumerate(sides[who]) if steps]


def _volley(rng: Random, sides: list[list[list[int]]], who: int, shots: list[tuple[int, int]], shield: int) -> int:
    foes = sides[1 - who]
    for slot, factor in shots:
        target = slot if slot < len(foes) and foes[slot] else _softest(foes)
        if target is None:
            break
        if rng.random() * 6 >= factor:
            continue
        if who == 0 and target == 0 and shield:
            shield -= 1
        else:
            foes[target].pop(0)
    return shield


def _softest(foes: list[list[int]]) -> int | None:
    return min((slot for slot, steps in enumerate(foes) if steps),
               key=lambda slot: (len(foes[slot]), -foes[slot][0]), default=None)


def _force(side: Sequence[Sequence[int]]) -> float:
    return sum(s[0] for s in side if s) * sum(len(s) for s in side)


def _worth(side: Sequence[Sequence[int]]) -> float:
    return sum(s[0] + len(s) for s in side if s)
