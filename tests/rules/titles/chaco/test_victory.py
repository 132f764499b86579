"""16 Victory, 17 scenarios."""

from typing import Any

import pytest

from rules.titles.chaco import TITLE
from tests.rules.harness import data
from tests.rules.titles.chaco.builders import (
    B,
    P,
    Play,
    answer,
    bare,
    choose,
    forms,
    new_game,
    pass_on,
    play,
    position,
    prompt,
    refused,
)


def end(points: dict[str, int], dice: list[int] | None = None, turn: int = 6, **body: Any) -> Play:
    return play(bare(phase="end_of_turn", turn=turn, points=points, units={}, **body), dice or [])


@pytest.mark.clause("16.1", "16.3", "16.2")
@pytest.mark.parametrize(("paraguay", "winner", "level"), [
    (21, P, "marginal"), (39, P, "marginal"), (40, P, "substantive"), (69, P, "substantive"), (70, P, "decisive"),
    (1, B, "marginal")])
def test_the_lead_at_the_end_decides_and_its_size_names_the_victory(paraguay: int, winner: str, level: str) -> None:
    game = end({P: paraguay, B: 20})
    assert game.pos.result is not None
    assert game.pos.result["winner"] == winner
    assert game.pos.result["key"] == f"result.points_{level}"


@pytest.mark.clause("16.3")
@pytest.mark.parametrize(("die", "winner"), [(3, P), (4, B)])
def test_a_coin_decides_between_equals(die: int, winner: str) -> None:
    game = end({P: 20, B: 20}, [die])
    assert game.pos.result is not None
    assert (game.pos.result["winner"], game.pos.result["key"]) == (winner, "result.points_coin")


@pytest.mark.clause("16.1")
@pytest.mark.parametrize(("lead", "over"), [(50, True), (49, False)])
def test_a_truce_turn_with_a_lead_of_fifty_is_peace(lead: int, over: bool) -> None:
    game = end({P: 20 + lead, B: 20}, [] if over else [6], turn=2, truce=True)
    assert (game.pos.result is not None) is over
    if over and game.pos.result is not None:
        assert game.pos.result["key"] == "result.peace_decisive"


@pytest.mark.clause("16.1")
def test_without_a_truce_the_war_goes_on_to_the_last_turn() -> None:
    game = end({P: 90, B: 20}, [6], turn=2)
    assert game.pos.result is None
    assert game.pos.turn == 3


@pytest.mark.clause("17.1", "17.2", "3.1")
def test_boqueron_sets_up_bolivia_first_and_paraguay_around_isla_poi() -> None:
    game = new_game("boqueron")
    assert game.pos.vp == {B: 20, P: 15}
    assert game.pos.radius == {B: 6}
    assert game.pos.works == {"2837": "entrenchment"}
    assert prompt(game, B) == "set_up_trucks"
    answer(game, B, "trucks", lots={})
    assert prompt(game, P) == "set_up_paraguay"
    form = forms(game, P)["set_up"]
    crowd = dict.fromkeys(form["groups"][0]["units"], "2741")
    assert refused(game, P, "set_up", placed=crowd) == ("no_room", "11.2")
    answer(game, P, "set_up", placed=form["suggested"])
    assert prompt(game, P) == "set_up_trucks"
    game.chance.rolls[:] = [5]
    answer(game, P, "trucks", lots={})
    assert prompt(game, P) == "line"


@pytest.mark.clause("17.3", "17.4", "17.5")
@pytest.mark.parametrize(("scenario", "draws", "works"), [
    ("alihuata", (16, 14), (2, 2)), ("ballivian", (16, 13), (2, 2)), ("villa_montes", (13, 11), (2, 1))])
def test_pools_are_drawn_until_they_are_used_up(scenario: str, draws: tuple[int, int], works: tuple[int, int]) -> None:
    game = new_game(scenario, [0] * sum(draws))
    pools = game.pos.game.scenario["pools"]
    for side, n in zip((B, P), draws, strict=True):
        assert sorted(u for u, _ in game.pos.drawn[side]) == sorted(pools[side])
        assert len(pools[side]) == n
    assert game.pos.game.scenario["entrenchments"] == dict(zip((B, P), works, strict=True))
    reduced = [g for g in game.pos.game.scenario["groups"] if g.get("reduced")]
    assert len(game.pos.reduced) == len(reduced)


@pytest.mark.clause("17.3", "17.4", "17.5", "14.3")
def test_entrenchments_are_placed_by_their_owner_in_hexes_he_holds() -> None:
    game = new_game("villa_montes", [0] * 24)
    answer(game, B, "set_up", placed=forms(game, B)["set_up"]["suggested"])
    assert prompt(game, B) == "set_up_works"
    hexes = {o["id"] for o in forms(game, B)["set_up_works"]["options"]} - {"no_works"}
    assert hexes <= {h for h, us in game.pos.held(B).items() if us}
    first = sorted(hexes)[0]
    choose(game, B, first)
    choose(game, B, "no_works")
    assert game.pos.works == {first: "entrenchment"}


@pytest.mark.clause("17.6")
def test_the_campaign_begins_like_boqueron_and_lasts_34_turns() -> None:
    campaign, boqueron = (TITLE.game(data(TITLE.id), name) for name in ("campaign", "boqueron"))
    assert campaign.scenario["groups"] == boqueron.scenario["groups"]
    assert campaign.scenario["turns"] == 34
    assert campaign.label_of(34) == "1935-06"


@pytest.mark.clause("17.2", "17.3", "17.4", "17.5", "3.2")
def test_control_at_the_start_follows_the_scenario_and_the_troops() -> None:
    assert position(phase=f"{P}_movement").controller("2836") == B
    assert position(phase=f"{P}_movement").controller("2838") == P
    later = position(scenario="ballivian", phase=f"{P}_movement")
    assert later.controller("1823") == B
    assert later.controller("3034") == P
    assert later.controller("2322") == P
    assert position(scenario="villa_montes", phase=f"{P}_movement").controller("2810") == P


@pytest.mark.clause("4.2", "16.1")
def test_a_whole_game_of_passing_goes_to_its_last_turn() -> None:
    game = play({"phase": "weather", "turn": 6}, [6, *[6] * 30])
    while game.asked:
        pass_on(game)
    assert game.pos.result is not None
    assert game.pos.turn == 6
    game.chance.rolls.clear()
