"""11-13, 8.4.5, A15 Rally, losses of routs, recovery, fatigue, breakpoints, victory."""

import pytest

from rules.titles.austerlitz.breakpoints import corps_broken, count, division_broken, unit_broken
from rules.titles.austerlitz.rally import candidates, rests
from rules.titles.austerlitz.victory import fulfilled, holds, ruined
from tests.rules.titles.austerlitz.builders import CENTRE, A, F, answer, last, lots, play, position, prompt

LN, LN2, ARKH, HUS = "F-1-34-Ln", "F-2-34-Ln", "A-2-Arkh", "F-10-Hus"
FIELD = {LN: f"{CENTRE}@E/line", ARKH: "B4012@W/line"}


@pytest.mark.clause("12.0", "12.1", "9.1.1")
def test_a_shaken_battalion_rallies() -> None:
    game = play(
        [4], clear=True, units=FIELD, leaders={"F-Suchet": "B2709"}, morale={LN: "shaken"}, phase="rally", pool=[]
    )
    assert list(lots(game, F)["rally"]["units"]) == [LN]
    answer(game, F, "rally", lots={"rally": [LN]})
    assert last(game, "rally_tried")["success"] is False      # 4 + line + shaken - 5
    assert game.pos.morale[LN] == 1


@pytest.mark.clause("12.0")
def test_nobody_rallies_beside_the_enemy() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@E/line", ARKH: "B2908@W/line"}, morale={LN: "shaken"})
    assert candidates(pos, F) == []


@pytest.mark.clause("12.2", "9.2.4", "11.1.1")
def test_who_routed_never_becomes_good() -> None:
    pos = position(clear=True, units={LN: f"{CENTRE}@NE/disorder", ARKH: "B4012@W/line"}, morale={LN: "shaken"},
                   capped=[LN])
    assert candidates(pos, F) == []
    pos = position(clear=True, units={LN: f"{CENTRE}@NE/disorder"}, morale={LN: "rout"})
    assert candidates(pos, F) == [LN]


@pytest.mark.clause("12.4", "6.4.2")
def test_a_rout_loses_a_point_and_goes_back() -> None:
    game = play(clear=True, units={LN: f"{CENTRE}@NE/disorder", ARKH: "B4012@W/line"}, morale={LN: "rout"},
                leaders={"F-Suchet": "B2709"}, phase="rout_losses", pool=[])
    assert game.pos.lost[LN] == 1
    assert game.pos.at[LN] != CENTRE


@pytest.mark.clause("12.3", "8.4.5", "8.4.4")
def test_cavalry_that_rested_recovers() -> None:
    pos = position(clear=True, units={HUS: f"{CENTRE}@NE/disorder"}, blown={HUS: 2})
    assert pos.blown == {HUS: 2}


@pytest.mark.clause("11.1", "A2.2")
def test_breakpoint_of_units() -> None:
    pos = position("whole_battle", clear=True, lost={LN: 4, LN2: 5, "F-1-Gren-P": 6, "F-art-a-V": 2})
    assert [unit_broken(pos, u) for u in (LN, LN2, "F-art-a-V")] == [False, True, False]
    assert not unit_broken(pos, "F-1-Gren-P")


@pytest.mark.clause("11.2", "11.2.1", "11.3")
def test_breakpoint_of_divisions_and_corps() -> None:
    pos = position("bagration", units={"A-Mikhv-Coss": "dead"})
    assert count(pos, "A-W-B") == 1
    assert division_broken(pos, "A-W-B")
    assert not corps_broken(pos, "A-B")
    assert not division_broken(pos, "F-Inf-IG")


@pytest.mark.clause("13.0", "13.1", "13.1.1", "13.1.2", "13.2")
def test_fatigue_grows_and_goes() -> None:
    game = play(
        clear=True,
        units=FIELD,
        fatigue={"F-3-V": 3, "A-2-B": 2},
        leaders={"F-Suchet": "B2709"},
        phase="fatigue",
        pool=[],
    )
    assert prompt(game, F)
    assert game.pos.fatigue == {"F-3-V": 2, "A-2-B": 1}
    near = position(clear=True, units={LN: f"{CENTRE}@E/line", ARKH: "B2908@W/line"}, pool=[])
    assert not rests(near, "F-3-V")


@pytest.mark.clause("13.3")
def test_errata_of_fatigue_strike_once() -> None:
    """Errata 13.3: the level lost at 7 and 9 comes once, on reaching the number."""
    rows = position().game.tables["fatigue"]
    assert [r["lose"] for r in rows if r["low"] in (7, 8, 9)] == [1, 0, 1]


@pytest.mark.clause("A15.1")
def test_victory_on_the_northern_flank() -> None:
    pos = position(
        morale=dict.fromkeys(("A-2-Arkh", "A-3-Arkh", "A-G-Arkh", "A-2-Pskv", "A-3-Pskv", "A-G-Pskv"), "unsteady")
    )
    assert ruined(pos, A) == 6
    way = pos.plan["victory"][F][0]
    assert not fulfilled(pos, F, way)
    pos.put("A-2-O-Ing", "dead:allied")
    assert fulfilled(pos, F, way)


@pytest.mark.clause("A15.4", "A15.2", "A15.3", "A15.5", "A15.6")
def test_places_are_held_whole() -> None:
    pos = position("bagration")
    assert holds(pos, F, "bosenitz")
    assert holds(pos, A, "holubitz")
    pos.held["B1406"] = A
    assert not holds(pos, F, "bosenitz")
    goldbach = position("goldbach")
    assert all(holds(goldbach, F, p) for p in ("tellnitz", "sokolnitz", "pheasantry"))
