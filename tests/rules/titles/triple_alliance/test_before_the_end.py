"""What is still open before a phase ends, the odds that a planned move would bring, and the end of all attacks."""

from typing import Any

import pytest

from tests.rules.titles.triple_alliance.builders import (
    A,
    P,
    Play,
    answer,
    at,
    attack,
    ends,
    forms,
    move,
    needs,
    odds,
    play,
    preview,
    resumed,
    told,
)
from tests.rules.titles.triple_alliance.ground import AROUND, TARGET, battle, kind, settle

BR = kind(A, "infantry", 12, nation="brazil")
AR = kind(A, "infantry", 4, nation="argentina")
PY = kind(P, "infantry", 12)
SHIP, TRANSPORT = kind(A, "warship")[0], kind(A, "transport")[0]
ALLIED = {"turn": 3, "phase": "allied_movement", "clear": True}


def left_open(game: Play, seat: str) -> dict[str, Any]:
    """What is still open, by key: its number and its places."""
    return {item["what"]["key"].removeprefix("open.") + item["what"]["args"].get("pool", "").removeprefix("pool"):
            (item["what"]["args"]["n"], item["at"])
            for form in forms(game, seat).values() for item in form.get("open", [])}


def test_stacks_that_have_not_moved_are_named_until_they_have() -> None:
    game = play({**ALLIED, "units": {**at("1436", BR[:2]), **at("1637", BR[2:4]), **at("1840", BR[4])}})
    assert left_open(game, A)["moves"] == (3, ["1436", "1637", "1840"])
    move(game, A, BR[4], "1840", "1841")
    assert left_open(game, A)["moves"] == (2, ["1436", "1637"])
    move(game, A, BR[:1], "1436", "1536")
    assert left_open(game, A)["moves"] == (2, ["1436", "1637"]), "one of the two stayed"


@pytest.mark.clause("10.1", "9.2")
def test_steps_of_replacement_and_units_that_are_due_are_named_while_they_can_come() -> None:
    game = play({**ALLIED, "units": {**at("1436", BR[:2]), **at("dead", *BR[6:8])}})
    before = left_open(game, A)
    assert before["points.brazil"][0] == 4
    due = [u for group in forms(game, A)["enter"]["groups"] for u in group["units"]]
    assert before["units"] == (len(due), sorted({h for g in forms(game, A)["enter"]["groups"] for h in g["where"]}))
    group = next(g for g in forms(game, A)["replace"]["groups"] if g["pool"] == "brazil")
    answer(game, A, "replace", placed={BR[6]: group["where"][0]})
    assert left_open(game, A)["points.brazil"][0] == 4 - group["cost"]
    move(game, A, BR[:1], "1436", "1536")
    assert set(left_open(game, A)) == {"moves"}, "9.2: nobody comes in any more"


@pytest.mark.clause("13.1")
def test_attacks_that_are_possible_are_named() -> None:
    game = battle(A, {AROUND[0]: BR[:3], TARGET: PY[:1]}, dice=[5])
    assert left_open(game, A) == {"attacks": (2, [TARGET, "3041"])}, "and the two that watch far away"
    attack(game, A, "3041", "BR-CAV-4GN")
    settle(game)
    assert left_open(game, A) == {"attacks": (1, [TARGET])}


# -- the end of all attacks ----------------------------------------------------------------------------------


@pytest.mark.clause("13.1")
@pytest.mark.parametrize(("side", "attrition"), [(P, []), (A, [9, 9, 9, 9])])
def test_no_more_attacks_ends_all_phases_of_combat_that_are_left(side: str, attrition: list[int]) -> None:
    here, there = (PY[:3], BR[:3]) if side == P else (BR[:3], PY[:3])
    game = battle(side, {AROUND[0]: here, TARGET: there}, phase=1, dice=attrition, mendoza="crushed")
    options = [o["id"] for o in forms(game, side)["no_attack"]["options"]]
    assert options == ["no_attack", "no_more"]
    assert needs(game, side, "no_attack", option="no_attack") == (0, 0)
    assert needs(game, side, "no_attack", option="no_more") == needs_of_the_last_phase(side)
    answer(game, side, "no_attack", option="no_more")
    assert told(game, "attacks_done")
    assert [step["data"]["phase"] for step in told(game, "combat_began")] == [1]
    assert game.pos.stage in ("allied_movement", "paraguay_movement", "events")
    assert resumed(game).pos.state() == game.pos.state()


def needs_of_the_last_phase(side: str) -> Any:
    here, there = (PY[:3], BR[:3]) if side == P else (BR[:3], PY[:3])
    return needs(battle(side, {AROUND[0]: here, TARGET: there}, phase=3), side, "no_attack", option="no_attack")


@pytest.mark.clause("13.1", "13.27")
def test_it_is_offered_after_an_attack_and_not_in_the_last_phase() -> None:
    game = battle(A, {AROUND[0]: BR[:3], TARGET: PY[:8]}, phase=2, dice=[5])
    attack(game, A, TARGET, *BR[:3])
    settle(game)
    assert [o["id"] for o in forms(game, A)["no_attack"]["options"]] == ["no_attack", "no_more"]
    ends(game, A)
    assert game.pos.stage == "allied_combat_3"
    assert [o["id"] for o in forms(game, A)["no_attack"]["options"]] == ["no_attack"]


# -- the attack a move would allow ---------------------------------------------------------------------------


@pytest.mark.clause("13.7", "13.15", "6.4")
def test_a_move_shows_the_odds_that_it_brings_and_they_are_those_of_the_first_combat_phase() -> None:
    units = {**at("1537", BR[:3]), **at("1640", BR[3:5]), **at(TARGET, PY[:4])}
    game = play({**ALLIED, "units": units})
    (shown,) = preview(game, A, "move", units=BR[3:5], path=["1640", "1539", "1538", "1438"])["effect"]["attacks"]
    assert (shown["target"], shown["from"]) == (TARGET, "1438")
    assert [f["at"] for f in shown["sides"]["attack"]] == ["1438", "1537"]
    assert shown["assumed"], "what is under the top counter is guessed"
    assert game.pos.at[BR[3]] == "1640", "nothing has moved"
    move(game, A, BR[3:5], "1640", "1539", "1538", "1438")
    ends(game, A)
    assert {k: v for k, v in shown.items() if k != "from"} == odds(game, A, TARGET, *BR[:5])


@pytest.mark.clause("13.31", "11.4")
def test_a_move_that_ends_beside_nobody_or_of_who_cannot_attack_shows_none() -> None:
    supply = kind(A, "supply")[0]
    game = play({**ALLIED, "units": {**at("1640", BR[:1], supply), **at(TARGET, PY[:4])}})
    path = ["1640", "1539", "1538", "1438"]
    assert preview(game, A, "move", units=[BR[0]], path=path[:2])["effect"]["attacks"] == []
    assert preview(game, A, "move", units=[supply], path=path)["effect"]["attacks"] == []


# -- going aboard --------------------------------------------------------------------------------------------


@pytest.mark.clause("12.4", "11.6")
def test_a_ship_says_why_it_does_not_take_a_unit_in_the_words_of_the_refusal() -> None:
    gun = kind(A, "field_artillery")[0]
    game = play({**ALLIED, "units": at("1237", SHIP, TRANSPORT, gun, BR[:2])})
    offer = {u["id"]: u for u in forms(game, A)["move"]["stacks"]["1237"]}
    assert offer[TRANSPORT]["bars"] == []
    (why,) = offer[SHIP]["bars"]
    assert why["units"] == [gun]
    problem = preview(game, A, "move", units=[SHIP, gun], path=["1237", "1238"], aboard={gun: SHIP})["problems"][0]
    assert {k: problem[k] for k in ("key", "clause", "args")} == {k: why[k] for k in ("key", "clause", "args")}
