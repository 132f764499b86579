"""11.1, 1.3, 6.1 What counts when a game is over: areas, strength on the map, steps lost in battles and sieges."""

from collections.abc import Mapping
from typing import Any

from rules.core.tally import Tally, by_rows


def worth(game: Any, unit: Mapping[str, Any]) -> float:
    """1.3.1 The factor of the side that is up."""
    found = game.units.get(unit["id"])
    if found is None:
        return 0
    return float(found.reduced or 0) if "reduced" in unit.get("badges", ()) else float(found.full)


TALLY = Tally(by_rows("table:control"), worth)
