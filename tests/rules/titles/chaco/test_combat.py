"""12 Combat, 13 armour, guns and aircraft."""

from typing import Any

import pytest

from rules.core.request import Request
from rules.titles.chaco import strength
from rules.titles.chaco.strength import Battle, odds
from tests.rules.titles.chaco.builders import (
    B,
    P,
    Play,
    answer,
    bare,
    choose,
    forms,
    last,
    pass_on,
    play,
    position,
    preview,
    prompt,
    refused,
    told,
    view,
)

SCRUB = {"PY-CAV-AC": "2727", "PY-LDR-Estig": "2727", "BO-INF-21": "2728"}


def battle(units: dict[str, str], dice: list[int], side: str = P, options: dict[str, Any] | None = None,
           **body: Any) -> Play:
    """The first combat phase of a side, without aircraft unless the body has them."""
    body = {"air": {P: 0, B: 0}, "points": {P: 20, B: 20}, **body}
    return play(bare(phase=f"{side}_combat_1", units=units, **body), dice, options=options)


def strike(game: Play, seat: str, target: str, *units: str) -> None:
    answer(game, seat, "attack", target=target, units=sorted(units))


def modifiers(shown: dict[str, Any]) -> dict[str, int]:
    return {m["label"]["key"].removeprefix("modifier."): m["value"] for m in shown["modifiers"]}


@pytest.mark.clause("12.4", "12.5", "2.9", "2.10")
@pytest.mark.parametrize(("attack", "defense", "ratio", "column", "safe"), [
    (10, 3, "3:1", "3:1", False), (11, 4, "2:1", "2:1", False), (5, 5, "1:1", "1:1", False),
    (5, 6, "1:2", "1:2", False), (5, 11, "1:3", "1:2", True), (90, 9, "10:1", "8:1", False)])
def test_odds_are_rounded_for_the_defender(attack: int, defense: int, ratio: str, column: str, safe: bool) -> None:
    found = odds(attack, defense)
    assert (found.ratio, found.column, found.safe) == (ratio, column, safe)


@pytest.mark.clause("12.1", "12.4", "12.13", "12.14", "2.16")
def test_an_attack_from_its_announcement_to_the_losses() -> None:
    game = battle(SCRUB, [4], supply={P: {"2727": 1}})
    assert prompt(game, P) == "combat"
    shown = preview(game, P, "attack", target="2728", units=["PY-CAV-AC"])["effect"]
    assert shown["ratio"] == "3:1", "the defender has no supply in reach"
    strike(game, P, "2728", "PY-CAV-AC")
    assert prompt(game, P) == "attacker_supply"
    answer(game, P, "attacker_supply", lots={"2727": ["PY-CSP-1"]})
    rolled = last(game, "combat_rolled")
    assert rolled["odds"]["attack"] == 10
    assert rolled["odds"]["defense"] == 3, "without supply 6 are halved"
    assert modifiers(rolled["odds"]) == {"into_scrub": -1, "leader": 2}
    assert (rolled["attacker"], rolled["defender"]) == ("10", "25R")
    assert "PY-CSP-1" not in game.pos.at
    assert prompt(game, B) == "defender_losses"


@pytest.mark.clause("12.2")
def test_attackers_need_a_leader_with_or_beside_them() -> None:
    alone = battle({"PY-CAV-AC": "2727", "BO-INF-21": "2728", "PY-LDR-Estig": "2725"}, [])
    assert prompt(alone, P) != "combat" or "attack" not in forms(alone, P)
    beside = battle({"PY-CAV-AC": "2727", "BO-INF-21": "2728", "PY-LDR-Estig": "2726"}, [])
    assert "attack" in forms(beside, P)


@pytest.mark.clause("12.2")
def test_each_unit_attacks_and_is_attacked_once_a_phase() -> None:
    units = {"PY-CAV-AC": "2727", "PY-INF-ITOR": "2727", "PY-LDR-Estig": "2727", "BO-INF-21": "2728",
             "BO-INF-14": "2828"}
    game = battle(units, [1])
    strike(game, P, "2728", "PY-CAV-AC")
    while prompt(game, P) != "combat":
        pass_on(game)
    targets = forms(game, P)["attack"]["targets"]
    assert list(targets) == ["2828"]
    assert targets["2828"]["from"] == {"2727": ["PY-INF-ITOR"]}


@pytest.mark.clause("12.2")
def test_a_leader_named_as_attacker_is_refused() -> None:
    game = battle(SCRUB, [])
    shown = preview(game, P, "attack", target="2728", units=["PY-LDR-Estig"])
    assert [one["key"] for one in shown["problems"]] == ["refusal.no_attack_factor"]


@pytest.mark.clause("7.4", "12.1")
def test_nobody_has_to_attack() -> None:
    game = battle(SCRUB, [])
    choose(game, P, "no_attack")
    assert not told(game, "attack_announced")


@pytest.mark.clause("12.3")
def test_several_hexes_at_once_by_units_beside_all_of_them() -> None:
    units = {"PY-CAV-AC": "2727", "PY-LDR-Estig": "2727", "PY-INF-ITOR": "2726", "BO-INF-21": "2728",
             "BO-INF-20": "2828"}
    game = battle(units, [1], supply={P: {"2727": 1}})
    choose(game, P, "2728+2828")
    form = forms(game, P)["attack"]
    assert form["targets"] == {"2728": {"from": {"2727": ["PY-CAV-AC"]}}}
    strike(game, P, "2728", "PY-CAV-AC")
    assert set(last(game, "attack_announced")["defenders"]) == {"BO-INF-21", "BO-INF-20"}
    answer(game, P, "attacker_supply", lots={})
    shown = last(game, "combat_rolled")["odds"]
    assert shown["attack"] == 5
    assert shown["defense"] == 3 + 2


@pytest.mark.clause("12.3")
def test_a_joint_plan_can_be_given_up_once() -> None:
    units = {"PY-CAV-AC": "2727", "PY-LDR-Estig": "2727", "BO-INF-21": "2728", "BO-INF-14": "2828"}
    game = battle(units, [])
    choose(game, P, "2728+2828")
    choose(game, P, "part")
    assert "join" not in forms(game, P)
    assert set(forms(game, P)["attack"]["targets"]) == {"2728", "2828"}


@pytest.mark.clause("12.3", "12.13")
def test_the_terrain_best_for_the_defender_counts() -> None:
    units = {"PY-CAV-AC": "1437", "BO-INF-21": "1436", "BO-INF-14": "1537", "PY-LDR-Garay": "1437"}
    pos = position(**bare(units=units))
    fight = Battle(P, ["1436", "1537"], ["PY-CAV-AC"], ["BO-INF-21", "BO-INF-14"])
    assert pos.terrain("1437") == "clear"
    assert modifiers({"modifiers": [m.as_json() for m in strength.modifiers(pos, fight)]})["into_scrub"] == -1


@pytest.mark.clause("12.12", "12.4")
def test_each_group_of_attackers_is_halved_and_rounded_up_for_itself() -> None:
    units = {"PY-INF-ITOR": "2512", "PY-INF-YAC": "2613", "BO-INF-21": "2612", "PY-LDR-Estig": "2512"}
    pos = position(**bare(units=units))
    fight = Battle(P, ["2612"], ["PY-INF-ITOR", "PY-INF-YAC"], ["BO-INF-21"])
    assert pos.game.river("2512", "2612")
    assert not pos.game.river("2613", "2612")
    assert strength.attack_strength(pos, fight) == 2 + 3, "5 -> 3 -> 2 over the river, 5 -> 3"
    fight.served = {"2512", "2613"}
    assert strength.attack_strength(pos, fight) == 3 + 5


@pytest.mark.clause("12.13", "14.3", "14.4")
@pytest.mark.parametrize(("works", "defense"), [({}, 3), ({"2728": "entrenchment"}, 6), ({"2728": "fortification"}, 9)])
def test_works_double_or_triple_the_defence_after_halving(works: dict[str, str], defense: int) -> None:
    pos = position(**bare(units=SCRUB, works=works))
    fight = Battle(P, ["2728"], ["PY-CAV-AC"], ["BO-INF-21"])
    assert strength.defense_strength(pos, fight) == defense
    fight.kept = {"2728"}
    assert strength.defense_strength(pos, fight) == 2 * defense


@pytest.mark.clause("2.10")
def test_bracketed_guns_defend_only_when_alone() -> None:
    pos = position(**bare(units={"BO-ART-A1": "2728", "BO-ENG-E1": "2728"}))
    assert strength.defends(pos, ["BO-ART-A1", "BO-ENG-E1"]) == ["BO-ENG-E1"]
    assert strength.defends(pos, ["BO-ART-A1"]) == ["BO-ART-A1"]


@pytest.mark.clause("12.13")
def test_no_attack_over_a_river_in_the_rains_and_one_from_the_clear_subtracts() -> None:
    units = {"PY-INF-ITOR": "2512", "PY-LDR-Estig": "2512", "BO-INF-21": "2612"}
    assert "attack" in forms(battle(units, []), P)
    wet = battle(units, [], rain=True)
    assert prompt(wet, P) != "combat" or "attack" not in forms(wet, P)
    pos = position(**bare(units={"PY-CAV-AC": "1437", "BO-INF-21": "1436"}))
    fight = Battle(P, ["1436"], ["PY-CAV-AC"], ["BO-INF-21"])
    assert strength.from_clear(pos, fight)


@pytest.mark.clause("12.13")
@pytest.mark.parametrize(("option", "value"), [("swamp", -1), ("clear", 0)])
def test_the_third_terrain_is_swamp_or_by_option_the_clear(option: str, value: int) -> None:
    pos = position({"third_terrain": option}, **bare(units={}))
    assert strength.terrain_modifier(pos, "1236") == value
    assert strength.terrain_modifier(pos, "1437") == (0 if option == "swamp" else -1)
    assert strength.terrain_modifier(pos, "1406") == -1
    assert strength.terrain_modifier(pos, "1601") == -2


@pytest.mark.clause("12.14", "2.15")
def test_the_commander_leads_else_the_highest_political_rating() -> None:
    pos = position(**bare(units={"PY-LDR-Garay": "2727", "PY-LDR-Franco": "2727", "PY-LDR-Estig": "2726"}))
    assert strength.leading(pos, P, ["PY-LDR-Garay", "PY-LDR-Franco"]) == "PY-LDR-Franco"
    assert strength.leading(pos, P, ["PY-LDR-Garay", "PY-LDR-Estig"]) == "PY-LDR-Estig"
    assert strength.leading(pos, P, []) is None


@pytest.mark.clause("12.6")
def test_losses_are_a_share_of_the_factors_that_the_owner_chooses() -> None:
    units = {**SCRUB, "BO-INF-20": "2728", "BO-ART-A1": "2728"}
    game = battle(units, [3], supply={P: {"2727": 1}})
    strike(game, P, "2728", "PY-CAV-AC")
    answer(game, P, "attacker_supply", lots={"2727": ["PY-CSP-1"]})
    assert last(game, "combat_rolled")["defender"] == "25"
    assert game.pending[B].args == {"n": 3}, "a quarter of 6 + 4, rounded up; the guns did not count"
    assert refused(game, B, "defender_losses", lots={"flip": ["BO-INF-20"]}) == ("too_few_factors", "12.6")
    answer(game, B, "defender_losses", lots={"flip": ["BO-INF-21"]})
    assert game.pos.reduced == ["BO-INF-21"]
    assert game.pos.vp[P] == 20, "a unit turned over scores nothing"


@pytest.mark.clause("12.6", "16.2", "2.12")
def test_units_given_up_count_whole_and_score() -> None:
    units = {**SCRUB, "BO-INF-14": "2728"}
    game = battle(units, [3], supply={P: {"2727": 1}})
    strike(game, P, "2728", "PY-CAV-AC")
    answer(game, P, "attacker_supply", lots={"2727": ["PY-CSP-1"]})
    answer(game, B, "defender_losses", lots={"kill": ["BO-INF-14"]})
    assert game.pos.at["BO-INF-14"] == "dead:bolivia"
    assert game.pos.vp[P] == 21


@pytest.mark.clause("12.6")
def test_where_both_would_vanish_nothing_happens() -> None:
    from rules.titles.chaco.outcome import Force, Result, vanishes
    pos = position(**bare(units={"PY-ENG-E1": "2727", "BO-ENG-E1": "2728", "BO-INF-21": "2728"}))
    assert vanishes(pos, Force(P, ["PY-ENG-E1"], True), Result("10"))
    assert vanishes(pos, Force(B, ["BO-ENG-E1"], False), Result("E"))
    assert not vanishes(pos, Force(B, ["BO-INF-21"], False), Result("50"))
    game = battle({"PY-ENG-E1": "2727", "PY-LDR-Estig": "2727", "BO-ENG-E1": "2728"}, [1])
    strike(game, P, "2728", "PY-ENG-E1")
    while prompt(game, P) != "combat" and game.asked and game.pos.stage.startswith(f"{P}_combat_1"):
        pass_on(game)
    assert told(game, "combat_rolled")


@pytest.mark.clause("12.7")
def test_retreat_and_rout_by_a_die_for_each_unit() -> None:
    game = battle({**SCRUB, "BO-LDR-Bilbao": "2728", "BO-INF-4": "1537"}, [4, 3], supply={P: {"2727": 1}})
    strike(game, P, "2728", "PY-CAV-AC")
    answer(game, P, "attacker_supply", lots={"2727": ["PY-CSP-1"]})
    answer(game, B, "defender_losses", lots={"flip": ["BO-INF-21"]})
    shown = last(game, "retreat_rolled")
    assert shown["row"] == 4, "three and Bilbao's one"
    assert shown["how"] == "how.retreat"
    assert prompt(game, B) == "retreat"
    goals = {o["id"] for o in forms(game, B)["retreat"]["options"]}
    assert goals == {"2829", "2729", "2629"} - {h for h in goals if h in game.pos.game.map.neighbours["2727"]}
    choose(game, B, "2729")
    assert game.pos.at["BO-INF-21"] == "2729"
    assert game.pos.at["BO-LDR-Bilbao"] == "2729", "leaders go along for no points (12.8)"
    assert game.pos.vp[P] == 20


@pytest.mark.clause("12.8", "7.5")
def test_who_cannot_retreat_loses_a_step_where_he_stands() -> None:
    ring = {"PY-INF-5": "2730", "PY-INF-7": "2930", "PY-INF-8": "2530", "PY-INF-9": "2527"}
    game = battle({**SCRUB, **ring, "BO-INF-4": "1537"}, [4, 5, 1], supply={P: {"2727": 1}})
    strike(game, P, "2728", "PY-CAV-AC")
    answer(game, P, "attacker_supply", lots={"2727": ["PY-CSP-1"]})
    answer(game, B, "defender_losses", lots={"flip": ["BO-INF-21"]})
    events = [s["event"] for s in told(game)]
    assert "no_retreat" in events or "retreated" in events or prompt(game, B) == "retreat"
    game.chance.rolls.clear()


@pytest.mark.clause("12.8")
def test_a_rout_runs_home_and_stops_at_a_leader() -> None:
    game = battle({**SCRUB, "BO-LDR-Toro": "2722", "BO-INF-4": "1537"}, [4, 1], supply={P: {"2727": 1}})
    strike(game, P, "2728", "PY-CAV-AC")
    answer(game, P, "attacker_supply", lots={"2727": ["PY-CSP-1"]})
    answer(game, B, "defender_losses", lots={"flip": ["BO-INF-21"]})
    assert last(game, "retreat_rolled")["how"] == "how.rout"
    while prompt(game, B) == "retreat":
        pass_on(game)
    assert told(game, "routed") or told(game, "no_rout")
    assert "BO-INF-21" in game.pos.fled or told(game, "no_rout")


@pytest.mark.clause("12.9", "10.3", "16.2")
def test_an_eliminated_stack_loses_its_trucks_and_displaces_its_leader() -> None:
    units = {**SCRUB, "PY-INF-YAC": "2727", "BO-INF-21": "dead", "BO-ENG-E1": "2728", "BO-LDR-Pena": "2728",
             "BO-TRK-1": "2728", "BO-INF-4": "1537"}
    game = battle(units, [6, 3, 1, 6], supply={P: {"2727": 1}, B: {"2728": 2}})
    strike(game, P, "2728", "PY-CAV-AC", "PY-INF-YAC")
    answer(game, P, "attacker_supply", lots={"2727": ["PY-CSP-1"]})
    answer(game, B, "defender_supply", lots={})
    assert last(game, "combat_rolled")["defender"] == "E"
    assert game.pos.at["BO-TRK-1"] == "trucks:bolivia"
    assert game.pos.at["BO-LDR-Pena"] == "1537"
    assert game.pos.vp[P] == 20 + 1 + 3 * 2
    assert prompt(game, P) == "advance"
    answer(game, P, "advance", placed={"PY-CAV-AC": "2728"})
    assert game.pos.at["PY-CAV-AC"] == "2728"
    assert last(game, "supply_taken")["taken"] == 1
    assert game.pos.vp[P] == 20 + 1 + 6 + 1


@pytest.mark.clause("12.9", "12.11")
def test_supply_that_no_advance_captures_is_lost() -> None:
    units = {**SCRUB, "PY-INF-YAC": "2727", "BO-INF-21": "dead", "BO-ENG-E1": "2728", "BO-INF-4": "1537"}
    game = battle(units, [6], supply={P: {"2727": 1}, B: {"2728": 2}})
    strike(game, P, "2728", "PY-CAV-AC", "PY-INF-YAC")
    answer(game, P, "attacker_supply", lots={"2727": ["PY-CSP-1"]})
    answer(game, B, "defender_supply", lots={})
    choose(game, P, "no_advance")
    assert not game.pos.stack("2728")


@pytest.mark.clause("12.11", "7.6", "11.2", "16.2")
def test_an_advance_ignores_zones_and_takes_settlements_undoubled() -> None:
    units = {"PY-CAV-AC": "2837", "PY-LDR-Estig": "2837", "PY-INF-YAC": "2837", "BO-ENG-E1": "2836",
             "BO-INF-14": "2834", "BO-INF-4": "1537"}
    game = battle(units, [6, 4], supply={P: {"2837": 1}})
    strike(game, P, "2836", "PY-CAV-AC", "PY-INF-YAC")
    answer(game, P, "attacker_supply", lots={"2837": ["PY-CSP-1"]})
    assert refused(game, P, "advance", placed={"PY-LDR-Estig": "2836"}) == ("combat_unit_first", "12.11")
    answer(game, P, "advance", placed={"PY-CAV-AC": "2836", "PY-LDR-Estig": "2836"})
    assert last(game, "settlement_taken")["points"] == 4


@pytest.mark.clause("12.11")
def test_the_defender_may_advance_into_emptied_attacking_hexes() -> None:
    units = {"PY-INF-ITOR": "2727", "PY-LDR-Estig": "2727", "BO-INF-COLOR": "2728", "BO-INF-16": "2728",
             "PY-INF-5": "2741"}
    game = battle(units, [1, 5], reduced=["PY-INF-ITOR"])
    strike(game, P, "2728", "PY-INF-ITOR")
    while game.asked and prompt(game, B) != "advance":
        pass_on(game)
        if game.pos.stage != f"{P}_combat_1":
            break
    assert prompt(game, B) == "advance"
    answer(game, B, "advance", placed={"BO-INF-16": "2727"})
    assert game.pos.at["BO-INF-16"] == "2727"
    game.chance.rolls.clear()


@pytest.mark.clause("12.11", "12.3")
def test_no_defender_follows_into_a_hex_that_the_attackers_left_to_advance() -> None:
    from rules.titles.chaco.outcome import Result, advances
    pos = position(**bare(units={"PY-CAV-AC": "2727", "BO-INF-21": "2828"}))
    fight = Battle(P, ["2728", "2828"], ["PY-CAV-AC"], ["BO-INF-21"])
    going = advances(pos, fight, ["2727"], Result("10"))
    asked = next(going)
    assert isinstance(asked, Request)
    assert asked.seat == P
    with pytest.raises(StopIteration):
        going.send({"form": "advance", "placed": {"PY-CAV-AC": "2728"}})
    assert pos.at["PY-CAV-AC"] == "2728"


@pytest.mark.clause("12.10")
def test_those_who_fell_back_do_not_defend_and_are_lost_with_the_hex() -> None:
    pos = position(**bare(units={"BO-INF-21": "2728", "BO-INF-14": "2728"}))
    from rules.titles.chaco.combat import defenders_of
    pos.fled["BO-INF-14"] = "2728"
    pos.assailed.append("BO-INF-14")
    assert defenders_of(pos, "2728", B) == ["BO-INF-21"]
    from rules.titles.chaco.outcome import apply
    fight = Battle(P, ["2728"], [], ["BO-INF-21"])
    pos.put("PY-CAV-AC", "2727")
    fight.units = ["PY-CAV-AC"]
    list(_run(apply(pos, fight, "-", "E")))
    assert pos.at["BO-INF-14"] == "dead:bolivia"


def _run(procedure: Any) -> Any:
    """The requests of a procedure, each declined."""
    try:
        asked = procedure.send(None)
        while True:
            yield asked
            last_form = asked.forms[-1]
            asked = procedure.send({"form": last_form.name, "option": last_form.options[-1].id})
    except StopIteration:
        return


@pytest.mark.clause("12.12")
def test_the_attacker_says_first_what_he_spends_and_each_may_refuse() -> None:
    game = battle({**SCRUB, "BO-LDR-Bilbao": "2728"}, [1], supply={P: {"2727": 2}, B: {"2728": 1}})
    strike(game, P, "2728", "PY-CAV-AC")
    assert prompt(game, P) == "attacker_supply"
    answer(game, P, "attacker_supply", lots={})
    assert prompt(game, B) == "defender_supply"
    answer(game, B, "defender_supply", lots={"2728": ["BO-CSP-1"]})
    shown = last(game, "combat_rolled")["odds"]
    assert shown["attack"] == 5
    assert shown["defense"] == 6


@pytest.mark.clause("13.3")
def test_aircraft_go_after_the_odds_attacker_first_and_are_used_up() -> None:
    game = battle(SCRUB, [1], air={P: 1, B: 1})
    strike(game, P, "2728", "PY-CAV-AC")
    assert prompt(game, P) == "attacker_aircraft"
    choose(game, P, "aircraft")
    assert prompt(game, B) == "defender_aircraft"
    choose(game, B, "no_aircraft")
    assert modifiers(last(game, "combat_rolled")["odds"])["aircraft_attack"] == 1
    assert game.pos.air == {P: 0, B: 1}


@pytest.mark.clause("13.1")
def test_armour_makes_paraguayans_in_the_clear_run() -> None:
    from rules.titles.chaco.outcome import _armour_breaks
    units = {"BO-ARM-T1": "1436", "BO-INF-21": "1436", "PY-INF-ITOR": "1437"}
    fight = Battle(B, ["1437"], ["BO-ARM-T1", "BO-INF-21"], ["PY-INF-ITOR"])
    assert _armour_breaks(position(**bare(units=units)), fight) == -1
    assert _armour_breaks(position(**bare(units=units, works={"1437": "entrenchment"})), fight) == 0
    fight.units = ["BO-INF-21"]
    assert _armour_breaks(position(**bare(units=units)), fight) == 0


@pytest.mark.clause("13.2")
def test_barrage_costs_a_point_a_battery_and_takes_steps() -> None:
    units = {"PY-ART-A1": "2727", "PY-ART-A2": "2727", "PY-LDR-Estig": "2727", "BO-INF-21": "2728"}
    game = battle(units, [6], options={"barrage": "on"}, supply={P: {"2727": 2}})
    assert prompt(game, P) == "barrage"
    answer(game, P, "barrage", target="2728", units=["PY-ART-A1", "PY-ART-A2"])
    shown = last(game, "barrage_fired")
    assert shown["row"] == 5, "six, less one for the scrub"
    assert shown["steps"] == 1
    assert game.pos.reduced == ["BO-INF-21"]
    assert not [u for u in game.pos.at if u.startswith("PY-CSP")]
    assert prompt(game, P) == "combat", "no second barrage; the guns may still attack"
    assert "PY-ART-A1" in forms(game, P)["attack"]["targets"]["2728"]["from"]["2727"]


@pytest.mark.clause("13.2", "12.12")
def test_every_battery_needs_a_point_that_reaches_it() -> None:
    units = {"PY-ART-A1": "2727", "PY-ART-A2": "2727", "PY-ART-A3": "2829", "PY-LDR-Estig": "2728",
             "PY-LDR-Garay": "2829", "BO-INF-21": "2828"}
    game = battle(units, [], options={"barrage": "on"}, supply={P: {"2727": 1, "2829": 2}}, radius={P: 0})
    guns = ["PY-ART-A1", "PY-ART-A2", "PY-ART-A3"]
    assert refused(game, P, "barrage", target="2828", units=guns) == ("too_little_supply", "13.2")
    answer(game, P, "barrage", target="2828", units=guns[1:])


@pytest.mark.clause("13.2")
def test_without_supply_or_option_no_gun_fires() -> None:
    units = {"PY-ART-A1": "2727", "PY-LDR-Estig": "2727", "BO-INF-21": "2728"}
    assert prompt(battle(units, [], options={"barrage": "on"}), P) == "combat"
    assert prompt(battle(units, [], supply={P: {"2727": 1}}), P) == "combat"


@pytest.mark.clause("10.13")
def test_mounted_cavalry_attacks_worse() -> None:
    pos = position({"cavalry": "mounted"}, **bare(units={**SCRUB, "PY-INF-ITOR": "2727"}))
    half = Battle(P, ["2728"], ["PY-CAV-AC", "PY-INF-ITOR"], ["BO-INF-21"])
    assert "mounted_attack" in [m.id for m in strength.modifiers(pos, half)]
    half.units = ["PY-INF-ITOR"]
    assert "mounted_attack" not in [m.id for m in strength.modifiers(pos, half)]


@pytest.mark.clause("12.1", "4.2")
def test_the_other_side_attacks_in_the_reaction_combat_phase() -> None:
    game = battle(SCRUB | {"BO-LDR-Toro": "2728"}, [])
    choose(game, P, "no_attack")
    assert prompt(game, B) == "combat"
    assert game.pos.stage == f"{B}_combat_0"
    choose(game, B, "no_attack")
    assert game.pos.stage == f"{P}_combat_2"


def test_limited_intelligence_shows_the_top_of_a_stack_and_its_leaders_until_it_is_attacked() -> None:
    units = {**SCRUB, "BO-INF-14": "2728", "BO-LDR-Toro": "2728"}
    game = battle(units, [], options={"intelligence": "limited"})
    seen = view(game, P)["space:2728"]
    assert seen["count"] == 3
    assert "units" not in seen
    assert seen["top"]["id"] == "BO-INF-21"
    assert [m["id"] for m in seen["markers"]] == ["BO-LDR-Toro"]
    assert len(view(game, B)["space:2728"]["units"]) == 3
    assert preview(game, P, "attack", target="2728", units=["PY-CAV-AC"])["effect"]["assumed"]
    strike(game, P, "2728", "PY-CAV-AC")
    assert set(last(game, "attack_announced", P)["defenders"]) == {"BO-INF-21", "BO-INF-14"}
