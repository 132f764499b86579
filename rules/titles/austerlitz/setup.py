"""A15 Set-up: who stands where at the start, placed by the scenario or by its players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.maps.hexes import FACINGS
from rules.titles.austerlitz.deployment import gather_staff, needs_choice
from rules.titles.austerlitz.formations import marching, tail_of
from rules.titles.austerlitz.game import Game
from rules.titles.austerlitz.leaders import NAPOLEON
from rules.titles.austerlitz.position import DUE, SPLIT, STAFF, Position
from rules.titles.austerlitz.turn import turn_steps
from rules.titles.austerlitz.units import FRENCH, SIDES

FORMS = {"companies": "skirmish"}


def begin(game: Game, options: dict[str, Any]) -> Position:
    """The first position of a scenario."""
    plan = game.plan
    pos = Position(game, options, turn=1)
    for side in SIDES:
        for row in plan["setup"][side]:
            _row(pos, side, row)
        for arrival in plan["reinforcements"].get(side, ()):
            _due(pos, side, arrival)
        pos.pool += [m for m in plan["markers"][side].get("fixed", ()) if m in game.markers]
        for place in plan["control"].get(side, ()):
            for hex_ in game.board.places.get(place, (place,)):
                pos.held[hex_] = side
    _staff(pos)
    _brigades(pos)
    if "garrison" in plan:
        pos.special["garrison"] = True
    choices = [["set_up", side] for side in SIDES if needs_choice(pos, side)]
    markers = [["starting_markers"]] if any("corps" in plan["markers"][s] for s in SIDES) else []
    pos.agenda = [*choices, *markers, *turn_steps()]
    if not choices:
        pos.stage = "command_change"
    pos.touched.clear()
    return pos


def _row(pos: Position, side: str, row: Mapping[str, Any]) -> None:
    """One line of a set-up: counters on their hex, or free ones that wait for their player."""
    for counter in row["units"]:
        if counter in pos.game.leaders:
            pos.put_leader(counter, row.get("at", f"free:{side}"))
            continue
        unit = pos.unit(counter)
        told = row.get("formation")
        form = told if told is not None and not (unit.guns and told != "unlimbered") else marching(unit)
        facing = FACINGS.index(row["facing"]) if "facing" in row else (4 if side == FRENCH else 10)
        pos.form[counter], pos.facing[counter] = form, facing
        if row.get("companies"):
            pos.put(counter, SPLIT)
        elif "at" in row:
            tail = row.get("tail") or (tail_of(pos.game.board, row["at"], form, facing) if unit.hexes == 2 else None)
            if form == "skirmish" and tail is not None:
                pos.form[counter], pos.facing[counter] = "spread", 2 * pos.game.board.side_to(row["at"], tail)
            pos.put(counter, row["at"], tail)
        else:
            pos.put(counter, f"free:{side}")
        for company in unit.companies:
            pos.form[company], pos.facing[company] = "skirmish", 0
            pos.put(company, f"free:{side}" if row.get("companies") else SPLIT)
        if row.get("strategic") and unit.command is not None and unit.command not in pos.strategic:
            pos.strategic.append(unit.command)


def _due(pos: Position, side: str, arrival: Mapping[str, Any]) -> None:
    """14.0 A group that comes later."""
    turn = pos.plan["turns"].index(arrival["turn"]) + 1
    pos.due.append([turn, side, list(arrival["units"]), arrival["entry"], arrival["objective"]])
    for counter in arrival["units"]:
        if counter in pos.game.leaders:
            pos.put_leader(counter, DUE[side])
        else:
            unit = pos.unit(counter)
            pos.form[counter] = marching(unit)
            pos.facing[counter] = 0
            pos.put(counter, DUE[side])


def _staff(pos: Position) -> None:
    """A4.4.4 The staff is with Napoleon where he starts, and comes with him where he comes later."""
    if NAPOLEON not in pos.leaders:
        return
    gather_staff(pos)
    for row in pos.due:
        if NAPOLEON in row[2]:
            row[2] += [i for i, x in pos.game.leaders.items() if x.rank == "staff"]


def _brigades(pos: Position) -> None:
    """A4.4.5 Brigade leaders of the corps that play wait to be detached; those the scenario names have their units."""
    corps = {pos.unit(u).corps for u in pos.at if pos.unit(u).side == FRENCH}
    for leader, rated in pos.game.leaders.items():
        if rated.rank == "brigade" and rated.command in corps and leader not in pos.leaders and pos.scenario != (
                "northern_flank"):
            pos.put_leader(leader, STAFF)
    for leader, units in (
        ("F-Bde-IV", ["F-1-3-Ln", "F-2-3-Ln", "F-3-3-Ln"]),
        ("F-Bde-III", ["F-1-108-Ln", "F-2-108-Ln"]),
    ):
        if pos.leaders.get(leader, STAFF) != STAFF:
            pos.detached[leader] = units
            pos.special.setdefault("source", {})[leader] = pos.unit(units[0]).command
