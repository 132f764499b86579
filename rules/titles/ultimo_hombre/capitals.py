"""13 The capitals of Paraguay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.core.errors import Refusal
from rules.core.forms import Choose, Option, label
from rules.core.procedure import Procedure, choose
from rules.core.request import NOBODY, Needs, Request, needs_open
from rules.titles.ultimo_hombre.board import ALLIED, PARAGUAYAN
from rules.titles.ultimo_hombre.position import Position
from rules.titles.ultimo_hombre.victory import win


def capital_falls(pos: Position) -> Procedure[None]:
    """13 The capital is lost: the points on its marker, then the next marker goes to another Paraguayan space; the
    fall of the fifth ends the war."""
    fallen = pos.capital
    if pos.capitals_used:
        marker = pos.game.capitals[pos.capitals_used - 1]
        if marker["wins"]:
            win(pos, ALLIED, "capital", "13", at=fallen)
            return
        pos.score(ALLIED, marker["vp"])
        pos.tell("capital_fell", "13", ALLIED, at=fallen, value=marker["vp"])
    else:
        pos.tell("capital_fell", "13", ALLIED, at=fallen, value=0)
    where = next_places(pos, fallen)
    if not where:  # ruling: no Paraguayan space is left for a government
        win(pos, ALLIED, "no_capital", "13", at=fallen)
        return
    numeral = ("II", "III", "IV", "V")[pos.capitals_used]
    new = yield from choose(Request(PARAGUAYAN, "prompt.place_capital", "13", (
        Choose("place_capital", "13", tuple(
            Option(s, "13", label("option.at", at=s), at=s) for s in where),
            why=lambda given: no_capital(pos, given)),),
        {"capital": numeral}, open_grounds=True, needs=needs_open))
    pos.touched |= {f"space:{fallen}", f"space:{new}", "table:war"}
    pos.capital = new
    pos.capitals_used += 1
    pos.tell("capital_placed", "13", PARAGUAYAN, at=new, capital=numeral)


def fall_needs(pos: Position, side: str, spaces: Sequence[str]) -> Needs:
    """13 What the other side has to decide when some of these spaces are taken: where its government goes."""
    if side != ALLIED or pos.capital not in spaces:
        return NOBODY
    sure = len(spaces) == 1 and len(next_places(pos, pos.capital)) > 1
    return Needs(int(sure), 1)


def next_places(pos: Position, fallen: str) -> list[str]:
    """13 Spaces of Paraguay that it controls, without enemy units; near the fallen one while a card says so (A27)."""
    where = seats_of_government(pos, fallen)
    far = pos.game.distances(fallen)
    for _, effect in pos.effects("capital_limit"):
        near = [s for s in where if far[s] <= effect["max_distance"]]
        where = near or where
    return sorted(where)


def seats_of_government(pos: Position, fallen: str) -> list[str]:
    """13 Spaces of Paraguay that it controls, without enemy units."""
    return [s.id for s in pos.game.spaces.values()
            if s.country == "paraguay" and s.id != fallen and s.id in pos.game.part
            and pos.controller(s.id) == PARAGUAYAN and not pos.units_of(ALLIED, s.id)]


def no_capital(pos: Position, given: Any) -> Refusal | None:
    """13, 12.1 Why the government doesn't go there; None for what is no space at all."""
    if given not in list(pos.game.spaces):
        return None
    if given in seats_of_government(pos, pos.capital):
        return Refusal("refusal.capital_too_far", "12.1", at=given)
    return Refusal("refusal.no_capital_there", "13", at=given)
