"""A whole game by bots, with all checks of the house, and what these find in a position."""

from collections.abc import Callable

import pytest

from rules import bots
from rules.bots.checks import Checker
from rules.bots.playout import chance, play
from rules.core.errors import BadPosition
from rules.core.referee import Referee
from rules.titles.austerlitz import TITLE
from rules.titles.austerlitz.position import Position
from tests.rules.harness import data, seats


def test_a_random_game_of_the_northern_flank_to_its_end() -> None:
    checker = Checker(TITLE, 1, 20)
    players = {seat: bots.make("random") for seat in seats(TITLE, "northern_flank")}
    game = play(TITLE, data(TITLE.id), "northern_flank", 1, players, watcher=checker)
    assert game.result is not None
    assert checker.done["loads"] >= 3
    assert checker.done["scrambles"] >= 6


def _turned(pos: Position, unit: str) -> None:
    pos.facing[unit] = (pos.facing[unit] + 2) % 12


def _a_hex_too_many(pos: Position, unit: str) -> None:
    pos.zones(pos.unit(unit).side).setdefault("N20118", []).append(unit)


def _a_hex_without_anybody(pos: Position, unit: str) -> None:
    pos.fronts(pos.unit(unit).side)["N20118"] = []


def _a_hex_too_few(pos: Position, unit: str) -> None:
    pos.zones(pos.unit(unit).side)[pos.zone(unit)[0]].remove(unit)


def _moved(pos: Position, unit: str) -> None:
    there = next(h for h in pos.game.board.touching(pos.at[unit]) if not pos.stack(h))
    pos.stacks[pos.at[unit]].remove(unit)
    pos.stacks[there] = [unit]
    pos.at[unit] = there


def _misplaced(pos: Position, unit: str) -> None:
    pos.at[unit] = pos.game.board.touching(pos.at[unit])[0]


def _destroyed(pos: Position, unit: str) -> None:
    pos.lost[unit] = pos.unit(unit).strength


@pytest.mark.parametrize(("lapse", "wrong"), [
    (_turned, "the zones of french"), (_a_hex_too_many, "the zones of french"), (_a_hex_too_few, "the zones of french"),
    (_a_hex_without_anybody, "the zones of french"), (_moved, "who stands where"), (_misplaced, "at has not been kept"),
    (_destroyed, "no_points_left")])
def test_what_has_not_been_kept_up_is_caught(lapse: Callable[[Position, str], None], wrong: str) -> None:
    pos = Referee.start(TITLE, data(TITLE.id), "bagration", {}, chance(TITLE, 1)).pos
    TITLE.invariants(pos)
    unit = next(u for u in sorted(pos.at) if pos.on_map(u) and pos.unit(u).side == "french" and pos.form[u] == "line"
                and len(pos.stack(pos.at[u])) == 1)
    lapse(pos, unit)
    with pytest.raises(BadPosition, match=wrong):
        TITLE.invariants(pos)
