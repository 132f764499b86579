"""15 Leaders and politics."""

from typing import Any

import pytest

from rules.titles.chaco.politics import challengers, replaceable
from tests.rules.titles.chaco.builders import (
    B,
    P,
    Play,
    answer,
    bare,
    choose,
    forms,
    last,
    options,
    play,
    position,
    prompt,
    told,
)

# Peña (2) commands; Bilbao (3), Peñaranda (3) above him, Marzana (1) below.
ARMY = {"BO-LDR-Pena": "2807", "BO-LDR-Bilbao": "2807", "BO-LDR-Marz": "2807", "BO-INF-21": "2807", "BO-GHQ": "2807"}


def politics(dice: list[int], shaken: bool = False, units: dict[str, str] | None = None, **body: Any) -> Play:
    """The Bolivian political phase of the last turn."""
    body = {"points": {P: 20, B: 40}, "commander": {B: "BO-LDR-Pena"}, "turn": 6, **body}
    return play(bare(phase=f"{B}_politics", units=units or ARMY, shaken=[B] if shaken else [], **body), dice)


@pytest.mark.clause("15.1")
def test_one_attempt_a_phase_or_none() -> None:
    game = politics([])
    assert prompt(game, B) == "politics"
    assert options(game, B) == ["no_change", "commander", "BO-LDR-Marz"]
    choose(game, B, "no_change")
    assert game.pos.result is not None


@pytest.mark.clause("15.1", "17.6")
def test_the_political_rules_may_be_off_but_not_in_the_campaign() -> None:
    from rules.titles.chaco import TITLE
    from tests.rules.harness import data
    scenarios = data(TITLE.id).scenarios
    assert "politics" in scenarios["boqueron"].options
    assert "politics" not in scenarios["campaign"].options
    body = bare(phase=f"{P}_politics", units={})
    game = play(body, [6, 6, 6, 6, 6, 6], options={"politics": "off"})
    assert not told(game, "politics_began")
    game.chance.rolls.clear()


@pytest.mark.clause("15.2", "15.5")
def test_challengers_are_named_and_rated_above_the_commander() -> None:
    pos = position(**bare(units={**ARMY, "BO-LDR-A": "2807", "BO-LDR-Kundt": "2807"}, commander={B: "BO-LDR-Pena"}))
    assert challengers(pos, B) == ["BO-LDR-Kundt", "BO-LDR-Bilbao"]
    assert replaceable(pos, B) == ["BO-LDR-Marz", "BO-LDR-A"]


@pytest.mark.clause("15.2", "15.3")
@pytest.mark.parametrize(("die", "how"), [(3, "falls"), (2, "stays"), (1, "equal")])
def test_a_forced_challenge_comes_first_and_excludes_all_else(die: int, how: str) -> None:
    game = politics([die, 1] if how == "falls" else [die], shaken=True)
    assert prompt(game, B) == "spend"
    choose(game, B, "0")
    shown = last(game, "challenged")
    assert shown["total"] == die + 1, "one for the difference"
    assert shown["how"] == f"fate.{how}"
    if how == "falls":
        assert game.pos.commander[B] == "BO-LDR-Bilbao"
        assert game.pos.at["BO-LDR-Pena"] == "replaced:bolivia"
        assert prompt(game, B) == "new_leader"
    if how == "equal":
        assert game.pos.at["BO-LDR-Bilbao"] == "replaced:bolivia"
        assert prompt(game, B) == "pick_leader"
    game.chance.rolls.clear()


@pytest.mark.clause("15.3", "16.2")
def test_points_buy_the_die_up_or_down_fifteen_at_most() -> None:
    game = politics([1, 1], shaken=True)
    assert options(game, B) == [str(n) for n in range(-3, 4)]
    choose(game, B, "-3")
    assert game.pos.vp[B] == 25
    assert last(game, "challenged")["how"] == "fate.crushed"
    poor = politics([1, 1], shaken=True, points={P: 20, B: 6})
    assert options(poor, B) == ["-1", "0", "1"]
    game.chance.rolls.clear()
    poor.chance.rolls.clear()


@pytest.mark.clause("15.3")
def test_further_rivals_add_one_each() -> None:
    game = politics([1, 1], shaken=True, units={**ARMY, "BO-LDR-Kundt": "2807"})
    choose(game, B, "0")
    assert last(game, "challenged")["total"] == 1 + 2 + 1
    assert last(game, "challenged")["how"] == "fate.falls"
    assert game.pos.commander[B] == "BO-LDR-Kundt"


@pytest.mark.clause("15.2")
def test_a_blamed_commander_without_a_rival_is_asked_as_usual() -> None:
    game = politics([], shaken=True, units={"BO-LDR-Pena": "2807", "BO-LDR-Marz": "2807", "BO-GHQ": "2807"})
    assert prompt(game, B) == "politics"
    assert game.pos.shaken == []


@pytest.mark.clause("15.2")
@pytest.mark.parametrize("attacking", [True, False])
def test_a_commander_is_blamed_for_fifty_or_worse_where_he_led_or_stood(attacking: bool) -> None:
    from rules.titles.chaco.outcome import Result, _note_commanders
    from rules.titles.chaco.strength import Battle
    units = {"PY-LDR-Estig": "2727", "PY-INF-ITOR": "2727", "BO-INF-21": "2728", "BO-LDR-Toro": "2728"}
    pos = position(**bare(units=units))
    fight = (Battle(P, ["2728"], ["PY-INF-ITOR"], ["BO-INF-21"]) if attacking
             else Battle(B, ["2727"], ["BO-INF-21"], ["PY-INF-ITOR"]))
    mild, harsh = Result("25R"), Result("50R")
    _note_commanders(pos, fight, mild, mild)
    assert pos.shaken == []
    _note_commanders(pos, fight, *((harsh, mild) if attacking else (mild, harsh)))
    assert pos.shaken == [P]


@pytest.mark.clause("15.4")
def test_backers_add_one_each_and_one_of_them_takes_over() -> None:
    game = politics([3, 1])
    choose(game, B, "commander")
    assert prompt(game, B) == "backers"
    answer(game, B, "backers", lots={"backers": ["BO-LDR-Bilbao"]})
    choose(game, B, "0")
    assert last(game, "commander_attempt")["total"] == 4
    assert game.pos.commander[B] == "BO-LDR-Bilbao"
    game.chance.rolls.clear()


@pytest.mark.clause("15.4", "15.6", "15.1")
def test_without_a_backer_the_drawn_leader_commands_and_is_a_named_one() -> None:
    units = {**ARMY, **dict.fromkeys(["BO-LDR-Kundt", "BO-LDR-Toro", "BO-LDR-Penar"], "replaced")}
    game = politics([4, 0], units=units)
    choose(game, B, "commander")
    answer(game, B, "backers", lots={})
    choose(game, B, "0")
    assert game.pos.commander[B] == "BO-LDR-Banzer", "the one named leader available"


@pytest.mark.clause("15.6")
def test_a_commander_comes_from_the_replaced_when_no_named_leader_is_available() -> None:
    gone = ["BO-LDR-Kundt", "BO-LDR-Toro", "BO-LDR-Penar", "BO-LDR-Banzer"]
    game = politics([4, 0], units={**ARMY, **dict.fromkeys(gone, "replaced")})
    choose(game, B, "commander")
    answer(game, B, "backers", lots={})
    choose(game, B, "0")
    assert game.pos.at[game.pos.commander[B]] == "replaced:bolivia"
    game.title.invariants(game.pos)
    choose(game, B, "2807")
    assert game.pos.at[game.pos.commander[B]] == "2807"
    game.title.invariants(game.pos)


@pytest.mark.clause("15.4", "16.2", "16.4")
@pytest.mark.parametrize(("die", "second", "cost"), [(3, 4, 2 + 4), (1, 5, 2 + 10)])
def test_a_failed_attempt_costs_points(die: int, second: int, cost: int) -> None:
    game = politics([die, second])
    choose(game, B, "commander")
    answer(game, B, "backers", lots={})
    choose(game, B, "0")
    assert game.pos.vp[B] == 40 - cost
    assert game.pos.commander[B] == "BO-LDR-Pena"
    game.chance.rolls.clear()


@pytest.mark.clause("15.5", "15.6")
def test_a_subordinate_is_replaced_by_a_die_above_his_rating() -> None:
    game = politics([2, 3])
    choose(game, B, "BO-LDR-Marz")
    assert options(game, B) == ["0", "1", "2", "3"]
    choose(game, B, "0")
    assert game.pos.at["BO-LDR-Marz"] == "replaced:bolivia"
    assert prompt(game, B) == "new_leader"
    where = [o["id"] for o in forms(game, B)["new_leader"]["options"]]
    assert "2807" in where
    assert "1537" not in where
    choose(game, B, "2807")
    assert len([u for u in game.pos.stack("2807") if "LDR" in u]) == 3


@pytest.mark.clause("15.5")
def test_each_two_points_buy_one_on_the_die_and_a_failure_costs() -> None:
    game = politics([1, 6])
    choose(game, B, "BO-LDR-Marz")
    choose(game, B, "0")
    assert game.pos.vp[B] == 40 - (1 + 6)
    game.chance.rolls.clear()
    richer = politics([1, 1])
    choose(richer, B, "BO-LDR-Marz")
    choose(richer, B, "1")
    assert richer.pos.vp[B] == 38
    assert richer.pos.at["BO-LDR-Marz"] == "replaced:bolivia"


@pytest.mark.clause("15.6")
def test_an_empty_box_takes_the_replaced_back() -> None:
    names = ["BO-LDR-Kundt", "BO-LDR-Toro", "BO-LDR-Penar", "BO-LDR-Banzer", "BO-LDR-A", "BO-LDR-B", "BO-LDR-C"]
    game = politics([6, 1], units={**ARMY, **dict.fromkeys(names, "replaced")})
    choose(game, B, "BO-LDR-Marz")
    choose(game, B, "0")
    assert "waiting:bolivia" in game.pos.here


@pytest.mark.clause("16.4")
def test_points_below_zero_end_the_game_at_once() -> None:
    game = politics([1, 6], points={P: 20, B: 2})
    choose(game, B, "BO-LDR-Marz")
    choose(game, B, "0")
    assert game.pos.result is not None
    assert game.pos.result["winner"] == P
    assert game.pos.result["key"] == "result.sudden_death"


@pytest.mark.clause("15.1", "15.6")
@pytest.mark.parametrize("shaken", [False, True])
def test_the_odds_are_shown_until_the_die_has_fallen_not_while_a_new_leader_comes_in(shaken: bool) -> None:
    game = politics([3, 1] if shaken else [4, 0], shaken=shaken)
    if not shaken:
        assert game.views.contents[B]["table:politics"] is not None
        choose(game, B, "commander")
        answer(game, B, "backers", lots={})
    assert game.views.contents[B]["table:politics"] is not None
    choose(game, B, "0")
    assert prompt(game, B) == "new_leader"
    for eye in game.views.eyes:
        assert game.views.contents[eye].get("table:politics") is None
    game.chance.rolls.clear()
