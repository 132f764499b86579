"""7.14 The special attrition of National Guard units that move."""

from typing import Any

import pytest

from tests.rules.titles.triple_alliance.builders import (
    A,
    P,
    Play,
    answer,
    at,
    attack,
    bear_losses,
    choose,
    decline_until,
    ends,
    forms,
    last,
    move,
    play,
    reach,
    refused,
    told,
    view,
)

ALLIED: dict[str, Any] = {"turn": 3, "phase": "allied_movement", "clear": True, "mendoza": "crushed"}
GUARD, OTHER = "AR-CAV-1GN", "AR-CAV-2GN"


def marched(dice: list[int], company: tuple[str, ...] = (), **body: Any) -> Play:
    """A Guard moves with its company, and its operation is closed."""
    game = play({**ALLIED, "units": at("1339", GUARD, *company), **body}, dice)
    move(game, A, [GUARD, *company], "1339", "1338")
    choose(game, A, "end_move")
    return game


@pytest.mark.clause("7.14")
@pytest.mark.parametrize("die", range(10))
def test_alone_a_guard_is_lost_on_0_to_3(die: int) -> None:
    game = marched([die])
    assert game.pos.at[GUARD] == ("dead:allied" if die in (0, 1, 2, 3) else "1338")


@pytest.mark.clause("7.14")
@pytest.mark.parametrize("die", range(10))
def test_in_company_it_is_lost_on_0_to_2(die: int) -> None:
    game = marched([die], ("AR-CAV-1",))
    assert game.pos.at[GUARD] == ("dead:allied" if die in (0, 1, 2) else "1338")
    assert game.pos.at["AR-CAV-1"] == "1338"


@pytest.mark.clause("7.14")
def test_a_supply_unit_or_another_nation_is_company_but_other_guards_are_not() -> None:
    assert marched([3], ("BR-SUP-Sup-1",)).pos.at[GUARD] == "1338"
    assert marched([3], ("BR-INF-1F",)).pos.at[GUARD] == "1338"
    guards = marched([3, 3], ("BR-CAV-1GN",))  # Guards of two nations: a force of Guards only
    assert (guards.pos.at[GUARD], guards.pos.at["BR-CAV-1GN"]) == ("dead:allied", "dead:allied")


@pytest.mark.clause("7.14")
def test_one_die_for_each_guard_never_one_for_the_stack() -> None:
    game = marched([0, 4, 3], (OTHER, "AR-CAV-3GN"))
    assert last(game, "guard_attrition")["rolls"] == [[0, True], [4, False], [3, True]]
    assert (game.pos.at[GUARD], game.pos.at[OTHER], game.pos.at["AR-CAV-3GN"]) == ("dead:allied", "1338", "dead:allied")


@pytest.mark.clause("7.14")
def test_who_does_not_move_rolls_no_die() -> None:
    game = play({**ALLIED, "units": {**at("1339", GUARD, OTHER), "AR-CAV-1": "1541"}}, [9])
    move(game, A, "AR-CAV-1", "1541", "1540")
    assert "end_move" not in forms(game, A)
    move(game, A, GUARD, "1339", "1338")  # the other stays
    choose(game, A, "end_move")
    assert len(last(game, "guard_attrition")["rolls"]) == 1


@pytest.mark.clause("7.14")
def test_ships_are_company() -> None:
    """A Guard battalion carried by a transport; the ship named Guardia Nacional rolls nothing itself."""
    game = play({**ALLIED, "units": at("1241", "AR-INF-GN-1", "AR-TRA-T-1", "AR-SHP-GN")}, [3])
    move(game, A, ["AR-INF-GN-1", "AR-TRA-T-1"], "1241", "1240", aboard={"AR-INF-GN-1": "AR-TRA-T-1"})
    choose(game, A, "end_move")
    assert game.pos.at["AR-INF-GN-1"] == "1240"
    move(game, A, "AR-SHP-GN", "1241", "1240")
    assert "end_move" not in forms(game, A)
    assert len(told(game, "guard_attrition")) == 1


@pytest.mark.clause("7.14")
@pytest.mark.parametrize("first", [[GUARD], [GUARD, "AR-INF-1"]])
def test_in_company_only_if_it_always_was(first: list[str]) -> None:
    """A ruling: one answer in which only Guards moved, the first or the last, makes it a move alone."""
    game = play({**ALLIED, "units": {GUARD: "1339", "AR-INF-1": "1339" if len(first) > 1 else "1338"}}, [3])
    move(game, A, first, "1339", "1338")
    move(game, A, [GUARD] if len(first) > 1 else [GUARD, "AR-INF-1"], "1338", "1337")
    choose(game, A, "end_move")
    assert game.pos.at[GUARD] == "dead:allied"


@pytest.mark.clause("7.14")
def test_a_move_in_several_answers_is_one_move_and_one_die() -> None:
    game = play({**ALLIED, "units": at("1339", GUARD, "AR-INF-1")}, [3])
    move(game, A, [GUARD, "AR-INF-1"], "1339", "1338")
    move(game, A, [GUARD, "AR-INF-1"], "1338", "1337")
    choose(game, A, "end_move")
    assert game.pos.at[GUARD] == "1337"
    assert has_moved(game, GUARD)


def has_moved(game: Play, unit: str) -> bool:
    """Whether a unit is offered no further move."""
    stacks = forms(game, A).get("move", {"stacks": {}})["stacks"]
    return all(unit != u["id"] for stack in stacks.values() for u in stack)


@pytest.mark.clause("7.14", "12.5")
def test_while_dice_are_due_a_ship_fetches_the_operations_own_units_and_no_others() -> None:
    ship, foot = "BR-TRA-T-1", "AR-INF-1"
    game = play({**ALLIED, "units": {GUARD: "1339", ship: "1237", foot: "1237"}}, [9])
    move(game, A, GUARD, "1339", "1338")
    [offered] = forms(game, A)["move"]["stacks"]["1237"]
    assert (offered["id"], offered["takes"]) == (ship, [])
    assert refused(game, A, "move", units=[ship, foot], path=["1237", "1238"],
                   aboard={foot: ship}) == ("guard_dice_first", "7.14")
    move(game, A, ship, "1237", "1238")
    choose(game, A, "end_move")
    move(game, A, ship, "1238", "1237")
    move(game, A, [ship, foot], "1237", "1238", aboard={foot: ship})


@pytest.mark.clause("7.14")
def test_dice_come_before_the_next_move_and_before_the_end() -> None:
    game = play({**ALLIED, "units": {GUARD: "1339", "AR-INF-1": "1541"}}, [9])
    move(game, A, GUARD, "1339", "1338")
    assert "end" not in forms(game, A)
    assert refused(game, A, "move", units=["AR-INF-1"], path=["1541", "1540"]) == ("guard_dice_first", "7.14")
    choose(game, A, "end_move")
    move(game, A, "AR-INF-1", "1541", "1540")
    assert "end" in forms(game, A)


@pytest.mark.clause("7.14", "11.6")
def test_after_its_dice_a_guard_has_moved() -> None:
    game = marched([9], ("AR-INF-1",))
    assert has_moved(game, GUARD)
    assert has_moved(game, "AR-INF-1")


@pytest.mark.clause("7.14", "5.3")
def test_guards_on_the_map_roll_from_turn_one_on() -> None:
    game = marched([2], turn=1, mendoza="quiet")
    assert game.pos.at[GUARD] == "dead:allied"


@pytest.mark.clause("7.14", "9.1")
def test_reinforcements_have_a_turn_of_grace() -> None:
    game = play({**ALLIED, "turn": 4, "matto_grosso": "not_launched",
                 "units": {"AR-INF-GN-1": "turn:2", "AR-CAV-1": "1943"}}, [9, 9, 0])
    answer(game, A, "enter", placed={"AR-INF-GN-1": "1943"})
    move(game, A, "AR-INF-GN-1", "1943", "1843")
    assert "end_move" not in forms(game, A)
    ends(game, A)
    assert (game.pos.turn, game.pos.at["AR-INF-GN-1"]) == (5, "1843")
    decline_until(game, "allied_movement")
    move(game, A, "AR-INF-GN-1", "1843", "1742")
    choose(game, A, "end_move")
    assert game.pos.at["AR-INF-GN-1"] == "dead:allied"  # the grace is over


@pytest.mark.clause("7.14")
def test_grace_is_each_units_own() -> None:
    """An older Guard that marches with a newcomer rolls, and both are Guards only."""
    game = play({**ALLIED, "units": {"AR-INF-GN-1": "turn:2", GUARD: "1943"}}, [3])
    answer(game, A, "enter", placed={"AR-INF-GN-1": "1943"})
    move(game, A, ["AR-INF-GN-1", GUARD], "1943", "1843")
    choose(game, A, "end_move")
    assert (game.pos.at[GUARD], game.pos.at["AR-INF-GN-1"]) == ("dead:allied", "1843")
    assert len(last(game, "guard_attrition")["rolls"]) == 1


@pytest.mark.clause("7.14", "8.2")
def test_guards_of_the_expedition_have_it_too() -> None:
    game = play({**ALLIED, "turn": 5, "matto_grosso": "unopposed",
                 "units": at("away:matto_grosso", "BR-INF-GN-1", "BR-INF-MG", "BR-SUP-Sup-1")})
    answer(game, A, "enter", placed=dict.fromkeys(["BR-INF-GN-1", "BR-INF-MG", "BR-SUP-Sup-1"], "2819"))
    move(game, A, "BR-INF-GN-1", "2819", "2719")
    assert "end_move" not in forms(game, A)


@pytest.mark.clause("7.14", "13.30")
def test_an_advance_after_combat_is_no_move() -> None:
    game = play({"turn": 3, "phase": "allied_combat_1", "clear": True,
                 "units": {**at("1337", GUARD, OTHER, "AR-INF-1", "AR-INF-2"), "PY-CAV-1": "1336",
                           "PY-CAV-2": "2534", "BR-CAV-1": "2535"}}, [9])
    attack(game, A, "1336", GUARD, OTHER, "AR-INF-1", "AR-INF-2")
    bear_losses(game)
    answer(game, A, "advance", lots={"advance": [OTHER]})
    assert game.pos.at[OTHER] == "1336"
    assert told(game, "guard_attrition") == []


@pytest.mark.clause("7.14", "7.1")
def test_it_comes_on_top_of_ordinary_attrition() -> None:
    game = play({**ALLIED, "units": {GUARD: "1339"}}, [9, 9])
    move(game, A, GUARD, "1339", "1338")
    choose(game, A, "end_move")
    ends(game, A)
    assert [s["data"]["at"] for s in told(game, "attrition_rolled")] == ["1338"]


@pytest.mark.clause("7.14", "6.4")
def test_the_enemy_learns_how_many_guards_moved_but_not_which() -> None:
    game = marched([9, 9], (OTHER, "AR-INF-1"))
    theirs = told(game, "guard_attrition", P)[0]["data"]
    assert theirs["rolls"] == [[9, False], [9, False]]
    assert (theirs["lost"], "units" in theirs) == ([], False)
    assert last(game, "guard_attrition", A)["units"] == [GUARD, OTHER]
    assert "units" not in view(game, P)["space:1338"]


@pytest.mark.clause("7.14", "10.2")
def test_a_lost_guard_never_comes_back() -> None:
    game = marched([0])
    ends(game, A)
    decline_until(game, "allied_movement")
    assert all(GUARD not in g["units"] for g in forms(game, A)["replace"]["groups"])


@pytest.mark.clause("7.14")
def test_reach_says_the_same_before_the_dice() -> None:
    game = play({**ALLIED, "units": {GUARD: "1339", "AR-INF-1": "1541"}}, [9])
    move(game, A, GUARD, "1339", "1338")
    assert reach(game, A, GUARD)["left"] == 8  # its own move goes on
    choose(game, A, "end_move")
    assert reach(game, A, "AR-INF-1")["left"] == 6
