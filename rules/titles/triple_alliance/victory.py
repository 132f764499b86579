"""4 How to win."""

from __future__ import annotations

from dataclasses import dataclass

from rules.mechanics.ending import finish
from rules.titles.triple_alliance.position import Position
from rules.titles.triple_alliance.units import ALLIED, PARAGUAY


@dataclass(frozen=True, slots=True)
class Point:
    """4.4 One source of Allied victory points: what it counts now, and whether that can still change."""

    id: str
    value: int
    final: bool
    at: str | None = None


def points(pos: Position) -> list[Point]:
    """4.4 The five ways to a point, and the one that loses it."""
    worth = pos.game.tables["victory"]["points"]
    out = [Point("fortresses", pos.points.get("fortresses", 0), "fortresses" in pos.points)]
    for hex_, value in worth["hexes"].items():
        out.append(Point("town", value if pos.controller(hex_) == ALLIED else 0, False, hex_))
    out.append(Point("matto_grosso", pos.points.get("matto_grosso", 0), pos.matto_grosso not in ("open", "launched")))
    out.append(Point("mendoza", pos.points.get("mendoza", 0), pos.mendoza != "quiet"))
    return out


def total(pos: Position) -> int:
    """4.3 The Allied victory points as they stand; they may be below zero."""
    return sum(point.value for point in points(pos))


def score(pos: Position, what: str, clause: str) -> None:
    """Give the Allies a point (or take one) that cannot be lost again."""
    pos.points[what] = {"fortresses": pos.game.tables["victory"]["points"]["fortresses"],
                        "matto_grosso": pos.game.tables["victory"]["points"]["matto_grosso"],
                        "mendoza": pos.game.tables["victory"]["points"]["mendoza_lost"]}[what]
    pos.touched.add("table:points")
    pos.tell("point_scored", clause, ALLIED, what=f"point.{what}", value=pos.points[what], total=total(pos))


def fortresses_fallen(pos: Position) -> None:
    """4.4 A point the moment the last of the five fortresses is gone."""
    standing = any(u.fortress and pos.at[u.id][0].isdigit() for u in pos.game.units.values())
    if not standing and "fortresses" not in pos.points:
        score(pos, "fortresses", "4.4")


def unopposed_invasion(pos: Position) -> None:
    """4.4, 8.2 A point at the end of turn V when the Matto Grosso invasion was not met."""
    if pos.turn == pos.game.tables["events"]["matto_grosso"]["turn"] and pos.matto_grosso == "unopposed":
        score(pos, "matto_grosso", "8.2")


def final_result(pos: Position) -> None:
    """4.3, 5.4 The war is judged: 0 or 1 point Paraguay, 2 a draw, 3 or more the Allies."""
    sum_ = total(pos)
    limits = pos.game.tables["victory"]
    winner = (PARAGUAY if sum_ <= limits["paraguay_at_most"] else ALLIED if sum_ >= limits["allied_at_least"]
              else None)
    finish(pos, winner, "points", "4.3", n=sum_)
    pos.tell("war_over", "4.3", winner, total=sum_, points=[[p.id, p.value, p.at] for p in points(pos)])
