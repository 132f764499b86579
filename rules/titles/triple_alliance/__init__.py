"""La Guerra de la Triple Alianza (Triple Alliance War, 1865-1868). Clause numbers are those of its rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.errors import BadPosition
from rules.core.title import Data, Title, chosen
from rules.titles.triple_alliance import attrition, combat, expeditions, movement, setup  # noqa: F401 (segments)
from rules.titles.triple_alliance.invariants import check
from rules.titles.triple_alliance.lab import build
from rules.titles.triple_alliance.orders import ORDERS
from rules.titles.triple_alliance.position import SCHEMA, Position
from rules.titles.triple_alliance.scramble import scramble
from rules.titles.triple_alliance.turn import segments
from rules.titles.triple_alliance.units import SIDES, compiled
from rules.titles.triple_alliance.upgrades import UPGRADES
from rules.titles.triple_alliance.view import View

OPTIONS: dict[str, tuple[Any, ...]] = {
    "river_cost": ("both", "allied"),                             # 12.3
    "matto_grosso_force": ("two_infantry", "infantry_and_cavalry"),  # 8.2
    "angostura": ("minus_three", "minus_two"),                    # 13.16
}


def _begin(data: Data, scenario: str, options: Mapping[str, Any]) -> Position:
    game = compiled(data)
    if scenario != game.war["id"]:
        raise BadPosition(f"no scenario {scenario}")
    return setup.begin(game, chosen(OPTIONS, options))


def _load(data: Data, state: dict[str, Any]) -> Position:
    return Position.load(compiled(data), state)


def _lab(data: Data, body: Mapping[str, Any]) -> Position:
    return build(compiled(data), chosen(OPTIONS, body.get("options", {})), body.get("position", {}))


TITLE = Title(id="triple_alliance", seats=SIDES, version="1.1", schema=SCHEMA, segments=segments, view=View(),
              begin=_begin, load=_load, scramble=scramble, invariants=check, lab=_lab, options=OPTIONS,
              upgrades=UPGRADES, orders=ORDERS)
