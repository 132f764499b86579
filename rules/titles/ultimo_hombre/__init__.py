"""Hasta el último hombre: the War of the Triple Alliance. Section numbers are those of its rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.errors import BadPosition
from rules.core.title import Data, Title, chosen
from rules.titles.ultimo_hombre import battle, movement, restore, setup, transport  # noqa: F401 (segments)
from rules.titles.ultimo_hombre.board import SIDES, compiled
from rules.titles.ultimo_hombre.invariants import check
from rules.titles.ultimo_hombre.lab import build
from rules.titles.ultimo_hombre.orders import ORDERS
from rules.titles.ultimo_hombre.position import SCHEMA, Position
from rules.titles.ultimo_hombre.scramble import scramble
from rules.titles.ultimo_hombre.turn import segments
from rules.titles.ultimo_hombre.upgrades import UPGRADES
from rules.titles.ultimo_hombre.view import View

OPTIONS: dict[str, tuple[Any, ...]] = {
    "leaders": (False, True),       # 17.1
    "mato_grosso": (False, True),   # 17.2
    "chaco": (False, True),         # 17.3
    "free_set_up": (False, True),   # 17.4
    "treaty": (False, True),        # 17.5
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


TITLE = Title(id="ultimo_hombre", seats=SIDES, version="1.2", schema=SCHEMA, segments=segments, view=View(),
              begin=_begin, load=_load, scramble=scramble, invariants=check, lab=_lab, options=OPTIONS,
              upgrades=UPGRADES, orders=ORDERS)
