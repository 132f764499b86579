"""6.1-6.3 Stacking, and 3.5 army boxes in play."""

from typing import Any

import pytest

from tests.rules.titles.triple_alliance.builders import (
    A,
    P,
    answer,
    at,
    attack,
    bear_losses,
    choose,
    data,
    forms,
    last,
    lots,
    move,
    play,
    preview,
    reach,
    refused,
    units,
    view,
)

FOOT = units("PY-INF-")  # 45 battalions
LAND: dict[str, Any] = {"turn": 3, "clear": True}


# -- the limit -----------------------------------------------------------------------------------------------


@pytest.mark.clause("6.1")
def test_twenty_six_units_of_any_kind_and_no_more() -> None:
    here = [*FOOT[:24], "PY-WAR-Te", "PY-FOR-H"]
    game = play({**LAND, "units": {**at("1432", here), FOOT[24]: "1531"}})
    assert refused(game, P, "move", units=[FOOT[24]], path=["1531", "1432"]) == ("too_many", "6.2")
    assert reach(game, P, FOOT[24])["blocked"]["1432"] == {
        "key": "refusal.too_many", "clause": "6.2", "args": {"n": 27, "limit": 26}}
    move(game, P, FOOT[0], "1432", "1531")
    assert len(game.pos.stack("1432")) == 25


@pytest.mark.clause("6.1", "6.2")
def test_the_last_place_may_be_taken() -> None:
    game = play({**LAND, "units": {**at("2228", FOOT[:24]), **at("2128", FOOT[24:27])}})
    assert refused(game, P, "move", units=FOOT[24:27], path=["2128", "2228"]) == ("too_many", "6.2")
    move(game, P, FOOT[24:26], "2128", "2228")
    assert len(game.pos.stack("2228")) == 26


@pytest.mark.clause("6.2")
def test_any_number_may_pass_through_a_full_hex() -> None:
    game = play({**LAND, "units": {**at("2228", FOOT[:26]), **at("2128", FOOT[26:30])}})
    move(game, P, FOOT[26:30], "2128", "2228", "2328")
    assert (len(game.pos.stack("2228")), len(game.pos.stack("2328"))) == (26, 4)


@pytest.mark.clause("6.2", "9.1")
def test_the_limit_holds_where_reinforcements_enter() -> None:
    ready = [u for u in units("AR-INF-") + units("BR-INF-") if u not in units("AR-INF-B-")]
    game = play({"turn": 5, "phase": "allied_movement", "clear": True, "matto_grosso": "not_launched",
                 "units": {**at("1042", ready[:25]), "AR-INF-B-1": "turn:2", "AR-INF-B-2": "turn:2"}})
    both = dict.fromkeys(["AR-INF-B-1", "AR-INF-B-2"], "1042")
    assert forms(game, A)["enter"]["standing"]["1042"] == 25
    assert refused(game, A, "enter", placed=both) == ("no_room", "6.2")
    answer(game, A, "enter", placed={**both, "AR-INF-B-2": "1943"})
    assert len(game.pos.stack("1042")) == 26


@pytest.mark.clause("6.2", "10.7")
def test_the_limit_holds_where_replacements_enter() -> None:
    game = play({"turn": 3, "clear": True, "units": at("1826", FOOT[:25])})
    assert refused(game, P, "replace", placed=dict.fromkeys(FOOT[25:27], "1826")) == ("no_room", "6.2")
    answer(game, P, "replace", placed={FOOT[25]: "1826", FOOT[26]: "2026"})
    assert len(game.pos.stack("1826")) == 26


@pytest.mark.clause("6.2", "13.30")
def test_an_advance_takes_at_most_twenty_six() -> None:
    game = play({"turn": 3, "phase": "paraguay_combat_1", "clear": True,
                 "units": {**at("1435", FOOT[:20]), **at("1336", FOOT[20:40]), "AR-INF-1": "1335"}}, [9])
    attack(game, P, "1335", *FOOT[:40])
    bear_losses(game)
    assert lots(game, P)["advance"]["max"] == 26
    answer(game, P, lots={"advance": FOOT[:26]})
    assert len(game.pos.stack("1335")) == 26


@pytest.mark.clause("6.1", "12.4")
def test_cargo_and_ship_count_one_each() -> None:
    here = [*FOOT[:23], "PY-FOR-H"]
    game = play({**LAND, "units": {**at("1432", here), "PY-TRA-T-1": "1431", **at("1431", FOOT[23:25])}})
    assert refused(game, P, "move", units=["PY-TRA-T-1", *FOOT[23:25]], path=["1431", "1432"],
                   aboard=dict.fromkeys(FOOT[23:25], "PY-TRA-T-1")) == ("too_many", "6.2")
    move(game, P, ["PY-TRA-T-1", FOOT[23]], "1431", "1432", aboard={FOOT[23]: "PY-TRA-T-1"})
    assert len(game.pos.stack("1432")) == 26


# -- boxes ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("3.5", "6.3")
def test_a_box_is_its_hex_and_its_marker_weighs_nothing() -> None:
    game = play({**LAND, "units": {**at("2228", FOOT[:25]), **at("2128", FOOT[25:27])},
                 "boxes": {P: {"1": "2228"}}})
    assert refused(game, P, "move", units=FOOT[25:27], path=["2128", "2228"]) == ("too_many", "6.2")
    move(game, P, FOOT[25], "2128", "2228")
    assert len(game.pos.stack("2228")) == 26
    assert view(game, P)["slots:boxes_paraguay"]["slots"][0] == {"id": "1", "at": "2228", "count": 26}


@pytest.mark.clause("6.3")
def test_no_marker_is_a_unit_of_the_position() -> None:
    pos = play(LAND).pos
    markers = data().files["units"]["markers"]
    assert (len(pos.at), len(markers)) == (242, 31)
    assert not {marker["id"] for marker in markers} & set(pos.at)


@pytest.mark.clause("3.5")
def test_units_go_into_boxes_and_out_in_the_own_movement_phase() -> None:
    game = play({**LAND, "units": {**at("2228", FOOT[:3]), "AR-INF-1": "1337"}})
    empty = forms(game, P)["boxes"]["boxes"]
    assert empty == {str(n): None for n in range(1, 10)}
    answer(game, P, "boxes", boxes={**empty, "3": "2228"})
    assert view(game, A)["space:2228"] == {"side": P, "control": P, "count": 3, "box": 3}
    answer(game, P, "boxes", boxes=empty)
    assert "box" not in view(game, A)["space:2228"]
    assert refused(game, P, "boxes", boxes=empty) == ("nothing_changed", "3.5")
    assert refused(game, P, "boxes", boxes={**empty, "1": "1337"}) == ("not_to_box", "3.5")  # an Allied stack
    assert refused(game, P, "boxes", boxes={**empty, "1": "2228", "2": "2228"}) == ("one_box_a_space", "3.5")


@pytest.mark.clause("3.5")
def test_boxes_rest_where_only_the_end_is_left_to_say_and_in_the_enemy_turn() -> None:
    game = play(
        {"turn": 3, "phase": "paraguay_combat_1", "clear": True, "units": {FOOT[0]: "1435", "AR-INF-1": "1335"}}
    )
    assert set(forms(game, P)["boxes"]["where"]) == {"1435"}
    apart = play(
        {"turn": 3, "phase": "paraguay_combat_1", "clear": True, "units": {FOOT[0]: "2026", "AR-INF-1": "1335"}}
    )
    assert apart.pos.stage == "allied_movement"
    for n in (1, 2, 3):
        choose(game, P, "no_attack")
        assert game.pos.stage == (f"paraguay_combat_{n + 1}" if n < 3 else "allied_movement")
    assert game.pos.stage == "allied_movement"
    assert set(forms(game, A)["boxes"]["where"]) == {"1335"}  # the own stacks only


@pytest.mark.clause("3.5")
def test_a_fortress_cannot_be_boxed_in_play() -> None:
    game = play({**LAND, "units": {"PY-FOR-H": "1432", FOOT[0]: "1432", FOOT[1]: "1433"}})
    none = forms(game, P)["boxes"]["boxes"]
    assert forms(game, P)["boxes"]["where"] == ["1433"]  # 1433's fortress is gone
    assert refused(game, P, "boxes", boxes={**none, "1": "1432"}) == ("not_to_box", "3.5")


@pytest.mark.clause("3.5", "11.7")
def test_the_marker_moves_at_the_pace_of_the_slowest_unit() -> None:
    game = play({**LAND, "units": {**at("1335", [FOOT[0], "PY-ART-1", "PY-CAV-1"])}, "boxes": {P: {"2": "1335"}}})
    assert reach(game, P, [FOOT[0], "PY-ART-1", "PY-CAV-1"])["left"] == 5
    assert reach(game, P, [FOOT[0], "PY-CAV-1"])["left"] == 6
    all_three = [FOOT[0], "PY-ART-1", "PY-CAV-1"]
    move(game, P, all_three, "1335", "1336", "1337")
    assert game.pos.boxes[P]["2"] == "1337"
    assert "space:1335" in view(game, A)
    assert view(game, A)["space:1337"] == {"side": P, "control": P, "count": 3, "box": 2}


@pytest.mark.clause("3.5", "11.6")
def test_the_marker_drops_units_on_its_way() -> None:
    stack = [*FOOT[:2], "PY-ART-1", "PY-CAV-1"]
    game = play({**LAND, "units": at("1335", stack), "boxes": {P: {"2": "1335"}}})
    move(game, P, stack, "1335", "1336", keep_box=True)
    move(game, P, [*FOOT[:2], "PY-CAV-1"], "1336", "1337", keep_box=True)  # the guns stay
    assert game.pos.boxes[P]["2"] == "1337"
    assert game.pos.stack("1336") == ["PY-ART-1"]
    assert view(game, A)["space:1336"]["top"]["id"] == "PY-ART-1"
    move(game, P, "PY-CAV-1", "1337", "1338")  # leaves the box, which stays with the rest
    assert game.pos.boxes[P]["2"] == "1337"
    assert view(game, A)["space:1338"]["top"]["id"] == "PY-CAV-1"


@pytest.mark.clause("3.5")
def test_the_marker_collects_the_units_it_meets() -> None:
    game = play({**LAND, "units": {**at("1335", FOOT[:2]), FOOT[2]: "1336"}, "boxes": {P: {"2": "1335"}}})
    move(game, P, FOOT[:2], "1335", "1336")
    assert view(game, A)["space:1336"] == {"side": P, "control": P, "count": 3, "box": 2}
    assert game.pos.box_at("1336", P) == "2"


@pytest.mark.clause("3.5")
def test_counters_that_join_a_box_go_into_it() -> None:
    game = play({**LAND, "units": {**at("1335", FOOT[:2]), FOOT[2]: "1336"}, "boxes": {P: {"2": "1335"}}})
    move(game, P, FOOT[2], "1336", "1335")
    assert view(game, A)["space:1335"] == {"side": P, "control": P, "count": 3, "box": 2}


@pytest.mark.clause("3.5")
def test_two_markers_never_share_a_hex_and_none_enters_a_fortress() -> None:
    game = play({**LAND, "units": {FOOT[0]: "1335", FOOT[1]: "1336", FOOT[2]: "1433", "PY-FOR-H": "1432"},
                 "boxes": {P: {"1": "1335", "2": "1336", "3": "1433"}}})
    move(game, P, FOOT[0], "1335", "1336")
    assert (game.pos.boxes[P]["1"], game.pos.boxes[P]["2"]) == (None, "1336")
    move(game, P, FOOT[2], "1433", "1432")
    assert game.pos.boxes[P]["3"] is None


@pytest.mark.clause("3.5")
def test_an_emptied_box_is_free_again() -> None:
    game = play({"turn": 3, "phase": "allied_combat_1", "clear": True,
                 "units": {**at("1337", units("BR-INF-", 9)), "PY-CAV-1": "1336"}, "boxes": {P: {"5": "1336"}}}, [9])
    attack(game, A, "1336", *units("BR-INF-", 9))
    bear_losses(game)
    assert game.pos.boxes[P]["5"] is None
    assert view(game, A)["slots:boxes_paraguay"]["slots"][4] == {"id": "5", "at": None, "count": 0}


@pytest.mark.clause("3.5", "7.1")
def test_a_box_is_checked_for_attrition_like_a_hex() -> None:
    body = {"turn": 3, "phase": "events", "mendoza": "crushed", "clear": True, "units": at("2228", FOOT[:9])}
    for boxes in ({}, {P: {"1": "2228"}}):
        game = play({**body, "boxes": boxes}, [0])
        assert (last(game, "attrition_rolled")["at"], last(game, "attrition_rolled")["count"]) == ("2228", 9)


@pytest.mark.clause("6.2")
def test_a_preview_warns_before_it_happens() -> None:
    game = play({**LAND, "units": {**at("2228", FOOT[:26]), FOOT[26]: "2128"}})
    seen = preview(game, P, "move", units=[FOOT[26]], path=["2128", "2228"])
    assert (seen["ok"], seen["problems"][0]["key"], seen["problems"][0]["at"]) == (False, "refusal.too_many", "2228")


@pytest.mark.clause("3.5")
def test_boxes_may_change_places_in_one_answer() -> None:
    game = play({**LAND, "units": {FOOT[0]: "2228", **at("2128", FOOT[1:3])}, "boxes": {P: {"1": "2228", "2": "2128"}}})
    now = forms(game, P)["boxes"]["boxes"]
    answer(game, P, "boxes", boxes={**now, "1": "2128", "2": "2228"})
    assert [view(game, A)[f"space:{h}"]["box"] for h in ("2128", "2228")] == [1, 2]
    assert [s["count"] for s in view(game, A)["slots:boxes_paraguay"]["slots"][:2]] == [2, 1]
