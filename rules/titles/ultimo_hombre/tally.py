"""12.3, 5, 7 What counts when a game is over: points, to-hit factors on the map, hits of the dice."""

from collections.abc import Mapping
from typing import Any

from rules.core.tally import Step, Tally, Throw, by_rows
from rules.titles.ultimo_hombre.fire import FACES


def worth(game: Any, unit: Mapping[str, Any]) -> float:
    """5 The to-hit factor of the side that is up."""
    found = game.units.get(unit["id"])
    if found is None:
        return 0
    return float(found.reduced or 0) if "reduced" in unit.get("badges", ()) else float(found.full)


def throw(_game: Any, step: Step) -> Throw | None:
    """7 A die at or below the factor hits."""
    if step["event"] != "shot" or not step["side"]:
        return None
    return Throw(step["side"], float(step["data"]["hit"]), min(step["data"]["factor"], FACES) / FACES)


TALLY = Tally(by_rows("table:points"), worth, throw)
