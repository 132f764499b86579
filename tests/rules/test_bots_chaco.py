"""The heuristic player of The Chaco War: legal, repeatable, honest about what it sees, and better than chance."""

from random import Random
from typing import Any

import pytest

from rules import bots
from rules.bots.chaco import ideas
from rules.bots.playout import chance, play
from rules.core.referee import Referee
from rules.titles.chaco import TITLE
from tests.rules.harness import data
from tests.rules.titles.chaco import builders
from tests.rules.titles.chaco.builders import B, P, Play, bare

KNOWN = data(TITLE.id)


@pytest.mark.parametrize("seed", [0, 1])
def test_it_beats_random_play_on_boqueron_from_either_side(seed: int) -> None:
    mine, other = ("paraguay", "bolivia") if seed % 2 == 0 else ("bolivia", "paraguay")
    players = {mine: bots.make("heuristic"), other: bots.make("random")}
    done = play(TITLE, KNOWN, "boqueron", seed, players, options={})
    assert done.result is not None
    assert done.result["winner"] == mine


def test_it_proposes_the_same_to_the_same_view_and_what_it_proposes_is_legal() -> None:
    referee = Referee.start(TITLE, KNOWN, "villa_montes", {"intelligence": "limited"}, chance(TITLE, 3))
    bot = bots.make("heuristic")
    for _ in range(120):
        if not referee.asked:
            break
        seat = referee.asked[0]
        answer = bot.answer(referee, seat, Random(1))
        assert bot.answer(referee, seat, Random(1)) == answer
        referee.answer(seat, answer)


def first(game: Play, side: str) -> dict[str, Any]:
    """Its first idea in a position."""
    game.chance.rolls.clear()
    return next(iter(ideas(game.game, game.views.contents[side], side, game.pending[side])))


@pytest.mark.parametrize(("points", "option"), [(40, "commander"), (12, "no_change")])
def test_it_challenges_a_bad_commander_with_all_backers_unless_a_failure_could_end_the_war(
        points: int, option: str) -> None:
    units = {"BO-LDR-Pena": "2807", "BO-LDR-Bilbao": "2807", "BO-LDR-Penar": "2807", "BO-INF-21": "2807",
             "BO-GHQ": "2807", "PY-INF-ITOR": "2811", "BO-LDR-Banzer": "waiting"}
    body = bare(phase=f"{B}_politics", units=units, commander={B: "BO-LDR-Pena"}, points={P: 20, B: points})
    game = builders.play(body, [4, 0])
    assert first(game, B) == {"form": "politics", "option": option}
    if option == "commander":
        builders.choose(game, B, "commander")
        assert first(game, B)["lots"] == {"backers": ["BO-LDR-Bilbao", "BO-LDR-Penar"]}
        builders.answer(game, B, "backers", lots={"backers": ["BO-LDR-Bilbao", "BO-LDR-Penar"]})
        assert first(game, B) == {"form": "spend", "option": "0"}, "a point is worth more than what it buys"


@pytest.mark.parametrize(("points", "fires"), [(6, True), (3, False)])
def test_its_guns_fire_while_there_is_supply_to_spare(points: int, fires: bool) -> None:
    units = {"PY-ART-A1": "2727", "PY-ART-A2": "2727", "PY-INF-ITOR": "2727", "PY-LDR-Estig": "2727",
             "BO-INF-21": "2728", "BO-INF-14": "2728"}
    body = bare(phase=f"{P}_combat_1", units=units, supply={P: {"2727": points}}, trails=["2728"])
    game = builders.play(body, [], options={"barrage": "on"})
    wanted = {"form": "barrage", "target": "2728", "units": ["PY-ART-A1", "PY-ART-A2"]}
    assert first(game, P) == (wanted if fires else {"form": "no_barrage", "option": "no_barrage"})


@pytest.mark.parametrize(("turn", "leaves"), [(6, True), (5, False)])
def test_in_the_last_turn_its_men_leave_by_the_enemys_edge(turn: int, leaves: bool) -> None:
    body = bare(phase=f"{B}_movement", turn=turn, units={"BO-INF-21": "2753", "BO-INF-14": "2753", "BO-GHQ": "2807"})
    game = builders.play(body, [])
    assert (first(game, B) == {"form": "leave_map", "lots": {"2753": ["BO-INF-21", "BO-INF-14"]}}) is leaves
