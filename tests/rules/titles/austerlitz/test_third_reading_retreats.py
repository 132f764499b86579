"""Retreats, the end of a turn and reinforcements (10-14, A10): what a third reading of the rulebook beside the rules
found."""

from collections.abc import Sequence
from typing import Any

import pytest

from rules.core.procedure import Procedure
from rules.titles.austerlitz import clash, duty, rally, retreat
from rules.titles.austerlitz.morale import Trouble, lower, settle
from rules.titles.austerlitz.position import Position
from tests.rules.titles.austerlitz.builders import CENTRE, F, choose, drive, last, play, position

LN, LN2, CAC = "F-1-34-Ln", "F-2-34-Ln", "F-16-CaC"
ARKH, ARKH3 = "A-2-Arkh", "A-3-Arkh"
HIT = "B2908"                            # east of the centre
UNSTEADY = 2
AWAY = {ARKH: "B4012@W/line"}


# -- 10 --------------------------------------------------------------------------------------------------


def way(pos: Position, unit: str, causes: Sequence[str]) -> str | None:
    """The next hex of a retreat."""
    ground = retreat.Ground(tuple(pos.hexes_of("allied")), tuple(causes), {*pos.footprint(unit)})
    step = retreat._next(pos, unit, ground, None)
    return None if step is None else step[0]


@pytest.mark.clause("10.1.1")
def test_who_would_go_over_the_edge_stops_there_and_loses_a_point_for_each_hex() -> None:
    pos = position(clear=True, units={ARKH: "B4012@W/line"})
    around, area = pos.game.board.around, pos.game.area
    edge = next(h for h in sorted(area) if {around[h][4], around[h][5]}.isdisjoint(area) and pos.holder(h) is None
                and {around[h][0], around[h][1], around[h][2], around[h][3]} <= area)
    east = around[edge][2]
    assert east is not None
    pos.form[LN], pos.facing[LN] = "column", 4
    pos.put(LN, edge)
    pos.put(ARKH, east)
    drive(retreat.withdraw(pos, [LN], 3, (east,), routed=False))
    assert pos.at[LN] == edge
    assert pos.lost[LN] == 3


@pytest.mark.clause("7.1", "10.1.1")
def test_no_retreat_ends_where_the_ground_does_not_hold_it() -> None:
    """A village holds eight points of a column: ten go on behind it, five stay there; ten have room in the open."""
    one, other = "F-1-30-Ln", "F-2-30-Ln"
    for start, units, goal in (
        ("B1505", [one], "B1406"),
        ("B1505", [one, other], "B1306"),
        (CENTRE, [one, other], "B2709"),
    ):
        pos = position("bagration", clear=True, units=dict.fromkeys(units, f"{start}@NE/column"))
        assert (pos.game.board.terrain[goal] == "village") is (goal == "B1406")
        cause = pos.game.board.around[start][0 if start == "B1505" else 2]
        drive(retreat.withdraw(pos, units, 1, (str(cause),), routed=False))
        assert {pos.at[u] for u in units} == {goal}
        assert not pos.lost


@pytest.mark.clause("7.1", "10.1.1")
def test_a_retreat_that_finds_no_room_ends_where_it_last_had_some(monkeypatch: pytest.MonkeyPatch) -> None:
    units = ["F-1-30-Ln", "F-2-30-Ln"]
    pos = position("bagration", clear=True, units=dict.fromkeys(units, "B1505@NE/column"))
    steps = retreat._next
    monkeypatch.setattr(
        retreat, "_next", lambda at, unit, *rest: None if at.at[unit] == "B1406" else steps(at, unit, *rest)
    )
    drive(retreat.withdraw(pos, units, 1, ("B1504",), routed=False))
    assert {pos.at[u] for u in units} == {"B1505"}
    assert sum(pos.lost.values()) == 1


@pytest.mark.clause("10.1.2", "A10.1")
def test_a_retreat_goes_as_far_from_enemies_as_it_can_before_it_goes_home() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@E/line", ARKH: "B2212@NE/column"})
    board, there = pos.game.board, way(pos, LN, ())
    assert board.distance(CENTRE, "B2212") > 5                          # to the west, where the French go home
    assert there is not None
    assert board.distance(there, "B2212") > board.distance(CENTRE, "B2212")


@pytest.mark.clause("10.1.2")
def test_friends_are_gone_through_only_away_from_the_enemy() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@E/line", ARKH: f"{HIT}@W/line"})
    board = pos.game.board
    away = [h for h in board.touching(CENTRE) if board.distance(h, HIT) == 2]
    level = [h for h in board.touching(CENTRE) if board.distance(h, HIT) == 1]
    others = [u for u in pos.game.members["F-3-V"] if u not in (LN, *away)][:len(level)]
    foes = [u for u in pos.game.members["A-2-B"] if u != ARKH][:len(away)]
    for unit, hex_ in zip((*others, *foes), (*level, *away), strict=True):
        pos.form[unit], pos.facing[unit] = "column", 0
        pos.put(unit, hex_)
    assert way(pos, LN, [HIT]) is None


@pytest.mark.clause("10.1.2", "9.3")
def test_a_battery_that_is_gone_through_checks() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@E/line", "F-art-a-V": f"{CENTRE}@E/unlimbered", **AWAY})
    pos.put(LN, CENTRE)
    pos.form[LN2], pos.facing[LN2] = "disorder", 0
    pos.put(LN, "B2709")
    pos.put(LN2, CENTRE)
    assert retreat._passed(pos, [LN2]) == ["F-art-a-V"]


@pytest.mark.clause("10.1", "6.5.1")
def test_a_counter_on_two_hexes_that_routs_faces_along_them() -> None:
    pos = position("bagration", clear=True, units={CAC: f"{CENTRE}@N/disorder", **AWAY}, morale={CAC: "rout"})
    board = pos.game.board
    for side in range(6):
        retreat._face_away(pos, CAC, side)
        at, tail = pos.at[CAC], pos.tail[CAC]
        assert board.around[at][(pos.facing[CAC] // 2 + 3) % 6] == tail
        assert (pos.facing[CAC] // 2 - side) % 6 in (0, 1, 5)


@pytest.mark.clause("10.1.1", "6.5")
def test_who_stands_among_those_of_a_counter_on_two_hexes_goes_by_himself() -> None:
    pos = position("bagration", clear=True, units={CAC: f"{CENTRE}@N/disorder", **AWAY})
    pos.form[LN], pos.facing[LN] = "disorder", 0
    pos.put(LN, CENTRE)                                                # as in a retreat that was stopped there
    trouble = Trouble((HIT,))
    for unit in (CAC, LN):
        drive(lower(pos, unit, 2, trouble))
    assert clash.alike(pos, [CAC, LN]) == [[CAC], [LN]]
    running = settle(pos, trouble)
    next(running)                                                      # who stays checks as the other goes
    list(iter(lambda: _send(running), None))
    assert LN not in pos.tail
    assert pos.at[LN] != pos.at[CAC]


@pytest.mark.clause("10.1.1", "8.5.1")
def test_points_for_hexes_not_gone_pass_on_in_the_stack() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@N/disorder", LN2: f"{CENTRE}@N/disorder", **AWAY},
                   lost={LN: 7, LN2: 4})
    ring = [u for u in pos.game.members["A-2-B"] if u != ARKH][:6]
    for unit, hex_ in zip(ring, pos.game.board.touching(CENTRE), strict=True):
        pos.form[unit], pos.facing[unit] = "column", 0
        pos.put(unit, hex_)
    drive(retreat.withdraw(pos, [LN, LN2], 3, (HIT,), routed=False))
    assert not pos.on_map(LN)
    assert pos.lost[LN2] == 4 + 2


# -- 12, 13, 14 ------------------------------------------------------------------------------------------


@pytest.mark.clause("12.1", "9.1.1", "11.1.1")
def test_a_stack_does_not_rally_above_what_one_of_it_can_come_to() -> None:
    units = {LN: f"{CENTRE}@N/column", LN2: f"{CENTRE}@N/column", **AWAY}
    pos = position(clear=True, units=units, morale={LN: "shaken", LN2: "shaken"})
    assert rally.candidates(pos, F) == [LN]
    pos.capped.append(LN2)
    assert rally.candidates(pos, F) == []


@pytest.mark.clause("12.4", "10.1.1")
def test_routed_units_of_a_stack_go_on_together() -> None:
    game = play(clear=True, units={LN: f"{CENTRE}@N/disorder", LN2: f"{CENTRE}@N/disorder", **AWAY},
                morale={LN: "rout", LN2: "rout"}, phase="rout_losses", pool=[])
    assert last(game, "retreated")["units"] == [LN, LN2]
    assert game.pos.at[LN] == game.pos.at[LN2] != CENTRE
    assert game.pos.lost == {LN: 1, LN2: 1}


@pytest.mark.clause("13.2", "A4.4.5")
def test_a_division_rests_though_a_brigade_of_it_is_near_the_enemy() -> None:
    pos = position("bagration", clear=True, units={LN: f"{CENTRE}@N/column", LN2: "B3911@SW/column", **AWAY}, pool=[],
                   detached={"F-Bde-V": [LN2]}, leaders={"F-Bde-V": "B3911"})
    assert rally.rests(pos, "F-3-V")
    assert not rally.rests(pos, "F-Bde-V")


def _send(running: Procedure[Any]) -> Any:
    try:
        return running.send((0,))
    except StopIteration:
        return None


@pytest.mark.clause("13.3", "9.2.3")
def test_a_level_lost_by_fatigue_is_one_event() -> None:
    """Both battalions of a brigade come to Unsteady; their neighbour of another division checks once."""
    third = "F-1-30-Ln"
    board = position().game.board
    other, beside = next((a, b) for a in board.touching(CENTRE) for b in board.touching(CENTRE)
                         if b in board.touching(a))
    pos = position("bagration", clear=True, units={LN: f"{CENTRE}@N/column", LN2: f"{other}@N/column",
                                                   third: f"{beside}@N/column", **AWAY},
                   morale={LN: "shaken", LN2: "shaken"}, fatigue={"F-3-V": 6})
    running = rally.tire(pos, "F-3-V", 7)
    rolled = [getattr(next(running), "why", ""), *(asked.why for asked in iter(lambda: _send(running), None))]
    assert rolled.count(f"morale of {third}") == 1
    assert (pos.morale[LN], pos.morale[LN2]) == (UNSTEADY, UNSTEADY)


@pytest.mark.clause("13.0", "A4.5.1")
def test_the_grand_battery_has_no_fatigue() -> None:
    game = play([], "whole_battle", clear=True, units={"F-art-a-IG": f"{CENTRE}@N/limbered", **AWAY}, phase="fatigue",
                leaders={"F-Songis": CENTRE}, detached={"F-Songis": ["F-art-a-IG"]}, pool=[])
    assert not rally._tires(game.pos, "F-Songis")


@pytest.mark.clause("14.4")
def test_reinforcements_that_have_lost_their_march_once_answer_to_their_marker_no_more() -> None:
    pos = position("langeron", clear=True, units={"F-1-48-Ln": f"{CENTRE}@N/column"}, strategic=["F-2-III"])
    pos.special["reinforced"] = ["F-2-III"]
    duty.lose_strategic(pos, "F-2-III", "5.2.1")
    pos.set_strategic("F-2-III", True)                                  # by a full activation of its own
    assert pos.special["reinforced"] == []


@pytest.mark.clause("14.1", "14.4")
def test_who_follows_a_division_that_marches_no_more_comes_in_by_himself() -> None:
    """Friant's battalions of 9:40: those of 9:20 have given up their march, and have no activation by it."""
    here = {"F-1-48-Ln": "C2020@N/column", "F-2-48-Ln": "C2021@N/column"}
    game = play([9, 2], "goldbach", phase="initiative", turn=8, pool=["LIM-F-Reinforcements"], units=here,
                leaders={"F-Friant": "C2020"})
    choose(game, F, "LIM-F-Reinforcements")
    choose(game, F, "F-2-III")
    act = game.pos.act
    assert act is not None
    assert not set(here) & set(act["units"])
    assert {"F-1-15-Leg", "F-2-15-Leg"} <= set(act["units"])
    assert (act["mode"], act["leader"], "F-2-III" in game.pos.strategic) == ("strategic", None, False)
