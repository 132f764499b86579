"""Positions written by hand for a rules question (docs/positions.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.errors import BadPosition
from rules.core.forms import strings, table
from rules.mechanics.written import check_fields, cleared, one_of, placed
from rules.titles.guerra_a_muerte import invariants
from rules.titles.guerra_a_muerte.board import HALF, PURSES, SIDES, Game
from rules.titles.guerra_a_muerte.position import OUT, Position
from rules.titles.guerra_a_muerte.setup import begin, served
from rules.titles.guerra_a_muerte.turn import PHASES, enter_stage, phase_steps, whole_turn

FIELDS = {"turn", "phase", "units", "clear", "reduced", "guerrillas", "armies", "sieges", "purses", "masses", "halved",
          "raided", "repression", "coup", "legion", "only", "slot"}


def build(game: Game, options: dict[str, Any], body: Mapping[str, Any]) -> Position:
    """The position a file describes: the suggested set-up, and what differs. Raises BadPosition.

    `clear` (true, or sides) empties the map first; `units` maps counter to place, `recruits`, `turn:N` or `out`;
    `phase` is one of the phases, `only` ends the game behind it; `slot` starts patriot operations with that group.
    """
    check_fields(body, FIELDS)
    pos = begin(game, options)
    pos.agenda = []
    _suggested(pos)
    for side in (*cleared(body, SIDES), *(["rebels"] if body.get("clear") is True else [])):
        for unit in [u for u in game.units if game.units[u].side == side and pos.on_map(u)]:
            if game.units[unit].nation != "portuguese":
                pos.bury(unit)
    for unit, place in placed(body, game.units):
        loc = f"recruits:{game.units[unit].nation}" if place in ("dead", "recruits") else place
        if loc not in game.spaces and loc != OUT and not loc.startswith(("recruits:", "turn:")):
            raise BadPosition(f"there is no place {place}")
        pos.put(unit, loc)
    pos.reduced = sorted(strings(body["reduced"], "reduced")) if "reduced" in body else [
        u for u in pos.reduced if pos.on_map(u)]
    for unit in strings(body.get("guerrillas", []), "guerrillas"):
        if unit not in pos.guerrillas:
            pos.guerrillas.append(unit)
    pos.guerrillas.sort()
    _marks(pos, game, body)
    _agenda(pos, game, body)
    pos.tidy()
    pos.touched.clear()
    invariants.check(pos)
    return pos


def _suggested(pos: Position) -> None:
    """Everybody set up as suggested."""
    for body in pos.game.scenario["setup"]:
        free = {u: p for u, p in body["suggested"].items() if not any(u in g["units"] for g in body["groups"])}
        reduced, *_ = served(pos, body.get("demands", []), free)
        for unit, place in {**body["fixed"], **body["suggested"]}.items():
            pos.put(unit, place)
        pos.reduced = sorted({*pos.reduced, *body["reduced"], *reduced})
        pos.guerrillas = sorted({*pos.guerrillas, *body["guerrillas"]})


def _marks(pos: Position, game: Game, body: Mapping[str, Any]) -> None:
    """Boxes, sieges, purses, markers and the state of the war."""
    for side, areas in table(body.get("armies", {}), "armies", dict).items():
        for box, area in areas.items():
            if side not in SIDES or box not in pos.armies[side] or area not in game.worth:
                raise BadPosition(f"army {box} of {side} at {area!r}")
            pos.armies[side][box] = area
    for city, siege in table(body.get("sieges", {}), "sieges", dict).items():
        if city not in game.places:
            raise BadPosition(f"there is no city {city}")
        units = sorted(strings(siege.get("units", []), "units"))
        if not units:
            raise BadPosition(f"nobody besieges {city}")
        pos.sieges[city] = {"side": game.units[units[0]].side, "units": units, "works": bool(siege.get("works")),
                            "blockade": bool(siege.get("blockade"))}
    for purse, rp in table(body.get("purses", {}), "purses", (int, float)).items():
        if purse not in PURSES:
            raise BadPosition(f"there is no purse {purse}")
        pos.purses[purse] = int(rp * HALF)
    for side, areas in table(body.get("masses", {}), "masses", list).items():
        pos.masses[side] = sorted(strings(areas, "masses"))
    pos.halved = sorted(strings(body.get("halved", []), "halved"))
    pos.raided = dict(table(body.get("raided", {}), "raided", int))
    pos.repression = sorted(strings(body.get("repression", pos.repression), "repression"))
    pos.coup = body.get("coup", pos.coup)
    pos.legion = one_of(body, "legion", ("off_map", "free", "gone"), pos.legion)
    pos.turn = body.get("turn", pos.turn)
    named = set(body.get("units", {}))
    for unit, loc in list(pos.at.items()):
        u = game.units[unit]
        if unit not in named and loc.startswith("turn:") and (
                u.entry < pos.turn or (u.entry == pos.turn and u.enters == "recruit_pool")):
            pos.put(unit, OUT if u.leader else f"recruits:{u.nation}")


def _agenda(pos: Position, game: Game, body: Mapping[str, Any]) -> None:
    """What is played from here on: the rest of the turn, or one phase."""
    phase = one_of(body, "phase", PHASES, "patriot_operations")
    steps = phase_steps(game, phase) if body.get("only") else whole_turn(game, phase)
    if steps and steps[0] == ["begin_turn"] and phase != "events":
        steps = steps[1:]
    if body.get("only") and phase == "end":
        steps = [s for s in steps if s != ["end_turn"]]
    slot = body.get("slot", 0)
    steps = [s for s in steps if s[0] != "operations" or s[1] != "patriot" or s[2] >= slot]
    enter_stage(pos, phase)
    pos.agenda = steps
