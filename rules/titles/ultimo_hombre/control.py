"""11 Control of spaces, and all that follows when a space changes hands (12.2, 13, 15, 16)."""

from __future__ import annotations

from rules.core.procedure import Procedure
from rules.titles.ultimo_hombre.board import ALLIED, NEUTRAL, PARAGUAYAN
from rules.titles.ultimo_hombre.capitals import capital_falls
from rules.titles.ultimo_hombre.decks import draw_cards
from rules.titles.ultimo_hombre.position import Position
from rules.titles.ultimo_hombre.victory import win

PRIZES = ("rio_grande", "porto_alegre", "buenos_aires")


def take(pos: Position, space: str, side: str, late: bool = False) -> Procedure[None]:
    """9, 11, 13, 15, 16 A side occupies a space without enemy units: control, and the bonus of its first fall, at once;
    its points and what ends the war before its cards, of which one may be the last (ruling). `late`: in the recovery
    phase, so that cards wait for the next one (12.1)."""
    fort_falls(pos, space, side)
    if pos.controller(space) in (side, NEUTRAL):
        return
    set_control(pos, space, side)
    pos.tell("space_taken", "11", side, at=space)
    spot = pos.space(space)
    cards = first_fall(pos, space, side)
    if spot.strategic and pos.owner(space) != side and space not in pos.lost_strategic:
        pos.lost_strategic.append(space)
        pos.touched |= {f"space:{space}", "table:strategic"}
        pos.tell("strategic_lost", "12.2", side, at=space)
    if pos.result is None and side == PARAGUAYAN and space in PRIZES:
        win(pos, PARAGUAYAN, "prize", "16", at=space)
    if pos.result is None and side == ALLIED and space == pos.capital:
        yield from capital_falls(pos)
    yield from draw_cards(pos, side, cards, late)
    if pos.result is None and side == ALLIED and space == "montevideo" and pos.uruguay == "blanco":
        yield from change_sides(pos, late)


def fort_falls(pos: Position, space: str, side: str) -> None:
    """9 A fortress falls with its space; alone it stops nobody (ruling)."""
    fort = pos.fort_at(space)
    if fort is not None and pos.game.fortresses[fort]["side"] != side:
        pos.raze(fort)
        pos.tell("fort_fell", "9", side, at=space, fort=fort)


def set_control(pos: Position, space: str, side: str) -> None:
    """Put, turn or take off a control marker."""
    if pos.space(space).control == side:
        pos.control.pop(space, None)
    else:
        pos.control[space] = side
    pos.touched.add(f"space:{space}")
    pos.charts.clear()


def first_fall(pos: Position, space: str, side: str) -> int:
    """11 Points and cards come once, to the side that did not hold the space at the start: the points are marked, the
    number of cards is returned."""
    spot = pos.space(space)
    if spot.control == side or space in pos.earned:
        return 0
    pos.earned.append(space)
    pos.touched.add(f"space:{space}")
    if spot.vp:
        pos.score(side, spot.vp)
        pos.tell("points_scored", "11", side, at=space, value=spot.vp)
    return spot.cards


def change_sides(pos: Position, late: bool) -> Procedure[None]:
    """15 Montevideo has fallen: Uruguay turns to the Allies, all but the spaces its old army still holds; the Allied
    player draws the cards of the spaces not yet conquered, and his control markers come off."""
    pos.uruguay = "flipped"
    pos.touched.add("table:war")
    pos.forget()
    cards = 0
    for spot in pos.game.spaces.values():
        if spot.country != "uruguay":
            continue
        if spot.id not in pos.earned:
            pos.earned.append(spot.id)
            cards += spot.cards
        if not pos.units_of(PARAGUAYAN, spot.id):
            set_control(pos, spot.id, ALLIED)
            fort_falls(pos, spot.id, ALLIED)
    pos.tell("uruguay_changed_sides", "15", ALLIED, count=cards)
    yield from draw_cards(pos, ALLIED, cards, late)
