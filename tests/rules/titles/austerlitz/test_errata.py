"""The errata of the playbook, each by its number; those of the countercharge, of retreats, of brigades and of the map
stand in test_reactions, test_melee, test_special and test_data."""

import pytest

from rules.titles.austerlitz.charge import met
from rules.titles.austerlitz.clash import Clash, _fight_on, seen_as
from rules.titles.austerlitz.command import _removal_lots
from rules.titles.austerlitz.rally import tire
from rules.titles.austerlitz.ranges import corps_in_range, division_in_range
from rules.titles.austerlitz.received import stands
from rules.titles.austerlitz.retreat import _ready
from rules.titles.austerlitz.walk import Walker
from tests.rules.building import view
from tests.rules.titles.austerlitz.builders import (
    CENTRE,
    A,
    F,
    Play,
    answer,
    choose,
    game,
    last,
    lots,
    march,
    options,
    play,
    position,
    prompt,
    refused,
    told,
)

LN, LEG, ARKH, HUS = "F-1-34-Ln", "F-2-17-Leg", "A-2-Arkh", "F-10-Hus"
BIG = next(u for u, d in game().units.items() if d.foot and d.hexes == 2 and d.side == A)


@pytest.mark.clause("3.0", "4.1.1")
def test_3_0_divisions_may_stay_for_a_corps_marker_that_goes_and_in_secret() -> None:
    play_ = play(scenario="bagration", phase="removal", turn=2, pool=["LIM-F-V", "LIM-F-K-CR"])
    assert set(lots(play_, F)) == {"remove", "stay"}
    assert set(lots(play_, F)["stay"]["units"]) == {"LIM-F-1-V", "LIM-F-3-V", "LIM-F-2D-V"}
    wrong = refused(play_, F, "remove", lots={"remove": ["LIM-F-K-CR"], "stay": ["LIM-F-1-V"]})
    assert wrong == ("corps_marker_there", "3.0")
    answer(play_, F, "remove", lots={"remove": ["LIM-F-V"], "stay": ["LIM-F-1-V"]})
    assert sorted(play_.pos.pool) == ["LIM-F-1-V", "LIM-F-K-CR"]
    seen = [s["data"] for s in told(play_, "markers_removed", A)]
    assert all("units" not in d for d in seen)                     # the Allies are not told which
    assert _removal_lots(position("bagration", pool=[]), F) == ()


@pytest.mark.clause("4.2", "4.2.2")
def test_4_2_a_division_needs_its_corps_leader_not_the_emperor() -> None:
    pos = position("whole_battle", clear=True, leaders={
        "F-Napoleon": "A3220", "F-Soult": "A4640", "F-Vandamme": "A4638"})
    assert not corps_in_range(pos, "F-IV")
    assert division_in_range(pos, "F-2-IV")


@pytest.mark.clause("4.2")
def test_4_2_what_a_command_change_brings_and_its_plus_are_secret() -> None:
    play_ = play([3], scenario="bagration", phase="command_change", turn=2, pool=[], leaders={"F-Lannes": "B2012",
                                                                                              "F-Suchet": "B2012"})
    choose(play_, F, "try")
    assert "result" not in last(play_, "command_change_rolled", A)
    assert last(play_, "command_change_rolled", F)["result"] == "change.div1"
    answer(play_, F, "none", option="none")


def offered(dice: list[int], *more: str) -> tuple[Play, str]:
    """A cautious Allied leader whose activation is to fail, and his marker; a French division stands near."""
    cautious = next(c.id for c in game("bagration").commands.values() if c.kind == "division" and c.leader and game(
        "bagration").leaders[c.leader].personality == "cautious" and c.side == A)
    marker = game("bagration").marker_of[cautious]
    boss = game("bagration").commands[cautious].leader
    assert boss is not None
    return play(dice, "bagration", phase="initiative", turn=2, pool=[marker, *more], clear=True,
                units={game("bagration").members[cautious][0]: "B2801@N/disorder", LN: f"{CENTRE}@N/column"},
                leaders={boss: "B2801", "F-Suchet": CENTRE}), marker


@pytest.mark.clause("4.7")
def test_4_7_nobody_has_to_take_an_offer() -> None:
    """A cautious leader's 0 is ENEMY: the other side's nearest division may act, or not."""
    play_, marker = offered([2, 9, 9, 0])
    choose(play_, A, marker)
    choose(play_, A, "full")
    assert last(play_, "breakdown")["result"] == "breakdown.enemy"
    assert prompt(play_, F) == "enemy"
    assert options(play_, F) == ["F-3-V", "none"]
    choose(play_, F, "none")
    assert not told(play_, "acts_again")


@pytest.mark.clause("4.7")
def test_4_7_who_has_been_active_is_so_no_more() -> None:
    """What the answer changes is told with it, before the next question."""
    play_, _ = offered([9, 2, 9, 1, 0, 9, 0], "LIM-F-3-V")
    choose(play_, F, "LIM-F-3-V")
    choose(play_, F, "full")
    assert last(play_, "breakdown")["result"] == "breakdown.stop"
    choose(play_, A, "full")
    (leader,) = view(play_, A)[f"space:{CENTRE}"]["markers"]
    assert leader["badges"] == ["finished"]
    choose(play_, F, "F-3-V")
    assert last(play_, "acts_again", A) == {"command": "command.F-3-V"}
    (leader,) = view(play_, A)[f"space:{CENTRE}"]["markers"]
    assert leader["badges"] == []


@pytest.mark.clause("5.2")
def test_5_2_who_marches_strategically_rolls_no_die() -> None:
    play_ = play([9, 2], "langeron", phase="initiative", turn=2, pool=["LIM-F-3-V"], clear=True, units={
        LN: f"{CENTRE}@N/column", ARKH: "B4012@W/line"}, leaders={"F-Suchet": CENTRE}, strategic=["F-3-V"])
    choose(play_, F, "LIM-F-3-V")
    assert play_.pos.act is not None
    assert play_.pos.act["mode"] == "strategic"
    assert play_.pos.tired == []                                    # 13.1.1


@pytest.mark.clause("6.3.3")
@pytest.mark.parametrize(("lost", "able"), [(0, True), (1, False)])
def test_6_3_3_two_hexes_take_six_points(lost: int, able: bool) -> None:
    pos = position(clear=True, units={LEG: f"{CENTRE}@N/skirmish"}, lost={LEG: lost} if lost else {}, active="F-3-V",
                   phase="move", leaders={"F-Suchet": "B2808"})
    assert pos.strength(LEG) == 6 - lost
    assert Walker(pos, [LEG], 12).ways.kind.spreads is able


@pytest.mark.clause("6.5.4", "6.5.5", "6.3.4")
def test_6_5_5_a_square_on_two_hexes_keeps_both() -> None:
    command = game("langeron").units[BIG].command
    assert command is not None
    boss = game("langeron").commands[command].leader
    assert boss is not None
    play_ = play([], "langeron", clear=True, units={BIG: f"{CENTRE}@NNE/line", LN: "B2010@N/column"},
                 leaders={boss: CENTRE}, active=command, phase="move")
    hexes = set(play_.pos.footprint(BIG))
    march(play_, A, BIG, f"{CENTRE}@NNE/line", f"{CENTRE}@NNE/square")
    assert set(play_.pos.footprint(BIG)) == hexes
    assert len(hexes) == 2


@pytest.mark.clause("6.5.6", "8.4.2")
def test_6_5_6_cavalry_on_two_hexes_meets_all_in_its_front() -> None:
    pos = position("bagration", clear=True, units={"F-16-CaC": f"{CENTRE}@E/line", ARKH: "B2908@W/line",
                                                   "A-3-Arkh": "B2909@W/line", "A-G-Arkh": "B2910@N/column"})
    front = [h for h in pos.arcs("F-16-CaC").front if pos.holder(h) == A]
    assert sorted(met(pos, "F-16-CaC", ARKH)) == sorted(front)
    assert len(front) >= 2


@pytest.mark.clause("8.4.3", "6.1")
def test_8_0_of_two_aspects_the_attacker_has_the_better() -> None:
    pos = position("bagration", clear=True, units={"F-16-CaC": f"{CENTRE}@E/line", ARKH: "B2909@NNW/line"})
    touching = [h for h in pos.footprint("F-16-CaC") if "B2909" in pos.game.board.touching(h)]
    assert len(touching) == 2
    views = {("front", "flank", "rear")[2 if h in pos.arcs(ARKH).rear else 1 if h in pos.arcs(ARKH).flank else 0]
             for h in touching}
    assert seen_as(pos, ["F-16-CaC"], ARKH) == max(views, key=("front", "flank", "rear").index)


@pytest.mark.clause("8.3.1", "8.5.3")
@pytest.mark.parametrize(("unit", "form", "able"), [(LN, "NE/column", False), (LEG, "N/skirmish", True)])
def test_8_3_1_only_skirmishers_withdraw_from_a_melee(unit: str, form: str, able: bool) -> None:
    pos = position(clear=True, units={unit: f"{CENTRE}@{form}", ARKH: "B2908@SW/column"}, active="A-2-B", phase="melee",
                   leaders={"A-Markov": "B2907"})
    asked = next(_fight_on(pos, Clash([ARKH], [unit]), [unit]))
    assert ("withdraw" in [o.id for o in asked.forms[0].options]) is able  # type: ignore[union-attr]


@pytest.mark.clause("8.4", "8.4.2")
def test_8_4_charged_cavalry_that_does_not_try_to_countercharge_checks() -> None:
    pos = position("bagration", clear=True, units={HUS: f"{CENTRE}@E/line", "A-St-P-Dgn": "B2908@SW/column"},
                   active="F-T-CR", phase="melee", leaders={"F-Treilhard": CENTRE})
    asked = next(stands(pos, [HUS], "B2908", 3))
    assert getattr(asked, "why", "").startswith("defender_checked A-St-P-Dgn")
    assert pos.act is not None
    pos.act["spurred"] = ["A-St-P-Dgn"]                              # a failed try costs nothing more (ruling)
    assert list(stands(pos, [HUS], "B2908", 3)) == []


@pytest.mark.clause("10.1", "6.3.4")
def test_10_0_a_square_that_goes_back_breaks_up() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@N/square"})
    _ready(pos, [LN])
    assert pos.form[LN] == "disorder"


@pytest.mark.clause("13.3", "13.1")
@pytest.mark.parametrize(("before", "after", "lost", "disordered"), [
    (6, 7, 1, False), (7, 8, 0, True), (8, 9, 1, True), (5, 6, 0, False), (7, 7, 0, False)])
def test_13_3_levels_7_and_9_cost_one_level_once(before: int, after: int, lost: int, disordered: bool) -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@NE/column"}, leaders={"F-Suchet": "B2808"},
                   fatigue={"F-3-V": before})
    assert list(tire(pos, "F-3-V", after)) == []
    assert pos.morale.get(LN, 0) == lost
    assert (pos.form[LN] == "disorder") is disordered


@pytest.mark.clause("A4.3", "13.1.1")
def test_a4_3_independent_divisions_tire_when_they_act() -> None:
    play_ = play([7, 2, 9], phase="initiative", pool=["LIM-F-Independent"])
    choose(play_, F, "LIM-F-Independent")
    assert play_.pos.tired == []
    choose(play_, F, "F-T-CR")
    assert play_.pos.tired == ["F-T-CR"]


@pytest.mark.clause("A15.2", "A15.5")
@pytest.mark.parametrize("scenario", ["whole_battle", "goldbach"])
def test_a15_the_second_and_third_columns_begin_on_the_march(scenario: str) -> None:
    pos = position(scenario)
    wanted = {"A-1-2C", "A-1-3C", "A-2-3C"} | ({"A-2-2C"} if scenario == "whole_battle" else set())
    assert wanted <= set(pos.strategic)


def test_counters_of_the_errata() -> None:
    """Horse batteries that lack their sign; what the order of battle names and the game has not."""
    found = game()
    horse = {u.id for u in found.units.values() if u.guns and u.horse}
    for corps, n in (("A-B", 2), ("A-CR", 1)):
        assert len([u for u in horse if found.units[u].corps == corps]) >= n
    assert {"F-art-a-CR", "F-art-b-CR"} & set(found.units) <= horse
    assert not [u for u in found.units.values() if u.guns and u.command == "F-M-IV"]
    names = {x.id for x in found.leaders.values()}
    assert {"F-Drouet", "F-Bessieres"} <= names
    assert not {"F-Ordener", "F-dErlon", "A-Kutusov", "A-Francis"} & names
    assert found.commands["F-IG"].leader is None
