"""What a deed of the active force needs of the other player before its own player is asked again
(rules/core/request.py), counted from what everybody can see."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from rules.core.forms import Answer
from rules.core.request import NOBODY, OPEN, SOME, Needs
from rules.titles.guerra_a_muerte.battle import forces_in
from rules.titles.guerra_a_muerte.board import enemy
from rules.titles.guerra_a_muerte.ports import needs_of_entry
from rules.titles.guerra_a_muerte.position import Position
from rules.titles.guerra_a_muerte.siege import garrison

ATTACKS = ("attack", "attack_legion", "relieve", "attack_rebels")


def of_deed(pos: Position, answer: Answer) -> Needs:
    """3.4, 6.1, 6.3, 7.5, 10.1 A march may be intercepted, an attack evaded; a garrison chooses its losses, and leaders
    without men where they go. All else is the active player's own."""
    foe, at = enemy(pos.force["side"]), pos.force["at"]
    match answer["form"]:
        case "march":
            return of_march(pos, answer["units"], answer["path"], foe)
        case "assault":
            inside = garrison(pos, answer["target"])
            chooses = sum(pos.steps(u) for u in inside) > 1
            return Needs(0, chooses + len(pos.leaders_of(inside)) + len(pos.ships_at(answer["target"], foe)))
        case "hunt":  # whoever is in a closed box has men
            return NOBODY if pos.hidden(foe, at) else Needs(0, len(pos.leaders_of(pos.units_in(at, foe))))
        case "attack_fleet":
            return SOME if answer["target"] in pos.game.seas else OPEN
        case "agitate":
            return OPEN
        case form:
            return SOME if form in ATTACKS else NOBODY


def of_march(pos: Position, units: Sequence[str], path: Sequence[str], foe: str) -> Needs:
    """3.4, 5.2, 7.9 At the first exit from an area with enemies in its field they are asked, unless those who stay
    behind have to be provided for before."""
    exits = [area for a, b in itertools.pairwise(path)
             if (area := pos.game.area(a)) is not None and area != pos.game.area(b)]
    met = pos.troops(units) and any(
        pos.troops(group) for area in exits for group in forces_in(pos, foe, area).values())
    if not met:
        return needs_of_entry(pos, path[-1], foe)
    return OPEN if pos.force["harsh"] and set(units) < set(pos.force["units"]) else SOME
