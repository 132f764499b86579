"""4 and 5.4 How the war is won, drawn and lost."""

from typing import Any

import pytest

from tests.rules.titles.triple_alliance.builders import (
    A,
    P,
    Play,
    answer,
    attack,
    bear_losses,
    choose,
    ends,
    last,
    move,
    play,
    position,
    rows,
    told,
    view,
)

FORTRESSES = ["PY-FOR-H", "PY-FOR-C", "PY-FOR-Ipr", "PY-FOR-A", "PY-FOR-Ipu"]
FIVE = ["1826", "1335", "1241", "1541", "2044"]


def judged(**body: Any) -> Play:
    """A war that ends now, with what stands in `body`."""
    points = {"fortresses": 0, **body.pop("points", {})}
    return play({"turn": 9, "phase": "end_of_turn", "clear": True, "points": points, **body})


def held(*hexes: str) -> dict[str, str]:
    return dict.fromkeys(hexes, A)


# -- automatic victory ---------------------------------------------------------------------------------------


@pytest.mark.clause("4.2", "5.4")
def test_paraguay_wins_the_moment_the_fifth_city_falls() -> None:
    game = play({"turn": 4, "clear": True, "control": dict.fromkeys(["1335", "1241", "1541"], P),
                 "units": {"PY-CAV-1": "2143", "BR-INF-1F": "2440"}})
    move(game, P, "PY-CAV-1", "2143", "2044")
    assert game.pos.result == {"winner": P, "key": "result.automatic", "args": {}, "clause": "4.2"}
    assert game.asked == ()
    assert game.request_for(P) is None
    for eye in (P, A, "public"):
        assert view(game, eye)["result"] == game.pos.result
        assert told(game, "automatic_victory", eye)


@pytest.mark.clause("4.2")
@pytest.mark.parametrize("missing", FIVE[1:])
def test_four_cities_are_not_enough(missing: str) -> None:
    game = play({"turn": 4, "clear": True, "control": dict.fromkeys(set(FIVE) - {missing, "1826"}, P),
                 "units": {"PY-INF-1": "1433"}})
    move(game, P, "PY-INF-1", "1433", "1434")
    assert game.pos.result is None


@pytest.mark.clause("4.2")
def test_asuncion_must_be_held_too() -> None:
    game = play({"turn": 4, "clear": True, "control": {"1826": A, **dict.fromkeys(["1335", "1241", "1541"], P)},
                 "taken": ["1826"], "units": {"PY-CAV-1": "2143", "PY-CAV-2": "1925"}})
    move(game, P, "PY-CAV-1", "2143", "2044")
    assert game.pos.result is None
    move(game, P, "PY-CAV-2", "1925", "1826")  # retaken
    assert game.pos.result is not None
    assert game.pos.result["winner"] == P


@pytest.mark.clause("4.2")
def test_a_city_passed_through_counts() -> None:
    game = play({"turn": 4, "clear": True, "control": dict.fromkeys(["1335", "1241", "1541"], P),
                 "units": {"PY-CAV-1": "2143"}})
    move(game, P, "PY-CAV-1", "2143", "2044", "1943")
    assert game.pos.result is not None
    assert game.pos.result["key"] == "result.automatic"


@pytest.mark.clause("4.2", "13.30")
def test_an_advance_can_win_the_war() -> None:
    game = play({"turn": 4, "phase": "paraguay_combat_2", "clear": True,
                 "control": dict.fromkeys(["1335", "1241", "1541"], P),
                 "units": {"PY-INF-1": "2143", "PY-INF-2": "2143", "BR-ART-1": "2044"}}, [9])
    attack(game, P, "2044", "PY-INF-1", "PY-INF-2")
    bear_losses(game)
    answer(game, P, "advance", lots={"advance": ["PY-INF-2"]})
    assert game.pos.result is not None
    assert (game.pos.result["winner"], game.asked) == (P, ())


# -- points --------------------------------------------------------------------------------------------------


@pytest.mark.clause("4.3", "5.4")
@pytest.mark.parametrize(("towns", "winner", "total"), [
    ((), P, 0), (("1826",), P, 1), (("1826", "2622"), None, 2), (("1826", "2622", "1918"), A, 3)])
def test_points_at_the_end_of_turn_nine(towns: tuple[str, ...], winner: str | None, total: int) -> None:
    game = judged(control=held(*towns))
    assert game.pos.result == {"winner": winner, "key": "result.points", "args": {"n": total}, "clause": "4.3"}
    assert last(game, "war_over")["total"] == total


@pytest.mark.clause("4.3", "4.4")
def test_below_zero_is_a_paraguayan_victory_and_five_points_an_allied_one() -> None:
    low = judged(mendoza="lost", points={"mendoza": -1})
    assert (low.pos.result or {})["args"] == {"n": -1}
    assert (low.pos.result or {})["winner"] == P
    high = judged(control=held("1826", "2622", "1918"), points={"fortresses": 1, "matto_grosso": 1},
                  units=dict.fromkeys(FORTRESSES, "dead"))
    assert (high.pos.result or {})["args"] == {"n": 5}
    assert (high.pos.result or {})["winner"] == A


@pytest.mark.clause("4.3")
def test_the_lost_point_of_mendoza_turns_a_win_into_a_draw() -> None:
    game = judged(control=held("1826", "2622", "1918"), mendoza="lost", points={"mendoza": -1})
    assert (game.pos.result or {})["winner"] is None


@pytest.mark.clause("4.3", "5.4")
def test_points_decide_nothing_before_the_end_of_turn_nine() -> None:
    game = play({"turn": 8, "phase": "end_of_turn", "clear": True, "mendoza": "crushed",
                 "control": held("1826", "2622", "1918")})
    assert game.pos.result is None
    assert (game.pos.turn, game.asked) == (9, (P,))
    assert rows(game, P, "points")["total"] == 3


@pytest.mark.clause("4.4")
def test_a_town_counts_only_while_the_allies_hold_it() -> None:
    game = play({"turn": 9, "clear": True, "control": held("1918", "2622"), "units": {"PY-INF-1": "2019"}})
    assert rows(game, A, "points") == {"fortresses": 0, "town 1826": 0, "town 1918": 1, "town 2622": 1,
                                       "matto_grosso": 0, "mendoza": 0, "total": 2}
    move(game, P, "PY-INF-1", "2019", "1918")
    assert rows(game, A, "points")["total"] == 1


@pytest.mark.clause("4.4")
def test_the_point_is_for_the_town_of_2622_not_for_the_fortress() -> None:
    assert (judged(control=held("1433")).pos.result or {})["args"] == {"n": 0}
    assert (judged(control=held("2622")).pos.result or {})["args"] == {"n": 1}


@pytest.mark.clause("4.4")
def test_the_fifth_fortress_gives_its_point_at_once_and_for_good() -> None:
    """The last of them, Itapúa, falls to seven battalions: 20 against 3, 6:1, the best the table has."""
    battalions = ["BR-INF-1F", "BR-INF-2F", "BR-INF-3F", "BR-INF-4F", "BR-INF-1C", "BR-INF-2C", "BR-INF-9C"]
    game = play({"turn": 5, "phase": "allied_combat_1", "clear": True, "matto_grosso": "not_launched",
                 "units": {**dict.fromkeys(FORTRESSES[:4], "dead"), **dict.fromkeys(battalions, "2535"),
                           "PY-FOR-Ipu": "2534"}}, [9])
    attack(game, A, "2534", *battalions)
    bear_losses(game)
    assert last(game, "point_scored") == {"what": "point.fortresses", "value": 1, "total": 1}
    assert rows(game, P, "points")["fortresses"] == 1
    assert game.pos.result is None


@pytest.mark.clause("4.4")
def test_four_fortresses_give_nothing() -> None:
    battalions = ["BR-INF-1F", "BR-INF-2F", "BR-INF-3F", "BR-INF-4F", "BR-INF-1C", "BR-INF-2C", "BR-INF-9C"]
    game = play({"turn": 5, "phase": "allied_combat_1", "clear": True,
                 "units": {**dict.fromkeys(FORTRESSES[1:4], "dead"), "PY-FOR-H": "1432", "PY-FOR-Ipu": "2534",
                           **dict.fromkeys(battalions, "2535")}}, [9])
    attack(game, A, "2534", *battalions)
    bear_losses(game)
    assert game.pos.at["PY-FOR-Ipu"] == "dead:paraguay"
    assert told(game, "point_scored") == []


@pytest.mark.clause("4.4", "8.2")
@pytest.mark.parametrize(("state", "value"), [("unopposed", 1), ("answered", 0), ("not_launched", 0)])
def test_the_matto_grosso_point_comes_at_the_end_of_turn_five(state: str, value: int) -> None:
    game = play({"turn": 5, "phase": "allied_combat_3", "clear": True, "mendoza": "crushed",
                 "matto_grosso": state, "units": {"AR-INF-1": "1337"}}, [9])
    assert [step["data"]["what"] for step in told(game, "point_scored")] == ["point.matto_grosso"] * value
    assert rows(game, P, "points")["matto_grosso"] == value
    assert game.pos.turn == 6


@pytest.mark.clause("4.4", "8.2")
def test_it_does_not_come_before_or_again() -> None:
    force = dict.fromkeys(("BR-SUP-Sup-1", "BR-INF-MG", "BR-INF-Go"), "away:matto_grosso")
    for turn, state in ((4, "launched"), (6, "unopposed")):
        game = play({"turn": turn, "phase": "end_of_turn", "clear": True, "mendoza": "crushed", "units": force,
                     "matto_grosso": state, "points": {"matto_grosso": 1} if turn == 6 else {}})
        assert told(game, "point_scored") == []
        assert rows(game, A, "points")["matto_grosso"] == (1 if turn == 6 else 0)


@pytest.mark.clause("4.3", "5.4")
def test_a_whole_last_turn_ends_the_war() -> None:
    game = play({"turn": 9, "clear": True, "units": {"PY-INF-1": "1826", "AR-INF-1": "1337"}})
    for seat in (P, A):
        assert game.asked == (seat,)
        ends(game, seat)  # nobody next to an enemy: the combat phases pass by themselves
    assert game.asked == ()
    assert [e.answer["option"] for e in game.log if e.forced] == ["no_attack"] * 6
    assert (game.pos.result or {})["clause"] == "4.3"


@pytest.mark.clause("4.4")
def test_a_lost_point_is_no_allied_gain_elsewhere() -> None:
    pos = position(turn=3, mendoza="crushed", clear=True)
    assert pos.points == {}
    game = play({"turn": 3, "phase": "events", "clear": True, "mendoza": "crushed"})
    choose(game, P, "end")
    assert rows(game, A, "points")["mendoza"] == 0
