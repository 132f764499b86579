"""The rating system: Weng and Lin's Plackett-Luce model (JMLR 12, 2011), by the openskill library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from openskill.models import PlackettLuce

_model = PlackettLuce()
BASE, SCALE = 1000, 20  # of the number shown


@dataclass(frozen=True)
class Skill:
    """What is believed of a player: mean and standard deviation. A newcomer is 25 ± 25/3."""

    mu: float = 25.0
    sigma: float = 25.0 / 3

    @property
    def shown(self) -> int:
        """The number that lists show: what the player is worth almost surely (three deviations below the mean), on a
        scale on which a newcomer has 1000. It grows with certainty as well as with success."""
        return round(BASE + SCALE * (self.mu - 3 * self.sigma))


def after(one: Skill, two: Skill, score: float) -> tuple[Skill, Skill]:
    """Both after a game; `score` is 1 when the first won, 0 when the second did, 0.5 for a draw."""
    teams = [[_model.rating(mu=each.mu, sigma=each.sigma)] for each in (one, two)]
    ranks = {1.0: [1, 2], 0.5: [1, 1], 0.0: [2, 1]}[score]
    (new_one,), (new_two,) = _model.rate(teams, ranks=[float(rank) for rank in ranks])
    return Skill(new_one.mu, new_one.sigma), Skill(new_two.mu, new_two.sigma)


def expected(one: Skill, two: Skill) -> float:
    """The share of points that the first should take from the second, between 0 and 1."""
    spread = sqrt(2 * _model.beta**2 + one.sigma**2 + two.sigma**2)
    return NormalDist().cdf((one.mu - two.mu) / spread)


@dataclass(frozen=True)
class Played:
    """A rated game from the title's first seat: its score (1, 0.5, 0) and what the ratings made one expect."""

    scenario: str
    score: float
    expected: float


@dataclass(frozen=True)
class Balance:
    """How even a scenario is. `won`, `drawn`, `lost` count for the first seat. `surplus`: how much larger its share
    of the points was than the players' strength explains; `error` the standard error of that."""

    games: int
    won: int
    drawn: int
    lost: int
    surplus: float
    error: float

    @property
    def uneven(self) -> bool:
        """Whether chance is a poor explanation: more than two standard errors from even."""
        return self.games > 1 and abs(self.surplus) > 2 * self.error


def balance(games: Sequence[Played]) -> Balance:
    """Wins by side, and what is left of them once the ratings are allowed for."""
    n = len(games)
    won, lost = (sum(game.score == result for game in games) for result in (1.0, 0.0))
    rest = [game.score - game.expected for game in games]
    surplus = sum(rest) / n if n else 0.0
    variance = sum((one - surplus) ** 2 for one in rest) / (n - 1) if n > 1 else 0.0
    return Balance(n, won, n - won - lost, lost, surplus, sqrt(variance / n) if n else 0.0)
