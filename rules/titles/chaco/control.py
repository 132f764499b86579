"""3.2 Control of hexes, and the points that settlements give (16.2)."""

from __future__ import annotations

from rules.core.procedure import Procedure
from rules.titles.chaco.dice import die
from rules.titles.chaco.position import Position

HOW = ("move", "advance", "flight")


def take(pos: Position, side: str, hex_: str, how: str) -> Procedure[None]:
    """3.2 A combat unit of `side` enters a hex: control passes at once. 16.2 A settlement of the enemy's gives points,
    doubled when taken by moving; none to units in flight (a ruling)."""
    if hex_ in pos.game.off_map or pos.controller(hex_) == side:
        return
    if pos.game.home[hex_] == side:
        del pos.control[hex_]
    else:
        pos.control[hex_] = side
    pos.forget()
    pos.touch(hex_)
    if hex_ not in pos.game.settlements:
        return
    pos.touched.add("table:settlements")
    scored = 0 if how == "flight" else (yield from settlement_points(pos, hex_, how))
    pos.points(side, scored)
    pos.tell("settlement_taken", "16.2", side, at=hex_, points=scored, how=how)


def settlement_points(pos: Position, hex_: str, how: str) -> Procedure[int]:
    """16.2 A die for a settlement, two for the four great ones, doubled for a capture by movement; 16.5 fixed points by
    option."""
    major = hex_ in pos.game.majors
    if pos.options["settlement_points"] == "fixed":
        return int(pos.game.n["points"]["major" if major else "settlement"][how])
    total = 0
    for _ in range(2 if major else 1):
        total += yield from die("settlement", "16.2")
    return total * (2 if how == "move" else 1)
