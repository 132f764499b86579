"""Hasta el último hombre: the War of the Triple Alliance. Section numbers are those of its rulebook."""

from __future__ import annotations

from rules.core.title import Title
from rules.titles.ultimo_hombre import battle, movement, restore, setup, transport  # noqa: F401 (segments)
from rules.titles.ultimo_hombre.board import Game
from rules.titles.ultimo_hombre.invariants import check
from rules.titles.ultimo_hombre.lab import build, by_hand
from rules.titles.ultimo_hombre.orders import ORDERS
from rules.titles.ultimo_hombre.position import SCHEMA, Position
from rules.titles.ultimo_hombre.scramble import scramble
from rules.titles.ultimo_hombre.tally import TALLY
from rules.titles.ultimo_hombre.turn import segments
from rules.titles.ultimo_hombre.upgrades import UPGRADES, upgrade_data
from rules.titles.ultimo_hombre.view import View

TITLE = Title(
    id="ultimo_hombre",
    version="1.4",
    schema=SCHEMA,
    segments=segments,
    view=View(),
    compile=Game,
    begin=setup.begin,
    load=Position.load,
    lab=build,
    hand=by_hand,
    scramble=scramble,
    invariants=check,
    upgrades=UPGRADES,
    upgrade_data=upgrade_data,
    orders=ORDERS,
    tally=TALLY,
)
