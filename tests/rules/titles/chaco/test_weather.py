"""4 The turn, 5 weather, 6 truces."""

import pytest

from tests.rules.titles.chaco.builders import (
    B,
    P,
    bare,
    choose,
    forms,
    last,
    new_game,
    pass_on,
    play,
    prompt,
    refused,
    told,
    until,
    view,
)


@pytest.mark.clause("4.1", "4.2")
def test_a_turn_goes_through_both_player_turns_and_no_phase_comes_back() -> None:
    game = play({"phase": "weather"}, dice=[6, *[6] * 40])
    seen: list[str] = []
    while game.asked and game.pos.turn == 1:
        if not seen or seen[-1] != game.pos.stage:
            seen.append(game.pos.stage)
        pass_on(game)
    order = [f"{side}_{name}" for side in (P, B) for name in ("supply", "movement", "politics")]
    assert [s for s in seen if s in order] == order
    assert len(seen) == len(set(seen))
    game.chance.rolls.clear()


@pytest.mark.clause("5.0")
@pytest.mark.parametrize(("turn", "dice", "rain"), [(1, [6], False), (5, [6], True), (4, [3, 6], True),
                                                    (4, [4, 6], False)])
def test_rain_in_january_and_in_december_on_three_or_less(turn: int, dice: list[int], rain: bool) -> None:
    game = play({"phase": "weather", "turn": turn}, dice)
    assert game.pos.rain is rain
    assert view(game, "public")["table:state"]["rows"][0]["value"]["key"] == ("state.rain" if rain else "state.dry")


@pytest.mark.clause("6.1", "6.2", "6.3")
def test_a_one_and_a_two_bring_a_truce_that_the_stronger_is_asked_about_first() -> None:
    game = play({"phase": "weather", "points": {P: 15, B: 20}}, [1, 2])
    assert prompt(game, B) == "truce"
    choose(game, B, "accept_truce")
    assert prompt(game, P) == "truce"
    choose(game, P, "accept_truce")
    assert game.pos.truce
    assert "truce_began" in [step["event"] for step in told(game)]


@pytest.mark.clause("6.2")
def test_a_refusal_costs_ten_points_and_asks_nobody_else() -> None:
    game = play({"phase": "weather", "points": {P: 15, B: 20}}, [1, 1])
    choose(game, B, "refuse_truce")
    assert game.pos.vp == {P: 15, B: 10}
    assert not game.pos.truce
    assert prompt(game, P) == "line"


@pytest.mark.clause("6.2")
def test_who_has_fewer_than_ten_points_cannot_refuse_and_a_die_decides_between_equals() -> None:
    game = play({"phase": "weather", "points": {P: 9, B: 9}}, [1, 1, 4])
    assert game.pos.truce, "neither can pay, so neither is asked"
    assert last(game, "truce_rolled")["roll"] == 1


@pytest.mark.clause("6.4")
@pytest.mark.parametrize(("die", "goes_on"), [(2, True), (3, False)])
def test_a_running_truce_goes_on_with_one_or_two(die: int, goes_on: bool) -> None:
    game = play({"phase": "weather", "turn": 2, "truce": True, "points": {P: 5, B: 5}},
                [die, 4] if goes_on else [die])
    assert game.pos.truce is goes_on


@pytest.mark.clause("6.3")
def test_a_truce_bars_combat_new_contact_and_enemy_settlements() -> None:
    body = bare(phase=f"{P}_movement", truce=True, units={
        "PY-INF-ITOR": "2726", "PY-LDR-Estig": "2726", "BO-INF-21": "2728", "PY-INF-5": "2839"})
    game = play(body)
    assert refused(game, P, "move", units=["PY-INF-ITOR", "PY-LDR-Estig"], path=["2726", "2727"]) == ("truce", "6.3")
    assert refused(game, P, "move", units=["PY-INF-5"], path=["2839", "2838", "2837", "2836"]) == ("truce", "6.3")
    until(game, "politics")
    assert not told(game, "combat_began")


@pytest.mark.clause("6.3", "7.7")
def test_in_a_truce_zones_do_not_touch_supply() -> None:
    from rules.titles.chaco.zoc import supply_zones, zones
    game = play(bare(phase=f"{P}_movement", truce=True, units={"BO-INF-21": "2728"}))
    assert zones(game.pos, B)
    assert not supply_zones(game.pos, P)


@pytest.mark.clause("3.1", "13.3", "17.1")
def test_a_new_game_has_everything_in_its_box() -> None:
    game = new_game("boqueron")
    at = game.pos.at
    assert at["BO-INF-COLOR"] == "pile:bolivia"
    assert at["PY-LDR-Garay"] == "waiting:paraguay"
    assert at["BO-TRK-7"] == "trucks:bolivia"
    assert game.pos.air == {P: 1, B: 3}
    assert game.pos.replacements == {P: 0, B: 0}
    assert not game.pos.building
    assert prompt(game, B) == "set_up_trucks"
    assert "trucks" in forms(game, B)
