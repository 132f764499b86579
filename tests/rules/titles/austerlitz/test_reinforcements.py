"""14, 4.2.3, A15.5, A15.6 Reinforcements, and what scenarios put into the pool by themselves."""

from copy import deepcopy
from itertools import pairwise

import pytest

from rules.maps.hexes import FACINGS
from rules.titles.austerlitz import duty
from rules.titles.austerlitz.command import addable
from rules.titles.austerlitz.position import Position
from rules.titles.austerlitz.reinforcements import entry, expected, groups, on_the_march
from rules.titles.austerlitz.special import held_back, level_markers, level_markers_due
from tests.rules.titles.austerlitz.builders import (
    A,
    F,
    Play,
    answer,
    choose,
    forms,
    game,
    last,
    lots,
    options,
    play,
    position,
    prompt,
    refused,
    told,
)

MARK_F, MARK_A = "LIM-F-Reinforcements", "LIM-A-Reinforcements"
FOE = {"A-G-N-Ing": "D2024@SW/column"}


def coming(turn: int, dice: list[int], units: dict[str, str] | None = None, scenario: str = "goldbach",
           **more: object) -> Play:
    """The French Reinforcement marker is drawn."""
    game = play(dice, scenario, phase="initiative", turn=turn, pool=[MARK_F], units=units or {}, **more)
    choose(game, F, MARK_F)
    return game


@pytest.mark.clause("4.2.3", "14.1", "14.2")
def test_the_marker_goes_in_openly_while_somebody_is_to_come() -> None:
    game = play(scenario="goldbach", phase="command_change", turn=1, pool=[])
    assert prompt(game, F) == "reinforcement_marker"
    choose(game, F, "add")
    assert MARK_F in game.pos.pool
    assert told(game, "reinforcement_marker", A)          # the Allies see it
    pos = position("northern_flank")
    assert not expected(pos, F)


@pytest.mark.clause("14.1", "14.1.1", "14.4")
def test_a_division_comes_in_at_its_hex_without_a_die() -> None:
    game = coming(1, [9, 2])
    assert options(game, F) == ["F-3-IV", "end"]
    choose(game, F, "F-3-IV")
    pos = game.pos
    assert {pos.at["F-1-26-Leg"], pos.leaders["F-Legrand"]} == {"C2901"}
    assert "F-3-IV" in pos.strategic
    assert pos.act is not None
    assert pos.act["mode"] == "strategic"
    assert on_the_march(pos, F) == ["F-3-IV"] or pos.act["command"] == "F-3-IV"


@pytest.mark.clause("14.1.2")
def test_each_stack_of_the_chain_pays_the_hex_once_more() -> None:
    """Friant's four battalions are two stacks on the march; the second finds the entry full and goes on beside it."""
    game = coming(7, [9, 2])
    choose(game, F, "F-2-III")
    pos, units = game.pos, ("F-1-48-Ln", "F-2-48-Ln", "F-1-111-Ln", "F-2-111-Ln")
    assert pos.act is not None
    assert [pos.at[u] == "C1019" for u in units] == [True, True, False, False]
    assert [pos.act["spent"][u] for u in units] == [2, 2, 2 * 2 + 2, 2 * 2 + 2]


@pytest.mark.clause("14.1.3")
def test_who_marches_for_an_objective_may_not_go_away_from_it_and_stops_being_one_there() -> None:
    game = coming(1, [9, 2])
    choose(game, F, "F-3-IV")
    pos = Position.load(game.game, deepcopy(game.pos.state()))
    assert pos.special["goals"] == {"F-3-IV": "sokolnitz"}
    far = duty.farther(pos, "F-1-26-Leg", "C4501")
    assert far is not None
    assert (far.key, far.clause) == ("refusal.away_from_objective", "14.1.3")
    pos.put("F-1-26-Leg", "C2621")
    assert pos.act is not None
    duty._owed(pos, pos.act, "F-3-IV")
    assert "F-3-IV" not in pos.strategic
    assert pos.special["goals"] == {}


@pytest.mark.clause("5.2.1")
def test_a_marker_that_leaves_the_pool_for_a_march_cut_short_is_told() -> None:
    game = coming(1, [9, 2])
    choose(game, F, "F-3-IV")
    pos = Position.load(game.game, deepcopy(game.pos.state()))
    pos.pool, pos.special["goals"] = [*pos.pool, "LIM-F-3-IV"], {}
    assert pos.act is not None
    pos.act["left"], pos.teller.reveals = {"F-1-26-Leg": 4}, False
    duty._owed(pos, pos.act, "F-3-IV")
    assert "LIM-F-3-IV" not in pos.pool
    assert pos.teller.reveals, "that it was there is seen now"


@pytest.mark.clause("14.2")
def test_who_waits_may_come_any_later_turn() -> None:
    game = coming(1, [9, 2])
    choose(game, F, "end")
    later = Position.load(game.game, {**deepcopy(game.pos.state()), "turn": 3})
    assert groups(later, F) == groups(game.pos, F) == {"F-3-IV": ["F-1-26-Leg", "F-2-26-Leg"]}


@pytest.mark.clause("14.3", "14.1.1")
def test_enemies_at_the_entry_cost_a_turn_and_then_the_next_hex_serves() -> None:
    pos = position("goldbach", turn=1, units={"A-G-N-Ing": "C2902@N/column"})
    row = expected(pos, F)[0]
    assert "C2901" in pos.zones(A)
    assert entry(pos, F, row) is None                     # delayed
    pos.turn = 2
    found = entry(pos, F, row)
    assert found not in (None, "C2901")
    assert found not in pos.zones(A)
    assert pos.game.board.distance("C2901", str(found)) <= 3


@pytest.mark.clause("14.3")
def test_with_enemies_within_three_hexes_they_come_in_normally() -> None:
    game = coming(1, [9, 2], {"A-G-N-Ing": "C2904@S/column"})
    choose(game, F, "F-3-IV")
    assert game.pos.act is not None
    assert game.pos.act["mode"] == "full"
    assert "F-3-IV" not in game.pos.strategic


@pytest.mark.clause("A15.5", "14.1.1")
def test_kamenski_comes_in_by_one_of_three_hexes() -> None:
    game = play([2, 9], "goldbach", phase="initiative", turn=1, pool=[MARK_A])
    choose(game, A, MARK_A)
    choose(game, A, "A-2-2C")
    assert options(game, A) == ["D2001", "D2101", "D2201"]
    choose(game, A, "D2201")
    assert game.pos.leaders["A-Kamenski"] == "D2201"


@pytest.mark.clause("A15.5")
def test_oudinot_comes_over_the_north_edge_west_of_the_goldbach() -> None:
    pos = position("goldbach")
    hexes = pos.plan["help"]["entry"]
    west = pos.game.board.regions["west_of_goldbach"]
    assert hexes == sorted(h for h in pos.game.area if h[0] == "C" and h[3:] == "01" and h in west)


@pytest.mark.clause("A15.6", "4.1.1")
def test_the_french_on_level_5_bring_a_marker_for_each_half_of_the_4th_column() -> None:
    game = play(scenario="pratzen", phase="command_change", turn=3, pool=["LIM-A-1-A4C"])
    assert prompt(game, F) == "command_change"             # nothing yet
    pos = position("pratzen", turn=3, pool=["LIM-A-1-A4C"])
    hex_ = next(h for h in sorted(pos.game.area) if pos.game.board.level[h] == 5 and pos.holder(h) is None)
    pos.put("F-1-10-Leg", hex_)
    duty.arrived(pos, "F-1-10-Leg")
    assert not level_markers_due(pos)
    pos.turn = 4
    assert level_markers_due(pos)
    assert level_markers(pos) == {"A-R4C": ("LIM-A-M-R4C", "LIM-A-1-R4C"), "A-A4C": ("LIM-A-2-A4C",)}
    pos.turn = 5
    assert not level_markers_due(pos)


@pytest.mark.clause("A15.6")
def test_what_the_guards_wait_for() -> None:
    pos = position("pratzen", turn=3)
    assert held_back(pos, "LIM-A-Inf-IG")
    assert held_back(pos, "LIM-F-Inf-IG")
    assert held_back(pos, "LIM-F-IV")                       # not before 11:00
    hex_ = next(h for h in sorted(pos.game.area) if pos.game.board.level[h] == 7 and pos.holder(h) is None)
    pos.put("F-1-10-Leg", hex_)
    duty.arrived(pos, "F-1-10-Leg")
    assert not held_back(pos, "LIM-A-Inf-IG")
    pos.special["russian_guard"] = True
    assert not held_back(pos, "LIM-F-Inf-IG")
    pos.turn = pos.plan["turns"].index("11:00") + 1
    assert not held_back(pos, "LIM-F-IV")


@pytest.mark.clause("A15.2", "A4.1.2")
def test_buxhowden_puts_in_corps_of_his_wing_only() -> None:
    pos = position("whole_battle", turn=2, pool=[], leaders={
        "A-Buxhowden": "D2026", "A-Dokhturov": "D2124", "A-Kienmayer": "D1628", "A-Alexander": "B2650",
        "A-Bagration": "B4112", "A-Lewis": "D2124"})
    mine = addable(pos, A, "A-Buxhowden")
    assert mine
    assert set(mine) <= {"LIM-A-AG", "LIM-A-1C", "LIM-A-2C", "LIM-A-3C"}
    tsar = {m for m in addable(pos, A, "A-Alexander") if pos.game.markers[m].kind == "corps"}
    assert "LIM-A-B" in tsar                                # exempt from range
    assert "LIM-A-1C" not in tsar                           # in Buxhowden's range, not in the Tsar's


@pytest.mark.clause("A15.2", "A15.5")
def test_a_bound_corps_marches_for_its_objective_in_points() -> None:
    pos = position("whole_battle", clear=True, units={"A-G-N-Ing": "D2124@SW/column"}, leaders={"A-Lewis": "D2124"},
                   active="A-1-1C", phase="move")
    ways = duty.ways_to(pos, "A-G-N-Ing", pos.game.board.places["tellnitz"])
    assert ways["C2334"] == 0
    assert duty.bound(pos, "A-G-N-Ing") is not None
    nearer = min(pos.game.board.touching("D2124"), key=lambda h: ways[h])
    away = max(pos.game.board.touching("D2124"), key=lambda h: ways[h])
    assert duty.farther(pos, "A-G-N-Ing", nearer) is None
    wrong = duty.farther(pos, "A-G-N-Ing", away)
    assert wrong is not None
    assert wrong.clause == "A15.2"
    pos.special["released"] = ["A-1C"]
    assert duty.farther(pos, "A-G-N-Ing", away) is None
    assert pos.act is not None
    del pos.special["released"]
    pos.act["mode"] = "retreat"
    assert duty.farther(pos, "A-G-N-Ing", away) is None     # retreats apart


@pytest.mark.clause("A15.2")
def test_the_garrison_is_bound_until_it_sees_somebody_or_is_attacked() -> None:
    pos = position("whole_battle", clear=True, units={"F-1-3-Ln": "C2333@NE/disorder"}, fog=None)
    pos.special["garrison"] = True
    assert duty.shunned(pos, "F-1-3-Ln") >= pos.game.everywhere
    pos.put("A-G-N-Ing", "C2433")
    duty.free_garrison(pos)
    assert not duty.shunned(pos, "F-1-3-Ln") >= pos.game.everywhere


@pytest.mark.clause("A15.2")
def test_retreats_and_routs_take_no_hex() -> None:
    pos = position("whole_battle", clear=True, units={"F-1-3-Ln": "C2333@NE/disorder"}, held={"C2433": A, "C2334": A})
    pos.put("F-1-3-Ln", "C2433", hold=False)
    assert pos.held["C2433"] == A
    pos.morale["F-1-3-Ln"] = 3
    pos.put("F-1-3-Ln", "C2334")
    assert pos.held["C2334"] == A
    pos.morale.pop("F-1-3-Ln")
    pos.put("F-1-3-Ln", "C2433")
    assert pos.held["C2433"] == F


@pytest.mark.clause("5.2", "5.2.1", "13.1.1")
def test_a_strategic_marker_may_be_given_up_and_march_does_not_tire() -> None:
    game = play([], "langeron", clear=True, units={"F-1-34-Ln": "B2809@N/column", **FOE}, leaders={
        "F-Suchet": "B2808"}, active="F-3-V", mode="strategic", phase="move", strategic=["F-3-V"])
    assert options_of(game) == ["end_move", "drop_march"]
    answer(game, F, "end_move", option="drop_march")
    assert "F-3-V" not in game.pos.strategic
    assert last(game, "strategic_lost")["command"] == "command.F-3-V"


def options_of(game: Play) -> list[str]:
    return [o["id"] for o in forms(game, F)["end_move"]["options"]]


@pytest.mark.clause("4.7")
def test_charge_of_the_breakdown_table_must_be_carried_out() -> None:
    """Ruling: who can come to a melee with the nearest enemy must end its move so; then it must attack."""
    game = play([], clear=True, units={"F-1-34-Ln": "B2809@N/column", "A-2-Arkh": "B2806@W/line"},
                leaders={"F-Suchet": "B2808"}, active="F-3-V", mode="charge", phase="move")
    assert "end_move" not in forms(game, F)
    assert refused(game, F, "move", units=["F-1-34-Ln"], path=["B2809@N/column", "B2809@NE/column"]) == (
        "must_close", "4.7")
    answer(game, F, "move", units=["F-1-34-Ln"], path=["B2809@N/column", "B2808@N/column", "B2807@N/column"])
    answer(game, F, "end_move", option="end_move")
    answer(game, F, "end", option="end_fire")
    assert list(forms(game, F)) == ["bayonet", "rout"]      # no end of melees
    assert lots(game, F, "rout")["rout"]["min"] == 1


@pytest.mark.clause("4.7", "5.1.2", "A5.1.1")
def test_what_the_fog_takes_does_not_free_a_regiment_of_its_charge() -> None:
    """Two hexes down a slope the fog lies; a regiment that enters it has moved two points, may charge, and so must."""
    board, found = game("langeron").board, None
    for a in sorted(game("langeron").area):
        for side in range(6):
            way = [a]
            while len(way) < 4 and (there := board.around[way[-1]][side]) is not None:
                way.append(there)
            if len(way) == 4 and board.level[a] == 5 and all(board.level[h] == 4 for h in way[1:]) and all(
                    board.terrain[h] == "clear" and not board.roads(h) for h in way) and all(
                    board.rows(x, y)[1:] in ((), ("minor_slope_down",)) for x, y in pairwise(way)):
                found = side, way
    assert found is not None
    side, (start, first, _between, foe) = found
    ahead, back = FACINGS[2 * side], FACINGS[(2 * side + 6) % 12]
    here = f"{start}@{ahead}/line".replace(f"@{ahead}", f"@{FACINGS[2 * side + 1]}")
    play_ = play([], "langeron", clear=True, units={"F-10-Hus": here, "A-2-Arkh": f"{foe}@{back}/column"},
                 active="F-T-CR", mode="charge", phase="move", leaders={"F-Treilhard": start}, fog=4)
    assert "end_move" not in forms(play_, F)     # from where it stands the enemy is hidden (A5.1.2)
    answer(play_, F, "move", units=["F-10-Hus"], path=[here, here.replace(start, first)])
    assert play_.pos.act is not None
    assert play_.pos.act["spent"]["F-10-Hus"] > 12
    answer(play_, F, "end_move", option="end_move")
    assert told(play_, "movement_ended")[-1]["data"]["may_charge"] == ["F-10-Hus"]


@pytest.mark.clause("A15.5", "4.8", "13.1.1")
def test_a_marker_is_there_in_the_turn_in_which_its_leader_is_due() -> None:
    """Davout and Friant come at 9:20. Drawn before they have come in, the marker does nothing and tires nobody."""
    for turn, there in ((6, False), (7, True)):
        game_ = play([], "goldbach", phase="command_change", turn=turn, pool=[MARK_F])
        while prompt(game_, F) != "markers_freely":
            choose(game_, F, {"help": "wait", "reinforcement_marker": "wait"}[prompt(game_, F)])
        units = lots(game_, F)["add"]["units"]
        assert ({"LIM-F-III", "LIM-F-2-III"} <= set(units)) is there
    game_ = play([9, 2], "goldbach", phase="initiative", turn=7, pool=["LIM-F-2-III"])
    choose(game_, F, "LIM-F-2-III")
    assert "F-2-III" not in game_.pos.tired
    assert not told(game_, "activation_began")
