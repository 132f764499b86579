"""7.5, 7.12, 7.13 Supply lines, read off the attrition die."""

from typing import Any

import pytest

from tests.rules.titles.triple_alliance.builders import (
    A,
    P,
    Play,
    answer,
    at,
    attack,
    choose,
    decline_until,
    lots,
    modifiers,
    move,
    odds,
    play,
    refused,
    take_least,
    told,
    units,
)

FOOT = units("PY-INF-")
QUIET: dict[str, Any] = {"turn": 3, "phase": "events", "mendoza": "crushed", "clear": True}


def in_supply(game: Play) -> dict[str, bool]:
    """Which checked hexes had a supply line."""
    return {step["data"]["at"]: "no_supply_line" not in modifiers(step["data"])
            for step in told(game, "attrition_rolled")}


def traced(units_: dict[str, str], **more: Any) -> dict[str, bool]:
    """In supply or not, by hex, in an attrition phase where nobody dies and nobody spends."""
    hexes = {h for h in units_.values() if h.isdigit()}
    game = play({**QUIET, "units": units_, **more}, [9] * len(hexes))
    while game.asked and game.pos.stage == "events":
        take_least(game, game.asked[0])
    return in_supply(game)


# -- the line ------------------------------------------------------------------------------------------------


@pytest.mark.clause("7.5")
def test_the_rulebooks_line_from_1830() -> None:
    """Next to the road in 1730, along it to 1432, there onto the river and down to 1042."""
    assert traced({"AR-INF-1": "1830"}) == {"1830": True}


DETOURS = dict(zip(FOOT[10:], ("1728", "1826", "1337", "1437", "1534", "1441"), strict=False))
"""With these taken the line of the example has no way round: not by Asunción and the eastern road, not by the roads
south of Corrientes, nor to Restauración."""


@pytest.mark.clause("7.5")
@pytest.mark.parametrize("cut", ["1631", "1531", "1432", "1433", "1434", "1334", "1335", "1236", "1238", "1141"])
def test_it_is_cut_wherever_an_enemy_unit_stands(cut: str) -> None:
    assert traced({"AR-INF-1": "1830", FOOT[0]: cut, **DETOURS})["1830"] is False
    assert traced({"AR-INF-1": "1830", **DETOURS})["1830"] is True


@pytest.mark.clause("7.5")
def test_a_way_round_is_as_good() -> None:
    assert traced({"AR-INF-1": "1830", FOOT[0]: "1631"})["1830"] is True  # by 1728, Angostura and the river
    assert traced({"AR-INF-1": "1830", FOOT[0]: "1236"})["1830"] is True  # by the road from Corrientes to Goya


@pytest.mark.clause("7.5", "7.8")
def test_a_fortress_is_an_enemy_unit_too() -> None:
    game = play({**QUIET, "units": {"AR-INF-1": "1830", "PY-FOR-H": "1432", **DETOURS}}, [9] * 7)
    assert in_supply(game)["1830"] is False  # alone it is not checked itself


@pytest.mark.clause("7.5")
def test_none_from_2030_for_either_side() -> None:
    """The rulebook's second example: no road, railway or river in or next to it."""
    assert traced({"AR-INF-1": "2030"}) == {"2030": False}
    assert traced({FOOT[0]: "2030"}) == {"2030": False}


@pytest.mark.clause("7.5")
def test_enemies_beside_the_line_or_its_control_do_not_matter() -> None:
    assert traced({"AR-INF-1": "1830", FOOT[0]: "1630"})["1830"] is True
    assert traced({"AR-INF-1": "1830"}, control={"1432": P, "1335": P, "1730": P})["1830"] is True


@pytest.mark.clause("7.5")
def test_next_to_the_line_is_enough_but_not_two_away() -> None:
    assert traced({"AR-INF-1": "1830"})["1830"] is True   # 1730 is next
    assert traced({"AR-INF-1": "1930"})["1930"] is False  # two from 1730 and 1729


@pytest.mark.clause("7.5")
def test_a_line_never_starts_through_an_enemy_in_the_neighbouring_hex() -> None:
    """1830 touches the road in 1730 and in 1729 only."""
    cut = traced({"AR-INF-1": "1830", FOOT[0]: "1730", FOOT[1]: "1729"})
    assert cut["1830"] is False


@pytest.mark.clause("7.5", "11.18")
def test_road_railway_and_river_mix() -> None:
    """From 2228 by road to 2127 and 2027, by rail to 2026; with all of it but Humaitá lost, on to the river."""
    assert traced({FOOT[0]: "2228"}) == {"2228": True}
    mixed = traced({FOOT[0]: "2228"}, taken=["1826", "2026"], control={"1826": A, "2026": A})
    assert mixed == {"2228": True}  # rail 2026-1826, river 1826-1432
    cut = traced({FOOT[0]: "2228", "AR-INF-1": "1628", "AR-INF-2": "2331", "AR-INF-3": "1729"}, taken=["1826", "2026"],
                 control={"1826": A, "2026": A})
    assert cut["2228"] is False


@pytest.mark.clause("7.5")
def test_a_line_is_worth_no_bonus() -> None:
    game = play({**QUIET, "units": {FOOT[0]: "2026"}}, [9])
    assert modifiers(told(game, "attrition_rolled")[0]["data"]) == {}


@pytest.mark.clause("7.5", "7.11")
def test_the_line_passes_only_where_the_road_or_river_crosses() -> None:
    """The river does not flow between 1433 and 1533 (12.2), so from 1633 up to Humaitá it is by 1434 only; the long
    way by Itapúa and Asunción is cut at 1628 and
    1729."""
    body = {"taken": ["1826", "2026"], "control": {"1826": A, "2026": A}}
    there = {FOOT[0]: "1633", "AR-INF-2": "1628", "AR-INF-3": "1729"}
    assert traced(there, **body)["1633"] is True
    assert traced({**there, "AR-INF-1": "1434"}, **body)["1633"] is False


# -- 7.12 Allied supply hexes --------------------------------------------------------------------------------


@pytest.mark.clause("7.12", "1.3")
@pytest.mark.parametrize("source", ["1042", "1943", "3244"])
@pytest.mark.parametrize("unit", ["AR-INF-2", "BR-INF-1F", "UY-INF-FL"])
def test_each_source_serves_each_nation(source: str, unit: str) -> None:
    others = {h: FOOT[i] for i, h in enumerate(sorted({"1042", "1943", "3244"} - {source}))}
    held = {foot: h for h, foot in others.items()}
    assert traced({unit: source, **held})[source] is True


@pytest.mark.clause("7.12")
def test_a_source_is_shut_while_an_enemy_stands_on_it_and_opens_again() -> None:
    body = {**QUIET, "units": {"BR-INF-1F": "2043", FOOT[0]: "1042", FOOT[1]: "1943", FOOT[2]: "3244"}}
    assert in_supply(play(body, [9] * 4))["2043"] is False
    body["units"] = {"BR-INF-1F": "2043", FOOT[0]: "1042", FOOT[1]: "1942", FOOT[2]: "3244"}
    body["control"] = {"1943": P}  # left by the Paraguayans: theirs by control, yet open
    assert in_supply(play(body, [9] * 4))["2043"] is True


@pytest.mark.clause("7.12")
def test_it_opens_as_often_as_it_is_left() -> None:
    game = play({"turn": 3, "clear": True, "mendoza": "crushed",
                 "units": {"PY-CAV-1": "1141", "AR-INF-1": "1338", FOOT[1]: "1943", FOOT[2]: "3244"}},
                [9] * 8)
    move(game, P, "PY-CAV-1", "1141", "1042")
    decline_until(game, "allied_movement")
    choose(game, A, "end")
    assert in_supply(game)["1338"] is False
    move(game, P, "PY-CAV-1", "1042", "1043")
    decline_until(game, "allied_movement")
    choose(game, A, "end")
    assert in_supply(game)["1338"] is True


@pytest.mark.clause("7.12")
def test_allied_lines_run_through_paraguayan_sources_but_never_end_there() -> None:
    blocked = {FOOT[0]: "1334", FOOT[1]: "1435", FOOT[2]: "1533"}
    assert traced({"AR-INF-1": "1432", "AR-INF-2": "1433"})["1433"] is True      # 1432 lies behind
    assert traced({"AR-INF-1": "1531", **blocked}, taken=["1432"])["1531"] is False  # 1432 feeds no Allied unit


# -- 7.13 Paraguayan supply hexes ----------------------------------------------------------------------------


@pytest.mark.clause("7.13")
@pytest.mark.parametrize(("source", "near"), [("1432", "1531"), ("1826", "1825"), ("2026", "2027")])
def test_each_paraguayan_source_serves(source: str, near: str) -> None:
    others = sorted({"1432", "1826", "2026"} - {source})
    assert traced({FOOT[0]: near}, taken=others)[near] is True


@pytest.mark.clause("7.13")
def test_a_paraguayan_source_is_lost_for_good_the_moment_it_turns_allied() -> None:
    game = play({"turn": 3, "phase": "allied_movement", "clear": True, "mendoza": "crushed", "taken": ["1432", "2026"],
                 "units": {"AR-CAV-1": "1827", FOOT[0]: "2027"}}, [9, 9])
    move(game, A, "AR-CAV-1", "1827", "1826", "1827", "1828")  # in and out again
    assert [s["data"]["at"] for s in told(game, "supply_hex_lost", P)] == ["1826"]
    choose(game, A, "end")
    assert in_supply(game) == {"1828": True, "2027": False}


@pytest.mark.clause("7.13")
def test_retaking_it_does_not_help() -> None:
    assert traced({FOOT[0]: "1826"}, taken=["1432", "1826", "2026"]) == {"1826": False}


@pytest.mark.clause("7.13")
def test_paraguayan_lines_run_through_allied_sources_but_never_end_there() -> None:
    """2043 with the roads by Santo Tomé cut: only by 1943, an empty Allied source, on to Mercedes and Corrientes."""
    cut = {"AR-INF-1": "2142", "AR-INF-2": "2143"}
    assert traced({FOOT[0]: "2043", **cut})["2043"] is True
    assert traced({FOOT[0]: "2043", **cut, "AR-INF-3": "1742"})["2043"] is False


# -- 7.11 in battle ------------------------------------------------------------------------------------------


@pytest.mark.clause("7.11", "13.25")
def test_lines_count_at_the_moment_of_the_battle() -> None:
    """In 2030 nobody has a line; both modifiers may apply and cancel."""
    game = play({"turn": 3, "phase": "allied_combat_2", "clear": True,
                 "units": {"AR-INF-1": "2031", FOOT[0]: "2030"}})
    shown = modifiers(odds(game, A, "2030", "AR-INF-1"))
    assert (shown["attacker_no_line"], shown["defender_no_line"]) == (-3, 3)


@pytest.mark.clause("7.11")
def test_one_attacking_hex_without_a_line_is_enough() -> None:
    body = {"turn": 3, "phase": "allied_combat_2", "clear": True}
    both = play({**body, "units": {"AR-INF-1": "1830", "AR-INF-2": "2030", FOOT[0]: "1929"}})
    assert modifiers(odds(both, A, "1929", "AR-INF-1", "AR-INF-2"))["attacker_no_line"] == -3
    assert "attacker_no_line" not in modifiers(odds(both, A, "1929", "AR-INF-1"))


@pytest.mark.clause("7.11", "13.24")
def test_a_supply_unit_in_battle_is_three_the_attacker_says_first() -> None:
    game = play({"turn": 3, "phase": "allied_combat_2", "clear": True,
                 "units": {**at("1337", units("AR-INF-", 3)), "BR-SUP-Sup-1": "1337",
                           **at("1336", [*FOOT[:4], "PY-SUP-Sup-1", "PY-SUP-Sup-2"])}}, [5])
    attack(game, A, "1336", *units("AR-INF-", 3))
    assert game.asked == (A,)
    answer(game, A, lots={"supply": ["BR-SUP-Sup-1"]})
    assert game.asked == (P,)
    assert lots(game, P)["supply"]["max"] == 1
    assert refused(game, P, lots={"supply": ["PY-SUP-Sup-1", "PY-SUP-Sup-2"]}) == ("count", "13.24")
    answer(game, P, lots={"supply": ["PY-SUP-Sup-1"]})
    rolled = told(game, "combat_rolled")[0]["data"]["odds"]
    shown = modifiers(rolled)
    assert (shown["attacker_supply"], shown["defender_supply"]) == (3, -3)


@pytest.mark.clause("7.15")
def test_nobody_has_to_stay_in_supply() -> None:
    game = play({"turn": 3, "clear": True, "units": {"PY-CAV-1": "2128"}})
    move(game, P, "PY-CAV-1", "2128", "2129", "2030")
    assert game.pos.at["PY-CAV-1"] == "2030"
