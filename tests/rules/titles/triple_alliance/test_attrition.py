"""7.1-7.10 The mutual attrition phase."""

from typing import Any

import pytest

from rules.titles.triple_alliance.tables import attrition_loss
from tests.rules.titles.triple_alliance.builders import (
    A,
    P,
    Play,
    answer,
    at,
    choose,
    clauses,
    data,
    decline_until,
    forms,
    last,
    lots,
    modifiers,
    move,
    play,
    refused,
    request,
    take_least,
    told,
    units,
    view,
)

FOOT = units("PY-INF-")
QUIET: dict[str, Any] = {"turn": 3, "phase": "events", "mendoza": "crushed", "clear": True}


def checks(game: Play) -> dict[str, dict[str, Any]]:
    """What was told of each check, by hex."""
    return {step["data"]["at"]: step["data"] for step in told(game, "attrition_rolled")}


def drm(hex_: str, stack: list[str], *, turn: int = 3, **more: Any) -> dict[str, int | None]:
    """The modifiers of one stack that is alone on the map."""
    game = play({**QUIET, "turn": turn, "units": at(hex_, stack), **more}, [9])
    return modifiers(checks(game)[hex_])


# -- the procedure -------------------------------------------------------------------------------------------


@pytest.mark.clause("7.2")
def test_seventeen_units_on_a_five_lose_seven() -> None:
    """The rulebook's example: no modifiers, seven units of the owner's choice go to the eliminated."""
    game = play({**QUIET, "units": at("2026", FOOT[:17])}, [5])
    check = checks(game)["2026"]
    assert (check["count"], check["roll"], check["row"], check["loss"], check["modifiers"]) == (17, 5, 5, 7, [])
    lot = lots(game, P)["2026"]
    assert (lot["min"], lot["max"], sorted(lot["units"])) == (7, 7, sorted(FOOT[:17]))
    assert refused(game, P, lots={"2026": FOOT[:6]}) == ("count", "7.2")
    assert refused(game, P, lots={"2026": FOOT[11:18]}) == ("not_of_the_lot", "7.2")
    answer(game, P, lots={"2026": FOOT[10:17]})
    assert game.pos.stack("2026") == FOOT[:10]
    assert {game.pos.at[u] for u in FOOT[10:17]} == {"dead:paraguay"}


@pytest.mark.clause("7.2", "6.1")
def test_a_unit_is_a_unit_whatever_it_is() -> None:
    mixed = [*FOOT[:5], "PY-ART-1", "PY-CAV-1", "PY-SUP-Sup-1", "PY-RKT-Con"]
    game = play({**QUIET, "units": at("2026", mixed)}, [0])
    assert game.asked == (P,)
    take_least(game, P)  # no supply spent
    assert checks(game)["2026"]["count"] == 9
    assert attrition_loss(game.pos.game, 9, 0) == checks(game)["2026"]["loss"]
    assert lots(game, P)["2026"]["max"] == checks(game)["2026"]["loss"]


@pytest.mark.clause("7.1")
def test_every_stack_of_both_sides_has_its_die_in_hex_order() -> None:
    game = play({**QUIET, "units": {**at("2026", FOOT[:2]), FOOT[2]: "1826", "AR-INF-1": "1337", "AR-INF-2": "1241",
                                    "BR-INF-1F": "2440"}}, [9, 9, 9, 9, 9])
    assert [step["data"]["at"] for step in told(game, "attrition_rolled")] == ["1241", "1337", "1826", "2026", "2440"]
    assert [step["side"] for step in told(game, "attrition_rolled")] == [A, A, P, P, A]
    assert [e.kind for e in game.log if e.kind != "start"][:5] == ["roll"] * 5
    assert game.pos.stage == "paraguay_movement"


@pytest.mark.clause("7.1", "9.1")
def test_reinforcements_are_safe_until_they_enter() -> None:
    game = play({**QUIET, "units": {**at("turn:3", units("AR-INF-GN-")), "AR-INF-2": "turn:2"}})
    assert checks(game) == {}
    assert game.asked == (P,)


@pytest.mark.clause("7.1")
def test_both_sides_choose_their_losses_at_once() -> None:
    game = play({**QUIET, "units": {**at("2026", FOOT[:9]), **at("1337", units("AR-INF-", 9))}}, [0, 0])
    assert set(game.asked) == {P, A}
    assert request(game, A)["together"]
    take_least(game, A)
    assert game.asked == (P,)
    assert told(game, "attrition_lost") == []  # not before the other has chosen
    take_least(game, P)
    assert [step["side"] for step in told(game, "attrition_lost")] == [P, A]


@pytest.mark.clause("7.1", "7.8")
def test_modifiers_are_those_before_the_first_die() -> None:
    """A ruling: who dies to the dice, or spends supply, changes no other stack's modifiers."""
    game = play({**QUIET, "units": {FOOT[0]: "1826", **at("1926", [FOOT[1], "PY-SUP-Sup-1"])}}, [0, 0])
    answer(game, P, lots={"1926": ["PY-SUP-Sup-1"]})
    assert (checks(game)["1926"]["count"], checks(game)["1826"]["loss"]) == (2, 1)
    assert modifiers(checks(game)["1926"]) == {"supply_unit_expended": 3}


@pytest.mark.clause("7.2")
def test_ships_go_last() -> None:
    stack = ["PY-WAR-Te", "PY-WAR-J", "PY-TRA-T-1", *FOOT[:6]]
    game = play({**QUIET, "units": at("1431", stack)}, [1])
    loss = checks(game)["1431"]["loss"]
    assert loss == 5
    assert set(lots(game, P)["1431"]["last"]) == {"PY-WAR-Te", "PY-WAR-J", "PY-TRA-T-1"}
    assert refused(game, P, lots={"1431": [*FOOT[:4], "PY-WAR-J"]}) == ("others_first", "7.2")
    answer(game, P, lots={"1431": FOOT[:5]})
    assert game.pos.at["PY-WAR-Te"] == "1431"


@pytest.mark.clause("7.2")
def test_when_the_land_units_are_gone_ships_follow_of_the_owners_choice() -> None:
    stack = ["PY-WAR-Te", "PY-WAR-J", "PY-WAR-I", "PY-WAR-Ip", "PY-WAR-M", "PY-WAR-P", *FOOT[:3]]
    game = play({**QUIET, "units": at("1431", stack)}, [0])
    assert checks(game)["1431"]["loss"] == 5
    assert refused(game, P, lots={"1431": [*FOOT[:2], "PY-WAR-Te", "PY-WAR-J", "PY-WAR-I"]}) == ("others_first", "7.2")
    answer(game, P, lots={"1431": [*FOOT[:3], "PY-WAR-M", "PY-WAR-P"]})
    assert game.pos.stack("1431") == ["PY-WAR-Te", "PY-WAR-J", "PY-WAR-I", "PY-WAR-Ip"]


@pytest.mark.clause("7.2")
def test_a_hex_of_river_units_only_has_plus_three() -> None:
    ships = units("BR-SHP-", 4)
    assert drm("1240", ships) == {"river_units_only": 3}
    assert drm("1240", [*ships, "AR-INF-1"]) == {}
    assert drm("1431", ["PY-WAR-Te", "PY-CHA-Ch-1"]) == {"river_units_only": 3}
    assert clauses(checks(play({**QUIET, "units": at("1240", ships)}, [9]))["1240"]) == {"river_units_only": "7.2"}


@pytest.mark.clause("7.2", "7.8")
def test_ships_beside_a_fortress_are_not_river_units_only() -> None:
    """A ruling: the fortress is a unit of that hex too."""
    assert drm("1432", ["PY-WAR-Te", "PY-FOR-H"]) == {"paraguayan_fortress": 3}


# -- 7.3 modifiers add up ------------------------------------------------------------------------------------


@pytest.mark.clause("7.3", "7.6", "7.7", "7.10")
def test_late_year_marsh_in_the_chaco_is_minus_seven() -> None:
    """The rulebook's example, in a hex that has a supply line: -1, -3 and -3."""
    shown = drm("1818", FOOT[:3], turn=4)
    assert shown == {"winter": -1, "marsh": -3, "chaco": -3}
    assert sum(v or 0 for v in shown.values()) == -7


@pytest.mark.clause("7.3", "7.4")
def test_and_minus_four_with_supply_spent() -> None:
    game = play({**QUIET, "turn": 4, "units": at("1818", [*FOOT[:3], "PY-SUP-Sup-1"])}, [9])
    answer(game, P, lots={"1818": ["PY-SUP-Sup-1"]})
    shown = checks(game)["1818"]
    assert modifiers(shown) == {"winter": -1, "marsh": -3, "chaco": -3, "supply_unit_expended": 3}
    assert (shown["roll"], shown["row"], shown["count"]) == (9, 5, 4)
    assert game.pos.at["PY-SUP-Sup-1"] == "dead:paraguay"


@pytest.mark.clause("7.3")
def test_totals_stop_at_zero_and_fourteen() -> None:
    low = play({**QUIET, "turn": 4, "units": at("1818", FOOT[:9])}, [2])
    assert checks(low)["1818"]["row"] == 0
    assert checks(low)["1818"]["loss"] == attrition_loss(low.pos.game, 9, 0) == 5
    high = play({**QUIET, "units": {**at("1826", [*FOOT[:9], "PY-SUP-Sup-1"]), "PY-FOR-A": "1827"}}, [9])
    answer(high, P, lots={"1826": ["PY-SUP-Sup-1"]})
    assert checks(high)["1826"]["row"] == 14  # 9 + 3 + 3


@pytest.mark.clause("7.3", "7.2")
def test_each_modifier_shows_its_clause() -> None:
    game = play({**QUIET, "turn": 4, "units": at("1621", ["PY-SUP-Sup-1", FOOT[0]])}, [9])
    answer(game, P, lots={"1621": ["PY-SUP-Sup-1"]})
    assert clauses(checks(game)["1621"]) == {"winter": "7.6", "chaco": "7.10", "no_supply_line": "7.5",
                                             "supply_unit_expended": "7.4"}


# -- 7.4 supply units ----------------------------------------------------------------------------------------


@pytest.mark.clause("7.4")
def test_supply_is_offered_to_both_at_once_before_any_die_and_never_forced() -> None:
    game = play({**QUIET, "units": {**at("2026", [FOOT[0], "PY-SUP-Sup-1"]),
                                    **at("1337", ["AR-INF-1", "BR-SUP-Sup-1"])}}, [9, 9])
    assert set(game.asked) == {P, A}
    assert not [e for e in game.log if e.kind == "roll"]
    assert lots(game, P) == {"2026": {"id": "2026", "at": "2026", "label": None, "units": ["PY-SUP-Sup-1"],
                                      "min": 0, "max": 1, "last": []}}
    answer(game, A, lots={"1337": ["BR-SUP-Sup-1"]})
    assert told(game, "supply_spent") == []  # secret until both have answered
    assert not [e for e in game.log if e.kind == "roll"]
    answer(game, P, lots={})
    assert (game.pos.at["PY-SUP-Sup-1"], game.pos.at["BR-SUP-Sup-1"]) == ("2026", "dead:allied")
    assert modifiers(checks(game)["2026"]) == {}
    assert modifiers(checks(game)["1337"]) == {"supply_unit_expended": 3}


@pytest.mark.clause("7.4")
def test_more_than_one_supply_unit_adds_nothing_so_one_is_asked() -> None:
    game = play({**QUIET, "units": at("2026", [FOOT[0], "PY-SUP-Sup-1", "PY-SUP-Sup-2"])}, [9])
    assert lots(game, P)["2026"]["max"] == 1
    assert refused(game, P, lots={"2026": ["PY-SUP-Sup-1", "PY-SUP-Sup-2"]}) == ("count", "7.4")
    answer(game, P, lots={"2026": ["PY-SUP-Sup-2"]})
    assert checks(game)["2026"]["count"] == 3  # the spent one still counts


@pytest.mark.clause("7.4", "10.5")
def test_a_supply_unit_alone_may_be_spent_and_comes_back_as_a_replacement() -> None:
    game = play({**QUIET, "units": {"PY-SUP-Sup-1": "2026"}}, [0])
    answer(game, P, lots={"2026": ["PY-SUP-Sup-1"]})
    assert told(game, "attrition_lost") == []  # nobody is left to lose
    answer(game, P, "replace", placed={"PY-SUP-Sup-1": "2026"})
    assert game.pos.at["PY-SUP-Sup-1"] == "2026"


@pytest.mark.clause("7.4")
def test_losses_beyond_the_spent_supply_fall_on_the_others() -> None:
    game = play({**QUIET, "units": at("1621", [*FOOT[:2], "PY-SUP-Sup-1"])}, [0])
    answer(game, P, lots={"1621": ["PY-SUP-Sup-1"]})
    assert (last(game, "attrition_rolled")["count"], last(game, "attrition_rolled")["loss"]) == (3, 1)
    assert sorted(lots(game, P)["1621"]["units"]) == sorted(FOOT[:2])
    take_least(game, P)


# -- 7.6, 7.7 winter and terrain -----------------------------------------------------------------------------


@pytest.mark.clause("7.6")
@pytest.mark.parametrize("turn", range(2, 10))
def test_even_turns_are_winter(turn: int) -> None:
    assert drm("2026", FOOT[:2], turn=turn) == ({"winter": -1} if turn % 2 == 0 else {})


@pytest.mark.clause("7.7")
@pytest.mark.parametrize(("hex_", "expected"), [
    ("2026", {}), ("2025", {"rough": -1}), ("2622", {"forest": -2}), ("1928", {"marsh": -3}), ("1628", {})])
def test_terrain(hex_: str, expected: dict[str, int]) -> None:
    """Clear and navigable river: nothing; a town changes nothing either."""
    assert drm(hex_, FOOT[:2]) == expected
    assert drm(hex_, [*FOOT[:2], "PY-CAV-1"]) == expected


# -- 7.8 fortresses ------------------------------------------------------------------------------------------


@pytest.mark.clause("7.8")
@pytest.mark.parametrize(("fortress", "hex_"), [
    ("PY-FOR-H", "1432"), ("PY-FOR-C", "1433"), ("PY-FOR-Ipr", "1434"), ("PY-FOR-A", "1827"), ("PY-FOR-Ipu", "2534")])
def test_a_fortress_shelters_its_hex_and_the_next(fortress: str, hex_: str) -> None:
    assert drm(hex_, [FOOT[0], fortress])["paraguayan_fortress"] == 3
    near = next(n for n in play({}).pos.game.map.neighbours[hex_] if n not in ("1432", "1433", "1434"))
    game = play({**QUIET, "units": {fortress: hex_, FOOT[0]: near}}, [9])
    assert modifiers(checks(game)[near])["paraguayan_fortress"] == 3
    assert hex_ not in checks(game)  # the fortress alone has no check


@pytest.mark.clause("7.8")
def test_the_shelter_falls_with_the_fortress_and_reaches_one_hex_only() -> None:
    assert drm("1827", FOOT[:2]) == {}
    game = play({**QUIET, "units": {"PY-FOR-A": "1827", FOOT[0]: "2026"}}, [9])
    assert modifiers(checks(game)["2026"]) == {}  # two away


@pytest.mark.clause("7.8")
def test_two_fortresses_shelter_no_better_than_one() -> None:
    game = play({**QUIET, "units": {"PY-FOR-H": "1432", "PY-FOR-C": "1433", FOOT[0]: "1532"}}, [9])
    assert modifiers(checks(game)["1532"]) == {"marsh": -3, "paraguayan_fortress": 3}


@pytest.mark.clause("7.8")
def test_no_shelter_for_the_allies() -> None:
    game = play({**QUIET, "units": {"PY-FOR-Ipu": "2534", "AR-INF-1": "2535"}}, [9])
    assert modifiers(checks(game)["2535"]) == {}


@pytest.mark.clause("7.1", "7.8")
def test_a_fortress_counts_but_cannot_be_lost() -> None:
    game = play({**QUIET, "turn": 4, "units": at("1432", ["PY-FOR-H", *FOOT[:8]])}, [0])
    check = checks(game)["1432"]
    assert (check["count"], check["row"]) == (9, 2)  # 0 - 1 + 3
    assert "PY-FOR-H" not in lots(game, P)["1432"]["units"]
    assert refused(game, P, lots={"1432": ["PY-FOR-H", *FOOT[:3]]}) == ("not_of_the_lot", "7.2")
    answer(game, P, lots={"1432": FOOT[:4]})


@pytest.mark.clause("7.8")
def test_when_only_the_fortress_is_left_the_rest_of_the_loss_is_forgotten() -> None:
    """All that can go goes by itself: everybody can see that."""
    game = play({**QUIET, "turn": 2, "units": at("2534", ["PY-FOR-Ipu", FOOT[0]])}, [0])
    assert checks(game)["2534"]["count"] == 2
    assert checks(game)["2534"]["loss"] == 1
    assert game.pos.stack("2534") == ["PY-FOR-Ipu"]
    assert [e.forced for e in game.log if e.kind == "answer"] == [True]


# -- 7.9 depots ----------------------------------------------------------------------------------------------


@pytest.mark.clause("7.9")
@pytest.mark.parametrize("depot", ["1335", "1541"])
def test_a_depot_helps_allied_units_in_it_and_next_to_it(depot: str) -> None:
    assert drm(depot, ["AR-INF-1"])["allied_depot"] == 3
    for near in play({}).pos.game.map.neighbours[depot]:
        assert drm(near, ["AR-INF-1"])["allied_depot"] == 3
    assert "allied_depot" not in drm("1338", ["AR-INF-1"])


@pytest.mark.clause("7.9")
def test_a_depot_needs_no_supply_line_itself() -> None:
    cut = dict(zip(FOOT, ("1334", "1337", "1236", "1534", "1437"), strict=False))
    game = play({**QUIET, "units": {**cut, "AR-INF-1": "1335"}}, [9] * 6)
    assert modifiers(checks(game)["1335"]) == {"no_supply_line": -3, "allied_depot": 3}


@pytest.mark.clause("7.9")
def test_a_depot_once_taken_is_lost_for_good() -> None:
    game = play({"turn": 3, "clear": True, "mendoza": "crushed",
                 "units": {"PY-CAV-1": "1434", "AR-CAV-1": "1437"}}, [9, 9])
    move(game, P, "PY-CAV-1", "1434", "1435", "1335", "1435", "1434", "1433")
    assert [s["data"]["at"] for s in told(game, "depot_lost", A)] == ["1335"]
    decline_until(game, "allied_movement")
    move(game, A, "AR-CAV-1", "1437", "1336", "1335")
    assert game.pos.controller("1335") == A
    choose(game, A, "end")
    assert game.pos.turn == 4
    assert modifiers(checks(game)["1335"]) == {"winter": -1}  # retaken, but no depot any more


@pytest.mark.clause("7.9")
def test_no_depot_for_the_paraguayans() -> None:
    assert "allied_depot" not in drm("1336", FOOT[:2])
    assert "allied_depot" not in drm("1335", FOOT[:2])


# -- 7.10 the Chaco ------------------------------------------------------------------------------------------


@pytest.mark.clause("7.10")
@pytest.mark.parametrize("hex_", ["1021", "1622", "1825", "1919"])
def test_the_named_hexes_are_chaco_for_both_sides(hex_: str) -> None:
    for stack in (FOOT[:2], ["AR-INF-1", "AR-INF-2"]):
        assert drm(hex_, stack)["chaco"] == -3


@pytest.mark.clause("7.10")
def test_marsh_in_the_chaco_is_minus_six() -> None:
    shown = drm("1818", FOOT[:2])
    assert shown == {"marsh": -3, "chaco": -3}


@pytest.mark.clause("7.10")
def test_what_lies_south_of_the_pilcomayo_or_east_of_the_river_is_not_chaco() -> None:
    for hex_ in ("1726", "1826", "1925", "1918", "1030"):
        assert "chaco" not in drm(hex_, FOOT[:2])


# -- all of them ---------------------------------------------------------------------------------------------


@pytest.mark.clause("7.2")
def test_the_table_knows_every_stack_and_every_total() -> None:
    game = play({}).pos.game
    table = data().files["tables"]["attrition"]
    assert table["rows"] == list(range(15))
    for n in range(1, 27):
        losses = [attrition_loss(game, n, row) for row in range(15)]
        assert losses == sorted(losses, reverse=True)
        assert max(losses) <= n
        assert attrition_loss(game, n, -5) == losses[0]
        assert attrition_loss(game, n, 20) == losses[14]


@pytest.mark.clause("7.1", "6.4")
def test_the_number_in_a_hex_and_its_losses_are_public() -> None:
    game = play({**QUIET, "units": {**at("2026", FOOT[:9])}, "boxes": {P: {"1": "2026"}}}, [3])
    step = told(game, "attrition_rolled", A)[0]["data"]
    assert (step["at"], step["count"], step["loss"]) == ("2026", 9, 4)
    take_least(game, P)
    assert view(game, A)["space:2026"]["count"] == 5
    assert "attrition_losses" not in forms(game, P)
