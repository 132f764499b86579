"""10 Rivers on the battle board: who fires first."""

import pytest

from tests.rules.titles.ultimo_hombre.builders import (
    HIT,
    MISS,
    A,
    P,
    Play,
    answer,
    at,
    attack,
    both_line_up,
    choose,
    end,
    last,
    lead,
    line_up,
    lots,
    march,
    play,
    prompt,
    shots,
    told,
)


def assault(target: str, origins: dict[str, list[str]], defenders: list[str], dice: list[int], **body: object) -> Play:
    there = {unit: space for space, units in origins.items() for unit in units}
    game = play({"phase": "allied_movement", "clear": True, "fortresses": {}, "decks": {A: ["A04", "A17"]},
                 "units": {**there, **at(target, defenders)}, **body}, dice)
    attack(game, A, target, origins)
    return game


def order(game: Play) -> str:
    key: str = last(game, "battle_began")["order"]
    return key.removeprefix("order.")


@pytest.mark.clause("10")
def test_by_brown_lines_the_attacker_fires_first() -> None:
    game = assault("san_fernando", {"san_juan_bautista": ["br_inf_01"]}, ["py_inf_01"], [MISS, MISS])
    assert order(game) == "attacker_first"
    assert shots(game)[0] == ("br_inf_01", "py_inf_01")


@pytest.mark.clause("10")
def test_over_a_blue_line_all_fire_before_any_hit_counts() -> None:
    game = assault("san_fernando", {"villa_franca": ["br_inf_01"]}, ["py_ninos"], [HIT, HIT, 0], reduced=["br_inf_01"])
    assert order(game) == "simultaneous"
    assert shots(game) == [("br_inf_01", "py_ninos"), ("py_ninos", "br_inf_01")]
    assert game.pos.at["py_ninos"] == "dead:paraguayan"
    assert game.pos.at["br_inf_01"] == "dead:allied"  # the dead have fired too
    assert game.pos.controller("san_fernando") == P  # ruling: both gone, control stays


@pytest.mark.clause("10", "14")
def test_both_wiped_out_both_leaders_are_captured() -> None:
    game = assault("san_fernando", {"villa_franca": ["br_inf_01"]}, ["py_ninos"], [HIT, HIT, 0], reduced=["br_inf_01"],
                   leaders={"diaz": "san_fernando"})
    assert game.pos.vp == {A: 5, P: 5}
    assert game.pos.leaders["diaz"] == game.pos.leaders["caxias"] == "out"


@pytest.mark.clause("7", "10")
def test_at_once_all_targets_are_named_before_any_die_and_spare_hits_are_lost() -> None:
    two, boys = ["br_inf_01", "br_inf_02"], ["py_ninos", "py_mujeres", "py_marina"]
    game = assault("san_fernando", {"villa_franca": two}, boys, [])
    line_up(game, P, *boys)
    line_up(game, A, *two)
    assert prompt(game, P) == "target"  # slot 3 faces nobody
    assert shots(game) == []
    game.dice.extend([HIT, MISS, HIT, MISS, MISS])
    choose(game, P, "br_inf_02")
    assert shots(game) == [("br_inf_01", "py_ninos"), ("br_inf_02", "py_mujeres"), ("py_ninos", "br_inf_01"),
                           ("py_mujeres", "br_inf_02"), ("py_marina", "br_inf_02")]
    assert [step["data"]["unit"] for step in told(game) if step["event"] in ("unit_lost", "unit_reduced")] == [
        "py_ninos", "br_inf_01"]


@pytest.mark.clause("7", "10")
def test_at_once_all_targets_of_a_side_are_named_in_one_answer() -> None:
    two, boys = ["br_inf_01", "br_inf_02"], ["py_ninos", "py_mujeres", "py_marina", "py_inf_01"]
    game = assault("san_fernando", {"villa_franca": two}, boys, [])
    line_up(game, P, *boys)
    line_up(game, A, *two)
    assert prompt(game, P) == "targets"  # slots 3 and 4 face nobody
    assert {lot: content["units"] for lot, content in lots(game, P).items()} == {"py_marina": two, "py_inf_01": two}
    game.dice.extend([MISS] * 6)
    answer(game, P, "targets", lots={"py_marina": ["br_inf_02"], "py_inf_01": ["br_inf_01"]})
    assert shots(game)[-2:] == [("py_marina", "br_inf_02"), ("py_inf_01", "br_inf_01")]


@pytest.mark.clause("7", "10")
def test_with_gaps_on_both_sides_both_name_targets_at_once() -> None:
    ours, theirs = ["br_inf_01", "br_inf_02", "br_inf_03"], ["py_ninos", "py_mujeres", "py_inf_01"]
    game = assault("san_fernando", {"villa_franca": ours}, theirs, [], reduced=["br_inf_01"])
    line_up(game, P, *theirs)
    game.dice.extend([MISS, HIT, MISS, HIT, MISS, MISS])  # slot 2 of the one, slot 1 of the other falls
    line_up(game, A, *ours)
    choose(game, A, "stay")
    choose(game, P, "stay")
    assert set(game.asked) == {A, P}
    assert prompt(game, A) == prompt(game, P) == "target"
    before = len(shots(game))
    choose(game, P, "br_inf_03")
    assert len(shots(game)) == before
    game.dice.extend([MISS] * 4)
    choose(game, A, "py_inf_01")
    assert sorted(shots(game)[before:]) == [("br_inf_02", "py_inf_01"), ("br_inf_03", "py_inf_01"),
                                            ("py_inf_01", "br_inf_03"), ("py_ninos", "br_inf_03")]


@pytest.mark.clause("7", "10")
def test_two_hits_on_one_that_is_gone_with_the_first() -> None:
    game = assault("san_fernando", {"villa_franca": ["br_inf_01", "br_inf_02"]}, ["py_ninos"], [HIT, HIT, MISS, 0])
    line_up(game, A, "br_inf_01", "br_inf_02")
    assert shots(game) == [("br_inf_01", "py_ninos"), ("br_inf_02", "py_ninos"), ("py_ninos", "br_inf_01")]
    assert len(told(game, "unit_lost")) == 1
    assert game.pos.controller("san_fernando") == A


@pytest.mark.clause("10")
def test_mixed_entry_is_no_crossing() -> None:
    """Ruling: only if every attacker came over blue lines."""
    game = assault("san_fernando", {"villa_franca": ["br_inf_01"], "pilar": ["br_inf_02"]}, ["py_inf_01"], [])
    assert order(game) == "attacker_first"


@pytest.mark.clause("10")
def test_two_crossings_are_one() -> None:
    game = assault("san_juan_bautista", {"paraguari": ["br_inf_01"], "caazapa": ["br_inf_02"]}, ["py_inf_01"], [])
    assert order(game) == "simultaneous"


@pytest.mark.clause("10")
def test_on_a_main_river_the_defender_fires_first_each_round() -> None:
    game = assault("pilar", {"san_fernando": ["br_inf_01"]}, ["py_inf_01"], [HIT, MISS])
    assert order(game) == "defender_first"
    assert shots(game) == [("py_inf_01", "br_inf_01"), ("br_inf_01", "py_inf_01")]
    assert told(game, "shot")[1]["data"]["factor"] == 2  # his hit counted before the answer
    game.dice.extend([MISS])
    choose(game, P, "stay")
    assert shots(game)[2] == ("py_inf_01", "br_inf_01")
    game.dice.extend([MISS])
    choose(game, A, "stay")


@pytest.mark.clause("10")
def test_the_main_river_goes_before_the_crossing() -> None:
    game = assault("pilar", {"andai": ["br_inf_01"]}, ["py_inf_01"], [MISS, MISS])
    assert game.pos.game.links["andai"]["pilar"] == "blue"
    assert order(game) == "defender_first"


@pytest.mark.clause("10")
def test_a_main_river_line_is_no_crossing() -> None:
    """Ruling: the space counts, not the line. All main-river lines join main-river spaces."""
    game = assault("pilar", {"villa_franca": ["br_inf_01"]}, ["py_inf_01"], [MISS, MISS])
    assert order(game) == "defender_first"
    assert all(game.pos.space(s).main_river for s, near in game.pos.game.links.items() if "main_river" in near.values())


@pytest.mark.clause("10", "14")
def test_vanished_attackers_no_longer_count_for_the_crossing() -> None:
    """An Argentine came by the brown line; with Argentina out only the crossing is left."""
    game = play({"phase": "allied_movement", "clear": True, "fortresses": {}, "reduced": ["ar_inf_01"],
                 "decks": {A: ["A04", "A17"]}, "units": {
                     "ar_inf_01": "itapiru", "py_inf_01": "tuyuti", "ar_inf_02": "pilar", "br_inf_01": "villa_franca",
                     "py_inf_02": "san_fernando", "py_inf_03": "san_fernando"}}, [MISS, HIT])
    lead(game, A, mitre="tuyuti", caxias="san_fernando")
    march(game, A, "ar_inf_01", "itapiru", "tuyuti")
    march(game, A, "ar_inf_02", "pilar", "san_fernando")
    march(game, A, "br_inf_01", "villa_franca", "san_fernando")
    end(game, A)
    choose(game, A, "tuyuti")
    assert order(game) == "simultaneous"
    game.dice.extend([MISS, MISS, MISS])
    both_line_up(game)
