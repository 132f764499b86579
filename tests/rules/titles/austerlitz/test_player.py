"""The player of Austerlitz: fatigue, panic, bayonets by the tables, and a game won as the Allies."""

from itertools import islice
from typing import Any

import pytest

from rules import bots
from rules.bots.austerlitz import ideas
from rules.bots.austerlitz.fight import bayonet
from rules.bots.austerlitz.sight import Sight
from rules.bots.playout import play as played
from rules.titles.austerlitz import TITLE
from tests.rules.titles.austerlitz.builders import CENTRE, A, F, Play, data, field, play, prompt

LN, ARKH = "F-1-34-Ln", "A-2-Arkh"


def sight(game: Play, side: str) -> Sight:
    return Sight(game.game, game.views.contents[side], side)


def first_idea(game: Play, seat: str) -> dict[str, Any]:
    """What the player says first to what its seat is asked, if it may say it."""
    said = next(iter(ideas(game.game, game.views.contents[seat], seat, game.pending[seat])))
    return dict(game.pending[seat].check(said))


@pytest.mark.parametrize(("level", "removed"), [(5, []), (6, ["LIM-F-3-V"])])
def test_the_marker_of_the_weary_leaves_the_pool(level: int, removed: list[str]) -> None:
    """13.3 At 7 all of them would lose a level of morale."""
    game = play([], fatigue={"F-3-V": level}, turn=2)
    assert prompt(game, F) == "markers_freely"
    assert first_idea(game, F)["lots"].get("remove", []) == removed


def test_the_weary_are_activated_within_limits() -> None:
    for level, option in ((3, "full"), (6, "limited")):
        game = play([0, 5], fatigue={"A-2-B": level}, pool=["LIM-A-2-B"], phase="initiative", initiative=A, turn=2)
        if prompt(game, A) == "first_marker":
            game.answer(A, {"form": "first_marker", "option": "LIM-A-2-B"})
        assert first_idea(game, A)["option"] == option


def test_a_bayonet_attack_is_worth_what_the_tables_say() -> None:
    """Half the faces carry it in; then 20 in 100 shake the Russians, 40 make them unsteady; at 8 and 9 it recoils."""
    seen = sight(field({LN: f"{CENTRE}@E/line", ARKH: "B2908@W/line"}, [], phase="melee"), F)
    assert bayonet(seen, seen.own[LN], seen.foes[ARKH]) == pytest.approx(
        0.5 * (0.2 * 0.35 + 0.4) - 0.2 * 0.35 - 0.05)


@pytest.mark.parametrize(("unsteady", "careful"), [(2, False), (3, True)])
def test_who_is_near_defeat_stands_off(unsteady: int, careful: bool) -> None:
    lost = ("A-2-Pskv", "A-3-Pskv", "A-G-Pskv")[:unsteady]
    game = field({ARKH: "B3008@W/line", LN: "B2908@E/line"}, [], side=A, morale=dict.fromkeys(lost, "unsteady"))
    seen = sight(game, A)
    assert (seen.ruined, seen.careful) == (unsteady, careful)
    said = next(i for i in islice(ideas(game.game, game.views.contents[A], A, game.pending[A]), 3))
    if careful:
        assert seen.nearest(said["path"][-1].split("@")[0]) > seen.nearest("B3008")


def test_the_allies_beat_random_play() -> None:
    players = {A: bots.make("heuristic"), F: bots.make("random")}
    result = played(TITLE, data(), "northern_flank", 102, players).result
    assert result is not None
    assert result["winner"] == A


def test_distances_to_enemies_are_those_of_the_map() -> None:
    """Worked out for all hexes at once, they are the same as hex by hex."""
    game = field({LN: f"{CENTRE}@N/column", ARKH: "B2803@S/column", "A-3-Arkh": "B3506@S/column"})
    seen, board = sight(game, F), game.pos.game.board
    for hex_ in sorted(board.around)[::37]:
        gaps = {t.id: board.distance(hex_, t.at) for t in seen.foes.values()}
        assert seen.nearest(hex_) == min(gaps.values())
        assert [t.id for t in seen.around(hex_, 4)] == [u for u in seen.foes if gaps[u] <= 4]
