"""3.0, 4, A4 Command: pool, command change, initiative, draws, activations, breakdown, the phase without markers."""

import pytest

from rules.titles.austerlitz import activation, independent
from rules.titles.austerlitz.activation import members, taking_part
from rules.titles.austerlitz.command import addable, change_result
from rules.titles.austerlitz.ranges import corps_in_range, division_in_range, in_command, traced
from tests.rules.titles.austerlitz.builders import (
    CENTRE,
    A,
    F,
    answer,
    choose,
    data,
    last,
    play,
    position,
    prompt,
    told,
)

LN, ARKH = "F-1-34-Ln", "A-2-Arkh"
LIMS = {"suchet": "LIM-F-3-V", "markov": "LIM-A-2-B"}


@pytest.mark.clause("4.3", "4.3.1", "4.3.3")
def test_ranges_are_traced_round_enemies() -> None:
    pos = position(clear=True, units={LN: "B2806@N/column", ARKH: "B2807@W/line"}, leaders={"F-Suchet": CENTRE})
    assert "B2807" not in traced(pos, CENTRE, 5, F)
    assert "B2806" not in traced(pos, CENTRE, 3, F)     # two hexes away as the crow flies, four round the enemy
    assert "B2806" in traced(pos, CENTRE, 4, F)
    assert in_command(pos, LN, "F-Suchet")


@pytest.mark.clause("4.3.2", "4.2.1", "4.2.2")
def test_leaders_in_range() -> None:
    pos = position(
        "whole_battle", clear=True, leaders={"F-Napoleon": "A3220", "F-Soult": "A3620", "F-Vandamme": "A4020"}
    )
    assert corps_in_range(pos, "F-IV")
    assert division_in_range(pos, "F-2-IV")
    far = position(
        "whole_battle", clear=True, leaders={"F-Napoleon": "A3220", "F-Soult": "A4630", "F-Vandamme": "A3220"}
    )
    assert not corps_in_range(far, "F-IV")
    assert not division_in_range(far, "F-2-IV")
    assert corps_in_range(position("whole_battle", clear=True, leaders={"F-Davout": "C1037"}), "F-III")   # exempt


@pytest.mark.clause("4.2", "A15.4")
def test_command_change_table_and_its_exceptions() -> None:
    pos = position("whole_battle")
    assert [change_result(pos, F, die) for die in (0, 1, 2, 3, 5)] == [
        "corps1_or_div3", "corps1_or_div2", "corps1_or_div2", "div1", "none"]
    assert [change_result(pos, A, die) for die in (0, 1, 2, 4, 10)] == [
        "corps1_or_div2", "corps1_or_div2", "div1", "none", "none"]
    own = position("bagration")
    assert [change_result(own, F, die) for die in (0, 2)] == ["corps1_or_div2", "div1"]
    assert change_result(own, A, 1) == "div1"


@pytest.mark.clause("4.1", "4.1.1", "4.8")
def test_a_corps_and_its_divisions_exclude_each_other() -> None:
    pos = position("bagration", pool=["LIM-F-V"])
    assert "LIM-F-3-V" not in addable(pos, F, None)
    pos = position("bagration", pool=["LIM-F-3-V"], leaders={"F-Lannes": "B2012"})
    assert "LIM-F-V" in addable(pos, F, None)


@pytest.mark.clause("4.4", "3.0")
def test_initiative_ties_are_rolled_again() -> None:
    game = play([4, 4, 7, 2], phase="initiative", pool=[*LIMS.values()])
    assert len(told(game, "initiative_rolled")) == 2
    assert game.pos.initiative == F
    assert prompt(game, F) == "first_marker"


@pytest.mark.clause("4.4.1", "4.5", "4.5.1")
def test_a_drawn_marker_activates_its_division() -> None:
    game = play([7, 2, 5], phase="initiative", pool=[*LIMS.values()])
    choose(game, F, LIMS["suchet"])
    assert prompt(game, F) == "activation"
    choose(game, F, "full")
    assert last(game, "activation_rolled")["success"] is True
    assert game.pos.drawn == [LIMS["suchet"]]


@pytest.mark.clause("4.7")
@pytest.mark.parametrize(("die", "result"), [(0, "retreat"), (1, "stop"), (4, "limited"), (7, "full")])
def test_breakdown_of_a_normal_leader(die: int, result: str) -> None:
    game = play([7, 2, 6, die], phase="initiative", pool=[LIMS["suchet"]], scenario="northern_flank")
    choose(game, F, LIMS["suchet"])
    choose(game, F, "full")
    assert last(game, "breakdown")["result"] == f"breakdown.{result}"
    if result == "stop":
        assert "F-Suchet" in game.pos.finished
    elif result == "full":
        choose(game, F, "normal")              # far from all enemies it might march as well (5.2)
    if result in ("limited", "full"):
        assert game.pos.act is not None
        assert game.pos.act["mode"] == result


@pytest.mark.clause("4.6.1", "4.6")
def test_the_leader_is_finished_when_his_activation_ends() -> None:
    game = play(
        clear=True,
        units={LN: f"{CENTRE}@N/column"},
        leaders={"F-Suchet": "B2709"},
        active="F-3-V",
        phase="move",
        pool=[],
    )
    answer(game, F, "end_move", option="end_move")
    assert [s["data"]["command"] for s in told(game, "activation_ended")] == ["command.F-3-V"]


@pytest.mark.clause("A4.6", "A15.1")
def test_guns_answer_to_divisions_of_their_corps() -> None:
    pos = position()
    assert "F-art-b-V" in members(pos, "F-3-V")          # A15.1: any guns of the corps
    assert not any(pos.unit(u).guns for u in members(pos, "F-M-CR"))
    assert set(taking_part(pos, "F-M-CR")) == {"F-22-CaC"}


@pytest.mark.clause("4.5.2", "4.5.3")
def test_corps_divisions_are_listed() -> None:
    game = position("bagration").game
    assert set(game.commands["F-V"].divisions) == {"F-1-V", "F-3-V", "F-2D-V"}
    assert game.corps_of("F-3-V") == "F-V"


@pytest.mark.clause("A4.3.2", "A4.3")
@pytest.mark.parametrize(("die", "n"), [(0, 2), (4, 3), (9, 5)])
def test_how_many_independent_leaders_try(die: int, n: int) -> None:
    game = play([7, 2, die], phase="initiative", pool=["LIM-F-Independent"])
    choose(game, F, "LIM-F-Independent")
    assert last(game, "independent_rolled")["count"] == n
    assert prompt(game, F) == "independent"


@pytest.mark.clause("3.0", "4.6.2")
def test_units_out_of_command_act_alone() -> None:
    game = play(clear=True, units={LN: f"{CENTRE}@N/column", ARKH: "B4012@W/line"}, leaders={"F-Suchet": "B4608"},
                phase="no_marker", pool=[])
    choose(game, F, f"unit:{LN}")
    assert game.pos.act is not None
    assert game.pos.act["mode"] == "out"


def test_what_the_other_side_has_in_the_pool_is_hidden() -> None:
    """Errata 4.2: markers in the pool are secret until they are drawn."""
    game = play(phase="initiative", dice=[7, 2], pool=[*LIMS.values()])
    mine, theirs = game.views.contents[F]["pool:markers_allied"], game.views.contents[A]["pool:markers_allied"]
    assert mine is not None
    assert theirs is not None
    assert mine["units"] == []
    assert [u["id"] for u in theirs["units"]] == [LIMS["markov"]]
    assert data() is not None


def test_errata_no_command_change_in_the_first_turn() -> None:
    game = play([7, 2], scenario="bagration", phase="command_change", turn=1, initiative=F)
    assert not told(game, "command_change_rolled")
    later = play(scenario="bagration", phase="command_change", turn=2, leaders={"F-Lannes": "B2012"}, pool=[])
    assert prompt(later, F) == "command_change"


@pytest.mark.clause("A4.3.2", "A2.4", "4.1")
def test_whether_companies_are_asked_about_tells_nothing_of_the_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(activation, "companies", lambda _pos, c: ["x"] if c == "F-3-IV" else [])
    pos = position(clear=True)
    for pool, able in (([], ["companies:F-3-IV"]), (["LIM-F-3-IV"], [])):
        pos.pool = pool
        assert independent.candidates(pos, F) == able
        assert independent.could_try(pos, F)
    pos.drawn = ["LIM-F-3-IV"]
    assert not independent.could_try(pos, F), "everybody has seen it"
