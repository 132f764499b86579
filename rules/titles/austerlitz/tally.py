"""8.5.1, 8.1.8 What counts when a game is over: strength points the enemy lost, strength on the map, points lost
by fire and melee."""

from collections.abc import Mapping
from typing import Any

from rules.core.tally import Fragments, Step, Tally, Throw
from rules.titles.austerlitz.units import ALLIED, FRENCH

FACES = range(10)
ENEMY = {ALLIED: FRENCH, FRENCH: ALLIED}


def score(fragments: Fragments) -> Mapping[str, float]:
    """A15.1 What the enemy has lost in points."""
    lost = {side: (fragments.get(f"table:losses_{side}") or {}).get("rows", ()) for side in ENEMY}
    return {ENEMY[side]: row["value"] for side, rows in lost.items() for row in rows
            if row["label"]["key"] == "row.points_lost"}  # fmt: skip


def worth(game: Any, unit: Mapping[str, Any]) -> float:
    """Strength points that are left."""
    found = game.units.get(unit["id"])
    return float(found.strength - unit.get("lost", 0)) if found is not None else 0


def throw(game: Any, step: Step) -> Throw | None:
    """8.1.8, 8.5 Points the target of a fire loses; in a melee those of the defender less those of the attacker."""
    data = step["data"]
    if step["event"] == "melee":
        table, bonus = game.tables["melee"]["results"], data["total"] - data["roll"]
        faces = [_melee(table[min(max(face + bonus, 0), 9)]) for face in FACES]
    elif "column" in data and "firer" in data and "roll" in data:
        faces = [_fire(game.tables["fire"]["results"][face][data["column"] - 1]) for face in FACES]
    else:
        return None
    return Throw(step["side"], faces[data["roll"]], sum(faces) / len(faces))


def _melee(cell: tuple[str, int, Any]) -> float:
    loser, lost, _ = cell
    return {"attacker": -lost, "defender": lost}.get(loser, 0)


def _fire(cell: Any) -> float:
    return float(cell) if str(cell).isdigit() else 0


TALLY = Tally(score, worth, throw)
