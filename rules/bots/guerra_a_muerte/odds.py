"""What a fight would bring, by the printed tables: steps lost and killed on the mean of the six faces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from rules.titles.guerra_a_muerte import odds
from rules.titles.guerra_a_muerte.board import Game

SCALE = 10  # strengths are reckoned in tenths of a factor


@dataclass(frozen=True, slots=True)
class Fight:
    """The mean of the faces: steps the attacker loses, steps the defender loses, and how often none of these is
    left."""

    lost: float
    killed: float
    clears: float


def forecast(game: Game, kind: str, attack: float, defense: float, steps: tuple[int, int]) -> Fight:
    """A field battle or a siege attack (`kind`: the table) of so many factors, `steps` of the attacker and the
    defender. Tactics, which nobody can foresee, are left out."""
    table: dict[str, Any] = game.tables[kind]
    column = odds.column_of(round(attack * SCALE), max(1, round(defense * SCALE)), table["columns"])
    if column < 0:
        return Fight(steps[0], 0.0, 0.0) if kind == "battle" else Fight(min(2, steps[0]), 0.0, 0.0)
    rows = tuple(tuple(row) for row in table["rows"])
    return _mean(rows, kind, column, *steps)


@cache
def _mean(rows: tuple[tuple[str, ...], ...], kind: str, column: int, mine: int, theirs: int) -> Fight:
    reckon = odds.losses if kind == "battle" else odds.siege_losses
    found = [reckon(odds.cell(rows, column, face), mine, theirs) for face in range(1, odds.FACES + 1)]
    return Fight(sum(min(lost, mine) for lost, _ in found) / odds.FACES,
                 sum(min(killed, theirs) for _, killed in found) / odds.FACES,
                 sum(killed >= theirs for _, killed in found) / odds.FACES)
