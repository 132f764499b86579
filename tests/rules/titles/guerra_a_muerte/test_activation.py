"""3.1, 3.2, 3.3, 10.7 The order of operations, operation points and Hidalgo's Mexico."""

import pytest

from rules.titles.guerra_a_muerte.operations import points_for
from tests.rules.titles.guerra_a_muerte.builders import (
    P,
    R,
    activate,
    answer,
    choose,
    done,
    forms,
    last,
    lots,
    march,
    operating,
    play,
    position,
    prompt,
    refused,
    told,
    view,
)  # fmt: skip


@pytest.mark.clause("3.3")
@pytest.mark.parametrize(("die", "op"), [(1, 4), (2, 4), (3, 6), (4, 6), (5, 8), (6, 8)])
def test_the_die_gives_points(die: int, op: int) -> None:
    game = operating(R, {"ame_mx": "durango"}, [die])
    activate(game, R, "ame_mx")
    assert last(game, "activated")["points"] == op


@pytest.mark.clause("3.3", "6.6")
def test_points_militia_and_leaders() -> None:
    """Morillo's force in the example of 6.6 rolls 4 for 6 points and has 7."""
    pos = position()
    assert points_for(pos, ["spa_le", "morillo"], 4, 0) == 7
    assert points_for(pos, ["spa_le"], 4, 1) == 8
    assert points_for(pos, ["spa_le"], 6, 4) == 8
    assert points_for(pos, ["spa_le", "mil_royalist_inf-1"], 3, 0) == 3
    assert points_for(pos, ["spa_le", "mil_royalist_inf-1"], 4, 0) == 4
    assert points_for(pos, ["spa_le", "mil_royalist_inf-1", "morillo"], 3, 0) == 7
    assert points_for(pos, ["spa_le", "spa_vi", "mil_royalist_inf-1"], 3, 0) == 6


@pytest.mark.clause("3.3", "4.4")
def test_points_are_bought_before_the_die_out_of_the_right_purse() -> None:
    game = operating(P, {"chi_1": "chile_norte"}, [1], purses={"chile": 1, "plata": 2})
    activate(game, P, "chi_1")
    assert prompt(game, P) == "boost"
    choose(game, P, "2")
    assert last(game, "activated")["points"] == 8
    assert (game.pos.purses["chile"], game.pos.purses["plata"]) == (0, 2)


@pytest.mark.clause("3.2", "5.1.2")
def test_patriots_operate_by_nations_in_order() -> None:
    units = {"pla_1": "salta", "gra_cr": "santa_fe", "per_lp": "santa_fe", "mex_tp": "durango"}
    game = operating(P, units, [3, 3])
    assert set(lots(game, P, "activate")) == {"salta"}
    done(game, P)
    assert lots(game, P, "activate")["santa_fe"]["units"] == ["gra_cr", "per_lp"]
    activate(game, P, "gra_cr", "per_lp")
    done(game, P)
    assert set(lots(game, P, "activate")) == {"durango"} if "activate" in forms(game, P) else True
    activate(game, P, "mex_tp")
    assert [step["data"]["at"] for step in told(game, "activated")] == ["santa_fe", "durango"]


@pytest.mark.clause("3.3")
def test_a_force_operates_once_and_one_after_the_other() -> None:
    game = operating(R, {"ame_mx": "durango", "ame_pb": "durango"}, [1, 1])
    activate(game, R, "ame_mx")
    assert prompt(game, R) == "operate"
    done(game, R)
    assert lots(game, R, "activate") == {"durango": {**lots(game, R, "activate")["durango"], "units": ["ame_pb"]}}
    activate(game, R, "ame_pb")
    assert game.pos.operated == ["ame_mx", "ame_pb"]


@pytest.mark.clause("3.3")
def test_friction_after_seven_points() -> None:
    game = operating(R, {"ame_mx": "nueva_california", "pezuela": "nueva_california", "mex_tp": "tejas"}, [5])
    activate(game, R, "ame_mx", "pezuela")
    march(game, R, "nueva_california", "nuevo_mexico", "nueva_california", "nuevo_mexico", "nueva_california",
          "nuevo_mexico", "durango", "tejas")
    assert game.pos.force["spent"] == 7
    odds = game.pending[R].preview({"form": "attack", "target": "tejas", "units": ["ame_mx"]})["effect"]
    assert [m["value"] for m in odds["modifiers"] if m["label"]["key"] == "mod.friction"] == [-1]


@pytest.mark.clause("10.7")
def test_hidalgo_ties_the_crown_down_in_mexico() -> None:
    game = play({"phase": "royalist_operations", "units": {
        "hidalgo": "guadalajara", "ame_mx": "durango", "ame_pb": "durango", "ame_rl-1": "lima"},
        "purses": {R: 0}}, [1, 3, 3])
    assert game.pos.mexico == 1
    assert refused(game, R, "activate", lots={"durango": ["ame_mx", "ame_pb"]}) == ("mexico_limit", "10.7")
    activate(game, R, "ame_mx")
    done(game, R)
    assert set(lots(game, R, "activate")) == {"lima"}
    activate(game, R, "ame_rl-1")


@pytest.mark.clause("10.7")
@pytest.mark.clause("5.1.3")
@pytest.mark.parametrize("closed", [True, False])
def test_how_many_operate_in_mexico_out_of_a_closed_box_the_patriot_does_not_learn(closed: bool) -> None:
    game = play({"phase": "royalist_operations", "units": {
        "hidalgo": "guadalajara", "ame_mx": "durango", "ame_pb": "durango", "mil_mexico_inf-1": "tejas"},
        "purses": {R: 0}, "armies": {R: {"1": "durango"}} if closed else {}}, [2, 3])
    activate(game, R, "ame_mx", "ame_pb")
    assert game.pos.mexico == 0
    rows = {seat: view(game, seat)["table:war"]["rows"][-1] for seat in (R, P)}
    assert rows[R]["label"]["key"] == "war.mexico"
    assert rows[R]["value"] == 0
    assert (rows[P]["label"]["key"], rows[P]["value"]) == (("war.mexico_most", 2) if closed else ("war.mexico", 0))
    done(game, R)  # that nobody is left is known only of what lies open
    assert (R in game.pending) is closed
    if closed:
        assert set(forms(game, R)) == {"end_operations"}


@pytest.mark.clause("5.1.3")
@pytest.mark.parametrize("closed", [True, False])
def test_whether_all_in_closed_boxes_have_operated_no_silence_tells(closed: bool) -> None:
    units = {"pla_1": "salta", "pla_2": "salta", "pla_3": "lima", "ame_mx": "durango"}
    game = operating(P, units, [1, 1], armies={P: {"1": "salta", "2": "lima"}} if closed else {})
    for force in (["pla_1", "pla_2"], ["pla_3"]):
        activate(game, P, *force)
        done(game, P)
    if closed:
        assert set(forms(game, P)) == {"end_operations"}
        done(game, P)  # nobody else's men can lie in a box
    assert P not in game.pending


@pytest.mark.clause("10.7")
def test_without_hidalgo_there_is_no_limit() -> None:
    game = operating(R, {"ame_mx": "durango"})
    assert game.pos.mexico is None


@pytest.mark.clause("3.1")
def test_the_phases_come_in_order() -> None:
    game = play({"phase": "events", "only": False, "units": {"hidalgo": "out", "ame_rl-1": "lima", "pla_1": "salta"},
                 "purses": {R: 0, "plata": 0}}, [3])
    stages = [step["event"] for step in told(game) if step["event"].endswith("_began")]
    assert stages == ["turn_began", "uprisings_began"]
    choose(game, P, "none")
    choose(game, R, "none")
    assert [step["event"] for step in told(game) if step["event"].endswith("_began")][2:] == [
        "reorganisation_began", "building_began"]
    for seat in (P, R):
        assert prompt(game, seat) == "build"
        done(game, seat)
    assert prompt(game, P) == "operations"
    done(game, P)
    assert prompt(game, R) == "operations"
    done(game, R)
    assert game.pos.turn == 2


@pytest.mark.clause("3.3", "5.1")
def test_a_force_is_of_one_place() -> None:
    game = operating(R, {"ame_mx": "durango", "ame_rl-1": "lima"}, [3])
    assert refused(game, R, "activate", lots={"durango": ["ame_mx"], "lima": ["ame_rl-1"]}) == ("one_place", "3.3")
    answer(game, R, "activate", lots={"lima": ["ame_rl-1"]})
