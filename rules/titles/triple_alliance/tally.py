"""4.4, 13.28 What counts when a game is over: Allied points, attack factors on the map, units lost in combat."""

from collections.abc import Mapping
from typing import Any

from rules.core.tally import Fragments, Tally
from rules.titles.triple_alliance.units import ALLIED


def score(fragments: Fragments) -> Mapping[str, float]:
    """4.3 Only the Allies have points."""
    rows = (fragments.get("table:points") or {}).get("rows", ())
    total = next((row["value"] for row in rows if row["label"]["key"] == "point.total"), None)
    return {} if total is None else {ALLIED: total}


def worth(game: Any, unit: Mapping[str, Any]) -> float:
    """The attack factor, as printed."""
    return float(game.units[unit["id"]].attack) if unit["id"] in game.units else 0


TALLY = Tally(score, worth)
