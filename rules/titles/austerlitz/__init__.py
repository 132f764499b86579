"""Austerlitz (2 December 1805). Clause numbers are those of its rulebook and playbook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.errors import BadPosition
from rules.core.title import Data, Title, chosen
from rules.titles.austerlitz import (  # noqa: F401 (segments)
    combat,
    command,
    deployment,
    independent,
    movement,
    nomarker,
    opening,
    rally,
    reinforcements,
    setup,
    special,
)
from rules.titles.austerlitz.game import compiled
from rules.titles.austerlitz.invariants import check
from rules.titles.austerlitz.lab import build
from rules.titles.austerlitz.orders import ORDERS
from rules.titles.austerlitz.position import SCHEMA, Position
from rules.titles.austerlitz.scramble import scramble
from rules.titles.austerlitz.turn import segments
from rules.titles.austerlitz.units import SIDES
from rules.titles.austerlitz.upgrades import UPGRADES
from rules.titles.austerlitz.view import View

OPTIONS: dict[str, tuple[Any, ...]] = {}


def _begin(data: Data, scenario: str, options: Mapping[str, Any]) -> Position:
    game = compiled(data)
    if scenario not in game.scenarios:
        raise BadPosition(f"no scenario {scenario}")
    return setup.begin(game, scenario, chosen(OPTIONS, options))


def _load(data: Data, state: dict[str, Any]) -> Position:
    return Position.load(compiled(data), state)


def _lab(data: Data, body: Mapping[str, Any]) -> Position:
    return build(compiled(data), body.get("scenario", "northern_flank"), chosen(OPTIONS, body.get("options", {})),
                 body.get("position", {}))


TITLE = Title(id="austerlitz", seats=SIDES, version="1.0", schema=SCHEMA, segments=segments, view=View(),
              begin=_begin, load=_load, scramble=scramble, invariants=check, lab=_lab, options=OPTIONS,
              upgrades=UPGRADES, orders=ORDERS)
