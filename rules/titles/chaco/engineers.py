"""14 Engineers: entrenchments, fortifications, trails and wells."""

from __future__ import annotations

from collections.abc import Iterable

from rules.core.agenda import DONE, Next
from rules.core.forms import Choose, Option, label
from rules.core.procedure import Procedure, choose
from rules.core.request import Request, needs_open
from rules.titles.chaco.dice import die
from rules.titles.chaco.position import Position
from rules.titles.chaco.turn import enter_stage, segments
from rules.titles.chaco.units import PARAGUAY, enemy
from rules.titles.chaco.zoc import live_zones

ROUGH = ("swamp", "hill", "mountain")


def projects(pos: Position, unit: str) -> list[str]:
    """14.1 What an engineer could build where it stands: 14.3 no entrenchment in swamp, 14.4 a fortification out of an
    entrenchment, 14.5 a trail in swamp, hills and mountains, 14.6 Paraguay a well while a marker is left."""
    hex_, side = pos.at[unit], pos.unit(unit).side
    out = []
    if hex_ not in pos.works and pos.terrain(hex_) != "swamp":
        out.append("entrenchment")
    if pos.works.get(hex_) == "entrenchment":
        out.append("fortification")
    if pos.game.map.hexes[hex_].terrain in ROUGH and hex_ not in pos.trails:
        out.append("trail")
    if side == PARAGUAY and hex_ not in pos.wells and len(pos.wells) < pos.game.n["wells"]["most"]:
        out.append("well")
    return out


def build_form(pos: Position, side: str) -> Choose | None:
    """14.2 An engineer that has not moved is turned to its building side in the own movement phase."""
    options = []
    for unit in pos.of_type(side, "engineer"):
        if not pos.on_board(unit) or unit in pos.building or unit in pos.spent or unit in pos.carried:
            continue
        options += [Option(f"{unit}:{what}", "14.2", label(f"option.build_{what}", unit=unit, at=pos.at[unit]),
                           at=pos.at[unit]) for what in projects(pos, unit)]
    return Choose("build", "14.2", tuple(options)) if options else None


def begin_work(pos: Position, side: str, option: str) -> None:
    """14.2 The engineer turns to its building side."""
    unit, what = option.split(":")
    pos.building[unit] = what
    pos.touch(pos.at[unit])
    pos.tell("work_began", "14.2", side, at=pos.at[unit], what=f"work.{what}", private={side: {"units": [unit]}})


def stir(pos: Position, units: Iterable[str]) -> None:
    """14.2 An engineer that moves or fights is back on its combat side, and builds nothing this turn."""
    for unit in units:
        if pos.building.pop(unit, None) is not None:
            pos.touch(pos.at[unit])


@segments.segment
def construction(pos: Position, side: str) -> Procedure[Next]:
    """4.2, 14.2 What engineers began in this player turn is finished; 14.6 a well needs a die of 1 to 3. Then trails
    are looked after (14.5)."""
    enter_stage(pos, f"{side}_construction", side)
    pos.tell("construction_began", "14.2", side)
    mine = [u for u in sorted(pos.building) if pos.unit(u).side == side]
    for unit in mine:
        what, hex_ = pos.building.pop(unit), pos.at[unit]
        pos.touch(hex_)
        done = True
        if what == "well":
            done = yield from _dig(pos, side, hex_)
        if done:
            finish_work(pos, side, what, hex_)
    return [["trails", side]]


def _dig(pos: Position, side: str, hex_: str) -> Procedure[bool]:
    """14.6 A die of 1 to 3 finds water; the well is dug if a marker is left."""
    rolled = yield from die("well", "14.6")
    water: bool = rolled in pos.game.n["wells"]["success"]
    if water and len(pos.wells) >= pos.game.n["wells"]["most"]:
        pos.tell("well_spare", "14.6", side, at=hex_, roll=rolled)
        return False
    pos.tell("well_dug" if water else "well_dry", "14.6", side, at=hex_, roll=rolled)
    return water


def finish_work(pos: Position, side: str, what: str, hex_: str) -> None:
    """14.3-14.6 The marker is laid: works and trails are for both sides; works are permanent."""
    if what == "well":
        pos.wells = sorted({*pos.wells, hex_})
    elif what == "trail":
        pos.trails = sorted({*pos.trails, hex_})
    elif what == "fortification" or hex_ not in pos.works:
        pos.works[hex_] = what
    pos.build(hex_)
    if what != "well":
        pos.tell("work_done", {"trail": "14.5", "entrenchment": "14.3"}.get(what, "14.4"), side, at=hex_,
                 what=f"work.{what}")


@segments.segment
def trails(pos: Position, side: str) -> Procedure[Next]:
    """14.5 At the end of construction every trail without an engineer in or beside its hex grows over, or that its
    owner lets go; where a live enemy zone lies on it, upkeep wants the enemy's leave."""
    kept = [h for h in pos.trails if _kept_by(pos, side, h) or _kept_by(pos, enemy(side), h)]
    denied = yield from _let_go(pos, side)
    for hex_ in begged(pos, side):
        said = yield from choose(Request(enemy(side), "prompt.trail", "14.5", (Choose("trail", "14.5", (
            Option("let_keep", "14.5", label("option.let_keep", at=hex_)),
            Option("forbid", "14.5", label("option.forbid", at=hex_)))),), {"at": hex_}, needs=needs_open))
        denied += [hex_] if said == "forbid" else []
    gone = [h for h in pos.trails if h not in kept or h in denied]
    pos.trails = [h for h in pos.trails if h not in gone]
    if gone:
        for hex_ in gone:
            pos.build(hex_)
        pos.tell("trails_gone", "14.5", side, hexes=gone, count=len(gone))
    return DONE


def _let_go(pos: Position, side: str) -> Procedure[list[str]]:
    """14.5 No trail has to be kept up: the owner may let go those that he alone keeps up."""
    gone: list[str] = []
    while own := [h for h in upkeep(pos, side) if h not in gone]:
        options = [Option("keep_trails", "14.5", label("option.keep_trails")),
                   *(Option(h, "14.5", label("option.let_go", at=h), at=h) for h in own)]
        said = yield from choose(Request(side, "prompt.upkeep", "14.5", (Choose("upkeep", "14.5", tuple(options)),),
                                         needs=needs_open))
        if said == "keep_trails":
            break
        gone.append(said)
    return gone


def upkeep(pos: Position, side: str) -> list[str]:
    """14.5 The trails that a side alone keeps up, for which it needs nobody's leave."""
    return sorted(h for h in pos.trails if _kept_by(pos, side, h) and not _kept_by(pos, enemy(side), h)
                  and h not in live_zones(pos, side))


def begged(pos: Position, side: str) -> list[str]:
    """14.5 The trails for whose upkeep a side needs the enemy's leave."""
    return sorted(h for h in pos.trails if h in live_zones(pos, side) and _kept_by(pos, side, h)
                  and not _kept_by(pos, enemy(side), h))


def _kept_by(pos: Position, side: str, hex_: str) -> bool:
    """14.5 One engineer keeps up the trails of its own hex and of all around it."""
    near = {hex_, *pos.game.around[hex_]}
    return any(pos.at[u] in near for u in pos.of_type(side, "engineer"))


# -- wells destroyed (14.6) ----------------------------------------------------------------------------------


def well_form(pos: Position, side: str) -> Choose | None:
    """14.6 A well can be destroyed by a unit that moves into or through its hex."""
    options = tuple(Option(h, "14.6", label("option.destroy_well", at=h), at=h)
                    for h in pos.wells if h in pos.entered)
    return Choose("destroy_well", "14.6", options) if options and side else None


def destroy_well(pos: Position, side: str, hex_: str) -> None:
    """14.6 The marker is off, and may be used again."""
    pos.wells = [h for h in pos.wells if h != hex_]
    pos.build(hex_)
    pos.tell("well_destroyed", "14.6", side, at=hex_)
