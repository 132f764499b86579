"""6.1, 6.2 What a planned march would let the force attack from its goal: the odds, as they are seen then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson

from rules.core.forms import Declare
from rules.titles.guerra_a_muerte.attacks import attack_forms
from rules.titles.guerra_a_muerte.operations import cost, friction
from rules.titles.guerra_a_muerte.position import Position
from rules.titles.guerra_a_muerte.siege import assault_form


def prospects(pos: Position, units: Sequence[str], goal: str, price: int) -> list[dict[str, Any]]:
    """3.3, 6.1, 6.2 If the march ends in the field of an area, nobody intercepts it (3.4) and points are left: every
    enemy force there and every place that the force could attack, with the panel of each."""
    if goal not in pos.game.worth or not pos.troops(units):
        return []
    later = _moved(pos, units, goal, price)
    forms: list[Declare | None] = []
    if later.force["op"] >= cost(pos, "battle"):
        forms += Declare.among(attack_forms(later, units, goal))
    if later.force["op"] >= cost(pos, "assault"):
        forms.append(assault_form(later, units, goal, friction(later)))
    panels = [form.show({"target": target}) for form in forms if form is not None for target in form.targets]
    return [{**panel, "from": goal} for panel in panels if panel]


def _moved(pos: Position, units: Sequence[str], goal: str, price: int) -> Position:
    """The position with the force there already: for a look, not to be played on."""
    later = Position.load(pos.game, orjson.loads(orjson.dumps(pos.state())))
    force = later.force
    for unit in units:
        later.put(unit, goal)
    force["units"], force["at"] = sorted(units), goal
    force["op"], force["spent"] = force["op"] - price, force["spent"] + price
    return later
