"""Guerra a Muerte: the independence of Spanish America, 1810-1824. Section numbers are those of its rulebook."""

from __future__ import annotations

from rules.core.title import Title
from rules.titles.guerra_a_muerte import (  # noqa: F401 (segments)
    arrivals,
    attrition,
    events,
    fleets,
    income,
    operate,
    operations,
    recruiting,
    setup,
    siege,
    uprisings,
)  # fmt: skip
from rules.titles.guerra_a_muerte.board import Game
from rules.titles.guerra_a_muerte.forecast import forecast
from rules.titles.guerra_a_muerte.invariants import check
from rules.titles.guerra_a_muerte.lab import build, by_hand
from rules.titles.guerra_a_muerte.orders import ORDERS
from rules.titles.guerra_a_muerte.position import SCHEMA, Position
from rules.titles.guerra_a_muerte.scramble import guess, scramble
from rules.titles.guerra_a_muerte.tally import TALLY
from rules.titles.guerra_a_muerte.turn import segments
from rules.titles.guerra_a_muerte.upgrades import UPGRADES
from rules.titles.guerra_a_muerte.view import View

TITLE = Title(id="guerra_a_muerte", version="1.1", schema=SCHEMA, segments=segments, view=View(), compile=Game,
              begin=setup.begin, load=Position.load, lab=build, hand=by_hand, scramble=scramble, guess=guess,
              invariants=check, upgrades=UPGRADES, orders=ORDERS, tally=TALLY, lost="pool:out", forecast=forecast)
