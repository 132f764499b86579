"""9 Reinforcements and 10 replacements."""

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
    groups,
    last,
    move,
    play,
    preview,
    refused,
    rows,
    told,
    units,
    view,
)

FOOT = units("PY-INF-")
ALLIED: dict[str, Any] = {"turn": 3, "phase": "allied_movement", "clear": True, "mendoza": "crushed"}
PARAGUAY: dict[str, Any] = {"turn": 3, "phase": "paraguay_movement", "clear": True, "mendoza": "crushed"}


def due(game: Play) -> set[str]:
    """Who may enter now."""
    return {unit for group in groups(game, A, "enter").values() for unit in group["units"]}


def buyable(game: Play, seat: str) -> set[str]:
    """Who may be bought back now."""
    if "replace" not in forms(game, seat):
        return set()
    return {unit for group in groups(game, seat, "replace").values() for unit in group["units"]}


def places(game: Play, seat: str) -> set[str]:
    """Where replacements may enter now."""
    if "replace" not in forms(game, seat):
        return set()
    return {h for group in groups(game, seat, "replace").values() for h in group["where"]}


# -- 9 reinforcements ----------------------------------------------------------------------------------------


@pytest.mark.clause("9.1")
@pytest.mark.parametrize("turn", range(1, 10))
def test_from_the_turn_they_show_and_never_before(turn: int) -> None:
    game = play({**ALLIED, "turn": turn, "mendoza": "quiet"})
    entry = {u: game.pos.unit(u).entry_turn for u in units("")}
    expected = {u for u, first in entry.items() if first is not None and first <= turn}
    assert (due(game) if "enter" in forms(game, A) else set()) == expected


@pytest.mark.clause("9.1")
def test_paraguay_has_none() -> None:
    assert "enter" not in forms(play({**PARAGUAY, "turn": 9}), P)


@pytest.mark.clause("9.1", "9.2")
def test_they_enter_with_all_their_points_and_may_fight_at_once() -> None:
    game = play({**ALLIED, "units": {**at("turn:3", "AR-CAV-3", "AR-INF-7"), **at("2044", FOOT[:3])}}, [0])
    answer(game, A, "enter", placed={"AR-CAV-3": "1943", "AR-INF-7": "1943"})
    stack = forms(game, A)["move"]["stacks"]["1943"]
    assert {u["id"]: u["left"] for u in stack} == {"AR-CAV-3": 9, "AR-INF-7": 6}
    assert preview(game, A, "move", units=["AR-CAV-3"], path=["1943", "1843", "1742"])["effect"]["left"] == {
        "AR-CAV-3": 7}
    move(game, A, "AR-CAV-3", "1943", "2043")
    ends(game, A)
    assert "AR-INF-7" in forms(game, A)["attack"]["targets"]["2044"]["from"]["1943"]
    attack(game, A, "2044", "AR-INF-7")
    bear_losses(game)


@pytest.mark.clause("9.1", "5.3")
def test_there_are_none_in_turn_one() -> None:
    assert "enter" not in forms(play({**ALLIED, "turn": 1, "mendoza": "quiet", "units": {"AR-INF-1": "1337"}}), A)


@pytest.mark.clause("9.2")
def test_each_goes_by_any_of_the_three_supply_hexes() -> None:
    game = play({**ALLIED, "units": at("turn:2", "AR-INF-2", "AR-INF-3", "BR-INF-5F")})
    assert set(groups(game, A, "enter")["reinforcements"]["where"]) == {"1042", "1943", "3244"}
    answer(game, A, "enter", placed={"AR-INF-2": "1042", "AR-INF-3": "3244", "BR-INF-5F": "3244"})
    assert {game.pos.unit(u).nation for u in game.pos.stack("3244")} == {"argentina", "brazil"}
    assert refused(game, A, "enter", placed={"BR-INF-6F": "1541"}) == ("not_entry", "9.2")


@pytest.mark.clause("9.2")
def test_ships_enter_at_1042_only() -> None:
    game = play({**ALLIED, "units": {"BR-SHP-N": "turn:2"}})
    assert groups(game, A, "enter")["ships"]["where"] == ["1042"]
    for elsewhere in ("1943", "1141"):
        assert refused(game, A, "enter", placed={"BR-SHP-N": elsewhere}) == ("not_entry", "9.2")
    answer(game, A, "enter", placed={"BR-SHP-N": "1042"})


@pytest.mark.clause("9.2")
def test_uruguayans_enter_at_2044_only() -> None:
    game = play({**ALLIED, "turn": 2})
    assert groups(game, A, "enter")["uruguayans"] | {"label": 0} == {
        "id": "uruguayans", "label": 0, "units": [*units("UY-INF-"), "UY-CAV-CS"], "where": ["2044"], "must": False,
        "clause": "9.2"}
    assert refused(game, A, "enter", placed={"UY-INF-FL": "1943"}) == ("not_entry", "9.2")
    assert refused(game, A, "enter", placed={"AR-INF-2": "2044"}) == ("not_entry", "9.2")
    answer(game, A, "enter", placed=dict.fromkeys(units("UY-"), "2044"))


@pytest.mark.clause("9.2")
def test_a_hex_with_paraguayans_on_it_is_shut_and_opens_again() -> None:
    game = play({**ALLIED, "turn": 2, "units": {FOOT[0]: "1042", FOOT[1]: "2044"}})
    assert set(groups(game, A, "enter")["reinforcements"]["where"]) == {"1943", "3244"}
    assert groups(game, A, "enter")["ships"]["where"] == []
    assert groups(game, A, "enter")["uruguayans"]["where"] == []
    assert refused(game, A, "enter", placed={"UY-INF-FL": "2044"}) == ("entry_held", "9.2")
    again = play({**ALLIED, "turn": 2, "control": {"1042": P, "2044": P}, "units": {FOOT[0]: "1041"}})
    assert set(groups(again, A, "enter")) == {"reinforcements", "ships", "uruguayans"}


@pytest.mark.clause("9.2")
def test_any_unit_may_be_held_back_turn_by_turn() -> None:
    game = play({**ALLIED, "turn": 2, "units": {"AR-CAV-1GN": "1337"}}, [9, 9])
    answer(game, A, "enter", placed={"AR-INF-2": "1943"})
    assert "AR-INF-3" in due(game)  # some now, others in another answer of the same phase
    ends(game, A)
    decline_until(game, "allied_movement")
    assert game.pos.turn == 3
    assert {"AR-INF-3", "AR-INF-7", "UY-INF-FL"} <= due(game)
    assert "AR-INF-3" in {u["id"] for u in view(game, P)["pool:turn:2"]["units"]}


@pytest.mark.clause("9.2", "5.2")
def test_they_enter_as_the_phase_begins_not_once_something_has_moved() -> None:
    game = play({**ALLIED, "units": {"AR-CAV-1": "1337"}})
    answer(game, A, "boxes", boxes={**forms(game, A)["boxes"]["boxes"], "1": "1337"})
    assert {"enter", "replace"} <= set(forms(game, A))
    assert forms(game, A)["move"]["warn"] == {"key": "warn.arrivals", "args": {}}
    move(game, A, "AR-CAV-1", "1337", "1338")
    assert not {"enter", "replace"} & set(forms(game, A))
    assert "warn" not in forms(game, A)["move"]


@pytest.mark.clause("9.2", "6.4")
def test_the_enemy_is_told_where_and_how_many() -> None:
    game = play({**ALLIED, "turn": 2})
    answer(game, A, "enter", placed={"AR-INF-2": "1943", "AR-INF-3": "1943", "AR-INF-4": "1042"})
    theirs = last(game, "entered", P)
    assert (theirs["count"], theirs["counts"]) == (3, [["1042", 1], ["1943", 2]])
    assert "units" not in theirs


@pytest.mark.clause("9.2", "3.5")
def test_who_enters_where_a_box_stands_goes_into_it() -> None:
    game = play({**ALLIED, "turn": 2, "units": {"AR-CAV-1": "1943"}, "boxes": {A: {"6": "1943"}}})
    answer(game, A, "enter", placed={"AR-INF-2": "1943", "BR-INF-5F": "1943"})
    assert view(game, P)["space:1943"] == {"side": A, "control": A, "count": 3, "box": 6}
    assert view(game, P)["slots:boxes_allied"]["slots"][5]["count"] == 3


@pytest.mark.clause("9.2", "1.3")
def test_ships_and_troops_of_all_nations_share_an_entry_hex_up_to_26() -> None:
    ships = ["BR-SHP-I", "BR-SHP-Ig", "BR-SHP-N"]
    infantry = [u for u in units("BR-INF-") if u not in units("BR-INF-GN")][:20]
    game = play({**ALLIED, "turn": 5, "units": at("turn:5", infantry, units("AR-INF-", 4), ships)})
    crowd = [*infantry, *units("AR-INF-", 4), *ships]
    assert refused(game, A, "enter", placed=dict.fromkeys(crowd, "1042")) == ("no_room", "6.2")
    answer(game, A, "enter", placed=dict.fromkeys(crowd[1:], "1042"))
    assert len(game.pos.stack("1042")) == 26


# -- 10.1-10.3 steps -----------------------------------------------------------------------------------------


@pytest.mark.clause("10.1", "10.3")
def test_the_rates_from_turn_two_on() -> None:
    for turn in range(2, 10):
        game = play({**PARAGUAY, "turn": turn, "mendoza": "quiet"})
        assert rows(game, "public", "replacements") == {"argentina": 2, "brazil": 4, "paraguay": 2}
    assert rows(play({**PARAGUAY, "turn": 1, "mendoza": "quiet"}), P, "replacements") == {}


@pytest.mark.clause("10.3")
@pytest.mark.parametrize(("taken", "rate"), [
    ([], 2), (["1826"], 1), (["2026"], 1), (["1826", "2026"], 0), (["1432"], 2)])
def test_the_paraguayan_rate_falls_with_its_towns(taken: list[str], rate: int) -> None:
    """It stays down when they are retaken (a ruling): here both are Paraguayan again."""
    game = play({**PARAGUAY, "taken": taken, "units": {FOOT[0]: "2128"}})
    assert rows(game, A, "replacements")["paraguay"] == rate
    assert bool(buyable(game, P)) == (rate > 0)


@pytest.mark.clause("10.3")
def test_it_falls_the_moment_the_town_is_entered() -> None:
    game = play({**ALLIED, "units": {"AR-CAV-1": "1827"}})
    move(game, A, "AR-CAV-1", "1827", "1826")
    assert game.pos.taken == ["1826"]
    assert rows(game, A, "replacements")["argentina"] == 2
    stopped = play({**PARAGUAY, "taken": game.pos.taken, "units": {FOOT[0]: "2128"}})
    assert refused(stopped, P, "replace", placed=dict.fromkeys(FOOT[1:3], "2026")) == ("too_dear", "10.1")


@pytest.mark.clause("10.2")
def test_steps_serve_their_own_nation() -> None:
    game = play(ALLIED)
    by_pool = {g["pool"]: set(g["units"]) for g in groups(game, A, "replace").values()}
    assert set(by_pool) == {"argentina", "brazil"}
    for group in groups(game, A, "replace").values():
        assert {game.pos.unit(u).nation for u in group["units"]} == {group["pool"]}
    argentines = ["AR-INF-1", "AR-INF-LM"]
    answer(game, A, "replace", placed=dict.fromkeys(argentines, "1943"))  # 2 of 2
    assert rows(game, A, "replacements")["argentina"] == 0
    assert not [u for u in buyable(game, A) if u.startswith("AR-")]
    assert [u for u in buyable(game, A) if u.startswith("BR-")]


@pytest.mark.clause("10.2")
def test_no_more_than_the_steps_of_the_turn() -> None:
    game = play({**PARAGUAY, "units": {FOOT[0]: "2128"}})
    assert refused(game, P, "replace", placed=dict.fromkeys(FOOT[1:4], "1826")) == ("too_dear", "10.1")
    answer(game, P, "replace", placed={FOOT[1]: "1826"})
    assert rows(game, P, "replacements")["paraguay"] == 1
    assert "PY-ART-1" not in buyable(game, P)  # costs 2
    answer(game, P, "replace", placed={FOOT[2]: "1826"})
    assert "replace" not in forms(game, P)


@pytest.mark.clause("10.2")
def test_unused_steps_are_lost() -> None:
    game = play({**PARAGUAY, "units": {FOOT[0]: "1826"}}, [9])
    ends(game, P)
    ends(game, A)
    assert game.pos.turn == 4
    assert rows(game, P, "replacements")["paraguay"] == 2
    assert refused(game, P, "replace", placed=dict.fromkeys(FOOT[1:4], "1826")) == ("too_dear", "10.1")


@pytest.mark.clause("10.2")
def test_what_never_returns() -> None:
    """Fortresses, Guards, ships of any nation, and every Uruguayan."""
    fallen = {**at("dead", units("UY-"), units("AR-"), units("BR-"))}
    game = play({**ALLIED, "units": fallen})
    never = {u for u in fallen if game.pos.unit(u).guard or game.pos.unit(u).river or u.startswith("UY-")}
    assert never
    assert not never & buyable(game, A)
    assert refused(game, A, "replace", placed={"UY-INF-FL": "2044"}) == ("never_back", "10.2")
    own = play(PARAGUAY)
    gone = {u for u in units("PY-") if own.pos.unit(u).river or own.pos.unit(u).fortress}
    assert len(gone) == 16
    assert not gone & buyable(own, P)
    assert set(units("PY-")) - gone == buyable(own, P)


@pytest.mark.clause("10.2")
def test_the_others_as_often_as_wished_ready_to_move_and_fight() -> None:
    game = play({**PARAGUAY, "units": {FOOT[0]: "2128"}})
    answer(game, P, "replace", placed={"PY-CAV-1": "1826"})
    assert forms(game, P)["move"]["stacks"]["1826"] == [{"id": "PY-CAV-1", "left": 9}]
    move(game, P, "PY-CAV-1", "1826", "1926", "1927")


@pytest.mark.clause("10.1", "9.1")
def test_only_the_eliminated_and_the_available_are_bought() -> None:
    game = play({**ALLIED, "units": {"BR-INF-1F": "2440", "BR-INF-2F": "dead"}})
    assert "BR-INF-2F" in buyable(game, A)
    assert not {"BR-INF-1F", "BR-INF-5F", "BR-INF-RG"} & buyable(game, A)  # on the map, due, not due


# -- 10.4, 10.5 costs ----------------------------------------------------------------------------------------


@pytest.mark.clause("10.4")
@pytest.mark.parametrize(("unit", "cost"), [
    ("PY-INF-1", 1), ("PY-CAV-1", 1), ("PY-ENG-S", 1), ("PY-ART-1", 2), ("PY-SGE-Sg", 2), ("PY-RKT-Con", 2),
    ("PY-SUP-Sup-1", 2)])
def test_paraguayan_costs(unit: str, cost: int) -> None:
    game = play(PARAGUAY)
    assert preview(game, P, "replace", placed={unit: "1826"})["effect"]["spent"] == {"paraguay": cost}
    answer(game, P, "replace", placed={unit: "1826"})
    assert rows(game, P, "replacements")["paraguay"] == 2 - cost


@pytest.mark.clause("10.4")
@pytest.mark.parametrize(("unit", "cost"), [
    ("BR-INF-1F", 1), ("BR-CAV-1", 1), ("BR-ENG-E1", 2), ("BR-ART-1", 2), ("BR-SGE-Sg1", 2), ("BR-SUP-Sup-1", 2)])
def test_brazilian_costs(unit: str, cost: int) -> None:
    game = play({**ALLIED, "units": {unit: "dead"}})
    answer(game, A, "replace", placed={unit: "3244"})
    assert rows(game, A, "replacements")["brazil"] == 4 - cost


@pytest.mark.clause("10.5")
def test_the_available_supply_units_from_turn_two() -> None:
    for turn, offered in ((1, False), (2, True)):
        game = play({**PARAGUAY, "turn": turn, "mendoza": "quiet"})
        assert ({"PY-SUP-Sup-1", "PY-SUP-Sup-2"} <= buyable(game, P)) == offered
    game = play({**ALLIED, "turn": 2})
    answer(game, A, "replace", placed={"BR-SUP-Sup-1": "1042", "BR-SUP-Sup-2": "1943"})
    assert rows(game, A, "replacements")["brazil"] == 0
    assert "pool:available:allied" not in view(game, P)


@pytest.mark.clause("10.5", "8.2")
def test_the_supply_of_the_expedition_is_not_available() -> None:
    game = play({**ALLIED, "matto_grosso": "launched",
                 "units": at("away:matto_grosso", "BR-SUP-Sup-1", "BR-INF-MG", "BR-INF-Go")})
    assert "BR-SUP-Sup-1" not in buyable(game, A)
    assert "BR-SUP-Sup-2" in buyable(game, A)


@pytest.mark.clause("10.5", "7.4")
def test_spent_supply_comes_back_any_number_of_times() -> None:
    game = play({**PARAGUAY, "phase": "events", "units": {"PY-SUP-Sup-1": "1826"}}, [9, 9])
    for turn in (3, 4):
        assert game.pos.turn == turn
        answer(game, P, "attrition_supply", lots={"1826": ["PY-SUP-Sup-1"]})
        assert game.pos.at["PY-SUP-Sup-1"] == "dead:paraguay"
        answer(game, P, "replace", placed={"PY-SUP-Sup-1": "1826"})
        ends(game, P)
        ends(game, A)
    assert game.pos.turn == 5


# -- 10.6, 10.7 where they enter -----------------------------------------------------------------------------


@pytest.mark.clause("10.6")
def test_allied_replacements_enter_as_reinforcements_do() -> None:
    assert places(play(ALLIED), A) == {"1042", "1943", "3244"}
    assert places(play({**ALLIED, "units": {FOOT[0]: "1943"}}), A) == {"1042", "3244"}
    shut = play({**ALLIED, "units": {FOOT[0]: "1943", FOOT[1]: "1042", FOOT[2]: "3244", "AR-INF-1": "1337"}})
    assert places(shut, A) == set()
    game = play(ALLIED)
    assert refused(game, A, "replace", placed={"AR-INF-1": "1335"}) == ("not_entry", "10.6")


@pytest.mark.clause("10.7")
def test_paraguayan_replacements_enter_at_three_towns() -> None:
    game = play(PARAGUAY)
    assert places(game, P) == {"1432", "1826", "2026"}
    assert refused(game, P, "replace", placed={FOOT[0]: "2534"}) == ("not_entry", "10.7")
    answer(game, P, "replace", placed={FOOT[0]: "1432", FOOT[1]: "2026"})


@pytest.mark.clause("10.7")
@pytest.mark.parametrize(("taken", "left"), [
    (["1826"], {"2026"}),          # and with Asunción Humaitá, which needs a line to it
    (["2026"], {"1432", "1826"}),
    (["1432"], {"1826", "2026"}),
])
def test_a_town_once_allied_is_shut_for_good(taken: list[str], left: set[str]) -> None:
    assert places(play({**PARAGUAY, "taken": taken, "units": {FOOT[0]: "1826"}}), P) == left


@pytest.mark.clause("10.7")
def test_with_asuncion_and_cerro_leon_lost_there_is_neither_step_nor_place() -> None:
    assert places(play({**PARAGUAY, "taken": ["1826", "2026"], "units": {FOOT[0]: "2128"}}), P) == set()


@pytest.mark.clause("10.7", "7.5")
def test_humaita_needs_a_line_to_asuncion() -> None:
    """By the river and by the road through 1730; with both cut it is shut, though nobody stands near it."""
    cut = {"AR-INF-1": "1628", "AR-INF-2": "1728"}
    assert places(play({**PARAGUAY, "units": {FOOT[0]: "2128", "AR-INF-1": "1628"}}), P) == {"1432", "1826", "2026"}
    # The long way round by Itapúa and the Paraná is a line too.
    assert "1432" in places(play({**PARAGUAY, "units": {FOOT[0]: "2128", **cut}}), P)
    assert places(play({**PARAGUAY, "units": {FOOT[0]: "2128", **cut, "AR-INF-3": "2331"}}), P) == {"1826", "2026"}


@pytest.mark.clause("10.7")
def test_placing_costs_no_movement_and_takes_no_line_elsewhere() -> None:
    ring = dict(zip(units("AR-INF-", 6), ("1825", "1925", "1926", "1827", "1726", "1725"), strict=True))
    game = play({**PARAGUAY, "units": {**ring, FOOT[0]: "2128"}})
    assert places(game, P) == {"1826", "2026"}  # Asunción itself needs none; Humaitá is cut off from it
    answer(game, P, "replace", placed={FOOT[1]: "1826"})
    assert forms(game, P)["move"]["stacks"]["1826"] == [{"id": FOOT[1], "left": 6}]


@pytest.mark.clause("10.6", "10.2")
def test_an_allied_replacement_fights_in_the_turn_it_enters() -> None:
    game = play({**ALLIED, "units": {FOOT[0]: "2044"}}, [0])
    answer(game, A, "replace", placed={"BR-INF-1F": "1943"})
    choose(game, A, "end")
    attack(game, A, "2044", "BR-INF-1F")
    bear_losses(game)
    assert told(game, "combat_rolled")[0]["data"]["roll"] == 0
