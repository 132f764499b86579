"""8.4.2 no. 4, 5 How those who are charged take it: in square, standing, or running; and their fire."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.forms import Choose, Option, label
from rules.core.procedure import Procedure, choose
from rules.core.request import Request, needs_open
from rules.titles.austerlitz import runaway
from rules.titles.austerlitz.clash import (
    all_steady,
    standing,
    tested,
)
from rules.titles.austerlitz.fire import reaches, strategic, top
from rules.titles.austerlitz.formations import (
    COLUMN,
    LINE,
    SKIRMISH,
    SPREAD,
    SQUARE,
)
from rules.titles.austerlitz.losses import disorder
from rules.titles.austerlitz.morale import Part, Trouble, lower, settle
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.storm import crushed
from rules.titles.austerlitz.units import GOOD, UNSTEADY
from rules.titles.austerlitz.volley import may_return, note_return, single

STOOD, FORMED, FAILED, FLED = "stood", "formed", "failed", "fled"  # how foot meets a charge


def stands(pos: Position, units: Sequence[str], hex_: str, gap: int) -> Procedure[list[str]]:
    """8.4.2 no. 4, 5 How a stack meets a charge: foot forms square or stands, cavalry that did not countercharge checks
    (errata 8.4), guns just stand; then fire is returned. Who is still there to fight."""
    defenders = [u for u in pos.stack(hex_) if not pos.unit(u).guns]
    fires, stay = True, defenders
    if defenders and pos.unit(defenders[0]).foot:
        formed = yield from _square(pos, units, defenders, gap, hex_)
        if formed == FLED:
            yield from crushed(pos, hex_)
            return (yield from stands(pos, units, hex_, gap)) if pos.stack(hex_) else []
        if formed == STOOD:
            stay = yield from all_steady(pos, defenders, hex_, units, False, cover(pos, units, hex_), "8.4.2")
        fires = formed != FAILED
    else:
        tried = pos.act.get("spurred", ()) if pos.act is not None else ()
        checked = [u for u in defenders if u not in tried]
        stood = yield from all_steady(pos, checked, hex_, units, False, False, "8.4.2")
        stay = [u for u in defenders if u in tried or u in stood]
    if fires:
        yield from _return(pos, units, hex_)
    return standing(pos, stay, hex_)


def cover(pos: Position, units: Sequence[str], hex_: str) -> bool:
    """8.2 Whether the charge comes over the side of defensive terrain."""
    board = pos.game.board
    return any(board.defensive(h, hex_) for u in units for h in pos.footprint(u) if hex_ in board.touching(h))


def _square(pos: Position, units: Sequence[str], defenders: list[str], gap: int, hex_: str) -> Procedure[str]:
    """8.4.2 no. 4 Stand, or try to form square, or run (6.4.2). Strategic movers can't form it, squares need not.
    Skirmishers on two hexes form it where the charge strikes (ruling)."""
    first = defenders[0]
    if not may_form(pos, first, hex_):
        return STOOD
    options = (
        Option("square", "8.4.2", label("option.form_square")),
        Option("stand", "8.4.2", label("option.stand")),
        runaway.option(),
    )
    said = yield from choose(
        Request(
            pos.seat_of(first),
            "prompt.charged",
            "8.4.2",
            (runaway.Steadfast("charged", "8.4.2", options),),
            {"at": pos.at[first], "unit": first},
            needs=needs_open,
        )
    )
    if said == "rout":
        yield from runaway.let_rout(pos, [first])
        return FLED
    if said == "stand":
        return STOOD
    parts = square_parts(pos, first, gap)
    over = yield from tested(pos, first, parts, "square_tried", "8.4.2")
    if over < 1:
        for unit in defenders:
            if pos.form[unit] in (SKIRMISH, SPREAD):
                pos.stand(unit, SKIRMISH, 0)
                pos.put(unit, hex_)
            pos.stand(unit, SQUARE, pos.facing.get(unit, 0))
        pos.tell("square_formed", "8.4.2", pos.unit(first).side, units=defenders, at=pos.at[first])
        return FORMED
    trouble = Trouble(tuple(h for u in units for h in pos.footprint(u)))
    worse = over >= pos.game.tables["reaction_square"]["results"][1][0]
    for unit in defenders:
        disorder(pos, unit)
        if worse:
            yield from lower(pos, unit, 1, trouble)
    yield from settle(pos, trouble)
    return FAILED


def may_form(pos: Position, unit: str, hex_: str) -> bool:
    """8.4.2 no. 4, 5.2.1, 7.1 Whether foot can try for a square: not in one, nor strategic movers, nor where none can
    stand."""
    limits = pos.game.tables["stacking"]["infantry"][SQUARE]
    return (
        pos.unit(unit).foot
        and pos.form[unit] != SQUARE
        and not strategic(pos, unit)
        and limits[pos.game.board.stacking[hex_]] is not None
    )


def square_parts(pos: Position, unit: str, gap: int) -> list[Part]:
    """8.4.2 no. 4 The modifiers of the table for forming square in reaction."""
    table, form = pos.game.tables["reaction_square"]["modifiers"], pos.form[unit]
    parts = [
        ("charge_started_2_hexes_away", gap == 2),
        ("leader_in_hex", any(h in pos.here for h in pos.footprint(unit))),
        ("column", form == COLUMN),
        ("line", form == LINE),
        ("skirmish", form in (SKIRMISH, SPREAD)),
    ]
    return [(f"square.{key}", "8.4.2", int(table[key])) for key, true in parts if true]


def _return(pos: Position, units: Sequence[str], hex_: str) -> Procedure[None]:
    """8.4.2 no. 5 Defenders with the cavalry in their front may fire at it, as long as it is there."""
    for unit in [u for u in pos.stack(hex_) if u == top(pos, hex_) or pos.unit(u).guns]:
        goal = next((u for u in units if pos.on_map(u) and pos.morale.get(u, GOOD) < UNSTEADY), None)
        if goal is None or not may_return(pos, unit, goal) or reaches(pos, unit, goal) is None:
            continue
        options = (
            Option("fire", "8.1.2", label("option.return_fire", unit=unit), at=pos.at[unit]),
            Option("hold", "8.1", label("option.hold_fire")),
        )
        said = yield from choose(
            Request(
                pos.seat_of(unit),
                "prompt.return_fire",
                "8.4.2",
                (Choose("return_fire", "8.4.2", options),),
                {"at": pos.at[unit], "unit": unit, "target": goal, "range": 1},
                needs=needs_open,
            )
        )
        if said == "fire":
            note_return(pos, unit, goal)
            trouble = yield from single(pos, unit, goal, "returned_fire", "8.1.2")
            yield from settle(pos, trouble)
