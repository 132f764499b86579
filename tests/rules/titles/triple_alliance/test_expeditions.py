"""8 The Matto Grosso invasion and the Mendoza rebellion."""

from typing import Any

import pytest

from tests.rules.titles.triple_alliance.builders import (
    A,
    P,
    Play,
    answer,
    at,
    choose,
    decline_until,
    ends,
    forms,
    groups,
    last,
    lots,
    move,
    new_game,
    play,
    refused,
    rows,
    told,
    units,
    view,
)

FOOT = units("PY-INF-")
FORCE = ["BR-INF-MG", "BR-INF-Go", "BR-SUP-Sup-1"]
EDGE = ["2819", "2919", "3019", "3119", "3220", "3221", "3222", "3223", "3224", "3225", "3226"]
INVASION: dict[str, Any] = {"turn": 5, "phase": "events", "mendoza": "crushed", "clear": True,
                            "matto_grosso": "launched"}


def invaded(units_: dict[str, str], dice: list[int] | None = None, **more: Any) -> Play:
    """Turn V begins and the Brazilians are on their way; two dice for what else may be on the map."""
    return play({**INVASION, "units": {**at("away:matto_grosso", FORCE), **units_}, **more}, dice or [])


# -- 8.1, 8.2 the decision -----------------------------------------------------------------------------------


@pytest.mark.clause("8.1", "8.2")
def test_no_invasion_and_nobody_is_asked_in_turn_five() -> None:
    game = play({**INVASION, "matto_grosso": "not_launched", "units": {FOOT[0]: "1826"}}, [9])
    assert (game.pos.stage, game.asked) == ("paraguay_movement", (P,))


@pytest.mark.clause("8.1", "8.2")
def test_the_question_comes_in_turn_five_only() -> None:
    for turn, state in ((4, "launched"), (6, "unopposed")):
        game = invaded({FOOT[0]: "1826"}, [9], turn=turn, matto_grosso=state)
        assert game.pos.stage == "paraguay_movement"
    game = invaded({FOOT[0]: "1826", FOOT[1]: "2026"})
    assert game.asked == (P,)
    assert set(forms(game, P)) == {"let_them_come", "meet_invasion"}
    assert "forms" not in (game.request_for(A) or {})


@pytest.mark.clause("8.2")
def test_the_force_may_hold_guards_but_no_cavalry_and_only_reinforcements() -> None:
    game = new_game()
    offered = lots(game, A, "invasion")["infantry"]["units"]
    assert "BR-INF-GN-1" in offered
    assert not {"BR-CAV-1", "BR-ART-2", "AR-INF-2", "BR-INF-1F"} & set(offered)
    answer(game, A, "invasion", lots={"infantry": ["BR-INF-GN-1", "BR-INF-RG"], "supply": ["BR-SUP-Sup-1"]})
    answer(game, A, placed=forms(game, A)["set_up"]["suggested"])
    assert game.pos.matto_grosso == "launched"
    assert rows(game, P, "points")["matto_grosso"] == 0


@pytest.mark.clause("8.2")
def test_the_force_waits_aside_and_does_not_enter_before() -> None:
    game = play({**INVASION, "turn": 4, "phase": "allied_movement", "units": {**at("away:matto_grosso", FORCE)}})
    assert "matto_grosso" not in groups(game, A, "enter")
    assert not set(FORCE) & {u for group in groups(game, A, "enter").values() for u in group["units"]}


@pytest.mark.clause("8.2")
def test_events_come_before_attrition_and_mendoza_too() -> None:
    game = play({**INVASION, "mendoza": "quiet", "units": {**at("away:matto_grosso", FORCE), FOOT[0]: "1826",
                                                           FOOT[1]: "2026"}}, [9, 9, 9])
    choose(game, P, "let_them_come")
    assert [s["event"] for s in told(game)][:3] == ["mendoza_rolled", "matto_grosso_unopposed", "attrition_began"]


# -- 8.2 the answer ------------------------------------------------------------------------------------------


@pytest.mark.clause("8.2")
def test_two_infantry_beat_it() -> None:
    game = invaded({**at("2026", FOOT[:3]), "BR-INF-5F": "turn:2"}, [9])
    assert lots(game, P, "meet_invasion")["force"]["min"] == 2
    assert refused(game, P, "meet_invasion", lots={"force": FOOT[:1]}) == ("count", "8.2")
    answer(game, P, "meet_invasion", lots={"force": FOOT[:2]})
    assert {game.pos.at[u] for u in FORCE} == {"dead:allied"}
    assert {game.pos.at[u] for u in FOOT[:2]} == {"turn:6"}
    assert last(game, "attrition_rolled")["count"] == 1  # the two are away before the dice
    assert game.pos.matto_grosso == "answered"
    decline_until(game, "allied_movement")
    assert "matto_grosso" not in groups(game, A, "enter")


@pytest.mark.clause("8.2", "10.2", "10.5")
def test_the_beaten_can_be_bought_back_though_they_never_stood_on_the_map() -> None:
    game = invaded(at("2026", FOOT[:2]))
    answer(game, P, "meet_invasion", lots={"force": FOOT[:2]})
    decline_until(game, "allied_movement")
    answer(game, A, "replace", placed={"BR-INF-MG": "1943", "BR-SUP-Sup-1": "1042"})
    assert game.pos.at["BR-INF-MG"] == "1943"


@pytest.mark.clause("8.2")
def test_who_may_meet_it() -> None:
    """Infantry (the sappers with it), in Paraguay, the Chaco too, and no Allied unit adjacent."""
    game = invaded({FOOT[0]: "2026", "PY-ENG-S": "2026", FOOT[1]: "1621", "PY-CAV-1": "2026", "PY-ART-1": "2026",
                    FOOT[2]: "1335", FOOT[3]: "2535", FOOT[4]: "2228", "AR-CAV-1": "2128", FOOT[5]: "dead"}, [9] * 5)
    assert set(lots(game, P, "meet_invasion")["force"]["units"]) == {FOOT[0], "PY-ENG-S", FOOT[1]}
    assert refused(game, P, "meet_invasion", lots={"force": [FOOT[0], FOOT[4]]}) == ("not_of_the_lot", "8.2")
    assert refused(game, P, "meet_invasion", lots={"force": [FOOT[0], "PY-CAV-1"]}) == ("not_of_the_lot", "8.2")
    answer(game, P, "meet_invasion", lots={"force": [FOOT[1], "PY-ENG-S"]})


@pytest.mark.clause("8.2")
def test_asked_even_without_two_fit_infantry() -> None:
    game = invaded({FOOT[0]: "2026", FOOT[1]: "1335"}, [9, 9])
    assert set(forms(game, P)) == {"let_them_come"}
    assert game.asked == (P,)  # not forced: nobody can see that he can't
    choose(game, P, "let_them_come")
    assert game.pos.matto_grosso == "unopposed"


@pytest.mark.clause("8.2")
def test_boxed_infantry_may_go_and_the_box_shrinks() -> None:
    game = invaded(at("2026", FOOT[:3]), [9], boxes={P: {"1": "2026"}})
    answer(game, P, "meet_invasion", lots={"force": FOOT[:2]})
    assert view(game, A)["space:2026"] == {"side": P, "control": P, "count": 1, "box": 1}
    assert last(game, "matto_grosso_beaten", A)["units"] == FOOT[:2]


@pytest.mark.clause("8.2")
def test_under_the_option_one_infantry_and_one_cavalry() -> None:
    game = play({**INVASION, "units": {**at("away:matto_grosso", FORCE), **at("2026", FOOT[:2], "PY-CAV-1",
                                                                              "PY-CAV-2")}},
                [9], {"matto_grosso_force": "infantry_and_cavalry"})
    for force in (FOOT[:2], ["PY-CAV-1", "PY-CAV-2"]):
        assert refused(game, P, "meet_invasion", lots={"force": force}) == ("one_of_each", "8.2")
    answer(game, P, "meet_invasion", lots={"force": [FOOT[0], "PY-CAV-1"]})


@pytest.mark.clause("8.2", "9.2", "10.7")
def test_the_two_come_back_free_in_turn_six_where_replacements_do() -> None:
    game = invaded(at("2026", FOOT[:2]), [])
    answer(game, P, "meet_invasion", lots={"force": FOOT[:2]})
    assert "enter" not in forms(game, P)  # not yet in V
    decline_until(game, "allied_movement")
    ends(game, A)
    assert (game.pos.turn, game.pos.stage) == (6, "paraguay_movement")
    [group] = groups(game, P, "enter").values()
    assert (set(group["units"]), set(group["where"])) == (set(FOOT[:2]), {"1432", "1826", "2026"})
    answer(game, P, "enter", placed={FOOT[0]: "1826", FOOT[1]: "1432"})
    assert rows(game, P, "replacements")["paraguay"] == 2  # free of cost
    move(game, P, FOOT[0], "1826", "1926")


@pytest.mark.clause("8.2", "10.7")
def test_they_wait_until_an_entry_hex_is_open() -> None:
    body: dict[str, Any] = {"turn": 6, "clear": True, "matto_grosso": "answered", "taken": ["1826", "2026"],
                            "units": {**at("turn:6", FOOT[:2]), "AR-INF-1": "1628", FOOT[2]: "1627"}}
    shut = play(body)
    [group] = groups(shut, P, "enter").values()
    assert group["where"] == []
    assert {h: why["key"] for h, why in group["barred"].items()} == {
        "1826": "refusal.entry_lost",
        "2026": "refusal.entry_lost",
        "1432": "refusal.entry_cut",
    }  # Humaitá has no line to a town that was never Allied
    assert refused(shut, P, "enter", placed={FOOT[0]: "1432"}) == ("entry_cut", "10.7")
    later = play({**body, "turn": 7, "taken": ["1826"]})
    assert set(groups(later, P, "enter")["reinforcements"]["where"]) == {"2026"}
    answer(later, P, "enter", placed={FOOT[0]: "2026"})  # one at a time, if he likes
    assert later.pos.at[FOOT[1]] == "turn:6"


# -- 8.2 unopposed -------------------------------------------------------------------------------------------


@pytest.mark.clause("8.2")
def test_unopposed_the_three_enter_anywhere_on_the_edge() -> None:
    game = invaded({FOOT[0]: "3222"}, [9])
    choose(game, P, "let_them_come")
    decline_until(game, "allied_movement")
    group = groups(game, A, "enter")["matto_grosso"]
    assert set(group["units"]) == set(FORCE)
    assert group["where"] == [h for h in EDGE if h != "3222"]
    assert refused(game, A, "enter", placed={FORCE[0]: "3222"}) == ("entry_held", "8.2")
    assert refused(game, A, "enter", placed={FORCE[0]: "1943"}) == ("not_entry", "8.2")
    answer(game, A, "enter", placed=dict.fromkeys(FORCE, "2819"))
    move(game, A, FORCE[:2], "2819", "2719")  # at once, as any unit
    assert game.pos.controller("2719") == A


@pytest.mark.clause("8.2")
def test_it_enters_in_turn_five_or_never() -> None:
    game = play({"turn": 6, "phase": "allied_movement", "clear": True, "matto_grosso": "unopposed",
                 "units": at("away:matto_grosso", FORCE)})
    assert "matto_grosso" not in groups(game, A, "enter")


@pytest.mark.clause("8.2", "4.4")
def test_the_point_comes_at_the_end_of_five_whatever_becomes_of_the_force() -> None:
    game = invaded({FOOT[0]: "1826"}, [9, 9])
    choose(game, P, "let_them_come")
    decline_until(game, "allied_movement")
    assert rows(game, A, "points")["matto_grosso"] == 0  # not before
    ends(game, A)  # not one of them entered
    assert game.pos.turn == 6
    assert rows(game, A, "points")["matto_grosso"] == 1


# -- 8.3 Mendoza ---------------------------------------------------------------------------------------------

ARGENTINES = units("AR-INF-", 8)
MOUNTED = ["AR-CAV-1", "AR-CAV-2", "AR-ART-1", "BR-SGE-Sg1"]


def risen(units_: dict[str, str], dice: list[int] | None = None, **more: Any) -> Play:
    """A rising that has just broken out."""
    return play({"turn": 3, "phase": "events", "clear": True, "units": units_, **more}, [0, *(dice or [])])


@pytest.mark.clause("8.3", "8.1")
def test_a_die_each_turn_from_two_until_it_happens() -> None:
    for turn in range(2, 10):
        game = play({"turn": turn, "phase": "events", "clear": True}, [3])
        assert last(game, "mendoza_rolled") == {"roll": 3, "rises": False}
        assert game.pos.mendoza == "quiet"
    for mendoza in ("crushed", "lost"):
        game = play({"turn": 3, "phase": "events", "clear": True, "mendoza": mendoza})
        assert told(game, "mendoza_rolled") == []


@pytest.mark.clause("8.3")
def test_it_may_never_happen_and_costs_nothing_then() -> None:
    game = play({"turn": 9, "phase": "events", "clear": True}, [9])
    ends(game, P)
    ends(game, A)
    assert (game.pos.result or {})["args"] == {"n": 0}


@pytest.mark.clause("8.3")
def test_six_and_four_crush_it() -> None:
    game = risen({**at("1337", ARGENTINES[:6], MOUNTED)})
    assert game.asked == (A,)
    assert (lots(game, A, "crush_mendoza")["infantry"]["min"], lots(game, A, "crush_mendoza")["mounted"]["min"]) == (
        6, 4)
    force = {"infantry": ARGENTINES[:6], "mounted": MOUNTED}
    assert refused(game, A, "crush_mendoza", lots={**force, "infantry": ARGENTINES[:5]}) == ("count", "8.3")
    assert refused(game, A, "crush_mendoza", lots={**force, "mounted": MOUNTED[:3]}) == ("count", "8.3")
    answer(game, A, "crush_mendoza", lots=force)
    assert {game.pos.at[u] for u in [*ARGENTINES[:6], *MOUNTED]} == {"turn:4"}
    assert (game.pos.mendoza, rows(game, P, "points")["mendoza"]) == ("crushed", 0)
    assert told(game, "attrition_rolled") == []  # they are away before attrition


@pytest.mark.clause("8.3")
def test_no_guards_no_others_and_none_next_to_the_enemy() -> None:
    game = risen({**at("1337", ARGENTINES[:6], MOUNTED, "AR-CAV-1GN", "AR-ENG-E", "BR-SUP-Sup-1"),
                  **at("1435", "AR-INF-SM", "AR-CAV-3"), FOOT[0]: "1434"}, [9] * 3)
    offered = lots(game, A, "crush_mendoza")
    assert set(offered["infantry"]["units"]) >= set(ARGENTINES[:6])
    everyone = {*offered["infantry"]["units"], *offered["mounted"]["units"]}
    assert not {"AR-CAV-1GN", "AR-ENG-E", "BR-SUP-Sup-1", "AR-INF-SM", "AR-CAV-3", "AR-WAR-P"} & everyone
    choose(game, A, "leave_mendoza")
    decline_until(game, "paraguay_movement")


@pytest.mark.clause("8.3", "1.3")
def test_this_turns_reinforcements_and_any_nation_may_go() -> None:
    game = risen({**at("turn:3", "AR-INF-7", "AR-INF-8", "AR-INF-12"), **at("1943", "UY-INF-FL", "BR-INF-1F"),
                  **at("1337", "AR-INF-1", MOUNTED)})
    infantry = lots(game, A, "crush_mendoza")["infantry"]["units"]
    sent = ["AR-INF-7", "AR-INF-8", "AR-INF-12", "UY-INF-FL", "BR-INF-1F", "AR-INF-1"]
    assert set(sent) <= set(infantry)
    assert not set(units("AR-INF-10", 1)) & set(infantry)  # due in IV
    answer(game, A, "crush_mendoza", lots={"infantry": sent, "mounted": MOUNTED})
    assert {game.pos.at[u] for u in sent} == {"turn:4"}


@pytest.mark.clause("8.3", "9.2")
def test_they_come_back_next_turn_as_reinforcements() -> None:
    sent = ["UY-INF-FL", *ARGENTINES[:5]]
    game = risen(at("1337", sent, MOUNTED))
    answer(game, A, "crush_mendoza", lots={"infantry": sent, "mounted": MOUNTED})
    decline_until(game, "allied_movement")
    gone = {u for g in groups(game, A, "enter").values() for u in g["units"]}
    assert not {*sent, *MOUNTED} & gone  # not this turn
    ends(game, A)
    decline_until(game, "allied_movement")
    assert game.pos.turn == 4
    assert set(sent[1:]) | set(MOUNTED) <= set(groups(game, A, "enter")["reinforcements"]["units"])
    assert set(groups(game, A, "enter")["uruguayans"]["units"]) >= {"UY-INF-FL"}
    assert groups(game, A, "enter")["uruguayans"]["where"] == ["2044"]


@pytest.mark.clause("8.3", "4.4")
def test_left_alone_it_costs_a_point_once_even_below_zero() -> None:
    game = risen({**at("dead", units("AR-"), units("BR-"), units("UY-")), "AR-INF-1": "1337"}, [9, 9])
    assert set(forms(game, A)) == {"leave_mendoza"}  # too few to send
    choose(game, A, "leave_mendoza")
    assert last(game, "point_scored") == {"what": "point.mendoza", "value": -1, "total": -1}
    assert rows(game, P, "points")["total"] == -1
    decline_until(game, "allied_movement")
    ends(game, A)
    assert game.pos.turn == 4
    assert len(told(game, "mendoza_rolled")) == 1  # once a game
    assert rows(game, P, "points")["total"] == -1


@pytest.mark.clause("8.3")
def test_who_could_crush_it_may_still_leave_it() -> None:
    game = risen(at("1337", ARGENTINES[:6], MOUNTED), [9])
    choose(game, A, "leave_mendoza")
    assert rows(game, A, "points")["mendoza"] == -1


@pytest.mark.clause("8.3", "5.4")
def test_in_turn_nine_who_is_sent_is_gone() -> None:
    """There is no tenth turn to come back in; the war ends with the point kept."""
    game = risen(at("1337", ARGENTINES[:6], MOUNTED), turn=9)
    answer(game, A, "crush_mendoza", lots={"infantry": ARGENTINES[:6], "mounted": MOUNTED})
    ends(game, P)
    ends(game, A)
    assert (game.pos.result or {})["args"] == {"n": 0}


@pytest.mark.clause("8.3", "6.4")
def test_paraguay_sees_who_was_sent_but_not_what_could_be() -> None:
    game = risen(at("1337", ARGENTINES[:6], MOUNTED))
    assert "forms" not in (game.request_for(P) or {})
    answer(game, A, "crush_mendoza", lots={"infantry": ARGENTINES[:6], "mounted": MOUNTED})
    assert set(last(game, "mendoza_crushed", P)["units"]) == {*ARGENTINES[:6], *MOUNTED}
    assert {u["id"] for u in view(game, P)["pool:turn:4"]["units"]} >= set(MOUNTED)


@pytest.mark.clause("8.3", "3.5")
def test_a_box_that_is_sent_whole_is_free() -> None:
    game = risen(at("1337", ARGENTINES[:6], MOUNTED), boxes={A: {"7": "1337"}})
    answer(game, A, "crush_mendoza", lots={"infantry": ARGENTINES[:6], "mounted": MOUNTED})
    assert game.pos.boxes[A]["7"] is None
