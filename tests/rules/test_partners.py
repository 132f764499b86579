"""Whole games of the toy title of four seats, by bots, with every check of the house: two and four, all scenarios."""

from __future__ import annotations

from collections import Counter

import pytest

from rules import bots
from rules.bots.checks import Checker
from rules.bots.playout import chance, play
from rules.core.referee import Referee
from rules.core.title import Data
from tests.app.hills_title import TITLE
from tests.rules import harness


@pytest.fixture(scope="module")
def data() -> Data:
    return harness.data(TITLE.id)


CASES = [("ridge", "two"), ("ridge", "four"), ("duel", "two"), ("pursuit", "four")]


@pytest.mark.parametrize(("scenario", "seating"), CASES)
@pytest.mark.parametrize("bot", ["random", "heuristic"])
def test_whole_games_pass_all_checks(data: Data, scenario: str, seating: str, bot: str) -> None:
    seats = data.scenario(scenario).seatings[seating].seats
    done: Counter[str] = Counter()
    for seed in range(4):
        checker = Checker(TITLE, seed)
        played = play(TITLE, data, scenario, seed, {seat: bots.make(bot) for seat in seats}, watcher=checker)
        assert played.result is not None
        assert played.result["winner"] in (None, "north", "south")
        done.update(checker.done)
    assert min(done.values()) > 0


def test_partners_see_what_their_side_knows_and_only_who_is_asked_has_forms(data: Data) -> None:
    four = list(data.scenario("ridge").seatings["four"].seats)
    game = Referee.start(TITLE, data, "ridge", {}, chance(TITLE, 1), seats=four)
    assert game.asked == tuple(four)
    assert game.views.eyes == ("north", "south", "public", "all")
    for seat, said in (("reille", "ready"), ("ney", "wood"), ("colborne", "village"), ("picton", "ready")):
        game.answer(seat, {"form": "ambush", "option": said})
    seen = {eye: game.views.contents[eye].get("table:ambush_north") for eye in game.views.eyes}
    assert seen["north"] == seen["all"] != None  # noqa: E711
    assert seen["south"] is seen["public"] is None
    assert game.asked == ("colborne",)
    for who, mine in (("colborne", True), ("picton", False), ("ney", False), ("public", False)):
        asked = game.request_for(who)
        assert asked is not None
        assert (asked["seat"], asked["mine"], "forms" in asked) == ("colborne", mine, mine)
