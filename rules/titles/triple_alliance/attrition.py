"""7.1-7.10 The mutual attrition phase: supply spent, a die for every stack, losses."""

from __future__ import annotations

from typing import Any

from rules.core.agenda import AGAIN, DONE, Next
from rules.core.forms import Allocate, Lot
from rules.core.procedure import Procedure, roll, together
from rules.core.request import Request, needs_nobody, needs_open, needs_some
from rules.titles.triple_alliance.modifiers import Modifier
from rules.titles.triple_alliance.position import Position, late_in_year
from rules.titles.triple_alliance.supply import lines, supplied
from rules.titles.triple_alliance.tables import attrition_loss, clamp
from rules.titles.triple_alliance.turn import segments
from rules.titles.triple_alliance.units import ALLIED, PARAGUAY, SIDES


def subject(pos: Position, hex_: str) -> bool:
    """7.1, 7.8 A stack is checked unless it is a lone fortress."""
    return any(not pos.unit(u).fortress for u in pos.stack(hex_))


def modifiers(pos: Position, hex_: str, side: str, line: set[str], spends: bool, turn: int) -> list[Modifier]:
    """7.2 All modifiers of a stack's attrition die in a turn; they add up (7.3)."""
    game, units = pos.game, pos.game.units
    table, spot = game.tables["modifiers"]["attrition"], game.map.hexes[hex_]
    near = {hex_, *game.map.neighbours[hex_]}
    applies = {
        "winter": late_in_year(turn),  # 7.6
        "rough": spot.terrain == "rough",
        "forest": spot.terrain == "forest",
        "marsh": spot.terrain == "marsh",  # 7.7: one terrain a hex
        "chaco": spot.region == "chaco",  # 7.10
        "no_supply_line": not supplied(pos, hex_, line),  # 7.5
        "supply_unit_expended": spends,  # 7.4
        # 7.8, 7.9: once, however many are near
        "paraguayan_fortress": side == PARAGUAY and any(map(pos.fortress, near.intersection(game.forts))),
        "allied_depot": side == ALLIED and not near.intersection(game.tables["depots"]).issubset(pos.lost_depots),
        "river_units_only": all(units[u].river for u in pos.stack(hex_)),
    }
    return [Modifier(name, table[name]["clause"], table[name]["drm"]) for name in table if applies[name]]


@segments.segment
def attrition_supply(pos: Position) -> Procedure[Next]:
    """7.4 Both players say at once, before any die, where they spend a supply unit; it still counts in its hex."""
    requests = {}
    for side in SIDES:
        lots = tuple(Lot(h, supplies, 0, 1, at=h) for h in pos.hexes_of(side)
                     if (supplies := tuple(u for u in pos.stack(h) if pos.unit(u).supply)))
        if lots:
            requests[side] = Request(side, "prompt.attrition_supply", "7.4",
                                     (Allocate("attrition_supply", "7.4", "spend", lots),), needs=needs_open)
    answers = yield from together(requests)
    spent = {side: answers[side]["lots"] if side in answers else {} for side in SIDES}
    checks: list[list[Any]] = []
    for hex_ in sorted(h for side in SIDES for h in pos.hexes_of(side)):
        if subject(pos, hex_):
            side = pos.unit(pos.stack(hex_)[0]).side
            checks.append([hex_, side, len(pos.stack(hex_)), hex_ in spent[side]])
    # 7.1 (ruling): every modifier is read before the first die, so the order of the hexes does not matter.
    line = {side: lines(pos, side) for side in SIDES}
    for check in checks:
        check.append([[m.id, m.clause, m.value] for m in modifiers(
            pos, check[0], check[1], line[check[1]], check[3], pos.turn)])
    pos.attrition = {"checks": checks, "losses": {}}
    for side in SIDES:
        gone = [u for units in spent[side].values() for u in units]
        if gone:
            pos.remove(gone)
            pos.tell("supply_spent", "7.4", side, hexes=sorted(spent[side]), units=sorted(gone), count=len(gone),
                     reveals=True)
    pos.tell("attrition_began", "7.1", None, count=len(checks))
    return DONE


@segments.segment
def attrition_dice(pos: Position) -> Procedure[Next]:
    """7.2 A die for one stack, in hex order; repeated until all stacks have theirs."""
    checks: list[list[Any]] = pos.attrition["checks"]
    if not checks:
        return DONE
    hex_, side, count, _, mods = checks.pop(0)
    drawn = yield from roll("attrition", "7.2", 0, 9)
    row = drawn + sum(value for _, _, value in mods)
    loss = attrition_loss(pos.game, count, row)
    if loss:
        pos.attrition["losses"][hex_] = loss
    pos.tell("attrition_rolled", "7.2", side, at=hex_, count=count, roll=drawn, row=clamp(row), loss=loss,
             modifiers=[Modifier(*m).as_json() for m in mods], reveals=True)
    return AGAIN


def loss_lot(pos: Position, hex_: str, loss: int) -> Lot | None:
    """7.2, 7.8 What a stack loses: any unit but a fortress, ships only after all land units."""
    units = tuple(u for u in pos.stack(hex_) if not pos.unit(u).fortress)
    n = min(loss, len(units))
    return Lot(hex_, units, n, n, at=hex_, last=frozenset(u for u in units if pos.unit(u).river)) if n else None


@segments.segment
def attrition_losses(pos: Position) -> Procedure[Next]:
    """7.2 Both players choose their losses at once."""
    lots: dict[str, list[Lot]] = {side: [] for side in SIDES}
    for hex_, loss in sorted(pos.attrition["losses"].items()):
        holder = pos.holder(hex_)
        lot = loss_lot(pos, hex_, loss)
        if holder is not None and lot is not None:
            lots[holder].append(lot)
    requests = {side: Request(side, "prompt.attrition_losses", "7.2", (
        Allocate("attrition_losses", "7.2", "lose", tuple(lots[side]), last_clause="7.2"),), open_grounds=True,
        needs=needs_nobody if side == PARAGUAY else needs_some)
        for side in SIDES if lots[side]}
    answers = yield from together(requests)
    pos.attrition = {}
    for side in SIDES:
        taken = answers[side]["lots"] if side in answers else {}
        gone = [u for units in taken.values() for u in units]
        if gone:
            pos.remove(gone)
            pos.tell("attrition_lost", "7.2", side, counts=[[h, len(taken[h])] for h in sorted(taken)],
                     hexes=sorted(taken),
                     units=sorted(gone), count=len(gone))
    return DONE
