"""The Chaco War, 1932-1935. Clause numbers are those of its rulebook."""

from __future__ import annotations

from rules.core.title import Title
from rules.titles.chaco import (  # noqa: F401 (segments)
    attrition,
    barrage,
    combat,
    engineers,
    movement,
    new_units,
    politics,
    setup,
    stacking,
    supply_phase,
    victory,
    weather,
)
from rules.titles.chaco.forecast import forecast
from rules.titles.chaco.invariants import check
from rules.titles.chaco.lab import build, by_hand
from rules.titles.chaco.orders import ORDERS
from rules.titles.chaco.position import SCHEMA, Position
from rules.titles.chaco.scramble import guess, scramble
from rules.titles.chaco.tally import TALLY
from rules.titles.chaco.turn import segments
from rules.titles.chaco.units import Game
from rules.titles.chaco.upgrades import UPGRADES
from rules.titles.chaco.view import View

TITLE = Title(id="chaco", version="1.1", schema=SCHEMA, segments=segments, view=View(), compile=Game,
              begin=setup.begin, load=Position.load, lab=build, hand=by_hand, scramble=scramble, guess=guess,
              invariants=check, upgrades=UPGRADES, orders=ORDERS, tally=TALLY, forecast=forecast)
