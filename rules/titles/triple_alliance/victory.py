"""4 How to win."""

from __future__ import annotations

from rules.core.sealed import sealed
from rules.mechanics.ending import finish
from rules.titles.triple_alliance.position import Position
from rules.titles.triple_alliance.units import ALLIED, PARAGUAY


@sealed
class Point:
    """4.4 One source of Allied victory points: what it counts now, and whether that can still change."""

    id: str
    value: int
    final: bool
    at: str | None = None


def points(pos: Position) -> list[Point]:
    """4.4 The five ways to a point, and the one that loses it."""
    worth = pos.game.victory["points"]
    out = []
    if "fortresses" in worth:
        out.append(Point("fortresses", pos.points.get("fortresses", 0), "fortresses" in pos.points))
    for hex_, value in worth["hexes"].items():
        out.append(Point("town", value if pos.controller(hex_) == ALLIED else 0, False, hex_))
    if "matto_grosso" in worth:
        out.append(Point("matto_grosso", pos.points.get("matto_grosso", 0),
                         pos.matto_grosso not in ("open", "launched")))
    if "mendoza_lost" in worth:
        out.append(Point("mendoza", pos.points.get("mendoza", 0), pos.mendoza != "quiet"))
    return out


def total(pos: Position) -> int:
    """4.3 The Allied victory points as they stand; they may be below zero."""
    return sum(point.value for point in points(pos))


def score(pos: Position, what: str, clause: str) -> None:
    """Give the Allies a point (or take one) that cannot be lost again."""
    worth = pos.game.victory["points"]
    pos.points[what] = worth["mendoza_lost" if what == "mendoza" else what]
    pos.touched.add("table:points")
    pos.tell("point_scored", clause, ALLIED, what=f"point.{what}", value=pos.points[what], total=total(pos))


def fortresses_fallen(pos: Position) -> None:
    """4.4 A point the moment the last of the five fortresses is gone."""
    if "fortresses" not in pos.game.victory["points"]:
        return
    standing = any(u.fortress and pos.at[u.id][0].isdigit() for u in pos.game.units.values())
    if not standing and "fortresses" not in pos.points:
        score(pos, "fortresses", "4.4")


def unopposed_invasion(pos: Position) -> None:
    """4.4, 8.2 A point at the end of turn V when the Matto Grosso invasion was not met."""
    if pos.turn == pos.game.tables["events"]["matto_grosso"]["turn"] and pos.matto_grosso == "unopposed":
        score(pos, "matto_grosso", "8.2")


def final_result(pos: Position) -> None:
    """4.3, 5.4 The war is judged: 0 or 1 point Paraguay, 2 a draw, 3 or more the Allies; a scenario of ours by its own
    limits."""
    sum_ = total(pos)
    limits = pos.game.victory
    winner = (PARAGUAY if sum_ <= limits["paraguay_at_most"] else ALLIED if sum_ >= limits["allied_at_least"]
              else None)
    if pos.game.goal:
        finish(pos, winner, "scenario_points", "4.3", n=sum_)
    else:
        finish(pos, winner, "points", "4.3", n=sum_)
    pos.tell("scenario_over" if pos.game.goal else "war_over", "4.3", winner, total=sum_,
             points=[[p.id, p.value, p.at] for p in points(pos)])
