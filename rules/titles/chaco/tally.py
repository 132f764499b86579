"""16.2, 2.2, 12.4 What counts when a game is over: points, combat strength on the map, steps lost in combat."""

from collections.abc import Mapping
from typing import Any

from rules.core.tally import Step, Tally, Throw, by_rows


def worth(game: Any, unit: Mapping[str, Any]) -> float:
    """2.2 The attack strength of the side that is up."""
    found = game.units.get(unit["id"])
    if found is None or not found.combat:
        return 0
    return float(found.attack[-1 if "reduced" in unit.get("badges", ()) else 0])


def throw(game: Any, step: Step) -> Throw | None:
    """12.5 Steps that the defender loses less those of the attacker; E is all that the defender has."""
    odds = step["data"].get("odds") or {}
    if step["event"] != "combat_rolled" or not odds.get("faces"):
        return None
    whole = sum(game.units[unit["id"]].steps for part in odds["sides"]["defense"] for unit in part["units"])
    worth = {face["roll"]: _worth(face["result"], whole) for face in odds["faces"]}
    return Throw(step["side"], worth[step["data"]["roll"]], sum(worth.values()) / len(worth))


def _worth(result: str, whole: int) -> float:
    lost, _, killed = result.partition("/")
    return (whole if killed == "E" else _number(killed)) - _number(lost)


def _number(cell: str) -> float:
    return float(cell) if cell.isdigit() else 0


TALLY = Tally(by_rows("table:points"), worth, throw)
