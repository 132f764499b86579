"""10.1 Operations against guerrillas, and what they do to their enemies. 10.4 Repression."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.forms import Allocate, Answer, Lot
from rules.core.procedure import Procedure
from rules.titles.guerra_a_muerte.asking import d6, lose
from rules.titles.guerra_a_muerte.board import PATRIOT, ROYALIST, enemy
from rules.titles.guerra_a_muerte.leaders import check_leaders
from rules.titles.guerra_a_muerte.position import Position


def halved(pos: Position, side: str, area: str | None) -> bool:
    """10.1 Whether a side fights with half its factors: in an area of the enemy's colour with a guerrilla of his."""
    if area is None:
        return False
    colour = pos.game.lists["guerrilla_patriot" if side == ROYALIST else "pro_royalist"]
    return area in colour and any(u in pos.guerrillas and pos.unit(u).side == enemy(side) for u in pos.stack(area))


def hunted(pos: Position, area: str, side: str) -> list[str]:
    """10.1 The guerrillas of the enemy in an area."""
    return [u for u in pos.units_at(area, enemy(side)) if u in pos.guerrillas]


def hunt_form(pos: Position, side: str, area: str) -> Allocate | None:
    """10.1 The guerrilla units an operation is announced against."""
    units = hunted(pos, area, side)
    lot = Lot("guerrillas", tuple(units), 1, len(units), at=area)
    return Allocate("hunt", "10.1", "aim", (lot,)) if units else None


def hunt(pos: Position, units: Sequence[str], answer: Answer, area: str) -> Procedure[None]:
    """10.1 A die: partisans add one, against militia, which guerrillas always are, one is taken off (ruling 15). On an
    ambush the hunters lose a step, on 'dispersed' one guerrilla unit goes, on 'eliminated' all that were named."""
    table, side = pos.game.tables["hunt"], pos.unit(units[0]).side
    targets = answer["lots"]["guerrillas"]
    die = yield from d6("hunt", "10.1")
    partisans = any(pos.unit(u).partisans for u in units)
    total = die + table["militia"] + (table["partisans"] if partisans else 0)
    result: str = next(name for top, name in table["rows"] if total <= top)
    pos.tell("hunted", "10.1", side, at=area, units=targets, roll=die, total=total, result=f"hunt.{result}")
    if result == "ambush":
        yield from lose(pos, side, pos.troops(units), 1, "10.1", area)
        yield from check_leaders(pos, units, area)
        return
    gone = targets if result == "eliminated" else targets[:1] if result == "dispersed" else []
    bystanders = pos.leaders_of(pos.units_at(area, enemy(side)))
    for unit in gone:
        pos.bury(unit)
    if gone:
        if not pos.troops(pos.units_at(area, enemy(side))):  # 8.1: nobody is left that was stacked with them
            yield from check_leaders(pos, [*gone, *bystanders], area)
        yield from repression(pos, side, area)


def repression(pos: Position, side: str, area: str | None) -> Procedure[None]:
    """10.4 When royalists have cleared an area of all patriots: on a 1 its people go over to the patriots for the rest
    of the game. Not in an area that already takes sides."""
    if side != ROYALIST or area is None or area in pos.repression or pos.units_in(area, PATRIOT) \
            or not pos.units_in(area, ROYALIST):
        return
    lists = pos.game.lists
    if area in lists["pro_royalist"] or area in lists["pro_patriot"] or area in lists["guerrilla_patriot"]:
        return
    die = yield from d6("repression", "10.4")
    marked = die <= pos.game.tables["repression"]
    if marked:
        pos.repression = sorted({*pos.repression, area})
        pos.touched.add("layer:marks")
    pos.tell("repression" if marked else "no_repression", "10.4", ROYALIST, at=area, roll=die)
