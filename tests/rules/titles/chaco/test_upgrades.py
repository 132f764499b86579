"""Positions that were stored under older schemas and on the data of their day."""

import json
from random import Random

import pytest

from rules import bots
from rules.bots.playout import chance
from rules.core.referee import Checkpoint, Referee
from rules.titles.chaco import TITLE
from rules.titles.chaco.position import SCHEMA
from tests.records import kept
from tests.rules.harness import data

GIVEN = 40  # answers after the position


@pytest.mark.parametrize("schema", range(1, SCHEMA))
def test_a_position_of_an_older_schema_goes_on_with_the_data_it_began_with(schema: int) -> None:
    body = kept.read(kept.CHECKPOINTS / f"chaco-{schema}.json.xz")
    then = kept.data(body["data"])
    assert then.files["units"] != data(TITLE.id).files["units"], "tables and counters have changed since"
    game = TITLE.game(then, body["scenario"])
    point = Checkpoint(1, body["phase"], json.dumps(body["state"]).encode())
    referee = Referee.resume(TITLE, game, point, schema, [], chance(TITLE, 7))
    assert not referee.pos.tried
    guns = {u: unit.attack for u, unit in referee.pos.game.units.items() if unit.type == "artillery"}
    assert guns["BO-ART-A1"] == (6, 3), "the factors of its day"
    bot, rng = bots.make("random"), Random(7)
    for _ in range(GIVEN):
        seat = referee.asked[0]
        referee.answer(seat, bot.answer(referee, seat, rng))
        TITLE.invariants(referee.pos)
    assert kept.fresh_views(TITLE, referee.pos) == kept.views(referee)
    now = json.loads(TITLE.encode(referee.pos))
    assert json.loads(TITLE.encode(TITLE.decode(game, TITLE.encode(referee.pos), SCHEMA))) == now
