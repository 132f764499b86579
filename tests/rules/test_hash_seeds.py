"""The same seed gives the same game in every process: nothing hangs on the order of a set, which is shuffled anew."""

import os
import subprocess
import sys

import pytest

from tests.rules.harness import SCENARIOS

PLAYS = """
import sys
from hashlib import sha256
from random import Random
import orjson
from rules import bots, titles
from rules.bots.playout import chance
from rules.core.referee import Referee
from tests.rules.harness import data

for name in sys.argv[2:]:
    title_id, scenario = name.split(":")
    title, rng, bot = titles.load(title_id), Random(101), bots.make("random")
    game = Referee.start(title, data(title_id), scenario, {}, chance(title, 101))
    said = sha256()
    for _ in range(int(sys.argv[1])):
        if not game.pending:
            break
        seat = rng.choice(game.asked)
        asked = [game.request_for(eye) for eye in game.views.eyes]
        answer = bot.answer(game, seat, rng)
        told = [[entry.kind, entry.seat, entry.answer, entry.told] for entry in game.answer(seat, answer)]
        said.update(orjson.dumps([asked, answer, told]) + b"%s" % str(title.encode(game.pos)).encode())
    print(name, said.hexdigest())
"""
SHORT = ("austerlitz:bagration", "chaco:boqueron")  # the first found, within so few answers
ALL = sorted(f"{path.parent.parent.name}:{path.stem}" for path in SCENARIOS.glob("*/scenarios/*.json"))


def played(shuffle: str, answers: int, names: tuple[str, ...] | list[str]) -> str:
    done = subprocess.run([sys.executable, "-c", PLAYS, str(answers), *names], capture_output=True, text=True,
                          check=False, env={**os.environ, "PYTHONHASHSEED": shuffle}, cwd=SCENARIOS.parent)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_games_do_not_hang_on_the_order_of_sets() -> None:
    assert played("3", 25, SHORT) == played("4", 25, SHORT)


@pytest.mark.long
def test_no_scenario_hangs_on_the_order_of_sets() -> None:
    assert played("5", 200, ALL) == played("6", 200, ALL)
