"""La Guerra de la Triple Alianza (Triple Alliance War, 1865-1868). Clause numbers are those of its rulebook."""

from __future__ import annotations

from rules.core.title import Title
from rules.titles.triple_alliance import attrition, combat, expeditions, movement, setup  # noqa: F401 (segments)
from rules.titles.triple_alliance.forecast import forecast
from rules.titles.triple_alliance.invariants import check
from rules.titles.triple_alliance.lab import build, by_hand
from rules.titles.triple_alliance.orders import ORDERS
from rules.titles.triple_alliance.position import SCHEMA, Position
from rules.titles.triple_alliance.scramble import guess, scramble
from rules.titles.triple_alliance.tally import TALLY
from rules.titles.triple_alliance.turn import segments
from rules.titles.triple_alliance.units import Game
from rules.titles.triple_alliance.upgrades import UPGRADES, upgrade_data
from rules.titles.triple_alliance.view import View

TITLE = Title(id="triple_alliance", version="1.2", schema=SCHEMA, segments=segments, view=View(), compile=Game,
              begin=setup.begin, load=Position.load, lab=build, hand=by_hand, scramble=scramble, guess=guess,
              invariants=check, upgrades=UPGRADES, upgrade_data=upgrade_data, orders=ORDERS, tally=TALLY,
              forecast=forecast)
