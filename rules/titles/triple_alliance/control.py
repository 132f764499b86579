"""3.6 Control of hexes, and all that follows from entering one."""

from __future__ import annotations

from rules.mechanics.ending import finish
from rules.titles.triple_alliance.position import Position
from rules.titles.triple_alliance.units import ALLIED, PARAGUAY


def enter(pos: Position, hex_: str, side: str) -> None:
    """3.6 A unit of `side` enters a hex: control passes, and with it supply hexes (7.13), depots (7.9),
    the free railway (11.18) and, when the last of five falls, the war (4.2)."""
    if side == ALLIED and not pos.rail_entered and hex_ in pos.game.rail:
        pos.rail_entered = True
        pos.forget()
        pos.touched.add("layer:lost")
        pos.tell("rail_entered", "11.18", ALLIED, at=hex_)
    if pos.controller(hex_) == side:
        return
    if pos.game.home[hex_] == side:
        del pos.control[hex_]
    else:
        pos.control[hex_] = side
    pos.touch(hex_)
    if hex_ in pos.game.victory["points"]["hexes"]:
        pos.touched.add("table:points")
    if side == ALLIED:
        _taken(pos, hex_)
    else:
        _depot_lost(pos, hex_)
        automatic_victory(pos)


def _taken(pos: Position, hex_: str) -> None:
    """7.13, 10.3, 10.7 A Paraguayan supply hex or town falls for the first time."""
    watched = {*pos.game.tables["sources"][PARAGUAY], *pos.game.tables["replacements"]["paraguay_towns"]}
    if hex_ in watched and hex_ not in pos.taken:
        pos.taken.append(hex_)
        pos.touched |= {"table:replacements", "layer:lost"}
        pos.tell("supply_hex_lost", "7.13", ALLIED, at=hex_)


def _depot_lost(pos: Position, hex_: str) -> None:
    """7.9 A depot city is lost the moment Paraguay takes it, for good."""
    if hex_ in pos.game.tables["depots"] and hex_ not in pos.lost_depots:
        pos.lost_depots.append(hex_)
        pos.touched.add("layer:lost")
        pos.tell("depot_lost", "7.9", PARAGUAY, at=hex_)


def automatic_victory(pos: Position) -> None:
    """4.2 Paraguay wins the moment it controls all five cities."""
    cities = pos.game.victory.get("automatic", ())
    if pos.result is None and cities and all(pos.controller(h) == PARAGUAY for h in cities):
        finish(pos, PARAGUAY, "automatic", "4.2")
        pos.tell("automatic_victory", "4.2", PARAGUAY)
