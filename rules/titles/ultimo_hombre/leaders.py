"""6, 14 Leaders and their capture."""

from __future__ import annotations

from rules.titles.ultimo_hombre.board import ALLIED, NEUTRAL, enemy
from rules.titles.ultimo_hombre.position import BOX, OUT, Position
from rules.titles.ultimo_hombre.victory import win


def capture(pos: Position, leader: str) -> None:
    """14 A leader all of whose units were eliminated in battle: the other side gets what his back says."""
    terms = pos.game.leaders[leader]
    taker = enemy(terms["side"])
    at = pos.leaders[leader]
    pos.place_leader(leader, OUT)
    pos.tell("leader_captured", "14", taker, leader=leader, at=at)
    match terms["capture"]["type"]:
        case "vp":
            pos.score(taker, terms["capture"]["vp"])
            pos.tell("points_scored", "14", taker, at=at, value=terms["capture"]["vp"])
        case "argentina_out":
            argentina_out(pos)
        case _:
            win(pos, ALLIED, "lopez", "14", at=at)


def argentina_out(pos: Position) -> None:
    """14 Argentina leaves the war: its units are gone, on the board and in reserve, and its spaces are neutral."""
    pos.argentina = "out"
    pos.touched |= {"table:war", "table:strategic"}
    pos.forget()
    for unit, u in pos.game.units.items():
        if u.nation == "argentina" and not pos.at[unit].startswith("dead"):
            pos.bury(unit)
    for leader, terms in pos.game.leaders.items():
        if terms["nation"] == "argentina" and pos.leaders[leader] != OUT:
            pos.place_leader(leader, OUT)
    for fort in list(pos.forts):
        if pos.game.fortresses[fort]["nation"] == "argentina":
            pos.raze(fort)
    for spot in pos.game.spaces.values():
        if spot.country == "argentina":
            pos.control[spot.id] = NEUTRAL
            pos.touched.add(f"space:{spot.id}")
    for space, attack in list(pos.attacks.items()):
        for which in ("units", "blue"):
            attack[which] = [u for u in attack[which] if pos.at[u] == space]
        if not attack["units"]:
            del pos.attacks[space]
            pos.touched.add(f"space:{space}")
    for space, fled in pos.fled.items():
        there = [x for x in fled if space in (pos.at.get(x), pos.leaders.get(x))]
        # 8 (ruling): a leader none of whose fellow fugitives is left joins the units that hold the space.
        pos.fled[space] = there if any(x in pos.at for x in there) else []
    pos.tell("argentina_out", "14", None)


def leave_alone(pos: Position, side: str) -> None:
    """6, 14 A leader left without units of his side goes back to his box (ruling): only battle captures. 17.1 Under the
    option he stays out there until the enemy comes."""
    for leader, at in sorted(pos.leaders.items()):
        if pos.game.leaders[leader]["side"] != side or at in (BOX, OUT) or pos.units_of(side, at):
            continue
        if not pos.options["leaders"] or pos.units_of(enemy(side), at):
            _go_home(pos, side, leader, at)


def escape(pos: Position, side: str, space: str) -> None:
    """17.1 Units of a side come into a space or go through it: an enemy leader who is alone there gets away to his box
    (ruling)."""
    foe = enemy(side)
    if space in pos.chiefs and not pos.units_of(foe, space):
        for leader in pos.leaders_at(foe, space):
            _go_home(pos, foe, leader, space)


def _go_home(pos: Position, side: str, leader: str, at: str) -> None:
    pos.place_leader(leader, BOX)
    pos.tell("leader_returned", "17.1" if pos.options["leaders"] else "6", side, leader=leader, at=at)
