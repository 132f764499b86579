"""The printed tables: combat results (13.28), attrition (7.2) and Run the Guns (13.18)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.titles.triple_alliance.units import Game


def clamp(row: int) -> int:
    """7.3 A modified die below 0 counts as 0, above 14 as 14 (13.28 likewise, a ruling)."""
    return max(0, min(14, row))


def attrition_loss(game: Game, count: int, row: int) -> int:
    """7.2 Units lost by a stack of `count` units (1-26) on a modified die."""
    loss: int = game.tables["attrition"]["cells"][attrition_column(game, count)][clamp(row)]
    return loss


def attrition_column(game: Game, count: int) -> str:
    """7.2 The column of a stack of `count` units."""
    return game.attrition_columns[count]


def guns(game: Game, drawn: int) -> int:
    """13.18 Allied ships lost to the guns of a fortress."""
    lost: int = game.tables["run_the_guns"]["cells"][drawn]
    return lost


@dataclass(frozen=True, slots=True)
class Odds:
    """13.9-13.12 A ratio as printed: its column (None below 1:3), the ratio itself, steps above 6:1."""

    column: str | None
    ratio: str
    above: int


def odds(attack: int, defense: int) -> Odds:
    """13.9 High odds round down, 13.10 low odds round up, 13.12 limits. Both totals are at least 1."""
    if attack >= defense:
        times = attack // defense
        return Odds(f"{min(times, 6)}:1", f"{times}:1", max(0, times - 6))
    times = -(-defense // attack)
    return Odds(f"1:{times}" if times <= 3 else None, f"1:{times}", 0)


def combat_result(game: Game, column: str, row: int) -> tuple[int, int]:
    """13.28 Units lost by attacker and defender."""
    attacker, defender = game.tables["combat_results"]["cells"][column][clamp(row)]
    return attacker, defender
