"""The player of Austerlitz: fatigue, panic, bayonets by the tables, places to take and to hold, marches, and a game won
as the Allies."""

from itertools import islice
from typing import Any

import pytest

from rules import bots
from rules.bots.austerlitz import ideas
from rules.bots.austerlitz.aims import Aim
from rules.bots.austerlitz.command import call_for_help
from rules.bots.austerlitz.fight import bayonet
from rules.bots.austerlitz.post import drawn
from rules.bots.austerlitz.sight import Sight
from rules.bots.playout import play as played
from rules.titles.austerlitz import TITLE
from tests.rules.titles.austerlitz.builders import CENTRE, A, F, Play, data, field, game, play, prompt

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


def test_corps_under_buxhowdens_rule_go_for_their_own_objectives() -> None:
    """A15.5 Each until it is released; the French hold what the Allies need."""
    board, members = game("goldbach").board, game("goldbach").members
    goals = {"A-1-AG": "tellnitz", "A-1-1C": "tellnitz", "A-2-3C": "pheasantry"}
    units = {members[c][0]: f"{at}@NW/column" for c, at in zip(goals, ("C4627", "D2124", "D2713"), strict=True)}
    turn = play([], "goldbach", phase="command_change", turn=1, pool=[], units=units)
    allied = sight(turn, A).aims
    assert {c: allied[c] for c in goals} == {c: Aim(board.places[p], take=True) for c, p in goals.items()}
    assert not any(aim.take for aim in sight(turn, F).aims.values())


def test_where_only_ruined_units_count_nobody_has_an_aim() -> None:
    assert sight(field({LN: f"{CENTRE}@E/line", ARKH: "B2908@W/line"}, []), F).aims == {}


def test_who_is_far_from_the_enemy_marches_in_column() -> None:
    """A15.6 A battalion of St. Hilaire's in line, with the Pratzeberg far off, forms column and goes."""
    game = play([], "pratzen", clear=True, phase="move", active="F-1-IV", leaders={"F-St-Hilaire": "A3742"},
                units={"F-1-14-Ln": "A3743@SSE/line", "A-2-Novg": "D1609@W/line"})
    seen = sight(game, F)
    said = first_idea(game, F)
    at, _sign, rest = said["path"][-1].partition("@")
    assert rest.endswith("/column")
    assert drawn(seen, seen.own["F-1-14-Ln"], at) < drawn(seen, seen.own["F-1-14-Ln"], "A3743") - 1
    assert seen.aims["F-1-IV"].hexes == game.pos.game.board.places["pratzeberg"]


@pytest.mark.parametrize(("lost", "said"), [(1, "wait"), (2, "call")])
def test_help_is_called_once_too_few_places_are_held(lost: int, said: str) -> None:
    hexes = [game("goldbach").board.places[p][0] for p in ("tellnitz", "sokolnitz")[:lost]]
    turn = play([], "goldbach", phase="command_change", turn=9, pool=[], held=dict.fromkeys(hexes, A))
    assert [i["option"] for i in call_for_help(sight(turn, F))] == [said]
