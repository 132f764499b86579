"""Austerlitz (2 December 1805). Clause numbers are those of its rulebook and playbook."""

from __future__ import annotations

from rules.core.title import Title
from rules.titles.austerlitz import (  # noqa: F401 (segments)
    combat,
    command,
    deployment,
    giveway,
    independent,
    movement,
    nomarker,
    opening,
    rally,
    reinforcements,
    setup,
    special,
)
from rules.titles.austerlitz.game import Game
from rules.titles.austerlitz.invariants import check
from rules.titles.austerlitz.lab import build, by_hand
from rules.titles.austerlitz.layers import covers
from rules.titles.austerlitz.orders import ORDERS
from rules.titles.austerlitz.position import SCHEMA, Position
from rules.titles.austerlitz.scramble import scramble
from rules.titles.austerlitz.tally import TALLY
from rules.titles.austerlitz.turn import segments
from rules.titles.austerlitz.upgrades import UPGRADES
from rules.titles.austerlitz.view import View

TITLE = Title(id="austerlitz", version="1.1", schema=SCHEMA, segments=segments, view=View(), compile=Game,
              begin=setup.begin, load=Position.load, lab=build, hand=by_hand, scramble=scramble, invariants=check,
              upgrades=UPGRADES, orders=ORDERS, tally=TALLY, covers=covers)
